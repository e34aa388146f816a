"""What each primitive does to numbers: conversions, elementwise operations, sums of products.

Reals are computed in f32 (in f64 inside compile-time tables), whole numbers in i32 or i64.

* Whole-number arithmetic wraps around (two's complement). A quotient by zero is 0, a remainder by
  zero is 0.
* Real arithmetic is IEEE 754: a division by zero is infinite, what has no value is NaN. ``max``
  with a NaN is NaN, and a comparison with one is false.
* A real becomes a whole number by cutting towards zero; beyond the type's ends it becomes the end,
  NaN becomes 0. A whole number becomes a narrower one by wrapping. Anything but zero is true.
* A real is rounded to a narrower one to the nearest, ties to even; beyond its range it is infinite.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp

Array = npt.NDArray[Any]


def convert(values: Array, target: np.dtype[Any]) -> Array:
    """``values`` as ``target``, by the rules of this module. Returns ``values`` if it is that."""
    if values.dtype == target:
        return values
    with np.errstate(all="ignore"):
        if target == np.bool_:
            return np.asarray(values != 0)
        if target.kind in "iu" and values.dtype.kind not in "iub":
            return _cut(values, target)
        return values.astype(target)


def _cut(values: Array, target: np.dtype[Any]) -> Array:
    ends = np.iinfo(target)
    whole = np.trunc(
        np.nan_to_num(values.astype(np.float64), nan=0.0, posinf=np.inf, neginf=-np.inf)
    )
    inside = np.where((whole > ends.min) & (whole < ends.max), whole, 0.0).astype(target)
    return np.where(
        whole >= ends.max,
        target.type(ends.max),
        np.where(whole <= ends.min, target.type(ends.min), inside),
    )


def round_to(values: Array, dtype: DType) -> Array:
    """Real ``values`` rounded to ``dtype`` and kept in their own type."""
    return convert(convert(values, dtype.numpy), values.dtype)


def poison(values: Array, outside: npt.NDArray[np.bool_]) -> Array:
    """``values`` with a value that shows where ``outside``: NaN, or the least whole number."""
    match values.dtype.kind:
        case "b":
            return values
        case "i" | "u":
            return np.where(outside, values.dtype.type(np.iinfo(values.dtype).min), values)
        case _:
            return np.where(outside, values.dtype.type(np.nan), values)


def apply(op: ElementwiseOp, operands: Sequence[Array], dtype: np.dtype[Any]) -> Array:
    """``op`` of broadcastable ``operands``, computed in ``dtype`` (a type of computation)."""
    with np.errstate(all="ignore"):
        if op is ElementwiseOp.SELECT:
            condition, taken, other = operands
            return np.where(
                convert(condition, np.dtype(np.bool_)), convert(taken, dtype), convert(other, dtype)
            )
        if op is ElementwiseOp.LESS_THAN:
            common = np.dtype(np.result_type(*(_countable(operand) for operand in operands)))
            left, right = (convert(_countable(operand), common) for operand in operands)
            return np.asarray(left < right)
        if dtype == np.bool_:
            whole = np.dtype(np.int32)
            return convert(_arithmetic(op, [convert(x, whole) for x in operands]), dtype)
        return _arithmetic(op, [convert(x, dtype) for x in operands])


def _countable(values: Array) -> Array:
    return values.astype(np.int32) if values.dtype.kind in "bu" else values


def _arithmetic(op: ElementwiseOp, x: Sequence[Array]) -> Array:
    match op:
        case ElementwiseOp.ADD:
            return np.asarray(np.add(x[0], x[1]))
        case ElementwiseOp.MULTIPLY:
            return np.asarray(np.multiply(x[0], x[1]))
        case ElementwiseOp.RECIPROCAL:
            return np.asarray(np.divide(x[0].dtype.type(1), x[0]))
        case ElementwiseOp.SQUARE_ROOT:
            return np.asarray(np.sqrt(x[0]))
        case ElementwiseOp.EXP2:
            return np.asarray(np.exp2(x[0]))
        case ElementwiseOp.LOG2:
            return np.asarray(np.log2(x[0]))
        case ElementwiseOp.SINE:
            return np.asarray(np.sin(x[0]))
        case ElementwiseOp.MAXIMUM:
            return np.asarray(np.maximum(x[0], x[1]))
        case ElementwiseOp.FLOOR_DIVIDE:
            return np.asarray(np.floor_divide(x[0], x[1]))
        case ElementwiseOp.MODULO:
            return np.asarray(np.remainder(x[0], x[1]))
        case ElementwiseOp.LESS_THAN | ElementwiseOp.SELECT:
            raise AssertionError(f"{op} is no arithmetic")
        case _:
            assert_never(op)


def least(dtype: np.dtype[Any]) -> Any:
    """The value that ``max`` starts from."""
    if dtype.kind == "b":
        return False
    return np.iinfo(dtype).min if dtype.kind in "iu" else -np.inf


def reduce_axes(op: ReduceOp, values: Array, axes: tuple[int, ...]) -> Array:
    """``op`` over ``axes``, in the type of ``values`` (pairwise where NumPy can)."""
    with np.errstate(all="ignore"):
        if op is ReduceOp.SUM:
            return np.asarray(np.sum(values, axis=axes, dtype=values.dtype))
        return np.asarray(np.max(values, axis=axes, initial=least(values.dtype)))


def combine(op: ReduceOp, left: Array, right: Array) -> Array:
    """The two values of a reduction's parts put together."""
    with np.errstate(all="ignore"):
        joined = np.add(left, right) if op is ReduceOp.SUM else np.maximum(left, right)
        return np.asarray(joined)


def sum_of_products(factors: Sequence[Array], sizes: Sequence[int], free: int) -> Array:
    """``Σ Π factors`` over all axes but the first ``free``.

    Every factor has one axis per entry of ``sizes``, of that size or of 1 where it does not vary.
    Returns an array over the first ``free`` axes (again 1 where nothing varies). Two factors with
    axes of their own are one matrix product; everything is in the factors' common type.
    """
    with np.errstate(all="ignore"):
        remaining = list(factors)
        while len(remaining) > 2:
            remaining = _merge_smallest(remaining)
        absent = [
            size
            for axis, size in enumerate(sizes)
            if axis >= free and all(factor.shape[axis] == 1 for factor in remaining)
        ]
        total = _contract(remaining, free)
        times = math.prod(absent)
        return total if times == 1 else total * total.dtype.type(times)


def _merge_smallest(factors: list[Array]) -> list[Array]:
    pairs = [(i, j) for i in range(len(factors)) for j in range(i)]
    i, j = min(
        pairs,
        key=lambda p: math.prod(np.broadcast_shapes(factors[p[0]].shape, factors[p[1]].shape)),
    )
    rest = [factor for n, factor in enumerate(factors) if n not in (i, j)]
    return [*rest, factors[i] * factors[j]]


def _contract(factors: Sequence[Array], free: int) -> Array:
    rank = factors[0].ndim
    reduced = tuple(range(free, rank))
    if len(factors) == 1:
        return reduce_axes(ReduceOp.SUM, factors[0], reduced)
    left, right = factors
    # An axis that only one factor has is summed before the product.
    left = _presum(left, right, reduced)
    right = _presum(right, left, reduced)
    batch = [a for a in range(free) if left.shape[a] > 1 and right.shape[a] > 1]
    rows = [a for a in range(free) if left.shape[a] > 1 and right.shape[a] == 1]
    columns = [a for a in range(free) if left.shape[a] == 1 and right.shape[a] > 1]
    if left.dtype.kind != "f" or not (rows or columns):
        return reduce_axes(ReduceOp.SUM, left * right, reduced)
    flat_left = _matrix(left, batch, rows, list(reduced))
    flat_right = _matrix(right, batch, list(reduced), columns)
    product: Array = np.matmul(flat_left, flat_right)
    order = batch + rows + columns
    sizes = [max(left.shape[a], right.shape[a]) for a in order]
    spread = product.reshape(sizes).transpose(tuple(order.index(a) for a in sorted(order)))
    return spread.reshape([max(left.shape[a], right.shape[a]) for a in range(free)])


def _presum(values: Array, other: Array, reduced: tuple[int, ...]) -> Array:
    alone = tuple(a for a in reduced if values.shape[a] > 1 and other.shape[a] == 1)
    if not alone:
        return values
    return np.asarray(np.sum(values, axis=alone, dtype=values.dtype, keepdims=True))


def _matrix(values: Array, batch: list[int], rows: list[int], columns: list[int]) -> Array:
    others = [a for a in range(values.ndim) if a not in batch + rows + columns]
    ordered = values.transpose(batch + rows + columns + others)
    extents = [
        *(values.shape[a] for a in batch),
        math.prod(values.shape[a] for a in rows),
        math.prod(values.shape[a] for a in columns),
    ]
    return ordered.reshape(extents)
