"""How long a compiled stage's launches would take on a chip that is not here: a prediction.

Each kernel is traced on the emulator and replayed by the timing model (``model_kernel``). What
comes from the whole chip is added here: rounds of workgroups over its compute units, the clock that
power allows at that load, and bytes against the bandwidth of memory and of the last cache, which is
followed through the step buffer by buffer.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lumc.codegen.launch_plan import LaunchPlan, PlanKernel, PlanLaunch, PlanProduct
from lumc.lowering.chips import Chip, chip_for, with_library
from lumc.lowering.cost import library_product_seconds
from lumc.lowering.power import clock_under_load
from lumc.runtime.model_kernel import (
    CompiledKernel,
    KernelArgument,
    ModelledKernel,
    NotModelledError,
    figures,
    model_kernel,
)
from lumc.runtime.stage_folder import CompiledStage

Model = Callable[[CompiledKernel, Chip], ModelledKernel]

_BUSY = 0.6
"""A unit that is busy for more of the time than this is what limits a kernel."""


@dataclass(frozen=True, slots=True)
class MovedBytes:
    """Of one launch: what comes from memory, and what the last cache holds."""

    memory: float
    cache: float

    @property
    def total(self) -> float:
        """All bytes."""
        return self.memory + self.cache


@dataclass(frozen=True, slots=True)
class LaunchPrediction:
    """One launch on a chip; parts are seconds as if each were alone."""

    seconds: float
    compute: float
    memory: float
    rounds: float
    """Workgroups over those that the chip holds at a time."""
    clock: float
    """Hz that power allows."""
    utilisation: float
    """Share of the time that the whole chip's matrix units are busy."""
    limit: str
    """What it waits for most."""


@dataclass(frozen=True, slots=True)
class KernelPrediction:
    """A kernel of a plan: its launches in a step together."""

    symbol: str
    kind: str
    launches: int
    seconds: float
    """Of all launches of a step."""
    bound: float
    """The same, if nothing but the sustained rate of the matrix units and the bandwidth for bytes
    that must move limited them."""
    bound_by_memory: bool
    """Its bytes take longer than its matrix operations."""
    each: LaunchPrediction
    """The longest launch."""
    modelled: ModelledKernel

    @property
    def over_bound(self) -> float:
        """How many times its bound it takes."""
        return self.seconds / self.bound if self.bound else 1.0


@dataclass(frozen=True, slots=True)
class CallPrediction:
    """A product that the vendor's library does, by the rates that were published of it."""

    symbol: str
    kind: str
    launches: int
    seconds: float
    """Of all launches of a step."""
    bound: float


@dataclass(frozen=True, slots=True)
class StagePrediction:
    """A step of a stage. ``unknown`` says of kernels that could not be modelled why."""

    target: str
    kernels: tuple[KernelPrediction, ...]
    """The longest first."""
    calls: tuple[CallPrediction, ...]
    unknown: tuple[tuple[str, str], ...]
    launches: tuple[float | None, ...]
    """Seconds of each launch of a step, in order."""

    @property
    def seconds(self) -> float:
        """Of a step, kernels that could not be modelled left out."""
        return sum(part.seconds for part in self._parts)

    @property
    def _parts(self) -> tuple[KernelPrediction | CallPrediction, ...]:
        return (*self.kernels, *self.calls)

    def by_kind(self) -> Mapping[str, tuple[float, float]]:
        """Seconds and bound of each kind of kernel, the longest first."""
        found: dict[str, tuple[float, float]] = {}
        for kernel in self._parts:
            seconds, bound = found.get(kernel.kind, (0.0, 0.0))
            found[kernel.kind] = (seconds + kernel.seconds, bound + kernel.bound)
        return dict(sorted(found.items(), key=lambda item: -item[1][0]))


def predict_launch(modelled: ModelledKernel, chip: Chip, moved: MovedBytes) -> LaunchPrediction:
    """One launch of a kernel on ``chip``, moving ``moved`` bytes beyond the units' shared cache."""
    on_a_unit = -(-modelled.workgroups // chip.units)
    full, rest = divmod(on_a_unit, modelled.resident)
    clocks = full * modelled.clocks[modelled.resident]
    clocks += modelled.clocks[rest] if rest else 0.0
    fetched = sum(each.fetched for each in modelled.traffic)
    shared = on_a_unit * fetched / chip.shared_rate
    longest = max(clocks, shared, 1.0)
    rounds = modelled.workgroups / (chip.units * modelled.resident)
    # A chip that is never full draws less; while other units wait for the last round, they do not.
    active = min(1.0, rounds) * clocks / longest
    clock = clock_under_load(chip, active * modelled.whole, active * _vector_share(modelled))
    compute = longest / clock
    memory = _memory_seconds(moved, chip)
    return LaunchPrediction(
        seconds=chip.launch + max(compute, memory),
        compute=compute,
        memory=memory,
        rounds=rounds,
        clock=clock,
        utilisation=modelled.workgroups / chip.units * modelled.matrix_clocks / longest,
        limit=_limit(modelled, chip, compute, memory, shared > clocks),
    )


def bound_seconds(modelled: ModelledKernel, chip: Chip, moved: MovedBytes) -> float:
    """The least time for a launch's matrix operations, at the sustained clock, and its bytes."""
    return chip.launch + max(_matrix_seconds(modelled, chip), _memory_seconds(moved, chip))


def _matrix_seconds(modelled: ModelledKernel, chip: Chip) -> float:
    return modelled.workgroups * modelled.matrix_clocks / (chip.units * chip.matrix_clock)


def _memory_seconds(moved: MovedBytes, chip: Chip) -> float:
    return moved.memory / chip.bandwidth + moved.cache / chip.cache_bandwidth


def _limit(
    modelled: ModelledKernel, chip: Chip, compute: float, memory: float, shared: bool
) -> str:
    if chip.launch > max(compute, memory):
        return "launch"
    if memory > compute:
        return "memory"
    if shared:
        return "L2"
    units = {
        "matrix units": modelled.whole,
        "vector units": _vector_share(modelled),
        "LDS": modelled.lds,
        "vector cache": modelled.near,
    }
    busiest = max(units, key=lambda name: units[name])
    if units[busiest] > _BUSY or not modelled.stalls:
        return busiest
    return next(iter(modelled.stalls))


def _vector_share(modelled: ModelledKernel) -> float:
    """Of the time with ``resident`` workgroups."""
    return modelled.vector_clocks * modelled.resident / modelled.clocks[modelled.resident]


# ------------------------------------------------------------------------------------------ a step


@dataclass(slots=True)
class LastCache:
    """Which buffers' bytes the chip's last cache holds: those that were used last."""

    capacity: int
    _held: OrderedDict[int, float] = field(default_factory=OrderedDict)

    def use(self, traffic: Iterable[tuple[int, float, float]]) -> MovedBytes:
        """Read and write (buffer, bytes read, bytes written); where the bytes come from and go.

        What is written goes to the cache, and on to memory if the cache can't hold it.
        """
        memory = cache = 0.0
        for buffer, read, written in traffic:
            hit = min(read, self._held.get(buffer, 0.0))
            kept = min(written, float(self.capacity))
            cache += hit + kept
            memory += read - hit + written - kept
            self._keep(buffer, max(read, written))
        return MovedBytes(memory, cache)

    def _keep(self, buffer: int, count: float) -> None:
        self._held[buffer] = min(max(count, self._held.pop(buffer, 0.0)), float(self.capacity))
        surplus = sum(self._held.values()) - self.capacity
        while surplus > 0:
            oldest = next(iter(self._held))
            dropped = min(surplus, self._held[oldest])
            self._held[oldest] -= dropped
            surplus -= dropped
            if self._held[oldest] <= 0:
                del self._held[oldest]


def predict_stage(
    stage: CompiledStage, model: Model = model_kernel, progress: Callable[[], None] = lambda: None
) -> StagePrediction:
    """Predict a step of ``stage`` on the chip that it was compiled for.

    ``progress`` is called once for each kernel of the plan. The library's products take what was
    published of them; its other calls are not predicted.

    Raises:
        NotModelledError: the model has no figures for the chip.
    """
    plan = stage.plan
    chip = chip_for(plan.target)
    figures(chip)
    found: dict[int, ModelledKernel] = {}
    unknown = []
    calls = []
    for number, kernel in enumerate(plan.kernels):
        launch = next((one for one in plan.launches if one.kernel == number), None)
        if launch is None:
            continue
        try:
            if isinstance(kernel, PlanProduct) and with_library(chip).library is not None:
                launches = sum(1 for one in plan.launches if one.kernel == number)
                calls.append(_called(kernel, launches, chip))
                continue
            if not isinstance(kernel, PlanKernel):
                unknown.append((kernel.symbol, "it is done by the vendor's library"))
                continue
            found[number] = model(compiled_kernel(stage, kernel, launch), chip)
        except NotModelledError as error:
            unknown.append((kernel.symbol, error.diagnostics[0].message))
        finally:
            progress()
    return _predict(plan, chip, found, unknown, calls)


def _called(call: PlanProduct, launches: int, chip: Chip) -> CallPrediction:
    rates = with_library(chip).library
    assert rates is not None, "the library is known"
    batch, rows, columns, inner = call.sizes
    moved = rows * inner * call.left.dtype.bytes + columns * inner * call.right.dtype.bytes
    stored = rows * columns * call.output.dtype.bytes * (1 if call.addend is None else 2)
    memory = batch * (moved + stored) / chip.bandwidth
    each = rates.call + max(memory, library_product_seconds(call.sizes, chip, rates))
    peak = chip.units * chip.matrix_clock * chip.matrix_rate(call.left.dtype)
    least = max(memory, 2 * batch * rows * columns * inner / peak)
    return CallPrediction(
        symbol=call.symbol,
        kind=f"{call.kind} by library",
        launches=launches,
        seconds=launches * (chip.launch + each),
        bound=launches * (chip.launch + least),
    )


def predict_kernel(
    stage: CompiledStage, symbol: str, model: Model = model_kernel
) -> KernelPrediction:
    """Predict one kernel of ``stage``, with nothing in the last cache before its first launch.

    Raises:
        NotModelledError: it can't be modelled, or is not launched in a step.
    """
    plan = stage.plan
    numbers = [n for n, kernel in enumerate(plan.kernels) if kernel.symbol == symbol]
    chosen = [launch for launch in plan.launches if launch.kernel in numbers]
    (number,) = numbers
    kernel = plan.kernels[number]
    assert isinstance(kernel, PlanKernel), "library calls have no code"
    modelled = model(compiled_kernel(stage, kernel, chosen[0]), chip_for(plan.target))
    return _predict(plan, chip_for(plan.target), {number: modelled}, [], []).kernels[0]


def compiled_kernel(stage: CompiledStage, kernel: PlanKernel, launch: PlanLaunch) -> CompiledKernel:
    """``kernel`` as ``launch`` launches it."""
    code, assembly = stage.code(kernel)
    buffers = stage.plan.buffers
    arguments = tuple(
        KernelArgument(
            a.buffer, a.offset, buffers[a.buffer].bytes, buffers[a.buffer].dtype, a.writes
        )
        for a in launch.arguments
    )
    return CompiledKernel(kernel.symbol, code, assembly, launch.grid, kernel.block, arguments)


def _predict(
    plan: LaunchPlan,
    chip: Chip,
    found: Mapping[int, ModelledKernel],
    unknown: Sequence[tuple[str, str]],
    calls: Sequence[CallPrediction],
) -> StagePrediction:
    first = {number: _first_launch(plan, number) for number in found}
    cache = LastCache(chip.cache_bytes)
    # What is in the cache when a step begins is what the step before left there.
    for _ in range(2):
        moved = [
            cache.use(_launch_traffic(plan, launch, first[launch.kernel], found[launch.kernel]))
            if launch.kernel in found
            else None
            for launch in plan.launches
        ]
    launches: list[LaunchPrediction | None] = []
    bounds: dict[int, float] = {}
    by_memory: dict[int, float] = {}
    for launch, one in zip(plan.launches, moved, strict=True):
        if one is None:
            launches.append(None)
            continue
        modelled = found[launch.kernel]
        launches.append(predict_launch(modelled, chip, one))
        bound = bound_seconds(modelled, chip, one)
        bounds[launch.kernel] = bounds.get(launch.kernel, 0.0) + bound
        by_memory[launch.kernel] = _memory_seconds(one, chip)
    kernels = []
    for number, modelled in found.items():
        mine = [
            one
            for launch, one in zip(plan.launches, launches, strict=True)
            if launch.kernel == number and one is not None
        ]
        kernel = plan.kernels[number]
        kernels.append(
            KernelPrediction(
                symbol=kernel.symbol,
                kind=kernel.kind,
                launches=len(mine),
                seconds=sum(one.seconds for one in mine),
                bound=bounds[number],
                bound_by_memory=_matrix_seconds(modelled, chip) < by_memory[number],
                each=max(mine, key=lambda one: one.seconds),
                modelled=modelled,
            )
        )
    kernels.sort(key=lambda kernel: -kernel.seconds)
    by_call = {call.symbol: call.seconds / call.launches for call in calls}
    seconds = tuple(
        one.seconds if one else by_call.get(plan.kernels[launch.kernel].symbol)
        for launch, one in zip(plan.launches, launches, strict=True)
    )
    return StagePrediction(plan.target, tuple(kernels), tuple(calls), tuple(unknown), seconds)


def _first_launch(plan: LaunchPlan, number: int) -> PlanLaunch:
    return next(launch for launch in plan.launches if launch.kernel == number)


def _launch_traffic(
    plan: LaunchPlan, launch: PlanLaunch, first: PlanLaunch, modelled: ModelledKernel
) -> Iterable[tuple[int, float, float]]:
    """(buffer, bytes read, bytes written) of ``launch``; its kernel was traced as in ``first``."""
    now: dict[int, int] = {}
    for traced, argument in zip(first.arguments, launch.arguments, strict=True):
        now.setdefault(traced.buffer, argument.buffer)
    for each in modelled.traffic:
        buffer = now[each.buffer]
        # All workgroups together touch no more than there is.
        most = float(plan.buffers[buffer].bytes)
        read = min(most, each.read * modelled.workgroups)
        written = min(most, each.written * modelled.workgroups)
        yield buffer, read, written
