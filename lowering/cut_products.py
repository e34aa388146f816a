"""Products of which some columns go on into scalar code, and others don't, as two products.

A projection may hold queries, keys and values beside the halves of a gated activation. What the
activation makes of its columns can be the end of a product of their own; the rest is read by
kernels of other kinds and has to stand in memory.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from lumc.dsl.tensor_program import (
    Cast,
    Elementwise,
    ElementwiseOp,
    Node,
    Operand,
    Reduce,
    ReduceOp,
    TensorProgram,
    operands,
)
from lumc.lowering.boxes import Box, along, around, sizes, whole
from lumc.lowering.narrow import Cut, Parts, cut, touched
from lumc.lowering.rewriting import identity

Read = tuple[int, Operand, Box]
"""Who reads a node, by which operand, and what."""


def cut_products(program: TensorProgram) -> Cut | None:
    """``program`` with products cut where their columns' uses differ; None where none do."""
    readers = _Readers.of(program)
    parts: list[Parts] = [(whole(node.space),) for node in program.nodes]
    changed = False
    for number, node in enumerate(program.nodes):
        if _is_product(program, node):
            changed |= _cut_product(readers, number, parts)
    return cut(program, parts) if changed else None


def _is_product(program: TensorProgram, node: Node) -> bool:
    """Whether a node is a sum of products whose factors depend on different axes."""
    if not isinstance(node, Reduce) or node.op is not ReduceOp.SUM:
        return False
    factors = program.nodes[node.operand.node]
    if not isinstance(factors, Elementwise) or factors.op is not ElementwiseOp.MULTIPLY:
        return False
    left, right = (frozenset().union(*(e.axes() for e in o.map)) for o in factors.operands)
    return left != right


@dataclass(frozen=True, slots=True)
class _Readers:
    """Who reads each node of a program; ``results`` are the nodes that outputs are."""

    program: TensorProgram
    reads: tuple[tuple[Read, ...], ...]
    results: frozenset[int]

    @staticmethod
    def of(program: TensorProgram) -> _Readers:
        found: list[list[Read]] = [[] for _ in program.nodes]
        for number, node in enumerate(program.nodes):
            for operand, space in operands(node):
                base = program.nodes[operand.node].space
                # Axes of size 0 are indices that are computed at run time.
                known = tuple(size for size in space if size)
                box = touched(operand, whole(known), base, len(space) - len(known))
                found[operand.node].append((number, operand, box))
        results = frozenset(output.operand.node for output in program.outputs)
        return _Readers(program, tuple(map(tuple, found)), results)

    def only(self, number: int) -> Read | None:
        """The one read of a node, if there is one only."""
        reads = self.reads[number]
        return reads[0] if len(reads) == 1 and number not in self.results else None

    def goes_on(self, read: Read) -> bool:
        """Whether what is read goes, point by point, through scalar code into memory."""
        number, _, box = read
        if math.prod(self.program.nodes[number].space) != math.prod(sizes(box)):
            return False
        return isinstance(self.program.nodes[number], Elementwise) and self._ends(number)

    def _ends(self, number: int) -> bool:
        """Whether no reduction reads the points of a node as they are computed."""
        points = math.prod(self.program.nodes[number].space)
        for reader, _, _ in self.reads[number]:
            node = self.program.nodes[reader]
            if isinstance(node, Reduce):
                return False
            same = isinstance(node, Elementwise | Cast) and math.prod(node.space) == points
            if same and not self._ends(reader):
                return False
        return True


def _cut_product(readers: _Readers, number: int, parts: list[Parts]) -> bool:
    """Cut a product, and what is computed before and after it alone; whether there was a cut."""
    last = number
    while (read := readers.only(last)) is not None:
        node = readers.program.nodes[read[0]]
        if not isinstance(node, Cast) or read[1].map != identity(len(node.space)):
            break
        last = read[0]
    boxes = _uses(readers, last)
    if len(boxes) < 2:
        return False
    for one, own in _chain(readers, last, boxes):
        parts[one] = own
    return True


def _uses(readers: _Readers, number: int) -> Parts:
    """The boxes of a node that are used alike, in order along one axis."""
    reads = readers.reads[number]
    if number in readers.results or not reads:
        return ()
    for axis in range(len(readers.program.nodes[number].space)):
        found = along([box for _, _, box in reads], axis)
        if len(found) < 2:
            continue
        goes_on = [
            all(readers.goes_on(read) for read in reads if around((box, read[2])) == box)
            for box in found
        ]
        pairs = zip(goes_on, found, strict=True)
        alike = groupby(pairs, key=lambda pair: pair[0])
        return tuple(around([box for _, box in group]) for _, group in alike)
    return ()


def _chain(readers: _Readers, number: int, boxes: Sequence[Box]) -> Iterator[tuple[int, Parts]]:
    """A node with its parts, and those before it that are read by it alone."""
    yield number, tuple(boxes)
    node = readers.program.nodes[number]
    for operand, space in operands(node):
        before = readers.program.nodes[operand.node]
        if readers.only(operand.node) is None or not isinstance(
            before, Cast | Reduce | Elementwise
        ):
            continue
        reduced = whole(space)[len(node.space) :]
        read = [touched(operand, box + reduced, before.space) for box in boxes]
        if len(along(read, _moving(read))) == len(read):
            yield from _chain(readers, operand.node, read)


def _moving(boxes: Sequence[Box]) -> int:
    """The axis along which the boxes differ, if there is one."""
    first, second, *_ = boxes
    differ = (n for n, pair in enumerate(zip(first, second, strict=True)) if pair[0] != pair[1])
    return next(differ, 0)
