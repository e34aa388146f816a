"""Index arithmetic against NumPy, on random expressions over axes of random sizes."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumc.dsl.bounds import Bounds, Fact
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    evaluate,
    floor_divide,
    modulo,
    rename,
    render,
    scale,
    substitute,
    value_range,
)

SIZES = (5, 1, 7, 4)
GRID: list[npt.NDArray[np.int64]] = list(np.indices(SIZES, dtype=np.int64))

Pair = tuple[IndexExpression, npt.NDArray[Any]]


@st.composite
def pairs(draw: st.DrawFn, depth: int = 3) -> Pair:
    """An expression and its values over the grid."""
    if depth == 0 or draw(st.booleans()):
        if draw(st.integers(0, 3)) == 0:
            number = draw(st.integers(-6, 6))
            return constant(number), np.full(SIZES, number)
        number = draw(st.integers(0, len(SIZES) - 1))
        return axis(number), GRID[number]
    x, values = draw(pairs(depth - 1))
    match draw(st.sampled_from(["add", "subtract", "scale", "divide", "modulo"])):
        case "add":
            y, other = draw(pairs(depth - 1))
            return add(x, y), values + other
        case "subtract":
            y, other = draw(pairs(depth - 1))
            return add(x, y, -1), values - other
        case "scale":
            factor = draw(st.integers(-4, 4))
            return scale(x, factor), values * factor
        case "divide":
            divisor = draw(st.integers(1, 6))
            return floor_divide(x, divisor, SIZES), values // divisor
        case _:
            divisor = draw(st.integers(1, 6))
            return modulo(x, divisor, SIZES), values % divisor


def values_of(expression: IndexExpression) -> npt.NDArray[np.int64]:
    return np.broadcast_to(evaluate(expression, GRID), SIZES)


@given(pairs())
@settings(derandomize=True, max_examples=300)
def test_arithmetic_is_exact(pair: Pair) -> None:
    expression, expected = pair
    np.testing.assert_array_equal(values_of(expression), expected)


@given(pairs())
@settings(derandomize=True, max_examples=300)
def test_ranges_hold_all_values(pair: Pair) -> None:
    expression, values = pair
    low, high = value_range(expression, SIZES)
    assert low <= values.min()
    assert values.max() <= high
    if expression.is_affine:
        assert (low, high) == (values.min(), values.max())


@given(pairs(), st.permutations(range(4)))
@settings(derandomize=True, max_examples=200)
def test_renaming_moves_axes(pair: Pair, order: list[int]) -> None:
    expression, expected = pair
    numbers = dict(enumerate(order))
    moved = [GRID[order.index(number)] for number in range(4)]
    renamed = rename(expression, numbers)
    np.testing.assert_array_equal(np.broadcast_to(evaluate(renamed, moved), SIZES), expected)
    back = {new: old for old, new in numbers.items()}
    assert rename(renamed, back) == expression


@given(pairs(), st.lists(pairs(), min_size=4, max_size=4))
@settings(derandomize=True, max_examples=200)
def test_substitution_composes(pair: Pair, inner: list[Pair]) -> None:
    expression, _ = pair
    # The inner values must be places of the axes that they replace.
    inside = [(modulo(e, size, SIZES), v % size) for (e, v), size in zip(inner, SIZES, strict=True)]
    composed = substitute(expression, [e for e, _ in inside], SIZES)
    expected = np.broadcast_to(evaluate(expression, [v for _, v in inside]), SIZES)
    np.testing.assert_array_equal(values_of(composed), expected)


@given(pairs())
@settings(derandomize=True, max_examples=200)
def test_text_reads_back(pair: Pair) -> None:
    expression, expected = pair
    names = ["a", "b", "c", "d"]
    text = render(expression, names)
    values = eval(text, {}, dict(zip(names, GRID, strict=True)))
    np.testing.assert_array_equal(np.broadcast_to(values, SIZES), expected)


@given(pairs(), pairs(), st.integers(-5, 5), st.integers(0, 9))
@settings(derandomize=True, max_examples=400)
def test_facts_narrow_ranges_and_never_too_far(
    pair: Pair, fact: Pair, low: int, width: int
) -> None:
    expression, values = pair
    condition, truth = fact
    bounds = Bounds(SIZES)
    with bounds.assuming([Fact(condition, low, low + width)]):
        least, most = bounds.range_of(expression)
    holds = (truth >= low) & (truth <= low + width)
    if holds.any():
        assert least <= values[holds].min()
        assert values[holds].max() <= most
    assert bounds.range_of(expression) == value_range(expression, SIZES)


@pytest.mark.parametrize(
    ("expression", "fact", "expected"),
    [
        (add(axis(0), constant(-1)), (axis(0), 1, 99), (0, 3)),
        (add(scale(axis(0), 2), constant(-1)), (axis(0), 1, 99), (1, 7)),
        (add(axis(2), axis(0), -1), (add(axis(0), axis(2), -1), -99, 0), (0, 6)),
        (add(constant(4), axis(0), -1), (scale(axis(0), -1), -2, 0), (2, 4)),
    ],
)
def test_what_facts_give(
    expression: IndexExpression,
    fact: tuple[IndexExpression, int, int],
    expected: tuple[int, int],
) -> None:
    bounds = Bounds(SIZES, [Fact(*fact)])
    assert bounds.range_of(expression) == expected


def test_a_divisor_must_be_positive() -> None:
    for operation in (floor_divide, modulo):
        with pytest.raises(ValueError, match="positive"):
            operation(axis(0), 0, SIZES)


def test_what_simplifies() -> None:
    merged = add(scale(axis(0), 4), axis(3))
    assert floor_divide(merged, 4, SIZES) == axis(0)
    assert modulo(merged, 4, SIZES) == axis(3)
    assert modulo(axis(2), 7, SIZES) == axis(2)
    assert floor_divide(axis(1), 3, SIZES) == constant(0)
