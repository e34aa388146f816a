"""Whole numbers of 64 bits: exact, as constants and as places."""

from __future__ import annotations

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.kernel_program import Literal
from lumc.lowering.kernel_types import bodies
from lumc.lowering.lower import lower
from tests.lowering.checking import assert_equal

CONSTANTS = """
stage s(n: i64[4]) -> y: i64[4], z: i32[4], w: i64[4], u: i64[4]:
    y[i] = n[i] + 9007199254740993
    z[i] = if n[i] > 3000000000 then 1 else 0
    w[i] = max(n[i], -9223372036854775807)
    u[i] = n[i] * 5
"""


PLACES = """
stage s(n: i64[5], v: f32[5]) -> y: f32[4], t: f32[4], m: f32[4], c: i32[4]:
    y[n[i]: 4] = v[i] else 0
    t[n[i]: 4] = sum[i] v[i] else 0
    m[n[i]: 4] = max[i] v[i] else -inf
    c[n[i]: 4] = sum[i] 1 else 0
"""


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_constants_are_exact(seed: int | None) -> None:
    program = elaborate(load_text("text", CONSTANTS), "s")
    values = np.array([0, 3000000000, 3000000001, -(2**62)], np.int64)
    kernels = lower(program, "gfx942", seed=seed).program
    assert_equal(program, kernels, ({"n": values}, {}))
    found = {
        i.value
        for kernel in kernels.kernels
        for _, body in bodies(kernel)
        for i in body.instructions
        if isinstance(i, Literal)
    }
    assert {9007199254740993, 3000000000} <= found


@pytest.mark.parametrize("seed", [None, 0, 1])
def test_places_do_not_wrap_around(seed: int | None) -> None:
    program = elaborate(load_text("text", PLACES), "s")
    places = np.array([2**32, 3, -(2**32) + 1, 2**63 - 1, -(2**63) + 2], np.int64)
    values = np.array([1, 2, 3, 4, 5], np.float32)
    kernels = lower(program, "gfx942", seed=seed).program
    assert_equal(program, kernels, ({"n": places, "v": values}, {}))
