"""Attention through scores in memory means what attention means; it is taken where it is faster."""

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import floor_divide
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.kernel_program import (
    Accumulator,
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    Gemm,
    Kernel,
    KernelProgram,
    Launch,
    Load,
    ParameterAccess,
)
from lumc.lowering.kernel_reference import poisoned, run_kernel, run_launch
from lumc.lowering.program_verifier import verify_program
from lumc.lowering.stored_scores import best_blocks, in_blocks, store_scores
from lumc.lowering.tuned import Pricer
from tests.codegen import sample_kernels as sample
from tests.strategies.kernels import random_arrays


def program(kernel: Attention | Gemm) -> KernelProgram:
    """``kernel`` launched once, on inputs, and with its result as output."""
    buffers = tuple(
        Buffer(
            parameter.name,
            BufferKind.INPUT if parameter.access is ParameterAccess.READ else BufferKind.OUTPUT,
            parameter.dtype,
            parameter.shape,
        )
        for parameter in kernel.parameters
    )
    launch = Launch(0, tuple(Argument(n) for n in range(len(buffers))))
    return KernelProgram("p", buffers, (), (kernel,), (), (launch,))


def fused_is_slow(kernel: Kernel) -> float:
    return 1e9 if isinstance(kernel, Attention) else 1.0


@pytest.mark.parametrize(
    "kernel",
    [
        sample.attention(1, 24, 40, 32, 32),
        sample.attention(3, 24, 40, 16, 24),
        sample.attention(4, 30, 17, 16, 8, DType.F32, groups=2),
        sample.attention(2, 21, 40, 16, 16, mask="bias"),
    ],
    ids=["one head", "heads", "shared keys", "bias"],
)
@pytest.mark.parametrize("blocks", [1, 3])
def test_blocks_mean_the_same(
    kernel: Attention, blocks: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    made = in_blocks(kernel, 0, blocks)
    assert made is not None
    monkeypatch.setattr("lumc.lowering.stored_scores.best_blocks", lambda *_: made)
    found = store_scores(program(kernel), fused_is_slow)
    verify_program(found)
    assert len(found.launches) == 3 * blocks
    arrays = random_arrays(kernel, 3)
    memory = [array.copy() for array in arrays]
    for buffer in found.buffers[len(arrays) :]:
        memory.append(poisoned(int(np.prod(buffer.shape)), buffer.dtype))
    for launch in found.launches:
        run_launch(found, launch, memory)
    run_kernel(kernel, arrays)
    count = int(np.prod(kernel.parameters[-1].shape))
    out = next(n for n, p in enumerate(kernel.parameters) if p.name == "out")
    wanted = arrays[out][:count].astype(np.float32)
    np.testing.assert_allclose(memory[out][:count].astype(np.float32), wanted, rtol=2e-2, atol=1e-2)


def test_as_few_blocks_as_keep_the_scores_small() -> None:
    kernel = sample.attention(1, 15000, 15000, 512, 512)
    made = best_blocks(kernel, fused_is_slow)
    assert made is not None
    assert made.blocks == 8
    assert made.kept[0].shape == (1, 1875, 15000)
    assert best_blocks(kernel, lambda kernel: 1.0) is None


def test_causal_attention_depends_on_where_a_query_is() -> None:
    assert in_blocks(sample.attention(1, 24, 40, 16, 16, mask="causal"), 0, 2) is None


def test_queries_that_are_read_by_a_quotient_are_not_cut() -> None:
    kernel = sample.attention(1, 24, 40, 16, 16)
    body = kernel.query
    (load,) = body.instructions
    assert isinstance(load, Load)
    sizes = [one.size for one in body.axes]
    index = (floor_divide(load.index[0], 2, sizes), *load.index[1:])
    halved = replace(kernel, query=Body(body.axes, (replace(load, index=index),)))
    assert in_blocks(halved, 0, 2) is None


def test_wide_heads_go_to_the_library_in_two_products() -> None:
    kernel = sample.attention(1, 4096, 4096, 512, 512)
    pricer = Pricer(with_library(chip_for("sm_90")))
    found = pricer.cut(program(kernel))
    verify_program(found)
    products = [kernel for kernel in found.kernels if isinstance(kernel, Gemm)]
    assert len(products) == 2
    assert all(product.library is not None for product in products)
    narrow = pricer.cut(program(sample.attention(8, 4096, 4096, 128, 128)))
    (fused,) = narrow.kernels
    assert isinstance(fused, Attention)
    assert fused.library is not None


def test_what_the_library_does_is_not_cut_into_parts() -> None:
    """A product with so few tiles that a generated kernel would be cut along its inner axes."""
    kernel = sample.linear(512, 256, 8192)
    plain = Body(kernel.epilogue.axes, (Accumulator(0),))
    stores = (replace(kernel.stores[0], value=0),)
    kernel = replace(kernel, epilogue=plain, stores=stores)
    called = Pricer(with_library(chip_for("sm_90"))).cut(program(kernel))
    generated = Pricer(chip_for("sm_90")).cut(program(kernel))
    (product,) = called.kernels
    assert isinstance(product, Gemm)
    assert product.library is not None
    (own,) = generated.kernels
    assert isinstance(own, Gemm)
    assert own.tile is not None
    assert own.tile.shares is not None
