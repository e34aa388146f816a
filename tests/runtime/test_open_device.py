"""Devices by name, with the stand-ins for GPUs."""

import pytest

from lumc.runtime.devices import open_device as opening
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.device import DeviceError
from lumc.runtime.devices.hip import HipDevice
from lumc.runtime.devices.open_device import open_device
from tests.runtime.recording_cuda import RecordingCuda
from tests.runtime.recording_hip import RecordingHip


@pytest.fixture
def gpus(monkeypatch: pytest.MonkeyPatch) -> tuple[RecordingHip, RecordingCuda]:
    hip, cuda = RecordingHip(2), RecordingCuda(2)
    monkeypatch.setattr(opening, "HipDevice", lambda number: HipDevice(number, hip))
    monkeypatch.setattr(opening, "CudaDevice", lambda number: CudaDevice(number, cuda))
    return hip, cuda


@pytest.mark.parametrize(
    ("name", "target"), [("hip:1", "gfx942"), ("cuda:1", "sm_90"), ("hip", None), ("cuda", None)]
)
def test_a_gpu_that_runs_the_code(
    gpus: tuple[RecordingHip, RecordingCuda], name: str, target: str | None
) -> None:
    assert open_device(name, target).name == (name if ":" in name else f"{name}:0")


@pytest.mark.parametrize(("name", "target"), [("hip:1", "sm_90"), ("cuda:1", "gfx942")])
def test_a_gpu_that_does_not_is_closed_and_named(
    gpus: tuple[RecordingHip, RecordingCuda], name: str, target: str
) -> None:
    with pytest.raises(DeviceError, match=f"{name} runs code for .*, not for {target}"):
        open_device(name, target)
    binding = gpus[0] if name.startswith("hip") else gpus[1]
    assert any("StreamDestroy" in call for call in binding.calls)
