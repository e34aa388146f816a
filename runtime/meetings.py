"""What the workgroups of a single launch meet in, where no launch plan gives it."""

from __future__ import annotations

from collections.abc import Collection
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


def check_counters(
    kernel: str,
    meeting: Meeting | None,
    arrays: list[Array],
    blocks: int = 0,
    ran: Collection[int] | None = None,
) -> None:
    """Fail unless the counters in ``arrays``, from ``meeting_arrays``, are 0 after a launch.

    Where only the workgroups ``ran`` of all ``blocks`` have run, the counters of tiles that wait
    for others have counted those.

    Raises:
        UnfinishedLaunchError: some are not what they should be.
    """
    if meeting is None:
        return
    expected = np.zeros(meeting.counters, np.uint32)
    if ran is not None:
        came = {block - (blocks - meeting.workgroups) for block in ran}
        for tile in range(meeting.counters):
            shares = meeting.shared.shares_of(tile)
            count = sum(share in came for share in shares)
            expected[tile] = 0 if count == len(shares) else count
    if (arrays[-1].view(np.uint32) != expected).any():
        message = f"{kernel}: a launch has left counters that are not 0"
        raise UnfinishedLaunchError(Diagnostic("V011", message))
