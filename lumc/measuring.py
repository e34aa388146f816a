"""Seconds of a kernel, measured on a device."""

from __future__ import annotations

import warnings
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass

import numpy as np

from lumc.codegen.build import compile_units
from lumc.codegen.cache import Cache
from lumc.codegen.emit import EmittedKernel, MathMode, emit_program
from lumc.codegen.target import Target
from lumc.codegen.toolchains import Toolchain
from lumc.diagnostics import Diagnostic, LumcError
from lumc.lowering.kernel_program import Kernel, KernelProgram, ParameterAccess
from lumc.lowering.tuning_database import MeasuringWarning
from lumc.runtime.devices.device import Device, DeviceArgument, DeviceLaunch
from lumc.runtime.devices.open_device import has_gpu, open_device
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

    def seconds(self, kernel: Kernel) -> float | None:
        """Seconds of one launch on random data: the least of a few rounds.

        None, with a warning, for a kernel that can't be compiled or launched.
        """
        try:
            return self._seconds(kernel)
        except LumcError as error:
            reason = str(error).split("\n")[0]
            message = f"{kernel.name} was not measured: {reason}"
            warnings.warn(message, MeasuringWarning, stacklevel=2)
            return None

    def _seconds(self, kernel: Kernel) -> float:
        program = KernelProgram("measured", (), (), (kernel,), (), ())
        (emitted,) = emit_program(program, self.target, math_mode=self.math).generated
        units = {emitted.symbol: emitted.unit}
        built = compile_units(units, self.chain, self.target.name, self.store, lambda: None)
        made = built.objects[emitted.symbol]
        loaded = self.device.load(made.code, made.assembly, emitted.symbol)
        with self._arguments(kernel) as arguments:
            launch = _launch(loaded, emitted, arguments)
            recording = self.device.record([launch] * self.launches)
            self.device.replay(recording)
            self.device.synchronise()
            times = [self.device.elapsed_milliseconds(recording) for _ in range(_ROUNDS)]
        return min(times) / 1000 / self.launches

    @contextmanager
    def _arguments(self, kernel: Kernel) -> Iterator[tuple[DeviceArgument, ...]]:
        """Buffers of random data, one for each parameter."""
        addresses: list[int] = []
        arguments = []
        try:
            arrays = random_arguments(kernel, np.random.default_rng(0))
            for parameter, array in zip(kernel.parameters, arrays, strict=True):
                address = self.device.allocate(array.nbytes)
                addresses.append(address)
                self.device.write(address, array.view(np.uint8))
                writes = parameter.access is not ParameterAccess.READ
                arguments.append(DeviceArgument(address, 0, array.nbytes, writes, parameter.name))
            yield tuple(arguments)
        finally:
            for address in addresses:
                self.device.free(address)


def _launch(
    loaded: object, emitted: EmittedKernel, arguments: tuple[DeviceArgument, ...]
) -> DeviceLaunch:
    return DeviceLaunch(loaded, emitted.grid, emitted.block, arguments, emitted.symbol)
