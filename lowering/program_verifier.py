"""What a kernel program may be, checked."""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from lumc.lowering.kernel_program import (
    Argument,
    Attention,
    Buffer,
    BufferKind,
    Gemm,
    Kernel,
    KernelProgram,
    Launch,
    Parameter,
    ParameterAccess,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_ranges import are_disjoint, extent
from lumc.lowering.kernel_types import bodies, size
from lumc.lowering.kernel_verifier import failure, verify_kernel


def verify_program(program: KernelProgram) -> None:
    """Check every kernel of ``program``, and that its launches fit its kernels and buffers.

    Arguments are of the parameters' dtypes and lie inside their buffers; what is read was written
    before; only outputs and intermediates are written by launches, only prepared values (and
    intermediates) by ``prepare``; nothing is both read and written by one launch except through one
    ``UPDATE`` parameter; outputs and prepared values are written whole, as far as counting shows.

    Raises:
        VerificationError: naming the launch or buffer.
    """
    for kernel in program.kernels:
        verify_kernel(kernel)
    _verify_tables(program)
    written = [buffer_size(buffer) if buffer.kind in _GIVEN else 0 for buffer in program.buffers]
    for number, launch in enumerate(program.prepare):
        _verify_launch(program, f"{program.name}: prepare {number}", launch, written, True)
    for number, buffer in enumerate(program.buffers):
        if buffer.kind is BufferKind.INTERMEDIATE:
            written[number] = 0  # the arena is undefined between runs
    for number, launch in enumerate(program.launches):
        _verify_launch(program, f"{program.name}: launch {number}", launch, written, False)
    for buffer, count in zip(program.buffers, written, strict=True):
        final = buffer.kind in (BufferKind.OUTPUT, BufferKind.PREPARED)
        if final and count < buffer_size(buffer):
            raise failure(
                f"{program.name}: {buffer.kind} {buffer.name}",
                f"at most {count} of its {buffer_size(buffer)} elements are written",
            )


_GIVEN = (BufferKind.INPUT, BufferKind.WEIGHT, BufferKind.TABLE)


def buffer_size(buffer: Buffer) -> int:
    """The number of elements of ``buffer``."""
    return math.prod(buffer.shape)


def _verify_tables(program: KernelProgram) -> None:
    tables = {table.buffer: table for table in program.tables}
    wanted = {n for n, b in enumerate(program.buffers) if b.kind is BufferKind.TABLE}
    if set(tables) != wanted or len(tables) != len(program.tables):
        raise failure(program.name, f"table buffers {sorted(wanted)}, values for {sorted(tables)}")
    for number, table in tables.items():
        buffer = program.buffers[number]
        if table.values.shape != buffer.shape or table.values.dtype != buffer.dtype.numpy:
            raise failure(
                f"{program.name}: table {buffer.name}",
                f"{table.values.dtype}{table.values.shape} for {buffer.dtype}{buffer.shape}",
            )


def _verify_launch(
    program: KernelProgram, where: str, launch: Launch, written: list[int], prepare: bool
) -> None:
    if not 0 <= launch.kernel < len(program.kernels):
        raise failure(where, f"there is no kernel {launch.kernel}")
    kernel = program.kernels[launch.kernel]
    where = f"{where} ({kernel.name})"
    if len(launch.arguments) != len(kernel.parameters):
        raise failure(
            where, f"{len(launch.arguments)} arguments for {len(kernel.parameters)} parameters"
        )
    pairs = list(zip(kernel.parameters, launch.arguments, strict=True))
    for parameter, argument in pairs:
        _verify_argument(program, f"{where}: {parameter.name}", parameter, argument)
        _verify_rights(
            f"{where}: {parameter.name}", program.buffers[argument.buffer], parameter, prepare
        )
        if parameter.access is not ParameterAccess.WRITE and not written[argument.buffer]:
            name = program.buffers[argument.buffer].name
            raise failure(f"{where}: {parameter.name}", f"{name} is read before it is written")
    _verify_no_overlap(where, pairs)
    for number, (_, argument) in enumerate(pairs):
        written[argument.buffer] += most_written(kernel, number)


def _verify_argument(
    program: KernelProgram, where: str, parameter: Parameter, argument: Argument
) -> None:
    if not 0 <= argument.buffer < len(program.buffers):
        raise failure(where, f"there is no buffer {argument.buffer}")
    buffer = program.buffers[argument.buffer]
    if buffer.dtype is not parameter.dtype:
        raise failure(where, f"{buffer.name} is {buffer.dtype}, the parameter {parameter.dtype}")
    last = argument.offset + extent(parameter)
    if argument.offset < 0 or last > buffer_size(buffer):
        raise failure(
            where,
            f"elements {argument.offset} to {last} of {buffer.name}, which has"
            f" {buffer_size(buffer)}",
        )


def _verify_rights(where: str, buffer: Buffer, parameter: Parameter, prepare: bool) -> None:
    if prepare and buffer.kind in (BufferKind.INPUT, BufferKind.OUTPUT):
        raise failure(where, f"{buffer.kind} {buffer.name} is not there when weights are prepared")
    if parameter.access is ParameterAccess.READ:
        return
    own = BufferKind.PREPARED if prepare else BufferKind.OUTPUT
    if buffer.kind not in (own, BufferKind.INTERMEDIATE):
        raise failure(where, f"{buffer.kind} {buffer.name} may not be written here")


def _verify_no_overlap(where: str, pairs: Sequence[tuple[Parameter, Argument]]) -> None:
    for number, (left, at) in enumerate(pairs):
        for right, other in pairs[number + 1 :]:
            if at.buffer != other.buffer:
                continue
            reads = ParameterAccess.READ
            if left.access is reads and right.access is reads:
                continue
            if not are_disjoint(left, at.offset, right, other.offset):
                raise failure(where, f"{left.name} and {right.name} overlap and one is written")


def most_written(kernel: Kernel, parameter: int) -> int:
    """An upper bound on the elements of ``parameter`` that the kernel writes."""
    total = 0
    for place, body in bodies(kernel):
        count = size(body.axes)
        total += count * sum(s.parameter == parameter for s in _stores_of(kernel, place))
    return min(total, math.prod(kernel.parameters[parameter].shape))


def _stores_of(kernel: Kernel, place: str) -> tuple[Store, ...]:
    match kernel:
        case Pointwise():
            return kernel.stores
        case RowReduction():
            phases = (p for n, p in enumerate(kernel.phases) if f"phase {n}" == place)
            return tuple(store for phase in phases for store in phase.stores)
        case Gemm() | Attention():
            return kernel.stores if place == "epilogue" else ()
        case _:
            assert_never(kernel)
