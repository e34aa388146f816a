"""Named tensors from safetensors files or memory, checked against what a program needs.

Files are memory-mapped and read one tensor at a time, so a checkpoint may be larger than memory.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any, Protocol

import numpy as np
import numpy.typing as npt
import safetensors
import safetensors.numpy

from lumc.codegen.cache import write_atomically
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl.dtypes import DType
from lumc.runtime.safetensors_header import data_starts, what_is_wrong

Array = npt.NDArray[np.generic]

_SAFETENSORS_NAMES = {
    "F32": DType.F32,
    "BF16": DType.BF16,
    "F16": DType.F16,
    "F64": DType.F64,
    "I32": DType.I32,
    "I64": DType.I64,
    "U8": DType.U8,
    "BOOL": DType.BOOL,
}
_SHOWN = 8


class TensorError(LumcError):
    """Tensors that were given do not fit, or their file can't be read or written."""


@dataclass(frozen=True, slots=True)
class TensorInfo:
    """A tensor that is there: where, and how it is stored (None: a type lumc does not know)."""

    place: str
    shape: tuple[int, ...]
    dtype: DType | None
    stored: str


@dataclass(frozen=True, slots=True)
class WantedTensor:
    """A tensor that a program needs."""

    name: str
    shape: tuple[int, ...]
    dtype: DType


class TensorSource(Protocol):
    """Where tensors come from."""

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All that are there, by name."""

    def read(self, name: str) -> Array:
        """The values of one of them."""


class TensorFiles:
    """The tensors of one or more safetensors files, or of all such files in given folders.

    Raises:
        TensorError: a file is missing, damaged or no safetensors file, or a name is there twice.
    """

    def __init__(self, paths: Sequence[Path]) -> None:
        """Map the files; nothing is read but their headers."""
        self._places: dict[str, tuple[Array, int]] = {}
        self._tensors: dict[str, TensorInfo] = {}
        for path in paths:
            for file in _files_of(path):
                self._add(file)

    def _add(self, path: Path) -> None:
        try:
            file: Any = safetensors.safe_open(path, framework="numpy")
        except (OSError, safetensors.SafetensorError) as error:
            raise _unreadable(path, error) from None
        starts = data_starts(path)
        content = np.memmap(path, np.uint8, "r")
        for name in file.keys():  # noqa: SIM118 (it has keys, but is no mapping)
            part = file.get_slice(name)
            if name in self._tensors:
                first = self._tensors[name].place
                raise _error(f"tensor {name} is both in {first} and in {path}")
            stored = part.get_dtype()
            dtype = _SAFETENSORS_NAMES.get(stored)
            self._tensors[name] = TensorInfo(str(path), tuple(part.get_shape()), dtype, stored)
            self._places[name] = (content, starts[name])

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All tensors by name, with the file they are in."""
        return self._tensors

    def read(self, name: str) -> Array:
        """The values of tensor ``name``."""
        return self.read_rows(name, None)

    def read_rows(self, name: str, rows: slice | None) -> Array:
        """Some of the values of tensor ``name`` along its first axis; all for None.

        They lie in the mapped file, which is read where they are used.
        """
        info, (content, start) = self._tensors[name], self._places[name]
        assert info.dtype is not None, "what no program takes is not read"
        size = math.prod(info.shape) * info.dtype.bytes
        stored = content[start : start + size].view(info.dtype.numpy).reshape(info.shape)
        values: Array = np.asarray(stored if rows is None else stored[rows])
        return values


@dataclass(frozen=True)
class TensorArrays:
    """Tensors in memory; ``place`` is what messages call them together."""

    arrays: Mapping[str, Array]
    place: str = "the given arrays"

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All of them by name."""
        known = {dtype.numpy: dtype for dtype in DType}
        return {
            name: TensorInfo(self.place, array.shape, known.get(array.dtype), str(array.dtype))
            for name, array in self.arrays.items()
        }

    def read(self, name: str) -> Array:
        """The array itself."""
        return self.arrays[name]


@dataclass(frozen=True, slots=True)
class Fit:
    """What was found when tensors were matched with what a program needs: all of it fits."""

    unused: tuple[str, ...]
    converted: tuple[str, ...]
    """Reals that come in another real type than the program stores: rounded when loaded."""


def match_tensors(
    wanted: Sequence[WantedTensor], source: TensorSource, kind: str, cure: str | None = None
) -> Fit:
    """Check that ``source`` has every tensor that is wanted.

    Args:
        wanted: What a program needs.
        source: What there is.
        kind: What messages call the tensors.
        cure: A way out where none is nearer at hand; said once.

    Raises:
        TensorError: tensors are missing, which is one diagnostic, or have another shape or a kind
            of number that does not convert: one each, the first few of many.
    """
    there = source.tensors()
    missing = [tensor.name for tensor in wanted if tensor.name not in there]
    problems = [_missing(missing, there, kind)] if missing else []
    problems += [
        found
        for tensor in wanted
        if tensor.name in there and (found := _misfit(tensor, there[tensor.name], kind))
    ]
    if problems:
        problems[0] = replace(problems[0], hint=problems[0].hint or cure)
        more = len(problems) - _SHOWN
        shown = problems[:_SHOWN]
        if more > 0:
            shown.append(Diagnostic("W009", f"and {more} more {kind}s that do not fit"))
        raise TensorError(*shown)
    names = {tensor.name for tensor in wanted}
    converted = [tensor.name for tensor in wanted if there[tensor.name].dtype != tensor.dtype]
    return Fit(tuple(name for name in there if name not in names), tuple(converted))


def read_as(tensor: WantedTensor, source: TensorSource) -> Array:
    """The values of a tensor that fits, contiguous, in the type that is wanted.

    Raises:
        TensorError: whole numbers are too large for the type that is wanted.
    """
    values = source.read(tensor.name)
    wanted = tensor.dtype.numpy
    if values.dtype == wanted:
        return np.asarray(values, order="C")
    with np.errstate(over="ignore"):  # beyond the range of a narrower real is infinity
        result = np.asarray(values.astype(wanted), order="C")
    if not tensor.dtype.is_float and not np.array_equal(result, values):
        raise _error(f"tensor {tensor.name} has values that {tensor.dtype} cannot hold")
    return result


def write_tensors(path: Path, arrays: Mapping[str, Array]) -> None:
    """Write a safetensors file, whole or not at all.

    Raises:
        TensorError: the file system says no.
    """
    try:
        path.parent.mkdir(parents=True, exist_ok=True)
        write_atomically(path, tensors_as_bytes(arrays))
    except OSError as error:
        raise _error(f"can't write {path}: {error.strerror or error}") from None


def tensors_as_bytes(arrays: Mapping[str, Array]) -> bytes:
    """The content of a safetensors file with ``arrays``; equal arrays give equal bytes."""
    contiguous = {name: np.asarray(arrays[name], order="C") for name in sorted(arrays)}
    data: bytes = safetensors.numpy.save(contiguous)
    return data


def _files_of(path: Path) -> list[Path]:
    if not path.is_dir():
        return [path]
    files = sorted(path.glob("*.safetensors"))
    if not files:
        raise _error(f"folder {path} has no .safetensors file")
    return files


def _missing(names: Sequence[str], there: Mapping[str, TensorInfo], kind: str) -> Diagnostic:
    """All that are not there, the first few by name."""
    places = sorted({found.place for found in there.values()})
    where = ", ".join(places[:3]) or "what was given, which is empty"
    if len(names) == 1:
        hint = did_you_mean(names[0], there)
        return Diagnostic("W001", f"{kind} {names[0]} is not in {where}", hint=hint)
    shown, more = names[:_SHOWN], len(names) - _SHOWN
    listed = ", ".join(shown) + (f" and {more} more" if more > 0 else "")
    notes = tuple(f"{name}: {near}" for name in shown if (near := did_you_mean(name, there)))
    return Diagnostic("W001", f"{len(names)} {kind}s are not in {where}: {listed}", notes=notes)


def _misfit(tensor: WantedTensor, info: TensorInfo, kind: str) -> Diagnostic | None:
    if info.shape != tensor.shape:
        need = f"the program needs {_shape(tensor.shape)}"
        message = f"{kind} {tensor.name} in {info.place} has shape {_shape(info.shape)}; {need}"
        return Diagnostic("W002", message)
    if info.dtype is None or info.dtype.is_float != tensor.dtype.is_float:
        need = f"which does not convert to {tensor.dtype}"
        message = f"{kind} {tensor.name} in {info.place} is {info.stored}, {need}"
        hint = None if info.dtype else f"types are {', '.join(_SAFETENSORS_NAMES)}"
        return Diagnostic("W003", message, hint=hint)
    return None


def _shape(shape: tuple[int, ...]) -> str:
    return "×".join(map(str, shape)) or "of one number"


def _unreadable(path: Path, error: Exception) -> TensorError:
    if isinstance(error, FileNotFoundError):
        return _error(f"there is no file {path}")
    said = error.strerror if isinstance(error, OSError) and error.strerror else str(error)
    return _error(
        f"can't read {path} as safetensors: {what_is_wrong(path) or said}",
        hint="the file is damaged, incomplete or of another format; get it again",
    )


def _error(message: str, hint: str | None = None) -> TensorError:
    return TensorError(Diagnostic("W000", message, hint=hint))
