"""Global, flat and buffer instructions, and loads that go straight to LDS.

Each has a `prepare` that puts addresses into the registers that the instruction names: inside
the wave's block, on lanes of their own where the order of lanes would matter.
"""

from dataclasses import dataclass

import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_access import (
    LDS_BYTES,
    M0,
    MEMORY_BYTES,
    Access,
    alignment,
    gather,
    lane_slots,
    load_registers,
    scatter,
    store_bytes,
)
from tests.runtime.emulator.reference_atomics import (
    atomic_addresses,
    fill_with_floats,
    offer_matches,
    returns_old,
    run_atomic,
    write_old,
)
from tests.runtime.emulator.reference_scalar import read_scalar
from tests.runtime.emulator.reference_state import (
    Array,
    Meaning,
    State,
    read_bits,
    read_words,
)


def pointer64(state: State, operand: Operand) -> Array:
    low, high = (
        read_words(state, operand, 2)
        if operand.kind == "v"
        else [
            np.broadcast_to(state.scalar(operand.index + k)[:, None], (state.waves, state.lanes))
            for k in (0, 1)
        ]
    )
    return low.astype(np.int64) | high.astype(np.int64) << np.int64(32)


def set_vector64(state: State, operand: Operand, value: Array) -> None:
    bits = value.astype(np.int64).view(np.uint64)
    for k in (0, 1):
        word = (bits >> np.uint64(32 * k)).astype(np.uint32)
        state.registers["v", operand.index + k] = word
    state.pointers.add(("v", operand.index))


@dataclass(frozen=True, slots=True)
class GlobalForm:
    """Where a global or flat instruction has its address operands."""

    vector: int
    scalar: int | None

    def address(self, state: State, instruction: Instruction) -> Array:
        offset = instruction.number("offset")
        vector = instruction.operands[self.vector]
        base = self.scalar_operand(instruction)
        if base is None:
            return pointer64(state, vector) + offset
        return pointer64(state, base) + read_bits(state, vector, "u32").astype(np.int64) + offset

    def scalar_operand(self, instruction: Instruction) -> Operand | None:
        if self.scalar is None or self.scalar >= len(instruction.operands):
            return None
        operand = instruction.operands[self.scalar]
        return operand if operand.kind == "s" else None

    def put(self, state: State, instruction: Instruction, addresses: Array) -> None:
        """Sets the address registers so that the lanes reach `addresses`."""
        offset = instruction.number("offset")
        vector = instruction.operands[self.vector]
        base = self.scalar_operand(instruction)
        if base is None:
            set_vector64(state, vector, addresses - offset)
            return
        start = addresses.min(axis=1) - offset
        state.write_scalar64(base.index, start.view(np.uint64))
        state.pointers.add(("s", base.index))
        relative = addresses - offset - start[:, None]
        state.registers["v", vector.index] = relative.astype(np.uint32)


def global_load(kind: str, access: Access) -> Meaning:
    form = GlobalForm(1, None if kind == "flat" else 2)

    def run(state: State, instruction: Instruction) -> None:
        data = gather(state.memory, form.address(state, instruction), access.size)
        load_registers(state, instruction.operands[0], data, access, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        spots = (MEMORY_BYTES - 16) // alignment(access.size)
        where = rng.integers(0, spots, (state.waves, state.lanes)) * alignment(access.size)
        form.put(state, instruction, where.astype(np.int64))

    return Meaning(run, ("", "b32", "b32"), prepare)


def global_store(kind: str, access: Access) -> Meaning:
    form = GlobalForm(0, None if kind == "flat" else 2)

    def run(state: State, instruction: Instruction) -> None:
        data = store_bytes(state, instruction.operands[1], access)
        scatter(state.memory, form.address(state, instruction), data, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        step = alignment(access.size)
        form.put(state, instruction, lane_slots(state, rng, access.size, MEMORY_BYTES, step))

    return Meaning(run, ("b32", "b32", "b32"), prepare)


def global_atomic(kind: str, operation: str, size: int) -> Meaning:
    def form_of(instruction: Instruction) -> GlobalForm:
        first = 1 if returns_old(instruction) else 0
        return GlobalForm(first, None if kind == "flat" else first + 2)

    def run(state: State, instruction: Instruction) -> None:
        form = form_of(instruction)
        source = instruction.operands[form.vector + 1]
        data = read_words(state, source, source.count)
        where = form.address(state, instruction)
        old = run_atomic(state, state.memory, where, operation, size, data, state.active)
        if returns_old(instruction):
            write_old(state, instruction.operands[0], old, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        form = form_of(instruction)
        where = atomic_addresses(
            state, rng, operation, size, returns_old(instruction), MEMORY_BYTES
        )
        form.put(state, instruction, where)
        source = instruction.operands[form.vector + 1]
        fill_with_floats(state, "memory", source, operation, size, rng)
        if operation == "cmpswap":
            offer_matches(state, state.memory, where, size, source, size // 4, rng)

    return Meaning(run, ("", "b32", "b32", "b32"), prepare)


# Buffers: (vector data, vector address or off, descriptor, scalar offset).
BUFFER_RECORDS = 4096


def buffer_offset(state: State, instruction: Instruction, first: int) -> Array:
    vector, scalar = instruction.operands[first], instruction.operands[first + 2]
    offset = np.full((state.waves, state.lanes), instruction.number("offset"), np.int64)
    if instruction.has("offen"):
        offset = offset + read_bits(state, vector, "u32").astype(np.int64)
    return offset + read_scalar(state, scalar, "u32").astype(np.int64)[:, None]


def buffer_start(state: State, instruction: Instruction, first: int) -> Array:
    descriptor = instruction.operands[first + 1]
    low = state.scalar(descriptor.index).astype(np.int64)
    return (low | (state.scalar(descriptor.index + 1).astype(np.int64) << np.int64(32)))[:, None]


def buffer_in_range(state: State, instruction: Instruction, first: int, size: int) -> Array:
    records = state.scalar(instruction.operands[first + 1].index + 2).astype(np.int64)[:, None]
    return buffer_offset(state, instruction, first) + size <= records


def prepare_buffer(
    state: State, instruction: Instruction, rng: np.random.Generator, first: int, size: int
) -> None:
    """A descriptor over half of the block; about one lane in eight is out of its range."""
    vector, descriptor, scalar = instruction.operands[first : first + 3]
    start = rng.integers(0, 64, state.waves) * 16
    state.write_scalar64(descriptor.index, start.astype(np.uint64))
    state.write_scalar(descriptor.index + 2, np.full(state.waves, BUFFER_RECORDS, np.uint32))
    state.write_scalar(descriptor.index + 3, np.full(state.waves, 0x00027000, np.uint32))
    state.pointers.add(("s", descriptor.index))
    moved = np.zeros(state.waves, np.int64)
    if scalar.kind == "s":
        moved = rng.integers(0, 16, state.waves) * 16
        state.write_scalar(scalar.index, moved)
    if not instruction.has("offen"):
        return
    fixed = instruction.number("offset") + moved[:, None]
    stride = max(size, 4)
    room = BUFFER_RECORDS - int(fixed.max()) - 16
    where = lane_slots(state, rng, stride, room, stride)
    beyond = rng.random((state.waves, state.lanes)) < 0.125
    where = np.where(beyond, where + BUFFER_RECORDS, where)
    state.registers["v", vector.index] = where.astype(np.uint32)


def buffer_load(access: Access) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        where = buffer_start(state, instruction, 1) + buffer_offset(state, instruction, 1)
        inside = buffer_in_range(state, instruction, 1, access.size)
        data = gather(state.memory, where, access.size)
        data = np.where(inside[:, :, None], data, 0).astype(np.uint8)
        load_registers(state, instruction.operands[0], data, access, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        prepare_buffer(state, instruction, rng, 1, access.size)

    return Meaning(run, ("", "b32", "b32", "b32"), prepare)


def buffer_store(access: Access) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        where = buffer_start(state, instruction, 1) + buffer_offset(state, instruction, 1)
        inside = buffer_in_range(state, instruction, 1, access.size)
        data = store_bytes(state, instruction.operands[0], access)
        scatter(state.memory, where, data, state.active & inside)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        prepare_buffer(state, instruction, rng, 1, access.size)

    return Meaning(run, ("b32", "b32", "b32", "b32"), prepare)


def buffer_atomic(operation: str, size: int) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        where = buffer_start(state, instruction, 1) + buffer_offset(state, instruction, 1)
        mask = state.active & buffer_in_range(state, instruction, 1, size)
        source = instruction.operands[0]
        data = read_words(state, source, source.count)
        old = run_atomic(state, state.memory, where, operation, size, data, mask)
        if returns_old(instruction):
            write_old(state, source, old, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        prepare_buffer(state, instruction, rng, 1, size)
        fill_with_floats(state, "memory", instruction.operands[0], operation, size, rng)
        if operation == "cmpswap":
            where = buffer_start(state, instruction, 1) + buffer_offset(state, instruction, 1)
            source = instruction.operands[0]
            offer_matches(state, state.memory, where, size, source, size // 4, rng)

    return Meaning(run, ("b32", "b32", "b32", "b32"), prepare)


# Loads that go straight to LDS: position by lane, base in M0.


def lds_positions(state: State, instruction: Instruction, size: int) -> Array:
    base = state.scalar(M0).astype(np.int64) & 0xFFFF
    lane = np.arange(state.lanes, dtype=np.int64)
    stride = 4 if size <= 4 else 16  # "CDNA4 Instruction Set Architecture", section 9.1.9
    return base[:, None] + instruction.number("offset") + lane * stride


def load_to_lds(state: State, instruction: Instruction, data: Array) -> None:
    size = data.shape[2]
    if size < 4:  # narrow data arrives as a dword
        data = np.pad(data, ((0, 0), (0, 0), (0, 4 - size)))
    scatter(state.lds, lds_positions(state, instruction, size), data, state.active)


def global_load_lds(access: Access) -> Meaning:
    form = GlobalForm(0, 1)

    def run(state: State, instruction: Instruction) -> None:
        data = gather(state.memory, form.address(state, instruction), access.size)
        load_to_lds(state, instruction, data)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        spots = (MEMORY_BYTES - 16) // 16
        where = rng.integers(0, spots, (state.waves, state.lanes)) * 16
        form.put(state, instruction, where.astype(np.int64))
        prepare_m0(state, instruction, rng, access.size)

    return Meaning(run, ("b32", "b32"), prepare)


def prepare_m0(state: State, instruction: Instruction, rng: np.random.Generator, size: int) -> None:
    room = LDS_BYTES - state.lanes * max(size, 16) - instruction.number("offset")
    state.write_scalar(M0, rng.integers(0, room // 16 + 1, state.waves) * 16)


def buffer_load_lds(access: Access) -> Meaning:
    """`buffer_load … lds`: the address operand comes first."""

    def run(state: State, instruction: Instruction) -> None:
        where = buffer_start(state, instruction, 0) + buffer_offset(state, instruction, 0)
        inside = buffer_in_range(state, instruction, 0, access.size)
        data = gather(state.memory, where, access.size)
        load_to_lds(state, instruction, np.where(inside[:, :, None], data, 0).astype(np.uint8))

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        prepare_buffer(state, instruction, rng, 0, access.size)
        prepare_m0(state, instruction, rng, access.size)

    return Meaning(run, ("b32", "b32", "b32"), prepare)
