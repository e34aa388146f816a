"""How index expressions change along a few neighbouring points of one axis.

A lane group is ``width`` points of ``axis`` that begin at a multiple of ``width``. What is known of
an expression along it decides whether elements are read and written together.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import assert_never

from lumc.dsl.index_expression import Axis, FloorDivide, IndexExpression, Modulo


@dataclass(frozen=True, slots=True)
class Lanes:
    """``width`` neighbouring points of axis ``axis``, the first a multiple of ``width``."""

    axis: int
    width: int


def step(expression: IndexExpression, lanes: Lanes) -> int | None:
    """What ``expression`` grows by from each lane to the next; None when it is not always equal."""
    total = 0
    for atom, coefficient in expression.terms:
        grows = _atom_step(atom, lanes)
        if grows is None:
            return None
        total += coefficient * grows
    return total


def _atom_step(atom: Axis | FloorDivide | Modulo, lanes: Lanes) -> int | None:
    match atom:
        case Axis(number):
            return int(number == lanes.axis)
        case FloorDivide(value, divisor):
            grows = step(value, lanes)
            if grows is not None and grows % divisor == 0:
                return grows // divisor
            return None if grows is None or _crosses(value, divisor, grows, lanes) else 0
        case Modulo(value, divisor):
            grows = step(value, lanes)
            if grows is not None and grows % divisor == 0:
                return 0
            return None if grows is None or _crosses(value, divisor, grows, lanes) else grows
        case _:
            assert_never(atom)


def _crosses(value: IndexExpression, divisor: int, grows: int, lanes: Lanes) -> bool:
    """False when no multiple of ``divisor`` can lie between the first lane and the last."""
    modulus, residue = lattice(value, lanes)
    # A multiple of the divisor is one of this number, modulo which the first lane is known.
    known = math.gcd(modulus, divisor)
    last = residue % known + grows * (lanes.width - 1)
    return not 0 <= last < known


def lattice(expression: IndexExpression, lanes: Lanes) -> tuple[int, int]:
    """``(m, r)`` such that the first lane's value is always r modulo m; m = 0: always exactly r."""
    modulus, residue = 0, expression.constant
    for atom, coefficient in expression.terms:
        atom_modulus, atom_residue = _atom_lattice(atom, lanes)
        modulus = math.gcd(modulus, coefficient * atom_modulus)
        residue += coefficient * atom_residue
    return modulus, residue % modulus if modulus else residue


def _atom_lattice(atom: Axis | FloorDivide | Modulo, lanes: Lanes) -> tuple[int, int]:
    match atom:
        case Axis(number):
            return (lanes.width if number == lanes.axis else 1), 0
        case FloorDivide(value, divisor):
            modulus, residue = lattice(value, lanes)
            if modulus % divisor:
                return 1, 0
            return modulus // divisor, residue // divisor
        case Modulo(value, divisor):
            modulus, residue = lattice(value, lanes)
            if modulus == 0:
                return 0, residue % divisor
            return math.gcd(modulus, divisor), residue % math.gcd(modulus, divisor)
        case _:
            assert_never(atom)


def alignment(expression: IndexExpression, lanes: Lanes) -> int:
    """The greatest number that divides the first lane's value everywhere; 0 when that is 0."""
    return math.gcd(*lattice(expression, lanes))


def is_negative_in_all_lanes_alike(expression: IndexExpression, lanes: Lanes) -> bool:
    """True when ``expression`` is below zero in all lanes of a group or in none of them."""
    grows = step(expression, lanes)
    if grows is None:
        return False
    modulus, residue = lattice(expression, lanes)
    if grows == 0:
        return True
    if modulus == 0:
        last = residue + grows * (lanes.width - 1)
        return (residue < 0) == (last < 0)
    return 0 <= residue % modulus + grows * (lanes.width - 1) < modulus
