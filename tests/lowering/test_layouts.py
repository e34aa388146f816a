"""In which order the axes of tensors lie, and the copies that are not made for it."""

from __future__ import annotations

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import Place, TensorProgram
from lumc.lowering import lower
from lumc.lowering.kernel_program import Attention, Gemm
from lumc.lowering.layouts import choose_orders
from tests.lowering.checking import check_random


def program(text: str) -> TensorProgram:
    return elaborate(load_text("text", f"use nn\n{text}"), "s")


def order_of(found: TensorProgram, name: str) -> tuple[int, ...]:
    """The order of the last tensor with the author's name ``name``."""
    orders = choose_orders(found)
    numbers = [n for n, node in enumerate(found.nodes) if node.origin.label == name]
    return orders[numbers[-1]]


JOINT = """
param tokens = 24
param words = 10
param heads = 2
param width = 64
let hidden = heads * width
stage s(x: bf16[tokens, hidden], y: bf16[words, hidden]) -> z: bf16[tokens, hidden]:
    weight Wq, Wk, Wv, Uv, Wo: bf16[hidden, hidden] = "{q|k|v|u|o}"
    index t: tokens, w: words
    q[h: heads, t] = chunk(linear(x[t], Wq), h, width)
    k[h: heads, w] = chunk(linear(y[w], Wk), h, width)
    k[h, words + t] = chunk(linear(x[t], Wk), h, width)
    v[h: heads, w] = chunk(linear(y[w], Uv), h, width)
    v[h, words + t] = chunk(linear(x[t], Wv), h, width)
    o[t, h*width + d] = attention(q[h], k[h], v[h])[t, d]
    z[t] = linear(o[t], Wo)
"""


def test_the_heads_of_a_token_lie_together() -> None:
    found = program(JOINT)
    places = [n for n, node in enumerate(found.nodes) if isinstance(node, Place)]
    orders = choose_orders(found)
    joint = [orders[n] for n in places if len(found.nodes[n].space) == 3]
    assert joint == [(1, 0, 2)] * 2


@pytest.mark.parametrize(("target", "libraries"), [("gfx942", False), ("sm_90", True)])
def test_joint_attention_needs_no_copies(target: str, libraries: bool) -> None:
    """Products write queries, keys and values where attention reads them, in both streams."""
    text = JOINT.replace("tokens = 24", "tokens = 2048").replace("words = 10", "words = 512")
    text = text.replace("heads = 2", "heads = 16").replace("width = 64", "width = 128")
    kernels = lower(program(text), target, libraries=libraries).program
    launched = [kernels.kernels[launch.kernel] for launch in kernels.launches]
    found = [kernel for kernel in launched if isinstance(kernel, Gemm | Attention)]
    # What is cut along its inner axis or its keys is put together by a launch of its own.
    together = [kernel for kernel in launched if kernel.name.endswith("_whole")]
    assert len(found) + len(together) == len(launched)
    attentions = [kernel for kernel in found if isinstance(kernel, Attention)]
    assert 1 <= len(attentions) <= 2
    assert not (libraries and together)
    assert not libraries or all(kernel.library is not None for kernel in found)


def test_joint_attention_means_the_same() -> None:
    check_random(program(JOINT), range(2))


def test_what_is_transposed_follows_what_it_is_read_from() -> None:
    found = program("""
stage s(x: f32[5, 6, 16], y: f32[6, 5, 16]) -> z: f32[6]:
    a[i, j, k] = x[j, i, k] * 2
    b[i, j, k] = y[i, j, k] * 3
    z[i] = sum[j, k] (a[i, j, k] + b[i, j, k])
""")
    assert order_of(found, "a") == (1, 0, 2)
    assert order_of(found, "b") == (0, 1, 2)


def test_pieces_that_lie_in_unlike_orders_leave_the_order_of_the_text() -> None:
    found = program("""
stage s(x: f32[5, 6, 16], y: f32[6, 5, 16]) -> z: f32[6]:
    a[i, j, k] = x[j, i, k] * 2
    a[i, 5 + j, k] = y[i, j, k] * 3
    z[i] = sum[j, k] a[i, j, k] * a[i, j, k]
""")
    places = [n for n, node in enumerate(found.nodes) if isinstance(node, Place)]
    assert [choose_orders(found)[n] for n in places] == [(0, 1, 2)]
