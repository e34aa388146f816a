"""What the devices do with memory beside reading and writing, on stand-ins for their bindings."""

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.runtime import dlpack
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.device import Device, DeviceArgument, DeviceLaunch
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.devices.hip import HipDevice
from lumc.runtime.emulator.memory import UninitialisedReadError
from lumc.runtime.stage_tensor import DeviceTensor
from tests.runtime.recording_cuda import RecordingCuda
from tests.runtime.recording_hip import RecordingHip


def opened(name: str) -> tuple[Device, list[str]]:
    if name == "cuda":
        cuda = RecordingCuda(devices=2)
        return CudaDevice(1, cuda), cuda.calls
    if name == "hip":
        hip = RecordingHip(devices=2)
        return HipDevice(1, hip), hip.calls
    return EmulatorDevice("gfx942"), []


@pytest.mark.parametrize("name", ["cuda", "hip", "emulator"])
def test_copies_stay_on_the_device(name: str) -> None:
    device, calls = opened(name)
    address = device.allocate(1024)
    values = np.arange(100, dtype=np.uint8)
    device.write(address, values)
    calls.clear()
    device.copy(address + 512, address, 100)
    copy = {
        "cuda": ["cuMemcpyDtoDAsync(m0+512, m0+0, 100, stream0)"],
        "hip": ["hipMemcpyAsync(m0+512, m0+0, 100, 3, stream0)"],
        "emulator": [],
    }
    assert calls == copy[name]
    assert np.array_equal(device.read(address + 512, 100), values)
    device.close()


@pytest.mark.parametrize(("name", "kind"), [("cuda", 2), ("hip", 10)])
def test_tensors_are_handed_out_as_the_gpu_s(name: str, kind: int) -> None:
    """After all work has ended, at their own address."""
    device, calls = opened(name)
    tensor = DeviceTensor(device, device.allocate(1024) + 256, (3, 5), DType.F32)
    calls.clear()
    taken = dlpack.take(tensor, "x", 7)
    assert (taken.device, taken.address, taken.on_host) == ((kind, 1), tensor.address, False)
    assert [call.split("(")[0].lower()[-17:] for call in calls] == ["streamsynchronize"]
    assert device.free_bytes() == 1000
    device.close()


@pytest.mark.parametrize("name", ["cuda", "hip"])
def test_a_recording_is_given_back_once(name: str) -> None:
    device, calls = opened(name)
    kernel = device.load(b"image", "// text", "scale")
    argument = DeviceArgument(device.allocate(64), 0, 64, True, "b")
    launch = DeviceLaunch(kernel, (7, 2, 1), (256, 1, 1), (argument,), "y = 2 x")
    recordings = [device.record([launch]) for _ in range(2)]
    device.forget(recordings[0])
    device.forget(device.record([]))
    device.replay(recordings[1])
    device.close()
    destroyed = [call for call in calls if "GraphExecDestroy" in call]
    prefix = {"cuda": "cu", "hip": "hip"}[name]
    assert destroyed == [f"{prefix}GraphExecDestroy(executable{n})" for n in (0, 1)]


def test_the_emulator_copies_only_what_was_written() -> None:
    device = EmulatorDevice("gfx942")
    address = device.allocate(64)
    device.write(address, np.ones(16, np.uint8))
    with pytest.raises(UninitialisedReadError, match="nothing wrote 4 of the 20 bytes"):
        device.copy(address + 32, address, 20)
    assert device.free_bytes() > 1 << 20
    device.close()
