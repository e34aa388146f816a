"""Costs and cuts of kernels: as measured where they were, else by the model of the chip."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace

from lumc.lowering.chips import Chip
from lumc.lowering.cost import (
    attention_call,
    attention_cuts,
    predict_seconds,
    product_call,
    product_cuts,
)
from lumc.lowering.kernel_program import Attention, Gemm, Kernel, KernelProgram
from lumc.lowering.select_tiles import with_tile
from lumc.lowering.stored_scores import store_scores
from lumc.lowering.tighten import BoundKernel, tighten
from lumc.lowering.tuning_database import TuningDatabase, variant

TRIED_TILES = 4
"""Tiles of a kernel that are worth measuring: those that are best by the model."""


@dataclass(frozen=True, slots=True)
class Pricer:
    """What kernels cost on ``chip``, and how they are cut, by ``database`` where it knows them."""

    chip: Chip
    database: TuningDatabase | None = None
    _known: dict[Kernel, float] = field(default_factory=dict, compare=False, repr=False)

    def microseconds(self, kernel: Kernel) -> float:
        """Of one launch, cut in the best way; what is measured later does not change it."""
        if kernel not in self._known:
            self._known[kernel] = self._microseconds(kernel)
        return self._known[kernel]

    def _microseconds(self, kernel: Kernel) -> float:
        if self.database is not None and self.database.knows_anything:
            bound = BoundKernel(kernel, ((0, 0),) * len(kernel.parameters))
            measured = self.database.measured(tighten(bound).kernel)
            if measured:
                return min(measured.values()) * 1e6
        return predict_seconds(kernel, self.chip) * 1e6

    def cut(self, program: KernelProgram) -> KernelProgram:
        """``program`` with every product and attention cut in the best way.

        Where there is a library for products, attention may become two of them.
        """
        if self.chip.library is not None:
            program = store_scores(program, self.microseconds)
        return replace(program, kernels=tuple(map(self._cut, program.kernels)))

    def _cut(self, kernel: Kernel) -> Kernel:
        measured = self.database.measured(kernel) if self.database is not None else {}
        known = [one for one in variants(kernel, self.chip) if variant(one) in measured]
        if known:
            return min(known, key=lambda one: measured[variant(one)])
        return with_tile(kernel, self.chip)

    def unmeasured(self, kernel: Kernel) -> tuple[Kernel, ...]:
        """The ways to cut ``kernel`` that are worth measuring and were not yet, best first."""
        measured = self.database.measured(kernel) if self.database is not None else {}
        found = sorted(variants(kernel, self.chip), key=lambda k: predict_seconds(k, self.chip))
        return tuple(one for one in found[:TRIED_TILES] if variant(one) not in measured)


def variants(kernel: Kernel, chip: Chip) -> Iterator[Kernel]:
    """All ways to do ``kernel`` on ``chip``; itself where there is no choice.

    The library's call is one of them where ``chip`` has a library that takes it.
    """
    match kernel:
        case Gemm():
            if (product := product_call(kernel, chip)) is not None:
                yield replace(kernel, tile=None, library=product)
            for tile in product_cuts(kernel, chip):
                yield replace(kernel, tile=tile, library=None)
        case Attention():
            if (attention := attention_call(kernel, chip)) is not None:
                yield replace(kernel, tile=None, library=attention)
            for cut in attention_cuts(kernel, chip):
                yield replace(kernel, tile=cut, library=None)
        case _:
            yield kernel
