"""Memory plans: nothing that lives overlaps, everything is aligned, and little is wasted."""

from __future__ import annotations

import itertools
import random

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumc.codegen.launch_plan import Meeting, Region
from lumc.codegen.memory import ALIGNMENT, buffer_lifetimes, plan_memory
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Argument, Buffer, BufferKind, KernelProgram, Launch

INTERMEDIATE = BufferKind.INTERMEDIATE


def program(
    buffers: list[tuple[BufferKind, int]],
    launches: list[list[int]],
    prepare: list[list[int]] | None = None,
) -> KernelProgram:
    """A program of the given (kind, elements) buffers and the buffers that each launch touches."""

    def made(rows: list[list[int]]) -> tuple[Launch, ...]:
        return tuple(Launch(0, tuple(Argument(n) for n in row)) for row in rows)

    named = (Buffer(f"b{n}", kind, DType.F16, (size,)) for n, (kind, size) in enumerate(buffers))
    return KernelProgram("p", tuple(named), (), (), made(prepare or []), made(launches))


@st.composite
def programs(draw: st.DrawFn) -> KernelProgram:
    kinds = st.sampled_from((*BufferKind, *[INTERMEDIATE] * 12))
    buffers = draw(st.lists(st.tuples(kinds, st.integers(1, 5000)), min_size=1, max_size=40))
    rows = st.lists(st.integers(0, len(buffers) - 1), max_size=4)
    return program(buffers, draw(st.lists(rows, max_size=30)), draw(st.lists(rows, max_size=5)))


@settings(max_examples=200, deadline=None)
@given(programs())
def test_what_lives_does_not_overlap(made: KernelProgram) -> None:
    plan = plan_memory(made)
    lifetimes = buffer_lifetimes(made)
    sizes = dict(plan.region_bytes)
    for buffer, place in zip(made.buffers, plan.places, strict=True):
        assert place.bytes == buffer.shape[0] * 2
        assert place.offset % ALIGNMENT == 0
        if place.region is not Region.ARENA:
            assert place.offset + place.bytes <= sizes[place.region]
    for left, right in itertools.combinations(range(len(made.buffers)), 2):
        one, other = plan.places[left], plan.places[right]
        if one.region is not other.region:
            continue
        life, limits = lifetimes[left], lifetimes[right]
        if one.region is Region.ARENA:
            if life is None or limits is None:
                continue
            if max(life.first, limits.first) > min(life.last, limits.last):
                continue
        assert one.offset + one.bytes <= other.offset or other.offset + other.bytes <= one.offset


@settings(max_examples=200, deadline=None)
@given(programs())
def test_the_arena_holds_what_it_must(made: KernelProgram) -> None:
    plan = plan_memory(made)
    arena = dict(plan.region_bytes)[Region.ARENA]
    lifetimes = buffer_lifetimes(made)
    used = [
        (place, life)
        for place, life in zip(plan.places, lifetimes, strict=True)
        if place.region is Region.ARENA and life is not None
    ]
    assert arena >= max((place.offset + place.bytes for place, _ in used), default=0)
    assert arena >= plan.arena_floor
    for moment in range(len(made.prepare + made.launches)):
        now = sum(
            -(-place.bytes // ALIGNMENT) * ALIGNMENT
            for place, life in used
            if life.first <= moment <= life.last
        )
        assert now <= plan.arena_floor


@pytest.mark.parametrize("seed", range(8))
def test_the_arena_is_near_its_floor(seed: int) -> None:
    """Programs like real ones: short-lived tensors of few sizes around a long-lived stream."""
    generator = random.Random(seed)
    sizes = [generator.randrange(1, 40) * 4096 for _ in range(6)]
    buffers: list[tuple[BufferKind, int]] = [(INTERMEDIATE, sizes[0])]
    launches = [[0]]
    for _ in range(300):
        buffers.append((INTERMEDIATE, generator.choice(sizes)))
        inputs = [max(0, len(buffers) - 1 - generator.randrange(1, 5)) for _ in range(2)]
        if generator.random() < 0.1:
            inputs.append(0)
        launches.append([*inputs, len(buffers) - 1])
    plan = plan_memory(program(buffers, launches))
    arena = dict(plan.region_bytes)[Region.ARENA]
    assert arena <= 1.15 * plan.arena_floor
    assert arena < 0.1 * sum(place.bytes for place in plan.places)


def test_equal_blocks_reuse_one_another_exactly() -> None:
    """Stream and temporaries of equal blocks: the floor is reached."""
    buffers = [(INTERMEDIATE, 10_000)] + [(INTERMEDIATE, 30_000), (INTERMEDIATE, 20_000)] * 24
    launches = [[0]]
    for block in range(24):
        wide, narrow = 1 + 2 * block, 2 + 2 * block
        launches += [[0, wide], [wide, narrow], [narrow, 0]]
    plan = plan_memory(program(buffers, launches))
    assert dict(plan.region_bytes)[Region.ARENA] == plan.arena_floor


def test_prepared_intermediates_use_the_arena_too() -> None:
    buffers = [
        (BufferKind.WEIGHT, 100),
        (BufferKind.PREPARED, 100),
        (INTERMEDIATE, 1000),
        (INTERMEDIATE, 1000),
        (BufferKind.OUTPUT, 100),
    ]
    plan = plan_memory(program(buffers, [[1, 3], [3, 4]], [[0, 2], [2, 1]]))
    regions = [place.region for place in plan.places]
    assert regions == [Region.WEIGHTS, Region.CONSTANTS, Region.ARENA, Region.ARENA, Region.IO]
    assert plan.places[2].offset == plan.places[3].offset == 0
    assert dict(plan.region_bytes) == {
        Region.ARENA: 2048,
        Region.WEIGHTS: 256,
        Region.CONSTANTS: 256,
        Region.IO: 256,
        Region.COUNTERS: 0,
    }


def test_what_nothing_touches_takes_no_room() -> None:
    plan = plan_memory(program([(INTERMEDIATE, 5000), (INTERMEDIATE, 10)], [[1]]))
    assert dict(plan.region_bytes)[Region.ARENA] == 256


@settings(max_examples=100, deadline=None)
@given(programs(), st.integers(1, 5000), st.integers(1, 100))
def test_a_launch_has_a_workspace_and_counters_of_its_own(
    made: KernelProgram, size: int, counters: int
) -> None:
    plan = plan_memory(made, {0: Meeting(size, counters, 2 * counters, 2)})
    launches = made.prepare + made.launches
    assert set(plan.meetings) == set(range(len(launches)))
    sizes, lifetimes = dict(plan.region_bytes), buffer_lifetimes(made)
    taken = []
    for number, (workspace, counted) in plan.meetings.items():
        assert (workspace.region, workspace.bytes) == (Region.ARENA, size)
        assert workspace.offset + size <= sizes[Region.ARENA]
        assert (counted.region, counted.bytes) == (Region.COUNTERS, 4 * counters)
        taken.append((counted.offset, counted.offset + counted.bytes))
        for place, life in zip(plan.places, lifetimes, strict=True):
            if place.region is Region.ARENA and life and life.first <= number <= life.last:
                behind = workspace.offset + size <= place.offset
                assert behind or place.offset + place.bytes <= workspace.offset
    taken.sort()
    assert all(stop <= start for (_, stop), (start, _) in itertools.pairwise(taken))
    assert not taken or taken[-1][1] <= sizes[Region.COUNTERS]
    assert dict(plan_memory(made, {1: Meeting(1, 1, 2, 2)}).region_bytes)[Region.COUNTERS] == 0
