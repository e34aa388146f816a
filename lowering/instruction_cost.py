"""What scalar code costs a point: vector instructions, and bytes that it asks the caches for."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import Axis, IndexExpression
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.access_patterns import LINE, Pattern, pattern
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    IndexOf,
    Instruction,
    Literal,
    Load,
    Parameter,
    Store,
)

# Instructions an operation takes. Transcendental ones run at a quarter of the rate on AMD and
# NVIDIA alike; sine is scaled first; whole-number division is a sequence of about thirty.
_OPERATIONS = {
    ElementwiseOp.ADD: 1.0,
    ElementwiseOp.MULTIPLY: 1.0,
    ElementwiseOp.MAXIMUM: 1.0,
    ElementwiseOp.LESS_THAN: 1.0,
    ElementwiseOp.SELECT: 1.0,
    ElementwiseOp.RECIPROCAL: 4.0,
    ElementwiseOp.SQUARE_ROOT: 4.0,
    ElementwiseOp.EXP2: 4.0,
    ElementwiseOp.LOG2: 4.0,
    ElementwiseOp.SINE: 6.0,
    ElementwiseOp.FLOOR_DIVIDE: 30.0,
    ElementwiseOp.MODULO: 30.0,
}
# Rounding to bf16 is four instructions where there is none for it; the others have their own.
_CONVERSIONS = {DType.BF16: 4.0}
_QUOTIENT = 4.0
"""Instructions of a quotient or remainder by a constant."""
_SCATTERED = 1.5
"""Lanes that read from lines of their own find few of them in the caches again."""
_VECTOR = 16
"""Bytes that a lane moves at once where its points are neighbours."""


@dataclass(frozen=True, slots=True)
class Work:
    """What one point of a body costs, on average over its points.

    ``near`` are bytes asked of the unit's cache: more than the elements have where the lanes of a
    wave read from different lines.
    """

    operations: float
    near: float
    lane_points: int
    """Neighbouring points that a lane takes at once."""
    patterns: tuple[tuple[int, Pattern], ...]
    """(parameter, pattern) of the loads and then the stores."""


def work(body: Body, stores: Sequence[Store], parameters: Sequence[Parameter]) -> Work:
    """What ``body`` and ``stores`` cost a point.

    Neighbouring lanes are taken to lie along the axis along which most loads and stores move by
    one element, stores counting most.
    """
    sizes = [axis.size for axis in body.axes]
    accesses: list[Load | Store] = [i for i in body.instructions if isinstance(i, Load)]
    accesses += stores
    patterns = [(a, pattern(a, parameters[a.parameter], sizes)) for a in accesses]
    votes = [seen for access, seen in patterns for _ in range(1 + isinstance(access, Store))]
    lane = _lane_axis(votes, sizes)
    width = _width([access.parameter for access in accesses], parameters)
    operations = near = 0.0
    moving: list[bool] = []
    for instruction in body.instructions:
        moves = _moves(instruction, moving, lane)
        moving.append(moves)
        # What is equal for all points of a lane is done once for them.
        share = 1.0 if moves else 1.0 / width
        operations += share * _operations(instruction)
    for access, found in patterns:
        parameter = parameters[access.parameter]
        stride = found.strides[lane] if lane is not None else 0
        contiguous = stride <= 1 and not access.computed
        operations += (2 + _QUOTIENT * found.atoms) / (width if contiguous else 1)
        operations += _CONVERSIONS.get(parameter.dtype, 0.5) if isinstance(access, Store) else 0.5
        near += _near_bytes(stride, parameter.dtype.bytes, width, bool(access.computed))
    found_in = tuple(
        (access.parameter, _as_walked(found, lane) if not access.computed else found)
        for access, found in patterns
    )
    return Work(operations, near, width, found_in)


def _as_walked(seen: Pattern, lane: int | None) -> Pattern:
    if lane is None or seen.strides[lane] <= 1 or seen.waste > 1:
        return seen
    return replace(seen, waste=_SCATTERED)


def _width(used: Sequence[int], parameters: Sequence[Parameter]) -> int:
    widest = max((parameters[n].dtype.bytes for n in used), default=4)
    return max(1, min(8, _VECTOR // widest))


def _lane_axis(patterns: Sequence[Pattern], sizes: Sequence[int]) -> int | None:
    votes = [sum(p.strides[n] == 1 for p in patterns) for n in range(len(sizes))]
    candidates = [n for n, size in enumerate(sizes) if size > 1]
    return max(candidates, key=lambda n: (votes[n], n), default=None)


def _moves(instruction: Instruction, earlier: Sequence[bool], lane: int | None) -> bool:
    """Whether the value differs between the points of a lane."""
    match instruction:
        case Literal() | Accumulator():
            return isinstance(instruction, Accumulator)
        case IndexOf(expression):
            return lane in expression.axes()
        case Load(_, index, computed, predicate):
            used = [*computed, *(() if predicate is None else (predicate,))]
            return any(lane in e.axes() for e in index) or any(earlier[n] for n in used)
        case Apply(_, operands):
            return any(earlier[n] for n in operands)
        case Convert(operand, _):
            return earlier[operand]
        case _:
            assert_never(instruction)


def _operations(instruction: Instruction) -> float:
    match instruction:
        case Literal() | Accumulator() | Load():
            return 0.0
        case IndexOf(expression):
            return _index_operations(expression)
        case Apply(op, _):
            return _OPERATIONS[op]
        case Convert(_, dtype):
            return _CONVERSIONS.get(dtype, 1.0)
        case _:
            assert_never(instruction)


def _index_operations(expression: IndexExpression) -> float:
    return sum(1.0 if isinstance(atom, Axis) else 1.0 + _QUOTIENT for atom, _ in expression.terms)


def _near_bytes(stride: int, width: int, lane_points: int, computed: bool) -> float:
    """Bytes a point asks for, by the step between the lanes' elements."""
    if stride == 0 and not computed:
        return width / lane_points
    return float(min(max(stride, 1) * width, LINE))
