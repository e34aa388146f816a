"""A kernel program, its emitted kernels and its memory, put together as a launch plan."""

from __future__ import annotations

from collections.abc import Sequence
from typing import assert_never

from lumc.codegen.emit import EmittedCall, EmittedKernel, EmittedProgram
from lumc.codegen.launch_plan import (
    LaunchPlan,
    PlanArgument,
    PlanAttention,
    PlanBuffer,
    PlanBufferKind,
    PlanCall,
    PlanConvolution,
    PlanKernel,
    PlanLaunch,
    PlanProduct,
    PlanStrided,
    Region,
)
from lumc.codegen.memory import MemoryPlan, Place
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    KernelProgram,
    Launch,
    LibraryAttention,
    LibraryConvolution,
    LibraryProduct,
    ParameterAccess,
    Strided,
)

SOURCE_FILE = "kernels.hip"
TABLES_FILE = "tables.safetensors"


def code_object_path(symbol: str) -> str:
    """Where the code object of ``symbol`` lies in a stage's folder; its assembly lies beside."""
    return f"code_objects/{symbol}.co"


def assemble_plan(
    program: KernelProgram, emitted: EmittedProgram, memory: MemoryPlan, target: str
) -> LaunchPlan:
    """The plan of ``program``; kernels whose text is equal are one kernel of the plan."""
    numbers = {
        symbol: number
        for number, symbol in enumerate(dict.fromkeys(k.symbol for k in emitted.kernels))
    }
    equal = {symbol: [k for k in emitted.kernels if k.symbol == symbol] for symbol in numbers}
    plan_kernels = tuple(_plan_kernel(kernels, emitted.text) for kernels in equal.values())

    buffers = [*_buffers(program, memory)]
    first = len(program.prepare)

    def plan_launch(number: int, launch: Launch) -> PlanLaunch:
        kernel = program.kernels[launch.kernel]
        emitted_kernel = emitted.kernels[launch.kernel]
        arguments = tuple(
            PlanArgument(
                buffer=argument.buffer,
                offset=argument.offset * parameter.dtype.bytes,
                writes=parameter.access is not ParameterAccess.READ,
            )
            for argument, parameter in zip(launch.arguments, kernel.parameters, strict=True)
        )
        for place in memory.meetings.get(number, ()):
            arguments += (PlanArgument(len(buffers), offset=0, writes=True),)
            buffers.append(_meeting_buffer(place, number))
        labels = launch.provenance.labels or kernel.provenance.labels
        label = ", ".join(dict.fromkeys(labels)) or kernel.name
        return PlanLaunch(numbers[emitted_kernel.symbol], emitted_kernel.grid, arguments, label)

    prepare = tuple(plan_launch(n, launch) for n, launch in enumerate(program.prepare))
    launches = tuple(plan_launch(n, launch) for n, launch in enumerate(program.launches, first))
    return LaunchPlan(
        stage=program.name,
        target=target,
        parameters=program.parameters,
        buffers=tuple(buffers),
        kernels=plan_kernels,
        prepare=prepare,
        launches=launches,
        region_bytes=memory.region_bytes,
        tables=TABLES_FILE if program.tables else None,
    )


def _plan_kernel(equal: Sequence[EmittedKernel | EmittedCall], text: str) -> PlanKernel | PlanCall:
    """``equal`` kernels as one of the plan; ``text`` is the source of them all."""
    emitted = equal[0]
    match emitted:
        case EmittedKernel():
            same = [one for one in equal if isinstance(one, EmittedKernel)]
            lines = (line for one in same for line in one.spec_lines)
            return PlanKernel(
                symbol=emitted.symbol,
                kind=emitted.kind,
                code_object=code_object_path(emitted.symbol),
                source=SOURCE_FILE,
                line_shift=_line_of(emitted, text) - _line_of(emitted, emitted.unit.text),
                spec_lines=tuple(dict.fromkeys(lines)),
                block=emitted.block,
                lds_bytes=emitted.local_bytes,
                meeting=emitted.meeting,
            )
        case EmittedCall():
            return plan_call(emitted)
        case _:
            assert_never(emitted)


def _line_of(kernel: EmittedKernel, text: str) -> int:
    return text.count("\n", 0, text.index(f" {kernel.symbol}("))


def plan_call(emitted: EmittedCall) -> PlanCall:
    """The library call ``emitted`` as plain data; arguments are the kernel's parameters."""
    parameters = emitted.kernel.parameters

    def strided(operand: Strided) -> PlanStrided:
        dtype = parameters[operand.parameter].dtype
        return PlanStrided(operand.parameter, operand.offset, operand.strides, dtype)

    def perhaps(operand: Strided | None) -> PlanStrided | None:
        return None if operand is None else strided(operand)

    match emitted.kernel.library:
        case LibraryProduct() as call:
            return PlanProduct(
                symbol=emitted.symbol,
                kind=emitted.kind,
                sizes=call.sizes,
                left=strided(call.left),
                right=strided(call.right),
                output=strided(call.output),
                addend=perhaps(call.addend),
                activation=call.activation,
                gate=perhaps(call.gate),
            )
        case LibraryAttention() as call:
            return PlanAttention(
                symbol=emitted.symbol,
                kind=emitted.kind,
                sizes=call.sizes,
                query=strided(call.query),
                key=strided(call.key),
                value=strided(call.value),
                output=strided(call.output),
                scale=call.scale,
                groups=call.groups,
                bias=perhaps(call.bias),
                causal=call.causal,
            )
        case LibraryConvolution() as call:
            return PlanConvolution(
                symbol=emitted.symbol,
                kind=emitted.kind,
                sizes=call.sizes,
                image=strided(call.image),
                weight=strided(call.weight),
                output=strided(call.output),
                bias=perhaps(call.bias),
                addend=perhaps(call.addend),
                steps=call.steps,
                dilation=call.dilation,
                before=call.before,
                after=call.after,
            )
        case _:
            raise ValueError(f"{emitted.symbol} calls no library")


def _meeting_buffer(place: Place, launch: int) -> PlanBuffer:
    """What the workgroups of launch number ``launch`` meet in."""
    is_counters = place.region is Region.COUNTERS
    kind = PlanBufferKind.COUNTERS if is_counters else PlanBufferKind.WORKSPACE
    dtype = DType.I32 if is_counters else DType.F32
    return PlanBuffer(
        name=f"{kind} of launch {launch}",
        kind=kind,
        dtype=dtype,
        shape=(place.bytes // dtype.bytes,),
        region=place.region,
        offset=place.offset,
        bytes=place.bytes,
    )


def _buffers(program: KernelProgram, memory: MemoryPlan) -> tuple[PlanBuffer, ...]:
    return tuple(
        PlanBuffer(
            name=buffer.name,
            kind=PlanBufferKind(buffer.kind.value),
            dtype=buffer.dtype,
            shape=buffer.shape,
            region=place.region,
            offset=place.offset,
            bytes=place.bytes,
        )
        for buffer, place in zip(program.buffers, memory.places, strict=True)
    )
