"""Rows that lie among each other in memory, and the tiles of them that workgroups take.

The channels of a picture's pixels are an example: the sums over all pixels are one row a channel,
or one a group of channels, and a row's own elements are only a few bytes at a time. So a workgroup
takes neighbouring rows together and walks along memory, and each thread has the same few rows
throughout.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lumc.codegen.body_scope import Pointer
from lumc.codegen.flat import (
    AxisUse,
    FlatBody,
    FlatLoad,
    FlatStore,
    flatten,
    merge_axes,
)
from lumc.codegen.joined_axes import join_axes
from lumc.codegen.pointwise import choose_lanes, walk_order
from lumc.codegen.row_memory import must_wait_with_stores
from lumc.codegen.row_walk import PhaseWalk, RowWalk, together, walk_own_axes
from lumc.codegen.vectorise import Lanes, step
from lumc.lowering.kernel_program import RowReduction

_THREADS = 256
_MOST_THREADS = 1024
# Runs of a row that are longer than this fill the lines of memory by themselves.
_LONG_RUN_BYTES = 256
# What a lane reads at once.
_VECTOR_BYTES = 16
# With fewer workgroups than this the chip is not full: tiles get narrower, workgroups larger.
_MANY_BLOCKS = 256
_STEPS = 8


@dataclass(frozen=True, slots=True)
class TileLayout:
    """How the threads of a workgroup lie over a tile of ``rows`` neighbouring rows.

    In memory each row has ``run`` elements and then the next row follows. ``across`` threads cover
    the tile's elements, ``width`` each, and ``slots`` such sets of threads take different columns.
    """

    rows: int
    run: int
    width: int
    slots: int
    threads: int

    @property
    def across(self) -> int:
        """Threads that cover a tile's elements at one column."""
        return self.rows * self.run // self.width

    @property
    def held(self) -> int:
        """Rows that a thread has elements of."""
        return max(1, self.width // self.run)

    @property
    def sharing(self) -> int:
        """Neighbouring threads that have elements of one row."""
        return max(1, self.run // self.width)

    def steps(self, columns: int, width: int) -> int:
        """Columns that each thread takes; ``width`` does not matter, as it lies along the rows."""
        del width
        return -(-columns // self.slots)


@dataclass(frozen=True, slots=True)
class RowTiles:
    """A row reduction that is walked in tiles.

    In the bodies of ``walk``'s looping phases axis ``place`` is not the row, but the element: row
    times the layout's run, and the place in the run.
    """

    walk: RowWalk[TileLayout]
    place: int

    @property
    def rows(self) -> int:
        """Rows that lie among each other."""
        return self.walk.rows[self.place].size

    @property
    def tiles(self) -> int:
        """Tiles that they are cut into."""
        return -(-self.rows // self.walk.layout.rows)


def tile_rows(kernel: RowReduction, pointers: Sequence[Pointer]) -> RowTiles | None:
    """The tiles of ``kernel``, or None where its rows are better walked one by one."""
    rank = len(kernel.rows)
    bodies = [flatten(p.body, p.stores, kernel.parameters) for p in kernel.phases]
    order = _order(bodies, rank)
    bodies = list(merge_axes([AxisUse(body, order) for body in bodies]))
    place = next((n for n in reversed(order) if bodies[0].axes[n].size > 1), None)
    phases = walk_own_axes(kernel, bodies, pointers)
    loops = [phase for phase in phases if phase.columns > 1]
    if place is None or not loops or len({phase.family for phase in loops}) > 1:
        return None
    run = _run(loops, place)
    if run is None or any(must_wait_with_stores(phase) for phase in loops):
        return None
    merged = [_along_memory(phase, place, run) if phase in loops else phase for phase in phases]
    bodies = [phase.body for phase in merged if phase.columns > 1]
    if not bodies:
        return None
    widths = [width for width in (8, 4, 2) if width % run == 0 or run % width == 0]
    lanes = choose_lanes(together(bodies), [place], pointers, widths)
    if lanes is None or not _has_vectors(bodies, lanes):
        return None
    rows = phases[0].body.axes[:rank]
    size = max(pointers[a.parameter].parameter.dtype.bytes for a in _vectors(bodies, lanes))
    if run * size >= _LONG_RUN_BYTES:
        return None
    outer = math.prod(a.size for a in rows) // rows[place].size
    columns = max(phase.columns for phase in merged)
    layout = _layout(outer, rows[place].size, run, lanes.width, columns, size)
    walked = tuple(replace(phase, lanes=lanes if phase.columns > 1 else None) for phase in merged)
    return RowTiles(RowWalk(rows, order, walked, layout), place)


def _order(bodies: Sequence[FlatBody], rank: int) -> tuple[int, ...]:
    """The rows' axes in the order in which what most is read of lies in memory."""
    reading = [(load, body) for body in bodies for load in body.loads() if load.offset.is_affine]
    if not reading:
        return tuple(range(rank))
    most, body = max(reading, key=lambda pair: _reach(pair[0], pair[1]))
    order = walk_order(most.offset, len(body.axes))
    return tuple(n for n in order if n < rank)


def _reach(access: FlatLoad | FlatStore, body: FlatBody) -> int:
    """Elements that an access touches, at most."""
    return math.prod(body.axes[n].size for n in access.offset.axes() if n < len(body.axes))


def _run(loops: Sequence[PhaseWalk], place: int) -> int | None:
    """Elements of a row that lie together before the next row begins; None where rows don't."""
    body = together([phase.body for phase in loops])
    own = loops[0].own
    last = next((n for n in reversed(own) if body.axes[n].size > 1), None)
    if last is None:
        return None
    reaching = [a for a in body.accesses() if a.offset.is_affine and place in a.offset.axes()]
    if not reaching:
        return None
    most = max(reaching, key=lambda access: _reach(access, body))
    if most.offset.coefficient(place) == 1:
        return 1
    size = body.axes[last].size
    if most.offset.coefficient(last) == 1 and most.offset.coefficient(place) == size:
        return size
    return None


def _along_memory(phase: PhaseWalk, place: int, run: int) -> PhaseWalk:
    """``phase`` with its row axis and its last own axis as one, which has the row's number."""
    if run == 1:
        return phase
    last = next(n for n in reversed(phase.own) if phase.body.axes[n].size > 1)
    return replace(phase, body=join_axes(phase.body, place, last))


def _vectors(bodies: Sequence[FlatBody], lanes: Lanes) -> list[FlatLoad]:
    """The loads that are vectors along ``lanes``, of elements that differ by column."""
    return [load for load in together(bodies).loads() if step(load.offset, lanes) == 1]


def _has_vectors(bodies: Sequence[FlatBody], lanes: Lanes) -> bool:
    """True when whatever is read at every point is read as vectors."""
    axes = frozenset(n for n, a in enumerate(bodies[0].axes) if a.size > 1)
    whole = [load for load in together(bodies).loads() if axes <= load.offset.axes()]
    return bool(whole) and all(step(load.offset, lanes) == 1 for load in whole)


def _layout(outer: int, rows: int, run: int, width: int, columns: int, size: int) -> TileLayout:
    """A tile for each of ``outer`` times ``rows`` rows with ``columns`` for the threads to share.

    ``size`` are the bytes of an element.
    """
    least = math.lcm(run, width) // run
    while least * run * size < _VECTOR_BYTES:
        least *= 2
    taken = min(-(-rows // least) * least, max(least, _THREADS * width // run // least * least))
    while (
        taken > least
        and outer * -(-rows // taken) < _MANY_BLOCKS
        and _is_long(taken * run // width, columns)
    ):
        taken = -(-taken // 2 // least) * least
    threads = _THREADS
    across = taken * run // width
    while (
        threads < _MOST_THREADS
        and outer * -(-rows // taken) < _MANY_BLOCKS
        and _is_long(across * _THREADS // threads, columns)
    ):
        threads *= 2
    return TileLayout(taken, run, width, max(1, min(threads // across, columns)), threads)


def _is_long(across: int, columns: int) -> bool:
    """Whether the threads of a workgroup have more columns each than they take at a time."""
    return columns * across > _STEPS * _THREADS
