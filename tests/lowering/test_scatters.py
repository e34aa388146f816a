"""Writes at computed places: in order, after what they write over, and nowhere else."""

from __future__ import annotations

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.kernel_types import stores
from lumc.lowering.lower import lower
from tests.lowering.checking import assert_equal, random_tensors


def program_of(text: str) -> TensorProgram:
    return elaborate(load_text("text", f"use nn\n{text}"), "s")


REVERSED = """
stage s(x: f32[4096], v: f32[4096], at: i32[4096]) -> y: f32[4096]:
    y[at[t]: 4096] = v[t] else x
"""
LATE = """
stage s(x: f32[64, 64], w: f32[64, 64], u: f32[64, 64], v: f32[9, 64],
        at: i32[9]) -> y: f32[64, 64], q: f32[64, 64]:
    p[i, o] = sum[k] x[i, k] * w[o, k]
    y[at[t]: 64, c] = v[t, c] else p
    q[i, o] = sum[k] x[i, k] * u[o, k]
"""
CHAINED = """
stage s(x: f32[64], v: f32[64], w: f32[64], at: i32[64]) -> z: f32[64]:
    y[at[t]: 64] = v[t] else x
    z[at[t]: 64] = w[t] else y
"""


def test_a_product_is_scattered() -> None:
    text = """
stage s(x: f32[5, 7], w: f32[1, 7], at: i32[5]) -> y: f32[9, 1]:
    y[at[t]: 9, o] = max[t] (sum[k] x[t, k] * w[o, k]) else 2
"""
    program = program_of(text)
    inputs, weights = random_tensors(program)
    inputs["at"] = np.array([8, 3, 3, -1, 9], np.int32)
    for seed in (None, *range(6)):
        assert_equal(program, lower(program, "gfx942", seed=seed).program, (inputs, weights))


@pytest.mark.parametrize("text", [REVERSED, LATE, CHAINED], ids=["reversed", "late", "chained"])
def test_what_is_written_over_is_written_before(text: str) -> None:
    program = program_of(text)
    inputs, weights = random_tensors(program)
    places = inputs["at"].size
    inputs["at"] = np.arange(places, dtype=np.int32)[::-1].copy()
    kernels = lower(program, "gfx942").program
    assert_equal(program, kernels, (inputs, weights))
    for kernel in kernels.kernels:
        written = [store.parameter for store in stores(kernel)]
        assert len(set(written)) == len(written), "nothing orders two stores of one launch"
    for seed in range(2):
        shuffled = lower(program, "gfx942", seed=seed).program
        assert_equal(program, shuffled, (inputs, weights))
