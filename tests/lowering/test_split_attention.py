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
from lumc.lowering.split_attention import part_of_batch, split_attentions, split_keys
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


@pytest.mark.parametrize("first", [0, 1, 3])
def test_a_part_of_the_batch(first: int) -> None:
    kernel = attention(5, 40, 64, 16, 24, DType.F32, groups=1, mask="bias")
    part = part_of_batch(kernel, 0, first, 2)
    verify_kernel(part)
    arrays = random_arrays(kernel, 3)
    expected = [array.copy() for array in arrays]
    before = arrays[-1].copy()
    run_kernel(kernel, expected)
    run_kernel(part, arrays)
    heads = slice(first, first + 2)
    shape = kernel.parameters[-1].shape
    found, wanted, old = (a.reshape(shape) for a in (arrays[-1], expected[-1], before))
    np.testing.assert_array_equal(found[:, heads], wanted[:, heads])
    untouched = [head for head in range(5) if head not in (first, first + 1)]
    np.testing.assert_array_equal(found[:, untouched], old[:, untouched])


def test_keys_that_are_not_cut() -> None:
    assert split_keys(attention(1, 70, 771, 16, 16), 2) is None
    assert split_keys(attention(1, 70, 256, 16, 16), 2) is None
    assert split_keys(attention(1, 70, 512, 16, 16), 3) is None


def test_few_queries_are_cut_and_many_are_not() -> None:
    few = program_of(attention(24, 4608, 4608, 128, 128))
    cut = split_attentions(few, microseconds)
    verify_program(cut)
    # Heads that fill a round stay as they are; the keys of the others are cut.
    kinds = [type(cut.kernels[launch.kernel]) for launch in cut.launches]
    assert kinds == [Attention, Attention, Pointwise]
    # What was found is told about by the kernel's name.
    assert [kernel.name for kernel in cut.kernels] == [
        "attention",
        "attention_parts",
        "attention_whole",
    ]
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
    assert len(cut.launches) == 6
    assert len(cut.buffers) == len(program.buffers) + 4
