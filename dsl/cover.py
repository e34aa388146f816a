"""Do pieces cover a tensor exactly, each element once? Used by elaboration and the verifier.

A piece is the sizes of its axes and one index expression over them per axis of the tensor.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lumc.dsl import limits
from lumc.dsl.index_expression import Axis, IndexExpression, evaluate, value_range


@dataclass(frozen=True, slots=True)
class Footprint:
    """The elements that a piece defines."""

    sizes: tuple[int, ...]
    destination: tuple[IndexExpression, ...]

    @property
    def volume(self) -> int:
        """The number of points, which is the number of elements if none is defined twice."""
        return math.prod(self.sizes)

    def ranges(self) -> list[tuple[int, int]]:
        """The least and greatest place on each axis."""
        return [value_range(place, self.sizes) for place in self.destination]


@dataclass(frozen=True, slots=True)
class Flaw:
    """What is wrong: ``piece`` (and ``other``) in the order given, ``place`` where known."""

    kind: str
    """``outside``, ``twice``, ``overlap`` or ``hole``."""
    piece: int = 0
    other: int = 0
    place: tuple[int, ...] | None = None


def find_flaw(shape: Sequence[int], pieces: Sequence[Footprint]) -> Flaw | None:
    """The first reason why the pieces do not cover ``shape`` exactly, or None."""
    ranges = [piece.ranges() for piece in pieces]
    for number, ends in enumerate(ranges):
        if any(low < 0 or high >= size for (low, high), size in zip(ends, shape, strict=True)):
            return Flaw("outside", number)
    unproved = _first_unproved(pieces, ranges)
    complete = sum(piece.volume for piece in pieces) == math.prod(shape)
    if unproved is None and complete:
        return None
    exact = _compare_elements(shape, pieces)
    if exact is not None:
        return exact[0]
    return unproved or Flaw("hole")


Ranges = list[tuple[int, int]]


def _first_unproved(pieces: Sequence[Footprint], ranges: Sequence[Ranges]) -> Flaw | None:
    """The first piece, or pair of pieces, for which no general argument is found."""
    for number, piece in enumerate(pieces):
        if not is_injective(piece):
            return Flaw("twice", number)
    for count, (number, other) in enumerate(_near_pairs(ranges)):
        if count > limits.PIECE_PAIRS or not _differ_by_remainder(pieces[number], pieces[other]):
            return Flaw("overlap", max(number, other), min(number, other))
    return None


def _near_pairs(ranges: Sequence[Ranges]) -> Iterator[tuple[int, int]]:
    """The pairs of pieces whose ranges meet on every axis.

    Found by a sweep along the axis that separates most.
    """
    rank = len(ranges[0])
    if rank == 0:
        yield from itertools.combinations(range(len(ranges)), 2)
        return
    along = max(range(rank), key=lambda k: len({ends[k][0] for ends in ranges}))
    active: list[int] = []
    for number in sorted(range(len(ranges)), key=lambda k: ranges[k][along][0]):
        start = ranges[number][along][0]
        active = [other for other in active if ranges[other][along][1] >= start]
        for other in active:
            if _ranges_meet(ranges[number], ranges[other]):
                yield number, other
        active.append(number)


def _ranges_meet(left: Ranges, right: Ranges) -> bool:
    pairs = zip(left, right, strict=True)
    return all(
        low <= other_high and other_low <= high for (low, high), (other_low, other_high) in pairs
    )


def is_injective(piece: Footprint) -> bool:
    """True if no two points of the piece have one place, by mixed radix; False if unknown."""
    seen: set[int] = set()
    for place in piece.destination:
        if not place.is_affine:
            return False
        reach = 0
        terms = [(abs(c), atom.number) for atom, c in place.terms if isinstance(atom, Axis)]
        for coefficient, number in sorted(terms):
            if piece.sizes[number] == 1:
                continue
            if coefficient <= reach or number in seen:
                return False
            reach += coefficient * (piece.sizes[number] - 1)
            seen.add(number)
    return all(number in seen or size <= 1 for number, size in enumerate(piece.sizes))


def _differ_by_remainder(left: Footprint, right: Footprint) -> bool:
    """True if on some axis the places of the pieces never have one remainder; else unknown."""
    for x, y in zip(left.destination, right.destination, strict=True):
        step = math.gcd(*(coefficient for _, coefficient in x.terms + y.terms))
        if step > 1 and (x.constant - y.constant) % step:
            return True
    return False


def _compare_elements(
    shape: Sequence[int], pieces: Sequence[Footprint]
) -> tuple[Flaw | None] | None:
    """The exact answer, element by element, if that is not too much work; else None."""
    total = math.prod(shape)
    if max(total, sum(piece.volume for piece in pieces)) > limits.EXHAUSTIVE_CHECK:
        return None
    owner = np.full(total, -1, np.int32)
    for number, piece in enumerate(pieces):
        places = _flat_places(shape, piece)
        unique, counts = np.unique(places, return_counts=True)
        if (counts > 1).any():
            return (Flaw("twice", number, number, _place(shape, unique[counts > 1][0])),)
        taken = unique[owner[unique] >= 0]
        if taken.size:
            other = int(owner[taken[0]])
            return (Flaw("overlap", number, other, _place(shape, taken[0])),)
        owner[unique] = number
    holes = np.flatnonzero(owner < 0)
    return (Flaw("hole", place=_place(shape, holes[0])) if holes.size else None,)


def _flat_places(shape: Sequence[int], piece: Footprint) -> npt.NDArray[np.int64]:
    points = np.indices(piece.sizes, dtype=np.int64).reshape(len(piece.sizes), piece.volume)
    flat = np.zeros(piece.volume, np.int64)
    for place, size in zip(piece.destination, shape, strict=True):
        flat = flat * size + evaluate(place, list(points))
    return flat


def _place(shape: Sequence[int], flat: np.int64) -> tuple[int, ...]:
    return tuple(int(index) for index in np.unravel_index(flat, tuple(shape)))
