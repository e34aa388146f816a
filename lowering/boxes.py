"""Boxes of positions: the parts of tensors that are read."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from itertools import pairwise

Span = tuple[int, int]
"""The first and the last position along an axis."""

Box = tuple[Span, ...]

LEAST_SAVING = 1 / 32
"""The part of a box that must be spared before it is cut: every part is made on its own."""


def whole(space: Sequence[int]) -> Box:
    """The box of all positions of ``space``."""
    return tuple((0, size - 1) for size in space)


def sizes(box: Box) -> tuple[int, ...]:
    """The number of positions along each axis."""
    return tuple(last - first + 1 for first, last in box)


def around(boxes: Iterable[Box]) -> Box:
    """The smallest box that holds all of ``boxes``, of which there is at least one."""
    spans = zip(*boxes, strict=True)
    return tuple((min(a for a, _ in axis), max(b for _, b in axis)) for axis in map(tuple, spans))


def holds(outer: Box, inner: Box) -> bool:
    """Whether ``inner`` lies in ``outer``."""
    return all(a <= c and d <= b for (a, b), (c, d) in zip(outer, inner, strict=True))


def separated(boxes: Sequence[Box]) -> tuple[Box, ...]:
    """Boxes that do not meet, each of ``boxes`` in one of them, with few positions beside those.

    They follow each other along one axis. There is more than one only where that spares much.
    """
    best: tuple[Box, ...] = (around(boxes),)
    for number in range(len(best[0])):
        parts = _merged(along(boxes, number))
        if _volume(parts) < _volume(best):
            best = parts
    return best


def along(boxes: Sequence[Box], number: int) -> list[Box]:
    """The boxes around those of ``boxes`` that meet along one axis, in order."""
    found: list[Box] = []
    for box in sorted(dict.fromkeys(boxes), key=lambda box: box[number]):
        if found and box[number][0] <= found[-1][number][1]:
            found[-1] = around((found[-1], box))
        else:
            found.append(box)
    return found


def _merged(parts: list[Box]) -> tuple[Box, ...]:
    """Neighbours put together as long as that adds little."""
    little = LEAST_SAVING * _volume((around(parts),))
    while len(parts) > 1:
        added = [_volume((around(pair),)) - _volume(pair) for pair in pairwise(parts)]
        least = min(range(len(added)), key=added.__getitem__)
        if added[least] > little:
            break
        parts[least : least + 2] = [around(parts[least : least + 2])]
    return tuple(parts)


def _volume(boxes: Iterable[Box]) -> int:
    return sum(math.prod(sizes(box)) for box in boxes)
