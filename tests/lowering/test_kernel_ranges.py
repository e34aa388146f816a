"""What is proved of indices and of the values of kernels is never wrong."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    evaluate,
    floor_divide,
    modulo,
    scale,
)
from lumc.lowering.kernel_program import (
    Parameter,
    Pointwise,
)
from lumc.lowering.kernel_ranges import (
    are_apart,
    are_disjoint,
    index_range,
    is_injective,
    whole_number_ranges,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.program_verifier import most_written
from lumc.lowering.scalar_reference import Memory, Scope, whole
from tests.strategies.kernels import pointwise_kernels, random_arrays


@st.composite
def expressions(draw: Callable[[Any], Any]) -> tuple[IndexExpression, tuple[int, ...]]:
    sizes = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    total = constant(draw(st.integers(-4, 4)))
    for _ in range(draw(st.integers(1, 4))):
        atom = axis(draw(st.integers(0, len(sizes) - 1)))
        if draw(st.booleans()):
            atom = add(atom, axis(draw(st.integers(0, len(sizes) - 1))), draw(st.integers(0, 2)))
        divisor = draw(st.integers(1, 5))
        atom = draw(
            st.sampled_from(
                (atom, floor_divide(atom, divisor, sizes), modulo(atom, divisor, sizes))
            )
        )
        total = add(total, scale(atom, draw(st.integers(-4, 6))))
    return total, sizes


def values_of(expression: IndexExpression, sizes: tuple[int, ...]) -> np.ndarray[Any, Any]:
    grids = list(np.ix_(*(np.arange(size) for size in sizes)))
    return np.broadcast_to(evaluate(expression, grids), sizes)


@settings(max_examples=300, deadline=None)
@given(expressions())
def test_ranges_and_injectivity(case: tuple[IndexExpression, tuple[int, ...]]) -> None:
    expression, sizes = case
    values = values_of(expression, sizes)
    # No size is wanted that the bounds fit in, so they are exact.
    assert index_range(expression, sizes, (), 0) == (values.min(), values.max())
    assert is_injective(expression, sizes) is (np.unique(values).size == values.size)


@settings(max_examples=300, deadline=None)
@given(expressions())
def test_injectivity_by_digits_alone(case: tuple[IndexExpression, tuple[int, ...]]) -> None:
    expression, sizes = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lumc.lowering.kernel_ranges._EXHAUSTIVE", 0)
        found = is_injective(expression, sizes)
        low, high = index_range(expression, sizes, (), 0) or (0, 0)
    values = values_of(expression, sizes)
    assert found in (None, np.unique(values).size == values.size)
    assert low <= values.min()
    assert high >= values.max()


def test_digits_prove_what_is_too_large_to_try() -> None:
    sizes = (4096, 12288)
    split = floor_divide(axis(1), 128, sizes), modulo(axis(1), 128, sizes)
    flat = add(add(scale(axis(0), 128), scale(split[0], 4096 * 128)), split[1])
    assert is_injective(flat, sizes) is True
    assert is_injective(scale(split[0], 128), sizes) is False


layouts = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 9)), min_size=0, max_size=3)


@settings(max_examples=300, deadline=None)
@given(layouts, st.integers(0, 30), layouts, st.integers(0, 30))
def test_disjoint_is_never_wrong(
    left: list[tuple[int, int]], at: int, right: list[tuple[int, int]], other: int
) -> None:
    def elements(layout: list[tuple[int, int]], offset: int) -> set[int]:
        steps = [[n * stride for n in range(size)] for size, stride in layout]
        return {offset + sum(point) for point in itertools.product(*steps)}

    def parameter(layout: list[tuple[int, int]]) -> Parameter:
        return Parameter(
            "x", DType.F32, tuple(s for s, _ in layout), tuple(step for _, step in layout)
        )

    if are_disjoint(parameter(left), at, parameter(right), other):
        assert not elements(left, at) & elements(right, other)


@settings(max_examples=300, deadline=None)
@given(expressions(), expressions())
def test_apart_is_never_wrong(
    left: tuple[IndexExpression, tuple[int, ...]], right: tuple[IndexExpression, tuple[int, ...]]
) -> None:
    common = set(values_of(*left).flat) & set(values_of(*right).flat)
    assert are_apart((left[0],), left[1], (right[0],), right[1]) is not bool(common)


def test_pieces_of_large_tensors_are_apart() -> None:
    sizes = (4096, 48, 64)
    first, second, third = axis(0), axis(1), axis(2)
    halves = [add(scale(second, 128), add(third, constant(n))) for n in (0, 64)]
    assert are_apart((first, halves[0]), sizes, (first, halves[1]), sizes)
    twos = [add(scale(second, 128), add(scale(third, 2), constant(n))) for n in (0, 1)]
    assert are_apart((first, twos[0]), sizes, (first, twos[1]), sizes)
    assert not are_apart((first, twos[0]), sizes, (first, halves[0]), sizes)
    computed = axis(3)
    assert not are_apart((first, computed), sizes, (first, halves[0]), sizes)


@settings(max_examples=100, deadline=None)
@given(pointwise_kernels())
def test_whole_numbers_stay_in_their_ranges(kernel: Pointwise) -> None:
    memory = Memory.of(kernel, random_arrays(kernel, 1))
    with np.errstate(all="ignore"):
        values = Scope(memory, whole(kernel.body.axes)).values(kernel.body)
    for found, value in zip(whole_number_ranges(kernel.body), values, strict=True):
        assert found is None or (found[0] <= value.min() and value.max() <= found[1])


@settings(max_examples=50, deadline=None)
@given(pointwise_kernels())
def test_no_more_is_written_than_counted(kernel: Pointwise) -> None:
    arrays = random_arrays(kernel, 1)
    before = [array.tobytes() for array in arrays]
    run_kernel(kernel, arrays)
    for number, (array, old) in enumerate(zip(arrays, before, strict=True)):
        changed = np.frombuffer(array.tobytes(), np.uint8) != np.frombuffer(old, np.uint8)
        count = changed.reshape(array.size, -1).any(axis=1).sum()
        assert count <= most_written(kernel, number)
