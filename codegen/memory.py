"""Where each buffer of a kernel program lies, and what its launches need beside: regions.

The arena's memory is used again.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass

from lumc.codegen.launch_plan import COUNTER_BYTES, Meeting, Region
from lumc.lowering.kernel_program import Buffer, BufferKind, KernelProgram

ALIGNMENT = 256
"""Every buffer's offset in its region is a multiple of this many bytes."""

_REGIONS = {
    BufferKind.INPUT: Region.IO,
    BufferKind.OUTPUT: Region.IO,
    BufferKind.WEIGHT: Region.WEIGHTS,
    BufferKind.TABLE: Region.CONSTANTS,
    BufferKind.PREPARED: Region.CONSTANTS,
    BufferKind.INTERMEDIATE: Region.ARENA,
}


@dataclass(frozen=True, slots=True)
class Place:
    """``bytes`` of ``region`` from ``offset`` on."""

    region: Region
    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class Lifetime:
    """The launches, first and last included, that a buffer must outlive.

    Launches are numbered through ``prepare`` and then the launches of a step.
    """

    first: int
    last: int

    def meets(self, other: Lifetime) -> bool:
        """True when some launch needs both."""
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class MemoryPlan:
    """A place for each buffer of the program, the size of each region.

    ``meetings`` are places for a workspace and for counters, by the number of the launch that needs
    them. ``arena_floor`` is the most that is alive at once: no arena can be smaller.
    """

    places: tuple[Place, ...]
    meetings: Mapping[int, tuple[Place, Place]]
    region_bytes: tuple[tuple[Region, int], ...]
    arena_floor: int


def plan_memory(
    program: KernelProgram, meetings: Mapping[int, Meeting] | None = None
) -> MemoryPlan:
    """Places for all buffers of ``program``: aligned, and apart from each other while they live.

    Inputs, outputs, weights, tables and prepared values lie one after the other in their regions;
    intermediates share the arena with those that are dead when they are alive. ``meetings`` are
    what kernels need beside, by number: each launch has a workspace in the arena while it runs, and
    counters of its own.
    """
    launches = program.prepare + program.launches
    needs = {
        number: meetings[launch.kernel]
        for number, launch in enumerate(launches)
        if meetings and launch.kernel in meetings
    }
    buffers = len(program.buffers)
    lifetimes = [*buffer_lifetimes(program), *(Lifetime(n, n) for n in needs)]
    alive = [
        n
        for n, buffer in enumerate(program.buffers)
        if buffer.kind is BufferKind.INTERMEDIATE and lifetimes[n] is not None
    ]
    alive += range(buffers, len(lifetimes))
    exact = [buffer_bytes(buffer) for buffer in program.buffers]
    exact += [need.workspace_bytes for need in needs.values()]
    sizes = [_aligned(size) for size in exact]
    offsets = _pack(alive, sizes, lifetimes)
    ends = dict.fromkeys(Region, 0)
    regions = [_REGIONS[buffer.kind] for buffer in program.buffers]
    regions += [Region.ARENA] * len(needs)
    places = []
    for number, region in enumerate(regions):
        # An intermediate that no launch touches takes no room.
        offset = offsets.get(number, 0) if region is Region.ARENA else ends[region]
        places.append(Place(region, offset, exact[number]))
        if region is not Region.ARENA or number in offsets:
            ends[region] = max(ends[region], offset + sizes[number])
    found = {}
    for (number, need), workspace in zip(needs.items(), places[buffers:], strict=True):
        size = need.counters * COUNTER_BYTES
        found[number] = (workspace, Place(Region.COUNTERS, ends[Region.COUNTERS], size))
        ends[Region.COUNTERS] += _aligned(size)
    floor = _most_alive(alive, sizes, lifetimes)
    return MemoryPlan(tuple(places[:buffers]), found, tuple(ends.items()), floor)


def buffer_bytes(buffer: Buffer) -> int:
    """Bytes of a buffer's elements."""
    return math.prod(buffer.shape) * buffer.dtype.bytes


def buffer_lifetimes(program: KernelProgram) -> tuple[Lifetime | None, ...]:
    """From the first to the last launch that touches each buffer; None where none does."""
    found: list[Lifetime | None] = [None] * len(program.buffers)
    for number, launch in enumerate(program.prepare + program.launches):
        for argument in launch.arguments:
            known = found[argument.buffer]
            first = number if known is None else known.first
            found[argument.buffer] = Lifetime(first, number)
    return tuple(found)


def _aligned(size: int) -> int:
    return -(-size // ALIGNMENT) * ALIGNMENT


def _lifetime(lifetimes: Sequence[Lifetime | None], number: int) -> Lifetime:
    found = lifetimes[number]
    assert found is not None
    return found


def _most_alive(
    alive: Sequence[int], sizes: Sequence[int], lifetimes: Sequence[Lifetime | None]
) -> int:
    changes: dict[int, int] = {}
    for number in alive:
        life = _lifetime(lifetimes, number)
        changes[life.first] = changes.get(life.first, 0) + sizes[number]
        changes[life.last + 1] = changes.get(life.last + 1, 0) - sizes[number]
    most = total = 0
    for moment in sorted(changes):
        total += changes[moment]
        most = max(most, total)
    return most


def _pack(
    alive: Sequence[int], sizes: Sequence[int], lifetimes: Sequence[Lifetime | None]
) -> dict[int, int]:
    """Offsets in the arena; the best of a few orders of placing, largest first among them."""

    def length(number: int) -> int:
        life = _lifetime(lifetimes, number)
        return life.last - life.first + 1

    def first(number: int) -> int:
        return _lifetime(lifetimes, number).first

    orders: tuple[Callable[[int], tuple[int, ...]], ...] = (
        lambda n: (-sizes[n], first(n), n),
        lambda n: (-sizes[n], -length(n), n),
        lambda n: (-length(n), -sizes[n], n),
        lambda n: (-sizes[n] * length(n), first(n), n),
        lambda n: (first(n), -sizes[n], n),
    )
    floor = _most_alive(alive, sizes, lifetimes)
    best: dict[int, int] = {}
    least = math.inf
    for order in orders:
        offsets = _place_in_order(sorted(alive, key=order), sizes, lifetimes)
        needed = max((offset + sizes[n] for n, offset in offsets.items()), default=0)
        if needed < least:
            best, least = offsets, needed
        if least == floor:
            break
    return best


def _place_in_order(
    order: Sequence[int], sizes: Sequence[int], lifetimes: Sequence[Lifetime | None]
) -> dict[int, int]:
    """Each buffer in the smallest gap that holds it among those that live when it does."""
    placed: list[tuple[int, int, Lifetime]] = []  # (offset, end, lifetime), by offset
    offsets: dict[int, int] = {}
    for number in order:
        life = _lifetime(lifetimes, number)
        offset = _best_gap([p for p in placed if p[2].meets(life)], sizes[number])
        offsets[number] = offset
        placed.append((offset, offset + sizes[number], life))
        placed.sort(key=lambda p: p[0])
    return offsets


def _best_gap(taken: Sequence[tuple[int, int, Lifetime]], size: int) -> int:
    """The start of the smallest gap of at least ``size`` between places sorted by offset."""
    end, best, least = 0, None, math.inf
    for start, stop, _ in taken:
        if size <= start - end < least:
            best, least = end, start - end
        end = max(end, stop)
    return end if best is None else best
