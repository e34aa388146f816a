"""Random specs, compiled and run on the emulator, against the reference."""

from typing import Any

import numpy as np
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lumc.codegen.emit import MathMode
from lumc.dsl.reference import evaluate
from tests.runtime.emulated_stage import relative_error, run_emulated
from tests.strategies.specs import Case, cases

SETTINGS: Any = {"deadline": None, "suppress_health_check": list(HealthCheck)}
TARGETS = ("gfx942", "gfx90a", "gfx950")


def tolerance_of(case: Case, math: MathMode) -> float:
    """Where it may, fast code keeps more than a narrow type holds; exact code rounds as told."""
    return 1e-2 if math is MathMode.FAST and "f16" in case.text else 1e-4


def check(case: Case, target: str, math: MathMode, tolerance: float) -> None:
    program = case.program()
    expected = evaluate(program, case.inputs, case.weights, "exact")
    got = run_emulated(program, case.inputs, case.weights, target, math)
    assert got.keys() == expected.keys()
    for name, values in expected.items():
        assert got[name].shape == values.shape
        assert got[name].dtype == values.dtype
        if values.dtype.kind in "iub":
            np.testing.assert_array_equal(got[name], values)
        else:
            assert relative_error(got[name], values) <= tolerance


@settings(max_examples=12, **SETTINGS)
@given(cases(), st.sampled_from(TARGETS), st.sampled_from(MathMode))
def test_random_specs(case: Case, target: str, math: MathMode) -> None:
    check(case, target, math, tolerance_of(case, math))


@settings(max_examples=6, **SETTINGS)
@given(cases(narrow=True), st.sampled_from(TARGETS), st.sampled_from(MathMode))
def test_random_specs_that_round(case: Case, target: str, math: MathMode) -> None:
    check(case, target, math, 2e-2)


@pytest.mark.slow
@settings(max_examples=300, **SETTINGS)
@given(cases(statements=8), st.sampled_from(TARGETS), st.sampled_from(MathMode))
def test_many_random_specs(case: Case, target: str, math: MathMode) -> None:
    check(case, target, math, tolerance_of(case, math))
