"""Attention: keys come tile by tile, their softmax is kept running, weights never leave the chip.

Scores are products on matrix cores like those of ``gemm``; weights are rounded to the operands'
dtype before they are multiplied with the values, everything else is f32.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.attention_geometry import attention_geometry
from lumc.codegen.attention_tiles import AttentionShape, attention_shape, attention_threads
from lumc.codegen.body_scope import BodyCode, Pack, Scope, Value
from lumc.codegen.gemm import plan_epilogue
from lumc.codegen.gemm_tiles import matrix_wave, row_lanes
from lumc.codegen.grouped_bodies import GroupedBody, attention_bodies
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
from lumc.codegen.shares import SHARE_NAMES, plan_shared_keys
from lumc.codegen.staging import FILLING_NOTES, Staging, StagingContext, Tile, group_texts, stage
from lumc.codegen.statements import STORAGE_TYPES
from lumc.codegen.streamed_attention import plan_streamed_attention
from lumc.codegen.target import Target
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Attention, AttentionSchedule

_LOCAL_NAMES = """
row column inner key channel first_row first_inner first_key first_channel lane_row first e step
chunk place part packed at wave wave_row slice shrink weight scores softmax results Scores Results
Chunk query_tile key_tile value_tile weight_tile streamed_tile begin stop sums shared_tile
"""
"""Names that the template uses itself."""


@dataclass(frozen=True, slots=True)
class ScoreText:
    """What makes scores of raw products, ``width`` neighbouring keys at a time."""

    width: int
    row_limit: int | None
    key_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    key_axes: tuple[AxisDefinition, ...]
    code: BodyCode


def plan_attention(kernel: Attention, target: Target, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``; ``alignments`` are those of its parameters, in bytes.

    Raises:
        ValueError: its tile is none that can be made for ``target``.
    """
    if kernel.tile is not None and kernel.tile.schedule is not AttentionSchedule.STEPS:
        return plan_streamed_attention(kernel, target, alignments)
    shape = attention_shape(kernel, target)
    names = Names({*_LOCAL_NAMES.split(), *SHARE_NAMES.split()})
    parameters = pointers(kernel.parameters, alignments, names)
    bodies = attention_bodies(kernel)
    epilogue = bodies["epilogue"]
    geometry = attention_geometry(kernel, epilogue, shape.queries)
    threads = attention_threads(shape, target, kernel.operand_dtype)
    wave = matrix_wave(target, kernel.operand_dtype)
    # Beside results, a thread leaves the greatest score and the sum of weights of each of its rows.
    rows = shape.wave_queries * row_lanes(target, kernel.operand_dtype) // wave
    results = shape.wave_queries * shape.channels * shape.channel_slices // wave
    shares = None
    if kernel.tile is not None:
        numbers = (results + 2 * rows) * threads
        key_points = bodies["key"].points("keys")
        shares = plan_shared_keys(geometry, kernel.tile, key_points, numbers)
    number = "number" if shares else "int(block())"
    (batch, tile_row, _), definitions = block_axes(
        geometry, ("batch", "tile_row", "channels"), names, number
    )
    batch_texts, batch_axes = decode_axes(epilogue.axes("batch"), batch.text, names)
    context = StagingContext(kernel.operand_dtype, threads, parameters, batch_texts, names)
    staging = _staging(bodies, shape, context)
    matrix = target.has_matrix(kernel.operand_dtype)
    return Plan(
        template="attention.jinja",
        values={
            "arguments": argument_texts(parameters) + (shares.arguments if shares else ()),
            "threads": threads,
            "element": STORAGE_TYPES[kernel.operand_dtype],
            "shape": shape,
            "wave_size": wave,
            "shares": shares,
            "walk": None,
            "block_axes": definitions,
            "tile_row": tile_row.text,
            "batch_axes": batch_axes,
            "key_points": bodies["key"].points("keys"),
            **{tile.tile.name: tile for tile in staging},
            "score": _score(bodies["score"], shape, matrix, context),
            "epilogue": plan_epilogue(
                epilogue,
                ("queries", "channels"),
                (shape.queries, shape.channels),
                shape.channels // (4 if matrix else 8),
                ("results[slice]",),
                context,
            ),
        },
        threads=threads,
        local_bytes=shape.local_bytes(kernel.operand_dtype),
        geometry=replace(geometry, shared=shares.meeting.shared) if shares else geometry,
        kind="attention",
        notes=(*_notes(shape, staging, matrix), *((shares.note,) if shares else ())),
        headers=("lumc/attention.hpp",),
        meeting=shares.meeting if shares else None,
    )


def _staging(
    bodies: Mapping[str, GroupedBody], shape: AttentionShape, context: StagingContext
) -> tuple[Staging, ...]:
    query = Tile(
        name="query",
        row_group="queries",
        inner_group="inner",
        row="row",
        inner="inner",
        first_row="first_row",
        first_inner="first_inner",
        order=None,
        rows=shape.queries,
        depth=shape.depth,
    )
    key = Tile(
        name="key",
        row_group="keys",
        inner_group="inner",
        row="key",
        inner="inner",
        first_row="first_key",
        first_inner="first_inner",
        order="Scores",
        rows=shape.keys,
        depth=shape.depth,
    )
    value = Tile(
        name="value",
        row_group="channels",
        inner_group="keys",
        row="channel",
        inner="key",
        first_row="first_channel",
        first_inner="first_key",
        order="Results",
        rows=shape.channels,
        depth=shape.keys,
    )
    return tuple(stage(bodies[tile.name], tile, context) for tile in (query, key, value))


def _score(
    body: GroupedBody, shape: AttentionShape, matrix: bool, context: StagingContext
) -> ScoreText:
    lane_keys = shape.keys // (4 if matrix else 8)
    widths = [width for width in (8, 4, 2) if lane_keys % width == 0]
    lanes = choose_lanes(body.body, body.groups["keys"], context.pointers, widths)
    names = context.names.inner()
    rows, row_axes = decode_axes(body.axes("queries"), "row", names)
    keys, key_axes = decode_axes(body.axes("keys"), "key", names)
    texts = group_texts(body, {"batch": context.batch, "queries": rows, "keys": keys})
    place = "first" if lanes is None else "first + e"
    raw = Value(f"scores.at(lane_row, {place})", DType.F32, lanes is not None)
    last = len(body.body.instructions) - 1
    row_points, key_points = body.points("queries"), body.points("keys")
    return ScoreText(
        width=1 if lanes is None else lanes.width,
        row_limit=row_points if row_points % shape.queries else None,
        key_limit=key_points if key_points % shape.keys else None,
        row_axes=row_axes,
        key_axes=key_axes,
        code=body_code(
            body.body,
            Scope(context.pointers, texts, lanes, names, (raw,)),
            (Pack(last, DType.F32, "packed"),),
        ),
    )


def _notes(shape: AttentionShape, staging: Sequence[Staging], matrix: bool) -> tuple[str, ...]:
    how = "matrix cores" if matrix else "multiply-adds"
    fills = ", ".join(f"{s.tile.name} by {FILLING_NOTES[s.filling]}" for s in staging)
    cuts = [
        f"{count} slices of {size} {what}"
        for count, size, what in (
            (shape.inner_slices, shape.depth, "inner"),
            (shape.channel_slices, shape.channels, "channels"),
        )
        if count > 1
    ]
    return (
        f"tile {shape.queries} queries × {shape.keys} keys, {shape.waves} waves on {how}",
        f"filled: {fills}",
        *cuts,
    )
