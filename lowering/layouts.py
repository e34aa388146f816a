"""In which order the axes of each tensor lie in memory.

What is written and read along an axis should lie densely along it: the axis that a product or
another reduction runs over when it reads the tensor, and the axis of the weight that made it. So
pictures get their channels last, whatever order the text has. The other axes follow each other as
in what the tensor is computed from, so that a kernel reads and writes memory in one order: the
heads of a token stay together, as the product left them.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import assert_never

from lumc.dsl.index_expression import Axis, FloorDivide, IndexExpression, Modulo
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Piece,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
    operands,
)
from lumc.lowering.scalar_code import row_major

Order = tuple[int, ...]
"""The axes of a tensor, from the one with the longest step to the dense one."""

_PRODUCT = 1.0
_REDUCTION = 0.5
_SHORT = 0.3
_LAST = 0.25


def dense_strides(shape: Sequence[int], order: Order) -> tuple[int, ...]:
    """The stride of each axis of a dense tensor whose axes lie in ``order``."""
    outer_first = row_major(tuple(shape[n] for n in order))
    return tuple(outer_first[order.index(n)] for n in range(len(shape)))


Wishes = list[list[float]]
"""For each node and each of its axes, how good it is to have the axis dense."""


def choose_orders(program: TensorProgram) -> tuple[Order, ...]:
    """For each node the order of its axes in memory; inputs and weights lie as they are given."""
    readers = _readers_wishes(program)
    makers = _makers_wishes(program)
    orders: list[Order] = []
    for number, node in enumerate(program.nodes):
        rank = len(node.space)
        if isinstance(node, Input | Weight) or rank < 2:
            orders.append(tuple(range(rank)))
            continue
        dense = _dense(node, readers[number], makers[number])
        outer = sorted(set(range(rank)) - {dense}, key=_outermost(program, orders, node))
        orders.append((*outer, dense))
    return tuple(orders)


def _dense(node: Node, reader: Sequence[float], maker: Sequence[float]) -> int:
    score = [r + m for r, m in zip(reader, maker, strict=True)]
    score[-1] += _LAST
    return max(range(len(score)), key=lambda n: (node.space[n] > 1, score[n], n))


# ------------------------------------------------------------------------------------- outer axes

Steps = tuple[int, ...]
"""For each axis how far it steps in memory; 0 where nothing is known."""


def _outermost(
    program: TensorProgram, orders: Sequence[Order], node: Node
) -> Callable[[int], tuple[int, int]]:
    """A key for the axes of ``node``: the longest step in what it is computed from comes first."""
    match node:
        case Elementwise() | Cast() | Reduce():
            found = (_steps_in(program, orders, o, node.space) for o, _ in operands(node))
            steps = next((s for s in found if s is not None), None)
        case Place():
            steps = _agreed([_placed_steps(program, orders, piece, node) for piece in node.pieces])
        case _:
            steps = None
    return lambda n: (0 if steps is None else -steps[n], n)


def _steps_in(
    program: TensorProgram, orders: Sequence[Order], operand: Operand, space: Sequence[int]
) -> Steps | None:
    """The steps of ``space``'s axes in ``operand``; None unless all of them are steps there."""
    base = program.nodes[operand.node].space
    if not all(entry.is_affine for entry in operand.map) or operand.node >= len(orders):
        return None
    strides = dense_strides(base, orders[operand.node])
    steps = [0] * len(space)
    for entry, stride in zip(operand.map, strides, strict=True):
        for n in range(len(space)):
            steps[n] += abs(entry.coefficient(n)) * stride
    missing = any(step == 0 and size > 1 for step, size in zip(steps, space, strict=True))
    return None if missing else tuple(steps)


def _placed_steps(
    program: TensorProgram, orders: Sequence[Order], piece: Piece, node: Place
) -> Steps | None:
    """The steps of a placed tensor's axes in what one of its pieces is computed from."""
    inner = _steps_in(program, orders, piece.operand, piece.space)
    if inner is None:
        return None
    return tuple(
        min((inner[n] for n in _steps(entry) if piece.space[n] > 1), default=0)
        for entry in piece.destination
    )


def _agreed(found: Sequence[Steps | None]) -> Steps | None:
    """Steps that put the axes in the order in which all of ``found`` put them."""
    known = [steps for steps in found if steps is not None]
    orders = {tuple(sorted(range(len(s)), key=s.__getitem__, reverse=True)) for s in known}
    return known[0] if len(known) == len(found) and len(orders) == 1 else None


def _readers_wishes(program: TensorProgram) -> Wishes:
    """Each node's wishes from those of what reads it."""
    wishes: Wishes = [[0.0] * len(node.space) for node in program.nodes]
    for output in program.outputs:
        rank = len(output.shape)
        _pass_on(wishes, output.operand, [_PRODUCT if n == rank - 1 else 0 for n in range(rank)])
    for number in reversed(range(len(program.nodes))):
        node = program.nodes[number]
        match node:
            case Input() | Weight() | Constant() | IndexValue():
                pass
            case Elementwise() | Cast():
                for operand, _ in operands(node):
                    _pass_on(wishes, operand, wishes[number])
            case Reduce():
                _pass_on(wishes, node.operand, _reduced_wishes(program, node))
            case Gather():
                _pass_on(wishes, node.base, wishes[number] + [0.0] * len(node.indices))
            case Place():
                for piece in node.pieces:
                    _pass_on(wishes, piece.operand, _back(piece, wishes[number]))
            case Scatter():
                _pass_on(wishes, node.initial, wishes[number])
    return wishes


def _pass_on(wishes: Wishes, operand: Operand, along: Sequence[float]) -> None:
    """Wish for ``operand`` to be dense along what the reader wishes to run along."""
    own = wishes[operand.node]
    for number, entry in enumerate(operand.map):
        own[number] = max([own[number], *(along[n] for n in _steps(entry))])


def _steps(entry: IndexExpression) -> list[int]:
    """The axes along which an index steps by a little: not those that it takes a quotient of."""
    found: list[int] = []
    for atom, _ in entry.terms:
        match atom:
            case Axis(number):
                found.append(number)
            case Modulo(value):
                found += _steps(value)
            case FloorDivide():
                pass
            case _:
                assert_never(atom)
    return found


def _reduced_wishes(program: TensorProgram, node: Reduce) -> list[float]:
    """Reductions wish to run along the longest of their axes."""
    weight = _PRODUCT if _factors(program, node) is not None else _REDUCTION
    longest = max(node.reduced)
    own = [weight if size == longest else weight * _SHORT for size in node.reduced]
    return [0.0] * len(node.space) + own


def _back(piece: Piece, wishes: Sequence[float]) -> list[float]:
    """The wishes of a placed tensor for the axes of one of its pieces."""
    found = [0.0] * len(piece.space)
    for wish, entry in zip(wishes, piece.destination, strict=True):
        for n in _steps(entry):
            found[n] = max(found[n], wish)
    return found


def _factors(program: TensorProgram, node: Reduce) -> tuple[Operand, Operand] | None:
    """The factors of a sum of products whose axes differ."""
    product = program.nodes[node.operand.node]
    if node.op is not ReduceOp.SUM or not isinstance(product, Elementwise):
        return None
    if product.op is not ElementwiseOp.MULTIPLY:
        return None
    left, right = product.operands
    masks = [frozenset().union(*(e.axes() for e in o.map)) for o in (left, right)]
    return (left, right) if masks[0] != masks[1] else None


def _makers_wishes(program: TensorProgram) -> Wishes:
    """Each node's wishes from how it is made: products are stored along their weight's axes."""
    wishes: Wishes = []
    constant = _weight_only(program)
    for node in program.nodes:
        own = [0.0] * len(node.space)
        match node:
            case Reduce():
                own = _made_along(program, node, constant)
            case Elementwise() | Cast():
                for operand, _ in operands(node):
                    _take(own, operand, wishes[operand.node])
            case Place():
                for piece in node.pieces:
                    part = [0.0] * len(piece.space)
                    _take(part, piece.operand, wishes[piece.operand.node])
                    for number, entry in enumerate(piece.destination):
                        own[number] = max([own[number], *(part[n] for n in _steps(entry))])
            case _:
                pass
        wishes.append(own)
    return wishes


def _take(own: list[float], operand: Operand, wishes: Sequence[float]) -> None:
    for wish, entry in zip(wishes, operand.map, strict=True):
        for n in _steps(entry):
            own[n] = max(own[n], wish)


def _made_along(program: TensorProgram, node: Reduce, constant: Sequence[bool]) -> list[float]:
    rank = len(node.space)
    own = [0.0] * rank
    factors = _factors(program, node)
    # The node's axis that each axis of the product is.
    places = [entry.bare_axis for entry in node.operand.map]
    if factors is None or None in places:
        return own
    for one, other in (factors, factors[::-1]):
        if constant[one.node] and not constant[other.node]:
            elsewhere = frozenset().union(*(e.axes() for e in other.map))
            for n in frozenset().union(*(e.axes() for e in one.map)) - elsewhere:
                place = places[n]
                if place is not None and place < rank:
                    own[place] = _PRODUCT
    return own


def _weight_only(program: TensorProgram) -> list[bool]:
    found: list[bool] = []
    for node in program.nodes:
        below = all(found[operand.node] for operand, _ in operands(node))
        found.append(isinstance(node, Weight) or (below and not isinstance(node, Input)))
    return found
