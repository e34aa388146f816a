"""A decoded program: the interpreter's records of it, and names for people."""

from __future__ import annotations

import ctypes
import re
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.emulator import native
from lumc.runtime.emulator.code_object import CodeObject
from lumc.runtime.emulator.reports import Place, SourceLines

_MAX_NOTES = 20


class DecodeError(LumcError):
    """The assembly text holds an instruction that the emulator does not know."""


@dataclass(frozen=True, slots=True)
class _Location:
    file: str
    line: int
    inlined: str
    """The calls that led here, innermost first: ``@[ file:line:column @[ … ] ]``."""

    @property
    def outermost(self) -> tuple[str, int]:
        """File and line in the kernel's own text, whatever was inlined there."""
        calls = re.findall(r"@\[ (.+?):(\d+)", self.inlined)
        return (calls[-1][0], int(calls[-1][1])) if calls else (self.file, self.line)


class Program:
    """The instructions of a code object.

    The canonical way of decoding is from assembly text: every compiler writes it (-S), with source
    lines, while the ziglang package brings no disassembler; llvm-objdump writes the same text for
    objects that come alone. The machine code is read beside it, for the length of each instruction
    (addresses, jumps) and for what the linker filled in, and to see that the two belong together.
    """

    def __init__(self, code_object: CodeObject, assembly: str, source_lines: SourceLines) -> None:
        """Decode ``assembly``, which must be that of ``code_object``.

        Raises:
            DecodeError: if it is not, or holds unknown instructions.
        """
        self._lib = native.interpreter()
        self._source_lines = source_lines
        self.handle = self._decode(code_object, assembly)
        self.count = int(self._lib.lumc_instruction_count(self.handle))

    def __del__(self) -> None:
        """Free the interpreter's records."""
        if getattr(self, "handle", None):
            self._lib.lumc_free_program(self.handle)

    def _decode(self, code_object: CodeObject, assembly: str) -> int:
        text = assembly.encode()
        functions = code_object.functions
        symbols = (native.Symbol * max(1, len(functions)))(
            *(native.Symbol(f.name.encode(), f.address, f.size) for f in functions)
        )
        begin, size = code_object.code
        error = ctypes.c_void_p()
        handle: int | None = self._lib.lumc_decode(
            code_object.target.encode(),
            text,
            len(text),
            begin,
            begin,
            size,
            code_object.base,
            symbols,
            len(functions),
            ctypes.byref(error),
        )
        if not handle:
            raise _undecodable(code_object.target, native.take_text(self._lib, error.value))
        return handle

    @cached_property
    def records(self) -> NDArray[Any]:
        """A `native.INSTRUCTION_RECORD` for each instruction."""
        records = np.zeros(self.count, native.INSTRUCTION_RECORD)
        self._lib.lumc_describe(self.handle, records.ctypes.data)
        return records

    @cached_property
    def _listing(self) -> list[str]:
        return native.take_text(self._lib, self._lib.lumc_listing(self.handle)).split("\n")

    @cached_property
    def texts(self) -> tuple[str, ...]:
        """Each instruction as written."""
        return tuple(self._listing[: self.count])

    @cached_property
    def mnemonics(self) -> tuple[str, ...]:
        """Each instruction's mnemonic, without its encoding suffix."""
        return tuple(self._listing[self.count : 2 * self.count])

    @cached_property
    def _locations(self) -> tuple[_Location, ...]:
        rows = (line.split("\t") for line in self._listing[2 * self.count :] if line)
        return tuple(_Location(row[0], int(row[1]), row[2]) for row in rows)

    def place(self, index: int) -> Place:
        """Instruction ``index``, with its line in the generated source and in the spec."""
        record = self.records[index]
        location = self._locations[int(record["location"])]
        text, address = self.texts[index], int(record["address"])
        if not location.file:
            return Place(index, text, address)
        return Place(
            index,
            text,
            address,
            file=location.file,
            line=location.line,
            inlined=location.inlined or None,
            spec=self._spec_line(location),
        )

    def _spec_line(self, location: _Location) -> str | None:
        file, line = location.outermost
        if callable(self._source_lines):
            return self._source_lines(file, line)
        return self._source_lines.get(line)


def known_mnemonics(target: str) -> tuple[str, ...]:
    """The mnemonics that the emulator knows for ``target``, sorted."""
    lib = native.interpreter()
    return tuple(native.take_text(lib, lib.lumc_mnemonics(target.encode())).split())


def _undecodable(target: str, problems: str) -> DecodeError:
    lines = problems.strip().split("\n")
    distinct = tuple(dict.fromkeys(lines))
    first = distinct[0]
    if "does not belong" in first:
        return DecodeError(
            Diagnostic(
                "L0707",
                first,
                hint="give the text that the same compiler run wrote with the same options",
            )
        )
    more = f" and {len(distinct) - 1} more" if len(distinct) > 1 else ""
    return DecodeError(
        Diagnostic(
            "L0708",
            f"the emulator cannot decode for {target}: {first}{more}",
            notes=distinct[1:_MAX_NOTES],
            hint="the instruction must be added to the emulator before this code can run on it",
        )
    )
