"""Checking a compiled stage as a whole: every launch of a step on the emulator, in order.

What each launch writes must be within the bound that rounding allows of what its kernel means, on
the very data that stood there; and what the step puts out must be what the reference computes. If
it is not, the reference is asked what each buffer should hold, and the first launch is named that
wrote something else.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import LaunchPlan, PlanKernel, PlanLaunch
from lumc.dsl.dtypes import DType
from lumc.dsl.reference import Math, evaluate
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from lumc.lowering.held_values import HeldValues
from lumc.lowering.kernel_program import (
    Argument,
    Buffer,
    BufferKind,
    KernelProgram,
    Launch,
    ParameterAccess,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_reference import poisoned
from lumc.runtime.devices.device import DeviceLaunch
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import CompiledStage
from lumc.runtime.tensors import TensorArrays
from lumc.runtime.verify_kernels import check_launch

Array = npt.NDArray[Any]
Arrays = dict[str, Array]

# Relative L2 errors of outputs, with all storage in f32 and with some in narrower types.
_TOLERANCE, _NARROW_TOLERANCE = 1e-3, 5e-2

# Whole numbers are below these: they may be used as places, or as a mask. The greatest is taken
# with which all results are finite, as they are not where places lie outside.
_WHOLE_LIMITS = (1000, 50, 5, 2, 1)
_ATTEMPTS = 4


@dataclass(frozen=True, slots=True)
class Tensors:
    """Random inputs and weights of a stage, and the outputs that the reference computes."""

    inputs: Arrays
    weights: Arrays
    outputs: Arrays


@dataclass(frozen=True, slots=True)
class Difference:
    """The first launch whose result is not what it should be, and how it is not."""

    launch: int
    """By number, from 1; those that prepare come first."""
    symbol: str
    spec_lines: tuple[str, ...]
    reasons: tuple[str, ...]
    by_itself: bool
    """The code does not compute what its kernel means; else the kernel means something else."""


@dataclass(frozen=True, slots=True)
class StageCheck:
    """How many launches ran and elements were compared, and what was wrong.

    ``error`` is the greatest relative L2 error of an output.
    """

    launches: int
    elements: int
    error: float
    difference: Difference | None


def check_stage(
    stage: CompiledStage,
    program: KernelProgram,
    held: HeldValues,
    tensors: Tensors,
    meaning: Math,
) -> StageCheck:
    """Run a step of ``stage`` launch by launch on the emulator.

    Args:
        stage: What runs: the code of ``program``, without calls of libraries.
        program: What it was made from.
        held: What its buffers hold.
        tensors: What it runs on.
        meaning: How the reference rounds.

    Raises:
        EmulationFault: a kernel broke a rule of the machine.
    """
    with closing(EmulatorDevice(stage.plan.target)) as device, Executor(stage, device) as executor:
        run = _Run(stage.plan, program, executor, device)
        executor.load_weights(TensorArrays(tensors.weights))
        executor.write_inputs(tensors.inputs)
        launches = (*program.prepare, *program.launches)
        for number, step in enumerate(run.steps()):
            reasons = run.launch(number, launches[number], step)
            if reasons:
                wrong = run.difference(number, reasons, by_itself=True)
                return StageCheck(number + 1, run.elements, math.inf, wrong)
    outputs = {n: tensors.outputs[b.name] for n, b in enumerate(program.buffers) if _is_output(b)}
    error = max((relative_error(run.kept[n], outputs[n]) for n in outputs), default=0.0)
    limit = tolerance(program)
    if error <= limit:
        return StageCheck(len(launches), run.elements, error, None)
    wanted = held.evaluate(tensors.inputs, tensors.weights, meaning) | outputs
    return StageCheck(len(launches), run.elements, error, run.first_unlike(wanted, limit))


def _is_output(buffer: Buffer) -> bool:
    return buffer.kind is BufferKind.OUTPUT


def tolerance(program: KernelProgram) -> float:
    """The relative L2 error that storing tensors in the types of ``program`` leaves room for."""
    narrow = any(buffer.dtype in (DType.BF16, DType.F16) for buffer in program.buffers)
    return _NARROW_TOLERANCE if narrow else _TOLERANCE


def relative_error(found: Array, wanted: Array) -> float:
    """The relative L2 error; infinite unless both are finite, or equal, at the same places."""
    a, b = (array.reshape(-1).astype(np.float64) for array in (found, wanted))
    finite = np.isfinite(b)
    if not np.array_equal(a[~finite], b[~finite], equal_nan=True):
        return math.inf
    size = float(np.linalg.norm(b[finite])) or 1.0
    error = float(np.linalg.norm(a[finite] - b[finite])) / size
    return error if math.isfinite(error) else math.inf


# ------------------------------------------------------------------------------------------- data


def random_tensors(program: TensorProgram, meaning: Math, seed: int = 0) -> Tensors | None:
    """Inputs and weights with which the outputs are finite; None if no attempt finds any."""
    for limit in _WHOLE_LIMITS:
        for attempt in range(_ATTEMPTS):
            generator = np.random.default_rng((seed, limit, attempt))
            inputs, weights = (
                {
                    node.name: _random_tensor(node, generator, limit)
                    for node in (program.nodes[number] for number in numbers)
                    if isinstance(node, Input | Weight)
                }
                for numbers in (program.inputs, program.weights)
            )
            outputs = evaluate(program, inputs, weights, meaning)
            if all(np.isfinite(values.astype(np.float64)).all() for values in outputs.values()):
                return Tensors(inputs, weights, outputs)
    return None


def _random_tensor(node: Input | Weight, generator: np.random.Generator, limit: int) -> Array:
    """Matrices keep the size of what they multiply; vectors are around 1: they may be variances."""
    shape = node.space
    if not node.dtype.is_float:
        limit = 2 if node.dtype is DType.BOOL else limit
        return generator.integers(0, limit, shape).astype(node.dtype.numpy)
    if len(shape) < 2:
        return np.asarray(generator.uniform(0.5, 1.5, shape)).astype(node.dtype.numpy)
    scale = (math.prod(shape) / shape[0]) ** -0.5 if isinstance(node, Weight) else 1.0
    return (generator.standard_normal(shape) * scale).astype(node.dtype.numpy)


# -------------------------------------------------------------------------------------- launches


@dataclass(slots=True)
class _Run:
    """A step under way, and what it wrote.

    ``kept`` has what each buffer held after its last launch, in its shape; ``writers`` the launch
    that last changed each of its elements.
    """

    plan: LaunchPlan
    program: KernelProgram
    executor: Executor
    device: EmulatorDevice
    elements: int = 0
    kept: dict[int, Array] = field(default_factory=dict)
    writers: dict[int, npt.NDArray[np.int64]] = field(default_factory=dict)

    def steps(self) -> list[tuple[Any, DeviceLaunch]]:
        """Each launch, recorded for the device, with those that prepare first."""
        found: list[tuple[Any, DeviceLaunch]] = []
        for launches in (self.plan.prepare, self.plan.launches):
            device_launches = self.executor.device_launches(launches)
            recording = self.device.record(device_launches)
            found += zip(((step,) for step in recording), device_launches, strict=True)
        return found

    def launch(
        self, number: int, launch: Launch, step: tuple[Any, DeviceLaunch]
    ) -> tuple[str, ...]:
        """Run a launch; what is wrong with what it wrote."""
        recording, on_device = step
        before, _ = self._arguments(launch, on_device)
        self.device.replay(recording)
        after, missing = self._arguments(launch, on_device)
        kernel = self.program.kernels[launch.kernel]
        for n, parameter in enumerate(kernel.parameters):
            # What nothing wrote since the memory changed hands is no one's.
            before[n][missing[n]] = after[n][missing[n]]
            if parameter.access is not ParameterAccess.READ:
                address = on_device.arguments[n].buffer_address
                self._note(number, launch.arguments[n], address, before[n], after[n])
        check = check_launch(kernel, before, after)
        self.elements += check.elements
        return tuple(map(str, check.mismatches))

    def _arguments(
        self, launch: Launch, on_device: DeviceLaunch
    ) -> tuple[list[Array], list[npt.NDArray[np.bool_]]]:
        """What the parameters of a launch's kernel hold, and where that is nothing."""
        parameters = self.program.kernels[launch.kernel].parameters
        found = [
            self._contents(argument.address, extent(parameter), parameter.dtype)
            for parameter, argument in zip(parameters, on_device.arguments, strict=False)
        ]
        return [values for values, _ in found], [missing for _, missing in found]

    def _contents(
        self, address: int, elements: int, dtype: DType
    ) -> tuple[Array, npt.NDArray[np.bool_]]:
        """Elements in memory, poison where nothing was written, and where that is."""
        data, written = self.device.contents(address, elements * dtype.bytes)
        values: Array = data.view(dtype.numpy)
        missing = np.any(~written.reshape(-1, dtype.bytes), axis=1)
        values[missing] = poisoned(1, dtype)
        return values, missing

    def _note(
        self, number: int, argument: Argument, address: int, before: Array, after: Array
    ) -> None:
        """Who changed what of a buffer at ``address``, and what it holds now."""
        buffer = self.program.buffers[argument.buffer]
        elements = math.prod(buffer.shape)
        bits = f"u{after.itemsize}"
        changed = argument.offset + np.flatnonzero(before.view(bits) != after.view(bits))
        writers = self.writers.setdefault(argument.buffer, np.full(elements, number))
        writers[changed] = number
        values, _ = self._contents(address, elements, buffer.dtype)
        self.kept[argument.buffer] = values.reshape(buffer.shape)

    def difference(self, number: int, reasons: tuple[str, ...], *, by_itself: bool) -> Difference:
        """Launch ``number``, for a reader."""
        planned: PlanLaunch = (*self.plan.prepare, *self.plan.launches)[number]
        kernel = self.plan.kernels[planned.kernel]
        lines = kernel.spec_lines if isinstance(kernel, PlanKernel) else ()
        return Difference(number + 1, kernel.symbol, lines, reasons, by_itself)

    def first_unlike(self, wanted: Mapping[int, Array], limit: float) -> Difference:
        """The first launch that wrote something that is not as ``wanted``."""
        found: list[tuple[int, str]] = []
        for number in self.kept.keys() & wanted.keys():
            error = relative_error(self.kept[number], wanted[number])
            if error <= limit:
                continue
            off = np.abs(self.kept[number].astype(np.float64) - wanted[number])
            worst = int(np.argmax(np.where(np.isnan(off), np.inf, off)))
            name = self.program.buffers[number].name
            reason = f"{name} differs from the reference: the relative error is {error:.2g}"
            found.append((int(self.writers[number][worst]), reason))
        first = min(launch for launch, _ in found)
        reasons = tuple(reason for launch, reason in found if launch == first)
        return self.difference(first, reasons, by_itself=False)
