"""Library calls on the CUDA device: what the libraries are told, against stand-ins for them."""

import ctypes
import sys
from enum import IntEnum
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.cuda_libraries import CudaLibraries
from lumc.runtime.devices.device import DeviceArgument, DeviceError, DeviceLaunch
from tests.runtime.fake_timer import FakeTimer
from tests.runtime.recording_cuda import RecordingCuda

ROWS, COLUMNS, INNER = 8, 16, 32


class Desc(IntEnum):
    TRANSA = 1
    TRANSB = 2
    EPILOGUE = 3
    BIAS_POINTER = 4


class Preference(IntEnum):
    MAX_WORKSPACE_BYTES = 1
    MIN_ALIGNMENT_A_BYTES = 5
    MIN_ALIGNMENT_B_BYTES = 6
    MIN_ALIGNMENT_C_BYTES = 7
    MIN_ALIGNMENT_D_BYTES = 8


class FakeMatrixLibrary:
    """cuBLASLt as far as it is called, on host memory, in f32."""

    MatmulDescAttribute = Desc
    MatmulPreferenceAttribute = Preference
    MatrixLayoutAttribute = SimpleNamespace(BATCH_COUNT=0, STRIDED_BATCH_OFFSET=1)
    Epilogue = SimpleNamespace(BIAS=4)
    matmul_heuristic_result_dtype = np.dtype(
        [("algo", "<u8", (8,)), ("workspace_size", "<u8"), ("state", "<i4"), ("rest", "<i4", (5,))]
    )

    class cuBLASLtError(Exception):  # noqa: N801
        """What the library raises."""

    def __init__(self, algorithms: int = 3) -> None:
        self.algorithms = algorithms
        self.alignments: dict[str, int] = {}
        self.used: list[int] = []
        self.fails: set[int] = set()

    def get_version(self) -> int:
        return 130100

    def create(self) -> int:
        return 1

    def destroy(self, handle: int) -> None:
        assert handle == 1

    def matmul_desc_create(self, compute: int, scale: int) -> dict[Desc, int]:
        assert (compute, scale) == (68, 0)
        return {}

    def matmul_desc_set_attribute(self, desc: Any, name: Desc, place: int, size: int) -> None:
        desc[name] = int.from_bytes(ctypes.string_at(place, size), "little")

    def matrix_layout_create(self, dtype: int, rows: int, columns: int, leading: int) -> Any:
        assert dtype == 0
        assert leading >= rows
        return (rows, columns, leading)

    def matmul_preference_create(self) -> object:
        return object()

    def matmul_preference_set_attribute(
        self, _: Any, name: Preference, place: int, size: int
    ) -> None:
        self.alignments[name.name] = int.from_bytes(ctypes.string_at(place, size), "little")

    def matmul_preference_destroy(self, _: Any) -> None:
        pass

    def matmul_algo_get_heuristic(self, *arguments: Any) -> None:
        wanted, results, found = arguments[-3:]
        count = min(wanted, self.algorithms)
        ctypes.c_int32.from_address(found).value = count
        dtype = self.matmul_heuristic_result_dtype
        memory = (ctypes.c_uint8 * (dtype.itemsize * wanted)).from_address(results)
        made = np.frombuffer(memory, dtype)
        for number in range(count):
            made["algo"][number] = number + 1

    def matmul(self, _: int, desc: Any, one: int, *rest: Any) -> None:
        a, layout_a, b, layout_b, beta, c, layout_c, d, layout_d, algorithm = rest[:10]
        number = int(ctypes.c_uint64.from_address(algorithm).value) - 1
        self.used.append(number)
        if number in self.fails:
            raise self.cuBLASLtError("refused")
        assert ctypes.c_float.from_address(one).value == 1
        left, right = _matrix(a, layout_a), _matrix(b, layout_b)
        left = left.T if desc[Desc.TRANSA] else left
        right = right.T if desc[Desc.TRANSB] else right
        made = left @ right + ctypes.c_float.from_address(beta).value * _matrix(c, layout_c)
        if desc.get(Desc.EPILOGUE) == 4:
            made = made + _matrix(desc[Desc.BIAS_POINTER], (layout_d[0], 1, layout_d[0]))
        _matrix(d, layout_d)[...] = made


def _matrix(place: int, layout: tuple[int, int, int]) -> np.ndarray:
    """The column-major matrix that lies at ``place``."""
    rows, columns, leading = layout
    memory = (ctypes.c_float * (leading * columns)).from_address(place)
    return np.ctypeslib.as_array(memory).reshape(columns, leading)[:, :rows].T


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


def product(left: PlanStrided, right: PlanStrided, addend: PlanStrided | None) -> PlanProduct:
    output = side(3, 0, COLUMNS, 1)
    return PlanProduct("p", "gemm", (1, ROWS, COLUMNS, INNER), left, right, output, addend)


LEFTS = {"rows": side(0, 0, INNER, 1), "columns": side(0, 0, 1, ROWS)}
RIGHTS = {"rows": side(1, 0, INNER, 1), "columns": side(1, 0, 1, COLUMNS)}
ADDENDS = {"none": None, "matrix": side(2, 0, COLUMNS, 1), "row": side(2, 0, 0, 1, offset=4)}


@pytest.mark.parametrize("left", LEFTS)
@pytest.mark.parametrize("right", RIGHTS)
@pytest.mark.parametrize("addend", ADDENDS)
def test_products_in_every_orientation(
    library: FakeMatrixLibrary, left: str, right: str, addend: str
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
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS[left], RIGHTS[right], ADDENDS[addend]))
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
    assert timer.captured == 3
    assert not timer.open
    library.used.clear()
    call.enqueue(where[0])
    assert library.used == [1]
    assert set(library.alignments) == {name.name for name in Preference}


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
    assert newer.captured == 3
    other = FakeTimer(1.0, 2.0, 3.0)
    CudaLibraries(7, 0, "sm_100").plan(wanted).choose(where, other)
    assert other.captured == 3


def test_an_algorithm_that_fails_is_not_chosen(library: FakeMatrixLibrary) -> None:
    call = CudaLibraries(7, 0, "sm_90").plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    library.fails = {0}
    where = places()
    call.choose(where, FakeTimer(2.0, 3.0))
    library.used.clear()
    call.enqueue(where[0])
    assert library.used == [1]


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
    assert len(captures) == library.algorithms + 1
    begin = captures[-1]
    assert any(name.startswith("cuEventElapsedTime") for name in binding.calls[:begin])
    assert not any("Event" in name for name in binding.calls[begin:])
    # What was captured to be measured is given back.
    assert sum("GraphExecDestroy" in name for name in binding.calls) == library.algorithms
    device.close()
