"""Products: tiles of both operands in shared memory, sums in registers, epilogue on the way out."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.body_scope import BodyCode, Scope, Value
from lumc.codegen.gemm_tiles import check_tile, default_tile, matrix_wave, row_lanes, tile_bytes
from lumc.codegen.geometry import AxisGroup, Geometry, TileWalk
from lumc.codegen.grouped_bodies import GroupedBody, gemm_bodies, is_convolution
from lumc.codegen.identifiers import Names
from lumc.codegen.planning import (
    AxisDefinition,
    Plan,
    argument_texts,
    block_axes,
    decode_axes,
    pointers,
)
from lumc.codegen.pointwise import choose_lanes
from lumc.codegen.scalar_code import body_code
from lumc.codegen.shares import SHARE_NAMES, plan_shares
from lumc.codegen.staging import FILLING_NOTES, Staging, StagingContext, Tile, group_texts, stage
from lumc.codegen.statements import STORAGE_TYPES
from lumc.codegen.target import Target
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Gemm, GemmSchedule, GemmTile

_LOCAL_NAMES = """
row column inner first_row first_column first_inner lane_row first e step chunk place part packed
at wave wave_row wave_column Tile Chunk load_tiles store_tiles number walk batch
"""
STRIP = 4
"""Rows of tiles that a die walks together: HipKittens' choice for the chips with eight dies."""


def _local_names(rights: int) -> frozenset[str]:
    """Names that the template uses itself."""
    sides = ["left", *(right_name(n, rights) for n in range(rights))]
    own = {f"{side}{suffix}" for side in sides for suffix in ("", "_tile", "_next")}
    totals = {total_name(n, rights) for n in range(rights)}
    return frozenset((_LOCAL_NAMES + SHARE_NAMES).split()) | own | totals


def right_name(number: int, rights: int) -> str:
    """What the tile of a right side is called."""
    return f"right{number}" if rights > 1 else "right"


def total_name(number: int, rights: int) -> str:
    """What the sums of a right side are called."""
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

    A tile for a schedule of its own is taken as none: what has no such schedule here gets another.

    Raises:
        ValueError: its tile is none that can be made for ``target``.
    """
    tile = kernel.tile
    if tile is None or tile.schedule is not GemmSchedule.PLAIN:
        tile = default_tile(kernel, target)
    reason = check_tile(tile, len(kernel.right), kernel.operand_dtype, target)
    if reason is not None:
        raise ValueError(f"{kernel.name}: {tile}: {reason}")
    rights = len(kernel.right)
    names = Names(_local_names(rights))
    parameters = pointers(kernel.parameters, alignments, names)
    bodies = gemm_bodies(kernel)
    epilogue = bodies["epilogue"]
    walk = TileWalk(target.dies, STRIP) if target.dies > 1 else None
    geometry = product_geometry(kernel, epilogue, tile, walk)
    inner = bodies["left"].points("inner")
    shares = plan_shares(geometry, tile, inner, rights)
    number = "int(block())" if shares is None else "number"
    titles = ("batch", "tile_row", "tile_column")
    places, definitions = block_axes(geometry, titles, names, number)
    batch, tile_row, tile_column = [place.text for place in places]
    if walk is not None:
        batch, tile_row, tile_column = "batch", "walk.row", "walk.column"
    batch_texts, batch_axes = decode_axes(epilogue.axes("batch"), batch, names)
    threads = tile.wave_rows * tile.wave_columns * matrix_wave(target, kernel.operand_dtype)
    context = StagingContext(kernel.operand_dtype, threads, parameters, batch_texts, names)
    staging = _staging(bodies, tile, rights, context)
    totals = [total_name(number, rights) for number in range(rights)]
    return Plan(
        template="gemm.jinja",
        values={
            "arguments": argument_texts(parameters) + (shares.arguments if shares else ()),
            "threads": threads,
            "element": STORAGE_TYPES[kernel.operand_dtype],
            "tile": tile,
            "wave_size": matrix_wave(target, kernel.operand_dtype),
            "wave_tile": (tile.rows // tile.wave_rows, tile.columns // tile.wave_columns),
            "lane_columns": lane_columns(tile, target, kernel.operand_dtype),
            "block_axes": definitions,
            "walk": walk,
            "grid": tuple(group.tiles for group in geometry.groups),
            "tile_row": tile_row,
            "tile_column": tile_column,
            "inner": inner,
            "shares": shares,
            "batch_axes": batch_axes,
            "operands": staging,
            "totals": totals,
            "epilogue": plan_epilogue(
                epilogue,
                ("rows", "columns"),
                (tile.rows, tile.columns),
                lane_columns(tile, target, kernel.operand_dtype),
                totals,
                context,
            ),
        },
        threads=threads,
        local_bytes=tile_bytes(tile, rights, kernel.operand_dtype),
        geometry=replace(geometry, shared=shares.meeting.shared) if shares else geometry,
        kind="conv" if is_convolution(kernel) else "gemm",
        notes=(
            *_notes(tile, staging, target.has_matrix(kernel.operand_dtype)),
            *((shares.note,) if shares else ()),
            *_turns_refused(kernel),
        ),
        headers=(*_headers(walk), *(shares.headers if shares else ())),
        meeting=shares.meeting if shares else None,
    )


def _headers(walk: TileWalk | None) -> tuple[str, ...]:
    return ("lumc/matrix.hpp",) if walk is None else ("lumc/matrix.hpp", "lumc/schedule.hpp")


def lane_columns(tile: GemmTile, target: Target, dtype: DType) -> int:
    """Neighbouring columns that a lane has sums of."""
    return tile.columns // tile.wave_columns // row_lanes(target, dtype)


def _staging(
    bodies: Mapping[str, GroupedBody], tile: GemmTile, rights: int, context: StagingContext
) -> tuple[Staging, ...]:
    tiles = operand_tiles(tile, rights)
    return tuple(stage(bodies[name], own, context) for name, own in tiles.items())


def operand_tiles(tile: GemmTile, rights: int) -> dict[str, Tile]:
    """The tile of each operand, by the name of its body."""
    left = Tile(
        name="left",
        row_group="rows",
        inner_group="inner",
        row="row",
        inner="inner",
        first_row="first_row",
        first_inner="first_inner",
        order=None,
        rows=tile.rows,
        depth=tile.depth,
    )
    right = replace(
        left,
        row_group="columns",
        row="column",
        first_row="first_column",
        order="Tile",
        rows=tile.columns,
    )
    found = {"left": left}
    for number in range(rights):
        found[f"right{number}"] = replace(right, name=right_name(number, rights))
    return found


def plan_epilogue(
    epilogue: GroupedBody,
    groups: tuple[str, str],
    tile: tuple[int, int],
    lane_columns: int,
    totals: Sequence[str],
    context: StagingContext,
) -> Epilogue:
    """Plan what is done with sums that lie in tiles of ``groups``, named ``totals``.

    A lane walks ``lane_row`` and ``first``, its rows and the first of a few of its columns; the
    variables of the points are ``row`` and ``column``.
    """
    body = epilogue.body
    row_group, column_group = groups
    widths = [w for w in (8, 4, 2) if lane_columns % w == 0]
    lanes = choose_lanes(body, epilogue.groups[column_group], context.pointers, widths)
    names = context.names.inner()
    rows, row_axes = decode_axes(epilogue.axes(row_group), "row", names)
    columns, column_axes = decode_axes(epilogue.axes(column_group), "column", names)
    texts = group_texts(epilogue, {"batch": context.batch, row_group: rows, column_group: columns})
    place = "first" if lanes is None else "first + e"
    sums = [Value(f"{t}.at(lane_row, {place})", DType.F32, lanes is not None) for t in totals]
    row_points, column_points = epilogue.points(row_group), epilogue.points(column_group)
    return Epilogue(
        width=1 if lanes is None else lanes.width,
        row_limit=row_points if row_points % tile[0] else None,
        column_limit=column_points if column_points % tile[1] else None,
        row_axes=row_axes,
        column_axes=column_axes,
        code=body_code(body, Scope(context.pointers, texts, lanes, names, sums)),
    )


def product_geometry(
    kernel: Gemm, epilogue: GroupedBody, tile: GemmTile, walk: TileWalk | None = None
) -> Geometry:
    """The grid: batches, rows and columns in tiles, taken in the order of ``walk``."""
    axes = epilogue.groups
    sizes = [axis.size for axis in (*kernel.batch, *kernel.rows, *kernel.columns)]

    def group(numbers: Sequence[int], run: int) -> AxisGroup:
        return AxisGroup(tuple(numbers), tuple(sizes[n] for n in numbers), run)

    return Geometry(
        (
            group(axes["batch"], 1),
            group(axes["rows"], tile.rows),
            group(axes["columns"], tile.columns),
        ),
        walk,
    )


def _turns_refused(kernel: Gemm) -> tuple[str, ...]:
    """That this is not the schedule that was chosen: ``takes_turns`` says where that can't be."""
    if kernel.tile is None or kernel.tile.schedule is not GemmSchedule.PING_PONG:
        return ()
    return (
        "the tile that was chosen takes operands at whole 16 bytes, which a launch does not have",
    )


def _notes(tile: GemmTile, staging: Sequence[Staging], matrix: bool) -> tuple[str, ...]:
    waves = tile.wave_rows * tile.wave_columns
    how = "matrix cores" if matrix else "multiply-adds"
    fills = ", ".join(f"{s.tile.name} by {FILLING_NOTES[s.filling]}" for s in staging)
    return (
        f"tile {tile.rows} × {tile.columns}, depth {tile.depth}, {waves} waves"
        f" ({tile.wave_rows} × {tile.wave_columns}) on {how}",
        f"filled: {fills}",
    )
