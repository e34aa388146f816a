"""A kernel program, its emitted kernels and its memory, put together as a launch plan."""

from __future__ import annotations

from lumc.codegen.emit import EmittedProgram
from lumc.codegen.launch_plan import (
    LaunchPlan,
    PlanArgument,
    PlanBuffer,
    PlanBufferKind,
    PlanKernel,
    PlanLaunch,
)
from lumc.codegen.memory import MemoryPlan
from lumc.lowering.kernel_program import KernelProgram, Launch, ParameterAccess

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
    kernels = {kernel.symbol: kernel for kernel in emitted.kernels}
    plan_kernels = tuple(
        PlanKernel(
            symbol=symbol,
            kind=kernels[symbol].kind,
            code_object=code_object_path(symbol),
            source=SOURCE_FILE,
            block=kernels[symbol].block,
            lds_bytes=kernels[symbol].local_bytes,
        )
        for symbol in numbers
    )

    def plan_launch(launch: Launch) -> PlanLaunch:
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
        labels = launch.provenance.labels or kernel.provenance.labels
        label = ", ".join(dict.fromkeys(labels)) or kernel.name
        return PlanLaunch(numbers[emitted_kernel.symbol], emitted_kernel.grid, arguments, label)

    return LaunchPlan(
        stage=program.name,
        target=target,
        parameters=program.parameters,
        buffers=_buffers(program, memory),
        kernels=plan_kernels,
        prepare=tuple(map(plan_launch, program.prepare)),
        launches=tuple(map(plan_launch, program.launches)),
        region_bytes=memory.region_bytes,
        tables=TABLES_FILE if program.tables else None,
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
