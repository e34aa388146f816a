"""How an operand of a product comes into the memory that a workgroup shares.

A thread makes a chunk of 16 bytes at a time: neighbouring inner points of one row where the
operand is contiguous along them, the same inner point of neighbouring rows where it is contiguous
along those, else element by element.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from enum import StrEnum

from lumc.codegen.flat import FlatBody
from lumc.codegen.gemm_bodies import ProductBody, points
from lumc.codegen.gemm_tiles import CHUNK_BYTES
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText
from lumc.codegen.planning import AxisDefinition, decode_axes
from lumc.codegen.scalar_code import BodyCode, Pack, Pointer, Scope, body_code
from lumc.codegen.vectorise import Lanes, step
from lumc.dsl.dtypes import DType


class Filling(StrEnum):
    """What a thread's chunk is."""

    INNER = "inner"
    """Neighbouring inner points of a row, loaded together."""
    ROWS = "rows"
    """One inner point of neighbouring rows, loaded together."""
    SINGLE = "single"
    """Neighbouring inner points of a row, each on its own."""


@dataclass(frozen=True, slots=True)
class Staging:
    """The text that fills one operand's tile, as finished values."""

    name: str
    row: str
    """The variable that the rows' axes are decoded from: row or column."""
    is_left: bool
    filling: Filling
    rows_fastest: bool
    rows: int
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
class TileShape:
    """The part of an operand that a workgroup holds: its rows and its depth, and its threads."""

    rows: int
    depth: int
    threads: int


def stage(
    operand: ProductBody,
    name: str,
    row: str,
    shape: TileShape,
    dtype: DType,
    pointers: Sequence[Pointer],
    batch: Sequence[AxisText],
    names: Names,
) -> Staging:
    """Plan how the tile of ``operand`` is filled; ``batch`` are the texts of its batch axes."""
    width = CHUNK_BYTES // dtype.bytes
    body, axes = operand.body, operand.axes
    # An operand has rows or columns; here both are its rows.
    rows = axes.rows + axes.columns
    filling, lanes, rows_fastest = _filling(body, rows, axes.inner, width, shape.rows)
    inside = names.inner()
    row_texts, row_axes = decode_axes([body.axes[n] for n in rows], row, inside)
    inner_texts, inner_axes = decode_axes([body.axes[n] for n in axes.inner], "inner", inside)
    texts = dict(
        zip((*axes.batch, *rows, *axes.inner), (*batch, *row_texts, *inner_texts), strict=True)
    )
    scope = Scope(pointers, [texts[n] for n in sorted(texts)], lanes, inside, single_lane="e")
    last = len(body.instructions) - 1
    total = shape.rows * shape.depth // width
    row_points, inner_points = points(body, rows), points(body, axes.inner)
    return Staging(
        name=name,
        row=row,
        is_left=row == "row",
        filling=filling,
        rows_fastest=rows_fastest,
        rows=shape.rows,
        chunks=shape.depth // width,
        width=width,
        steps=-(-total // shape.threads),
        is_ragged=total % shape.threads != 0,
        row_limit=row_points if row_points % shape.rows else None,
        inner_limit=inner_points if inner_points % shape.depth else None,
        row_axes=row_axes,
        inner_axes=inner_axes,
        code=body_code(body, scope, (Pack(last, dtype, "packed"),)),
    )


def _filling(
    body: FlatBody, rows: Sequence[int], inner: Sequence[int], width: int, tile_rows: int
) -> tuple[Filling, Lanes | None, bool]:
    """How chunks are filled, their lanes, and whether neighbouring threads take different rows."""
    inner_axis, row_axis = _last(body, inner), _last(body, rows)
    along_inner = inner_axis is not None and _is_contiguous(body, inner_axis)
    along_rows = row_axis is not None and _is_contiguous(body, row_axis)
    if along_inner and inner_axis is not None and body.axes[inner_axis].size % width == 0:
        return Filling.INNER, Lanes(inner_axis, width), False
    whole_chunks = row_axis is not None and body.axes[row_axis].size % width == 0
    if along_rows and row_axis is not None and whole_chunks and tile_rows % width == 0:
        return Filling.ROWS, Lanes(row_axis, width), True
    return Filling.SINGLE, None, along_rows and not along_inner


def _last(body: FlatBody, numbers: Sequence[int]) -> int | None:
    """The fastest of these axes that has more than one point."""
    return next((n for n in reversed(numbers) if body.axes[n].size > 1), None)


def _is_contiguous(body: FlatBody, axis: int) -> bool:
    return any(step(load.offset, Lanes(axis, 1)) == 1 for load in body.loads())
