"""Reads MessagePack, the encoding of the metadata notes in code objects."""

from __future__ import annotations

import struct
from typing import TypeAlias

Value: TypeAlias = "bool | int | float | str | bytes | list[Value] | dict[Value, Value] | None"

_NUMBERS = {
    0xCA: ">f",
    0xCB: ">d",
    0xCC: ">B",
    0xCD: ">H",
    0xCE: ">I",
    0xCF: ">Q",
    0xD0: ">b",
    0xD1: ">h",
    0xD2: ">i",
    0xD3: ">q",
}
_CONSTANTS = {0xC0: None, 0xC2: False, 0xC3: True}
# Kinds whose length follows as a number: bytes, strings, arrays and maps.
_SIZED = {
    0xC4: (">B", "bytes"),
    0xC5: (">H", "bytes"),
    0xC6: (">I", "bytes"),
    0xD9: (">B", "text"),
    0xDA: (">H", "text"),
    0xDB: (">I", "text"),
    0xDC: (">H", "array"),
    0xDD: (">I", "array"),
    0xDE: (">H", "map"),
    0xDF: (">I", "map"),
}


def unpack(data: bytes) -> Value:
    """The value that ``data`` begins with.

    Raises:
        ValueError: if the encoding is broken or uses an extension type.
    """
    return _Reader(data).value()


class _Reader:
    def __init__(self, data: bytes) -> None:
        self._data = data
        self._at = 0

    def value(self) -> Value:
        tag = self._take(1)[0]
        if tag < 0x80:
            return tag
        if tag >= 0xE0:
            return tag - 256
        if tag in _CONSTANTS:
            return _CONSTANTS[tag]
        if tag in _NUMBERS:
            return self._number(_NUMBERS[tag])
        if tag in _SIZED:
            form, kind = _SIZED[tag]
            return self._sized(kind, int(self._number(form)))
        if tag < 0x90:
            return self._sized("map", tag & 15)
        if tag < 0xA0:
            return self._sized("array", tag & 15)
        if tag < 0xC0:
            return self._sized("text", tag & 31)
        raise ValueError(f"unknown MessagePack type 0x{tag:02x}")

    def _sized(self, kind: str, size: int) -> Value:
        match kind:
            case "text":
                return self._take(size).decode()
            case "bytes":
                return self._take(size)
            case "array":
                return [self.value() for _ in range(size)]
            case _:
                return {_key(self.value()): self.value() for _ in range(size)}

    def _number(self, form: str) -> int | float:
        number: int | float = struct.unpack(form, self._take(struct.calcsize(form)))[0]
        return number

    def _take(self, size: int) -> bytes:
        taken = self._data[self._at : self._at + size]
        if len(taken) != size:
            raise ValueError("the MessagePack data ends early")
        self._at += size
        return taken


def _key(value: Value) -> Value:
    if isinstance(value, (list, dict)):
        raise ValueError("a MessagePack map has a key that is no plain value")
    return value
