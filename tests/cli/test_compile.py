"""`lumc compile` and what can be asked of the result, on a small spec."""

import json
import os
import re
import subprocess
import sys
from pathlib import Path

import pytest

from lumc.cache_folder import CACHE_VARIABLE
from lumc.cli import main
from lumc.codegen.launch_plan import PlanKernel
from lumc.codegen.plan_json import from_json

ROOT = Path(__file__).parents[2]
SPEC = """\
# Two stages that share a weight.
use nn

param width = 19
param rows = 5

config wide:
    width = 40

stage encode(x: f32[rows, width]) -> y: f32[rows, 24]:
    weight W: f32[24, width] = "encode.weight"
    h[r] = softmax(linear(x[r], W))
    y[r, c] = 2 * h[r, c]

stage scale(x: f32[rows, width], factor: f32) -> z: bf16[rows, width]:
    z[r, c] = x[r, c] * factor
"""


@pytest.fixture(scope="module")
def cache(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("cache")


@pytest.fixture(autouse=True)
def _use_cache(cache: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(cache))


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "small.lum").write_text(SPEC)
    return tmp_path / "small.lum"


def outcome(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return code, said.out, said.err


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in sorted(folder.rglob("*"))
        if path.is_file()
    }


def test_a_folder_a_stage(capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path) -> None:
    code, out, err = outcome(capsys, "compile", spec, "-o", tmp_path / "out", "--json")
    assert code == 0
    assert "encode" in err
    stages = json.loads(out)["stages"]
    assert list(stages) == ["encode", "scale"]
    made = stages["encode"]
    assert made["launches"] == sum(made["kernels"].values()) >= 1
    assert made["weight_bytes"] == 24 * 19 * 4
    assert 1 <= made["distinct_kernels"] <= made["launches"]
    assert made["arena_bytes"] >= 0
    assert made["predicted_ms"] > 0
    assert made["libraries"] == "none"
    assert made["rules"]
    assert {"elaborate", "lower", "emit", "compile"} <= set(made["seconds"])
    for name in stages:
        folder = tmp_path / "out" / name
        plan = from_json((folder / "plan.json").read_text())
        assert plan.stage == name
        assert ("width", "19") in plan.parameters
        for kernel in plan.kernels:
            assert isinstance(kernel, PlanKernel)
            assert (folder / kernel.code_object).read_bytes()[:4] == b"\x7fELF"
            assert kernel.symbol in (folder / kernel.code_object).with_suffix(".s").read_text()
            assert kernel.symbol in (folder / "kernels.hip").read_text()
        assert (folder / "report.md").read_text().startswith(f"# {name} for gfx942")
        assert (folder / "include" / "lumc" / "device.hpp").exists()
    assert sorted(p.name for p in (tmp_path / "out").iterdir()) == ["encode", "scale"]


def test_a_table_for_the_reader(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    arguments = ("compile", spec, "-o", tmp_path / "out", "--stage", "scale", "--config", "wide")
    code, out, _ = outcome(capsys, *arguments)
    assert code == 0
    assert re.search(r"^scale +1 +1 +1 pointwise", out, re.MULTILINE)
    assert [p.name for p in (tmp_path / "out").iterdir()] == ["scale"]


def test_a_second_time_nothing_is_made(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    results = []
    for name in ("one", "two"):
        code, out, _ = outcome(capsys, "compile", spec, "-o", tmp_path / name, "--json")
        assert code == 0
        results.append(json.loads(out)["stages"])
    assert all(stage["from_cache"] for stage in results[1].values())
    assert contents(tmp_path / "one") == contents(tmp_path / "two")


def test_a_changed_spec_is_compiled_anew(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    outcome(capsys, "compile", spec, "-o", tmp_path / "one")
    spec.write_text(SPEC.replace("2 * h", "3 * h"))
    _, out, _ = outcome(capsys, "compile", spec, "-o", tmp_path / "two", "--json")
    assert json.loads(out)["stages"]["encode"]["from_cache"] is False
    assert contents(tmp_path / "one") != contents(tmp_path / "two")


@pytest.mark.parametrize(
    ("wrong", "words"),
    [(("--config", "wiede"), "did you mean wide?"), (("--set", "widht=3"), "widht is not a param")],
)
def test_a_mistake_beside_what_is_in_the_cache(
    capsys: pytest.CaptureFixture[str],
    spec: Path,
    tmp_path: Path,
    wrong: tuple[str, str],
    words: str,
) -> None:
    outcome(capsys, "compile", spec, "-o", tmp_path / "one")
    code, out, err = outcome(capsys, "compile", spec, *wrong, "-o", tmp_path / "two")
    assert (code, out) == (1, "")
    assert words in err


def test_the_same_bytes_in_every_process(spec: Path, tmp_path: Path) -> None:
    for seed in ("1", "2"):
        environment = os.environ | {
            "PYTHONHASHSEED": seed,
            CACHE_VARIABLE: str(tmp_path / f"cache{seed}"),
        }
        command = [sys.executable, "-m", "lumc", "compile", str(spec), "-o"]
        subprocess.run(
            [*command, str(tmp_path / f"out{seed}")],
            check=True,
            cwd=ROOT,
            env=environment,
            capture_output=True,
        )
    assert contents(tmp_path / "out1") == contents(tmp_path / "out2")
    assert len(contents(tmp_path / "out1")) > 10


@pytest.mark.parametrize("target", ["gfx90a", "gfx950", "gfx1100", "gfx1201"])
def test_other_targets(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path, target: str
) -> None:
    code, _, _ = outcome(capsys, "compile", spec, "-o", tmp_path / "out", "--target", target)
    assert code == 0
    assert from_json((tmp_path / "out" / "encode" / "plan.json").read_text()).target == target


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (("--stage", "encod"), "did you mean encode?"),
        (("--config", "wid"), "did you mean wide?"),
        (("--set", "widht=3"), "did you mean width?"),
        (("--set", "width=cat"), "width"),
        (("--target", "gfx941"), "did you mean gfx942?"),
        (("--target", "gfx9999"), "there is no target 'gfx9999'"),
        (
            ("--libraries", "vendor", "--target", "gfx1100"),
            "lumc calls no vendor's library for gfx1100",
        ),
    ],
)
def test_unknown_names(
    capsys: pytest.CaptureFixture[str],
    spec: Path,
    tmp_path: Path,
    arguments: tuple[str, ...],
    words: str,
) -> None:
    code, out, err = outcome(capsys, "compile", spec, "-o", tmp_path / "out", *arguments)
    assert (code, out) == (1, "")
    assert words in err
    assert not (tmp_path / "out").exists()


def test_a_mistake_in_the_spec(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    spec.write_text(SPEC.replace("softmax(", "softmacks("))
    code, out, err = outcome(capsys, "compile", spec, "-o", tmp_path / "out")
    assert (code, out) == (1, "")
    assert "small.lum:12:" in err
    assert "softmax" in err
    code, _, err = outcome(capsys, "check", spec)
    assert code == 1
    assert "small.lum:12:" in err


def test_check_lists_the_stages(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    code, out, err = outcome(capsys, "check", spec)
    assert (code, out, err) == (0, f"{spec}: encode, scale\n", "")


def test_a_place_that_cannot_be_written_is_told_first(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "file").write_text("dear")
    code, _, err = outcome(capsys, "compile", spec, "-o", tmp_path / "file" / "out")
    assert code == 1
    assert re.fullmatch(r"error\[O001\]: can't write \S+encode: Not a directory\n", err)


def test_a_folder_of_something_else_is_kept(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    (tmp_path / "out" / "encode").mkdir(parents=True)
    (tmp_path / "out" / "encode" / "notes.txt").write_text("dear")
    code, _, err = outcome(capsys, "compile", spec, "-o", tmp_path / "out")
    assert code == 1
    assert "not a compiled stage" in err
    assert contents(tmp_path / "out") == {"encode/notes.txt": b"dear"}


def test_an_unusable_cache_costs_only_time(
    capsys: pytest.CaptureFixture[str],
    spec: Path,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    (tmp_path / "file").write_text("in the way")
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "file"))
    arguments = ("compile", spec, "-o", tmp_path / "out", "--stage", "scale")
    code, _, err = outcome(capsys, *arguments)
    assert code == 0
    assert err.count("can't write to the cache") == 1
    assert (tmp_path / "out" / "scale" / "plan.json").exists()


def test_inspection(capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    outcome(capsys, "compile", spec, "-o", out)
    symbol = from_json((out / "scale" / "plan.json").read_text()).kernels[0].symbol

    def shown(what: str, *more: object) -> str:
        code, text, err = outcome(capsys, "inspect", what, out, "--stage", "scale", *more)
        assert (code, err) == (0, "")
        return text

    assert re.search(rf"0 +{symbol} +pointwise +\S+ +x, factor +z +z", shown("graph"))
    assert "z" in shown("memory")
    assert "inline-map2" in shown("rules")
    assert symbol in shown("source")
    one = shown("source", "--kernel", symbol)
    assert one.startswith("//")
    assert f"{symbol}(" in one
    assert re.search(rf"^{symbol} +\d+ +\d+", shown("isa"), re.MULTILINE)
    shown_isa = shown("isa", "--kernel", symbol[:5])
    assert "s_endpgm" in shown_isa
    assert re.match(r"; \d+ vector registers", shown_isa)


@pytest.mark.parametrize(
    ("what", "name", "content"),
    [
        ("rules", "summary.json", b"{"),
        ("rules", "summary.json", b"{}"),
        ("rules", "summary.json", b"[]"),
        ("rules", "summary.json", b'{"rules": {"product": null}}'),
        ("rules", "summary.json", b"\xff\xfe"),
        ("source", "kernels.hip", b"\xff\xfe"),
        ("source", "kernels.hip", None),
    ],
)
def test_inspection_of_damaged_files(
    capsys: pytest.CaptureFixture[str],
    spec: Path,
    tmp_path: Path,
    what: str,
    name: str,
    content: bytes | None,
) -> None:
    outcome(capsys, "compile", spec, "-o", tmp_path, "--stage", "scale")
    place = tmp_path / "scale" / name
    place.unlink() if content is None else place.write_bytes(content)
    code, text, err = outcome(capsys, "inspect", what, tmp_path)
    assert (code, text) == (1, "")
    assert err.startswith(f"error[I003]: can't read {place}: ")
    assert "hint: compile the stage again" in err


def test_inspection_of_what_is_not_there(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    out = tmp_path / "out"
    outcome(capsys, "compile", spec, "-o", out)
    for arguments, words in (
        (("graph", out), "holds several stages: encode, scale"),
        (("graph", out, "--stage", "scael"), "did you mean scale?"),
        (("isa", out, "--stage", "scale", "--kernel", "nothing"), "has no kernel nothing"),
    ):
        code, text, err = outcome(capsys, "inspect", *arguments)
        assert (code, text) == (1, "")
        assert words in err


def test_every_stage_is_explained(
    capsys: pytest.CaptureFixture[str], spec: Path, tmp_path: Path
) -> None:
    outcome(capsys, "compile", spec, "-o", tmp_path / "out")
    code, out, _ = outcome(capsys, "explain", tmp_path / "out")
    assert code == 0
    assert re.search(r"^encode: \d+ distinct kernels?, \S+ ms a step", out, re.MULTILINE)
    assert re.search(r"^scale: 1 distinct kernels?, \S+ ms a step", out, re.MULTILINE)
    assert "small.lum:" in out


@pytest.mark.parametrize(
    ("text", "words"),
    [
        ("", "none.lum is empty"),
        ("# nothing\n", "no stage"),
        ("def double(x) = 2 * x\n", "no stage"),
    ],
)
def test_a_spec_without_stages_is_an_error(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, text: str, words: str
) -> None:
    spec = tmp_path / "none.lum"
    spec.write_text(text)
    code, out, err = outcome(capsys, "compile", spec, "-o", tmp_path / "out")
    assert (code, out) == (1, "")
    assert words in err
    assert not (tmp_path / "out").exists()
