"""Cuts whose machine code has faults give way to the next best: a gate behind the compiler.

How a kernel is cut is decided before it is compiled. What the compiler then makes of it can be many
times slower than the cut deserves: registers spilled to scratch, sums copied to and fro, a wait for
memory in the middle of the products. Such code is right, only slow, so it is no error: the next cut
takes its place, and the report says so.
"""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field, replace

from lumc.codegen.emit import EmittedKernel, EmittedProgram
from lumc.codegen.isa_report import isa_report
from lumc.codegen.target import Target
from lumc.codegen.toolchains import CompiledObject
from lumc.lowering.chips import Chip
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import Attention, Gemm, Kernel, KernelProgram
from lumc.lowering.tuned import variants
from lumc.lowering.tuning_database import variant

_MOST_CUTS = 4
"""Cuts of a kernel that are compiled before the first one is kept as it is."""
_MOST_LOSS = 2.0
"""Times what the first cut should take: a cut that is slower by itself is no way out."""


@dataclass(frozen=True, slots=True)
class PutAside:
    """A cut that was not taken, and why; ``instead`` is None where all had faults."""

    kernel: str
    cut: str
    faults: tuple[str, ...]
    instead: str | None


@dataclass(slots=True)
class SoundTiles:
    """Finds sound cuts for the kernels of one program, by number; to be asked until it is content.

    ``trusted`` says of a kernel that its cut was chosen by measuring: that is worth more than what
    its code looks like.
    """

    chip: Chip
    target: Target
    trusted: Callable[[Kernel], bool]
    _tried: dict[int, dict[str, tuple[Kernel, tuple[str, ...]]]] = field(default_factory=dict)
    _settled: set[int] = field(default_factory=set)

    def recut(
        self,
        program: KernelProgram,
        emitted: EmittedProgram,
        objects: Mapping[str, CompiledObject],
    ) -> KernelProgram | None:
        """``program`` with other cuts where the code has faults; None when nothing is to change."""
        if not self.target.is_amd:
            return None
        kernels = list(program.kernels)
        for number, made in enumerate(emitted.kernels):
            if isinstance(made, EmittedKernel) and number not in self._settled:
                assembly = objects[made.symbol].assembly
                kernels[number] = self._better(number, kernels[number], made.symbol, assembly)
        changed = tuple(kernels) != program.kernels
        return replace(program, kernels=tuple(kernels)) if changed else None

    def put_aside(self) -> tuple[PutAside, ...]:
        """All cuts that had faults."""
        return tuple(note for number in sorted(self._tried) for note in self._notes(number))

    def _better(self, number: int, kernel: Kernel, symbol: str, assembly: str) -> Kernel:
        """``kernel``, or the cut to try in its place."""
        if not isinstance(kernel, Gemm | Attention) or self.trusted(kernel):
            self._settled.add(number)
            return kernel
        tried = self._tried.setdefault(number, {})
        faults = isa_report(assembly, symbol, self.target.name).faults()
        tried[variant(kernel)] = (kernel, faults)
        if not faults:
            self._settled.add(number)
            return kernel
        first = next(iter(tried.values()))[0]
        if len(tried) < _MOST_CUTS and (other := self._next(first, tried)) is not None:
            return other
        # None is sound: the one that the model likes best, as if there were no gate.
        self._settled.add(number)
        return first

    def _next(self, first: Kernel, tried: Collection[str]) -> Kernel | None:
        """The fastest cut by the cost model that was not tried."""
        most = _MOST_LOSS * predict_seconds(first, self.chip)
        left = [one for one in variants(first, self.chip) if variant(one) not in tried]
        times = [(predict_seconds(one, self.chip), n) for n, one in enumerate(left)]
        seconds, number = min(times, default=(most + 1, 0))
        return left[number] if seconds <= most else None

    def _notes(self, number: int) -> Iterator[PutAside]:
        tried = self._tried[number]
        sound = next((cut for cut, (_, faults) in tried.items() if not faults), None)
        for cut, (kernel, faults) in tried.items():
            if faults:
                yield PutAside(kernel.name, cut, faults, sound)
