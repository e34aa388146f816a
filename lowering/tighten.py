"""Kernels whose parameters are no larger than what they touch.

Offsets move from the kernel into the argument, so a kernel that works on the first half of a
buffer and one that works on the second become the same kernel.
"""

from __future__ import annotations

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass

from lumc.dsl.index_expression import IndexExpression, add, constant
from lumc.lowering.kernel_program import (
    Attention,
    Body,
    Gemm,
    Instruction,
    Kernel,
    Load,
    Phase,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_ranges import Interval, index_range, whole_number_ranges


@dataclass(frozen=True, slots=True)
class BoundKernel:
    """A kernel and, for each of its parameters, the tensor it stands for and the offset there.

    ``nodes`` are the nodes of the program that it computes, ``rules`` those that made it.
    """

    kernel: Kernel
    bindings: tuple[tuple[int, int], ...]
    nodes: tuple[int, ...] = ()
    rules: tuple[str, ...] = ()


def tighten(bound: BoundKernel) -> BoundKernel:
    """``bound`` with every parameter cut to the box that the kernel reads or writes."""
    kernel = bound.kernel
    boxes = _boxes(kernel)
    parameters, bindings, moved = [], [], []
    for number, (parameter, (tensor, offset)) in enumerate(
        zip(kernel.parameters, bound.bindings, strict=True)
    ):
        box = boxes[number]
        lows = tuple(low for low, _ in box)
        shape = tuple(high - low + 1 for low, high in box)
        start = sum(low * step for low, step in zip(lows, parameter.strides, strict=True))
        parameters.append(dataclasses.replace(parameter, shape=shape))
        bindings.append((tensor, offset + start))
        moved.append(lows)
    tight = dataclasses.replace(_moved_kernel(kernel, moved), parameters=tuple(parameters))
    return dataclasses.replace(bound, kernel=tight, bindings=tuple(bindings))


def _boxes(kernel: Kernel) -> list[list[Interval]]:
    """For each parameter the hull, along each of its axes, of all accesses."""
    hulls: list[list[Interval | None]] = [[None] * len(p.shape) for p in kernel.parameters]
    for body, stored in _bodies_with_stores(kernel):
        ranges = whole_number_ranges(body)
        sizes = [a.size for a in body.axes]
        loads = [i for i in body.instructions if isinstance(i, Load)]
        accesses: list[Load | Store] = [*loads, *stored]
        for access in accesses:
            parameter = kernel.parameters[access.parameter]
            computed = [ranges[n] for n in access.computed]
            hull = hulls[access.parameter]
            for axis, entry in enumerate(access.index):
                touched = _touched(entry, sizes, computed, parameter.shape[axis])
                hull[axis] = _join(hull[axis], touched)
    return [
        [span or (0, size - 1) for span, size in zip(hull, parameter.shape, strict=True)]
        for hull, parameter in zip(hulls, kernel.parameters, strict=True)
    ]


def _touched(
    entry: IndexExpression, sizes: Sequence[int], computed: Sequence[Interval | None], size: int
) -> Interval:
    found = index_range(entry, sizes, computed, size)
    if found is None:
        return 0, size - 1
    low, high = max(0, found[0]), min(size - 1, found[1])
    return (low, high) if low <= high else (0, size - 1)


def _join(left: Interval | None, right: Interval) -> Interval:
    return right if left is None else (min(left[0], right[0]), max(left[1], right[1]))


def _bodies_with_stores(kernel: Kernel) -> list[tuple[Body, tuple[Store, ...]]]:
    match kernel:
        case Pointwise():
            return [(kernel.body, kernel.stores)]
        case RowReduction():
            return [(phase.body, phase.stores) for phase in kernel.phases]
        case Gemm():
            parts = (kernel.left, *kernel.right)
            return [*((body, ()) for body in parts), (kernel.epilogue, kernel.stores)]
        case Attention():
            parts = (kernel.query, kernel.key, kernel.score, kernel.value)
            return [*((body, ()) for body in parts), (kernel.epilogue, kernel.stores)]


def _moved_kernel(kernel: Kernel, lows: Sequence[tuple[int, ...]]) -> Kernel:
    """The kernel with every index along axis ``a`` of parameter ``p`` less ``lows[p][a]``."""

    def body(old: Body) -> Body:
        return Body(old.axes, tuple(_moved(i, lows) for i in old.instructions))

    def stores(old: tuple[Store, ...]) -> tuple[Store, ...]:
        return tuple(dataclasses.replace(s, index=_less(s.index, lows[s.parameter])) for s in old)

    match kernel:
        case Pointwise():
            return dataclasses.replace(kernel, body=body(kernel.body), stores=stores(kernel.stores))
        case RowReduction():
            phases = tuple(
                Phase(body(p.body), p.reductions, stores(p.stores)) for p in kernel.phases
            )
            return dataclasses.replace(kernel, phases=phases)
        case Gemm():
            return dataclasses.replace(
                kernel,
                left=body(kernel.left),
                right=tuple(body(right) for right in kernel.right),
                epilogue=body(kernel.epilogue),
                stores=stores(kernel.stores),
            )
        case Attention():
            return dataclasses.replace(
                kernel,
                query=body(kernel.query),
                key=body(kernel.key),
                score=body(kernel.score),
                value=body(kernel.value),
                epilogue=body(kernel.epilogue),
                stores=stores(kernel.stores),
            )


def _moved(instruction: Instruction, lows: Sequence[tuple[int, ...]]) -> Instruction:
    if not isinstance(instruction, Load):
        return instruction
    return dataclasses.replace(
        instruction, index=_less(instruction.index, lows[instruction.parameter])
    )


def _less(index: tuple[IndexExpression, ...], lows: tuple[int, ...]) -> tuple[IndexExpression, ...]:
    return tuple(add(entry, constant(-low)) for entry, low in zip(index, lows, strict=True))
