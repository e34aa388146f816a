"""The executor, on a device whose kernels are Python functions."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from lumc.codegen.launch_plan import (
    LaunchPlan,
    PlanArgument,
    PlanBuffer,
    PlanBufferKind,
    PlanKernel,
    PlanLaunch,
    Region,
)
from lumc.codegen.plan_json import PlanError, to_json
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.device import DeviceError
from lumc.runtime.executor import Executor, ExecutorError
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.tensors import TensorArrays, TensorError, tensors_as_bytes
from tests.runtime.fake_device import FakeDevice

Bytes = npt.NDArray[np.uint8]
RANDOM = np.random.default_rng(3)
WEIGHT = RANDOM.standard_normal((3, 5)).astype(np.float32)
TABLE = RANDOM.standard_normal(5).astype(np.float32)
X = RANDOM.standard_normal((3, 5)).astype(np.float32)

# prepared = 2 · weight; h = x + table, x taken from its second row on; y = bf16(h · prepared)
PLAN = LaunchPlan(
    stage="toy",
    target="gfx942",
    parameters=(),
    buffers=(
        PlanBuffer("x", PlanBufferKind.INPUT, DType.F32, (3, 5), Region.IO, 0, 60),
        PlanBuffer("y", PlanBufferKind.OUTPUT, DType.BF16, (3, 5), Region.IO, 256, 30),
        PlanBuffer("w", PlanBufferKind.WEIGHT, DType.F32, (3, 5), Region.WEIGHTS, 0, 60),
        PlanBuffer("t", PlanBufferKind.TABLE, DType.F32, (5,), Region.CONSTANTS, 0, 20),
        PlanBuffer("p", PlanBufferKind.PREPARED, DType.F32, (3, 5), Region.CONSTANTS, 256, 60),
        PlanBuffer("h", PlanBufferKind.INTERMEDIATE, DType.F32, (3, 5), Region.ARENA, 0, 60),
    ),
    kernels=tuple(
        PlanKernel(
            name, "pointwise", f"code_objects/{name}.co", "kernels.hip", 0, (), (64, 1, 1), 0
        )
        for name in ("double", "shift", "product")
    ),
    prepare=(PlanLaunch(0, (1, 1, 1), (PlanArgument(2, 0, False), PlanArgument(4, 0, True)), "p"),),
    launches=(
        PlanLaunch(
            1,
            (1, 1, 1),
            (PlanArgument(0, 20, False), PlanArgument(3, 0, False), PlanArgument(5, 0, True)),
            "h",
        ),
        PlanLaunch(
            2,
            (1, 1, 1),
            (PlanArgument(5, 0, False), PlanArgument(4, 0, False), PlanArgument(1, 0, True)),
            "y",
        ),
    ),
    region_bytes=(
        (Region.ARENA, 60),
        (Region.WEIGHTS, 60),
        (Region.CONSTANTS, 316),
        (Region.IO, 286),
    ),
    tables="tables.safetensors",
)


def double(buffers: list[Bytes]) -> None:
    w, p = buffers
    p[:] = (2 * w.view(np.float32)).view(np.uint8)


def shift(buffers: list[Bytes]) -> None:
    x, t, h = (buffer.view(np.float32) for buffer in buffers)
    assert x.size == 10  # the pointer starts at the second row
    h[:5] = t
    h[5:] = x + np.tile(t, 2)


def product(buffers: list[Bytes]) -> None:
    h, p, y = buffers
    values = (h.view(np.float32) * p.view(np.float32)).astype(ml_dtypes.bfloat16)
    y[:] = values.view(np.uint8)


def expected(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    h = np.concatenate([np.zeros((1, 5), np.float32), x[1:]]) + TABLE
    y: npt.NDArray[np.float32] = (h * 2 * WEIGHT).astype(ml_dtypes.bfloat16).astype(np.float32)
    return y


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    (tmp_path / "plan.json").write_text(to_json(PLAN))
    (tmp_path / "tables.safetensors").write_bytes(tensors_as_bytes({"t": TABLE}))
    (tmp_path / "code_objects").mkdir()
    for kernel in PLAN.kernels:
        assert isinstance(kernel, PlanKernel)
        (tmp_path / kernel.code_object).write_bytes(kernel.symbol.encode())
        (tmp_path / kernel.code_object).with_suffix(".s").write_text(f"; {kernel.symbol}")
    return tmp_path


@pytest.fixture
def device() -> Iterator[FakeDevice]:
    device = FakeDevice({"double": double, "shift": shift, "product": product})
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
