"""Whatever alternatives are chosen for a stage of FLUX.2, its machine code means the same."""

from __future__ import annotations

from pathlib import Path
from typing import Literal

import pytest

from lumc.codegen.emit import MathMode
from lumc.dsl import elaborate, load_spec, load_text
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import TensorProgram
from tests.lowering.checking import random_tensors
from tests.runtime.emulated_stage import relative_error, run_emulated

SPEC = Path(__file__).parents[2] / "specs" / "flux2_klein.lum"
STAGES = ("transformer", "euler_step", "text_encoder", "vae_encoder", "vae_decoder")
# What a long chain of sums in another order may differ by, in f32.
TOLERANCE = 1e-4

# As small as each kind of block and every odd size allows: compiling takes most of the time.
TRANSFORMER = {
    "width": "32",
    "height": "32",
    "references": "[[16, 32]]",
    "text_tokens": "5",
    "head_dim": "8",
    "double_blocks": "1",
    "single_blocks": "1",
    "channels": "8",
    "text_features": "12",
    "mlp_ratio": "2",
    "latent": "2",
}
TEXT_ENCODER = {
    "vocabulary": "64",
    "text_hidden": "12",
    "text_mlp": "20",
    "text_head_dim": "8",
    "layers_per_tap": "1",
    "text_tokens": "7",
}
# Two levels instead of four, with a residual block each.
AUTOENCODER = """
use autoencoder with:
    dtype = f32, levels = [4, 6], groups = 2, latent = 2, resnets = {resnets}
stage vae_encoder(image: f32[3, 8, 12]) -> moments: f32[4, 4, 6]:
    moments = encode(image)
stage vae_decoder(z: f32[2, 4, 6]) -> image: f32[3, 8, 12]:
    image = decode(z)
"""


def small(stage: str) -> TensorProgram:
    match stage:
        case "transformer" | "euler_step":
            return elaborate(load_spec(SPEC, "tiny", TRANSFORMER), stage)
        case "text_encoder":
            return elaborate(load_spec(SPEC, "tiny", TEXT_ENCODER), stage)
        case _:
            resnets = 1 if stage == "vae_encoder" else 0
            return elaborate(
                load_text("small", AUTOENCODER.replace("{resnets}", str(resnets))), stage
            )


def check(program: TensorProgram, seed: int) -> None:
    inputs, weights = random_tensors(program, seed)
    math = (MathMode.FAST, MathMode.EXACT)[seed % 2]
    meaning: Literal["fast", "exact"] = "exact" if math is MathMode.EXACT else "fast"
    expected = evaluate(program, inputs, weights, meaning)
    got = run_emulated(program, inputs, weights, "gfx942", math, random_choices=seed)
    assert got.keys() == expected.keys()
    for name, values in expected.items():
        assert relative_error(got[name], values) <= TOLERANCE, name


@pytest.mark.parametrize("seed", range(201, 206))
@pytest.mark.parametrize("stage", STAGES)
def test_small_stages_of_flux2(stage: str, seed: int) -> None:
    check(small(stage), seed)


# The very choices that are checked by the kernels' meaning in tests/lowering.
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("seed", range(1, 101))
@pytest.mark.parametrize("stage", STAGES)
def test_tiny_flux2_at_length(stage: str, seed: int) -> None:
    check(elaborate(load_spec(SPEC, "tiny"), stage), seed)
