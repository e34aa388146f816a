"""The emulator as a device: launch plans run on the CPU, every access checked.

A buffer that a recording writes before it reads it begins undefined each time, even where other
bytes lay there before, so that a step that relies on stale memory fails.
"""

from __future__ import annotations

import time
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import NoReturn

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanCall
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.device import (
    Bytes,
    DeviceArgument,
    DeviceError,
    DeviceLaunch,
    without_libraries,
)
from lumc.runtime.devices.host_memory import DLPACK_HOST, free_host_bytes
from lumc.runtime.emulator import DeviceBuffer, DeviceMemory, Emulator, LaunchResult
from lumc.runtime.emulator.native import interpreter
from lumc.runtime.origins import Origins, no_origins

EMULATED_TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100")
"""The chips whose code the emulator runs."""


@dataclass(frozen=True, slots=True)
class _Kernel:
    emulator: Emulator
    symbol: str


@dataclass(frozen=True, slots=True)
class _Step:
    launch: DeviceLaunch
    undefined: tuple[DeviceArgument, ...]
    """Arguments whose buffers hold nothing yet when this launch begins."""


Observer = Callable[[DeviceLaunch, Emulator, LaunchResult], None]
"""Told of each kernel execution when it is over, with the code that ran and what it did."""


def _ignore(launch: DeviceLaunch, emulator: Emulator, result: LaunchResult) -> None:
    """An observer that looks away."""


class EmulatorDevice:
    """Runs code for ``target`` on the CPU."""

    def __init__(self, target: str, observer: Observer = _ignore) -> None:
        """A device with no memory in use; ``observer`` is told of each launch.

        Raises:
            DeviceError: the emulator doesn't run code for ``target``.
        """
        if target not in EMULATED_TARGETS:
            names = ", ".join(EMULATED_TARGETS)
            message = f"the emulator doesn't run code for {target}, only for {names}"
            raise DeviceError(Diagnostic("D030", message))
        self.name = "emulator"
        self.target = target
        self._observer = observer
        self._memories: dict[int, DeviceMemory] = {}

    def allocate(self, size: int) -> int:
        """See ``Device.allocate``."""
        try:
            memory = DeviceMemory(size)
        except MemoryError:
            raise DeviceError(
                Diagnostic("D013", f"this machine has no {size:,} bytes left for the emulator")
            ) from None
        self._memories[memory.address] = memory
        return memory.address

    def free(self, address: int) -> None:
        """See ``Device.free``."""
        del self._memories[address]

    def write(self, address: int, data: Bytes) -> None:
        """See ``Device.write``."""
        memory, offset = self._find(address)
        memory.write(offset, data)

    def read(self, address: int, size: int) -> Bytes:
        """See ``Device.read``.

        Raises:
            UninitialisedReadError: nothing wrote some of the bytes.
        """
        memory, offset = self._find(address)
        data: Bytes = memory.read(offset, (size,), "u1")
        return data

    def contents(self, address: int, size: int) -> tuple[Bytes, npt.NDArray[np.bool_]]:
        """The bytes that stand at ``address``, and which of them anything wrote."""
        memory, offset = self._find(address)
        return memory.bytes[offset : offset + size].copy(), memory.written_bytes(offset, size)

    def copy(self, target: int, source: int, size: int) -> None:
        """See ``Device.copy``.

        Raises:
            UninitialisedReadError: nothing wrote some of the bytes.
        """
        self.write(target, self.read(source, size))

    def free_bytes(self) -> int:
        """See ``Device.free_bytes``: what this machine has, less the record of what was written."""
        return free_host_bytes() * 4 // 5

    def dlpack_device(self) -> tuple[int, int]:
        """See ``Device.dlpack_device``."""
        return (DLPACK_HOST, 0)

    def dlpack_stream(self) -> int | None:
        """See ``Device.dlpack_stream``."""
        return None

    def load(
        self, code: bytes, assembly: str, symbol: str, origins: Origins = no_origins
    ) -> _Kernel:
        """See ``Device.load``."""
        return _Kernel(Emulator(code, assembly, source_lines=origins), symbol)

    def load_call(self, call: PlanCall) -> NoReturn:
        """See ``Device.load_call``."""
        raise without_libraries(self.name, call)

    def record(self, launches: Sequence[DeviceLaunch]) -> tuple[_Step, ...]:
        """See ``Device.record``."""
        known: set[int] = set()
        steps = []
        for launch in launches:
            new = [a for a in launch.arguments if a.buffer_address not in known]
            steps.append(_Step(launch, tuple(a for a in new if a.writes and not a.kept)))
            known |= {argument.buffer_address for argument in new}
        return tuple(steps)

    def replay(self, recording: tuple[_Step, ...]) -> None:
        """See ``Device.replay``; here it is over when this returns.

        Raises:
            EmulationFault: a kernel broke a rule.
        """
        for step in recording:
            for argument in step.undefined:
                memory, offset = self._find(argument.buffer_address)
                memory.forget(offset, argument.offset + argument.bytes)
            kernel: _Kernel = step.launch.kernel
            arguments = [self._buffer(argument) for argument in step.launch.arguments]
            result = kernel.emulator.launch(
                kernel.symbol, step.launch.grid, step.launch.block, arguments
            )
            self._observer(step.launch, kernel.emulator, result)

    def forget(self, recording: tuple[_Step, ...]) -> None:
        """See ``Device.forget``."""

    def elapsed_milliseconds(self, recording: tuple[_Step, ...]) -> float:
        """See ``Device.elapsed_milliseconds``; the time is this machine's, no GPU's."""
        start = time.perf_counter()
        self.replay(recording)
        return (time.perf_counter() - start) * 1000

    def synchronise(self) -> None:
        """See ``Device.synchronise``."""

    def synchronise_others(self) -> None:
        """See ``Device.synchronise_others``."""

    def close(self) -> None:
        """See ``Device.close``."""
        self._memories.clear()

    def _find(self, address: int) -> tuple[DeviceMemory, int]:
        for start, memory in self._memories.items():
            if start <= address < start + max(memory.size, 1):
                return memory, address - start
        raise AssertionError(f"{address:#x} is in no allocation")

    def _buffer(self, argument: DeviceArgument) -> DeviceBuffer:
        memory, offset = self._find(argument.address)
        buffer = memory.buffer(offset, argument.bytes, name=argument.name)
        return buffer if argument.writes else buffer.readonly()


def build_emulator() -> None:
    """Build the interpreter unless that is done.

    Raises:
        EmulatorBuildError: no C++ compiler is here.
    """
    interpreter()
