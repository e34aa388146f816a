"""Runs a compiled stage on a device: memory, weights and tables once, then steps.

A step copies the inputs in, replays one recording and copies the outputs out; nothing is
allocated, compiled or decided in it.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from functools import partial
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import (
    LaunchPlan,
    PlanArgument,
    PlanBuffer,
    PlanBufferKind,
    PlanCall,
    PlanKernel,
    PlanLaunch,
    Region,
)
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.device import (
    Device,
    DeviceArgument,
    DeviceError,
    DeviceLaunch,
    give_back,
)
from lumc.runtime.emulator import CodeObjectError, DecodeError
from lumc.runtime.origins import origins_of
from lumc.runtime.stage_folder import CompiledStage, wanted_tensors
from lumc.runtime.stage_tensor import DeviceTensor
from lumc.runtime.tensors import Fit, TensorArrays, TensorSource, match_tensors, read_as

Array = npt.NDArray[np.generic]
_NOISE_BYTES = 16 << 20


class ExecutorError(LumcError):
    """A stage is used in an order, or with tensors, that it isn't made for."""


class Executor:
    """One stage on one device; a context manager that gives the memory back.

    Call ``load_weights`` once (also when there are none), then ``run`` as often as wanted.
    """

    def __init__(
        self, stage: CompiledStage, device: Device, shared: Mapping[Region, int] | None = None
    ) -> None:
        """Allocate the stage's memory on ``device`` and load its kernels.

        Regions in ``shared`` are not allocated: they lie at the addresses given there, are large
        enough and stay the caller's. Stages that run in turn can share an arena.

        Raises:
            DeviceError: the device can't run this code, or has too little memory.
            PlanError: a file of the stage is missing.
        """
        self.plan: LaunchPlan = stage.plan
        self._stage = stage
        self._device = device
        self._regions: dict[Region, int] = dict(shared or {})
        self._owned: list[int] = []
        self._step: Any = None
        ends = (PlanBufferKind.INPUT, PlanBufferKind.OUTPUT)
        self._ends = {buffer.name: buffer for buffer in stage.plan.buffers if buffer.kind in ends}
        _require_target(stage.plan, device)
        try:
            for region, size in stage.plan.region_bytes:
                if region not in self._regions:
                    self._regions[region] = device.allocate(max(size, 1))
                    self._owned.append(self._regions[region])
            self._clear_counters()
            self._kernels = [self._load(kernel) for kernel in stage.plan.kernels]
        except BaseException:
            self.close()
            raise

    def __enter__(self) -> Self:
        """The executor itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the memory back."""
        self.close()

    def close(self) -> None:
        """Give the memory back; the device stays usable."""
        actions: list[Callable[[], object]] = [
            partial(self._device.free, address) for address in reversed(self._owned)
        ]
        if self._step is not None:
            actions[:0] = [self._device.synchronise, partial(self._device.forget, self._step)]
        self._step, self._owned = None, []
        give_back(*actions)

    def load_weights(self, source: TensorSource, there: bool = False) -> Fit:
        """Copy weights and tables to the device, run what is prepared from them, record a step.

        Weights are not copied if they are ``there``, in a shared region, already.

        Raises:
            TensorError: weights are missing or do not fit.
        """
        wanted = wanted_tensors(self.plan, PlanBufferKind.WEIGHT)
        fit = match_tensors(wanted, source, "weight")
        if not there:
            self._copy_in(PlanBufferKind.WEIGHT, source)
        if (tables := self._stage.tables()) is not None:
            match_tensors(wanted_tensors(self.plan, PlanBufferKind.TABLE), tables, "table")
            self._copy_in(PlanBufferKind.TABLE, tables)
        if self.plan.prepare:
            prepare = self._record(self.plan.prepare)
            self._device.replay(prepare)
            self._device.synchronise()
            self._device.forget(prepare)
        if any(isinstance(kernel, PlanCall) for kernel in self.plan.kernels):
            self._fill_arena()
        self._step = self._record(self.plan.launches)
        self._device.synchronise()
        return fit

    def run(self, inputs: Mapping[str, Array]) -> dict[str, Array]:
        """The outputs of one step by name, in the plan's types and shapes.

        Raises:
            TensorError: inputs are missing or do not fit.
            ExecutorError: an input is not one of the stage, or no weights were loaded.
            DeviceError: the device reports a failure.
        """
        self._require_weights()
        self.write_inputs(inputs)
        self.start()
        self._device.synchronise()
        return {name: self.tensor(name).read() for name in self.names(PlanBufferKind.OUTPUT)}

    def start(self) -> None:
        """Begin a step on the inputs that are there; the device's next work waits for its end.

        Raises:
            ExecutorError: no weights were loaded.
        """
        self._require_weights()
        self._device.replay(self._step)

    def names(self, kind: PlanBufferKind) -> tuple[str, ...]:
        """The names of all tensors of one kind."""
        return tuple(buffer.name for buffer in self.plan.buffers if buffer.kind is kind)

    def tensor(self, name: str) -> DeviceTensor:
        """The input or output ``name``, where the device has it.

        Raises:
            ExecutorError: the stage has none of that name.
        """
        if name not in self._ends:
            message = f"stage {self.plan.stage} has no input or output {name}"
            raise ExecutorError(Diagnostic("R013", message, hint=did_you_mean(name, self._ends)))
        buffer = self._ends[name]
        return DeviceTensor(self._device, self._address(buffer), buffer.shape, buffer.dtype)

    def _require_weights(self) -> None:
        if self._step is None:
            raise ExecutorError(Diagnostic("R011", "the weights must be loaded before a step runs"))

    def write_inputs(self, inputs: Mapping[str, Array]) -> None:
        """Copy a step's inputs to the device; errors as for ``run``."""
        wanted = wanted_tensors(self.plan, PlanBufferKind.INPUT)
        source = TensorArrays(inputs, "the given inputs")
        unknown = match_tensors(wanted, source, "input").unused
        if unknown:
            names = [tensor.name for tensor in wanted]
            message = (
                f"stage {self.plan.stage} has no input {unknown[0]}; it has {', '.join(names)}"
            )
            raise ExecutorError(Diagnostic("R012", message, hint=did_you_mean(unknown[0], names)))
        self._copy_in(PlanBufferKind.INPUT, source)

    def step_milliseconds(self) -> float:
        """Replay a step on the inputs that are there, measured on the device's own clock."""
        return self._device.elapsed_milliseconds(self._step)

    def _fill_arena(self) -> None:
        """Random numbers: library calls are tried on what lies there, and zeros are faster."""
        noise = np.random.default_rng(0).standard_normal(_NOISE_BYTES // 2, np.float32)
        part = noise.astype(DType.BF16.numpy).view(np.uint8)
        size, start = dict(self.plan.region_bytes)[Region.ARENA], self._regions[Region.ARENA]
        for offset in range(0, size, _NOISE_BYTES):
            self._device.write(start + offset, part[: size - offset])

    def _clear_counters(self) -> None:
        """Once: every launch leaves its counters as it found them."""
        size = dict(self.plan.region_bytes).get(Region.COUNTERS, 0)
        if size:
            self._device.write(self._regions[Region.COUNTERS], np.zeros(size, np.uint8))

    def _copy_in(self, kind: PlanBufferKind, source: TensorSource) -> None:
        buffers = {buffer.name: buffer for buffer in self.plan.buffers if buffer.kind is kind}
        for tensor in wanted_tensors(self.plan, kind):
            values = read_as(tensor, source)
            address = self._address(buffers[tensor.name])
            self._device.write(address, values.reshape(-1).view(np.uint8))

    def _address(self, buffer: PlanBuffer) -> int:
        return self._regions[buffer.region] + buffer.offset

    def device_launches(self, launches: Sequence[PlanLaunch]) -> list[DeviceLaunch]:
        """Launches of the plan, on this executor's memory, for the device to record."""
        return [self._launch(launch) for launch in launches]

    def _record(self, launches: Sequence[PlanLaunch]) -> Any:
        return self._device.record(self.device_launches(launches))

    def _launch(self, launch: PlanLaunch) -> DeviceLaunch:
        return DeviceLaunch(
            self._kernels[launch.kernel],
            launch.grid,
            _block(self.plan.kernels[launch.kernel]),
            tuple(map(self._argument, launch.arguments)),
            launch.label,
        )

    def _load(self, kernel: PlanKernel | PlanCall) -> Any:
        if not isinstance(kernel, PlanKernel):
            return self._device.load_call(kernel)
        code, assembly = self._stage.code(kernel)
        try:
            return self._device.load(code, assembly, kernel.symbol, origins_of(kernel))
        except (DeviceError, CodeObjectError, DecodeError) as error:
            (first, *_) = error.diagnostics
            place = self._stage.folder / kernel.code_object
            note = f"the code is that in {place}; lumc compile writes it anew"
            raise DeviceError(replace(first, notes=(*first.notes, note))) from None

    def _argument(self, argument: PlanArgument) -> DeviceArgument:
        buffer = self.plan.buffers[argument.buffer]
        return DeviceArgument(
            self._address(buffer) + argument.offset,
            argument.offset,
            buffer.bytes - argument.offset,
            argument.writes,
            buffer.name,
            kept=buffer.kind is PlanBufferKind.COUNTERS,
        )


def _block(kernel: PlanKernel | PlanCall) -> tuple[int, int, int]:
    return kernel.block if isinstance(kernel, PlanKernel) else (1, 1, 1)


def _require_target(plan: LaunchPlan, device: Device) -> None:
    if device.target == plan.target:
        return
    message = (
        f"stage {plan.stage} is compiled for {plan.target}, but {device.name} is a {device.target}"
    )
    hint = f"compile it with --target {device.target}"
    raise DeviceError(Diagnostic("D002", message, hint=hint))
