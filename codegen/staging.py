"""How an operand of a product comes into the memory that a workgroup shares.

A tile there is rows of neighbouring inner points. A thread makes a chunk of 16 bytes at a time:
neighbouring inner points of a row where the operand is contiguous along them, one inner point of
neighbouring rows where it is contiguous along those, else element by element.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum

from lumc.codegen.body_scope import BodyCode, Pack, Pointer, Scope
from lumc.codegen.flat import FlatBody
from lumc.codegen.grouped_bodies import GroupedBody
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText
from lumc.codegen.planning import AxisDefinition, decode_axes
from lumc.codegen.scalar_code import body_code
from lumc.codegen.vectorise import Lanes, step
from lumc.dsl.dtypes import DType

CHUNK_BYTES = 16
CHUNK_TURN = 8
"""Rows of a tile after which the order of their chunks comes back (``chunk_place``).

A wave that begins elsewhere would look for its chunks in the wrong places.
"""


class Filling(StrEnum):
    """What a thread's chunk is."""

    INNER = "inner"
    """Neighbouring inner points of a row, loaded together."""
    ROWS = "rows"
    """One inner point of neighbouring rows, loaded together."""
    SINGLE = "single"
    """Neighbouring inner points of a row, each on its own."""


FILLING_NOTES = {
    Filling.INNER: "16 bytes along the inner axes",
    Filling.ROWS: "16 bytes along its rows",
    Filling.SINGLE: "single elements",
}


@dataclass(frozen=True, slots=True)
class Tile:
    """A tile in shared memory, and the operand's axes that its rows and its depth run over.

    ``row`` and ``inner`` are the C++ variables for points of these groups; the tile's first row
    and first inner point are in ``first_row`` and ``first_inner``. ``order`` is the C++ type whose
    ``column_of`` and ``place_of`` say which row of the tile a row stands in; None: its own.
    """

    name: str
    row_group: str
    inner_group: str
    row: str
    inner: str
    first_row: str
    first_inner: str
    order: str | None
    rows: int
    depth: int


@dataclass(frozen=True, slots=True)
class Staging:
    """The text that fills a tile, as finished values."""

    tile: Tile
    filling: Filling
    rows_fastest: bool
    """Neighbouring threads take neighbouring rows, not neighbouring parts of one."""
    chunks: int
    """Chunks a row of the tile."""
    width: int
    """Elements a chunk."""
    steps: int
    is_ragged: bool
    """Not every thread has a chunk in the last step."""
    row_limit: int | None
    inner_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    inner_axes: tuple[AxisDefinition, ...]
    code: BodyCode


@dataclass(frozen=True, slots=True)
class StagingContext:
    """What all tiles of a kernel share."""

    dtype: DType
    threads: int
    pointers: Sequence[Pointer]
    batch: Sequence[AxisText]
    names: Names


def stage(operand: GroupedBody, tile: Tile, context: StagingContext) -> Staging:
    """Plan how ``tile`` is filled from ``operand``."""
    width = CHUNK_BYTES // context.dtype.bytes
    filling, lanes, rows_fastest = _filling(operand, tile, width)
    names = context.names.inner()
    rows, row_axes = decode_axes(operand.axes(tile.row_group), tile.row, names)
    inner, inner_axes = decode_axes(operand.axes(tile.inner_group), tile.inner, names)
    texts = group_texts(
        operand, {"batch": context.batch, tile.row_group: rows, tile.inner_group: inner}
    )
    scope = Scope(context.pointers, texts, lanes, names, single_lane="e")
    last = len(operand.body.instructions) - 1
    total = tile.rows * tile.depth // width
    row_points, inner_points = operand.points(tile.row_group), operand.points(tile.inner_group)
    return Staging(
        tile=tile,
        filling=filling,
        rows_fastest=rows_fastest,
        chunks=tile.depth // width,
        width=width,
        steps=-(-total // context.threads),
        is_ragged=total % context.threads != 0,
        row_limit=row_points if row_points % tile.rows else None,
        inner_limit=inner_points if inner_points % tile.depth else None,
        row_axes=row_axes,
        inner_axes=inner_axes,
        code=body_code(operand.body, scope, (Pack(last, context.dtype, "packed"),)),
    )


def group_texts(
    body: GroupedBody, groups: Mapping[str, Sequence[AxisText]]
) -> tuple[AxisText, ...]:
    """The texts of all axes of ``body`` by number, from those of each of its groups."""
    texts = {
        number: text
        for group, numbers in body.groups.items()
        for number, text in zip(numbers, groups[group], strict=True)
    }
    return tuple(texts[number] for number in range(len(texts)))


def _filling(operand: GroupedBody, tile: Tile, width: int) -> tuple[Filling, Lanes | None, bool]:
    """How chunks are filled, their lanes, and whether neighbouring threads take other rows."""
    inner, row = operand.last(tile.inner_group), operand.last(tile.row_group)
    along_inner, along_rows = _runs_along(operand.body, inner), _runs_along(operand.body, row)
    if inner is not None and along_inner and operand.body.axes[inner].size % width == 0:
        return Filling.INNER, Lanes(inner, width), False
    whole_chunks = row is not None and operand.body.axes[row].size % width == 0
    if row is not None and along_rows and whole_chunks and tile.rows % width == 0:
        return Filling.ROWS, Lanes(row, width), True
    return Filling.SINGLE, None, along_rows and not along_inner


def _runs_along(body: FlatBody, axis: int | None) -> bool:
    """True when something of ``body`` is contiguous along ``axis``."""
    if axis is None:
        return False
    return any(step(load.offset, Lanes(axis, 1)) == 1 for load in body.loads())
