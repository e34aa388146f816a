"""Every rule of the tensor program can be broken, and is then reported."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis, constant, scale
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Output,
    Piece,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
)
from lumc.dsl.verify import InvalidProgramError, verify

F32, I32, BOOL, BF16 = DType.F32, DType.I32, DType.BOOL, DType.BF16
ADD, SELECT, LESS = ElementwiseOp.ADD, ElementwiseOp.SELECT, ElementwiseOp.LESS_THAN
X = Input("x", (4, 3), F32)
N = Input("n", (4,), I32)
C = Input("c", (4, 3), BOOL)
A, B = axis(0), axis(1)
SUCC = add(A, constant(1))


def make(*nodes: Node, out: Output | None = None) -> TensorProgram:
    """A program of ``X, N, C`` (nodes 0, 1, 2) and ``nodes``, whose last is the output."""
    every = (X, N, C, *nodes)
    inputs = tuple(k for k, node in enumerate(every) if isinstance(node, Input))
    weights = tuple(k for k, node in enumerate(every) if isinstance(node, Weight))
    last = every[-1]
    whole = tuple(axis(k) for k in range(len(last.space)))
    result = out or Output("y", Operand(len(every) - 1, whole), last.space, last.dtype)
    return TensorProgram("test", every, inputs, weights, (result,))


def x(*entries: IndexExpression, node: int = 0) -> Operand:
    return Operand(node, entries or (A, B))


def elementwise(op: ElementwiseOp, *operands: Operand, dtype: DType = F32) -> Elementwise:
    return Elementwise(op, operands, (4, 3), dtype)


ONE, POINT = Constant(1, I32), Constant(0.5, F32)
GUARD = Elementwise(LESS, (Operand(3), Operand(4, (A, B))), (4, 3), BOOL)
PIECES = (
    Piece((2,), (A,), Operand(0, (A, constant(0)))),
    Piece((2,), (add(A, constant(2)),), Operand(0, (add(A, constant(2)), constant(0)))),
)
SCATTER = Scatter(
    Operand(3), Operand(0, (A, B)), (Operand(1, (A,)),), (axis(2), B), None, (4, 3), (6, 3), F32
)

VALID: dict[str, TensorProgram] = {
    "inputs alone": make(out=Output("y", x(), (4, 3), F32)),
    "elementwise": make(elementwise(ADD, x(), x())),
    "guarded": make(
        Constant(0, I32),
        IndexValue(add(constant(3), A, -1), (4, 3)),
        GUARD,
        elementwise(SELECT, x(node=5), x(SUCC, B), x()),
    ),
    "reduce": make(Reduce(ReduceOp.SUM, x(), (4,), (3,), F32)),
    "gather": make(Gather(x(axis(1), constant(0)), (Operand(1, (A,)),), (4,), F32)),
    "place": make(Place(PIECES, (4,), F32)),
    "scatter": make(POINT, SCATTER),
    "empty input": make(Input("e", (0, 3), F32), elementwise(ADD, x(), x())),
}

INVALID: dict[str, tuple[TensorProgram, str]] = {
    "later node": (make(elementwise(ADD, x(), x(node=4))), "not defined before"),
    "rank of a map": (make(elementwise(ADD, x(), x(A))), "one entry per axis"),
    "unknown axis": (make(elementwise(ADD, x(), x(A, axis(2)))), "unknown axis"),
    "outside": (make(elementwise(ADD, x(), x(SUCC, B))), "not inside"),
    "below": (make(elementwise(ADD, x(), x(add(A, constant(-1)), B))), "not inside"),
    "empty axis": (make(Elementwise(ADD, (x(), x()), (4, 0), F32)), "an axis is empty"),
    "empty read": (
        make(Input("e", (0, 3), F32), elementwise(ADD, x(), x(node=3))),
        "an empty input is read",
    ),
    "f64": (make(elementwise(ADD, x(), x(), dtype=DType.F64)), "f64"),
    "long axis": (make(Weight("w", (2**31,), F32)), "too long"),
    "arity": (make(elementwise(ADD, x())), "arity"),
    "condition as number": (make(elementwise(ADD, x(), x(node=2))), "condition"),
    "number as condition": (
        make(elementwise(ElementwiseOp.MULTIPLY, x(), x(node=2), dtype=BOOL)),
        "number is used as a condition",
    ),
    "sum of conditions": (make(elementwise(ADD, x(node=2), x(node=2), dtype=BOOL)), "not added"),
    "narrow arithmetic": (make(elementwise(ADD, x(), x(), dtype=BF16)), "not computed in"),
    "real in whole": (make(elementwise(ADD, x(), x(), dtype=I32)), "a real in a whole"),
    "sine in bf16": (make(elementwise(ElementwiseOp.SINE, x(), dtype=BF16)), "computed in f32"),
    "real remainder": (make(elementwise(ElementwiseOp.MODULO, x(), x())), "not whole"),
    "comparison": (make(elementwise(LESS, x(), x())), "is a condition"),
    "compared conditions": (
        make(elementwise(LESS, x(node=2), x(node=2), dtype=BOOL)),
        "condition is compared",
    ),
    "select by number": (make(elementwise(SELECT, x(), x(), x())), "needs a condition"),
    "select of kinds": (make(elementwise(SELECT, x(node=2), x(node=2), x())), "are joined"),
    "select to narrow": (
        make(elementwise(SELECT, x(node=2), x(), x(), dtype=BF16)),
        "are joined to",
    ),
    "unguarded": (make(elementwise(SELECT, x(node=2), x(SUCC, B), x())), "not kept inside"),
    "guarded the wrong way": (
        make(
            Constant(0, I32),
            IndexValue(add(constant(3), A, -1), (4, 3)),
            GUARD,
            elementwise(SELECT, x(node=5), x(), x(SUCC, B)),
        ),
        "not kept inside",
    ),
    "guard too weak": (
        make(
            Constant(0, I32),
            IndexValue(add(constant(4), A, -1), (4, 3)),
            GUARD,
            elementwise(SELECT, x(node=5), x(SUCC, B), x()),
        ),
        "not kept inside",
    ),
    "condition outside": (
        make(elementwise(SELECT, x(SUCC, B, node=2), x(), x())),
        "condition's read",
    ),
    "index overflow": (make(IndexValue(scale(A, 2**30), (4,))), "leaves the i32s"),
    "index type": (make(replace(IndexValue(A, (4,)), dtype=DType.I64)), "is an i32"),
    "index axis": (make(IndexValue(B, (4,))), "unknown axis"),
    "boolean constant": (make(Constant(1, BOOL)), "True or False"),
    "real constant": (make(Constant(1, F32)), "a real is a float"),
    "not a number": (make(Constant(float("nan"), F32)), "a real is a float"),
    "whole constant": (make(Constant(1.0, I32)), "a whole number is an int"),
    "large constant": (make(Constant(2**31, I32)), "leaves its type"),
    "idle cast": (make(Cast(x(), (4, 3), F32)), "same type"),
    "reduce nothing": (make(Reduce(ReduceOp.SUM, x(), (4, 3), (), F32)), "nothing is reduced"),
    "narrow sum": (make(Reduce(ReduceOp.SUM, x(), (4,), (3,), BF16)), "not computed in"),
    "sum to whole": (make(Reduce(ReduceOp.SUM, x(), (4,), (3,), I32)), "whole to real"),
    "sum of conditions reduced": (
        make(Reduce(ReduceOp.SUM, x(node=2), (4,), (3,), I32)),
        "a condition is reduced",
    ),
    "gather type": (
        make(Gather(x(axis(1), constant(0)), (Operand(1, (A,)),), (4,), BF16)),
        "changes the type",
    ),
    "gather without index": (make(Gather(x(), (), (4, 3), F32)), "without computed indices"),
    "gather by real": (
        make(Gather(x(axis(1), constant(0)), (x(A, constant(0)),), (4,), F32)),
        "index is not whole",
    ),
    "gather outside": (
        make(Gather(x(axis(1), constant(3)), (Operand(1, (A,)),), (4,), F32)),
        "not inside",
    ),
    "hole": (make(Place(PIECES[:1], (4,), F32)), "do not cover"),
    "overlap": (make(Place((*PIECES, PIECES[0]), (4,), F32)), "do not cover"),
    "place type": (make(Place(PIECES, (4,), BF16)), "are joined to"),
    "destination rank": (
        make(Place((replace(PIECES[0], destination=(A, A)), PIECES[1]), (4,), F32)),
        "destination's rank",
    ),
    "destination axis": (
        make(Place((replace(PIECES[0], destination=(B,)), PIECES[1]), (4,), F32)),
        "destination uses an unknown axis",
    ),
    "scatter without index": (
        make(POINT, replace(SCATTER, indices=(), destination=(A, B))),
        "without computed places",
    ),
    "scatter rank": (make(POINT, replace(SCATTER, destination=(axis(2),))), "destination's rank"),
    "scatter outside": (
        make(POINT, replace(SCATTER, destination=(axis(2), add(B, constant(1))))),
        "fixed place is not inside",
    ),
    "scatter axis": (make(POINT, replace(SCATTER, destination=(axis(3), B))), "unknown axis"),
    "scatter by real": (
        make(POINT, replace(SCATTER, indices=(x(A, constant(0)),))),
        "place is not whole",
    ),
    "scatter type": (
        make(POINT, replace(SCATTER, combine=ReduceOp.SUM, dtype=BF16)),
        "values that meet are computed",
    ),
    "output type": (make(out=Output("y", x(), (4, 3), BF16)), "stored as another type"),
    "output outside": (make(out=Output("y", x(), (5, 3), F32)), "not inside"),
    "output rank": (make(out=Output("y", x(A), (4,), F32)), "one entry per axis"),
    "empty output": (make(out=Output("y", x(), (0, 3), F32)), "an axis is empty"),
    "two inputs of a name": (make(Input("x", (2,), F32)), "a name stands twice"),
    "unlisted inputs": (replace(make(), inputs=(0, 1)), "inputs are not listed"),
    "unlisted weights": (
        replace(make(Weight("w", (2,), F32)), weights=()),
        "weights are not listed",
    ),
}


@pytest.mark.parametrize("program", VALID.values(), ids=VALID.keys())
def test_valid(program: TensorProgram) -> None:
    verify(program)


@pytest.mark.parametrize(("program", "rule"), INVALID.values(), ids=INVALID.keys())
def test_invalid(program: TensorProgram, rule: str) -> None:
    with pytest.raises(InvalidProgramError, match=rule):
        verify(program)


def test_elaboration_verifies(monkeypatch: pytest.MonkeyPatch) -> None:
    """A mistake in elaboration does not go on as a program."""
    monkeypatch.setattr("lumc.dsl.elaboration.reads._limits", lambda context, element: iter(()))
    text = "stage s(x: f32[4]) -> y: f32[4]:\n    y[i: 4] = if i > 0 then exp2(x[i - 1]) else 0\n"
    with pytest.raises(InvalidProgramError, match="not inside"):
        elaborate(load_text("test", text), "s")
