"""What a program is made of is told from what only looks like it."""

from __future__ import annotations

from collections import Counter

import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.lower import lower

CASES = {
    "a norm of rows": (
        "stage s(x: f32[5, 8]) -> y: f32[5, 8]:\n    y[t] = layer_norm(x[t], 1e-6)\n",
        {"norm": 1},
    ),
    "a norm whose variance is the mean of squares less the square of the mean": (
        """stage s(x: f32[5, 8]) -> y: f32[5, 8]:
    m[t] = sum[i] x[t, i] / |i|
    v[t] = sum[i] x[t, i]^2 / |i| - m[t]^2
    y[t, i] = (x[t, i] - m[t]) / sqrt(v[t] + 1e-5)
""",
        {"norm": 1},
    ),
    "rows of length one": (
        """stage s(x: f32[5, 8]) -> y: f32[5, 8]:
    y[t, i] = x[t, i] / max(sqrt(sum[j] x[t, j]^2), 1e-12)
""",
        {"norm": 1},
    ),
    "two norms of one tensor": (
        """stage s(x: f32[5, 8], g: f32[8]) -> y: f32[5, 8], z: f32[5, 8]:
    y[t] = rms_norm(x[t], g, 1e-6)
    z[t] = layer_norm(x[t], 1e-6)
""",
        {"norm": 2},
    ),
    "lengths that scale nothing": (
        "stage s(x: f32[5, 8]) -> y: f32[5]:\n    y[t] = sqrt(sum[i] x[t, i]^2)\n",
        {},
    ),
    "roots of sums of no squares": (
        """stage s(x: f32[5, 8]) -> y: f32[5, 8]:
    y[t, i] = x[t, i] / sqrt(sum[j] abs(x[t, j]))
""",
        {},
    ),
    "a softmax": (
        "stage s(x: f32[5, 8]) -> y: f32[5, 8]:\n    y[t] = softmax(x[t])\n",
        {"softmax": 1},
    ),
    "the maximum of other rows": (
        """stage s(x: f32[8, 8]) -> y: f32[8, 8]:
    e[t, i] = exp(x[t, i] - max[j] x[j, 0])
    y[t, i] = e[t, i] / sum[j] e[t, j]
""",
        {},
    ),
    "exponentials without a maximum": (
        """stage s(x: f32[5, 8]) -> y: f32[5, 8]:
    y[t, i] = exp(x[t, i]) / sum[j] exp(x[t, j])
""",
        {},
    ),
    "a matrix and one vector": (
        """stage s(x: f32[64], W: f32[64, 64]) -> y: f32[64]:
    y[o] = sum[i] W[o, i] * x[i]
""",
        {"product": 1},
    ),
    "a convolution, and one of a single point": (
        """stage s(x: f32[3, 8], V: f32[4, 3, 3], W: f32[5, 4, 1]) -> y: f32[5, 6]:
    a[o, r: 6] = sum[c, i] V[o, c, i] * x[c, r + i]
    y[o, r: 6] = sum[c, i] W[o, c, i] * a[c, r + i]
""",
        {"convolution": 1, "product": 1},
    ),
}


@pytest.mark.parametrize("name", CASES)
def test_what_is_found(name: str) -> None:
    text, wanted = CASES[name]
    found = lower(elaborate(load_text("text", "use nn\n" + text), "s"), "gfx942", explained=True)
    assert found.explanation is not None
    times: Counter[str] = Counter()
    for one in found.explanation.found:
        times[one.kind] += one.times
    assert times == wanted
    left = [one for one in found.explanation.leftovers if one.kind == "reduction"]
    assert bool(left) == (not wanted)
    assert all(one.reason for one in left)
