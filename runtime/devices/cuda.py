"""NVIDIA GPUs through cuda-python, with NVIDIA's libraries on the same stream.

The GPU's primary context is used, so that calls of the libraries join the captured graph.
"""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

from lumc.codegen.launch_plan import PlanCall
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.cuda_libraries import CudaLibraries
from lumc.runtime.devices.device import Bytes, DeviceError, DeviceLaunch, give_back
from lumc.runtime.devices.graph_device import GraphDevice
from lumc.runtime.devices.library_calls import WORKSPACE_BYTES, LibraryCall, addresses_of

DLPACK_CUDA = 2
_INSTALL = "install NVIDIA's driver; without an NVIDIA GPU there is --device reference"


def load_binding() -> Any:
    """The module ``driver`` of cuda-python.

    Raises:
        DeviceError: it is not installed.
    """
    try:
        from cuda.bindings import driver
    except ImportError as error:
        message = f"cuda-python can't be imported: {error}"
        raise DeviceError(Diagnostic("D010", message, hint="pip install 'lumc[nvidia]'")) from None
    return driver


class CudaDevice(GraphDevice):
    """NVIDIA GPU ``number`` of this machine."""

    prefix = "cu"

    def __init__(self, number: int = 0, binding: Any = None) -> None:
        """Open the GPU; ``binding`` stands in for the module ``driver`` in tests.

        Raises:
            DeviceError: cuda-python, NVIDIA's driver or the GPU is missing.
        """
        super().__init__()
        self.name = f"cuda:{number}"
        self._number = number
        self._cuda = load_binding() if binding is None else binding
        self._allocated: set[int] = set()
        self._libraries: CudaLibraries | None = None
        self._context: Any = None
        self._device = self._select(number)
        self.target = self._architecture()
        self._context = self._call("cuDevicePrimaryCtxRetain", self._device)
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

    def load_call(self, call: PlanCall) -> LibraryCall:
        """See ``Device.load_call``."""
        if self._libraries is None:
            workspace = self.allocate(WORKSPACE_BYTES)
            self._libraries = CudaLibraries(int(self._stream), workspace, self.target)
        return self._libraries.plan(call)

    def _copy_in(self, target: int, pinned: Any, size: int) -> None:
        self._call("cuMemcpyHtoDAsync", target, pinned, size, self._stream)

    def _copy_out(self, target: Bytes, source: int, size: int) -> None:
        self._call("cuMemcpyDtoHAsync", target.ctypes.data, source, size, self._stream)

    def _pinned(self, size: int) -> Any:
        return self._call("cuMemAllocHost", size)

    def _free_pinned(self, pinned: Any) -> None:
        self._call("cuMemFreeHost", pinned)

    def _event(self, timing: bool) -> Any:
        flags = self._cuda.CUevent_flags
        flag = flags.CU_EVENT_DEFAULT if timing else flags.CU_EVENT_DISABLE_TIMING
        return self._call("cuEventCreate", flag)

    def _begin_capture(self) -> None:
        mode = self._cuda.CUstreamCaptureMode.CU_STREAM_CAPTURE_MODE_THREAD_LOCAL
        self._call("cuStreamBeginCapture", self._stream, mode)

    def _abandon_capture(self) -> None:
        self._cuda.cuStreamEndCapture(self._stream)

    def _instantiated(self, graph: Any) -> Any:
        return self._call("cuGraphInstantiate", graph, 0)

    def synchronise_others(self) -> None:
        """See ``Device.synchronise_others``."""
        self._call("cuCtxSynchronize")

    def _close_memory(self) -> None:
        give_back(
            *(() if self._libraries is None else (self._libraries.close,)),
            *(partial(self._call, "cuMemFree", address) for address in sorted(self._allocated)),
            partial(self._call, "cuStreamDestroy", self._stream),
            partial(self._call, "cuDevicePrimaryCtxRelease", self._device),
        )

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

    def _launch(self, launch: DeviceLaunch) -> None:
        values = addresses_of(launch)
        if isinstance(launch.kernel, LibraryCall):
            launch.kernel.enqueue(values)
            return
        arguments = (values, (ctypes.c_void_p,) * len(values))
        shape = (*launch.grid, *launch.block)
        self._call("cuLaunchKernel", launch.kernel, *shape, 0, self._stream, arguments, 0)

    def _call(self, name: str, *arguments: Any) -> Any:
        """The values that CUDA's ``name`` returns, without its error code: none, one or a tuple.

        CUDA has a current context for each thread, which other devices and libraries change.
        """
        if self._context is not None:
            self._checked("cuCtxSetCurrent", self._context)
        return self._checked(name, *arguments)

    def _checked(self, name: str, *arguments: Any) -> Any:
        error, *values = getattr(self._cuda, name)(*arguments)
        if error != self._cuda.CUresult.CUDA_SUCCESS:
            raise _failure(self._cuda, name, error)
        return values[0] if len(values) == 1 else tuple(values)


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
        message = "NVIDIA's driver, libcuda.so.1, can't be loaded here"
        raise DeviceError(
            Diagnostic("D011", message, hint=_INSTALL, notes=(str(failure),))
        ) from None
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
