"""Each rule of kernels: a valid one is accepted, and each break is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import pytest

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    floor_divide,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    GemmTile,
    IndexOf,
    KernelAxis,
    Literal,
    Load,
    Reduction,
    Store,
)
from lumc.lowering.kernel_verifier import (
    VerificationError,
    verify_kernel,
)
from tests.lowering.small_kernels import (
    AT,
    READ,
    UPDATE,
    WRITE,
    attention,
    dense,
    product,
    scaled,
    softmax,
    with_code,
    with_parameter,
)


def test_valid_kernels_pass() -> None:
    for kernel in (scaled(), product(), softmax(), attention(), with_code(Literal(1, DType.F32))):
        verify_kernel(kernel)


def test_a_guarded_window_passes_and_an_unguarded_one_does_not() -> None:
    window = (add(axis(0), constant(-1)), axis(1))
    guard = (
        IndexOf(window[0]),
        Literal(-1, DType.I32),
        Apply(ElementwiseOp.LESS_THAN, (4, 3)),
    )
    verify_kernel(with_code(*guard, Load(0, window, predicate=5)))
    with pytest.raises(VerificationError, match=r"index 0 of x\(4, 6\) runs from -1 to 2"):
        verify_kernel(with_code(*guard, Load(0, window)))


def test_computed_indices_are_checked_where_their_range_is_known() -> None:
    at = (axis(0), axis(2))
    verify_kernel(with_code(Literal(6, DType.I32), Load(0, at, (1,))))
    modulus = Apply(ElementwiseOp.MODULO, (1, 3))
    verify_kernel(with_code(Literal(6, DType.I32), modulus, Load(0, at, (4,))))
    with pytest.raises(VerificationError, match=r"index 1 of x\(4, 6\) runs from 0 to 6"):
        verify_kernel(with_code(Literal(7, DType.I32), modulus, Load(0, at, (4,))))


def test_an_index_that_only_trying_shows_to_be_in_bounds() -> None:
    quotient = IndexExpression(0, ((floor_divide(axis(1), 4, (4, 6)).terms[0][0], -4),))
    verify_kernel(with_code(Load(0, (axis(0), add(axis(1), quotient)))))


BROKEN: dict[str, tuple[Callable[[], Any], str]] = {
    "size": (lambda: replace(scaled(), body=Body((KernelAxis("i", 0),), ())), "axis i has size 0"),
    "late operand": (
        lambda: with_code(Apply(ElementwiseOp.ADD, (0, 3))),
        r"value 3 \(Apply\): value 3 is not defined before it",
    ),
    "two stores that meet": (
        lambda: replace(scaled(), stores=scaled().stores * 2),
        "two stores to .* may write one place",
    ),
    "too long a whole number": (
        lambda: with_code(Literal(2**63, DType.I64)),
        "9223372036854775808 is no literal of i64",
    ),
    "late convert": (lambda: with_code(Convert(9, DType.BF16)), "value 9 is not defined"),
    "operand count": (lambda: with_code(Apply(ElementwiseOp.ADD, (0,))), "add takes 2 operands"),
    "real modulo": (
        lambda: with_code(Apply(ElementwiseOp.MODULO, (0, 1))),
        "mod is for whole numbers",
    ),
    "select": (
        lambda: with_code(Apply(ElementwiseOp.SELECT, (0, 1, 1))),
        "select takes a bool",
    ),
    "select of two types": (
        lambda: with_code(
            Apply(ElementwiseOp.LESS_THAN, (0, 0)), Apply(ElementwiseOp.SELECT, (3, 0, 1))
        ),
        "two of one type",
    ),
    "literal": (lambda: with_code(Literal(0.5, DType.I32)), "0.5 is no literal of i32"),
    "great literal": (lambda: with_code(Literal(2**31, DType.I32)), "is no literal of i32"),
    "bf16 literal": (lambda: with_code(Literal(0.5, DType.BF16)), "no literal of bf16"),
    "bool literal": (lambda: with_code(Literal(True, DType.I32)), "True is no literal of i32"),
    "f64": (lambda: with_code(Convert(0, DType.F64)), "f64 exists only at compile time"),
    "accumulator": (lambda: with_code(Accumulator(0)), "there are 0 accumulators here"),
    "parameter": (lambda: with_code(Load(7, AT)), "there is no parameter 7"),
    "rank": (lambda: with_code(Load(0, (axis(0),))), r"1 indices for x\(4, 6\)"),
    "axis": (lambda: with_code(Load(0, (axis(0), axis(2)))), "names an axis that is not among"),
    "index axis": (lambda: with_code(IndexOf(axis(2))), "names an axis that is not among"),
    "computed type": (
        lambda: with_code(Load(0, (axis(0), axis(2)), (0,))),
        "a computed index must be an i32",
    ),
    "predicate type": (lambda: with_code(Load(0, AT, predicate=0)), "the predicate must be a bool"),
    "late predicate": (lambda: with_code(Load(0, AT, predicate=8)), "value 8 is not defined"),
    "bounds": (
        lambda: with_code(Load(0, (axis(0), add(axis(1), constant(1))))),
        r"index 1 of x\(4, 6\) runs from 1 to 6",
    ),
    "store bounds": (
        lambda: with_code(store=Store(2, (axis(1), axis(0)), 2)),
        r"body: store 0: index 0 of y\(4, 6\) runs from 0 to 5",
    ),
    "store value": (lambda: with_code(store=Store(2, AT, 3)), "store 0: value 3 is not defined"),
    "store parameter": (lambda: with_code(store=Store(5, AT, 2)), "store 0: there is no parameter"),
    "collision": (
        lambda: with_code(store=Store(2, (axis(0), constant(0)), 2)),
        "several points of .* write one place of y",
    ),
    "names": (lambda: with_parameter(1, name="x"), "two parameters of one name"),
    "strides": (lambda: with_parameter(0, strides=(6,)), "parameter x: shape"),
    "negative stride": (lambda: with_parameter(0, strides=(-6, 1)), "parameter x: shape"),
    "f64 parameter": (lambda: with_parameter(0, dtype=DType.F64), "parameter x: f64"),
    "overlap": (lambda: with_parameter(2, strides=(5, 1)), "parameter y: is written and its"),
    "read is written": (lambda: with_parameter(2, access=READ), "y is read, but is write"),
    "write is read": (lambda: with_parameter(0, access=WRITE), "x is write, but is read"),
    "update is written": (lambda: with_parameter(2, access=UPDATE), "y is update, but is write"),
    "unused": (
        lambda: replace(scaled(), parameters=(*scaled().parameters, dense("z", 2))),
        "z is read, but is not used",
    ),
    "combine": (
        lambda: with_code(store=replace(scaled().stores[0], combine=ReduceOp.SUM)),
        "y is write, but is update",
    ),
    "phase axes": (
        lambda: replace(softmax(), rows=(KernelAxis("i", 4),)),
        "phase 0: is over .* and should be over",
    ),
    "no phases": (lambda: replace(softmax(), phases=()), "has no phases"),
    "own accumulator": (
        lambda: replace(softmax(), phases=softmax().phases[1:]),
        "phase 0: value 1 .* there are 0 accumulators",
    ),
    "reduction value": (
        lambda: replace(
            softmax(),
            phases=(
                replace(softmax().phases[0], reductions=(Reduction(ReduceOp.SUM, 1),)),
                softmax().phases[1],
            ),
        ),
        "phase 0: reduction: value 1 is not defined",
    ),
    "left axes": (
        lambda: replace(product(), inner=(KernelAxis("k", 2),)),
        "left: is over .* and should be over",
    ),
    "no right": (lambda: replace(product(), right=()), "has no right side"),
    "no stores": (lambda: replace(product(), stores=()), "stores nothing"),
    "whole product": (lambda: replace(product(), operand_dtype=DType.I32), "products of i32"),
    "inexact operand": (
        lambda: replace(product(), operand_dtype=DType.F16),
        "left: its last value may change when it is rounded to f16",
    ),
    "inexact literal": (
        lambda: replace(product(), left=Body(product().left.axes, (Literal(0.1, DType.F32),))),
        "left: its last value may change",
    ),
    "whole operand": (
        lambda: replace(product(), left=Body(product().left.axes, (Literal(1, DType.I32),))),
        "left: must end in an f32",
    ),
    "empty operand": (
        lambda: replace(product(), left=Body(product().left.axes, ())),
        "left: must end in an f32",
    ),
    "second accumulator": (
        lambda: replace(product(), epilogue=Body(product().epilogue.axes, (Accumulator(1),))),
        "epilogue: .* there are 1 accumulators here, not 1",
    ),
    "tile": (lambda: replace(product(), tile=GemmTile(0, 16, 16, 1, 1)), "tile"),
    "bool score": (
        lambda: replace(
            attention(), score=Body(attention().score.axes, (Literal(True, DType.BOOL),))
        ),
        "score: must end in an f32",
    ),
    "attention key": (
        lambda: replace(attention(), keys=(KernelAxis("k", 6),)),
        "key: is over .* and should be over",
    ),
    "attention stores": (lambda: replace(attention(), stores=()), "stores nothing"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_kernels_are_named(name: str) -> None:
    make, message = BROKEN[name]
    kernel = make()
    with pytest.raises(VerificationError, match=message) as caught:
        verify_kernel(kernel)
    assert str(caught.value).startswith(kernel.name)


def test_operands_that_are_exact() -> None:
    axes = product().left.axes
    code = (
        Load(0, AT),
        Literal(0.5, DType.F32),
        Apply(ElementwiseOp.MAXIMUM, (0, 1)),
        Apply(ElementwiseOp.EXP2, (2,)),
        Convert(3, DType.BF16),
        Apply(ElementwiseOp.LESS_THAN, (0, 1)),
        Apply(ElementwiseOp.SELECT, (5, 4, 2)),
    )
    verify_kernel(replace(product(), left=Body(axes, code)))
    with pytest.raises(VerificationError, match="may change"):
        verify_kernel(replace(product(), left=Body(axes, code[:4])))
