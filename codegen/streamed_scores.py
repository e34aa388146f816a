"""Scores of streamed attention: what is done with raw products, and where nothing is.

What scores need of memory is fetched a tile ahead, as far as there are registers.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.body_scope import BodyCode, Pack, Pointer, Scope, Value
from lumc.codegen.flat import FlatBody, FlatLoad, live_values
from lumc.codegen.grouped_bodies import GroupedBody
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText, index_text
from lumc.codegen.planning import AxisDefinition, decode_axes
from lumc.codegen.pointwise import choose_lanes
from lumc.codegen.scalar_code import body_code
from lumc.codegen.score_masks import ScoreMask
from lumc.codegen.staging import StagingContext, group_texts
from lumc.codegen.statements import STORAGE_TYPES, LoadVector, literal_text
from lumc.codegen.vectorise import Lanes, step
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis
from lumc.lowering.kernel_program import AttentionTile
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.streamed_attention import TOO_FAR
from lumc.lowering.tiles import WAVE_QUERIES


@dataclass(frozen=True, slots=True)
class HeldLoad:
    """What scores of the next tile need from memory, fetched a tile ahead."""

    name: str
    element: str
    pointer: str
    memory: str
    """The variable with its bounded memory, of ``elements``."""
    elements: int
    flag: bool
    """Where all are true the raw products are the scores."""


@dataclass(frozen=True, slots=True)
class ScoreText:
    """What makes scores of raw products, ``width`` neighbouring keys at a time."""

    unit: str
    """Powers of 2 that a unit of the scores is."""
    empty: bool
    """All scores of a row may be minus infinity."""
    changes: bool
    """Raw products are not the scores everywhere."""
    width: int
    rows: int
    row_limit: int | None
    key_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    key_axes: tuple[AxisDefinition, ...]
    held: tuple[HeldLoad, ...]
    load: BodyCode
    code: BodyCode
    plain: tuple[str, ...] | None
    """Conditions on a wave's tile, under which raw products are the scores; None: never."""


@dataclass(frozen=True, slots=True)
class TileRange:
    """Keys that a workgroup needs: none before any of ``firsts``, none from any of ``stops`` on."""

    firsts: tuple[str, ...]
    stops: tuple[str, ...]


def plan_scores(
    score: GroupedBody, mask: ScoreMask, tile: AttentionTile, context: StagingContext
) -> ScoreText:
    """What is done with the raw products of ``score``, of which ``mask`` is known."""
    body = mask.body
    lanes = _lanes(score, context)
    width = 1 if lanes is None else lanes.width
    names = context.names.inner()
    rows, row_axes = decode_axes(score.axes("queries"), "row", names)
    keys, key_axes = decode_axes(score.axes("keys"), "key", names)
    texts = group_texts(score, {"batch": context.batch, "queries": rows, "keys": keys})
    place = "first" if lanes is None else "first + e"
    raw = Value(f"own.scores[block][{place}]", DType.F32, lanes is not None)
    last = len(body.instructions) - 1
    held = _held(mask, lanes, tile, context.pointers, names)
    where = {number: f"{load.name}[block][first / {width}]" for number, load in held.items()}
    near = _near(context.pointers, held, body)
    pack = (Pack(last, DType.F32, "packed"),)
    row_points, key_points = score.points("queries"), score.points("keys")
    return ScoreText(
        unit=literal_text(mask.factor * math.log2(math.e), DType.F32),
        empty=not mask.is_plain,
        changes=not mask.is_plain or key_points % tile.keys != 0,
        width=width,
        rows=row_points,
        row_limit=row_points if body.loads() and row_points % tile.queries else None,
        key_limit=key_points if key_points % tile.keys else None,
        row_axes=row_axes,
        key_axes=key_axes,
        held=tuple(held.values()),
        load=_only_loads(
            body_code(body, Scope(near, texts, lanes, names.inner(), (raw,), keep=where), pack)
        ),
        code=body_code(
            body, Scope(context.pointers, texts, lanes, names, (raw,), kept=where), pack
        ),
        plain=_plain(score, mask, held, tile),
    )


def _lanes(score: GroupedBody, context: StagingContext) -> Lanes | None:
    """Neighbouring keys that are scored together: of a lane's 16 as many as loads allow."""
    last = score.last("keys")
    if score.body.loads() or last is None:
        return choose_lanes(score.body, score.groups["keys"], context.pointers, (16, 8, 4, 2))
    widths = (width for width in (8, 4, 2) if score.body.axes[last].size % width == 0)
    return next((Lanes(last, width) for width in widths), None)


# Bytes of a lane for what is fetched a tile ahead: more registers are not left.
_MOST_HELD = 64


def _held(
    mask: ScoreMask,
    lanes: Lanes | None,
    tile: AttentionTile,
    pointers_: Sequence[Pointer],
    names: Names,
) -> dict[int, HeldLoad]:
    """The loads of scores that are fetched a tile ahead, by value number."""
    found: dict[int, HeldLoad] = {}
    left = _MOST_HELD
    live = live_values(mask.body, [len(mask.body.instructions) - 1])
    for number, load in enumerate(mask.body.instructions):
        if not isinstance(load, FlatLoad) or number not in live:
            continue
        if load.computed or load.predicate is not None:
            continue
        parameter = pointers_[load.parameter].parameter
        size = tile.keys // 2 * parameter.dtype.bytes
        along = lanes is None or step(load.offset, lanes) == 1
        near = extent(parameter) * parameter.dtype.bytes < TOO_FAR
        if not along or not near or size > left:
            continue
        left -= size
        found[number] = HeldLoad(
            name=names.fresh(f"{parameter.name}_next"),
            element=STORAGE_TYPES[parameter.dtype],
            pointer=pointers_[load.parameter].name,
            memory=names.fresh(f"{parameter.name}_memory"),
            elements=extent(parameter),
            flag=number in mask.flags,
        )
    return found


def _near(
    pointers_: Sequence[Pointer], held: Mapping[int, HeldLoad], body: FlatBody
) -> tuple[Pointer, ...]:
    """The parameters, those that are held as places which are bounded by the hardware."""
    names = {}
    for number, load in held.items():
        instruction = body.instructions[number]
        assert isinstance(instruction, FlatLoad)
        names[instruction.parameter] = f"{load.memory}.where(inside)"
    return tuple(
        replace(pointer, name=names.get(number, pointer.name))
        for number, pointer in enumerate(pointers_)
    )


def _plain(
    score: GroupedBody, mask: ScoreMask, held: Mapping[int, HeldLoad], tile: AttentionTile
) -> tuple[str, ...] | None:
    """Conditions on a wave's tile under which raw products are the scores; None: it never is so."""
    if not mask.keeps or any(number not in held for number in mask.flags):
        return None
    rows = ("wave_row", f"(wave_row + {WAVE_QUERIES - 1})")
    keys = ("first_key", f"(first_key + {tile.keys - 1})")
    found = []
    for condition in mask.conditions:
        most = _extreme(condition.expression, score, rows, keys, greatest=True)
        if most is None:
            return None
        found.append(f"{most} < 0")
    points = score.points("keys")
    if points % tile.keys:
        found.append(f"first_key <= {points - tile.keys}")
    return tuple(found)


def _extreme(
    expression: IndexExpression,
    score: GroupedBody,
    rows: tuple[str, str],
    keys: tuple[str, str],
    *,
    greatest: bool,
) -> str | None:
    """The least or greatest value of ``expression``, for rows and keys between two of each.

    None where that is not simply its value at the corners.
    """
    if not expression.is_affine:
        return None
    texts = [AxisText("0", 0, 0)] * len(score.body.axes)
    for number in expression.axes():
        group = next(g for g, numbers in score.groups.items() if number in numbers)
        if group == "batch":
            return None
        # Only what changes slowest grows with the number that axes are walked by.
        slowest, *faster = (n for n in score.groups[group] if score.body.axes[n].size > 1)
        if number != slowest:
            return None
        inner = math.prod(score.body.axes[n].size for n in faster)
        rises = (expression.coefficient(number) > 0) == greatest
        text = (rows if group == "queries" else keys)[rises]
        texts[number] = AxisText(text if inner == 1 else f"quotient({text}, {inner})", 0, 0)
    return index_text(expression, texts)


def key_range(score: GroupedBody, mask: ScoreMask, tile: AttentionTile) -> TileRange:
    """Conditions that exclude all keys before, or after, some key exclude whole tiles."""
    row_points, key_points = score.points("queries"), score.points("keys")
    rows = ("first_row", f"within(first_row + {tile.queries - 1}, 0, {row_points - 1})")
    sized = [n for n in score.groups["keys"] if score.body.axes[n].size > 1]
    found: dict[int, list[str]] = {1: [], -1: []}
    for condition in mask.conditions:
        if not condition.excludes or len(sized) != 1:
            continue
        step_ = condition.expression.coefficient(sized[0])
        rest = add(condition.expression, axis(sized[0]), -step_)
        least = _extreme(rest, score, rows, ("0", "0"), greatest=False)
        if step_ in found and least is not None:
            found[step_].append(least)
    # step · key + least < 0 for some query, or the key is excluded.
    stops = [f"within(-({least}), 1, {key_points})" for least in found[1]]
    firsts = [f"within({least} + 1, 0, {key_points - 1})" for least in found[-1]]
    return TileRange(tuple(firsts), tuple(stops))


def _only_loads(code: BodyCode) -> BodyCode:
    """Of ``code`` just what fetches vectors that are declared elsewhere."""
    loads = (s for s in code.once if isinstance(s, LoadVector) and not s.declares)
    return BodyCode(tuple(loads), (), ())
