"""Products in two launches are the products, and are taken where tiles do not fill a chip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.lowering import lower
from lumc.lowering.chips import chip_for
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import (
    Argument,
    Buffer,
    BufferKind,
    Gemm,
    GemmTile,
    Kernel,
    KernelProgram,
    Launch,
    ParameterAccess,
    Pointwise,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.program_verifier import verify_program
from lumc.lowering.split_products import best_split, split_inner, split_products
from lumc.lowering.streamed_products import is_streamed
from tests.codegen.sample_kernels import convolution, gated_pair, linear
from tests.strategies.kernels import random_arrays

F32 = DType.F32


def microseconds(kernel: Kernel) -> float:
    return predict_seconds(kernel, chip_for("gfx942")) * 1e6


@pytest.mark.parametrize(
    ("kernel", "parts"),
    [
        (linear(7, 9, 1024, F32), 2),
        (linear(5, 6, 1536, F32, batch=3), 3),
        (linear(5, 6, 1024, F32, left_transposed=True), 2),
        (gated_pair(4, 6, 2048, F32), 4),
        (convolution(3, 4, 128, 5, F32), 2),
    ],
)
def test_parts_make_the_whole(kernel: Gemm, parts: int) -> None:
    split = split_inner(kernel, parts)
    assert split is not None
    for one in (split.parts, split.whole):
        verify_kernel(one)
    arrays = random_arrays(kernel, 3)
    expected = [array.copy() for array in arrays]
    run_kernel(kernel, expected)
    made = random_arrays(split.parts, 4)[len(split.sources) :]
    run_kernel(split.parts, [*(arrays[n] for n in split.sources), *made])
    run_kernel(split.whole, [*(arrays[n] for n in split.taken), *made])
    np.testing.assert_allclose(arrays[-1], expected[-1], rtol=2e-5, atol=2e-4)


def test_what_is_not_cut() -> None:
    # No equal parts; parts that are no whole lines; parts that are too short.
    assert split_inner(linear(7, 9, 1000), 3) is None
    assert split_inner(linear(7, 9, 1040), 2) is None
    assert split_inner(linear(7, 9, 512), 2) is None
    # Enough tiles; a tile that is chosen already; few rows, whose weight is all that counts.
    assert best_split(linear(8192, 8192, 4096), microseconds) is None
    chosen = linear(512, 4096, 12288, tile=GemmTile(64, 64, 64, 2, 2))
    assert best_split(chosen, microseconds) is None
    assert best_split(linear(1, 4096, 12288), microseconds) is None


def test_few_tiles_are_cut_and_stay_streamed() -> None:
    kernel = linear(512, 4096, 12288)
    assert is_streamed(kernel)
    split = best_split(kernel, microseconds)
    assert split is not None
    assert is_streamed(split.parts)
    whole = microseconds(kernel)
    assert microseconds(split.parts) + microseconds(split.whole) < 0.95 * whole


def test_a_program_gets_both_launches() -> None:
    kernel = linear(512, 4096, 12288)
    kinds = [
        BufferKind.OUTPUT if p.access is ParameterAccess.WRITE else BufferKind.INPUT
        for p in kernel.parameters
    ]
    buffers = tuple(
        Buffer(p.name, kind, p.dtype, p.shape)
        for p, kind in zip(kernel.parameters, kinds, strict=True)
    )
    launch = Launch(0, tuple(Argument(n) for n in range(len(buffers))))
    program = KernelProgram("s", buffers, (), (kernel,), (), (launch, launch))
    found = split_products(program, microseconds)
    verify_program(found)
    ran = [type(found.kernels[one.kernel]) for one in found.launches]
    assert ran == [Gemm, Pointwise] * 2
    assert len(found.kernels) == 2
    large = replace(program, kernels=(linear(64, 64, 64),))
    assert split_products(large, microseconds) == large


def test_a_step_is_predicted_as_it_is_launched() -> None:
    """What is cut into parts counts as its parts, not as the whole that it was."""
    text = """use nn
stage s(x: bf16[512, 16384]) -> y: bf16[512, 4096]:
    weight W: bf16[4096, 16384] = "W"
    y[t] = linear(x[t], W)
"""
    found = lower(elaborate(load_text("text", text), "s"), "gfx942")
    costs = [predict_seconds(kernel, chip_for("gfx942")) * 1e3 for kernel in found.program.kernels]
    assert [kernel.name for kernel in found.program.kernels][1].endswith("_whole")
    step = sum(costs[launch.kernel] for launch in found.program.launches)
    assert abs(found.predicted_ms - step) < 1e-9 * step
