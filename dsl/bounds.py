"""Which values an index can take, from the sizes of its axes and the enclosing conditions."""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass

from lumc.dsl.index_expression import (
    Atom,
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    add,
    value_range,
)

Bound = int | float
"""A whole number, or plus or minus infinity."""


_EMPTY = (math.inf, -math.inf)


@dataclass(frozen=True, slots=True)
class Fact:
    """``low <= expression <= high`` holds where it is used."""

    expression: IndexExpression
    low: Bound
    high: Bound


class Bounds:
    """Ranges of index expressions under a stack of facts."""

    def __init__(self, sizes: Sequence[int], facts: Iterable[Fact] = ()) -> None:
        """Use the live ``sizes`` of the axes, which may grow later."""
        self._sizes = sizes
        self._facts: list[Fact] = list(facts)

    @property
    def facts(self) -> tuple[Fact, ...]:
        """The facts that hold now."""
        return tuple(self._facts)

    @contextmanager
    def assuming(self, facts: Iterable[Fact]) -> Iterator[None]:
        """The facts hold meanwhile."""
        mark = len(self._facts)
        self._facts.extend(facts)
        try:
            yield
        finally:
            del self._facts[mark:]

    def range_of(self, expression: IndexExpression) -> tuple[Bound, Bound]:
        """The least and greatest value (a bound: the true range lies inside).

        Where the facts contradict each other nothing is ever computed, and the range is empty.
        """
        if not self._facts or not expression.terms:
            return value_range(expression, self._sizes)
        low: Bound = expression.constant
        high: Bound = expression.constant
        for atom, coefficient in expression.terms:
            least, most = self._atom_range(atom)
            if least > most:
                return _EMPTY
            ends = coefficient * least, coefficient * most
            low, high = low + min(ends), high + max(ends)
        return self._tighten(expression, low, high)

    def _tighten(self, expression: IndexExpression, low: Bound, high: Bound) -> tuple[Bound, Bound]:
        for fact in self._facts:
            factor = _factor(expression, fact.expression)
            if not factor:
                continue
            rest = add(expression, fact.expression, -factor)
            if rest.terms:
                continue
            ends = factor * fact.low, factor * fact.high
            low = max(low, min(ends) + rest.constant)
            high = min(high, max(ends) + rest.constant)
        return low, high

    def _atom_range(self, atom: Atom) -> tuple[Bound, Bound]:
        match atom:
            case Axis(number):
                return self._axis_range(atom, number)
            case FloorDivide(value, divisor):
                low, high = self.range_of(value)
                ends = _floor(low, divisor), _floor(high, divisor)
            case Modulo(value, divisor):
                low, high = self.range_of(value)
                ends = (low, high) if low >= 0 and high < divisor else (0, divisor - 1)
        return self._tighten(IndexExpression(0, ((atom, 1),)), *ends)

    def _axis_range(self, atom: Axis, number: int) -> tuple[Bound, Bound]:
        low: Bound = 0
        high: Bound = self._sizes[number] - 1
        for fact in self._facts:
            terms = fact.expression.terms
            if len(terms) != 1 or terms[0][0] != atom:
                continue
            least, most = _axis_ends(fact, terms[0][1])
            low, high = max(low, least), min(high, most)
        return low, high


def _factor(expression: IndexExpression, part: IndexExpression) -> int:
    """The whole number of times that ``part`` may be in ``expression``; 0 for none."""
    if not expression.terms or not part.terms or expression.terms[0][0] != part.terms[0][0]:
        return 0
    factor, rest = divmod(expression.terms[0][1], part.terms[0][1])
    return 0 if rest else factor


def _floor(value: Bound, divisor: int) -> Bound:
    return value // divisor if isinstance(value, int) else value


def _axis_ends(fact: Fact, coefficient: int) -> tuple[Bound, Bound]:
    """The ends of an axis from the ends of ``constant + coefficient · axis``."""
    low, high = fact.low - fact.expression.constant, fact.high - fact.expression.constant
    if coefficient < 0:
        low, high, coefficient = -high, -low, -coefficient
    return -_floor(-low, coefficient), _floor(high, coefficient)
