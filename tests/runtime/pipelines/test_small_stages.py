"""The stages around FLUX.2 Klein's networks, as machine code and on the reference."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

import lumc

SPEC = Path(__file__).parents[3] / "specs" / "flux2_klein.lum"
RANDOM = np.random.default_rng(23)
SIZES = {"width": 48, "height": 80, "references": [[48, 80]], "latent": 3, "groups": 1}
TYPES = {"bf16": np.dtype(ml_dtypes.bfloat16), "f32": np.dtype(np.float32)}
Array = npt.NDArray[Any]


@pytest.fixture(params=["reference", "emulator"])
def device(request: pytest.FixtureRequest) -> str:
    return str(request.param)


def run(
    stage: str, device: str, inputs: Mapping[str, Any], dtype: str = "bf16"
) -> dict[str, Array]:
    settings = SIZES | {"dtype": dtype}
    with lumc.compile(SPEC, stage=stage, config="tiny", settings=settings, device=device) as made:
        return made.run(inputs)


def normal(*shape: int, dtype: str = "bf16") -> Array:
    return RANDOM.standard_normal(shape).astype(TYPES[dtype])


def test_pixels_are_read_as_numbers_from_minus_one_to_one(device: str) -> None:
    pixels = RANDOM.integers(0, 256, (80, 48, 3), np.uint8)
    pixels[0, :2] = [[0, 127, 255], [1, 128, 254]]
    (image,) = run("read_pixels", device, {"pixels": pixels}, "f32").values()
    wanted = 2 * (pixels.astype(np.float64) / 255).transpose(2, 0, 1) - 1
    assert np.abs(image - wanted).max() < 1e-6
    assert (image.min(), image.max()) == pytest.approx((-1, 1))


def test_pixels_are_written_rounded_and_within_their_range(device: str) -> None:
    image = normal(3, 80, 48, dtype="f32")
    image[:, 0, :4] = [[-1, 1, 0.5, -7], [-1.001, 1.001, 0, 9], [0.999, -0.999, 0.25, -0.25]]
    (pixels,) = run("write_pixels", device, {"image": image}, "f32").values()
    shade = 255 * np.clip(image.astype(np.float64) / 2 + 0.5, 0, 1)
    wanted = np.floor(shade + 0.5).transpose(1, 2, 0)
    assert pixels.dtype == np.uint8
    near_half = np.abs(shade - np.floor(shade) - 0.5).transpose(1, 2, 0) < 1e-4
    assert np.array_equal(pixels[~near_half], wanted[~near_half])
    assert near_half.mean() < 1e-2
    assert np.array_equal(pixels[0, 1], [255, 255, 0])


def test_what_is_read_is_written_back(device: str) -> None:
    """bf16 has 8 bits: all but the finest shades near white and black survive it; f32 has all."""
    pixels = RANDOM.integers(0, 256, (80, 48, 3), np.uint8)
    (image,) = run("read_pixels", device, {"pixels": pixels}, "f32").values()
    (back,) = run("write_pixels", device, {"image": image}, "f32").values()
    assert np.array_equal(back, pixels)


def test_noise_becomes_tokens_row_by_row(device: str) -> None:
    noise = normal(12, 5, 3)
    found = run("first_latents", device, {"noise": noise})
    wanted = noise.reshape(12, 15).T
    assert np.array_equal(found["next"], wanted.astype(np.float32))
    assert np.array_equal(found["rounded"], wanted)


@pytest.mark.parametrize("guided", [False, True])
def test_a_step_is_taken_in_f32(device: str, guided: bool) -> None:
    latents = normal(15, 12, dtype="f32")
    velocity, unguided = normal(15, 12), normal(15, 12)
    sigma, next_sigma, guidance = np.float32(0.957), np.float32(0.884), np.float32(4.5)
    inputs = {"latents": latents, "velocity": velocity, "sigma": sigma, "next_sigma": next_sigma}
    v = velocity.astype(np.float64)
    if guided:
        inputs |= {"unguided": unguided, "guidance": guidance}
        other = unguided.astype(np.float64)
        v = other + float(guidance) * (v - other)
    found = run("guided_euler_step" if guided else "euler_step", device, inputs)
    wanted = latents + (float(next_sigma) - float(sigma)) * v
    assert found["next"].dtype == np.float32
    assert np.abs(found["next"] - wanted).max() < 1e-6
    assert np.array_equal(found["rounded"], found["next"].astype(TYPES["bf16"]))
