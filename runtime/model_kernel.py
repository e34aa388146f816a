"""What the emulator and the timing model say of a compiled kernel, at its full size.

A few workgroups run on random data and are traced; the model replays each as often as a compute
unit holds it at a time. Nothing here knows clocks in hertz or the bandwidth of memory.
"""

from __future__ import annotations

import hashlib
import heapq
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.instruction_clocks import UnitClocks, unit_clocks
from lumc.codegen.launch_plan import Meeting
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip
from lumc.lowering.shares import SharedTiles
from lumc.runtime.emulator import Checks, Emulator, LaunchResult, Trace
from lumc.runtime.emulator import KernelArgument as EmulatorArgument
from lumc.runtime.emulator.timing import MODEL_VERSION, Timing, time_trace
from lumc.runtime.emulator.traffic import Traffic, traffic

NEAR_CACHE_BYTES = 32 << 10
"""The vector cache of a compute unit is at least so large on every chip of the table."""

_LIMIT = 50_000_000
"""Instructions of a wave: one that takes longer is waiting for another workgroup."""

_PERIOD = 1_000_003

Mean = Callable[[Sequence[float]], float]


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
    meeting: Meeting | None = None

    def key(self, target: str) -> str:
        """Names all that the model's answer depends on."""
        sizes = [(a.buffer, a.offset, a.bytes, a.dtype.name) for a in self.arguments]
        shape = (self.grid, self.block, self.meeting)
        known = repr((MODEL_VERSION, unit_clocks(target), shape, sizes))
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
class ModelledParts:
    """The last ``workgroups`` of a launch, which share ``tiles`` tiles of ``steps`` steps each."""

    tiles: int
    workgroups: int
    steps: int
    clocks: float
    """Of a compute unit that runs as many of these workgroups as it holds at a time."""
    join: float
    """What the last workgroup of a tile takes beyond that."""


@dataclass(frozen=True, slots=True)
class ModelledKernel:
    """An average workgroup, and a compute unit that runs ``resident`` of them at a time."""

    workgroups: int
    resident: int
    waves_per_simd: int
    limited_by: str
    clocks: Mapping[int, float]
    """Of a compute unit, by the number of workgroups that it runs to their ends: ``resident``, and
    those that are left over in the last round. Where some tiles are whole, of the workgroups that
    have one for themselves."""
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
    parts: ModelledParts | None = None

    def unit_clocks(self, units: int) -> float:
        """Clocks until all workgroups have ended, which begin in order, on ``units`` units."""
        if self.parts is None:
            full, rest = divmod(-(-self.workgroups // units), self.resident)
            return full * self.clocks[self.resident] + (self.clocks[rest] if rest else 0.0)
        # When each place for a workgroup is free.
        free = [0.0] * (units * self.resident)
        for clocks in self._each():
            heapq.heapreplace(free, free[0] + clocks)
        return max(free)

    def mean_clocks(self, units: int) -> float:
        """The same, if all places were busy until all workgroups have ended."""
        if self.parts is None:
            return self.workgroups / (units * self.resident) * self.clocks[self.resident]
        return sum(self._each()) / (units * self.resident)

    def _each(self) -> Iterator[float]:
        assert self.parts is not None
        parts = self.parts
        for _ in range(self.workgroups - parts.workgroups):
            yield self.clocks[self.resident]
        shared = SharedTiles(parts.tiles, parts.steps, parts.workgroups)
        lasts = _last_shares(shared)
        for share in range(parts.workgroups):
            yield parts.clocks + (parts.join if share in lasts else 0.0)


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
    return model_launch(
        emulator, kernel.symbol, *geometry, arrays, buffers, chip, meeting=kernel.meeting
    )


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
    meeting: Meeting | None = None,
) -> ModelledKernel:
    """The same for any code object and arguments; ``buffers`` are where to count traffic.

    With a ``meeting`` the last arguments are a workspace and counters, which are 0.

    Raises:
        NotModelledError: there are no figures for ``chip``, or the kernel can't be traced.
    """
    clocks = figures(chip)
    total = grid[0] * grid[1] * grid[2]
    kinds = _kinds(total, meeting)
    results = [
        _traced(emulator, symbol, grid, block, arguments, dynamic_lds, kind) for kind in kinds
    ]
    traces = [trace for result in results for trace in result.traces]
    occupancy = emulator.occupancy(symbol, block, dynamic_lds)
    on_a_unit = -(-total // chip.units)
    resident = max(1, min(occupancy.workgroups, on_a_unit))
    numbers = {resident} if meeting else {resident, on_a_unit % resident or resident}
    timings = {
        copies: [time_trace(emulator.program, t, clocks, copies) for t in traces]
        for copies in sorted(numbers)
    }
    full = timings[resident]
    weights = [weight for kind in kinds for weight in kind.weights]
    first = len(kinds[0].traced)

    def mean(values: Sequence[float]) -> float:
        return _mean(values, weights)

    def share(values: Sequence[float]) -> float:
        return _mean(values, [w * t.clocks for w, t in zip(weights, full, strict=True)])

    flops = [r.counters.matrix_flops / max(1, r.counters.workgroups) for r in results]
    return ModelledKernel(
        workgroups=total,
        resident=resident,
        waves_per_simd=occupancy.waves_per_simd,
        limited_by=occupancy.limited_by,
        clocks={
            copies: _mean([t.clocks for t in found[:first]], weights[:first])
            for copies, found in timings.items()
        },
        matrix_clocks=mean([t.whole * t.clocks for t in full]) / resident,
        vector_clocks=mean([t.vector * t.clocks for t in full]) / resident,
        prologue=mean([t.prologue for t in full]),
        epilogue=mean([t.epilogue for t in full]),
        steady=share([t.steady for t in full]),
        whole=share([t.whole for t in full]),
        lds=share([t.lds for t in full]),
        near=share([t.memory for t in full]),
        stalls=_stalls(full, share),
        matrix_operations=_mean(flops, [sum(kind.weights) for kind in kinds]),
        bank_conflicts=max(result.counters.bank_conflict_factor for result in results),
        traffic=_traffic(emulator, traces, buffers, clocks, mean),
        parts=_parts(full, meeting),
    )


@dataclass(frozen=True, slots=True)
class _Kind:
    """Workgroups of a kind: those that are run, those traced, and how many each of these is like.

    Where they meet, all of a tile are run, and the last of them does what the others left.
    """

    run: tuple[int, ...]
    traced: tuple[int, ...]
    weights: tuple[float, ...]
    meets: bool = False


def _traced(
    emulator: Emulator,
    symbol: str,
    grid: tuple[int, int, int],
    block: tuple[int, int, int],
    arguments: Sequence[EmulatorArgument],
    dynamic_lds: int,
    kind: _Kind,
) -> LaunchResult:
    """Workgroups of a kind, with their traces."""
    try:
        return emulator.launch(
            symbol,
            grid,
            block,
            arguments,
            dynamic_lds=dynamic_lds,
            workgroups=[_place(number, grid) for number in kind.run],
            trace=[_place(number, grid) for number in kind.traced],
            # Of workgroups that meet the last one is the last to come.
            threads=1 if kind.meets else 0,
            instruction_limit=_LIMIT,
        )
    except LumcError as error:
        message = f"{symbol} can't be traced: {error.diagnostics[0].message}"
        raise NotModelledError(Diagnostic("T010", message)) from error


def _kinds(total: int, meeting: Meeting | None) -> tuple[_Kind, ...]:
    whole = total - (meeting.workgroups if meeting else 0)
    found = []
    if whole:
        some = tuple(sorted({0, whole // 2, whole - 1}))
        found.append(_Kind(some, some, (whole / len(some),) * len(some)))
    if meeting:
        shared = meeting.shared
        # Of a tile that several share, which some do.
        shares = next(s for tile in _typical(shared) if len(s := shared.shares_of(tile)) > 1)
        run = tuple(whole + share for share in shares)
        last = len(_last_shares(shared))
        alike = (float(shared.workgroups - last), float(last))
        found.append(_Kind(run, (run[0], run[-1]), alike, meets=True))
    return tuple(found)


def _typical(shared: SharedTiles) -> Sequence[int]:
    """Tiles, those that are most like others first."""
    # Where shares begin and end inside of tiles, they do so least in the first and the last ones.
    middle = 0 if shared.is_even else shared.tiles // 2
    return sorted(range(shared.tiles), key=lambda tile: abs(tile - middle))


def _last_shares(shared: SharedTiles) -> set[int]:
    """Workgroups that are the last of a tile's: they are taken to be the last to come."""
    return {shared.shares_of(tile)[-1] for tile in range(shared.tiles)}


def _parts(timings: Sequence[Timing], meeting: Meeting | None) -> ModelledParts | None:
    """``timings`` end with those of a part and of the last one of a tile."""
    if meeting is None:
        return None
    part, last = (timing.clocks for timing in timings[-2:])
    shares = (meeting.counters, meeting.workgroups, meeting.steps)
    return ModelledParts(*shares, part, max(0.0, last - part))


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
    numbers are 0 or 1. What is only written is 0.
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
    """So many bytes that begin at a multiple of 256; random values of ``dtype``, or 0."""
    storage = (np.zeros if dtype is None else np.empty)(size + 256, np.uint8)
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


def _mean(values: Sequence[float], weights: Sequence[float]) -> float:
    return sum(w * value for w, value in zip(weights, values, strict=True)) / sum(weights)


def _stalls(timings: Sequence[Timing], share: Mean) -> dict[str, float]:
    names = dict.fromkeys(name for timing in timings for name in timing.stalls)
    found = {n: share([t.stalls.get(n, 0.0) for t in timings]) for n in names}
    return dict(sorted(found.items(), key=lambda item: -item[1]))


def _traffic(
    emulator: Emulator,
    traces: Sequence[Trace],
    buffers: Mapping[int, tuple[int, int]],
    clocks: UnitClocks,
    mean: Mean,
) -> tuple[BufferTraffic, ...]:
    found: list[tuple[Traffic, ...]] = [
        traffic(emulator.program, trace, list(buffers.values()), NEAR_CACHE_BYTES)
        for trace in traces
    ]
    line = clocks.line_bytes
    return tuple(
        BufferTraffic(
            number,
            fetched=line * mean([each[k].misses for each in found]),
            read=line * mean([each[k].read for each in found]),
            written=line * mean([each[k].written for each in found]),
        )
        for k, number in enumerate(buffers)
    )
