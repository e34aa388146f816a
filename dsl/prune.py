"""From all nodes that were built to a program: only what the outputs need, with its labels."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import replace
from typing import assert_never

from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Origin,
    Output,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
    operands,
)


def prune(
    name: str,
    nodes: Sequence[Node],
    labels: Mapping[int, str],
    inputs: Sequence[int],
    outputs: Sequence[Output],
    parameters: tuple[tuple[str, str], ...],
) -> TensorProgram:
    """The program of the nodes that an output needs, and of every input.

    ``labels`` are the author's names for nodes that carry none.
    """
    needed = {output.operand.node for output in outputs} | set(inputs)
    for number in range(len(nodes) - 1, -1, -1):
        if number in needed:
            needed.update(operand.node for operand, _ in operands(nodes[number]))
    renumbered: dict[int, int] = {}
    kept: list[Node] = []
    for number in sorted(needed):
        renumbered[number] = len(kept)
        kept.append(_renumber(nodes[number], renumbered, labels.get(number)))
    return TensorProgram(
        name,
        tuple(kept),
        tuple(renumbered[number] for number in inputs),
        tuple(number for number, node in enumerate(kept) if isinstance(node, Weight)),
        tuple(replace(output, operand=_moved(output.operand, renumbered)) for output in outputs),
        parameters,
    )


def _moved(operand: Operand, renumbered: Mapping[int, int]) -> Operand:
    return Operand(renumbered[operand.node], operand.map)


def _renumber(node: Node, renumbered: Mapping[int, int], label: str | None) -> Node:
    old = node.origin
    origin = old if label is None else Origin(old.span, label, old.path)

    def moved(operand: Operand) -> Operand:
        return Operand(renumbered[operand.node], operand.map)

    # Written out where nodes are many: dataclasses.replace is slow.
    match node:
        case Elementwise(op, arguments, space, dtype, names):
            return Elementwise(op, tuple(map(moved, arguments)), space, dtype, names, origin)
        case Cast(operand, space, dtype, names):
            return Cast(moved(operand), space, dtype, names, origin)
        case Reduce(op, operand, space, reduced, dtype, names):
            return Reduce(op, moved(operand), space, reduced, dtype, names, origin)
        case Input() | Weight() | Constant() | IndexValue():
            return node if label is None else replace(node, origin=origin)
        case Gather():
            indices = tuple(map(moved, node.indices))
            return replace(node, base=moved(node.base), indices=indices, origin=origin)
        case Place():
            pieces = tuple(replace(piece, operand=moved(piece.operand)) for piece in node.pieces)
            return replace(node, pieces=pieces, origin=origin)
        case Scatter():
            return replace(
                node,
                initial=moved(node.initial),
                value=moved(node.value),
                indices=tuple(map(moved, node.indices)),
                origin=origin,
            )
        case _:
            assert_never(node)
