"""The least that a kernel has to do, whatever way it is done: what a roofline is drawn from."""

from __future__ import annotations

import math
from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.lowering.access_patterns import pattern
from lumc.lowering.chips import Chip
from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    Kernel,
    LibraryAttention,
    Load,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_types import bodies, size, stores


@dataclass(frozen=True, slots=True)
class NecessaryWork:
    """Of one launch: bytes read and written once each, and a product's multiplies and adds."""

    bytes: float
    operations: float
    operand_dtype: DType | None
    """Of the products; None where there are none."""

    def seconds(self, bandwidth: float, operations: float) -> float:
        """The least time at so many bytes and operations a second."""
        return max(self.bytes / bandwidth, self.operations / operations)


def necessary_work(kernel: Kernel) -> NecessaryWork:
    """What one launch of ``kernel`` can't do without."""
    match kernel:
        case Pointwise() | RowReduction():
            return NecessaryWork(_bytes(kernel), 0.0, None)
        case Gemm():
            points = math.prod(
                size(axes) for axes in (kernel.batch, kernel.rows, kernel.columns, kernel.inner)
            )
            operations = 2.0 * points * len(kernel.right)
        case Attention():
            scores = size(kernel.batch) * size(kernel.queries) * size(kernel.keys)
            operations = 2.0 * scores * (size(kernel.inner) + size(kernel.channels))
            if isinstance(kernel.library, LibraryAttention) and kernel.library.causal:
                operations /= 2
        case _:
            assert_never(kernel)
    return NecessaryWork(_bytes(kernel), operations, kernel.operand_dtype)


def peak_operations(chip: Chip, dtype: DType) -> float:
    """Operations a second that ``chip`` reaches in products: by matrix cores, or by its library."""
    clock = chip.matrix_clock if chip.has_matrix(dtype) else chip.clock
    generated = chip.matrix_rate(dtype) * chip.units * clock
    library = chip.library.product if chip.library and dtype is not DType.F32 else 0.0
    return max(generated, library)


def _bytes(kernel: Kernel) -> float:
    """Each element that is read or written, once."""
    touched = [0.0] * len(kernel.parameters)
    seen: set[tuple[object, ...]] = set()
    for access, sizes in _accesses(kernel):
        key = (access.parameter, access.index, access.computed, type(access), sizes)
        if key in seen:
            continue
        seen.add(key)
        parameter = kernel.parameters[access.parameter]
        touched[access.parameter] += pattern(access, parameter, sizes).distinct
    return sum(
        min(count, math.prod(parameter.shape)) * parameter.dtype.bytes
        for count, parameter in zip(touched, kernel.parameters, strict=True)
    )


def _accesses(kernel: Kernel) -> Iterator[tuple[Load | Store, tuple[int, ...]]]:
    for _, body in bodies(kernel):
        sizes = tuple(axis.size for axis in body.axes)
        for instruction in body.instructions:
            if isinstance(instruction, Load):
                yield instruction, sizes
    if isinstance(kernel, RowReduction):
        for phase in kernel.phases:
            for store in phase.stores:
                yield store, tuple(axis.size for axis in phase.body.axes)
        return
    last = bodies(kernel)[-1][1]
    for store in stores(kernel):
        yield store, tuple(axis.size for axis in last.axes)
