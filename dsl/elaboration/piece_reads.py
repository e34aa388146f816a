"""Reads of a piecewise definition that lie in one piece go straight to that piece."""

from __future__ import annotations

from lumc.dsl.axes import Replacements
from lumc.dsl.elaboration.context import Context
from lumc.dsl.index_expression import (
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    constant,
    floor_divide,
    modulo,
)
from lumc.dsl.index_expression import add as plus
from lumc.dsl.tensor_program import Operand
from lumc.dsl.values import PieceView, Tensor


def direct_read(context: Context, base: Tensor, replacements: Replacements) -> Operand | None:
    """What stands where ``base`` is read, if all of it is provably in one piece."""
    for piece in base.pieces:
        inverse = _inverse(context, base, piece, replacements)
        if inverse is not None:
            return context.builder.substitute(piece.body, inverse)
    return None


def _inverse(
    context: Context, base: Tensor, piece: PieceView, replacements: Replacements
) -> Replacements | None:
    """The values of the piece's axes at the places that are read."""
    inverse = Replacements()
    for axis, place in zip(base.axes, piece.places, strict=True):
        if not _invert(context, place, replacements[axis.number], inverse):
            return None
    return inverse


def _invert(
    context: Context, place: IndexExpression, wanted: IndexExpression, inverse: Replacements
) -> bool:
    """Solve ``place = wanted`` for the axes of ``place``, digit by digit, largest first."""
    rest = plus(wanted, constant(place.constant), -1)
    if not place.terms:
        return not rest.terms and rest.constant == 0
    sizes = context.axes.sizes
    for atom, coefficient in sorted(place.terms, key=lambda term: -term[1]):
        if not isinstance(atom, Axis) or coefficient <= 0:
            return False
        digit = floor_divide(rest, coefficient, sizes)
        rest = modulo(rest, coefficient, sizes)
        if coefficient > 1 and not (_is_simple(digit) and _is_simple(rest)):
            return False
        low, high = context.bounds.range_of(digit)
        if low < 0 or high >= sizes[atom.number]:
            return False
        inverse[atom.number] = digit
    return not rest.terms and rest.constant == 0


def _is_simple(expression: IndexExpression) -> bool:
    """True without quotients and remainders: those would cost more than the piece saves."""
    return not any(isinstance(atom, FloorDivide | Modulo) for atom, _ in expression.terms)
