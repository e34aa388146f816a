"""Tensors cut to the part of them that something reads.

What nobody reads is not computed: the rows of a last block that no output needs, the positions that
a later slice drops. Inputs, weights and tensors with writes at computed places stay whole.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence

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
from lumc.lowering.rewriting import ProgramRewriter
from lumc.lowering.views import UNBOUNDED

Span = tuple[int, int]
"""The first and the last position along an axis."""

Box = tuple[Span, ...]


def narrow(program: TensorProgram) -> TensorProgram:
    """``program`` with each tensor no larger than the box around what is read of it."""
    needs = _needs(program)
    rewriter = _Narrower(program, needs)
    for number, need in enumerate(needs):
        if need is not None or isinstance(program.nodes[number], Input | Weight):
            rewriter.numbers[number] = rewriter.add(rewriter.narrowed(number))
    outputs = tuple(
        dataclasses.replace(output, operand=rewriter.operand(output.operand, _whole(output.shape)))
        for output in program.outputs
    )
    return dataclasses.replace(
        program,
        nodes=tuple(rewriter.nodes),
        inputs=tuple(rewriter.numbers[n] for n in program.inputs),
        weights=tuple(rewriter.numbers[n] for n in program.weights),
        outputs=outputs,
    )


def _whole(space: Sequence[int]) -> Box:
    return tuple((0, size - 1) for size in space)


def _sizes(box: Box) -> tuple[int, ...]:
    return tuple(last - first + 1 for first, last in box)


def _shifted(entry: IndexExpression, box: Box, extra: int = 0) -> IndexExpression:
    """``entry`` over axes that begin at 0 where those of ``box`` begin."""
    moved = [add(axis(n), constant(first)) for n, (first, _) in enumerate(box)]
    moved += [axis(len(box) + n) for n in range(extra)]
    return substitute(entry, moved, _sizes(box) + (UNBOUNDED,) * extra)


def _join(left: Box | None, right: Box) -> Box:
    if left is None:
        return right
    return tuple((min(a, c), max(b, d)) for (a, b), (c, d) in zip(left, right, strict=True))


# --------------------------------------------------------------------------------- what is needed


def _needs(program: TensorProgram) -> list[Box | None]:
    """For each node the box that is read of it; None where nothing is."""
    needs: list[Box | None] = [None] * len(program.nodes)

    def read(operand: Operand, box: Box, computed: int = 0) -> None:
        space = program.nodes[operand.node].space
        touched = tuple(
            _touched(entry, box, size, computed)
            for entry, size in zip(operand.map, space, strict=True)
        )
        needs[operand.node] = _join(needs[operand.node], touched)

    for output in program.outputs:
        read(output.operand, _whole(output.shape))
    for number in reversed(range(len(program.nodes))):
        node, need = program.nodes[number], needs[number]
        if need is None:
            continue
        need = needs[number] = _possible(node, need)
        match node:
            case Input() | Weight() | Constant() | IndexValue():
                pass
            case Elementwise(_, operands):
                for operand in operands:
                    read(operand, need)
            case Cast(operand):
                read(operand, need)
            case Reduce(_, operand):
                read(operand, need + _whole(node.reduced))
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
                    read(operand, _whole(node.source_space))
    return needs


def _touched(entry: IndexExpression, box: Box, size: int, computed: int) -> Span:
    if any(n >= len(box) for n in entry.axes()):
        return 0, size - 1
    low, high = value_range(_shifted(entry, box, computed), _sizes(box))
    low, high = max(0, low), min(size - 1, high)
    # A guarded read may lie outside altogether; then any place will do.
    return (low, high) if low <= high else (0, 0)


def _possible(node: Node, need: Box) -> Box:
    """The smallest box around ``need`` that the node can be cut to."""
    whole = _whole(node.space)
    match node:
        case Elementwise() | Cast() | Reduce() | Gather():
            return need
        case Place(pieces):
            return tuple(
                span if all(_can_cut(piece, n, span) for piece in pieces) else whole[n]
                for n, span in enumerate(need)
            )
        case _:
            return whole


def _can_cut(piece: Piece, number: int, span: Span) -> bool:
    """Whether a piece can be cut to what lies in ``span`` along an axis of the placed tensor."""
    entry = piece.destination[number]
    low, high = value_range(entry, piece.space)
    if high < span[0] or low > span[1] or (span[0] <= low and high <= span[1]):
        return True
    return add(entry, constant(-entry.constant)).bare_axis is not None


def _piece_box(piece: Piece, need: Box) -> Box | None:
    """The part of a piece that goes to ``need``; None if nothing does."""
    box = list(_whole(piece.space))
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
    def __init__(self, program: TensorProgram, needs: list[Box | None]) -> None:
        super().__init__(program)
        self.needs = needs

    def operand(self, operand: Operand, box: Box, computed: int = 0) -> Operand:
        """``operand``, read over ``box``, where its tensor now is."""
        need = self.needs[operand.node]
        assert need is not None
        entries = tuple(
            add(_shifted(entry, box, computed), constant(-first))
            for entry, (first, _) in zip(operand.map, need, strict=True)
        )
        return Operand(self.numbers[operand.node], entries)

    def narrowed(self, number: int) -> Node:
        """Node ``number`` over the box that is needed of it."""
        node, need = self.program.nodes[number], self.needs[number]
        if need is None:
            return node
        space = _sizes(need)
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
                full = need + _whole(node.reduced)
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
                source = _whole(node.source_space)
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
            space=_sizes(box),
            destination=destination,
            operand=self.operand(piece.operand, box),
        )
