"""Library calls on the CUDA device: what the libraries are told, against stand-ins for them."""

import ctypes
import sys
from collections.abc import Sequence
from enum import IntEnum
from types import ModuleType, SimpleNamespace
from typing import Any

import numpy as np
import pytest

from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.cuda_libraries import CudaLibraries, Enqueue
from lumc.runtime.devices.device import DeviceArgument, DeviceError, DeviceLaunch
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
    matmul_heuristic_result_dtype = np.dtype(np.int64)

    def __init__(self, algorithms: int = 3) -> None:
        self.algorithms = algorithms
        self.alignments: dict[str, int] = {}
        self.used: list[int] = []

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

    def MatmulHeuristicResult(self, count: int) -> Any:  # noqa: N802
        return SimpleNamespace(ptr=0)

    def matmul_algo_get_heuristic(self, *arguments: Any) -> None:
        found = (ctypes.c_int32).from_address(arguments[-1])
        found.value = self.algorithms

    def matmul(self, _: int, desc: Any, one: int, *rest: Any) -> None:
        a, layout_a, b, layout_b, beta, c, layout_c, d, layout_d, algorithm = rest[:10]
        self.used.append(algorithm // 8)
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
    call = CudaLibraries(7, 0).plan(product(LEFTS[left], RIGHTS[right], ADDENDS[addend]))
    call.enqueue([array.ctypes.data for array in arrays])
    np.testing.assert_allclose(arrays[3].reshape(ROWS, COLUMNS), wanted, rtol=1e-4, atol=1e-4)


def test_the_fastest_algorithm_is_chosen_once(library: FakeMatrixLibrary) -> None:
    arrays = [np.zeros(1024, np.float32) for _ in range(4)]
    addresses = [array.ctypes.data for array in arrays]
    call = CudaLibraries(7, 0).plan(product(LEFTS["rows"], RIGHTS["rows"], None))

    def measure(ways: Sequence[Enqueue]) -> list[float]:
        for way in ways:
            way()
        return [3.0, 1.0, 2.0]

    call.choose(addresses, measure)
    call.choose(addresses, measure)
    call.enqueue(addresses)
    assert library.used == [0, 1, 2, 1]
    assert set(library.alignments) == {name.name for name in Preference}


def test_a_product_that_the_library_refuses(library: FakeMatrixLibrary) -> None:
    library.algorithms = 0
    call = CudaLibraries(7, 0).plan(product(LEFTS["rows"], RIGHTS["rows"], None))
    with pytest.raises(DeviceError, match="cuBLASLt does not take p: it has no algorithm"):
        call.enqueue([256, 512, 768, 1024])


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "nvmath.bindings", None)
    with pytest.raises(DeviceError, match="nvmath-python can't be used") as caught:
        CudaLibraries(7, 0).plan(product(LEFTS["rows"], RIGHTS["rows"], None))
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
    begin = binding.calls.index("cuStreamBeginCapture(stream0, STREAM_CAPTURE_MODE_THREAD_LOCAL)")
    assert any(name.startswith("cuEventElapsedTime") for name in binding.calls[:begin])
    assert not any("Event" in name for name in binding.calls[begin:])
    assert len(library.used) > 2 * library.algorithms
    device.close()
