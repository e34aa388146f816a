"""The types of values inside kernels, and which axes of a kernel run in parallel."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    Gemm,
    IndexOf,
    Kernel,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    Pointwise,
    RowReduction,
    Store,
)

# The order in which types of mixed operands are promoted.
_PROMOTION = (DType.BOOL, DType.I32, DType.I64, DType.F32)


def promote(left: DType, right: DType) -> DType:
    """The type that a value of each type is converted to when they meet in one operation."""
    return max(left, right, key=_PROMOTION.index)


def apply_type(op: ElementwiseOp, operands: Sequence[DType]) -> DType:
    """The type of ``op`` of operands of these compute types (bool, i32, i64, f32).

    Mixed operands are promoted, bool to i32 to i64 to f32. Of two bools, ``MULTIPLY`` is a bool
    (and), ``MAXIMUM`` is a bool (or) and ``ADD`` an i32. Whole numbers given to a real function
    are converted to f32.

    Raises:
        TypeError: the operation is not defined for these types or this number of operands.
    """
    match op:
        case ElementwiseOp.ADD | ElementwiseOp.MULTIPLY | ElementwiseOp.MAXIMUM:
            _expect(op, operands, 2)
            least = DType.I32 if op is ElementwiseOp.ADD else DType.BOOL
            return promote(least, promote(*operands))
        case ElementwiseOp.FLOOR_DIVIDE | ElementwiseOp.MODULO:
            _expect(op, operands, 2)
            result = promote(DType.I32, promote(*operands))
            if result is DType.F32:
                raise TypeError(f"{op} is for whole numbers, not {', '.join(operands)}")
            return result
        case ElementwiseOp.LESS_THAN:
            _expect(op, operands, 2)
            return DType.BOOL
        case ElementwiseOp.SELECT:
            _expect(op, operands, 3)
            if operands[0] is not DType.BOOL or operands[1] is not operands[2]:
                raise TypeError(
                    f"select takes a bool and two of one type, not {', '.join(operands)}"
                )
            return operands[1]
        case (
            ElementwiseOp.RECIPROCAL
            | ElementwiseOp.SQUARE_ROOT
            | ElementwiseOp.EXP2
            | ElementwiseOp.LOG2
            | ElementwiseOp.SINE
        ):
            _expect(op, operands, 1)
            return DType.F32
        case _:
            assert_never(op)


def _expect(op: ElementwiseOp, operands: Sequence[DType], count: int) -> None:
    if len(operands) != count:
        raise TypeError(f"{op} takes {count} operands, not {len(operands)}")


def reduction_type(op: ReduceOp, operand: DType) -> DType:
    """The type of a reduction: that of its operand; a sum of bools is an i32."""
    return DType.I32 if op is ReduceOp.SUM and operand is DType.BOOL else operand


def value_types(
    body: Body, parameters: Sequence[Parameter], accumulators: Sequence[DType] = ()
) -> tuple[DType, ...]:
    """The compute type (bool, i32, i64 or f32) of every value of ``body``.

    ``accumulators`` are the types of the accumulators that the body may read.

    Raises:
        TypeError: an operation is not defined for the types of its operands.
    """
    types: list[DType] = []
    for instruction in body.instructions:
        match instruction:
            case Literal(_, dtype):
                types.append(dtype.compute)
            case IndexOf():
                types.append(DType.I32)
            case Load(parameter):
                types.append(parameters[parameter].dtype.compute)
            case Apply(op, operands):
                types.append(apply_type(op, [types[n] for n in operands]))
            case Convert(_, dtype):
                types.append(dtype.compute)
            case Accumulator(number):
                types.append(accumulators[number])
            case _:
                assert_never(instruction)
    return tuple(types)


def accumulator_types(kernel: Kernel) -> tuple[DType, ...]:
    """The type of each accumulator: f32 for products, the reductions' types for row reductions."""
    match kernel:
        case Pointwise():
            return ()
        case RowReduction():
            found: list[DType] = []
            for phase in kernel.phases:
                types = value_types(phase.body, kernel.parameters, found)
                found += [reduction_type(r.op, types[r.value]) for r in phase.reductions]
            return tuple(found)
        case Gemm():
            return (DType.F32,) * len(kernel.right)
        case Attention():
            return (DType.F32,)
        case _:
            assert_never(kernel)


def parallel_axes(kernel: Kernel) -> tuple[KernelAxis, ...]:
    """The axes whose points are independent of each other, in the order that stores see them.

    Pointwise: the body's; row reductions: the rows; products: batch, rows, columns; attention:
    batch, queries, channels.
    """
    match kernel:
        case Pointwise():
            return kernel.body.axes
        case RowReduction():
            return kernel.rows
        case Gemm():
            return kernel.batch + kernel.rows + kernel.columns
        case Attention():
            return kernel.batch + kernel.queries + kernel.channels
        case _:
            assert_never(kernel)


def bodies(kernel: Kernel) -> tuple[tuple[str, Body], ...]:
    """Every body of the kernel with the name of its place, in the order they run."""
    match kernel:
        case Pointwise():
            return (("body", kernel.body),)
        case RowReduction():
            return tuple((f"phase {n}", phase.body) for n, phase in enumerate(kernel.phases))
        case Gemm():
            rights = ((f"right {n}", body) for n, body in enumerate(kernel.right))
            return (("left", kernel.left), *rights, ("epilogue", kernel.epilogue))
        case Attention():
            return (
                ("query", kernel.query),
                ("key", kernel.key),
                ("score", kernel.score),
                ("value", kernel.value),
                ("epilogue", kernel.epilogue),
            )
        case _:
            assert_never(kernel)


def stores(kernel: Kernel) -> tuple[Store, ...]:
    """Every store of the kernel, in the order they run."""
    if isinstance(kernel, RowReduction):
        return tuple(store for phase in kernel.phases for store in phase.stores)
    return kernel.stores


def size(axes: Sequence[KernelAxis]) -> int:
    """The number of points of the axes (1 when there are none)."""
    points = 1
    for axis in axes:
        points *= axis.size
    return points
