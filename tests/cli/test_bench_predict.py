"""``lumc bench --predict``: a step's time without the chip, labelled as what it is."""

import json
import shutil
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from lumc.cli import main
from lumc.codegen.cache import Cache
from lumc.compiler import Silent
from lumc.lowering.chips import chip_for
from lumc.predicting import LABEL, predict, reasons
from lumc.runtime.stage_folder import choose_stage

SPEC = """
use nn
stage block(x: bf16[700, 256]) -> y: bf16[700, 520], z: bf16[700, 256]:
    weight W: bf16[520, 256] = "w"
    y[t] = linear(x[t], W)
    z[t, i] = silu(x[t, i]) + x[t, i]
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("bench")
    spec = folder / "block.lum"
    spec.write_text(SPEC)
    for target in ("gfx942", "gfx1100"):
        assert main(["compile", str(spec), "--target", target, "-o", str(folder / target)]) == 0
    return folder


def bench(capsys: pytest.CaptureFixture[str], *arguments: object) -> Any:
    capsys.readouterr()
    assert main(["bench", *map(str, arguments)]) == 0
    return capsys.readouterr().out


def test_a_step_by_kind_and_kernel(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    found = json.loads(bench(capsys, compiled / "gfx942", "--predict", "--json"))
    assert found["is"] == LABEL
    assert found["chip"] == "Instinct MI300X"
    kinds = {kernel["kind"] for kernel in found["kernels"]}
    assert "gemm" in kinds
    assert set(found["kinds"]) == kinds
    total = sum(kernel["microseconds"] for kernel in found["kernels"])
    assert found["microseconds"] == pytest.approx(total) == pytest.approx(sum(found["launches"]))
    for kernel in found["kernels"]:
        assert 0 < kernel["bound"] <= kernel["microseconds"]
        assert kernel["bank_conflicts"] >= 1
    text = bench(capsys, compiled / "gfx942", "--predict")
    assert f"ms a step on Instinct MI300X (gfx942): {LABEL}" in text
    assert all(kernel["symbol"] in text for kernel in found["kernels"])


@pytest.mark.parametrize(
    "content", [None, "{", '{"kernels": {"a": {"bytes": 1}}}', '{"kernels": {}}']
)
def test_a_folder_that_does_not_say_what_work_there_is(
    compiled: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str], content: str | None
) -> None:
    place = Path(shutil.copytree(compiled / "gfx942" / "block", tmp_path / "block")) / "work.json"
    place.unlink() if content is None else place.write_text(content)
    capsys.readouterr()
    assert main(["bench", str(place.parent), "--predict"]) == 1
    said = capsys.readouterr().err
    assert f"{place} can't be read" in said
    assert "hint: compile the stage again" in said


def test_the_report_gets_it_once(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    place = compiled / "gfx942" / "block" / "report.md"
    for _ in range(2):
        bench(capsys, compiled / "gfx942", "--predict")
    text = place.read_text()
    assert text.count("## Prediction") == 1
    assert text.index("## Rules") < text.index("## Prediction")
    assert f": {LABEL}." in text


def test_a_report_that_cannot_be_written_costs_no_prediction(
    compiled: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    folder = tmp_path / "block"
    shutil.copytree(compiled / "gfx942" / "block", folder)
    (folder / "report.md").unlink()
    capsys.readouterr()
    assert main(["bench", str(folder), "--predict"]) == 0
    said = capsys.readouterr()
    assert LABEL in said.out
    assert "warning[O003]: the prediction can't be put into" in said.err
    assert not (folder / "report.md").exists()


def test_what_was_modelled_is_kept(compiled: Path, tmp_path: Path) -> None:
    stage, store = choose_stage(compiled / "gfx942", None), Cache(tmp_path)
    first = predict(stage, store, Silent())
    kept = sorted(tmp_path.rglob("*"))
    assert predict(stage, store, Silent()) == first
    assert sorted(tmp_path.rglob("*")) == kept != []


def test_reasons_name_what_costs_most(compiled: Path, tmp_path: Path) -> None:
    found = predict(choose_stage(compiled / "gfx942", None), Cache(tmp_path), Silent())
    chip = chip_for("gfx942")
    product = next(kernel for kernel in found.kernels if kernel.kind == "gemm")
    slow = replace(
        product,
        bound_by_memory=False,
        each=replace(product.each, limit="matrix units", rounds=1.25, clock=chip.matrix_clock),
        modelled=replace(
            product.modelled,
            workgroups=380,
            steady=0.5,
            whole=0.4,
            stalls={"matrix unit": 0.5, "barrier": 0.3, "LDS wait": 0.01},
        ),
    )
    first, second, third = reasons(slow, chip)
    assert first == "×2.00 the loop (barrier 30%)"
    assert second == "×1.60 1.25 rounds of workgroups"
    assert third.startswith("×1.25 before and after the loop")
    conflicting = replace(slow, modelled=replace(slow.modelled, bank_conflicts=1.5))
    assert reasons(conflicting, chip)[3:] == ("LDS passes ×1.50 by bank conflicts",)
    assert reasons(replace(slow, each=replace(slow.each, limit="memory")), chip) == ()
    (only,) = reasons(replace(slow, each=replace(slow.each, limit="launch")), chip)
    assert "launch" in only


def test_the_cost_model_answers_where_the_timing_model_can_not(
    compiled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    text = bench(capsys, compiled / "gfx1100", "--predict")
    assert "by the cost model: a prediction, not a measurement" in text
    found = json.loads(bench(capsys, compiled / "gfx1100", "--predict", "--json"))
    assert found["target"] == "gfx1100"
    assert found["step_ms"] > 0
    assert all(0 < kernel["of_roofline"] <= 1 for kernel in found["kernels"])


def test_nothing_is_measured_without_a_gpu(
    compiled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    capsys.readouterr()
    assert main(["bench", str(compiled / "gfx942"), "--device", "emulator"]) == 1
    said = capsys.readouterr().err
    assert "measured on a GPU, not on 'emulator'" in said
    assert "--predict" in said
