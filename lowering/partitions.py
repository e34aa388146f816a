"""Tensors cut along the pieces of what they are made from.

A value that is computed from a placed tensor, piece by piece, never needs that tensor in memory:
each part of the value reads what was placed there. So the norm of a query and its rotation are one
kernel for the text and one for the picture, though the rotation is written for the whole sequence.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass

from lumc.dsl.index_expression import (
    Axis,
    IndexExpression,
    add,
    axis,
    constant,
    floor_divide,
    modulo,
    scale,
    substitute,
    value_range,
)
from lumc.dsl.reference import constant_nodes
from lumc.dsl.tensor_program import Cast, Elementwise, Piece, Place, TensorProgram, operands

LARGEST_PARTS = 8
"""Parts that a tensor is cut into at most."""

LONGEST_CHAIN = 48
"""Operations after a placed tensor that are still cut along its pieces."""


@dataclass(frozen=True, slots=True)
class Box:
    """A part of a tensor: a space, and where each of its points is in the tensor."""

    space: tuple[int, ...]
    place: tuple[IndexExpression, ...]
    names: tuple[str, ...]


Partition = tuple[Box, ...]


def find_partitions(program: TensorProgram) -> dict[int, Partition]:
    """A way to cut each tensor that is computed from placed ones, where there is one.

    For a placed tensor itself: its pieces, cut along the pieces of what they are made from.
    """
    found: dict[int, Partition] = {}
    # How values cut those that are computed from them, and after how many operations.
    passed: dict[int, tuple[Partition, int]] = {}
    constants = constant_nodes(program)
    for number, node in enumerate(program.nodes):
        if constants[number]:
            continue
        if isinstance(node, Place):
            boxes = tuple(box for piece in node.pieces for box in _cut_piece(piece, passed))
            if len(node.pieces) < len(boxes) <= LARGEST_PARTS:
                found[number] = boxes
            own = tuple(Box(p.space, p.destination, p.axis_names) for p in node.pieces)
            if len(own) <= LARGEST_PARTS:
                passed[number] = own, 0
        elif isinstance(node, Elementwise | Cast):
            for operand, _ in operands(node):
                if operand.node not in passed or passed[operand.node][1] >= LONGEST_CHAIN:
                    continue
                boxes_there, length = passed[operand.node]
                pulled = _pull_back(boxes_there, operand.map, node.space, node.axis_names)
                if pulled is not None:
                    found[number] = pulled
                    passed[number] = pulled, length + 1
                    break
    return found


def _cut_piece(piece: Piece, passed: dict[int, tuple[Partition, int]]) -> Partition:
    whole = Box(piece.space, piece.destination, piece.axis_names)
    if piece.operand.node not in passed:
        return (whole,)
    there, _ = passed[piece.operand.node]
    pulled = _pull_back(there, piece.operand.map, piece.space, piece.axis_names)
    if pulled is None:
        return (whole,)
    return tuple(
        Box(
            box.space,
            tuple(substitute(entry, box.place, box.space) for entry in piece.destination),
            box.names,
        )
        for box in pulled
    )


def _pull_back(
    partition: Partition,
    read: Sequence[IndexExpression],
    space: tuple[int, ...],
    names: tuple[str, ...],
) -> Partition | None:
    """The parts of a reader's space that read one box each, or None where it is not so simple."""
    boxes = [_pull_back_box(box, read, space, names) for box in partition]
    pulled = tuple(box for box in boxes if box is not None)
    if len(pulled) < len(boxes) or not _fill(pulled, space):
        return None
    whole = tuple(axis(n) for n in range(len(space)))
    return None if all(box.place == whole for box in pulled) else pulled


def _fill(partition: Partition, space: tuple[int, ...]) -> bool:
    """Whether parts that do not meet lie in ``space`` and are all of it.

    They are not where a reader reads less than all of a tensor, or reaches outside behind a guard.
    """
    inside = all(
        _stays_inside(entry, box.space, size)
        for box in partition
        for entry, size in zip(box.place, space, strict=True)
    )
    return inside and sum(math.prod(box.space) for box in partition) == math.prod(space)


def _pull_back_box(
    box: Box, read: Sequence[IndexExpression], space: tuple[int, ...], names: tuple[str, ...]
) -> Box | None:
    replaced: dict[int, IndexExpression] = {}
    for entry, wanted in zip(box.place, read, strict=True):
        bare = entry.bare_axis
        axis_read = wanted.bare_axis
        if bare is not None and (axis_read is None or space[axis_read] == box.space[bare]):
            if axis_read is None and not _stays_inside(wanted, space, box.space[bare]):
                return None
            continue
        if axis_read is None or axis_read in replaced:
            return None
        replaced[axis_read] = entry
    sizes: list[int] = []
    labels: list[str] = []
    place: list[IndexExpression] = []
    for number, size in enumerate(space):
        label = names[number] if number < len(names) else ""
        if number not in replaced:
            place.append(axis(len(sizes)))
            sizes.append(size)
            labels.append(label)
            continue
        entry = replaced[number]
        moved = constant(entry.constant)
        for atom, factor in entry.terms:
            if not isinstance(atom, Axis):
                return None
            moved = add(moved, scale(axis(len(sizes)), factor))
            sizes.append(box.space[atom.number])
            labels.append(box.names[atom.number] if atom.number < len(box.names) else label)
        place.append(moved)
    return Box(tuple(sizes), tuple(place), tuple(labels))


def _stays_inside(entry: IndexExpression, space: Sequence[int], size: int) -> bool:
    low, high = value_range(entry, space)
    return low >= 0 and high < size


def solve(
    place: Sequence[IndexExpression],
    space: Sequence[int],
    wanted: Sequence[IndexExpression],
    sizes: Sequence[int],
) -> tuple[IndexExpression, ...] | None:
    """The point of a piece that is written where ``wanted`` is, over axes of the given ``sizes``.

    ``place`` says where each point of the piece's ``space`` goes. None where ``wanted`` is not
    shown to lie in the piece throughout.
    """
    found: dict[int, IndexExpression] = {}
    for entry, target in zip(place, wanted, strict=True):
        rest = add(target, constant(entry.constant), -1)
        for atom, factor in sorted(entry.terms, key=lambda term: -term[1]):
            if not isinstance(atom, Axis) or factor <= 0 or atom.number in found:
                return None
            digit = floor_divide(rest, factor, sizes)
            rest = modulo(rest, factor, sizes)
            low, high = value_range(digit, sizes)
            if low < 0 or high >= space[atom.number]:
                return None
            found[atom.number] = digit
        if rest != constant(0):
            return None
    if any(n not in found and size > 1 for n, size in enumerate(space)):
        return None
    return tuple(found.get(n, constant(0)) for n in range(len(space)))
