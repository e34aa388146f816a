"""What a condition says about indices: whether a guarded read can leave its tensor."""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    Atom,
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    add,
    axis,
    constant,
    scale,
)
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import Apply, IndexOf, Instruction, Literal

_VALUES = 1 << 20
"""Where numbers of axes that stand for values of the body begin."""

Bounds = tuple[float, float]


def value_axis(value: int) -> IndexExpression:
    """A value of a body as an index."""
    return axis(_VALUES + value)


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Lower bounds of linear expressions: those that a condition implies, and the axes' sizes."""

    sizes: Sequence[int]
    least: Mapping[IndexExpression, int] = field(default_factory=dict)

    def bounds(self, entry: IndexExpression) -> Bounds:
        """Bounds of an index over the body's axes and its values."""
        low = high = float(entry.constant)
        for atom, factor in entry.terms:
            ends = [_times(factor, end) for end in self._atom_bounds(atom)]
            low, high = low + min(ends), high + max(ends)
        terms = IndexExpression(0, entry.terms)
        above = self.least.get(terms)
        below = self.least.get(scale(terms, -1))
        if above is not None:
            low = max(low, entry.constant + above)
        if below is not None:
            high = min(high, entry.constant - below)
        return low, high

    def _atom_bounds(self, atom: Atom) -> Bounds:
        match atom:
            case Axis(number) if number < len(self.sizes):
                low, high = 0.0, float(self.sizes[number] - 1)
            case Axis():
                low, high = -math.inf, math.inf
            case FloorDivide(inner, divisor):
                low, high = (_floor(end / divisor) for end in self.bounds(inner))
            case Modulo(inner, divisor):
                low, high = self.bounds(inner)
                if low < 0 or high >= divisor:
                    low, high = 0.0, float(divisor - 1)
        alone = IndexExpression(0, ((atom, 1),))
        low = max(low, self.least.get(alone, -math.inf))
        high = min(high, -self.least.get(scale(alone, -1), -math.inf))
        return low, high


def known_where(
    instructions: Sequence[Instruction], predicate: int | None, sizes: Sequence[int]
) -> Knowledge:
    """What is known where value ``predicate`` holds (everywhere if it is None)."""
    least: dict[IndexExpression, int] = {}
    if predicate is not None:
        for difference, at_least in _comparisons(instructions, predicate):
            terms = IndexExpression(0, difference.terms)
            bound = at_least - difference.constant
            least[terms] = max(bound, least.get(terms, bound))
    return Knowledge(sizes, least)


def _comparisons(
    instructions: Sequence[Instruction], predicate: int
) -> Iterator[tuple[IndexExpression, int]]:
    """Expressions with the least value that each has where ``predicate`` holds."""
    stack = [predicate]
    while stack:
        match instructions[stack.pop()]:
            case Apply(ElementwiseOp.MULTIPLY, (left, right)):
                stack += [left, right]
            case Apply(ElementwiseOp.LESS_THAN, (left, right)):
                yield _difference(instructions, right, left), 1
            case Apply(ElementwiseOp.SELECT, (test, taken, other)):
                if instructions[other] == Literal(False, DType.BOOL):
                    stack += [test, taken]
                elif instructions[taken] == Literal(False, DType.BOOL):
                    stack.append(other)
                    match instructions[test]:
                        case Apply(ElementwiseOp.LESS_THAN, (left, right)):
                            yield _difference(instructions, left, right), 0
            case _:
                pass


def _difference(instructions: Sequence[Instruction], left: int, right: int) -> IndexExpression:
    return add(_as_index(instructions, left), _as_index(instructions, right), -1)


def _as_index(instructions: Sequence[Instruction], value: int) -> IndexExpression:
    match instructions[value]:
        case IndexOf(expression):
            return expression
        case Literal(int(number), DType.I32):
            return constant(number)
        case _:
            return value_axis(value)


def _times(factor: int, end: float) -> float:
    return 0.0 if factor == 0 else factor * end


def _floor(value: float) -> float:
    return value if math.isinf(value) else float(math.floor(value))
