"""Random programs: the reference against an interpreter that goes point by point."""

from __future__ import annotations

import math
from typing import assert_never

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lumc.dsl import index_expression, reference
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.reference import evaluate
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
    Piece,
    Place,
    Reduce,
    ReduceOp,
    Scatter,
    TensorProgram,
    Weight,
)

Point = tuple[int, ...]
Inputs = dict[str, npt.NDArray[np.float32]]


class Interpreter:
    """Each value by the definition of its node, in Python's numbers."""

    def __init__(self, nodes: tuple[Node, ...], inputs: Inputs) -> None:
        self.nodes, self.inputs = nodes, inputs
        self.known: dict[tuple[int, Point], float] = {}

    def read(self, operand: Operand, point: Point) -> float:
        axes = [np.asarray(p) for p in point]
        place = tuple(int(index_expression.evaluate(e, axes)) for e in operand.map)
        return self.value(operand.node, place)

    def value(self, number: int, point: Point) -> float:
        if (number, point) not in self.known:
            self.known[number, point] = self.compute(self.nodes[number], point)
        return self.known[number, point]

    def compute(self, node: Node, point: Point) -> float:
        match node:
            case Input() | Weight():
                return float(self.inputs[node.name][point])
            case Constant():
                return float(node.value)
            case IndexValue():
                return int(index_expression.evaluate(node.expression, list(map(np.asarray, point))))
            case Elementwise():
                a, b, *rest = [self.read(o, point) for o in node.operands]
                if node.op is ElementwiseOp.SELECT:
                    return b if a else rest[0]
                return {"add": a + b, "mul": a * b, "max": max(a, b), "lt": float(a < b)}[node.op]
            case Cast():
                return float(np.float16(self.read(node.operand, point)))
            case Reduce():
                parts = [self.read(node.operand, (*point, *r)) for r in np.ndindex(*node.reduced)]
                return sum(parts) if node.op is ReduceOp.SUM else max(parts)
            case Place():
                (found,) = [
                    self.read(piece.operand, at)
                    for piece in node.pieces
                    for at in np.ndindex(*piece.space)
                    if self.place(piece.destination, at) == point
                ]
                return found
            case Gather() | Scatter():
                raise AssertionError("these programs have no computed places")
            case _:
                assert_never(node)

    def place(self, map_: tuple[IndexExpression, ...], at: Point) -> Point:
        axes = [np.asarray(p) for p in at]
        return tuple(int(index_expression.evaluate(e, axes)) for e in map_)


SIZES = st.integers(1, 4)


@st.composite
def index(draw: st.DrawFn, size: int, space: tuple[int, ...]) -> IndexExpression:
    """An index over ``space`` that stays within ``size``."""
    bare = [a for a, n in enumerate(space) if n <= size]
    renamed = draw(st.booleans())
    if bare and renamed:
        return index_expression.axis(draw(st.sampled_from(bare)))
    expression = index_expression.constant(draw(st.integers(0, 3)))
    for a in range(len(space)):
        factor = draw(st.integers(-2, 2))
        expression = index_expression.add(expression, index_expression.axis(a), factor)
    low, high = index_expression.value_range(expression, space)
    if high - low < size:
        shift = draw(st.integers(-low, size - 1 - high))
        return index_expression.add(expression, index_expression.constant(shift))
    return index_expression.modulo(expression, size, space)


@st.composite
def operand(draw: st.DrawFn, nodes: list[Node], space: tuple[int, ...]) -> Operand:
    number = draw(st.integers(0, len(nodes) - 1))
    return Operand(number, tuple(draw(index(n, space)) for n in nodes[number].space))


@st.composite
def next_node(draw: st.DrawFn, nodes: list[Node]) -> Node:
    space = tuple(draw(st.lists(SIZES, max_size=3)))
    kind = draw(
        st.sampled_from(["add", "mul", "mul", "max", "select", "sum", "sum", "top", "place"])
    )
    match kind:
        case "sum" | "top":
            reduced = tuple(draw(st.lists(SIZES, min_size=1, max_size=2)))
            op = ReduceOp.SUM if kind == "sum" else ReduceOp.MAXIMUM
            return Reduce(op, draw(operand(nodes, space + reduced)), space, reduced, DType.F32)
        case "place":
            return draw(interleaved(nodes, space))
        case _:
            count = 3 if kind == "select" else 2
            operands = tuple(draw(operand(nodes, space)) for _ in range(count))
            return Elementwise(ElementwiseOp(kind), operands, space, DType.F32)


@st.composite
def interleaved(draw: st.DrawFn, nodes: list[Node], space: tuple[int, ...]) -> Node:
    """Two pieces that alternate along a new last axis, which is merged with another."""
    inner = (*space, draw(SIZES))
    axes = [index_expression.axis(a) for a in range(len(inner))]
    pieces = []
    for k in range(2):
        last = index_expression.add(index_expression.constant(k), axes[-1], 2)
        pieces.append(Piece(inner, (*axes[:-1], last), draw(operand(nodes, inner))))
    return Place(tuple(pieces), (*space, 2 * inner[-1]), DType.F32)


@st.composite
def programs(draw: st.DrawFn) -> TensorProgram:
    nodes: list[Node] = [
        Input("a", (2, 3), DType.F32),
        Input("b", (3, 4), DType.F32),
        Constant(-0.5, DType.F32),
    ]
    for _ in range(draw(st.integers(1, 8))):
        nodes.append(draw(next_node(nodes)))
    # Products that are summed, as every network has them.
    space, reduced = (draw(SIZES), draw(SIZES)), (draw(SIZES),)
    whole = space + reduced
    product = tuple(draw(operand(nodes, whole)) for _ in range(2))
    nodes.append(Elementwise(ElementwiseOp.MULTIPLY, product, whole, DType.F32))
    at = tuple(index_expression.axis(a) for a in range(3))
    nodes.append(Reduce(ReduceOp.SUM, Operand(len(nodes) - 1, at), space, reduced, DType.F32))
    outputs: list[Output] = []
    for number in (len(nodes) - 1, draw(st.integers(2, len(nodes) - 1))):
        shape = nodes[number].space
        identity = tuple(index_expression.axis(a) for a in range(len(shape)))
        outputs.append(Output(f"y{len(outputs)}", Operand(number, identity), shape, DType.F32))
    return TensorProgram("random", tuple(nodes), (0, 1), (), tuple(outputs))


@pytest.mark.parametrize("block", [1 << 24, 5])
@settings(max_examples=60, deadline=None, suppress_health_check=[HealthCheck.too_slow])
@given(program=programs(), seed=st.integers(0, 1000))
def test_random_programs(block: int, program: TensorProgram, seed: int) -> None:
    generator = np.random.default_rng(seed)
    inputs = {
        "a": generator.uniform(-1, 1, (2, 3)).astype(np.float32),
        "b": generator.uniform(-1, 1, (3, 4)).astype(np.float32),
    }
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(reference, "_BLOCK", block)
        results = evaluate(program, inputs, {})
    interpreter = Interpreter(program.nodes, inputs)
    for output in program.outputs:
        points = list(np.ndindex(*output.shape))
        expected = np.array([interpreter.value(output.operand.node, p) for p in points])
        scale = max(1.0, float(np.abs(expected).max())) if math.prod(output.shape) else 1.0
        got = results[output.name].reshape(-1)
        np.testing.assert_allclose(got / scale, expected / scale, atol=2e-5)
