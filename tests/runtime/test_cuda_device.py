"""The CUDA device, against a stand-in that records every call."""

import contextlib
import sys
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lumc.runtime.devices import graph_device
from lumc.runtime.devices.cuda import CudaDevice, count_cuda_devices
from lumc.runtime.devices.device import DeviceArgument, DeviceError, DeviceLaunch
from tests.runtime.recording_cuda import CudaResult, RecordingCuda


@pytest.fixture
def binding() -> RecordingCuda:
    return RecordingCuda()


def launch(device: CudaDevice, addresses: list[int]) -> DeviceLaunch:
    kernel = device.load(b"image", "// text", "scale")
    arguments = tuple(DeviceArgument(address, 0, 64, True, "b") for address in addresses)
    return DeviceLaunch(kernel, (7, 2, 1), (256, 1, 1), arguments, "y = 2 x")


def test_the_exact_calls_of_a_step(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    assert (device.name, device.target) == ("cuda:0", "sm_90")
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
        "cuInit(0)",
        "cuDeviceGetCount()",
        "cuDeviceGet(0)",
        "cuDeviceGetAttribute(DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MAJOR, device0)",
        "cuDeviceGetAttribute(DEVICE_ATTRIBUTE_COMPUTE_CAPABILITY_MINOR, device0)",
        "cuDevicePrimaryCtxRetain(device0)",
        "cuCtxSetCurrent(context0)",
        "cuStreamCreate(STREAM_NON_BLOCKING)",
        "cuMemAlloc(1024)",
        "cuMemAllocHost(67108864)",
        "cuEventCreate(EVENT_DISABLE_TIMING)",
        "cuMemAllocHost(67108864)",
        "cuEventCreate(EVENT_DISABLE_TIMING)",
        "cuMemcpyHtoDAsync(m0+256, m1+0, 100, stream0)",
        "cuEventRecord(event0, stream0)",
        "cuModuleLoadData(image)",
        "cuModuleGetFunction(module0, scale)",
        "cuStreamBeginCapture(stream0, STREAM_CAPTURE_MODE_THREAD_LOCAL)",
        "cuLaunchKernel(function0, 7, 2, 1, 256, 1, 1, 0, stream0, [m0+0 m0+512], 0)",
        "cuLaunchKernel(function0, 7, 2, 1, 256, 1, 1, 0, stream0, [m0+0 m0+512], 0)",
        "cuStreamEndCapture(stream0)",
        "cuGraphInstantiate(graph0, 0)",
        "cuGraphDestroy(graph0)",
        "cuGraphLaunch(executable0, stream0)",
        "cuGraphLaunch(executable0, stream0)",
        "cuStreamSynchronize(stream0)",
        "cuMemcpyDtoHAsync(host, m0+256, 100, stream0)",
        "cuStreamSynchronize(stream0)",
        "cuMemFree(m0+0)",
        "cuStreamSynchronize(stream0)",
        "cuGraphExecDestroy(executable0)",
        "cuModuleUnload(module0)",
        "cuEventDestroy(event0)",
        "cuMemFreeHost(m1+0)",
        "cuEventDestroy(event1)",
        "cuMemFreeHost(m2+0)",
        "cuStreamDestroy(stream0)",
        "cuDevicePrimaryCtxRelease(device0)",
    ]


def test_large_copies_alternate_between_two_pinned_buffers(
    binding: RecordingCuda, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(graph_device, "STAGING_BYTES", 1000)
    device = CudaDevice(0, binding)
    address = device.allocate(5000)
    data = np.random.default_rng(1).integers(0, 256, 3456, dtype=np.uint8)
    binding.calls.clear()
    device.write(address + 10, data)
    assert [call for call in binding.calls if "Event" in call or "Memcpy" in call][2:] == [
        "cuMemcpyHtoDAsync(m0+10, m1+0, 1000, stream0)",
        "cuEventRecord(event0, stream0)",
        "cuMemcpyHtoDAsync(m0+1010, m2+0, 1000, stream0)",
        "cuEventRecord(event1, stream0)",
        "cuEventSynchronize(event0)",
        "cuMemcpyHtoDAsync(m0+2010, m1+0, 1000, stream0)",
        "cuEventRecord(event0, stream0)",
        "cuEventSynchronize(event1)",
        "cuMemcpyHtoDAsync(m0+3010, m2+0, 456, stream0)",
        "cuEventRecord(event1, stream0)",
    ]
    np.testing.assert_array_equal(device.read(address + 10, data.size), data)


def test_a_pinned_buffer_is_filled_again_once_its_copy_is_over(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    address = device.allocate(64)
    device.write(address, np.arange(8, dtype=np.uint8))
    binding.calls.clear()
    for value in range(3):
        device.write(address + 8 * value, np.full(8, value, np.uint8))
    assert [call for call in binding.calls if "Event" in call or "Memcpy" in call] == [
        "cuMemcpyHtoDAsync(m0+0, m2+0, 8, stream0)",
        "cuEventRecord(event1, stream0)",
        "cuEventSynchronize(event0)",
        "cuMemcpyHtoDAsync(m0+8, m1+0, 8, stream0)",
        "cuEventRecord(event0, stream0)",
        "cuEventSynchronize(event1)",
        "cuMemcpyHtoDAsync(m0+16, m2+0, 8, stream0)",
        "cuEventRecord(event1, stream0)",
    ]


@pytest.mark.parametrize("size", [99, 100, 101, 999, 2600])
def test_large_copies_are_shared_by_threads(
    binding: RecordingCuda, monkeypatch: pytest.MonkeyPatch, size: int
) -> None:
    monkeypatch.setattr(graph_device, "SHARE_BYTES", 100)
    device = CudaDevice(0, binding)
    address = device.allocate(size)
    data = np.random.default_rng(size).integers(0, 256, size, dtype=np.uint8)
    device.write(address, data)
    np.testing.assert_array_equal(device.read(address, size), data)


def test_every_call_is_in_the_devices_own_context(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    binding.calls.clear()
    for call, made in (
        (lambda: device.allocate(64), "cuMemAlloc(64)"),
        (device.synchronise, "cuStreamSynchronize(stream0)"),
        (device.synchronise_others, "cuCtxSynchronize()"),
        (device.close, "cuStreamSynchronize(stream0)"),
    ):
        binding.calls.clear()
        binding.current = "that of another library, or of a thread without one"
        call()
        assert binding.calls[:2] == ["cuCtxSetCurrent(context0)", made]


def test_timing_takes_the_devices_clock(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    recording = device.record([launch(device, [device.allocate(256)])])
    binding.calls.clear()
    assert device.elapsed_milliseconds(recording) == 2.5
    assert binding.calls == [
        "cuEventCreate(EVENT_DEFAULT)",
        "cuEventCreate(EVENT_DEFAULT)",
        "cuEventRecord(event0, stream0)",
        "cuGraphLaunch(executable0, stream0)",
        "cuEventRecord(event1, stream0)",
        "cuEventSynchronize(event1)",
        "cuEventElapsedTime(event0, event1)",
        "cuEventDestroy(event0)",
        "cuEventDestroy(event1)",
    ]


USES: dict[str, Callable[[CudaDevice], Any]] = {
    "cuMemcpyHtoDAsync": lambda device: device.write(device.allocate(4), np.zeros(4, np.uint8)),
    "cuMemcpyDtoHAsync": lambda device: device.read(device.allocate(4), 4),
    "cuMemAllocHost": lambda device: device.write(device.allocate(4), np.zeros(4, np.uint8)),
    "cuModuleLoadData": lambda device: launch(device, []),
    "cuModuleGetFunction": lambda device: launch(device, []),
    "cuStreamBeginCapture": lambda device: device.record([launch(device, [])]),
    "cuLaunchKernel": lambda device: device.record([launch(device, [])]),
    "cuStreamEndCapture": lambda device: device.record([launch(device, [])]),
    "cuGraphInstantiate": lambda device: device.record([launch(device, [])]),
    "cuGraphLaunch": lambda device: device.replay(device.record([launch(device, [])])),
    "cuStreamSynchronize": lambda device: device.synchronise(),
    "cuEventRecord": lambda device: device.elapsed_milliseconds(device.record([])),
    "cuMemFree": lambda device: device.free(device.allocate(8)),
}


@pytest.mark.parametrize("name", USES)
def test_every_failure_is_one_clear_error(binding: RecordingCuda, name: str) -> None:
    device = CudaDevice(0, binding)
    binding.errors[name] = CudaResult.CUDA_ERROR_ILLEGAL_ADDRESS
    with pytest.raises(DeviceError, match=f"{name} failed: the words for CUDA_ERROR_ILLEGAL"):
        USES[name](device)


def test_a_failed_launch_ends_the_capture(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    binding.errors["cuLaunchKernel"] = CudaResult.CUDA_ERROR_ILLEGAL_ADDRESS
    with pytest.raises(DeviceError):
        device.record([launch(device, [])])
    assert binding.calls[-1] == "cuStreamEndCapture(stream0)"


def test_a_gpu_that_has_failed_does_not_hide_why(binding: RecordingCuda) -> None:
    """All that can be given back is, and the first error is the one that is raised."""
    device = CudaDevice(0, binding)
    address = device.allocate(64)
    device.write(address, np.zeros(8, np.uint8))
    recording = device.record([launch(device, [address])])
    closing = (
        "cuStreamSynchronize",
        "cuGraphExecDestroy",
        "cuModuleUnload",
        "cuMemFreeHost",
        "cuMemFree",
        "cuStreamDestroy",
        "cuDevicePrimaryCtxRelease",
    )
    binding.errors |= dict.fromkeys(
        ("cuGraphLaunch", *closing), CudaResult.CUDA_ERROR_ILLEGAL_ADDRESS
    )
    with (
        pytest.raises(DeviceError, match="cuGraphLaunch failed") as caught,
        contextlib.closing(device),
    ):
        device.replay(recording)
    assert caught.value.__context__ is None
    assert set(closing) <= {call.split("(")[0] for call in binding.calls}


def test_a_failure_while_closing_is_said(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    device.allocate(64)
    binding.errors["cuStreamSynchronize"] = CudaResult.CUDA_ERROR_ILLEGAL_ADDRESS
    with pytest.raises(DeviceError, match="cuStreamSynchronize failed"):
        device.close()
    assert any(call.startswith("cuMemFree(") for call in binding.calls)


def test_out_of_memory_says_how_much_is_there(binding: RecordingCuda) -> None:
    device = CudaDevice(0, binding)
    binding.errors["cuMemAlloc"] = CudaResult.CUDA_ERROR_OUT_OF_MEMORY
    with pytest.raises(DeviceError, match="CUDA_ERROR_OUT_OF_MEMORY") as caught:
        device.allocate(123456)
    assert "123,456 bytes are needed at once; 1,000 of 2,000 are free" in caught.value.render()


def test_no_gpu(binding: RecordingCuda) -> None:
    binding.errors["cuInit"] = CudaResult.CUDA_ERROR_NO_DEVICE
    for candidate in (binding, RecordingCuda(devices=0)):
        with pytest.raises(DeviceError, match="CUDA finds no NVIDIA GPU") as caught:
            CudaDevice(0, candidate)
        assert "--device reference" in caught.value.render()


def test_a_gpu_that_is_not_there() -> None:
    with pytest.raises(DeviceError, match=r"no GPU cuda:2; CUDA finds 2 GPUs \(cuda:0 to cuda:1"):
        CudaDevice(2, RecordingCuda(devices=2))


def test_cuda_python_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cuda.bindings", None)
    with pytest.raises(DeviceError, match="cuda-python can't be imported") as caught:
        count_cuda_devices()
    assert "pip install 'lumc[nvidia]'" in caught.value.render()


def test_a_missing_driver() -> None:
    class NoLibrary(RecordingCuda):
        def __getattr__(self, name: str) -> Any:
            def call(*_: object) -> None:
                raise RuntimeError("Failed to dlopen libcuda.so.1")

            return call

    with pytest.raises(DeviceError, match=r"driver, libcuda\.so\.1, can't be loaded") as caught:
        CudaDevice(0, NoLibrary())
    assert "note: Failed to dlopen libcuda.so.1" in caught.value.render()
    assert "hint: install NVIDIA's driver" in caught.value.render()


def test_the_real_binding_has_every_function_that_is_called(binding: RecordingCuda) -> None:
    real = pytest.importorskip("cuda.bindings.driver")
    device = CudaDevice(0, binding)
    address = device.allocate(64)
    device.write(address, np.zeros(8, np.uint8))
    device.read(address, 8)
    device.elapsed_milliseconds(device.record([launch(device, [address])]))
    device.free(address)
    device.close()
    names = {call.split("(")[0] for call in binding.calls} | {"cuMemGetInfo", "cuGetErrorString"}
    assert len(names) > 20
    for name in names:
        assert callable(getattr(real, name))
    for group in (
        "CUresult",
        "CUdevice_attribute",
        "CUstreamCaptureMode",
        "CUstream_flags",
        "CUevent_flags",
    ):
        for member in getattr(RecordingCuda, group):
            assert getattr(real, group)[member.name].value == member.value
