"""A stand-in for cuda-python's module ``driver``: host memory, and a record of every call."""

from __future__ import annotations

import ctypes
from enum import IntEnum
from typing import Any

from tests.runtime.recording_hip import Handle


class CudaResult(IntEnum):
    CUDA_SUCCESS = 0
    CUDA_ERROR_OUT_OF_MEMORY = 2
    CUDA_ERROR_NO_DEVICE = 100
    CUDA_ERROR_ILLEGAL_ADDRESS = 700


class Attribute(IntEnum):
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR = 75
    CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR = 76


class CaptureMode(IntEnum):
    CU_STREAM_CAPTURE_MODE_THREAD_LOCAL = 1


class StreamFlags(IntEnum):
    CU_STREAM_NON_BLOCKING = 1


class EventFlags(IntEnum):
    CU_EVENT_DEFAULT = 0
    CU_EVENT_DISABLE_TIMING = 2


class RecordingCuda:
    """What is called is written to ``calls``; ``errors[name]`` makes that function fail."""

    CUresult = CudaResult
    CUdevice_attribute = Attribute
    CUstreamCaptureMode = CaptureMode
    CUstream_flags = StreamFlags
    CUevent_flags = EventFlags

    def __init__(self, devices: int = 1, capability: tuple[int, int] = (9, 0)) -> None:
        self.calls: list[str] = []
        self.errors: dict[str, CudaResult] = {}
        self._devices = devices
        self._capability = capability
        self._memory: dict[int, Any] = {}
        self._counts: dict[str, int] = {}
        self.current: Any = None
        """The thread's context; setting it to what it is already is not recorded."""
        self.milliseconds: list[float] = []
        """What events measure, in turn; then always 2.5."""

    def __getattr__(self, name: str) -> Any:
        if not name.startswith("cu"):
            raise AttributeError(name)

        def call(*arguments: Any) -> tuple[Any, ...]:
            if name == "cuCtxSetCurrent":
                (wanted,) = arguments
                if wanted is self.current:
                    return (CudaResult.CUDA_SUCCESS,)
                self.current = wanted
            self.calls.append(f"{name}({', '.join(map(self._show, arguments))})")
            if name in self.errors:
                error = self.errors[name]
                return (error,) if name == "cuInit" else (error, None)
            return (CudaResult.CUDA_SUCCESS, *self._results(name, arguments))

        return call

    def _show(self, argument: Any) -> str:
        match argument:
            case (tuple() as values, tuple() as types):
                assert types == (ctypes.c_void_p,) * len(values)
                return "[" + " ".join(map(self._place, values)) + "]"
            case bytes():
                return argument.decode("utf-8", "replace")
            case int() if argument > 1 << 32:
                return self._place(argument)
            case IntEnum():
                return argument.name.removeprefix("CU_")
            case _:
                return str(argument)

    def _place(self, address: int) -> str:
        for number, (start, memory) in enumerate(self._memory.items()):
            if start <= address < start + len(memory):
                return f"m{number}+{address - start}"
        return "host"

    def _handle(self, name: str) -> Handle:
        number = self._counts[name] = self._counts.get(name, -1) + 1
        return Handle(f"{name}{number}")

    def _results(self, name: str, arguments: tuple[Any, ...]) -> tuple[Any, ...]:
        match name:
            case "cuDeviceGetCount":
                return (self._devices,)
            case "cuDeviceGetAttribute":
                (attribute, _) = arguments
                return (self._capability[attribute - 75],)
            case "cuMemAlloc" | "cuMemAllocHost":
                memory = (ctypes.c_uint8 * arguments[0])()
                address = ctypes.addressof(memory)
                self._memory[address] = memory
                return (address,)
            case "cuMemGetInfo":
                return (1000, 2000)
            case "cuMemcpyHtoDAsync" | "cuMemcpyDtoHAsync" | "cuMemcpyDtoDAsync":
                ctypes.memmove(*arguments[:3])
                return ()
            case "cuEventElapsedTime":
                return (self.milliseconds.pop(0) if self.milliseconds else 2.5,)
            case "cuGetErrorString":
                return (f"the words for {arguments[0].name}".encode(),)
            case _ if name in _MADE:
                return (self._handle(_MADE[name]),)
            case _:
                return ()


_MADE = {
    "cuDeviceGet": "device",
    "cuDevicePrimaryCtxRetain": "context",
    "cuStreamCreate": "stream",
    "cuEventCreate": "event",
    "cuModuleLoadData": "module",
    "cuModuleGetFunction": "function",
    "cuStreamEndCapture": "graph",
    "cuGraphInstantiate": "executable",
}
