"""Small programs lowered and compared with what they mean, with the kernels that must be found."""

from __future__ import annotations

from collections import Counter

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.lowering import choice
from lumc.lowering.extract import NoKernelError
from lumc.lowering.kernel_program import Attention, Gemm, KernelProgram, Pointwise, RowReduction
from lumc.lowering.lower import lower
from tests.lowering.checking import check, check_random
from tests.lowering.program_builder import At, Builder, at

BF16, F32, I32, BOOL = DType.BF16, DType.F32, DType.I32, DType.BOOL


def kinds(program: KernelProgram) -> Counter[str]:
    """How many launches there are of each kind of kernel."""
    return Counter(type(program.kernels[launch.kernel]).__name__ for launch in program.launches)


def linear(b: Builder, x: At, weight: int, space: dict[str, int], inner: dict[str, int]) -> int:
    """x[t, i] W[o, i] summed over i; ``space`` ends in o."""
    o, i = list(space)[-1], next(iter(inner))
    product = b.op("mul", x, At(weight, (o, i)), space=space | inner)
    return b.reduce("sum", At(product, tuple(space | inner)), space, inner)


def silu(b: Builder, x: At, space: dict[str, int]) -> int:
    """x / (1 + exp(-x))"""
    axes = tuple(space)
    negative = b.op("mul", x, -1.0, space=space)
    scaled = b.op("mul", At(negative, axes), 1.4426950408889634, space=space)
    raised = b.op("exp2", At(scaled, axes), space=space)
    below = b.op("add", At(raised, axes), 1.0, space=space)
    inverse = b.op("recip", At(below, axes), space=space)
    return b.op("mul", x, At(inverse, axes), space=space)


def rms_norm(b: Builder, x: int, gain: int, rows: dict[str, int], row: dict[str, int]) -> int:
    """x rsqrt(mean of squares + eps) gain over the axes ``row``."""
    space = rows | row
    axes, r = tuple(space), tuple(rows)
    square = b.op("mul", At(x, axes), At(x, axes), space=space)
    total = b.reduce("sum", At(square, axes), rows, row)
    (count,) = row.values()
    mean = b.op("mul", At(total, r), 1.0 / count, space=rows)
    shifted = b.op("add", At(mean, r), 1e-6, space=rows)
    root = b.op("sqrt", At(shifted, r), space=rows)
    inverse = b.op("recip", At(root, r), space=rows)
    scaled = b.op("mul", At(x, axes), At(inverse, r), space=space)
    return b.op("mul", At(scaled, axes), At(gain, tuple(row)), space=space)


def layer_norm(b: Builder, x: At, rows: dict[str, int], row: dict[str, int]) -> int:
    space = rows | row
    axes, r = tuple(space), tuple(rows)
    (count,) = row.values()
    total = b.reduce("sum", x, rows, row)
    mean = b.op("mul", At(total, r), 1.0 / count, space=rows)
    minus = b.op("mul", At(mean, r), -1.0, space=rows)
    centred = b.op("add", x, At(minus, r), space=space)
    square = b.op("mul", At(centred, axes), At(centred, axes), space=space)
    spread = b.reduce("sum", At(square, axes), rows, row)
    variance = b.op("mul", At(spread, r), 1.0 / count, space=rows)
    shifted = b.op("add", At(variance, r), 1e-6, space=rows)
    inverse = b.op("recip", At(b.op("sqrt", At(shifted, r), space=rows), r), space=rows)
    return b.op("mul", At(centred, axes), At(inverse, r), space=space)


def softmax(b: Builder, x: int, rows: dict[str, int], row: dict[str, int]) -> int:
    space = rows | row
    axes, r = tuple(space), tuple(rows)
    most = b.reduce("max", At(x, axes), rows, row)
    minus = b.op("mul", At(most, r), -1.0, space=rows)
    shifted = b.op("add", At(x, axes), At(minus, r), space=space)
    scaled = b.op("mul", At(shifted, axes), 1.4426950408889634, space=space)
    raised = b.op("exp2", At(scaled, axes), space=space)
    total = b.reduce("sum", At(raised, axes), rows, row)
    inverse = b.op("recip", At(total, r), space=rows)
    return b.op("mul", At(raised, axes), At(inverse, r), space=space)


def test_a_chain_of_elementwise_operations_is_one_kernel() -> None:
    b = Builder()
    space = {"t": 5, "c": 7}
    x = b.input("x", (5, 7))
    b.output("y", At(silu(b, at(x, "t, c"), space), ("t", "c")), space)
    found = check(b.program())
    assert kinds(found) == {"Pointwise": 1}


def test_a_product_takes_bias_activation_and_residual_as_epilogue() -> None:
    b = Builder()
    space = {"t": 5, "o": 9}
    x, w = b.input("x", (5, 7)), b.weight("w", (9, 7))
    bias, residual = b.weight("b", (9,)), b.input("r", (5, 9))
    product = linear(b, at(x, "t, i"), w, space, {"i": 7})
    biased = b.op("add", at(product, "t, o"), at(bias, "o"), space=space)
    active = silu(b, at(biased, "t, o"), space)
    total = b.op("add", at(residual, "t, o"), at(active, "t, o"), space=space)
    b.output("y", at(total, "t, o"), space)
    assert kinds(check(b.program())) == {"Gemm": 1}


def test_gate_and_up_projection_are_one_kernel_with_two_products() -> None:
    b = Builder()
    space = {"t": 5, "o": 9}
    x, w = b.input("x", (5, 7)), b.weight("w", (18, 7))
    wide = {"t": 5, "o": 18}
    z = linear(b, at(x, "t, i"), w, wide, {"i": 7})
    gate = silu(b, at(z, "t, o"), space)
    y = b.op("mul", at(gate, "t, o"), at(z, "t, o + 9"), space=space)
    b.output("y", at(y, "t, o"), space)
    found = check(b.program())
    assert kinds(found) == {"Gemm": 1}
    (kernel,) = found.kernels
    assert isinstance(kernel, Gemm)
    assert len(kernel.right) == 2


@pytest.mark.parametrize("make", [rms_norm, layer_norm, softmax])
def test_row_normalisations_are_one_kernel(make: object) -> None:
    b = Builder()
    rows, row = {"h": 3, "t": 5}, {"c": 7}
    x = b.input("x", (3, 5, 7))
    if make is rms_norm:
        y = rms_norm(b, x, b.weight("g", (7,)), rows, row)
    elif make is layer_norm:
        y = layer_norm(b, at(x, "h, t, c"), rows, row)
    else:
        y = softmax(b, x, rows, row)
    b.output("y", at(y, "h, t, c"), rows | row)
    found = check(b.program())
    assert kinds(found) == {"RowReduction": 1}


def test_a_norm_takes_what_precedes_and_follows() -> None:
    b = Builder()
    rows, row = {"t": 5}, {"c": 7}
    space = rows | row
    x, r = b.input("x", (5, 7)), b.input("r", (5, 7))
    scale, shift = b.input("scale", (7,)), b.input("shift", (7,))
    total = b.op("add", at(x, "t, c"), at(r, "t, c"), space=space)
    norm = layer_norm(b, at(total, "t, c"), rows, row)
    factor = b.op("add", at(scale, "c"), 1.0, space=row)
    scaled = b.op("mul", at(norm, "t, c"), at(factor, "c"), space=space)
    y = b.op("add", at(scaled, "t, c"), at(shift, "c"), space=space)
    b.output("y", at(b.cast(at(y, "t, c"), BF16, space), "t, c"), space, BF16)
    assert kinds(check(b.program())) == {"RowReduction": 1}


def test_a_convolution_is_a_product_with_guarded_reads() -> None:
    b = Builder()
    out = {"o": 4, "r": 5, "s": 6}
    inner = {"c": 3, "i": 3, "j": 3}
    space = out | inner
    x, w = b.input("x", (3, 5, 6)), b.weight("w", (4, 3, 3, 3))
    bias = b.weight("b", (4,))
    guard: At | None = None
    for entry, size in (("r + i - 1", 5), ("s + j - 1", 6)):
        place = b.index(entry, space)
        inside = b.op("lt", place, b.constant(size, I32), space=space, dtype=BOOL)
        outside = b.op("lt", place, b.constant(0, I32), space=space, dtype=BOOL)
        kept = b.op(
            "select",
            At(outside, tuple(space)),
            b.constant(False, BOOL),
            At(inside, tuple(space)),
            space=space,
            dtype=BOOL,
        )
        both = At(kept, tuple(space))
        guard = (
            both
            if guard is None
            else At(b.op("mul", guard, both, space=space, dtype=BOOL), tuple(space))
        )
    assert guard is not None
    read = b.op("select", guard, at(x, "c, r + i - 1, s + j - 1"), 0.0, space=space)
    product = b.op("mul", at(w, "o, c, i, j"), At(read, tuple(space)), space=space)
    y = b.reduce("sum", At(product, tuple(space)), out, inner)
    z = b.op("add", at(bias, "o"), at(y, "o, r, s"), space=out)
    b.output("y", at(z, "o, r, s"), out)
    found = check(b.program())
    assert kinds(found) == {"Gemm": 1}


def test_grouped_queries_share_their_keys() -> None:
    b = Builder()
    out = {"g": 2, "r": 3, "t": 5, "s": 4}
    q, k = b.input("q", (2, 3, 5, 7), BF16), b.input("k", (2, 4, 7), BF16)
    product = b.op("mul", at(q, "g, r, t, d"), at(k, "g, s, d"), space=out | {"d": 7})
    y = b.reduce("sum", at(product, "g, r, t, s, d"), out, {"d": 7})
    b.output("y", at(y, "g, r, t, s"), out)
    found = check(b.program())
    (kernel,) = found.kernels
    assert isinstance(kernel, Gemm)
    assert [a.name for a in kernel.batch] == ["g"]
    assert kernel.operand_dtype is BF16


def test_pieces_are_written_where_they_are_read() -> None:
    b = Builder()
    x, y = b.input("x", (3, 7)), b.input("y", (4, 7))
    w = b.weight("w", (5, 7))
    first = linear(b, at(x, "t, i"), w, {"t": 3, "o": 5}, {"i": 7})
    second = linear(b, at(y, "t, i"), w, {"t": 4, "o": 5}, {"i": 7})
    both = b.place(
        (7, 5),
        ({"t": 3, "o": 5}, ("t", "o"), at(first, "t, o")),
        ({"t": 4, "o": 5}, ("t + 3", "o"), at(second, "t, o")),
    )
    norm = softmax(b, both, {"u": 7}, {"o": 5})
    b.output("y", at(norm, "u, o"), {"u": 7, "o": 5})
    assert kinds(check(b.program())) == {"Gemm": 2, "RowReduction": 1}


def test_rotation_of_pairs_stores_both_pieces_from_one_kernel() -> None:
    b = Builder()
    half = {"h": 2, "u": 3, "n": 4}
    x, c, s = b.input("x", (2, 3, 8)), b.input("c", (3, 4)), b.input("s", (3, 4))
    axes = "h, u, n"
    minus = b.op("mul", at(x, "h, u, 2*n + 1"), -1.0, space=half)
    left = b.op(
        "add",
        at(b.op("mul", at(x, "h, u, 2*n"), at(c, "u, n"), space=half), axes),
        at(b.op("mul", at(minus, axes), at(s, "u, n"), space=half), axes),
        space=half,
    )
    right = b.op(
        "add",
        at(b.op("mul", at(x, "h, u, 2*n + 1"), at(c, "u, n"), space=half), axes),
        at(b.op("mul", at(x, "h, u, 2*n"), at(s, "u, n"), space=half), axes),
        space=half,
    )
    y = b.place(
        (2, 3, 8),
        (half, ("h", "u", "2*n"), at(left, axes)),
        (half, ("h", "u", "2*n + 1"), at(right, axes)),
    )
    b.output("y", at(y, "h, u, d"), {"h": 2, "u": 3, "d": 8})
    found = check(b.program())
    assert kinds(found) == {"Pointwise": 1}
    (kernel,) = found.kernels
    assert isinstance(kernel, Pointwise)
    assert len(kernel.stores) == 2


def test_reads_at_computed_places() -> None:
    b = Builder()
    table, ids = b.weight("table", (11, 5)), b.input("ids", (4,), I32)
    y = b.gather(at(table, "n, c"), {"n": at(ids, "t")}, {"t": 4, "c": 5})
    z = b.op("add", at(y, "t, c"), 1.0, space={"t": 4, "c": 5})
    b.output("y", at(z, "t, c"), {"t": 4, "c": 5})
    assert kinds(check(b.program())) == {"Pointwise": 1}


@pytest.mark.parametrize("combine", [None, "max", "sum"])
def test_writes_at_computed_places(combine: str | None) -> None:
    b = Builder()
    v, ids = b.input("v", (4, 5)), b.input("ids", (4,), I32)
    start = b.input("start", (9, 5))
    place = b.op("add", at(ids, "t"), b.index("2*t + 1", {"t": 4}), space={"t": 4}, dtype=I32)
    y = b.scatter(
        at(start, "n, c"),
        at(v, "t, c"),
        {"k": at(place, "t")},
        ("k", "c"),
        {"t": 4, "c": 5},
        {"n": 9, "c": 5},
        combine,
    )
    if combine is None:
        # Distinct places are the author's promise; those past the end are not written.
        b.nodes[place] = b.nodes[b.index("3*t + 1", {"t": 4}).node]
    b.output("y", at(y, "n, c"), {"n": 9, "c": 5})
    found = check(b.program())
    assert all(
        store.combine is None or store.combine.value != "sum"
        for kernel in found.kernels
        if isinstance(kernel, Pointwise)
        for store in kernel.stores
    )


def test_sums_of_whole_numbers_stay_whole() -> None:
    b = Builder()
    x, w = b.input("x", (5, 7), I32), b.weight("w", (9, 7), I32)
    space = {"t": 5, "o": 9, "i": 7}
    product = b.op("mul", at(x, "t, i"), at(w, "o, i"), space=space, dtype=I32)
    y = b.reduce("sum", at(product, "t, o, i"), {"t": 5, "o": 9}, {"i": 7}, I32)
    b.output("y", at(y, "t, o"), {"t": 5, "o": 9}, I32)
    found = check(b.program())
    assert kinds(found)["Gemm"] == 0
    assert any(isinstance(kernel, RowReduction) for kernel in found.kernels)


def test_outputs_that_are_inputs_weights_or_each_other() -> None:
    b = Builder()
    x, w = b.input("x", (3, 4)), b.weight("w", (4,))
    y = b.op("mul", at(x, "t, c"), at(w, "c"), space={"t": 3, "c": 4})
    b.output("same", at(x, "t, c"), {"t": 3, "c": 4})
    b.output("turned", at(x, "t, c"), {"c": 4, "t": 3})
    b.output("weight", at(w, "c"), {"c": 4})
    b.output("y", at(y, "t, c"), {"t": 3, "c": 4})
    b.output("again", at(y, "t, c"), {"t": 3, "c": 4})
    b.output("narrow", at(y, "t, c"), {"t": 3, "c": 4}, BF16)
    b.output("five", b.constant(5.0), {"n": 2})
    check(b.program())


def test_constants_are_tables_computed_in_double_precision() -> None:
    b = Builder()
    space = {"t": 6, "n": 4}
    t = b.cast(b.index("1000*t + 7*n", space), F32, space)
    angle = b.op("mul", at(t, "t, n"), 1.2345, space=space)
    wave = b.op("sin", at(angle, "t, n"), space=space)
    x = b.input("x", (6, 4))
    y = b.op("mul", at(x, "t, n"), at(wave, "t, n"), space=space)
    b.output("y", at(y, "t, n"), space)
    found = check(b.program(), tolerance=2e-7)
    assert len(found.tables) == 1
    assert kinds(found) == {"Pointwise": 1}


def test_scalar_constants_fold() -> None:
    b = Builder()
    x = b.input("x", (6,))
    two = b.op("exp2", 1.0, space={})
    root = b.op("sqrt", at(two), space={})
    y = b.op("mul", at(x, "t"), at(root), space={"t": 6})
    b.output("y", at(y, "t"), {"t": 6})
    found = check(b.program())
    assert not found.tables
    assert kinds(found) == {"Pointwise": 1}


def test_comparisons_of_indices_stay_in_kernels() -> None:
    b = Builder()
    space = {"t": 6, "s": 5}
    x = b.input("x", (6, 5))
    later = b.op("lt", b.index("t", space), b.index("s", space), space=space, dtype=BOOL)
    y = b.op("select", at(later, "t, s"), float("-inf"), at(x, "t, s"), space=space)
    b.output("y", at(y, "t, s"), space)
    found = check(b.program())
    assert not found.tables
    assert kinds(found) == {"Pointwise": 1}


def test_what_depends_on_weights_alone_is_computed_once() -> None:
    b = Builder()
    x, v = b.input("x", (6, 4)), b.weight("v", (4,))
    square = b.op("mul", at(v, "c"), at(v, "c"), space={"c": 4})
    root = b.op("sqrt", at(square, "c"), space={"c": 4})
    y = b.op("mul", at(x, "t, c"), at(root, "c"), space={"t": 6, "c": 4})
    b.output("y", at(y, "t, c"), {"t": 6, "c": 4})
    found = check(b.program())
    assert len(found.prepare) == 1
    assert kinds(found) == {"Pointwise": 1}


def test_a_guarded_read_of_long_whole_numbers() -> None:
    text = "stage s(x: i64[1, 1]) -> y: i32[1, 2]:\n    y[a, b: 2] = x[a, b - 1 else 0]\n"
    check(elaborate(load_text("text", text), "s"))


def test_what_no_kernel_computes_is_named(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(choice, "LARGEST_ATTEMPTS", 1)
    text = "use nn\nstage s(x: f32[3, 4], v: f32[4, 5]) -> o: f32[3, 5]:\n    o = attend(x, v)\n"
    with pytest.raises(NoKernelError, match=r"no kernel was found that computes \w+: ") as caught:
        lower(elaborate(load_text("text", text), "s"), "gfx942")
    (diagnostic,) = caught.value.diagnostics
    assert diagnostic.span is not None
    assert diagnostic.span.source.text


@pytest.mark.parametrize(("exact", "dtype"), [(False, BF16), (True, F32)])
def test_exact_attention_rounds_no_weights(exact: bool, dtype: DType) -> None:
    text = """use nn
stage s(q: bf16[5, 8], k: bf16[7, 8], v: bf16[7, 6]) -> o: bf16[5, 6]:
    o = attention(q, k, v)
"""
    program = elaborate(load_text("text", text), "s")
    (kernel,) = lower(program, "gfx942", exact=exact).program.kernels
    assert isinstance(kernel, Attention)
    assert kernel.operand_dtype is dtype


def test_a_diagonal_does_not_lie_where_a_tensor_would() -> None:
    program = elaborate(
        load_text(
            "text",
            """
stage s(x: f32[5, 5]) -> y: f32[5], z: f32[4, 5]:
    p[a, b] = x[b, a] + 1
    y[a: 5] = p[a, a]
    q[a, b] = x[a, b] * 2
    z[c: 4, b: 5] = q[b, b]
""",
        ),
        "s",
    )
    check_random(program, range(12))


def test_a_residual_that_a_norm_and_a_sum_read_is_made_once() -> None:
    """Put into memory alone it gains nothing: what stands in its place has to go as well."""
    text = """use nn
stage s(u: bf16[1024, 512], x: bf16[1024, 512]) -> y: bf16[1024, 512]:
    weight Wo: bf16[512, 512] = "o"
    weight Wu, Wg: bf16[1408, 512] = "{up|gate}"
    weight Wd: bf16[512, 1408] = "d"
    weight g: bf16[512] = "g"
    index t: 1024, c: 512, i: 1408
    r[t, c] as x = x[t, c] + linear(u[t], Wo)[c]
    h[t] = rms_norm(r[t], g, 1e-5)
    f[t, i] as x = silu(linear(h[t], Wg)[i]) * linear(h[t], Wu)[i]
    y[t, c] as x = r[t, c] + linear(f[t], Wd)[c]
"""
    program = lower(elaborate(load_text("text", text), "s"), "gfx942").program
    assert kinds(program) == {"Gemm": 3, "RowReduction": 1}
