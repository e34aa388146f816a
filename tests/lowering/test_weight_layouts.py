"""Weights are laid out anew where a product streams them then, and mean the same."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import (
    Argument,
    Buffer,
    BufferKind,
    Gemm,
    KernelProgram,
    Launch,
)
from lumc.lowering.kernel_reference import run_program
from lumc.lowering.program_verifier import verify_program
from lumc.lowering.streamed_products import is_streamed
from lumc.lowering.weight_layouts import lay_out_weights
from tests.codegen.sample_kernels import convolution

MI300X = chip_for("gfx942")


def program(
    channels: int, weight: BufferKind = BufferKind.WEIGHT, launches: int = 1
) -> KernelProgram:
    """Convolutions of one picture and one weight, whose window comes last in memory."""
    kernel = convolution(5, 6, channels, 24)
    image, filters, bias, out = kernel.parameters
    filters = replace(filters, strides=(9 * channels, 3, 1, 9))
    kernel = replace(kernel, parameters=(image, filters, bias, out))
    shape = (24, channels, 3, 3)
    results = range(3, 3 + launches)
    buffers = (
        Buffer("image", BufferKind.INPUT, DType.BF16, image.shape),
        Buffer("w", weight, DType.BF16, shape),
        Buffer("bias", BufferKind.WEIGHT, DType.BF16, bias.shape),
        *(Buffer(f"out{n}", BufferKind.OUTPUT, DType.BF16, out.shape) for n in results),
    )
    bound = tuple(Launch(0, (Argument(0), Argument(1), Argument(2), Argument(n))) for n in results)
    made = KernelProgram("s", buffers, (), (kernel,), (), bound)
    verify_program(made)
    return made


def first(found: KernelProgram) -> Gemm:
    kernel = found.kernels[0]
    assert isinstance(kernel, Gemm)
    return kernel


@pytest.mark.parametrize("target", ["gfx942", "gfx1100", "sm_90"])
def test_a_convolution_gets_its_weight_with_channels_last(target: str) -> None:
    before = program(16)
    after = lay_out_weights(before, chip_for(target))
    verify_program(after)
    assert not is_streamed(first(before))
    assert is_streamed(first(after))
    made = after.buffers[-1]
    assert (made.kind, made.shape) == (BufferKind.PREPARED, (24, 3, 3, 16))
    assert len(after.prepare) == 1
    assert after.launches[0].arguments[1] == Argument(len(before.buffers))

    random = np.random.default_rng(3)
    tensors = {
        buffer.name: random.standard_normal(buffer.shape).astype(buffer.dtype.numpy)
        for buffer in before.buffers[:3]
    }
    inputs, weights = {"image": tensors["image"]}, {n: tensors[n] for n in ("w", "bias")}
    wanted, found = (run_program(p, inputs, weights)["out3"] for p in (before, after))
    np.testing.assert_array_equal(wanted, found)


def test_launches_share_a_copy() -> None:
    after = lay_out_weights(program(16, launches=3), MI300X)
    assert len(after.prepare) == 1
    assert len({launch.arguments[1] for launch in after.launches}) == 1


def test_weights_of_one_shape_share_the_kernel_that_copies() -> None:
    """Whatever the products that read them call them."""
    before = program(16, launches=2)
    (kernel,) = before.kernels
    image, filters, bias, out = kernel.parameters
    other = replace(kernel, parameters=(image, replace(filters, name="other"), bias, out))
    buffers = (*before.buffers, replace(before.buffers[1], name="v"))
    first_launch, second = before.launches
    arguments = (second.arguments[0], Argument(len(buffers) - 1), *second.arguments[2:])
    launches = (first_launch, replace(second, kernel=1, arguments=arguments))
    both = replace(before, kernels=(kernel, other), buffers=buffers, launches=launches)
    after = lay_out_weights(both, MI300X)
    verify_program(after)
    assert len(after.prepare) == 2
    assert len({launch.kernel for launch in after.prepare}) == 1
    assert [p.name for p in after.kernels[-1].parameters] == ["weight", "weight_laid_out"]


def test_what_gains_nothing_stays() -> None:
    # No whole chunks of channels; streamed as it is; changed by every step.
    streamed = replace(program(16), kernels=(convolution(5, 6, 16, 24),))
    for before in (program(12), streamed, program(16, BufferKind.INPUT)):
        assert lay_out_weights(before, MI300X) == before
