"""Runs many one-instruction cases in one assembly kernel, one wave to a workgroup.

For each case the kernel loads the registers, runs the instruction under the wave's EXEC mask
and stores every register again. The layout of the streams is the order of the cases.
"""

import subprocess
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, field
from pathlib import Path

import numpy as np

from lumc.codegen.toolchains.clang import ClangToolchain
from lumc.codegen.toolchains.discovery import choose_toolchain
from lumc.runtime.emulator import Emulator
from tests.runtime.emulator.assembly_kernel import AssemblyKernel
from tests.runtime.emulator.instruction_case import Case
from tests.runtime.emulator.reference_access import LDS_BYTES, MEMORY_BYTES, SCRATCH_BYTES
from tests.runtime.emulator.reference_state import (
    DTYPES,
    SPECIAL_INDEX,
    UNSIGNED,
    Array,
    FloatResult,
    Register,
    State,
)

KERNEL = "instruction_cases"

# The harness is written for waves of 64; what gfx11 calls differently, longest first.
GFX11_TEXT = (
    ("global_load_dwordx4", "global_load_b128"),
    ("global_store_dwordx4", "global_store_b128"),
    ("scratch_load_dwordx4", "scratch_load_b128"),
    ("scratch_store_dwordx4", "scratch_store_b128"),
    ("s_load_dwordx8", "s_load_b256"),
    ("s_load_dwordx4", "s_load_b128"),
    ("s_load_dword", "s_load_b32"),
    ("ds_write_b128", "ds_store_b128"),
    ("ds_read_b128", "ds_load_b128"),
    ("s_mov_b64 exec, s[8:9]", "s_mov_b32 exec_lo, s8"),
    ("s_mov_b64 exec, -1", "s_mov_b32 exec_lo, -1"),
    ("s_mov_b64 s[12:13], exec", "s_mov_b64 s[12:13], exec"),
    ("v_add_co_u32_e32", "v_add_co_u32"),
    ("v_addc_co_u32_e32", "v_add_co_ci_u32_e32"),
    (" vcc,", " vcc_lo,"),
    (", vcc\n", ", vcc_lo\n"),
    ("s_mov_b64 vcc_lo,", "s_mov_b64 vcc,"),
    ("s_waitcnt vmcnt(0) lgkmcnt(0)", "s_waitcnt vmcnt(0) lgkmcnt(0)\n  s_waitcnt_vscnt null, 0x0"),
)


def chunk_bytes(lanes: int) -> int:
    """Four registers, [lane][register]."""
    return 16 * lanes


def harness_text(text: str, lanes: int) -> str:
    if lanes == 64:
        return text
    for before, after in GFX11_TEXT:
        text = text.replace(before, after)
    return text


@dataclass(slots=True)
class Text:
    """The kernel's text, and how far each stream has been used."""

    lanes: int = 64
    lines: list[str] = field(default_factory=list)
    loaded: int = 0
    stored: int = 0
    scalars: int = 0

    def emit(self, *lines: str) -> None:
        """Adds lines of the harness, in the target's words."""
        self.lines.extend(harness_text(f"{line}\n", self.lanes).rstrip() for line in lines)

    def emit_as_is(self, line: str) -> None:
        self.lines.append(line)

    @property
    def chunk(self) -> int:
        return chunk_bytes(self.lanes)

    def load_chunk(self, first: int) -> None:
        """Four vector registers from the input stream."""
        self._advance("s2", "s3", self.loaded)
        place = self.loaded % 4 * self.chunk
        self.emit(f"global_load_dwordx4 v[{first}:{first + 3}], v0, s[2:3] offset:{place}")
        self.loaded += 1

    def store_chunk(self, first: int) -> None:
        self._advance("s4", "s5", self.stored)
        place = self.stored % 4 * self.chunk
        self.emit(f"global_store_dwordx4 v0, v[{first}:{first + 3}], s[4:5] offset:{place}")
        self.stored += 1

    def _advance(self, low: str, high: str, count: int) -> None:
        if count and count % 4 == 0:
            self.emit(f"s_add_u32 {low}, {low}, {4 * self.chunk}", f"s_addc_u32 {high}, {high}, 0")

    def load_scalar(self, target: str, count: int = 1) -> None:
        suffix = "" if count == 1 else f"x{count}"
        self.emit(f"s_load_dword{suffix} {target}, s[6:7], {4 * self.scalars:#x}")
        self.scalars += count


def vector_chunks(case: Case, kind: str) -> range:
    """First registers of the groups of four that cover the case's registers."""
    used = case.registers(kind)
    if not used:
        return range(0)
    first = used[0] // 4 * 4
    return range(first, used[-1] + 1, 4)


def emit_case(text: Text, case: Case, memory_offset: int) -> None:
    emit_inputs(text, case)
    emit_pointers(text, case, memory_offset)
    if case.uses_special("vcc"):
        text.emit("s_mov_b64 vcc, s[10:11]")
    if case.uses_special("m0"):
        text.emit("s_mov_b32 m0, s14")
    text.emit("s_mov_b64 exec, s[8:9]", "s_cmp_lg_u32 s15, 0")
    text.emit_as_is(case.instruction.assembly())
    text.emit("s_cselect_b32 s15, 1, 0", "s_mov_b64 s[12:13], exec", "s_mov_b64 exec, -1")
    text.emit("s_nop 15", "s_waitcnt vmcnt(0) lgkmcnt(0)")
    emit_outputs(text, case)


def emit_inputs(text: Text, case: Case) -> None:
    if case.before.lds.size:
        for place in range(0, LDS_BYTES, text.chunk):
            text.load_chunk(4)
            text.emit("s_waitcnt vmcnt(0)", f"ds_write_b128 v0, v[4:7] offset:{place}")
    if case.before.scratch.size:
        for place in range(0, SCRATCH_BYTES, 16):
            text.load_chunk(4)
            text.emit(
                "s_waitcnt vmcnt(0)", f"scratch_store_dwordx4 off, v[4:7], off offset:{place}"
            )
    for first in vector_chunks(case, "a"):
        text.load_chunk(4)
        text.emit("s_waitcnt vmcnt(0)")
        text.emit(*(f"v_accvgpr_write_b32 a{first + k}, v{4 + k}" for k in range(4)))
    for first in vector_chunks(case, "v"):
        text.load_chunk(first)
    for index in case.scalars:
        text.load_scalar(f"s{index}")
    text.load_scalar("s8")
    text.load_scalar("s9")
    text.load_scalar("s10")
    text.load_scalar("s11")
    text.load_scalar("s14")
    text.load_scalar("s15")
    text.emit("s_waitcnt vmcnt(0) lgkmcnt(0)")


def emit_pointers(text: Text, case: Case, memory_offset: int) -> None:
    """Makes relative pointers absolute: s[100:101] is where this wave's memory begins."""
    if not case.before.pointers:
        return
    text.emit(f"s_add_u32 s12, s100, {memory_offset}", "s_addc_u32 s13, s101, 0")
    for kind, index in sorted(case.before.pointers):
        if kind == "s":
            text.emit(
                f"s_add_u32 s{index}, s{index}, s12", f"s_addc_u32 s{index + 1}, s{index + 1}, s13"
            )
        else:
            text.emit(
                "v_mov_b32_e32 v3, s13",
                f"v_add_co_u32_e32 v{index}, vcc, s12, v{index}",
                f"v_addc_co_u32_e32 v{index + 1}, vcc, v3, v{index + 1}, vcc",
            )


def scalar_outputs(case: Case) -> tuple[str, ...]:
    """Scalar registers that are stored: ordinary ones, SCC, EXEC, VCC and M0."""
    ordinary = tuple(f"s{index}" for index in case.scalars)
    return (*ordinary, "s15", "s12", "s13", "vcc_lo", "vcc_hi", "m0")


def reports_scalars(case: Case) -> bool:
    """Whether the instruction could change a scalar register."""
    return (
        case.instruction.mnemonic.startswith(("s_", "v_cmp", "v_read"))
        or bool(case.scalars)
        or case.uses_special("vcc")
    )


def emit_outputs(text: Text, case: Case) -> None:
    if reports_scalars(case):
        for position, register in enumerate(scalar_outputs(case)):
            text.emit(f"v_writelane_b32 v4, {register}, {position}")
        text.store_chunk(4)
    for first in vector_chunks(case, "v"):
        text.store_chunk(first)
    for first in vector_chunks(case, "a"):
        text.emit(*(f"v_accvgpr_read_b32 v{4 + k}, a{first + k}" for k in range(4)))
        text.store_chunk(4)
    if case.before.lds.size:
        for place in range(0, LDS_BYTES, text.chunk):
            text.emit(f"ds_read_b128 v[4:7], v0 offset:{place}", "s_waitcnt lgkmcnt(0)")
            text.store_chunk(4)
    if case.before.scratch.size:
        for place in range(0, SCRATCH_BYTES, 16):
            text.emit(f"scratch_load_dwordx4 v[4:7], off, off offset:{place}")
            text.emit("s_waitcnt vmcnt(0)")
            text.store_chunk(4)


PROLOGUE = """
  s_mov_b32 s15, s2
  s_load_dwordx8 s[16:23], s[0:1], 0x0
  s_load_dwordx4 s[24:27], s[0:1], 0x20
  s_waitcnt lgkmcnt(0)
  s_mul_i32 s12, s15, s24
  s_mul_hi_u32 s13, s15, s24
  s_add_u32 s2, s16, s12
  s_addc_u32 s3, s17, s13
  s_mul_i32 s12, s15, s25
  s_mul_hi_u32 s13, s15, s25
  s_add_u32 s4, s18, s12
  s_addc_u32 s5, s19, s13
  s_mul_i32 s12, s15, s26
  s_mul_hi_u32 s13, s15, s26
  s_add_u32 s6, s20, s12
  s_addc_u32 s7, s21, s13
  s_mul_i32 s12, s15, s27
  s_mul_hi_u32 s13, s15, s27
  s_add_u32 s100, s22, s12
  s_addc_u32 s101, s23, s13
  v_lshlrev_b32_e32 v0, 4, v0
  v_mov_b32_e32 v4, 0
  v_mov_b32_e32 v5, 0
  v_mov_b32_e32 v6, 0
  v_mov_b32_e32 v7, 0
  s_mov_b32 m0, 0
  s_mov_b64 vcc, 0
"""


def kernel_text(cases: Sequence[Case]) -> tuple[str, Text]:
    """The kernel's body and how much of the streams it uses."""
    text = Text(lanes=cases[0].before.lanes)
    for position, case in enumerate(cases):
        text.emit(f"; {position}: {case.text}")
        emit_case(text, case, position * MEMORY_BYTES)
    return harness_text(PROLOGUE, text.lanes) + "\n".join(text.lines), text


def assemble(assembly: str, target: str) -> bytes:
    """The code object of an assembly text."""
    toolchain = choose_toolchain(target)
    assert isinstance(toolchain, ClangToolchain)
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        (folder / "kernel.s").write_text(assembly)
        triple = ("--target=amdgcn-amd-amdhsa", f"-mcpu={target}")
        for command in (
            (*toolchain.compiler, *triple, "-x", "assembler", "-c", "kernel.s", "-o", "kernel.o"),
            (*toolchain.linker, "-shared", "kernel.o", "-o", "kernel.co"),
        ):
            done = subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)
            assert done.returncode == 0, done.stderr
        return (folder / "kernel.co").read_bytes()


def interleave(registers: Sequence[Array]) -> Array:
    """Four registers [waves, lanes] as one chunk [waves, bytes]."""
    stacked = np.ascontiguousarray(np.stack(registers, axis=2).astype("<u4"))
    return stacked.reshape(stacked.shape[0], -1)


def input_chunks(case: Case) -> list[Array]:
    state = case.before
    chunks: list[Array] = []
    waves = state.waves
    if state.lds.size:
        chunk = chunk_bytes(state.lanes) // 4
        words = np.ascontiguousarray(state.lds).view(np.uint32).reshape(waves, -1, chunk)
        chunks.extend(words[:, k] for k in range(words.shape[1]))
    if state.scratch.size:
        words = np.ascontiguousarray(state.scratch).view(np.uint32)
        chunks.extend(
            words[:, :, k : k + 4].reshape(waves, -1) for k in range(0, SCRATCH_BYTES // 4, 4)
        )
    filler = np.full((waves, state.lanes), 0xA5A5A5A5, np.uint32)
    for kind in ("a", "v"):
        for first in vector_chunks(case, kind):
            chunks.append(
                interleave([state.registers.get((kind, first + k), filler) for k in range(4)])
            )
    return chunks


def scalar_words(case: Case) -> list[Array]:
    state = case.before
    zero = np.zeros(state.waves, np.uint32)
    specials = ("exec_lo", "exec_hi", "vcc_lo", "vcc_hi", "m0")
    words = [state.scalar(index) for index in case.scalars]
    words += [state.registers.get(("s", SPECIAL_INDEX[name]), zero) for name in specials]
    return [*words, state.scc.astype(np.uint32)]


@dataclass(frozen=True, slots=True)
class Outcome:
    """What the emulator left: registers like those of `State`, and the memories."""

    case: Case
    state: State


def run_cases(cases: Sequence[Case], target: str) -> list[Outcome]:
    """Runs cases of one kind (the same number of waves) in one kernel."""
    waves, lanes = cases[0].before.waves, cases[0].before.lanes
    body, text = kernel_text(cases)
    scratch = SCRATCH_BYTES if any(case.before.scratch.size for case in cases) else 0
    kernel = AssemblyKernel(KERNEL, body, 4, 4, LDS_BYTES, scratch, lanes, bare=True)
    assembly = kernel.text(target)
    unused = [np.zeros((waves, 1), np.uint32)]
    chunks = [chunk for case in cases for chunk in input_chunks(case)]
    vector_in = np.concatenate(chunks or unused, axis=1)
    scalar_in = np.stack([word for case in cases for word in scalar_words(case)], axis=1)
    vector_out = np.full((waves, text.stored * text.chunk // 4), 0xDEADBEEF, np.uint32)
    memory = np.zeros((waves, len(cases) * MEMORY_BYTES), np.uint8)
    for position, case in enumerate(cases):
        if case.before.memory.size:
            start = position * MEMORY_BYTES
            memory[:, start : start + MEMORY_BYTES] = case.before.memory
    streams = [np.ascontiguousarray(x) for x in (vector_in, vector_out, scalar_in, memory)]
    sizes = [np.uint32(x.shape[1] * x.itemsize) for x in streams]
    emulator = Emulator(assemble(assembly, target), assembly=assembly)
    emulator.launch(KERNEL, (waves, 1, 1), (lanes, 1, 1), (*streams, *sizes))
    return read_outcomes(cases, streams[1], streams[3])


def read_outcomes(cases: Sequence[Case], vector_out: Array, memory: Array) -> list[Outcome]:
    outcomes, chunk = [], 0
    lanes = cases[0].before.lanes
    chunks = vector_out.reshape(vector_out.shape[0], -1, chunk_bytes(lanes) // 4)
    for position, case in enumerate(cases):
        state = State(case.before.target, case.before.waves, lanes=lanes)
        chunk = read_registers(case, state, chunks, chunk)
        if case.before.memory.size:
            state.memory = memory[:, position * MEMORY_BYTES : (position + 1) * MEMORY_BYTES]
        outcomes.append(Outcome(case, state))
    return outcomes


def read_registers(case: Case, state: State, chunks: Array, chunk: int) -> int:
    waves, lanes = state.waves, state.lanes
    if reports_scalars(case):
        words = chunks[:, chunk].reshape(waves, lanes, 4)[:, :, 0]
        for position, name in enumerate(scalar_outputs(case)):
            place_scalar(case, state, name, words[:, position])
        chunk += 1
    for kind in ("v", "a"):
        for first in vector_chunks(case, kind):
            words = chunks[:, chunk].reshape(waves, lanes, 4)
            for k in range(4):
                state.registers[kind, first + k] = words[:, :, k]
            chunk += 1
    if case.before.lds.size:
        count = LDS_BYTES // chunk_bytes(lanes)
        block = np.ascontiguousarray(chunks[:, chunk : chunk + count])
        state.lds = block.reshape(waves, -1).view(np.uint8)
        chunk += count
    if case.before.scratch.size:
        count = SCRATCH_BYTES // 16
        block = chunks[:, chunk : chunk + count].reshape(waves, count, lanes, 4)
        per_lane = np.ascontiguousarray(block.transpose(0, 2, 1, 3))
        state.scratch = per_lane.reshape(waves, lanes, -1).view(np.uint8)
        chunk += count
    return chunk


def place_scalar(case: Case, state: State, name: str, word: Array) -> None:
    if name == "s15":
        state.scc = word.astype(np.bool_)
        return
    special = {"s12": "exec_lo", "s13": "exec_hi"}.get(name, name)
    index = SPECIAL_INDEX[special] if special in SPECIAL_INDEX else int(name[1:])
    state.registers["s", index] = word


def float_mismatch(result: FloatResult, got: Array, expected: Array) -> Array:
    """Where a float result is neither the expected NaN nor near enough."""
    dtype = DTYPES[result.type_name]
    with np.errstate(all="ignore"):
        a, b = (x.view(dtype).astype(np.float64) for x in (got, expected))
        info = np.finfo(dtype) if dtype != DTYPES["bf16"] else None
        same = (np.isnan(a) & np.isnan(b)) | (got == expected)
        if result.ulps and info is not None:
            unit = np.maximum(np.abs(b), float(info.tiny)) * float(info.eps)
            same |= np.abs(a - b) <= result.ulps * unit
        if result.flush and info is not None:
            same |= (np.abs(b) < float(info.tiny)) & (a == 0)
        if result.flushed_inputs is not None:
            same |= a == result.flushed_inputs
        if result.tolerance is not None:
            same |= np.abs(a - b) <= result.tolerance
    wrong: Array = ~same
    return wrong


def wrong_bits(outcome: Outcome, register: Register) -> Array:
    """Boolean array: where a register differs from the reference."""
    expected = outcome.case.after.registers[register]
    got = outcome.state.registers[register]
    ignored = outcome.case.after.undefined.get(register, np.uint32(0))
    wrong = (expected ^ got) & ~ignored
    for result in outcome.case.after.floats:
        size = DTYPES[result.type_name].itemsize
        if result.register != register or size == 8:
            continue
        shift = np.uint32(16 if result.high_half else 0)
        mask = np.uint32((0xFFFF if size == 2 else 0xFFFFFFFF) << int(shift))
        halves = [
            np.ascontiguousarray((x >> shift).astype(UNSIGNED[size])) for x in (got, expected)
        ]
        bad = float_mismatch(result, *halves)
        wrong = np.where(bad, wrong, wrong & ~mask)
    different: Array = wrong != 0
    return different


def wrong_doubles(outcome: Outcome, result: FloatResult) -> Array:
    kind, index = result.register

    def join(registers: dict[Register, Array]) -> Array:
        low, high = registers[kind, index], registers[kind, index + 1]
        return low.astype(np.uint64) | high.astype(np.uint64) << np.uint64(32)

    return float_mismatch(result, join(outcome.state.registers), join(outcome.case.after.registers))


def mismatches(outcome: Outcome) -> list[str]:
    """One line for each register or memory that differs, with the first place and its inputs."""
    case, found = outcome.case, []
    doubles = {x.register: x for x in case.after.floats if x.type_name == "f64"}
    skipped = {(kind, index + 1) for kind, index in doubles}
    for register in sorted(case.after.registers):
        if register not in outcome.state.registers or register in skipped:
            continue
        if register in doubles:
            wrong = wrong_doubles(outcome, doubles[register])
        else:
            wrong = wrong_bits(outcome, register)
        if wrong.any():
            found.append(describe(outcome, register, tuple(np.argwhere(wrong)[0])))
    if reports_scalars(case) and (case.after.scc != outcome.state.scc).any():
        wave = int(np.argmax(case.after.scc != outcome.state.scc))
        found.append(
            f"SCC of wave {wave} is {outcome.state.scc[wave]}; inputs {inputs(case, wave)}"
        )
    for name in ("memory", "lds", "scratch"):
        expected, got = getattr(case.after, name), getattr(outcome.state, name)
        if expected.size and (expected != got).any():
            place = tuple(int(x) for x in np.argwhere(expected != got)[0])
            found.append(f"{name} at {place}: {got[place]:#x}, expected {expected[place]:#x}")
    return [f"{case.text}: {line}" for line in found]


def describe(outcome: Outcome, register: Register, place: tuple[int, ...]) -> str:
    name = f"{register[0]}{register[1]}"
    got = outcome.state.registers[register][place]
    expected = outcome.case.after.registers[register][place]
    where = ", ".join(str(int(x)) for x in place)
    given = inputs(outcome.case, *place)
    return f"{name}[{where}] is {got:#x}, expected {expected:#x}; inputs {given}"


def inputs(case: Case, wave: int, lane: int = 0) -> str:
    words = []
    for (kind, index), values in sorted(case.before.registers.items()):
        value = values[wave] if values.ndim == 1 else values[wave, lane]
        words.append(f"{kind}{index}={int(value):#x}")
    return " ".join(words[:12]) + f" scc={int(case.before.scc[wave])}"
