"""Row reductions: threads share a row, walk it once a phase, and reduce among themselves.

A thread takes a few neighbouring columns at a time. What several phases load alike stays in
registers where the row is short enough.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from lumc.codegen.body_scope import BodyCode, Pack, Pointer, Scope, Total, Value
from lumc.codegen.flat import FlatBody
from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.identifiers import Names
from lumc.codegen.index_text import AxisText
from lumc.codegen.planning import AxisDefinition, Plan, argument_texts, decode_axes, pointers
from lumc.codegen.row_layout import RowLayout
from lumc.codegen.row_memory import (
    RowArray,
    keep_loads,
    must_wait_with_stores,
    needs_barrier,
    split_phase,
)
from lumc.codegen.row_tile_reduction import plan_row_tiles
from lumc.codegen.row_tiles import tile_rows
from lumc.codegen.row_totals import (
    SCRATCH_NAMES,
    TotalText,
    phase_title,
    scratch_arrays,
    total_texts,
)
from lumc.codegen.row_walk import RowWalk, walk_rows
from lumc.codegen.scalar_code import body_code
from lumc.codegen.target import Target
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import RowReduction

LOCAL_NAMES = SCRATCH_NAMES | {"row", "lane", "column", "step", "is_row", "e", "scratch"}
_UNROLLED_STEPS = 4


@dataclass(frozen=True, slots=True)
class Pass:
    """One walk over a row's columns (or, without a loop, what is done once a row)."""

    is_loop: bool
    steps: int
    width: int
    unroll: bool
    column: str
    columns: int
    is_ragged: bool
    axes: tuple[AxisDefinition, ...]
    code: BodyCode


@dataclass(frozen=True, slots=True)
class PhaseText:
    """A phase: the totals it makes, and its passes with a barrier between them."""

    title: str
    starts_with_barrier: bool
    totals: tuple[TotalText, ...]
    reduces: bool
    passes: tuple[Pass, ...]
    arrays: tuple[RowArray, ...] = ()


def plan_row_reduction(kernel: RowReduction, target: Target, alignments: Sequence[int]) -> Plan:
    """Plan ``kernel``; ``alignments`` are those of its parameters, in bytes."""
    names = Names(LOCAL_NAMES)
    parameters = pointers(kernel.parameters, alignments, names)
    if (tiles := tile_rows(kernel, parameters)) is not None:
        return plan_row_tiles(kernel, tiles, alignments)
    walk = walk_rows(kernel, parameters, target.wave)
    layout = walk.layout
    walked, row_axes = decode_axes([walk.rows[n] for n in walk.order], "row", names)
    row_texts = tuple(text for _, text in sorted(zip(walk.order, walked, strict=True)))
    kept = keep_loads(walk, parameters, names)
    totals = total_texts(kernel, names)
    writer = _PhaseWriter(walk, parameters, row_texts, names, totals)
    phases = tuple(
        writer.phase(number, kept.keep[number], kept.kept[number])
        for number in range(len(walk.phases))
    )
    rows = math.prod(a.size for a in walk.rows)
    waves = max(1, layout.lanes // target.wave) if layout.neighbours else 1
    scratch = _scratch(phases, layout, waves)
    group = AxisGroup(walk.order, tuple(kernel.rows[n].size for n in walk.order), layout.rows)
    return Plan(
        template="row_reduction.jinja",
        values={
            "arguments": argument_texts(parameters),
            "threads": layout.threads,
            "layout": layout,
            "wave": target.wave,
            "waves": waves,
            "rows": rows,
            "has_idle_rows": rows % layout.rows != 0,
            "axes": row_axes,
            "arrays": kept.arrays,
            "scratch": scratch,
            "phases": phases,
        },
        threads=layout.threads,
        local_bytes=sum(size for _, _, size in scratch),
        geometry=Geometry((group,)),
        kind="norm",
        notes=(_layout_note(layout),),
    )


@dataclass(frozen=True, slots=True)
class _PhaseWriter:
    """Makes the text of the phases of one kernel."""

    walk: RowWalk[RowLayout]
    pointers: tuple[Pointer, ...]
    rows: tuple[AxisText, ...]
    names: Names
    totals: tuple[tuple[TotalText, DType], ...]

    def phase(self, number: int, keep: Mapping[int, str], kept: Mapping[int, str]) -> PhaseText:
        """Phase ``number``, which keeps and reuses the loads given by value number."""
        walk = self.walk.phases[number]
        first = sum(len(phase.reductions) for phase in self.walk.phases[:number])
        mine = self.totals[first : first + len(walk.reductions)]
        totals = [
            Total(reduction.value, reduction.op, text.name)
            for reduction, (text, _) in zip(walk.reductions, mine, strict=True)
        ]
        arrays: tuple[RowArray, ...] = ()
        if must_wait_with_stores(walk):
            parts = split_phase(walk, self.walk.layout, self.pointers, self.names)
            arrays = parts.arrays
            passes: tuple[Pass, ...] = (
                self._pass(number, parts.compute, keep, kept, parts.packs, totals),
                self._pass(number, parts.store, {}, {**kept, **parts.packed}),
            )
        else:
            passes = (self._pass(number, walk.body, keep, kept, (), totals),)
        axes = [walk.body.axes[n] for n in walk.own]
        return PhaseText(
            title=phase_title(axes),
            starts_with_barrier=needs_barrier(self.walk, number),
            totals=tuple(text for text, _ in mine),
            reduces=bool(walk.own),
            passes=passes,
            arrays=arrays,
        )

    def _pass(
        self,
        number: int,
        body: FlatBody,
        keep: Mapping[int, str],
        kept: Mapping[int, str],
        packs: Sequence[Pack] = (),
        totals: Sequence[Total] = (),
    ) -> Pass:
        walk = self.walk.phases[number]
        layout = self.walk.layout
        names = self.names.inner()
        own, definitions = decode_axes([walk.body.axes[n] for n in walk.own], "column", names)
        axes = dict(zip(walk.own, own, strict=True))
        seen = sum(len(phase.reductions) for phase in self.walk.phases[:number])
        scope = Scope(
            self.pointers,
            [*self.rows, *(axes[n] for n in sorted(axes))],
            walk.lanes,
            names,
            [Value(text.name, dtype, False) for text, dtype in self.totals[:seen]],
            keep,
            kept,
        )
        steps = walk.steps(layout)
        return Pass(
            is_loop=bool(walk.own),
            steps=steps,
            width=walk.width,
            unroll=bool(keep or kept or packs) or steps <= _UNROLLED_STEPS,
            column=_column_text(layout, walk.width, steps),
            columns=walk.columns,
            is_ragged=walk.columns != steps * layout.lanes * walk.width,
            axes=definitions,
            code=body_code(body, scope, packs, totals),
        )


def _column_text(layout: RowLayout, width: int, steps: int) -> str:
    """The column of a thread's first lane in a step, over ``step`` and ``lane``."""
    terms = []
    if steps > 1:
        terms.append("step" if layout.lanes * width == 1 else f"step * {layout.lanes * width}")
    if layout.lanes > 1:
        terms.append("lane" if width == 1 else f"lane * {width}")
    return " + ".join(terms) or "0"


def _scratch(
    phases: Sequence[PhaseText], layout: RowLayout, waves: int
) -> tuple[tuple[str, int, int], ...]:
    """Shared arrays for reductions: their type, length and bytes."""
    if layout.neighbours:
        length = waves if waves > 1 else 0
    else:
        length = layout.threads if layout.lanes > 1 else 0
    if not length:
        return ()
    types = [total.type for phase in phases if phase.reduces for total in phase.totals]
    return scratch_arrays(types, length)


def _layout_note(layout: RowLayout) -> str:
    rows = f"{layout.rows} rows" if layout.rows > 1 else "a row"
    threads = f"{layout.lanes} threads" if layout.lanes > 1 else "a thread"
    where = "" if layout.neighbours else ", neighbouring threads on neighbouring rows"
    return f"{rows} a workgroup, {threads} a row{where}"
