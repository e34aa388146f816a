"""Kernels and kernel programs as HIP C++ text."""

from __future__ import annotations

import hashlib
import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from enum import StrEnum
from functools import cache
from typing import assert_never

import jinja2

from lumc.codegen.attention import plan_attention
from lumc.codegen.gemm import plan_gemm
from lumc.codegen.geometry import Geometry
from lumc.codegen.header_comment import UNUSED, KernelUse, header_comment, kernel_uses, spec_lines
from lumc.codegen.identifiers import comment_text, header_texts, identifier
from lumc.codegen.launch_plan import Meeting
from lumc.codegen.planning import Plan
from lumc.codegen.pointwise import plan_pointwise
from lumc.codegen.row_reduction import plan_row_reduction
from lumc.codegen.streamed_gemm import plan_streamed_gemm, takes_turns
from lumc.codegen.target import Target
from lumc.codegen.toolchains import CompileUnit
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    Kernel,
    KernelProgram,
    LibraryConvolution,
    Pointwise,
    RowReduction,
)

BUFFER_ALIGNMENT = 256
"""Bytes that every buffer's first element must be aligned to, in whatever region it lies."""

_PLACEHOLDER = "LUMC_SYMBOL"


class MathMode(StrEnum):
    """How freely real arithmetic may be done.

    ``FAST``: multiply-adds may fuse, reciprocals and powers of two are the hardware's. ``EXACT``:
    every operation is rounded as written. Neither gives up NaN or infinities.
    """

    FAST = "fast"
    EXACT = "exact"


@dataclass(frozen=True, slots=True)
class EmittedKernel:
    """A kernel's text and how it is launched.

    ``unit`` is what is compiled: it depends on the kernel, the target and the alignments alone,
    not on where in a spec the kernel comes from. ``source`` is the same kernel for the reader.
    """

    symbol: str
    kind: str
    unit: CompileUnit
    source: str
    block: tuple[int, int, int]
    local_bytes: int
    geometry: Geometry
    headers: tuple[str, ...]
    meeting: Meeting | None
    """Memory in which workgroups meet: two pointers behind those of the parameters."""
    spec_lines: tuple[str, ...]
    """``file:line`` of the spec text that it comes from."""

    @property
    def grid(self) -> tuple[int, int, int]:
        """The grid, in workgroups."""
        return self.geometry.grid


@dataclass(frozen=True, slots=True)
class EmittedCall:
    """A kernel that the vendor's library does: there is no code of it."""

    symbol: str
    kind: str
    source: str
    """For the reader: a comment."""
    kernel: Gemm | Attention

    @property
    def grid(self) -> tuple[int, int, int]:
        """One, as there are no workgroups of ours."""
        return (1, 1, 1)


@dataclass(frozen=True, slots=True)
class EmittedProgram:
    """The kernels of a program, in its order, and one text that holds them all."""

    text: str
    kernels: tuple[EmittedKernel | EmittedCall, ...]

    @property
    def generated(self) -> tuple[EmittedKernel, ...]:
        """The kernels that there is code of."""
        return tuple(kernel for kernel in self.kernels if isinstance(kernel, EmittedKernel))

    @property
    def meetings(self) -> dict[int, Meeting]:
        """What launches of kernels need for their workgroups to meet in, by kernel number."""
        return {
            number: kernel.meeting
            for number, kernel in enumerate(self.kernels)
            if isinstance(kernel, EmittedKernel) and kernel.meeting is not None
        }


def emit_kernel(
    kernel: Kernel,
    target: Target,
    alignments: Sequence[int] | None = None,
    *,
    math_mode: MathMode = MathMode.FAST,
    use: KernelUse = UNUSED,
) -> EmittedKernel:
    """The C++ of one kernel.

    The function has a pointer per parameter, in order, and behind them two for its ``meeting`` if
    it has one. Equal arguments (but for ``use`` and what provenance there is) give an equal
    ``unit``, byte for byte.

    Args:
        kernel: A kernel that ``verify_kernel`` accepts.
        target: The chip to make it for.
        alignments: For each parameter the bytes that its pointer is a multiple of, in every
            launch; by default those of one element.
        math_mode: How freely real arithmetic may be done.
        use: What the reader is told of its launches.

    Raises:
        ValueError: the kernel asks for what no template does (a mistake of the compiler).
    """
    if alignments is None:
        alignments = [parameter.dtype.bytes for parameter in kernel.parameters]
    plan = _plan(kernel, target, alignments)
    values = {**plan.values, "symbol": _PLACEHOLDER}
    code = _environment().get_template(plan.template).render(k=values).strip() + "\n"
    exact = math_mode is MathMode.EXACT
    text = _render("unit.jinja", code=code, exact=exact, headers=plan.headers)
    symbol = f"{identifier(kernel.name, 'kernel')}_{hashlib.sha256(text.encode()).hexdigest()[:8]}"
    comment = header_comment(kernel, use, plan.notes, code)
    return EmittedKernel(
        symbol=symbol,
        kind=plan.kind,
        unit=CompileUnit(text.replace(_PLACEHOLDER, symbol), header_texts()),
        source=_render("source.jinja", comment=comment, code=code.replace(_PLACEHOLDER, symbol)),
        block=(plan.threads, 1, 1),
        local_bytes=plan.local_bytes,
        geometry=plan.geometry,
        headers=plan.headers,
        meeting=plan.meeting,
        spec_lines=spec_lines((kernel.provenance, *use.provenance)),
    )


def emit_program(
    program: KernelProgram,
    target: Target,
    *,
    math_mode: MathMode = MathMode.FAST,
    costs: Mapping[int, str] | None = None,
) -> EmittedProgram:
    """The C++ of all kernels of ``program``; ``costs`` are by kernel number.

    Buffers must begin at multiples of ``BUFFER_ALIGNMENT`` bytes when the kernels are launched.
    """
    alignments = parameter_alignments(program)
    uses = kernel_uses(program, costs or {})

    def emit(number: int, kernel: Kernel) -> EmittedKernel | EmittedCall:
        if isinstance(kernel, Gemm | Attention) and kernel.library is not None:
            return emit_call(kernel, uses[number])
        return emit_kernel(
            kernel, target, alignments[number], math_mode=math_mode, use=uses[number]
        )

    kernels = tuple(emit(number, kernel) for number, kernel in enumerate(program.kernels))
    text = _render(
        "program.jinja",
        name=comment_text(program.name),
        target=target.name,
        parameters=[(comment_text(n), comment_text(v)) for n, v in program.parameters],
        exact=math_mode is MathMode.EXACT,
        headers=sorted({h for k in kernels if isinstance(k, EmittedKernel) for h in k.headers}),
        kernels=list(dict.fromkeys(kernel.source for kernel in kernels)),
    )
    return EmittedProgram(text, kernels)


def emit_call(kernel: Gemm | Attention, use: KernelUse = UNUSED) -> EmittedCall:
    """A kernel that the vendor's library does, with a comment for the reader in place of code."""
    digest = hashlib.sha256(repr((kernel.library, _dtypes(kernel))).encode()).hexdigest()[:8]
    notes = ("done by the vendor's library",)
    comment = header_comment(kernel, use, notes)
    return EmittedCall(
        symbol=f"library_{identifier(kernel.name, 'kernel')}_{digest}",
        kind=_call_kind(kernel),
        source=_render("source.jinja", comment=comment, code=""),
        kernel=kernel,
    )


def _call_kind(kernel: Gemm | Attention) -> str:
    if isinstance(kernel, Attention):
        return "attention"
    return "conv" if isinstance(kernel.library, LibraryConvolution) else "gemm"


def _dtypes(kernel: Gemm | Attention) -> tuple[DType, ...]:
    return tuple(parameter.dtype for parameter in kernel.parameters)


def parameter_alignments(program: KernelProgram) -> tuple[tuple[int, ...], ...]:
    """For each kernel, the bytes that each parameter's pointer is a multiple of in all launches."""
    found = [[BUFFER_ALIGNMENT] * len(kernel.parameters) for kernel in program.kernels]
    for launch in (*program.prepare, *program.launches):
        for number, argument in enumerate(launch.arguments):
            parameter = program.kernels[launch.kernel].parameters[number]
            offset = argument.offset * parameter.dtype.bytes
            found[launch.kernel][number] = math.gcd(found[launch.kernel][number], offset)
    return tuple(tuple(alignments) for alignments in found)


def _plan(kernel: Kernel, target: Target, alignments: Sequence[int]) -> Plan:
    match kernel:
        case Pointwise():
            return plan_pointwise(kernel, alignments)
        case RowReduction():
            return plan_row_reduction(kernel, target, alignments)
        case Gemm() if takes_turns(kernel, alignments):
            return plan_streamed_gemm(kernel, target, alignments)
        case Gemm():
            return plan_gemm(kernel, target, alignments)
        case Attention():
            return plan_attention(kernel, target, alignments)
        case _:
            assert_never(kernel)


@cache
def _environment() -> jinja2.Environment:
    return jinja2.Environment(
        loader=jinja2.PackageLoader("lumc.codegen", "templates"),
        undefined=jinja2.StrictUndefined,
        trim_blocks=True,
        lstrip_blocks=True,
        keep_trailing_newline=True,
        autoescape=False,
    )


def _render(template: str, **values: object) -> str:
    return _environment().get_template(template).render(**values)
