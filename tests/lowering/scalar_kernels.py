"""The kernel descriptors' docstrings taken literally: point after point, number by number.

Slow and simple, to hold the vectorised meaning in ``lowering/kernel_reference.py`` against. Reals
are computed in f32 except that sums are exact (f64).
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterable, Iterator, Sequence
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import Axis, FloorDivide, IndexExpression, Modulo
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

REAL: Any = np.float32
"""What reals are computed in; tests replace it to see what rounding does."""

Arrays = Sequence[npt.NDArray[Any]]
Point = tuple[int, ...]


def run(kernel: Kernel, arrays: Arrays) -> None:
    """Run ``kernel`` on flat ``arrays`` in place."""
    with np.errstate(all="ignore"):
        match kernel:
            case Pointwise():
                for point in points(kernel.body.axes):
                    _finish(kernel.parameters, arrays, kernel.body, kernel.stores, point)
            case RowReduction():
                for row in points(kernel.rows):
                    _run_row(kernel, arrays, row)
            case Gemm():
                _run_gemm(kernel, arrays)
            case Attention():
                _run_attention(kernel, arrays)
            case _:
                assert_never(kernel)


def points(axes: Sequence[KernelAxis]) -> Iterator[Point]:
    return itertools.product(*(range(axis.size) for axis in axes))


def index_value(expression: IndexExpression, point: Sequence[int]) -> int:
    total = expression.constant
    for atom, factor in expression.terms:
        match atom:
            case Axis(number):
                value = point[number]
            case FloorDivide(inner, divisor):
                value = math.floor(index_value(inner, point) / divisor)
            case Modulo(inner, divisor):
                value = index_value(inner, point)
                while value < 0:
                    value += divisor
                while value >= divisor:
                    value -= divisor
            case _:
                assert_never(atom)
        total += factor * value
    return total


def element(
    parameter: Parameter,
    access: Load | Store,
    point: Point,
    values: Sequence[Any],
) -> int:
    everything = (*point, *(int(values[n]) for n in access.computed))
    total = 0
    for expression, size, stride in zip(
        access.index, parameter.shape, parameter.strides, strict=True
    ):
        at = index_value(expression, everything)
        assert 0 <= at < size, f"{parameter.name}: {at} of {size}"
        total += at * stride
    return total


def evaluate(
    parameters: Sequence[Parameter],
    arrays: Arrays,
    body: Body,
    point: Point,
    accumulators: Sequence[Any] = (),
) -> list[Any]:
    values: list[Any] = []
    for instruction in body.instructions:
        match instruction:
            case Literal(value, dtype):
                values.append(computed(dtype.numpy.type(value), dtype))
            case IndexOf(expression):
                values.append(np.int32(index_value(expression, point)))
            case Load(number):
                values.append(_load(parameters[number], arrays[number], instruction, point, values))
            case Apply(op, operands):
                values.append(apply(op, [values[n] for n in operands]))
            case Convert(operand, dtype):
                values.append(computed(stored(values[operand], dtype), dtype))
            case Accumulator(number):
                values.append(accumulators[number])
            case _:
                assert_never(instruction)
    return values


def _load(
    parameter: Parameter,
    array: npt.NDArray[Any],
    load: Load,
    point: Point,
    values: Sequence[Any],
) -> Any:
    if load.predicate is not None and not values[load.predicate]:
        return computed(0, parameter.dtype)
    return computed(array[element(parameter, load, point, values)], parameter.dtype)


def computed(value: Any, dtype: DType) -> Any:
    """A stored value of ``dtype`` in the type it is computed in."""
    return REAL(value) if dtype.is_float else dtype.compute.numpy.type(value)


def stored(value: Any, dtype: DType) -> Any:
    if dtype is DType.BOOL:
        return np.bool_(value != 0)
    if not dtype.is_float and isinstance(value, np.floating):
        return dtype.numpy.type(math.trunc(float(value)))
    return dtype.numpy.type(value)


def apply(op: ElementwiseOp, operands: Sequence[Any]) -> Any:
    match op:
        case ElementwiseOp.SELECT:
            return operands[1] if operands[0] else operands[2]
        case ElementwiseOp.LESS_THAN:
            return np.bool_(float(operands[0]) < float(operands[1]))
        case ElementwiseOp.RECIPROCAL:
            return REAL(1) / REAL(operands[0])
        case ElementwiseOp.SQUARE_ROOT:
            return REAL(math.sqrt(operands[0]))
        case ElementwiseOp.EXP2:
            return REAL(2.0 ** float(operands[0]))
        case ElementwiseOp.LOG2:
            return REAL(math.log2(operands[0]))
        case ElementwiseOp.SINE:
            return REAL(math.sin(operands[0]))
        case _:
            return _apply_two(op, *operands)


def _apply_two(op: ElementwiseOp, left: Any, right: Any) -> Any:
    real = isinstance(left, np.floating) or isinstance(right, np.floating)
    both_bools = isinstance(left, np.bool_) and isinstance(right, np.bool_)
    if real:
        left, right = REAL(left), REAL(right)
        return {
            ElementwiseOp.ADD: left + right,
            ElementwiseOp.MULTIPLY: left * right,
            ElementwiseOp.MAXIMUM: np.maximum(left, right),
        }[op]
    x, y = int(left), int(right)
    if both_bools and op is ElementwiseOp.MULTIPLY:
        return np.bool_(x and y)
    if both_bools and op is ElementwiseOp.MAXIMUM:
        return np.bool_(x or y)
    return {
        ElementwiseOp.ADD: lambda: np.int32(x + y),
        ElementwiseOp.MULTIPLY: lambda: np.int32(x * y),
        ElementwiseOp.MAXIMUM: lambda: np.int32(max(x, y)),
        ElementwiseOp.FLOOR_DIVIDE: lambda: np.int32(math.floor(x / y)),
        ElementwiseOp.MODULO: lambda: np.int32(x - y * math.floor(x / y)),
    }[op]()


def _finish(
    parameters: Sequence[Parameter],
    arrays: Arrays,
    body: Body,
    stores: Iterable[Store],
    point: Point,
    accumulators: Sequence[Any] = (),
) -> list[Any]:
    values = evaluate(parameters, arrays, body, point, accumulators)
    for store in stores:
        if store.predicate is not None and not values[store.predicate]:
            continue
        parameter, array = parameters[store.parameter], arrays[store.parameter]
        at = element(parameter, store, point, values)
        value = stored(values[store.value], parameter.dtype)
        if store.combine is ReduceOp.SUM:
            value = array[at] + value
        elif store.combine is ReduceOp.MAXIMUM:
            value = np.maximum(array[at], value)
        array[at] = value
    return values


def _run_row(kernel: RowReduction, arrays: Arrays, row: Point) -> None:
    accumulators: list[Any] = []
    for phase in kernel.phases:
        own = phase.body.axes[len(kernel.rows) :]
        seen = [
            _finish(kernel.parameters, arrays, phase.body, phase.stores, row + point, accumulators)
            for point in points(own)
        ]
        for reduction in phase.reductions:
            accumulators.append(_reduce(reduction.op, [v[reduction.value] for v in seen]))


def _reduce(op: ReduceOp, values: Sequence[Any]) -> Any:
    real = isinstance(values[0], np.floating)
    if op is ReduceOp.MAXIMUM:
        return values[0] if all(v == values[0] for v in values) else type(values[0])(max(values))
    return REAL(total(values)) if real else np.int32(sum(int(v) for v in values))


def total(values: Sequence[Any]) -> float:
    """The exact sum; tests replace it by sums that round."""
    return math.fsum(values)


def _dot(left: Sequence[Any], right: Sequence[Any]) -> Any:
    return REAL(total([float(a) * float(b) for a, b in zip(left, right, strict=True)]))


def _run_gemm(kernel: Gemm, arrays: Arrays) -> None:
    def side(body: Body, point: Point) -> list[Any]:
        found = (
            evaluate(kernel.parameters, arrays, body, point + k)[-1] for k in points(kernel.inner)
        )
        return [REAL(stored(value, kernel.operand_dtype)) for value in found]

    for b in points(kernel.batch):
        lefts = {r: side(kernel.left, b + r) for r in points(kernel.rows)}
        rights = {c: [side(x, b + c) for x in kernel.right] for c in points(kernel.columns)}
        for r, c in itertools.product(lefts, rights):
            products = [_dot(lefts[r], right) for right in rights[c]]
            _finish(kernel.parameters, arrays, kernel.epilogue, kernel.stores, b + r + c, products)


def _run_attention(kernel: Attention, arrays: Arrays) -> None:
    def last(body: Body, point: Point, accumulators: Sequence[Any] = ()) -> Any:
        return evaluate(kernel.parameters, arrays, body, point, accumulators)[-1]

    def operand(body: Body, point: Point) -> float:
        return float(REAL(stored(last(body, point), kernel.operand_dtype)))

    inner, channels = list(points(kernel.inner)), list(points(kernel.channels))
    for b in points(kernel.batch):
        keys = {k: [operand(kernel.key, b + k + d) for d in inner] for k in points(kernel.keys)}
        values = {k: [operand(kernel.value, b + k + c) for c in channels] for k in keys}
        for q in points(kernel.queries):
            query = [operand(kernel.query, b + q + d) for d in inner]
            scores = [
                float(last(kernel.score, b + q + k, [_dot(query, row)])) for k, row in keys.items()
            ]
            weights = [math.exp(score - max(scores)) for score in scores]
            for number, c in enumerate(channels):
                column = [values[k][number] for k in keys]
                result = REAL(_dot(weights, column) / REAL(total(weights)))
                _finish(
                    kernel.parameters, arrays, kernel.epilogue, kernel.stores, b + q + c, [result]
                )
