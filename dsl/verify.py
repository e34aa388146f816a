"""What a tensor program may be; elaboration's results are checked against it.

Beyond types and shapes: every map stays inside the tensor it reads, except in the branches of a
select whose condition keeps it inside; pieces cover their tensor exactly.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Sequence
from typing import assert_never

from lumc.dsl import limits
from lumc.dsl.axes import mentioned
from lumc.dsl.bounds import Bounds, Fact
from lumc.dsl.cover import Footprint, find_flaw
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, substitute, value_range
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
    Output,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
    operands,
)

_WHOLE = (DType.I32, DType.I64, DType.U8)
_COMPUTED = (DType.F32, DType.I32, DType.I64)
_ARITY = {
    ElementwiseOp.ADD: 2,
    ElementwiseOp.MULTIPLY: 2,
    ElementwiseOp.RECIPROCAL: 1,
    ElementwiseOp.SQUARE_ROOT: 1,
    ElementwiseOp.EXP2: 1,
    ElementwiseOp.LOG2: 1,
    ElementwiseOp.SINE: 1,
    ElementwiseOp.MAXIMUM: 2,
    ElementwiseOp.FLOOR_DIVIDE: 2,
    ElementwiseOp.MODULO: 2,
    ElementwiseOp.LESS_THAN: 2,
    ElementwiseOp.SELECT: 3,
}


class InvalidProgramError(Exception):
    """A tensor program that breaks a rule of its level: a mistake of the compiler, not the user."""


def verify(program: TensorProgram) -> None:
    """Check every rule of the level.

    Raises:
        InvalidProgramError: A rule is broken; the message names the node.
    """
    _Verifier(program).run()


class _Verifier:
    def __init__(self, program: TensorProgram) -> None:
        self._program = program
        self._nodes = program.nodes
        self._place = "program"

    def run(self) -> None:
        for number, node in enumerate(self._nodes):
            self._place = f"node {number} ({type(node).__name__})"
            self._check_node(number, node)
        self._check_leaves()
        for output in self._program.outputs:
            self._place = f"output {output.name}"
            self._check_output(output)

    def _require(self, holds: bool, rule: str) -> None:
        if not holds:
            raise InvalidProgramError(f"{self._program.name}, {self._place}: {rule}")

    # --- all nodes

    def _check_node(self, number: int, node: Node) -> None:
        self._require(isinstance(node, Input) or 0 not in node.space, "an axis is empty")
        self._require(max(node.space, default=0) <= limits.AXIS_SIZE, "an axis is too long")
        self._require(node.dtype is not DType.F64, "f64 is not a type of nodes")
        for operand, sizes in operands(node):
            self._check_operand(number, node, operand, sizes)
        self._check_kind(node)

    def _check_operand(
        self, number: int, node: Node, operand: Operand, sizes: Sequence[int]
    ) -> None:
        self._require(0 <= operand.node < number, "an operand is not defined before")
        space = self._nodes[operand.node].space
        self._require(len(operand.map) == len(space), "a map has not one entry per axis")
        self._require(0 not in space, "an empty input is read")
        if max(mentioned(operand.map), default=-1) >= len(sizes):
            self._require(False, "a map uses an unknown axis")
        if isinstance(node, Gather) and operand is node.base:
            self._check_gather_map(node, operand)
        elif not (isinstance(node, Elementwise) and node.op is ElementwiseOp.SELECT):
            self._require(self._is_inside(operand, sizes), "a read is not inside")

    def _is_inside(self, operand: Operand, sizes: Sequence[int]) -> bool:
        for entry, size in zip(operand.map, self._nodes[operand.node].space, strict=True):
            number = entry.bare_axis
            if number is None:
                low, high = value_range(entry, sizes)
                if low < 0 or high >= size:
                    return False
            elif sizes[number] > size:
                return False
        return True

    def _check_gather_map(self, node: Gather, operand: Operand) -> None:
        """A computed axis stands alone; its range is the author's promise."""
        rank = len(node.space)
        for entry, size in zip(operand.map, self._nodes[operand.node].space, strict=True):
            if _last_axis(entry) >= rank:
                continue
            low, high = value_range(entry, node.space)
            self._require(low >= 0 and high < size, "a read is not inside")

    # --- kinds of nodes

    def _check_kind(self, node: Node) -> None:
        match node:
            case Input() | Weight():
                pass
            case Constant():
                self._check_constant(node)
            case IndexValue():
                self._require(_last_axis(node.expression) < len(node.space), "an unknown axis")
                self._require(node.dtype is DType.I32, "an index value is an i32")
                low, high = value_range(node.expression, node.space)
                self._require(low >= -(2**31) and high < 2**31, "an index value leaves the i32s")
            case Elementwise():
                self._check_elementwise(node)
            case Cast():
                self._require(
                    self._dtype(node.operand) is not node.dtype, "a cast to the same type"
                )
            case Reduce():
                self._check_reduce(node)
            case Gather():
                self._require(node.dtype is self._dtype(node.base), "a gather changes the type")
                self._require(bool(node.indices), "a gather without computed indices")
                for index in node.indices:
                    self._require(self._dtype(index) in _WHOLE, "an index is not whole")
            case Place():
                self._check_place(node)
            case Scatter():
                self._check_scatter(node)
            case _:
                assert_never(node)

    def _dtype(self, operand: Operand) -> DType:
        return self._nodes[operand.node].dtype

    def _check_constant(self, node: Constant) -> None:
        value = node.value
        if node.dtype is DType.BOOL:
            self._require(isinstance(value, bool), "a condition is True or False")
        elif node.dtype.is_float:
            self._require(isinstance(value, float) and not math.isnan(value), "a real is a float")
        else:
            whole = isinstance(value, int) and not isinstance(value, bool)
            self._require(whole, "a whole number is an int")
            limit = 2**63 if node.dtype is DType.I64 else 2**31
            self._require(-limit <= value < limit, "a whole number leaves its type")

    def _check_elementwise(self, node: Elementwise) -> None:
        self._require(len(node.operands) == _ARITY[node.op], f"{node.op} has a wrong arity")
        dtypes = [self._dtype(operand) for operand in node.operands]
        match node.op:
            case ElementwiseOp.SELECT:
                self._require(dtypes[0] is DType.BOOL, "a select needs a condition")
                self._check_alike(dtypes[1:], node.dtype)
                self._check_select_reads(node)
            case ElementwiseOp.LESS_THAN:
                self._require(node.dtype is DType.BOOL, "a comparison is a condition")
                self._require(DType.BOOL not in dtypes, "a condition is compared")
            case ElementwiseOp.FLOOR_DIVIDE | ElementwiseOp.MODULO:
                self._require(all(dtype in _WHOLE for dtype in dtypes), "operands are not whole")
                self._require(node.dtype in (DType.I32, DType.I64), "the result is not whole")
            case ElementwiseOp.ADD | ElementwiseOp.MULTIPLY | ElementwiseOp.MAXIMUM:
                self._check_arithmetic(dtypes, node)
            case _:
                self._require(node.dtype is DType.F32, f"{node.op} is computed in f32")
                self._require(DType.BOOL not in dtypes, "a condition is used as a number")

    def _check_arithmetic(self, dtypes: Sequence[DType], node: Elementwise) -> None:
        if node.dtype is DType.BOOL:
            self._require(node.op is not ElementwiseOp.ADD, "conditions are not added")
            self._require(set(dtypes) == {DType.BOOL}, "a number is used as a condition")
            return
        self._require(DType.BOOL not in dtypes, "a condition is used as a number")
        self._require(node.dtype in _COMPUTED, f"{node.op} is not computed in {node.dtype}")
        if not node.dtype.is_float:
            self._require(all(dtype in _WHOLE for dtype in dtypes), "a real in a whole number")

    def _check_alike(self, dtypes: Sequence[DType], result: DType) -> None:
        """Values that stand side by side have the result's type, or one that computes to it."""
        if set(dtypes) == {result}:
            return
        self._require(result in _COMPUTED, f"values of {dtypes} are joined to {result}")
        self._require(DType.BOOL not in dtypes, "a number and a condition are joined")
        if not result.is_float:
            self._require(all(dtype in _WHOLE for dtype in dtypes), "a real in a whole number")

    def _check_reduce(self, node: Reduce) -> None:
        self._require(bool(node.reduced) and min(node.reduced) >= 1, "nothing is reduced")
        self._require(node.dtype in _COMPUTED, f"{node.op} is not computed in {node.dtype}")
        dtype = self._dtype(node.operand)
        self._require(dtype is not DType.BOOL, "a condition is reduced")
        self._require(node.dtype.is_float == dtype.is_float, "a reduction changes whole to real")

    def _check_place(self, node: Place) -> None:
        self._check_alike([self._dtype(piece.operand) for piece in node.pieces], node.dtype)
        for piece in node.pieces:
            self._require(len(piece.destination) == len(node.space), "a destination's rank")
            for entry in piece.destination:
                known = _last_axis(entry) < len(piece.space)
                self._require(known, "a destination uses an unknown axis")
        footprints = [Footprint(piece.space, piece.destination) for piece in node.pieces]
        flaw = find_flaw(node.space, footprints)
        self._require(flaw is None, f"the pieces do not cover it exactly: {flaw}")

    def _check_scatter(self, node: Scatter) -> None:
        dtypes = [self._dtype(node.initial), self._dtype(node.value)]
        if node.combine is None:
            self._check_alike(dtypes, node.dtype)
        else:
            self._require(node.dtype in _COMPUTED, "values that meet are computed")
            self._require(node.combine in tuple(ReduceOp), "an unknown reduction")
            self._require(DType.BOOL not in dtypes, "conditions are combined")
        self._require(bool(node.indices), "a scatter without computed places")
        self._require(len(node.destination) == len(node.space), "a destination's rank")
        for index in node.indices:
            self._require(self._dtype(index) in _WHOLE, "a place is not whole")
        rank = len(node.source_space)
        for entry, size in zip(node.destination, node.space, strict=True):
            last = _last_axis(entry)
            self._require(last < rank + len(node.indices), "a destination uses an unknown axis")
            if last < rank:
                low, high = value_range(entry, node.source_space)
                self._require(low >= 0 and high < size, "a fixed place is not inside")

    # --- reads that a condition keeps inside

    def _check_select_reads(self, node: Elementwise) -> None:
        condition, then, other = node.operands
        self._require(self._is_inside(condition, node.space), "a condition's read is not inside")
        for branch, holds in ((then, True), (other, False)):
            if self._is_inside(branch, node.space):
                continue
            facts = list(self._facts(condition, node.space, holds))
            bounds = Bounds(node.space, facts)
            space = self._nodes[branch.node].space
            for entry, size in zip(branch.map, space, strict=True):
                low, high = bounds.range_of(entry)
                self._require(low >= 0 and high < size, "a branch's read is not kept inside")

    def _facts(self, condition: Operand, sizes: Sequence[int], holds: bool) -> Iterator[Fact]:
        """What the condition says about indices where it holds, or where it does not."""
        node = self._nodes[condition.node]
        if not isinstance(node, Elementwise):
            return
        joined = ElementwiseOp.MULTIPLY if holds else ElementwiseOp.MAXIMUM
        if node.op is joined:
            for operand in node.operands:
                yield from self._facts(_through(condition, operand, sizes), sizes, holds)
        elif node.op is ElementwiseOp.LESS_THAN:
            left = self._index(_through(condition, node.operands[0], sizes), sizes)
            right = self._index(_through(condition, node.operands[1], sizes), sizes)
            if left is not None and right is not None:
                difference = add(right, left, -1)
                ends = (1, math.inf) if holds else (-math.inf, 0)
                yield Fact(difference, *ends)
        elif node.op is ElementwiseOp.SELECT:
            constants = [self._nodes[operand.node] for operand in node.operands[1:]]
            values = [c.value for c in constants if isinstance(c, Constant)]
            if values == [False, True]:
                inner = _through(condition, node.operands[0], sizes)
                yield from self._facts(inner, sizes, not holds)

    def _index(self, operand: Operand, sizes: Sequence[int]) -> IndexExpression | None:
        node = self._nodes[operand.node]
        match node:
            case IndexValue():
                return substitute(node.expression, operand.map, sizes)
            case Constant() if isinstance(node.value, int):
                return IndexExpression(node.value)
            case _:
                return None

    # --- leaves and outputs

    def _check_leaves(self) -> None:
        self._place = "program"
        inputs = [k for k, node in enumerate(self._nodes) if isinstance(node, Input)]
        weights = [k for k, node in enumerate(self._nodes) if isinstance(node, Weight)]
        self._require(sorted(self._program.inputs) == inputs, "inputs are not listed")
        self._require(sorted(self._program.weights) == weights, "weights are not listed")
        for numbers in (inputs, weights):
            leaves = [self._nodes[number] for number in numbers]
            names = [leaf.name for leaf in leaves if isinstance(leaf, Input | Weight)]
            self._require(len(set(names)) == len(names), "a name stands twice")

    def _check_output(self, output: Output) -> None:
        operand = output.operand
        self._require(0 <= operand.node < len(self._nodes), "it reads an unknown node")
        space = self._nodes[operand.node].space
        self._require(len(operand.map) == len(space), "a map has not one entry per axis")
        self._require(min(output.shape, default=1) >= 1, "an axis is empty")
        self._require(self._is_inside(operand, output.shape), "a read is not inside")
        self._require(self._dtype(operand) is output.dtype, "it is stored as another type")


def _last_axis(expression: IndexExpression) -> int:
    """The largest number of an axis that occurs, or -1."""
    number = expression.bare_axis
    return max(expression.axes(), default=-1) if number is None else number


def _through(outer: Operand, inner: Operand, sizes: Sequence[int]) -> Operand:
    """``inner``, an operand of the node that ``outer`` reads, over the axes of ``outer``."""
    return Operand(inner.node, tuple(substitute(entry, outer.map, sizes) for entry in inner.map))
