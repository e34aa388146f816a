"""What a launch executed: instructions by class, matrix products, bytes, lines, conflicts."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

CLASSES = (
    "valu",
    "transcendental",
    "mfma",
    "salu",
    "branch",
    "wait",
    "barrier",
    "scalar_memory",
    "global_load",
    "global_store",
    "global_atomic",
    "scratch_load",
    "scratch_store",
    "lds_load",
    "lds_store",
    "lds_atomic",
    "lds_permute",
    "other",
)
_SPACES = {
    "global": ("global_load", "global_store", "global_atomic"),
    "scratch": ("scratch_load", "scratch_store"),
    "lds": ("lds_load", "lds_store", "lds_atomic"),
    "scalar": ("scalar_memory",),
}


@dataclass(frozen=True)
class Counters:
    """Counts of one launch, from the number of times that each instruction was executed.

    ``records`` describes the program's instructions (`native.INSTRUCTION_RECORD`), ``counts`` says
    what each did (`native.COUNTS_RECORD`). An instruction counts once for a whole wave.
    """

    mnemonics: tuple[str, ...]
    records: NDArray[Any]
    counts: NDArray[Any]
    barriers: int
    workgroups: int

    @cached_property
    def instructions(self) -> int:
        """Wave-instructions executed."""
        return int(self.counts["executions"].sum())

    @cached_property
    def by_class(self) -> Mapping[str, int]:
        """Wave-instructions by class (`CLASSES`), those that occurred."""
        return self._sums("executions")

    @cached_property
    def by_mnemonic(self) -> Mapping[str, int]:
        """Wave-instructions by mnemonic, the most frequent first."""
        totals: Counter[str] = Counter()
        for k in np.flatnonzero(self.counts["executions"]):
            totals[self.mnemonics[k]] += int(self.counts["executions"][k])
        return dict(totals.most_common())

    @cached_property
    def matrix_products(self) -> Mapping[str, int]:
        """Matrix instructions by mnemonic, which names shape and formats."""
        return {name: n for name, n in self.by_mnemonic.items() if "mfma" in name or "wmma" in name}

    @cached_property
    def matrix_flops(self) -> int:
        """Floating-point or integer operations in matrix instructions: 2 * M * N * K * blocks."""
        r = self.records
        work = 2 * r["matrix_rows"].astype(np.int64) * r["matrix_columns"]
        work = work * r["matrix_depth"] * r["matrix_blocks"]
        return int((work * self.counts["executions"].astype(np.int64)).sum())

    @cached_property
    def bytes_by_class(self) -> Mapping[str, int]:
        """Bytes that active lanes moved, by class of memory instruction."""
        return self._sums("lanes", self.records["bytes"].astype(np.uint64))

    @cached_property
    def bytes_by_space(self) -> Mapping[str, int]:
        """Bytes that active lanes moved, by memory space: global, scratch, lds and scalar."""
        return {
            space: sum(self.bytes_by_class.get(name, 0) for name in names)
            for space, names in _SPACES.items()
        }

    @cached_property
    def cache_lines(self) -> int:
        """Cache lines touched by global accesses, counted once for each wave-instruction."""
        return int(self.counts["lines"].sum())

    def coalescing(self, line_bytes: int) -> float:
        """Useful share of the cache lines touched (1: every byte of every line was wanted).

        Above 1 where lanes want the same bytes.
        """
        moved = self.bytes_by_space["global"]
        return moved / (self.cache_lines * line_bytes) if self.cache_lines else 1.0

    @cached_property
    def lds_cycles(self) -> int:
        """LDS cycles under the chip's bank rules."""
        return int(self.counts["lds_cycles"].sum())

    @cached_property
    def lds_ideal_cycles(self) -> int:
        """LDS cycles if no two lanes ever met on a bank."""
        return int(self.counts["lds_ideal_cycles"].sum())

    @property
    def bank_conflict_factor(self) -> float:
        """LDS cycles against the ideal: 1 is free of conflicts."""
        return self.lds_cycles / self.lds_ideal_cycles if self.lds_ideal_cycles else 1.0

    def _sums(self, field: str, weight: NDArray[Any] | None = None) -> dict[str, int]:
        values = self.counts[field] if weight is None else self.counts[field] * weight
        totals = np.zeros(len(CLASSES), np.uint64)
        np.add.at(totals, self.records["kind"], values)
        return {name: int(n) for name, n in zip(CLASSES, totals, strict=True) if n}
