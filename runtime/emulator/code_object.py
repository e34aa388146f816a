"""Reads AMD code objects: the ELF image, its symbols, and what its notes say about kernels."""

from __future__ import annotations

import ctypes
import mmap
import struct
from collections.abc import Mapping
from dataclasses import dataclass
from types import MappingProxyType
from typing import Any

from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.emulator import message_pack

_MACHINES = {0x3F: "gfx90a", 0x41: "gfx1100", 0x4C: "gfx942", 0x4F: "gfx950"}
_EM_AMDGPU = 224
_METADATA_NOTE = 32
_PT_LOAD = 1
_SHT_SYMTAB, _SHT_RELA, _SHT_NOTE, _SHT_DYNSYM = 2, 4, 7, 11
_SHF_EXECINSTR = 4
_R_ABS64, _R_RELATIVE64 = 3, 13


class CodeObjectError(LumcError):
    """The bytes are no code object that the emulator can load."""


@dataclass(frozen=True, slots=True)
class Argument:
    """One kernel argument: where it lies among the kernel arguments, and what it is."""

    offset: int
    size: int
    kind: str
    name: str | None


@dataclass(frozen=True, slots=True)
class Kernel:
    """A kernel's descriptor (``llvm/Support/AMDHSAKernelDescriptor.h``) and metadata.

    ``vector_registers`` and ``accumulation_registers`` are what a wave is given; ``lds_bytes`` is
    the fixed part, ``scratch_bytes`` is for each lane.
    """

    name: str
    descriptor: int
    entry: int
    arguments: tuple[Argument, ...]
    kernarg_bytes: int
    lds_bytes: int
    scratch_bytes: int
    dynamic_stack: bool
    vector_registers: int
    accumulation_registers: int
    scalar_registers: int
    max_workgroup: int
    properties: int
    preloaded: tuple[int, int]
    rsrc1: int
    rsrc2: int

    @property
    def float_mode(self) -> int:
        """The MODE register at the start: rounding, subnormals, DX10_CLAMP, IEEE, FP16_OVFL."""
        mode = self.rsrc1 >> 12 & 0xFF
        mode |= (self.rsrc1 >> 21 & 1) << 8 | (self.rsrc1 >> 23 & 1) << 9
        return mode | (self.rsrc1 >> 26 & 1) << 23


@dataclass(frozen=True, slots=True)
class Function:
    """A symbol in the code."""

    name: str
    address: int
    size: int


class CodeObject:
    """A code object, loaded at an address of this process with its relocations applied."""

    def __init__(self, data: bytes) -> None:
        """Load ``data``.

        Raises:
            CodeObjectError: if it is no AMD GPU ELF, damaged, or for a chip that is not emulated.
        """
        self._data = data
        self._check_header()
        try:
            self._load()
        except (struct.error, LookupError, ValueError, OverflowError, OSError) as error:
            raise _bad("it is cut short or damaged") from error

    def _load(self) -> None:
        self._load_segments()
        sections = self._sections()
        symbols = self._read_symbols(sections)
        for section in sections:
            if section[1] == _SHT_RELA:
                self._relocate(section, sections)
        self.functions = tuple(
            Function(name, self.base + value, size)
            for name, (value, size, kind) in symbols.items()
            if kind == 2
        )
        code = [s for s in sections if s[2] & _SHF_EXECINSTR]
        if not code:
            raise _bad("it has no code")
        begin = min(s[3] for s in code)
        self.code = (self.base + begin, max(s[3] + s[5] for s in code) - begin)
        metadata = self._metadata(sections)
        self.kernels: Mapping[str, Kernel] = MappingProxyType(
            {
                entry[".name"]: self._kernel(entry, symbols)
                for entry in metadata.get("amdhsa.kernels", ())
            }
        )

    def _check_header(self) -> None:
        data = self._data
        if len(data) < 64 or data[:4] != b"\x7fELF":
            raise _bad("it is no ELF file")
        if struct.unpack_from("<H", data, 18)[0] != _EM_AMDGPU:
            raise _bad("it is an ELF file, but not for an AMD GPU")
        flags = struct.unpack_from("<I", data, 48)[0]
        machine = flags & 0xFF
        if machine not in _MACHINES:
            raise _bad(f"its chip (ELF machine 0x{machine:x}) is not one of the emulated ones")
        self.target = _MACHINES[machine]

    def _load_segments(self) -> None:
        data = self._data
        offset = struct.unpack_from("<Q", data, 32)[0]
        count = struct.unpack_from("<H", data, 56)[0]
        headers = [struct.unpack_from("<IIQQQQQQ", data, offset + 56 * k) for k in range(count)]
        loads = [h for h in headers if h[0] == _PT_LOAD]
        if not loads:
            raise _bad("it is not linked")
        top = max(h[3] + h[6] for h in loads)
        self.size = (top + 0xFFF) & ~0xFFF
        self._image = mmap.mmap(-1, self.size)
        self._pin = ctypes.c_char.from_buffer(self._image)
        self.base = ctypes.addressof(self._pin)
        for _, _, file_offset, address, _, file_size, _, _ in loads:
            self._image[address : address + file_size] = data[file_offset : file_offset + file_size]

    def _sections(self) -> list[tuple[int, ...]]:
        offset = struct.unpack_from("<Q", self._data, 40)[0]
        count = struct.unpack_from("<H", self._data, 60)[0]
        return [
            struct.unpack_from("<IIQQQQIIQQ", self._data, offset + 64 * k) for k in range(count)
        ]

    def _string(self, table: int, offset: int) -> str:
        begin = table + offset
        return self._data[begin : self._data.index(b"\0", begin)].decode()

    def _read_symbols(self, sections: list[tuple[int, ...]]) -> dict[str, tuple[int, int, int]]:
        symbols: dict[str, tuple[int, int, int]] = {}
        for section in sections:
            if section[1] not in (_SHT_SYMTAB, _SHT_DYNSYM):
                continue
            strings = sections[section[6]][4]
            for k in range(section[5] // 24):
                name, info, _, where, value, size = struct.unpack_from(
                    "<IBBHQQ", self._data, section[4] + 24 * k
                )
                if where and name:
                    symbols[self._string(strings, name)] = (value, size, info & 15)
        return symbols

    def _relocate(self, section: tuple[int, ...], sections: list[tuple[int, ...]]) -> None:
        symbols = sections[section[6]] if section[6] else None
        for k in range(section[5] // 24):
            where, info, addend = struct.unpack_from("<QQq", self._data, section[4] + 24 * k)
            kind = info & 0xFFFFFFFF
            value = self.base + addend
            if kind == _R_ABS64 and symbols is not None:
                value += struct.unpack_from("<Q", self._data, symbols[4] + 24 * (info >> 32) + 8)[0]
            elif kind != _R_RELATIVE64:
                raise _bad(f"it has a relocation of kind {kind}")
            struct.pack_into("<Q", self._image, where, value)

    def _metadata(self, sections: list[tuple[int, ...]]) -> dict[str, Any]:
        for section in sections:
            if section[1] != _SHT_NOTE:
                continue
            name_size, size, kind = struct.unpack_from("<III", self._data, section[4])
            if kind != _METADATA_NOTE:
                continue
            begin = section[4] + 12 + (name_size + 3 & ~3)
            metadata = message_pack.unpack(self._data[begin : begin + size])
            if isinstance(metadata, dict):
                return {str(key): value for key, value in metadata.items()}
        raise _bad("it has no kernel metadata (code object version 3 or later)")

    def _kernel(self, entry: dict[str, Any], symbols: dict[str, tuple[int, int, int]]) -> Kernel:
        descriptor = symbols[entry[".symbol"]][0]
        lds, scratch, kernarg, _, start = struct.unpack_from("<IIIIq", self._image, descriptor)
        rsrc3, rsrc1, rsrc2, properties, preload = struct.unpack_from(
            "<IIIHH", self._image, descriptor + 44
        )
        allocated = ((rsrc1 & 63) + 1) * 8
        vectors, accumulators = allocated, 0
        if self.target != "gfx1100":  # one file for both; ACCUM_OFFSET divides it
            vectors = min(allocated, ((rsrc3 & 63) + 1) * 4)
            accumulators = allocated - vectors
        arguments = tuple(
            Argument(a[".offset"], a[".size"], a[".value_kind"], a.get(".name"))
            for a in entry.get(".args", ())
        )
        return Kernel(
            name=entry[".name"],
            descriptor=self.base + descriptor,
            entry=self.base + descriptor + start,
            arguments=arguments,
            kernarg_bytes=max(kernarg, entry.get(".kernarg_segment_size", 0)),
            lds_bytes=lds,
            scratch_bytes=scratch,
            dynamic_stack=bool(entry.get(".uses_dynamic_stack", False)),
            vector_registers=vectors,
            accumulation_registers=accumulators,
            scalar_registers=entry.get(".sgpr_count", 0),
            max_workgroup=entry.get(".max_flat_workgroup_size", 1024),
            properties=properties,
            preloaded=(preload & 0x7F, preload >> 7),
            rsrc1=rsrc1,
            rsrc2=rsrc2,
        )


def _bad(why: str) -> CodeObjectError:
    return CodeObjectError(
        Diagnostic(
            "L0703",
            f"the code object cannot be loaded: {why}",
            hint="give a linked code object (.co, .hsaco) for gfx90a, gfx942, gfx950 or gfx1100",
        )
    )
