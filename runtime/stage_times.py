"""How long a stage takes on a GPU: a step, its kernels, and the machine's own limits."""

from __future__ import annotations

import statistics
from collections import defaultdict
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial

import numpy as np

from lumc.codegen.launch_plan import (
    PlanBufferKind,
    PlanKernel,
    PlanLaunch,
    PlanProduct,
    PlanStrided,
)
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.device import DeviceArgument, DeviceLaunch
from lumc.runtime.devices.graph_device import GraphDevice, Recording
from lumc.runtime.executor import Executor
from lumc.runtime.random_tensors import RandomTensors
from lumc.runtime.stage_folder import CompiledStage, wanted_tensors

_STEPS = 10
_ROUNDS = 3
_LEAST_LAUNCHES = 8
_COPY_BYTES = 1 << 30
_SIDE = 8192


@dataclass(frozen=True, slots=True)
class KernelTime:
    """All launches of a kernel in a step: milliseconds, measured without the others."""

    symbol: str
    kind: str
    launches: int
    milliseconds: float

    @property
    def microseconds(self) -> float:
        """Of one launch."""
        return self.milliseconds / self.launches * 1000


@dataclass(frozen=True, slots=True)
class StageTimes:
    """Milliseconds on the device's own clock."""

    steps: tuple[float, ...]
    """Of several steps, warm."""
    kernels: tuple[KernelTime, ...]
    """The longest first."""
    library_milliseconds: float | None
    """The library's calls of a step alone, in order; None where there are none."""
    launches: int

    @property
    def step(self) -> float:
        """The median of the steps."""
        return statistics.median(self.steps)

    @property
    def busy(self) -> float:
        """The kernels' times together over a step's.

        The rest of a step is the time between kernels; where kernels find in the cache what others
        left there, there may be none.
        """
        return sum(kernel.milliseconds for kernel in self.kernels) / self.step


@dataclass(frozen=True, slots=True)
class MachineRates:
    """What the machine at hand reaches, measured as everything else is."""

    copy_bytes: float
    """Bytes a second of a copy on the device, read and written ones counted."""
    product_operations: float | None
    """Operations a second of a large bf16 product by the vendor's library, where there is one."""


def load_randomly(executor: Executor, stage: CompiledStage) -> None:
    """Give a stage random weights and inputs, and run a step."""
    weights = RandomTensors(wanted_tensors(stage.plan, PlanBufferKind.WEIGHT), scale=0.02)
    executor.load_weights(weights)
    inputs = RandomTensors(wanted_tensors(stage.plan, PlanBufferKind.INPUT), scale=1.0)
    executor.run({name: inputs.read(name) for name in inputs.tensors()})


def measure_stage(executor: Executor, device: GraphDevice, stage: CompiledStage) -> StageTimes:
    """Times of a step and of its kernels; the stage is loaded and has its inputs.

    Steps alternate with what they are compared with, as a busy GPU lowers its clocks. A kernel is
    measured by a recording of its own launches, each on its own buffers, in the order of the step
    and over again where they are few: so each finds its operands where a step does, in memory, if
    they are many and large.
    """
    launches = stage.plan.launches
    called = {n for n, one in enumerate(stage.plan.kernels) if not isinstance(one, PlanKernel)}
    calls = [launch for launch in launches if launch.kernel in called]
    library = device.record(executor.device_launches(calls))
    rounds = [
        (
            _second(executor.step_milliseconds),
            _second(partial(device.elapsed_milliseconds, library)) if calls else 0.0,
        )
        for _ in range(_STEPS)
    ]
    device.forget(library)
    steps, alone = zip(*rounds, strict=True)
    by_kernel: dict[int, list[PlanLaunch]] = defaultdict(list)
    for launch in launches:
        by_kernel[launch.kernel].append(launch)
    kernels = []
    for number, found in by_kernel.items():
        kernel = stage.plan.kernels[number]
        milliseconds = _repeated(executor, device, found)
        kernels.append(KernelTime(kernel.symbol, kernel.kind, len(found), milliseconds))
    return StageTimes(
        steps=steps,
        kernels=tuple(sorted(kernels, key=lambda kernel: -kernel.milliseconds)),
        library_milliseconds=statistics.median(alone) if calls else None,
        launches=len(launches),
    )


def _second(measure: Callable[[], float]) -> float:
    """Of two runs in a row the second: after another graph a graph is sent to the device again."""
    measure()
    return measure()


def _repeated(executor: Executor, device: GraphDevice, launches: Sequence[PlanLaunch]) -> float:
    """Milliseconds of ``launches``, from a recording that has them a few times."""
    times = -(-_LEAST_LAUNCHES // len(launches))
    return _in_order(executor, device, [*launches] * times) / times


def _in_order(executor: Executor, device: GraphDevice, launches: Sequence[PlanLaunch]) -> float:
    recording = device.record(executor.device_launches(launches))
    try:
        return _median(device, recording)
    finally:
        device.forget(recording)


def _median(device: GraphDevice, recording: Recording) -> float:
    device.elapsed_milliseconds(recording)
    return statistics.median(device.elapsed_milliseconds(recording) for _ in range(_ROUNDS))


# ----------------------------------------------------------------------------------- the machine


def measure_machine(device: GraphDevice) -> MachineRates:
    """The rates of ``device`` for a copy and for a product, on random numbers."""
    return MachineRates(_copy_rate(device), _product_rate(device))


def _copy_rate(device: GraphDevice) -> float:
    size = min(_COPY_BYTES, device.free_bytes() // 4)
    source, target = device.allocate(size), device.allocate(size)
    try:
        _fill(device, source, size)
        # As a part of a graph it would be left to a copy engine, which is slower than all units.
        times = [device.elapsed(lambda: device.copy(target, source, size)) for _ in range(_STEPS)]
        return 2 * size / statistics.median(times) * 1000
    finally:
        device.free(source)
        device.free(target)


def _product_rate(device: GraphDevice) -> float | None:
    if not isinstance(device, CudaDevice):
        return None
    strides = (0, _SIDE, 1)
    sides = [PlanStrided(number, 0, strides, DType.BF16) for number in range(3)]
    sizes = (1, _SIDE, _SIDE, _SIDE)
    plain = Activation.NONE
    call = device.load_call(
        PlanProduct("large", "gemm", sizes, sides[0], sides[1], sides[2], None, plain)
    )
    size = 2 * _SIDE * _SIDE
    places = [device.allocate(size) for _ in sides]
    try:
        for place in places:
            _fill(device, place, size)
        arguments = tuple(
            DeviceArgument(place, 0, size, number == 2, "") for number, place in enumerate(places)
        )
        launch = DeviceLaunch(call, (1, 1, 1), (1, 1, 1), arguments, "large")
        recording = device.record([launch])
        milliseconds = _median(device, recording)
        device.forget(recording)
    finally:
        for place in places:
            device.free(place)
    return 2 * _SIDE**3 / milliseconds * 1000


def _fill(device: GraphDevice, address: int, size: int) -> None:
    noise = np.random.default_rng(1).standard_normal(1 << 23, np.float32)
    part = noise.astype(DType.BF16.numpy).view(np.uint8)
    for start in range(0, size, part.size):
        device.write(address + start, part[: size - start])
