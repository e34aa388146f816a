"""The normal noise that a seed stands for: PyTorch's CPU generator, bit for bit."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType

Array = npt.NDArray[np.generic]


class NoiseGenerator:
    """Draws what ``torch.randn(…, generator=torch.Generator("cpu").manual_seed(seed))`` draws.

    Each draw goes on where the one before ended, as with the generator of PyTorch.
    """

    def __init__(self, seed: int) -> None:
        """Start from ``seed``.

        Raises:
            NoiseError: it is not from 0 to 2**64 - 1.
        """
        raise NotImplementedError

    def normal(self, shape: tuple[int, ...], dtype: DType = DType.F32) -> Array:
        """Standard normal numbers of ``shape``, drawn as PyTorch draws them for ``dtype``.

        ``dtype`` is F32, BF16 or F16; the result has its NumPy type.
        """
        raise NotImplementedError


def as_tokens(latents: Array) -> Array:
    """``[channels, rows, columns]`` as tokens ``[rows*columns, channels]``, row by row."""
    raise NotImplementedError


def read_noise(path: Path, channels: int, rows: int, columns: int) -> npt.NDArray[np.float32]:
    """Noise of ``[channels, rows, columns]`` from a ``.safetensors`` or ``.npy`` file.

    The file holds one tensor of that shape, with or without a leading axis of 1, or its tokens
    ``[rows*columns, channels]``.

    Raises:
        NoiseError: the file can't be read, or holds something else.
    """
    raise NotImplementedError
