"""What the executor asks of a device. HIP, CUDA and the emulator answer alike.

Addresses are whole numbers in the device's own address space. A device runs and copies what it is
given in order; only ``synchronise``, ``read`` and ``elapsed_milliseconds`` wait for it.
"""

from __future__ import annotations

import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanCall
from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.origins import Origins, no_origins

Bytes = npt.NDArray[np.uint8]


class DeviceError(LumcError):
    """The device isn't there, can't run this code, or reports a failure."""


@dataclass(frozen=True, slots=True)
class DeviceArgument:
    """A pointer handed to a kernel: where in which buffer, and how much of it is left from there.

    The buffer ``name`` begins ``offset`` bytes before ``address`` and ends ``bytes`` after it.
    """

    address: int
    offset: int
    bytes: int
    writes: bool
    name: str
    kept: bool = False
    """What stands there counts, though no launch of a recording wrote it before."""

    @property
    def buffer_address(self) -> int:
        """Where the buffer begins."""
        return self.address - self.offset


@dataclass(frozen=True, slots=True)
class DeviceLaunch:
    """One kernel execution; ``kernel`` is what the same device's ``load`` returned.

    ``grid`` counts workgroups, ``block`` threads of a workgroup.
    """

    kernel: Any
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[DeviceArgument, ...]
    label: str


def give_back(*actions: Callable[[], object]) -> None:
    """Run all ``actions``, each whatever those before it report, and raise the first failure.

    It is not raised where an error is on its way already: a GPU that has failed says so again of
    all that is done with it afterwards, and the first error is the one that tells why.
    """
    underway = sys.exception()
    failures = []
    for action in actions:
        try:
            action()
        except DeviceError as error:
            failures.append(error)
    if failures and underway is None:
        raise failures[0]


def without_libraries(name: str, call: PlanCall) -> DeviceError:
    """What a device called ``name`` says to a library call that it has no library for."""
    message = f"{call.symbol} is done by a vendor's library that {name} does not have"
    return DeviceError(Diagnostic("D042", message, hint="compile with --libraries none"))


class Device(Protocol):
    """A place where launch plans run."""

    @property
    def name(self) -> str:
        """What the user calls it, such as ``hip:0`` or ``emulator``."""

    @property
    def target(self) -> str:
        """The architecture whose code it runs, such as ``gfx942``."""

    def allocate(self, size: int) -> int:
        """Memory of ``size`` bytes, with undefined content, aligned to 256 bytes.

        Raises:
            DeviceError: there is not so much left.
        """

    def free(self, address: int) -> None:
        """Give back what ``allocate`` returned."""

    def write(self, address: int, data: Bytes) -> None:
        """Copy contiguous bytes to the device; they may be changed once this returns."""

    def read(self, address: int, size: int) -> Bytes:
        """Wait for all work, then copy bytes from the device."""

    def copy(self, target: int, source: int, size: int) -> None:
        """Copy bytes from one place of the device to another, in turn with what it runs.

        The two do not overlap.
        """

    def free_bytes(self) -> int:
        """How much memory could be allocated now."""

    def dlpack_device(self) -> tuple[int, int]:
        """Its kind and number as DLPack counts them; (1, 0) where addresses are this process's."""

    def dlpack_stream(self) -> int | None:
        """The stream that it runs and copies on, for others to be waited for; None without one."""

    def load(self, code: bytes, assembly: str, symbol: str, origins: Origins = no_origins) -> Any:
        """The kernel ``symbol`` of a code object; ``assembly`` is the text it was made from.

        ``origins`` say where its lines come from, for reports of a device that checks.
        """

    def load_call(self, call: PlanCall) -> Any:
        """A call of the vendor's library, to be launched like a kernel.

        Raises:
            DeviceError: this device has no such library, or it does not take the call.
        """

    def record(self, launches: Sequence[DeviceLaunch]) -> Any:
        """Prepare launches to be run in order, as often as wanted (HIP and CUDA: one graph)."""

    def replay(self, recording: Any) -> None:
        """Start all launches of a recording."""

    def forget(self, recording: Any) -> None:
        """Give back a recording that is over and won't be replayed any more."""

    def elapsed_milliseconds(self, recording: Any) -> float:
        """Replay a recording and measure it on the device's own clock."""

    def synchronise(self) -> None:
        """Wait until all that was started has ended.

        Raises:
            DeviceError: something failed meanwhile.
        """

    def synchronise_others(self) -> None:
        """Wait until all that anyone in this process has started on this device has ended.

        Raises:
            DeviceError: something failed meanwhile.
        """

    def close(self) -> None:
        """Give everything back; the device can't be used any more."""
