"""A few lines of assembly with random registers, and the state they must lead to."""

import copy
import re
import zlib
from dataclasses import dataclass, replace

import numpy as np

from tests.runtime.emulator.assembly_kernel import lanes_of
from tests.runtime.emulator.gfx11_names import older_name
from tests.runtime.emulator.instruction_text import SPECIAL_WIDTH, Instruction, parse_instruction
from tests.runtime.emulator.instruction_values import register_words
from tests.runtime.emulator.reference_access import LDS_BYTES, MEMORY_BYTES, SCRATCH_BYTES
from tests.runtime.emulator.reference_matrix import matrix_meaning, wave_matrix_meaning
from tests.runtime.emulator.reference_memory import memory_meaning
from tests.runtime.emulator.reference_scalar import SCALAR_OPERATIONS
from tests.runtime.emulator.reference_scaled_matrix import scaled_matrix_meaning
from tests.runtime.emulator.reference_state import (
    SPECIAL_INDEX,
    Array,
    Meaning,
    Register,
    State,
)
from tests.runtime.emulator.reference_vector_special import VECTOR_OPERATIONS

FIRST_REGISTER = {"v": 8, "s": 16, "a": 0}
# Instructions whose meaning with some lanes off the manuals leave open.
WHOLE_WAVE = ("v_permlane16_swap", "v_permlane32_swap", "ds_read_b64_tr")
WAVES = {"vector": 16, "scalar": 128, "memory": 4, "matrix": 4}


def meaning_of(instruction: Instruction) -> Meaning | None:
    """What the reference knows about an instruction, None where it knows nothing."""
    base = older_name(instruction.base)
    if instruction.second is not None:
        return dual_meaning(instruction)
    if base in VECTOR_OPERATIONS:
        return VECTOR_OPERATIONS[base]
    if base in SCALAR_OPERATIONS:
        return SCALAR_OPERATIONS[base]
    if (meaning := matrix_meaning(base) or scaled_matrix_meaning(base)) is not None:
        return meaning
    if (meaning := wave_matrix_meaning(base)) is not None:
        return meaning
    return memory_meaning(instruction)


def dual_meaning(instruction: Instruction) -> Meaning | None:
    """Two operations that both read before either writes."""
    parts = tuple(replace(x, second=None) for x in instruction.parts)
    meanings = tuple(meaning_of(x) for x in parts)
    if None in meanings:
        return None

    def run(state: State, _: Instruction) -> None:
        before = copy.deepcopy(state)
        for part, meaning in zip(parts, meanings, strict=True):
            assert meaning is not None
            alone = copy.deepcopy(before)
            alone.floats = []
            older = replace(part, mnemonic=older_name(part.mnemonic))
            meaning.run(alone, older)
            register = part.operands[0].registers[0]
            state.registers[register] = alone.registers[register]
            state.floats.extend(alone.floats)

    types = tuple(t for meaning in meanings if meaning is not None for t in meaning.types)
    return Meaning(run, types)


def kind_of(line: str) -> str:
    """Which batch a line belongs to: vector, scalar, memory or matrix."""
    instruction = parse_instruction(line)
    base = older_name(instruction.base)
    if base in VECTOR_OPERATIONS:
        return "vector"
    if base in SCALAR_OPERATIONS:
        return "scalar"
    return "matrix" if base.startswith(("v_mfma", "v_wmma")) else "memory"


@dataclass(frozen=True, slots=True)
class Case:
    """`before` and `after` are states of the same registers; `text` is what was asked for."""

    text: str
    instruction: Instruction
    before: State
    after: State

    @property
    def kind(self) -> str:
        return kind_of(self.text)

    def registers(self, kind: str) -> tuple[int, ...]:
        return tuple(sorted(index for name, index in self.before.registers if name == kind))

    @property
    def scalars(self) -> tuple[int, ...]:
        """Ordinary scalar registers; special ones have numbers above 101."""
        return tuple(x for x in self.registers("s") if x <= 101)

    def uses_special(self, name: str) -> bool:
        return ("s", SPECIAL_INDEX[name]) in self.before.registers


def renamed(instruction: Instruction) -> Instruction:
    """The instruction on registers that start at FIRST_REGISTER, runs and alignment kept."""
    names: dict[Register, int] = {}
    operands = [x for part in instruction.parts for x in part.operands]
    for kind, first in FIRST_REGISTER.items():
        used = sorted({r[1] for operand in operands for r in operand.registers if r[0] == kind})
        following = first
        for position, index in enumerate(used):
            if position == 0 or index != used[position - 1] + 1:
                following += (index - following) % 4
            names[kind, index] = following
            following += 1
    return instruction.rename(names)


def within_blocks(instruction: Instruction) -> Instruction:
    """The instruction with offsets that leave room in the small memories of a case."""
    limits = {"ds": 512, "scratch": 64, "buffer": 1024}
    limit = limits.get(instruction.base.partition("_")[0], 4096)

    def fit(name: str, value: str) -> str:
        if name in ("offset0", "offset1") and re.search("st64|stride64", instruction.base):
            return str(int(value) % 2 + (2 if name == "offset1" else 0))
        if name in ("offset0", "offset1"):
            return str(int(value) % 32 + (32 if name == "offset1" else 0))
        if name == "offset" and "swizzle" not in value and abs(int(value, 0)) >= limit:
            return str(int(value, 0) % limit)
        return value

    fitted = tuple((name, fit(name, value)) for name, value in instruction.modifiers)
    return replace(instruction, modifiers=fitted)


def special_registers(instruction: Instruction, lanes: int) -> set[str]:
    found = {x.text for part in instruction.parts for x in part.operands}
    found &= SPECIAL_WIDTH.keys() | {"null"}
    if "cndmask" in instruction.assembly() and instruction.second is not None:
        found.add("vcc")
    found = {x.removesuffix("_lo").removesuffix("_hi") for x in found}
    if "div_fmas" in instruction.base:
        found.add("vcc")
    if "_lds_" in instruction.base or instruction.has("lds"):
        found.add("m0")
    found.add("exec")
    return found - {"null"}


def random_state(
    instruction: Instruction, meaning: Meaning, target: str, waves: int, rng: np.random.Generator
) -> State:
    """Every register that the instruction names, filled by the types of its operands."""
    state = State(target, waves, lanes=lanes_of(target))
    lanes = state.lanes
    operands = [x for part in instruction.parts for x in part.operands]
    for position, operand in enumerate(operands):
        types = meaning.types
        type_name = (types[position] if position < len(types) else "") or "b32"
        type_name = "b64" if type_name == "mask" else type_name
        shape = (waves,) if operand.kind == "s" else (waves, lanes)
        registers = operand.registers
        words: list[Array] = []
        while len(words) < len(registers):
            words.extend(register_words(rng, type_name, shape))
        for register, word in zip(registers, words, strict=False):
            state.registers[register] = word
    for name in special_registers(instruction, lanes):
        for k in range(SPECIAL_WIDTH[name]):
            register = ("s", SPECIAL_INDEX[name] + k)
            state.registers[register] = register_words(rng, "b32", (waves,))[0]
    if "null" in instruction.assembly():
        for k in (0, 1):
            state.registers["s", SPECIAL_INDEX["null"] + k] = np.zeros(waves, np.uint32)
    exec_mask = random_exec(rng, waves)
    if instruction.base.startswith(WHOLE_WAVE):
        exec_mask[:] = ~np.uint64(0)
    if lanes == 32:
        exec_mask &= np.uint64(0xFFFFFFFF)
        exec_mask[1] = np.uint64(1) << np.uint64(rng.integers(0, 32))
    state.write_scalar64(SPECIAL_INDEX["exec"], exec_mask)
    state.scc = rng.random(waves) < 0.5
    return state


def random_exec(rng: np.random.Generator, waves: int) -> Array:
    """All lanes in half of the waves, random ones in the others, and a single lane once."""
    masks = rng.integers(0, 1 << 63, waves, dtype=np.uint64) * np.uint64(2)
    masks |= rng.integers(0, 2, waves).astype(np.uint64)
    masks[::2] = ~np.uint64(0)
    masks[1] = np.uint64(1) << np.uint64(rng.integers(0, 64))
    return masks


def add_memory(instruction: Instruction, state: State, rng: np.random.Generator) -> None:
    """Random contents of the kinds of memory that the instruction touches."""
    base = instruction.base
    waves, lanes = state.waves, state.lanes
    if base.startswith(("global_", "flat_", "buffer_", "s_load", "s_buffer")):
        state.memory = random_block(rng, (waves, MEMORY_BYTES))
    if base.startswith("ds_") or "_lds_" in base or instruction.has("lds"):
        state.lds = random_block(rng, (waves, LDS_BYTES))
    if base.startswith("scratch_"):
        state.scratch = random_block(rng, (waves, lanes, SCRATCH_BYTES))


def random_block(rng: np.random.Generator, shape: tuple[int, ...]) -> Array:
    return np.frombuffer(rng.bytes(int(np.prod(shape))), np.uint8).reshape(shape).copy()


def make_case(text: str, target: str) -> Case:
    """The case for one instruction; the same text always gets the same registers.

    Raises `LookupError` where the reference has no meaning for the instruction.
    """
    instruction = renamed(within_blocks(parse_instruction(text)))
    meaning = meaning_of(instruction)
    if meaning is None:
        raise LookupError(f"the reference has no meaning for {text!r}")
    rng = np.random.default_rng(zlib.crc32(text.encode()))
    before = random_state(instruction, meaning, target, WAVES[kind_of(text)], rng)
    add_memory(instruction, before, rng)
    if meaning.prepare is not None:
        meaning.prepare(before, instruction, rng)
    after = copy.deepcopy(before)
    with np.errstate(all="ignore"):
        meaning.run(after, replace(instruction, mnemonic=older_name(instruction.mnemonic)))
    return Case(text, instruction, before, ignoring_pointers(before, after))


def ignoring_pointers(before: State, after: State) -> State:
    """Registers that hold addresses differ by the memory's place: only changed bits count."""
    for kind, index in before.pointers:
        for k in (0, 1):
            register = (kind, index + k)
            changed = before.registers[register] ^ after.registers[register]
            after.undefined[register] = ~changed
    return after
