"""AMD GPUs through hip-python."""

from __future__ import annotations

import ctypes
from functools import partial
from typing import Any

from lumc.codegen.launch_plan import PlanCall, PlanProduct
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.device import (
    Bytes,
    DeviceError,
    DeviceLaunch,
    give_back,
    without_libraries,
)
from lumc.runtime.devices.graph_device import GraphDevice
from lumc.runtime.devices.hipblas_products import HipblasLt
from lumc.runtime.devices.library_calls import (
    WORKSPACE_BYTES,
    LibraryCall,
    Workspace,
    addresses_of,
)

DLPACK_ROCM = 10
_INSTALL = "install AMD's driver and ROCm; without an AMD GPU there is --device emulator"


def load_binding() -> Any:
    """The module ``hip`` of hip-python.

    Raises:
        DeviceError: it is not installed.
    """
    try:
        from hip import hip
    except ImportError as error:
        message = f"hip-python can't be imported: {error}"
        raise DeviceError(Diagnostic("D010", message, hint="pip install 'lumc[amd]'")) from None
    return hip


class HipDevice(GraphDevice):
    """GPU ``number`` of this machine."""

    prefix = "hip"

    def __init__(self, number: int = 0, binding: Any = None) -> None:
        """Open the GPU; ``binding`` stands in for the module ``hip`` in tests.

        Raises:
            DeviceError: hip-python, ROCm's library or the GPU is missing.
        """
        super().__init__()
        self.name = f"hip:{number}"
        self._number = number
        self._hip = load_binding() if binding is None else binding
        self._allocated: dict[int, Any] = {}
        self._products: HipblasLt | None = None
        self._is_found = False
        self._require_there(number)
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

    def load_call(self, call: PlanCall) -> LibraryCall:
        """See ``Device.load_call``."""
        if not isinstance(call, PlanProduct):
            raise without_libraries(self.name, call)
        if self._products is None:
            workspace = Workspace(self.allocate(WORKSPACE_BYTES))
            self._products = HipblasLt.open(self._stream, workspace, self.target)
        return self._products.plan(call)

    def _copy_in(self, target: int, pinned: Any, size: int) -> None:
        kind = self._hip.hipMemcpyKind.hipMemcpyHostToDevice
        self._call("hipMemcpyAsync", target, pinned, size, kind, self._stream)

    def _copy_out(self, target: Bytes, source: int, size: int) -> None:
        kind = self._hip.hipMemcpyKind.hipMemcpyDeviceToHost
        self._call("hipMemcpyAsync", target, source, size, kind, self._stream)

    def _pinned(self, size: int) -> Any:
        return self._call("hipHostMalloc", size, 0)

    def _free_pinned(self, pinned: Any) -> None:
        self._call("hipHostFree", pinned)

    def _event(self, timing: bool) -> Any:
        return self._call("hipEventCreate")

    def _begin_capture(self) -> None:
        mode = self._hip.hipStreamCaptureMode.hipStreamCaptureModeThreadLocal
        self._call("hipStreamBeginCapture", self._stream, mode)

    def _abandon_capture(self) -> None:
        self._hip.hipStreamEndCapture(self._stream)

    def _instantiated(self, graph: Any) -> Any:
        return self._call("hipGraphInstantiateWithFlags", graph, 0)

    def synchronise_others(self) -> None:
        """See ``Device.synchronise_others``."""
        self._call("hipDeviceSynchronize")

    def _close_memory(self) -> None:
        give_back(
            *(() if self._products is None else (self._products.close,)),
            *(partial(self._call, "hipFree", pointer) for pointer in self._allocated.values()),
            partial(self._call, "hipStreamDestroy", self._stream),
        )

    def _require_there(self, number: int) -> None:
        count = _count_devices(self._hip)
        if number >= count:
            have = "1 GPU (hip:0)" if count == 1 else f"{count} GPUs (hip:0 to hip:{count - 1})"
            message = f"there is no GPU {self.name}; HIP finds {have}"
            raise DeviceError(Diagnostic("D012", message))
        self._is_found = True

    def _architecture(self, number: int) -> str:
        properties = self._call("hipGetDeviceProperties", number)
        name = properties.gcnArchName
        text = name.decode() if isinstance(name, bytes) else str(name)
        # As in gfx942:sramecc+:xnack-; code without such features runs under either setting.
        return text.split(":")[0].rstrip("\0")

    def _launch(self, launch: DeviceLaunch) -> None:
        if isinstance(launch.kernel, LibraryCall):
            launch.kernel.enqueue(addresses_of(launch))
            return
        for axis, (groups, threads) in enumerate(zip(launch.grid, launch.block, strict=True)):
            if groups * threads >= 1 << 32:
                message = f"{launch.label}: {groups} × {threads} threads along {'xyz'[axis]}"
                note = "HIP runs fewer than 2³² threads along an axis"
                raise DeviceError(Diagnostic("D014", message, notes=(note,)))
        pointers = tuple(ctypes.c_void_p(argument.address) for argument in launch.arguments)
        shape = (*launch.grid, *launch.block)
        self._call("hipModuleLaunchKernel", launch.kernel, *shape, 0, self._stream, None, pointers)

    def _call(self, name: str, *arguments: Any) -> Any:
        """The values that HIP's ``name`` returns, without its error code: none, one or a tuple.

        HIP has a current device for each thread, which other devices and libraries change.
        """
        if self._is_found:
            self._checked("hipSetDevice", self._number)
        return self._checked(name, *arguments)

    def _checked(self, name: str, *arguments: Any) -> Any:
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
        message = "ROCm's HIP library, libamdhip64.so, can't be loaded here"
        raise DeviceError(
            Diagnostic("D011", message, hint=_INSTALL, notes=(str(failure),))
        ) from None
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
