"""``--search model``: tiles as the timing model finds them, where the cost model can't tell.

The cost model orders tiles in no time and without a compiler. The best few of them for the kernels
that a step spends its time in are compiled, traced and replayed, and the fastest is taken. What a
device measured is worth more and stays.
"""

from __future__ import annotations

import dataclasses
from collections import Counter
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lumc.codegen.build import compile_units
from lumc.codegen.cache import Cache
from lumc.codegen.emit import MathMode, emit_program
from lumc.codegen.instruction_clocks import unit_clocks
from lumc.codegen.launch_plan import COUNTER_BYTES, Meeting
from lumc.codegen.target import Target
from lumc.codegen.toolchains import CompilationError, Toolchain
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip, chip_for
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    Kernel,
    KernelProgram,
    ParameterAccess,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.necessary_work import necessary_work
from lumc.lowering.tuned import Pricer
from lumc.lowering.tuning_database import TuningDatabase
from lumc.runtime.kept_models import cached_model
from lumc.runtime.model_kernel import CompiledKernel, KernelArgument, NotModelledError
from lumc.runtime.predict_stage import KernelPrediction, predict_kernel
from lumc.runtime.predict_time import MovedBytes

_WORTH = 0.95
"""The part of a step whose kernels are judged, the longest first."""
_LEAST = 2.0
"""Times its launch that a kernel must take by the cost model: what is shorter gains nothing."""

Seconds = Callable[[Kernel], float | None]


@dataclass(frozen=True, slots=True)
class Judge:
    """Predicts kernels from their code, compiled as a stage's are."""

    target: Target
    math: MathMode
    chain: Toolchain
    store: Cache

    def seconds(self, kernel: Kernel) -> float | None:
        """Seconds of one launch, all its bytes from memory; None where the model can't tell."""
        found = self.prediction(kernel)
        return None if found is None else found.seconds

    def prediction(self, kernel: Kernel) -> KernelPrediction | None:
        """One launch, all its bytes from memory; None where the model can't tell."""
        program = KernelProgram("judged", (), (), (kernel,), (), ())
        (emitted,) = emit_program(program, self.target, math_mode=self.math).generated
        units = {emitted.symbol: emitted.unit}
        chip = chip_for(self.target.name)
        try:
            built = compile_units(units, self.chain, self.target.name, self.store)
            made = built.objects[emitted.symbol]
            compiled = CompiledKernel(
                emitted.symbol,
                made.code,
                made.assembly,
                emitted.grid,
                emitted.block,
                tuple(_arguments(kernel, emitted.meeting)),
                emitted.meeting,
            )
            modelled = cached_model(self.store)(compiled, chip)
        except (NotModelledError, CompilationError):
            return None
        sizes = {argument.buffer: argument.bytes for argument in compiled.arguments}
        moved = sum(
            min(sizes[each.buffer], part * modelled.workgroups)
            for each in modelled.traffic
            for part in (each.read, each.written)
        )
        wanted = necessary_work(kernel).operations or None
        return predict_kernel(
            emitted.symbol, emitted.kind, modelled, chip, [MovedBytes(moved, 0.0)], wanted
        )


def can_judge(target: str) -> bool:
    """True where the timing model has figures for ``target``."""
    return unit_clocks(target) is not None


def judge_tiles(
    program: KernelProgram,
    chip: Chip,
    tuning: TuningDatabase,
    seconds: Seconds,
    stop: Callable[[], bool],
) -> KernelProgram:
    """``program`` with the tiles that ``seconds`` finds fastest for what a step spends time in.

    Kernels that were measured stay as they are. When ``stop`` says so, the rest does too.
    """
    kernels = list(program.kernels)
    for number in _worth_judging(program, chip):
        if stop():
            break
        if not tuning.measured(kernels[number]):
            kernels[number] = _fastest(kernels[number], Pricer(chip), seconds)
    return dataclasses.replace(program, kernels=tuple(kernels))


def _fastest(kernel: Kernel, pricer: Pricer, seconds: Seconds) -> Kernel:
    choices = (kernel, *(one for one in pricer.unmeasured(kernel) if one != kernel))
    times = [(seconds(one), n) for n, one in enumerate(choices)]
    known = [(time, n) for time, n in times if time is not None]
    # Where the first can't be judged, the others have nothing to be compared with.
    return choices[min(known)[1]] if known and times[0][0] is not None else kernel


def _worth_judging(program: KernelProgram, chip: Chip) -> Iterator[int]:
    """Products and attention, those that a step spends most time in first."""
    launches = Counter(launch.kernel for launch in program.launches)
    costs = {number: predict_seconds(kernel, chip) for number, kernel in enumerate(program.kernels)}
    total = sum(costs[number] * count for number, count in launches.items())
    seen = 0.0
    for number in sorted(launches, key=lambda n: -costs[n] * launches[n]):
        if seen > _WORTH * total or costs[number] < _LEAST * chip.launch:
            return
        seen += costs[number] * launches[number]
        kernel = program.kernels[number]
        if isinstance(kernel, Gemm | Attention) and kernel.library is None:
            yield number


def _arguments(kernel: Kernel, meeting: Meeting | None) -> Iterator[KernelArgument]:
    for number, parameter in enumerate(kernel.parameters):
        size = extent(parameter) * parameter.dtype.bytes
        writes = parameter.access is not ParameterAccess.READ
        yield KernelArgument(number, 0, size, parameter.dtype, writes)
    if meeting is not None:
        next_buffer = len(kernel.parameters)
        yield KernelArgument(next_buffer, 0, meeting.workspace_bytes, DType.F32, writes=True)
        size = meeting.counters * COUNTER_BYTES
        yield KernelArgument(next_buffer + 1, 0, size, DType.I32, writes=True)
