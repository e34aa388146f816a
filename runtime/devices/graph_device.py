"""What HIP and CUDA devices share: copies through pinned memory, captured graphs, events.

Both runtimes name most of their functions alike, but for a prefix. Every call is checked. A
recording is captured once and never updated: nothing in a step changes but the content of memory.
"""

from __future__ import annotations

import ctypes
from abc import ABC, abstractmethod
from collections.abc import Callable, Sequence
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from functools import cached_property, partial
from typing import Any, ClassVar

import numpy as np

from lumc.codegen.launch_plan import PlanCall
from lumc.runtime.devices.device import Bytes, DeviceLaunch, give_back
from lumc.runtime.devices.library_calls import calls_of
from lumc.runtime.origins import Origins, no_origins

STAGING_BYTES = 64 << 20
SHARE_BYTES = 4 << 20
"""What a thread copies at least: one alone is slower than the bus."""
_THREADS = 8


@dataclass(frozen=True, slots=True)
class Recording:
    """A captured graph, ready to be launched."""

    executable: Any
    """None when there is nothing to launch."""


class GraphDevice(ABC):
    """A GPU with one stream; a subclass opens it and says how its runtime differs."""

    prefix: ClassVar[str]
    """What the runtime's functions begin with."""

    name: str
    target: str
    _stream: Any

    def __init__(self) -> None:
        """Begin with nothing loaded, copied or recorded."""
        self._modules: list[Any] = []
        self._executables: list[Any] = []
        self._staging: list[tuple[Any, Any, Bytes]] = []
        self._writes = 0

    # ------------------------------------------------------------- what each runtime does its way

    @abstractmethod
    def allocate(self, size: int) -> int:
        """See ``Device.allocate``."""

    @abstractmethod
    def free(self, address: int) -> None:
        """See ``Device.free``."""

    @abstractmethod
    def copy(self, target: int, source: int, size: int) -> None:
        """See ``Device.copy``."""

    @abstractmethod
    def free_bytes(self) -> int:
        """See ``Device.free_bytes``."""

    @abstractmethod
    def dlpack_device(self) -> tuple[int, int]:
        """See ``Device.dlpack_device``."""

    @abstractmethod
    def load_call(self, call: PlanCall) -> Any:
        """See ``Device.load_call``."""

    @abstractmethod
    def synchronise_others(self) -> None:
        """See ``Device.synchronise_others``."""

    @abstractmethod
    def _call(self, name: str, *arguments: Any) -> Any:
        """The values that the runtime's ``name`` returns: none, one or a tuple.

        Raises:
            DeviceError: it reports a failure.
        """

    @abstractmethod
    def _copy_in(self, target: int, pinned: Any, size: int) -> None:
        """Put a copy from pinned memory on the stream."""

    @abstractmethod
    def _copy_out(self, target: Bytes, source: int, size: int) -> None:
        """Put a copy to host memory on the stream."""

    @abstractmethod
    def _pinned(self, size: int) -> Any:
        """Host memory that copies need no detour for."""

    @abstractmethod
    def _free_pinned(self, pinned: Any) -> None:
        """Give back what ``_pinned`` gave."""

    @abstractmethod
    def _event(self, timing: bool) -> Any:
        """An event, that measures time or not."""

    @abstractmethod
    def _begin_capture(self) -> None:
        """Begin to capture the stream; only this thread is held to what capture allows."""

    @abstractmethod
    def _abandon_capture(self) -> None:
        """End a capture that failed, whatever that reports."""

    @abstractmethod
    def _instantiated(self, graph: Any) -> Any:
        """A graph that can be launched."""

    @abstractmethod
    def _launch(self, launch: DeviceLaunch) -> None:
        """Put a launch on the stream."""

    @abstractmethod
    def _close_memory(self) -> None:
        """Give back all memory of the device, and the libraries' handles, as far as it can be."""

    # ------------------------------------------------------------------------------ what is shared

    def write(self, address: int, data: Bytes) -> None:
        """See ``Device.write``. Copies through two pinned buffers, one filled while one is sent."""
        slots = self._staging_slots()
        for start in range(0, data.size, STAGING_BYTES):
            pinned, event, view = slots[self._writes % 2]
            part = data[start : start + STAGING_BYTES]
            if self._writes >= 2:
                self._named("EventSynchronize", event)
            self._fill(view, part)
            self._copy_in(address + start, pinned, part.size)
            self._named("EventRecord", event, self._stream)
            self._writes += 1

    def _fill(self, pinned: Bytes, part: Bytes) -> None:
        """Copy ``part`` to the start of ``pinned``; large ones by several threads."""
        if part.size <= SHARE_BYTES:
            pinned[: part.size] = part
            return

        def copy_share(start: int) -> None:
            share = part[start : start + step]
            pinned[start : start + share.size] = share

        step = max(SHARE_BYTES, -(-part.size // _THREADS))
        for _ in self._copiers.map(copy_share, range(0, part.size, step)):
            pass

    @cached_property
    def _copiers(self) -> ThreadPoolExecutor:
        return ThreadPoolExecutor(_THREADS, "lumc-copy")

    def read(self, address: int, size: int) -> Bytes:
        """See ``Device.read``."""
        data = np.empty(size, np.uint8)
        if size:
            self._copy_out(data, address, size)
        self.synchronise()
        return data

    def dlpack_stream(self) -> int | None:
        """See ``Device.dlpack_stream``."""
        return int(self._stream)

    def load(self, code: bytes, assembly: str, symbol: str, origins: Origins = no_origins) -> Any:
        """See ``Device.load``."""
        module = self._named("ModuleLoadData", code)
        self._modules.append(module)
        return self._named("ModuleGetFunction", module, symbol.encode())

    def record(self, launches: Sequence[DeviceLaunch]) -> Recording:
        """See ``Device.record``: one graph, captured and instantiated.

        Library calls are tried on the memory that they are given before, to choose how to do them.
        """
        for call, places in calls_of(launches):
            call.choose(places, self)
        if not launches:
            return Recording(None)

        def enqueue() -> None:
            for launch in launches:
                self._launch(launch)

        return self.capture(enqueue)

    def capture(self, enqueue: Callable[[], None]) -> Recording:
        """What ``enqueue`` puts on the stream, as a graph."""
        self._begin_capture()
        try:
            enqueue()
        except BaseException:
            self._abandon_capture()
            raise
        graph = self._named("StreamEndCapture", self._stream)
        executable = self._instantiated(graph)
        self._executables.append(executable)
        self._named("GraphDestroy", graph)
        return Recording(executable)

    def replay(self, recording: Recording) -> None:
        """See ``Device.replay``."""
        if recording.executable is not None:
            self._named("GraphLaunch", recording.executable, self._stream)

    def forget(self, recording: Recording) -> None:
        """See ``Device.forget``."""
        if recording.executable is not None:
            self._executables.remove(recording.executable)
            self._named("GraphExecDestroy", recording.executable)

    def elapsed_milliseconds(self, recording: Recording) -> float:
        """See ``Device.elapsed_milliseconds``."""
        return self.elapsed(lambda: self.replay(recording))

    def elapsed(self, enqueue: Callable[[], None]) -> float:
        """Milliseconds of what ``enqueue`` puts on the stream."""
        start, stop = self._event(timing=True), self._event(timing=True)
        try:
            self._named("EventRecord", start, self._stream)
            enqueue()
            self._named("EventRecord", stop, self._stream)
            self._named("EventSynchronize", stop)
            return float(self._named("EventElapsedTime", start, stop))
        finally:
            self._named("EventDestroy", start)
            self._named("EventDestroy", stop)

    def synchronise(self) -> None:
        """See ``Device.synchronise``."""
        self._named("StreamSynchronize", self._stream)

    def close(self) -> None:
        """See ``Device.close``."""
        give_back(
            self.synchronise,
            *(partial(self._named, "GraphExecDestroy", one) for one in self._executables),
            *(partial(self._named, "ModuleUnload", module) for module in self._modules),
            *(part for pinned, event, _ in self._staging for part in self._staged(pinned, event)),
            self._copiers.shutdown,
            self._close_memory,
        )

    def _staged(self, pinned: Any, event: Any) -> tuple[Callable[[], None], ...]:
        """What gives a pinned buffer and its event back."""
        return partial(self._named, "EventDestroy", event), partial(self._free_pinned, pinned)

    def _staging_slots(self) -> list[tuple[Any, Any, Bytes]]:
        while len(self._staging) < 2:
            pinned = self._pinned(STAGING_BYTES)
            event = self._event(timing=False)
            memory = (ctypes.c_uint8 * STAGING_BYTES).from_address(int(pinned))
            self._staging.append((pinned, event, np.ctypeslib.as_array(memory)))
        return self._staging

    def _named(self, name: str, *arguments: Any) -> Any:
        return self._call(self.prefix + name, *arguments)
