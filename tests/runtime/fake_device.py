"""A device for tests of the executor: kernels are Python functions over its memory."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanCall
from lumc.runtime.devices.device import (
    Bytes,
    DeviceArgument,
    DeviceError,
    DeviceLaunch,
    without_libraries,
)
from lumc.runtime.origins import Origins, no_origins

KernelFunction = Callable[[list[npt.NDArray[np.uint8]]], None]


class FakeDevice:
    """Memory is one array, first filled with noise; kernels are looked up by symbol."""

    name = "fake"
    target = "gfx942"

    def __init__(self, kernels: dict[str, KernelFunction], size: int = 1 << 16) -> None:
        self.memory = np.random.default_rng(7).integers(0, 256, size, dtype=np.uint8)
        self.allocated: dict[int, int] = {}
        self.events: list[str] = []
        self._kernels = kernels
        self._next = 256

    def allocate(self, size: int) -> int:
        if self._next + size > len(self.memory):
            raise DeviceError()
        address = self._next
        self._next += -(-size // 256) * 256
        self.allocated[address] = size
        return address

    def free(self, address: int) -> None:
        del self.allocated[address]

    def write(self, address: int, data: Bytes) -> None:
        assert data.dtype == np.uint8
        self.memory[address : address + data.size] = data

    def read(self, address: int, size: int) -> Bytes:
        return self.memory[address : address + size].copy()

    def copy(self, target: int, source: int, size: int) -> None:
        self.memory[target : target + size] = self.memory[source : source + size]

    def free_bytes(self) -> int:
        return len(self.memory) - self._next

    def dlpack_device(self) -> tuple[int, int]:
        return (12, 3)

    def dlpack_stream(self) -> int | None:
        return None

    def load(self, code: bytes, assembly: str, symbol: str, origins: Origins = no_origins) -> Any:
        self.events.append(f"load {symbol} {code!r} {assembly!r}")
        return symbol

    def load_call(self, call: PlanCall) -> Any:
        raise without_libraries(self.name, call)

    def record(self, launches: Sequence[DeviceLaunch]) -> Any:
        self.events.append("record " + " ".join(launch.kernel for launch in launches))
        return list(launches)

    def replay(self, recording: Any) -> None:
        for launch in recording:
            self._kernels[launch.kernel]([self._view(a) for a in launch.arguments])

    def forget(self, recording: Any) -> None:
        self.events.append("forget " + " ".join(launch.kernel for launch in recording))

    def elapsed_milliseconds(self, recording: Any) -> float:
        self.replay(recording)
        return 1.25

    def synchronise(self) -> None:
        self.events.append("synchronise")

    def synchronise_others(self) -> None:
        self.events.append("synchronise others")

    def close(self) -> None:
        assert not self.allocated

    def _view(self, argument: DeviceArgument) -> npt.NDArray[np.uint8]:
        return self.memory[argument.address : argument.address + argument.bytes]
