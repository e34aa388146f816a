"""Products: tiles of both operands in shared memory, sums in registers, epilogue on the way out."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumc.codegen.gemm_bodies import (
    ProductBodies,
    ProductBody,
    is_convolution,
    points,
    product_bodies,
)
from lumc.codegen.gemm_operand import Staging, TileShape, stage
from lumc.codegen.gemm_tiles import check_tile, default_tile, matrix_wave, tile_bytes
from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText
from lumc.codegen.planning import AxisDefinition, Plan, argument_texts, decode_axes, pointers
from lumc.codegen.pointwise import choose_lanes
from lumc.codegen.scalar_code import BodyCode, Pointer, Scope, Value, body_code
from lumc.codegen.statements import STORAGE_TYPES
from lumc.codegen.target import Target
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Gemm, GemmTile, KernelAxis

_LOCAL_NAMES = """
row column inner first_row first_column first_inner lane_row first e step chunk place part packed
at wave wave_row wave_column Tile Chunk load_tiles store_tiles
"""


def _local_names(rights: int) -> frozenset[str]:
    """Names that the template uses itself."""
    sides = ["left", *(_right_name(n, rights) for n in range(rights))]
    own = {f"{side}{suffix}" for side in sides for suffix in ("", "_tile", "_next")}
    totals = {_total_name(n, rights) for n in range(rights)}
    return frozenset(_LOCAL_NAMES.split()) | own | totals


def _right_name(number: int, rights: int) -> str:
    return f"right{number}" if rights > 1 else "right"


def _total_name(number: int, rights: int) -> str:
    return f"total{number}" if rights > 1 else "total"


@dataclass(frozen=True, slots=True)
class Epilogue:
    """What a lane does with its sums: ``width`` neighbouring columns at a time."""

    width: int
    row_limit: int | None
    column_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    column_axes: tuple[AxisDefinition, ...]
    code: BodyCode


def plan_gemm(kernel: Gemm, target: Target, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``; ``alignments`` are those of its parameters, in bytes.

    Raises:
        ValueError: its tile is none that can be made for ``target``.
    """
    tile = kernel.tile or default_tile(kernel, target)
    reason = check_tile(tile, len(kernel.right), kernel.operand_dtype, target)
    if reason is not None:
        raise ValueError(f"{kernel.name}: {tile}: {reason}")
    rights = len(kernel.right)
    names = Names(_local_names(rights))
    parameters = pointers(kernel.parameters, alignments, names)
    bodies = product_bodies(kernel)
    epilogue = bodies.epilogue
    geometry = _geometry(kernel, epilogue, tile)
    (batch, tile_row, tile_column), block_axes = _block_axes(geometry, names)
    batch_texts, batch_axes = decode_axes(
        [epilogue.body.axes[n] for n in epilogue.axes.batch], batch.text, names
    )
    threads = tile.wave_rows * tile.wave_columns * matrix_wave(target)
    totals = [_total_name(number, rights) for number in range(rights)]
    staging = _staging(kernel, bodies, tile, threads, parameters, batch_texts, names)
    text = _epilogue(epilogue, tile, target, parameters, batch_texts, totals, names)
    return Plan(
        template="gemm.jinja",
        values={
            "arguments": argument_texts(parameters),
            "threads": threads,
            "element": STORAGE_TYPES[kernel.operand_dtype],
            "tile": tile,
            "wave_size": matrix_wave(target),
            "wave_tile": (tile.rows // tile.wave_rows, tile.columns // tile.wave_columns),
            "lane_columns": lane_columns(tile, target),
            "block_axes": block_axes,
            "tile_row": tile_row.text,
            "tile_column": tile_column.text,
            "inner": points(bodies.left.body, bodies.left.axes.inner),
            "batch_axes": batch_axes,
            "operands": staging,
            "totals": totals,
            "epilogue": text,
        },
        threads=threads,
        local_bytes=tile_bytes(tile, len(kernel.right), kernel.operand_dtype),
        geometry=geometry,
        kind="conv" if is_convolution(kernel) else "gemm",
        notes=_notes(tile, staging, target),
        headers=("lumc/matrix.hpp",),
    )


def lane_columns(tile: GemmTile, target: Target) -> int:
    """Neighbouring columns that a lane has sums of."""
    return tile.columns // tile.wave_columns // (4 if target.has_matrix_cores else 8)


def _staging(
    kernel: Gemm,
    bodies: ProductBodies,
    tile: GemmTile,
    threads: int,
    parameters: Sequence[Pointer],
    batch: Sequence[AxisText],
    names: Names,
) -> tuple[Staging, ...]:
    left = TileShape(tile.rows, tile.depth, threads)
    right = TileShape(tile.columns, tile.depth, threads)
    sides = [(bodies.left, "left", "row", left)]
    for number, body in enumerate(bodies.right):
        sides.append((body, _right_name(number, len(bodies.right)), "column", right))
    return tuple(
        stage(body, name, row, shape, kernel.operand_dtype, parameters, batch, names)
        for body, name, row, shape in sides
    )


def _epilogue(
    epilogue: ProductBody,
    tile: GemmTile,
    target: Target,
    parameters: Sequence[Pointer],
    batch: Sequence[AxisText],
    totals: Sequence[str],
    names: Names,
) -> Epilogue:
    body, axes = epilogue.body, epilogue.axes
    widths = [w for w in (8, 4, 2) if lane_columns(tile, target) % w == 0]
    lanes = choose_lanes(body, axes.columns, parameters, widths) if axes.columns else None
    width = 1 if lanes is None else lanes.width
    inside = names.inner()
    row_texts, row_axes = decode_axes([body.axes[n] for n in axes.rows], "row", inside)
    column_texts, column_axes = decode_axes([body.axes[n] for n in axes.columns], "column", inside)
    numbers = (*axes.batch, *axes.rows, *axes.columns)
    texts = dict(zip(numbers, (*batch, *row_texts, *column_texts), strict=True))
    place = "first" if lanes is None else "first + e"
    sums = [
        Value(f"{total}.at(lane_row, {place})", DType.F32, lanes is not None) for total in totals
    ]
    scope = Scope(parameters, [texts[n] for n in sorted(texts)], lanes, inside, sums)
    rows, columns = points(body, axes.rows), points(body, axes.columns)
    return Epilogue(
        width=width,
        row_limit=rows if rows % tile.rows else None,
        column_limit=columns if columns % tile.columns else None,
        row_axes=row_axes,
        column_axes=column_axes,
        code=body_code(body, scope),
    )


def _geometry(kernel: Gemm, epilogue: ProductBody, tile: GemmTile) -> Geometry:
    axes = epilogue.axes
    sizes = [axis.size for axis in (*kernel.batch, *kernel.rows, *kernel.columns)]

    def group(numbers: Sequence[int], run: int) -> AxisGroup:
        return AxisGroup(tuple(numbers), tuple(sizes[n] for n in numbers), run)

    return Geometry(
        (group(axes.batch, 1), group(axes.rows, tile.rows), group(axes.columns, tile.columns))
    )


def _block_axes(
    geometry: Geometry, names: Names
) -> tuple[tuple[AxisText, ...], tuple[AxisDefinition, ...]]:
    """The batch and the tile of this workgroup, from its number."""
    titles = ("batch", "tile_row", "tile_column")
    groups = zip(titles, geometry.groups, strict=True)
    return decode_axes(
        [KernelAxis(title, group.tiles) for title, group in groups], "int(block())", names
    )


def _notes(tile: GemmTile, staging: Sequence[Staging], target: Target) -> tuple[str, ...]:
    waves = tile.wave_rows * tile.wave_columns
    how = "matrix cores" if target.has_matrix_cores else "multiply-adds"
    fills = ", ".join(f"{s.name} by {_FILLINGS[s.filling]}" for s in staging)
    return (
        f"tile {tile.rows} × {tile.columns}, depth {tile.depth}, {waves} waves"
        f" ({tile.wave_rows} × {tile.wave_columns}) on {how}",
        f"filled: {fills}",
    )


_FILLINGS = {
    "inner": "16 bytes along the inner axes",
    "rows": "16 bytes along its rows",
    "single": "single elements",
}
