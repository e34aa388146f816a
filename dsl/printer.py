"""A tensor program as text, to be read by people.

One line per node: ``%3 = mul(%1[t, i], W[o, i]) over t: 16, o: 64, i: 64 as f32``. Maps stand in
brackets, one entry per axis of what is read; constants and leaves stand by value and by name.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from lumc.dsl.index_expression import IndexExpression, render
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    Gather,
    IndexValue,
    Input,
    Node,
    Operand,
    Output,
    Piece,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)


def print_program(program: TensorProgram) -> str:
    """The whole program: its leaves, its nodes, its outputs."""
    return "\n".join(_Printer(program).lines()) + "\n"


def print_node(program: TensorProgram, number: int) -> str:
    """One node, as in ``print_program``."""
    return "\n".join(_Printer(program).node_lines(number))


class _Printer:
    def __init__(self, program: TensorProgram) -> None:
        self._program = program
        self._nodes = program.nodes

    def lines(self) -> Iterator[str]:
        program = self._program
        yield f"stage {program.name}"
        if program.parameters:
            yield "  with " + ", ".join(f"{name} = {value}" for name, value in program.parameters)
        for number in (*program.inputs, *program.weights):
            yield "  " + self._leaf(self._nodes[number])
        for number, node in enumerate(self._nodes):
            if not isinstance(node, Input | Weight | Constant):
                yield from ("  " + line for line in self.node_lines(number))
        for output in program.outputs:
            yield "  " + self._output(output)

    def _leaf(self, node: Node) -> str:
        if isinstance(node, Input):
            return f"input {node.name}: {_shape(node)}"
        assert isinstance(node, Weight)
        return f'weight "{node.name}": {_shape(node)}'

    def node_lines(self, number: int) -> Iterator[str]:
        node = self._nodes[number]
        names = axis_names(node)
        yield f"%{number} = {self._value(node, names)}{_over(node, names)}{_comment(node)}"
        if isinstance(node, Place):
            yield from (f"    {self._piece(piece, node)}" for piece in node.pieces)

    def _value(self, node: Node, names: Sequence[str]) -> str:
        match node:
            case Input() | Weight():
                return self._leaf(node)
            case Constant(value, dtype):
                return f"{value!r} as {dtype}"
            case IndexValue(expression):
                return f"index {render(expression, names)}"
            case Elementwise(op, operands):
                return f"{op}({self._list(operands, names)})"
            case Cast(operand, _, dtype):
                return f"cast {self._read(operand, names)} as {dtype}"
            case Reduce(op, operand):
                reduced = ", ".join(
                    f"{name}: {size}"
                    for name, size in zip(names[len(node.space) :], node.reduced, strict=True)
                )
                return f"{op}[{reduced}] {self._read(operand, names)}"
            case Gather(base, indices):
                return f"gather {self._read(base, _with_computed(names, len(indices)))}" + (
                    self._computed(indices, names)
                )
            case Place():
                return "place"
            case Scatter():
                return self._scatter(node, names)
            case _:
                assert_never(node)

    def _computed(self, indices: Sequence[Operand], names: Sequence[str]) -> str:
        """``where @0 = …``: what the computed axes are."""
        parts = (f"@{k} = {self._read(index, names)}" for k, index in enumerate(indices))
        return f" where {', '.join(parts)}"

    def _scatter(self, node: Scatter, names: Sequence[str]) -> str:
        source = [f"s{k}" for k in range(len(node.source_space))]
        sizes = ", ".join(f"{n}: {s}" for n, s in zip(source, node.source_space, strict=True))
        places = _maps(node.destination, _with_computed(source, len(node.indices)))
        how = node.combine or "write"
        return (
            f"{how} {self._read(node.value, source)} to [{places}] for {sizes}"
            f"{self._computed(node.indices, source)} into {self._read(node.initial, names)}"
        )

    def _piece(self, piece: Piece, node: Place) -> str:
        names = _distinct(piece.axis_names, len(piece.space))
        sizes = ", ".join(f"{n}: {s}" for n, s in zip(names, piece.space, strict=True))
        where = f" for {sizes}" if sizes else ""
        return f"[{_maps(piece.destination, names)}] <- {self._read(piece.operand, names)}{where}"

    def _output(self, output: Output) -> str:
        names = _distinct(output.axis_names, len(output.shape))
        sizes = ", ".join(f"{n}: {s}" for n, s in zip(names, output.shape, strict=True))
        read = self._read(output.operand, names)
        return f"output {output.name} = {read}{f' over {sizes}' if sizes else ''} as {output.dtype}"

    def _list(self, operands: Sequence[Operand], names: Sequence[str]) -> str:
        return ", ".join(self._read(operand, names) for operand in operands)

    def _read(self, operand: Operand, names: Sequence[str]) -> str:
        node = self._nodes[operand.node]
        match node:
            case Constant(value):
                return f"{value:g}" if isinstance(value, float) else str(value).lower()
            case Input(name):
                base = name
            case Weight(name):
                base = f'"{name}"'
            case _:
                base = f"%{operand.node}"
        return f"{base}[{_maps(operand.map, names)}]" if operand.map else base


def axis_names(node: Node) -> tuple[str, ...]:
    """Distinct names for a node's axes, its reduced ones last: the author's where there are."""
    reduced = len(node.reduced) if isinstance(node, Reduce) else 0
    return _distinct(node.axis_names, len(node.space) + reduced)


def _distinct(names: Sequence[str], count: int) -> tuple[str, ...]:
    found: list[str] = []
    for position in range(count):
        name = (names[position] if position < len(names) else "") or f"i{position}"
        while name in found:
            name += "'"
        found.append(name)
    return tuple(found)


def _with_computed(names: Sequence[str], count: int) -> tuple[str, ...]:
    return (*names, *(f"@{k}" for k in range(count)))


def _maps(entries: Sequence[IndexExpression], names: Sequence[str]) -> str:
    return ", ".join(render(entry, names) for entry in entries)


def _shape(node: Input | Weight) -> str:
    names = _distinct(node.axis_names, len(node.space))
    named = zip(names, node.space, node.axis_names or [""] * len(node.space), strict=True)
    sizes = ", ".join(f"{name}: {size}" if given else str(size) for name, size, given in named)
    return f"{node.dtype}[{sizes}]" if sizes else str(node.dtype)


def _over(node: Node, names: Sequence[str]) -> str:
    if not node.space:
        return f" as {node.dtype}"
    sizes = ", ".join(f"{n}: {s}" for n, s in zip(names, node.space, strict=False))
    return f" over {sizes}" + ("" if isinstance(node, Cast) else f" as {node.dtype}")


def _comment(node: Node) -> str:
    origin = node.origin
    parts = [origin.label, " > ".join(origin.path), str(origin.span or "")]
    text = "  ".join(part for part in parts if part)
    return f"  # {text}" if text else ""
