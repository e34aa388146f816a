"""Scalar code of a kernel in another kernel: over other axes, its parameters by other numbers."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import replace

from lumc.dsl.index_expression import IndexExpression, axis, substitute
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    IndexOf,
    Instruction,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Store,
)

_ANY = 1 << 62
"""Stands for the bound of a value that is computed at run time."""


def used_parameters(bodies: Iterable[Body], stores: Iterable[Store] = ()) -> tuple[int, ...]:
    """The numbers of the parameters that are read or written, in order."""
    loads = {i.parameter for body in bodies for i in body.instructions if isinstance(i, Load)}
    return tuple(sorted(loads | {store.parameter for store in stores}))


def fresh_name(name: str, taken: Collection[str]) -> str:
    """``name``, with as many underscores behind it as make it none of ``taken``."""
    while name in taken:
        name += "_"
    return name


def read_only(parameter: Parameter) -> Parameter:
    """``parameter`` of a kernel that only reads it."""
    return replace(parameter, access=ParameterAccess.READ)


def moved_index(
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
    numbers: Mapping[int, int] | None = None,
) -> Body:
    """``body`` over ``axes``, where its own are ``place``.

    Its parameters have new numbers, where there are any.
    """
    bounds = [a.size for a in axes]

    def instruction(old: Instruction) -> Instruction:
        match old:
            case Load():
                index = tuple(moved_index(e, place, bounds, len(old.computed)) for e in old.index)
                parameter = old.parameter if numbers is None else numbers[old.parameter]
                return replace(old, parameter=parameter, index=index)
            case IndexOf(expression):
                return IndexOf(moved_index(expression, place, bounds))
            case _:
                return old

    return Body(axes, tuple(map(instruction, body.instructions)))


def append_epilogue(
    code: list[Instruction], epilogue: Body, sums: Sequence[int], numbers: Mapping[int, int]
) -> list[int]:
    """Add ``epilogue`` to ``code``, where its accumulators are the values ``sums``.

    Its axes stay what they are; its parameters have their new numbers. Gives the place of each of
    its values in ``code``.
    """
    place: list[int] = []
    for old in epilogue.instructions:
        match old:
            case Accumulator(number):
                place.append(sums[number])
                continue
            case Load():
                new: Instruction = replace(
                    old,
                    parameter=numbers[old.parameter],
                    computed=tuple(place[n] for n in old.computed),
                    predicate=None if old.predicate is None else place[old.predicate],
                )
            case Apply(op, operands):
                new = Apply(op, tuple(place[n] for n in operands))
            case Convert(operand, dtype):
                new = Convert(place[operand], dtype)
            case _:
                new = old
        place.append(len(code))
        code.append(new)
    return place


def moved_stores(
    stores: Iterable[Store], place: Sequence[int], numbers: Mapping[int, int]
) -> tuple[Store, ...]:
    """``stores`` of the values that ``append_epilogue`` has put at ``place``."""
    return tuple(
        replace(
            store,
            parameter=numbers[store.parameter],
            value=place[store.value],
            computed=tuple(place[n] for n in store.computed),
            predicate=None if store.predicate is None else place[store.predicate],
        )
        for store in stores
    )
