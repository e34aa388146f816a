"""Seconds of a kernel, measured on a device."""

from __future__ import annotations

import warnings
from collections.abc import Iterator, Sequence
from contextlib import contextmanager, suppress
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.assemble_plan import plan_call
from lumc.codegen.build import compile_units
from lumc.codegen.cache import Cache
from lumc.codegen.emit import EmittedCall, EmittedKernel, MathMode, emit_program
from lumc.codegen.launch_plan import Meeting
from lumc.codegen.target import Target
from lumc.codegen.toolchains import CompilationError, Toolchain
from lumc.diagnostics import Diagnostic, LumcError
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Kernel, KernelProgram, Parameter, ParameterAccess
from lumc.lowering.made_operands import with_made_parameters
from lumc.lowering.tuning_database import MeasuringWarning
from lumc.runtime.devices.device import Device, DeviceArgument, DeviceLaunch
from lumc.runtime.devices.open_device import has_gpu, open_device
from lumc.runtime.meetings import meeting_arguments
from lumc.runtime.verify_kernels import random_arguments

_ROUNDS = 3


class NoDeviceError(LumcError):
    """There is nothing here to measure on."""


@contextmanager
def device_to_measure(target: str) -> Iterator[Device]:
    """A GPU that runs code for ``target``.

    Raises:
        NoDeviceError: there is none; the emulator's times say nothing of a GPU.
    """
    if not has_gpu(target):
        message = f"a search on the device needs a GPU that runs code for {target}: there is none"
        hint = "--search model searches by the model of the chip"
        raise NoDeviceError(Diagnostic("T001", message, hint=hint))
    device = open_device("auto", target)
    try:
        yield device
    finally:
        device.close()


@dataclass(frozen=True, slots=True)
class Measurer:
    """Measures kernels, compiled as a stage's are, on ``device``."""

    device: Device
    target: Target
    math: MathMode
    chain: Toolchain
    store: Cache
    launches: int = 20
    """Of one recording: the time of a launch is that of all over their number."""

    def seconds(self, kernels: Sequence[Kernel]) -> Iterator[float | None]:
        """Seconds of one launch of each of ``kernels`` on random data: the least of a few rounds.

        All are compiled first, side by side. None, with a warning, for a kernel that can't be
        compiled or launched.
        """
        emitted = [self._emitted(kernel) for kernel in kernels]
        units = {one.symbol: one.unit for one in emitted if isinstance(one, EmittedKernel)}
        # One that can't be compiled is found again, and named, when its turn comes.
        with suppress(CompilationError):
            compile_units(units, self.chain, self.target.name, self.store, lambda: None)
        for kernel, one in zip(kernels, emitted, strict=True):
            try:
                yield self._seconds(kernel, one)
            except LumcError as error:
                reason = str(error).split("\n")[0]
                message = f"{kernel.name} was not measured: {reason}"
                warnings.warn(message, MeasuringWarning, stacklevel=2)
                yield None

    def _emitted(self, kernel: Kernel) -> EmittedKernel | EmittedCall:
        program = KernelProgram("measured", (), (), (with_made_parameters(kernel),), (), ())
        (emitted,) = emit_program(program, self.target, math_mode=self.math).kernels
        return emitted

    def _seconds(self, kernel: Kernel, emitted: EmittedKernel | EmittedCall) -> float:
        loaded = self._loaded(emitted)
        meeting = emitted.meeting if isinstance(emitted, EmittedKernel) else None
        with self._arguments(with_made_parameters(kernel), meeting) as sets:
            launches = [_launch(loaded, emitted, sets[n % len(sets)]) for n in range(self.launches)]
            recording = self.device.record(launches)
            self.device.replay(recording)
            self.device.synchronise()
            times = [self.device.elapsed_milliseconds(recording) for _ in range(_ROUNDS)]
            self.device.forget(recording)
        return min(times) / 1000 / self.launches

    def _loaded(self, emitted: EmittedKernel | EmittedCall) -> object:
        if isinstance(emitted, EmittedCall):
            return self.device.load_call(plan_call(emitted))
        units = {emitted.symbol: emitted.unit}
        built = compile_units(units, self.chain, self.target.name, self.store, lambda: None)
        made = built.objects[emitted.symbol]
        return self.device.load(made.code, made.assembly, emitted.symbol)

    @contextmanager
    def _arguments(
        self, kernel: Kernel, meeting: Meeting | None
    ) -> Iterator[list[tuple[DeviceArgument, ...]]]:
        """Sets of buffers of random data, one for each parameter, and of what workgroups meet in.

        There are so many that what a launch has read is out of the cache when its turn comes again.
        """
        arrays = random_arguments(kernel, np.random.default_rng(0))
        size = sum(array.nbytes for array in arrays)
        wanted = -(-2 * chip_for(self.target.name).cache_bytes // max(size, 1))
        addresses: list[int] = []
        try:
            yield [
                (
                    *(
                        self._argument(parameter, array, addresses)
                        for parameter, array in zip(kernel.parameters, arrays, strict=True)
                    ),
                    *self._meeting(meeting, addresses),
                )
                for _ in range(max(1, min(wanted, self.launches)))
            ]
        finally:
            for address in addresses:
                self.device.free(address)

    def _meeting(self, meeting: Meeting | None, addresses: list[int]) -> tuple[DeviceArgument, ...]:
        found = meeting_arguments(self.device, meeting)
        addresses += [argument.address for argument in found]
        return found

    def _argument(
        self, parameter: Parameter, array: npt.NDArray[Any], addresses: list[int]
    ) -> DeviceArgument:
        address = self.device.allocate(max(array.nbytes, 1))
        addresses.append(address)
        self.device.write(address, array.view(np.uint8))
        writes = parameter.access is not ParameterAccess.READ
        return DeviceArgument(address, 0, array.nbytes, writes, parameter.name)


def _launch(
    loaded: object, emitted: EmittedKernel | EmittedCall, arguments: tuple[DeviceArgument, ...]
) -> DeviceLaunch:
    block = emitted.block if isinstance(emitted, EmittedKernel) else (1, 1, 1)
    return DeviceLaunch(loaded, emitted.grid, block, arguments, emitted.symbol)
