"""Reductions over any axes of tensors of any shape, compiled and run: sums, spreads, greatest."""

from __future__ import annotations

import random

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.reference import evaluate
from tests.runtime.emulated_stage import relative_error, run_emulated

NAMES = "abcd"
TOLERANCES = {"f32": 1e-5, "bf16": 8e-3, "f16": 2e-3}


def random_reduction(seed: int) -> str:
    """A stage with the mean, the spread and the greatest over some axes, and what is normalised."""
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
    return (
        f"stage s(x: {dtype}[{shape}]) -> {outputs}:\n"
        f"    {head('mean')} = sum[{over}] x[{at}] / {count}\n"
        f"    {head('spread')} = sum[{over}] (x[{at}] - {value('mean')})^2 / {count}\n"
        f"    {head('most')} = max[{over}] x[{at}]\n"
        f"    y[{everywhere}] = (x[{at}] - {value('mean')}) / sqrt({value('spread')} + 0.01)\n"
    )


@pytest.mark.parametrize(
    "seed", [*range(10), *(pytest.param(n, marks=pytest.mark.slow) for n in range(10, 200))]
)
def test_random_reductions(seed: int) -> None:
    program = elaborate(load_text("text", text := random_reduction(seed)), "s")
    node = program.nodes[program.inputs[0]]
    values = np.random.default_rng(seed).standard_normal(node.space) + random.Random(seed).choice(
        [0, 5]
    )
    inputs = {"x": values.astype(node.dtype.numpy)}
    target = ["gfx942", "gfx90a", "gfx1100"][seed % 3]
    found, wanted = run_emulated(program, inputs, {}, target), evaluate(program, inputs, {})
    for output in program.outputs:
        limit = TOLERANCES[str(DType(output.dtype))]
        error = relative_error(found[output.name], wanted[output.name], 1e-3)
        assert error < limit, f"{output.name}: {error}\n{text}"
