"""DLPack: tensors handed to and taken from other libraries where they lie, without a copy.

The structures are those of ``dlpack.h``, version 0: what every library understands.
"""

from __future__ import annotations

import ctypes
import itertools
import math
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.host_memory import DLPACK_HOST

_PINNED_KINDS = (3, 11)  # host memory that CUDA and ROCm have pinned
_CODES = {
    DType.I32: (0, 32),
    DType.I64: (0, 64),
    DType.U8: (1, 8),
    DType.F16: (2, 16),
    DType.F32: (2, 32),
    DType.F64: (2, 64),
    DType.BF16: (4, 16),
    DType.BOOL: (6, 8),
}
_DTYPES = {code: dtype for dtype, code in _CODES.items()}
_NO_WISHES: Mapping[str, Any] = MappingProxyType({})
_NAME = b"dltensor"
_USED = b"used_dltensor"


class DLPackError(LumcError):
    """A tensor of another library can't be used as it lies."""


class _Tensor(ctypes.Structure):
    _fields_ = (
        ("data", ctypes.c_void_p),
        ("device_kind", ctypes.c_int32),
        ("device_number", ctypes.c_int32),
        ("rank", ctypes.c_int32),
        ("code", ctypes.c_uint8),
        ("bits", ctypes.c_uint8),
        ("lanes", ctypes.c_uint16),
        ("shape", ctypes.POINTER(ctypes.c_int64)),
        ("strides", ctypes.POINTER(ctypes.c_int64)),
        ("byte_offset", ctypes.c_uint64),
    )


class _Managed(ctypes.Structure):
    pass


_Deleter = ctypes.CFUNCTYPE(None, ctypes.POINTER(_Managed))
_Managed._fields_ = (
    ("tensor", _Tensor),
    ("context", ctypes.c_void_p),
    ("deleter", _Deleter),
)
_Destructor = ctypes.CFUNCTYPE(None, ctypes.c_void_p)


def _api(name: str, result: Any, *arguments: Any) -> Any:
    """A function of Python's C interface; it is called with the interpreter's lock held."""
    return ctypes.PYFUNCTYPE(result, *arguments)((name, ctypes.pythonapi))


_new_capsule = _api(
    "PyCapsule_New", ctypes.py_object, ctypes.c_void_p, ctypes.c_char_p, ctypes.c_void_p
)
_capsule_pointer = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.py_object, ctypes.c_char_p)
# A destructor gets an object that is being destroyed: no reference to it may be taken.
_dying_pointer = _api("PyCapsule_GetPointer", ctypes.c_void_p, ctypes.c_void_p, ctypes.c_char_p)
_dying_is_valid = _api("PyCapsule_IsValid", ctypes.c_int, ctypes.c_void_p, ctypes.c_char_p)

_exported: dict[int, tuple[Any, ...]] = {}
"""What must live as long as a tensor that was handed out, by the address of its structure."""


def _delete(managed: Any) -> None:
    _exported.pop(ctypes.addressof(managed.contents), None)


def _destroy(capsule: int) -> None:
    # Whoever takes the tensor renames the capsule and calls the deleter itself.
    if _dying_is_valid(capsule, _NAME):
        _exported.pop(_dying_pointer(capsule, _NAME), None)


# Kept: a library may call them whenever it lets go of a tensor.
_DELETE = _Deleter(_delete)
_DESTROY = _Destructor(_destroy)


def export(
    address: int,
    shape: tuple[int, ...],
    dtype: DType,
    device: tuple[int, int],
    owner: object,
    wishes: Mapping[str, Any] = _NO_WISHES,
) -> Any:
    """A capsule for ``__dlpack__``: contiguous elements; ``owner`` lives as long as it is used.

    ``wishes`` are the arguments of ``__dlpack__``.

    Raises:
        BufferError: a copy is wished for, or another device: what is handed out is the memory.
    """
    if wishes.get("copy"):
        raise BufferError("lumc hands out the memory itself; copy what is made of it")
    if wishes.get("dl_device") not in (None, device):
        raise BufferError(f"the memory is on DLPack's device {device}, not {wishes['dl_device']}")
    sizes = (ctypes.c_int64 * max(len(shape), 1))(*shape)
    tail = itertools.accumulate(reversed(shape[1:]), lambda a, b: a * b, initial=1)
    steps = (ctypes.c_int64 * max(len(shape), 1))(*reversed(list(tail)))
    code, bits = _CODES[dtype]
    tensor = _Tensor(address, *device, len(shape), code, bits, 1, sizes, steps, 0)
    managed = _Managed(tensor, None, _DELETE)
    place = ctypes.addressof(managed)
    _exported[place] = (managed, sizes, steps, owner)
    return _new_capsule(place, _NAME, ctypes.cast(_DESTROY, ctypes.c_void_p))


@dataclass(frozen=True, slots=True)
class ForeignTensor:
    """A contiguous tensor of another library: where it lies, and what keeps it there."""

    address: int
    shape: tuple[int, ...]
    dtype: DType
    device: tuple[int, int]
    owner: Any

    @property
    def on_host(self) -> bool:
        """Whether this process can read it at its address."""
        return self.device[0] in (DLPACK_HOST, *_PINNED_KINDS)

    @property
    def bytes(self) -> int:
        """How much memory it takes."""
        return math.prod(self.shape) * self.dtype.numpy.itemsize

    def array(self) -> npt.NDArray[Any]:
        """The same memory as an array; only where it is the host's."""
        if not self.bytes:
            return np.empty(self.shape, self.dtype.numpy)
        memory = (ctypes.c_uint8 * self.bytes).from_address(self.address)
        memory.owner = self.owner  # type: ignore[attr-defined]
        return np.ctypeslib.as_array(memory).view(self.dtype.numpy).reshape(self.shape)


def offers_dlpack(value: object) -> bool:
    """Whether ``value`` is a tensor of a library that speaks DLPack."""
    return hasattr(value, "__dlpack__") and hasattr(value, "__dlpack_device__")


def device_of(value: Any) -> tuple[int, int]:
    """Where a tensor of a library that speaks DLPack is: kind and number."""
    kind, number = value.__dlpack_device__()
    return int(kind), int(number)


def is_on_host(value: Any) -> bool:
    """Whether a tensor of a library that speaks DLPack is in the host's memory."""
    return device_of(value)[0] in (DLPACK_HOST, *_PINNED_KINDS)


def take(value: Any, name: str, stream: int | None = None) -> ForeignTensor:
    """The tensor that ``value`` offers, which it is ready to be read on ``stream``.

    Raises:
        DLPackError: it is not contiguous, has elements that lumc doesn't know, or its library
            does not hand it out.
    """
    device = device_of(value)
    try:
        capsule = value.__dlpack__() if is_on_host(value) else value.__dlpack__(stream=stream)
    except Exception as error:  # each library raises what it likes
        message = f"tensor {name} is not handed out by its library: {error}"
        raise DLPackError(Diagnostic("W012", message)) from None
    managed = _Managed.from_address(_capsule_pointer(capsule, _NAME))
    tensor = managed.tensor
    dtype = _DTYPES.get((tensor.code, tensor.bits)) if tensor.lanes == 1 else None
    if dtype is None:
        kind = f"{tensor.lanes} × {tensor.bits} bits of DLPack's kind {tensor.code}"
        raise DLPackError(Diagnostic("W010", f"tensor {name} has elements of {kind}"))
    shape = tuple(tensor.shape[: tensor.rank])
    if tensor.strides and not _is_contiguous(shape, tuple(tensor.strides[: tensor.rank])):
        message = f"tensor {name} is not contiguous, so it can't be read where it lies"
        raise DLPackError(Diagnostic("W011", message, hint="give a contiguous copy of it"))
    address = (tensor.data or 0) + tensor.byte_offset
    return ForeignTensor(address, shape, dtype, device, capsule)


def _is_contiguous(shape: tuple[int, ...], strides: tuple[int, ...]) -> bool:
    if 0 in shape:
        return True
    expected = 1
    for size, step in zip(reversed(shape), reversed(strides), strict=True):
        if size != 1 and step != expected:
            return False
        expected *= size
    return True
