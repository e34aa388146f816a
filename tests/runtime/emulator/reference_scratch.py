"""Scratch, memory of each lane's own, and scalar loads."""

from collections.abc import Callable

import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_access import (
    SCRATCH_BYTES,
    Access,
    gather,
    load_registers,
    scatter,
    store_bytes,
)
from tests.runtime.emulator.reference_scalar import read_scalar
from tests.runtime.emulator.reference_state import (
    Array,
    Meaning,
    State,
    read_bits,
    scalar_index,
)

# Scratch: memory of each lane's own


def scratch_address(state: State, instruction: Instruction, first: int) -> Array:
    total = np.full((state.waves, state.lanes), instruction.number("offset"), np.int64)
    for operand in instruction.operands[first : first + 2]:
        if operand.is_register:
            total = total + read_bits(state, operand, "u32").astype(np.int64)
    return total


def prepare_scratch(first: int, size: int) -> Callable[..., None]:
    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        room = SCRATCH_BYTES - instruction.number("offset") - size
        for operand in instruction.operands[first : first + 2]:
            if operand.kind == "v":
                spots = rng.integers(0, room // 8 + 1, (state.waves, state.lanes))
                state.registers["v", operand.index] = (spots * 4).astype(np.uint32)
            elif operand.kind == "s":
                state.write_scalar(operand.index, rng.integers(0, room // 8 + 1, state.waves) * 4)

    return prepare


def scratch_form(instruction: Instruction, load: bool) -> tuple[Operand, int]:
    """(data operand, number of the first address operand)."""
    if load:
        return instruction.operands[0], 1
    return instruction.operands[1], 0


def scratch_load(access: Access) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        where = scratch_address(state, instruction, 1)
        flat = state.scratch.reshape(state.waves * state.lanes, -1)
        rows = gather(flat, where.reshape(-1, 1), access.size)
        data = rows.reshape(state.waves, state.lanes, access.size)
        load_registers(state, instruction.operands[0], data, access, state.active)

    return Meaning(run, ("", "b32", "b32"), prepare_scratch(1, access.size))


def scratch_store(access: Access) -> Meaning:
    """Stores name the address, the data and then the scalar offset."""

    def reordered(instruction: Instruction) -> Instruction:
        address, data, *rest = instruction.operands
        return Instruction(instruction.mnemonic, (data, address, *rest), instruction.modifiers)

    def run(state: State, instruction: Instruction) -> None:
        where = scratch_address(state, reordered(instruction), 1)
        flat = state.scratch.reshape(state.waves * state.lanes, -1)
        data = store_bytes(state, instruction.operands[1], access)
        scatter(
            flat,
            where.reshape(-1, 1),
            data.reshape(-1, 1, access.size),
            state.active.reshape(-1, 1),
        )

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        prepare_scratch(1, access.size)(state, reordered(instruction), rng)

    return Meaning(run, ("b32", "b32", "b32"), prepare)


# Scalar loads


def scalar_load(words: int) -> Meaning:
    def address(state: State, instruction: Instruction) -> Array:
        _, base, offset = instruction.operands
        total = state.scalar64(base.index).astype(np.int64) + instruction.number("offset")
        if offset.kind == "constant":
            return total + int(offset.text, 0)
        return total + read_scalar(state, offset, "u32").astype(np.int64)

    def run(state: State, instruction: Instruction) -> None:
        destination = instruction.operands[0]
        where = address(state, instruction)[:, None]
        data = np.ascontiguousarray(gather(state.memory, where, 4 * words)).view(np.uint32)
        for k in range(words):
            state.write_scalar(scalar_index(destination) + k, data[:, 0, k])

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        _, base, offset = instruction.operands
        shift = instruction.number("offset")
        if offset.kind == "s":
            moved = rng.integers(0, 256, state.waves) * 4
            state.write_scalar(offset.index, moved)
        else:
            shift += int(offset.text, 0)
        start = rng.integers(64, 512, state.waves) * 4 - shift
        state.write_scalar64(base.index, start.astype(np.int64).view(np.uint64))
        state.pointers.add(("s", base.index))

    return Meaning(run, ("", "b64", "u32"), prepare)


def scalar_buffer_load(words: int) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        destination, descriptor, offset = instruction.operands
        start = state.scalar(descriptor.index).astype(np.int64)
        where = read_scalar(state, offset, "u32").astype(np.int64)
        where = where + instruction.number("offset")
        for k in range(words):
            inside = where + 4 * k + 4 <= state.scalar(descriptor.index + 2).astype(np.int64)
            data = np.ascontiguousarray(gather(state.memory, (start + where + 4 * k)[:, None], 4))
            word = data.view(np.uint32)[:, 0, 0]
            state.write_scalar(scalar_index(destination) + k, np.where(inside, word, 0))

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        _, descriptor, offset = instruction.operands
        state.write_scalar64(descriptor.index, (rng.integers(0, 64, state.waves) * 16))
        state.write_scalar(descriptor.index + 2, np.full(state.waves, 256))
        state.write_scalar(descriptor.index + 3, np.full(state.waves, 0x00027000))
        state.pointers.add(("s", descriptor.index))
        if offset.kind == "s":
            state.write_scalar(offset.index, rng.integers(0, 64, state.waves) * 4)

    return Meaning(run, ("", "b32", "u32"), prepare)
