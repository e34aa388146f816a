"""Reductions over any axes of tensors of any shape, compiled and run: sums, spreads, greatest."""

from __future__ import annotations

import random
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lumc.dsl import elaborate, load_text
from tests.runtime.emulated_stage import relative_error, run_emulated

Array = npt.NDArray[Any]

NAMES = "abcd"
TOLERANCES = {"f32": 5e-6, "bf16": 8e-3, "f16": 2e-3}


def random_reduction(seed: int) -> tuple[str, tuple[int, ...]]:
    """A stage with the spread and the greatest over some axes, and what is normalised by them.

    Also the numbers of those axes.
    """
    chosen = random.Random(seed)
    rank = chosen.randint(1, 4)
    names = NAMES[:rank]
    reduced = sorted(chosen.sample(names, chosen.randint(1, rank)))
    kept = [name for name in names if name not in reduced]
    sizes = {name: chosen.choice([1, 2, 3, 4, 7, 8, 16, 24, 33]) for name in names}
    # Long enough, now and then, for a row to be cut into parts.
    sizes[chosen.choice(reduced)] = chosen.choice([5, 40, 97, 600, 1500])
    dtype = chosen.choice([*TOLERANCES])
    shape = ", ".join(str(sizes[name]) for name in names)
    rows = ", ".join(str(sizes[name]) for name in kept)
    at, row = ", ".join(names), ", ".join(f"{n}: {sizes[n]}" for n in kept)
    read, over = ", ".join(kept), ", ".join(f"{n}: {sizes[n]}" for n in reduced)
    count = int(np.prod([sizes[name] for name in reduced]))

    def result(name: str) -> str:
        return f"{name}: f32[{rows}]" if kept else f"{name}: f32"

    def head(name: str) -> str:
        return f"{name}[{row}]" if kept else name

    def value(name: str) -> str:
        return f"{name}[{read}]" if kept else name

    everywhere = ", ".join(f"{n}: {sizes[n]}" for n in names)
    outputs = f"{result('spread')}, {result('most')}, y: {dtype}[{shape}]"
    text = (
        f"stage s(x: {dtype}[{shape}]) -> {outputs}:\n"
        f"    {head('mean')} = sum[{over}] x[{at}] / {count}\n"
        f"    {head('spread')} = sum[{over}] (x[{at}] - {value('mean')})^2 / {count}\n"
        f"    {head('most')} = max[{over}] x[{at}]\n"
        f"    y[{everywhere}] = (x[{at}] - {value('mean')}) / sqrt({value('spread')} + 0.01)\n"
    )
    return text, tuple(names.index(name) for name in reduced)


def wanted_of(x: Array, reduced: tuple[int, ...]) -> dict[str, Array]:
    """What such a stage means, in f64."""
    values = x.astype(np.float64)
    centred = values - values.mean(reduced, keepdims=True)
    spread = (centred**2).mean(reduced, keepdims=True)
    return {
        "spread": np.squeeze(spread, reduced),
        "most": values.max(reduced),
        "y": centred / np.sqrt(spread + 0.01),
    }


SEEDS = [*range(10), *(pytest.param(n, marks=pytest.mark.slow) for n in range(10, 200))]


@pytest.mark.parametrize("seed", SEEDS)
def test_random_reductions(seed: int) -> None:
    text, reduced = random_reduction(seed)
    program = elaborate(load_text("text", text), "s")
    node = program.nodes[program.inputs[0]]
    values = np.random.default_rng(seed).standard_normal(node.space)
    x = (values + random.Random(seed).choice([0, 5])).astype(node.dtype.numpy)
    target = ["gfx942", "gfx90a", "gfx1100"][seed % 3]
    found, wanted = run_emulated(program, {"x": x}, {}, target), wanted_of(x, reduced)
    for output in program.outputs:
        # Where all elements are equal there is nothing but rounding.
        error = relative_error(found[output.name], wanted[output.name], 1e-2)
        limit = TOLERANCES[str(output.dtype)]
        assert error < limit, f"{output.name}: {error}\n{text}"
