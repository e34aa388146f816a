"""Library calls on the HIP device: what hipBLASLt is told, against a stand-in that checks it."""

import sys
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from lumc.codegen.launch_plan import PlanAttention, PlanProduct, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation
from lumc.runtime.devices.device import DeviceArgument, DeviceError, DeviceLaunch
from lumc.runtime.devices.hip import HipDevice
from lumc.runtime.devices.hipblas_products import HipblasLt, HipblasProduct
from lumc.runtime.devices.library_calls import WORKSPACE_BYTES, Workspace
from tests.runtime.fake_hipblas import FakeHip, FakeHipblas, FakeHipblasLt
from tests.runtime.fake_timer import FakeTimer
from tests.runtime.recording_hip import RecordingHip

BATCH, ROWS, COLUMNS, INNER = 3, 8, 16, 32


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeHipblasLt:
    fake = FakeHipblasLt()
    package = ModuleType("hip")
    parts: dict[str, Any] = {"hip": FakeHip, "hipblas": FakeHipblas, "hipblaslt": fake}
    for name, part in parts.items():
        setattr(package, name, part)
    monkeypatch.setitem(sys.modules, "hip", package)
    return fake


def opened(target: str = "gfx942", stream: object = "stream") -> HipblasLt:
    return HipblasLt.open(stream, Workspace(1 << 20), target)


def side(argument: int, *strides: int, offset: int = 0) -> PlanStrided:
    return PlanStrided(argument, offset, strides, DType.F32)


def product(
    left: PlanStrided, right: PlanStrided, addend: PlanStrided | None, batch: int = 1
) -> PlanProduct:
    output = side(3, ROWS * COLUMNS, COLUMNS, 1)
    sizes = (batch, ROWS, COLUMNS, INNER)
    return PlanProduct("p", "gemm", sizes, left, right, output, addend, Activation.NONE)


LEFTS = {"rows": side(0, ROWS * INNER, INNER, 1), "columns": side(0, ROWS * INNER, 1, ROWS)}
RIGHTS = {
    "rows": side(1, COLUMNS * INNER, INNER, 1),
    "columns": side(1, COLUMNS * INNER, 1, COLUMNS),
}
ADDENDS = {
    "none": None,
    "matrix": side(2, ROWS * COLUMNS, COLUMNS, 1),
    "row": side(2, 0, 0, 1, offset=4),
}
PLAIN = product(LEFTS["rows"], RIGHTS["rows"], None)


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("right", RIGHTS)
@pytest.mark.parametrize("addend", ADDENDS)
@pytest.mark.parametrize("batch", [1, BATCH])
def test_products_in_every_orientation(
    library: FakeHipblasLt, left: str, right: str, addend: str, batch: int
) -> None:
    generator = np.random.default_rng(4)
    sizes = (ROWS * INNER, COLUMNS * INNER, ROWS * COLUMNS, ROWS * COLUMNS)
    x, w, added, made = (
        generator.standard_normal((batch, size)).astype(np.float32) for size in sizes
    )
    arrays = [x, w, added, made]
    rows = x.reshape(batch, ROWS, INNER)
    if left == "columns":
        rows = x.reshape(batch, INNER, ROWS).swapaxes(1, 2)
    columns = w.reshape(batch, COLUMNS, INNER).swapaxes(1, 2)
    if right == "columns":
        columns = w.reshape(batch, INNER, COLUMNS)
    addends: dict[str, Any] = {
        "none": 0.0,
        "matrix": added.reshape(batch, ROWS, COLUMNS),
        "row": added.reshape(-1)[4 : 4 + COLUMNS],
    }
    wanted = rows @ columns + addends[addend]
    call = opened().plan(product(LEFTS[left], RIGHTS[right], ADDENDS[addend], batch))
    call.enqueue([array.ctypes.data for array in arrays])
    found = made.reshape(batch, ROWS, COLUMNS)
    np.testing.assert_allclose(found, wanted, rtol=1e-4, atol=1e-4)


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("right", RIGHTS)
@pytest.mark.parametrize("addend", ["none", "matrix"])
@pytest.mark.parametrize("batch", [1, BATCH])
def test_columns_are_multiplied_by_a_gate_before_something_is_added(
    library: FakeHipblasLt, left: str, right: str, addend: str, batch: int
) -> None:
    generator = np.random.default_rng(5)
    sizes = (ROWS * INNER, COLUMNS * INNER, ROWS * COLUMNS, ROWS * COLUMNS, 2 * COLUMNS)
    arrays = [generator.standard_normal((batch, size)).astype(np.float32) for size in sizes]
    _, _, added, made, gates = arrays
    plain = product(LEFTS[left], RIGHTS[right], ADDENDS[addend], batch)
    call = opened().plan(replace(plain, gate=side(4, 0, 0, 1, offset=3)))
    call.enqueue([array.ctypes.data for array in arrays])
    found = made.copy()
    made[:] = 0.0
    opened().plan(product(LEFTS[left], RIGHTS[right], None, batch)).enqueue(
        [array.ctypes.data for array in arrays]
    )
    gate = gates.reshape(-1)[3 : 3 + COLUMNS]
    wanted = made.reshape(batch, ROWS, COLUMNS) * gate
    if addend == "matrix":
        wanted += added.reshape(batch, ROWS, COLUMNS)
    np.testing.assert_allclose(found.reshape(wanted.shape), wanted, rtol=1e-4, atol=1e-4)


KEPT: list[Any] = []


def places(count: int = 1) -> list[list[int]]:
    kept = [[np.zeros(1024, np.float32) for _ in range(4)] for _ in range(count)]
    KEPT.append(kept)
    return [[array.ctypes.data for array in arrays] for arrays in kept]


def chosen_by(lt: HipblasLt, timer: FakeTimer) -> HipblasProduct:
    call = lt.plan(PLAIN)
    call.choose(places(), timer)
    return call


def test_the_fastest_algorithm_is_chosen_once(library: FakeHipblasLt) -> None:
    timer = FakeTimer(3.0, 1.0, 2.0)
    call = chosen_by(opened(), timer)
    call.choose(places(), timer)
    assert timer.captured == 6
    assert not timer.open
    library.used.clear()
    call.enqueue(places()[0])
    assert library.used == [1]


def test_times_belong_to_a_build_of_the_library_and_a_chip(library: FakeHipblasLt) -> None:
    chosen_by(opened(), FakeTimer(3.0, 1.0, 2.0))
    again = FakeTimer()
    library.used.clear()
    chosen_by(opened(), again)
    assert again.captured == 0
    # It runs once all the same, before anything is captured.
    assert library.used == [1]
    library.revision = b"def456"
    newer = FakeTimer(1.0, 2.0, 3.0)
    chosen_by(opened(), newer)
    assert newer.captured == 6
    other = FakeTimer(1.0, 2.0, 3.0)
    chosen_by(opened("gfx950"), other)
    assert other.captured == 6


def test_an_algorithm_that_fails_is_not_chosen(library: FakeHipblasLt) -> None:
    library.fails = {0}
    call = chosen_by(opened(), FakeTimer(2.0, 3.0))
    library.used.clear()
    call.enqueue(places()[0])
    assert library.used == [1]


@pytest.mark.parametrize(
    ("algorithms", "refuses", "reason"),
    [
        (0, set(), "it has no algorithm"),
        (3, {"hipblasLtMatmulDescCreate"}, "hipblasLtMatmulDescCreate: NOT_SUPPORTED"),
    ],
)
def test_a_product_that_the_library_refuses(
    library: FakeHipblasLt, algorithms: int, refuses: set[str], reason: str
) -> None:
    library.algorithms, library.refuses = algorithms, refuses
    with pytest.raises(DeviceError, match=f"hipBLASLt does not take p: {reason}"):
        opened().plan(PLAIN).enqueue(places()[0])


def test_a_library_that_cannot_be_used(
    library: FakeHipblasLt, monkeypatch: pytest.MonkeyPatch
) -> None:
    library.refuses = {"hipblasLtCreate"}
    with pytest.raises(DeviceError, match="hipBLASLt can't be used") as caught:
        opened()
    assert "--libraries none" in caught.value.render()
    monkeypatch.setitem(sys.modules, "hip", ModuleType("hip"))
    with pytest.raises(DeviceError, match="hipBLASLt can't be used"):
        opened()


def launch_of(device: HipDevice, call: Any) -> DeviceLaunch:
    arguments = tuple(
        DeviceArgument(device.allocate(4096), 0, 4096, number == 3, "b") for number in range(4)
    )
    return DeviceLaunch(call, (1, 1, 1), (1, 1, 1), arguments, "y = x w")


def test_one_handle_a_stream_made_and_chosen_before_the_capture(library: FakeHipblasLt) -> None:
    binding = RecordingHip()
    device = HipDevice(0, binding)
    library.calls = binding.calls
    library.stream = device._stream
    first, second = device.load_call(PLAIN), device.load_call(PLAIN)
    assert binding.calls.count("hipblasLtCreate") == 1
    assert f"hipMalloc({WORKSPACE_BYTES})" in binding.calls
    binding.calls.clear()
    device.record([launch_of(device, first), launch_of(device, second)])
    begin = max(n for n, name in enumerate(binding.calls) if "BeginCapture" in name)
    end = max(n for n, name in enumerate(binding.calls) if "StreamEndCapture" in name)
    assert binding.calls[begin + 1 : end] == ["hipblasLtMatmul"] * 2
    assert any(name.startswith("hipEventElapsedTime") for name in binding.calls[:begin])
    # What was captured to be measured is given back.
    assert sum("GraphExecDestroy" in name for name in binding.calls) == 2 * library.algorithms
    device.close()
    assert library.handles == []
    for kind, count in (("MatmulDesc", 2), ("MatrixLayout", 8)):
        assert binding.calls.count(f"hipblasLt{kind}Destroy") == count


def test_a_library_that_does_not_close(library: FakeHipblasLt) -> None:
    device = HipDevice(0, RecordingHip())
    library.stream = device._stream
    device.load_call(PLAIN)
    library.refuses.add("hipblasLtDestroy")
    with pytest.raises(DeviceError, match="hipBLASLt does not close: hipblasLtDestroy"):
        device.close()


def test_other_calls_are_none_of_amds(library: FakeHipblasLt) -> None:
    device = HipDevice(0, RecordingHip())
    part = side(0, 0, 1, 1)
    attention = PlanAttention(
        "attention_x", "attention", (1, 1, 1, 8, 8), part, part, part, part, 1.0, 1, None, False
    )
    with pytest.raises(DeviceError, match="attention_x is done by a vendor's library"):
        device.load_call(attention)
