"""A first estimate of what a kernel costs: launch, bytes moved, matrix and vector operations."""

from __future__ import annotations

import math
from collections.abc import Iterable

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    Apply,
    Attention,
    Body,
    Gemm,
    Kernel,
    KernelAxis,
    Load,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_types import bodies, parallel_axes, stores

LAUNCH = 3.0
"""Microseconds."""
BYTES = 4.0e6
"""Per microsecond."""
VECTOR = 4.0e7
"""Scalar operations per microsecond."""
MATRIX = {DType.BF16: 6.5e8, DType.F16: 6.5e8, DType.F32: 8.0e7}
"""Multiply-adds, counted as two, per microsecond."""
UNITS = 304
TILE = 128


def estimate(kernel: Kernel) -> float:
    """Microseconds that one launch of ``kernel`` takes, roughly."""
    moved = sum(
        _touched(kernel, number) * parameter.dtype.bytes
        for number, parameter in enumerate(kernel.parameters)
    )
    busy = min(1.0, _points(parallel_axes(kernel)) / (64 * UNITS))
    if isinstance(kernel, RowReduction):
        busy = min(1.0, _points(kernel.rows) / UNITS)
    vector = sum(_operations(body) * _repeated(kernel, body) for _, body in bodies(kernel))
    limits = [moved / (BYTES * busy), vector / (VECTOR * busy)]
    if isinstance(kernel, Gemm):
        volume = _points(parallel_axes(kernel)) * _points(kernel.inner)
        limits.append(2 * volume * len(kernel.right) / MATRIX[kernel.operand_dtype])
    return LAUNCH + max(limits)


def _touched(kernel: Kernel, number: int) -> int:
    """Elements of a parameter that the kernel reads or writes, at most."""
    total = 0
    for _, body in bodies(kernel):
        accesses: list[Load | Store] = [i for i in body.instructions if isinstance(i, Load)]
        if body is bodies(kernel)[-1][1]:
            accesses += stores(kernel)
        for access in accesses:
            if access.parameter == number:
                used = {n for entry in access.index for n in entry.axes() if n < len(body.axes)}
                points = math.prod(body.axes[n].size for n in used)
                total += _points(body.axes) if access.computed else points
    return min(total, math.prod(kernel.parameters[number].shape))


def _operations(body: Body) -> int:
    return _points(body.axes) * sum(isinstance(i, Apply) for i in body.instructions)


def _repeated(kernel: Kernel, body: Body) -> int:
    """How often an operand's code runs again for other tiles."""
    match kernel:
        case Gemm():
            if body is kernel.left:
                return -(-_points(kernel.columns) // TILE)
            return -(-_points(kernel.rows) // TILE) if body in kernel.right else 1
        case Attention() | Pointwise() | RowReduction():
            return 1


def _points(axes: Iterable[KernelAxis]) -> int:
    return math.prod(axis.size for axis in axes)
