"""Whether programs call the vendor's libraries, by ``--libraries`` and what is there."""

from pathlib import Path

import pytest
from click.testing import CliRunner

from lumc import libraries
from lumc.cli import lumc
from lumc.libraries import Libraries, LibraryError, may_call_libraries
from lumc.runtime.devices.cuda import CudaDevice
from tests.runtime.recording_cuda import RecordingCuda


def gpus(monkeypatch: pytest.MonkeyPatch, *capabilities: tuple[int, int]) -> None:
    bindings = [RecordingCuda(len(capabilities), found) for found in capabilities]
    monkeypatch.setattr(libraries, "count_cuda_devices", lambda: len(bindings))
    monkeypatch.setattr(libraries, "CudaDevice", lambda n: CudaDevice(n, bindings[n]))


def test_automatic_means_where_the_gpu_is(monkeypatch: pytest.MonkeyPatch) -> None:
    gpus(monkeypatch, (8, 0), (9, 0))
    assert may_call_libraries(Libraries.AUTO, "sm_90")
    assert not may_call_libraries(Libraries.AUTO, "gfx942")
    gpus(monkeypatch, (8, 0))
    assert not may_call_libraries(Libraries.AUTO, "sm_90")
    gpus(monkeypatch)
    assert not may_call_libraries(Libraries.AUTO, "sm_90")


def test_what_is_asked_for_needs_no_gpu() -> None:
    assert may_call_libraries(Libraries.VENDOR, "sm_90")
    assert may_call_libraries(Libraries.VENDOR, "gfx942")
    assert not may_call_libraries(Libraries.NONE, "sm_90")
    with pytest.raises(LibraryError, match="calls no vendor's library for gfx1100"):
        may_call_libraries(Libraries.VENDOR, "gfx1100")


def test_asking_for_a_library_that_is_not_there_is_an_error(tmp_path: Path) -> None:
    spec = tmp_path / "twice.lum"
    spec.write_text("stage twice(x: f32[4]) -> y: f32[4]:\n    y[i] = 2 * x[i]\n")
    arguments = ["compile", str(spec), "--target", "gfx1100", "--libraries", "vendor"]
    with pytest.raises(LibraryError, match="calls no vendor's library for gfx1100"):
        CliRunner().invoke(lumc, arguments, catch_exceptions=False)
