"""Small valid kernels of each kind, to be broken one rule at a time."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    axis,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Gemm,
    Instruction,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Reduction,
    RowReduction,
    Store,
)

READ, WRITE, UPDATE = ParameterAccess.READ, ParameterAccess.WRITE, ParameterAccess.UPDATE


def dense(
    name: str, *shape: int, dtype: DType = DType.F32, access: ParameterAccess = READ
) -> Parameter:
    strides = tuple(int(np.prod(shape[n + 1 :])) for n in range(len(shape)))
    return Parameter(name, dtype, shape, strides, access)


IJ = (KernelAxis("i", 4), KernelAxis("j", 6))
AT = (axis(0), axis(1))


def scaled() -> Pointwise:
    """y[i, j] = x[i, j] * at[i, j], and at is whole."""
    return Pointwise(
        "scaled",
        (
            dense("x", 4, 6),
            dense("at", 4, 6, dtype=DType.I32),
            dense("y", 4, 6, access=WRITE),
        ),
        Body(IJ, (Load(0, AT), Load(1, AT), Apply(ElementwiseOp.MULTIPLY, (0, 1)))),
        (Store(2, AT, 2),),
    )


def with_code(*code: Instruction, store: Store | None = None) -> Pointwise:
    """``scaled`` with ``code`` after its own, values 3 and on."""
    kernel = scaled()
    body = Body(IJ, (*kernel.body.instructions, *code))
    return replace(kernel, body=body, stores=(store or kernel.stores[0],))


def with_parameter(number: int, **changes: Any) -> Pointwise:
    kernel = scaled()
    parameters = list(kernel.parameters)
    parameters[number] = replace(parameters[number], **changes)
    return replace(kernel, parameters=tuple(parameters))


def product() -> Gemm:
    m, n, k = (KernelAxis("m", 5),), (KernelAxis("n", 7),), (KernelAxis("k", 3),)
    bf16 = DType.BF16
    return Gemm(
        "product",
        (
            dense("x", 5, 3, dtype=bf16),
            dense("w", 7, 3, dtype=bf16),
            dense("y", 5, 7, access=WRITE),
        ),
        (),
        m,
        n,
        k,
        Body(m + k, (Load(0, AT),)),
        (Body(n + k, (Load(1, AT),)),),
        bf16,
        Body(m + n, (Accumulator(0),)),
        (Store(2, AT, 0),),
    )


def softmax() -> RowReduction:
    i, j = (KernelAxis("i", 5),), (KernelAxis("j", 7),)
    load = Load(0, AT)
    return RowReduction(
        "normed",
        (dense("x", 5, 7), dense("y", 5, 7, access=WRITE)),
        i,
        (
            Phase(Body(i + j, (load,)), (Reduction(ReduceOp.SUM, 0),)),
            Phase(
                Body(
                    i + j,
                    (
                        load,
                        Accumulator(0),
                        Apply(ElementwiseOp.RECIPROCAL, (1,)),
                        Apply(ElementwiseOp.MULTIPLY, (0, 2)),
                    ),
                ),
                (),
                (Store(1, AT, 3),),
            ),
        ),
    )


def attention() -> Attention:
    q, k = (KernelAxis("q", 5),), (KernelAxis("k", 7),)
    d, c = (KernelAxis("d", 3),), (KernelAxis("c", 2),)
    return Attention(
        "attention",
        (dense("x", 5, 3), dense("y", 7, 3), dense("z", 7, 2), dense("o", 5, 2, access=WRITE)),
        (),
        q,
        k,
        d,
        c,
        Body(q + d, (Load(0, AT),)),
        Body(k + d, (Load(1, AT),)),
        Body(q + k, (Accumulator(0),)),
        Body(k + c, (Load(2, AT),)),
        DType.F32,
        Body(q + c, (Accumulator(0),)),
        (Store(3, AT, 0),),
    )
