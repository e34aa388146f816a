"""Conversions between kinds of numbers, written out as casts.

The operands of an elementwise node are converted to the type that it is computed in. Kernels do
so only where types meet, by promotion; what that would not do becomes a ``Cast`` here.
"""

from __future__ import annotations

import dataclasses

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
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
from lumc.lowering.rename import with_nodes


def make_conversions_explicit(program: TensorProgram) -> TensorProgram:
    """``program`` with casts where a kernel would not convert by itself."""
    rewriter = _Rewriter(program)
    for number in range(len(program.nodes)):
        rewriter.add(number)
    return rewriter.result()


class _Rewriter:
    def __init__(self, program: TensorProgram) -> None:
        self.program = program
        self.nodes: list[Node] = []
        self.numbers: dict[int, int] = {}
        self.known: dict[Node, int] = {}

    def result(self) -> TensorProgram:
        """The program with its nodes replaced."""
        old = self.program
        outputs = tuple(
            dataclasses.replace(o, operand=Operand(self.numbers[o.operand.node], o.operand.map))
            for o in old.outputs
        )
        return dataclasses.replace(
            old,
            nodes=tuple(self.nodes),
            inputs=tuple(self.numbers[n] for n in old.inputs),
            weights=tuple(self.numbers[n] for n in old.weights),
            outputs=outputs,
        )

    def add(self, number: int) -> None:
        """Add node ``number`` with its operands as casts where that is needed."""
        node = with_nodes(self.program.nodes[number], self.numbers.__getitem__)
        match node:
            case Elementwise():
                self.numbers[number] = self._elementwise(node)
            case Reduce():
                self.numbers[number] = self._reduce(node)
            case Gather():
                indices = tuple(self._as(o, node.space, DType.I32) for o in node.indices)
                self.numbers[number] = self._node(dataclasses.replace(node, indices=indices))
            case Scatter():
                indices = tuple(self._as(o, node.source_space, DType.I32) for o in node.indices)
                wanted = node.dtype.compute
                self.numbers[number] = self._node(
                    dataclasses.replace(
                        node,
                        indices=indices,
                        value=self._as(node.value, node.source_space, wanted),
                        initial=self._as(node.initial, node.space, wanted),
                    )
                )
            case _:
                self.numbers[number] = self._node(node)

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
        result = self._node(dataclasses.replace(node, operands=operands, dtype=found))
        return self._converted(result, node, wanted)

    def _reduce(self, node: Reduce) -> int:
        wanted = node.dtype.compute
        full = node.space + node.reduced
        operand = node.operand
        if reduction_type(node.op, self._type(operand)) is not wanted:
            operand = self._as(operand, full, wanted)
        found = reduction_type(node.op, self._type(operand))
        result = self._node(dataclasses.replace(node, operand=operand, dtype=found))
        return self._converted(result, node, wanted)

    def _converted(self, number: int, node: Elementwise | Reduce, wanted: DType) -> int:
        if self.nodes[number].dtype.compute is wanted:
            return number
        whole = Operand(number, tuple(axis(n) for n in range(len(node.space))))
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
        cast = self._node(Cast(operand, space, wanted, names, near.origin))
        return Operand(cast, tuple(axis(n) for n in range(len(space))))

    def _constant(self, source: Constant, wanted: DType) -> int:
        if wanted is DType.BOOL:
            return self._node(Constant(source.value != 0, wanted))
        if wanted.is_float:
            return self._node(Constant(float(source.value), wanted))
        return self._node(Constant(int(source.value), wanted))

    def _type(self, operand: Operand) -> DType:
        return self.nodes[operand.node].dtype.compute

    def _node(self, node: Node) -> int:
        if node not in self.known:
            self.known[node] = len(self.nodes)
            self.nodes.append(node)
        return self.known[node]
