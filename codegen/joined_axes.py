"""Two axes as one where some accesses step on from one to the other and others do not.

``merge_axes`` merges axes that everything sees as one. Here an access that does not gets the two
as quotient and remainder of the joint axis, so that those who do are runs of memory.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from lumc.codegen.flat import FlatBody, FlatInstruction, FlatLoad
from lumc.codegen.index_text import LARGEST_INT
from lumc.dsl.index_expression import (
    Axis,
    IndexExpression,
    axis,
    constant,
    floor_divide,
    modulo,
    substitute,
)
from lumc.lowering.kernel_program import IndexOf, KernelAxis


def join_axes(body: FlatBody, outer: int, inner: int) -> FlatBody:
    """``body`` with axis ``outer`` walking both, and axis ``inner`` of size 1."""
    size = body.axes[inner].size
    if size == 1:
        return body
    axes = list(body.axes)
    name = f"{axes[outer].name}_{axes[inner].name}"
    axes[outer] = KernelAxis(name, axes[outer].size * size)
    axes[inner] = KernelAxis(axes[inner].name, 1)
    sizes = [a.size for a in axes]

    def change(expression: IndexExpression) -> IndexExpression:
        return _joined(expression, outer, inner, size, sizes)

    instructions: list[FlatInstruction] = []
    for instruction in body.instructions:
        match instruction:
            case FlatLoad(offset=offset):
                instructions.append(replace(instruction, offset=change(offset)))
            case IndexOf(expression):
                instructions.append(IndexOf(change(expression)))
            case _:
                instructions.append(instruction)
    stores = tuple(replace(store, offset=change(store.offset)) for store in body.stores)
    return replace(body, axes=tuple(axes), instructions=tuple(instructions), stores=stores)


def _joined(
    expression: IndexExpression, outer: int, inner: int, size: int, sizes: Sequence[int]
) -> IndexExpression:
    if not expression.axes() & {outer, inner}:
        return expression
    count = max(len(sizes), max(expression.axes()) + 1)
    # Axes beyond the body's are values computed at run time, which nothing bounds.
    known = [sizes[n] if n < len(sizes) else LARGEST_INT for n in range(count)]
    new = [axis(n) for n in range(count)]
    nested = any(
        atom.value.axes() & {outer, inner}
        for atom, _ in expression.terms
        if not isinstance(atom, Axis)
    )
    if not nested and expression.coefficient(outer) == size * expression.coefficient(inner):
        new[outer], new[inner] = constant(0), axis(outer)
    else:
        new[outer] = floor_divide(axis(outer), size, known)
        new[inner] = modulo(axis(outer), size, known)
    return substitute(expression, new, known)
