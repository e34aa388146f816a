"""Tensors that lie where stages run, and go from one stage to the next without the host."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.dtypes import DType
from lumc.runtime import dlpack
from lumc.runtime.devices.device import Device
from lumc.runtime.devices.host_memory import DLPACK_HOST

Array = npt.NDArray[Any]


class StageTensorError(LumcError):
    """A tensor is given values, or cut, as it doesn't allow."""


class StageTensor(Protocol):
    """A contiguous tensor in the memory of a device, or of the reference."""

    @property
    def shape(self) -> tuple[int, ...]:
        """Its sizes."""

    @property
    def dtype(self) -> DType:
        """How its elements are stored."""

    def write(self, values: Array) -> None:
        """Copy ``values`` to it.

        Raises:
            StageTensorError: they have another shape or type.
        """

    def read(self) -> Array:
        """Wait for what was started; a copy of the values."""

    def copy_from(self, source: Self) -> None:
        """Copy another tensor, in turn with what runs.

        Raises:
            StageTensorError: it has another shape or type.
        """

    def rows(self, first: int, count: int) -> Self:
        """A part of the same memory: ``count`` places of the first axis from ``first`` on.

        Raises:
            StageTensorError: there are not so many.
        """

    def at(self, place: int) -> Self:
        """A part of the same memory: what stands at ``place`` of the first axis."""

    def __dlpack__(self, **wishes: Any) -> Any:
        """The memory itself, for another library; valid as long as the stage it belongs to.

        Raises:
            BufferError: a copy is wished for, or memory of another device.
        """

    def __dlpack_device__(self) -> tuple[int, int]:
        """Where the memory is."""


@dataclass(frozen=True, slots=True)
class DeviceTensor:
    """A tensor at ``address`` of ``device``; see ``StageTensor``."""

    device: Device
    address: int
    shape: tuple[int, ...]
    dtype: DType

    @property
    def bytes(self) -> int:
        """How much memory it takes."""
        return math.prod(self.shape) * self.dtype.bytes

    def write(self, values: Array) -> None:
        """See ``StageTensor.write``."""
        _require_equal(self, values.shape, values.dtype)
        self.device.write(self.address, np.asarray(values, order="C").reshape(-1).view(np.uint8))

    def read(self) -> Array:
        """See ``StageTensor.read``."""
        data = self.device.read(self.address, self.bytes)
        return data.view(self.dtype.numpy).reshape(self.shape)

    def copy_from(self, source: DeviceTensor) -> None:
        """See ``StageTensor.copy_from``."""
        _require_equal(self, source.shape, source.dtype.numpy)
        if self.bytes:
            self.device.copy(self.address, source.address, self.bytes)

    def rows(self, first: int, count: int) -> DeviceTensor:
        """See ``StageTensor.rows``."""
        _require_rows(self, first, count)
        row = math.prod(self.shape[1:]) * self.dtype.bytes
        shape = (count, *self.shape[1:])
        return replace(self, address=self.address + first * row, shape=shape)

    def at(self, place: int) -> DeviceTensor:
        """See ``StageTensor.at``."""
        return replace(self.rows(place, 1), shape=self.shape[1:])

    def __dlpack__(self, **wishes: Any) -> Any:
        """See ``StageTensor.__dlpack__``; what was started has ended."""
        self.device.synchronise()
        place = self.__dlpack_device__()
        return dlpack.export(self.address, self.shape, self.dtype, place, self.device, wishes)

    def __dlpack_device__(self) -> tuple[int, int]:
        """See ``StageTensor.__dlpack_device__``."""
        return self.device.dlpack_device()


@dataclass(slots=True, eq=False)
class HostTensor:
    """A tensor of the reference: an array; see ``StageTensor``."""

    array: Array

    @property
    def shape(self) -> tuple[int, ...]:
        """See ``StageTensor.shape``."""
        return self.array.shape

    @property
    def dtype(self) -> DType:
        """See ``StageTensor.dtype``."""
        return next(dtype for dtype in DType if dtype.numpy == self.array.dtype)

    def write(self, values: Array) -> None:
        """See ``StageTensor.write``."""
        _require_equal(self, values.shape, values.dtype)
        self.array[...] = values

    def read(self) -> Array:
        """See ``StageTensor.read``."""
        return self.array.copy()

    def copy_from(self, source: HostTensor) -> None:
        """See ``StageTensor.copy_from``."""
        self.write(source.array)

    def rows(self, first: int, count: int) -> HostTensor:
        """See ``StageTensor.rows``."""
        _require_rows(self, first, count)
        return HostTensor(self.array[first : first + count])

    def at(self, place: int) -> HostTensor:
        """See ``StageTensor.at``."""
        _require_rows(self, place, 1)
        return HostTensor(self.array[place, ...])

    def __dlpack__(self, **wishes: Any) -> Any:
        """See ``StageTensor.__dlpack__``."""
        place, address = self.__dlpack_device__(), self.array.ctypes.data
        return dlpack.export(address, self.shape, self.dtype, place, self.array, wishes)

    def __dlpack_device__(self) -> tuple[int, int]:
        """See ``StageTensor.__dlpack_device__``."""
        return (DLPACK_HOST, 0)


def _require_equal(tensor: StageTensor, shape: tuple[int, ...], dtype: np.dtype[Any]) -> None:
    if (shape, dtype) != (tensor.shape, tensor.dtype.numpy):
        given, there = (
            f"{'×'.join(map(str, sizes)) or 'one number'} {kind}"
            for sizes, kind in ((shape, dtype), (tensor.shape, tensor.dtype.numpy))
        )
        message = f"{given} can't be copied into a tensor of {there}"
        raise StageTensorError(Diagnostic("R023", message))


def _require_rows(tensor: StageTensor, first: int, count: int) -> None:
    there = tensor.shape[0] if tensor.shape else 0
    if not 0 <= first <= first + count <= there:
        message = f"a tensor with {there} places along its first axis has none from {first}"
        raise StageTensorError(Diagnostic("R024", f"{message} to {first + count - 1}"))
