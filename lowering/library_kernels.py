"""Which products a vendor's library can do as they are, and how it sees them.

The conditions are those of cuBLASLt: operands are read as they lie, by strides; what enters is not
converted; nothing is done with the sums but to multiply them by one number a column, to add
something of the same shape, to apply an activation that the library has, and to round them.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, constant
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.activations import activation_of
from lumc.lowering.kernel_program import (
    Accumulator,
    Activation,
    Apply,
    Convert,
    Gemm,
    Instruction,
    LibraryProduct,
    Load,
    MadeOperand,
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
from lumc.lowering.made_operands import made_operand


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
    parameters, (addend_load, activation, gate_load) = kernel.parameters, found
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
    gate = None if gate_load is None else _gate(kernel, gate_load)
    # What is added to a row is not scaled with it by every library.
    if gate_load is not None and (gate is None or (addend is not None and not addend.strides[1])):
        return None
    sides = [side for side in (left, right, output, addend) if side is not None]
    if not all(is_aligned(parameters[side.parameter].dtype, side) for side in sides):
        return None
    sizes = (size(batch), size(rows), size(columns), size(inner))
    call = LibraryProduct(sizes, left, right, output, addend, activation)
    return call if gate is None else replace(call, gate=gate[0], made=gate[1])


def _gate(kernel: Gemm, load: Load) -> tuple[Strided, tuple[MadeOperand, ...]] | None:
    """What columns are multiplied by, as it lies or made in f32; if it is the same in all rows."""
    batch, rows, columns = len(kernel.batch), len(kernel.rows), len(kernel.columns)
    axes, groups = kernel.epilogue.axes, consecutive(batch, rows, columns)
    view = strided(kernel.parameters, load, axes, groups)
    if view is None or view.strides[0] or view.strides[1]:
        return None
    if kernel.parameters[load.parameter].dtype is DType.F32 and view.strides[2] == 1:
        return view, ()
    code = (load, Convert(0, DType.F32))
    places = [axis(n - batch - rows) if n in groups[2] else constant(0) for n in range(len(axes))]
    made = made_operand(kernel, "gate", code, 1, kernel.columns, places, DType.F32)
    return Strided(len(kernel.parameters), 0, (0, 0, 1)), (made,)


def _sums(kernel: Gemm) -> tuple[Load | None, Activation, Load | None] | None:
    """What is added to the sum, what is then done, and by what it was multiplied; if no more is."""
    code = kernel.epilogue.instructions
    number = kernel.stores[0].value
    kept = (stored_dtype(kernel), DType.F32)
    while isinstance(found := code[number], Convert) and found.dtype in kept:
        number = found.operand
    for place in range(len(code)):
        taken = _gated_and_added(code, place)
        activation = None if taken is None else activation_of(code, number, place)
        if taken is None or activation is None:
            continue
        gate, addend = taken
        if gate is None or activation is Activation.NONE:
            return addend, activation, gate
    return None


def _gated_and_added(
    code: Sequence[Instruction], place: int
) -> tuple[Load | None, Load | None] | None:
    """By what value ``place`` multiplies the sum, and what it adds; None if it does more."""
    match code[place]:
        case Apply(ElementwiseOp.ADD, (first, second)):
            for number, other in ((first, second), (second, first)):
                gate, load = _gated(code, number), code[other]
                if gate is not None and isinstance(load, Load):
                    return gate[0], load
            return None
        case _:
            gate = _gated(code, place)
            return None if gate is None else (gate[0], None)


def _gated(code: Sequence[Instruction], number: int) -> tuple[Load | None] | None:
    """By what value ``number`` multiplies the sum; None if it is not the sum."""
    match code[number]:
        case Accumulator(0):
            return (None,)
        case Apply(ElementwiseOp.MULTIPLY, (first, second)):
            match (code[first], code[second]):
                case (Accumulator(0), Load() as load) | (Load() as load, Accumulator(0)):
                    return (load,)
    return None


def _can_be_added(addend: Strided) -> bool:
    """A matrix, or one row for all (a bias, then also for all of a batch)."""
    batch, row, column = addend.strides
    return column == 1 and (row != 0 or batch == 0)
