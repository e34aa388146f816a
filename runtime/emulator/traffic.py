"""How much memory a traced workgroup asks for, buffer by buffer."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from lumc.runtime.emulator import native
from lumc.runtime.emulator.program import Program
from lumc.runtime.emulator.trace import Trace

_TRAFFIC = np.dtype([("requests", "u8"), ("misses", "u8"), ("read", "u8"), ("written", "u8")])


@dataclass(frozen=True, slots=True)
class Traffic:
    """Of one buffer, in cache lines.

    ``requests`` count a line once for each wave-instruction that touches it; ``misses`` are those
    that go beyond the unit's own cache (stores and atomics all do); ``read`` and ``written`` are
    distinct lines, those of atomics in both.
    """

    requests: int
    misses: int
    read: int
    written: int


def traffic(
    program: Program, trace: Trace, buffers: Sequence[tuple[int, int]], cache_bytes: int
) -> tuple[Traffic, ...]:
    """What ``trace`` asks of each of ``buffers``, given as (first address, address after the last).

    The unit's cache has ``cache_bytes`` and keeps what was used last.
    """
    ranges = np.array(buffers, np.uint64).reshape(-1, 2)
    counts = np.zeros(len(ranges), _TRAFFIC)
    events, addresses = trace.events, np.ascontiguousarray(trace.all_addresses)
    native.interpreter().lumc_traffic(
        program.handle,
        events.ctypes.data,
        events.size,
        addresses.ctypes.data,
        ranges.ctypes.data,
        len(ranges),
        cache_bytes,
        counts.ctypes.data,
    )
    return tuple(Traffic(*row) for row in counts.tolist())
