"""Which values of a body are unchanged by rounding to a narrower real type."""

from __future__ import annotations

from collections.abc import Sequence
from functools import reduce

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Apply,
    Body,
    Convert,
    Instruction,
    Literal,
    Load,
    Parameter,
)

NARROW = (DType.BF16, DType.F16)
"""The narrower reals that products are computed in, preferred first."""


def operand_dtype(operands: Sequence[Body], parameters: Sequence[Parameter]) -> DType:
    """The narrowest type that holds the last value of every operand exactly, at least f32."""
    held = [exact_in(body, parameters)[-1] for body in operands]
    common = reduce(frozenset.intersection, held)
    return next((dtype for dtype in NARROW if dtype in common), DType.F32)


def exact_in(body: Body, parameters: Sequence[Parameter]) -> tuple[frozenset[DType], ...]:
    """For each value of ``body`` the narrower reals that hold it exactly."""
    found: list[frozenset[DType]] = []
    for instruction in body.instructions:
        found.append(_exact_in(instruction, parameters, found))
    return tuple(found)


def _exact_in(
    instruction: Instruction, parameters: Sequence[Parameter], known: Sequence[frozenset[DType]]
) -> frozenset[DType]:
    match instruction:
        case Load(parameter):
            return frozenset({parameters[parameter].dtype} & set(NARROW))
        case Convert(_, dtype):
            return frozenset({dtype} & set(NARROW))
        case Literal(value, DType.F32):
            return frozenset(d for d in NARROW if float(d.numpy.type(value)) == float(value))
        case Apply(ElementwiseOp.SELECT, (_, left, right)):
            return known[left] & known[right]
        case Apply(ElementwiseOp.MAXIMUM, (left, right)):
            return known[left] & known[right]
        case _:
            return frozenset()
