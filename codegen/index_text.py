"""Index expressions as C++ text."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

from lumc.dsl.index_expression import (
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    add,
    constant,
    scale,
)
from lumc.lowering.kernel_program import Parameter

LARGEST_INT = 2**31 - 1


@dataclass(frozen=True, slots=True)
class AxisText:
    """How an axis is written in C++, and the least and greatest value it takes.

    ``text`` is a name or a parenthesised expression; its type is int.
    """

    text: str
    low: int
    high: int


def computed_axis(text: str, known: tuple[int, int] | None) -> AxisText:
    """An axis that is a value computed at run time, of which at most a range is known."""
    low, high = known if known is not None else (-LARGEST_INT - 1, LARGEST_INT)
    return AxisText(text, low, high)


def offset_expression(index: Sequence[IndexExpression], parameter: Parameter) -> IndexExpression:
    """Elements from a parameter's first to the one at ``index``."""
    total = constant(0)
    for expression, stride in zip(index, parameter.strides, strict=True):
        total = add(total, scale(expression, stride))
    return _without_parts(total)


def _without_parts(expression: IndexExpression) -> IndexExpression:
    """``expression`` where a quotient and its remainder that make up a value are that value.

    Channels read by group and place in it lie as the channels do.
    """
    found = expression
    for atom, factor in expression.terms:
        if not isinstance(atom, Modulo):
            continue
        quotient = FloorDivide(atom.value, atom.divisor)
        if dict(expression.terms).get(quotient) == factor * atom.divisor:
            found = add(found, IndexExpression(0, ((atom, 1),)), -factor)
            found = add(found, IndexExpression(0, ((quotient, 1),)), -factor * atom.divisor)
            found = add(found, atom.value, factor)
    return found


def value_bounds(expression: IndexExpression, axes: Sequence[AxisText]) -> tuple[int, int]:
    """The least and greatest value of ``expression`` (a bound)."""
    low = high = expression.constant
    for atom, coefficient in expression.terms:
        bounds = _atom_bounds(atom, axes)
        low += min(coefficient * bound for bound in bounds)
        high += max(coefficient * bound for bound in bounds)
    return low, high


def _atom_bounds(atom: Axis | FloorDivide | Modulo, axes: Sequence[AxisText]) -> tuple[int, int]:
    match atom:
        case Axis(number):
            return axes[number].low, axes[number].high
        case FloorDivide(value, divisor):
            low, high = value_bounds(value, axes)
            return low // divisor, high // divisor
        case Modulo(value, divisor):
            low, high = value_bounds(value, axes)
            return (low, high) if low >= 0 and high < divisor else (0, divisor - 1)
        case _:
            assert_never(atom)


def magnitude_bound(expression: IndexExpression, axes: Sequence[AxisText]) -> int:
    """An upper bound of what any partial sum of ``expression`` is in size."""
    total = abs(expression.constant)
    for atom, coefficient in expression.terms:
        total += abs(coefficient) * max(abs(bound) for bound in _atom_bounds(atom, axes))
    return total


def index_text(expression: IndexExpression, axes: Sequence[AxisText], wide: bool = False) -> str:
    """``expression`` as C++, an int, or a 64-bit number when ``wide``."""
    parts = [_term_text(atom, c, axes, wide) for atom, c in expression.terms]
    if expression.constant or not parts:
        parts.append(f"{expression.constant}LL" if wide else str(expression.constant))
    return " + ".join(parts).replace("+ -", "- ")


def _term_text(
    atom: Axis | FloorDivide | Modulo, coefficient: int, axes: Sequence[AxisText], wide: bool
) -> str:
    text = _atom_text(atom, axes, wide)
    if coefficient == 1:
        return text
    if coefficient == -1:
        return f"-{text}"
    return f"{coefficient}LL * {text}" if wide else f"{coefficient} * {text}"


def _atom_text(atom: Axis | FloorDivide | Modulo, axes: Sequence[AxisText], wide: bool) -> str:
    match atom:
        case Axis(number):
            return f"i64({axes[number].text})" if wide else axes[number].text
        case FloorDivide(value, divisor):
            name = "quotient"
        case Modulo(value, divisor):
            name = "remainder"
        case _:
            assert_never(atom)
    low, high = value_bounds(value, axes)
    function = name if low >= 0 else f"floor_{name}"
    # What is divided may be wider than the result.
    inner = wide or high > LARGEST_INT or low < -LARGEST_INT
    suffix = "LL" if inner else ""
    call = f"{function}({index_text(value, axes, inner)}, {divisor}{suffix})"
    if inner and not wide:
        return f"int({call})"
    return call
