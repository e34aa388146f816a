"""The normal noise that a seed stands for: PyTorch's CPU generator, bit for bit."""

from __future__ import annotations

import math
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.dtypes import DType
from lumc.runtime.pipelines.box_muller import box_muller
from lumc.runtime.tensors import TensorFiles

Array = npt.NDArray[np.generic]

_STATE_WORDS = 624
_BLOCK = 16
"""Numbers that PyTorch makes at once: eight pairs."""
_CHUNK = 1024
"""Blocks that are made at once: few enough for a processor's cache."""


class NoiseError(LumcError):
    """Noise that was asked for or given can't be used."""


class NoiseGenerator:
    """Draws what ``torch.randn(…, generator=torch.Generator("cpu").manual_seed(seed))`` draws.

    Each draw goes on where the one before ended, as with the generator of PyTorch. Reproduced is
    PyTorch 2.13 on x86-64 with AVX2; its other builds differ from that in the last bits.
    """

    def __init__(self, seed: int) -> None:
        """Start from ``seed``; PyTorch uses its low 32 bits.

        Raises:
            NoiseError: it is not from 0 to 2**64 - 1.
        """
        require_seed(seed)
        self._words = _mersenne_twister(seed & 0xFFFFFFFF)
        self._second: float | None = None
        """The other number of a pair of which one was asked for."""

    def normal(self, shape: tuple[int, ...], dtype: DType = DType.F32) -> Array:
        """Standard normal numbers of ``shape``, drawn as PyTorch draws them for ``dtype``.

        ``dtype`` is F32, BF16 or F16; the result has its NumPy type.
        """
        count = math.prod(shape)
        values = self._many(count, dtype) if count >= _BLOCK else self._few(count)
        return values.astype(dtype.numpy).reshape(shape)

    def _many(self, count: int, dtype: DType) -> npt.NDArray[np.float32]:
        values = self._blocks(count // _BLOCK)
        rest = count % _BLOCK
        if rest == 0:
            return values
        # PyTorch makes the last sixteen anew. For float32 it has drawn words for all before that.
        if dtype is DType.F32:
            self._words.random_raw(rest)
        return np.concatenate([values[: count - _BLOCK], self._blocks(1)])

    def _blocks(self, count: int) -> npt.NDArray[np.float32]:
        values = np.empty((count, 2, _BLOCK // 2), np.float32)
        for start in range(0, count, _CHUNK):
            chunk = values[start : start + _CHUNK]
            words = self._words.random_raw(chunk.size)
            uniform = (words & 0xFFFFFF).astype(np.float32) * np.float32(2**-24)
            halves = uniform.reshape(chunk.shape).transpose(1, 0, 2)
            chunk[:, 0], chunk[:, 1] = box_muller(*np.ascontiguousarray(halves))
        return values.reshape(-1)

    def _few(self, count: int) -> npt.NDArray[np.float64]:
        return np.array([self._one() for _ in range(count)], np.float64)

    def _one(self) -> float:
        """In double precision, from the C library's functions: so PyTorch fills small tensors."""
        if self._second is not None:
            value, self._second = self._second, None
            return value
        turn, level = self._uniform(), self._uniform()
        radius = math.sqrt(-2.0 * math.log1p(-level))
        self._second = radius * math.sin(2.0 * math.pi * turn)
        return radius * math.cos(2.0 * math.pi * turn)

    def _uniform(self) -> float:
        high, low = (int(word) for word in self._words.random_raw(2))
        return ((high << 32 | low) & (2**53 - 1)) * 2.0**-53


def require_seed(seed: int) -> None:
    """Check a seed before anything is made for it.

    Raises:
        NoiseError: it is not from 0 to 2**64 - 1.
    """
    if not 0 <= seed < 2**64:
        raise _error(f"seed {seed} is not from 0 to 2**64 - 1")


def require_noise(values: Array, name: str) -> None:
    """Check that ``values``, which messages call ``name``, can be noise.

    Raises:
        NoiseError: they are no real numbers, or some are not finite.
    """
    known = {dtype.numpy for dtype in DType if dtype.is_float}
    if values.dtype not in known:
        raise _error(f"{name} is {values.dtype}, which are no real numbers")
    if not np.isfinite(values).all():
        raise _error(f"{name} has numbers that are not finite")


def read_noise(path: Path, channels: int, rows: int, columns: int) -> npt.NDArray[np.float32]:
    """Noise of ``[channels, rows, columns]`` from a ``.safetensors`` or ``.npy`` file.

    The file holds one tensor of that shape, with or without a leading axis of 1, or its tokens
    ``[rows*columns, channels]``.

    Raises:
        NoiseError: the file can't be read, or holds something else.
    """
    given = _read_npy(path) if path.suffix == ".npy" else _read_safetensors(path)
    require_noise(given, f"noise in {path}")
    values: Array = given[0] if given.ndim in (3, 4) and given.shape[0] == 1 else given
    if values.shape == (rows * columns, channels):
        values = values.T.reshape(channels, rows, columns)
    if values.shape != (channels, rows, columns):
        have = "×".join(map(str, given.shape)) or "one number"
        raise _error(
            f"noise in {path} is {have}; the picture needs {channels}×{rows}×{columns}",
            "noise has a column and a row for each 16 pixels of the picture",
        )
    return np.asarray(values, np.float32, order="C")


def _read_safetensors(path: Path) -> Array:
    files = TensorFiles([path])
    names = list(files.tensors())
    if len(names) != 1:
        named = ", ".join(names[:4]) + (", …" if len(names) > 4 else "")
        raise _error(f"{path} has {len(names)} tensors ({named}) where noise is one")
    return files.read(names[0])


def _read_npy(path: Path) -> Array:
    try:
        values: Array = np.load(path, allow_pickle=False)
    except FileNotFoundError:
        raise _error(f"there is no file {path}") from None
    except (OSError, ValueError, EOFError) as error:
        raise _error(f"can't read {path} as a NumPy array: {error}") from None
    return values


def _mersenne_twister(seed: int) -> np.random.MT19937:
    """The generator of Matsumoto and Nishimura (1998), with their initialisation of 2002."""
    words = [seed]
    for number in range(1, _STATE_WORDS):
        previous = words[-1]
        words.append((1812433253 * (previous ^ previous >> 30) + number) & 0xFFFFFFFF)
    made = np.random.MT19937()
    key = np.array(words, np.uint32)
    made.state = {"bit_generator": "MT19937", "state": {"key": key, "pos": _STATE_WORDS}}
    return made


def _error(message: str, hint: str | None = None) -> NoiseError:
    return NoiseError(Diagnostic("N001", message, hint=hint))
