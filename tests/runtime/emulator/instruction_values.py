"""Register values that probe an instruction: edge values of the operand type among random ones."""

import numpy as np

from tests.runtime.emulator.reference_state import DTYPES, Array, bits_of, width_of

FLOAT_LAYOUT = {"f16": (5, 10), "bf16": (8, 7), "f32": (8, 23), "f64": (11, 52)}


def float_edges(type_name: str) -> list[int]:
    """Bit patterns: zeros, denormals, extremes, infinities, NaNs of both kinds, ties."""
    exponent_bits, mantissa_bits = FLOAT_LAYOUT[type_name]
    top = (1 << exponent_bits) - 1
    one = (top >> 1) << mantissa_bits
    unit = 1 << mantissa_bits
    positive = [
        0,
        1,
        unit - 1,
        unit,
        one,
        one + 1,
        one - 1,
        one + unit // 2,
        one + unit,
        one - unit,
        one + unit // 2 + unit,
        (top << mantissa_bits) - 1,
        top << mantissa_bits,
        (top << mantissa_bits) | unit >> 1,
        (top << mantissa_bits) | 1,
        one + (mantissa_bits << mantissa_bits) + 1,
    ]
    sign = 1 << exponent_bits + mantissa_bits
    return positive + [bits | sign for bits in positive]


def integer_edges(bits: int) -> list[int]:
    top = 1 << bits - 1
    small = [0, 1, 2, 3, 7, 15, 16, 31, 32, 33, 63, 64, 127, 128, 255]
    return [
        x % (2 * top) for x in [*small, *(-x for x in small), top, top - 1, top + 1, 0x55555555]
    ]


def random_bits(rng: np.random.Generator, type_name: str, shape: tuple[int, ...]) -> Array:
    """Unsigned bit patterns of the type's width."""
    width = 8 * width_of(type_name)
    dtype = {16: np.uint16, 32: np.uint32, 64: np.uint64}[width]
    raw = np.frombuffer(rng.bytes(int(np.prod(shape)) * width // 8), dtype).reshape(shape)
    if type_name in FLOAT_LAYOUT:
        edges = np.array(float_edges(type_name), np.uint64).astype(dtype)
        with np.errstate(over="ignore"):
            moderate = bits_of((rng.standard_normal(shape) * 8).astype(DTYPES[type_name]))
        choices: tuple[Array, ...] = (raw, moderate, edges[rng.integers(0, len(edges), shape)])
    else:
        edges = np.array(integer_edges(width), np.uint64).astype(dtype)
        small = rng.integers(0, 40, shape).astype(dtype)
        choices = (raw, small, edges[rng.integers(0, len(edges), shape)])
    return np.choose(rng.integers(0, 3, shape), choices).astype(dtype)


def register_words(
    rng: np.random.Generator, type_name: str, shape: tuple[int, ...]
) -> tuple[Array, ...]:
    """The 32-bit registers that hold one value of the type; spare high halves are random."""
    if type_name == "2f16":
        low, high = (random_bits(rng, "f16", shape).astype(np.uint32) for _ in (0, 1))
        return (low | high << np.uint32(16),)
    bits = random_bits(rng, type_name, shape)
    if bits.dtype.itemsize == 2:
        high = random_bits(rng, "b16", shape).astype(np.uint32)
        return (bits.astype(np.uint32) | high << np.uint32(16),)
    if bits.dtype.itemsize == 8:
        return bits.astype(np.uint32), (bits >> np.uint64(32)).astype(np.uint32)
    return (bits,)
