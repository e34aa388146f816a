"""What depends on constants and indices alone, computed now.

Real arithmetic of constants is done in f64 at compile time, for precision as much as for speed:
scalars become constants, tensors become tables. Comparisons and whole-number arithmetic of indices
(the causal half of a mask, the guard of a padded read) cost a kernel next to nothing and stay.
"""

from __future__ import annotations

import math
from typing import Any

import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.numpy_primitives import convert
from lumc.dsl.reference import constant_nodes, evaluate_nodes
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    IndexValue,
    Input,
    Node,
    TensorProgram,
    operands,
)
from lumc.lowering.memory import stored_dtypes
from lumc.lowering.rewriting import ProgramRewriter

Tables = dict[str, npt.NDArray[Any]]
"""Values by the name of the input node that stands for a table."""

LARGEST_TABLE = 1 << 26
"""Elements of a table above which its values are computed where they are used, in f32."""

LARGEST_INLINE = 24
"""Operations on indices that are rather repeated in a kernel than read from memory."""

_FREE = (ElementwiseOp.SELECT, ElementwiseOp.LESS_THAN)


def make_tables(program: TensorProgram) -> tuple[TensorProgram, Tables]:
    """``program`` with constants folded, and the tables that it reads.

    A table is an ``Input`` node that is not among the program's inputs.
    """
    wanted = _wanted(program)
    values = evaluate_nodes(program, wanted)
    dtypes = stored_dtypes(program)
    rewriter = ProgramRewriter(program)
    tables: Tables = {}
    for number, node in enumerate(program.nodes):
        if number not in values:
            rewriter.numbers[number] = rewriter.add(rewriter.moved(number))
            continue
        stored = convert(values[number], dtypes[number].numpy)
        folded = _folded(number, node, dtypes[number], stored)
        rewriter.numbers[number] = rewriter.add(folded)
        if isinstance(folded, Input):
            tables[folded.name] = stored
    return rewriter.result(), tables


def _folded(number: int, node: Node, dtype: DType, stored: npt.NDArray[Any]) -> Node:
    if not node.space:
        return Constant(stored.item(), dtype, origin=node.origin)
    return Input(f"table {number}", node.space, dtype, node.axis_names, node.origin)


def _wanted(program: TensorProgram) -> list[int]:
    """The constant nodes that something computed at run time reads and that are not to stay."""
    constant = constant_nodes(program)
    stays = [_stays(node) for node in program.nodes]
    for number, node in enumerate(program.nodes):
        stays[number] &= all(stays[operand.node] for operand, _ in operands(node))
    operations = _operations(program, constant)
    read: dict[int, bool] = {output.operand.node: False for output in program.outputs}
    for number, node in enumerate(program.nodes):
        for operand, _ in operands(node):
            if not constant[number]:
                gathered = isinstance(node, Gather) and operand is node.base
                read[operand.node] = read.get(operand.node, False) or gathered
    return [
        number
        for number, must in sorted(read.items())
        if constant[number]
        and math.prod(program.nodes[number].space) <= LARGEST_TABLE
        and not isinstance(program.nodes[number], Constant)
        and (must or not stays[number] or operations[number] > LARGEST_INLINE)
    ]


def _stays(node: Node) -> bool:
    """Whether a kernel may as well compute this node, if its operands are such nodes too."""
    match node:
        case Constant() | IndexValue():
            return True
        case Elementwise(op, _, _, dtype):
            return op in _FREE or not dtype.is_float
        case Cast(_, _, dtype):
            return not dtype.is_float
        case _:
            return False


def _operations(program: TensorProgram, constant: tuple[bool, ...]) -> list[int]:
    """Elementwise operations below each constant node, repeated ones counted again."""
    found: list[int] = []
    for number, node in enumerate(program.nodes):
        below = sum(found[operand.node] for operand, _ in operands(node))
        found.append(below + isinstance(node, Elementwise) if constant[number] else 0)
    return found
