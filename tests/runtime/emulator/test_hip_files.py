"""Ordinary HIP kernels, compiled with hip_runtime.h, on the emulator with every check on."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lumc.runtime.emulator import Emulator
from tests.runtime.emulator.assembly_kernel import lanes_of
from tests.runtime.emulator.hip_material import HipUnavailableError, compile_hip

Array = npt.NDArray[Any]
SOURCE = Path(__file__).parent / "kernels" / "ordinary.hip"
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100")


@pytest.fixture(scope="module", params=TARGETS)
def emulator(request: pytest.FixtureRequest) -> Emulator:
    try:
        code, assembly = compile_hip(SOURCE, request.param)
    except HipUnavailableError as reason:
        pytest.skip(str(reason))
    return Emulator(code, assembly=assembly)


@pytest.fixture
def rng() -> np.random.Generator:
    return np.random.default_rng(7)


def poisoned(shape: tuple[int, ...], dtype: Any) -> Array:
    return np.full(shape, 77, dtype)


def test_softmax_with_dynamic_lds_and_shuffles(
    emulator: Emulator, rng: np.random.Generator
) -> None:
    x = (rng.standard_normal((5, 333)) * 4).astype(np.float32)
    y = poisoned(x.shape, np.float32)
    emulator.launch(
        "softmax_rows", (5, 1, 1), (192, 1, 1), (x, y, np.int32(333)), dynamic_lds=6 * 4
    )
    power = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    np.testing.assert_allclose(y, power / power.sum(axis=1, keepdims=True), rtol=1e-5)


def test_atomics_on_lds_and_global_memory(emulator: Emulator, rng: np.random.Generator) -> None:
    x = rng.integers(-500, 500, 700).astype(np.int32)
    histogram, highest = np.zeros(32, np.int32), np.array([-9999], np.int32)
    lowest, total = np.array([0xFFFFFFFF], np.uint32), np.zeros(1, np.float32)
    wide, big = np.zeros(1, np.float64), np.array([5], np.uint64)
    bits = np.zeros(3, np.int32)
    arguments = (x, np.int32(700), histogram, highest, lowest, total, wide, big, bits)
    emulator.launch("count_and_extremes", (3, 1, 1), (256, 1, 1), arguments)
    np.testing.assert_array_equal(histogram, np.bincount(x & 31, minlength=32))
    assert highest[0] == x.max()
    assert lowest[0] == x.view(np.uint32).min()
    assert total[0] == (x & 7).sum()
    assert wide[0] == x.sum()
    assert big[0] == np.uint64(5) + (x.astype(np.int64).view(np.uint64) << np.uint64(20)).sum()
    assert bits[0] == np.bitwise_or.reduce(1 << (x & 15))
    assert bits[1] == np.bitwise_xor.reduce(x)
    assert bits[2] == 2 * 700


def ackermann(m: int, n: int) -> int:
    if m == 0:
        return n + 1
    return ackermann(m - 1, 1) if n == 0 else ackermann(m - 1, ackermann(m, n - 1))


def test_recursion_stack_arrays_and_indirect_calls(
    emulator: Emulator, rng: np.random.Generator
) -> None:
    x = rng.integers(-1000, 1000, (96, 16)).astype(np.int32)
    results = poisoned(x.shape, np.int32), poisoned((96,), np.int32), poisoned((96,), np.int32)
    emulator.launch("call_stack", (1, 1, 1), (96, 1, 1), (x, *results))
    np.testing.assert_array_equal(results[0], np.sort(x, axis=1))
    np.testing.assert_array_equal(results[1], [ackermann(t % 3, t % 4) for t in range(96)])
    functions: tuple[Callable[[int], int], ...] = (
        lambda v: 2 * v,
        lambda v: v * v,
        lambda v: -v,
    )
    flat = x.reshape(-1)[:96]
    np.testing.assert_array_equal(results[2], [functions[t % 3](int(flat[t])) for t in range(96)])


def wrapped(value: int, bits: int = 64) -> int:
    """The value as a signed integer of so many bits."""
    value &= (1 << bits) - 1
    return value - (1 << bits) if value >> bits - 1 else value


def quotient(a: int, b: int) -> int:
    return abs(a) // abs(b) * (1 if (a < 0) == (b < 0) else -1)


def wide_integer_results(a: int, b: int) -> list[int]:
    """What `wide_integers` computes, in Python's integers."""
    u, v = a & (1 << 64) - 1, b & (1 << 64) - 1
    shift = v & 63
    low_a, low_b = wrapped(a, 32), wrapped(b, 32)
    high32 = (u & 0xFFFFFFFF) * (v & 0xFFFFFFFF) >> 32
    leading, first = 64 - u.bit_length(), (v & -v).bit_length()
    results = [
        a + b,
        a - b,
        a * b,
        quotient(a, b | 1),
        a - quotient(a, b | 1) * (b | 1),
        u // (v | 1),
        u % (v | 1),
        u >> shift,
        a >> shift,
        u << shift,
        u.bit_count() + 100 * leading + 10000 * first,
        int(f"{u:064b}"[::-1], 2),
        u * v >> 64,
        (a < b) + 2 * (u < v) + 4 * (a == b),
        quotient(low_a, low_b | 1),
        high32 % (v & 0xFFFFFFFF | 1),
    ]
    return [wrapped(value) for value in results]


def test_wide_integers(emulator: Emulator, rng: np.random.Generator) -> None:
    edges = np.array([0, 1, -1, 2**63 - 1, -(2**63) + 1, 2**32, -(2**31), 12345], np.int64)
    x = np.concatenate([edges, rng.integers(-(2**62), 2**62, 120)])
    y = np.concatenate([edges[::-1], rng.integers(-(2**40), 2**40, 120)])
    out = poisoned((128, 16), np.int64)
    emulator.launch("wide_integers", (1, 1, 1), (128, 1, 1), (x, y, out))
    expected = [wide_integer_results(int(a), int(b)) for a, b in zip(x, y, strict=True)]
    np.testing.assert_array_equal(out, np.array(expected, dtype=np.int64))


def test_double_precision(emulator: Emulator, rng: np.random.Generator) -> None:
    x, y = rng.standard_normal(64) * 3, rng.standard_normal(64) * 2
    x[:4], y[:4] = [1e300, -1e-310, 0.5, 3.0], [1e-10, 7.0, -0.5, 3.0]
    out = poisoned((64, 12), np.float64)
    emulator.launch("doubles", (1, 1, 1), (64, 1, 1), (x, y, out))
    with np.errstate(all="ignore"):
        expected = np.stack(
            [
                x / y,
                np.sqrt(np.abs(x)),
                x * y + x,
                np.exp(x * 0.25),
                np.log(np.abs(x) + 0.5),
                np.sin(x),
                np.tanh(y),
                np.floor(x) + np.ceil(y) + np.rint(x * y),
                np.trunc(np.clip(x * 1000, -(2.0**63), 2.0**63)),
                (x.astype(np.float32) / y.astype(np.float32)).astype(np.float64),
                np.abs(x) ** y,
                np.minimum(x, y) - np.maximum(x, y),
            ],
            axis=1,
        )
    np.testing.assert_array_equal(out[:, 0], expected[:, 0])
    np.testing.assert_array_equal(out[:, 1], expected[:, 1])
    np.testing.assert_array_equal(out[:, 8:10][4:], expected[:, 8:10][4:])
    np.testing.assert_allclose(out[4:], expected[4:], rtol=1e-14, atol=1e-15)


def test_single_precision(emulator: Emulator, rng: np.random.Generator) -> None:
    x, y = (rng.standard_normal(64).astype(np.float32) * 3 for _ in (0, 1))
    x[:3], y[:3] = [1e38, 1e-40, -0.0], [1e-3, 3.0, 5.0]
    out = poisoned((64, 12), np.float32)
    emulator.launch("floats", (1, 1, 1), (64, 1, 1), (x, y, out))
    a, b = x.astype(np.float64), y.astype(np.float64)
    with np.errstate(all="ignore"):
        np.testing.assert_array_equal(out[:, 0], x / y)
        np.testing.assert_array_equal(out[:, 1], np.sqrt(np.abs(x)))
        np.testing.assert_array_equal(out[:, 9], np.fmod(x, y))
        np.testing.assert_array_equal(out[:, 11], np.ldexp(x, 3) + np.copysign(y, x))
        for column, expected in (
            (2, 1 / np.sqrt(np.abs(b))),
            (3, np.exp(a)),
            (4, np.log(np.abs(a))),
            (5, np.sin(a) + np.cos(b)),
            (6, np.tanh(a)),
            (7, np.abs(a) ** b),
            (10, np.trunc(a) + np.copysign(np.floor(np.abs(b) + 0.5), b)),
        ):
            np.testing.assert_allclose(out[3:, column], expected[3:], rtol=2e-6, atol=1e-6)


def collatz(value: int) -> int:
    steps = 0
    while value > 1:
        value = 3 * value + 1 if value % 2 else value // 2
        steps += 1
    return steps


def test_votes_shuffles_and_divergence(emulator: Emulator, rng: np.random.Generator) -> None:
    x = rng.integers(-100, 100, 128).astype(np.int32)
    lanes = lanes_of(emulator.target)
    waves = 128 // lanes
    votes, out = poisoned((waves,), np.uint64), poisoned((128, 4), np.int32)
    emulator.launch("lanes", (1, 1, 1), (128, 1, 1), (x, votes, out))
    lane = np.arange(lanes)
    for wave in range(waves):
        v, got = x[lanes * wave :][:lanes], out[lanes * wave :][:lanes]
        above = v > 0
        assert int(votes[wave]) == sum(1 << int(k) for k in np.nonzero(above)[0])
        np.testing.assert_array_equal(got[:, 0], [collatz(abs(int(n)) + 1) for n in v])
        np.testing.assert_array_equal(got[:, 1], v[(lanes * wave + lane) * 7 % lanes])
        np.testing.assert_array_equal(got[:, 2], np.where(lane < 3, v, np.roll(v, 3)) + 2)
        np.testing.assert_array_equal(got[:, 3], np.cumsum(above) - above)


def test_generic_pointers(emulator: Emulator, rng: np.random.Generator) -> None:
    x, out = rng.integers(-1000, 1000, 64).astype(np.int32), poisoned((128,), np.int32)
    emulator.launch("generic_pointers", (1, 1, 1), (64, 1, 1), (x, out))
    t = np.arange(64)
    choices = (x[63 - t] * 2, x[t // 2], x + t % 8)
    np.testing.assert_array_equal(out[:64], np.choose(t % 3, choices))
    np.testing.assert_array_equal(out[64:], t + 1000 + t % 2)


def test_half_precision_pairs(emulator: Emulator, rng: np.random.Generator) -> None:
    x, y = (rng.standard_normal((64, 2)).astype(np.float16) for _ in (0, 1))
    out = poisoned((64, 4, 2), np.float16)
    emulator.launch("half_pairs", (1, 1, 1), (64, 1, 1), (x, y, out))
    a, b = x.astype(np.float64), y.astype(np.float64)
    np.testing.assert_array_equal(out[:, 0], (a * b + a).astype(np.float16))
    scaled = np.stack([x[:, 0].astype(np.float32) * 3, y[:, 1].astype(np.float32)], axis=1)
    np.testing.assert_array_equal(out[:, 2], scaled.astype(np.float16))
    np.testing.assert_allclose(out[:, 1].astype(np.float64), a + b * b, rtol=2e-3, atol=2e-3)
    np.testing.assert_allclose(out[:, 3].astype(np.float64), np.sqrt(np.abs(a)), rtol=2e-3)


def test_three_dimensional_grid(emulator: Emulator, rng: np.random.Generator) -> None:
    nz, ny, nx = 5, 7, 19
    x = rng.standard_normal((nz, ny, nx)).astype(np.float32)
    y = poisoned(x.shape, np.float32)
    sizes = tuple(np.int32(n) for n in (nx, ny, nz))
    emulator.launch("volume", (3, 2, 3), (8, 4, 2), (x, y, *sizes))
    right = np.concatenate([x[:, :, 1:], x[:, :, -1:]], axis=2)
    np.testing.assert_array_equal(y, x + right + np.float32(323))


def edge_pairs(dtype: Any, rng: np.random.Generator) -> tuple[Array, Array]:
    """Every pair of edge values, and random bit patterns."""
    info = np.finfo(dtype)
    small = [0, info.smallest_subnormal, info.tiny / 3, info.tiny, 1, 1 + info.eps, 3, 7.5]
    large = [info.max, info.max / 3, 1 / info.tiny, np.inf, np.nan, np.sqrt(info.max)]
    edges = np.array([*small, *large, *(-x for x in [*small, *large])], dtype)
    a, b = (x.ravel() for x in np.meshgrid(edges, edges))
    raw = np.frombuffer(rng.bytes(1000 * 2 * info.bits // 8), dtype).reshape(2, -1)
    return np.concatenate([a, raw[0]]), np.concatenate([b, raw[1]])


def test_division_and_roots_are_correctly_rounded(
    emulator: Emulator, rng: np.random.Generator
) -> None:
    a, b = edge_pairs(np.float32, rng)
    c, d = edge_pairs(np.float64, rng)
    f, g = poisoned((len(a), 2), np.float32), poisoned((len(c), 2), np.float64)
    blocks = -(-len(a) // 128)
    emulator.launch("quotients", (blocks, 1, 1), (128, 1, 1), (a, b, c, d, f, g, np.int32(len(a))))
    with np.errstate(all="ignore"):
        for got, x, y in ((f, a, b), (g, c, d)):
            np.testing.assert_array_equal(got[:, 0], x / y)
            np.testing.assert_array_equal(got[:, 1], np.sqrt(x))
