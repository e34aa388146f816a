"""LDS instructions, and exchange between lanes through the LDS hardware."""

import re

import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_access import (
    LDS_BYTES,
    Access,
    gather,
    lane_slots,
    load_registers,
    scatter,
    store_bytes,
)
from tests.runtime.emulator.reference_atomics import (
    ATOMICS,
    atomic_addresses,
    fill_with_floats,
    offer_matches,
    run_atomic,
    write_old,
)
from tests.runtime.emulator.reference_state import (
    Array,
    Meaning,
    State,
    read_bits,
    read_words,
)

# LDS


def lds_address(state: State, operand: Operand, offset: int) -> Array:
    return read_bits(state, operand, "u32").astype(np.int64) + offset


def natural_alignment(size: int) -> int:
    return {12: 16}.get(size, size)


def put_lds_address(
    state: State, instruction: Instruction, operand: Operand, addresses: Array
) -> None:
    relative = addresses - instruction.number("offset")
    state.registers["v", operand.index] = relative.astype(np.uint32)


def lds_span(instruction: Instruction) -> int:
    return LDS_BYTES - instruction.number("offset")


def lds_load(access: Access) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        where = lds_address(state, instruction.operands[1], instruction.number("offset"))
        data = gather(state.lds, where, access.size)
        load_registers(state, instruction.operands[0], data, access, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        step = natural_alignment(access.size)
        spots = (lds_span(instruction) - 16) // step
        where = rng.integers(0, spots, (state.waves, state.lanes)) * step
        register = ("v", instruction.operands[1].index)
        state.registers[register] = where.astype(np.uint32)

    return Meaning(run, ("", "b32"), prepare)


def lds_store(access: Access) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        where = lds_address(state, instruction.operands[0], instruction.number("offset"))
        scatter(state.lds, where, store_bytes(state, instruction.operands[1], access), state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        span, step = lds_span(instruction), natural_alignment(access.size)
        where = lane_slots(state, rng, access.size, span, step)
        state.registers["v", instruction.operands[0].index] = where.astype(np.uint32)

    return Meaning(run, ("b32", "b32"), prepare)


def pair_offsets(instruction: Instruction, size: int, strided: bool) -> tuple[int, int]:
    unit = size * (64 if strided else 1)
    return instruction.number("offset0") * unit, instruction.number("offset1") * unit


def lds_pair(load: bool, size: int, strided: bool) -> Meaning:
    """DS_READ2 and DS_WRITE2: two elements, offsets in elements (or 64 of them)."""
    access = Access(size)
    address_at = 1 if load else 0

    def run(state: State, instruction: Instruction) -> None:
        offsets = pair_offsets(instruction, size, strided)
        operand = instruction.operands[address_at]
        addresses = [lds_address(state, operand, offset) for offset in offsets]
        if load:
            data = [gather(state.lds, where, size) for where in addresses]
            joined = np.concatenate(data, axis=2)
            load_registers(state, instruction.operands[0], joined, Access(2 * size), state.active)
            return
        for k, where in enumerate(addresses):
            source = store_bytes(state, instruction.operands[1 + k], access)
            scatter(state.lds, where, source, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        span = LDS_BYTES - max(pair_offsets(instruction, size, strided)) - size
        if load:
            where = rng.integers(0, span // size + 1, (state.waves, state.lanes)) * size
        else:
            where = pair_slots(state, instruction, size, strided)
        register = ("v", instruction.operands[address_at].index)
        state.registers[register] = where.astype(np.uint32)

    return Meaning(run, ("b32", "b32", "b32"), prepare)


def pair_slots(state: State, instruction: Instruction, size: int, strided: bool) -> Array:
    """Addresses such that no two of all lanes' two elements meet; others share lane 0's spot."""
    offsets = pair_offsets(instruction, size, strided)
    taken: set[int] = set()
    chosen: list[int] = []
    for start in range(0, LDS_BYTES - max(offsets) - size + 1, size):
        cells = {start + offset for offset in offsets}
        if not cells & taken and len(chosen) < state.lanes:
            chosen.append(start)
            taken |= cells
    assert len(chosen) == state.lanes, f"no room for {instruction.assembly()}"
    return np.broadcast_to(np.array(chosen), (state.waves, state.lanes))


LDS_ATOMICS = {
    "wrxchg": "swap",
    "min_i": "smin",
    "max_i": "smax",
    "min_u": "umin",
    "max_u": "umax",
    "min_f": "fmin",
    "max_f": "fmax",
    "add_f": "fadd",
    "storexchg": "swap",
}


def lds_atomic_parts(name: str) -> tuple[str, int] | None:
    match = re.fullmatch(r"(pk_add_f16|pk_add_bf16)", name)
    if match:
        return match[1], 4
    match = re.fullmatch(r"(\w+?)_([buif])(32|64)", name)
    if match is None:
        return None
    operation = LDS_ATOMICS.get(f"{match[1]}_{match[2]}", LDS_ATOMICS.get(match[1], match[1]))
    if operation not in ATOMICS and operation not in ("cmpst", "cmpstore"):
        return None
    return operation, int(match[3]) // 8


def lds_atomic(operation: str, size: int, returns: bool) -> Meaning:
    first = 1 if returns else 0

    def run(state: State, instruction: Instruction) -> None:
        where = lds_address(state, instruction.operands[first], instruction.number("offset"))
        sources = instruction.operands[first + 1 :]
        data = [word for x in sources for word in read_words(state, x, size // 4)]
        name = operation
        if operation == "cmpst":  # the compare value comes first
            data, name = data[size // 4 :] + data[: size // 4], "cmpswap"
        if operation == "cmpstore":
            name = "cmpswap"
        old = run_atomic(state, state.lds, where, name, size, data, state.active)
        if returns:
            write_old(state, instruction.operands[0], old, state.active)

    def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
        where = atomic_addresses(state, rng, operation, size, returns, lds_span(instruction))
        register = ("v", instruction.operands[first].index)
        state.registers[register] = where.astype(np.uint32)
        fill_with_floats(state, "lds", instruction.operands[first + 1], operation, size, rng)
        if operation in ("cmpst", "cmpstore"):
            compared = instruction.operands[first + (1 if operation == "cmpst" else 2)]
            there = where + instruction.number("offset")
            offer_matches(state, state.lds, there, size, compared, 0, rng)

    return Meaning(run, ("", "b32", "b32", "b32"), prepare)


# Exchange between lanes through the LDS hardware


def lane_numbers(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
    """Byte addresses of lanes, some beyond the last (they wrap)."""
    register = ("v", instruction.operands[1].index)
    lanes = rng.integers(0, 2 * state.lanes, (state.waves, state.lanes))
    state.registers[register] = (lanes * 4 + rng.integers(0, 4, lanes.shape)).astype(np.uint32)


def backward_permute(state: State, instruction: Instruction) -> None:
    destination, address, source = instruction.operands
    lane = lds_address(state, address, instruction.number("offset")) // 4 % state.lanes
    values, wave = state.vector("v", source.index), np.arange(state.waves)[:, None]
    read = np.where(state.active[wave, lane], values[wave, lane], 0)
    state.write_vector("v", destination.index, read)


def forward_permute(state: State, instruction: Instruction) -> None:
    destination, address, source = instruction.operands
    lane = lds_address(state, address, instruction.number("offset")) // 4 % state.lanes
    result = np.zeros((state.waves, state.lanes), np.uint32)
    values = state.vector("v", source.index)
    for sender in range(state.lanes):
        waves = np.nonzero(state.active[:, sender])[0]
        result[waves, lane[waves, sender]] = values[waves, sender]
    state.write_vector("v", destination.index, result)


def swizzle_source(pattern: str, lane: Array) -> Array:
    """Source lane of DS_SWIZZLE for an assembler pattern or a plain 16-bit offset."""
    match = re.fullmatch(r"swizzle\((\w+),(.*)\)", pattern)
    if match is None:
        return swizzle_offset(int(pattern, 0), lane)
    kind, rest = match[1], [x.strip().strip('"') for x in match[2].split(",")]
    if kind == "BITMASK_PERM":
        source = lane
        for position, action in enumerate(rest[0]):
            bit = 1 << 4 - position
            cleared = source & ~bit
            source = {
                "0": cleared,
                "1": cleared | bit,
                "p": source,
                "i": source ^ bit,
            }[action]
        return source
    numbers = [int(x) for x in rest]
    if kind == "QUAD_PERM":
        result: Array = lane // 4 * 4 + np.array(numbers)[lane % 4]
        return result
    if kind == "SWAP":
        return lane ^ numbers[0]
    if kind == "REVERSE":
        return lane ^ (numbers[0] - 1)
    assert kind == "BROADCAST", pattern
    return lane // numbers[0] * numbers[0] + numbers[1]


def swizzle_offset(offset: int, lane: Array) -> Array:
    if offset & 0x8000:
        within = lane % 4
        quad: Array = lane - within + (offset >> 2 * within & 3)
        return quad
    within = ((lane & 31 & offset) | (offset >> 5 & 31)) ^ (offset >> 10 & 31)
    source: Array = lane // 32 * 32 + within
    return source


def swizzle(state: State, instruction: Instruction) -> None:
    destination, source = instruction.operands
    lane = swizzle_source(instruction.modifier("offset"), np.arange(state.lanes))
    values = state.vector("v", source.index)
    read = np.where(state.active[:, lane], values[:, lane], 0)
    state.write_vector("v", destination.index, read)


def transposing_load(bits: int) -> Meaning:
    """DS_READ_B64_TR: in each block of 16 lanes, element k of lane x is element x of row k.

    Row k is what the k-th group of 16 / (64 / bits) lanes of the block read.
    """
    per_lane = 64 // bits
    lanes_per_row = 16 // per_lane

    def run(state: State, instruction: Instruction) -> None:
        where = lds_address(state, instruction.operands[1], instruction.number("offset"))
        data = np.ascontiguousarray(gather(state.lds, where, 8)).view(f"u{bits // 8}")
        lane = np.arange(state.lanes)
        block, column = lane // 16 * 16, lane % 16
        rows = [
            data[:, block + lanes_per_row * k + column // per_lane, column % per_lane]
            for k in range(per_lane)
        ]
        joined = np.ascontiguousarray(np.stack(rows, axis=2)).view(np.uint8)
        load_registers(state, instruction.operands[0], joined, Access(8), state.active)

    return Meaning(run, ("", "b32"), lds_load(Access(8)).prepare)
