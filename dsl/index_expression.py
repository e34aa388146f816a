"""Exact whole-number arithmetic on axes: how an operand is read, how a result is placed.

An expression is ``constant + Σ coefficient · atom`` over numbered axes. An atom is an axis, or the
floor quotient or remainder of another expression by a positive number, so that splitting and
merging axes stays exact. Expressions are canonical: equal functions built the same way compare
equal, terms are sorted, zero coefficients dropped, and quotients simplified by the axes' ranges.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Axis:
    """The value of axis ``number`` of the reader, which runs from 0 to its size - 1."""

    number: int


@dataclass(frozen=True, slots=True)
class FloorDivide:
    """``value // divisor``, rounding towards minus infinity; ``divisor`` is positive."""

    value: IndexExpression
    divisor: int


@dataclass(frozen=True, slots=True)
class Modulo:
    """``value % divisor``, from 0 to ``divisor`` - 1; ``divisor`` is positive."""

    value: IndexExpression
    divisor: int


Atom = Axis | FloorDivide | Modulo


@dataclass(frozen=True, slots=True)
class IndexExpression:
    """``constant + Σ coefficient · atom``. Build with the functions of this module."""

    constant: int = 0
    terms: tuple[tuple[Atom, int], ...] = ()

    @property
    def is_constant(self) -> bool:
        """True when no axis occurs."""
        return not self.terms

    @property
    def is_affine(self) -> bool:
        """True when every atom is an axis."""
        return all(isinstance(atom, Axis) for atom, _ in self.terms)

    @property
    def bare_axis(self) -> int | None:
        """The axis number when the expression is exactly one axis, else None."""
        if self.constant or len(self.terms) != 1:
            return None
        atom, coefficient = self.terms[0]
        return atom.number if coefficient == 1 and isinstance(atom, Axis) else None

    def axes(self) -> frozenset[int]:
        """The numbers of the axes that occur, also inside quotients and remainders."""
        found: set[int] = set()
        for atom, _ in self.terms:
            found |= {atom.number} if isinstance(atom, Axis) else atom.value.axes()
        return frozenset(found)

    def coefficient(self, axis: int) -> int:
        """The coefficient of ``axis`` as a plain term (0 when absent)."""
        return sum(c for atom, c in self.terms if atom == Axis(axis))


def constant(value: int) -> IndexExpression:
    """The expression that is ``value`` everywhere."""
    return IndexExpression(value)


@functools.cache
def axis(number: int) -> IndexExpression:
    """The expression that is the axis ``number``."""
    return IndexExpression(0, ((Axis(number), 1),))


def _atom_key(atom: Atom) -> tuple[object, ...]:
    match atom:
        case Axis(number):
            return (0, number)
        case FloorDivide(value, divisor):
            return (1, divisor, _key(value))
        case Modulo(value, divisor):
            return (2, divisor, _key(value))
        case _:
            assert_never(atom)


def _key(expression: IndexExpression) -> tuple[object, ...]:
    return (
        expression.constant,
        tuple((_atom_key(atom), coefficient) for atom, coefficient in expression.terms),
    )


def _canonical(constant_part: int, coefficients: Mapping[Atom, int]) -> IndexExpression:
    terms = sorted(
        ((atom, c) for atom, c in coefficients.items() if c), key=lambda term: _atom_key(term[0])
    )
    return IndexExpression(constant_part, tuple(terms))


def add(left: IndexExpression, right: IndexExpression, factor: int = 1) -> IndexExpression:
    """``left + factor · right``."""
    if not right.terms:
        return IndexExpression(left.constant + factor * right.constant, left.terms)
    if not left.terms and factor == 1:
        return IndexExpression(left.constant + right.constant, right.terms)
    coefficients = dict(left.terms)
    for atom, c in right.terms:
        coefficients[atom] = coefficients.get(atom, 0) + factor * c
    return _canonical(left.constant + factor * right.constant, coefficients)


def scale(expression: IndexExpression, factor: int) -> IndexExpression:
    """``factor · expression``."""
    if factor == 0:
        return IndexExpression(0)
    return IndexExpression(
        expression.constant * factor, tuple((atom, c * factor) for atom, c in expression.terms)
    )


def value_range(expression: IndexExpression, sizes: Sequence[int]) -> tuple[int, int]:
    """The least and greatest value over axes of the given sizes (a bound, exact if affine)."""
    low = high = expression.constant
    for atom, c in expression.terms:
        atom_low, atom_high = _atom_range(atom, sizes)
        low += min(c * atom_low, c * atom_high)
        high += max(c * atom_low, c * atom_high)
    return low, high


def _atom_range(atom: Atom, sizes: Sequence[int]) -> tuple[int, int]:
    match atom:
        case Axis(number):
            return 0, sizes[number] - 1
        case FloorDivide(value, divisor):
            low, high = value_range(value, sizes)
            return low // divisor, high // divisor
        case Modulo(value, divisor):
            low, high = value_range(value, sizes)
            return (low, high) if low >= 0 and high < divisor else (0, divisor - 1)
        case _:
            assert_never(atom)


def _split(expression: IndexExpression, divisor: int) -> tuple[IndexExpression, IndexExpression]:
    """Quotient and remainder parts: ``expression = divisor · quotient + remainder``."""
    quotient = {atom: c // divisor for atom, c in expression.terms if c % divisor == 0}
    remainder = {atom: c for atom, c in expression.terms if c % divisor}
    return (
        _canonical(expression.constant // divisor, quotient),
        _canonical(expression.constant % divisor, remainder),
    )


def floor_divide(
    expression: IndexExpression, divisor: int, sizes: Sequence[int]
) -> IndexExpression:
    """``expression // divisor`` for axes of the given sizes, simplified where the ranges allow."""
    if divisor <= 0:
        raise ValueError(f"the divisor must be positive, not {divisor}")
    if divisor == 1:
        return expression
    quotient, remainder = _split(expression, divisor)
    low, high = value_range(remainder, sizes)
    if low // divisor == high // divisor:
        return add(quotient, constant(low // divisor))
    return add(quotient, IndexExpression(0, ((FloorDivide(remainder, divisor), 1),)))


def modulo(expression: IndexExpression, divisor: int, sizes: Sequence[int]) -> IndexExpression:
    """``expression % divisor`` for axes of the given sizes, simplified where the ranges allow."""
    if divisor <= 0:
        raise ValueError(f"the divisor must be positive, not {divisor}")
    _, remainder = _split(expression, divisor)
    low, high = value_range(remainder, sizes)
    if low // divisor == high // divisor:
        return add(remainder, constant(-divisor * (low // divisor)))
    return IndexExpression(0, ((Modulo(remainder, divisor), 1),))


def substitute(
    expression: IndexExpression,
    replacements: Sequence[IndexExpression] | Mapping[int, IndexExpression],
    sizes: Sequence[int],
) -> IndexExpression:
    """Replace axis ``n`` by ``replacements[n]``, whose axes have the given ``sizes``."""
    number = expression.bare_axis
    if number is not None:
        return replacements[number]
    result = IndexExpression(expression.constant)
    for atom, c in expression.terms:
        result = add(result, _substitute_atom(atom, replacements, sizes), c)
    return result


def _substitute_atom(
    atom: Atom,
    replacements: Sequence[IndexExpression] | Mapping[int, IndexExpression],
    sizes: Sequence[int],
) -> IndexExpression:
    match atom:
        case Axis(number):
            return replacements[number]
        case FloorDivide(value, divisor):
            return floor_divide(substitute(value, replacements, sizes), divisor, sizes)
        case Modulo(value, divisor):
            return modulo(substitute(value, replacements, sizes), divisor, sizes)
        case _:
            assert_never(atom)


def rename(expression: IndexExpression, numbers: Mapping[int, int]) -> IndexExpression:
    """Axis ``n`` becomes axis ``numbers[n]``; different axes must stay different."""
    number = expression.bare_axis
    if number is not None:
        return axis(numbers[number])
    terms = expression.terms
    if not terms:
        return expression
    if len(terms) == 1:
        ((atom, c),) = terms
        return IndexExpression(expression.constant, ((_rename_atom(atom, numbers), c),))
    return _canonical(expression.constant, {_rename_atom(atom, numbers): c for atom, c in terms})


def _rename_atom(atom: Atom, numbers: Mapping[int, int]) -> Atom:
    match atom:
        case Axis():
            return Axis(numbers[atom.number])
        case FloorDivide(value, divisor):
            return FloorDivide(rename(value, numbers), divisor)
        case Modulo(value, divisor):
            return Modulo(rename(value, numbers), divisor)
        case _:
            assert_never(atom)


def evaluate(
    expression: IndexExpression, values: Sequence[npt.NDArray[np.int64]]
) -> npt.NDArray[np.int64]:
    """The expression with ``values[n]`` for axis ``n``; the arrays broadcast against each other."""
    result = np.asarray(expression.constant, dtype=np.int64)
    for atom, c in expression.terms:
        result = result + c * _evaluate_atom(atom, values)
    return result


def _evaluate_atom(atom: Atom, values: Sequence[npt.NDArray[np.int64]]) -> npt.NDArray[np.int64]:
    match atom:
        case Axis(number):
            return np.asarray(values[number], dtype=np.int64)
        case FloorDivide(value, divisor):
            return evaluate(value, values) // divisor
        case Modulo(value, divisor):
            return evaluate(value, values) % divisor
        case _:
            assert_never(atom)


def render(
    expression: IndexExpression, names: Sequence[str] | Callable[[int], str], floor: str = "//"
) -> str:
    """The expression as text, with ``names`` for the axes; it reads back as Python.

    ``floor`` is the sign for the floor quotient; pass ``"/"`` for C++, where every quotient and
    remainder must be known to be of a value that is not negative.
    """
    name = names if callable(names) else names.__getitem__
    parts = [_render_term(atom, c, name, floor) for atom, c in expression.terms]
    if expression.constant or not parts:
        parts.append(str(expression.constant))
    return " + ".join(parts).replace("+ -", "- ")


def _render_term(atom: Atom, coefficient: int, name: Callable[[int], str], floor: str) -> str:
    match atom:
        case Axis(number):
            text = name(number)
        case FloorDivide(value, divisor):
            text = f"({render(value, name, floor)}) {floor} {divisor}"
        case Modulo(value, divisor):
            text = f"({render(value, name, floor)}) % {divisor}"
        case _:
            assert_never(atom)
    if coefficient == 1:
        return text
    return f"{coefficient} * {text}" if isinstance(atom, Axis) else f"{coefficient} * ({text})"
