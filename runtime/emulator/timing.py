"""How many clocks a workgroup takes on a compute unit: a model that replays its trace.

The model (``native/timing.cpp``) has four in-order SIMDs, each with a port that vector and matrix
instructions are issued through and a matrix unit behind it; one LDS pipe and one pipe to the vector
cache; a fixed latency of memory; the wait counters, in order; a scoreboard of vector registers;
barriers and priorities. It has no L2, no contention for memory and no instruction cache, so it
tells schedules apart, not memory systems. What it says is a prediction.
"""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lumc.codegen.instruction_clocks import PASS, SIMDS, UnitClocks, vector_clocks
from lumc.runtime.emulator import native
from lumc.runtime.emulator.counters import CLASSES
from lumc.runtime.emulator.program import Program
from lumc.runtime.emulator.trace import Trace

MODEL_VERSION = 4
"""Of all that decides what the model says: results of another version are not comparable."""

UNITS = (
    "vector",
    "matrix",
    "scalar",
    "branch",
    "scalar_memory",
    "memory",
    "lds",
    "wait",
    "barrier",
    "none",
)
READ, WRITE, ACCUMULATOR = range(3)
STALLS = (
    "dependency",
    "vector port",
    "matrix unit",
    "scalar port",
    "memory wait",
    "LDS wait",
    "barrier",
)
"""What waves stand still for, in the model's order."""

_RANGES = 8
_KEEP_PRIORITY = 255
_LEAST_LDS = 2
_UNIT_OF_CLASS = {
    "valu": "vector",
    "transcendental": "vector",
    "mfma": "matrix",
    "salu": "scalar",
    "branch": "branch",
    "wait": "wait",
    "barrier": "barrier",
    "scalar_memory": "scalar_memory",
    "lds_load": "lds",
    "lds_store": "lds",
    "lds_atomic": "lds",
    "lds_permute": "lds",
    "other": "none",
}

TIMED_INSTRUCTION = np.dtype(
    [
        ("unit", "u1"),
        ("priority", "u1"),
        ("range_count", "u1"),
        ("is_store", "u1"),
        ("issue", "u2"),
        ("busy", "u2"),
        ("cost_clocks", "u2"),
        ("result", "u2"),
        ("chain", "u2"),
        ("wait_memory", "i2"),
        ("wait_local", "i2"),
        ("range_first", "u2", _RANGES),
        ("range_size", "u1", _RANGES),
        ("range_role", "u1", _RANGES),
    ],
    align=True,
)
"""What an instruction occupies and waits for (``native/timing.hpp``)."""

TIMED_EVENT = np.dtype([("instruction", "u4"), ("wave", "u4"), ("cost", "u4")])

_MACHINE = np.dtype(
    [
        (name, "u4")
        for name in (
            "simds",
            "lds_latency",
            "memory_latency",
            "store_latency",
            "scalar_latency",
            "barrier",
        )
    ]
)
_TIMING = np.dtype(
    [
        ("clocks", "u8"),
        ("first_matrix", "u8"),
        ("last_matrix", "u8"),
        ("steady_begin", "u8"),
        ("steady_end", "u8"),
        ("steady_busy", "u8"),
        ("matrix_busy", "u8"),
        ("vector_busy", "u8"),
        ("lds_busy", "u8"),
        ("memory_busy", "u8"),
        ("instructions", "u8"),
        ("stalls", "u8", len(STALLS)),
    ]
)


@dataclass(frozen=True, slots=True)
class Timing:
    """What the model says of a compute unit that runs some copies of a workgroup to their ends."""

    clocks: int
    prologue: int
    """Clocks before the first matrix instruction; 0 where there is none."""
    epilogue: int
    """Clocks after the last one."""
    steady: float
    """Share of the matrix units' time that is used between the quartiles of their instructions."""
    whole: float
    """The same from beginning to end."""
    vector: float
    lds: float
    memory: float
    """Shares of the time that the vector units, the LDS and the vector cache are busy."""
    stalls: Mapping[str, float]
    """Share of a wave's time that it stands still for each of `STALLS`, the longest first."""
    instructions: int
    stalled: NDArray[np.uint64]
    """Clocks that waves stood before each instruction of the program, all waves together."""


def time_trace(program: Program, trace: Trace, clocks: UnitClocks, copies: int = 1) -> Timing:
    """The time of ``copies`` workgroups that share a compute unit and all do what ``trace`` says.

    Args:
        program: What the trace's instructions are numbers of.
        trace: A workgroup of it.
        clocks: The chip that the program was compiled for.
        copies: At least one.
    """
    events = np.zeros(trace.events.size, TIMED_EVENT)
    for name in ("instruction", "wave", "cost"):
        events[name] = trace.events[name]
    return replay(timed_instructions(program, clocks), events, clocks, copies)


def replay(
    instructions: NDArray[Any], events: NDArray[Any], clocks: UnitClocks, copies: int = 1
) -> Timing:
    """The time of `TIMED_EVENT` records, each of one of the `TIMED_INSTRUCTION` records.

    Waves are numbered from 0; the events of each are in the order in which it issues them.
    """
    if not events.size:
        raise ValueError("a trace without events has no time")
    waves = int(events["wave"].max()) + 1
    machine, raw = np.zeros(1, _MACHINE), np.zeros(1, _TIMING)
    machine["simds"] = SIMDS
    for name in ("lds_latency", "memory_latency", "store_latency", "scalar_latency", "barrier"):
        machine[name] = getattr(clocks, name)
    stalled = np.zeros(instructions.size, np.uint64)
    program, stream = np.ascontiguousarray(instructions), np.ascontiguousarray(events)
    native.interpreter().lumc_replay(
        program.ctypes.data,
        stream.ctypes.data,
        stream.size,
        waves,
        copies,
        machine.ctypes.data,
        raw.ctypes.data,
        stalled.ctypes.data,
    )
    return _timing(raw[0], waves * copies, stalled)


def _timing(raw: Any, waves: int, stalled: NDArray[np.uint64]) -> Timing:
    clocks = max(1, int(raw["clocks"]))
    used = bool(raw["matrix_busy"])
    steady = int(raw["steady_end"]) - int(raw["steady_begin"])
    stalls = {
        name: int(count) / waves / clocks
        for name, count in zip(STALLS, raw["stalls"], strict=True)
        if count
    }
    return Timing(
        clocks=clocks,
        prologue=int(raw["first_matrix"]) if used else 0,
        epilogue=clocks - int(raw["last_matrix"]) if used else 0,
        steady=int(raw["steady_busy"]) / (SIMDS * steady) if steady else 0.0,
        whole=int(raw["matrix_busy"]) / (SIMDS * clocks),
        vector=int(raw["vector_busy"]) / (SIMDS * clocks),
        lds=int(raw["lds_busy"]) / clocks,
        memory=int(raw["memory_busy"]) / clocks,
        stalls=dict(sorted(stalls.items(), key=lambda item: -item[1])),
        instructions=int(raw["instructions"]),
        stalled=stalled,
    )


def timed_instructions(program: Program, clocks: UnitClocks) -> NDArray[Any]:
    """A `TIMED_INSTRUCTION` for each instruction of ``program``."""
    timed = np.zeros(program.count, TIMED_INSTRUCTION)
    timed["issue"] = PASS
    timed["priority"] = _KEEP_PRIORITY
    timed["wait_memory"] = program.records["wait_memory"]
    timed["wait_local"] = program.records["wait_local"]
    for k, record in enumerate(program.records):
        _describe(timed[k], record, program.mnemonics[k], program.texts[k], clocks)
    return timed


def _describe(timed: Any, record: Any, mnemonic: str, text: str, clocks: UnitClocks) -> None:
    kind = CLASSES[record["kind"]]
    unit = _UNIT_OF_CLASS.get(kind, "memory")
    timed["unit"] = UNITS.index(unit)
    match unit:
        case "vector":
            timed["issue"] = timed["busy"] = vector_clocks(mnemonic)
            timed["result"] = timed["chain"] = timed["busy"]
        case "matrix":
            passes = clocks.passes(mnemonic, text)
            timed["busy"] = PASS * passes
            timed["result"] = clocks.result_clocks(passes)
            timed["chain"] = clocks.chain_clocks(passes)
        case "scalar" | "scalar_memory":
            timed["busy"] = PASS
        case "branch":
            timed["busy"], timed["issue"] = PASS, clocks.branch
        case "lds":
            timed["busy"], timed["cost_clocks"] = _LEAST_LDS, 1
        case "memory":
            timed["is_store"] = kind.endswith("store")
            timed["cost_clocks"] = clocks.line_bytes // clocks.near_rate
            # Scratch lies lane by lane, and is not counted in lines.
            moved = 64 * int(record["bytes"]) if kind.startswith("scratch") else 0
            timed["busy"] = max(PASS, moved // clocks.near_rate)
        case "none":
            _describe_other(timed, mnemonic, text)
    _describe_registers(timed, record, writes=unit in ("vector", "matrix"))


def _describe_other(timed: Any, mnemonic: str, text: str) -> None:
    found = re.search(r"\s(0x[0-9a-f]+|\d+)", text)
    number = int(found.group(1), 0) if found else 0
    match mnemonic:
        case "s_setprio":
            timed["priority"] = number
        case "s_nop":
            timed["issue"] = PASS * (number + 1)
        case "s_sleep":
            timed["issue"] = max(PASS, 64 * number)


def _describe_registers(timed: Any, record: Any, writes: bool) -> None:
    """The vector registers that an instruction waits for; loads write after a wait of their own."""
    count = 0
    for k in range(int(record["range_count"])):
        written = k >= int(record["read_count"])
        if not record["range_is_vector"][k] or (written and not writes):
            continue
        role = ACCUMULATOR if k == record["accumulator"] else WRITE if written else READ
        timed["range_first"][count] = record["range_first"][k]
        timed["range_size"][count] = record["range_size"][k]
        timed["range_role"][count] = role
        count += 1
    timed["range_count"] = count
