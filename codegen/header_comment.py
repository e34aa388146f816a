"""The comment above a kernel: what it computes, for whom, and how it is divided."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import assert_never

from lumc.codegen.identifiers import comment_text
from lumc.codegen.known_numbers import explained_numbers
from lumc.lowering.kernel_program import (
    Attention,
    BufferKind,
    Gemm,
    Kernel,
    KernelAxis,
    KernelProgram,
    Parameter,
    ParameterAccess,
    Pointwise,
    Provenance,
    RowReduction,
)

_WIDTH = 96
_MOST_LISTED = 12


@dataclass(frozen=True, slots=True)
class KernelUse:
    """What is known of a kernel's launches, for the reader: nothing of it changes the code."""

    provenance: tuple[Provenance, ...] = ()
    """That of the launches, beside the kernel's own."""
    cost: str | None = None
    """A line on what the kernel is expected to cost."""
    launches: int = 1
    prepares: bool = False
    """It is launched when the weights are loaded, not in a step."""
    weights: tuple[int, ...] = ()
    """For each parameter, how many weights the launches give it, as loaded or prepared."""


UNUSED = KernelUse()
"""Of a kernel on its own."""


def kernel_uses(program: KernelProgram, costs: Mapping[int, str]) -> tuple[KernelUse, ...]:
    """How each kernel of ``program`` is used; ``costs`` are by kernel number."""
    return tuple(_use(program, number, costs.get(number)) for number in range(len(program.kernels)))


def _use(program: KernelProgram, number: int, cost: str | None) -> KernelUse:
    steps = [launch for launch in program.launches if launch.kernel == number]
    early = [launch for launch in program.prepare if launch.kernel == number]
    weights: list[set[int]] = [set() for _ in program.kernels[number].parameters]
    for launch in (*early, *steps):
        for found, argument in zip(weights, launch.arguments, strict=True):
            if program.buffers[argument.buffer].kind in (BufferKind.WEIGHT, BufferKind.PREPARED):
                found.add(argument.buffer)
    return KernelUse(
        provenance=tuple(launch.provenance for launch in (*early, *steps)),
        cost=cost,
        launches=len(steps or early),
        prepares=bool(early) and not steps,
        weights=tuple(map(len, weights)),
    )


def header_comment(
    kernel: Kernel, use: KernelUse, notes: Sequence[str], code: str = ""
) -> tuple[str, ...]:
    """The comment's lines, each safe to stand after ``//``.

    ``notes`` say how the work is divided; numbers in ``code`` are explained where they are known.
    """
    provenance = (kernel.provenance, *use.provenance)
    labels = _unique(label for p in provenance for label in p.labels)
    spans = spec_lines(provenance)
    rules = _unique(rule for p in provenance for rule in p.rules)
    lines = [f"{_listed(labels)}: {_what(kernel)}" if labels else _what(kernel)]
    if spans:
        lines.append(f"from {_listed(spans)}")
    weights = use.weights or (1,) * len(kernel.parameters)
    lines += map(_tensor, kernel.parameters, weights)
    lines += _launched(use)
    lines += notes
    if numbers := explained_numbers(code):
        lines.append(f"numbers: {_listed(numbers)}")
    if rules:
        lines.append(f"made by {', '.join(rules)}")
    if use.cost is not None:
        lines.append(use.cost)
    return tuple(part for line in lines for part in _wrapped(line))


def _launched(use: KernelUse) -> Iterator[str]:
    if use.prepares:
        times = "once" if use.launches == 1 else f"{use.launches} times"
        yield f"launched {times}, when the weights are loaded"
    elif use.launches > 1:
        yield f"launched {use.launches} times a step"


def spec_lines(provenance: Iterable[Provenance]) -> tuple[str, ...]:
    """``file:line`` of all that the launches of a kernel come from, each once."""
    return tuple(_unique(span.short for one in provenance for span in one.spans))


def _wrapped(line: str) -> Iterator[str]:
    yield from textwrap.wrap(comment_text(line), _WIDTH, subsequent_indent="  ")


def _unique(items: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(items))


def _listed(items: Sequence[str]) -> str:
    more = len(items) - _MOST_LISTED
    return ", ".join(items[:_MOST_LISTED]) + (f" and {more} more" if more > 0 else "")


def _what(kernel: Kernel) -> str:
    match kernel:
        case Pointwise():
            return f"at each point of {_axes(kernel.body.axes)}"
        case RowReduction():
            own = [p.body.axes[len(kernel.rows) :] for p in kernel.phases]
            passes = ", ".join(_axes(axes) for axes in own)
            return f"for each row of {_axes(kernel.rows)}, passes over {passes}"
        case Gemm():
            times = f"{len(kernel.right)} products" if len(kernel.right) > 1 else "a product"
            batch = f" for each of {_axes(kernel.batch)}" if kernel.batch else ""
            return (
                f"{times} of {_axes(kernel.rows)} by {_axes(kernel.columns)}, summed over"
                f" {_axes(kernel.inner)}{batch}, in {kernel.operand_dtype}"
            )
        case Attention():
            batch = f" for each of {_axes(kernel.batch)}" if kernel.batch else ""
            return (
                f"attention of {_axes(kernel.queries)} to {_axes(kernel.keys)}, scores over"
                f" {_axes(kernel.inner)}, values of {_axes(kernel.channels)}{batch},"
                f" in {kernel.operand_dtype}"
            )
        case _:
            assert_never(kernel)


def _axes(axes: Sequence[KernelAxis]) -> str:
    return " × ".join(f"{a.name} {a.size}" for a in axes) or "one point"


def _tensor(parameter: Parameter, weights: int) -> str:
    """``weights``: how many the launches give it; the parameter is called as the first of them."""
    does = {
        ParameterAccess.READ: "reads",
        ParameterAccess.WRITE: "writes",
        ParameterAccess.UPDATE: "updates",
    }[parameter.access]
    dense = _dense_strides(parameter.shape)
    strides = "" if parameter.strides == dense else f", strides {list(parameter.strides)}"
    which = f" (the first of {weights} weights)" if weights > 1 else ""
    return f"{does} {parameter.name}{which}: {parameter.dtype}{list(parameter.shape)}{strides}"


def _dense_strides(shape: Sequence[int]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
