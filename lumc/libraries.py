"""Whether a compiled program may call the vendor's libraries."""

from __future__ import annotations

from enum import StrEnum

from lumc.diagnostics import Diagnostic, LumcError
from lumc.lowering.chips import chip_for, with_library
from lumc.runtime.devices.cuda import CudaDevice, count_cuda_devices
from lumc.runtime.devices.device import DeviceError


class Libraries(StrEnum):
    """What ``--libraries`` takes."""

    AUTO = "auto"
    """Where an NVIDIA GPU that runs the program is at hand. On AMD's the generated kernels are at
    least as fast by all predictions, and nothing was measured that says otherwise."""
    NONE = "none"
    VENDOR = "vendor"


class LibraryError(LumcError):
    """There is no library that programs for the target could call."""


def may_call_libraries(choice: Libraries, target: str) -> bool:
    """Whether programs for ``target`` may call the vendor's libraries.

    Raises:
        LibraryError: they are asked for, and lumc knows none for ``target``.
    """
    known = with_library(chip_for(target)).library is not None
    match choice:
        case Libraries.NONE:
            return False
        case Libraries.VENDOR if not known:
            message = f"lumc calls no vendor's library for {target}"
            hint = "--libraries none generates every kernel"
            raise LibraryError(Diagnostic("C020", message, hint=hint))
        case Libraries.VENDOR:
            return True
        case Libraries.AUTO:
            return known and _is_here(target)


def _is_here(target: str) -> bool:
    try:
        for number in range(count_cuda_devices()):
            device = CudaDevice(number)
            found = device.target
            device.close()
            if found == target:
                return True
    except DeviceError:
        pass
    return False
