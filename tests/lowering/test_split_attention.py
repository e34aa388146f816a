"""Attention in two launches is the attention, and is taken where its queries do not fill a chip."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import (
    Argument,
    Attention,
    Buffer,
    BufferKind,
    Kernel,
    KernelProgram,
    Launch,
    ParameterAccess,
    Pointwise,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.program_verifier import verify_program
from lumc.lowering.split_attention import split_attentions, split_keys
from tests.codegen.sample_kernels import attention
from tests.strategies.kernels import random_arrays


def microseconds(kernel: Kernel) -> float:
    return predict_seconds(kernel, chip_for("gfx942")) * 1e6


def program_of(kernel: Attention) -> KernelProgram:
    kinds = [
        BufferKind.OUTPUT if p.access is ParameterAccess.WRITE else BufferKind.INPUT
        for p in kernel.parameters
    ]
    buffers = tuple(
        Buffer(p.name, kind, p.dtype, p.shape)
        for p, kind in zip(kernel.parameters, kinds, strict=True)
    )
    launch = Launch(0, tuple(Argument(n) for n in range(len(buffers))))
    return KernelProgram("attend", buffers, (), (kernel,), (), (launch,))


@pytest.mark.parametrize("mask", ["none", "causal", "bias"])
@pytest.mark.parametrize("parts", [2, 3])
def test_parts_make_the_whole(mask: str, parts: int) -> None:
    # Of the causal one, most parts have rows without any key.
    kernel = attention(4, 70, 768, 16, 24, DType.F32, groups=2, mask=mask)
    split = split_keys(kernel, parts)
    assert split is not None
    for one in (split.partial, split.whole):
        verify_kernel(one)
    arrays = random_arrays(kernel, 3)
    expected = [array.copy() for array in arrays]
    run_kernel(kernel, expected)
    made = random_arrays(split.partial, 4)[-2:]
    run_kernel(split.partial, [*(arrays[n] for n in split.parts), *made])
    run_kernel(split.whole, [*(arrays[n] for n in split.merge), *made])
    np.testing.assert_allclose(arrays[-1], expected[-1], rtol=2e-5, atol=2e-6)


def test_keys_that_are_not_cut() -> None:
    assert split_keys(attention(1, 70, 771, 16, 16), 2) is None
    assert split_keys(attention(1, 70, 256, 16, 16), 2) is None
    assert split_keys(attention(1, 70, 512, 16, 16), 3) is None


def test_few_queries_are_cut_and_many_are_not() -> None:
    few = program_of(attention(24, 4608, 4608, 128, 128))
    cut = split_attentions(few, microseconds)
    verify_program(cut)
    assert [type(cut.kernels[launch.kernel]) for launch in cut.launches] == [Attention, Pointwise]
    before = sum(microseconds(few.kernels[launch.kernel]) for launch in few.launches)
    after = sum(microseconds(cut.kernels[launch.kernel]) for launch in cut.launches)
    assert after < 0.9 * before
    many = program_of(attention(38, 4096, 1024, 128, 128))
    assert split_attentions(many, microseconds) == many


def test_every_launch_has_parts_of_its_own() -> None:
    program = program_of(attention(24, 4608, 4608, 128, 128))
    twice = replace(program, launches=program.launches * 2)
    cut = split_attentions(twice, microseconds)
    verify_program(cut)
    assert len(cut.launches) == 4
    assert len(cut.buffers) == len(program.buffers) + 4
