"""The executor, on a device whose kernels are Python functions."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from lumc.codegen.plan_json import PlanError, to_json
from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.devices.device import DeviceError
from lumc.runtime.emulator import CodeObjectError, DecodeError, EmulatorBuildError
from lumc.runtime.executor import Executor, ExecutorError
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.tensors import TensorArrays, TensorError
from tests.runtime.fake_device import FakeDevice
from tests.runtime.toy_stage import (
    PLAN,
    WEIGHT,
    X,
    expected,
    toy_device,
    write_toy,
)

Bytes = npt.NDArray[np.uint8]


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    write_toy(tmp_path)
    return tmp_path


@pytest.fixture
def device() -> Iterator[FakeDevice]:
    device = toy_device()
    yield device
    device.close()


def test_steps_compute_what_the_plan_says(folder: Path, device: FakeDevice) -> None:
    with Executor(open_stage(folder), device) as executor:
        fit = executor.load_weights(TensorArrays({"w": WEIGHT, "spare": X}))
        assert fit.unused == ("spare",)
        for x in (X, X * 3 + 1):
            (y,) = executor.run({"x": x}).values()
            assert y.dtype == ml_dtypes.bfloat16
            assert y.shape == (3, 5)
            np.testing.assert_array_equal(y.astype(np.float32), expected(x))
        assert executor.step_milliseconds() == 1.25
    assert device.events[0] == "load double b'double' '; double'"
    records = [event for event in device.events if event.startswith("record")]
    assert records == ["record double", "record shift product"]


def test_reals_are_converted_and_said(folder: Path, device: FakeDevice) -> None:
    with Executor(open_stage(folder), device) as executor:
        fit = executor.load_weights(TensorArrays({"w": WEIGHT.astype(np.float64)}))
        assert fit.converted == ("w",)
        (y,) = executor.run({"x": X.astype(np.float64)}).values()
        np.testing.assert_array_equal(y.astype(np.float32), expected(X))


def test_a_step_before_the_weights_is_refused(folder: Path, device: FakeDevice) -> None:
    with (
        Executor(open_stage(folder), device) as executor,
        pytest.raises(ExecutorError, match="weights must be loaded"),
    ):
        executor.run({"x": X})


def test_unknown_and_missing_inputs(folder: Path, device: FakeDevice) -> None:
    with Executor(open_stage(folder), device) as executor:
        executor.load_weights(TensorArrays({"w": WEIGHT}))
        with pytest.raises(ExecutorError, match="stage toy has no input xx; it has x"):
            executor.run({"x": X, "xx": X})
        with pytest.raises(TensorError, match="input x is not in"):
            executor.run({})
        with pytest.raises(TensorError, match="has shape 5×3; the program needs 3×5"):
            executor.run({"x": X.T})


def test_another_architecture_is_refused(folder: Path, device: FakeDevice) -> None:
    device.target = "gfx90a"
    with pytest.raises(DeviceError, match="compiled for gfx942, but fake is a gfx90a"):
        Executor(open_stage(folder), device)


def test_memory_is_given_back_when_a_load_fails(folder: Path, device: FakeDevice) -> None:
    (folder / "code_objects" / "product.co").unlink()
    with pytest.raises(PlanError, match=r"can't read product.co: No such file"):
        Executor(open_stage(folder), device)
    assert not device.allocated


def test_code_that_a_device_does_not_load_is_named(
    folder: Path, device: FakeDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    raised: list[LumcError] = []

    def fail(*_: object) -> None:
        raise raised[-1]

    monkeypatch.setattr(device, "load", fail)
    for kind in (DeviceError, CodeObjectError, DecodeError, EmulatorBuildError):
        raised.append(kind(Diagnostic("D015", "it is damaged")))
        with pytest.raises(LumcError, match="it is damaged") as caught:
            Executor(open_stage(folder), device)
        note = f"the code is that in {folder / 'code_objects' / 'double.co'}"
        assert (note in caught.value.render()) == (kind is not EmulatorBuildError)
    assert not device.allocated


def test_too_little_memory_gives_back_what_was_taken(folder: Path) -> None:
    device = FakeDevice({}, size=900)
    with pytest.raises(DeviceError):
        Executor(open_stage(folder), device)
    assert not device.allocated


def test_a_stage_without_weights_or_tables(folder: Path, device: FakeDevice) -> None:
    plan = replace(PLAN, prepare=(), tables=None)
    (folder / "plan.json").write_text(to_json(plan))
    with (
        Executor(open_stage(folder), device) as executor,
        pytest.raises(TensorError, match="weight w is not in what was given, which is empty"),
    ):
        executor.load_weights(TensorArrays({}))
