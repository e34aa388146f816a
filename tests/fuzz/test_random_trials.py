"""Random specs with random choices of kernels, and every failure that was ever found."""

from pathlib import Path

import numpy as np
import pytest

from lumc.dsl.tensor_program import TensorProgram
from tests.fuzz.fuzzing import (
    Arrays,
    Choice,
    MismatchError,
    Trial,
    by_meaning,
    check,
    keep,
    kept,
    on_emulator,
    run_batch,
)

KEPT = dict(kept())
SMALL = Trial(
    "stage main(x: f32[3]) -> y: f32[3]:\n    y[i] = x[i] * 2\n",
    {"x": np.array([1.0, 2.0, -3.0], np.float32)},
    {},
    Choice("gfx942", "fast", 7, narrow=False),
)


@pytest.mark.parametrize("name", KEPT)
def test_kept_failures(name: str) -> None:
    check(KEPT[name])


def test_trials_by_meaning() -> None:
    batch = run_batch(1, 25, by_meaning)
    assert batch.failure is None, batch.failure
    assert batch.ran == 25


# 200 in all: a worker that is done takes the next batch.
@pytest.mark.parametrize("seed", range(101, 109))
def test_trials_on_the_emulator(seed: int) -> None:
    batch = run_batch(seed, 25, on_emulator)
    assert batch.failure is None, batch.failure
    assert batch.ran == 25


def test_a_wrong_result_is_found() -> None:
    def off_by_little(trial: Trial, program: TensorProgram) -> Arrays:
        found = by_meaning(trial, program)
        return {name: values + values.dtype.type(1) for name, values in found.items()}

    check(SMALL, by_meaning)
    with pytest.raises(MismatchError, match="error"):
        check(SMALL, off_by_little)


def test_failures_are_shrunk_and_kept(tmp_path: Path) -> None:
    def breaks_on_sums(trial: Trial, program: TensorProgram) -> Arrays:
        if "sum[" in trial.text.partition("stage")[2]:
            raise ValueError("sums are broken")
        return by_meaning(trial, program)

    found = run_batch(3, 40, breaks_on_sums).failure
    assert found is not None
    trial, problem = found
    assert problem == "ValueError: sums are broken"
    # Little more than the sum is left of it.
    assert len(trial.text.partition("stage")[2].strip().split("\n")) <= 8
    place = keep(trial, problem, tmp_path)
    ((name, again),) = kept(tmp_path)
    assert name == place.stem
    assert (again.text, again.choice) == (trial.text, trial.choice)
    check(again, by_meaning)
