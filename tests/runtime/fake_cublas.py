"""cuBLASLt as far as it is called, on host memory, in f32."""

import ctypes
from enum import IntEnum
from types import SimpleNamespace
from typing import Any

import numpy as np


def gelu(x: Any) -> Any:
    """With a hyperbolic tangent, as the library approximates it."""
    return x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3)))


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
    Epilogue = SimpleNamespace(DEFAULT=1, RELU=2, BIAS=4, RELU_BIAS=6, GELU=32, GELU_BIAS=36)
    matmul_heuristic_result_dtype = np.dtype(
        [("algo", "<u8", (8,)), ("workspace_size", "<u8"), ("state", "<i4"), ("rest", "<i4", (5,))]
    )

    class cuBLASLtError(Exception):  # noqa: N801
        """What the library raises."""

    def __init__(self, algorithms: int = 3) -> None:
        self.algorithms = algorithms
        self.alignments: dict[str, int] = {}
        self.made = 0
        """Descriptors and layouts that were not given back."""
        self.used: list[int] = []
        self.fails: set[int] = set()
        self.refuses: set[str] = set()

    def get_version(self) -> int:
        return 130100

    def create(self) -> int:
        return 1

    def destroy(self, handle: int) -> None:
        assert (handle, self.made) == (1, 0)
        if "destroy" in self.refuses:
            raise self.cuBLASLtError("broken")

    def matmul_desc_create(self, compute: int, scale: int) -> dict[Desc, int]:
        assert (compute, scale) == (68, 0)
        self.made += 1
        return {}

    def matmul_desc_destroy(self, desc: dict[Desc, int]) -> None:
        self.made -= 1

    def matrix_layout_destroy(self, layout: Any) -> None:
        self.made -= 1

    def matmul_desc_set_attribute(self, desc: Any, name: Desc, place: int, size: int) -> None:
        desc[name] = int.from_bytes(ctypes.string_at(place, size), "little")

    def matrix_layout_create(self, dtype: int, rows: int, columns: int, leading: int) -> Any:
        assert dtype == 0
        assert leading >= rows
        self.made += 1
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
        epilogue = desc.get(Desc.EPILOGUE, 1)
        if epilogue & 4:
            made = made + _matrix(desc[Desc.BIAS_POINTER], (layout_d[0], 1, layout_d[0]))
        if epilogue & 2:
            made = np.maximum(made, 0)
        if epilogue & 32:
            made = gelu(made)
        _matrix(d, layout_d)[...] = made


def _matrix(place: int, layout: tuple[int, int, int]) -> np.ndarray:
    """The column-major matrix that lies at ``place``."""
    rows, columns, leading = layout
    memory = (ctypes.c_float * (leading * columns)).from_address(place)
    return np.ctypeslib.as_array(memory).reshape(columns, leading)[:, :rows].T
