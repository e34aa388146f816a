"""`lumc compile --verify`: right kernels pass, a wrong one is named."""

import dataclasses
import json
from pathlib import Path
from types import ModuleType
from typing import Any

import pytest

from lumc import compiler, verifying
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
    assert 0 < made["verified"]["closeness"] <= 1
    assert made["verified"]["library_calls"] == 0
    assert main(["compile", str(spec), "--verify"]) == 0
    said = capsys.readouterr().out
    assert "verified at full size" in said
    assert f"of what rounding allows, in {made['verified']['worst']}" in said
    whole = made["verified"]["whole"]
    assert whole["configuration"] == "as it is"
    assert whole["launches"] == made["launches"]
    assert whole["elements"] >= 70 * 24
    assert 0 < whole["error"] < 1e-5
    assert "encode: run as a whole (as it is)" in said


@pytest.fixture
def own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """Wrong code must not get into the cache of others."""
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path / "cache"))


def with_wrong_kernels(
    monkeypatch: pytest.MonkeyPatch, number: str, maker: ModuleType = compiler
) -> list[str]:
    """Let every kernel of ``maker`` compute with another ``number``; returns those that do."""
    changed: list[str] = []

    def make_wrong(*arguments: Any) -> Any:
        made = make_kernels(*arguments)
        objects = dict(made.objects)
        for kernel in made.emitted.generated:
            if number in kernel.unit.text:
                text = kernel.unit.text.replace(number, "0.25f")
                unit = CompileUnit(text, kernel.unit.headers)
                objects[kernel.symbol] = choose_toolchain("gfx942").compile(unit, "gfx942")
                changed.append(kernel.symbol)
        return dataclasses.replace(made, objects=objects)

    monkeypatch.setattr(maker, "make_kernels", make_wrong)
    return changed


@pytest.mark.usefixtures("own_cache")
def test_a_wrong_kernel_is_named(
    capsys: pytest.CaptureFixture[str], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    changed = with_wrong_kernels(monkeypatch, "0.1875f")
    assert main(["compile", str(spec), "--verify"]) == 1
    said = capsys.readouterr().err
    assert len(changed) == 1
    assert f"kernel {changed[0]} does not compute what it should" in said
    assert "instead of" in said
    assert "defect of lumc, not of your spec" in said
    assert "the first of" not in said


CONFIGURED = """\
use nn
param rows = 70
config tiny:
    rows = 3

stage encode(x: f32[rows, 33]) -> y: f32[rows, 24]:
    weight W: f32[24, 33] = "encode.weight"
    h[r] = softmax(linear(x[r], W))
    y[r, c] = 0.1875 * h[r, c] + x[r, 0 + c]
"""


@pytest.mark.usefixtures("own_cache")
def test_a_kernel_that_is_wrong_in_a_small_configuration_is_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "configured.lum"
    place.write_text(CONFIGURED)
    assert main(["compile", str(place), "--verify"]) == 0
    assert "encode: run as a whole (config tiny), " in capsys.readouterr().out
    # At full size it is compiled once more, rightly.
    place.write_text(CONFIGURED.replace("0.1875", "0.1865"))
    changed = with_wrong_kernels(monkeypatch, "0.1865f", verifying)
    assert main(["compile", str(place), "--verify"]) == 1
    said = capsys.readouterr().err
    assert len(changed) == 1
    where = "stage encode (config tiny)"
    assert f"{where}: kernel {changed[0]} does not compute what it should" in said
    assert "configured.lum:9" in said
    assert "instead of" in said
    assert "defect of lumc, not of your spec" in said


@pytest.mark.usefixtures("own_cache")
def test_a_stage_that_is_too_large_to_run_as_a_whole(
    capsys: pytest.CaptureFixture[str], spec: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("lumc.small_configuration.LARGEST_WORK", 100)
    assert main(["compile", str(spec), "--verify"]) == 0
    said = capsys.readouterr().out
    assert "encode: not run as a whole: no configuration is small enough" in said
    assert "verified at full size" in said


@pytest.mark.usefixtures("own_cache")
def test_the_first_and_the_worst_of_several_wrong_kernels_are_named(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    place = tmp_path / "two.lum"
    place.write_text(
        """use nn
stage s(x: f32[70, 33]) -> y: f32[70], z: f32[33]:
    y[r] = 0.1875 * sum[c] x[r, c]
    z[c] = 0.1875 * max[r] x[r, c]
"""
    )
    changed = with_wrong_kernels(monkeypatch, "0.1875f")
    assert main(["compile", str(place), "--verify"]) == 1
    said = capsys.readouterr().err
    assert len(changed) == 2
    assert said.count("the first of 2 kernels that are wrong") == 1
    assert said.count("the furthest from what it should be") == 1
    assert said.index(f"kernel {changed[0]}") < said.index("the first of") < said.index(changed[1])


@pytest.mark.usefixtures("own_cache")
def test_a_stage_is_lowered_once(spec: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    lowered: list[str] = []

    def counted(*arguments: Any) -> Any:
        lowered.append("once")
        return make_kernels(*arguments)

    monkeypatch.setattr(compiler, "make_kernels", counted)
    monkeypatch.setattr(verifying, "make_kernels", counted)
    spec.write_text(SPEC.replace("0.1875", "0.1865"))
    assert main(["compile", str(spec), "--verify"]) == 0
    assert lowered == ["once"]


@pytest.mark.usefixtures("own_cache")
def test_calls_of_libraries_are_counted(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    place = tmp_path / "large.lum"
    place.write_text(
        """
stage s(x: bf16[512, 512], W: bf16[512, 512]) -> y: bf16[512, 512], z: f32[512]:
    y[t, o] = sum[i] x[t, i] * W[o, i]
    z[t] = max[i] x[t, i]
"""
    )
    assert main(["compile", str(place), "--verify", "--libraries", "vendor", "--json"]) == 0
    made = json.loads(capsys.readouterr().out)["stages"]["s"]["verified"]
    assert made["library_calls"] == 1
    assert made["kernels"] >= 1
    assert main(["compile", str(place), "--verify", "--libraries", "vendor"]) == 0
    assert "calls of the vendor's libraries that were not run: 1" in capsys.readouterr().out


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
