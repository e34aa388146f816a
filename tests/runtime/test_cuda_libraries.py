"""Library calls on the CUDA device: what the libraries are told, against stand-ins for them."""

import sys
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import numpy as np
import pytest

from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.cuda_libraries import CudaLibraries
from lumc.runtime.devices.device import DeviceArgument, DeviceError, DeviceLaunch
from tests.runtime.fake_cublas import FakeMatrixLibrary, Preference, gelu
from tests.runtime.fake_timer import FakeTimer
from tests.runtime.recording_cuda import RecordingCuda

ROWS, COLUMNS, INNER = 8, 16, 32


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeMatrixLibrary:
    fake = FakeMatrixLibrary()
    bindings = ModuleType("nvmath.bindings")
    bindings.cublasLt = fake  # type: ignore[attr-defined]
    monkeypatch.setitem(sys.modules, "nvmath", ModuleType("nvmath"))
    monkeypatch.setitem(sys.modules, "nvmath.bindings", bindings)
    return fake


def side(argument: int, *strides: int, offset: int = 0) -> PlanStrided:
    return PlanStrided(argument, offset, strides, DType.F32)


def product(
    left: PlanStrided,
    right: PlanStrided,
    addend: PlanStrided | None,
    activation: Activation = Activation.NONE,
) -> PlanProduct:
    output, sizes = side(3, 0, COLUMNS, 1), (1, ROWS, COLUMNS, INNER)
    return PlanProduct("p", "gemm", sizes, left, right, output, addend, activation)


ACTIVATIONS: dict[Activation, Callable[[Any], Any]] = {
    Activation.NONE: lambda x: x,
    Activation.RELU: lambda x: np.maximum(x, 0),
    Activation.GELU: gelu,
}
LEFTS = {"rows": side(0, 0, INNER, 1), "columns": side(0, 0, 1, ROWS)}
RIGHTS = {"rows": side(1, 0, INNER, 1), "columns": side(1, 0, 1, COLUMNS)}
ADDENDS = {"none": None, "matrix": side(2, 0, COLUMNS, 1), "row": side(2, 0, 0, 1, offset=4)}


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("right", RIGHTS)
@pytest.mark.parametrize("addend", ADDENDS)
@pytest.mark.parametrize("activation", Activation)
def test_products_in_every_orientation(
    library: FakeMatrixLibrary, left: str, right: str, addend: str, activation: Activation
) -> None:
    generator = np.random.default_rng(4)
    arrays = [
        generator.standard_normal(size).astype(np.float32)
        for size in (ROWS * INNER, COLUMNS * INNER, ROWS * COLUMNS, ROWS * COLUMNS)
    ]
    x = arrays[0].reshape(ROWS, INNER) if left == "rows" else arrays[0].reshape(INNER, ROWS).T
    w = arrays[1]
    w = w.reshape(COLUMNS, INNER) if right == "rows" else w.reshape(INNER, COLUMNS).T
    added: Any = {
        "none": 0.0,
        "matrix": arrays[2].reshape(ROWS, COLUMNS),
        "row": arrays[2][4 : 4 + COLUMNS],
    }[addend]
    wanted = x @ w.T + added
    wanted = ACTIVATIONS[activation](wanted)
    call = CudaLibraries(7, 0, "sm_90").plan(
        product(LEFTS[left], RIGHTS[right], ADDENDS[addend], activation)
    )
    call.enqueue([array.ctypes.data for array in arrays])
    np.testing.assert_allclose(arrays[3].reshape(ROWS, COLUMNS), wanted, rtol=1e-4, atol=1e-4)


def places(count: int = 1) -> list[list[int]]:
    kept = [[np.zeros(1024, np.float32) for _ in range(4)] for _ in range(count)]
    KEPT.append(kept)
    return [[array.ctypes.data for array in arrays] for arrays in kept]


KEPT: list[Any] = []


def test_the_fastest_algorithm_is_chosen_once(library: FakeMatrixLibrary) -> None:
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    where, timer = places(3), FakeTimer(3.0, 1.0, 2.0)
    call.choose(where, timer)
    call.choose(where, timer)
    assert timer.captured == 6
    assert not timer.open
    library.used.clear()
    call.enqueue(where[0])
    assert library.used == [1]
    assert set(library.alignments) == {name.name for name in Preference}


def test_an_algorithm_fits_the_least_aligned_of_all_places(library: FakeMatrixLibrary) -> None:
    memory = np.zeros(1 << 16, np.float32)
    KEPT.append(memory)
    start = -(-memory.ctypes.data // 256) * 256
    # The last of more places than are tried: its right side is at 16 bytes past a multiple of 64.
    where = [[start, start + 16384, 0, start + 32768] for _ in range(6)]
    where[-1][1] += 64 + 16
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    call.choose(where, FakeTimer(1.0, 2.0, 3.0))
    assert library.alignments["MIN_ALIGNMENT_A_BYTES"] == 16
    assert library.alignments["MIN_ALIGNMENT_B_BYTES"] == 256


def test_what_was_measured_once_is_not_measured_again(library: FakeMatrixLibrary) -> None:
    wanted = product(LEFTS["rows"], RIGHTS["rows"], None)
    where = places()
    CudaLibraries(7, 0, "sm_90").plan(wanted).choose(where, FakeTimer(3.0, 1.0, 2.0))
    again, timer = CudaLibraries(7, 0, "sm_90").plan(wanted), FakeTimer()
    again.choose(where, timer)
    assert timer.captured == 0
    library.used.clear()
    again.enqueue(where[0])
    assert library.used == [1]
    # Another version of the library, another chip and another call have times of their own.
    library.get_version = lambda: 130200  # type: ignore[method-assign]
    newer = FakeTimer(1.0, 2.0, 3.0)
    CudaLibraries(7, 0, "sm_90").plan(wanted).choose(where, newer)
    assert newer.captured == 6
    other = FakeTimer(1.0, 2.0, 3.0)
    CudaLibraries(7, 0, "sm_100").plan(wanted).choose(where, other)
    assert other.captured == 6


def test_an_algorithm_that_fails_is_not_chosen(library: FakeMatrixLibrary) -> None:
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    library.fails = {0}
    where = places()
    call.choose(where, FakeTimer(2.0, 3.0))
    library.used.clear()
    call.enqueue(where[0])
    assert library.used == [1]


def test_a_way_that_is_slow_beyond_hope_is_tried_once(library: FakeMatrixLibrary) -> None:
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    timer = FakeTimer(1.0, 100.0, 2.0)
    # Of the second way there is no second recording, so the third one comes in its place.
    timer.milliseconds = (1.0, 100.0, 0.5)
    seen: list[int] = []
    measured = timer.elapsed_milliseconds

    def elapsed(recording: int) -> float:
        seen.append(recording)
        return measured(recording)

    timer.elapsed_milliseconds = elapsed  # type: ignore[method-assign]
    call.choose(places(), timer)
    assert seen.count(2) == 1
    assert not timer.open


def test_a_call_of_which_every_algorithm_fails(library: FakeMatrixLibrary) -> None:
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    library.fails = {0, 1, 2}
    with pytest.raises(DeviceError, match="cuBLASLt does not take p: refused"):
        call.choose(places(), FakeTimer())


def test_a_mistake_of_ours_is_no_refusal(library: FakeMatrixLibrary) -> None:
    wanted = product(LEFTS["rows"], RIGHTS["rows"], None)
    library.matrix_layout_create = None  # type: ignore[method-assign, assignment]
    with pytest.raises(TypeError):
        CudaLibraries(7, 0, "sm_90").plan(wanted)


def test_a_product_that_the_library_refuses(library: FakeMatrixLibrary) -> None:
    library.algorithms = 0
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    with pytest.raises(DeviceError, match="cuBLASLt does not take p: it has no algorithm"):
        call.enqueue([256, 512, 768, 1024])


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nvmath.bindings", None)
    with pytest.raises(DeviceError, match="nvmath-python can't be used") as caught:
        CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    assert "--libraries none" in caught.value.render()


def test_calls_are_chosen_before_the_capture_and_join_it(library: FakeMatrixLibrary) -> None:
    binding = RecordingCuda()
    device = CudaDevice(0, binding)
    arguments = tuple(
        DeviceArgument(device.allocate(4096), 0, 4096, number == 3, "b") for number in range(4)
    )
    call = device.load_call(product(LEFTS["rows"], RIGHTS["rows"], None))
    binding.calls.clear()
    device.record([DeviceLaunch(call, (1, 1, 1), (1, 1, 1), arguments, "y = x w")])
    captures = [n for n, name in enumerate(binding.calls) if "BeginCapture" in name]
    assert len(captures) == 2 * library.algorithms + 1
    begin = captures[-1]
    assert any(name.startswith("cuEventElapsedTime") for name in binding.calls[:begin])
    assert not any("Event" in name for name in binding.calls[begin:])
    # What was captured to be measured is given back.
    assert sum("GraphExecDestroy" in name for name in binding.calls) == 2 * library.algorithms
    device.close()
    assert library.made == 0


def test_a_library_that_does_not_close(library: FakeMatrixLibrary) -> None:
    binding = RecordingCuda()
    device = CudaDevice(0, binding)
    device.load_call(product(LEFTS["rows"], RIGHTS["rows"], None))
    assert library.made == 5
    library.refuses.add("destroy")
    with pytest.raises(DeviceError, match="cuBLASLt does not close: broken"):
        device.close()
    # All else is given back all the same.
    assert any(name.startswith("cuDevicePrimaryCtxRelease") for name in binding.calls)
