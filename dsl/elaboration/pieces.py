"""Piecewise definitions: several lines that define one tensor, each at its own places."""

from __future__ import annotations

import contextlib
import math
from collections.abc import Sequence

from lumc.diagnostics import Span
from lumc.dsl import limits
from lumc.dsl.builder import LivePiece
from lumc.dsl.codes import Code
from lumc.dsl.cover import Flaw, Footprint, find_flaw
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import check_elements, unify
from lumc.dsl.errors import Reported, SpecError
from lumc.dsl.index_expression import rename, render, value_range
from lumc.dsl.scopes import BROKEN, Key, OpenPiece, Scope
from lumc.dsl.values import PieceView, Tensor

_SHOWN_PIECES = 6
_SIMPLER = "place its indices like digits of a number: y[4*i + j] with j: 4"


def finish(context: Context, scope: Scope, key: Key, used_at: Span) -> None:
    """Close the pieces of ``key``: from here on it is a tensor of ``scope``.

    Raises:
        Reported: The pieces do not fit together; that has been reported.
    """
    pieces = scope.pieces[key]
    try:
        scope.values[key] = _join(context, key, pieces, used_at)
    except SpecError as error:
        scope.values[key] = BROKEN
        context.report(error)
        raise Reported from None


def finish_all(context: Context, scope: Scope) -> None:
    """Close what nothing has read, so that its mistakes are found too."""
    for key, pieces in scope.pieces.items():
        if key not in scope.values and _without_empty(context, pieces):
            with contextlib.suppress(Reported):
                finish(context, scope, key, pieces[0].target.span)


def _without_empty(context: Context, pieces: list[OpenPiece]) -> list[OpenPiece]:
    return [piece for piece in pieces if not context.axes.any_empty(piece.axes)]


def _join(context: Context, key: Key, pieces: list[OpenPiece], used_at: Span) -> Tensor:
    pieces = _without_empty(context, pieces)
    if not pieces:
        message = f"every piece of {key} is empty"
        raise context.error(Code.COVER, message, used_at, "give one of its indices a size above 0")
    _check_ranks(context, key, pieces)
    shape = _shape(context, pieces)
    check_elements(context, shape, str(key), pieces[0].target.span)
    _check_cover(context, key, pieces, shape)
    if len(pieces) == 1 and (whole := _whole(key, pieces[0], shape)) is not None:
        return whole
    reason = f"from the pieces of {key}"
    axes = tuple(
        context.axes.new(_axis_name(pieces, position), size, reason)
        for position, size in enumerate(shape)
    )
    values = [piece.body for piece in pieces]
    bodies, dtype = unify(context, values, [piece.target.span for piece in pieces])
    placed = [
        LivePiece(piece.axes, piece.places, body, piece.statement.span)
        for piece, body in zip(pieces, bodies, strict=True)
    ]
    builder = context.builder
    span, builder.span = builder.span, pieces[0].statement.span
    body = builder.place(axes, placed, dtype)
    builder.label(body, str(key))
    builder.span = span
    views = tuple(
        PieceView(piece.places, piece.axes, view)
        for piece, view in zip(pieces, bodies, strict=True)
    )
    return Tensor(axes, body, str(key), pieces[0].statement.span, views)


def _whole(key: Key, piece: OpenPiece, shape: Sequence[int]) -> Tensor | None:
    """A single piece whose places are bare indices is an ordinary definition."""
    numbers = [place.bare_axis for place in piece.places]
    by_number = {axis.number: axis for axis in piece.axes}
    if None in numbers or len(set(numbers)) != len(by_number):
        return None
    axes = tuple(by_number[number] for number in numbers if number is not None)
    if tuple(axis.size for axis in axes) != tuple(shape):
        return None
    return Tensor(axes, piece.body, str(key), piece.statement.span)


def _axis_name(pieces: list[OpenPiece], position: int) -> str:
    for piece in pieces:
        number = piece.places[position].bare_axis
        for axis in piece.axes:
            if axis.number == number:
                return axis.name
    return ""


# --- checks


def _check_ranks(context: Context, key: Key, pieces: list[OpenPiece]) -> None:
    ranks = [len(piece.places) for piece in pieces]
    if len(set(ranks)) == 1:
        return
    odd = next(piece for piece in pieces if len(piece.places) != ranks[0])
    message = f"the pieces of {key} have different numbers of axes: {', '.join(map(str, ranks))}"
    notes = _listing(pieces)
    raise context.error(Code.COVER, message, odd.target.span, "give them the same axes", notes)


def _shape(context: Context, pieces: list[OpenPiece]) -> list[int]:
    """The size of each axis follows from the pieces."""
    sizes = context.axes.sizes
    return [
        max(value_range(piece.places[position], sizes)[1] for piece in pieces) + 1
        for position in range(len(pieces[0].places))
    ]


def _check_cover(context: Context, key: Key, pieces: list[OpenPiece], shape: Sequence[int]) -> None:
    if len(pieces) > limits.PIECES:
        message = f"{key} is defined by {len(pieces)} pieces"
        hint = f"a tensor has at most {limits.PIECES}"
        raise context.error(Code.LIMIT, message, pieces[-1].target.span, hint)
    flaw = find_flaw(shape, [_footprint(piece) for piece in pieces])
    if flaw is not None:
        raise _flaw_error(context, key, pieces, shape, flaw)


def _footprint(piece: OpenPiece) -> Footprint:
    position = {axis.number: k for k, axis in enumerate(piece.axes)}
    sizes = tuple(axis.known_size for axis in piece.axes)
    return Footprint(sizes, tuple(rename(place, position) for place in piece.places))


def _flaw_error(
    context: Context, key: Key, pieces: list[OpenPiece], shape: Sequence[int], flaw: Flaw
) -> SpecError:
    place = f"{key}[{', '.join(map(str, flaw.place))}]" if flaw.place is not None else None
    piece, other = pieces[flaw.piece], pieces[flaw.other]
    hint = None
    match flaw.kind:
        case "outside":
            message = f"this piece of {key} starts before 0"
            hint = "places are numbered from 0"
        case "twice" if place is None:
            message = f"it cannot be shown that this piece of {key} defines no element twice"
            hint = _SIMPLER
        case "twice":
            message = f"this piece of {key} defines {place} twice"
            hint = "different values of its indices must give different places"
        case "overlap" if place is None:
            message = (
                f"it cannot be shown that this piece of {key} does not overlap "
                f"the one at {other.target.span}"
            )
            hint = _SIMPLER
        case "overlap":
            message = f"{place} is defined twice: here and at {other.target.span}"
            hint = "the pieces of a tensor must not overlap"
        case _:
            defined = sum(math.prod(axis.known_size for axis in one.axes) for one in pieces)
            piece = pieces[-1]
            message = (
                f"the pieces of {key} leave a hole: "
                f"its shape is {_dimensions(shape)} = {math.prod(shape)} elements, "
                f"the pieces define {defined}"
            )
            if place is not None:
                hint = f"nothing defines {place}"
    return context.error(Code.COVER, message, piece.target.span, hint, _listing(pieces))


def _dimensions(shape: Sequence[int]) -> str:
    return f"[{', '.join(map(str, shape))}]"


def _listing(pieces: list[OpenPiece]) -> tuple[str, ...]:
    """Each piece with its places and sizes."""
    notes = [_description(piece) for piece in pieces[:_SHOWN_PIECES]]
    if len(pieces) > _SHOWN_PIECES:
        notes.append(f"and {len(pieces) - _SHOWN_PIECES} more pieces")
    return tuple(notes)


def _description(piece: OpenPiece) -> str:
    names = {axis.number: axis.name or "…" for axis in piece.axes}
    places = ", ".join(
        render(place, lambda number: names.get(number, "…")) for place in piece.places
    )
    sizes = ", ".join(f"{names[axis.number]}: {axis.size}" for axis in piece.axes)
    where = f" with {sizes}" if sizes else ""
    return f"{piece.target.span}: {piece.target.name.text}[{places}]{where}"
