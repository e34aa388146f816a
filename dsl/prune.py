"""Drop the nodes that no output needs."""

from __future__ import annotations

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
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
    operands,
)


def prune(program: TensorProgram) -> TensorProgram:
    """The program without dead nodes; every input stays. Weights are listed as they are read."""
    needed = {output.operand.node for output in program.outputs} | set(program.inputs)
    for number in range(len(program.nodes) - 1, -1, -1):
        if number in needed:
            needed.update(operand.node for operand, _ in operands(program.nodes[number]))
    kept = sorted(needed)
    renumbered = {old: new for new, old in enumerate(kept)}
    nodes = tuple(_renumber(program.nodes[old], renumbered) for old in kept)
    return replace(
        program,
        nodes=nodes,
        inputs=tuple(renumbered[number] for number in program.inputs),
        weights=tuple(k for k, node in enumerate(nodes) if isinstance(node, Weight)),
        outputs=tuple(
            replace(output, operand=_moved(output.operand, renumbered))
            for output in program.outputs
        ),
    )


def _moved(operand: Operand, renumbered: dict[int, int]) -> Operand:
    return Operand(renumbered[operand.node], operand.map)


def _renumber(node: Node, renumbered: dict[int, int]) -> Node:
    def moved(operand: Operand) -> Operand:
        return Operand(renumbered[operand.node], operand.map)

    match node:
        case Input() | Weight() | Constant() | IndexValue():
            return node
        case Elementwise():
            return replace(node, operands=tuple(map(moved, node.operands)))
        case Cast() | Reduce():
            return replace(node, operand=moved(node.operand))
        case Gather():
            indices = tuple(map(moved, node.indices))
            return replace(node, base=moved(node.base), indices=indices)
        case Place():
            pieces = tuple(replace(piece, operand=moved(piece.operand)) for piece in node.pieces)
            return replace(node, pieces=pieces)
        case Scatter():
            return replace(
                node,
                initial=moved(node.initial),
                value=moved(node.value),
                indices=tuple(map(moved, node.indices)),
            )
        case _:
            assert_never(node)
