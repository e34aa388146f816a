"""The bodies of a product, flattened, in the order they are walked, with axes merged."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lumc.codegen.flat import AxisUse, FlatBody, flatten, merge_axes
from lumc.codegen.pointwise import walk_order
from lumc.codegen.vectorise import Lanes, step
from lumc.lowering.kernel_program import Body, Gemm, Load


@dataclass(frozen=True, slots=True)
class AxisNumbers:
    """The numbers of the axes of each group in one body, in the order they are walked."""

    batch: tuple[int, ...]
    rows: tuple[int, ...] = ()
    columns: tuple[int, ...] = ()
    inner: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class ProductBody:
    """A body of a product and its axes' numbers in it."""

    body: FlatBody
    axes: AxisNumbers


@dataclass(frozen=True, slots=True)
class ProductBodies:
    """All bodies of a product, whose axes are merged alike."""

    left: ProductBody
    right: tuple[ProductBody, ...]
    epilogue: ProductBody


def product_bodies(kernel: Gemm) -> ProductBodies:
    """Flatten the bodies of ``kernel``, order their axes and merge those used as one."""
    left = flatten(kernel.left, (), kernel.parameters)
    right = [flatten(body, (), kernel.parameters) for body in kernel.right]
    epilogue = flatten(kernel.epilogue, kernel.stores, kernel.parameters)
    b, r, c, i = (len(axes) for axes in (kernel.batch, kernel.rows, kernel.columns, kernel.inner))
    batch, rows = tuple(range(b)), tuple(range(b, b + r))
    columns = _columns_order(epilogue, b + r, c)
    inner = _inner_order([(left, b + r), *((body, b + c) for body in right)], i)
    left_axes = AxisNumbers(batch, rows=rows, inner=_from(b + r, inner))
    right_axes = AxisNumbers(batch, columns=_from(b, columns), inner=_from(b + c, inner))
    epilogue_axes = AxisNumbers(batch, rows, _from(b + r, columns))
    return _merged(
        ProductBodies(
            ProductBody(left, left_axes),
            tuple(ProductBody(body, right_axes) for body in right),
            ProductBody(epilogue, epilogue_axes),
        )
    )


def _from(first: int, order: Sequence[int]) -> tuple[int, ...]:
    return tuple(first + number for number in order)


def _columns_order(epilogue: FlatBody, first: int, count: int) -> tuple[int, ...]:
    """Columns such that the first store's nearest in memory is walked fastest."""
    order = walk_order(epilogue.stores[0].offset, len(epilogue.axes))
    return tuple(n - first for n in order if first <= n < first + count)


def _inner_order(operands: Sequence[tuple[FlatBody, int]], count: int) -> tuple[int, ...]:
    """Inner axes such that as many operands as can be are contiguous along the fastest."""

    def contiguous(number: int) -> int:
        return sum(
            step(load.offset, Lanes(first + number, 1)) == 1
            for body, first in operands
            for load in body.loads()
        )

    numbers = [n for n in range(count) if operands[0][0].axes[operands[0][1] + n].size > 1]
    if not numbers:
        return tuple(range(count))
    # Of equally good ones the last stays the fastest.
    fastest = max(reversed(numbers), key=contiguous)
    return (*(n for n in range(count) if n != fastest), fastest)


def _merged(bodies: ProductBodies) -> ProductBodies:
    everything = [bodies.left, *bodies.right, bodies.epilogue]
    rights = range(1, len(everything) - 1)
    last = len(everything) - 1
    for members, group in (
        (range(last + 1), "batch"),
        ((0, last), "rows"),
        ((*rights, last), "columns"),
        ((0, *rights), "inner"),
    ):
        uses = [AxisUse(everything[n].body, getattr(everything[n].axes, group)) for n in members]
        for number, body in zip(members, merge_axes(uses), strict=True):
            everything[number] = ProductBody(body, everything[number].axes)
    return ProductBodies(everything[0], tuple(everything[1:last]), everything[last])


def is_convolution(kernel: Gemm) -> bool:
    """True when an operand is read at an index in which a row (or column) and an inner axis meet.

    Such a product slides a window over its operand.
    """
    b, r, c = len(kernel.batch), len(kernel.rows), len(kernel.columns)
    return _has_window(kernel.left, b, b + r) or any(
        _has_window(body, b, b + c) for body in kernel.right
    )


def _has_window(body: Body, first: int, inner: int) -> bool:
    outer_axes = frozenset(range(first, inner))
    inner_axes = frozenset(range(inner, len(body.axes)))
    return any(
        expression.axes() & outer_axes and expression.axes() & inner_axes
        for load in body.instructions
        if isinstance(load, Load)
        for expression in load.index
    )


def points(body: FlatBody, numbers: Sequence[int]) -> int:
    """Points of the axes ``numbers`` of ``body`` together."""
    return math.prod(body.axes[n].size for n in numbers)
