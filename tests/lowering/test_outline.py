"""Programs cut into segments: what repeats is one segment, and cuts cost no copies."""

from __future__ import annotations

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.kernel_program import Apply, Gemm, Pointwise
from lumc.lowering.layouts import choose_orders
from lumc.lowering.outline import Outline, outline
from tests.lowering.checking import check, check_random

BLOCK = """
def block(x[t, c], at: str) -> y:
    weight W: f32[6, |c|], U: f32[|c|, 6], g: f32[|c|] = "{at}.{w|u|g}"
    a[t] = rms_norm(x[t], g, 1e-6)
    h[t, f] = silu(linear(a[t], W)[f])
    y[t, c] = x[t, c] + linear(h[t], U)[c]
"""

STACK = f"""use nn
{BLOCK}
stage s(x: f32[5, 4]) -> y: f32[5, 4]:
    v{{0}}[t, c] = 2 * x[t, c]
    for n < 5:
        v{{n+1}} = block(v{{n}}, "layer.{{n}}")
    y[t, c] = v{{5}}[t, c] - v{{3}}[t, c]
"""

TWO_STREAMS = f"""use nn
{BLOCK}
stage s(x: f32[5, 4], y: f32[3, 4]) -> z: f32[8, 4]:
    a{{0}}[t, c] = 2 * x[t, c]
    b{{0}}[t, c] = 3 * y[t, c]
    for n < 3:
        a{{n+1}} = block(a{{n}}, "first.{{n}}")
        b{{n+1}} = block(b{{n}}, "second.{{n}}")
    u{{0}}[t, c]     = a{{3}}[t, c]
    u{{0}}[5 + s, c] = b{{3}}[s, c]
    for n < 3:
        u{{n+1}} = block(u{{n}}, "third.{{n}}")
    z[u, c] = u{{3}}[u, c]
"""


def program(text: str) -> TensorProgram:
    return elaborate(load_text("text", text), "s")


def outlined(text: str) -> Outline:
    found = program(text)
    return outline(found, choose_orders(found))


def test_equal_rounds_are_one_segment() -> None:
    found = outlined(STACK)
    calls = [call.segment for call in found.calls]
    assert max(calls.count(number) for number in calls) >= 4
    assert len(found.segments) < len(calls)


def test_rounds_of_two_loops_with_one_counter_are_told_apart() -> None:
    found = outlined(TWO_STREAMS)
    counts = sorted([call.segment for call in found.calls].count(n) for n in range(7))
    assert counts[-2:] == [2, 3] or counts[-2:] == [3, 3]


def test_cutting_changes_no_value() -> None:
    for text in (STACK, TWO_STREAMS):
        found = program(text)
        check(found)
        check_random(found, range(4))


def test_equal_rounds_run_equal_kernels() -> None:
    kernels = check(program(STACK))
    products = [k for k in kernels.kernels if isinstance(k, Gemm)]
    assert len(products) <= 4
    assert len(kernels.launches) >= 10


def test_what_other_segments_make_is_not_copied_into_place() -> None:
    kernels = check(program(TWO_STREAMS))
    for kernel in kernels.kernels:
        if isinstance(kernel, Pointwise):
            assert any(isinstance(i, Apply) for i in kernel.body.instructions), kernel.name
