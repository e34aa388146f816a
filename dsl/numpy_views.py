"""Reading NumPy arrays through index expressions: views where the map allows, else copies."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lumc.dsl import index_expression
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.numpy_primitives import Array, poison

Grid = tuple[tuple[int, int], ...]
"""The part of a space that is meant: start and stop of each axis."""

_LARGEST_PADDING = 1 << 24
"""Elements that a padded copy may have beyond twice those of the tensor."""


def full_grid(space: Sequence[int]) -> Grid:
    """All of a space."""
    return tuple((0, size) for size in space)


def axis_values(grid: Grid) -> list[npt.NDArray[np.int64]]:
    """The value of each axis over ``grid``, as arrays that broadcast against each other."""
    rank = len(grid)
    return [
        np.arange(start, stop, dtype=np.int64).reshape((1,) * a + (-1,) + (1,) * (rank - a - 1))
        for a, (start, stop) in enumerate(grid)
    ]


def spread(values: Array, axes: Sequence[int], rank: int) -> Array:
    """``values``, whose axis k is axis ``axes[k]`` of ``rank`` axes, in their order, 1s between."""
    values = values.reshape(values.shape if values.ndim else (1,) * len(axes))
    order = sorted(range(len(axes)), key=lambda k: axes[k])
    shape = [1] * rank
    for k in order:
        shape[axes[k]] = values.shape[k]
    return values.transpose(order).reshape(shape)


def read(values: Array, map_: Sequence[IndexExpression], grid: Grid) -> Array:
    """``values`` through ``map_`` over ``grid``; axes that the map does not mention have size 1.

    Outside ``values`` stands NaN, or the least whole number.
    """
    sizes = [stop - start for start, stop in grid]
    if 0 in sizes:
        return np.empty(sizes, values.dtype)
    if all(expression.is_affine for expression in map_):
        padding = _padding(values.shape, map_, grid)
        padded = math.prod(n + b + a for n, (b, a) in zip(values.shape, padding, strict=True))
        if padded <= 2 * values.size + _LARGEST_PADDING:
            return _view(_padded(values, padding), map_, grid, padding)
    places = [index_expression.evaluate(e, axis_values(grid)) for e in map_]
    return read_places(values, places, len(grid))


def write(target: Array, map_: Sequence[IndexExpression], grid: Grid, values: Array) -> None:
    """Put ``values`` (over ``grid``) into ``target`` at ``map_``: distinct places, all inside."""
    if any(start == stop for start, stop in grid):
        return
    if all(expression.is_affine for expression in map_):
        inside = [(0, 0)] * target.ndim
        assert _padding(target.shape, map_, grid) == inside
        view = _view(target, map_, grid, inside)
        view[...] = values
        return
    target[tuple(index_expression.evaluate(e, axis_values(grid)) for e in map_)] = values


def _first(expression: IndexExpression, grid: Grid) -> int:
    """The value at the start of every axis."""
    return expression.constant + sum(
        expression.coefficient(a) * grid[a][0] for a in expression.axes()
    )


def _padding(
    shape: Sequence[int], map_: Sequence[IndexExpression], grid: Grid
) -> list[tuple[int, int]]:
    """How far an affine map leads outside, before and after each axis."""
    padding = []
    for expression, size in zip(map_, shape, strict=True):
        start = _first(expression, grid)
        steps = [
            expression.coefficient(a) * (grid[a][1] - grid[a][0] - 1) for a in expression.axes()
        ]
        low = start + sum(step for step in steps if step < 0)
        high = start + sum(step for step in steps if step > 0)
        padding.append((max(0, -low), max(0, high - size + 1)))
    return padding


def _padded(values: Array, padding: Sequence[tuple[int, int]]) -> Array:
    """``values`` with poison around, or themselves."""
    if not any(before or after for before, after in padding):
        return values
    nothing = poison(np.zeros((), values.dtype), np.asarray(True))
    return np.pad(values, padding, constant_values=nothing.item())


def _view(
    values: Array,
    map_: Sequence[IndexExpression],
    grid: Grid,
    padding: Sequence[tuple[int, int]],
) -> Array:
    """The view of ``values``, which have been padded, that an affine map makes."""
    sizes = [stop - start for start, stop in grid]
    starts = [_first(e, grid) + before for e, (before, _) in zip(map_, padding, strict=True)]
    origin = values[tuple(slice(start, None) for start in starts)]
    strides = [
        sum(e.coefficient(a) * stride for e, stride in zip(map_, values.strides, strict=True))
        for a in range(len(grid))
    ]
    used = frozenset[int]().union(*(e.axes() for e in map_))
    shape = [size if a in used else 1 for a, size in enumerate(sizes)]
    return np.lib.stride_tricks.as_strided(origin, shape, strides)


def read_places(values: Array, places: Sequence[npt.NDArray[np.int64]], rank: int) -> Array:
    """``values`` at ``places`` (one array per axis, broadcastable), poisoned where outside."""
    outside = np.zeros((1,) * rank, np.bool_)
    clipped = []
    for place, size in zip(places, values.shape, strict=True):
        full = place.reshape((1,) * (rank - place.ndim) + place.shape)
        beyond = (full < 0) | (full >= size)
        if beyond.any():
            outside = outside | beyond
            full = np.clip(full, 0, size - 1)
        clipped.append(full)
    read = values[tuple(clipped)] if clipped else values.reshape((1,) * rank)
    return poison(read, outside) if outside.any() else read
