"""How memory instructions read and write registers and blocks of bytes, and find addresses."""

from dataclasses import dataclass

import numpy as np

from tests.runtime.emulator.instruction_text import Operand
from tests.runtime.emulator.reference_state import (
    SPECIAL_INDEX,
    Array,
    State,
    read_words,
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
