"""`lumc compile --verify`: right kernels pass, a wrong one is named."""

import dataclasses
import json
from pathlib import Path
from typing import Any

import pytest

from lumc import verifying
from lumc.cli import main
from lumc.codegen.toolchains import CompileUnit, choose_toolchain
from lumc.compiler import make_kernels

SPEC = """\
use nn

stage encode(x: f32[70, 33]) -> y: f32[70, 24]:
    weight W: f32[24, 33] = "encode.weight"
    h[r] = softmax(linear(x[r], W))
    y[r, c] = 0.1875 * h[r, c] + x[r, 0 + c]
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "small.lum").write_text(SPEC)
    return tmp_path / "small.lum"


def test_right_kernels(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    assert main(["compile", str(spec), "--verify", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["stages"]["encode"]
    assert made["verified"]["kernels"] == made["distinct_kernels"]
    assert made["verified"]["elements"] > 24
    assert 0 <= made["verified"]["closeness"] <= 1
    assert main(["compile", str(spec), "--verify"]) == 0
    assert "verified at full size" in capsys.readouterr().out


def test_a_wrong_kernel_is_named(
    capsys: pytest.CaptureFixture[str], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed: list[str] = []

    def make_wrong(*arguments: Any) -> Any:
        made = make_kernels(*arguments)
        objects = dict(made.objects)
        for kernel in made.emitted.generated:
            if "0.1875f" in kernel.unit.text:
                text = kernel.unit.text.replace("0.1875f", "0.25f")
                unit = CompileUnit(text, kernel.unit.headers)
                objects[kernel.symbol] = choose_toolchain("gfx942").compile(unit, "gfx942")
                changed.append(kernel.symbol)
        return dataclasses.replace(made, objects=objects)

    monkeypatch.setattr(verifying, "make_kernels", make_wrong)
    assert main(["compile", str(spec), "--verify"]) == 1
    said = capsys.readouterr().err
    assert len(changed) == 1
    assert f"kernel {changed[0]} does not compute what it should" in said
    assert "instead of" in said
    assert "defect of lumc, not of your spec" in said


def test_a_target_that_is_not_emulated(capsys: pytest.CaptureFixture[str], spec: Path) -> None:
    assert main(["compile", str(spec), "--verify", "--target", "gfx1201"]) == 1
    assert "kernels for gfx1201 can't be verified" in capsys.readouterr().err


KLEIN = Path(__file__).parents[2] / "specs" / "flux2_klein.lum"


@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize(
    "stage", ["text_encoder", "vae_encoder", "transformer", "vae_decoder", "euler_step"]
)
def test_every_kernel_of_the_full_size_model(
    capsys: pytest.CaptureFixture[str], stage: str
) -> None:
    arguments = ["compile", str(KLEIN), "--config", "klein_9b", "--stage", stage]
    assert main([*arguments, "--target", "gfx942", "--verify", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["stages"][stage]
    assert made["verified"]["kernels"] == made["distinct_kernels"] > 0
