"""Kernels and kernel programs as stable text, for readers and for golden tests."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import assert_never

from lumc.dsl.index_expression import IndexExpression, render
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    AttentionTile,
    Body,
    Convert,
    Gemm,
    GemmTile,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Literal,
    Load,
    Parameter,
    Pointwise,
    RowReduction,
    Shares,
    Store,
)

_SIGNS = {
    ElementwiseOp.ADD: "+",
    ElementwiseOp.MULTIPLY: "*",
    ElementwiseOp.FLOOR_DIVIDE: "//",
    ElementwiseOp.MODULO: "%",
    ElementwiseOp.LESS_THAN: "<",
}


def print_program(program: KernelProgram) -> str:
    """The whole program: buffers, distinct kernels, and launches in order."""
    lines = [f"program {program.name}"]
    lines += [f"  {name} = {value}" for name, value in program.parameters]
    lines += ["", "buffers"]
    for number, buffer in enumerate(program.buffers):
        shape = ", ".join(map(str, buffer.shape))
        lines.append(f"  b{number} {buffer.kind} {buffer.name}: {buffer.dtype}[{shape}]")
    for number, kernel in enumerate(program.kernels):
        lines += ["", f"k{number} {print_kernel(kernel)}"]
    for title, launches in (("prepare", program.prepare), ("launches", program.launches)):
        if launches:
            lines += ["", title]
            lines += [f"  {n} {_launch(program, launch)}" for n, launch in enumerate(launches)]
    return "\n".join(lines) + "\n"


def _launch(program: KernelProgram, launch: Launch) -> str:
    kernel = program.kernels[launch.kernel]
    arguments = [
        f"{parameter.name}=b{argument.buffer}" + (f"+{argument.offset}" if argument.offset else "")
        for parameter, argument in zip(kernel.parameters, launch.arguments, strict=True)
    ]
    labels = launch.provenance.labels
    comment = f"  # {', '.join(labels)}" if labels else ""
    return f"k{launch.kernel} {kernel.name}({', '.join(arguments)}){comment}"


def print_kernel(kernel: Kernel) -> str:
    """One kernel: its kind and name, its parameters, its axes and its scalar code."""
    kind = type(kernel).__name__.lower()
    lines = [f"{kind} {kernel.name}"]
    lines += [f"  {_parameter(parameter)}" for parameter in kernel.parameters]
    lines += [f"  {line}" for line in _parts(kernel)]
    return "\n".join(lines)


def _parameter(parameter: Parameter) -> str:
    shape = ", ".join(map(str, parameter.shape))
    strides = ", ".join(map(str, parameter.strides))
    return f"{parameter.access} {parameter.name}: {parameter.dtype}[{shape}] strides [{strides}]"


def _parts(kernel: Kernel) -> Iterator[str]:
    match kernel:
        case Pointwise():
            yield from _body("body", kernel.body, kernel.parameters)
            yield from _stores(kernel.stores, kernel.body, kernel.parameters)
        case RowReduction():
            yield f"rows {_axes(kernel.rows)}"
            yield from _phases(kernel)
        case Gemm():
            yield f"operands {kernel.operand_dtype}, tile {_tile(kernel)}"
            for name, axes in (
                ("batch", kernel.batch),
                ("rows", kernel.rows),
                ("columns", kernel.columns),
                ("inner", kernel.inner),
            ):
                yield f"{name} {_axes(axes)}"
            yield from _body("left", kernel.left, kernel.parameters)
            for number, right in enumerate(kernel.right):
                yield from _body(f"right {number}", right, kernel.parameters)
            yield from _epilogue(kernel)
        case Attention():
            yield f"operands {kernel.operand_dtype}, tile {_tile(kernel)}"
            for name, axes in (
                ("batch", kernel.batch),
                ("queries", kernel.queries),
                ("keys", kernel.keys),
                ("inner", kernel.inner),
                ("channels", kernel.channels),
            ):
                yield f"{name} {_axes(axes)}"
            for name, body in (
                ("query", kernel.query),
                ("key", kernel.key),
                ("score", kernel.score),
                ("value", kernel.value),
            ):
                yield from _body(name, body, kernel.parameters)
            yield from _epilogue(kernel)
        case _:
            assert_never(kernel)


def _phases(kernel: RowReduction) -> Iterator[str]:
    accumulator = 0
    for number, phase in enumerate(kernel.phases):
        yield from _body(f"phase {number}", phase.body, kernel.parameters)
        for reduction in phase.reductions:
            yield f"  a{accumulator} = {reduction.op} %{reduction.value}"
            accumulator += 1
        yield from _stores(phase.stores, phase.body, kernel.parameters)


def _epilogue(kernel: Gemm | Attention) -> Iterator[str]:
    yield from _body("epilogue", kernel.epilogue, kernel.parameters)
    yield from _stores(kernel.stores, kernel.epilogue, kernel.parameters)


def _tile(kernel: Gemm | Attention) -> str:
    match kernel.tile:
        case None:
            return "not chosen"
        case tile:
            fields = ((name, getattr(tile, name)) for name in tile.__dataclass_fields__)
            # What is usual need not be said.
            said = [f"{n} {_field(value)}" for n, value in fields if value not in ("plain", None)]
            return ", ".join(said)


def _field(value: object) -> str:
    match value:
        case Shares(workgroups, 0):
            return f"{workgroups}"
        case Shares(workgroups, whole):
            return f"{workgroups} after {whole} whole tiles"
        case _:
            return f"{value}"


def sharing_text(kernel: Kernel) -> str | None:
    """How workgroups share the tiles of ``kernel``; None where each has its own."""
    match kernel:
        case Attention(tile=AttentionTile(shares=Shares(workgroups, whole))):
            how = f"their keys dealt out to {workgroups} workgroups"
        case Gemm(tile=GemmTile(shares=Shares(workgroups, whole))):
            how = f"their steps dealt out to {workgroups} workgroups"
        case _:
            return None
    some = f"all tiles after the first {whole}" if whole else "all tiles"
    return f"{some}, {how}, reduced inside the launch"


def _axes(axes: Sequence[KernelAxis]) -> str:
    return "[" + ", ".join(f"{axis.name}: {axis.size}" for axis in axes) + "]"


def _body(place: str, body: Body, parameters: Sequence[Parameter]) -> Iterator[str]:
    yield f"{place} {_axes(body.axes)}"
    for number, instruction in enumerate(body.instructions):
        yield f"  %{number} = {_instruction(instruction, body, parameters)}"


def _instruction(instruction: Instruction, body: Body, parameters: Sequence[Parameter]) -> str:
    match instruction:
        case Literal(value, dtype):
            return f"{value!r} {dtype}"
        case IndexOf(expression):
            return f"index {_expression(expression, body, ())}"
        case Load():
            return "load " + _place(instruction, body, parameters)
        case Apply(op, (left, right)) if op in _SIGNS:
            return f"%{left} {_SIGNS[op]} %{right}"
        case Apply(op, operands):
            return f"{op}({', '.join(f'%{n}' for n in operands)})"
        case Convert(operand, dtype):
            return f"%{operand} as {dtype}"
        case Accumulator(number):
            return f"a{number}"
        case _:
            assert_never(instruction)


def _stores(stored: Sequence[Store], body: Body, parameters: Sequence[Parameter]) -> Iterator[str]:
    for store in stored:
        combine = "" if store.combine is None else f" {store.combine}"
        yield f"  store{combine} %{store.value} to {_place(store, body, parameters)}"


def _place(access: Load | Store, body: Body, parameters: Sequence[Parameter]) -> str:
    index = ", ".join(_expression(e, body, access.computed) for e in access.index)
    where = "" if access.predicate is None else f" where %{access.predicate}"
    return f"{parameters[access.parameter].name}[{index}]{where}"


def _expression(expression: IndexExpression, body: Body, computed: Sequence[int]) -> str:
    names = [axis.name for axis in body.axes] + [f"%{n}" for n in computed]
    return render(expression, names)
