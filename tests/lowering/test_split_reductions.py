"""Reductions of a few long rows are offered in two steps, and taken where that is cheaper."""

from __future__ import annotations

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import Place, Reduce, TensorProgram
from lumc.lowering.kernel_program import Pointwise, RowReduction
from lumc.lowering.kernel_reference import run_program
from lumc.lowering.layouts import choose_orders
from lumc.lowering.lower import lower
from lumc.lowering.split_reductions import with_split_reductions
from tests.lowering.checking import check, check_random

CASES = {
    "one row": "stage s(x: f32[12000]) -> y: f32:\n    y = sum[i] x[i]\n",
    "a maximum": "stage s(x: f32[3, 9000]) -> y: f32[3]:\n    y[t] = max[i] x[t, i] * 2\n",
    "several axes": "stage s(x: f32[40, 3, 90, 5]) -> y: f32[3]:\n"
    "    y[t] = sum[a, b, c] x[a, t, b, c] * x[a, t, b, c]\n",
    "whole numbers": "stage s(x: i32[2, 9000]) -> y: i32[2]:\n    y[t] = sum[i] x[t, i]\n",
    "a norm of a picture": "use nn\n"
    "stage s(x: f32[8, 40, 60], g: f32[8], b: f32[8]) -> y: f32[8, 40, 60]:\n"
    "    y = group_norm(x, g, b, 1e-6, 2)\n",
}


def program(text: str) -> TensorProgram:
    return elaborate(load_text("text", text), "s")


@pytest.mark.parametrize("name", CASES)
def test_both_ways_mean_the_same(name: str) -> None:
    found = program(CASES[name])
    assert with_split_reductions(found, choose_orders(found)).equal
    check(found, tolerance=1e-4)
    check_random(found, range(4), tolerance=1e-4)


def test_parts_are_taken_where_rows_are_few() -> None:
    text = "stage s(x: f32[2, 4000000]) -> y: f32[2]:\n    y[t] = sum[i] x[t, i]\n"
    kernels = check(program(text), tolerance=1e-4).kernels
    assert len(kernels) == 2
    assert all(isinstance(kernel, RowReduction) for kernel in kernels)


@pytest.mark.parametrize(
    "text",
    [
        "stage s(x: f32[2000, 9000]) -> y: f32[2000]:\n    y[t] = sum[i] x[t, i]\n",
        "stage s(x: f32[2, 100]) -> y: f32[2]:\n    y[t] = sum[i] x[t, i]\n",
        # No chunks of one length.
        "stage s(x: f32[2, 9973]) -> y: f32[2]:\n    y[t] = sum[i] x[t, i]\n",
    ],
)
def test_many_short_or_prime_rows_stay_whole(text: str) -> None:
    assert not with_split_reductions(program(text), choose_orders(program(text))).equal


def test_the_program_itself_is_not_changed() -> None:
    found = program(CASES["several axes"])
    extended = with_split_reductions(found, choose_orders(found))
    assert extended.program.nodes[: len(found.nodes)] == found.nodes
    assert all(isinstance(node, Reduce) for node in extended.program.nodes[len(found.nodes) :])
    assert len(extended.ranks) == len(extended.origins) == len(extended.program.nodes)


NORM = (
    "use nn\n"
    "stage s(x: f32[240, 320, 64], g: f32[64], b: f32[64]) -> y: f32[240, 320, 64]:\n"
    "    picture[c: 64, r: 240, s: 320] = x[r, s, c]\n"
    "    normed = group_norm(picture, g, b, 1e-6, 16)\n"
    "    y[r: 240, s: 320, c: 64] = normed[c, r, s]\n"
)


def test_sum_and_spread_of_a_picture_take_one_pass_over_it() -> None:
    found = program(NORM)
    launched = check(found, tolerance=1e-4)
    reading = [
        launched.kernels[launch.kernel]
        for launch in launched.launches
        if any(launched.buffers[a.buffer].name == "x" for a in launch.arguments)
    ]
    assert [type(kernel) for kernel in reading] == [RowReduction, Pointwise]
    # Both results leave in one tensor, a run of memory is a part.
    statistics = reading[0]
    assert isinstance(statistics, RowReduction)
    assert [len(phase.reductions) for phase in statistics.phases] == [1, 1, 0]
    check_random(found, range(4), tolerance=1e-4)


@pytest.mark.parametrize("mean", [0.0, 300.0])
def test_a_spread_is_exact_however_far_the_mean_is_off(mean: float) -> None:
    text = (
        "stage s(x: f32[2, 2000000]) -> y: f32[2]:\n"
        "    m[t] = sum[i] x[t, i] / 2000000\n"
        "    y[t] = sum[i] (x[t, i] - m[t])^2 / 2000000\n"
    )
    found = program(text)
    x = (np.random.default_rng(1).standard_normal((2, 2000000)) + mean).astype(np.float32)
    lowered = lower(found, "gfx942").program
    assert len(lowered.launches) == 2
    y = run_program(lowered, {"x": x}, {})["y"]
    np.testing.assert_allclose(y, x.astype(np.float64).var(axis=1), rtol=3e-6)


def test_parts_are_cut_where_memory_is_far_apart() -> None:
    found = program(NORM)
    extended = with_split_reductions(found, choose_orders(found))
    parts = next(n for n in extended.program.nodes[len(found.nodes) :] if isinstance(n, Reduce))
    # Whole rows of pixels go to parts first, then pieces of a row.
    assert parts.space[0] == 240
    assert parts.space[-1] == 16
    assert parts.reduced[0] == 4


def test_a_shift_that_differs_in_a_row_makes_no_spread() -> None:
    text = (
        "stage s(x: f32[4, 30000], z: f32[30000]) -> y: f32[4]:\n"
        "    y[t] = sum[i] (x[t, i] - z[i])^2\n"
    )
    found = program(text)
    extended = with_split_reductions(found, choose_orders(found))
    assert not any(isinstance(n, Place) for n in extended.program.nodes)
    check(found, tolerance=1e-4)
