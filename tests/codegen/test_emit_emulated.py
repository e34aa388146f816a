"""Generated code computes the kernels' NumPy meaning, on the emulator, with all of its checks."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st

from lumc.codegen.emit import MathMode, emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Apply,
    AttentionTile,
    Body,
    GemmTile,
    Kernel,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
)
from tests.codegen import sample_kernels as samples
from tests.codegen.emulated import check_kernel
from tests.strategies.kernels import attentions, gemms, pointwise_kernels, row_reductions

BF16, F16, F32 = DType.BF16, DType.F16, DType.F32

POINTWISE = {
    "dense": samples.modulated(7, 48),
    "odd rows": samples.modulated(13, 51),
    "f32": samples.modulated(5, 36, F32),
    "several workgroups": samples.modulated(70, 96),
    "one point": samples.modulated(1, 1),
    "transpose": samples.transposed(19, 40),
    "padding": samples.padded(40, 3),
}

ROWS = {
    "a workgroup a row": samples.layer_norm(5, 4096),
    "a wave a row": samples.layer_norm(1030, 200),
    "a part of a wave a row": samples.layer_norm(9, 40),
    "odd columns": samples.layer_norm(3, 131),
    "strided rows": samples.layer_norm(4, 520, stride=600),
    "too long for registers": samples.layer_norm(2, 40000),
    "f32": samples.layer_norm(3, 1024, F32),
    "one element": samples.layer_norm(1, 1),
    "along rows": samples.column_sum(77, 300),
    "along few rows": samples.column_sum(3000, 7),
    "in place": samples.rope_in_place(3, 4, 128),
    "in place, odd heads": samples.rope_in_place(3, 5, 80),
    "in place, over waves": samples.rope_in_place(2, 1, 6000),
}

PRODUCTS = {
    "many tiles": samples.linear(300, 264, 96),
    "odd everything": samples.linear(129, 77, 51),
    "left transposed": samples.linear(140, 72, 64, left_transposed=True),
    "both transposed": samples.linear(72, 136, 40, left_transposed=True, right_transposed=True),
    "f16": samples.linear(65, 40, 33, F16),
    "f32": samples.linear(70, 136, 128, F32),
    "one row": samples.linear(1, 3, 8),
    "batch": samples.linear(33, 72, 64, batch=3),
    "256 × 256": samples.linear(260, 264, 64, tile=GemmTile(256, 256, 32, 2, 4)),
    "16 × 64 in a row of waves": samples.linear(40, 72, 64, tile=GemmTile(16, 64, 64, 1, 4)),
    "two right sides": samples.gated_pair(150, 200, 160),
    "convolution, channels last": samples.convolution(9, 11, 16, 40),
    "convolution, channels first": samples.convolution(9, 11, 5, 12, channels_last=False),
    "convolution, stride 2": samples.convolution(13, 10, 8, 24, F32, stride=2),
}

ATTENTIONS = {
    "two heads": samples.attention(2, 70, 130, 128, 128),
    "causal, grouped, 80 wide": samples.attention(4, 65, 100, 80, 80, groups=2, mask="causal"),
    "f32 with bias": samples.attention(1, 33, 77, 64, 96, F32, mask="bias"),
    "f16, 256 wide": samples.attention(1, 20, 40, 256, 256, F16),
    "512 wide": samples.attention(1, 20, 40, 512, 512),
    "one query": samples.attention(3, 1, 70, 24, 40),
    "128 queries a tile": samples.attention(
        1, 130, 80, 64, 64, tile=AttentionTile(queries=128, keys=64, waves=4)
    ),
}

SAMPLES: dict[str, Kernel] = {
    f"{kind}: {name}": kernel
    for kind, kernels in (
        ("pointwise", POINTWISE),
        ("rows", ROWS),
        ("product", PRODUCTS),
        ("attention", ATTENTIONS),
    )
    for name, kernel in kernels.items()
}


def tolerance_of(name: str) -> float | None:
    """Attention rounds the weights to the operands' type before it multiplies them."""
    return 2e-2 if name.startswith("attention") and "f32" not in name else None


@pytest.mark.parametrize("name", SAMPLES)
def test_gfx942(name: str) -> None:
    check_kernel(SAMPLES[name], "gfx942", tolerance=tolerance_of(name))


@pytest.mark.parametrize(
    "name",
    [
        "pointwise: dense",
        "rows: a wave a row",
        "rows: along rows",
        "rows: in place",
        "product: many tiles",
        "product: both transposed",
        "product: f32",
        "product: two right sides",
        "product: convolution, channels last",
        "attention: causal, grouped, 80 wide",
    ],
)
@pytest.mark.parametrize("target", ["gfx90a", "gfx950"])
def test_other_chips(name: str, target: str) -> None:
    check_kernel(SAMPLES[name], target, tolerance=tolerance_of(name))


@pytest.mark.parametrize(
    "name",
    [
        "product: many tiles",
        "product: both transposed",
        "product: two right sides",
        "product: convolution, channels last",
        "attention: two heads",
        "attention: causal, grouped, 80 wide",
        "attention: f16, 256 wide",
    ],
)
def test_matrix_cores_of_narrow_waves(name: str) -> None:
    check_kernel(SAMPLES[name], "gfx1100", tolerance=tolerance_of(name))


def test_rows_that_end_inside_of_a_wave() -> None:
    """What a matrix instruction reads is read by lanes without a row as well."""
    for target in ("gfx942", "gfx1100"):
        check_kernel(samples.linear(198, 40, 144), target)


@pytest.mark.parametrize(
    "name",
    [
        "pointwise: dense",
        "pointwise: odd rows",
        "rows: strided rows",
        "product: many tiles",
        "attention: two heads",
    ],
)
def test_unaligned_pointers(name: str) -> None:
    check_kernel(SAMPLES[name], "gfx942", aligned=False, tolerance=tolerance_of(name))


@pytest.mark.parametrize("name", ["product: f32", "product: two right sides", "rows: in place"])
def test_exact_mathematics(name: str) -> None:
    check_kernel(SAMPLES[name], "gfx942", math_mode=MathMode.EXACT)


FUZZ = settings(
    max_examples=20,
    phases=(Phase.generate,),
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)
SEEDS = st.integers(0, 2**16)


@FUZZ
@given(pointwise_kernels(), SEEDS)
def test_any_pointwise(kernel: Kernel, seed: int) -> None:
    check_kernel(kernel, "gfx942", seed, aligned=False)


@FUZZ
@given(row_reductions(), SEEDS)
def test_any_row_reduction(kernel: Kernel, seed: int) -> None:
    check_kernel(kernel, "gfx942", seed, aligned=False, tolerance=1e-2)


@FUZZ
@given(gemms(), SEEDS)
def test_any_product(kernel: Kernel, seed: int) -> None:
    check_kernel(kernel, "gfx942", seed, aligned=False, tolerance=1e-2)


@FUZZ
@given(attentions(), SEEDS)
def test_any_attention(kernel: Kernel, seed: int) -> None:
    check_kernel(kernel, "gfx942", seed, aligned=False, tolerance=2e-2)


@pytest.mark.slow
@settings(FUZZ, max_examples=150)
@given(st.one_of(pointwise_kernels(), row_reductions(), gemms(), attentions()), SEEDS)
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_any_kernel_on_any_chip(target: str, kernel: Kernel, seed: int) -> None:
    check_kernel(kernel, target, seed, aligned=False, tolerance=2e-2)


def test_a_wrong_kernel_fails() -> None:
    """The comparison sees what it should: another constant, another place."""
    kernel = samples.modulated(7, 48)
    wrong = replace(kernel, stores=(replace(kernel.stores[0], value=0),))
    check_kernel(wrong, "gfx942")
    with pytest.raises(AssertionError, match="differ"):
        check_kernel(wrong, "gfx942", meaning=kernel)


def grouped_channels(pixels: int, groups: int, width: int, gap: int = 0) -> Pointwise:
    """``y[s, p, e] = x[s, p, e] * scale[p] + x[s, p, e] * shift[p, e]``, few channels a group."""
    axes = (KernelAxis("s", pixels), KernelAxis("p", groups), KernelAxis("e", width))
    s, p, e = axis(0), axis(1), axis(2)
    body = Body(
        axes,
        (
            Load(0, (s, p, e)),
            Load(1, (p,)),
            Load(2, (p, e)),
            Apply(ElementwiseOp.MULTIPLY, (0, 1)),
            Apply(ElementwiseOp.MULTIPLY, (0, 2)),
            Apply(ElementwiseOp.ADD, (3, 4)),
        ),
    )
    shape, strides = (pixels, groups, width), (groups * width + gap, width, 1)
    parameters = (
        Parameter("x", BF16, shape, strides),
        samples.dense("scale", F32, groups),
        samples.dense("shift", BF16, groups, width),
        Parameter("y", BF16, shape, strides, ParameterAccess.WRITE),
    )
    return Pointwise("grouped", parameters, body, (Store(3, (s, p, e), 5),))


@pytest.mark.parametrize(
    "sizes", [(9, 32, 4), (7, 6, 4), (5, 16, 2), (3, 8, 1), (5, 7, 4), (4, 6, 12)]
)
def test_short_axes_are_walked_together_with_the_next(sizes: tuple[int, int, int]) -> None:
    kernel = grouped_channels(*sizes)
    lanes = next(n for n in (8, 4, 2, 1) if sizes[1] * sizes[2] % n == 0)
    emitted = emit_kernel(kernel, target_named("gfx942"), [256] * 4)
    assert f"{lanes} points a thread" in emitted.source
    check_kernel(kernel, "gfx942")
    check_kernel(grouped_channels(*sizes, gap=8), "gfx942")
