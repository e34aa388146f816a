"""What elaboration hands on: the nodes, where they come from, and what it takes care of."""

from __future__ import annotations

from collections import Counter
from typing import Any

import numpy as np
import pytest

from lumc.dsl import check, elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, constant, render
from lumc.dsl.printer import print_program
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    IndexValue,
    Input,
    Node,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)


def program(body: str, head: str = "x: f32[4, 3]", out: str = "y: f32[4, 3]") -> TensorProgram:
    """A stage from its head, results and body, which may stand on several lines."""
    lines = "".join(f"    {line}\n" for line in body.strip().split("\n"))
    return elaborate(load_text("test", f"stage s({head}) -> {out}:\n{lines}"), "s")


def nodes(of: TensorProgram, kind: type[Node]) -> list[Any]:
    return [node for node in of.nodes if isinstance(node, kind)]


def ops(of: TensorProgram) -> Counter[str]:
    return Counter(node.op.value for node in nodes(of, Elementwise))


# --- what is one node, and what is none


def test_equal_expressions_are_one_node_whatever_their_indices_are_called() -> None:
    of = program("a[t, c] = sin(x[t, c])\nb[u, d] = sin(x[u, d])\ny[i, j] = a[i, j] + b[i, j]")
    assert ops(of) == {"sin": 1, "add": 1}


def test_views_are_maps_and_no_nodes() -> None:
    of = program("row[c] = x[2, c]\nt[c, r] = x[r, c]\ny[i, j] = row[j] + t[j, i]")
    (add,) = nodes(of, Elementwise)
    assert len(of.nodes) == 2
    assert [operand.map for operand in add.operands] == [
        (constant(2), axis(1)),
        (axis(0), axis(1)),
    ]


def test_a_call_for_every_row_adds_the_axis() -> None:
    text = (
        "def total(v[i]) = sum[i] v[i]\n"
        "stage s(x: f32[4, 3]) -> y: f32[4]:\n    y[t] = total(x[t])\n"
    )
    (reduce,) = nodes(elaborate(load_text("test", text), "s"), Reduce)
    assert (reduce.space, reduce.reduced) == ((4,), (3,))


def test_reads_inside_one_piece_go_straight_to_it() -> None:
    of = program(
        "j[0 + t, c] = sin(x[t, c])\nj[4 + t, c] = exp2(x[t, c])\ny[t: 4, c] = j[4 + t, c]"
    )
    assert ops(of) == {"exp2": 1}
    assert nodes(of, Place) == []


def test_reads_across_pieces_read_the_place() -> None:
    of = program("j[0 + t] = x[t, 0]\nj[4 + t] = x[t, 1]\ny[t: 4] = j[2 + t]", out="y: f32[4]")
    (place,) = nodes(of, Place)
    assert place.space == (8,)
    assert [piece.space for piece in place.pieces] == [(4,), (4,)]


def test_what_no_output_needs_is_dropped_but_inputs_stay() -> None:
    of = program("a[t, c] = sin(x[t, c])\ny = x", head="x: f32[4, 3], unused: i32[7]")
    assert [type(node) for node in of.nodes] == [Input, Input]
    assert [of.nodes[number].name for number in of.inputs] == ["x", "unused"]  # type: ignore[union-attr]


def test_leaves_keep_their_order_and_names() -> None:
    text = (
        "param n = 4\n"
        "stage s(b: bf16[n, 3], a: f32[n]) -> y: f32[n]:\n"
        '    weight v, w: f32[n] = "{second|first}"\n'
        "    y[i] = a[i] * w[i] + v[i] * b[i, 0]\n"
    )
    of = elaborate(load_text("test", text), "s")
    assert [of.nodes[number] for number in of.inputs] == [
        Input("b", (4, 3), DType.BF16),
        Input("a", (4,), DType.F32),
    ]
    assert [of.nodes[number].axis_names for number in of.inputs] == [("n", ""), ("n",)]
    names = [node.name for node in nodes(of, Weight)]
    assert names == ["second", "first"]


# --- numbers


def test_numbers_known_at_compile_time_are_folded() -> None:
    of = program("y[t, c] = x[t, c] * (2 + 3 * 4^2 / 5) + sqrt(16) - max(1, 2)")
    assert ops(of) == {"mul": 1, "add": 2}
    assert [node.value for node in nodes(of, Constant)] == [2 + 3 * 16 / 5, 4.0, -2.0]


def test_constants_and_indices_are_kept_for_the_lowering() -> None:
    of = program("y[t, c] = x[t, c] * sin(t / 4)")
    assert ops(of) == {"mul": 2, "sin": 1}
    assert [node.expression for node in nodes(of, IndexValue)] == [axis(0)]


def test_signs_join_constant_factors() -> None:
    of = program("y[t, c] = exp2(-x[t, c] * 1.5) + -(-x[t, c])")
    assert ops(of) == {"mul": 1, "exp2": 1, "add": 1}
    assert [node.value for node in nodes(of, Constant)] == [-1.5]


def test_zero_has_no_sign_and_neutral_elements_go() -> None:
    of = program("y[t, c] = (x[t, c] + 0) * 1 - -0.0")
    assert ops(of) == {}


def test_whole_and_real_constants() -> None:
    of = program(
        "y[t, c] = x[t, c] + 2\nz[t] = n[t] + 2\nv[t] = m[t] + 2",
        head="x: f32[4, 3], n: i32[4], m: i64[4]",
        out="y: f32[4, 3], z: i32[4], v: i64[4]",
    )
    assert [(node.value, node.dtype) for node in nodes(of, Constant)] == [
        (2.0, DType.F32),
        (2, DType.I32),
        (2, DType.I64),
    ]
    assert [node.dtype for node in nodes(of, Elementwise)] == [DType.F32, DType.I32, DType.I64]


def test_rounding_is_where_it_is_written() -> None:
    of = program(
        "a[t, c] as x = x[t, c] * 2\nb[t, c] = a[t, c] + 1\ny[t, c] = b[t, c]",
        head="x: bf16[4, 3]",
        out="y: f16[4, 3]",
    )
    assert [
        (type(node), node.dtype) for node in of.nodes if isinstance(node, Elementwise | Cast)
    ] == [
        (Elementwise, DType.F32),
        (Cast, DType.BF16),
        (Elementwise, DType.F32),
        (Cast, DType.F16),
    ]


def test_a_choice_between_stored_values_is_stored_alike() -> None:
    of = program(
        "y[t: 4, c] = x[t + 1, c else 0]\nz[t, c] = if t > 1 then x[t, c] else 0.1",
        head="x: bf16[4, 3]",
        out="y: bf16[4, 3], z: f32[4, 3]",
    )
    selects = [node for node in nodes(of, Elementwise) if node.op is ElementwiseOp.SELECT]
    # 0 is exact in bf16; 0.1 is not.
    assert [node.dtype for node in selects] == [DType.BF16, DType.F32]


# --- conditions


@pytest.mark.parametrize(
    "condition",
    ["t < 2", "2 > t", "not t >= 2", "t <= 1", "2*t < 4", "2*t <= 3", "t + c < c + 2", "t//2 < 1"],
)
def test_comparisons_of_indices_have_one_form(condition: str) -> None:
    of = program(f"y[t, c] = if {condition} then x[t, c] else 0")
    (value,) = (node for node in nodes(of, IndexValue))
    expected = {"t//2 < 1": "-1 * ((a) // 2) + 1"}.get(condition, "-1 * a + 2")
    assert render(value.expression, ["a"]) == expected
    (lt,) = (node for node in nodes(of, Elementwise) if node.op is ElementwiseOp.LESS_THAN)
    assert of.nodes[lt.operands[0].node] == Constant(0, DType.I32)


def test_conditions_that_sizes_decide_are_known() -> None:
    of = program("if 3 < 4 and not false:\n    y[t, c] = if t < 4 then x[t, c] else 1/0")
    assert of.outputs[0].operand.node == 0


def test_a_guard_merges_with_the_condition_around_it() -> None:
    of = program("y[t: 4, c] = if t > 0 then x[t - 1, c] else 0")
    assert ops(of) == {"lt": 1, "select": 1}


def test_a_read_that_only_a_condition_keeps_inside_is_guarded_where_it_is_used() -> None:
    of = program("y[t: 4, c] = if t > 0 then exp2(x[t - 1, c]) else 0")
    assert ops(of) == {"lt": 1, "select": 2, "exp2": 1}
    x = np.arange(12, dtype=np.float32).reshape(4, 3)
    expected = np.vstack([np.zeros((1, 3)), np.exp2(x[:-1])])
    np.testing.assert_allclose(evaluate(of, {"x": x}, {})["y"], expected, 1e-6)


def test_the_branch_that_is_not_taken_is_not_elaborated() -> None:
    text = (
        "param levels = [3]\n"
        "stage s(x: f32[4]) -> y: f32[4]:\n"
        "    for n < 1:\n"
        "        h{n}[i] = if n > 0 and levels{n-1} == 3 then x[9] else x[i]\n"
        "    y = h{0}\n"
    )
    assert check(load_text("test", text)) == ()


# --- sums


def test_a_sum_along_which_nothing_varies_is_a_product() -> None:
    text = (
        "def mean(v[i]) = sum[i] v[i] / |i|\n"
        "stage s(x: f32[4]) -> y: f32[4]:\n    a[t, c: 5] = x[t]\n    y[t] = mean(a[t])\n"
    )
    of = elaborate(load_text("test", text), "s")
    x = np.array([1, 2, 3, 5], np.float32)
    np.testing.assert_allclose(evaluate(of, {"x": x}, {})["y"], x)


def test_a_sum_over_nothing_is_zero() -> None:
    of = program("y[t] = x[t, 0] + sum[k] e[k]", head="x: f32[4, 3], e: f32[0]", out="y: f32[4]")
    assert len(of.nodes) == 2
    assert of.outputs[0].operand.node == 0


# --- computed indices and places


def test_a_gather() -> None:
    of = program("y[t] = x[n[t], t % 3]", head="x: f32[4, 3], n: i64[5]", out="y: f32[5]")
    (gather,) = nodes(of, Gather)
    assert gather.space == (5,)
    assert gather.base.map[0] == axis(1)


def test_writes_at_computed_places() -> None:
    of = program(
        "y[n[t]: 6, c] = sum[t] x[t, c] else 0", head="x: bf16[4, 3], n: i32[4]", out="y: f32[6, 3]"
    )
    (scatter,) = nodes(of, Scatter)
    assert (scatter.space, scatter.source_space) == ((6, 3), (4, 3))
    assert scatter.destination == (axis(2), axis(1))
    assert (scatter.combine, scatter.dtype) == ("sum", DType.F32)


def test_writes_keep_what_the_rest_says() -> None:
    of = program(
        "y[n[t], c] as x = x[t, c] else base",
        head="x: bf16[2, 3], n: i32[2], base: bf16[5, 3]",
        out="y: bf16[5, 3]",
    )
    (scatter,) = nodes(of, Scatter)
    assert (scatter.dtype, scatter.combine) == (DType.BF16, None)
    bfloat16 = DType.BF16.numpy
    base = np.arange(15).reshape(5, 3).astype(bfloat16)
    x = -np.arange(6).reshape(2, 3).astype(bfloat16)
    inputs = {"x": x, "n": np.array([4, 1], np.int32), "base": base}
    expected = base.copy()
    expected[[4, 1]] = x
    np.testing.assert_array_equal(evaluate(of, inputs, {})["y"], expected)


def test_writes_within_a_call_for_every_row() -> None:
    text = (
        "def histogram(v[t], bins: int) -> y:\n    y[v[t]: bins] = sum[t] 1 else 0\n"
        "stage s(v: i32[2, 6]) -> y: i32[2, 4]:\n    y[b] = histogram(v[b], 4)\n"
    )
    of = elaborate(load_text("test", text), "s")
    v = np.array([[0, 1, 1, 3, 3, 3], [2, 2, 2, 2, 2, 9]], np.int32)
    got = evaluate(of, {"v": v}, {})["y"]
    np.testing.assert_array_equal(got, [[1, 2, 0, 3], [0, 0, 5, 0]])


# --- where nodes come from


def test_origins() -> None:
    text = (
        "def twice(v[i]) -> w:\n"
        "    w[i] = 2 * v[i]\n"
        "stage s(x: f32[4]) -> y: f32[4]:\n"
        "    h{0} = x\n"
        "    for n < 2:\n"
        "        h{n+1}[i] = sin(twice(h{n})[i])\n"
        "    y = h{2}\n"
    )
    of = elaborate(load_text("test", text), "s")
    origins = [(str(n.origin.span), n.origin.label, n.origin.path) for n in nodes(of, Elementwise)]
    assert origins == [
        ("test.lum:2:12", "w", ("n=0", "twice")),
        ("test.lum:6:21", "h{1}", ("n=0",)),
        ("test.lum:2:12", "w", ("n=1", "twice")),
        ("test.lum:6:21", "h{2}", ("n=1",)),
    ]
    assert of.nodes[0].origin.label == "x"


def test_the_printed_program() -> None:
    of = program(
        "a[t: 4, c] as x = if t > 0 then x[t - 1, c] else 0\n"
        "j[2*t, c] = a[t, c]\n"
        "j[2*t + 1, c] = E[n[t], c]\n"
        "y[n[t]: 3] = sum[t] j[0 + t, 1] else 0",
        head="x: bf16[4, 3], n: i32[4], E: f16[5, 3]",
        out="y: f32[3]",
    )
    assert (
        print_program(of)
        == """\
stage s
  input x: bf16[4, 3]
  input n: i32[4]
  input E: f16[5, 3]
  %4 = index t over t: 4 as i32  # test.lum:2:23
  %5 = lt(0, %4[t]) over t: 4 as bool  # test.lum:2:23
  %7 = select(%5[t], x[t - 1, c], 0) over t: 4, c: 3 as bf16  # a  test.lum:2:37
  %8 = gather E[@0, c] where @0 = n[t] over t: 4, c: 3 as f16  # j  test.lum:4:21
  %9 = place over i0: 8, c: 3 as f32  # j  test.lum:3:5
      [2 * t, c] <- %7[t, c] for t: 4, c: 3
      [2 * t + 1, c] <- %8[t, c] for t: 4, c: 3
  %11 = sum %9[s0, 1] to [@0] for s0: 4 where @0 = n[s0] into 0 over i0: 3 as f32  # y  test.lum:5:5
  output y = %11[i0] over i0: 3 as f32
"""
    )


# --- lists: none, one or several pictures, each of its own size

PICTURES = """
param pictures = [[2, 3]]           # rows and columns of each
let tokens = [pictures{k, 0} * pictures{k, 1} for k < |pictures|]
let total = sum{k < |tokens|} tokens{k}

stage s(text: f32[4, 2],
        picture: f32[total, 2]) -> joined: f32[4 + total, 2], at: i32[4 + total, 3]:
    joined[s, c]              = text[s, c]
    joined[4 + p, c]          = picture[p, c]
    at[s: 4, a: 3] = if a == 0 then s else 0
    for k < |pictures|:
        let cols = pictures{k, 1}
        index q: tokens{k}
        let start = 4 + (sum{j < k} tokens{j})
        at[start + q, a] = if a == 0 then 10*k else if a == 1 then q//cols else q%cols
"""


@pytest.mark.parametrize(
    ("setting", "shapes"),
    [("[]", []), ("[[2, 3]]", [(2, 3)]), ("[[2, 3], [1, 5], [4, 1]]", [(2, 3), (1, 5), (4, 1)])],
)
def test_pictures(setting: str, shapes: list[tuple[int, int]]) -> None:
    spec = load_text("pictures", PICTURES, settings={"pictures": setting})
    assert check(spec) == ()
    of = elaborate(spec, "s")
    total = sum(rows * columns for rows, columns in shapes)
    assert [of.nodes[number].space for number in of.inputs] == [(4, 2), (total, 2)]
    text, picture = np.ones((4, 2)), 2 * np.ones((total, 2))
    got = evaluate(of, {"text": text.astype(np.float32), "picture": picture.astype(np.float32)}, {})
    np.testing.assert_array_equal(got["joined"], np.concatenate([text, picture]))
    places = [(s, 0, 0) for s in range(4)] + [
        (10 * k, q // columns, q % columns)
        for k, (rows, columns) in enumerate(shapes)
        for q in range(rows * columns)
    ]
    np.testing.assert_array_equal(got["at"], places)


def test_lists_pass_to_definitions() -> None:
    text = (
        "param scales = [2, 3, 4]\n"
        "def scaled(v[i], by: list) -> y:\n"
        "    h{0} = v\n"
        "    for k < |by|:\n        h{k+1}[i] = by{k} * h{k}[i]\n"
        "    y = h{|by|}\n"
        "stage s(x: f32[3]) -> y: f32[3]:\n    y = scaled(x, scales)\n"
    )
    x = np.array([1, 2, 3], np.float32)
    of = elaborate(load_text("test", text), "s")
    np.testing.assert_array_equal(evaluate(of, {"x": x}, {})["y"], 24 * x)


def test_a_guard_with_least_coefficients_keeps_a_scaled_read_inside() -> None:
    text = (
        "stage s(x: f32[3, 19], W: f32[4, 3, 3]) -> y: f32[4, 9]:\n"
        "    y[o, r: 9] = sum[c, i] W[o, c, i] * x[c, 2*r + 2*i - 1 else 0]\n"
    )
    elaborate(load_text("dilated.lum", text), "s")
