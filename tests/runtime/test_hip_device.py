"""The HIP device, against a stand-in that records every call."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lumc.runtime.devices import graph_device
from lumc.runtime.devices.device import DeviceArgument, DeviceError, DeviceLaunch
from lumc.runtime.devices.hip import HipDevice, count_hip_devices, load_binding
from tests.runtime.recording_hip import HipError, RecordingHip


@pytest.fixture
def binding() -> RecordingHip:
    return RecordingHip()


def launch(device: HipDevice, addresses: list[int], grid: int = 7) -> DeviceLaunch:
    kernel = device.load(b"image", "; text", "scale")
    arguments = tuple(DeviceArgument(address, 0, 64, True, "b") for address in addresses)
    return DeviceLaunch(kernel, (grid, 2, 1), (256, 1, 1), arguments, "y = 2 x")


def test_the_exact_calls_of_a_step(binding: RecordingHip) -> None:
    device = HipDevice(0, binding)
    assert (device.name, device.target) == ("hip:0", "gfx942")
    address = device.allocate(1024)
    device.write(address + 256, np.arange(100, dtype=np.uint8))
    first = launch(device, [address, address + 512])
    recording = device.record([first, first])
    for _ in range(2):
        device.replay(recording)
    device.synchronise()
    assert device.read(address + 256, 100).tolist() == list(range(100))
    device.free(address)
    device.close()
    assert binding.calls == [
        "hipGetDeviceCount()",
        "hipSetDevice(0)",
        "hipGetDeviceProperties(0)",
        "hipStreamCreateWithFlags(1)",
        "hipMalloc(1024)",
        "hipHostMalloc(67108864, 0)",
        "hipEventCreate()",
        "hipHostMalloc(67108864, 0)",
        "hipEventCreate()",
        "hipMemcpyAsync(m0+256, m1, 100, 1, stream0)",
        "hipEventRecord(event0, stream0)",
        "hipModuleLoadData(image)",
        "hipModuleGetFunction(module0, scale)",
        "hipStreamBeginCapture(stream0, 1)",
        "hipModuleLaunchKernel(function0, 7, 2, 1, 256, 1, 1, 0, stream0, None, [m0+0 m0+512])",
        "hipModuleLaunchKernel(function0, 7, 2, 1, 256, 1, 1, 0, stream0, None, [m0+0 m0+512])",
        "hipStreamEndCapture(stream0)",
        "hipGraphInstantiateWithFlags(graph0, 0)",
        "hipGraphDestroy(graph0)",
        "hipGraphLaunch(executable0, stream0)",
        "hipGraphLaunch(executable0, stream0)",
        "hipStreamSynchronize(stream0)",
        "hipMemcpyAsync(host[100], m0+256, 100, 2, stream0)",
        "hipStreamSynchronize(stream0)",
        "hipFree(m0)",
        "hipStreamSynchronize(stream0)",
        "hipGraphExecDestroy(executable0)",
        "hipModuleUnload(module0)",
        "hipEventDestroy(event0)",
        "hipHostFree(m1)",
        "hipEventDestroy(event1)",
        "hipHostFree(m2)",
        "hipStreamDestroy(stream0)",
    ]


def test_every_call_is_for_the_devices_own_number() -> None:
    binding = RecordingHip(devices=3)
    device = HipDevice(2, binding)
    for call, made in (
        (lambda: device.allocate(64), "hipMalloc(64)"),
        (device.synchronise, "hipStreamSynchronize(stream0)"),
        (device.synchronise_others, "hipDeviceSynchronize()"),
        (device.close, "hipStreamSynchronize(stream0)"),
    ):
        binding.calls.clear()
        binding.current = 0
        call()
        assert binding.calls[:2] == ["hipSetDevice(2)", made]


def test_large_copies_alternate_between_two_pinned_buffers(
    binding: RecordingHip, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_device, "STAGING_BYTES", 1000)
    device = HipDevice(0, binding)
    address = device.allocate(5000)
    data = np.random.default_rng(1).integers(0, 256, 3456, dtype=np.uint8)
    binding.calls.clear()
    device.write(address + 10, data)
    assert [call for call in binding.calls if "Event" in call or "Memcpy" in call][2:] == [
        "hipMemcpyAsync(m0+10, m1, 1000, 1, stream0)",
        "hipEventRecord(event0, stream0)",
        "hipMemcpyAsync(m0+1010, m2, 1000, 1, stream0)",
        "hipEventRecord(event1, stream0)",
        "hipEventSynchronize(event0)",
        "hipMemcpyAsync(m0+2010, m1, 1000, 1, stream0)",
        "hipEventRecord(event0, stream0)",
        "hipEventSynchronize(event1)",
        "hipMemcpyAsync(m0+3010, m2, 456, 1, stream0)",
        "hipEventRecord(event1, stream0)",
    ]
    np.testing.assert_array_equal(device.read(address + 10, data.size), data)


def test_timing_takes_the_devices_clock(binding: RecordingHip) -> None:
    device = HipDevice(0, binding)
    recording = device.record([launch(device, [device.allocate(256)])])
    binding.calls.clear()
    assert device.elapsed_milliseconds(recording) == 2.5
    assert binding.calls == [
        "hipEventCreate()",
        "hipEventCreate()",
        "hipEventRecord(event0, stream0)",
        "hipGraphLaunch(executable0, stream0)",
        "hipEventRecord(event1, stream0)",
        "hipEventSynchronize(event1)",
        "hipEventElapsedTime(event0, event1)",
        "hipEventDestroy(event0)",
        "hipEventDestroy(event1)",
    ]


USES: dict[str, Callable[[HipDevice], Any]] = {
    "hipMemcpyAsync": lambda device: device.write(device.allocate(4), np.zeros(4, np.uint8)),
    "hipHostMalloc": lambda device: device.write(device.allocate(4), np.zeros(4, np.uint8)),
    "hipModuleLoadData": lambda device: launch(device, []),
    "hipModuleGetFunction": lambda device: launch(device, []),
    "hipStreamBeginCapture": lambda device: device.record([launch(device, [])]),
    "hipModuleLaunchKernel": lambda device: device.record([launch(device, [])]),
    "hipStreamEndCapture": lambda device: device.record([launch(device, [])]),
    "hipGraphInstantiateWithFlags": lambda device: device.record([launch(device, [])]),
    "hipGraphLaunch": lambda device: device.replay(device.record([launch(device, [])])),
    "hipStreamSynchronize": lambda device: device.synchronise(),
    "hipEventRecord": lambda device: device.elapsed_milliseconds(device.record([])),
    "hipFree": lambda device: device.free(device.allocate(8)),
}


@pytest.mark.parametrize("name", USES)
def test_every_failure_is_one_clear_error(binding: RecordingHip, name: str) -> None:
    device = HipDevice(0, binding)
    binding.errors[name] = HipError.hipErrorIllegalAddress
    with pytest.raises(DeviceError, match=f"{name} failed: the words for hipErrorIllegalAddress"):
        USES[name](device)


def test_a_failed_launch_ends_the_capture(binding: RecordingHip) -> None:
    device = HipDevice(0, binding)
    binding.errors["hipModuleLaunchKernel"] = HipError.hipErrorIllegalAddress
    with pytest.raises(DeviceError):
        device.record([launch(device, [])])
    assert binding.calls[-2:] == [
        "hipGetErrorString(700)",
        "hipStreamEndCapture(stream0)",
    ]


def test_a_gpu_that_has_failed_does_not_hide_why(binding: RecordingHip) -> None:
    """All that can be given back is, and the first error is the one that is raised."""
    device = HipDevice(0, binding)
    address = device.allocate(64)
    device.write(address, np.zeros(8, np.uint8))
    recording = device.record([launch(device, [address])])
    closing = (
        "hipStreamSynchronize",
        "hipGraphExecDestroy",
        "hipModuleUnload",
        "hipHostFree",
        "hipFree",
        "hipStreamDestroy",
    )
    binding.errors |= dict.fromkeys(("hipGraphLaunch", *closing), HipError.hipErrorIllegalAddress)
    with (
        pytest.raises(DeviceError, match="hipGraphLaunch failed") as caught,
        contextlib.closing(device),
    ):
        device.replay(recording)
    assert caught.value.__context__ is None
    assert set(closing) <= {call.split("(")[0] for call in binding.calls}


def test_a_failure_while_closing_is_said(binding: RecordingHip) -> None:
    device = HipDevice(0, binding)
    device.allocate(64)
    binding.errors["hipStreamSynchronize"] = HipError.hipErrorIllegalAddress
    with pytest.raises(DeviceError, match="hipStreamSynchronize failed"):
        device.close()
    assert any(call.startswith("hipFree(") for call in binding.calls)


def test_out_of_memory_says_how_much_is_there(binding: RecordingHip) -> None:
    device = HipDevice(0, binding)
    binding.errors["hipMalloc"] = HipError.hipErrorOutOfMemory
    with pytest.raises(DeviceError, match="hipErrorOutOfMemory") as caught:
        device.allocate(123456)
    assert "123,456 bytes are needed at once; 1,000 of 2,000 are free" in caught.value.render()


def test_a_grid_that_hip_cannot_run(binding: RecordingHip) -> None:
    device = HipDevice(0, binding)
    with pytest.raises(DeviceError, match="16777216 × 256 threads along x"):
        device.record([launch(device, [], grid=1 << 24)])


def test_no_gpu() -> None:
    binding = RecordingHip()
    binding.errors["hipGetDeviceCount"] = HipError.hipErrorNoDevice
    for candidate in (binding, RecordingHip(devices=0)):
        with pytest.raises(DeviceError, match="HIP finds no AMD GPU") as caught:
            HipDevice(0, candidate)
        assert "--device emulator" in caught.value.render()


def test_a_gpu_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match=r"no GPU hip:2; HIP finds 2 GPUs \(hip:0 to hip:1\)"):
        HipDevice(2, RecordingHip(devices=2))


def test_hip_python_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "hip", None)
    with pytest.raises(DeviceError, match="hip-python can't be imported") as caught:
        count_hip_devices()
    assert "pip install 'lumc[amd]'" in caught.value.render()


def test_a_missing_rocm_library() -> None:
    class NoLibrary(RecordingHip):
        def __getattr__(self, name: str) -> Any:
            def call(*_: object) -> None:
                raise RuntimeError("failed to dlopen 'libamdhip64.so'")

            return call

    with pytest.raises(DeviceError, match=r"libamdhip64\.so, can't be loaded here") as caught:
        HipDevice(0, NoLibrary())
    assert "note: failed to dlopen 'libamdhip64.so'" in caught.value.render()
    assert "hint: install AMD's driver and ROCm" in caught.value.render()


def test_the_real_binding_has_every_function_that_is_called(binding: RecordingHip) -> None:
    real = load_binding()
    device = HipDevice(0, binding)
    address = device.allocate(64)
    device.write(address, np.zeros(8, np.uint8))
    device.elapsed_milliseconds(device.record([launch(device, [address])]))
    device.free(address)
    device.close()
    names = {call.split("(")[0] for call in binding.calls} | {"hipMemGetInfo", "hipGetErrorString"}
    assert len(names) > 20
    for name in names:
        assert callable(getattr(real, name))
    assert real.hipError_t.hipErrorNoDevice == HipError.hipErrorNoDevice
    assert real.hipStreamNonBlocking == binding.hipStreamNonBlocking
    mode = real.hipStreamCaptureMode.hipStreamCaptureModeThreadLocal
    assert mode == binding.hipStreamCaptureMode.hipStreamCaptureModeThreadLocal
    assert real.hipMemcpyKind.hipMemcpyHostToDevice == 1
    assert real.hipMemcpyKind.hipMemcpyDeviceToHost == 2
