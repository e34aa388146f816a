"""NVIDIA GPUs through cuda-python, with NVIDIA's libraries on the same stream.

The GPU's primary context is used, so that calls of the libraries join the captured graph.
"""

from __future__ import annotations

import ctypes
from collections.abc import Sequence
from functools import partial
from typing import Any

from lumc.codegen.launch_plan import PlanCall
from lumc.diagnostics import Diagnostic
from lumc.runtime.devices.cuda_libraries import CudaLibraries
from lumc.runtime.devices.dependencies import Access, dependencies, is_chain
from lumc.runtime.devices.device import Bytes, DeviceError, DeviceLaunch, give_back
from lumc.runtime.devices.graph_device import GraphDevice, Recording
from lumc.runtime.devices.library_calls import (
    WORKSPACE_BYTES,
    LibraryCall,
    Workspace,
    addresses_of,
    calls_of,
    fastest_first,
)

DLPACK_CUDA = 2
_PART_BYTES = 32 << 20
"""Of the libraries' workspace, for a call that may run beside others."""
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
    side_by_side = True
    """Whether launches that do not need each other may run at the same time."""

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
        self._workspace = 0
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
            self._workspace = self.allocate(WORKSPACE_BYTES)
            self._libraries = CudaLibraries(int(self._stream), self._workspace, self.target)
        return self._libraries.plan(call)

    def record(self, launches: Sequence[DeviceLaunch]) -> Recording:
        """See ``Device.record``: one graph, captured and instantiated.

        Library calls are tried on the memory that they are given before, to choose how to do them;
        so is whether launches that do not need each other had better run at the same time.
        """
        for call, places in calls_of(launches):
            call.choose(places, self)
        straight = self.record_in_order(launches)
        if not self.side_by_side:
            return straight
        spaces = self._workspaces(launches)
        waits = dependencies([_accesses(*pair) for pair in zip(launches, spaces, strict=True)])
        if is_chain(waits):
            return straight
        forked = self.capture(lambda: self._fork(launches, spaces, waits))
        kept, other = fastest_first((straight, forked), self)
        self.forget(other)
        return kept

    def _workspaces(self, launches: Sequence[DeviceLaunch]) -> list[Workspace | None]:
        """Memory for every library call that needs some: calls side by side have different parts.

        One that needs more than a part gets it all.
        """
        found: list[Workspace | None] = []
        number = 0
        for launch in launches:
            need = launch.kernel.workspace_bytes if isinstance(launch.kernel, LibraryCall) else 0
            if not need:
                found.append(None)
            elif need > _PART_BYTES:
                found.append(Workspace(self._workspace))
            else:
                found.append(Workspace(self._workspace + number * _PART_BYTES, _PART_BYTES))
                number = (number + 1) % (WORKSPACE_BYTES // _PART_BYTES)
        return found

    def _fork(
        self,
        launches: Sequence[DeviceLaunch],
        spaces: Sequence[Workspace | None],
        waits: Sequence[Sequence[int]],
    ) -> None:
        """Capture ``launches``, each after those that it waits for alone."""
        flag = self._cuda.CUstreamUpdateCaptureDependencies_flags.CU_STREAM_SET_CAPTURE_DEPENDENCIES
        ends: list[dict[int, tuple[Any, Any]]] = []
        for launch, space, waited in zip(launches, spaces, waits, strict=True):
            before = {key: end for number in waited for key, end in ends[number].items()}
            nodes = [node for node, _ in before.values()]
            edges = [edge for _, edge in before.values()]
            self._call(
                "cuStreamUpdateCaptureDependencies", self._stream, nodes, edges, len(nodes), flag
            )
            self._launch(launch, space)
            _, _, _, made, annotated, _ = self._call("cuStreamGetCaptureInfo", self._stream)
            pairs = zip(made, annotated, strict=True)
            ends.append({int(node): (node, edge) for node, edge in pairs})

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

    def _launch(self, launch: DeviceLaunch, workspace: Workspace | None = None) -> None:
        values = addresses_of(launch)
        if isinstance(launch.kernel, LibraryCall):
            launch.kernel.enqueue(values, workspace)
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


def _accesses(launch: DeviceLaunch, workspace: Workspace | None) -> list[Access]:
    """The memory that a launch may touch, with what its library call works in."""
    found = [Access(one.address, one.address + one.bytes, one.writes) for one in launch.arguments]
    if workspace is not None:
        found.append(Access(workspace.address, workspace.address + workspace.bytes, True))
    return found


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
