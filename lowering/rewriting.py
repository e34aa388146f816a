"""What passes over tensor programs share: nodes with operands replaced, programs made anew."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from typing import assert_never

from lumc.dsl.index_expression import IndexExpression, axis
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
)


class ProgramRewriter:
    """Makes a program anew, node by node; equal nodes become one.

    ``numbers`` says which new node stands for each old one.
    """

    def __init__(self, program: TensorProgram) -> None:
        """Begin with nothing."""
        self.program = program
        self.nodes: list[Node] = []
        self.numbers: dict[int, int] = {}
        self._known: dict[Node, int] = {}

    def add(self, node: Node) -> int:
        """The number of ``node``, whose operands are new nodes."""
        if node not in self._known:
            self._known[node] = len(self.nodes)
            self.nodes.append(node)
        return self._known[node]

    def moved(self, number: int) -> Node:
        """Old node ``number`` with its operands replaced by the nodes that stand for them."""
        return with_nodes(self.program.nodes[number], self.numbers.__getitem__)

    def result(self) -> TensorProgram:
        """The program with its nodes replaced."""
        old = self.program
        outputs = tuple(
            dataclasses.replace(o, operand=Operand(self.numbers[o.operand.node], o.operand.map))
            for o in old.outputs
        )
        return dataclasses.replace(
            old,
            nodes=tuple(self.nodes),
            inputs=tuple(self.numbers[n] for n in old.inputs),
            weights=tuple(self.numbers[n] for n in old.weights),
            outputs=outputs,
        )


def identity(rank: int) -> tuple[IndexExpression, ...]:
    """The map that reads a tensor at its own axes."""
    return tuple(axis(n) for n in range(rank))


Replace = Callable[[Operand], Operand]


def with_operands(node: Node, replace: Replace) -> Node:
    """``node`` with every operand replaced."""
    match node:
        case Input() | Weight() | Constant() | IndexValue():
            return node
        case Elementwise():
            return dataclasses.replace(node, operands=tuple(map(replace, node.operands)))
        case Cast() | Reduce():
            return dataclasses.replace(node, operand=replace(node.operand))
        case Gather():
            return dataclasses.replace(
                node, base=replace(node.base), indices=tuple(map(replace, node.indices))
            )
        case Place():
            pieces = tuple(
                dataclasses.replace(piece, operand=replace(piece.operand)) for piece in node.pieces
            )
            return dataclasses.replace(node, pieces=pieces)
        case Scatter():
            return dataclasses.replace(
                node,
                initial=replace(node.initial),
                value=replace(node.value),
                indices=tuple(map(replace, node.indices)),
            )
        case _:
            assert_never(node)


def with_nodes(node: Node, number: Callable[[int], int]) -> Node:
    """``node`` with the node numbers of its operands replaced."""
    return with_operands(node, lambda o: Operand(number(o.node), o.map))
