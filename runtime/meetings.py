"""What the workgroups of a single launch meet in, where no launch plan gives it."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import COUNTER_BYTES, Meeting
from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.devices.device import Device, DeviceArgument

Array = npt.NDArray[Any]

_POISON = 0xFF


class UnfinishedLaunchError(LumcError):
    """Workgroups of a launch still wait for others."""


def meeting_arrays(meeting: Meeting | None) -> list[Array]:
    """The arrays behind those of a kernel's parameters: a poisoned workspace, counters of 0."""
    if meeting is None:
        return []
    workspace = np.full(meeting.workspace_bytes, _POISON, np.uint8)
    return [workspace, np.zeros(meeting.counters * COUNTER_BYTES, np.uint8)]


def meeting_arguments(device: Device, meeting: Meeting | None) -> tuple[DeviceArgument, ...]:
    """The same on ``device``, each in memory of its own that is the caller's."""
    found = []
    for name, array in zip(("workspace", "counters"), meeting_arrays(meeting), strict=False):
        address = device.allocate(array.nbytes)
        device.write(address, array)
        found.append(DeviceArgument(address, 0, array.nbytes, True, name, kept=name == "counters"))
    return tuple(found)


def check_counters(kernel: str, meeting: Meeting | None, arrays: list[Array]) -> None:
    """Fail unless the counters in ``arrays``, from ``meeting_arrays``, are 0 after a launch.

    Raises:
        UnfinishedLaunchError: some are not.
    """
    if meeting is not None and arrays[-1].any():
        message = f"{kernel}: a launch has left counters that are not 0"
        raise UnfinishedLaunchError(Diagnostic("V011", message))
