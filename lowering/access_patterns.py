"""How much memory the loads and stores of a kernel touch, and in how wide pieces."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

from lumc.dsl.index_expression import Atom, Axis, FloorDivide, IndexExpression, Modulo, value_range
from lumc.lowering.kernel_program import Load, Parameter, Store

LINE = 64
"""Bytes that memory is fetched in, at least."""


@dataclass(frozen=True, slots=True)
class Pattern:
    """The elements that one load or store touches over all points of its axes.

    ``distinct`` counts each once; ``waste`` is how many bytes are fetched for each byte of them
    where neighbours in memory are not wanted; ``strides`` are the elements that a step along each
    axis moves by (0 where the axis is not mentioned; a guess where it stands inside a quotient or
    remainder, or where the index is computed from data).
    """

    distinct: int
    waste: float
    strides: tuple[int, ...]
    atoms: int
    """Quotients and remainders to work out."""


def pattern(access: Load | Store, parameter: Parameter, sizes: Sequence[int]) -> Pattern:
    """The pattern of ``access`` to ``parameter`` over axes of these ``sizes``."""
    shape, strides = parameter.shape, parameter.strides
    return _pattern(access.index, shape, strides, parameter.dtype.bytes, tuple(sizes))


# A search prices thousands of kernels that read the same tensors in the same few ways.
@lru_cache(maxsize=1 << 14)
def _pattern(
    index: tuple[IndexExpression, ...],
    shape: tuple[int, ...],
    steps: tuple[int, ...],
    width: int,
    sizes: tuple[int, ...],
) -> Pattern:
    points = math.prod(sizes)
    runs: list[tuple[int, int]] = []
    strides = [0] * len(sizes)
    atoms = 0
    for expression, size, stride in zip(index, shape, steps, strict=True):
        count, step = _places(expression, sizes, size)
        runs.append((step * stride, count))
        for atom, factor in expression.terms:
            atoms += not isinstance(atom, Axis)
            for number, moved in _steps(atom, len(sizes), size):
                if number < len(sizes):
                    strides[number] += abs(factor * moved) * stride
    distinct = min(math.prod(count for _, count in runs), points)
    return Pattern(distinct, _waste(runs, width), tuple(strides), atoms)


def _places(expression: IndexExpression, sizes: Sequence[int], limit: int) -> tuple[int, int]:
    """How many values the index takes at most, and the distance of neighbouring ones."""
    if any(number >= len(sizes) for number in expression.axes()):
        return limit, 1  # computed from data
    if not expression.terms:
        return 1, 1
    low, high = value_range(expression, sizes)
    step = math.gcd(*(factor for _, factor in expression.terms))
    return min(limit, (high - low) // step + 1), step


def _steps(atom: Atom, rank: int, limit: int) -> list[tuple[int, int]]:
    """By how much a step along each axis moves an atom; a remainder's jumps back don't count."""
    match atom:
        case Axis(number):
            # What is read at a computed place may be anywhere.
            return [(number, 1)] if number < rank else []
        case FloorDivide(value, divisor):
            inner = [pair for a, c in value.terms for pair in _scaled(a, c, rank, limit)]
            return [(number, moved // divisor) for number, moved in inner]
        case Modulo(value, divisor):
            inner = [pair for a, c in value.terms for pair in _scaled(a, c, rank, limit)]
            return [(number, moved % divisor) for number, moved in inner]


def _scaled(atom: Atom, factor: int, rank: int, limit: int) -> list[tuple[int, int]]:
    return [(number, abs(factor * moved)) for number, moved in _steps(atom, rank, limit)]


def _waste(runs: Sequence[tuple[int, int]], width: int) -> float:
    """Bytes fetched a byte wanted, when places of these (distance, count) are touched."""
    span, wanted = 1, 1  # elements from first to last of a run, and those of them that are wanted
    for distance, count in sorted(runs):
        if count == 1 or distance == 0:
            continue
        if span * width >= LINE:
            break
        if distance > span and distance * width > LINE:
            # Runs lie in lines of their own.
            return LINE / (wanted * width)
        span += distance * (count - 1)
        wanted *= count
    return max(1.0, span / wanted) if wanted > 1 else 1.0
