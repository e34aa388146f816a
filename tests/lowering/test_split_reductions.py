"""Reductions of a few long rows are offered in two steps, and taken where that is cheaper."""

from __future__ import annotations

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import Reduce, TensorProgram
from lumc.lowering.kernel_program import RowReduction
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
    assert with_split_reductions(found).equal
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
    assert not with_split_reductions(program(text)).equal


def test_the_program_itself_is_not_changed() -> None:
    found = program(CASES["several axes"])
    extended = with_split_reductions(found)
    assert extended.program.nodes[: len(found.nodes)] == found.nodes
    assert all(isinstance(node, Reduce) for node in extended.program.nodes[len(found.nodes) :])
    assert len(extended.ranks) == len(extended.origins) == len(extended.program.nodes)
