# ruff: noqa: N802 (the names are those of hipBLASLt)
"""hip-python's hipBLASLt as far as it is called, on host memory, in f32; every argument is checked.

Like the binding it returns tuples that begin with a status, and takes enumerations only as such.
"""

import ctypes
from enum import IntEnum
from typing import Any

import numpy as np

WORKSPACE = 128 << 20
RESULT = np.dtype(
    [("algo", "<u8", (3,)), ("workspace", "<u8"), ("state", "<i4"), ("rest", "<i4", (5,))]
)


class Status(IntEnum):
    SUCCESS = 0
    NOT_SUPPORTED = 7


class DataType(IntEnum):
    HIP_R_32F = 0
    HIP_R_16F = 2
    HIP_R_16BF = 14


class Compute(IntEnum):
    HIPBLAS_COMPUTE_32F = 2


class Operation(IntEnum):
    HIPBLAS_OP_N = 111
    HIPBLAS_OP_T = 112


class Epilogue(IntEnum):
    HIPBLASLT_EPILOGUE_BIAS = 4


class Desc(IntEnum):
    HIPBLASLT_MATMUL_DESC_TRANSA = 0
    HIPBLASLT_MATMUL_DESC_TRANSB = 1
    HIPBLASLT_MATMUL_DESC_EPILOGUE = 2
    HIPBLASLT_MATMUL_DESC_BIAS_POINTER = 3
    HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE = 4
    HIPBLASLT_MATMUL_DESC_POINTER_MODE = 5


class PointerMode(IntEnum):
    HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST = 4


class LayoutName(IntEnum):
    HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT = 0
    HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET = 1


class Preference(IntEnum):
    HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES = 1


SIZES = {
    "HIPBLASLT_MATMUL_DESC_BIAS_POINTER": 8,
    "HIPBLASLT_MATRIX_LAYOUT_STRIDED_BATCH_OFFSET": 8,
    "HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES": 8,
}


class Layout:
    def __init__(self, dtype: DataType, rows: int, columns: int, leading: int) -> None:
        self.dtype, self.rows, self.columns, self.leading = dtype, rows, columns, leading
        self.batch, self.step = 1, 0


class FakeHip:
    hipDataType = DataType  # noqa: N815


class FakeHipblas:
    hipblasComputeType_t = Compute  # noqa: N815
    hipblasOperation_t = Operation  # noqa: N815


class FakeHipblasLt:
    """One library; ``calls`` are the names of functions in order, ``used`` the algorithms."""

    hipblasLtEpilogue_t = Epilogue  # noqa: N815
    hipblasLtMatmulDescAttributes_t = Desc  # noqa: N815
    hipblasLtPointerMode_t = PointerMode  # noqa: N815
    hipblasLtMatrixLayoutAttribute_t = LayoutName  # noqa: N815
    hipblasLtMatmulPreferenceAttributes_t = Preference  # noqa: N815

    def __init__(self, algorithms: int = 3, record: list[str] | None = None) -> None:
        self.algorithms = algorithms
        self.revision = b"abc123"
        self.calls: list[str] = [] if record is None else record
        self.used: list[int] = []
        self.handles: list[str] = []
        self.fails: set[int] = set()
        self.refuses: set[str] = set()
        self.preferences: list[dict[IntEnum, int]] = []
        self.stream: Any = None
        """The only one that products may be put on, if not None."""

    def _note(self, name: str) -> bool:
        """Whether ``name`` is to fail."""
        self.calls.append(name)
        return name in self.refuses

    def hipblasLtCreate(self) -> tuple[Any, ...]:
        if self._note("hipblasLtCreate"):
            return (Status.NOT_SUPPORTED, None)
        self.handles.append(f"handle{len(self.handles)}")
        return (Status.SUCCESS, self.handles[-1])

    def hipblasLtDestroy(self, handle: str) -> tuple[Any, ...]:
        self._note("hipblasLtDestroy")
        if "hipblasLtDestroy" in self.refuses:
            return (Status.NOT_SUPPORTED,)
        self.handles.remove(handle)
        return (Status.SUCCESS,)

    def hipblasLtMatmulDescDestroy(self, desc: Any) -> tuple[Any, ...]:
        self._note("hipblasLtMatmulDescDestroy")
        return (Status.SUCCESS,)

    def hipblasLtMatrixLayoutDestroy(self, layout: Layout) -> tuple[Any, ...]:
        self._note("hipblasLtMatrixLayoutDestroy")
        return (Status.SUCCESS,)

    def hipblasLtGetVersion(self, handle: str) -> tuple[Any, ...]:
        assert handle in self.handles
        return (Status.SUCCESS, 100202)

    def hipblasLtGetGitRevision(self, handle: str, place: int) -> tuple[Any, ...]:
        assert handle in self.handles
        ctypes.memmove(place, self.revision + b"\0", len(self.revision) + 1)
        return (Status.SUCCESS,)

    def hipblasLtMatmulDescCreate(self, compute: Compute, scale: DataType) -> tuple[Any, ...]:
        assert compute is Compute.HIPBLAS_COMPUTE_32F
        assert scale is DataType.HIP_R_32F
        if self._note("hipblasLtMatmulDescCreate"):
            return (Status.NOT_SUPPORTED, None)
        return (Status.SUCCESS, {})

    def hipblasLtMatmulDescSetAttribute(self, desc: Any, name: Desc, place: int, size: int) -> Any:
        assert isinstance(name, Desc)
        return self._set(desc, name, place, size)

    def hipblasLtMatrixLayoutCreate(
        self, dtype: DataType, rows: int, columns: int, leading: int
    ) -> tuple[Any, ...]:
        assert isinstance(dtype, DataType)
        assert leading >= rows
        return (Status.SUCCESS, Layout(dtype, rows, columns, leading))

    def hipblasLtMatrixLayoutSetAttribute(
        self, layout: Layout, name: LayoutName, place: int, size: int
    ) -> Any:
        assert isinstance(name, LayoutName)
        found: dict[IntEnum, int] = {}
        self._set(found, name, place, size)
        if name is LayoutName.HIPBLASLT_MATRIX_LAYOUT_BATCH_COUNT:
            layout.batch = found[name]
        else:
            layout.step = found[name]
        return (Status.SUCCESS,)

    def hipblasLtMatmulPreferenceCreate(self) -> tuple[Any, ...]:
        self.preferences.append({})
        return (Status.SUCCESS, self.preferences[-1])

    def hipblasLtMatmulPreferenceSetAttribute(
        self, preference: Any, name: Preference, place: int, size: int
    ) -> Any:
        assert isinstance(name, Preference)
        return self._set(preference, name, place, size)

    def hipblasLtMatmulPreferenceDestroy(self, preference: Any) -> tuple[Any, ...]:
        self._note("hipblasLtMatmulPreferenceDestroy")
        return (Status.SUCCESS,)

    def hipblasLtMatmulAlgoGetHeuristic(
        self,
        handle: str,
        desc: Any,
        a: Layout,
        b: Layout,
        c: Layout,
        d: Layout,
        preference: Any,
        wanted: int,
        results: int,
    ) -> tuple[Any, ...]:
        assert handle in self.handles
        assert preference == {Preference.HIPBLASLT_MATMUL_PREF_MAX_WORKSPACE_BYTES: WORKSPACE}
        assert (c.rows, c.columns, c.dtype) == (d.rows, d.columns, d.dtype)
        assert len({layout.batch for layout in (a, b, c, d)}) == 1
        count = min(wanted, self.algorithms)
        memory: Any = (ctypes.c_uint8 * (RESULT.itemsize * wanted)).from_address(results)
        made = np.frombuffer(memory, RESULT)
        for number in range(count):
            made["algo"][number] = number + 1
            made["workspace"][number] = number << 10
        return (Status.SUCCESS, count)

    def hipblasLtMatmul(self, handle: str, desc: Any, alpha: int, *rest: Any) -> tuple[Any, ...]:
        a, at_a, b, at_b, beta, c, at_c, d, at_d, algorithm, workspace, size, stream = rest
        assert handle in self.handles
        assert workspace % 16 == 0
        assert size == WORKSPACE
        assert self.stream in (None, stream)
        self._note("hipblasLtMatmul")
        number = int(ctypes.c_uint64.from_address(algorithm).value) - 1
        assert 0 <= number < self.algorithms
        self.used.append(number)
        if number in self.fails:
            return (Status.NOT_SUPPORTED,)
        gate = self._gate(desc, alpha, at_d)
        factor = ctypes.c_float.from_address(beta).value
        for n in range(at_d.batch):
            left, right = _matrix(a, at_a, n), _matrix(b, at_b, n)
            left = self._as_asked(left, desc[Desc.HIPBLASLT_MATMUL_DESC_TRANSA])
            right = self._as_asked(right, desc[Desc.HIPBLASLT_MATMUL_DESC_TRANSB])
            made = gate * (left @ right) + factor * _matrix(c, at_c, n)
            if Desc.HIPBLASLT_MATMUL_DESC_EPILOGUE in desc:
                made = made + self._bias(desc, at_d)
            _matrix(d, at_d, n)[...] = made
        return (Status.SUCCESS,)

    def _as_asked(self, matrix: np.ndarray, operation: int) -> np.ndarray:
        return matrix.T if Operation(operation) is Operation.HIPBLAS_OP_T else matrix

    def _gate(self, desc: Any, alpha: int, at_d: Layout) -> Any:
        """One alpha for all, on the host, or one for each row of D, on the device."""
        mode = desc.get(Desc.HIPBLASLT_MATMUL_DESC_POINTER_MODE)
        if mode is None:
            assert ctypes.c_float.from_address(alpha).value == 1
            return 1.0
        assert mode == PointerMode.HIPBLASLT_POINTER_MODE_ALPHA_DEVICE_VECTOR_BETA_HOST
        assert Desc.HIPBLASLT_MATMUL_DESC_EPILOGUE not in desc
        return _matrix(alpha, Layout(DataType.HIP_R_32F, at_d.rows, 1, at_d.rows), 0)

    def _bias(self, desc: Any, at_d: Layout) -> np.ndarray:
        assert desc[Desc.HIPBLASLT_MATMUL_DESC_EPILOGUE] == Epilogue.HIPBLASLT_EPILOGUE_BIAS
        assert desc[Desc.HIPBLASLT_MATMUL_DESC_BIAS_DATA_TYPE] == at_d.dtype
        place = desc[Desc.HIPBLASLT_MATMUL_DESC_BIAS_POINTER]
        return _matrix(place, Layout(at_d.dtype, at_d.rows, 1, at_d.rows), 0)

    def _set(self, target: Any, name: IntEnum, place: int, size: int) -> tuple[Any, ...]:
        assert size == SIZES.get(name.name, 4)
        target[name] = int.from_bytes(ctypes.string_at(place, size), "little")
        return (Status.SUCCESS,)


def _matrix(place: int, layout: Layout, number: int) -> np.ndarray:
    """The column-major matrix that lies at ``place``."""
    place += 4 * layout.step * number
    memory = (ctypes.c_float * (layout.leading * layout.columns)).from_address(place)
    stored = np.ctypeslib.as_array(memory).reshape(layout.columns, layout.leading)
    return stored[:, : layout.rows].T
