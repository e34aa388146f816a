"""Which attentions a vendor's library does, and how it sees them."""

import math
from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import add, axis, constant
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    IndexOf,
    Instruction,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Store,
    Strided,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.library_attention import library_attention
from tests.codegen import sample_kernels as sample
from tests.lowering.library_meaning import attended, view, with_made
from tests.strategies.kernels import random_arrays

BF16, F32 = DType.BF16, DType.F32
MULTIPLY, ADD = ElementwiseOp.MULTIPLY, ElementwiseOp.ADD
LESS, SELECT = ElementwiseOp.LESS_THAN, ElementwiseOp.SELECT
SCALED: tuple[Instruction, ...] = (Accumulator(0), Literal(0.25, F32), Apply(MULTIPLY, (0, 1)))


def masked(
    score: tuple[Instruction, ...],
    *masks: Parameter,
    queries: int = 24,
    keys: int = 16,
    dtype: DType = BF16,
) -> Attention:
    """Two key heads for three query heads each, which lie among the queries; 16 wide."""
    g, q, r, k = (
        KernelAxis("g", 2),
        KernelAxis("q", queries),
        KernelAxis("r", 3),
        KernelAxis("k", keys),
    )
    d, v = KernelAxis("d", 16), KernelAxis("v", 16)
    asked = (axis(1), axis(0), axis(2), axis(3))
    read = (axis(1), axis(0), axis(2))
    return Attention(
        "attention",
        (
            sample.dense("q", dtype, queries, 2, 3, 16),
            sample.dense("k", dtype, keys, 2, 16),
            sample.dense("v", dtype, keys, 2, 16),
            sample.dense("o", dtype, queries, 2, 3, 16, access=ParameterAccess.WRITE),
            *masks,
        ),
        (g,),
        (q, r),
        (k,),
        (d,),
        (v,),
        Body((g, q, r, d), (Load(0, asked),)),
        Body((g, k, d), (Load(1, read),)),
        Body((g, q, r, k), score),
        Body((g, k, v), (Load(2, read),)),
        dtype,
        Body((g, q, r, v), (Accumulator(0),)),
        (Store(3, asked, 0),),
    )


ENDLESS = Literal(-math.inf, F32)
ORDER: tuple[Instruction, ...] = (
    Literal(0, DType.I32),
    IndexOf(add(add(axis(1), axis(3), -1), constant(1))),
    Apply(LESS, (3, 4)),
)
CAUSAL = (*SCALED, *ORDER, ENDLESS, Apply(SELECT, (5, 2, 6)))
CHOSEN = (*SCALED, Load(4, (axis(1), axis(3))), ENDLESS, Apply(SELECT, (3, 2, 4)))
ADDED = (*SCALED, Load(4, (axis(1), axis(3))), Apply(ADD, (3, 2)))
ADDED_BY_HEAD = (
    *SCALED,
    Load(4, (axis(0), axis(2), axis(1), axis(3))),
    Apply(ADD, (2, 3)),
)
PADDED = (
    *CAUSAL,
    Load(4, (axis(3),)),
    Apply(LESS, (3, 8)),
    Apply(SELECT, (9, 7, 6)),
)
ADDITIVE = (
    *SCALED,
    Load(4, (axis(1), axis(3))),
    Literal(0.0, F32),
    Literal(-3.0e38, F32),
    Apply(SELECT, (3, 4, 5)),
    Apply(ADD, (2, 6)),
)

KERNELS = {
    "none": masked(SCALED),
    "causal": masked(CAUSAL),
    "chosen": masked(CHOSEN, sample.dense("mask", DType.BOOL, 24, 16)),
    "added": masked(ADDED, sample.dense("bias", BF16, 24, 16)),
    "added by head": masked(ADDED_BY_HEAD, sample.dense("bias", BF16, 2, 3, 24, 16)),
    "causal and padded": masked(PADDED, sample.dense("mask", DType.I32, 16)),
    "additive": masked(ADDITIVE, sample.dense("mask", DType.BOOL, 24, 16)),
    "quotient": sample.attention(6, 24, 16, 16, 32, groups=3),
    "wide": sample.attention(2, 9, 16, 256, 128),
    "after the query": sample.attention(2, 16, 16, 16, 16, mask="causal"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_the_call_means_what_the_kernel_means(name: str) -> None:
    kernel = KERNELS[name]
    verify_kernel(kernel)
    call = library_attention(kernel)
    assert call is not None
    arrays = random_arrays(kernel, 3)
    if name in ("chosen", "additive"):
        # Every query has a key: a row that is left out as a whole has no meaning.
        arrays[4].reshape(24, 16)[:, 3] = True
    if name == "causal and padded":
        arrays[4][0] = 1
    made = with_made(kernel, call.made, arrays)
    run_kernel(kernel, arrays)
    heads, queries, _, _, channels = call.sizes
    wanted = view(call.output, (heads, queries, channels), arrays)
    np.testing.assert_allclose(attended(call, made), wanted, rtol=2e-2, atol=2e-2)


def test_heads_and_masks_by_strides() -> None:
    call = library_attention(KERNELS["none"])
    assert call is not None
    assert (call.sizes, call.groups, call.scale) == ((6, 24, 16, 16, 16), 3, 0.25)
    assert (call.query, call.key) == (Strided(0, 0, (16, 96, 1)), Strided(1, 0, (16, 32, 1)))
    found = {name: library_attention(kernel) for name, kernel in KERNELS.items()}
    causal = {name for name, call in found.items() if call and call.causal}
    assert causal == {"causal", "causal and padded", "after the query"}
    made = {name for name, call in found.items() if call and call.made}
    assert made == {"chosen", "causal and padded", "additive"}
    added = found["added by head"]
    assert added is not None
    assert added.bias == Strided(4, 0, (384, 16, 1))


def unshared() -> Attention:
    """Heads that share keys, but do not lie side by side, so that queries have an order."""
    kernel = masked(CAUSAL)
    asked = (axis(1), axis(2), axis(0), axis(3))
    return replace(
        kernel,
        parameters=(
            sample.dense("q", BF16, 24, 4, 2, 16),
            *kernel.parameters[1:3],
            sample.dense("o", BF16, 24, 4, 2, 16, access=ParameterAccess.WRITE),
        ),
        query=Body(kernel.query.axes, (Load(0, asked),)),
        stores=(Store(3, asked, 0),),
    )


REVERSED = (*SCALED, *ORDER, ENDLESS, Apply(SELECT, (5, 6, 2)))
SQUARED = (*SCALED, Apply(MULTIPLY, (2, 2)))
ROUNDED = (*SCALED, Convert(2, BF16))


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (masked(SQUARED), "scores are squared"),
        (masked(ROUNDED), "scores are rounded"),
        (masked(ADDED, sample.dense("bias", F32, 24, 16)), "what is added is more than bf16"),
        (
            masked(CHOSEN, sample.dense("mask", DType.BOOL, 24, 12), keys=12),
            "rows of what is made would be 24 bytes",
        ),
        (
            masked(CHOSEN, sample.dense("mask", DType.BOOL, 24, 16), dtype=DType.F16),
            "f16 has no number that leaves a score out",
        ),
        (sample.attention(2, 9, 16, 264, 16), "heads are wider than 256"),
        (sample.attention(2, 9, 16, 12, 16), "heads are 12 wide"),
        (unshared(), "heads that share keys are not neighbours"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_more_than_a_library_does_is_left_alone(kernel: Attention, why: str) -> None:
    verify_kernel(kernel)
    assert library_attention(kernel) is None, why


def test_keys_before_the_query_are_no_order_but_a_mask() -> None:
    call = library_attention(masked(REVERSED))
    assert call is not None
    assert not call.causal
    assert len(call.made) == 1
