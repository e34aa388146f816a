# ruff: noqa: N815 (the names are those of HIP)
"""A stand-in for hip-python's module ``hip``: host memory, and a record of every call."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np


class HipError(IntEnum):
    hipSuccess = 0
    hipErrorOutOfMemory = 2
    hipErrorNoDevice = 100
    hipErrorInvalidDevice = 101
    hipErrorIllegalAddress = 700


class MemcpyKind(IntEnum):
    hipMemcpyHostToDevice = 1
    hipMemcpyDeviceToHost = 2
    hipMemcpyDeviceToDevice = 3


class CaptureMode(IntEnum):
    hipStreamCaptureModeThreadLocal = 1


class Handle:
    """An opaque handle, with a name that the record shows."""

    def __init__(self, name: str, address: int = 0) -> None:
        self.name = name
        self._address = address

    def __int__(self) -> int:
        return self._address

    def __repr__(self) -> str:
        return self.name


class RecordingHip:
    """What is called is written to ``calls``; ``errors[name]`` makes that function fail."""

    hipError_t = HipError
    hipMemcpyKind = MemcpyKind
    hipStreamCaptureMode = CaptureMode
    hipStreamNonBlocking = 1

    def __init__(self, devices: int = 1, architecture: bytes = b"gfx942:sramecc+:xnack-") -> None:
        self.calls: list[str] = []
        self.errors: dict[str, HipError] = {}
        self._devices = devices
        self._architecture = architecture
        self._memory: dict[int, Any] = {}
        self._counts: dict[str, int] = {}
        self.current: int | None = None
        """The thread's device; setting it to what it is already is not recorded."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("hip"):
            raise AttributeError(name)

        def call(*arguments: Any) -> tuple[Any, ...]:
            if name == "hipSetDevice":
                (wanted,) = arguments
                if wanted == self.current:
                    return (HipError.hipSuccess,)
                self.current = wanted
            self.calls.append(f"{name}({', '.join(map(self._show, arguments))})")
            if name in self.errors:
                return (self.errors[name], None)
            return (HipError.hipSuccess, *self._results(name, arguments))

        return call

    def _show(self, argument: Any) -> str:
        match argument:
            case tuple():
                return "[" + " ".join(self._place(pointer.value) for pointer in argument) + "]"
            case np.ndarray():
                return f"host[{argument.size}]"
            case bytes():
                return argument.decode()
            case int() if argument > 1 << 32:
                return self._place(argument)
            case _:
                return str(argument)

    def _place(self, address: int) -> str:
        for number, (start, memory) in enumerate(self._memory.items()):
            if start <= address < start + len(memory):
                return f"m{number}+{address - start}"
        return f"lost {address}"

    def _handle(self, name: str, address: int = 0) -> Handle:
        number = self._counts[name] = self._counts.get(name, -1) + 1
        return Handle(f"{name}{number}", address)

    def _results(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        match name:
            case "hipGetDeviceCount":
                return (self._devices,)
            case "hipGetDeviceProperties":
                return (SimpleNamespace(gcnArchName=self._architecture),)
            case "hipMalloc" | "hipHostMalloc":
                memory = (ctypes.c_uint8 * arguments[0])()
                address = ctypes.addressof(memory)
                self._memory[address] = memory
                return (Handle(f"m{len(self._memory) - 1}", address),)
            case "hipMemGetInfo":
                return (1000, 2000)
            case "hipMemcpyAsync":
                self._copy(*arguments[:3])
                return ()
            case "hipStreamCreateWithFlags":
                return (self._handle("stream"),)
            case "hipEventCreate":
                return (self._handle("event"),)
            case "hipModuleLoadData":
                return (self._handle("module"),)
            case "hipModuleGetFunction":
                return (self._handle("function"),)
            case "hipStreamEndCapture":
                return (self._handle("graph"),)
            case "hipGraphInstantiateWithFlags":
                return (self._handle("executable"),)
            case "hipEventElapsedTime":
                return (2.5,)
            case "hipGetErrorString":
                return (f"the words for {arguments[0].name}".encode(),)
            case _:
                return ()

    def _copy(self, target: Any, source: Any, size: int) -> None:
        def address(place: Any) -> int:
            return place.ctypes.data if isinstance(place, np.ndarray) else int(place)

        ctypes.memmove(address(target), address(source), size)
