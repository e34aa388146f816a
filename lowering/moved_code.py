"""Scalar code of a kernel in another kernel, over other axes."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from lumc.dsl.index_expression import IndexExpression, axis, substitute
from lumc.lowering.kernel_program import (
    Body,
    IndexOf,
    Instruction,
    KernelAxis,
    Load,
    Store,
)

_ANY = 1 << 62
"""Stands for the bound of a value that is computed at run time."""


def used_parameters(bodies: Iterable[Body], stores: Iterable[Store] = ()) -> tuple[int, ...]:
    """The numbers of the parameters that are read or written, in order."""
    loads = {i.parameter for body in bodies for i in body.instructions if isinstance(i, Load)}
    return tuple(sorted(loads | {store.parameter for store in stores}))


def _moved_index(
    expression: IndexExpression,
    place: Sequence[IndexExpression],
    bounds: Sequence[int],
    computed: int = 0,
) -> IndexExpression:
    """``expression`` where its axes are ``place``, over axes of the sizes ``bounds``.

    ``computed`` values of an access stand behind the axes.
    """
    behind = [axis(len(bounds) + n) for n in range(computed)]
    return substitute(expression, [*place, *behind], [*bounds, *[_ANY] * computed])


def moved_body(
    body: Body,
    axes: tuple[KernelAxis, ...],
    place: Sequence[IndexExpression],
) -> Body:
    """``body`` over ``axes``, where its own are ``place``."""
    bounds = [a.size for a in axes]

    def instruction(old: Instruction) -> Instruction:
        match old:
            case Load():
                index = tuple(_moved_index(e, place, bounds, len(old.computed)) for e in old.index)
                return replace(old, index=index)
            case IndexOf(expression):
                return IndexOf(_moved_index(expression, place, bounds))
            case _:
                return old

    return Body(axes, tuple(map(instruction, body.instructions)))
