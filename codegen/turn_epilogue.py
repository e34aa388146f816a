"""What is done with the sums of a product whose waves take turns.

All reads go through descriptors that know the tensors' ends and a lane's bounds, so nothing is
conditional, and what can be read before it is needed is: a wait for each would take longer than all
that is computed.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.body_scope import BodyCode, Pointer, Scope, Value
from lumc.codegen.flat import FlatBody, FlatLoad
from lumc.codegen.grouped_bodies import GroupedBody
from lumc.codegen.identifiers import Names
from lumc.codegen.planning import AxisDefinition, decode_axes
from lumc.codegen.pointwise import choose_lanes
from lumc.codegen.scalar_code import body_code
from lumc.codegen.staging import StagingContext, group_texts
from lumc.codegen.statements import STORAGE_TYPES, words
from lumc.codegen.vectorise import Lanes, step
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import GemmTile
from lumc.lowering.kernel_ranges import extent

_AHEAD_BYTES = 256
"""Bytes of a lane's registers that are free for reads when everything is multiplied."""


@dataclass(frozen=True, slots=True)
class Memory:
    """A parameter behind a descriptor: its pointer, and its name there and within bounds."""

    pointer: str
    bounded: str
    here: str
    elements: int


@dataclass(frozen=True, slots=True)
class Ahead:
    """A load that is done for several of a lane's places before any is used."""

    number: int
    element: str
    bytes: int
    array: str
    of_rows: bool
    """It depends on the row; otherwise it is done once for all rows."""

    def place(self, width: int) -> str:
        """The vector of a lane's place."""
        first = f"[first / {width}]" if width > 1 else "[first]"
        return f"{self.array}[ahead]{first}" if self.of_rows else f"{self.array}{first}"


@dataclass(frozen=True, slots=True)
class TurnEpilogue:
    """The epilogue as finished values: ``width`` neighbouring columns at a time.

    What depends on columns alone is read first, then for ``rows`` of a lane's rows at a time what
    depends on these; then those are computed and stored.
    """

    width: int
    rows: int
    row_limit: int | None
    column_limit: int | None
    row_axes: tuple[AxisDefinition, ...]
    column_axes: tuple[AxisDefinition, ...]
    memories: tuple[Memory, ...]
    of_columns: tuple[Ahead, ...]
    column_loads: BodyCode
    column_memories: tuple[Memory, ...]
    of_rows: tuple[Ahead, ...]
    row_loads: BodyCode
    row_memories: tuple[Memory, ...]
    code: BodyCode
    code_memories: tuple[Memory, ...]
    """What the code of each part touches."""


def plan_turn_epilogue(
    epilogue: GroupedBody,
    tile: GemmTile,
    lane_columns: int,
    totals: Sequence[str],
    context: StagingContext,
) -> TurnEpilogue:
    """Plan what a lane does with its sums, which are called ``totals``."""
    body = epilogue.body
    widths = [w for w in (8, 4, 2) if lane_columns % w == 0]
    lanes = choose_lanes(body, epilogue.groups["columns"], context.pointers, widths)
    width = 1 if lanes is None else lanes.width
    names = context.names.inner()
    memories = {n: _memory(context.pointers[n], names) for n in _used(body)}
    rows, row_axes = decode_axes(epilogue.axes("rows"), "row", names)
    columns, column_axes = decode_axes(epilogue.axes("columns"), "column", names)
    place = "first" if lanes is None else "first + e"
    ahead = _loads_ahead(epilogue, lanes, context, names)
    scope = Scope(
        pointers=[
            replace(pointer, name=memories[n].here) if n in memories else pointer
            for n, pointer in enumerate(context.pointers)
        ],
        axes=group_texts(epilogue, {"batch": context.batch, "rows": rows, "columns": columns}),
        lanes=lanes,
        names=names,
        accumulators=[
            Value(f"{total}.at(lane_row, {place})", DType.F32, lanes is not None)
            for total in totals
        ],
    )
    kept = {load.number: load.place(width) for load in ahead}
    of_rows = tuple(load for load in ahead if load.of_rows)
    of_columns = tuple(load for load in ahead if not load.of_rows)
    row_points, column_points = epilogue.points("rows"), epilogue.points("columns")
    column_loads = _loads_code(body, scope, of_columns, kept)
    row_loads = _loads_code(body, scope, of_rows, kept)
    code = body_code(body, replace(scope, kept=kept))
    return TurnEpilogue(
        width=width,
        rows=_rows_at_once(of_rows, tile.rows // tile.wave_rows // 16, lane_columns),
        row_limit=row_points if row_points % tile.rows else None,
        column_limit=column_points if column_points % tile.columns else None,
        row_axes=row_axes,
        column_axes=column_axes,
        memories=tuple(memories.values()),
        of_columns=of_columns,
        column_loads=column_loads,
        column_memories=_touched(column_loads, memories.values()),
        of_rows=of_rows,
        row_loads=row_loads,
        row_memories=_touched(row_loads, memories.values()),
        code=code,
        code_memories=_touched(code, memories.values()),
    )


def _used(body: FlatBody) -> tuple[int, ...]:
    return tuple(sorted({access.parameter for access in body.accesses()}))


def _touched(code: BodyCode, memories: Iterable[Memory]) -> tuple[Memory, ...]:
    used = {word for part in (code.once, code.each, code.after) for s in part for word in words(s)}
    return tuple(memory for memory in memories if memory.here in used)


def _memory(pointer: Pointer, names: Names) -> Memory:
    return Memory(
        pointer.name,
        names.fresh(f"{pointer.name}_memory"),
        names.fresh(f"{pointer.name}_here"),
        extent(pointer.parameter),
    )


def _loads_ahead(
    epilogue: GroupedBody, lanes: Lanes | None, context: StagingContext, names: Names
) -> tuple[Ahead, ...]:
    """The loads that depend on no value, of elements that are neighbours in all lanes."""
    rows = frozenset(epilogue.groups["rows"])
    found = []
    for number, load in enumerate(epilogue.body.instructions):
        if not isinstance(load, FlatLoad) or load.computed or load.predicate is not None:
            continue
        if lanes is not None and step(load.offset, lanes) != 1:
            continue
        pointer = context.pointers[load.parameter]
        dtype = pointer.parameter.dtype
        array = names.fresh(f"{pointer.name}{number}_ahead")
        of_rows = bool(load.offset.axes() & rows)
        found.append(Ahead(number, STORAGE_TYPES[dtype], dtype.bytes, array, of_rows))
    return tuple(found)


def _rows_at_once(of_rows: Sequence[Ahead], lane_rows: int, lane_columns: int) -> int:
    """The most of a lane's rows, without remainder, whose reads have room in its registers."""
    each = lane_columns * sum(load.bytes for load in of_rows)
    fitting = (
        n for n in range(lane_rows, 1, -1) if lane_rows % n == 0 and n * each <= _AHEAD_BYTES
    )
    return next(fitting, 1)


def _loads_code(
    body: FlatBody, scope: Scope, loads: Sequence[Ahead], places: dict[int, str]
) -> BodyCode:
    numbers = [load.number for load in loads]
    keep = {number: places[number] for number in numbers}
    return body_code(replace(body, stores=()), replace(scope, keep=keep), loads=numbers)
