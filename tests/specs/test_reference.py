"""The reference against expectations worked out point by point in plain Python."""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Sequence

import ml_dtypes
import numpy as np
import numpy.typing as npt
import pytest

from lumc.dsl import reference
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    floor_divide,
    modulo,
    scale,
)
from lumc.dsl.reference import InputError, evaluate, evaluate_nodes
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Output,
    Piece,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
)

F32, I32, BF16 = DType.F32, DType.I32, DType.BF16


def at(node: int, *axes: int | IndexExpression) -> Operand:
    return Operand(node, tuple(axis(a) if isinstance(a, int) else a for a in axes))


def program(nodes: Sequence[Node], dtype: DType | None = None) -> TensorProgram:
    """The last node is the output ``y``."""
    last = nodes[-1]
    identity = at(len(nodes) - 1, *range(len(last.space)))
    return TensorProgram(
        "test",
        tuple(nodes),
        tuple(n for n, node in enumerate(nodes) if isinstance(node, Input)),
        tuple(n for n, node in enumerate(nodes) if isinstance(node, Weight)),
        (Output("y", identity, last.space, dtype or last.dtype),),
    )


def value_of(
    nodes: Sequence[Node], dtype: DType | None = None, **inputs: npt.ArrayLike
) -> npt.NDArray[np.float64]:
    return evaluate(program(nodes, dtype), inputs, {})["y"]


def random(*shape: int, seed: int = 0) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


@pytest.fixture(params=[1 << 24, 7], ids=["whole", "in blocks"])
def block(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(reference, "_BLOCK", request.param)


UNARY: dict[ElementwiseOp, Callable[[float], float]] = {
    ElementwiseOp.RECIPROCAL: lambda a: 1 / a,
    ElementwiseOp.SQUARE_ROOT: math.sqrt,
    ElementwiseOp.EXP2: lambda a: 2.0**a,
    ElementwiseOp.LOG2: math.log2,
    ElementwiseOp.SINE: math.sin,
}
BINARY: dict[ElementwiseOp, Callable[[float, float], float]] = {
    ElementwiseOp.ADD: lambda a, b: a + b,
    ElementwiseOp.MULTIPLY: lambda a, b: a * b,
    ElementwiseOp.MAXIMUM: max,
}


@pytest.mark.parametrize("op", UNARY)
def test_unary_operations(op: ElementwiseOp) -> None:
    x = np.abs(random(5)) + 0.1
    y = value_of([Input("x", (5,), F32), Elementwise(op, (at(0, 0),), (5,), F32)], x=x)
    np.testing.assert_allclose(y, [UNARY[op](float(a)) for a in x], rtol=1e-6)


@pytest.mark.parametrize("op", BINARY)
def test_binary_operations_broadcast_absent_axes(op: ElementwiseOp) -> None:
    x, z = random(3), random(5, seed=1)
    nodes: list[Node] = [
        Input("x", (3,), F32),
        Input("z", (5,), F32),
        Elementwise(op, (at(0, 1), at(1, 0)), (5, 3), F32),
    ]
    y = value_of(nodes, x=x, z=z)
    expected = [[BINARY[op](float(a), float(b)) for a in x] for b in z]
    np.testing.assert_allclose(y, expected, rtol=1e-6)


def test_whole_numbers_round_down_and_wrap_around() -> None:
    x = np.array([-7, 7, 2**31 - 1, -(2**31)], np.int32)
    z = np.array([3, -3, 5, 7], np.int32)
    leaves: list[Node] = [Input("x", (4,), I32), Input("z", (4,), I32)]
    both = (at(0, 0), at(1, 0))
    got = {
        op: value_of([*leaves, Elementwise(op, both, (4,), I32)], x=x, z=z)
        for op in (ElementwiseOp.FLOOR_DIVIDE, ElementwiseOp.MODULO, ElementwiseOp.ADD)
    }
    assert got[ElementwiseOp.FLOOR_DIVIDE].tolist() == [-3, -3, 429496729, -306783379]
    assert got[ElementwiseOp.MODULO].tolist() == [2, -2, 2, 5]
    assert got[ElementwiseOp.ADD].tolist() == [-4, 4, -(2**31) + 4, -(2**31) + 7]
    zero = np.zeros(4, np.int32)
    for op in (ElementwiseOp.FLOOR_DIVIDE, ElementwiseOp.MODULO):
        quotient = value_of([*leaves, Elementwise(op, both, (4,), I32)], x=x, z=zero)
        assert quotient.tolist() == [0, 0, 0, 0]


def test_comparison_makes_booleans_that_count_as_numbers() -> None:
    x = np.array([1.0, 2.0, np.nan], np.float32)
    nodes: list[Node] = [
        Input("x", (3,), F32),
        Constant(1.5, F32),
        Elementwise(ElementwiseOp.LESS_THAN, (at(0, 0), at(1)), (3,), DType.BOOL),
        Elementwise(ElementwiseOp.MULTIPLY, (at(2, 0), at(1)), (3,), F32),
    ]
    assert value_of(nodes, x=x).tolist() == [1.5, 0.0, 0.0]


def test_not_is_one_minus() -> None:
    nodes: list[Node] = [
        Input("x", (2,), DType.BOOL),
        Constant(-1, I32),
        Constant(1, I32),
        Elementwise(ElementwiseOp.MULTIPLY, (at(0, 0), at(1)), (2,), DType.BOOL),
        Elementwise(ElementwiseOp.ADD, (at(0, 0), at(1)), (2,), I32),
        Elementwise(ElementwiseOp.MULTIPLY, (at(4, 0), at(1)), (2,), DType.BOOL),
    ]
    assert value_of(nodes, x=np.array([True, False])).tolist() == [False, True]


def test_ieee_values() -> None:
    x = np.array([0.0, -1.0, np.nan], np.float32)
    leaf = Input("x", (3,), F32)
    reciprocal: list[Node] = [leaf, Elementwise(ElementwiseOp.RECIPROCAL, (at(0, 0),), (3,), F32)]
    np.testing.assert_array_equal(value_of(reciprocal, x=x), [np.inf, -1, np.nan])
    root: list[Node] = [leaf, Elementwise(ElementwiseOp.SQUARE_ROOT, (at(0, 0),), (3,), F32)]
    np.testing.assert_array_equal(value_of(root, x=x), [0, np.nan, np.nan])
    log: list[Node] = [leaf, Elementwise(ElementwiseOp.LOG2, (at(0, 0),), (3,), F32)]
    np.testing.assert_array_equal(value_of(log, x=x), [-np.inf, np.nan, np.nan])
    largest: list[Node] = [leaf, Reduce(ReduceOp.MAXIMUM, at(0, 0), (), (3,), F32)]
    assert np.isnan(value_of(largest, x=x))


def test_an_outside_read_shows_unless_a_select_discards_it() -> None:
    x = random(4)
    shifted = add(axis(0), constant(1))
    nodes: list[Node] = [
        Input("x", (4,), F32),
        IndexValue(axis(0), (4,)),
        Constant(3, I32),
        Elementwise(ElementwiseOp.LESS_THAN, (at(1, 0), at(2)), (4,), DType.BOOL),
        Constant(0.0, F32),
        Elementwise(ElementwiseOp.SELECT, (at(3, 0), at(0, shifted), at(4)), (4,), F32),
    ]
    np.testing.assert_array_equal(value_of(nodes, x=x), [x[1], x[2], x[3], 0])
    unguarded: list[Node] = [
        nodes[0],
        Elementwise(ElementwiseOp.ADD, (at(0, shifted), at(0, 0)), (4,), F32),
    ]
    assert np.isnan(value_of(unguarded, x=x)).tolist() == [False, False, False, True]


def test_index_values_are_exact_expressions() -> None:
    sizes = (4, 5)
    merged = add(scale(axis(0), 5), axis(1))
    quotient = floor_divide(merged, 3, sizes)
    remainder = modulo(merged, 7, sizes)
    expression = add(quotient, remainder, -2)
    y = value_of([IndexValue(expression, sizes)])
    expected = [[(5 * i + j) // 3 - 2 * ((5 * i + j) % 7) for j in range(5)] for i in range(4)]
    assert y.tolist() == expected


def test_maps_stride_offset_split_and_fix() -> None:
    x = random(3, 12)
    sizes = (2, 3)
    split = add(add(scale(axis(0), 3), axis(1)), constant(2))
    one = Constant(1.0, F32)
    cases: list[tuple[tuple[IndexExpression, ...], Callable[[int, int], float]]] = [
        ((constant(1), add(scale(axis(1), 2), constant(1))), lambda i, j: x[1, 2 * j + 1]),
        ((axis(1), axis(0)), lambda i, j: x[j, i]),
        ((axis(0), split), lambda i, j: x[i, 3 * i + j + 2]),
        ((constant(2), floor_divide(split, 2, sizes)), lambda i, j: x[2, (3 * i + j + 2) // 2]),
        ((constant(0), add(constant(11), axis(1), -1)), lambda i, j: x[0, 11 - j]),
    ]
    for map_, expected in cases:
        nodes: list[Node] = [
            Input("x", (3, 12), F32),
            one,
            Elementwise(ElementwiseOp.MULTIPLY, (Operand(0, map_), at(1)), sizes, F32),
        ]
        want = [[expected(i, j) for j in range(3)] for i in range(2)]
        np.testing.assert_array_equal(value_of(nodes, x=x), want)


@pytest.mark.parametrize("op", ReduceOp)
@pytest.mark.usefixtures("block")
def test_reductions(op: ReduceOp) -> None:
    x = random(3, 5, 7)
    nodes: list[Node] = [Input("x", (3, 5, 7), F32), Reduce(op, at(0, 1, 0, 2), (5,), (3, 7), F32)]
    expected = x.sum((0, 2)) if op is ReduceOp.SUM else x.max((0, 2))
    np.testing.assert_allclose(value_of(nodes, x=x), expected, rtol=1e-5)


@pytest.mark.usefixtures("block")
def test_max_of_negative_whole_numbers() -> None:
    x = np.array([[-9, -3, -5]], np.int32)
    nodes: list[Node] = [
        Input("x", (1, 3), I32),
        Reduce(ReduceOp.MAXIMUM, at(0, 0, 1), (1,), (3,), I32),
    ]
    assert value_of(nodes, x=x).tolist() == [-3]


def test_whole_sums_wrap() -> None:
    x = np.array([2**31 - 1, 1], np.int32)
    nodes: list[Node] = [Input("x", (2,), I32), Reduce(ReduceOp.SUM, at(0, 0), (), (2,), I32)]
    assert value_of(nodes, x=x) == -(2**31)


@pytest.mark.usefixtures("block")
def test_batched_matrix_product_is_never_stored_whole() -> None:
    x, w = random(3, 4, 9), random(3, 5, 9, seed=1)
    nodes: list[Node] = [
        Input("x", (3, 4, 9), F32),
        Input("w", (3, 5, 9), F32),
        Elementwise(ElementwiseOp.MULTIPLY, (at(0, 0, 1, 3), at(1, 0, 2, 3)), (3, 4, 5, 9), F32),
        # The reduction takes the product's axes in another order.
        Reduce(ReduceOp.SUM, at(2, 2, 0, 1, 3), (4, 5, 3), (9,), F32),
    ]
    y = value_of(nodes, x=x, w=w)
    np.testing.assert_allclose(y, np.einsum("bti,boi->tob", x, w), rtol=2e-5, atol=1e-6)


@pytest.mark.usefixtures("block")
def test_product_of_three_with_own_axes() -> None:
    x, w, g = random(4, 9), random(5, 9, seed=1), random(9, 3, seed=2)
    nodes: list[Node] = [
        Input("x", (4, 9), F32),
        Input("w", (5, 9), F32),
        Input("g", (9, 3), F32),
        Elementwise(ElementwiseOp.MULTIPLY, (at(0, 0, 2), at(1, 1, 2)), (4, 5, 9), F32),
        Elementwise(ElementwiseOp.MULTIPLY, (at(3, 0, 1, 2), at(2, 2, 3)), (4, 5, 9, 3), F32),
        Reduce(ReduceOp.SUM, at(4, 0, 1, 2, 3), (4, 5), (9, 3), F32),
    ]
    expected = np.einsum("ti,oi,ik->to", x, w, g)
    np.testing.assert_allclose(value_of(nodes, x=x, w=w, g=g), expected, rtol=2e-5, atol=1e-5)


class Builder:
    """Collects nodes; each call returns the new node's number."""

    def __init__(self, *leaves: Node) -> None:
        self.nodes = list(leaves)

    def add(self, node: Node) -> int:
        self.nodes.append(node)
        return len(self.nodes) - 1

    def binary(self, op: ElementwiseOp, left: Operand, right: Operand, *space: int) -> int:
        dtype = DType.BOOL if op is ElementwiseOp.LESS_THAN else self.nodes[left.node].dtype
        return self.add(Elementwise(op, (left, right), space, dtype))


@pytest.mark.usefixtures("block")
def test_padded_convolution() -> None:
    c, o, h, w = 2, 3, 4, 5
    x, k = random(c, h, w), random(o, c, 3, 3, seed=1)
    space = (h, w, c, 3, 3)  # r, s, c, i, j
    everywhere = range(5)
    row = add(add(axis(0), axis(3)), constant(-1))
    column = add(add(axis(1), axis(4)), constant(-1))
    graph = Builder(Input("x", (c, h, w), F32), Input("k", (o, c, 3, 3), F32))
    below = graph.add(Constant(-1, I32))
    inside = graph.add(Constant(True, DType.BOOL))
    for place, size in ((row, h), (column, w)):
        index = at(graph.add(IndexValue(place, space)), *everywhere)
        end = graph.add(Constant(size, I32))
        for left, right in ((at(below), index), (index, at(end))):
            test = graph.binary(ElementwiseOp.LESS_THAN, left, right, *space)
            known = at(inside, *everywhere[: len(graph.nodes[inside].space)])
            inside = graph.binary(ElementwiseOp.MULTIPLY, known, at(test, *everywhere), *space)
    zero = graph.add(Constant(0.0, F32))
    read = Operand(0, (axis(2), row, column))
    choice = (at(inside, *everywhere), read, at(zero))
    padded = graph.add(Elementwise(ElementwiseOp.SELECT, choice, space, F32))
    product = graph.binary(
        ElementwiseOp.MULTIPLY, at(1, 0, 3, 4, 5), at(padded, *range(1, 6)), o, *space
    )
    graph.add(Reduce(ReduceOp.SUM, at(product, *range(6)), (o, h, w), space[2:], F32))

    wide = np.pad(x, ((0, 0), (1, 1), (1, 1)))
    expected = np.zeros((o, h, w))
    for r, s in itertools.product(range(h), range(w)):
        expected[:, r, s] = np.einsum("ocij,cij->o", k, wide[:, r : r + 3, s : s + 3])
    np.testing.assert_allclose(value_of(graph.nodes, x=x, k=k), expected, rtol=1e-4, atol=1e-5)


@pytest.mark.usefixtures("block")
def test_an_inlined_value_that_is_no_product() -> None:
    x, z = random(4, 9), random(5, 9, seed=1)
    graph = Builder(Input("x", (4, 9), F32), Input("z", (5, 9), F32))
    minus = graph.add(Constant(-1.0, F32))
    negative = graph.binary(ElementwiseOp.MULTIPLY, at(1, 0, 1), at(minus), 5, 9)
    gap = graph.binary(ElementwiseOp.ADD, at(0, 0, 2), at(negative, 1, 2), 4, 5, 9)
    square = graph.binary(ElementwiseOp.MULTIPLY, at(gap, 0, 1, 2), at(gap, 0, 1, 2), 4, 5, 9)
    graph.add(Reduce(ReduceOp.SUM, at(square, 0, 1, 2), (4, 5), (9,), F32))
    expected = ((x[:, None] - z[None]) ** 2).sum(-1)
    np.testing.assert_allclose(value_of(graph.nodes, x=x, z=z), expected, rtol=1e-5)


def test_gather_at_computed_places() -> None:
    x, ids = random(7, 3), np.array([6, 0, 6, 2], np.int32)
    nodes: list[Node] = [
        Input("x", (7, 3), F32),
        Input("ids", (4,), I32),
        Gather(Operand(0, (axis(2), axis(1))), (at(1, 0),), (4, 3), F32),
    ]
    np.testing.assert_array_equal(value_of(nodes, x=x, ids=ids), x[ids])
    outside = value_of(nodes, x=x, ids=np.array([6, 7, -1, 2], np.int32))
    assert np.isnan(outside[:, 0]).tolist() == [False, True, True, False]


def test_gather_with_arithmetic_and_two_indices() -> None:
    x, ids = random(9, 5), np.array([3, 0, 1], np.int32)
    merged = add(scale(axis(2), 2), axis(0))  # axes: t, d, then the two computed ones
    nodes: list[Node] = [
        Input("x", (9, 5), F32),
        Input("ids", (3,), I32),
        Gather(Operand(0, (merged, axis(3))), (at(1, 0), at(1, 1)), (3, 3), F32),
    ]
    expected = [[x[2 * ids[t] + t, ids[d]] for d in range(3)] for t in range(3)]
    np.testing.assert_array_equal(value_of(nodes, x=x, ids=ids), expected)


def test_place_interleaves_concatenates_and_merges() -> None:
    x, z = random(3, 4), random(3, 4, seed=1)
    leaves: list[Node] = [Input("x", (3, 4), F32), Input("z", (3, 4), F32)]
    even = (axis(0), scale(axis(1), 2))
    odd = (axis(0), add(scale(axis(1), 2), constant(1)))
    pieces = (Piece((3, 4), even, at(0, 0, 1)), Piece((3, 4), odd, at(1, 0, 1)))
    y = value_of([*leaves, Place(pieces, (3, 8), F32)], x=x, z=z)
    np.testing.assert_array_equal(y, np.stack([x, z], -1).reshape(3, 8))

    late = (add(axis(1), constant(4)), axis(0))
    pieces = (Piece((3, 4), (axis(1), axis(0)), at(0, 0, 1)), Piece((3, 4), late, at(1, 0, 1)))
    y = value_of([*leaves, Place(pieces, (8, 3), F32)], x=x, z=z)
    np.testing.assert_array_equal(y, np.concatenate([x.T, z.T]))

    merged = (add(scale(axis(1), 3), axis(0)),)
    y = value_of([*leaves, Place((Piece((3, 4), merged, at(0, 0, 1)),), (12,), F32)], x=x, z=z)
    np.testing.assert_array_equal(y, x.T.reshape(-1))


def test_place_shows_what_no_piece_covers() -> None:
    piece = Piece((3,), (axis(0),), at(0, 0))
    y = value_of([Input("x", (3,), F32), Place((piece,), (4,), F32)], x=random(3))
    assert np.isnan(y).tolist() == [False, False, False, True]


@pytest.mark.parametrize("combine", [None, ReduceOp.SUM, ReduceOp.MAXIMUM])
def test_scatter(combine: ReduceOp | None) -> None:
    initial, x = random(5, 2), random(4, 2, seed=1)
    places = np.array([3, 0, 7, -1] if combine is None else [3, 0, 3, 9], np.int32)
    nodes: list[Node] = [
        Input("initial", (5, 2), F32),
        Input("x", (4, 2), F32),
        Input("places", (4,), I32),
        Scatter(
            at(0, 0, 1), at(1, 0, 1), (at(2, 0),), (axis(2), axis(1)), combine, (4, 2), (5, 2), F32
        ),
    ]
    expected = initial.copy()
    for row, place in zip(x, places, strict=True):
        if not 0 <= place < 5:
            continue
        match combine:
            case None:
                expected[place] = row
            case ReduceOp.SUM:
                expected[place] += row
            case ReduceOp.MAXIMUM:
                expected[place] = np.maximum(expected[place], row)
    y = value_of(nodes, initial=initial, x=x, places=places)
    np.testing.assert_allclose(y, expected, rtol=1e-6)


REALS = np.array([1.00390625, -2.7, 2.7, 300.5, -1e20, 1e20, np.nan, 70000.0], np.float32)


@pytest.mark.parametrize(
    ("dtype", "expected"),
    [
        (DType.BF16, [float(np.float32(ml_dtypes.bfloat16(v))) for v in REALS]),
        (DType.F16, [float(np.float16(v)) if abs(v) < 65520 else v * np.inf for v in REALS]),
        (DType.I32, [1, -2, 2, 300, -(2**31), 2**31 - 1, 0, 70000]),
        (DType.U8, [1, 0, 2, 255, 0, 255, 0, 255]),
        (DType.BOOL, [True] * 8),
    ],
)
def test_casts(dtype: DType, expected: list[float]) -> None:
    nodes: list[Node] = [Input("x", (8,), F32), Cast(at(0, 0), (8,), dtype)]
    y = value_of(nodes, x=REALS)
    assert y.dtype == dtype.numpy
    np.testing.assert_array_equal(y.astype(np.float64), np.array(expected, np.float64))


def test_exact_rounds_at_casts_and_fast_only_at_outputs() -> None:
    x = random(1000)
    nodes: list[Node] = [
        Input("x", (1000,), F32),
        Cast(at(0, 0), (1000,), BF16),
        Elementwise(ElementwiseOp.MULTIPLY, (at(1, 0), at(1, 0)), (1000,), F32),
    ]
    rounded = x.astype(ml_dtypes.bfloat16).astype(np.float32)
    exact = evaluate(program(nodes), {"x": x}, {}, "exact")["y"]
    fast = evaluate(program(nodes), {"x": x}, {}, "fast")["y"]
    np.testing.assert_array_equal(exact, rounded * rounded)
    np.testing.assert_array_equal(fast, x * x)
    output = evaluate(program(nodes, BF16), {"x": x}, {}, "fast")["y"]
    assert output.dtype == ml_dtypes.bfloat16
    np.testing.assert_array_equal(output, (x * x).astype(ml_dtypes.bfloat16))


def test_tables_are_computed_in_f64_and_read_in_f32() -> None:
    third = Constant(1 / 3, F32)
    nodes: list[Node] = [
        Input("x", (4,), F32),
        third,
        IndexValue(axis(0), (4,)),
        Elementwise(ElementwiseOp.MULTIPLY, (at(2, 0), at(1)), (4,), F32),
        Elementwise(ElementwiseOp.SINE, (at(3, 0),), (4,), F32),
        Elementwise(ElementwiseOp.ADD, (at(0, 0), at(4, 0)), (4,), F32),
    ]
    table = np.sin(np.arange(4) / 3)
    got = evaluate_nodes(program(nodes), [4, 2, 1])
    assert got[4].dtype == np.float64
    np.testing.assert_allclose(got[4], table, rtol=1e-15)
    assert got[2].tolist() == [0, 1, 2, 3]
    assert got[1] == 1 / 3
    x = random(4)
    np.testing.assert_array_equal(value_of(nodes, x=x), x + table.astype(np.float32))


def test_inputs_are_rounded_to_storage() -> None:
    nodes: list[Node] = [
        Input("x", (3,), BF16),
        Constant(1.0, F32),
        Elementwise(ElementwiseOp.MULTIPLY, (at(0, 0), at(1)), (3,), F32),
    ]
    x = random(3)
    want = x.astype(ml_dtypes.bfloat16)
    np.testing.assert_array_equal(value_of(nodes, x=x), want.astype(np.float32))
    np.testing.assert_array_equal(value_of(nodes, x=want), want.astype(np.float32))


@pytest.mark.parametrize(
    ("inputs", "weights", "message"),
    [
        ({}, {"w": np.zeros(2)}, "input x is missing"),
        ({"x": np.zeros(3)}, {"w": np.zeros(2)}, "input x has shape [3]"),
        ({"x": np.zeros(2, np.int32)}, {"w": np.zeros(2)}, "input x is int32, but f32 is needed"),
        ({"x": np.zeros(2), "z": np.zeros(2)}, {"w": np.zeros(2)}, "has no input z"),
        ({"x": np.zeros(2)}, {"v": np.zeros(2)}, "weight w is missing"),
    ],
)
def test_bad_tensors_are_named(
    inputs: dict[str, npt.ArrayLike], weights: dict[str, npt.ArrayLike], message: str
) -> None:
    nodes: list[Node] = [
        Input("x", (2,), F32),
        Weight("w", (2,), F32),
        Elementwise(ElementwiseOp.ADD, (at(0, 0), at(1, 0)), (2,), F32),
    ]
    with pytest.raises(InputError) as caught:
        evaluate(program(nodes), inputs, weights)
    assert message in caught.value.render()


def test_whole_inputs_must_fit() -> None:
    nodes: list[Node] = [Input("ids", (1,), I32)]
    assert value_of(nodes, ids=np.array([5], np.int64)).tolist() == [5]
    with pytest.raises(InputError, match="cannot hold"):
        value_of(nodes, ids=np.array([2**31], np.int64))


def test_values_are_dropped_after_their_last_reader() -> None:
    step = Elementwise(ElementwiseOp.ADD, (at(0, 0), at(0, 0)), (5,), F32)
    nodes: list[Node] = [Input("x", (5,), F32), step]
    for n in range(1, 6):
        nodes.append(Elementwise(ElementwiseOp.SINE, (at(n, 0),), (5,), F32))
    whole = program(nodes)
    run = reference._Evaluation(whole, {"x": random(5)}, {}, "exact", [len(nodes) - 1])
    run.evaluate()
    assert set(run.values) == {len(nodes) - 1}


@pytest.mark.parametrize("stride", [1, 1 << 22])
def test_reads_far_outside(stride: int) -> None:
    """Also where a padded copy of the tensor would be too large to make."""
    x = random(4)
    far = add(scale(axis(0), stride), constant(-stride))
    graph = Builder(Input("x", (4,), F32))
    place = graph.add(IndexValue(far, (3,)))
    below = graph.add(Constant(-1, I32))
    end = graph.add(Constant(4, I32))
    zero = graph.add(Constant(0.0, F32))
    low = graph.binary(ElementwiseOp.LESS_THAN, at(below), at(place, 0), 3)
    high = graph.binary(ElementwiseOp.LESS_THAN, at(place, 0), at(end), 3)
    inside = graph.binary(ElementwiseOp.MULTIPLY, at(low, 0), at(high, 0), 3)
    choice = (at(inside, 0), at(0, far), at(zero))
    graph.add(Elementwise(ElementwiseOp.SELECT, choice, (3,), F32))
    expected = [0, x[0], x[1] if stride == 1 else 0]
    np.testing.assert_array_equal(value_of(graph.nodes, x=x), expected)


def test_an_output_that_is_one_number_has_no_axes() -> None:
    nodes = (Input("x", (), F32), Elementwise(ElementwiseOp.ADD, (at(0), at(0)), (), F32))
    result = evaluate(program(nodes), {"x": np.float32(1.5)}, {})["y"]
    assert result.shape == ()
    assert result == 3
    assert evaluate_nodes(program(nodes), [1], {"x": np.float32(1.5)})[1].shape == ()
