"""What a kernel may be, checked.

A failure is a mistake of the compiler, never of its user: every maker and every pass hands on only
what these functions accept.
"""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    Gemm,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    RowReduction,
    Shares,
    Store,
)
from lumc.lowering.kernel_ranges import (
    Interval,
    are_apart,
    flat_index,
    index_range,
    is_dense_set,
    is_injective,
    whole_number_ranges,
)
from lumc.lowering.kernel_types import (
    accumulator_types,
    apply_type,
    bodies,
    reduction_type,
    stores,
)
from lumc.lowering.made_operands import library_sides


class VerificationError(Exception):
    """A kernel or program that breaks a rule of its level: a mistake of the compiler."""


def verify_kernel(kernel: Kernel) -> None:
    """Check that ``kernel`` is well formed.

    Values are in single-assignment order and of fitting types; indices are in bounds unless
    predicated or computed at run time; parameters are used as their access says; stores that do
    not combine write distinct places, and no two stores one place; operands of products are exact
    in the operand dtype.

    Raises:
        VerificationError: naming the kernel and the place in it.
    """
    _verify_parameters(kernel)
    for place, axes in _axes_wanted(kernel):
        _verify_axes(kernel.name, place, axes)
    match kernel:
        case Pointwise():
            types = _verify_body(kernel, "body", kernel.body, kernel.body.axes)
            _verify_stores(kernel, "body", kernel.body, kernel.stores, types)
        case RowReduction():
            _verify_row_reduction(kernel)
        case Gemm():
            _verify_gemm(kernel)
        case Attention():
            _verify_attention(kernel)
        case _:
            assert_never(kernel)
    _verify_access(kernel)
    _verify_stores_apart(kernel)


def failure(where: str, message: str) -> VerificationError:
    """The error that at ``where`` the rule of ``message`` is broken."""
    return VerificationError(f"{where}: {message}")


def _axes_wanted(kernel: Kernel) -> tuple[tuple[str, tuple[KernelAxis, ...]], ...]:
    match kernel:
        case Pointwise():
            return (("body", kernel.body.axes),)
        case RowReduction():
            return (("rows", kernel.rows),)
        case Gemm():
            return (
                ("batch", kernel.batch),
                ("rows", kernel.rows),
                ("columns", kernel.columns),
                ("inner", kernel.inner),
            )
        case Attention():
            return (
                ("batch", kernel.batch),
                ("queries", kernel.queries),
                ("keys", kernel.keys),
                ("inner", kernel.inner),
                ("channels", kernel.channels),
            )
        case _:
            assert_never(kernel)


def _verify_axes(name: str, place: str, axes: Sequence[KernelAxis]) -> None:
    for axis in axes:
        if axis.size < 1:
            raise failure(f"{name}: {place}", f"axis {axis.name} has size {axis.size}")


def _verify_parameters(kernel: Kernel) -> None:
    names = [parameter.name for parameter in kernel.parameters]
    if len(set(names)) != len(names):
        raise failure(kernel.name, f"two parameters of one name among {', '.join(names)}")
    for parameter in kernel.parameters:
        where = f"{kernel.name}: parameter {parameter.name}"
        if len(parameter.shape) != len(parameter.strides):
            raise failure(where, f"shape {parameter.shape} and strides {parameter.strides}")
        if any(n < 1 for n in parameter.shape) or any(n < 0 for n in parameter.strides):
            raise failure(where, f"shape {parameter.shape}, strides {parameter.strides}")
        if parameter.dtype is DType.F64:
            raise failure(where, "f64 exists only at compile time")
        if parameter.access is not ParameterAccess.READ and not is_dense_set(parameter):
            raise failure(where, f"is written and its elements overlap: {parameter}")


def _verify_access(kernel: Kernel) -> None:
    loaded = {
        instruction.parameter
        for _, body in bodies(kernel)
        for instruction in body.instructions
        if isinstance(instruction, Load)
    }
    # What a library reads instead of something that is made of it.
    loaded |= {side.parameter for side in library_sides(kernel)} - {
        store.parameter for store in stores(kernel)
    }
    stored = {store.parameter for store in stores(kernel)}
    combined = {store.parameter for store in stores(kernel) if store.combine is not None}
    for number, parameter in enumerate(kernel.parameters):
        reads, writes = number in loaded or number in combined, number in stored
        found = {
            (True, False): ParameterAccess.READ,
            (False, True): ParameterAccess.WRITE,
            (True, True): ParameterAccess.UPDATE,
        }.get((reads, writes))
        if found is not parameter.access:
            does = found.value if found is not None else "not used"
            raise failure(
                kernel.name, f"parameter {parameter.name} is {parameter.access}, but is {does}"
            )


# ------------------------------------------------------------------------------------------ bodies


def _verify_body(
    kernel: Kernel,
    place: str,
    body: Body,
    axes: tuple[KernelAxis, ...],
    accumulators: Sequence[DType] = (),
) -> tuple[DType, ...]:
    """Check ``body``, which must be over ``axes``; returns the types of its values."""
    where = f"{kernel.name}: {place}"
    if [a.size for a in body.axes] != [a.size for a in axes]:
        raise failure(where, f"is over {body.axes} and should be over {axes}")
    _verify_axes(kernel.name, place, body.axes)
    types: list[DType] = []
    for number, instruction in enumerate(body.instructions):
        at = _at(where, number, instruction)
        types.append(_verify_instruction(kernel, at, instruction, types, accumulators))
        if isinstance(instruction, IndexOf):
            _verify_index_axes(at, instruction.expression, len(body.axes))
    ranges = whole_number_ranges(body)
    for number, instruction in enumerate(body.instructions):
        if isinstance(instruction, Load):
            at = _at(where, number, instruction)
            _verify_access_index(kernel, at, body, instruction, types[:number], ranges)
    return tuple(types)


def _at(where: str, number: int, instruction: Instruction) -> str:
    return f"{where}: value {number} ({type(instruction).__name__})"


def _verify_instruction(
    kernel: Kernel,
    at: str,
    instruction: Instruction,
    types: Sequence[DType],
    accumulators: Sequence[DType],
) -> DType:
    match instruction:
        case Literal():
            return _verify_literal(at, instruction)
        case IndexOf():
            return DType.I32
        case Load(parameter):
            if not 0 <= parameter < len(kernel.parameters):
                raise failure(at, f"there is no parameter {parameter}")
            return kernel.parameters[parameter].dtype.compute
        case Apply(op, operands):
            _verify_earlier(at, operands, types)
            try:
                return apply_type(op, [types[n] for n in operands])
            except TypeError as error:
                raise failure(at, str(error)) from error
        case Convert(operand, dtype):
            _verify_earlier(at, (operand,), types)
            if dtype is DType.F64:
                raise failure(at, "f64 exists only at compile time")
            return dtype.compute
        case Accumulator(number):
            if not 0 <= number < len(accumulators):
                raise failure(at, f"there are {len(accumulators)} accumulators here, not {number}")
            return accumulators[number]
        case _:
            assert_never(instruction)


def _verify_literal(at: str, literal: Literal) -> DType:
    value, dtype = literal.value, literal.dtype
    fits = {
        DType.BOOL: isinstance(value, bool),
        DType.I32: type(value) is int and -(2**31) <= value < 2**31,
        DType.I64: type(value) is int and -(2**63) <= value < 2**63,
        DType.F32: type(value) in (int, float),
    }
    if not fits.get(dtype, False):
        raise failure(at, f"{value!r} is no literal of {dtype}")
    return dtype


def _verify_earlier(at: str, operands: Sequence[int], types: Sequence[DType]) -> None:
    for operand in operands:
        if not 0 <= operand < len(types):
            raise failure(at, f"value {operand} is not defined before it")


def _verify_index_axes(at: str, expression: IndexExpression, rank: int) -> None:
    if any(not 0 <= axis < rank for axis in expression.axes()):
        raise failure(at, f"{expression} names an axis that is not among the {rank} there are")


def _verify_access_index(
    kernel: Kernel,
    at: str,
    body: Body,
    access: Load | Store,
    types: Sequence[DType],
    ranges: Sequence[Interval | None],
) -> None:
    """Check the index, computed values and predicate of a load or store."""
    parameter = kernel.parameters[access.parameter]
    if len(access.index) != len(parameter.shape):
        raise failure(at, f"{len(access.index)} indices for {parameter.name}{parameter.shape}")
    _verify_earlier(at, access.computed, types)
    if any(types[n] is not DType.I32 for n in access.computed):
        raise failure(at, "a computed index must be an i32")
    if access.predicate is not None:
        _verify_earlier(at, (access.predicate,), types)
        if types[access.predicate] is not DType.BOOL:
            raise failure(at, "the predicate must be a bool")
    for expression in access.index:
        _verify_index_axes(at, expression, len(body.axes) + len(access.computed))
    if access.predicate is None:
        _verify_in_bounds(at, body, access, parameter, ranges)


def _verify_in_bounds(
    at: str,
    body: Body,
    access: Load | Store,
    parameter: Parameter,
    ranges: Sequence[Interval | None],
) -> None:
    sizes = [axis.size for axis in body.axes]
    computed = [ranges[n] for n in access.computed]
    for number, expression in enumerate(access.index):
        found = index_range(expression, sizes, computed, parameter.shape[number])
        # What no range is known for is data: the author's promise.
        if found is not None and not (found[0] >= 0 and found[1] < parameter.shape[number]):
            raise failure(
                at,
                f"index {number} of {parameter.name}{parameter.shape} runs from {found[0]} to"
                f" {found[1]}: {expression}",
            )


def _verify_stores(
    kernel: Kernel,
    place: str,
    body: Body,
    stored: Sequence[Store],
    types: Sequence[DType],
) -> None:
    ranges = whole_number_ranges(body)
    for number, store in enumerate(stored):
        at = f"{kernel.name}: {place}: store {number}"
        if not 0 <= store.parameter < len(kernel.parameters):
            raise failure(at, f"there is no parameter {store.parameter}")
        _verify_earlier(at, (store.value,), types)
        _verify_access_index(kernel, at, body, store, types, ranges)
        if store.combine is None and store.predicate is None and not store.computed:
            _verify_distinct(at, body, store, kernel.parameters[store.parameter])


def _verify_distinct(at: str, body: Body, store: Store, parameter: Parameter) -> None:
    sizes = [axis.size for axis in body.axes]
    if is_injective(flat_index(parameter, store.index), sizes) is False:
        raise failure(at, f"several points of {body.axes} write one place of {parameter.name}")


def meeting_stores(kernel: Kernel) -> tuple[Store, Store] | None:
    """Two stores that are not shown to write distinct places: nothing orders them in a kernel."""
    placed = [
        (store, tuple(axis.size for axis in body.axes))
        for body, stored in _stores_with_bodies(kernel)
        for store in stored
    ]
    for (one, sizes), (other, others) in combinations(placed, 2):
        if one.parameter != other.parameter:
            continue
        if one.computed or other.computed or not are_apart(one.index, sizes, other.index, others):
            return one, other
    return None


def _verify_stores_apart(kernel: Kernel) -> None:
    met = meeting_stores(kernel)
    if met is not None:
        name = kernel.parameters[met[0].parameter].name
        raise failure(kernel.name, f"two stores to {name} may write one place: {met[0]}, {met[1]}")


def _stores_with_bodies(kernel: Kernel) -> tuple[tuple[Body, tuple[Store, ...]], ...]:
    match kernel:
        case Pointwise():
            return ((kernel.body, kernel.stores),)
        case RowReduction():
            return tuple((phase.body, phase.stores) for phase in kernel.phases)
        case Gemm() | Attention():
            return ((kernel.epilogue, kernel.stores),)
        case _:
            assert_never(kernel)


# ----------------------------------------------------------------------------------------- kernels


def _verify_row_reduction(kernel: RowReduction) -> None:
    if not kernel.phases:
        raise failure(kernel.name, "has no phases")
    accumulators: list[DType] = []
    for number, phase in enumerate(kernel.phases):
        place = f"phase {number}"
        own = phase.body.axes[len(kernel.rows) :]
        types = _verify_body(kernel, place, phase.body, kernel.rows + own, accumulators)
        _verify_stores(kernel, place, phase.body, phase.stores, types)
        for reduction in phase.reductions:
            _verify_earlier(f"{kernel.name}: {place}: reduction", (reduction.value,), types)
            accumulators.append(reduction_type(reduction.op, types[reduction.value]))


def _verify_gemm(kernel: Gemm) -> None:
    if not kernel.right:
        raise failure(kernel.name, "has no right side")
    left_axes = kernel.batch + kernel.rows + kernel.inner
    right_axes = kernel.batch + kernel.columns + kernel.inner
    _verify_operand(kernel, "left", kernel.left, left_axes, kernel.operand_dtype)
    for number, right in enumerate(kernel.right):
        _verify_operand(kernel, f"right {number}", right, right_axes, kernel.operand_dtype)
    _verify_epilogue(kernel, kernel.batch + kernel.rows + kernel.columns)
    tile = kernel.tile
    if tile is not None:
        sizes = (tile.rows, tile.columns, tile.depth, tile.wave_rows, tile.wave_columns)
        _verify_tile(kernel, sizes, tile.shares)


def _verify_attention(kernel: Attention) -> None:
    dtype = kernel.operand_dtype
    _verify_operand(
        kernel, "query", kernel.query, kernel.batch + kernel.queries + kernel.inner, dtype
    )
    _verify_operand(kernel, "key", kernel.key, kernel.batch + kernel.keys + kernel.inner, dtype)
    _verify_operand(
        kernel, "value", kernel.value, kernel.batch + kernel.keys + kernel.channels, dtype
    )
    score_axes = kernel.batch + kernel.queries + kernel.keys
    types = _verify_body(kernel, "score", kernel.score, score_axes, (DType.F32,))
    if not types or types[-1] is not DType.F32:
        raise failure(f"{kernel.name}: score", "must end in an f32")
    _verify_epilogue(kernel, kernel.batch + kernel.queries + kernel.channels)
    tile = kernel.tile
    if tile is not None:
        sizes = (tile.queries, tile.keys, tile.waves, tile.channel_parts)
        _verify_tile(kernel, sizes, tile.shares)


def _verify_tile(kernel: Gemm | Attention, sizes: tuple[int, ...], shares: Shares | None) -> None:
    if min(sizes) < 1:
        raise failure(kernel.name, f"tile {kernel.tile}")
    if shares is not None and (shares.workgroups < 2 or shares.whole < 0):
        raise failure(kernel.name, f"tile {kernel.tile} shared by none")


def _verify_epilogue(kernel: Gemm | Attention, axes: tuple[KernelAxis, ...]) -> None:
    if not kernel.stores:
        raise failure(kernel.name, "stores nothing")
    types = _verify_body(kernel, "epilogue", kernel.epilogue, axes, accumulator_types(kernel))
    _verify_stores(kernel, "epilogue", kernel.epilogue, kernel.stores, types)


def _verify_operand(
    kernel: Gemm | Attention, place: str, body: Body, axes: tuple[KernelAxis, ...], dtype: DType
) -> None:
    if dtype not in (DType.F32, DType.BF16, DType.F16):
        raise failure(kernel.name, f"products of {dtype} are not there")
    types = _verify_body(kernel, place, body, axes)
    where = f"{kernel.name}: {place}"
    if not types or types[-1] is not DType.F32:
        raise failure(where, "must end in an f32")
    if not _is_exact(kernel, body, len(types) - 1, dtype):
        raise failure(where, f"its last value may change when it is rounded to {dtype}")


def _is_exact(kernel: Kernel, body: Body, value: int, dtype: DType) -> bool:
    """True when the value is unchanged by rounding to ``dtype``."""
    if dtype is DType.F32:
        return True
    match body.instructions[value]:
        case Load(parameter):
            return kernel.parameters[parameter].dtype is dtype
        case Convert(_, to):
            return to is dtype
        case Literal(number, _):
            return float(dtype.numpy.type(number)) == float(number)
        case Apply(ElementwiseOp.SELECT, (_, left, right)):
            return all(_is_exact(kernel, body, n, dtype) for n in (left, right))
        case Apply(ElementwiseOp.MAXIMUM, operands):
            return all(_is_exact(kernel, body, n, dtype) for n in operands)
        case _:
            return False
