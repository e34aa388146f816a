"""Which products a vendor's library can do as they are, and how it sees them.

The conditions are those of cuBLASLt: operands are read as they lie, by strides; what enters is not
converted; nothing is done with the sums but to add something of the same shape, to apply an
activation that the library has, and to round them.
"""

from __future__ import annotations

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.activations import activation_of
from lumc.lowering.kernel_program import (
    Accumulator,
    Activation,
    Apply,
    Convert,
    Gemm,
    LibraryProduct,
    Load,
    Strided,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.library_views import (
    OPERAND_TYPES,
    consecutive,
    is_aligned,
    plain_load,
    stored_dtype,
    strided,
)


def library_product(kernel: Gemm) -> LibraryProduct | None:
    """``kernel`` as a library's product, or None where it is more, or less, than that."""
    if kernel.operand_dtype not in OPERAND_TYPES or len(kernel.right) != 1:
        return None
    if len(kernel.stores) != 1 or kernel.stores[0].combine is not None:
        return None
    if stored_dtype(kernel) not in (kernel.operand_dtype, DType.F32):
        return None
    batch, rows, columns, inner = kernel.batch, kernel.rows, kernel.columns, kernel.inner
    loads = (plain_load(kernel, kernel.left), plain_load(kernel, kernel.right[0]))
    found = _sums(kernel)
    if loads[0] is None or loads[1] is None or found is None:
        return None
    parameters, (addend_load, activation) = kernel.parameters, found
    added = stored_dtype(kernel) if addend_load is None else parameters[addend_load.parameter].dtype
    if added is not stored_dtype(kernel):
        return None
    left_groups = consecutive(len(batch), len(rows), len(inner))
    right_groups = consecutive(len(batch), len(columns), len(inner))
    outer, groups = batch + rows + columns, consecutive(len(batch), len(rows), len(columns))
    left = strided(parameters, loads[0], batch + rows + inner, left_groups)
    right = strided(parameters, loads[1], batch + columns + inner, right_groups)
    output = strided(parameters, kernel.stores[0], outer, groups)
    addend = None if addend_load is None else strided(parameters, addend_load, outer, groups)
    if left is None or right is None or output is None or output.strides[2] != 1:
        return None
    if addend_load is not None and (addend is None or not _can_be_added(addend)):
        return None
    sides = [side for side in (left, right, output, addend) if side is not None]
    if not all(is_aligned(parameters[side.parameter].dtype, side) for side in sides):
        return None
    sizes = (size(batch), size(rows), size(columns), size(inner))
    return LibraryProduct(sizes, left, right, output, addend, activation)


def _sums(kernel: Gemm) -> tuple[Load | None, Activation] | None:
    """What is added to the sum before it is stored, and what is done with that; if nothing else."""
    code = kernel.epilogue.instructions
    number = kernel.stores[0].value
    kept = (stored_dtype(kernel), DType.F32)
    while isinstance(found := code[number], Convert) and found.dtype in kept:
        number = found.operand
    for place, instruction in enumerate(code):
        match instruction:
            case Apply(ElementwiseOp.ADD, (first, second)):
                pair = (code[first], code[second])
            case Accumulator(0):
                pair = (instruction, instruction)
            case _:
                continue
        match pair:
            case (Accumulator(0), Load() as load) | (Load() as load, Accumulator(0)):
                addend: Load | None = load
            case (Accumulator(0), Accumulator(0)) if pair[0] is instruction:
                addend = None
            case _:
                continue
        activation = activation_of(code, number, place)
        if activation is not None:
            return addend, activation
    return None


def _can_be_added(addend: Strided) -> bool:
    """A matrix, or one row for all (a bias, then also for all of a batch)."""
    batch, row, column = addend.strides
    return column == 1 and (row != 0 or batch == 0)
