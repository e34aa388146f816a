"""NVIDIA GPUs through cuda-python: modules, one stream, one captured graph a recording.

Every call is checked. The GPU's primary context is used, so that NVIDIA's libraries, called on the
same stream, join the graph. A recording is captured once and never updated: nothing in a step
changes but the content of memory.
"""

from __future__ import annotations

import ctypes
import statistics
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np

from lumc.codegen.launch_plan import PlanCall
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.cuda_libraries import WORKSPACE_BYTES, CudaLibraries, LibraryCall
from lumc.runtime.devices.device import Bytes, DeviceError, DeviceLaunch
from lumc.runtime.origins import Origins, no_origins

DLPACK_CUDA = 2
_STAGING_BYTES = 64 << 20
_MEASURED_ROUNDS = 8
_INSTALL = "pip install 'lumc[nvidia]', and NVIDIA's driver; lumc doctor shows what was found"


@dataclass(frozen=True, slots=True)
class _Recording:
    executable: Any
    """None when there is nothing to launch."""


def load_binding() -> Any:
    """The module ``driver`` of cuda-python.

    Raises:
        DeviceError: it is not installed.
    """
    try:
        from cuda.bindings import driver
    except ImportError as error:
        message = f"cuda-python can't be imported: {error}"
        raise DeviceError(Diagnostic("D010", message, hint=_INSTALL)) from None
    return driver


class CudaDevice:
    """NVIDIA GPU ``number`` of this machine."""

    def __init__(self, number: int = 0, binding: Any = None) -> None:
        """Open the GPU; ``binding`` stands in for the module ``driver`` in tests.

        Raises:
            DeviceError: cuda-python, NVIDIA's driver or the GPU is missing.
        """
        self.name = f"cuda:{number}"
        self._number = number
        self._cuda = load_binding() if binding is None else binding
        self._modules: list[Any] = []
        self._executables: list[Any] = []
        self._allocated: set[int] = set()
        self._staging: list[tuple[Any, Any, Bytes]] = []
        self._libraries: CudaLibraries | None = None
        self._device = self._select(number)
        self.target = self._architecture()
        self._context = self._call("cuDevicePrimaryCtxRetain", self._device)
        self._call("cuCtxSetCurrent", self._context)
        flags = self._cuda.CUstream_flags.CU_STREAM_NON_BLOCKING
        self._stream = self._call("cuStreamCreate", flags)

    def allocate(self, size: int) -> int:
        """See ``Device.allocate``."""
        try:
            address = int(self._call("cuMemAlloc", size))
        except DeviceError as error:
            free, total = self._call("cuMemGetInfo")
            note = f"{size:,} bytes are needed at once; {free:,} of {total:,} are free"
            (first, *_) = error.diagnostics
            raise DeviceError(Diagnostic("D013", first.message, notes=(note,))) from None
        self._allocated.add(address)
        return address

    def free(self, address: int) -> None:
        """See ``Device.free``."""
        self._allocated.remove(address)
        self._call("cuMemFree", address)

    def write(self, address: int, data: Bytes) -> None:
        """See ``Device.write``. Copies through two pinned buffers, one filled while one is sent."""
        slots = self._staging_slots()
        for number, start in enumerate(range(0, data.size, _STAGING_BYTES)):
            pinned, event, view = slots[number % 2]
            part = data[start : start + _STAGING_BYTES]
            if number >= 2:
                self._call("cuEventSynchronize", event)
            view[: part.size] = part
            target = address + start
            self._call("cuMemcpyHtoDAsync", target, pinned, part.size, self._stream)
            self._call("cuEventRecord", event, self._stream)
        self._call("cuStreamSynchronize", self._stream)

    def read(self, address: int, size: int) -> Bytes:
        """See ``Device.read``."""
        data = np.empty(size, np.uint8)
        if size:
            self._call("cuMemcpyDtoHAsync", data.ctypes.data, address, size, self._stream)
        self._call("cuStreamSynchronize", self._stream)
        return data

    def copy(self, target: int, source: int, size: int) -> None:
        """See ``Device.copy``."""
        self._call("cuMemcpyDtoDAsync", target, source, size, self._stream)

    def free_bytes(self) -> int:
        """See ``Device.free_bytes``."""
        free, _ = self._call("cuMemGetInfo")
        return int(free)

    def dlpack_device(self) -> tuple[int, int]:
        """See ``Device.dlpack_device``."""
        return (DLPACK_CUDA, self._number)

    def dlpack_stream(self) -> int | None:
        """See ``Device.dlpack_stream``."""
        return int(self._stream)

    def load(self, code: bytes, assembly: str, symbol: str, origins: Origins = no_origins) -> Any:
        """See ``Device.load``."""
        module = self._call("cuModuleLoadData", code)
        self._modules.append(module)
        return self._call("cuModuleGetFunction", module, symbol.encode())

    def load_call(self, call: PlanCall) -> LibraryCall:
        """See ``Device.load_call``."""
        if self._libraries is None:
            workspace = self.allocate(WORKSPACE_BYTES)
            self._libraries = CudaLibraries(int(self._stream), workspace)
        return self._libraries.plan(call)

    def record(self, launches: Sequence[DeviceLaunch]) -> _Recording:
        """See ``Device.record``: one graph, captured and instantiated.

        Library calls are tried on the memory that they are given before, to choose how to do them.
        """
        if not launches:
            return _Recording(None)
        for launch in launches:
            if isinstance(launch.kernel, LibraryCall):
                launch.kernel.choose(_addresses(launch), self._measure)
        # Other threads may use the device meanwhile: only this one is held to what capture allows.
        mode = self._cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        self._call("cuStreamBeginCapture", self._stream, mode)
        try:
            for launch in launches:
                self._launch(launch)
        except BaseException:
            self._cuda.cuStreamEndCapture(self._stream)
            raise
        graph = self._call("cuStreamEndCapture", self._stream)
        executable = self._call("cuGraphInstantiate", graph, 0)
        self._executables.append(executable)
        self._call("cuGraphDestroy", graph)
        return _Recording(executable)

    def replay(self, recording: _Recording) -> None:
        """See ``Device.replay``."""
        if recording.executable is not None:
            self._call("cuGraphLaunch", recording.executable, self._stream)

    def forget(self, recording: _Recording) -> None:
        """See ``Device.forget``."""
        if recording.executable is not None:
            self._executables.remove(recording.executable)
            self._call("cuGraphExecDestroy", recording.executable)

    def elapsed_milliseconds(self, recording: _Recording) -> float:
        """See ``Device.elapsed_milliseconds``."""
        return self._elapsed(lambda: self.replay(recording))

    def synchronise(self) -> None:
        """See ``Device.synchronise``."""
        self._call("cuStreamSynchronize", self._stream)

    def close(self) -> None:
        """See ``Device.close``."""
        self._call("cuStreamSynchronize", self._stream)
        for executable in self._executables:
            self._call("cuGraphExecDestroy", executable)
        if self._libraries is not None:
            self._libraries.close()
        for module in self._modules:
            self._call("cuModuleUnload", module)
        for pinned, event, _ in self._staging:
            self._call("cuEventDestroy", event)
            self._call("cuMemFreeHost", pinned)
        for address in sorted(self._allocated):
            self._call("cuMemFree", address)
        self._call("cuStreamDestroy", self._stream)
        self._call("cuDevicePrimaryCtxRelease", self._device)

    def _elapsed(self, enqueue: Callable[[], None]) -> float:
        """Milliseconds of what ``enqueue`` puts on the stream."""
        flags = self._cuda.CUevent_flags.CU_EVENT_DEFAULT
        start, stop = self._call("cuEventCreate", flags), self._call("cuEventCreate", flags)
        try:
            self._call("cuEventRecord", start, self._stream)
            enqueue()
            self._call("cuEventRecord", stop, self._stream)
            self._call("cuEventSynchronize", stop)
            return float(self._call("cuEventElapsedTime", start, stop))
        finally:
            self._call("cuEventDestroy", start)
            self._call("cuEventDestroy", stop)

    def _measure(self, ways: Sequence[Callable[[], None]]) -> list[float]:
        """The median of a few runs of each, taken in turns: a busy GPU lowers its clocks."""
        rounds = [[self._elapsed(way) for way in ways] for _ in range(_MEASURED_ROUNDS + 1)]
        return [statistics.median(times) for times in zip(*rounds[1:], strict=True)]

    def _select(self, number: int) -> Any:
        count = _count_devices(self._cuda)
        if number >= count:
            have = "1 GPU (cuda:0)" if count == 1 else f"{count} GPUs (cuda:0 to cuda:{count - 1})"
            message = f"there is no GPU {self.name}; CUDA finds {have}"
            raise DeviceError(Diagnostic("D012", message))
        return self._call("cuDeviceGet", number)

    def _architecture(self) -> str:
        attributes = self._cuda.CUdevice_attribute
        major, minor = (
            self._call("cuDeviceGetAttribute", attribute, self._device)
            for attribute in (
                attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR,
                attributes.CU_DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR,
            )
        )
        return f"sm_{major}{minor}"

    def _staging_slots(self) -> list[tuple[Any, Any, Bytes]]:
        flags = self._cuda.CUevent_flags.CU_EVENT_DISABLE_TIMING
        while len(self._staging) < 2:
            pinned = self._call("cuMemAllocHost", _STAGING_BYTES)
            event = self._call("cuEventCreate", flags)
            memory = (ctypes.c_uint8 * _STAGING_BYTES).from_address(int(pinned))
            self._staging.append((pinned, event, np.ctypeslib.as_array(memory)))
        return self._staging

    def _launch(self, launch: DeviceLaunch) -> None:
        values = _addresses(launch)
        if isinstance(launch.kernel, LibraryCall):
            launch.kernel.enqueue(values)
            return
        arguments = (values, (ctypes.c_void_p,) * len(values))
        shape = (*launch.grid, *launch.block)
        self._call("cuLaunchKernel", launch.kernel, *shape, 0, self._stream, arguments, 0)

    def _call(self, name: str, *arguments: Any) -> Any:
        """The values that CUDA's ``name`` returns, without its error code: none, one or a tuple."""
        error, *values = getattr(self._cuda, name)(*arguments)
        if error != self._cuda.CUresult.CUDA_SUCCESS:
            raise _failure(self._cuda, name, error)
        return values[0] if len(values) == 1 else tuple(values)


def _addresses(launch: DeviceLaunch) -> tuple[int, ...]:
    return tuple(argument.address for argument in launch.arguments)


def count_cuda_devices() -> int:
    """The number of NVIDIA GPUs that CUDA can use.

    Raises:
        DeviceError: cuda-python or NVIDIA's driver is missing, or CUDA fails.
    """
    return _count_devices(load_binding())


def _count_devices(binding: Any) -> int:
    """The number of GPUs; this is where the driver is found or not."""
    try:
        (error,) = binding.cuInit(0)
    except RuntimeError as failure:  # cuda-python finds no library when it is first called
        message = f"NVIDIA's driver can't be loaded: {failure}"
        raise DeviceError(Diagnostic("D011", message, hint=_INSTALL)) from None
    success, none = binding.CUresult.CUDA_SUCCESS, binding.CUresult.CUDA_ERROR_NO_DEVICE
    count = 0
    if error == success:
        error, count = binding.cuDeviceGetCount()
    if error == none or (error == success and count == 0):
        message = "CUDA finds no NVIDIA GPU on this machine"
        hint = "run on --device reference; lumc doctor shows what is there"
        raise DeviceError(Diagnostic("D012", message, hint=hint))
    if error != success:
        raise _failure(binding, "cuInit", error)
    return int(count)


def _failure(binding: Any, name: str, error: Any) -> DeviceError:
    known, text = binding.cuGetErrorString(error)
    reason = text.decode() if known == binding.CUresult.CUDA_SUCCESS else "an unknown error"
    label = getattr(error, "name", str(error))
    return DeviceError(Diagnostic("D015", f"{name} failed: {reason} ({label})"))
