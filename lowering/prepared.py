"""What depends on weights alone, computed once after they are loaded.

Only small values are: a copy of a large weight would cost more memory than its computation time.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from lumc.dsl.tensor_program import (
    Constant,
    IndexValue,
    Input,
    Node,
    Operand,
    Output,
    TensorProgram,
    Weight,
    operands,
)
from lumc.lowering.memory import stored_dtypes
from lumc.lowering.rewriting import ProgramRewriter, identity

LARGEST_PREPARED = 1 << 22
"""Elements of a value that is computed from weights and kept."""


@dataclass(frozen=True, slots=True)
class Split:
    """A program cut in two: ``once`` after the weights are loaded, ``every`` step.

    An output of ``once`` is an input node of ``every`` of the same name, which is not among the
    inputs of that program.
    """

    once: TensorProgram
    every: TensorProgram


def split_prepared(program: TensorProgram) -> Split:
    """Cut ``program``. Input nodes that are not among its inputs are there from the beginning."""
    early = _early(program)
    wanted = _wanted(program, early)
    dtypes = stored_dtypes(program)
    outputs = tuple(
        Output(
            _name(n),
            Operand(n, identity(len(program.nodes[n].space))),
            program.nodes[n].space,
            dtypes[n],
            program.nodes[n].axis_names,
        )
        for n in wanted
    )
    rewriter = ProgramRewriter(program)
    for number, node in enumerate(program.nodes):
        if number in wanted:
            leaf = Input(_name(number), node.space, dtypes[number], node.axis_names, node.origin)
            rewriter.numbers[number] = rewriter.add(leaf)
        else:
            rewriter.numbers[number] = rewriter.add(rewriter.moved(number))
    once = dataclasses.replace(program, inputs=(), outputs=outputs)
    return Split(once, rewriter.result())


def _name(number: int) -> str:
    return f"prepared {number}"


def _early(program: TensorProgram) -> list[bool]:
    """For each node whether it is small and needs no input of a step."""
    found: list[bool] = []
    for number, node in enumerate(program.nodes):
        table = isinstance(node, Input) and number not in program.inputs
        known = table or isinstance(node, Weight | Constant | IndexValue)
        below = [found[operand.node] for operand, _ in operands(node)]
        small = math.prod(node.space) <= LARGEST_PREPARED
        found.append(known or (not isinstance(node, Input) and small and all(below)))
    return found


def _wanted(program: TensorProgram, early: list[bool]) -> list[int]:
    """The early nodes that something later reads, without leaves and what needs no weight."""
    weighted = _needs_weight(program)
    read = {output.operand.node for output in program.outputs}
    for number, node in enumerate(program.nodes):
        if not early[number]:
            read |= {operand.node for operand, _ in operands(node)}
    return [
        number
        for number in sorted(read)
        if early[number] and weighted[number] and not _is_leaf(program.nodes[number])
    ]


def _is_leaf(node: Node) -> bool:
    return isinstance(node, Input | Weight | Constant | IndexValue)


def _needs_weight(program: TensorProgram) -> list[bool]:
    found: list[bool] = []
    for node in program.nodes:
        below = any(found[operand.node] for operand, _ in operands(node))
        found.append(isinstance(node, Weight) or below)
    return found
