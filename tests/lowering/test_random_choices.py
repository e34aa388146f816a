"""Whatever alternatives are chosen, the kernels mean what the program means."""

from __future__ import annotations

from pathlib import Path

import pytest

from lumc.dsl import elaborate, load_spec
from tests.lowering.checking import check, check_random

SPECS = Path(__file__).parents[2] / "specs"
EXAMPLES = [
    (path.stem, stage)
    for path in sorted((SPECS / "examples").glob("*.lum"))
    for stage in load_spec(path).stages
]
STAGES = ("transformer", "euler_step", "text_encoder", "vae_encoder", "vae_decoder")

# What a long chain of sums in another order may differ by, in f32.
TOLERANCE = 1e-4


@pytest.mark.parametrize(("name", "stage"), EXAMPLES)
def test_examples(name: str, stage: str) -> None:
    program = elaborate(load_spec(SPECS / "examples" / f"{name}.lum"), stage)
    check(program, tolerance=TOLERANCE)
    check_random(program, range(2), TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize(("name", "stage"), EXAMPLES)
def test_examples_at_length(name: str, stage: str) -> None:
    program = elaborate(load_spec(SPECS / "examples" / f"{name}.lum"), stage)
    check_random(program, range(2, 32), TOLERANCE)


@pytest.mark.parametrize("stage", STAGES)
def test_tiny_flux2(stage: str) -> None:
    program = elaborate(load_spec(SPECS / "flux2_klein.lum", "tiny"), stage)
    check(program, tolerance=TOLERANCE)
    check_random(program, range(1), TOLERANCE)


# A hundred of each stage, in parts that workers share.
@pytest.mark.slow
@pytest.mark.timeout(1800)
@pytest.mark.parametrize("first", range(1, 101, 10))
@pytest.mark.parametrize("stage", STAGES)
def test_tiny_flux2_at_length(stage: str, first: int) -> None:
    program = elaborate(load_spec(SPECS / "flux2_klein.lum", "tiny"), stage)
    check_random(program, range(first, first + 10), TOLERANCE)
