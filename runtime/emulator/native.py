"""The C interface of the interpreter (``native/api.cpp``): structures and functions."""

from __future__ import annotations

import ctypes as c
from functools import cache
from typing import Any, ClassVar

import numpy as np

from lumc.runtime.emulator import build

MAX_RANGES = 8
MAX_TEXT = 240

INSTRUCTION_RECORD = np.dtype(
    [
        ("address", "u8"),
        ("size", "u4"),
        ("text_line", "u4"),
        ("location", "u4"),
        ("bytes", "u4"),
        ("kind", "u4"),
        ("traffic", "u4"),
        ("matrix_rows", "u4"),
        ("matrix_columns", "u4"),
        ("matrix_depth", "u4"),
        ("matrix_blocks", "u4"),
        ("wait_memory", "i4"),
        ("wait_local", "i4"),
        ("accumulator", "i4"),
        ("read_count", "u4"),
        ("range_count", "u4"),
        ("range_first", "u2", MAX_RANGES),
        ("range_size", "u1", MAX_RANGES),
        ("range_is_vector", "u1", MAX_RANGES),
    ],
    align=True,
)
COUNTS_RECORD = np.dtype(
    [
        ("executions", "u8"),
        ("lanes", "u8"),
        ("lines", "u8"),
        ("lds_cycles", "u8"),
        ("lds_ideal_cycles", "u8"),
    ]
)
TRACE_RECORD = np.dtype(
    [
        ("instruction", "u4"),
        ("wave", "u4"),
        ("exec", "u8"),
        ("addresses", "u8"),
        ("cost", "u8"),
    ]
)


class Symbol(c.Structure):
    """A function in the code."""

    _fields_: ClassVar[Any] = [("name", c.c_char_p), ("address", c.c_uint64), ("size", c.c_uint64)]


class Allocation(c.Structure):
    """Memory that a kernel may reach; ``written`` is its map of written bytes, or null."""

    _fields_: ClassVar[Any] = [
        ("begin", c.c_uint64),
        ("end", c.c_uint64),
        ("origin", c.c_uint64),
        ("written", c.c_void_p),
        ("writable", c.c_uint32),
        ("id", c.c_uint32),
    ]


class Report(c.Structure):
    """One finding of a check."""

    _fields_: ClassVar[Any] = [
        ("check", c.c_uint32),
        ("instruction", c.c_uint32),
        ("workgroup", c.c_uint32 * 3),
        ("wave", c.c_uint32),
        ("lane", c.c_int32),
        ("other_instruction", c.c_int32),
        ("count", c.c_uint32),
        ("text", c.c_char * MAX_TEXT),
    ]


class Launch(c.Structure):
    """A launch as the interpreter takes it."""

    _fields_: ClassVar[Any] = [
        ("program", c.c_void_p),
        ("entry", c.c_uint64),
        ("grid", c.c_uint32 * 3),
        ("block", c.c_uint32 * 3),
        ("workgroups", c.c_void_p),
        ("workgroup_count", c.c_uint64),
        ("user_scalars", c.c_void_p),
        ("user_scalar_count", c.c_uint32),
        ("workgroup_id_mask", c.c_uint32),
        ("workgroup_info", c.c_uint32),
        ("vector_registers", c.c_uint32),
        ("accumulation_registers", c.c_uint32),
        ("lds_bytes", c.c_uint32),
        ("scratch_bytes", c.c_uint32),
        ("mode", c.c_uint32),
        ("checks", c.c_uint32),
        ("stop_on_first", c.c_uint32),
        ("threads", c.c_uint32),
        ("instruction_limit", c.c_uint64),
        ("allocations", c.c_void_p),
        ("allocation_count", c.c_uint64),
        ("traced", c.c_void_p),
        ("traced_count", c.c_uint32),
    ]


class Outcome(c.Structure):
    """What a launch left behind."""

    _fields_: ClassVar[Any] = [
        ("workgroups", c.c_uint64),
        ("barriers", c.c_uint64),
        ("instructions", c.c_uint64),
        ("report_count", c.c_uint64),
        ("reports", c.POINTER(Report)),
        ("counts", c.c_void_p),
    ]


class Trace(c.Structure):
    """The trace of one workgroup."""

    _fields_: ClassVar[Any] = [
        ("event_count", c.c_uint64),
        ("address_count", c.c_uint64),
        ("events", c.c_void_p),
        ("addresses", c.c_void_p),
    ]


@cache
def interpreter() -> c.CDLL:
    """The interpreter's library, compiled and loaded on the first call.

    Raises:
        EmulatorBuildError: if it cannot be compiled.
    """
    lib = c.CDLL(str(build.library()))
    handle, text = c.c_void_p, c.c_void_p
    signatures: dict[str, tuple[Any, list[Any]]] = {
        "lumc_decode": (
            handle,
            [
                *(
                    c.c_char_p,
                    c.c_char_p,
                    c.c_uint64,
                    c.c_void_p,
                    c.c_uint64,
                    c.c_uint64,
                    c.c_uint64,
                ),
                *(c.POINTER(Symbol), c.c_uint64, c.POINTER(text)),
            ],
        ),
        "lumc_free_program": (None, [handle]),
        "lumc_free_text": (None, [text]),
        "lumc_instruction_count": (c.c_uint64, [handle]),
        "lumc_describe": (None, [handle, c.c_void_p]),
        "lumc_listing": (text, [handle]),
        "lumc_mnemonics": (text, [c.c_char_p]),
        "lumc_launch": (handle, [c.POINTER(Launch), c.POINTER(text)]),
        "lumc_outcome": (None, [handle, c.POINTER(Outcome)]),
        "lumc_trace": (None, [handle, c.c_uint64, c.POINTER(Trace)]),
        "lumc_free_outcome": (None, [handle]),
        "lumc_traffic": (
            None,
            [handle, handle, c.c_uint64, handle, handle, c.c_uint64, c.c_uint64, handle],
        ),
        "lumc_replay": (
            None,
            [handle, handle, c.c_uint64, c.c_uint32, c.c_uint32, handle, handle, handle],
        ),
    }
    for name, (result, arguments) in signatures.items():
        function = getattr(lib, name)
        function.restype, function.argtypes = result, arguments
    return lib


def take_text(lib: c.CDLL, address: int | None) -> str:
    """The text at ``address``, which the interpreter allocated; it is freed."""
    if not address:
        return ""
    text = c.string_at(address).decode()
    lib.lumc_free_text(address)
    return text


def copy_array(address: int | None, count: int, dtype: np.dtype[Any]) -> np.ndarray[Any, Any]:
    """A copy of ``count`` records at ``address``."""
    if not address or not count:
        return np.zeros(0, dtype)
    return np.frombuffer(c.string_at(address, count * dtype.itemsize), dtype).copy()
