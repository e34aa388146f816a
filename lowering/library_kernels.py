"""Which products and attentions a vendor's library can do as they are, and how it sees them.

The conditions are those of cuBLASLt and cuDNN: operands are read as they lie, by strides; what
enters is not converted; nothing is done with the sums but to round them, and for products to add
something of the same shape.
"""

from __future__ import annotations

from collections.abc import Sequence

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    Gemm,
    KernelAxis,
    LibraryAttention,
    LibraryProduct,
    Literal,
    Load,
    Parameter,
    Store,
    Strided,
)
from lumc.lowering.kernel_ranges import flat_index
from lumc.lowering.kernel_types import size

_TYPES = (DType.BF16, DType.F16)
# Rows and offsets must begin where 16-byte accesses may.
_ALIGNED = 16
# cuDNN's fused attention takes heads up to this wide, in steps of 8.
_WIDEST_HEAD = 128
_HEAD_STEP = 8


def library_product(kernel: Gemm) -> LibraryProduct | None:
    """``kernel`` as a library's product, or None where it is more, or less, than that."""
    if kernel.operand_dtype not in _TYPES or len(kernel.right) != 1 or len(kernel.stores) != 1:
        return None
    groups = (kernel.batch, kernel.rows, kernel.inner)
    left = _operand(kernel, kernel.left, groups)
    right = _operand(kernel, kernel.right[0], (kernel.batch, kernel.columns, kernel.inner))
    outer = (kernel.batch, kernel.rows, kernel.columns)
    output = _stored(kernel, outer)
    found = _sum_and_addend(kernel)
    if left is None or right is None or output is None or found is None:
        return None
    addend = None
    if found[0] is not None:
        addend = _strided(kernel.parameters, found[0], outer)
        if addend is None or kernel.parameters[addend.parameter].dtype is not _dtype(kernel):
            return None
    sides = [side for side in (left, right, output, addend) if side is not None]
    if output.strides[2] != 1 or not all(_is_aligned(kernel, side) for side in sides):
        return None
    if addend is not None and not _can_be_added(addend):
        return None
    sizes = (size(kernel.batch), size(kernel.rows), size(kernel.columns), size(kernel.inner))
    return LibraryProduct(sizes, left, right, output, addend)


def library_attention(kernel: Attention) -> LibraryAttention | None:
    """``kernel`` as a library's attention, or None where it is more, or less, than that."""
    if kernel.operand_dtype not in _TYPES or len(kernel.stores) != 1:
        return None
    scale = _scale(kernel.score)
    query = _operand(kernel, kernel.query, (kernel.batch, kernel.queries, kernel.inner))
    key = _operand(kernel, kernel.key, (kernel.batch, kernel.keys, kernel.inner))
    value = _operand(kernel, kernel.value, (kernel.batch, kernel.keys, kernel.channels))
    output = _stored(kernel, (kernel.batch, kernel.queries, kernel.channels))
    if scale is None or query is None or key is None or value is None or output is None:
        return None
    if _sum_and_addend(kernel) != (None,) or _dtype(kernel) is not kernel.operand_dtype:
        return None
    sides = (query, key, value, output)
    if any(side.strides[2] != 1 or not _is_aligned(kernel, side) for side in sides):
        return None
    inner, channels = size(kernel.inner), size(kernel.channels)
    if max(inner, channels) > _WIDEST_HEAD or inner % _HEAD_STEP or channels % _HEAD_STEP:
        return None
    sizes = (size(kernel.batch), size(kernel.queries), size(kernel.keys), inner, channels)
    return LibraryAttention(sizes, query, key, value, output, scale)


def _dtype(kernel: Gemm | Attention) -> DType:
    """The type that the result is stored in."""
    return kernel.parameters[kernel.stores[0].parameter].dtype


def _operand(
    kernel: Gemm | Attention, body: Body, groups: Sequence[tuple[KernelAxis, ...]]
) -> Strided | None:
    """The operand that ``body`` loads as it is, in the kernel's operand type."""
    match body.instructions:
        case (Load() as load,):
            pass
        case (Load() as load, Convert(0, dtype)) if dtype is kernel.operand_dtype:
            pass
        case _:
            return None
    if kernel.parameters[load.parameter].dtype is not kernel.operand_dtype:
        return None
    return _strided(kernel.parameters, load, groups)


def _stored(kernel: Gemm | Attention, groups: Sequence[tuple[KernelAxis, ...]]) -> Strided | None:
    """Where the result goes, if it is stored in a type that libraries write."""
    (store,) = kernel.stores
    if store.combine is not None or _dtype(kernel) not in (kernel.operand_dtype, DType.F32):
        return None
    return _strided(kernel.parameters, store, groups)


def _sum_and_addend(kernel: Gemm | Attention) -> tuple[Load | None] | None:
    """What is added to the sum before it is stored, if nothing else is done with it."""
    instructions = kernel.epilogue.instructions
    number = kernel.stores[0].value
    kept = (_dtype(kernel), DType.F32)
    while isinstance(found := instructions[number], Convert) and found.dtype in kept:
        number = found.operand
    match found:
        case Accumulator(0):
            return (None,)
        case Apply(ElementwiseOp.ADD, (first, second)):
            pair = (instructions[first], instructions[second])
        case _:
            return None
    match pair:
        case (Accumulator(0), Load() as load) | (Load() as load, Accumulator(0)):
            return (load,)
        case _:
            return None


def _scale(score: Body) -> float | None:
    """The factor of raw scores, if that is all that makes scores of them."""
    match score.instructions[-1]:
        case Accumulator(0):
            return 1.0
        case Apply(ElementwiseOp.MULTIPLY, (first, second)) if first != second:
            pair = (score.instructions[first], score.instructions[second])
        case _:
            return None
    others = [instruction for instruction in pair if instruction != Accumulator(0)]
    match others:
        case [Literal(value, DType.F32)]:
            return float(value)
        case _:
            return None


def _strided(
    parameters: Sequence[Parameter],
    access: Load | Store,
    groups: Sequence[tuple[KernelAxis, ...]],
) -> Strided | None:
    """``access`` with one stride for each group of axes; None where that is not enough."""
    if access.computed or access.predicate is not None:
        return None
    place = flat_index(parameters[access.parameter], access.index)
    if not place.is_affine:
        return None
    strides = []
    first = 0
    for group in groups:
        steps = [place.coefficient(first + number) for number in range(len(group))]
        first += len(group)
        stride = _one_stride(steps, [axis.size for axis in group])
        if stride is None:
            return None
        strides.append(stride)
    return Strided(access.parameter, place.constant, tuple(strides))


def _one_stride(steps: Sequence[int], sizes: Sequence[int]) -> int | None:
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


def _can_be_added(addend: Strided) -> bool:
    """A matrix, or one row for all (a bias, then also for all of a batch)."""
    batch, row, column = addend.strides
    return column == 1 and (row != 0 or batch == 0)


def _is_aligned(kernel: Gemm | Attention, side: Strided) -> bool:
    """One stride is 1 and all else steps by whole pieces of 16 bytes."""
    width = kernel.parameters[side.parameter].dtype.bytes
    _, row, column = side.strides
    if 1 not in (row, column):
        return False
    steps = (side.offset, *(stride for stride in side.strides if stride != 1))
    return all(step >= 0 and step * width % _ALIGNED == 0 for step in steps)
