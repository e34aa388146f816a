"""Storage types of tensors, and the types values are computed in."""

from __future__ import annotations

from enum import StrEnum
from typing import Any

import ml_dtypes
import numpy as np


class DType(StrEnum):
    """How an element is stored. The value is the name in the language."""

    F32 = "f32"
    BF16 = "bf16"
    F16 = "f16"
    F64 = "f64"
    I32 = "i32"
    I64 = "i64"
    U8 = "u8"
    BOOL = "bool"

    @property
    def numpy(self) -> np.dtype[Any]:
        """The NumPy type with the same storage (bf16 comes from ml_dtypes)."""
        return _NUMPY[self]

    @property
    def bytes(self) -> int:
        """Bytes an element takes in memory."""
        return self.numpy.itemsize

    @property
    def is_float(self) -> bool:
        """True for the real types."""
        return self in (DType.F32, DType.BF16, DType.F16, DType.F64)

    @property
    def compute(self) -> DType:
        """The type a loaded value is computed in: f32 for reals, i32 for whole numbers, bool.

        f64 exists only at compile time (tables of constants); i64 is computed in i64.
        """
        if self is DType.F64 or self is DType.I64 or self is DType.BOOL:
            return self
        return DType.F32 if self.is_float else DType.I32


_NUMPY: dict[DType, np.dtype[Any]] = {
    DType.F32: np.dtype(np.float32),
    DType.BF16: np.dtype(ml_dtypes.bfloat16),
    DType.F16: np.dtype(np.float16),
    DType.F64: np.dtype(np.float64),
    DType.I32: np.dtype(np.int32),
    DType.I64: np.dtype(np.int64),
    DType.U8: np.dtype(np.uint8),
    DType.BOOL: np.dtype(np.bool_),
}
