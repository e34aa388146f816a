"""Reductions of a few long rows, also in two steps.

A row is reduced by one workgroup, so a handful of long rows leaves most of a chip idle. The same
reduction in two steps, of parts and then of the parts' results, is offered beside it; cost decides.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass

from lumc.dsl.index_expression import IndexExpression, add, axis, scale, substitute
from lumc.dsl.tensor_program import Node, Operand, Reduce, TensorProgram
from lumc.lowering.rewriting import identity

MOST_ROWS = 1024
"""Rows from which on a chip is busy without parts."""

SHORTEST_ROW = 1 << 13
"""Elements of a row that are worth a second step."""

PARTS = 1024
"""Rows and parts together that are aimed at."""


@dataclass(frozen=True, slots=True)
class Extended:
    """A program with further nodes at its end, that no node of the program itself reads.

    ``equal`` are pairs of an old and a new node that are the same value. ``ranks`` say which node
    may be made from which others: from those of lower rank. ``origins`` give the old node that each
    node, old or new, is told about as.
    """

    program: TensorProgram
    equal: tuple[tuple[int, int], ...]
    ranks: tuple[float, ...]
    origins: tuple[int, ...]


def with_split_reductions(program: TensorProgram) -> Extended:
    """``program`` with every reduction of few long rows in two steps as well."""
    nodes: list[Node] = list(program.nodes)
    ranks = [float(number) for number in range(len(nodes))]
    origins = list(range(len(nodes)))
    equal: list[tuple[int, int]] = []
    for number, node in enumerate(program.nodes):
        if not isinstance(node, Reduce):
            continue
        steps = _two_steps(node, len(nodes))
        if steps is not None:
            equal.append((number, len(nodes) + 1))
            nodes += steps
            # The parts come before the whole, which is made from them.
            ranks += [number - 0.5, number + 0.5]
            origins += [number, number]
    extended = dataclasses.replace(program, nodes=tuple(nodes))
    return Extended(extended, tuple(equal), tuple(ranks), tuple(origins))


def _two_steps(node: Reduce, number: int) -> tuple[Reduce, Reduce] | None:
    """The parts, which get the given number, and the whole."""
    rows = math.prod(node.space)
    if rows >= MOST_ROWS or math.prod(node.reduced) < SHORTEST_ROW:
        return None
    cut = _cut(node.reduced, -(-PARTS // rows))
    if cut is None:
        return None
    position, chunk = cut
    size = node.reduced[position]
    rest = (*node.reduced[:position], chunk, *node.reduced[position + 1 :])
    if chunk == 1:
        rest = (*node.reduced[:position], *node.reduced[position + 1 :])
    parts = size // chunk
    rank = len(node.space)
    # The old axes over the rows, the parts, and what is left of the reduced axes.
    place: list[IndexExpression] = list(identity(rank))
    taken = rank + 1
    for n in range(len(node.reduced)):
        if n != position:
            place.append(axis(taken))
            taken += 1
        elif chunk == 1:
            place.append(axis(rank))
        else:
            place.append(add(scale(axis(rank), chunk), axis(taken)))
            taken += 1
    full = (*node.space, parts, *rest)
    moved = tuple(substitute(entry, place, full) for entry in node.operand.map)
    names = node.axis_names[:rank]
    first = dataclasses.replace(
        node,
        operand=Operand(node.operand.node, moved),
        space=(*node.space, parts),
        reduced=rest,
        axis_names=(*names, "part"),
    )
    second = dataclasses.replace(
        node,
        operand=Operand(number, identity(rank + 1)),
        reduced=(parts,),
        axis_names=(*names, "part"),
    )
    return first, second


def _cut(reduced: tuple[int, ...], wanted: int) -> tuple[int, int] | None:
    """Which reduced axis to cut, and into chunks of what length, for about ``wanted`` parts."""
    longest = max(range(len(reduced)), key=lambda n: reduced[n])
    size = reduced[longest]
    divisors = [n for n in range(2, size + 1) if size % n == 0]
    if not divisors:
        return None
    parts = min(divisors, key=lambda n: (abs(math.log(n / wanted)), n))
    if math.prod(reduced) == parts:
        return None
    return longest, size // parts
