"""The instruction stream of a workgroup, for models of time."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

ACCUMULATION = 256
"""Number of the first accumulation register in register lists."""

_NO_ADDRESS = np.uint64(0xFFFFFFFFFFFFFFFF)


@dataclass(frozen=True, slots=True)
class Trace:
    """What one workgroup executed, in the order in which the emulator did.

    ``events`` has a record for every wave-instruction: ``instruction`` (an index into the
    program), ``wave``, ``exec`` (the active lanes before it) and ``addresses``. Waves run one
    after another between barriers, so take each wave's events on their own.
    """

    workgroup: tuple[int, int, int]
    events: NDArray[Any]
    all_addresses: NDArray[np.uint64]
    """Of all events, 64 for each access; see `addresses`."""

    def wave(self, number: int) -> NDArray[Any]:
        """The events of one wave, in program order."""
        events: NDArray[Any] = self.events[self.events["wave"] == number]
        return events

    def addresses(self, event: Any) -> NDArray[np.uint64]:
        """The lanes' addresses of a memory instruction, a row for each of its accesses.

        The shape is (accesses, 64): two for the two-address LDS forms, one for other accesses,
        none for everything else. Global addresses are the host's, LDS addresses begin at 0;
        inactive lanes hold anything.
        """
        begin = event["addresses"]
        if begin == _NO_ADDRESS:
            return np.zeros((0, 64), np.uint64)
        later = self.events["addresses"]
        later = later[(later != _NO_ADDRESS) & (later > begin)]
        end = int(later.min()) if later.size else self.all_addresses.size
        return self.all_addresses[int(begin) : end].reshape(-1, 64)


@dataclass(frozen=True, slots=True)
class Operands:
    """Registers that an instruction reads and writes, as (first, count) runs.

    ``vector_*`` number vector registers from 0 and accumulation registers from `ACCUMULATION`;
    ``scalar_*`` number scalar registers, with 106 VCC, 124 M0 and 126 EXEC.
    """

    vector_reads: tuple[tuple[int, int], ...]
    vector_writes: tuple[tuple[int, int], ...]
    scalar_reads: tuple[tuple[int, int], ...]
    scalar_writes: tuple[tuple[int, int], ...]


def operands_of(record: Any) -> Operands:
    """The registers of one instruction, from its `native.INSTRUCTION_RECORD`."""
    runs: dict[tuple[bool, bool], list[tuple[int, int]]] = {
        (vector, read): [] for vector in (False, True) for read in (False, True)
    }
    for k in range(int(record["range_count"])):
        key = (bool(record["range_is_vector"][k]), k < int(record["read_count"]))
        runs[key].append((int(record["range_first"][k]), int(record["range_size"][k])))
    return Operands(
        vector_reads=tuple(runs[True, True]),
        vector_writes=tuple(runs[True, False]),
        scalar_reads=tuple(runs[False, True]),
        scalar_writes=tuple(runs[False, False]),
    )
