"""Which type each tensor of a program is stored in, and which tensors lie inside others.

A piece of a placed tensor, or an output, that is some tensor as a whole needs no copy: that tensor
is written where its reader wants it. Which tensor lies where is fixed before kernels are chosen.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import assert_never

from lumc.dsl.dtypes import DType
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
from lumc.lowering.layouts import Order, dense_strides
from lumc.lowering.scalar_code import Storage


@dataclass(frozen=True, slots=True)
class Segment:
    """A program that is lowered as a whole, and the order of axes in memory.

    ``orders`` are those of the nodes' tensors, ``output_orders`` those of the outputs' buffers.
    ``movable`` are the input nodes whose buffers may lie in a tensor that is placed here, if they
    stay as they are otherwise.
    """

    program: TensorProgram
    orders: tuple[Order, ...]
    output_orders: tuple[Order, ...]
    movable: tuple[int, ...] = ()


@dataclass(frozen=True, slots=True)
class Home:
    """Where a tensor lies: in ``target``, from ``offset`` on, with a stride per axis of its own."""

    target: int
    offset: int
    strides: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class MemoryLayout:
    """The storage type and the home of every tensor and output of a program."""

    dtypes: dict[int, DType]
    shapes: dict[int, tuple[int, ...]]
    orders: dict[int, Order]
    homes: dict[int, Home]
    guests: dict[tuple[int, int], int]
    """(target, piece) to the tensor that is written in that place itself."""

    def storage(self, number: int) -> Storage:
        """How tensor or output ``number`` lies in memory."""
        _, _, strides = self.place(number)
        return Storage(self.dtypes[number], self.shapes[number], strides)

    def place(self, number: int) -> tuple[int, int, tuple[int, ...]]:
        """The tensor or output whose buffer holds ``number``, the offset in it, and strides."""
        home = self.homes.get(number)
        if home is None:
            return number, 0, dense_strides(self.shapes[number], self.orders[number])
        _, offset, _ = self.place(home.target)
        return self.place(home.target)[0], offset + home.offset, home.strides

    def placed(self, binding: tuple[int, int]) -> tuple[int, int]:
        """A tensor and an offset in it, as a tensor or output that has a buffer, and the offset."""
        number, start, _ = self.place(binding[0])
        return number, start + binding[1]


def lay_out(segment: Segment) -> MemoryLayout:
    """Decide storage types, and which tensors are written where a reader wants them."""
    program = segment.program
    dtypes = dict(enumerate(stored_dtypes(program)))
    shapes = {number: node.space for number, node in enumerate(program.nodes)}
    for number, output in enumerate(program.outputs):
        dtypes[~number] = output.dtype
        shapes[~number] = output.shape
    orders = dict(enumerate(segment.orders))
    orders |= {~number: order for number, order in enumerate(segment.output_orders)}
    layout = MemoryLayout(dtypes, shapes, orders, {}, {})
    # Outer tensors find their place first, as what lies in them follows.
    for target, piece, operand, space, destination in _pieces_from_last(program):
        _invite(segment, layout, (target, piece), operand, space, destination)
    return layout


def _pieces_from_last(
    program: TensorProgram,
) -> Iterator[tuple[int, int, Operand, tuple[int, ...], tuple[IndexExpression, ...]]]:
    for number, output in enumerate(program.outputs):
        whole = tuple(axis(n) for n in range(len(output.shape)))
        yield ~number, 0, output.operand, output.shape, whole
    for number in reversed(range(len(program.nodes))):
        node = program.nodes[number]
        if isinstance(node, Place):
            for index, piece in enumerate(node.pieces):
                yield number, index, piece.operand, piece.space, piece.destination


def _invite(
    segment: Segment,
    layout: MemoryLayout,
    place: tuple[int, int],
    operand: Operand,
    space: tuple[int, ...],
    destination: tuple[IndexExpression, ...],
) -> None:
    """Give ``operand`` a home in ``place`` if it is read there whole, once and as it is stored."""
    guest, (target, _) = operand.node, place
    node = segment.program.nodes[guest]
    axes = [entry.bare_axis for entry in operand.map]
    given = isinstance(node, Input | Weight | Constant | IndexValue)
    if (given and guest not in segment.movable) or guest in layout.homes:
        return
    # Each axis of the place is one of the tensor's: a diagonal is not the tensor.
    is_permuted = None not in axes and sorted(n for n in axes if n is not None) == [
        *range(len(space))
    ]
    if not is_permuted or not all(e.is_affine for e in destination):
        return
    if tuple(space[n] for n in axes if n is not None) != node.space:
        return
    if layout.dtypes[guest] is not layout.dtypes[target]:
        return
    _, _, outer = layout.place(target)
    strides = tuple(
        sum(e.coefficient(n) * step for e, step in zip(destination, outer, strict=True))
        for n in axes
        if n is not None
    )
    if any(step < 0 for step in strides):
        return
    if given and strides != dense_strides(node.space, layout.orders[guest]):
        return
    offset = sum(e.constant * step for e, step in zip(destination, outer, strict=True))
    layout.homes[guest] = Home(target, offset, strides)
    layout.guests[place] = guest


def stored_dtypes(program: TensorProgram) -> tuple[DType, ...]:
    """For each node a type that holds its values: narrower than f32 only if nothing is lost."""
    found: list[DType] = []
    for node in program.nodes:
        found.append(_stored_dtype(found, node))
    return tuple(found)


def _stored_dtype(known: Sequence[DType], node: Node) -> DType:
    match node:
        case Input() | Weight() | Cast() | Constant():
            return node.dtype
        case IndexValue() | Reduce():
            return node.dtype.compute
        case Elementwise():
            return node.dtype.compute
        case Gather(base):
            return known[base.node]
        case Place():
            return _common(node.dtype, {known[piece.operand.node] for piece in node.pieces})
        case Scatter(initial, value, _, _, combine):
            if combine is not None:
                return node.dtype.compute
            return _common(node.dtype, {known[initial.node], known[value.node]})
        case _:
            assert_never(node)


def _common(wanted: DType, found: set[DType]) -> DType:
    return wanted if found == {wanted} else wanted.compute
