"""Attention whose keys and values are streamed as they lie in memory, on matrix cores.

Queries, scores and epilogue are any bodies. ``include/lumc/streamed_attention.hpp`` says how
scores, weights and results lie in registers.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from lumc.codegen.attention_geometry import attention_geometry
from lumc.codegen.body_scope import BodyCode, Pack, Scope
from lumc.codegen.flat import without_axes
from lumc.codegen.gemm import plan_epilogue
from lumc.codegen.geometry import Geometry, TileWalk
from lumc.codegen.grouped_bodies import GroupedBody, attention_bodies
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText, index_text
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
from lumc.codegen.score_masks import ScoreMask, score_mask
from lumc.codegen.shares import SHARE_NAMES, plan_shared_keys
from lumc.codegen.staging import StagingContext, group_texts
from lumc.codegen.statements import STORAGE_TYPES
from lumc.codegen.streamed_scores import key_range, plan_scores
from lumc.codegen.target import Target
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import (
    Attention,
    AttentionSchedule,
    AttentionTile,
)
from lumc.lowering.streamed_attention import StreamedRows, streamed_attention
from lumc.lowering.tiles import (
    CHANNEL_BLOCK,
    WAVE_QUERIES,
    streamed_bytes,
    streamed_places,
    streamed_tiles,
)

_CHUNK = 8

_LOCAL_NAMES = """
number row column inner key first_row wave_row wave first e block slice packed lane_row behind tile
tiles first_tile stop_tile inside plain own Keys Values Wave key_tiles value_tiles key_rows
value_rows keys values weigh first_key load_masks begin stop shared_tile
"""


@dataclass(frozen=True, slots=True)
class StreamText:
    """A tensor's rows that are streamed: ``bytes`` from ``first`` on."""

    first: str
    stride: int
    width: int
    bytes: int


@dataclass(frozen=True, slots=True)
class QueryText:
    """How a lane fills 8 neighbouring inner points of its query."""

    width: int
    """Inner points that are made together."""
    row_limit: int | None
    inner_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    inner_axes: tuple[AxisDefinition, ...]
    code: BodyCode


def plan_streamed_attention(kernel: Attention, target: Target, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``; ``alignments`` are those of its parameters, in bytes.

    Raises:
        ValueError: its tile is none that can be made of it for ``target``.
    """
    tile = kernel.tile
    streamed = streamed_attention(kernel)
    if tile is None or streamed is None:
        raise ValueError(f"{kernel.name}: its keys and values can't be streamed")
    known = streamed_tiles(chip_for(target.name), kernel.operand_dtype, *streamed.widths)
    if replace(tile, shares=None) not in known:
        raise ValueError(f"{kernel.name}: {tile}: it can't be made for {target.name}")
    names = Names({*_LOCAL_NAMES.split(), *SHARE_NAMES.split()})
    parameters = pointers(kernel.parameters, alignments, names)
    bodies = attention_bodies(kernel)
    epilogue = bodies["epilogue"]
    mask = score_mask(bodies["score"].body)
    tiles = key_range(bodies["score"], mask, tile)
    geometry = attention_geometry(kernel, epilogue, tile.queries, tile.channel_parts)
    # Neighbours share keys and values, which a die's cache serves. Where they need unlike many
    # tiles, what is taken in turn is shared out more evenly.
    if target.dies > 1 and not tiles.firsts and not tiles.stops:
        geometry = replace(geometry, walk=TileWalk(target.dies, 1))
    threads = tile.waves * target.wave
    value = replace(streamed.value, width=streamed.value.width // tile.channel_parts)
    channel_blocks = -(-value.width // CHANNEL_BLOCK)
    # Beside results, a thread leaves the greatest of its scores and the sum of its weights.
    numbers = (channel_blocks * 16 + 2) * threads
    shares = plan_shared_keys(geometry, tile, bodies["key"].points("keys"), numbers)
    number, numbered = ("number", ()) if shares else _block_number(geometry)
    (batch, tile_row, part), definitions = block_axes(
        geometry, ("batch", "tile_row", "channel_part"), names, number
    )
    batch_texts, batch_axes = decode_axes(epilogue.axes("batch"), batch.text, names)
    context = StagingContext(kernel.operand_dtype, threads, parameters, batch_texts, names)
    score = plan_scores(bodies["score"], mask, tile, context)
    widths = (streamed.key.width, value.width)
    return Plan(
        template="streamed_attention.jinja",
        values={
            "arguments": argument_texts(parameters) + (shares.arguments if shares else ()),
            "threads": threads,
            "element": STORAGE_TYPES[kernel.operand_dtype],
            "tile": tile,
            "wave_queries": WAVE_QUERIES,
            "places": streamed_places(target.local_bytes, tile.keys, *widths),
            "block_axes": (*numbered, *definitions),
            "tile_row": tile_row.text,
            "batch_axes": batch_axes,
            "key_points": bodies["key"].points("keys"),
            "key_stream": _stream(bodies["key"], streamed.key, "inner", context),
            "value_stream": _stream(bodies["value"], value, "channels", context),
            "first_channel": "0" if part.text == "0" else f"{part.text} * {value.width}",
            "query": _query(bodies["query"], tile, context),
            "score": score,
            "range": tiles,
            "shares": shares,
            "walk": geometry.walk,
            "epilogue": plan_epilogue(
                epilogue,
                ("queries", "channels"),
                (tile.queries, channel_blocks * 32),
                channel_blocks * 16,
                ("own",),
                context,
            ),
        },
        threads=threads,
        local_bytes=streamed_bytes(target.local_bytes, tile.keys, *widths),
        geometry=replace(geometry, shared=shares.meeting.shared) if shares else geometry,
        kind="attention",
        notes=(*_notes(tile, mask), *((shares.note,) if shares else ())),
        headers=("lumc/streamed_attention.hpp",),
        meeting=shares.meeting if shares else None,
    )


def _block_number(geometry: Geometry) -> tuple[str, tuple[AxisDefinition, ...]]:
    """The number of the workgroup's tile, and the definition of its variable if it needs one."""
    if geometry.walk is None or geometry.blocks == 1:
        return "int(block())", ()
    text = f"die_run<{geometry.walk.dies}, {geometry.blocks}>(int(block()))"
    return "number", (AxisDefinition("number", text),)


def _stream(
    operand: GroupedBody,
    rows: StreamedRows,
    points: str,
    context: StagingContext,
) -> StreamText:
    (load,) = operand.body.loads()
    gone = (*operand.groups["keys"], *operand.groups[points])
    zero = (AxisText("0", 0, 0),)
    texts = group_texts(
        operand,
        {
            "batch": context.batch,
            "keys": zero * len(operand.groups["keys"]),
            points: zero * len(operand.groups[points]),
        },
    )
    pointer = context.pointers[load.parameter]
    offset = index_text(without_axes(load.offset, gone, operand.body.axes), texts, wide=True)
    return StreamText(
        first=pointer.name if offset == "0LL" else f"{pointer.name} + {offset}",
        stride=rows.stride,
        width=rows.width,
        bytes=rows.elements * context.dtype.bytes,
    )


def _query(operand: GroupedBody, tile: AttentionTile, context: StagingContext) -> QueryText:
    inner = operand.groups["inner"]
    lanes = choose_lanes(operand.body, inner, context.pointers, (_CHUNK,))
    names = context.names.inner()
    rows, row_axes = decode_axes(operand.axes("queries"), "row", names)
    points, inner_axes = decode_axes(operand.axes("inner"), "inner", names)
    texts = group_texts(operand, {"batch": context.batch, "queries": rows, "inner": points})
    scope = Scope(context.pointers, texts, lanes, names, single_lane="e")
    last = len(operand.body.instructions) - 1
    row_points, inner_points = operand.points("queries"), operand.points("inner")
    return QueryText(
        width=1 if lanes is None else _CHUNK,
        row_limit=row_points if row_points % tile.queries else None,
        inner_limit=inner_points if inner_points % 16 else None,
        row_axes=row_axes,
        inner_axes=inner_axes,
        code=body_code(operand.body, scope, (Pack(last, context.dtype, "packed"),)),
    )


def _notes(tile: AttentionTile, mask: ScoreMask) -> tuple[str, ...]:
    turns = tile.schedule is AttentionSchedule.PING_PONG
    return (
        f"tile {tile.queries} queries × {tile.keys} keys, {tile.waves} waves of {WAVE_QUERIES}"
        f" queries on matrix cores{', half of them a phase behind' if turns else ''}",
        "scores are transposed, so weights stay in registers; values are transposed on their way"
        " to shared memory",
        *(("masks are fetched a tile ahead",) if mask.flags else ()),
    )
