"""Builds a tensor program node by node; equal nodes become one.

Operands given to and returned by the builder are *live*: their maps are over live axes. A node is
over the live axes that its operands mention, in the order of their numbers (outermost scope first),
and stored with maps over positions, so that the names of indices don't matter for equality.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field

from lumc.diagnostics import Span
from lumc.dsl import limits
from lumc.dsl.axes import AxisTable, IndexAxis, Replacements, mentioned
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.errors import spec_error
from lumc.dsl.index_expression import IndexExpression, add, rename, substitute, value_range
from lumc.dsl.prune import prune
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
    Origin,
    Output,
    Piece,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
)


@dataclass(frozen=True, slots=True)
class LivePiece:
    """A piece over live axes: ``body`` at ``places`` for each point of ``axes``."""

    axes: tuple[IndexAxis, ...]
    places: tuple[IndexExpression, ...]
    body: Operand
    span: Span | None


@dataclass(frozen=True, slots=True)
class LiveScatter:
    """A write at computed places, over live axes.

    ``axes`` are the axes of the result that ``initial`` is over. ``places`` has one entry per axis
    of ``axes``, over the axes of the value and the ``computed`` axes, which stand for ``indices``.
    """

    axes: tuple[IndexAxis, ...]
    initial: Operand
    value: Operand
    source: tuple[IndexAxis, ...]
    indices: tuple[Operand, ...]
    computed: tuple[IndexAxis, ...]
    places: tuple[IndexExpression, ...]
    combine: ReduceOp | None


@dataclass(slots=True)
class ProgramBuilder:
    """The nodes so far. ``span`` and ``path`` say where the next nodes come from."""

    axes: AxisTable
    nodes: list[Node] = field(default_factory=list)
    span: Span | None = None
    path: tuple[str, ...] = ()
    _numbers: dict[Node, int] = field(default_factory=dict)
    _labels: dict[int, str] = field(default_factory=dict)

    # --- nodes

    def constant(self, value: float | int | bool, dtype: DType) -> Operand:
        """One number."""
        if dtype.is_float:
            value = float(value) + 0.0  # 0 and -0 are one constant
        return Operand(self._add(Constant(value, dtype, origin=self._origin())))

    def index(self, expression: IndexExpression) -> Operand:
        """An index expression as a whole number of 32 bits.

        Raises:
            SpecError: It does not fit.
        """
        low, high = value_range(expression, self.axes.sizes)
        if low < -(2**31) or high >= 2**31:
            message = f"this index runs from {low} to {high}, which does not fit 32 bits"
            raise spec_error(Code.ARITHMETIC, message, self.span, "calculate with real numbers")
        space = self.axes.of(expression)
        position = {axis.number: k for k, axis in enumerate(space)}
        node = IndexValue(
            rename(expression, position),
            _sizes(space),
            axis_names=_names(space),
            origin=self._origin(),
        )
        return self._read(node, space)

    def leaf(self, node: Input | Weight, axes: Sequence[IndexAxis]) -> Operand:
        """An input or weight, read at its own axes."""
        return self._read(node, axes)

    def elementwise(self, op: ElementwiseOp, operands: Sequence[Operand], dtype: DType) -> Operand:
        """``op`` of the operands at each point of the axes that they mention."""
        space, position = self._space(operands)
        node = Elementwise(
            op,
            tuple(_positional(operand, position) for operand in operands),
            _sizes(space),
            dtype,
            _names(space),
            self._origin(),
        )
        return self._read(node, space)

    def select(self, condition: Operand, then: Operand, other: Operand, dtype: DType) -> Operand:
        """``then`` where the condition holds, else ``other``.

        A branch that is itself a choice which the condition already makes is replaced by what it
        chooses: that is how guards around reads merge with the author's own conditions.
        """
        then = self._chosen(then, lambda: self._conjuncts(condition), dtype)
        other = self._chosen(other, lambda: self._negated_conjuncts(condition), dtype)
        return self.elementwise(ElementwiseOp.SELECT, (condition, then, other), dtype)

    def negation(self, condition: Operand) -> Operand:
        """``not condition``: comparisons of indices stay comparisons, twice is nothing."""
        node = self.nodes[condition.node]
        index = self._positive_index(condition)
        if index is not None:
            turned = add(IndexExpression(1), index, -1)
            zero = self.constant(0, DType.I32)
            return self.elementwise(ElementwiseOp.LESS_THAN, (zero, self.index(turned)), DType.BOOL)
        no, yes = self.constant(False, DType.BOOL), self.constant(True, DType.BOOL)
        if isinstance(node, Elementwise) and node.operands[1:] == (no, yes):
            return self.inner(condition, node.operands[0])
        return self.elementwise(ElementwiseOp.SELECT, (condition, no, yes), DType.BOOL)

    def _positive_index(self, condition: Operand) -> IndexExpression | None:
        """The expression of ``0 < expression``, if that is what the condition says."""
        node = self.nodes[condition.node]
        if not isinstance(node, Elementwise) or node.op is not ElementwiseOp.LESS_THAN:
            return None
        left, right = (self.nodes[operand.node] for operand in node.operands)
        if not isinstance(left, Constant) or left.value != 0 or not isinstance(right, IndexValue):
            return None
        read = self.inner(condition, node.operands[1])
        return substitute(right.expression, Replacements(enumerate(read.map)), self.axes.sizes)

    def _chosen(
        self, branch: Operand, known: Callable[[], frozenset[Operand]], dtype: DType
    ) -> Operand:
        node = self.nodes[branch.node]
        if not isinstance(node, Elementwise) or node.op is not ElementwiseOp.SELECT:
            return branch
        condition, then, _ = (self.inner(branch, operand) for operand in node.operands)
        if self.dtype(then) is dtype and self._conjuncts(condition) <= known():
            return then
        return branch

    def _conjuncts(self, condition: Operand) -> frozenset[Operand]:
        """The conditions that all hold where ``condition`` does."""
        return self._parts(condition, ElementwiseOp.MULTIPLY)

    def _negated_conjuncts(self, condition: Operand) -> frozenset[Operand]:
        """The conditions that all hold where ``condition`` does not."""
        return frozenset(map(self.negation, self._parts(condition, ElementwiseOp.MAXIMUM)))

    def _parts(self, condition: Operand, op: ElementwiseOp) -> frozenset[Operand]:
        node = self.nodes[condition.node]
        if isinstance(node, Elementwise) and node.op is op and node.dtype is DType.BOOL:
            left, right = (self.inner(condition, operand) for operand in node.operands)
            return self._parts(left, op) | self._parts(right, op)
        return frozenset((condition,))

    def cast(self, operand: Operand, dtype: DType) -> Operand:
        """The operand stored as ``dtype``; nothing if it is already."""
        if self.dtype(operand) is dtype:
            return operand
        space, position = self._space((operand,))
        stored = _positional(operand, position)
        node = Cast(stored, _sizes(space), dtype, _names(space), self._origin())
        return self._read(node, space)

    def reduce(
        self, op: ReduceOp, operand: Operand, reduced: Sequence[IndexAxis], dtype: DType
    ) -> Operand:
        """``op`` over the ``reduced`` axes, all of which the operand mentions."""
        space, position = self._space((operand,), without=reduced)
        for axis in reduced:
            position[axis.number] = len(position)
        node = Reduce(
            op,
            _positional(operand, position),
            _sizes(space),
            _sizes(reduced),
            dtype,
            _names((*space, *reduced)),
            self._origin(),
        )
        return self._read(node, space)

    def gather(
        self, base: Operand, indices: Sequence[Operand], computed: Sequence[IndexAxis]
    ) -> Operand:
        """``base`` with each of its ``computed`` axes at the value of the index beside it."""
        space, position = self._space((base, *indices), without=computed)
        placed = tuple(_positional(index, position) for index in indices)
        for axis in computed:
            position[axis.number] = len(position)
        node = Gather(
            _positional(base, position),
            placed,
            _sizes(space),
            self.dtype(base),
            _names(space),
            self._origin(),
        )
        return self._read(node, space)

    def place(
        self, axes: Sequence[IndexAxis], pieces: Sequence[LivePiece], dtype: DType
    ) -> Operand:
        """A tensor over ``axes``, and over what else the pieces mention, written in pieces."""
        context = self._context_of(pieces)
        placed = tuple(self._piece(piece, context) for piece in pieces)
        space = (*axes, *context)
        node = Place(placed, _sizes(space), dtype, _names(space), self._origin())
        return self._read(node, space)

    def _context_of(self, pieces: Sequence[LivePiece]) -> list[IndexAxis]:
        found: set[IndexAxis] = set()
        for piece in pieces:
            found |= set(self.axes.of(*piece.body.map)) - set(piece.axes)
        return sorted(found, key=lambda axis: axis.number)

    def _piece(self, piece: LivePiece, context: Sequence[IndexAxis]) -> Piece:
        space = (*piece.axes, *context)
        position = {axis.number: k for k, axis in enumerate(space)}
        destination = (*piece.places, *(axis.expression for axis in context))
        return Piece(
            _sizes(space),
            tuple(rename(place, position) for place in destination),
            _positional(piece.body, position),
            _names(space),
            Origin(piece.span, "", self.path),
        )

    def scatter(self, write: LiveScatter, dtype: DType) -> Operand:
        """``initial`` with values written at computed places."""
        own = {*write.axes, *write.source, *write.computed}
        mentioned = (write.initial, write.value, *write.indices)
        everything = self.axes.of(*(e for operand in mentioned for e in operand.map))
        context = [axis for axis in everything if axis not in own]
        space = (*write.axes, *context)
        source = (*write.source, *context)
        target_position = {axis.number: k for k, axis in enumerate(space)}
        position = {axis.number: k for k, axis in enumerate(source)}
        value = _positional(write.value, position)
        indices = tuple(_positional(index, position) for index in write.indices)
        for axis in write.computed:
            position[axis.number] = len(position)
        destination = (*write.places, *(axis.expression for axis in context))
        node = Scatter(
            _positional(write.initial, target_position),
            value,
            indices,
            tuple(rename(place, position) for place in destination),
            write.combine,
            _sizes(source),
            _sizes(space),
            dtype,
            _names(space),
            self._origin(),
        )
        return self._read(node, space)

    # --- questions

    def dtype(self, operand: Operand) -> DType:
        """How the operand's node is stored or computed."""
        return self.nodes[operand.node].dtype

    def substitute(self, operand: Operand, replacements: Replacements) -> Operand:
        """The operand read at other places."""
        if not operand.map:
            return operand
        sizes = self.axes.sizes
        return Operand(operand.node, tuple(substitute(e, replacements, sizes) for e in operand.map))

    def inner(self, outer: Operand, operand: Operand) -> Operand:
        """An operand of the node that ``outer`` reads, as a live operand."""
        position = Replacements(enumerate(outer.map))
        return self.substitute(operand, position)

    def label(self, operand: Operand, name: str) -> None:
        """Remember the author's name for a value; the first name counts."""
        if not self.nodes[operand.node].origin.label:
            self._labels.setdefault(operand.node, name)

    def finish(
        self,
        name: str,
        inputs: Sequence[int],
        outputs: Sequence[Output],
        parameters: tuple[tuple[str, str], ...],
    ) -> TensorProgram:
        """The program: what the outputs need of the nodes, and every input."""
        return prune(name, self.nodes, self._labels, inputs, outputs, parameters)

    # --- making

    def _origin(self) -> Origin:
        return Origin(self.span, "", self.path)

    def _add(self, node: Node) -> int:
        new = len(self.nodes)
        number = self._numbers.setdefault(node, new)
        if number == new:
            self._check_limits(node)
            self.nodes.append(node)
        return number

    def _check_limits(self, node: Node) -> None:
        if len(self.nodes) >= limits.NODES:
            message = f"this stage has more than {limits.NODES} primitive operations"
            raise spec_error(Code.LIMIT, message, self.span, "use fewer rounds or calls")
        points = node.space + node.reduced if isinstance(node, Reduce) else node.space
        if math.prod(points) > limits.POINTS:
            message = f"this is computed at {' × '.join(map(str, points))} points, more than 2^62"
            raise spec_error(Code.LIMIT, message, self.span)
        if len(points) > limits.RANK * 2:
            message = f"this depends on {len(points)} indices"
            raise spec_error(Code.LIMIT, message, self.span, f"at most {limits.RANK * 2} can be")

    def _read(self, node: Node, space: Sequence[IndexAxis]) -> Operand:
        return Operand(self._add(node), tuple(axis.expression for axis in space))

    def _space(
        self, operands: Sequence[Operand], without: Sequence[IndexAxis] = ()
    ) -> tuple[list[IndexAxis], dict[int, int]]:
        """The axes that the operands mention, and the position of each."""
        numbers: set[int] = set()
        for operand in operands:
            numbers |= mentioned(operand.map)
        numbers.difference_update(axis.number for axis in without)
        ordered = sorted(numbers)
        axes = self.axes.axes
        return [axes[number] for number in ordered], {n: k for k, n in enumerate(ordered)}


def _positional(operand: Operand, position: Mapping[int, int]) -> Operand:
    if not operand.map:
        return operand
    return Operand(operand.node, tuple([rename(entry, position) for entry in operand.map]))


def _sizes(axes: Iterable[IndexAxis]) -> tuple[int, ...]:
    return tuple(axis.known_size for axis in axes)


def _names(axes: Iterable[IndexAxis]) -> tuple[str, ...]:
    return tuple(axis.name for axis in axes)
