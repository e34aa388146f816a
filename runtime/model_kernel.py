"""What the emulator and the timing model say of a compiled kernel, at its full size.

A few workgroups run on random data and are traced; the model replays each as often as a compute
unit holds it at a time. Nothing here knows clocks in hertz or the bandwidth of memory.
"""

from __future__ import annotations

import hashlib
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.instruction_clocks import UnitClocks, unit_clocks
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip
from lumc.runtime.emulator import Checks, Emulator, LaunchResult, Trace
from lumc.runtime.emulator import KernelArgument as EmulatorArgument
from lumc.runtime.emulator.timing import MODEL_VERSION, Timing, time_trace
from lumc.runtime.emulator.traffic import Traffic, traffic

NEAR_CACHE_BYTES = 32 << 10
"""The vector cache of a compute unit is at least so large on every chip of the table."""

_LIMIT = 50_000_000
"""Instructions of a wave: one that takes longer is waiting for another workgroup."""

_PERIOD = 1_000_003


class NotModelledError(LumcError):
    """The timing model has no figures for a chip, or cannot run a kernel."""


@dataclass(frozen=True, slots=True)
class KernelArgument:
    """A pointer of a launch: bytes ``offset`` on of buffer ``buffer``, which has ``bytes``."""

    buffer: int
    offset: int
    bytes: int
    dtype: DType
    writes: bool


@dataclass(frozen=True, slots=True)
class CompiledKernel:
    """Code and how it is launched."""

    symbol: str
    code: bytes
    assembly: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[KernelArgument, ...]

    def key(self, target: str) -> str:
        """Names all that the model's answer depends on."""
        sizes = [(a.buffer, a.offset, a.bytes, a.dtype.name) for a in self.arguments]
        known = repr((MODEL_VERSION, unit_clocks(target), self.grid, self.block, sizes))
        return hashlib.sha256(known.encode() + self.code).hexdigest()


@dataclass(frozen=True, slots=True)
class BufferTraffic:
    """Bytes that an average workgroup moves between its compute unit and one buffer."""

    buffer: int
    fetched: float
    """What the unit's own cache does not answer, stores included."""
    read: float
    written: float
    """Distinct."""


@dataclass(frozen=True, slots=True)
class ModelledKernel:
    """An average workgroup, and a compute unit that runs ``resident`` of them at a time."""

    workgroups: int
    resident: int
    waves_per_simd: int
    limited_by: str
    clocks: Mapping[int, float]
    """Of a compute unit, by the number of workgroups that it runs to their ends: ``resident``, and
    those that are left over in the last round."""
    matrix_clocks: float
    vector_clocks: float
    """Of an average workgroup, as a share of all four SIMDs."""
    prologue: float
    epilogue: float
    steady: float
    whole: float
    lds: float
    near: float
    """Shares of the time with ``resident`` workgroups, as in `Timing`."""
    stalls: Mapping[str, float]
    matrix_operations: float
    bank_conflicts: float
    traffic: tuple[BufferTraffic, ...]


def model_kernel(kernel: CompiledKernel, chip: Chip) -> ModelledKernel:
    """Trace a few workgroups of ``kernel`` on random data and replay them on ``chip``.

    Raises:
        NotModelledError: there are no figures for ``chip``, or the kernel does not end on its own.
        LumcError: the emulator does not know an instruction of it.
    """
    figures(chip)
    emulator = Emulator(kernel.code, kernel.assembly, Checks.LIMIT)
    arrays, buffers = random_buffers(kernel.arguments)
    geometry = (kernel.grid, kernel.block)
    return model_launch(emulator, kernel.symbol, *geometry, arrays, buffers, chip)


def model_launch(
    emulator: Emulator,
    symbol: str,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    arguments: Sequence[EmulatorArgument],
    buffers: Mapping[int, tuple[int, int]],
    chip: Chip,
    *,
    dynamic_lds: int = 0,
) -> ModelledKernel:
    """The same for any code object and arguments; ``buffers`` are where to count traffic.

    Raises:
        NotModelledError: there are no figures for ``chip``, or the kernel can't be traced.
    """
    clocks = figures(chip)
    total = grid[0] * grid[1] * grid[2]
    result = _traced(emulator, symbol, grid, block, arguments, dynamic_lds)
    occupancy = emulator.occupancy(symbol, block, dynamic_lds)
    on_a_unit = -(-total // chip.units)
    resident = max(1, min(occupancy.workgroups, on_a_unit))
    numbers = {resident, on_a_unit % resident or resident}
    timings = {
        copies: [time_trace(emulator.program, t, clocks, copies) for t in result.traces]
        for copies in sorted(numbers)
    }
    full = timings[resident]
    counters = result.counters
    return ModelledKernel(
        workgroups=total,
        resident=resident,
        waves_per_simd=occupancy.waves_per_simd,
        limited_by=occupancy.limited_by,
        clocks={copies: _mean([t.clocks for t in found]) for copies, found in timings.items()},
        matrix_clocks=_mean([t.whole * t.clocks for t in full]) / resident,
        vector_clocks=_mean([t.vector * t.clocks for t in full]) / resident,
        prologue=_mean([t.prologue for t in full]),
        epilogue=_mean([t.epilogue for t in full]),
        steady=_weighted(full, [t.steady for t in full]),
        whole=_weighted(full, [t.whole for t in full]),
        lds=_weighted(full, [t.lds for t in full]),
        near=_weighted(full, [t.memory for t in full]),
        stalls=_stalls(full),
        matrix_operations=counters.matrix_flops / max(1, counters.workgroups),
        bank_conflicts=counters.bank_conflict_factor,
        traffic=_traffic(emulator, result.traces, buffers, clocks),
    )


def _traced(
    emulator: Emulator,
    symbol: str,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    arguments: Sequence[EmulatorArgument],
    dynamic_lds: int,
) -> LaunchResult:
    """The first workgroup, the last and one between, with traces of all three."""
    total = grid[0] * grid[1] * grid[2]
    places = [_place(number, grid) for number in sorted({0, total // 2, total - 1})]
    try:
        return emulator.launch(
            symbol,
            grid,
            block,
            arguments,
            dynamic_lds=dynamic_lds,
            workgroups=places,
            trace=places,
            instruction_limit=_LIMIT,
        )
    except LumcError as error:
        message = f"{symbol} can't be traced: {error.diagnostics[0].message}"
        raise NotModelledError(Diagnostic("T010", message)) from error


def figures(chip: Chip) -> UnitClocks:
    """The clocks of ``chip``'s units.

    Raises:
        NotModelledError: the model has none.
    """
    clocks = unit_clocks(chip.target)
    if clocks is None:
        message = f"the timing model has no figures for {chip.target}"
        hint = "it has some for gfx90a, gfx942 and gfx950; the cost model knows every chip"
        raise NotModelledError(Diagnostic("T011", message, hint=hint))
    return clocks


Array = npt.NDArray[Any]


def random_buffers(
    arguments: Sequence[KernelArgument],
) -> tuple[list[Array], dict[int, tuple[int, int]]]:
    """An array for each argument, and where each buffer's bytes begin and end.

    Arguments in the same buffer get parts of the same array. Reals are standard normal; whole
    numbers are 0 or 1. What is only written holds anything.
    """
    sizes: dict[int, int] = {}
    read: dict[int, DType] = {}
    for each in arguments:
        sizes[each.buffer] = max(sizes.get(each.buffer, 0), each.bytes)
        if not each.writes:
            read.setdefault(each.buffer, each.dtype)
    generator = np.random.default_rng(0)
    whole = {n: random_bytes(size, read.get(n), generator) for n, size in sizes.items()}
    arrays = [whole[a.buffer][a.offset : a.bytes] for a in arguments]
    places = {n: int(array.ctypes.data) for n, array in whole.items()}
    return arrays, {n: (begin, begin + sizes[n]) for n, begin in places.items()}


def random_bytes(size: int, dtype: DType | None, generator: np.random.Generator) -> Array:
    """So many bytes that begin at a multiple of 256; random values of ``dtype`` if there is one."""
    storage = np.empty(size + 256, np.uint8)
    skip = -storage.ctypes.data % 256
    array = storage[skip : skip + size]
    if dtype is None:
        return array
    count = min(_PERIOD, max(1, size // dtype.bytes))
    if dtype.is_float:
        values = generator.standard_normal(count, np.float32).astype(dtype.numpy)
    else:
        values = generator.integers(0, 2, count).astype(dtype.numpy)
    piece = values.view(np.uint8)
    for begin in range(0, size, piece.size):
        end = min(size, begin + piece.size)
        array[begin:end] = piece[: end - begin]
    return array


def _place(number: int, grid: tuple[int, int, int]) -> tuple[int, int, int]:
    rest, x = divmod(number, grid[0])
    z, y = divmod(rest, grid[1])
    return x, y, z


def _mean(values: Sequence[float]) -> float:
    return sum(values) / len(values)


def _weighted(timings: Sequence[Timing], values: Sequence[float]) -> float:
    """The mean of shares of times that are not equally long."""
    total = sum(timing.clocks for timing in timings)
    return sum(t.clocks * value for t, value in zip(timings, values, strict=True)) / total


def _stalls(timings: Sequence[Timing]) -> dict[str, float]:
    names = dict.fromkeys(name for timing in timings for name in timing.stalls)
    found = {n: _weighted(timings, [t.stalls.get(n, 0.0) for t in timings]) for n in names}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _traffic(
    emulator: Emulator,
    traces: Sequence[Trace],
    buffers: Mapping[int, tuple[int, int]],
    clocks: UnitClocks,
) -> tuple[BufferTraffic, ...]:
    found: list[tuple[Traffic, ...]] = [
        traffic(emulator.program, trace, list(buffers.values()), NEAR_CACHE_BYTES)
        for trace in traces
    ]
    line = clocks.line_bytes
    return tuple(
        BufferTraffic(
            number,
            fetched=line * _mean([each[k].misses for each in found]),
            read=line * _mean([each[k].read for each in found]),
            written=line * _mean([each[k].written for each in found]),
        )
        for k, number in enumerate(buffers)
    )
