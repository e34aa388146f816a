"""Which launches have to wait for which, by the memory that they read and write."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass


@dataclass(frozen=True, slots=True)
class Access:
    """At most the bytes from ``start`` to ``stop`` are read, or ``writes`` them."""

    start: int
    stop: int
    writes: bool

    def meets(self, other: Access) -> bool:
        """Whether a byte may be in both."""
        return self.start < other.stop and other.start < self.stop

    def covers(self, other: Access) -> bool:
        """Whether all bytes of ``other`` are in this too."""
        return self.start <= other.start and other.stop <= self.stop


def dependencies(launches: Sequence[Sequence[Access]]) -> tuple[tuple[int, ...], ...]:
    """For each launch the earlier ones that it has to wait for, without those implied by others.

    Two launches may run at the same time unless one writes what the other reads or writes.
    """
    found: list[tuple[int, ...]] = []
    # For each launch, as bits: all launches that have ended when it begins.
    before: list[int] = []
    last: list[tuple[Access, int]] = []
    for number, accesses in enumerate(launches):
        met = {
            earlier
            for access in accesses
            for known, earlier in last
            if (access.writes or known.writes) and access.meets(known)
        }
        direct: list[int] = []
        ended = 0
        for earlier in sorted(met, reverse=True):
            if not ended >> earlier & 1:
                direct.append(earlier)
                ended |= before[earlier] | 1 << earlier
        found.append(tuple(reversed(direct)))
        before.append(ended)
        for access in accesses:
            if access.writes:
                # What meets one of these meets this launch too, which waits for them.
                last = [pair for pair in last if not access.covers(pair[0])]
            last.append((access, number))
    return tuple(found)


def is_chain(waits: Sequence[Sequence[int]]) -> bool:
    """Whether every launch waits for the one before it."""
    return all(number - 1 in waited for number, waited in enumerate(waits) if number)
