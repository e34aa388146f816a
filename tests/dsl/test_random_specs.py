"""The generator of random specs: what it writes is well typed, covers the language, stays bounded."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest
from hypothesis import find, given, settings
from hypothesis import strategies as st

from lumc.dsl import check, load_text, reference, tensor_program
from lumc.dsl.dtypes import DType
from lumc.dsl.printer import print_program
from lumc.dsl.tensor_program import Elementwise, ElementwiseOp, Reduce, Scatter, TensorProgram
from tests.strategies.specs import Case, cases


@settings(max_examples=150, deadline=None, derandomize=True)
@given(cases())
def test_values_are_finite_and_moderate(case: Case) -> None:
    assert not [d for d in check(load_text("random", case.text)) if d.severity == "error"]
    results = reference.evaluate(case.program(), case.inputs, case.weights)
    for name, value in results.items():
        assert np.isfinite(value.astype(np.float64)).all(), (name, case.text)
        assert np.abs(value.astype(np.float64)).max(initial=0) < 1e5


@settings(max_examples=40, deadline=None, derandomize=True)
@given(cases(narrow=True))
def test_every_program_prints(case: Case) -> None:
    program = case.program()
    text = print_program(program)
    assert text.startswith("stage main\n")
    assert all(f"output {output.name} = " in text for output in program.outputs)
