"""The order in which a row reduction's rows are walked, and the threads that do it."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Generic, TypeVar

from lumc.codegen.body_scope import Pointer
from lumc.codegen.flat import AxisUse, FlatBody, flatten, merge_axes
from lumc.codegen.pointwise import choose_lanes, walk_order
from lumc.codegen.row_layout import Layout, RowLayout, along_columns, along_rows
from lumc.codegen.vectorise import Lanes, step
from lumc.lowering.kernel_program import KernelAxis, Reduction, RowReduction


@dataclass(frozen=True, slots=True)
class PhaseWalk:
    """A phase: its body, its own axes in the order they are walked, and the lanes on them.

    Phases of one ``family`` have own axes of equal sizes and are walked alike: what a thread saw
    in one of them it sees again in the next, step by step.
    """

    body: FlatBody
    own: tuple[int, ...]
    lanes: Lanes | None
    family: int
    reductions: tuple[Reduction, ...] = ()

    @property
    def columns(self) -> int:
        """Points of the own axes."""
        return math.prod(self.body.axes[n].size for n in self.own)

    @property
    def width(self) -> int:
        """Columns that a thread takes at a time."""
        return 1 if self.lanes is None else self.lanes.width

    def steps(self, layout: Layout) -> int:
        """Groups of columns that each thread takes."""
        return layout.steps(self.columns, self.width)


AnyLayout = TypeVar("AnyLayout", bound=Layout, covariant=True)


@dataclass(frozen=True, slots=True)
class RowWalk(Generic[AnyLayout]):
    """All phases, the rows' axes (which all bodies begin with), and the threads' layout.

    ``order`` are the numbers of the rows' axes as they are walked, the last one fastest.
    """

    rows: tuple[KernelAxis, ...]
    order: tuple[int, ...]
    phases: tuple[PhaseWalk, ...]
    layout: AnyLayout


def walk_rows(kernel: RowReduction, pointers: Sequence[Pointer], wave: int) -> RowWalk[RowLayout]:
    """Decide how the kernel's rows are walked."""
    bodies = [flatten(p.body, p.stores, kernel.parameters) for p in kernel.phases]
    order = _order(bodies, range(len(kernel.rows)))
    bodies = list(merge_axes([AxisUse(body, order) for body in bodies]))
    phases = walk_own_axes(kernel, bodies, pointers)
    row_axes = phases[0].body.axes[: len(kernel.rows)]
    count = math.prod(a.size for a in row_axes)
    columns = max(phase.columns for phase in phases)
    if _lies_along_rows(phases, row_axes, order):
        single = tuple(replace(phase, lanes=None) for phase in phases)
        return RowWalk(row_axes, order, single, along_rows(count, columns, wave))
    groups = max(-(-phase.columns // phase.width) for phase in phases)
    return RowWalk(row_axes, order, phases, along_columns(count, groups, wave))


def walk_own_axes(
    kernel: RowReduction, bodies: Sequence[FlatBody], pointers: Sequence[Pointer]
) -> tuple[PhaseWalk, ...]:
    """How the phases of ``kernel`` walk their own axes; ``bodies`` are theirs."""
    walks = _families(bodies, len(kernel.rows), pointers)
    return tuple(
        replace(walk, reductions=phase.reductions)
        for walk, phase in zip(walks, kernel.phases, strict=True)
    )


def _families(
    bodies: Sequence[FlatBody], rank: int, pointers: Sequence[Pointer]
) -> tuple[PhaseWalk, ...]:
    # What an axis is called in a phase makes no difference to how it is walked.
    own_sizes = [tuple(a.size for a in body.axes[rank:]) for body in bodies]
    found: dict[int, PhaseWalk] = {}
    for family, sizes in enumerate(dict.fromkeys(own_sizes)):
        members = [n for n, own in enumerate(own_sizes) if own == sizes]
        order = _order([bodies[n] for n in members], range(rank, rank + len(sizes)))
        merged = merge_axes([AxisUse(bodies[n], order) for n in members])
        lanes = choose_lanes(together(merged), order, pointers)
        for number, body in zip(members, merged, strict=True):
            found[number] = PhaseWalk(body, order, lanes, family)
    return tuple(found[number] for number in range(len(bodies)))


def together(bodies: Sequence[FlatBody]) -> FlatBody:
    """One body with the accesses of all; only for looking at them."""
    loads = tuple(load for body in bodies for load in body.loads())
    return FlatBody(bodies[0].axes, loads, tuple(s for body in bodies for s in body.stores))


def _order(bodies: Sequence[FlatBody], numbers: Sequence[int]) -> tuple[int, ...]:
    """Some axes as most of the memory lies: by the last access that mentions them all."""
    body = together(bodies)
    wanted = frozenset(n for n in numbers if body.axes[n].size > 1)
    for access in reversed(body.accesses()):
        if access.offset.is_affine and wanted <= access.offset.axes():
            order = walk_order(access.offset, len(body.axes))
            return tuple(n for n in order if n in numbers)
    return tuple(numbers)


def _lies_along_rows(
    phases: Sequence[PhaseWalk], rows: Sequence[KernelAxis], order: Sequence[int]
) -> bool:
    """True when neighbouring rows are nearer in memory than neighbouring columns."""
    last_row = next((n for n in reversed(order) if rows[n].size > 1), None)
    if last_row is None:
        return False
    balance = 0
    for phase in phases:
        own = next((n for n in reversed(phase.own) if phase.body.axes[n].size > 1), None)
        if own is None:
            continue
        for access in phase.body.accesses():
            balance += step(access.offset, Lanes(last_row, 1)) == 1
            balance -= step(access.offset, Lanes(own, 1)) == 1
    return balance > 0
