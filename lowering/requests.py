"""What has to be stored so that a program's tensors and outputs come about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import assert_never

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
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)
from lumc.lowering.alternatives import Alternatives
from lumc.lowering.draft import Request, Root
from lumc.lowering.kernel_program import KernelAxis
from lumc.lowering.partitions import Partition
from lumc.lowering.rewriting import identity


@dataclass(frozen=True, slots=True)
class Part:
    """A request, and the tensor that makes it unnecessary by lying where it would be stored."""

    request: Request
    guest: int | None = None


@dataclass(frozen=True, slots=True)
class Task:
    """How tensor ``target`` (or output ``~target``) is made: in one of several ways, in parts.

    The parts of a way are made in order; those of one space may be made by one kernel where
    ``joinable`` says so.
    """

    target: int
    ways: tuple[tuple[Part, ...], ...]
    joinable: bool = False


@dataclass(frozen=True, slots=True)
class TaskMaker:
    """Makes the tasks of a program from its saturated e-graph."""

    program: TensorProgram
    source: Alternatives
    guests: dict[tuple[int, int], int]
    partitions: dict[int, Partition]

    def tasks(self) -> dict[int, Task]:
        """A task per tensor that kernels can make, in order, and then one per output."""
        tasks: dict[int, Task] = {}
        for number, node in enumerate(self.program.nodes):
            if self.source.tensor_of[number] != number:
                continue
            task = self._task(number, node)
            if task is not None:
                tasks[number] = task
        for number, output in enumerate(self.program.outputs):
            tasks[~number] = self._output_task(number, output)
        return tasks

    def _task(self, number: int, node: Node) -> Task | None:
        match node:
            case Input() | Weight() | Constant() | IndexValue():
                return None
            case Elementwise() | Cast() | Reduce() | Gather():
                whole = identity(len(node.space))
                value = self._class(Operand(number, whole), node.space)
                request = Request(axes(node.axis_names, node.space), (Root(value, number, whole),))
                return Task(number, ((Part(request),), *self._cut(number)), joinable=True)
            case Place():
                ways = (self._pieces(number, node), *self._cut(number))
                return Task(number, ways, joinable=True)
            case Scatter():
                return Task(number, (self._scatter(number, node),))
            case _:
                assert_never(node)

    def _output_task(self, number: int, output: Output) -> Task:
        value = self._class(output.operand, output.shape)
        root = Root(value, ~number, identity(len(output.shape)))
        request = Request(axes(output.axis_names, output.shape), (root,))
        return Task(~number, ((Part(request, self._guest(~number, 0)),),))

    def _cut(self, number: int) -> tuple[tuple[Part, ...], ...]:
        """The way to make a tensor part by part, if it is cut."""
        parts = []
        for box in self.partitions.get(number, ()):
            value = self._class(Operand(number, box.place), box.space)
            root = Root(value, number, box.place)
            parts.append(Part(Request(axes(box.names, box.space), (root,))))
        return (tuple(parts),) if parts else ()

    def _pieces(self, number: int, node: Place) -> tuple[Part, ...]:
        parts = []
        for index, piece in enumerate(node.pieces):
            value = self._class(piece.operand, piece.space)
            root = Root(value, number, piece.destination)
            request = Request(axes(piece.axis_names, piece.space), (root,))
            parts.append(Part(request, self._guest(number, index)))
        return tuple(parts)

    def _scatter(self, number: int, node: Scatter) -> tuple[Part, ...]:
        whole = identity(len(node.space))
        start = Root(self._class(node.initial, node.space), number, whole)
        source = node.source_space
        write = Root(
            self._class(node.value, source),
            number,
            node.destination,
            tuple(self._class(operand, source) for operand in node.indices),
            node.combine,
            checked=True,
        )
        return (
            Part(Request(axes(node.axis_names, node.space), (start,))),
            Part(Request(axes((), source), (write,))),
        )

    def _guest(self, target: int, piece: int) -> int | None:
        guest = self.guests.get((target, piece))
        # A tensor that is equal to an earlier one is made where that one lies.
        return guest if guest is not None and self.source.tensor_of[guest] == guest else None

    def _class(self, operand: Operand, space: tuple[int, ...]) -> int:
        views = self.source.views
        base = self.program.nodes[operand.node].space
        return self.source.class_of(operand.node, views.view(base, operand.map, views.space(space)))


def axes(names: Sequence[str], sizes: Sequence[int]) -> tuple[KernelAxis, ...]:
    """Kernel axes of these sizes, with the author's names where there are any."""
    return tuple(
        KernelAxis(names[n] if n < len(names) and names[n] else f"i{n}", size)
        for n, size in enumerate(sizes)
    )
