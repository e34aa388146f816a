"""Kernels of the usual shapes in any size, for tests of costs and tiles."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis, constant
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Gemm,
    IndexOf,
    Instruction,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Reduction,
    RowReduction,
    Store,
)

READ, WRITE = ParameterAccess.READ, ParameterAccess.WRITE
BF16 = DType.BF16
AT = (axis(0), axis(1))


def dense(name: str, *shape: int, dtype: DType = BF16, access: ParameterAccess = READ) -> Parameter:
    """A parameter without gaps."""
    strides = tuple(math.prod(shape[n + 1 :]) for n in range(len(shape)))
    return Parameter(name, dtype, shape, strides, access)


def activation(value: int, first: int) -> tuple[Instruction, ...]:
    """x · sigmoid(x) of ``value``; its instructions are numbered from ``first``."""
    return (
        Literal(-1.442695, DType.F32),
        Apply(ElementwiseOp.MULTIPLY, (value, first)),
        Apply(ElementwiseOp.EXP2, (first + 1,)),
        Literal(1.0, DType.F32),
        Apply(ElementwiseOp.ADD, (first + 2, first + 3)),
        Apply(ElementwiseOp.RECIPROCAL, (first + 4,)),
        Apply(ElementwiseOp.MULTIPLY, (value, first + 5)),
    )


def gemm(
    rows: int,
    columns: int,
    inner: int,
    dtype: DType = BF16,
    sides: int = 1,
    epilogue: Sequence[Instruction] = (),
    transposed: bool = False,
) -> Gemm:
    """x[m, k] times each w[n, k] (or w[k, n] where ``transposed``), into y[m, n]."""
    m, n, k = (KernelAxis("m", rows),), (KernelAxis("n", columns),), (KernelAxis("k", inner),)
    place = (axis(1), axis(0)) if transposed else AT
    shape = (inner, columns) if transposed else (columns, inner)
    weights = [dense(f"w{side}", *shape, dtype=dtype) for side in range(sides)]
    code = (Accumulator(0), *epilogue)
    return Gemm(
        "gemm",
        (
            dense("x", rows, inner, dtype=dtype),
            *weights,
            dense("y", rows, columns, dtype=dtype, access=WRITE),
        ),
        (),
        m,
        n,
        k,
        Body(m + k, (Load(0, AT),)),
        tuple(Body(n + k, (Load(1 + side, place),)) for side in range(sides)),
        dtype,
        Body(m + n, code),
        (Store(1 + sides, AT, len(code) - 1),),
    )


def convolution(side: int, channels: int, outputs: int, activated: bool = False) -> Gemm:
    """A 3 × 3 convolution over ``side`` × ``side`` points, channels last, padded by 1."""
    m = (KernelAxis("h", side), KernelAxis("w", side))
    n = (KernelAxis("o", outputs),)
    k = (KernelAxis("kh", 3), KernelAxis("kw", 3), KernelAxis("c", channels))
    down, right = (add(add(axis(a), axis(a + 2)), constant(-1)) for a in (0, 1))
    code: list[Instruction] = []
    for index in (down, right):
        first = len(code)
        code += [
            IndexOf(index),
            Literal(-1, DType.I32),
            Apply(ElementwiseOp.LESS_THAN, (first + 1, first)),
            Literal(side, DType.I32),
            Apply(ElementwiseOp.LESS_THAN, (first, first + 3)),
            Apply(ElementwiseOp.MULTIPLY, (first + 2, first + 4)),
        ]
    code.append(Apply(ElementwiseOp.MULTIPLY, (5, 11)))
    code.append(Load(0, (down, right, axis(4)), predicate=12))
    if activated:
        code += activation(13, 14)
    place = (axis(0), axis(1), axis(2), axis(3))
    return Gemm(
        "convolution",
        (
            dense("x", side, side, channels),
            dense("w", outputs, 3, 3, channels),
            dense("y", side, side, outputs, access=WRITE),
        ),
        (),
        m,
        n,
        k,
        Body(m + k, tuple(code)),
        (Body(n + k, (Load(1, place),)),),
        BF16,
        Body(m + n, (Accumulator(0),)),
        (Store(2, (axis(0), axis(1), axis(2)), 0),),
    )


def pointwise(
    *shape: int,
    loads: int = 1,
    code: Sequence[Instruction] = (),
    places: Sequence[tuple[IndexExpression, ...]] | None = None,
    dtype: DType = BF16,
) -> Pointwise:
    """Loads ``loads`` tensors, each at its place (the point itself by default), stores the last."""
    axes = tuple(KernelAxis("ijkl"[n], size) for n, size in enumerate(shape))
    here = tuple(axis(n) for n in range(len(shape)))
    chosen = places or [here] * loads
    parameters = [_read(f"x{n}", shape, place, dtype) for n, place in enumerate(chosen)]
    body = (*(Load(n, place) for n, place in enumerate(chosen)), *code)
    return Pointwise(
        "pointwise",
        (*parameters, dense("y", *shape, dtype=dtype, access=WRITE)),
        Body(axes, body),
        (Store(len(chosen), here, len(body) - 1),),
    )


def _read(
    name: str, shape: Sequence[int], place: Sequence[IndexExpression], dtype: DType
) -> Parameter:
    """A parameter that just holds what is read at ``place`` by axes of ``shape``."""
    sizes = []
    for expression in place:
        reach = [c * (shape[n] - 1) for n in range(len(shape)) if (c := expression.coefficient(n))]
        sizes.append(expression.constant + sum(reach) + 1)
    return dense(name, *sizes, dtype=dtype)


def norm(rows: int, columns: int, phases: int = 2, dtype: DType = BF16) -> RowReduction:
    """Sums of squares, then each value by its row's sum; ``phases`` - 1 passes of sums."""
    i, j = (KernelAxis("i", rows),), (KernelAxis("j", columns),)
    square = Phase(
        Body(i + j, (Load(0, AT), Apply(ElementwiseOp.MULTIPLY, (0, 0)))),
        (Reduction(ReduceOp.SUM, 1),),
    )
    code = (
        Load(0, AT),
        Accumulator(0),
        Apply(ElementwiseOp.RECIPROCAL, (1,)),
        Apply(ElementwiseOp.MULTIPLY, (0, 2)),
    )
    last = Phase(Body(i + j, code), (), (Store(1, AT, 3),))
    return RowReduction(
        "norm",
        (
            dense("x", rows, columns, dtype=dtype),
            dense("y", rows, columns, dtype=dtype, access=WRITE),
        ),
        i,
        (*[square] * (phases - 1), last),
    )


def attention(
    heads: int,
    queries: int,
    keys: int,
    depth: int,
    dtype: DType = BF16,
    channels: int | None = None,
) -> Attention:
    """Scaled dot-product attention of every head, with ``depth`` channels by default."""
    width = channels or depth
    h, q, k = (KernelAxis("h", heads),), (KernelAxis("q", queries),), (KernelAxis("k", keys),)
    d, c = (KernelAxis("d", depth),), (KernelAxis("c", width),)
    place = (axis(0), axis(1), axis(2))
    score = (
        Accumulator(0),
        Literal(depth**-0.5, DType.F32),
        Apply(ElementwiseOp.MULTIPLY, (0, 1)),
    )
    return Attention(
        "attention",
        (
            dense("q", heads, queries, depth, dtype=dtype),
            dense("k", heads, keys, depth, dtype=dtype),
            dense("v", heads, keys, width, dtype=dtype),
            dense("y", heads, queries, width, dtype=dtype, access=WRITE),
        ),
        h,
        q,
        k,
        d,
        c,
        Body(h + q + d, (Load(0, place),)),
        Body(h + k + d, (Load(1, place),)),
        Body(h + q + k, score),
        Body(h + k + c, (Load(2, place),)),
        dtype,
        Body(h + q + c, (Accumulator(0),)),
        (Store(3, place, 0),),
    )
