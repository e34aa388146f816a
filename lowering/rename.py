"""Nodes with their operands replaced."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
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
    Weight,
)

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
