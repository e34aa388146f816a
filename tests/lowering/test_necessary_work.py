"""The bytes and operations that a kernel can't do without."""

import math
from dataclasses import replace

import pytest

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.necessary_work import necessary_work, peak_operations
from tests.codegen import sample_kernels as sample

BF16 = DType.BF16


@pytest.mark.parametrize(
    ("kernel", "operations"),
    [
        (sample.linear(24, 40, 16, BF16), 2 * 24 * 40 * 16),
        (sample.gated_pair(24, 40, 16, BF16), 4 * 24 * 40 * 16),
        (sample.attention(3, 24, 40, 16, 8, BF16), 2 * 3 * 24 * 40 * 24),
        (sample.convolution(7, 9, 16, 24, BF16), 2 * 2 * 7 * 9 * 24 * 9 * 16),
        (sample.transposed(33, 72, BF16), 0),
        (sample.layer_norm(9, 1111, BF16), 0),
    ],
    ids=["product", "pair", "attention", "convolution", "transposed", "norm"],
)
def test_every_element_once(kernel: Kernel, operations: int) -> None:
    found = necessary_work(kernel)
    everything = sum(math.prod(p.shape) * p.dtype.bytes for p in kernel.parameters)
    assert found.bytes == everything
    assert found.operations == operations


def test_what_is_not_read_does_not_count() -> None:
    kernel = sample.convolution(8, 8, 16, 8, BF16, stride=2)
    image, *rest = kernel.parameters
    wide = replace(kernel, parameters=(replace(image, shape=(2, 80, 8, 16)), *rest))
    more = 2 * 72 * 8 * 16 * 2
    everything = sum(math.prod(p.shape) * p.dtype.bytes for p in wide.parameters)
    assert necessary_work(wide).bytes <= everything - more / 2


def test_the_roofline_of_a_chip_is_the_best_that_runs_on_it() -> None:
    plain, called = chip_for("sm_90"), with_library(chip_for("sm_90"))
    assert peak_operations(plain, BF16) < peak_operations(called, BF16) == 720e12
    assert peak_operations(called, DType.F32) == peak_operations(plain, DType.F32)
    work = necessary_work(sample.linear(256, 256, 4096, BF16))
    assert work.seconds(1e30, 1e12) == work.operations / 1e12
    assert work.seconds(1e9, 1e30) == work.bytes / 1e9
