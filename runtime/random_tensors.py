"""Random weights and inputs of any size, made as they are read."""

from __future__ import annotations

import zlib
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.runtime.tensors import TensorInfo, WantedTensor

_POOL = 1 << 24


class RandomTensors:
    """A source of normally distributed tensors.

    Vectors that are weights of norms, or variances, lie around 1. Large tensors repeat a pool of
    16 million values, each from a place of its own: times do not depend on more than that the
    values are random.
    """

    def __init__(self, wanted: Sequence[WantedTensor], scale: float) -> None:
        """Offer the ``wanted`` tensors, with standard deviation ``scale``."""
        self._wanted = {tensor.name: tensor for tensor in wanted}
        self._values = np.random.default_rng(7).standard_normal(_POOL, np.float32) * scale
        self._pools: dict[tuple[DType, float], npt.NDArray[Any]] = {}

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All that are wanted."""
        return {
            name: TensorInfo("random values", tensor.shape, tensor.dtype, tensor.dtype.value)
            for name, tensor in self._wanted.items()
        }

    def read(self, name: str) -> npt.NDArray[Any]:
        """The values of ``name``, always the same."""
        tensor = self._wanted[name]
        count = int(np.prod(tensor.shape, dtype=np.int64))
        if not tensor.dtype.is_float:
            generator = np.random.default_rng(zlib.crc32(name.encode()))
            return generator.integers(0, 2, tensor.shape).astype(tensor.dtype.numpy)
        positive = any(word in name for word in ("weight", "var"))
        around = 1.0 if len(tensor.shape) == 1 and positive else 0.0
        start = zlib.crc32(name.encode()) % _POOL
        pool = self._pool(tensor.dtype, around)[start : start + min(count, _POOL)]
        return np.resize(pool, count).reshape(tensor.shape)

    def _pool(self, dtype: DType, around: float) -> npt.NDArray[Any]:
        """All values twice over, so that a whole pool begins at any place of the first half."""
        if (dtype, around) not in self._pools:
            values = (self._values + around).astype(dtype.numpy)
            self._pools[dtype, around] = np.concatenate((values, values))
        return self._pools[dtype, around]


def smooth_picture(width: int, height: int) -> npt.NDArray[np.uint8]:
    """A smooth picture ``[height, width, 3]`` with some noise, always the same."""
    row, column = np.mgrid[0:height, 0:width]
    noise = np.random.default_rng(7).integers(-12, 13, (height, width, 3))
    waves = [np.sin(row / 37 + column / (23 + 11 * c) + c) for c in range(3)]
    return np.clip(128 + 96 * np.stack(waves, -1) + noise, 0, 255).astype(np.uint8)
