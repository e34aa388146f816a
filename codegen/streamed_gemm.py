"""Products whose waves take turns: one group multiplies while the other moves data.

Operands stream from memory through descriptors that the hardware bounds, so edges cost no branch.
The template's text says how the turns are taken and why.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lumc.codegen.gemm import STRIP, lane_columns, operand_tiles, product_geometry, total_name
from lumc.codegen.gemm_tiles import check_tile, spare_chunks, tile_bytes
from lumc.codegen.geometry import TileWalk
from lumc.codegen.grouped_bodies import gemm_bodies, is_convolution
from lumc.codegen.identifiers import Names
from lumc.codegen.planning import Plan, argument_texts, decode_axes, pointers
from lumc.codegen.shares import SHARE_NAMES, plan_shares
from lumc.codegen.staging import StagingContext
from lumc.codegen.statements import STORAGE_TYPES
from lumc.codegen.streams import plan_stream
from lumc.codegen.target import Target
from lumc.codegen.turn_epilogue import plan_turn_epilogue
from lumc.lowering.kernel_program import Gemm, GemmSchedule, GemmTile
from lumc.lowering.streamed_products import CHUNK_BYTES, is_streamed

_LOCAL_NAMES = """
row column inner first_row first_column first_inner lane_row first ahead e step half chunk place
part wave wave_row wave_column number walk batch tap taps Tile Chunk fetch store_tiles read_tiles
multiply second_group spare to element lane wave_offset
"""


def takes_turns(kernel: Gemm, alignments: Sequence[int]) -> bool:
    """True when ``kernel`` is to have the schedule with turns, and may.

    It may not where a launch gives it an operand that does not begin at a whole chunk.
    """
    if kernel.tile is None or kernel.tile.schedule is not GemmSchedule.PING_PONG:
        return False
    return is_streamed(kernel) and all(a % CHUNK_BYTES == 0 for a in alignments)


def plan_streamed_gemm(kernel: Gemm, target: Target, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``, which ``takes_turns``.

    Raises:
        ValueError: its tile is none that can be made for ``target``.
    """
    tile, rights, dtype = kernel.tile, len(kernel.right), kernel.operand_dtype
    assert tile is not None
    reason = check_tile(tile, rights, dtype, target)
    if reason is not None:
        raise ValueError(f"{kernel.name}: {tile}: {reason}")
    tiles = operand_tiles(tile, rights)
    totals = [total_name(number, rights) for number in range(rights)]
    names = Names(_local_names([own.name for own in tiles.values()], totals))
    parameters = pointers(kernel.parameters, alignments, names)
    bodies = gemm_bodies(kernel)
    epilogue = bodies["epilogue"]
    walk = TileWalk(target.dies, STRIP)
    geometry = product_geometry(kernel, epilogue, tile, walk)
    batch_texts, batch_axes = decode_axes(epilogue.axes("batch"), "batch", names)
    threads = tile.wave_rows * tile.wave_columns * target.wave
    context = StagingContext(dtype, threads, parameters, batch_texts, names)
    operands = [kernel.left, *kernel.right]
    streams = [
        plan_stream(body, bodies[name], own, kernel, context)
        for body, (name, own) in zip(operands, tiles.items(), strict=True)
    ]
    batches, down, across = (group.tiles for group in geometry.groups)
    inner = bodies["left"].points("inner")
    shares = plan_shares(geometry, tile, inner, rights)
    return Plan(
        template="streamed_gemm.jinja",
        values={
            "arguments": argument_texts(parameters) + (shares.arguments if shares else ()),
            "threads": threads,
            "element": STORAGE_TYPES[dtype],
            "element_bytes": dtype.bytes,
            "tile": tile,
            "wave_size": target.wave,
            "wave_tile": (tile.rows // tile.wave_rows, tile.columns // tile.wave_columns),
            "grid": (batches, down, across),
            "walk": walk,
            "shares": shares,
            "batch_axes": batch_axes,
            "inner": inner,
            "operands": streams,
            "spare": spare_chunks(tile, dtype) * CHUNK_BYTES // dtype.bytes,
            "totals": totals,
            "epilogue": plan_turn_epilogue(
                epilogue, tile, lane_columns(tile, target, dtype), totals, context
            ),
        },
        threads=threads,
        local_bytes=tile_bytes(tile, rights, dtype),
        geometry=replace(geometry, shared=shares.meeting.shared) if shares else geometry,
        kind="conv" if is_convolution(kernel) else "gemm",
        notes=(*_notes(tile, rights, walk), *((shares.note,) if shares else ())),
        headers=(
            "lumc/matrix.hpp",
            "lumc/schedule.hpp",
            *(shares.headers if shares else ()),
        ),
        meeting=shares.meeting if shares else None,
    )


def _local_names(sides: Sequence[str], totals: Sequence[str]) -> frozenset[str]:
    suffixes = ("", "_tile", "_next", "_from", "_taps", "_memory", "_slice")
    own = {f"{side}{suffix}" for side in sides for suffix in suffixes}
    return frozenset((_LOCAL_NAMES + SHARE_NAMES).split()) | own | frozenset(totals)


def _notes(tile: GemmTile, rights: int, walk: TileWalk) -> tuple[str, ...]:
    columns = f"{rights} × {tile.columns}" if rights > 1 else str(tile.columns)
    dies = f" in runs for {walk.dies} dies," if walk.dies > 1 else ""
    return (
        f"tile {tile.rows} × {columns}, depth {tile.depth}, 8 waves"
        f" ({tile.wave_rows} × {tile.wave_columns}) on matrix cores, in turns: four multiply while"
        " four move data",
        f"tiles are taken{dies} in strips of {walk.strip} rows",
    )
