"""Devices by the names that users give them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator

from lumc.diagnostics import Diagnostic, did_you_mean
from lumc.runtime.devices.cuda import CudaDevice, count_cuda_devices
from lumc.runtime.devices.device import Device, DeviceError
from lumc.runtime.devices.emulator import EMULATED_TARGETS, EmulatorDevice
from lumc.runtime.devices.hip import HipDevice, count_hip_devices

REFERENCE = "reference"
"""The name of the device that runs tensor programs, not launch plans."""
DEFAULT_TARGET = "gfx942"
"""What the emulator is where nothing says otherwise."""
_NAMES = ("auto", "hip:0", "cuda:0", "emulator", REFERENCE)


def open_device(name: str, target: str | None) -> Device:
    """The device called ``name``, to run code made for ``target`` (None: for the device itself).

    ``auto`` is the first GPU that runs such code, else the emulator.

    Raises:
        DeviceError: there is no such device, it can't be used, or runs other code.
    """
    if name == "auto":
        return _automatic(target)
    if name == "emulator":
        return EmulatorDevice(target or DEFAULT_TARGET)
    found = re.fullmatch(r"(hip|cuda)(?::(\d{1,4}))?", name)
    if found is None:
        message = f"there is no device {name!r}"
        hint = did_you_mean(name, _NAMES) or "devices are hip:N, cuda:N, emulator and reference"
        raise DeviceError(Diagnostic("D020", message, hint=hint))
    number = int(found.group(2) or 0)
    device: Device = HipDevice(number) if found.group(1) == "hip" else CudaDevice(number)
    if target not in (None, device.target):
        device.close()
        message = f"{device.name} runs code for {device.target}, not for {target}"
        hint = f"compile for {device.target}, or name another device"
        raise DeviceError(Diagnostic("D002", message, hint=hint))
    return device


def _automatic(target: str | None) -> Device:
    for device in _gpus():
        if target in (None, device.target):
            return device
        device.close()
    if target is not None and target not in EMULATED_TARGETS:
        message = f"nothing here runs code for {target}"
        note = f"the emulator runs code for {', '.join(EMULATED_TARGETS)}"
        raise DeviceError(Diagnostic("D022", message, notes=(note,)))
    return EmulatorDevice(target or DEFAULT_TARGET)


def _gpus() -> Iterator[Device]:
    """Every GPU that can be opened, AMD's first."""
    kinds: tuple[tuple[Callable[[], int], Callable[[int], Device]], ...] = (
        (count_hip_devices, HipDevice),
        (count_cuda_devices, CudaDevice),
    )
    for count, device in kinds:
        try:
            numbers = range(count())
        except DeviceError:
            continue
        for number in numbers:
            yield device(number)


def has_gpu(target: str) -> bool:
    """True when a GPU of this machine runs code for ``target``."""
    found = False
    for device in _gpus():
        found |= device.target == target
        device.close()
    return found
