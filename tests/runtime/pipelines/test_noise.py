"""Noise against what PyTorch draws, bit for bit, and noise from files."""

from __future__ import annotations

import hashlib
from fractions import Fraction
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file, save_file

from lumc.diagnostics import LumcError
from lumc.dsl.dtypes import DType
from lumc.runtime.pipelines.box_muller import _fused
from lumc.runtime.pipelines.noise import NoiseGenerator, read_noise
from tests.specs.spec_support import DATA

GOLDEN = DATA / "golden"
# What was drawn one after the other from each seed.
SHAPES = ((3,), (17,), (31, 2), (1,), (15,), (16,), (1,))


@pytest.mark.parametrize("seed", [0, 42, 2**31 + 5, 2**40 + 7])
@pytest.mark.parametrize(
    ("name", "dtype"), [("float32", DType.F32), ("bfloat16", DType.BF16), ("float16", DType.F16)]
)
def test_draws_are_those_of_torch(name: str, dtype: DType, seed: int) -> None:
    expected = load_file(GOLDEN / "torch_noise" / "noise.safetensors")
    generator = NoiseGenerator(seed)
    for number, shape in enumerate(SHAPES):
        drawn = generator.normal(shape, dtype)
        assert drawn.dtype == dtype.numpy
        assert drawn.shape == shape
        assert drawn.tobytes() == expected[f"{name}.{seed}.{number}"].tobytes(), (number, shape)


def test_noise_of_the_golden_run() -> None:
    expected = load_file(GOLDEN / "pipeline_flux2_klein" / "io.safetensors")["in.noise"]
    drawn = NoiseGenerator(42).normal((1, 128, 4, 6))
    assert drawn.tobytes() == expected.tobytes()


@pytest.mark.parametrize(
    ("dtype", "digest"),
    [
        (DType.F32, "10543f477ae1e5573e72cf20ce66ae39569c7bbd4aa56fd443947c53d34378a9"),
        (DType.BF16, "f3f6a260b0e66c07c5abe2156e35e67ed251065c281f9fc2b17f6e95137df5c5"),
    ],
)
def test_many_draws_are_those_of_torch(dtype: DType, digest: str) -> None:
    """``torch.randn(131072)`` from seed 42: a rounding that is seldom other shows among many."""
    drawn = NoiseGenerator(42).normal((131072,), dtype)
    assert hashlib.sha256(drawn.tobytes()).hexdigest() == digest


def test_many_numbers_are_normal_and_do_not_depend_on_where_a_chunk_ends() -> None:
    together = NoiseGenerator(5).normal((50_000 // 16 * 16,)).astype(np.float64)
    generator = NoiseGenerator(5)
    apart = np.concatenate([generator.normal((16,)) for _ in range(50_000 // 16)])
    np.testing.assert_array_equal(together, apart)
    assert abs(together.mean()) < 0.02
    assert abs(together.std() - 1) < 0.02


def test_fused_products_round_once() -> None:
    """Against exact sums, where rounding twice goes wrong: halfway between two float32."""
    step = np.float32(2**-23)
    a = np.array([1 + step, -(1 + step), 1 + step, 1.5, 3.25], np.float32)
    b = np.array([2**-24 * (1 - step)] * 3 + [2**-24, 7], np.float32)
    c = np.array([1 + step, 1 + step, -(1 + step), 1, -(2**-30)], np.float32)
    exact = [float(x) * float(y) for x, y in zip(a, b, strict=True)]
    expected = [nearest(p, float(z)) for p, z in zip(exact, c, strict=True)]
    np.testing.assert_array_equal(_fused(a, b, c), np.array(expected, np.float32))
    twice = (np.array(exact) + c.astype(np.float64)).astype(np.float32)
    assert (twice != np.array(expected, np.float32)).any(), "no case tells once from twice"


def nearest(product: float, addend: float) -> np.float32:
    """The float32 nearest to the exact sum, ties to even."""
    exact = Fraction(product) + Fraction(addend)
    guess = np.float32(float(exact))
    near = [
        np.nextafter(guess, np.float32(-np.inf)),
        guess,
        np.nextafter(guess, np.float32(np.inf)),
    ]
    return min(near, key=lambda one: (abs(Fraction(float(one)) - exact), one.view(np.int32) & 1))


@pytest.mark.parametrize("seed", [-1, 2**64])
def test_seeds_that_torch_has_not(seed: int) -> None:
    with pytest.raises(LumcError, match="is not from 0 to"):
        NoiseGenerator(seed)


@pytest.mark.parametrize("form", ["npy", "batch", "tokens", "bf16"])
def test_noise_from_a_file(tmp_path: Path, form: str) -> None:
    noise = NoiseGenerator(3).normal((8, 3, 5)).astype(np.float32)
    path = tmp_path / ("noise.npy" if form == "npy" else "noise.safetensors")
    match form:
        case "npy":
            np.save(path, noise)
        case "batch":
            save_file({"latents": noise[None]}, path)
        case "tokens":
            tokens = noise.transpose(1, 2, 0).reshape(15, 8)
            save_file({"latents": np.ascontiguousarray(tokens)}, path)
        case _:
            noise = noise.astype(DType.BF16.numpy).astype(np.float32)
            save_file({"latents": noise.astype(DType.BF16.numpy)}, path)
    read = read_noise(path, 8, 3, 5)
    assert read.dtype == np.float32
    np.testing.assert_array_equal(read, noise)


def test_files_that_hold_no_noise(tmp_path: Path) -> None:
    noise = np.ones((8, 3, 5), np.float32)
    np.save(tmp_path / "other.npy", noise)
    np.save(tmp_path / "whole.npy", noise.astype(np.int32))
    np.save(tmp_path / "nan.npy", noise * np.float32(np.nan))
    save_file({"a": noise, "b": noise}, tmp_path / "two.safetensors")
    (tmp_path / "text.npy").write_text("no array")
    for name, words in {
        "other.npy": r"other.npy is 8×3×5; the picture needs 8×5×3",
        "whole.npy": "is int32",
        "nan.npy": "not finite",
        "two.safetensors": r"has 2 tensors \(a, b\)",
        "text.npy": "can't read",
        "gone.npy": "there is no file",
        "gone.safetensors": "there is no file",
    }.items():
        columns = 3 if name == "other.npy" else 5
        with pytest.raises(LumcError, match=words):
            read_noise(tmp_path / name, 8, 8 - columns, columns)
