"""The tensor program: primitive operations over named axes, as elaboration hands it on.

A program is a list of nodes in topological order. A node defines a value at each point of its
``space``; an operand names an earlier node and says, by one index expression per axis of that
node, where it is read. So there are no copy, transpose, reshape, broadcast or slice nodes: an axis
that a map does not mention is broadcast, an offset is a slice. Equal expressions are one node.

Values are computed in ``dtype.compute`` (reals in f32, sums accumulated in f32); only ``Cast``
rounds. Nodes that depend on nothing but constants and indices are computed in f64 at compile time.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from enum import StrEnum
from typing import assert_never

from lumc.diagnostics import Span
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression


class ElementwiseOp(StrEnum):
    """The elementwise primitives. Booleans are 0 and 1 where a number is needed."""

    ADD = "add"
    MULTIPLY = "mul"
    RECIPROCAL = "recip"
    SQUARE_ROOT = "sqrt"
    EXP2 = "exp2"
    LOG2 = "log2"
    SINE = "sin"
    MAXIMUM = "max"
    FLOOR_DIVIDE = "idiv"
    """Whole numbers, rounding towards minus infinity."""
    MODULO = "mod"
    """Whole numbers, with the sign of the divisor."""
    LESS_THAN = "lt"
    SELECT = "select"
    """``select(condition, then, else)``; the operand that is not taken is not read."""


class ReduceOp(StrEnum):
    """How a reduction or colliding writes combine values."""

    SUM = "sum"
    MAXIMUM = "max"


@dataclass(frozen=True, slots=True)
class Origin:
    """Where a node comes from; never part of a node's identity."""

    span: Span | None = None
    label: str = ""
    """The author's name for the value, where it has one."""
    path: tuple[str, ...] = ()
    """The definitions and loop rounds around it, outermost first: ``("double_block", "n=3")``."""


@dataclass(frozen=True, slots=True)
class Operand:
    """Node ``node`` read at ``map``: an index expression per axis of that node."""

    node: int
    map: tuple[IndexExpression, ...] = ()


@dataclass(frozen=True, slots=True)
class Input:
    """A tensor given at run time."""

    name: str
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Weight:
    """A tensor of the checkpoint, by its name there."""

    name: str
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Constant:
    """One number; its space is empty."""

    value: float | int | bool
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)

    @property
    def space(self) -> tuple[int, ...]:
        """The empty space."""
        return ()


@dataclass(frozen=True, slots=True)
class IndexValue:
    """An index expression over the axes of ``space``, as a whole number (i32)."""

    expression: IndexExpression
    space: tuple[int, ...]
    dtype: DType = DType.I32
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Elementwise:
    """``op`` of the operands at each point of ``space``."""

    op: ElementwiseOp
    operands: tuple[Operand, ...]
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Cast:
    """The operand rounded to, and from here on stored as, ``dtype`` (to a whole number: cut)."""

    operand: Operand
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Reduce:
    """``op`` over the axes ``reduced``; the operand's map is over ``space + reduced``.

    ``axis_names`` names the axes of ``space`` and then those of ``reduced``.
    """

    op: ReduceOp
    operand: Operand
    space: tuple[int, ...]
    reduced: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Gather:
    """``base`` read at indices computed at run time.

    The map of ``base`` is over ``space`` and then one further axis per entry of ``indices``,
    whose value is that operand's. Indices out of range are the author's broken promise.
    """

    base: Operand
    indices: tuple[Operand, ...]
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Piece:
    """One part of a ``Place``: at each point of ``space``, ``operand`` goes to ``destination``.

    Both maps are over the axes of ``space``; ``destination`` has one entry per axis of the place.
    """

    space: tuple[int, ...]
    destination: tuple[IndexExpression, ...]
    operand: Operand
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Place:
    """A tensor written in pieces that cover it exactly, without overlap (checked when made)."""

    pieces: tuple[Piece, ...]
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


@dataclass(frozen=True, slots=True)
class Scatter:
    """``initial``, with ``value`` written at places computed at run time.

    ``value``, ``destination`` and ``indices`` are over ``source_space``; ``destination`` (one entry
    per axis of ``space``) is over ``source_space`` and then one further axis per entry of
    ``indices``. ``combine`` says what happens to values that meet at one place and to the initial
    value there: None (the author promises distinct places; the initial value is replaced), or a
    reduction with the initial value. A place outside ``space`` is not written.
    """

    initial: Operand
    value: Operand
    indices: tuple[Operand, ...]
    destination: tuple[IndexExpression, ...]
    combine: ReduceOp | None
    source_space: tuple[int, ...]
    space: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)
    origin: Origin = field(default=Origin(), compare=False)


Node = (
    Input | Weight | Constant | IndexValue | Elementwise | Cast | Reduce | Gather | Place | Scatter
)


@dataclass(frozen=True, slots=True)
class Output:
    """A result: ``operand`` is over the axes of ``shape``; stored as ``dtype``."""

    name: str
    operand: Operand
    shape: tuple[int, ...]
    dtype: DType
    axis_names: tuple[str, ...] = field(default=(), compare=False)


@dataclass(frozen=True, slots=True)
class TensorProgram:
    """One stage: nodes in topological order, its inputs and weights by name, its outputs.

    ``inputs`` and ``weights`` are the node numbers of the ``Input`` and ``Weight`` nodes in the
    order of the text; inputs that nothing reads are there too.
    """

    name: str
    nodes: tuple[Node, ...]
    inputs: tuple[int, ...]
    weights: tuple[int, ...]
    outputs: tuple[Output, ...]
    parameters: tuple[tuple[str, str], ...] = ()
    """The spec's parameters as chosen, for headers and reports."""


def operands(node: Node) -> Iterator[tuple[Operand, tuple[int, ...]]]:
    """Each operand of ``node`` with the sizes of the axes that its map is over.

    For operands read at computed indices the computed axes have size 0, as nothing bounds them.
    """
    match node:
        case Input() | Weight() | Constant() | IndexValue():
            return
        case Elementwise():
            yield from ((operand, node.space) for operand in node.operands)
        case Cast():
            yield node.operand, node.space
        case Reduce():
            yield node.operand, node.space + node.reduced
        case Gather():
            yield node.base, node.space + (0,) * len(node.indices)
            yield from ((operand, node.space) for operand in node.indices)
        case Place():
            yield from ((piece.operand, piece.space) for piece in node.pieces)
        case Scatter():
            yield node.initial, node.space
            yield node.value, node.source_space
            yield from ((operand, node.source_space) for operand in node.indices)
        case _:
            assert_never(node)
