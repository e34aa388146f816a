"""A step of a compiled stage on a chip that is not here, launch by launch: a prediction.

The last cache of the chip is followed through the step buffer by buffer; what each launch then
takes is ``predict_time``'s.
"""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field

from lumc.codegen.launch_plan import LaunchPlan, PlanKernel, PlanLaunch, PlanProduct
from lumc.lowering.chips import Chip, chip_for, with_library
from lumc.lowering.cost import library_product_seconds
from lumc.runtime.model_kernel import (
    CompiledKernel,
    KernelArgument,
    ModelledKernel,
    NotModelledError,
    figures,
    model_kernel,
)
from lumc.runtime.predict_time import (
    LaunchPrediction,
    MovedBytes,
    matrix_seconds,
    memory_seconds,
    predict_launch,
)
from lumc.runtime.stage_folder import CompiledStage
from lumc.runtime.stage_work import read_work

Model = Callable[[CompiledKernel, Chip], ModelledKernel]


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
    useful: float
    """Share of the matrix operations that it does which are wanted: the rest is beyond edges."""
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
        LumcError: the stage's folder does not say what work is in its kernels.
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
    wanted = {symbol: work.operations for symbol, work in read_work(stage).items()}
    modelled = _Modelled(plan, chip, found, wanted)
    return modelled.predict(unknown, calls)


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
    geometry = (launch.grid, kernel.block)
    return CompiledKernel(
        kernel.symbol, code, assembly, *geometry, arguments, meeting=kernel.meeting
    )


@dataclass(frozen=True, slots=True)
class _Modelled:
    """A plan whose kernels, by number, were modelled as their first launches launch them.

    ``wanted`` are the operations that a launch has to do at least, by symbol.
    """

    plan: LaunchPlan
    chip: Chip
    kernels: Mapping[int, ModelledKernel]
    wanted: Mapping[str, float]

    def predict(
        self, unknown: Sequence[tuple[str, str]], calls: Sequence[CallPrediction]
    ) -> StagePrediction:
        """The step; ``calls`` are done by a library, and ``unknown`` could not be modelled."""
        moved = self._moved()
        launches = [
            self._launch(launch, moved.get(n)) for n, launch in enumerate(self.plan.launches)
        ]
        kernels = [self._kernel(number, moved) for number in self.kernels]
        kernels.sort(key=lambda kernel: -kernel.seconds)
        by_call = {call.symbol: call.seconds / call.launches for call in calls}
        seconds = tuple(
            one.seconds if one else by_call.get(self.plan.kernels[launch.kernel].symbol)
            for launch, one in zip(self.plan.launches, launches, strict=True)
        )
        return StagePrediction(
            self.plan.target, tuple(kernels), tuple(calls), tuple(unknown), seconds
        )

    def _moved(self) -> dict[int, MovedBytes]:
        """What each launch moves, by its number."""
        cache = LastCache(self.chip.cache_bytes)
        found: dict[int, MovedBytes] = {}
        # What is in the cache when a step begins is what the step before left there.
        for _ in range(2):
            for number, launch in enumerate(self.plan.launches):
                if launch.kernel in self.kernels:
                    found[number] = cache.use(self._traffic(launch))
        return found

    def _traffic(self, launch: PlanLaunch) -> Iterator[tuple[int, float, float]]:
        """(buffer, bytes read, bytes written), as the kernel's first launch was seen to do."""
        modelled = self.kernels[launch.kernel]
        first = next(one for one in self.plan.launches if one.kernel == launch.kernel)
        now: dict[int, int] = {}
        for traced, argument in zip(first.arguments, launch.arguments, strict=True):
            now.setdefault(traced.buffer, argument.buffer)
        for each in modelled.traffic:
            buffer = now[each.buffer]
            # All workgroups together touch no more than there is.
            most = float(self.plan.buffers[buffer].bytes)
            read = min(most, each.read * modelled.workgroups)
            written = min(most, each.written * modelled.workgroups)
            yield buffer, read, written

    def _launch(self, launch: PlanLaunch, moved: MovedBytes | None) -> LaunchPrediction | None:
        if moved is None:
            return None
        return predict_launch(self.kernels[launch.kernel], self.chip, moved)

    def _kernel(self, number: int, moved: Mapping[int, MovedBytes]) -> KernelPrediction:
        kernel = self.plan.kernels[number]
        mine = [n for n, launch in enumerate(self.plan.launches) if launch.kernel == number]
        return predict_kernel(
            kernel.symbol,
            kernel.kind,
            self.kernels[number],
            self.chip,
            [moved[n] for n in mine],
            self.wanted.get(kernel.symbol),
        )


def predict_kernel(
    symbol: str,
    kind: str,
    modelled: ModelledKernel,
    chip: Chip,
    moved: Sequence[MovedBytes],
    wanted: float | None,
) -> KernelPrediction:
    """A kernel's launches together; each moves bytes of its own.

    ``wanted`` are the operations that a launch has to do at least; None where all that it does
    count as wanted.
    """
    predicted = [predict_launch(modelled, chip, each) for each in moved]
    memory = [memory_seconds(each, chip) for each in moved]
    done = modelled.workgroups * modelled.matrix_operations
    useful = min(1.0, (done if wanted is None else wanted) / done) if done else 1.0
    matrix = useful * matrix_seconds(modelled, chip)
    return KernelPrediction(
        symbol=symbol,
        kind=kind,
        launches=len(moved),
        seconds=sum(one.seconds for one in predicted),
        bound=sum(chip.launch + max(matrix, one) for one in memory),
        bound_by_memory=matrix < max(memory),
        useful=useful,
        each=max(predicted, key=lambda one: one.seconds),
        modelled=modelled,
    )
