"""The comment above a kernel: what it computes, for whom, and how it is divided."""

from __future__ import annotations

import textwrap
from collections.abc import Iterable, Iterator, Sequence
from typing import assert_never

from lumc.codegen.identifiers import comment_text
from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    Kernel,
    KernelAxis,
    Parameter,
    ParameterAccess,
    Pointwise,
    Provenance,
    RowReduction,
)

_WIDTH = 96
_MOST_LINES = 12


def header_comment(
    kernel: Kernel, provenance: Sequence[Provenance], notes: Sequence[str], cost: str | None
) -> tuple[str, ...]:
    """The comment's lines, each safe to stand after ``//``.

    ``provenance`` has that of the kernel and of its launches; ``notes`` say how the work is
    divided; ``cost`` is what the cost model expects.
    """
    labels = _unique(label for p in provenance for label in p.labels)
    spans = spec_lines(provenance)
    rules = _unique(rule for p in provenance for rule in p.rules)
    lines = [f"{', '.join(labels[:_MOST_LINES])}: {_what(kernel)}" if labels else _what(kernel)]
    if spans:
        lines.append(f"from {', '.join(spans[:_MOST_LINES])}{_more(spans)}")
    lines += [_tensor(parameter) for parameter in kernel.parameters]
    lines += notes
    if rules:
        lines.append(f"made by {', '.join(rules)}")
    if cost is not None:
        lines.append(cost)
    return tuple(part for line in lines for part in _wrapped(line))


def spec_lines(provenance: Iterable[Provenance]) -> tuple[str, ...]:
    """``file:line`` of all that the launches of a kernel come from, each once."""
    return tuple(_unique(span.short for one in provenance for span in one.spans))


def _wrapped(line: str) -> Iterator[str]:
    yield from textwrap.wrap(comment_text(line), _WIDTH, subsequent_indent="  ")


def _unique(items: Iterator[str]) -> list[str]:
    return list(dict.fromkeys(items))


def _more(items: Sequence[str]) -> str:
    return f" and {len(items) - _MOST_LINES} more lines" if len(items) > _MOST_LINES else ""


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


def _tensor(parameter: Parameter) -> str:
    does = {
        ParameterAccess.READ: "reads",
        ParameterAccess.WRITE: "writes",
        ParameterAccess.UPDATE: "updates",
    }[parameter.access]
    dense = _dense_strides(parameter.shape)
    strides = "" if parameter.strides == dense else f", strides {list(parameter.strides)}"
    return f"{does} {parameter.name}: {parameter.dtype}{list(parameter.shape)}{strides}"


def _dense_strides(shape: Sequence[int]) -> tuple[int, ...]:
    strides: list[int] = []
    step = 1
    for size in reversed(shape):
        strides.append(step)
        step *= size
    return tuple(reversed(strides))
