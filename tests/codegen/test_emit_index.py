"""Index expressions: their C++ text, what is known of them along lanes, and merged axes."""

from __future__ import annotations

import itertools
import re

import numpy as np
from hypothesis import assume, given
from hypothesis import strategies as st

from lumc.codegen.flat import AxisUse, FlatBody, FlatLoad, merge_axes
from lumc.codegen.index_text import AxisText, index_text, value_bounds
from lumc.codegen.vectorise import (
    Lanes,
    alignment,
    is_negative_in_all_lanes_alike,
    lattice,
    step,
)
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
from lumc.lowering.kernel_program import KernelAxis

SIZES = (4, 6, 8)


@st.composite
def expressions(draw: st.DrawFn, depth: int = 2) -> IndexExpression:
    result = constant(draw(st.integers(-9, 9)))
    for _ in range(draw(st.integers(1, 3))):
        if depth and draw(st.booleans()):
            make = draw(st.sampled_from((floor_divide, modulo)))
            divisor = draw(st.sampled_from((2, 3, 4, 6, 8)))
            term = make(draw(expressions(depth=depth - 1)), divisor, SIZES)
        else:
            term = axis(draw(st.integers(0, len(SIZES) - 1)))
        result = add(result, term, draw(st.sampled_from((1, 1, 2, 3, 4, 8, -1, -6))))
    return result


def values(expression: IndexExpression) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    grid = np.meshgrid(*(np.arange(size) for size in SIZES), indexing="ij")
    return np.broadcast_to(evaluate(expression, grid), SIZES)


def by_groups(
    expression: IndexExpression, lanes: Lanes
) -> np.ndarray[tuple[int, ...], np.dtype[np.int64]]:
    """Values as (group, lane)."""
    moved = np.moveaxis(values(expression), lanes.axis, -1)
    return moved.reshape(-1, lanes.width)


LANES = st.sampled_from((Lanes(0, 2), Lanes(0, 4), Lanes(1, 2), Lanes(2, 4), Lanes(2, 8)))


@given(expressions(), LANES)
def test_a_step_holds_in_every_group(expression: IndexExpression, lanes: Lanes) -> None:
    grows = step(expression, lanes)
    assume(grows is not None)
    assert (np.diff(by_groups(expression, lanes), axis=1) == grows).all()


@given(expressions(), LANES)
def test_the_lattice_holds_at_first_lanes(expression: IndexExpression, lanes: Lanes) -> None:
    modulus, residue = lattice(expression, lanes)
    first = by_groups(expression, lanes)[:, 0]
    assert ((first == residue) if modulus == 0 else (first % modulus == residue)).all()
    divisor = alignment(expression, lanes)
    assert (first % divisor == 0 if divisor else first == 0).all()


@given(expressions(), LANES)
def test_alike_signs_are_alike(expression: IndexExpression, lanes: Lanes) -> None:
    assume(is_negative_in_all_lanes_alike(expression, lanes))
    negative = by_groups(expression, lanes) < 0
    assert (negative == negative[:, :1]).all()


def test_what_is_seen_along_lanes() -> None:
    """The proofs are not empty: what occurs in models is found."""
    lanes = Lanes(2, 8)
    head = floor_divide(add(scale(axis(1), 64), axis(2)), 32, (4, 6, 8))
    assert step(head, lanes) == 0
    assert step(modulo(add(axis(2), constant(32)), 64, (4, 6, 64)), lanes) == 1
    assert step(modulo(add(axis(2), constant(1)), 64, (4, 6, 64)), lanes) is None
    assert alignment(add(scale(axis(0), 24), axis(2)), lanes) == 8
    assert is_negative_in_all_lanes_alike(add(axis(2), constant(-16)), lanes)
    assert not is_negative_in_all_lanes_alike(add(axis(2), constant(-17)), lanes)


def c_value(text: str, names: dict[str, int]) -> int:
    """What C++ index text comes to; quotients of negative numbers need the floor functions."""

    def truncated(a: int, b: int) -> int:
        assert a >= 0
        return a // b

    def rest(a: int, b: int) -> int:
        assert a >= 0
        return a % b

    python = re.sub(r"(\d+)LL", r"\1", text)
    scope = {
        "quotient": truncated,
        "remainder": rest,
        "floor_quotient": lambda a, b: a // b,
        "floor_remainder": lambda a, b: a % b,
        "int": int,
        "i64": int,
    }
    return int(eval(python, {"__builtins__": {}}, {**scope, **names}))


@given(expressions(), st.booleans())
def test_text_means_the_expression(expression: IndexExpression, wide: bool) -> None:
    axes = [AxisText(name, 0, size - 1) for name, size in zip("abc", SIZES, strict=True)]
    text = index_text(expression, axes, wide)
    found = values(expression)
    low, high = value_bounds(expression, axes)
    assert low <= found.min()
    assert found.max() <= high
    for point in itertools.product(*(range(size) for size in SIZES)):
        assert c_value(text, dict(zip("abc", point, strict=True))) == found[point]


def test_wide_parts_are_computed_in_64_bits() -> None:
    axes = [AxisText("a", 0, 2**20), AxisText("b", 0, 2**20)]
    product = floor_divide(add(scale(axis(0), 2**20), axis(1)), 3, (2**20, 2**20))
    assert index_text(product, axes) == "int(quotient(1048576LL * i64(a) + i64(b), 3LL))"
    assert index_text(scale(axis(0), 5), axes, wide=True) == "5LL * i64(a)"


@given(st.lists(expressions(), min_size=1, max_size=3), st.permutations(range(3)))
def test_merged_axes_read_the_same(found: list[IndexExpression], order: list[int]) -> None:
    axes = tuple(KernelAxis(name, size) for name, size in zip("abc", SIZES, strict=True))
    body = FlatBody(axes, tuple(FlatLoad(0, e) for e in found), (), (None,) * len(found))
    (merged,) = merge_axes([AxisUse(body, tuple(order))])
    walked = [merged.axes[n].size for n in order]
    assert np.prod(walked) == np.prod(SIZES)
    grid = np.meshgrid(*(np.arange(size) for size in walked), indexing="ij")
    at = dict(zip(order, grid, strict=True))
    for before, load in zip(found, merged.loads(), strict=True):
        after = evaluate(load.offset, [at[n] for n in range(3)])
        wanted = values(before).transpose(order).reshape(-1)
        assert (np.broadcast_to(after, walked).reshape(-1) == wanted).all()


def test_dense_axes_do_merge() -> None:
    axes = tuple(KernelAxis(name, size) for name, size in zip("abc", SIZES, strict=True))
    dense = add(add(scale(axis(0), 48), scale(axis(1), 8)), axis(2))
    body = FlatBody(axes, (FlatLoad(0, dense),), (), (None,))
    (merged,) = merge_axes([AxisUse(body, (0, 1, 2))])
    assert [a.size for a in merged.axes] == [1, 1, 192]
    assert merged.loads()[0].offset == axis(2)
