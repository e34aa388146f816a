"""Sums of reals at computed places, as reductions.

Writes that meet would have to be added in memory in whatever order they come. Instead each place
looks for what is written to it: ``y[j] = initial[j] + Σ_t (destination[t] = j ? value[t] : 0)``,
in the order of ``t``, so results are the same every time.
"""

from __future__ import annotations

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    Axis,
    FloorDivide,
    IndexExpression,
    Modulo,
    axis,
    substitute,
)
from lumc.dsl.tensor_program import (
    Constant,
    Elementwise,
    ElementwiseOp,
    IndexValue,
    Operand,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
)
from lumc.lowering.rewriting import ProgramRewriter, identity


def reduce_scatter_sums(program: TensorProgram) -> TensorProgram:
    """``program`` without scatters that sum reals."""
    rewriter = ProgramRewriter(program)
    for number, node in enumerate(program.nodes):
        moved = rewriter.moved(number)
        if isinstance(moved, Scatter) and moved.combine is ReduceOp.SUM and node.dtype.is_float:
            rewriter.numbers[number] = _SumMaker(rewriter, moved).make()
        else:
            rewriter.numbers[number] = rewriter.add(moved)
    return rewriter.result()


class _SumMaker:
    """Makes the reduction for one scatter.

    Its axes are those of the place and then those of the source; a destination entry that is just
    a source axis needs no search, and that source axis is the place's.
    """

    def __init__(self, rewriter: ProgramRewriter, node: Scatter) -> None:
        self.rewriter = rewriter
        self.node = node
        self.same = self._direct_axes()
        self.searched = [n for n in range(len(node.source_space)) if n not in self.same]
        self.reduced = tuple(node.source_space[n] for n in self.searched)
        self.full = node.space + self.reduced

    def _direct_axes(self) -> dict[int, int]:
        """Source axes that are an axis of the place, of the same size, with that axis."""
        found: dict[int, int] = {}
        for place, entry in enumerate(self.node.destination):
            bare = entry.bare_axis
            others = [e for n, e in enumerate(self.node.destination) if n != place]
            if bare is None or bare >= len(self.node.source_space):
                continue
            alone = all(bare not in e.axes() for e in others)
            if alone and self.node.source_space[bare] == self.node.space[place]:
                found[bare] = place
        return found

    def make(self) -> int:
        """The node that stands for the scatter."""
        node = self.node
        condition: Operand | None = None
        for place, entry in enumerate(node.destination):
            if place in self.same.values():
                continue
            equal = self._equal(self._entry(entry), self._index(axis(place)))
            if condition is not None:
                equal = self._apply(ElementwiseOp.MULTIPLY, (condition, equal), DType.BOOL)
            condition = equal
        value = self._read(node.value)
        if condition is not None:
            zero = self._constant(0.0, DType.F32)
            value = self._apply(ElementwiseOp.SELECT, (condition, value, zero), DType.F32)
        if self.reduced:
            total = self.rewriter.add(
                Reduce(
                    ReduceOp.SUM,
                    value,
                    node.space,
                    self.reduced,
                    DType.F32,
                    origin=node.origin,
                )
            )
            value = Operand(total, identity(len(node.space)))
        return self.rewriter.add(
            Elementwise(
                ElementwiseOp.ADD,
                (node.initial, value),
                node.space,
                node.dtype.compute,
                node.axis_names,
                node.origin,
            )
        )

    def _source_axes(self) -> tuple[IndexExpression, ...]:
        """Each source axis over the axes of the reduction."""
        rank = len(self.node.space)
        return tuple(
            axis(self.same[n]) if n in self.same else axis(rank + self.searched.index(n))
            for n in range(len(self.node.source_space))
        )

    def _read(self, operand: Operand) -> Operand:
        moved = self._source_axes()
        return Operand(operand.node, tuple(substitute(e, moved, self.full) for e in operand.map))

    def _equal(self, left: Operand, right: Operand) -> Operand:
        false, true = self._constant(False, DType.BOOL), self._constant(True, DType.BOOL)
        less = self._apply(ElementwiseOp.LESS_THAN, (left, right), DType.BOOL)
        more = self._apply(ElementwiseOp.LESS_THAN, (right, left), DType.BOOL)
        same = self._apply(ElementwiseOp.SELECT, (more, false, true), DType.BOOL)
        return self._apply(ElementwiseOp.SELECT, (less, false, same), DType.BOOL)

    def _entry(self, entry: IndexExpression) -> Operand:
        """A destination entry, over source axes and computed ones, as a value."""
        rank = len(self.node.source_space)
        if all(n < rank for n in entry.axes()):
            return self._index(substitute(entry, self._source_axes(), self.full))
        total = self._constant(entry.constant, DType.I32) if entry.constant else None
        for atom, coefficient in entry.terms:
            match atom:
                case Axis(number) if number >= rank:
                    value = self._read(self.node.indices[number - rank])
                case Axis():
                    value = self._entry(IndexExpression(0, ((atom, 1),)))
                case FloorDivide(inner, divisor):
                    value = self._whole(ElementwiseOp.FLOOR_DIVIDE, self._entry(inner), divisor)
                case Modulo(inner, divisor):
                    value = self._whole(ElementwiseOp.MODULO, self._entry(inner), divisor)
            if coefficient != 1:
                value = self._whole(ElementwiseOp.MULTIPLY, value, coefficient)
            total = (
                value
                if total is None
                else self._apply(ElementwiseOp.ADD, (total, value), DType.I32)
            )
        assert total is not None
        return total

    def _whole(self, op: ElementwiseOp, value: Operand, number: int) -> Operand:
        return self._apply(op, (value, self._constant(number, DType.I32)), DType.I32)

    def _index(self, expression: IndexExpression) -> Operand:
        number = self.rewriter.add(IndexValue(expression, self.full))
        return Operand(number, identity(len(self.full)))

    def _constant(self, value: float | int | bool, dtype: DType) -> Operand:
        return Operand(self.rewriter.add(Constant(value, dtype)))

    def _apply(self, op: ElementwiseOp, operands: tuple[Operand, ...], dtype: DType) -> Operand:
        origin = self.node.origin
        number = self.rewriter.add(Elementwise(op, operands, self.full, dtype, (), origin))
        return Operand(number, identity(len(self.full)))
