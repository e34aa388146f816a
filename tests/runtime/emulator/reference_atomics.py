"""Atomic operations on memory and LDS, lane by lane."""

import re
from collections.abc import Callable

import ml_dtypes
import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_access import (
    gather,
    lane_slots,
)
from tests.runtime.emulator.reference_arithmetic import maximum, minimum
from tests.runtime.emulator.reference_state import (
    Array,
    State,
    bits_of,
)


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
