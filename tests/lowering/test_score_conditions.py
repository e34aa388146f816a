"""Keys that masks leave out for a whole tile of queries are counted, and not paid for."""

from __future__ import annotations

import math
from collections.abc import Callable

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.chips import chip_for
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import Attention
from lumc.lowering.lower import lower
from lumc.lowering.score_conditions import visited_tiles

Keeps = Callable[[int, int], bool]

MASKS: dict[str, tuple[str, Keeps]] = {
    "all": ("1 < 2", lambda q, k: True),
    "causal": ("k <= q", lambda q, k: k <= q),
    "window": ("k <= q and q - 100 < k", lambda q, k: k <= q and q - 100 < k),
    "from the other end": ("q <= k", lambda q, k: q <= k),
}


def attention(mask: str, queries: int, keys: int) -> Attention:
    text = (
        "use nn\n"
        f"stage s(a: bf16[4, {queries}, 64], b: bf16[4, {keys}, 64], c: bf16[4, {keys}, 64])"
        f" -> y: bf16[4, {queries}, 64]:\n"
        f"    score[h: 4, q: {queries}, k: {keys}] = if {mask} then"
        " 0.125 * (sum[i] a[h, q, i] * b[h, k, i]) else -inf\n"
        "    most[h: 4, q] = max[k] score[h, q, k]\n"
        f"    p[h: 4, q: {queries}, k: {keys}] = exp(score[h, q, k] - most[h, q])\n"
        "    y[h, q, d] = (sum[k] p[h, q, k] * c[h, k, d]) / (sum[k] p[h, q, k])\n"
    )
    kernels = lower(elaborate(load_text("text", text), "s"), "gfx942").program.kernels
    (found,) = (kernel for kernel in kernels if isinstance(kernel, Attention))
    return found


@pytest.mark.parametrize("name", MASKS)
@pytest.mark.parametrize(("queries", "keys"), [(700, 700), (333, 900), (1, 90)])
def test_tiles_are_counted_as_they_are_visited(name: str, queries: int, keys: int) -> None:
    text, keeps = MASKS[name]
    found = visited_tiles(attention(text, queries, keys), 64, 32)
    counts = []
    for first in range(0, queries, 64):
        rows = range(first, min(first + 64, queries))
        seen = [k for k in range(keys) if any(keeps(q, k) for q in rows)]
        last = max(seen, default=0)
        counts.append(last // 32 - min(seen, default=0) // 32 + 1)
    assert found.most == max(counts)
    assert math.isclose(found.mean, np.mean(counts))


def test_a_narrow_window_is_cheap() -> None:
    chip = chip_for("gfx942")
    whole, window = attention("1 < 2", 8192, 8192), attention(MASKS["window"][0], 8192, 8192)
    assert predict_seconds(window, chip) < 0.2 * predict_seconds(whole, chip)
