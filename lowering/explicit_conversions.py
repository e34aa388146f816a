"""Conversions between kinds of numbers, written out as casts.

The operands of an elementwise node are converted to the type that it is computed in. Kernels do
so only where types meet, by promotion; what that would not do becomes a ``Cast`` here.
"""

from __future__ import annotations

import dataclasses

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    ElementwiseOp,
    Gather,
    Node,
    Operand,
    Reduce,
    Scatter,
    TensorProgram,
)
from lumc.lowering.kernel_types import apply_type, reduction_type
from lumc.lowering.rewriting import ProgramRewriter, identity


def make_conversions_explicit(program: TensorProgram) -> TensorProgram:
    """``program`` with casts where a kernel would not convert by itself."""
    rewriter = _Rewriter(program)
    for number in range(len(program.nodes)):
        rewriter.take(number)
    return rewriter.result()


class _Rewriter(ProgramRewriter):
    def take(self, number: int) -> None:
        """Add node ``number`` with its operands as casts where that is needed."""
        node = self.moved(number)
        match node:
            case Elementwise():
                self.numbers[number] = self._elementwise(node)
            case Reduce():
                self.numbers[number] = self._reduce(node)
            case Gather():
                indices = tuple(self._as(o, node.space, DType.I32) for o in node.indices)
                self.numbers[number] = self.add(dataclasses.replace(node, indices=indices))
            case Scatter():
                indices = tuple(self._as_place(o, node.source_space) for o in node.indices)
                wanted = node.dtype.compute
                self.numbers[number] = self.add(
                    dataclasses.replace(
                        node,
                        indices=indices,
                        value=self._as(node.value, node.source_space, wanted),
                        initial=self._as(node.initial, node.space, wanted),
                    )
                )
            case _:
                self.numbers[number] = self.add(node)

    def _elementwise(self, node: Elementwise) -> int:
        wanted = node.dtype.compute
        operands = node.operands
        if node.op is ElementwiseOp.SELECT:
            condition, then, otherwise = operands
            operands = (
                self._as(condition, node.space, DType.BOOL),
                self._as(then, node.space, wanted),
                self._as(otherwise, node.space, wanted),
            )
        elif node.op is not ElementwiseOp.LESS_THAN and wanted is not DType.BOOL:
            operands = tuple(self._as(operand, node.space, wanted) for operand in operands)
        found = apply_type(node.op, [self._type(operand) for operand in operands])
        result = self.add(dataclasses.replace(node, operands=operands, dtype=found))
        return self._converted(result, node, wanted)

    def _reduce(self, node: Reduce) -> int:
        wanted = node.dtype.compute
        full = node.space + node.reduced
        operand = node.operand
        if reduction_type(node.op, self._type(operand)) is not wanted:
            operand = self._as(operand, full, wanted)
        found = reduction_type(node.op, self._type(operand))
        result = self.add(dataclasses.replace(node, operand=operand, dtype=found))
        return self._converted(result, node, wanted)

    def _converted(self, number: int, node: Elementwise | Reduce, wanted: DType) -> int:
        if self.nodes[number].dtype.compute is wanted:
            return number
        whole = Operand(number, identity(len(node.space)))
        return self._as(whole, node.space, wanted, node).node

    def _as(
        self, operand: Operand, space: tuple[int, ...], wanted: DType, like: Node | None = None
    ) -> Operand:
        """``operand`` converted, if it is not computed in the type ``wanted``."""
        if self._type(operand) is wanted:
            return operand
        source = self.nodes[operand.node]
        if isinstance(source, Constant):
            return Operand(self._constant(source, wanted))
        near = like or source
        names = near.axis_names if like is not None else ()
        cast = self.add(Cast(operand, space, wanted, names, near.origin))
        return Operand(cast, identity(len(space)))

    def _as_place(self, operand: Operand, space: tuple[int, ...]) -> Operand:
        """``operand`` as an i32: one that is none becomes the nearest, which no tensor has.

        Wrapped around, a place far outside would be one inside.
        """
        if self._type(operand) is not DType.I64:
            return self._as(operand, space, DType.I32)
        least, most = (Operand(self.add(Constant(end, DType.I64))) for end in (-(2**31), 2**31 - 1))
        origin = self.nodes[operand.node].origin
        whole = identity(len(space))

        def apply(op: ElementwiseOp, operands: tuple[Operand, ...], dtype: DType) -> Operand:
            return Operand(self.add(Elementwise(op, operands, space, dtype, (), origin)), whole)

        fits = apply(ElementwiseOp.LESS_THAN, (operand, most), DType.BOOL)
        above = apply(ElementwiseOp.MAXIMUM, (operand, least), DType.I64)
        near = apply(ElementwiseOp.SELECT, (fits, above, most), DType.I64)
        return Operand(self.add(Cast(near, space, DType.I32, (), origin)), whole)

    def _constant(self, source: Constant, wanted: DType) -> int:
        if wanted is DType.BOOL:
            return self.add(Constant(source.value != 0, wanted))
        if wanted.is_float:
            return self.add(Constant(float(source.value), wanted))
        return self.add(Constant(int(source.value), wanted))

    def _type(self, operand: Operand) -> DType:
        return self.nodes[operand.node].dtype.compute
