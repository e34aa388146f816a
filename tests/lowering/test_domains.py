"""What is read outside a tensor under a guard never stands for a value that has no guard."""

from __future__ import annotations

import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.kernel_program import Gemm
from lumc.lowering.lower import lower
from tests.lowering.checking import check_random

SEEDS = range(12)

# In each, what is read outside ``t`` is made of something that is there at all points.
CASES = {
    "one element": """
stage s(x: f32[8]) -> y: f32[5]:
    t[a: 1] = x[0 + a] * 2 + 1
    y[b: 5] = t[2*b - 3 else 4] + t[b // 5]
""",
    "the same row everywhere": """
stage s(x: f32[6]) -> y: f32[4, 6]:
    t[r: 4, c] = x[c] * x[c]
    y[r: 4, c] = t[r - 1, c else 3] * t[r // 2, c]
""",
    "a coarser place": """
stage s(x: f32[3]) -> y: f32[6]:
    t[r: 6] = sin(x[r // 6])
    y[r: 6] = t[r - 2 else 5] + t[r + 1 else 7] * t[r // 4]
""",
    "a guarded read of a guarded read": """
stage s(x: f32[5]) -> y: f32[5], z: f32[5]:
    t[r: 5] = x[r - 1 else 2]
    y[r: 5] = t[r - 1 else 5]
    z[r: 5] = x[r - 2 else 2]
""",
    "a number and an index": """
stage s(x: f32[4]) -> y: f32[4]:
    index r: 4
    t[r] = 2 + 0*x[r]
    u[r] = r + 0*x[0]
    y[r] = t[r - 1 else 9] + 2*x[r] + u[r + 1 else 8] + (r + 1)
""",
    "steps of two": """
stage s(x: f32[4], z: f32[2, 2]) -> y: f32[4], w: f32[2]:
    y[r: 4] = x[2*r - 1 else 3] + x[2*r else 0]
    w[s: 2] = z[s, 2*s else 0] * 2
""",
    "steps and rests": """
stage s(x: f32[7]) -> y: f32[9]:
    t[a: 7] = sin(x[a])
    y[r: 9] = t[3*(r % 4) - 2 else 3] + t[(3*r + 1) // 2 - 2 else 0]
""",
    "under a condition that is no comparison of indices": """
stage s(x: f32[4], m: i32[4]) -> y: f32[4]:
    t[r: 4, c: 3] = x[r] * 3
    y[r: 4] = (if m[r] > 0 and r >= 1 then t[r - 1, r % 3] else x[r] * 3) + t[r, 0]
""",
}


@pytest.mark.parametrize("name", CASES)
def test_random_choices(name: str) -> None:
    program = elaborate(load_text("text", "use nn\n" + CASES[name]), "s")
    check_random(program, SEEDS)


def test_a_convolution_of_a_convolution_reads_what_is_stored() -> None:
    text = """use nn
stage s(x: f32[3, 6, 5], V: f32[4, 3, 3, 3], W: f32[2, 4, 3, 3],
        a: f32[4], b: f32[2]) -> y: f32[2, 6, 5]:
    y = conv(conv(x, V, a), W, b)
"""
    program = elaborate(load_text("text", text), "s")
    found = lower(program, "gfx942").program
    assert [type(found.kernels[launch.kernel]) for launch in found.launches] == [Gemm, Gemm]
    check_random(program, range(4))
