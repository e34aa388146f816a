"""How vendor's libraries see what kernels read and write: whole tensors, by strides."""

from __future__ import annotations

from collections.abc import Sequence

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    Attention,
    Body,
    Convert,
    Gemm,
    KernelAxis,
    Load,
    Parameter,
    Store,
    Strided,
)
from lumc.lowering.kernel_ranges import flat_index

OPERAND_TYPES = (DType.BF16, DType.F16)
# Rows and offsets must begin where 16-byte accesses may.
_ALIGNED = 16


def stored_dtype(kernel: Gemm | Attention) -> DType:
    """The type that the result is stored in."""
    return kernel.parameters[kernel.stores[0].parameter].dtype


def plain_load(kernel: Gemm | Attention, body: Body) -> Load | None:
    """The load that is all of ``body``, of the kernel's operand type."""
    match body.instructions:
        case (Load() as load,):
            pass
        case (Load() as load, Convert(0, dtype)) if dtype is kernel.operand_dtype:
            pass
        case _:
            return None
    return load if kernel.parameters[load.parameter].dtype is kernel.operand_dtype else None


def strided(
    parameters: Sequence[Parameter],
    access: Load | Store,
    axes: Sequence[KernelAxis],
    groups: Sequence[Sequence[int]],
) -> Strided | None:
    """``access``, over ``axes``, with one stride for each group of them, the last one fastest.

    None where that is not enough, or where an axis outside of all groups has a say.
    """
    if access.computed or access.predicate is not None:
        return None
    place = flat_index(parameters[access.parameter], access.index)
    grouped = {number for group in groups for number in group}
    if not place.is_affine or any(axes[n].size > 1 for n in place.axes() - grouped):
        return None
    found = []
    for group in groups:
        steps = [place.coefficient(number) for number in group]
        stride = one_stride(steps, [axes[number].size for number in group])
        if stride is None:
            return None
        found.append(stride)
    return Strided(access.parameter, place.constant, tuple(found))


def one_stride(steps: Sequence[int], sizes: Sequence[int]) -> int | None:
    """The stride of axes that are walked as one, the last fastest."""
    stride: int | None = None
    points = 1
    for step, length in zip(reversed(steps), reversed(sizes), strict=True):
        if length == 1:
            continue
        if stride is None:
            stride = step
        if step != stride * points:
            return None
        points *= length
    return 0 if stride is None else stride


def consecutive(*sizes: int) -> tuple[tuple[int, ...], ...]:
    """The numbers of axes that lie group after group, by the groups' sizes."""
    starts = [sum(sizes[:n]) for n in range(len(sizes))]
    return tuple(
        tuple(range(start, start + size)) for start, size in zip(starts, sizes, strict=True)
    )


def is_aligned(dtype: DType, side: Strided, sizes: Sequence[int] | None = None) -> bool:
    """One stride is 1 and all else steps by whole pieces of 16 bytes, without turning back.

    With ``sizes`` the strides of axes of one point don't count.
    """
    strides = [stride for n, stride in enumerate(side.strides) if sizes is None or sizes[n] > 1]
    if 1 not in strides:
        return False
    steps = (side.offset, *(stride for stride in strides if stride != 1))
    return all(step >= 0 and step * dtype.bytes % _ALIGNED == 0 for step in steps)
