"""Tensors cut to the parts of them that something reads.

What nobody reads is not computed: the rows of a last block that no output needs, the positions that
a later slice drops. A tensor of which one reader needs these rows of some columns and another those
rows of others becomes several. Inputs, weights and tensors with writes at computed places stay
whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    substitute,
    value_range,
)
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Piece,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)
from lumc.lowering.boxes import Box, Span, around, holds, separated, sizes, whole
from lumc.lowering.rewriting import ProgramRewriter
from lumc.lowering.views import UNBOUNDED

Parts = tuple[Box, ...]
"""The boxes that a tensor is cut into; none where nothing of it is read."""


@dataclass(frozen=True, slots=True)
class Cut:
    """A program whose tensors were cut, and for each of its nodes the one that it is a part of."""

    program: TensorProgram
    origins: tuple[int, ...]


def narrow(program: TensorProgram) -> TensorProgram:
    """``program`` with each tensor no larger than the boxes around what is read of it."""
    return cut(program, _needs(program)).program


def cut(program: TensorProgram, parts: Sequence[Parts]) -> Cut:
    """``program`` with each node over each of its ``parts``.

    What reads a node must read one of its parts only. Inputs and weights stay as they are.
    """
    rewriter = _Narrower(program)
    for number, boxes in enumerate(parts):
        rewriter.add_parts(number, boxes)
    outputs = tuple(
        dataclasses.replace(output, operand=rewriter.operand(output.operand, whole(output.shape)))
        for output in program.outputs
    )
    made = dataclasses.replace(
        program,
        nodes=tuple(rewriter.nodes),
        inputs=tuple(rewriter.numbers[n] for n in program.inputs),
        weights=tuple(rewriter.numbers[n] for n in program.weights),
        outputs=outputs,
    )
    origins: dict[int, int] = {}
    for number, found in enumerate(rewriter.parts):
        for _, new in found:
            origins.setdefault(new, number)
    return Cut(made, tuple(origins[n] for n in range(len(made.nodes))))


def _shifted(entry: IndexExpression, box: Box, extra: int = 0) -> IndexExpression:
    """``entry`` over axes that begin at 0 where those of ``box`` begin."""
    moved = [add(axis(n), constant(first)) for n, (first, _) in enumerate(box)]
    moved += [axis(len(box) + n) for n in range(extra)]
    return substitute(entry, moved, sizes(box) + (UNBOUNDED,) * extra)


# --------------------------------------------------------------------------------- what is needed


def _needs(program: TensorProgram) -> list[Parts]:
    """For each node the boxes around what is read of it."""
    found: list[Parts] = [()] * len(program.nodes)
    boxes: list[list[Box]] = [[] for _ in program.nodes]

    def read(operand: Operand, box: Box, computed: int = 0) -> None:
        space = program.nodes[operand.node].space
        boxes[operand.node].append(touched(operand, box, space, computed))

    for output in program.outputs:
        read(output.operand, whole(output.shape))
    for number in reversed(range(len(program.nodes))):
        node = program.nodes[number]
        if boxes[number]:
            found[number] = _possible(node, boxes[number])
        for need in found[number]:
            match node:
                case Input() | Weight() | Constant() | IndexValue():
                    pass
                case Elementwise(_, operands):
                    for operand in operands:
                        read(operand, need)
                case Cast(operand):
                    read(operand, need)
                case Reduce(_, operand):
                    read(operand, need + whole(node.reduced))
                case Gather(base, indices):
                    read(base, need, len(indices))
                    for operand in indices:
                        read(operand, need)
                case Place(pieces):
                    for piece in pieces:
                        part = _piece_box(piece, need)
                        if part is not None:
                            read(piece.operand, part)
                case Scatter():
                    read(node.initial, need)
                    for operand in (node.value, *node.indices):
                        read(operand, whole(node.source_space))
    return found


def touched(operand: Operand, box: Box, space: Sequence[int], computed: int = 0) -> Box:
    """The part of a tensor of size ``space`` that is read over ``box``."""
    return tuple(
        _touched_span(entry, box, size, computed)
        for entry, size in zip(operand.map, space, strict=True)
    )


def _touched_span(entry: IndexExpression, box: Box, size: int, computed: int) -> Span:
    if any(n >= len(box) for n in entry.axes()):
        return 0, size - 1
    low, high = value_range(_shifted(entry, box, computed), sizes(box))
    low, high = max(0, low), min(size - 1, high)
    # A guarded read may lie outside altogether; then any place will do.
    return (low, high) if low <= high else (0, 0)


def _possible(node: Node, boxes: Sequence[Box]) -> Parts:
    """The smallest boxes that the node can be cut to, such that each of ``boxes`` is in one."""
    match node:
        case Elementwise() | Cast() | Reduce() | Gather():
            return separated(boxes)
        case Place(pieces):
            need = tuple(
                span if all(_can_cut(piece, n, span) for piece in pieces) else (0, size - 1)
                for n, (span, size) in enumerate(zip(around(boxes), node.space, strict=True))
            )
            return (need,)
        case _:
            return (whole(node.space),)


def _can_cut(piece: Piece, number: int, span: Span) -> bool:
    """Whether a piece can be cut to what lies in ``span`` along an axis of the placed tensor."""
    entry = piece.destination[number]
    low, high = value_range(entry, piece.space)
    if high < span[0] or low > span[1] or (span[0] <= low and high <= span[1]):
        return True
    return add(entry, constant(-entry.constant)).bare_axis is not None


def _piece_box(piece: Piece, need: Box) -> Box | None:
    """The part of a piece that goes to ``need``; None if nothing does."""
    box = list(whole(piece.space))
    for entry, (first, last) in zip(piece.destination, need, strict=True):
        low, high = value_range(entry, piece.space)
        if high < first or low > last:
            return None
        bare = add(entry, constant(-entry.constant)).bare_axis
        if bare is not None:
            start, stop = box[bare]
            box[bare] = max(start, first - entry.constant), min(stop, last - entry.constant)
    return tuple(box) if all(a <= b for a, b in box) else None


# -------------------------------------------------------------------------------------- rewriting


class _Narrower(ProgramRewriter):
    def __init__(self, program: TensorProgram) -> None:
        super().__init__(program)
        self.parts: list[tuple[tuple[Box, int], ...]] = []
        """For each old node its parts that were made, and the new nodes that they are."""

    def add_parts(self, number: int, needs: Sequence[Box]) -> None:
        """Make node ``number`` over each of the boxes; inputs and weights are there anyhow."""
        node = self.program.nodes[number]
        if isinstance(node, Input | Weight):
            self.numbers[number] = self.add(node)
            self.parts.append(((whole(node.space), self.numbers[number]),))
            return
        self.parts.append(tuple((need, self.add(self.narrowed(node, need))) for need in needs))

    def operand(self, operand: Operand, box: Box, computed: int = 0) -> Operand:
        """``operand``, read over ``box``, where its tensor now is."""
        space = self.program.nodes[operand.node].space
        read = touched(operand, box, space, computed)
        need, number = next(part for part in self.parts[operand.node] if holds(part[0], read))
        entries = tuple(
            add(_shifted(entry, box, computed), constant(-first))
            for entry, (first, _) in zip(operand.map, need, strict=True)
        )
        return Operand(number, entries)

    def narrowed(self, node: Node, need: Box) -> Node:
        """``node`` over the box ``need``."""
        space = sizes(need)
        match node:
            case Input() | Weight() | Constant() | IndexValue():
                return node
            case Elementwise():
                read = tuple(self.operand(o, need) for o in node.operands)
                return dataclasses.replace(node, operands=read, space=space)
            case Cast():
                return dataclasses.replace(
                    node, operand=self.operand(node.operand, need), space=space
                )
            case Reduce():
                full = need + whole(node.reduced)
                return dataclasses.replace(
                    node, operand=self.operand(node.operand, full), space=space
                )
            case Gather():
                return dataclasses.replace(
                    node,
                    base=self.operand(node.base, need, len(node.indices)),
                    indices=tuple(self.operand(o, need) for o in node.indices),
                    space=space,
                )
            case Place():
                parts = tuple(self._piece(piece, need) for piece in node.pieces)
                kept = tuple(piece for piece in parts if piece is not None)
                return dataclasses.replace(node, pieces=kept, space=space)
            case Scatter():
                source = whole(node.source_space)
                return dataclasses.replace(
                    node,
                    initial=self.operand(node.initial, need),
                    value=self.operand(node.value, source),
                    indices=tuple(self.operand(o, source) for o in node.indices),
                )

    def _piece(self, piece: Piece, need: Box) -> Piece | None:
        box = _piece_box(piece, need)
        if box is None:
            return None
        destination = tuple(
            add(_shifted(entry, box), constant(-first))
            for entry, (first, _) in zip(piece.destination, need, strict=True)
        )
        return dataclasses.replace(
            piece,
            space=sizes(box),
            destination=destination,
            operand=self.operand(piece.operand, box),
        )
