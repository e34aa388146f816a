"""AMD GPUs through hip-python: modules, one stream, one captured graph a recording.

Every call is checked. A recording is captured once and never updated: nothing in a step changes
but the content of memory.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NoReturn

import numpy as np

from lumc.codegen.launch_plan import PlanCall
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.device import Bytes, DeviceError, DeviceLaunch, without_libraries
from lumc.runtime.origins import Origins, no_origins

DLPACK_ROCM = 10
_STAGING_BYTES = 64 << 20
_INSTALL = "pip install 'lumc[amd]', or install ROCm; lumc doctor shows what was found"


@dataclass(frozen=True, slots=True)
class _Recording:
    executable: Any
    """None when there is nothing to launch."""


def load_binding() -> Any:
    """The module ``hip`` of hip-python.

    Raises:
        DeviceError: it is not installed.
    """
    try:
        from hip import hip
    except ImportError as error:
        message = f"hip-python can't be imported: {error}"
        raise DeviceError(Diagnostic("D010", message, hint="pip install hip-python")) from None
    return hip


class HipDevice:
    """GPU ``number`` of this machine."""

    def __init__(self, number: int = 0, binding: Any = None) -> None:
        """Open the GPU; ``binding`` stands in for the module ``hip`` in tests.

        Raises:
            DeviceError: hip-python, ROCm's library or the GPU is missing.
        """
        self.name = f"hip:{number}"
        self._number = number
        self._hip = load_binding() if binding is None else binding
        self._modules: list[Any] = []
        self._executables: list[Any] = []
        self._allocated: dict[int, Any] = {}
        self._staging: list[tuple[Any, Any, Bytes]] = []
        self._select(number)
        self.target = self._architecture(number)
        self._stream = self._call("hipStreamCreateWithFlags", self._hip.hipStreamNonBlocking)

    def allocate(self, size: int) -> int:
        """See ``Device.allocate``."""
        try:
            pointer = self._call("hipMalloc", size)
        except DeviceError as error:
            free, total = self._call("hipMemGetInfo")
            note = f"{size:,} bytes are needed at once; {free:,} of {total:,} are free"
            (first, *_) = error.diagnostics
            raise DeviceError(Diagnostic("D013", first.message, notes=(note,))) from None
        self._allocated[int(pointer)] = pointer
        return int(pointer)

    def free(self, address: int) -> None:
        """See ``Device.free``."""
        self._call("hipFree", self._allocated.pop(address))

    def write(self, address: int, data: Bytes) -> None:
        """See ``Device.write``. Copies through two pinned buffers, one filled while one is sent."""
        kind = self._hip.hipMemcpyKind.hipMemcpyHostToDevice
        slots = self._staging_slots()
        for number, start in enumerate(range(0, data.size, _STAGING_BYTES)):
            pinned, event, view = slots[number % 2]
            part = data[start : start + _STAGING_BYTES]
            if number >= 2:
                self._call("hipEventSynchronize", event)
            view[: part.size] = part
            target = address + start
            self._call("hipMemcpyAsync", target, pinned, part.size, kind, self._stream)
            self._call("hipEventRecord", event, self._stream)
        self._call("hipStreamSynchronize", self._stream)

    def read(self, address: int, size: int) -> Bytes:
        """See ``Device.read``."""
        kind = self._hip.hipMemcpyKind.hipMemcpyDeviceToHost
        data = np.empty(size, np.uint8)
        if size:
            self._call("hipMemcpyAsync", data, address, size, kind, self._stream)
        self._call("hipStreamSynchronize", self._stream)
        return data

    def copy(self, target: int, source: int, size: int) -> None:
        """See ``Device.copy``."""
        kind = self._hip.hipMemcpyKind.hipMemcpyDeviceToDevice
        self._call("hipMemcpyAsync", target, source, size, kind, self._stream)

    def free_bytes(self) -> int:
        """See ``Device.free_bytes``."""
        free, _ = self._call("hipMemGetInfo")
        return int(free)

    def dlpack_device(self) -> tuple[int, int]:
        """See ``Device.dlpack_device``."""
        return (DLPACK_ROCM, self._number)

    def dlpack_stream(self) -> int | None:
        """See ``Device.dlpack_stream``."""
        return int(self._stream)

    def load(self, code: bytes, assembly: str, symbol: str, origins: Origins = no_origins) -> Any:
        """See ``Device.load``."""
        module = self._call("hipModuleLoadData", code)
        self._modules.append(module)
        return self._call("hipModuleGetFunction", module, symbol.encode())

    def load_call(self, call: PlanCall) -> NoReturn:
        """See ``Device.load_call``."""
        raise without_libraries(self.name, call)

    def record(self, launches: Sequence[DeviceLaunch]) -> _Recording:
        """See ``Device.record``: one graph, captured and instantiated."""
        if not launches:
            return _Recording(None)
        # Other threads may use the device meanwhile: only this one is held to what capture allows.
        mode = self._hip.hipStreamCaptureMode.hipStreamCaptureModeThreadLocal
        self._call("hipStreamBeginCapture", self._stream, mode)
        try:
            for launch in launches:
                self._launch(launch)
        except BaseException:
            self._hip.hipStreamEndCapture(self._stream)
            raise
        graph = self._call("hipStreamEndCapture", self._stream)
        executable = self._call("hipGraphInstantiateWithFlags", graph, 0)
        self._executables.append(executable)
        self._call("hipGraphDestroy", graph)
        return _Recording(executable)

    def replay(self, recording: _Recording) -> None:
        """See ``Device.replay``."""
        if recording.executable is not None:
            self._call("hipGraphLaunch", recording.executable, self._stream)

    def forget(self, recording: _Recording) -> None:
        """See ``Device.forget``."""
        if recording.executable is not None:
            self._executables.remove(recording.executable)
            self._call("hipGraphExecDestroy", recording.executable)

    def elapsed_milliseconds(self, recording: _Recording) -> float:
        """See ``Device.elapsed_milliseconds``."""
        start, stop = self._call("hipEventCreate"), self._call("hipEventCreate")
        try:
            self._call("hipEventRecord", start, self._stream)
            self.replay(recording)
            self._call("hipEventRecord", stop, self._stream)
            self._call("hipEventSynchronize", stop)
            return float(self._call("hipEventElapsedTime", start, stop))
        finally:
            self._call("hipEventDestroy", start)
            self._call("hipEventDestroy", stop)

    def synchronise(self) -> None:
        """See ``Device.synchronise``."""
        self._call("hipStreamSynchronize", self._stream)

    def close(self) -> None:
        """See ``Device.close``."""
        self._call("hipStreamSynchronize", self._stream)
        for executable in self._executables:
            self._call("hipGraphExecDestroy", executable)
        for module in self._modules:
            self._call("hipModuleUnload", module)
        for pinned, event, _ in self._staging:
            self._call("hipEventDestroy", event)
            self._call("hipHostFree", pinned)
        for pointer in self._allocated.values():
            self._call("hipFree", pointer)
        self._call("hipStreamDestroy", self._stream)

    def _select(self, number: int) -> None:
        count = _count_devices(self._hip)
        if number >= count:
            have = "1 GPU (hip:0)" if count == 1 else f"{count} GPUs (hip:0 to hip:{count - 1})"
            message = f"there is no GPU {self.name}; HIP finds {have}"
            raise DeviceError(Diagnostic("D012", message))
        self._call("hipSetDevice", number)

    def _architecture(self, number: int) -> str:
        properties = self._call("hipGetDeviceProperties", number)
        name = properties.gcnArchName
        text = name.decode() if isinstance(name, bytes) else str(name)
        # As in gfx942:sramecc+:xnack-; code without such features runs under either setting.
        return text.split(":")[0].rstrip("\0")

    def _staging_slots(self) -> list[tuple[Any, Any, Bytes]]:
        while len(self._staging) < 2:
            pinned = self._call("hipHostMalloc", _STAGING_BYTES, 0)
            event = self._call("hipEventCreate")
            memory = (ctypes.c_uint8 * _STAGING_BYTES).from_address(int(pinned))
            self._staging.append((pinned, event, np.ctypeslib.as_array(memory)))
        return self._staging

    def _launch(self, launch: DeviceLaunch) -> None:
        for axis, (groups, threads) in enumerate(zip(launch.grid, launch.block, strict=True)):
            if groups * threads >= 1 << 32:
                message = f"{launch.label}: {groups} × {threads} threads along {'xyz'[axis]}"
                note = "HIP runs fewer than 2³² threads along an axis"
                raise DeviceError(Diagnostic("D014", message, notes=(note,)))
        pointers = tuple(ctypes.c_void_p(argument.address) for argument in launch.arguments)
        shape = (*launch.grid, *launch.block)
        self._call("hipModuleLaunchKernel", launch.kernel, *shape, 0, self._stream, None, pointers)

    def _call(self, name: str, *arguments: Any) -> Any:
        """The values that HIP's ``name`` returns, without its error code: none, one or a tuple."""
        try:
            error, *values = getattr(self._hip, name)(*arguments)
        except RuntimeError as failure:  # hip-python finds no library when it is first called
            message = f"{name} can't be called: {failure}"
            raise DeviceError(Diagnostic("D011", message, hint=_INSTALL)) from None
        if error != self._hip.hipError_t.hipSuccess:
            raise _failure(self._hip, name, error)
        return values[0] if len(values) == 1 else tuple(values)


def count_hip_devices() -> int:
    """The number of AMD GPUs that HIP can use.

    Raises:
        DeviceError: hip-python or ROCm's library is missing, or HIP fails.
    """
    return _count_devices(load_binding())


def _count_devices(binding: Any) -> int:
    try:
        error, count = binding.hipGetDeviceCount()
    except RuntimeError as failure:
        message = f"ROCm's HIP library can't be loaded: {failure}"
        raise DeviceError(Diagnostic("D011", message, hint=_INSTALL)) from None
    none = (binding.hipError_t.hipErrorNoDevice, binding.hipError_t.hipErrorInvalidDevice)
    if error in none or (error == binding.hipError_t.hipSuccess and count == 0):
        message = "HIP finds no AMD GPU on this machine"
        hint = "run on --device emulator or --device reference; lumc doctor shows what is there"
        raise DeviceError(Diagnostic("D012", message, hint=hint))
    if error != binding.hipError_t.hipSuccess:
        raise _failure(binding, "hipGetDeviceCount", error)
    return int(count)


def _failure(binding: Any, name: str, error: Any) -> DeviceError:
    text = binding.hipGetErrorString(error)
    text = text[-1] if isinstance(text, tuple) else text
    reason = text.decode() if isinstance(text, bytes) else str(text)
    label = getattr(error, "name", str(error))
    return DeviceError(Diagnostic("D015", f"{name} failed: {reason} ({label})"))
