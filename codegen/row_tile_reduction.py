"""Row reductions in tiles: rows that lie among each other in memory are walked together.

A thread takes the same elements of a column's run of memory at every column, so it has its own
results for them; those of one row meet in local memory at the end of a phase. What a batch of
columns needs is asked for before any of it is used.
"""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass, replace

from lumc.codegen.body_scope import BodyCode, Pointer, Scope, Total, Value
from lumc.codegen.flat import FlatLoad, live_values
from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.identifiers import Names, comment_text
from lumc.codegen.index_text import AxisText
from lumc.codegen.planning import AxisDefinition, Plan, argument_texts, decode_axes, pointers
from lumc.codegen.row_memory import (
    MOST_BYTES,
    MOST_STEPS,
    KeptLoads,
    RowArray,
    can_be_kept,
    keep_loads,
    needs_barrier,
    row_array,
)
from lumc.codegen.row_tiles import RowTiles, TileLayout
from lumc.codegen.row_totals import (
    SCRATCH_NAMES,
    TotalText,
    phase_title,
    scratch_arrays,
    total_texts,
)
from lumc.codegen.row_walk import PhaseWalk
from lumc.codegen.scalar_code import body_code
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Accumulator, RowReduction

LOCAL_NAMES = (
    SCRATCH_NAMES
    | {"tile", "outer", "across", "slot", "element", "is_element", "row", "r"}
    | {"column", "first", "step", "e"}
)
_BATCH = 8


@dataclass(frozen=True, slots=True)
class HeldTotal:
    """A row's result, as a later loop reads it: the variable, and the local memory it is in."""

    type: str
    name: str
    source: str


@dataclass(frozen=True, slots=True)
class TilePhase:
    """A phase: what is read of earlier ones, the batches of columns, and what is reduced.

    Without a loop, ``compute`` is done once for each row of the tile.
    """

    title: str
    starts_with_barrier: bool
    is_loop: bool
    held: tuple[HeldTotal, ...]
    totals: tuple[TotalText, ...]
    arrays: tuple[RowArray, ...]
    columns: int
    steps: int
    batch: int
    axes: tuple[AxisDefinition, ...]
    load: BodyCode | None
    compute: BodyCode


def plan_row_tiles(kernel: RowReduction, tiles: RowTiles, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``, whose rows are walked in ``tiles``."""
    names = Names(LOCAL_NAMES)
    parameters = pointers(kernel.parameters, alignments, names)
    walk, layout = tiles.walk, tiles.walk.layout
    inside, outside = _groups(kernel, tiles)
    outer, outer_axes = decode_axes([walk.rows[n] for n in outside], "outer", names)
    totals = total_texts(kernel, names)
    kept = keep_loads(walk, parameters, names, _most_bytes(layout))
    lanes = {text.name: names.fresh(f"{text.name}_lanes") for text, _ in totals}
    memory = {text.name: names.fresh(f"{text.name}_rows") for text, _ in totals}
    places = dict(zip(outside, outer, strict=True))
    writer = _PhaseWriter(tiles, parameters, places, names, totals, lanes, memory)
    phases = tuple(writer.phase(number, kept) for number in range(len(walk.phases)))
    types = dict.fromkeys(text.type for text, _ in totals)
    scratch = scratch_arrays(types, layout.threads * layout.held)
    results = tuple((text.type, memory[text.name], layout.rows) for text, _ in totals)
    size = sum(n for _, _, n in scratch)
    size += sum(n for kind, _, length in results for _, _, n in scratch_arrays((kind,), length))
    sizes = [axis.size for axis in kernel.rows]
    groups = (
        AxisGroup(outside, tuple(sizes[n] for n in outside), 1),
        AxisGroup(inside, tuple(sizes[n] for n in inside), layout.rows),
    )
    return Plan(
        template="row_tiles.jinja",
        values={
            "arguments": argument_texts(parameters),
            "threads": layout.threads,
            "layout": layout,
            "tiles": tiles.tiles,
            "outer": math.prod(sizes[n] for n in outside),
            "rows": tiles.rows,
            "is_ragged": tiles.rows % layout.rows != 0,
            "axes": outer_axes,
            "arrays": kept.arrays,
            "scratch": scratch,
            "results": results,
            "lanes": lanes,
            "memory": memory,
            "phases": phases,
        },
        threads=layout.threads,
        local_bytes=size,
        geometry=Geometry(groups),
        kind="norm",
        notes=(_layout_note(layout),),
    )


def _groups(kernel: RowReduction, tiles: RowTiles) -> tuple[tuple[int, ...], tuple[int, ...]]:
    """The numbers of the rows' axes inside of the tiled one, and of the others, as walked."""
    order = tiles.walk.order
    end = order.index(tiles.place) + 1
    start = end - 1
    # An axis that was merged into the tiled one has one point left.
    while start > 0 and tiles.walk.rows[order[start - 1]].size == 1:
        start -= 1
    return (*order[start:end], *order[end:]), order[:start]


@dataclass(frozen=True, slots=True)
class _PhaseWriter:
    """Makes the text of the phases of one kernel."""

    tiles: RowTiles
    pointers: tuple[Pointer, ...]
    outer: Mapping[int, AxisText]
    names: Names
    totals: tuple[tuple[TotalText, DType], ...]
    lanes: Mapping[str, str]
    """For each total the variable that a thread's own results are in."""
    memory: Mapping[str, str]
    """For each total the local memory that the rows' results are in."""

    def phase(self, number: int, kept: KeptLoads) -> TilePhase:
        """The text of phase ``number``."""
        walk = self.tiles.walk.phases[number]
        if walk.columns > 1:
            return self._loop(number, walk, kept)
        scope = Scope(
            self.pointers,
            self._axes(walk, "row", 1, {}),
            None,
            self.names.inner(),
            [
                Value(f"{self.memory[text.name]}[r]", dtype, False)
                for text, dtype in self._seen(number)
            ],
        )
        return TilePhase(
            title="once a row",
            starts_with_barrier=needs_barrier(self.tiles.walk, number),
            is_loop=False,
            held=(),
            totals=(),
            arrays=(),
            columns=1,
            steps=1,
            batch=1,
            axes=(),
            load=None,
            compute=body_code(walk.body, scope),
        )

    def _loop(self, number: int, walk: PhaseWalk, kept: KeptLoads) -> TilePhase:
        layout = self.tiles.walk.layout
        steps = walk.steps(layout)
        names = self.names.inner()
        own, definitions = decode_axes([walk.body.axes[n] for n in walk.own], "column", names)
        axes = dict(zip(walk.own, own, strict=True))
        mine = self.totals[(start := self._first(number)) : start + len(walk.reductions)]
        keep, earlier = kept.keep[number], kept.kept[number]
        batch, loads, arrays = self._batched(walk, {*keep, *earlier}, names)
        used = _accumulators(walk)
        scope = Scope(
            self.pointers,
            self._axes(walk, "element", layout.run, axes),
            walk.lanes,
            names,
            [self._held(text, dtype) for text, dtype in self._seen(number)],
            {**keep, **loads},
            earlier,
        )
        wanted = [*keep, *loads]
        load = None
        if wanted:
            load = body_code(replace(walk.body, stores=()), scope, loads=wanted)
        read = {value: f"read_only({name})" for value, name in {**keep, **loads}.items()}
        scope = replace(scope, keep={}, kept={**earlier, **read})
        totals = [
            Total(reduction.value, reduction.op, f"{self.lanes[text.name]}[e]")
            for reduction, (text, _) in zip(walk.reductions, mine, strict=True)
        ]
        return TilePhase(
            title=phase_title([walk.body.axes[n] for n in walk.own]),
            starts_with_barrier=needs_barrier(self.tiles.walk, number),
            is_loop=True,
            held=tuple(
                HeldTotal(text.type, text.name, self.memory[text.name])
                for n, (text, _) in enumerate(self._seen(number))
                if n in used
            ),
            totals=tuple(text for text, _ in mine),
            arrays=arrays,
            columns=walk.columns,
            steps=steps,
            batch=batch,
            axes=definitions,
            load=load,
            compute=body_code(walk.body, scope, (), totals),
        )

    def _first(self, number: int) -> int:
        return sum(len(phase.reductions) for phase in self.tiles.walk.phases[:number])

    def _seen(self, number: int) -> tuple[tuple[TotalText, DType], ...]:
        return self.totals[: self._first(number)]

    def _held(self, text: TotalText, dtype: DType) -> Value:
        layout = self.tiles.walk.layout
        if layout.held == 1:
            return Value(text.name, dtype, False)
        lane = "e" if layout.run == 1 else f"e / {layout.run}"
        return Value(f"{text.name}[{lane}]", dtype, True)

    def _axes(
        self, walk: PhaseWalk, place: str, run: int, own: Mapping[int, AxisText]
    ) -> list[AxisText]:
        """The texts of a body's axes; the tiled one is called ``place``."""
        texts = dict(self.outer)
        for n in range(len(self.tiles.walk.rows)):
            texts.setdefault(n, AxisText("0", 0, 0))
        texts[self.tiles.place] = AxisText(place, 0, self.tiles.rows * run - 1)
        texts |= own
        return [texts.get(n, AxisText("0", 0, 0)) for n in range(len(walk.body.axes))]

    def _batched(
        self, walk: PhaseWalk, kept: Collection[int], names: Names
    ) -> tuple[int, dict[int, str], tuple[RowArray, ...]]:
        """Steps of a batch, the loads that are done a batch ahead, and the registers for them."""
        layout = self.tiles.walk.layout
        steps = walk.steps(layout)
        live = live_values(walk.body, [r.value for r in walk.reductions])
        loads = [n for n in sorted(live.difference(kept)) if _is_batched(walk, n)]
        sizes = [self._pointer(walk, n).parameter.dtype.bytes * walk.width for n in loads]
        most = max(1, _most_bytes(layout) // max(1, sum(sizes)))
        batch = steps if kept or steps <= min(most, MOST_STEPS) else min(most, _BATCH)
        if batch > most:
            return batch, {}, ()
        found = {n: names.fresh(f"{self._pointer(walk, n).name}_batch") for n in loads}
        arrays = tuple(
            row_array(self._pointer(walk, n).parameter.dtype, walk.width, batch, name)
            for n, name in found.items()
        )
        return batch, {n: f"{name}[step]" for n, name in found.items()}, arrays

    def _pointer(self, walk: PhaseWalk, number: int) -> Pointer:
        load = walk.body.instructions[number]
        assert isinstance(load, FlatLoad)
        return self.pointers[load.parameter]


def _is_batched(walk: PhaseWalk, number: int) -> bool:
    load = walk.body.instructions[number]
    if not isinstance(load, FlatLoad) or not can_be_kept(load, walk):
        return False
    # What is the same in all columns is read before them.
    return bool(load.offset.axes() & frozenset(walk.own))


def _most_bytes(layout: TileLayout) -> int:
    """Bytes of registers for what a thread has loaded: large workgroups have fewer for each."""
    return min(MOST_BYTES, MOST_BYTES * 256 // layout.threads)


def _accumulators(walk: PhaseWalk) -> frozenset[int]:
    """The numbers of the earlier reductions that a phase reads."""
    live = live_values(walk.body, [r.value for r in walk.reductions])
    instructions = [walk.body.instructions[n] for n in live]
    return frozenset(i.number for i in instructions if isinstance(i, Accumulator))


def _layout_note(layout: TileLayout) -> str:
    return comment_text(
        f"a tile of {layout.rows} rows a workgroup, {layout.run} elements a row at a time;"
        f" {layout.across} threads across, {layout.slots} sets of them"
    )
