"""Launches wait for those that they need, and for no others."""

from collections.abc import Sequence

import numpy as np
from hypothesis import given
from hypothesis import strategies as st

from lumc.runtime.devices.dependencies import Access, dependencies, is_chain


def reads(start: int, stop: int) -> Access:
    return Access(start, stop, False)


def writes(start: int, stop: int) -> Access:
    return Access(start, stop, True)


def test_siblings_do_not_wait_for_each_other() -> None:
    launches = [
        [writes(0, 10)],
        [reads(0, 10), writes(10, 20)],
        [reads(0, 10), writes(20, 30)],
        [reads(10, 30), writes(30, 40)],
    ]
    assert dependencies(launches) == ((), (0,), (0,), (1, 2))
    assert not is_chain(dependencies(launches))


def test_memory_that_is_used_again_is_waited_for() -> None:
    launches = [
        [writes(0, 10)],
        [reads(0, 10), writes(10, 20)],
        [writes(5, 8)],
        [reads(9, 10), writes(20, 30)],
    ]
    assert dependencies(launches) == ((), (0,), (1,), (0,))


def test_a_chain() -> None:
    launches = [[reads(n, n + 1), writes(n + 1, n + 2)] for n in range(5)]
    assert dependencies(launches) == ((), (0,), (1,), (2,), (3,))
    assert is_chain(dependencies(launches))


ACCESS = st.builds(
    lambda start, size, write: Access(start, start + size, write),
    st.integers(0, 20),
    st.integers(1, 8),
    st.booleans(),
)


def run(launches: Sequence[Sequence[Access]], order: Sequence[int]) -> list[object]:
    """What each launch reads, where a launch's writes are of its own number."""
    memory = np.full(64, -1)
    seen: list[object] = [None] * len(launches)
    for number in order:
        for access in launches[number]:
            if not access.writes:
                seen[number] = (seen[number], tuple(memory[access.start : access.stop]))
        for access in launches[number]:
            if access.writes:
                memory[access.start : access.stop] = number
    return [*seen, tuple(memory)]


@given(st.lists(st.lists(ACCESS, min_size=1, max_size=3), max_size=9), st.randoms())
def test_every_order_that_waits_sees_the_same(launches: list[list[Access]], random: object) -> None:
    waits = dependencies(launches)
    done: list[int] = []
    while len(done) < len(launches):
        ready = [
            n for n in range(len(launches)) if n not in done and all(w in done for w in waits[n])
        ]
        done.append(random.choice(ready))  # type: ignore[attr-defined]
    assert run(launches, done) == run(launches, range(len(launches)))
