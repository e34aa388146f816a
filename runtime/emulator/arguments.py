"""Turns Python arguments into kernel arguments: bytes, and the memory that they point to."""

from __future__ import annotations

import struct
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.emulator.code_object import Argument, Kernel
from lumc.runtime.emulator.memory import DeviceBuffer

KernelArgument: TypeAlias = (
    "NDArray[np.generic] | DeviceBuffer | np.generic | int | float | bytes | None"
)
"""Arrays and device buffers become pointers (None the null pointer), the rest values."""

_HIDDEN = "hidden_"
# What src_shared_base and src_private_base hold (native/machine.hpp).
_SHARED_APERTURE, _PRIVATE_APERTURE = 0x00010000, 0x00020000


class LaunchError(LumcError):
    """A launch whose arguments or sizes do not fit the kernel."""


@dataclass(frozen=True, slots=True)
class Reach:
    """Memory that a kernel may access: addresses, the map of written bytes, and its name.

    The map, if there is one, begins at address ``origin`` with four bits a dword.
    """

    begin: int
    end: int
    origin: int
    written: int
    writable: bool
    name: str


@dataclass(slots=True)
class BoundArguments:
    """The kernel argument block, and what its pointers reach."""

    block: NDArray[np.uint8]
    reaches: list[Reach] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Geometry:
    """Workgroups in the grid, work-items in a workgroup, and LDS beyond the kernel's own."""

    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dynamic_lds: int


def bind(kernel: Kernel, arguments: Sequence[KernelArgument], geometry: Geometry) -> BoundArguments:
    """Lay out ``arguments`` and the hidden ones (code object version 5) as the kernel wants them.

    Raises:
        LaunchError: if their number or kinds do not fit.
    """
    explicit = [a for a in kernel.arguments if not a.kind.startswith(_HIDDEN)]
    if len(explicit) != len(arguments):
        raise _mismatch(kernel, f"takes {len(explicit)} arguments, not {len(arguments)}")
    bound = BoundArguments(np.zeros(kernel.kernarg_bytes + 256, np.uint8))
    for position, (expected, given) in enumerate(zip(explicit, arguments, strict=True)):
        raw = _raw(kernel, expected, given, position, bound.reaches)
        bound.block[expected.offset : expected.offset + expected.size] = np.frombuffer(
            raw, np.uint8
        )
    hidden = _hidden_values(geometry)
    for argument in kernel.arguments:
        value = hidden.get(argument.kind)
        if value is not None:
            raw = value.to_bytes(argument.size, "little")
            bound.block[argument.offset : argument.offset + argument.size] = np.frombuffer(
                raw, np.uint8
            )
    return bound


def _raw(
    kernel: Kernel, expected: Argument, given: KernelArgument, position: int, reaches: list[Reach]
) -> bytes:
    name = f"argument {position}" + (f" ({expected.name})" if expected.name else "")
    raw = _encode(given, expected, name, reaches, kernel)
    if len(raw) != expected.size:
        raise _mismatch(kernel, f"{name} has {expected.size} bytes, but {len(raw)} were given")
    return raw


def _encode(
    given: KernelArgument, expected: Argument, name: str, reaches: list[Reach], kernel: Kernel
) -> bytes:
    match given:
        case None:
            return struct.pack("<Q", 0)
        case np.ndarray():
            if not given.flags.c_contiguous:
                raise _mismatch(kernel, f"{name} is an array that is not contiguous")
            address = int(given.ctypes.data)
            end = address + given.nbytes
            reaches.append(Reach(address, end, address, 0, given.flags.writeable, name))
            return struct.pack("<Q", address)
        case DeviceBuffer():
            reaches.append(
                Reach(
                    given.address,
                    given.address + given.size,
                    given.memory.address,
                    int(given.memory.written.ctypes.data),
                    given.writable,
                    given.name or name,
                )
            )
            return struct.pack("<Q", given.address)
        case np.generic():
            return given.tobytes()
        case bytes():
            return given
        case float():
            return struct.pack("<f" if expected.size == 4 else "<d", given)
        case bool() | int():
            try:
                return int(given).to_bytes(expected.size, "little", signed=given < 0)
            except OverflowError:
                raise _mismatch(
                    kernel, f"{name} has {expected.size} bytes, too few for {given}"
                ) from None
        case _:
            raise _mismatch(kernel, f"{name} is a {type(given).__name__}, which no kernel takes")


def _hidden_values(geometry: Geometry) -> dict[str, int]:
    values = {
        "hidden_grid_dims": 3,
        "hidden_dynamic_lds_size": geometry.dynamic_lds,
        "hidden_shared_base": _SHARED_APERTURE,
        "hidden_private_base": _PRIVATE_APERTURE,
    }
    for axis, name in enumerate("xyz"):
        values[f"hidden_block_count_{name}"] = geometry.grid[axis]
        values[f"hidden_group_size_{name}"] = geometry.block[axis]
        values[f"hidden_remainder_{name}"] = 0
        values[f"hidden_global_offset_{name}"] = 0
    return values


def dispatch_packet(kernel: Kernel, geometry: Geometry, kernarg_address: int) -> NDArray[np.uint8]:
    """The AQL packet that a kernel may look at (HSA runtime specification, 2.9)."""
    items = tuple(g * b for g, b in zip(geometry.grid, geometry.block, strict=True))
    packet = struct.pack(
        "<HHHHHHIIIIIQQQQ",
        0,
        3,
        *geometry.block,
        0,
        *(n & 0xFFFFFFFF for n in items),
        kernel.scratch_bytes,
        kernel.lds_bytes + geometry.dynamic_lds,
        kernel.descriptor,
        kernarg_address,
        0,
        0,
    )
    return np.frombuffer(packet, np.uint8).copy()


def _mismatch(kernel: Kernel, what: str) -> LaunchError:
    names = ", ".join(a.name or a.kind for a in kernel.arguments if not a.kind.startswith(_HIDDEN))
    return LaunchError(
        Diagnostic(
            "L0706",
            f"kernel {kernel.name} cannot be launched: {what}",
            hint=f"its arguments are ({names})",
        )
    )
