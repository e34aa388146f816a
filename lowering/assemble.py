"""Lowered segments put together: one kernel per distinct kernel, buffers, launches, names."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import Input, Node, TensorProgram, Weight
from lumc.lowering.constant_tables import Tables
from lumc.lowering.fragment import Fragment
from lumc.lowering.held_values import Held
from lumc.lowering.joined_launches import join_launches
from lumc.lowering.joining import Step
from lumc.lowering.kernel_program import (
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    Gemm,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Phase,
    Pointwise,
    Provenance,
    RowReduction,
    Table,
)
from lumc.lowering.layouts import Order
from lumc.lowering.memory import stored_dtypes
from lumc.lowering.merged_rows import Drafted
from lumc.lowering.outline import Call, Outline
from lumc.lowering.placed_copies import place_copies


@dataclass(frozen=True, slots=True)
class Part:
    """A program with its outline and what each segment became, for launches of one kind."""

    program: TensorProgram
    orders: tuple[Order, ...]
    outlined: Outline
    fragments: tuple[Fragment, ...]


@dataclass(frozen=True, slots=True)
class Assembled:
    """A kernel program, and for each launch of a step the steps of its segments that it does.

    Steps are counted over all calls in order. ``held`` says what stands in buffers, by number.
    """

    program: KernelProgram
    steps: tuple[tuple[int, ...], ...]
    held: dict[int, Held]


def assemble(once: Part, every: Part, tables: Tables, cost: Callable[[Kernel], float]) -> Assembled:
    """The kernel program that runs the calls of ``once`` to prepare, and of ``every`` each step.

    Input nodes that are not among a program's inputs stand for ``tables``, or for the outputs of
    ``once``, by name. Launches of a step are joined where that makes them cheaper by ``cost``.
    """
    assembly = _Assembly()
    assembly.add_given_buffers(every.program)
    for name, values in tables.items():
        assembly.add_table(every.program, name, values)
    for output in once.program.outputs:
        node = once.program.nodes[output.operand.node]
        buffer = assembly.named_buffer(node, BufferKind.PREPARED, output.dtype, output.shape)
        assembly.given[output.name] = buffer
        assembly.held[buffer] = Held(True, output.operand.node, tuple(range(len(node.space))))
    early, step = _Scope(once, assembly, once=True), _Scope(every, assembly, once=False)
    early.outputs = [assembly.given[output.name] for output in once.program.outputs]
    step.outputs = [assembly.given[f"output {o.name}"] for o in every.program.outputs]
    for scope in (early, step):
        scope.find_hosts()
        for number in range(len(scope.part.outlined.calls)):
            scope.add_call(number)
    joined = join_launches(place_copies(step.drafted, assembly.buffers), cost)
    prepare, launches = (tuple(map(assembly.launch, some)) for some in (early.drafted, joined))
    program = KernelProgram(
        every.program.name,
        tuple(assembly.buffers),
        tuple(assembly.tables),
        tuple(assembly.kernels),
        prepare,
        launches,
        every.program.parameters,
    )
    numbers = _touched(program)
    held = {numbers[n]: what for n, what in assembly.held.items() if n in numbers}
    steps = tuple(launch.steps for launch in joined)
    return Assembled(_without_untouched(program, numbers), steps, held)


def _touched(program: KernelProgram) -> dict[int, int]:
    """New numbers for all buffers but the intermediates that no launch touches any more."""
    launches = (*program.prepare, *program.launches)
    touched = {argument.buffer for launch in launches for argument in launch.arguments}
    kept = [
        number
        for number, buffer in enumerate(program.buffers)
        if number in touched or buffer.kind is not BufferKind.INTERMEDIATE
    ]
    return {old: new for new, old in enumerate(kept)}


def _without_untouched(program: KernelProgram, numbers: dict[int, int]) -> KernelProgram:
    def moved(launch: Launch) -> Launch:
        arguments = (Argument(numbers[a.buffer], a.offset) for a in launch.arguments)
        return dataclasses.replace(launch, arguments=tuple(arguments))

    return dataclasses.replace(
        program,
        buffers=tuple(program.buffers[n] for n in numbers),
        tables=tuple(Table(numbers[t.buffer], t.values) for t in program.tables),
        prepare=tuple(map(moved, program.prepare)),
        launches=tuple(map(moved, program.launches)),
    )


Tensor = int | tuple[int, int]
"""A node of the program, an output ``n`` as ``~n``, or a call and a node of its segment."""


@dataclass(slots=True)
class _Assembly:
    """What all launches share: kernels, buffers, names."""

    buffers: list[Buffer] = field(default_factory=list)
    tables: list[Table] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    given: dict[str, int] = field(default_factory=dict)
    held: dict[int, Held] = field(default_factory=dict)
    numbers: dict[Kernel, int] = field(default_factory=dict)
    buffer_names: _Names = field(default_factory=lambda: _Names())
    kernel_names: _Names = field(default_factory=lambda: _Names())

    def add_given_buffers(self, program: TensorProgram) -> None:
        """Buffers for inputs, weights and outputs, by their own names."""
        for number in (*program.inputs, *program.weights):
            node = program.nodes[number]
            assert isinstance(node, Input | Weight)
            kind = BufferKind.INPUT if isinstance(node, Input) else BufferKind.WEIGHT
            buffer = Buffer(node.name, kind, node.dtype, node.space, node.origin.span)
            self.given[f"{kind} {node.name}"] = self.add(buffer)
        for output in program.outputs:
            span = program.nodes[output.operand.node].origin.span
            buffer = Buffer(output.name, BufferKind.OUTPUT, output.dtype, output.shape, span)
            self.given[f"output {output.name}"] = self.add(buffer)

    def add(self, buffer: Buffer) -> int:
        """The number of a new buffer."""
        self.buffer_names.take(buffer.name)
        self.buffers.append(buffer)
        return len(self.buffers) - 1

    def named_buffer(
        self, node: Node, kind: BufferKind, dtype: DType, shape: tuple[int, ...]
    ) -> int:
        """A new buffer with the author's name for ``node``, made unique."""
        name = self.buffer_names.unique(_clean(node.origin.label) or "value")
        return self.add(Buffer(name, kind, dtype, shape, node.origin.span))

    def add_table(self, program: TensorProgram, name: str, values: npt.NDArray[Any]) -> None:
        """A buffer for the table that the input node ``name`` stands for, if it is there."""
        for node in program.nodes:
            if isinstance(node, Input) and node.name == name:
                buffer = self.named_buffer(node, BufferKind.TABLE, node.dtype, node.space)
                self.given[name] = buffer
                self.tables.append(Table(buffer, np.asarray(values, order="C")))

    def launch(self, drafted: Drafted) -> Launch:
        """The launch of a kernel that has a number; one that differs in names alone is the same."""
        kernel, provenance = drafted.kernel, drafted.provenance
        key = anonymous(kernel)
        if key not in self.numbers:
            self.numbers[key] = len(self.kernels)
            name = self.kernel_names.unique(f"{_kind(kernel)}_{_title(provenance)}")
            taken = _Names()
            parameters = tuple(
                dataclasses.replace(
                    parameter,
                    name=taken.unique(_clean(self.buffers[argument.buffer].name) or "buffer"),
                )
                for parameter, argument in zip(kernel.parameters, drafted.arguments, strict=True)
            )
            self.kernels.append(
                dataclasses.replace(kernel, name=name, parameters=parameters, provenance=provenance)
            )
        return Launch(self.numbers[key], drafted.arguments, provenance)


@dataclass(slots=True)
class _Scope:
    """Where the tensors of one program are, and its launches."""

    part: Part
    assembly: _Assembly
    once: bool
    outputs: list[int] = field(default_factory=list)
    drafted: list[Drafted] = field(default_factory=list)
    _buffers: dict[Tensor, int] = field(default_factory=dict)
    _hosts: dict[Tensor, tuple[Tensor, int]] = field(default_factory=dict)
    _dtypes: tuple[DType, ...] = ()

    def add_call(self, number: int) -> None:
        """The launches of a call's segment on the tensors of the call."""
        call = self.part.outlined.calls[number]
        fragment = self.part.fragments[call.segment]
        for step in fragment.steps:
            arguments: list[Argument] = []
            for tensor, offset in step.bound.bindings:
                buffer, start = self._place(self._tensor(number, tensor))
                arguments.append(Argument(buffer, start + offset))
            provenance = self._provenance(call, fragment, step)
            steps = (len(self.drafted),)
            self.drafted.append(Drafted(step.bound.kernel, tuple(arguments), provenance, steps))

    def _tensor(self, number: int, tensor: int) -> Tensor:
        """What a call knows as ``tensor``: a tensor of the program, or one of its own."""
        call = self.part.outlined.calls[number]
        fragment = self.part.fragments[call.segment]
        if tensor < 0:
            return call.outputs[~tensor]
        inputs = fragment.segment.program.inputs
        if tensor in inputs:
            return call.inputs[inputs.index(tensor)]
        return number, tensor

    def _place(self, tensor: Tensor) -> tuple[int, int]:
        """The buffer of a tensor and where it begins there."""
        if tensor in self._hosts:
            host, offset = self._hosts[tensor]
            buffer, start = self._place(host)
            return buffer, start + offset
        if tensor not in self._buffers:
            self._buffers[tensor] = self._buffer(tensor)
        return self._buffers[tensor], 0

    def find_hosts(self) -> None:
        """Which tensors lie inside tensors that another call places."""
        for number, call in enumerate(self.part.outlined.calls):
            fragment = self.part.fragments[call.segment]
            layout = fragment.layout
            for inner in fragment.segment.movable:
                if inner in layout.homes:
                    root, offset, _ = layout.place(inner)
                    self._hosts[self._tensor(number, inner)] = self._tensor(number, root), offset

    def _buffer(self, tensor: Tensor) -> int:
        """The buffer of a node of the program, of output ``n`` as ``~n``, or of a call's own."""
        program = self.part.program
        if isinstance(tensor, tuple):
            number, own = tensor
            call = self.part.outlined.calls[number]
            fragment = self.part.fragments[call.segment]
            layout = fragment.layout
            origin = call.nodes[fragment.origins[own]]
            space, order, dtype = layout.shapes[own], layout.orders[own], layout.dtypes[own]
            return self._intermediate(origin, space, order, dtype)
        if tensor < 0:
            return self.outputs[~tensor]
        if tensor in self.part.outlined.output_of:
            return self.outputs[self.part.outlined.output_of[tensor]]
        node = program.nodes[tensor]
        match node:
            case Input(name) if tensor in program.inputs:
                return self.assembly.given[f"input {name}"]
            case Input(name):
                return self.assembly.given[name]
            case Weight(name):
                return self.assembly.given[f"weight {name}"]
        self._dtypes = self._dtypes or stored_dtypes(program)
        order = self.part.orders[tensor]
        return self._intermediate(tensor, node.space, order, self._dtypes[tensor])

    def _intermediate(self, origin: int, space: tuple[int, ...], order: Order, dtype: DType) -> int:
        """A new buffer for node ``origin``, or for a part of it, which has another ``space``."""
        node = self.part.program.nodes[origin]
        shape = tuple(space[n] for n in order)
        buffer = self.assembly.named_buffer(node, BufferKind.INTERMEDIATE, dtype, shape)
        if space == node.space:
            self.assembly.held[buffer] = Held(self.once, origin, order)
        return buffer

    def _provenance(self, call: Call, fragment: Fragment, step: Step) -> Provenance:
        numbers = dict.fromkeys(call.nodes[fragment.origins[n]] for n in step.bound.nodes)
        nodes = [self.part.program.nodes[n] for n in numbers]
        spans = dict.fromkeys(n.origin.span for n in nodes if n.origin.span is not None)
        labels = dict.fromkeys(n.origin.label for n in nodes if n.origin.label)
        return Provenance(tuple(spans), tuple(labels), step.bound.rules)


def anonymous(kernel: Kernel) -> Kernel:
    """``kernel`` without names, so that kernels that do the same compare equal."""

    def axes(old: tuple[KernelAxis, ...]) -> tuple[KernelAxis, ...]:
        return tuple(KernelAxis("", axis.size) for axis in old)

    def body(old: Body) -> Body:
        return Body(axes(old.axes), old.instructions)

    parameters = tuple(dataclasses.replace(p, name="") for p in kernel.parameters)
    match kernel:
        case Pointwise():
            return Pointwise("", parameters, body(kernel.body), kernel.stores)
        case RowReduction():
            phases = tuple(Phase(body(p.body), p.reductions, p.stores) for p in kernel.phases)
            return RowReduction("", parameters, axes(kernel.rows), phases)
        case Gemm():
            return dataclasses.replace(
                kernel,
                name="",
                parameters=parameters,
                batch=axes(kernel.batch),
                rows=axes(kernel.rows),
                columns=axes(kernel.columns),
                inner=axes(kernel.inner),
                left=body(kernel.left),
                right=tuple(map(body, kernel.right)),
                epilogue=body(kernel.epilogue),
            )
        case Attention():
            return dataclasses.replace(
                kernel,
                name="",
                parameters=parameters,
                batch=axes(kernel.batch),
                queries=axes(kernel.queries),
                keys=axes(kernel.keys),
                inner=axes(kernel.inner),
                channels=axes(kernel.channels),
                query=body(kernel.query),
                key=body(kernel.key),
                score=body(kernel.score),
                value=body(kernel.value),
                epilogue=body(kernel.epilogue),
            )
        case _:
            assert_never(kernel)


@dataclass(slots=True)
class _Names:
    """Names that were given out; a name that is taken gets a number."""

    taken: set[str] = field(default_factory=set)

    def take(self, name: str) -> None:
        """Let nothing else have ``name``."""
        self.taken.add(name)

    def unique(self, wanted: str) -> str:
        """``wanted``, or with a number if that is taken."""
        name, count = wanted, 2
        while name in self.taken:
            name, count = f"{wanted}_{count}", count + 1
        self.taken.add(name)
        return name


def _kind(kernel: Kernel) -> str:
    match kernel:
        case Pointwise():
            return "map"
        case RowReduction():
            return "row"
        case Gemm():
            return "gemm"
        case Attention():
            return "attention"
        case _:
            assert_never(kernel)


def _title(provenance: Provenance) -> str:
    """A readable end of a kernel's name: the last of the author's names that it computes."""
    return _clean(provenance.labels[-1]) if provenance.labels else "value"


def _clean(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_")
