"""Whatever alternatives are chosen for a tiny FLUX.2 stage, its machine code means the same."""

from pathlib import Path
from typing import Literal

import pytest

from lumc.codegen.emit import MathMode
from lumc.dsl import elaborate, load_spec
from lumc.dsl.reference import evaluate
from tests.lowering.checking import random_tensors
from tests.runtime.emulated_stage import relative_error, run_emulated

SPEC = Path(__file__).parents[2] / "specs" / "flux2_klein.lum"
STAGES = ("transformer", "euler_step", "text_encoder", "vae_encoder", "vae_decoder")
# What a long chain of sums in another order may differ by, in f32.
TOLERANCE = 1e-4


def check(stage: str, seed: int) -> None:
    program = elaborate(load_spec(SPEC, "tiny"), stage)
    inputs, weights = random_tensors(program, seed)
    math = (MathMode.FAST, MathMode.EXACT)[seed % 2]
    meaning: Literal["fast", "exact"] = "exact" if math is MathMode.EXACT else "fast"
    expected = evaluate(program, inputs, weights, meaning)
    got = run_emulated(program, inputs, weights, "gfx942", math, random_choices=seed)
    assert got.keys() == expected.keys()
    for name, values in expected.items():
        assert relative_error(got[name], values) <= TOLERANCE, name


@pytest.mark.parametrize("stage", ["text_encoder", "euler_step"])
def test_small_stages_of_flux2(stage: str) -> None:
    check(stage, 201)


@pytest.mark.slow
@pytest.mark.parametrize("seed", range(201, 206))
@pytest.mark.parametrize("stage", STAGES)
def test_tiny_flux2_at_length(stage: str, seed: int) -> None:
    check(stage, seed)
