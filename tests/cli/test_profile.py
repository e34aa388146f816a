"""``lumc profile``: counters by kernel, and the prediction that is labelled as one."""

import json
from pathlib import Path

import numpy as np
import pytest

from lumc.cli import main
from lumc.lowering.chips import chip_for
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.emulator.counters import Counters
from lumc.runtime.profile_emulator import predict_from_counters, profile_stage
from lumc.runtime.stage_folder import choose_stage

ROWS, INNER, COLUMNS = 400, 480, 392

SPEC = f"""
use nn
stage product(x: bf16[{ROWS}, {INNER}]) -> y: bf16[{ROWS}, {COLUMNS}]:
    weight W: bf16[{COLUMNS}, {INNER}] = "w"
    y[t] = linear(x[t], W)
"""


@pytest.fixture
def compiled(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    spec = tmp_path / "product.lum"
    spec.write_text(SPEC)
    assert main(["compile", str(spec), "-o", str(tmp_path / "out")]) == 0
    capsys.readouterr()
    return tmp_path / "out"


def test_counts_what_a_product_does(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(compiled), "--json"]) == 0
    (kernel,) = json.loads(capsys.readouterr().out)["kernels"]
    assert kernel["launches"] == 1
    # Whole matrix instructions of 16 × 16 × 16 at least cover the product.
    assert sum(kernel["matrix_products"].values()) * 16**3 >= ROWS * COLUMNS * INNER
    wanted = 2 * (ROWS * INNER + COLUMNS * INNER + ROWS * COLUMNS)
    assert kernel["bytes_by_space"]["global"] >= wanted
    assert kernel["predicted_microseconds"] > chip_for("gfx942").launch * 1e6
    assert kernel["occupancy"]


def test_the_time_is_called_a_prediction(
    compiled: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    assert main(["profile", str(compiled)]) == 0
    out = capsys.readouterr().out
    assert "a prediction, not a measurement" in out
    assert "gemm_" in out


def test_how_long_it_takes_is_said_where_it_is_long(
    compiled: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["profile", str(compiled)]) == 0
    assert capsys.readouterr().err == "product: running on the emulator\n"
    work = compiled / "product" / "work.json"
    content = json.loads(work.read_text())
    for kernel in content["kernels"].values():
        assert kernel["operations"] == 2 * ROWS * COLUMNS * INNER
        kernel["operations"] = 4e9 * 600
    work.write_text(json.dumps(content))
    assert main(["profile", str(compiled)]) == 0
    said = capsys.readouterr().err
    assert "a step takes about 10 min on the emulator: compile a smaller configuration" in said
    monkeypatch.setattr(EmulatorDevice, "free_bytes", lambda device: 1000)
    assert main(["profile", str(compiled)]) == 1
    said = capsys.readouterr().err
    assert "error[D013]: a step of product needs 1.1 GB on the emulator" in said
    assert "lumc bench --predict" in said


def test_every_launch_is_a_step_of_progress(compiled: Path) -> None:
    steps: list[None] = []
    stage = choose_stage(compiled, None)
    profile_stage(stage, None, None, lambda: steps.append(None))
    assert len(steps) == len(stage.plan.launches)


def test_times_are_taken_on_gpus(compiled: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["profile", str(compiled), "--device", "reference"]) == 1
    assert "there is no device 'reference'" in capsys.readouterr().err
    assert main(["profile", str(compiled), "--device", "cuda:0", "--inputs", "x"]) == 2
    assert "random weights and inputs" in capsys.readouterr().err


def counted(executions: int, workgroups: int) -> Counters:
    """Vector instructions only."""
    fields = ("bytes", "matrix_rows", "matrix_columns", "matrix_depth", "matrix_blocks", "kind")
    records = np.zeros(1, [(name, np.int32) for name in fields])
    names = ("executions", "lanes", "lines", "lds_cycles", "lds_ideal_cycles")
    counts = np.zeros(1, [(name, np.uint64) for name in names])
    counts["executions"] = executions
    return Counters(("v_add_f32",), records, counts, 0, workgroups)


def test_workgroups_run_in_rounds_over_the_units() -> None:
    chip = chip_for("gfx942")
    full = predict_from_counters(counted(10**6 * chip.units, chip.units), 0, chip)
    one_more = predict_from_counters(counted(10**6 * (chip.units + 1), chip.units + 1), 0, chip)
    busy, busier = full - chip.launch, one_more - chip.launch
    assert busy == pytest.approx(10**6 / chip.clock)
    assert busier == pytest.approx(2 * busy)


def test_memory_bounds_what_computes_little() -> None:
    chip = chip_for("gfx942")
    seconds = predict_from_counters(counted(1, 1), 10**9, chip)
    assert seconds == pytest.approx(chip.launch + 10**9 / chip.bandwidth)
