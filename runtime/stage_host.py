"""Several stages of a model on one device: shared memory, and tensors that stay where they are.

A host holds a set of programs at a time. What two sets have in common stays as it is; weights that
lie alike, as those of one stage at two sizes of picture, are loaded once.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, field
from functools import partial
from typing import Any, Protocol

import numpy as np

from lumc.codegen.launch_plan import LaunchPlan, PlanBufferKind, PlanCall, Region
from lumc.diagnostics import Diagnostic
from lumc.dsl.dtypes import DType
from lumc.dsl.reference import Math, evaluate
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from lumc.runtime.devices.device import Device, give_back
from lumc.runtime.devices.host_memory import DLPACK_HOST
from lumc.runtime.devices.library_calls import WORKSPACE_BYTES
from lumc.runtime.executor import Executor, ExecutorError
from lumc.runtime.stage_folder import CompiledStage
from lumc.runtime.stage_tensor import Array, DeviceTensor, HostTensor, StageTensor
from lumc.runtime.tensors import TensorSource, WantedTensor, match_tensors, read_as

_DRIVER_BYTES = 512 << 20
"""What a GPU's driver takes for code, graphs and its own bookkeeping, at most."""

Report = Callable[[str], None]
"""Told the name of each program when it is ready to run."""


class RunningStage(Protocol):
    """A stage with its weights, ready to run."""

    def tensor(self, name: str) -> StageTensor:
        """The input or output ``name``, where the stage has it.

        Raises:
            ExecutorError: there is none of that name.
        """

    def start(self) -> None:
        """Begin a step on the inputs that are there; what is started next waits for its end."""


class StageHost(Protocol):
    """Where the stages of a pipeline run."""

    @property
    def name(self) -> str:
        """What the user calls the device."""

    def stage(self, name: str) -> RunningStage:
        """One of the stages that are held."""

    def empty(self, shape: tuple[int, ...], dtype: DType) -> StageTensor:
        """A tensor of its own beside the stages, with undefined content, until ``release``."""

    def release(self, tensor: StageTensor) -> None:
        """Give back what ``empty`` made."""

    def synchronise(self) -> None:
        """Wait for what was started."""

    def close(self) -> None:
        """Give everything back but the device."""


@dataclass(frozen=True, slots=True)
class MemoryNeed:
    """Bytes that a set of programs takes on a device, by what for."""

    weights: int
    constants: int
    """Tables, and weights that are laid out anew."""
    arena: int
    """Intermediates: the largest program's, for all in turn."""
    ends: int
    """Inputs and outputs."""
    driver: int
    """The vendor's libraries and the driver."""

    @property
    def total(self) -> int:
        """All of it."""
        return self.weights + self.constants + self.arena + self.ends + self.driver

    def as_json(self) -> dict[str, int]:
        """The parts by names for people."""
        return {
            "weights": self.weights,
            "prepared": self.constants,
            "arena": self.arena,
            "in and out": self.ends,
            "driver": self.driver,
        }


@dataclass(frozen=True, slots=True)
class _Weights:
    """The weights of one stage on the device: one region, for all programs that lay them alike."""

    layout: object
    address: int


@dataclass(slots=True)
class DeviceHost:
    """Compiled stages on ``device``; see ``StageHost``. The device stays the caller's."""

    device: Device
    _programs: dict[str, CompiledStage] = field(default_factory=dict)
    _executors: dict[str, Executor] = field(default_factory=dict)
    _weights: list[_Weights] = field(default_factory=list)
    _arena: int | None = None
    _arena_bytes: int = 0

    @property
    def name(self) -> str:
        """See ``StageHost.name``."""
        return self.device.name

    def hold(
        self,
        programs: Mapping[str, CompiledStage],
        weights: Mapping[str, TensorSource],
        report: Report = lambda name: None,
    ) -> None:
        """Have exactly ``programs`` on the device, each with its weights, by the same names.

        Raises:
            DeviceError: the device has too little memory, or can't run this code.
            TensorError: weights are missing or do not fit.
        """
        arena = max((_region(stage.plan, Region.ARENA) for stage in programs.values()), default=0)
        stale = [name for name in self._executors if self._programs[name] is not programs.get(name)]
        if arena > self._arena_bytes:
            stale = list(self._executors)
        for name in stale:
            self._executors.pop(name).close()
        layouts = [weight_layout(stage.plan) for stage in programs.values()]
        self._drop_weights(keep=layouts)
        if not self._executors and arena != self._arena_bytes:
            self._allocate_arena(arena)
        self._programs = dict(programs)
        for name, stage in programs.items():
            if name not in self._executors:
                self._executors[name] = self._open(stage, weights[name])
            report(name)

    def additional_bytes(self, programs: Mapping[str, CompiledStage]) -> int:
        """How much more memory ``hold(programs, …)`` needs than what is free and what it frees."""
        need = memory_need(self.device, [one.plan for one in programs.values()])
        stays = any(self._programs[name] is programs.get(name) for name in self._executors)
        arena = max(need.arena, self._arena_bytes) if stays else need.arena
        return need.total - need.arena + arena - self._held_bytes() - self.device.free_bytes()

    def stage(self, name: str) -> Executor:
        """See ``StageHost.stage``."""
        return self._executors[name]

    def empty(self, shape: tuple[int, ...], dtype: DType) -> DeviceTensor:
        """See ``StageHost.empty``."""
        address = self.device.allocate(max(math.prod(shape) * dtype.bytes, 1))
        return DeviceTensor(self.device, address, shape, dtype)

    def release(self, tensor: StageTensor) -> None:
        """See ``StageHost.release``."""
        assert isinstance(tensor, DeviceTensor)
        self.device.free(tensor.address)

    def synchronise(self) -> None:
        """See ``StageHost.synchronise``."""
        self.device.synchronise()

    def close(self) -> None:
        """See ``StageHost.close``."""
        executors = list(self._executors.values())
        addresses = [weights.address for weights in self._weights]
        addresses += [] if self._arena is None else [self._arena]
        self._executors.clear()
        self._programs.clear()
        self._weights.clear()
        self._arena, self._arena_bytes = None, 0
        give_back(
            *(executor.close for executor in executors),
            *(partial(self.device.free, address) for address in addresses),
        )

    def _held_bytes(self) -> int:
        if not self._executors:
            return self._arena_bytes
        held = memory_need(self.device, [self._programs[name].plan for name in self._executors])
        return held.total - held.arena + self._arena_bytes

    def _open(self, stage: CompiledStage, source: TensorSource) -> Executor:
        layout = weight_layout(stage.plan)
        known = next((one for one in self._weights if one.layout == layout), None)
        kept = known or self._allocate_weights(stage.plan)
        assert self._arena is not None
        shared = {Region.WEIGHTS: kept.address, Region.ARENA: self._arena}
        executor = Executor(stage, self.device, shared)
        try:
            executor.load_weights(source, there=known is not None)
        except BaseException:
            executor.close()
            if known is None:
                self._weights.remove(kept)
                self.device.free(kept.address)
            raise
        return executor

    def _allocate_weights(self, plan: LaunchPlan) -> _Weights:
        address = self.device.allocate(max(_region(plan, Region.WEIGHTS), 1))
        self._weights.append(_Weights(weight_layout(plan), address))
        return self._weights[-1]

    def _drop_weights(self, keep: list[object]) -> None:
        for weights in [one for one in self._weights if one.layout not in keep]:
            self._weights.remove(weights)
            self.device.free(weights.address)

    def _allocate_arena(self, size: int) -> None:
        if self._arena is not None:
            self.device.free(self._arena)
            self._arena, self._arena_bytes = None, 0
        self._arena = self.device.allocate(max(size, 1))
        self._arena_bytes = size


def weight_layout(plan: LaunchPlan) -> object:
    """Equal for plans that have the same weights of the same stage at the same offsets."""
    weights = (buffer for buffer in plan.buffers if buffer.kind is PlanBufferKind.WEIGHT)
    return (plan.stage, tuple((b.name, b.dtype, b.shape, b.offset) for b in weights))


def memory_need(device: Device, plans: Sequence[LaunchPlan]) -> MemoryNeed:
    """What a ``DeviceHost`` on ``device`` takes for programs with ``plans``."""
    weights = {weight_layout(plan): _region(plan, Region.WEIGHTS) for plan in plans}
    calls = any(isinstance(kernel, PlanCall) for plan in plans for kernel in plan.kernels)
    on_host = device.dlpack_device()[0] == DLPACK_HOST
    return MemoryNeed(
        weights=sum(weights.values()),
        constants=sum(
            _region(plan, Region.CONSTANTS) + _region(plan, Region.COUNTERS) for plan in plans
        ),
        arena=max((_region(plan, Region.ARENA) for plan in plans), default=0),
        ends=sum(_region(plan, Region.IO) for plan in plans),
        driver=(0 if on_host else _DRIVER_BYTES) + (WORKSPACE_BYTES if calls else 0),
    )


def _region(plan: LaunchPlan, region: Region) -> int:
    return dict(plan.region_bytes).get(region, 0)


class ReferenceStage:
    """A tensor program in NumPy; see ``RunningStage``."""

    def __init__(self, program: TensorProgram, source: TensorSource, math: Math) -> None:
        """Read the weights.

        Raises:
            TensorError: some are missing or do not fit.
        """
        wanted = nodes_as_tensors(program, program.weights)
        match_tensors(wanted, source, "weight")
        self._program = program
        self._math = math
        self._weights = {tensor.name: read_as(tensor, source) for tensor in wanted}
        self._tensors = {
            tensor.name: HostTensor(np.zeros(tensor.shape, tensor.dtype.numpy))
            for tensor in nodes_as_tensors(program, program.inputs)
        }
        self._tensors |= {
            output.name: HostTensor(np.zeros(output.shape, output.dtype.numpy))
            for output in program.outputs
        }

    def tensor(self, name: str) -> HostTensor:
        """See ``RunningStage.tensor``."""
        if name not in self._tensors:
            message = f"stage {self._program.name} has no input or output {name}"
            raise ExecutorError(Diagnostic("R013", message))
        return self._tensors[name]

    def lend(self, name: str, values: Array) -> None:
        """Have input ``name``, of the right shape and type, read where ``values`` lie.

        What can't be written is copied: who has the input's tensor may write to it.
        """
        self.tensor(name).array = values if values.flags.writeable else values.copy()

    def start(self) -> None:
        """See ``RunningStage.start``; here it is over when this returns."""
        names = (self._program.nodes[number] for number in self._program.inputs)
        inputs = {n.name: self._tensors[n.name].array for n in names if isinstance(n, Input)}
        for name, values in evaluate(self._program, inputs, self._weights, self._math).items():
            self._tensors[name].write(values)


@dataclass(slots=True)
class ReferenceHost:
    """Tensor programs in NumPy; see ``StageHost``."""

    math: Math = "fast"
    name: str = "reference"
    _programs: dict[str, TensorProgram] = field(default_factory=dict)
    _stages: dict[str, ReferenceStage] = field(default_factory=dict)

    def hold(
        self,
        programs: Mapping[str, TensorProgram],
        weights: Mapping[str, TensorSource],
        report: Report = lambda name: None,
    ) -> None:
        """Have exactly ``programs`` ready, each with its weights, by the same names.

        Raises:
            TensorError: weights are missing or do not fit.
        """
        same = {name for name in self._stages if self._programs[name] is programs.get(name)}
        self._stages = {name: self._stages[name] for name in same}
        self._programs = dict(programs)
        for name, program in programs.items():
            if name not in self._stages:
                self._stages[name] = ReferenceStage(program, weights[name], self.math)
            report(name)

    def stage(self, name: str) -> ReferenceStage:
        """See ``StageHost.stage``."""
        return self._stages[name]

    def empty(self, shape: tuple[int, ...], dtype: DType) -> HostTensor:
        """See ``StageHost.empty``."""
        return HostTensor(np.empty(shape, dtype.numpy))

    def release(self, tensor: StageTensor) -> None:
        """See ``StageHost.release``."""

    def synchronise(self) -> None:
        """See ``StageHost.synchronise``."""

    def close(self) -> None:
        """See ``StageHost.close``."""
        self._stages.clear()
        self._programs.clear()


def nodes_as_tensors(program: TensorProgram, numbers: tuple[int, ...]) -> tuple[WantedTensor, ...]:
    """The inputs or weights of ``program`` among its nodes ``numbers``."""
    nodes: list[Any] = [program.nodes[number] for number in numbers]
    return tuple(
        WantedTensor(node.name, node.space, node.dtype)
        for node in nodes
        if isinstance(node, Input | Weight)
    )
