"""Tensor programs made by hand, in few words."""

from __future__ import annotations

import string
from collections.abc import Sequence
from dataclasses import dataclass, field

from lumc.dsl import index_expression as ix
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
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

Entry = IndexExpression | str | int
_OPS = {op.value: op for op in ElementwiseOp}


@dataclass(frozen=True)
class At:
    """A node read at entries: names of the reader's axes, numbers or expressions of them."""

    node: int
    entries: tuple[Entry, ...]


@dataclass
class Builder:
    """Collects nodes; spaces are written as {name: size}."""

    nodes: list[Node] = field(default_factory=list)
    outputs: list[Output] = field(default_factory=list)
    path: tuple[str, ...] = ()

    def _add(self, node: Node) -> int:
        if node in self.nodes:
            return self.nodes.index(node)
        self.nodes.append(node)
        return len(self.nodes) - 1

    def _origin(self, label: str = "") -> Origin:
        return Origin(None, label or f"v{len(self.nodes)}", self.path)

    def input(self, name: str, shape: Sequence[int], dtype: DType = DType.F32) -> int:
        return self._add(Input(name, tuple(shape), dtype, (), self._origin(name)))

    def weight(self, name: str, shape: Sequence[int], dtype: DType = DType.F32) -> int:
        return self._add(Weight(name, tuple(shape), dtype, (), self._origin(name)))

    def constant(self, value: float | int | bool, dtype: DType = DType.F32) -> At:
        return At(self._add(Constant(value, dtype)), ())

    def _map(self, entries: Sequence[Entry], axes: Sequence[str]) -> tuple[IndexExpression, ...]:
        return tuple(parse(entry, axes) for entry in entries)

    def _operand(self, at: At | float, axes: Sequence[str]) -> Operand:
        if not isinstance(at, At):
            at = self.constant(at)
        return Operand(at.node, self._map(at.entries, axes))

    def index(self, entry: Entry, space: dict[str, int]) -> At:
        node = IndexValue(parse(entry, list(space)), tuple(space.values()), DType.I32, tuple(space))
        return At(self._add(node), tuple(space))

    def op(
        self, name: str, *operands: At | float, space: dict[str, int], dtype: DType = DType.F32
    ) -> int:
        axes = tuple(space)
        read = tuple(self._operand(o, axes) for o in operands)
        return self._add(
            Elementwise(_OPS[name], read, tuple(space.values()), dtype, axes, self._origin())
        )

    def cast(self, operand: At, dtype: DType, space: dict[str, int]) -> int:
        axes = tuple(space)
        read = self._operand(operand, axes)
        return self._add(Cast(read, tuple(space.values()), dtype, axes, self._origin()))

    def reduce(
        self,
        op: str,
        operand: At,
        space: dict[str, int],
        reduced: dict[str, int],
        dtype: DType = DType.F32,
    ) -> int:
        axes = (*space, *reduced)
        return self._add(
            Reduce(
                ReduceOp(op),
                self._operand(operand, axes),
                tuple(space.values()),
                tuple(reduced.values()),
                dtype,
                axes,
                self._origin(),
            )
        )

    def gather(
        self, base: At, indices: dict[str, At], space: dict[str, int], dtype: DType = DType.F32
    ) -> int:
        axes = tuple(space)
        return self._add(
            Gather(
                self._operand(base, (*axes, *indices)),
                tuple(self._operand(i, axes) for i in indices.values()),
                tuple(space.values()),
                dtype,
                axes,
                self._origin(),
            )
        )

    def place(
        self,
        shape: Sequence[int],
        *pieces: tuple[dict[str, int], Sequence[Entry], At],
        dtype: DType = DType.F32,
    ) -> int:
        made = tuple(
            Piece(
                tuple(space.values()),
                self._map(destination, tuple(space)),
                self._operand(operand, tuple(space)),
                tuple(space),
            )
            for space, destination, operand in pieces
        )
        return self._add(Place(made, tuple(shape), dtype, (), self._origin()))

    def scatter(
        self,
        initial: At,
        value: At,
        indices: dict[str, At],
        destination: Sequence[Entry],
        source: dict[str, int],
        space: dict[str, int],
        combine: str | None = None,
        dtype: DType = DType.F32,
    ) -> int:
        return self._add(
            Scatter(
                self._operand(initial, tuple(space)),
                self._operand(value, tuple(source)),
                tuple(self._operand(i, tuple(source)) for i in indices.values()),
                self._map(destination, (*source, *indices)),
                None if combine is None else ReduceOp(combine),
                tuple(source.values()),
                tuple(space.values()),
                dtype,
                tuple(space),
                self._origin(),
            )
        )

    def output(
        self, name: str, operand: At, space: dict[str, int], dtype: DType = DType.F32
    ) -> None:
        read = self._operand(operand, tuple(space))
        self.outputs.append(Output(name, read, tuple(space.values()), dtype, tuple(space)))

    def program(self, name: str = "test") -> TensorProgram:
        numbers = range(len(self.nodes))
        return TensorProgram(
            name,
            tuple(self.nodes),
            tuple(n for n in numbers if isinstance(self.nodes[n], Input)),
            tuple(n for n in numbers if isinstance(self.nodes[n], Weight)),
            tuple(self.outputs),
        )


def at(node: int, entries: str = "") -> At:
    """``at(x, "t, 2*n + 1")``: node ``x`` read there."""
    return At(node, tuple(e.strip() for e in entries.split(",") if e.strip()))


def parse(entry: Entry, axes: Sequence[str]) -> IndexExpression:
    """An entry such as ``2*n + 1``, ``i // 2`` or ``(r + 3) % 4`` over named axes."""
    if isinstance(entry, IndexExpression):
        return entry
    if isinstance(entry, int):
        return ix.constant(entry)
    names = {name: _Symbol(ix.axis(n)) for n, name in enumerate(axes)}
    allowed = set(string.ascii_letters + string.digits + "_+-*/%() '")
    assert set(entry) <= allowed, entry
    value = eval(entry, {"__builtins__": {}}, names)
    return ix.constant(value) if isinstance(value, int) else value.expression


@dataclass(frozen=True)
class _Symbol:
    expression: IndexExpression

    def __add__(self, other: _Symbol | int) -> _Symbol:
        return _Symbol(ix.add(self.expression, _expression(other)))

    __radd__ = __add__

    def __sub__(self, other: _Symbol | int) -> _Symbol:
        return _Symbol(ix.add(self.expression, _expression(other), -1))

    def __mul__(self, factor: int) -> _Symbol:
        return _Symbol(ix.scale(self.expression, factor))

    __rmul__ = __mul__

    def __floordiv__(self, divisor: int) -> _Symbol:
        return _Symbol(ix.floor_divide(self.expression, divisor, (1 << 20,) * 16))

    def __mod__(self, divisor: int) -> _Symbol:
        return _Symbol(ix.modulo(self.expression, divisor, (1 << 20,) * 16))


def _expression(value: _Symbol | int) -> IndexExpression:
    return ix.constant(value) if isinstance(value, int) else value.expression
