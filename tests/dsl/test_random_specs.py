"""The random specs: well typed, bounded, of the whole language, and elaborated as they read."""

from __future__ import annotations

import numpy as np
from hypothesis import given, settings

from lumc.dsl import check, load_text, reference
from lumc.dsl.dtypes import DType
from lumc.dsl.printer import print_program
from lumc.dsl.tensor_program import (
    Cast,
    Elementwise,
    ElementwiseOp,
    Gather,
    Input,
    Node,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    Weight,
)
from tests.dsl.naive import interpret
from tests.strategies.specs import STAGE, Case, cases


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


@settings(max_examples=60, deadline=None, derandomize=True)
@given(cases(statements=4, sizes=(1, 2, 3, 4, 5)))
def test_elaboration_keeps_the_meaning(case: Case) -> None:
    expected = interpret(case.text, STAGE, case.arrays)
    results = reference.evaluate(case.program(), case.inputs, case.weights, math="exact")
    for name, value in results.items():
        assert value.dtype == expected[name].dtype
        got, wanted = value.astype(np.float64), expected[name].astype(np.float64)
        np.testing.assert_allclose(got, wanted, 2e-4, 2e-4, err_msg=case.text)


def features(node: Node) -> set[str]:
    """What the node shows of the language."""
    match node:
        case Input() | Weight() | Cast():
            return {f"{type(node).__name__} {node.dtype}"}
        case Elementwise():
            kind = "real" if node.dtype.is_float else "whole"
            return {f"{node.op} {'bool' if node.dtype is DType.BOOL else kind}"}
        case Reduce():
            kind = "real" if node.dtype.is_float else "whole"
            sizes = {f"reduced {size_kind(size)}" for size in node.reduced}
            return sizes | {f"{node.op} over {len(node.reduced)} {kind}"}
        case Scatter():
            kind = "real" if node.dtype.is_float else "whole"
            return {f"Scatter {node.combine} {kind}", f"Scatter by {len(node.indices)}"}
        case Gather():
            return {f"Gather by {len(node.indices)}"}
        case Place():
            return {f"Place of {min(2, len(node.pieces))}"}
        case _:
            return {type(node).__name__}


def size_kind(size: int) -> str:
    return "one" if size == 1 else "odd" if size % 2 else "even"


STORED = [dtype for dtype in DType if dtype is not DType.F64]
WHOLE = [ElementwiseOp.FLOOR_DIVIDE, ElementwiseOp.MODULO]
BOTH = [
    ElementwiseOp.ADD, ElementwiseOp.MULTIPLY, ElementwiseOp.MAXIMUM, ElementwiseOp.SELECT
]  # fmt: skip
EXPECTED = {
    *(f"{kind} {dtype}" for kind in ("Input", "Weight", "Cast") for dtype in STORED),
    *(f"{op} real" for op in ElementwiseOp if op not in (*WHOLE, ElementwiseOp.LESS_THAN)),
    *(f"{op} whole" for op in (*WHOLE, *BOTH)),
    "lt bool",
    *(f"{op} over {count} real" for op in ReduceOp for count in (1, 2, 3)),
    *(f"{op} over 1 whole" for op in ReduceOp),
    *(f"reduced {size}" for size in ("one", "odd", "even")),
    *(f"Scatter {combine} {kind}" for combine in (None, *ReduceOp) for kind in ("real", "whole")),
    *(f"{kind} by {count}" for kind in ("Scatter", "Gather") for count in (1, 2)),
    *("Place of 1", "Place of 2", "Constant", "IndexValue"),
}


def test_all_of_the_language_comes_up() -> None:
    seen: set[str] = set()

    @settings(max_examples=800, deadline=None, derandomize=True, database=None)
    @given(cases(narrow=True))
    def collect(case: Case) -> None:
        for node in case.program().nodes:
            seen.update(features(node))

    collect()
    missing = EXPECTED - seen
    assert not missing, sorted(missing)
