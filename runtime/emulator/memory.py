"""Device memory with a memory of its own: which of its bytes anything wrote."""

from __future__ import annotations

from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import DTypeLike, NDArray

from lumc.diagnostics import Diagnostic, LumcError


class UninitialisedReadError(LumcError):
    """The host read device memory that nothing wrote."""


class DeviceMemory:
    """An arena of ``size`` bytes that kernels and the host share.

    Kernels get parts of it (`buffer`). What the host or a kernel wrote is remembered byte by byte,
    over any number of launches, so that a kernel that uses bytes nothing wrote is caught. The
    record takes a quarter of the arena's size; neither takes memory before it is touched.
    """

    def __init__(self, size: int) -> None:
        """An arena of ``size`` bytes, none of them written."""
        self.size = size
        # One more page, so that the arena can begin at a multiple of 256, as a GPU's would.
        self._storage = np.zeros(size + 4096, np.uint8)
        skip = -self._storage.ctypes.data % 256
        self.bytes: NDArray[np.uint8] = self._storage[skip : skip + size]
        # Four bits a dword: bit b says that byte b was written.
        self.written: NDArray[np.uint8] = np.zeros((size + 3) // 4 + 1, np.uint8)

    @property
    def address(self) -> int:
        """The address of the first byte, as kernels see it."""
        return int(self.bytes.ctypes.data)

    def buffer(self, offset: int, size: int, *, name: str | None = None) -> DeviceBuffer:
        """The ``size`` bytes at ``offset``, to be given to kernels."""
        if offset < 0 or size < 0 or offset + size > self.size:
            raise ValueError(f"bytes {offset} to {offset + size} lie outside {self.size} bytes")
        return DeviceBuffer(self, offset, size, name=name)

    def write(self, offset: int, values: NDArray[Any]) -> None:
        """Copy ``values`` to ``offset``, as the host does."""
        raw = np.ascontiguousarray(values).reshape(-1).view(np.uint8)
        self.bytes[offset : offset + raw.size] = raw
        self._mark(offset, raw.size, written=True)

    def read(self, offset: int, shape: tuple[int, ...], dtype: DTypeLike) -> NDArray[Any]:
        """A copy of the array at ``offset``.

        Raises:
            UninitialisedReadError: if nothing wrote some of its bytes.
        """
        kind = np.dtype(dtype)
        size = int(np.prod(shape, dtype=np.int64)) * kind.itemsize
        missing = np.flatnonzero(~self.written_bytes(offset, size))
        if missing.size:
            raise UninitialisedReadError(
                Diagnostic(
                    "L0719",
                    f"nothing wrote {missing.size} of the {size} bytes at offset {offset}"
                    f" of device memory, the first of them at {offset + int(missing[0])}",
                    hint="the kernel that should write them did not run, or left them out",
                )
            )
        return self.bytes[offset : offset + size].copy().view(kind).reshape(shape)

    def written_bytes(self, offset: int, size: int) -> NDArray[np.bool_]:
        """Which of the ``size`` bytes at ``offset`` were written."""
        first, last = offset // 4, (offset + size + 3) // 4
        bits = self.written[first:last, None] >> np.arange(4, dtype=np.uint8) & 1
        begin = offset - 4 * first
        return bits.reshape(-1)[begin : begin + size].astype(np.bool_)

    def forget(self, offset: int, size: int) -> None:
        """The bytes are given to another use: what they hold must not be read any more."""
        self._mark(offset, size, written=False)

    def _mark(self, offset: int, size: int, *, written: bool) -> None:
        begin, end = offset, offset + size
        first, last = -(-begin // 4), end // 4
        if last > first:
            self.written[first:last] = 15 if written else 0
        for byte in (*range(begin, min(4 * first, end)), *range(max(4 * last, begin), end)):
            bit = np.uint8(1 << byte % 4)
            if written:
                self.written[byte // 4] |= bit
            else:
                self.written[byte // 4] &= ~bit


@dataclass(frozen=True, slots=True)
class DeviceBuffer:
    """A part of a `DeviceMemory` as a kernel argument: its bounds are exactly these bytes."""

    memory: DeviceMemory
    offset: int
    size: int
    writable: bool = True
    name: str | None = None

    @property
    def address(self) -> int:
        """The address of the first byte, as kernels see it."""
        return self.memory.address + self.offset

    def readonly(self) -> DeviceBuffer:
        """The same bytes, which the kernel may not write."""
        return replace(self, writable=False)
