"""What nobody reads is not computed."""

from __future__ import annotations

import math

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import Place, Scatter, TensorProgram
from lumc.lowering.kernel_program import Gemm
from lumc.lowering.narrow import narrow
from tests.lowering.checking import check, check_random


def program(text: str) -> TensorProgram:
    return elaborate(load_text("text", f"use nn\n{text}"), "s")


def elements(found: TensorProgram) -> int:
    return sum(math.prod(node.space) for node in found.nodes)


CASES = {
    "rows": """
stage s(x: f32[9, 7], W: f32[6, 7]) -> y: f32[3, 6]:
    z[t, o] = silu(linear(x[t], W)[o])
    y[t: 3, o] = z[4 + t, o]
""",
    "a step": """
stage s(x: f32[9]) -> y: f32[3]:
    z[t] = x[t] * 2
    y[t: 3] = z[2*t + 3] + z[2*t + 2]
""",
    "from the end": """
stage s(x: f32[9]) -> y: f32[4]:
    z[t] = x[t] * 2
    y[t: 4] = z[8 - t]
""",
    "a guard on both sides": """
stage s(x: f32[9]) -> y: f32[3]:
    z[t] = x[t] * 2
    w[t: 9] = z[t - 1 else 0] + z[t + 1 else 0]
    y[u: 3] = w[6 + u]
""",
    "pieces": """
stage s(x: f32[4, 3], y: f32[5, 3]) -> z: f32[3, 3]:
    a[t, c]     = x[t, c] * 2
    a[4 + s, c] = y[s, c] + 1
    b[u, c] = a[u, c] * a[u, 0]
    z[t: 3, c] = b[3 + t, c]
""",
    "one piece of two": """
stage s(x: f32[4, 3], y: f32[5, 3]) -> z: f32[3, 3]:
    a[t, c]     = x[t, c] * 2
    a[4 + s, c] = y[s, c] + 1
    b[u, c] = a[u, c] * a[u, 0]
    z[t: 3, c] = b[5 + t, c]
""",
    "interleaved pieces": """
stage s(x: f32[4], y: f32[4]) -> z: f32[3]:
    a[2*n]     = x[n]
    a[2*n + 1] = y[n]
    b[u] = a[u] * 3
    z[t: 3] = b[3 + t]
""",
    "the quotient of a position": """
stage s(x: f32[4, 5]) -> z: f32[7]:
    a[t, c] = x[t, c] + 1
    b[u: 20] = a[u // 5, u % 5] * 2
    z[t: 7] = b[6 + t]
""",
    "a gather": """
stage s(x: f32[6, 5], i: i32[9]) -> z: f32[2, 2]:
    a[t, c] = x[i[t], c] * 2
    z[t: 2, c: 2] = a[3 + t, 2 + c]
""",
    "other rows of other columns": """
stage s(x: f32[9, 7], W: f32[10, 7]) -> y: f32[3, 4], w: f32[9, 6]:
    z[t] = linear(x[t], W)
    y[u: 3, o: 4] = z[4 + u, 0 + o] * 2
    w[t, p: 6] = z[t, 4 + p] + 1
""",
    "other rows of other columns of what is computed on": """
stage s(x: f32[9, 7], W: f32[12, 7]) -> y: f32[3, 4]:
    z[t, o] = silu(linear(x[t], W)[o])
    k[c: 4] = sum[t] z[t, 4 + c]
    y[u: 3, o: 4] = z[4 + u, 0 + o] * k[o] + z[5 + u, 8 + o]
""",
    "a sum": """
stage s(x: f32[6, 5]) -> z: f32[2]:
    a[t] = sum[c] x[t, c] * x[t, c]
    z[t: 2] = a[3 + t]
""",
}


@pytest.mark.parametrize("name", CASES)
def test_values_stay(name: str) -> None:
    found = program(CASES[name])
    assert elements(narrow(found)) < elements(found)
    check(found)
    check_random(found, range(2))


def test_the_rows_of_a_product() -> None:
    (kernel,) = check(program(CASES["rows"])).kernels
    assert isinstance(kernel, Gemm)
    assert [axis.size for axis in kernel.rows] == [3]


def test_other_rows_of_other_columns_are_products_of_their_own() -> None:
    kernels = check(program(CASES["other rows of other columns"])).kernels
    products = [kernel for kernel in kernels if isinstance(kernel, Gemm)]
    shapes = sorted((kernel.rows[0].size, kernel.columns[0].size) for kernel in products)
    assert shapes == [(3, 4), (9, 6)]


def test_parts_of_all_rows_stay_together() -> None:
    found = program("""
stage s(x: f32[9, 7], W: f32[10, 7]) -> y: f32[9, 5]:
    z[t] = linear(x[t], W)
    y[t, o: 5] = z[t, 0 + o] * z[t, 5 + o]
""")
    assert narrow(found) == found


def test_a_piece_that_nobody_reads_is_gone() -> None:
    found = narrow(program(CASES["one piece of two"]))
    pieces = [node.pieces for node in found.nodes if isinstance(node, Place)]
    assert [len(some) for some in pieces] == [1]


def test_scattered_tensors_stay_whole() -> None:
    found = program("""
stage s(x: f32[4], i: i32[4]) -> z: f32[2]:
    a[i[t]: 9] = x[t] else 0
    b[n] = a[n] * 2
    z[t: 2] = b[3 + t]
""")
    (scatter,) = (node for node in narrow(found).nodes if isinstance(node, Scatter))
    assert scatter.space == (9,)
    assert elements(narrow(found)) < elements(found)


def test_what_is_read_whole_is_not_changed() -> None:
    found = program("""
stage s(x: f32[4, 3], W: f32[5, 3]) -> z: f32[4, 5]:
    z[t] = linear(x[t], W)
""")
    assert narrow(found) == found
