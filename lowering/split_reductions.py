"""Reductions of a few long rows, also in two steps: of parts, and then of the parts' results.

A row is reduced by one workgroup, and so are rows that lie among each other in memory, so a handful
of long rows leaves most of a chip idle. The same reduction in two steps is offered beside it; cost
decides. Parts are what a workgroup holds in registers, cut where memory is far apart.

Sums of squared differences from what is the same for a whole row, such as its mean, are taken in
their parts around the part's own mean, so a variance needs no mean of the row before it reads:

    sum over i, j of (x_ij + c)² = sum over i of (sum over j of (x_ij - m_i)²  +  n (m_i + c)²)

with m_i the mean of the n elements of part i (Chan, Golub and LeVeque, 1979). All terms are of one
sign, so nothing cancels.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Sequence
from dataclasses import dataclass, field

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis, constant, scale, substitute
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Node,
    Operand,
    Piece,
    Place,
    Reduce,
    ReduceOp,
    TensorProgram,
)
from lumc.lowering.layouts import Order, dense_strides
from lumc.lowering.rewriting import identity

MOST_WORKGROUPS = 1024
"""Workgroups from which on a chip is busy without parts."""

SHORTEST_ROW = 1 << 13
"""Elements of a row that are worth a second step."""

LONGEST_PART = 1 << 15
"""Elements that a workgroup holds in registers, of all its rows."""

SHORTEST_PART = 1 << 11

PARTS = 512
"""Workgroups that are aimed at where that leaves them enough to do."""

WIDEST_TILE = 1 << 9
"""Elements, about, that a workgroup covers of rows that lie among each other."""


@dataclass(frozen=True, slots=True)
class Extended:
    """A program with further nodes at its end, that no node of the program itself reads.

    ``equal`` are pairs of an old and a new node that are the same value. ``ranks`` say which node
    may be made from which others: from those of lower rank. ``origins`` give the old node that each
    node, old or new, is told about as. ``passing`` are new nodes that are better computed where
    they are read than kept.
    """

    program: TensorProgram
    equal: tuple[tuple[int, int], ...]
    ranks: tuple[float, ...]
    origins: tuple[int, ...]
    passing: tuple[int, ...]


def with_split_reductions(program: TensorProgram, orders: Sequence[Order]) -> Extended:
    """``program`` with every reduction of few long rows in two steps as well.

    ``orders`` are those of the axes of its nodes in memory.
    """
    made = _Made(list(program.nodes), [float(n) for n in range(len(program.nodes))], orders)
    equal = []
    for number, node in enumerate(program.nodes):
        if isinstance(node, Reduce) and (whole := _two_steps(made, number, node)) is not None:
            equal.append((number, whole))
    extended = dataclasses.replace(program, nodes=tuple(made.nodes))
    origins = (*range(len(program.nodes)), *made.origins)
    # A sum that is kept beside the squares around its mean is not kept twice.
    kept = {made.nodes[n] for n in made.passing}
    passing = tuple(n for n in range(len(program.nodes), len(made.nodes)) if made.nodes[n] in kept)
    return Extended(extended, tuple(equal), tuple(made.ranks), origins, passing)


@dataclass(slots=True)
class _Made:
    """The nodes so far, and what they are told about as."""

    nodes: list[Node]
    ranks: list[float]
    orders: Sequence[Order]
    origins: list[int] = field(default_factory=list)
    passing: list[int] = field(default_factory=list)

    def add(self, node: Node, origin: int, rank: float, passes: bool = False) -> int:
        """The number of a new node."""
        self.nodes.append(node)
        self.ranks.append(rank)
        self.origins.append(origin)
        if passes:
            self.passing.append(len(self.nodes) - 1)
        return len(self.nodes) - 1


@dataclass(frozen=True, slots=True)
class _Parts:
    """How reduced axes are cut: for each the size of a part's piece; 1 makes a part of each index.

    Parts are walked over the cut axes in the order they have here.
    """

    space: tuple[int, ...]
    reduced: tuple[int, ...]
    pieces: tuple[int, ...]

    @property
    def parts(self) -> tuple[int, ...]:
        """Pieces of each axis that is cut."""
        cut = zip(self.reduced, self.pieces, strict=True)
        return tuple(size // piece for size, piece in cut if piece < size)

    @property
    def rest(self) -> tuple[int, ...]:
        """What is left of the reduced axes in a part."""
        return tuple(piece for piece in self.pieces if piece > 1)

    @property
    def own(self) -> tuple[int, ...]:
        """The space of the parts' results: the parts, and then the rows."""
        return (*self.parts, *self.space)

    @property
    def full(self) -> tuple[int, ...]:
        """The axes of the parts' own reductions."""
        return (*self.own, *self.rest)

    def place(self) -> tuple[IndexExpression, ...]:
        """The rows' and the reduced axes over the axes of ``full``."""
        part, piece = 0, len(self.own)
        rows = tuple(axis(len(self.parts) + n) for n in range(len(self.space)))
        found: list[IndexExpression] = []
        for size, length in zip(self.reduced, self.pieces, strict=True):
            index = IndexExpression(0)
            if length < size:
                index, part = scale(axis(part), length), part + 1
            if length > 1:
                index, piece = add(index, axis(piece)), piece + 1
            found.append(index)
        return (*rows, *found)

    def rows(self) -> tuple[IndexExpression, ...]:
        """The rows' axes over those of ``own``."""
        return tuple(axis(len(self.parts) + n) for n in range(len(self.space)))

    def whole(self) -> tuple[IndexExpression, ...]:
        """The axes of ``own`` over the rows and then the parts."""
        rank = len(self.space)
        return (*(axis(rank + n) for n in range(len(self.parts))), *identity(rank))


def _two_steps(made: _Made, number: int, node: Reduce) -> int | None:
    """The whole, made from parts, or None where parts are of no use."""
    squares = _squares(made.nodes, node)
    source = node.operand if squares is None else squares.value
    parts = _parts(made, node, source)
    if parts is None:
        return None
    rank = len(node.space)
    names = (*("part" for _ in parts.parts), *node.axis_names[:rank])
    writer = _Writer(made, number, node, parts, names, source.node)
    value = writer.part(source, 1) if squares is None else writer.squares(squares)
    whole = dataclasses.replace(
        node,
        operand=Operand(value, parts.whole()),
        reduced=parts.parts,
        axis_names=(*node.axis_names[:rank], *("part" for _ in parts.parts)),
    )
    return made.add(whole, number, number + 0.5)


def _over(entries: Sequence[IndexExpression], parts: _Parts) -> tuple[IndexExpression, ...]:
    return tuple(substitute(entry, parts.place(), parts.full) for entry in entries)


# --------------------------------------------------------------------------------------- squares


@dataclass(frozen=True, slots=True)
class _Squares:
    """A sum of (value + shift)², both over rows and reduced axes; the shift is equal in a row."""

    value: Operand
    shift: Operand


def _squares(nodes: Sequence[Node], node: Reduce) -> _Squares | None:
    product = nodes[node.operand.node]
    if node.op is not ReduceOp.SUM or not node.dtype.is_float:
        return None
    if not isinstance(product, Elementwise) or product.op is not ElementwiseOp.MULTIPLY:
        return None
    left, right = product.operands
    difference = nodes[left.node]
    if left != right or not isinstance(difference, Elementwise):
        return None
    if difference.op is not ElementwiseOp.ADD:
        return None
    sizes = (*node.space, *node.reduced)
    inner = tuple(substitute(entry, node.operand.map, sizes) for entry in left.map)
    own = frozenset(range(len(node.space), len(sizes)))
    for value, shift in (difference.operands, difference.operands[::-1]):
        moved = [_read_at(o, inner, sizes) for o in (value, shift)]
        if not _mentioned(moved[1]) & own and _mentioned(moved[0]) & own:
            return _Squares(*moved)
    return None


def _read_at(operand: Operand, at: Sequence[IndexExpression], sizes: Sequence[int]) -> Operand:
    return Operand(operand.node, tuple(substitute(entry, at, sizes) for entry in operand.map))


def _mentioned(operand: Operand) -> frozenset[int]:
    return frozenset().union(*(entry.axes() for entry in operand.map))


@dataclass(frozen=True, slots=True)
class _Writer:
    """Adds what one reduction is in parts."""

    made: _Made
    number: int
    node: Reduce
    parts: _Parts
    names: tuple[str, ...]
    source: int
    """The node that is reduced: parts may be made as soon as it is there."""

    def part(self, operand: Operand, step: int, passes: bool = False) -> int:
        """The parts' reductions of ``operand``, which is over the axes of the node."""
        read = Operand(operand.node, _over(operand.map, self.parts))
        return self._reduced(read, step, passes)

    def _reduced(self, operand: Operand, step: int, passes: bool) -> int:
        reduction = dataclasses.replace(
            self.node,
            operand=operand,
            space=self.parts.own,
            reduced=self.parts.rest,
            axis_names=self.names,
        )
        return self.made.add(reduction, self.number, self.source + step / 100, passes)

    def squares(self, squares: _Squares) -> int:
        """The parts' squares around their own means, and around the shift what those are off.

        Both are kept in one tensor, so that one pass over memory makes them.
        """
        parts = self.parts
        own, full = identity(len(parts.own)), identity(len(parts.full))
        count = math.prod(parts.rest)
        total = self.part(squares.value, 1, passes=True)
        lowered = self._scaled(Operand(total, own), -1 / count, self.source + 0.02)
        value = Operand(squares.value.node, _over(squares.value.map, parts))
        add_, multiply = ElementwiseOp.ADD, ElementwiseOp.MULTIPLY
        centred = self._apply(add_, value, Operand(lowered, own), self.source + 0.03, parts.full)
        everywhere = Operand(centred, full)
        squared = self._apply(multiply, everywhere, everywhere, self.source + 0.04, parts.full)
        spread = self._reduced(Operand(squared, full), 5, True)
        kept = self._together(total, spread)
        sums, spreads = (Operand(kept, (constant(n), *own)) for n in range(2))
        late = self.number + 0.1
        mean = self._scaled(sums, 1 / count, late)
        rows = (*parts.rows(), *(IndexExpression(0) for _ in parts.reduced))
        shift = _read_at(squares.shift, rows, parts.own)
        off = Operand(self._apply(add_, Operand(mean, own), shift, late + 0.1), own)
        off_squared = Operand(self._apply(multiply, off, off, late + 0.2), own)
        weighed = Operand(self._scaled(off_squared, float(count), late + 0.3), own)
        return self._apply(add_, spreads, weighed, late + 0.35)

    def _together(self, total: int, spread: int) -> int:
        own, origin = self.parts.own, self.node.origin
        pieces = tuple(
            Piece(
                own,
                (constant(n), *identity(len(own))),
                Operand(number, identity(len(own))),
                self.names,
                origin,
            )
            for n, number in enumerate((total, spread))
        )
        place = Place(pieces, (2, *own), DType.F32, ("", *self.names), origin)
        return self.made.add(place, self.number, self.source + 0.06)

    def _scaled(self, operand: Operand, factor: float, rank: float) -> int:
        number = Constant(factor, DType.F32, origin=self.node.origin)
        constant_ = Operand(self.made.add(number, self.number, rank - 0.001), ())
        return self._apply(ElementwiseOp.MULTIPLY, operand, constant_, rank)

    def _apply(
        self,
        op: ElementwiseOp,
        left: Operand,
        right: Operand,
        rank: float,
        space: tuple[int, ...] | None = None,
    ) -> int:
        over = self.parts.own if space is None else space
        names = (*self.names, *("" for _ in over[len(self.names) :]))
        node = Elementwise(op, (left, right), over, DType.F32, names, self.node.origin)
        return self.made.add(node, self.number, rank, passes=True)


# ----------------------------------------------------------------------------------------- cutting


def _parts(made: _Made, node: Reduce, source: Operand) -> _Parts | None:
    """The cut of the reduced axes of ``node``, which is a reduction of ``source``."""
    length = math.prod(node.reduced)
    if length < SHORTEST_ROW:
        return None
    rank = len(node.space)
    steps = _steps(made, source, (*node.space, *node.reduced))
    far = max(steps[rank:])
    # Rows that lie among each other are done by one workgroup.
    among = math.prod(size for n, size in enumerate(node.space) if steps[n] < far)
    tile = max(1, min(among, WIDEST_TILE))
    if math.prod(node.space) // tile >= MOST_WORKGROUPS:
        return None
    total = math.prod(node.space) * length
    wanted = max(1, min(LONGEST_PART, max(SHORTEST_PART, total // PARTS)) // tile)
    pieces = list(node.reduced)
    # The axes whose indices lie farthest apart are cut first.
    for n in sorted(range(len(pieces)), key=lambda n: -steps[rank + n]):
        others = math.prod(pieces) // pieces[n]
        pieces[n] = _nearest_divisor(pieces[n], wanted / others)
        if pieces[n] > 1:
            break
    parts = _Parts(node.space, node.reduced, tuple(pieces))
    return parts if parts.parts and parts.rest else None


def _nearest_divisor(size: int, wanted: float) -> int:
    """The divisor of ``size`` that is the fewest times larger or smaller than ``wanted``."""
    divisors = [n for n in range(1, size + 1) if size % n == 0]
    return min(divisors, key=lambda n: (abs(math.log(n / wanted)), n))


def _steps(made: _Made, operand: Operand, sizes: Sequence[int]) -> tuple[int, ...]:
    """How far a step along each axis goes in the memory that ``operand`` is computed from."""
    node = made.nodes[operand.node]
    while isinstance(node, Elementwise | Cast):
        below = node.operands if isinstance(node, Elementwise) else (node.operand,)
        read = [_read_at(o, operand.map, sizes) for o in below]
        operand = max(read, key=lambda o: math.prod(sizes[n] for n in _mentioned(o)))
        node = made.nodes[operand.node]
    strides = dense_strides(node.space, made.orders[operand.node])
    steps = [0] * len(sizes)
    for entry, stride in zip(operand.map, strides, strict=True):
        for n in entry.axes():
            steps[n] += abs(entry.coefficient(n)) * stride
    return tuple(steps)
