"""`lumc run`: the same numbers from the reference and from the emulator, and clear refusals."""

import json
import re
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file, save_file

from lumc import compiler
from lumc.cli import main
from lumc.codegen.build import compile_units
from lumc.codegen.toolchains import CompileUnit

RANDOM = np.random.default_rng(17)
SPEC = """\
use nn

param width = 19
param rows = 5

stage encode(x: f32[rows, width], shift: f32) -> y: f32[rows, 13]:
    weight W: f32[13, width] = "encode.weight"
    h[r, c] = x[r, c] + shift
    y[r] = softmax(linear(h[r], W))

stage halve(x: bf16[rows, width]) -> z: bf16[rows, width]:
    z[r, c] = x[r, c] * 0.5
"""

Array = npt.NDArray[Any]
X = RANDOM.standard_normal((5, 19)).astype(np.float32)
W = RANDOM.standard_normal((13, 19)).astype(np.float32)


def outcome(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return code, said.out, said.err


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "small.lum").write_text(SPEC)
    save_file({"encode.weight": W}, tmp_path / "w.safetensors")
    save_file({"x": X, "shift": np.array(0.25, np.float32)}, tmp_path / "i.safetensors")
    return tmp_path


def tensors(folder: Path, **changed: Path) -> list[object]:
    files: dict[str, object] = {
        "--weights": folder / "w.safetensors",
        "--inputs": folder / "i.safetensors",
    }
    files |= {f"--{name}": path for name, path in changed.items()}
    return [part for pair in files.items() for part in pair] + ["-o", folder / "o.safetensors"]


def expected() -> npt.NDArray[np.float64]:
    h = (X.astype(np.float64) + 0.25) @ W.T.astype(np.float64)
    e = np.exp(h - h.max(axis=1, keepdims=True))
    result: npt.NDArray[np.float64] = e / e.sum(axis=1, keepdims=True)
    return result


@pytest.mark.parametrize("device", ["reference", "emulator"])
def test_a_spec_is_run(capsys: pytest.CaptureFixture[str], folder: Path, device: str) -> None:
    arguments = ["run", folder / "small.lum", "--stage", "encode", "--device", device]
    code, out, _ = outcome(capsys, *arguments, *tensors(folder))
    assert code == 0
    assert out.startswith("y: 5×13 float32, from ")
    got = load_file(folder / "o.safetensors")
    assert list(got) == ["y"]
    np.testing.assert_allclose(got["y"], expected(), rtol=1e-5)


def test_a_compiled_stage_is_run(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    code, _, _ = outcome(capsys, "compile", folder / "small.lum", "-o", folder / "out")
    assert code == 0
    arguments = ["run", folder / "out", "--stage", "encode", "--device", "emulator", "--json"]
    code, out, _ = outcome(capsys, *arguments, *tensors(folder))
    assert code == 0
    report = json.loads(out)
    assert (report["stage"], report["device"]) == ("encode", "emulator")
    assert report["seconds"]["run"] > 0
    got = load_file(folder / "o.safetensors")["y"]
    np.testing.assert_allclose(got, expected(), rtol=1e-5)
    # The reference runs what the stage was compiled from, though the spec is gone by now.
    (folder / "small.lum").unlink()
    (folder / "o.safetensors").unlink()
    arguments = ["run", folder / "out", "--stage", "encode", "--device", "reference"]
    assert outcome(capsys, *arguments, *tensors(folder))[0] == 0
    got = load_file(folder / "o.safetensors")["y"]
    np.testing.assert_allclose(got, expected(), rtol=1e-5)
    # The folder of the stage itself will do as well.
    arguments = ["run", folder / "out" / "encode", *tensors(folder)]
    assert outcome(capsys, *arguments)[0] == 0


@pytest.mark.parametrize("device", ["reference", "emulator"])
@pytest.mark.parametrize("kind", ["weights", "inputs"])
def test_what_is_not_given_has_an_option(
    capsys: pytest.CaptureFixture[str], folder: Path, device: str, kind: str
) -> None:
    given = tensors(folder)
    place = given.index(f"--{kind}")
    del given[place : place + 2]
    arguments = ["run", folder / "small.lum", "--stage", "encode", "--device", device, *given]
    code, _, err = outcome(capsys, *arguments)
    assert code == 1
    assert f"hint: --{kind} FILE.safetensors gives {kind}" in err
    assert "loading" not in err


@pytest.mark.parametrize("kind", ["weights", "inputs"])
@pytest.mark.parametrize("whole_folder", [False, True])
def test_what_is_read_is_not_written_over(
    capsys: pytest.CaptureFixture[str], folder: Path, kind: str, whole_folder: bool
) -> None:
    place = folder / f"{kind[0]}.safetensors"
    before = place.read_bytes()
    changed = {kind: folder} if whole_folder else {}
    arguments = ["run", folder / "small.lum", "--stage", "encode", "--device", "reference"]
    arguments += [*tensors(folder, **changed)[:-1], folder / "." / place.name]
    code, _, err = outcome(capsys, *arguments)
    assert code == 1
    assert f"error[C026]: {place} has weights or inputs" in err
    assert place.read_bytes() == before


def test_settings_reach_the_stage(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    x = RANDOM.standard_normal((3, 7)).astype(np.float32)
    save_file({"x": x}, folder / "i.safetensors")
    arguments = ["run", folder / "small.lum", "--stage", "halve", "--set", "rows=3"]
    arguments += ["--set", "width=7", "--device", "reference"]
    code, out, _ = outcome(capsys, *arguments, *tensors(folder))
    assert (code, out[:16]) == (0, "z: 3×7 bfloat16,")


def test_what_is_converted_or_unused_is_said(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    weights: dict[str, Array] = {"encode.weight": W.astype(np.float64), "spare": W, "other": W}
    save_file(weights, folder / "w.safetensors")
    arguments = ["run", folder / "small.lum", "--stage", "encode", "--device", "reference"]
    code, _, err = outcome(capsys, *arguments, *tensors(folder))
    assert code == 0
    assert "1 weight (encode.weight) is rounded to the type the program stores" in err
    assert "2 weights (other, spare) are in the files but not used" in err


@pytest.mark.parametrize(
    ("weights", "words"),
    [
        ({"encode.wieght": W}, "did you mean encode.wieght?"),
        ({"encode.weight": W.T.copy()}, "has shape 19×13; the program needs 13×19"),
        ({"encode.weight": W.astype(np.int32)}, "is I32, which does not convert to f32"),
    ],
)
@pytest.mark.parametrize("device", ["reference", "emulator"])
def test_weights_that_do_not_fit(
    capsys: pytest.CaptureFixture[str],
    folder: Path,
    weights: dict[str, Array],
    words: str,
    device: str,
) -> None:
    save_file(weights, folder / "w.safetensors")
    arguments = ["run", folder / "small.lum", "--stage", "encode", "--device", device]
    code, out, err = outcome(capsys, *arguments, *tensors(folder))
    assert (code, out) == (1, "")
    assert "encode.weight" in err
    assert words in err
    assert not (folder / "o.safetensors").exists()


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        (["--stage", "encode", "--device", "emulatr"], "did you mean emulator?"),
        (["--stage", "encode", "--device", "tpu:0"], "did you mean hip:0?"),
        (["--stage", "encode", "--target", "gfx1201", "--device", "emulator"], "gfx1201"),
        ([], "several stages: encode, halve"),
        (["--stage", "encod"], "did you mean encode?"),
    ],
)
def test_refusals(
    capsys: pytest.CaptureFixture[str], folder: Path, arguments: list[str], words: str
) -> None:
    code, out, err = outcome(capsys, "run", folder / "small.lum", *arguments, *tensors(folder))
    assert (code, out) == (1, "")
    assert words in err


def test_missing_and_damaged_files(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    run = ["run", folder / "small.lum", "--stage", "encode", "--device", "reference"]
    code, _, err = outcome(capsys, *run, *tensors(folder, weights=folder / "none"))
    assert code == 1
    assert "there is no file" in err
    (folder / "w.safetensors").write_bytes(b"short")
    code, _, err = outcome(capsys, *run, *tensors(folder))
    assert code == 1
    assert "can't read" in err
    code, _, err = outcome(capsys, *run, "-o", folder / "o.safetensors")
    assert code == 1
    assert "encode.weight is not in what was given" in err


def test_a_damaged_plan(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    outcome(capsys, "compile", folder / "small.lum", "-o", folder / "out")
    plan = folder / "out" / "encode" / "plan.json"
    plan.write_text(plan.read_text()[:-40])
    code, _, err = outcome(capsys, "run", plan.parent, *tensors(folder))
    assert code == 1
    assert "plan.json: not a whole plan" in err


def test_a_damaged_spec_file(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    outcome(capsys, "compile", folder / "small.lum", "-o", folder / "out")
    place = folder / "out" / "encode" / "spec.json"
    whole = json.loads(place.read_text())
    odd = [whole | {"stage": None}, whole | {"files": {**whole["files"], "nn": {}}}]
    for text in ("", "[]", "{}", place.read_text()[:-20], *map(json.dumps, odd)):
        place.write_text(text)
        arguments = ["run", place.parent, "--device", "reference", *tensors(folder)]
        code, _, err = outcome(capsys, *arguments)
        assert code == 1
        assert "spec.json can't be read" in err


def test_settings_of_a_compiled_stage_are_refused(
    capsys: pytest.CaptureFixture[str], folder: Path
) -> None:
    outcome(capsys, "compile", folder / "small.lum", "-o", folder / "out")
    arguments = ["run", folder / "out", "--stage", "encode", "--set", "rows=4"]
    code, _, err = outcome(capsys, *arguments, *tensors(folder))
    assert code == 1
    assert "is compiled already" in err
    assert not (folder / "o.safetensors").exists()


def test_a_compiled_stage_has_its_target(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    outcome(capsys, "compile", folder / "small.lum", "-o", folder / "out")
    arguments = ["run", folder / "out", "--stage", "encode", "--target", "gfx950"]
    code, _, err = outcome(capsys, *arguments, *tensors(folder))
    assert code == 1
    assert "is compiled for gfx942, not for gfx950" in err


def test_where_nothing_can_be_written(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    run = ["run", folder / "small.lum", "--stage", "encode", "--device", "reference"]
    for place, reason in ((folder, "it is a folder"), (folder / "small.lum" / "o", "no folder")):
        code, _, err = outcome(capsys, *run, "-o", place)
        assert code == 1
        assert f"can't write {place}" in err
        assert reason in err


def test_a_fault_is_shown_in_the_source_and_in_the_spec(
    capsys: pytest.CaptureFixture[str], folder: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """A kernel made to read past the end of its input is reported where it stands."""

    def compile_wrong(units: dict[str, CompileUnit], *others: Any) -> Any:
        texts = {s: u.text.replace("load(x + ", "load(x + (1 << 24) + ") for s, u in units.items()}
        assert all("1 << 24" in text for text in texts.values())
        return compile_units({s: CompileUnit(texts[s], units[s].headers) for s in units}, *others)

    monkeypatch.setattr(compiler, "compile_units", compile_wrong)
    monkeypatch.setenv("LUMC_CACHE_DIR", str(folder / "cache"))
    out = folder / "out"
    compiling = ["compile", folder / "small.lum", "--stage", "halve", "-o", out]
    assert outcome(capsys, *compiling)[0] == 0
    running = ["run", out, "--stage", "halve", "--device", "emulator"]
    save_file({"x": X.astype(ml_dtypes.bfloat16)}, folder / "i.safetensors")
    code, _, said = outcome(capsys, *running, *tensors(folder))
    assert code == 1
    assert "from small.lum:12" in said
    found = re.search(r"kernels.hip:(\d+)", said)
    assert found is not None
    lines = (out / "halve" / "kernels.hip").read_text().split("\n")
    assert "load(x + " in lines[int(found[1]) - 1]
