"""Lowered segments put together: one kernel per distinct kernel, buffers, launches, names."""

from __future__ import annotations

import dataclasses
import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import assert_never

from lumc.diagnostics import Span
from lumc.dsl.tensor_program import Input, Node, TensorProgram, Weight
from lumc.lowering.fragment import Fragment, Step
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
)
from lumc.lowering.memory import stored_dtypes
from lumc.lowering.outline import Call, Outline


def assemble(
    program: TensorProgram, outlined: Outline, fragments: dict[TensorProgram, Fragment]
) -> KernelProgram:
    """The kernel program that runs the calls of ``outlined`` in order."""
    assembly = _Assembly(program, outlined)
    assembly.add_given_buffers()
    for call in outlined.calls:
        assembly.add_call(call, fragments[call.segment])
    return KernelProgram(
        program.name,
        tuple(assembly.buffers),
        (),
        tuple(assembly.kernels),
        (),
        tuple(assembly.launches),
        program.parameters,
    )


@dataclass(slots=True)
class _Assembly:
    program: TensorProgram
    outlined: Outline
    buffers: list[Buffer] = field(default_factory=list)
    kernels: list[Kernel] = field(default_factory=list)
    launches: list[Launch] = field(default_factory=list)
    numbers: dict[Kernel, int] = field(default_factory=dict)
    given: dict[int, int] = field(default_factory=dict)
    buffer_names: _Names = field(default_factory=lambda: _Names())
    kernel_names: _Names = field(default_factory=lambda: _Names())

    def add_given_buffers(self) -> None:
        """Buffers for inputs, weights and outputs, by their own names."""
        for number in (*self.program.inputs, *self.program.weights):
            node = self.program.nodes[number]
            assert isinstance(node, Input | Weight)
            kind = BufferKind.INPUT if isinstance(node, Input) else BufferKind.WEIGHT
            buffer = Buffer(node.name, kind, node.dtype, node.space, node.origin.span)
            self.given[number] = self._add(buffer)
        for index, output in enumerate(self.program.outputs):
            span = self.program.nodes[output.operand.node].origin.span
            buffer = Buffer(output.name, BufferKind.OUTPUT, output.dtype, output.shape, span)
            self.given[~index] = self._add(buffer)
        for node_number, index in self.outlined.output_of.items():
            self.given[node_number] = self.given[~index]

    def _add(self, buffer: Buffer) -> int:
        self.buffer_names.take(buffer.name)
        self.buffers.append(buffer)
        return len(self.buffers) - 1

    def add_call(self, call: Call, fragment: Fragment) -> None:
        """The launches of ``fragment`` on the tensors of ``call``."""
        inner = dict(zip(fragment.segment.inputs, call.inputs, strict=True))
        inner |= {~n: tensor for n, tensor in enumerate(call.outputs)}
        local: dict[int, int] = {}
        for step in fragment.steps:
            arguments = []
            for tensor, offset in step.bound.bindings:
                if tensor in inner:
                    buffer = self._global_buffer(inner[tensor])
                elif tensor in local:
                    buffer = local[tensor]
                else:
                    buffer = self._new_buffer(call.nodes[tensor], fragment, tensor)
                    local[tensor] = buffer
                arguments.append(Argument(buffer, offset))
            provenance = self._provenance(call, step)
            kernel = self._kernel(step, provenance, arguments)
            self.launches.append(Launch(kernel, tuple(arguments), provenance))

    def _global_buffer(self, tensor: int) -> int:
        if tensor not in self.given:
            node = self.program.nodes[tensor]
            dtype = stored_dtypes(self.program)[tensor]
            name = self.buffer_names.unique(_label(node) or f"t{tensor}")
            buffer = Buffer(name, BufferKind.INTERMEDIATE, dtype, node.space, node.origin.span)
            self.given[tensor] = self._add(buffer)
        return self.given[tensor]

    def _new_buffer(self, original: int, fragment: Fragment, tensor: int) -> int:
        node = self.program.nodes[original]
        storage = fragment.layout.storage(tensor)
        name = self.buffer_names.unique(_label(node) or f"t{original}")
        return self._add(
            Buffer(name, BufferKind.INTERMEDIATE, storage.dtype, storage.shape, node.origin.span)
        )

    def _provenance(self, call: Call, step: Step) -> Provenance:
        nodes = [self.program.nodes[call.nodes[n]] for n in step.bound.nodes]
        spans: dict[Span, None] = {}
        labels: dict[str, None] = {}
        for node in nodes:
            if node.origin.span is not None:
                spans[node.origin.span] = None
            if node.origin.label:
                labels[node.origin.label] = None
        return Provenance(tuple(spans), tuple(labels), step.bound.rules)

    def _kernel(self, step: Step, provenance: Provenance, arguments: Sequence[Argument]) -> int:
        """The number of the step's kernel; one that differs in names alone is the same."""
        kernel = step.bound.kernel
        key = anonymous(kernel)
        if key not in self.numbers:
            self.numbers[key] = len(self.kernels)
            name = self.kernel_names.unique(f"{_kind(kernel)}_{_title(provenance)}")
            taken = _Names()
            parameters = tuple(
                dataclasses.replace(p, name=taken.unique(self.buffers[a.buffer].name))
                for p, a in zip(kernel.parameters, arguments, strict=True)
            )
            self.kernels.append(
                dataclasses.replace(
                    kernel, name=name, parameters=parameters, provenance=provenance
                )
            )
        return self.numbers[key]


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


def _label(node: Node) -> str:
    return _clean(node.origin.label)


def _clean(label: str) -> str:
    return re.sub(r"[^A-Za-z0-9]+", "_", label).strip("_")


