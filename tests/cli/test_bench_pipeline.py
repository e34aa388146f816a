"""`lumc bench --pipeline`: whole requests, part by part."""

import json
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np
import pytest

from lumc.bench_pipeline import (
    DEFAULT_REQUESTS,
    PARTS,
    BenchOptions,
    PipelineTimes,
    RequestTimes,
    dollars_per_thousand,
    times_json,
    times_svg,
    times_text,
)
from lumc.cli import main
from lumc.runtime.random_tensors import RandomTensors, smooth_picture
from lumc.spans import LibraryRanges, SpanTimes
from scripts.make_tiny_model import make_tiny_model


def found() -> PipelineTimes:
    """Three requests of which the second takes twice and the third three times as long."""
    parts = dict(zip((*PARTS, "host"), (10.0, 20.0, 200.0, 40.0, 5.0), strict=True))
    requests = tuple(
        RequestTimes(
            request,
            {name: n * ms for name, ms in parts.items()},
            n * 276.0,
            n * 270.0,
            n * 290.0,
            12.5,
            n * 10**9,
        )
        for n, request in enumerate(DEFAULT_REQUESTS, 1)
    )
    return PipelineTimes("klein", "cuda:0", "sm_90", BenchOptions(), requests)


def outcome(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main(["bench", *map(str, arguments)])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return code, said.out, said.err


def check(report: dict[str, Any], runs: int) -> None:
    assert report["runs"] == runs
    (request,) = report["requests"]
    assert request["size"] == [64, 80]
    parts = request["milliseconds"]
    assert list(parts) == [*PARTS, "host"]
    assert all(parts[name] > 0 for name in PARTS)
    assert sum(parts.values()) == pytest.approx(request["median_ms"], rel=0.5)
    assert request["tenth_ms"] <= request["median_ms"] <= request["ninetieth_ms"]


def test_a_model_and_a_configuration_of_random_weights(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    common = ["--request", "64x80:a boat", "--steps", 1, "--warm-ups", 0, "--runs", 1]
    common += ["--device", "reference", "--dtype", "f32", "--json", "--price", "A=3.6"]
    make_tiny_model(tmp_path / "model")
    drawing = tmp_path / "times.svg"
    for which in (
        ["--pipeline", tmp_path / "model"],
        ["--pipeline", "tiny", "--random-weights", "--svg", drawing],
    ):
        code, out, err = outcome(capsys, *which, *common)
        assert code == 0, err
        report = json.loads(out)
        check(report, 1)
        (request,) = report["requests"]
        expected = request["median_ms"] / 1000
        assert request["dollars_per_thousand"]["A"] == pytest.approx(expected, abs=1e-3)
    assert ElementTree.fromstring(drawing.read_text()).tag.endswith("svg")


@pytest.mark.slow
@pytest.mark.timeout(900)
def test_on_the_emulator(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--pipeline", "tiny", "--random-weights", "--device", "emulator", "--json"]
    arguments += ["--request", "64x80:a boat", "--steps", 2, "--warm-ups", 1, "--runs", 2]  # type: ignore[list-item]
    code, out, err = outcome(capsys, *arguments)
    assert code == 0, err
    report = json.loads(out)
    assert (report["device"], report["target"]) == ("emulator", "gfx942")
    check(report, 2)
    assert report["requests"][0]["needed_bytes"] > 10**6


def test_what_cannot_be_measured(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments, code, reason in (
        (["--pipeline", "nowhere"], 1, "nowhere"),
        (["--pipeline", "klein_9", "--random-weights"], 1, "klein_9b"),
        (["--pipeline", "tiny", "--request", "64x64"], 2, "512x512:a prompt"),
        (["--pipeline", "tiny", "--price", "A=much"], 2, "no number: much"),
        (["--pipeline", "klein_9b"], 1, "--random-weights"),
        (["--pipeline", "tiny", "--svg", "."], 1, "can't write .: it is a folder"),
        (["--pipeline", "tiny", "--predict"], 2, "--predict has no meaning with --pipeline"),
        (["out", "--pipeline", "tiny"], 2, "DIR has no meaning with --pipeline"),
        (["out", "--runs", "100"], 2, "--runs has no meaning without --pipeline"),
        ([], 2, "--pipeline"),
    ):
        found_code, out, err = outcome(capsys, *arguments)
        assert (found_code, out) == (code, "")
        assert reason in err


def test_costs_and_tables() -> None:
    assert dollars_per_thousand(3.6, 500) == pytest.approx(0.5)  # 500 s at a tenth of a cent each
    text = times_text(found(), {"H200": 3.6})
    assert "klein on cuda:0 (sm_90): 4 steps, medians of 100 runs after 5 to warm up" in text
    assert "$0.276" in text
    assert "552.0" in text
    report = times_json(found(), {"H200": 3.6})
    assert [one["median_ms"] for one in report["requests"]] == [276, 552, 828]


def test_bars_are_as_long_as_their_times() -> None:
    svg = ElementTree.fromstring(times_svg(found()))
    space = "{http://www.w3.org/2000/svg}"
    bars = [bar for bar in svg.iter(f"{space}rect") if bar.find(f"{space}title") is not None]
    lengths = np.array([float(bar.get("width", "nan")) for bar in bars]).reshape(3, 5)
    assert np.allclose(lengths[2], 3 * lengths[0], atol=0.05)
    assert np.allclose(lengths[0] / lengths[0, 0], [1, 2, 20, 4, 0.5], atol=0.05)
    right = max(float(bar.get("x", "nan")) + float(bar.get("width", "nan")) for bar in bars)
    assert right < float(svg.get("width", "nan"))


def test_the_picture_is_always_the_same() -> None:
    picture = smooth_picture(48, 32)
    assert picture.shape == (32, 48, 3)
    assert picture.dtype == np.uint8
    assert np.array_equal(picture, smooth_picture(48, 32))
    assert picture.std() > 20


def test_spans_wait_before_and_after_and_name_ranges() -> None:
    said: list[str] = []

    class Ranges:
        def push(self, name: str) -> None:
            said.append(f"push {name}")

        def pop(self) -> None:
            said.append("pop")

    times = SpanTimes(Ranges())
    for _ in range(2):
        with times("steps", lambda: said.append("wait")):
            said.append("work")
    assert said == ["wait", "push steps", "work", "wait", "pop"] * 2
    assert len(times.seconds["steps"]) == 2


def test_ranges_of_a_library_that_is_not_there() -> None:
    with pytest.raises(OSError, match="libnowhere"):
        LibraryRanges("libnowhere.so.1", "push", "pop")


def test_random_weights_are_finite_and_spread() -> None:
    from lumc.dsl.dtypes import DType
    from lumc.runtime.tensors import WantedTensor

    wanted = [
        WantedTensor("bn.running_var", (40,), DType.F32),
        WantedTensor("a.weight", (30, 50), DType.BF16),
    ]
    source = RandomTensors(wanted, 0.02)
    assert source.read("bn.running_var").min() > 0.5
    assert abs(float(source.read("a.weight").astype(np.float32).std()) - 0.02) < 2e-3
