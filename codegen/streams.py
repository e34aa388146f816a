"""How the operands of a streamed product come from memory, chunk by chunk, through descriptors.

A thread's chunks have places of their own in the tile. Where each comes from is worked out before
the first step: a byte offset, and for operands with a window, at which of its taps the chunk's row
is outside of what is there. A step adds what all threads have in common.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumc.codegen.body_scope import BodyCode, Scope
from lumc.codegen.flat import FlatLoad
from lumc.codegen.grouped_bodies import GroupedBody
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText, index_text, value_bounds
from lumc.codegen.planning import AxisDefinition, decode_axes
from lumc.codegen.scalar_code import value_code
from lumc.codegen.staging import CHUNK_BYTES, StagingContext, Tile, group_texts
from lumc.dsl.index_expression import Atom, IndexExpression
from lumc.lowering.kernel_program import Body, Gemm
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.streamed_products import streamed_load


@dataclass(frozen=True, slots=True)
class Taps:
    """At which taps of a window a row is read: bit ``number`` of a mask, one bit a tap."""

    count: int
    size: int
    """Inner points of a tap."""
    axes: tuple[AxisDefinition, ...]
    code: BodyCode
    inside: str
    """The condition."""


@dataclass(frozen=True, slots=True)
class Stream:
    """The text that fetches a tile, as finished values; offsets are in elements."""

    tile: Tile
    pointer: str
    ahead: int
    """Elements before the tensor's first that the descriptor begins at: so no offset that a row
    has is negative."""
    elements: int
    chunks: int
    """Chunks of a row in one step."""
    width: int
    """Elements a chunk."""
    steps: int
    """Chunks a thread and step."""
    is_ragged: bool
    """Not every thread has one of its own in the last step."""
    idle: int
    """Threads that have none at all."""
    row_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    row_offset: str
    kept_axes: tuple[AxisDefinition, ...]
    """Arrays of row axes that a step needs, and the axes that they hold."""
    is_common: bool
    """All threads are at the same point of the inner axes but for their place in the chunk."""
    inner_limit: int | None
    inner_axes: tuple[AxisDefinition, ...]
    inner_offset: str
    taps: Taps | None


def plan_stream(
    body: Body, operand: GroupedBody, tile: Tile, kernel: Gemm, context: StagingContext
) -> Stream:
    """Plan how ``tile`` is fetched from ``operand``, which is ``body`` flattened."""
    found = streamed_load(body, kernel.parameters, kernel.operand_dtype)
    assert found is not None, f"{kernel.name}: {tile.name} is not streamed"
    load = operand.body.instructions[found[0]]
    assert isinstance(load, FlatLoad)
    pointer = context.pointers[load.parameter]
    width = CHUNK_BYTES // context.dtype.bytes
    names = context.names.inner()
    rows, row_axes = decode_axes(operand.axes(tile.row_group), tile.row, names)
    inner, inner_axes = decode_axes(operand.axes(tile.inner_group), tile.inner, names)
    texts = group_texts(
        operand, {"batch": context.batch, tile.row_group: rows, tile.inner_group: inner}
    )
    parts = _parts(operand, tile, load.offset)
    kept = _kept_axes(operand, tile, parts.mixed, texts, names)
    low = min(
        value_bounds(parts.row, texts)[0],
        sum(value_bounds(part, texts)[0] for part in (parts.row, parts.inner, parts.mixed)),
    )
    ahead = max(0, -low)
    in_step = [kept[n].text if n in kept else text for n, text in enumerate(texts)]
    total = tile.rows * tile.depth // width
    row_points, inner_points = operand.points(tile.row_group), operand.points(tile.inner_group)
    return Stream(
        tile=tile,
        pointer=pointer.name,
        ahead=ahead,
        elements=extent(pointer.parameter) + ahead,
        chunks=tile.depth // width,
        width=width,
        steps=-(-total // context.threads),
        is_ragged=total % context.threads != 0,
        idle=max(0, context.threads - total),
        row_limit=row_points if row_points % tile.rows else None,
        row_axes=row_axes,
        row_offset=index_text(_plus(parts.row, ahead), texts),
        kept_axes=tuple(axis.definition for axis in kept.values()),
        is_common=_is_common(operand, tile, parts, texts),
        inner_limit=inner_points if inner_points % (2 * tile.depth) else None,
        inner_axes=inner_axes,
        inner_offset=index_text(_sum(parts.inner, parts.mixed), in_step),
        taps=_taps(operand, tile, load, Scope(context.pointers, texts, None, names), inner_axes),
    )


Term = tuple[Atom, int]


@dataclass(frozen=True, slots=True)
class _Parts:
    """An offset as the sum of what rows and batch, inner points, and both together make of it."""

    row: IndexExpression
    inner: IndexExpression
    mixed: IndexExpression


def _parts(operand: GroupedBody, tile: Tile, offset: IndexExpression) -> _Parts:
    inner_axes = frozenset(operand.groups[tile.inner_group])
    row: list[Term] = []
    inner: list[Term] = []
    mixed: list[Term] = []
    for term in offset.terms:
        axes = IndexExpression(0, (term,)).axes()
        (inner if axes <= inner_axes else mixed if axes & inner_axes else row).append(term)
    return _Parts(
        IndexExpression(offset.constant, tuple(row)),
        IndexExpression(0, tuple(inner)),
        IndexExpression(0, tuple(mixed)),
    )


def _plus(expression: IndexExpression, number: int) -> IndexExpression:
    return IndexExpression(expression.constant + number, expression.terms)


def _sum(left: IndexExpression, right: IndexExpression) -> IndexExpression:
    return IndexExpression(left.constant + right.constant, left.terms + right.terms)


def _is_common(operand: GroupedBody, tile: Tile, parts: _Parts, texts: Sequence[AxisText]) -> bool:
    """True when a step is at one point of all inner axes but the dense one, and adds to offsets."""
    sized = [n for n in operand.groups[tile.inner_group] if operand.body.axes[n].size > 1]
    dense = operand.body.axes[sized[-1]].size
    whole_steps = len(sized) == 1 or dense % tile.depth == 0
    return whole_steps and not parts.mixed.terms and value_bounds(parts.inner, texts)[0] >= 0


@dataclass(frozen=True, slots=True)
class _KeptAxis:
    text: AxisText
    """An element of the array, for a thread's chunk ``step``."""
    definition: AxisDefinition
    """The array, and the axis that it keeps."""


def _kept_axes(
    operand: GroupedBody,
    tile: Tile,
    mixed: IndexExpression,
    texts: Sequence[AxisText],
    names: Names,
) -> dict[int, _KeptAxis]:
    """The axes of rows that offsets depend on in every step."""
    found = {}
    for number in operand.groups[tile.row_group]:
        if number in mixed.axes():
            axis = texts[number]
            array = names.fresh(f"{tile.name}_{axis.text}")
            text = AxisText(f"{array}[step]", axis.low, axis.high)
            found[number] = _KeptAxis(text, AxisDefinition(array, axis.text))
    return found


def _taps(
    operand: GroupedBody,
    tile: Tile,
    load: FlatLoad,
    scope: Scope,
    inner_axes: tuple[AxisDefinition, ...],
) -> Taps | None:
    if load.predicate is None:
        return None
    code, inside = value_code(operand.body, scope, load.predicate)
    dense = operand.last(tile.inner_group)
    size = 1 if dense is None else operand.body.axes[dense].size
    count = operand.points(tile.inner_group) // size
    return Taps(count, size, inner_axes, code, inside)
