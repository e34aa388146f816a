"""Devices by the names that users give them."""

from __future__ import annotations

import re

from lumc.diagnostics import Diagnostic, did_you_mean
from lumc.runtime.devices.device import Device, DeviceError
from lumc.runtime.devices.emulator import EMULATED_TARGETS, EmulatorDevice
from lumc.runtime.devices.hip import HipDevice, count_hip_devices

REFERENCE = "reference"
"""The name of the device that runs tensor programs, not launch plans."""
_NAMES = ("auto", "hip:0", "emulator", REFERENCE)


def open_device(name: str, target: str) -> Device:
    """The device called ``name``, to run code made for ``target``.

    ``auto`` is a GPU that runs such code, else the emulator.

    Raises:
        DeviceError: there is no such device, or it can't be used.
    """
    if name == "auto":
        return _automatic(target)
    if name == "emulator":
        return EmulatorDevice(target)
    if found := re.fullmatch(r"hip(?::(\d{1,4}))?", name):
        return HipDevice(int(found.group(1) or 0))
    if re.fullmatch(r"cuda(:\d+)?", name):
        message = "this version of lumc does not run on NVIDIA GPUs"
        raise DeviceError(Diagnostic("D021", message, hint="--device emulator runs AMD code here"))
    message = f"there is no device {name!r}"
    hint = did_you_mean(name, _NAMES) or "devices are hip:N, emulator and reference"
    raise DeviceError(Diagnostic("D020", message, hint=hint))


def _automatic(target: str) -> Device:
    try:
        count = count_hip_devices()
    except DeviceError:
        count = 0
    for number in range(count):
        device = HipDevice(number)
        if device.target == target:
            return device
        device.close()
    if target not in EMULATED_TARGETS:
        message = f"nothing here runs code for {target}"
        emulated = ", ".join(EMULATED_TARGETS)
        raise DeviceError(
            Diagnostic("D022", message, notes=(f"the emulator runs code for {emulated}",))
        )
    return EmulatorDevice(target)
