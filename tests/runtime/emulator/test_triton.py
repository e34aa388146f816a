"""Kernels that Triton compiled, on the emulator with every check on, against NumPy."""

from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from lumc.runtime.emulator import Emulator
from tests.runtime.emulator.triton_material import (
    TritonKernel,
    TritonUnavailableError,
    triton_kernels,
)

pytestmark = pytest.mark.slow

Array = npt.NDArray[Any]
Kernels = dict[tuple[str, str], TritonKernel]
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100")
BF16 = np.dtype(ml_dtypes.bfloat16)
EPSILON = {BF16: 2.0**-8, np.dtype(np.float16): 2.0**-11, np.dtype(np.float32): 2.0**-24}
FLOAT8 = {
    "fp8e4b8": np.dtype(ml_dtypes.float8_e4m3fnuz),
    "fp8e5b16": np.dtype(ml_dtypes.float8_e5m2fnuz),
    "fp8e4nv": np.dtype(ml_dtypes.float8_e4m3fn),
    "fp8e5": np.dtype(ml_dtypes.float8_e5m2),
}


@pytest.fixture(scope="module")
def kernels() -> Kernels:
    try:
        return triton_kernels()
    except TritonUnavailableError as reason:
        pytest.skip(str(reason))


def launch(kernel: TritonKernel, grid: tuple[int, ...], arguments: dict[str, Any]) -> None:
    """Runs it; arrays are passed as raw bits, and Triton's two scratch pointers as null."""
    values = [arguments[name] for name in kernel.arguments]
    passed = [raw(value) if isinstance(value, np.ndarray) else value for value in values]
    columns = grid[1] if len(grid) > 1 else 1
    emulator = Emulator(kernel.code_object, assembly=kernel.assembly)
    emulator.launch(
        kernel.kernel,
        (grid[0], columns, 1),
        (kernel.threads, 1, 1),
        (*passed, None, None),
        dynamic_lds=kernel.dynamic_lds,
    )


def raw(values: Array) -> Array:
    return values.view({1: np.uint8, 2: np.uint16, 4: np.uint32}[values.dtype.itemsize])


def normal(rng: np.random.Generator, shape: tuple[int, ...], dtype: Any) -> Array:
    return rng.standard_normal(shape).astype(dtype)


def poisoned(shape: tuple[int, ...], dtype: Any) -> Array:
    return np.full(shape, 0x7F, np.uint8 if np.dtype(dtype).itemsize == 1 else dtype).astype(dtype)


@pytest.mark.parametrize("target", TARGETS)
def test_softmax(kernels: Kernels, target: str) -> None:
    rng = np.random.default_rng(1)
    x = normal(rng, (7, 781), np.float32) * 5
    y = poisoned(x.shape, np.float32)
    launch(kernels["softmax", target], (7,), {"x": x, "y": y, "columns": np.int32(781)})
    power = np.exp(x.astype(np.float64) - x.max(axis=1, keepdims=True))
    expected = power / power.sum(axis=1, keepdims=True)
    np.testing.assert_allclose(y, expected, rtol=1e-5, atol=1e-9)


@pytest.mark.parametrize("target", TARGETS)
def test_layer_norm(kernels: Kernels, target: str) -> None:
    rng = np.random.default_rng(2)
    x = normal(rng, (5, 1536 + 11), BF16)
    weight, bias = (normal(rng, x.shape[1:], BF16) for _ in (0, 1))
    y = poisoned(x.shape, BF16)
    launch(
        kernels["layer_norm", target],
        (5,),
        {
            "x": x,
            "weight": weight,
            "bias": bias,
            "y": y,
            "columns": np.int32(x.shape[1]),
            "epsilon": np.float32(1e-5),
        },
    )
    wide = x.astype(np.float64)
    centred = wide - wide.mean(axis=1, keepdims=True)
    scaled = centred / np.sqrt((centred**2).mean(axis=1, keepdims=True) + 1e-5)
    expected = scaled * weight.astype(np.float64) + bias.astype(np.float64)
    np.testing.assert_allclose(y.astype(np.float64), expected, rtol=2**-8, atol=2**-8)


MATMULS = [
    *((name, target) for target in TARGETS for name in ("bf16", "bf16_wide", "fp16", "i8")),
    *((name, "gfx942") for name in ("fp8e4b8", "fp8e5b16")),
    *((name, "gfx950") for name in ("fp8e4nv", "fp8e5")),
]


@pytest.mark.parametrize(("source", "target"), MATMULS)
def test_matmul(kernels: Kernels, source: str, target: str) -> None:
    rng = np.random.default_rng(3)
    rows, columns, depth = 150, 137, 205
    dtype: Any = {"fp16": np.float16, "i8": np.int8}.get(source, BF16)
    dtype = FLOAT8.get(source, dtype)
    if source == "i8":
        a, b = (
            rng.integers(-128, 128, shape).astype(np.int8)
            for shape in ((rows, depth), (depth, columns))
        )
    else:
        a, b = (normal(rng, shape, dtype) for shape in ((rows, depth), (depth, columns)))
    result: Any = {"fp16": np.float16, "i8": np.int32, "bf16_wide": BF16}.get(source, np.float32)
    c = poisoned((rows, columns), result)
    kernel = kernels[f"matmul_{source}", target]
    grid = (-(-rows // kernel.constants["bm"]), -(-columns // kernel.constants["bn"]))
    sizes = {"rows": rows, "columns": columns, "depth": depth}
    launch(kernel, grid, {"a": a, "b": b, "c": c, **{k: np.int32(v) for k, v in sizes.items()}})
    expected = a.astype(np.float64) @ b.astype(np.float64)
    if source == "i8":
        np.testing.assert_array_equal(c, expected)
        return
    bound = np.abs(a.astype(np.float64)) @ np.abs(b.astype(np.float64))
    rounding = EPSILON.get(np.dtype(result), 0.0)
    error = np.abs(c.astype(np.float64) - expected)
    assert (error <= rounding * np.abs(expected) + bound * 2.0**-22).all()


@pytest.mark.parametrize("name", ["attention", "attention_small"])
@pytest.mark.parametrize("target", TARGETS)
def test_causal_attention(kernels: Kernels, name: str, target: str) -> None:
    rng = np.random.default_rng(4)
    heads, length, width = 2, 203, 64
    q, k, v = (normal(rng, (heads, length, width), BF16) for _ in range(3))
    o = poisoned(q.shape, BF16)
    kernel = kernels[name, target]
    grid = (-(-length // kernel.constants["bm"]), heads)
    scale = np.float32(0.125)
    tensors = {"q": q, "k": k, "v": v, "o": o}
    launch(kernel, grid, {**tensors, "length": np.int32(length), "scale": scale})
    query, key, value = (x.astype(np.float64) for x in (q, k, v))
    score = query @ key.transpose(0, 2, 1) * 0.125
    score = np.where(np.tril(np.ones((length, length))), score, -np.inf)
    power = np.exp(score - score.max(axis=2, keepdims=True))
    expected = power / power.sum(axis=2, keepdims=True) @ value
    np.testing.assert_allclose(o.astype(np.float64), expected, rtol=2**-6, atol=2**-6)


@pytest.mark.parametrize("target", TARGETS)
def test_running_sums_and_largest(kernels: Kernels, target: str) -> None:
    rng = np.random.default_rng(5)
    x = rng.permuted(np.tile(np.arange(-150, 171, dtype=np.int32), (6, 1)), axis=1)
    running, best = poisoned(x.shape, np.int32), poisoned((6,), np.int32)
    total = rng.integers(0, 50, x.shape[1]).astype(np.int32)
    expected = total + x.sum(axis=0)
    arguments = {"x": x, "running": running, "best": best, "total": total}
    columns = np.int32(x.shape[1])
    launch(kernels["statistics", target], (6,), {**arguments, "columns": columns})
    np.testing.assert_array_equal(running, np.cumsum(x, axis=1))
    np.testing.assert_array_equal(best, x.argmax(axis=1))
    np.testing.assert_array_equal(total, expected)


FORMATS = {
    "e4m3": np.dtype(ml_dtypes.float8_e4m3fn),
    "e5m2": np.dtype(ml_dtypes.float8_e5m2),
    "e2m1": np.dtype(ml_dtypes.float4_e2m1fn),
}


def pack(values: Array, name: str, axis: int) -> Array:
    """Bytes of the values; two e2m1 to a byte along `axis`, the first in the low half."""
    codes = values.view(np.uint8)
    if name != "e2m1":
        return codes
    even, odd = (np.take(codes, range(k, codes.shape[axis], 2), axis) for k in (0, 1))
    return np.ascontiguousarray(even | odd << 4)


@pytest.mark.parametrize(
    ("left", "right"),
    [("e4m3", "e4m3"), ("e2m1", "e2m1"), ("e4m3", "e2m1"), ("e5m2", "e4m3")],
)
def test_block_scaled_matmul(kernels: Kernels, left: str, right: str) -> None:
    rng = np.random.default_rng(6)
    rows, columns, depth = 64, 64, 256
    a = normal(rng, (rows, depth), FORMATS[left])
    b = normal(rng, (depth, columns), FORMATS[right])
    scales = [rng.integers(120, 134, (64, depth // 32)).astype(np.uint8) for _ in (0, 1)]
    c = poisoned((rows, columns), np.float32)
    launch(
        kernels[f"scaled_{left}_{right}", "gfx950"],
        (1,),
        {
            "a": pack(a, left, 1),
            "a_scale": scales[0],
            "b": pack(b, right, 0),
            "b_scale": scales[1],
            "c": c,
        },
    )
    powers = [np.repeat(np.exp2(x.astype(np.float64) - 127), 32, axis=1) for x in scales]
    wide_a, wide_b = a.astype(np.float64) * powers[0], b.astype(np.float64) * powers[1].T
    expected, bound = wide_a @ wide_b, np.abs(wide_a) @ np.abs(wide_b)
    assert (np.abs(c - expected) <= bound * 2.0**-20).all()
