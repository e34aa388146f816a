"""Memory instructions: global, flat, buffer, scratch, LDS and scalar loads.

Each has a `prepare` that puts addresses into the registers that the instruction names: inside
the wave's block, on lanes of their own where the order of lanes would matter.
"""

import re
from collections.abc import Callable
from dataclasses import dataclass

import ml_dtypes
import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_arithmetic import maximum, minimum
from tests.runtime.emulator.reference_scalar import read_scalar
from tests.runtime.emulator.reference_state import (
    SPECIAL_INDEX,
    Array,
    Meaning,
    State,
    bits_of,
    read_bits,
    read_words,
    scalar_index,
)

MEMORY_BYTES = 8192
LDS_BYTES = 2048
SCRATCH_BYTES = 128
M0 = SPECIAL_INDEX["m0"]


@dataclass(frozen=True, slots=True)
class Access:
    """`placement`: whole, sign (sign-extended), low or high half kept beside old bits."""

    size: int
    placement: str = "whole"
    sign: bool = False


ACCESSES: dict[str, Access] = {
    "ubyte": Access(1),
    "sbyte": Access(1, sign=True),
    "byte": Access(1),
    "ushort": Access(2),
    "sshort": Access(2, sign=True),
    "short": Access(2),
    "dword": Access(4),
    "dwordx2": Access(8),
    "dwordx3": Access(12),
    "dwordx4": Access(16),
    "short_d16": Access(2, "low"),
    "short_d16_hi": Access(2, "high"),
    "ubyte_d16": Access(1, "low"),
    "ubyte_d16_hi": Access(1, "high"),
    "sbyte_d16": Access(1, "low", sign=True),
    "sbyte_d16_hi": Access(1, "high", sign=True),
    "byte_d16_hi": Access(1, "high"),
    "b8": Access(1),
    "b16": Access(2),
    "u8": Access(1),
    "i8": Access(1, sign=True),
    "u16": Access(2),
    "i16": Access(2, sign=True),
    "b32": Access(4),
    "b64": Access(8),
    "b96": Access(12),
    "b128": Access(16),
    "u8_d16": Access(1, "low"),
    "u8_d16_hi": Access(1, "high"),
    "i8_d16": Access(1, "low", sign=True),
    "i8_d16_hi": Access(1, "high", sign=True),
    "u16_d16": Access(2, "low"),
    "u16_d16_hi": Access(2, "high"),
    "b8_d16_hi": Access(1, "high"),
    "b16_d16_hi": Access(2, "high"),
    "d16_u8": Access(1, "low"),
    "d16_hi_u8": Access(1, "high"),
    "d16_i8": Access(1, "low", sign=True),
    "d16_hi_i8": Access(1, "high", sign=True),
    "d16_b16": Access(2, "low"),
    "d16_hi_b16": Access(2, "high"),
    "d16_hi_b8": Access(1, "high"),
}


def alignment(size: int) -> int:
    return {1: 1, 2: 2}.get(size, 4)


def lane_slots(state: State, rng: np.random.Generator, size: int, span: int, step: int) -> Array:
    """A distinct, non-overlapping byte position for each lane, within `span` bytes."""
    stride = max(step, -(-size // step) * step)
    slots = span // stride
    order = np.stack([rng.permutation(slots)[: state.lanes] for _ in range(state.waves)])
    return (order * stride).astype(np.int64)


def gather(block: Array, addresses: Array, size: int) -> Array:
    """Bytes [waves, lanes, size] of a [waves, bytes] block; inactive lanes may point anywhere."""
    wave = np.arange(block.shape[0])[:, None, None]
    where = addresses[:, :, None] + np.arange(size)
    inside = (where >= 0) & (where < block.shape[1])
    return np.where(inside, block[wave, np.where(inside, where, 0)], 0).astype(np.uint8)


def scatter(block: Array, addresses: Array, data: Array, active: Array) -> None:
    for wave, lane in zip(*np.nonzero(active), strict=True):
        start = int(addresses[wave, lane])
        block[wave, start : start + data.shape[2]] = data[wave, lane]


def load_registers(
    state: State, destination: Operand, data: Array, access: Access, mask: Array
) -> None:
    if access.size >= 4:
        words = np.ascontiguousarray(data).view(np.uint32)
        for k in range(words.shape[2]):
            state.write_vector(destination.kind, destination.index + k, words[:, :, k], mask)
        return
    dtype = {(1, False): "u1", (1, True): "i1", (2, False): "u2", (2, True): "i2"}
    values = np.ascontiguousarray(data).view(dtype[access.size, access.sign])[..., 0]
    bits = values.astype(np.int32).view(np.uint32)
    old = state.vector(destination.kind, destination.index)
    if access.placement == "low":
        bits = old & np.uint32(0xFFFF0000) | bits & np.uint32(0xFFFF)
    if access.placement == "high":
        bits = old & np.uint32(0xFFFF) | bits << np.uint32(16)
    state.write_vector(destination.kind, destination.index, bits, mask)


def store_bytes(state: State, source: Operand, access: Access) -> Array:
    words = read_words(state, source, max(access.size // 4, 1))
    if access.placement == "high":
        words = [words[0] >> np.uint32(16)]
    stacked = np.ascontiguousarray(np.stack(words, axis=2).astype("<u4"))
    return stacked.view(np.uint8)[:, :, : access.size]


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


def float_pair(function: Callable[[Array, Array], Array], dtype: str) -> Callable[..., Array]:
    def apply(old: Array, new: Array) -> Array:
        halves = [np.ascontiguousarray(x)[..., None].view(dtype) for x in (old, new)]
        with np.errstate(all="ignore"):
            result = function(*halves).astype(dtype)
        return result.view(np.uint32)[..., 0]

    return apply


def as_type(function: Callable[[Array, Array], Array], kind: str) -> Callable[..., Array]:
    def apply(old: Array, new: Array) -> Array:
        dtype = f"{kind}{old.dtype.itemsize}"
        with np.errstate(all="ignore"):
            return bits_of(function(old.view(dtype), new.view(dtype)).astype(dtype))

    return apply


def wrap_increment(old: Array, limit: Array) -> Array:
    return np.where(old >= limit, 0, old + old.dtype.type(1)).astype(old.dtype)


def wrap_decrement(old: Array, limit: Array) -> Array:
    return np.where((old == 0) | (old > limit), limit, old - old.dtype.type(1)).astype(old.dtype)


BF16 = np.dtype(ml_dtypes.bfloat16)


def add_bf16_pair(old: Array, new: Array) -> Array:
    halves = [np.ascontiguousarray(x)[..., None].view(BF16) for x in (old, new)]
    with np.errstate(all="ignore"):
        total = halves[0].astype(np.float32) + halves[1].astype(np.float32)
    return np.ascontiguousarray(total.astype(BF16)).view(np.uint32)[..., 0]


ATOMICS: dict[str, Callable[..., Array]] = {
    "add": lambda old, new: old + new,
    "sub": lambda old, new: old - new,
    "smin": as_type(np.minimum, "i"),
    "smax": as_type(np.maximum, "i"),
    "umin": np.minimum,
    "umax": np.maximum,
    "and": lambda old, new: old & new,
    "or": lambda old, new: old | new,
    "xor": lambda old, new: old ^ new,
    "swap": lambda old, new: new,
    "inc": wrap_increment,
    "dec": wrap_decrement,
    "fadd": as_type(lambda old, new: old + new, "f"),
    "fmin": as_type(minimum, "f"),
    "fmax": as_type(maximum, "f"),
    "pk_add_f16": float_pair(lambda old, new: old + new, "f2"),
    "pk_add_bf16": add_bf16_pair,
}
COMMUTATIVE = frozenset({"add", "sub", "smin", "smax", "umin", "umax", "and", "or", "xor"})
FLOAT_ATOMICS = {"add_f32": "fadd", "add_f64": "fadd", "min_f64": "fmin", "max_f64": "fmax"}


def atomic_parts(name: str) -> tuple[str, int] | None:
    """(operation, bytes) of the part of a mnemonic behind `atomic_`."""
    if name in FLOAT_ATOMICS:
        return FLOAT_ATOMICS[name], 8 if name.endswith("64") else 4
    if name in ("pk_add_f16", "pk_add_bf16"):
        return name, 4
    match = re.fullmatch(r"(\w+?)(_x2)?", name)
    if match and (match[1] in ATOMICS or match[1] == "cmpswap"):
        return match[1], 8 if match[2] else 4
    match = re.fullmatch(r"(\w+?)_(?:b|u|i|f)(32|64)", name)
    if match:
        operation = {"min": "smin", "max": "smax"}.get(match[1], match[1])
        if "_u" in name and operation in ("smin", "smax"):
            operation = "u" + operation[1:]
        if operation in ATOMICS or operation == "cmpswap":
            return operation, int(match[2]) // 8
    return None


def join_words(words: list[Array]) -> Array:
    if len(words) == 1:
        return words[0]
    return words[0].astype(np.uint64) | words[1].astype(np.uint64) << np.uint64(32)


def run_atomic(
    state: State,
    block: Array,
    addresses: Array,
    operation: str,
    size: int,
    data: list[Array],
    mask: Array,
) -> Array:
    """Applies the operation lane by lane; returns the old values."""
    dtype = np.uint32 if size == 4 else np.uint64
    new = join_words(data[: size // 4]).astype(dtype)
    expected = join_words(data[size // 4 :]).astype(dtype) if operation == "cmpswap" else new
    old_values = np.zeros((state.waves, state.lanes), dtype)
    for lane in range(state.lanes):
        waves = np.nonzero(mask[:, lane])[0]
        cells = addresses[waves, lane][:, None] + np.arange(size)
        raw = np.ascontiguousarray(block[waves[:, None], cells])
        old = raw.view(dtype)[:, 0]
        if operation == "cmpswap":
            result = np.where(old == expected[waves, lane], new[waves, lane], old)
        else:
            result = ATOMICS[operation](old, new[waves, lane])
        old_values[waves, lane] = old
        written = np.ascontiguousarray(result.astype(dtype))[:, None].view(np.uint8)
        block[waves[:, None], cells] = written
    return old_values


def write_old(state: State, destination: Operand, old: Array, mask: Array) -> None:
    for k in range(old.dtype.itemsize // 4):
        word = (old.astype(np.uint64) >> np.uint64(32 * k)).astype(np.uint32)
        state.write_vector(destination.kind, destination.index + k, word, mask)


def returns_old(instruction: Instruction) -> bool:
    return instruction.has("sc0") or instruction.has("glc")


def atomic_addresses(
    state: State, rng: np.random.Generator, operation: str, size: int, returns: bool, span: int
) -> Array:
    if operation in COMMUTATIVE and not returns:
        return rng.integers(0, 16, (state.waves, state.lanes)).astype(np.int64) * size
    return lane_slots(state, rng, size, span, size)


FLOAT_OPERATIONS = frozenset({"fadd", "fmin", "fmax", "pk_add_f16", "pk_add_bf16"})


def fill_with_floats(
    state: State,
    name: str,
    source: Operand,
    operation: str,
    size: int,
    rng: np.random.Generator,
) -> None:
    """Ordinary numbers in memory and data: manuals leave NaNs and denormals of atomics open."""
    if operation not in FLOAT_OPERATIONS:
        return
    types = {"pk_add_f16": np.dtype(np.float16), "pk_add_bf16": BF16}
    dtype = types.get(operation, np.dtype(f"f{size}"))
    block = getattr(state, name)
    numbers = rng.standard_normal((state.waves, block.shape[1] // dtype.itemsize)).astype(dtype)
    setattr(state, name, numbers.view(np.uint8))
    shape = (state.waves, state.lanes, source.count * 4 // dtype.itemsize)
    words = rng.standard_normal(shape).astype(dtype).view(np.uint8).view(np.uint32)
    for k in range(source.count):
        state.registers[source.kind, source.index + k] = words[:, :, k].copy()


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


def offer_matches(
    state: State,
    block: Array,
    addresses: Array,
    size: int,
    source: Operand,
    first_word: int,
    rng: np.random.Generator,
) -> None:
    """Makes half of the compare values equal to what memory holds."""
    held = np.ascontiguousarray(gather(block, addresses, size)).view(np.uint32)
    pick = rng.random((state.waves, state.lanes)) < 0.5
    for k in range(size // 4):
        register = (source.kind, source.index + first_word + k)
        state.registers[register] = np.where(pick, held[:, :, k], state.registers[register])


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


LANE_EXCHANGES = {
    "ds_bpermute_b32": Meaning(backward_permute, ("", "u32", "b32"), lane_numbers),
    "ds_permute_b32": Meaning(forward_permute, ("", "u32", "b32"), lane_numbers),
    "ds_swizzle_b32": Meaning(swizzle, ("", "b32")),
    "ds_read_b64_tr_b16": transposing_load(16),
    "ds_read_b64_tr_b8": transposing_load(8),
}


def memory_meaning(instruction: Instruction) -> Meaning | None:
    """The meaning of a memory instruction, None for one that is not."""
    base = instruction.base
    if instruction.has("lds"):
        kind, _, name = base.partition("_load_")
        access = ACCESSES[name]
        return buffer_load_lds(access) if kind == "buffer" else global_load_lds(access)
    if base in LANE_EXCHANGES:
        return LANE_EXCHANGES[base]
    space = base.partition("_")[0]
    if space in ("global", "flat"):
        return global_meaning(space, base.removeprefix(f"{space}_"))
    if space == "ds":
        return lds_meaning(base.removeprefix("ds_"))
    if space == "buffer":
        return buffer_meaning(base.removeprefix("buffer_"))
    if space == "scratch":
        kind, _, name = base.removeprefix("scratch_").partition("_")
        if name in ACCESSES:
            return (scratch_load if kind == "load" else scratch_store)(ACCESSES[name])
    return scalar_meaning(base)


def global_meaning(space: str, rest: str) -> Meaning | None:
    kind, _, name = rest.partition("_")
    if name.startswith("lds_") and name.removeprefix("lds_") in ACCESSES:
        return global_load_lds(ACCESSES[name.removeprefix("lds_")])
    if kind == "load" and name in ACCESSES:
        return global_load(space, ACCESSES[name])
    if kind == "store" and name in ACCESSES:
        return global_store(space, ACCESSES[name])
    if kind == "atomic" and (parts := atomic_parts(name)):
        return global_atomic(space, *parts)
    return None


def lds_meaning(rest: str) -> Meaning | None:
    pair = re.fullmatch(r"(read|write|load|store)(?:_)?2(?:addr)?(st64|_stride64)?_b(32|64)", rest)
    if pair:
        strided, load = pair[2] is not None, pair[1] in ("read", "load")
        return lds_pair(load, int(pair[3]) // 8, strided)
    kind, _, name = rest.partition("_")
    if kind in ("read", "load") and name in ACCESSES:
        return lds_load(ACCESSES[name])
    if kind in ("write", "store") and name in ACCESSES:
        return lds_store(ACCESSES[name])
    returns = "_rtn" in rest or rest.startswith(("wrxchg", "storexchg"))
    if parts := lds_atomic_parts(rest.replace("_rtn", "")):
        return lds_atomic(*parts, returns)
    return None


def buffer_meaning(rest: str) -> Meaning | None:
    kind, _, name = rest.partition("_")
    if kind == "load" and name in ACCESSES:
        return buffer_load(ACCESSES[name])
    if kind == "store" and name in ACCESSES:
        return buffer_store(ACCESSES[name])
    if kind == "atomic" and (parts := atomic_parts(name)):
        return buffer_atomic(*parts)
    return None


def scalar_meaning(base: str) -> Meaning | None:
    match = re.fullmatch(r"s_(buffer_)?load_(?:dword(?:x(\d+))?|b(\d+))", base)
    if match is None:
        return None
    words = int(match[3]) // 32 if match[3] else int(match[2] or 1)
    return scalar_buffer_load(words) if match[1] else scalar_load(words)
