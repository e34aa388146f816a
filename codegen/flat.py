"""Bodies whose accesses are element offsets, and the merging of axes that are only used as one.

The axes keep their numbers: an axis merged into the next one stays, with size 1.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from typing import assert_never

from lumc.codegen.index_text import offset_expression
from lumc.dsl.index_expression import (
    Axis,
    IndexExpression,
    axis,
    constant,
    substitute,
)
from lumc.dsl.tensor_program import ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    IndexOf,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    Store,
)
from lumc.lowering.kernel_ranges import whole_number_ranges


@dataclass(frozen=True, slots=True)
class FlatLoad:
    """As ``Load``, at ``offset`` elements from the parameter's first."""

    parameter: int
    offset: IndexExpression
    computed: tuple[int, ...] = ()
    predicate: int | None = None


@dataclass(frozen=True, slots=True)
class FlatStore:
    """As ``Store``, at ``offset`` elements from the parameter's first."""

    parameter: int
    offset: IndexExpression
    value: int
    computed: tuple[int, ...] = ()
    predicate: int | None = None
    combine: ReduceOp | None = None


FlatInstruction = Literal | IndexOf | FlatLoad | Apply | Convert | Accumulator


@dataclass(frozen=True, slots=True)
class FlatBody:
    """A body, and the stores of its values (none where it stands for its last value)."""

    axes: tuple[KernelAxis, ...]
    instructions: tuple[FlatInstruction, ...]
    stores: tuple[FlatStore, ...] = ()
    ranges: tuple[tuple[int, int] | None, ...] = ()
    """For each value its least and greatest, where it is a known whole number."""

    def expressions(self) -> Iterator[IndexExpression]:
        """Every index expression in it."""
        for instruction in self.instructions:
            if isinstance(instruction, FlatLoad):
                yield instruction.offset
            elif isinstance(instruction, IndexOf):
                yield instruction.expression
        yield from (store.offset for store in self.stores)

    def accesses(self) -> tuple[FlatLoad | FlatStore, ...]:
        """Its loads and then its stores."""
        return (*self.loads(), *self.stores)

    def loads(self) -> tuple[FlatLoad, ...]:
        """Its loads, in order."""
        return tuple(x for x in self.instructions if isinstance(x, FlatLoad))


def flatten(body: Body, stores: Sequence[Store], parameters: Sequence[Parameter]) -> FlatBody:
    """``body`` with its accesses as offsets; axes of size 1 do not occur in it any more."""

    def offset(access: Load | Store) -> IndexExpression:
        return offset_expression(access.index, parameters[access.parameter])

    flat = FlatBody(
        body.axes,
        tuple(
            FlatLoad(x.parameter, offset(x), x.computed, x.predicate) if isinstance(x, Load) else x
            for x in body.instructions
        ),
        tuple(
            FlatStore(s.parameter, offset(s), s.value, s.computed, s.predicate, s.combine)
            for s in stores
        ),
        whole_number_ranges(body),
    )
    single = [number for number, a in enumerate(body.axes) if a.size == 1]
    return _rewritten(flat, lambda expression: without_axes(expression, single, body.axes))


def without_axes(
    expression: IndexExpression, gone: Sequence[int], axes: Sequence[KernelAxis]
) -> IndexExpression:
    """``expression`` where the axes ``gone`` are 0."""
    if not expression.axes() & frozenset(gone):
        return expression
    count = max(expression.axes(), default=0) + 1
    zero = constant(0)
    # Axes beyond the body's are values computed at run time, which nothing bounds.
    sizes = [axes[n].size if n < len(axes) else _UNBOUNDED for n in range(count)]
    return substitute(expression, [zero if n in gone else axis(n) for n in range(count)], sizes)


_UNBOUNDED = 1 << 62


def _rewritten(body: FlatBody, change: Callable[[IndexExpression], IndexExpression]) -> FlatBody:
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
    return replace(body, instructions=tuple(instructions), stores=stores)


@dataclass(frozen=True, slots=True)
class AxisUse:
    """A body, and the numbers that a group of axes has in it."""

    body: FlatBody
    axes: tuple[int, ...]


def merge_axes(uses: Sequence[AxisUse]) -> tuple[FlatBody, ...]:
    """The bodies with neighbouring axes of the group merged where all of them allow it.

    ``axes`` of every use name the same axes in the order in which they are walked, the last one
    fastest. A merged axis has the last one's number and the product of the sizes.
    """
    bodies = [use.body for use in uses]
    # The place of the axis that the next one outwards may be merged into.
    target = len(uses[0].axes) - 1 if uses else 0
    for place in reversed(range(target)):
        numbers = [(use.axes[place], use.axes[target]) for use in uses]
        pairs = list(zip(bodies, numbers, strict=True))
        if _size(bodies[0], numbers[0][0]) == 1:
            continue
        if _size(bodies[0], numbers[0][1]) > 1 and all(_mergeable(b, *pair) for b, pair in pairs):
            bodies = [_merged(body, *pair) for body, pair in pairs]
        else:
            target = place
    return tuple(bodies)


def _size(body: FlatBody, number: int) -> int:
    return body.axes[number].size


def _mergeable(body: FlatBody, outer: int, inner: int) -> bool:
    size = _size(body, inner)
    return all(_steps_on(e, outer, inner, size) for e in body.expressions())


def _steps_on(expression: IndexExpression, outer: int, inner: int, size: int) -> bool:
    """True when a step of ``outer`` is ``size`` steps of ``inner`` everywhere in it."""
    if expression.coefficient(outer) != size * expression.coefficient(inner):
        return False
    nested = [atom for atom, _ in expression.terms if not isinstance(atom, Axis)]
    return all(_steps_on(atom.value, outer, inner, size) for atom in nested)


def _merged(body: FlatBody, outer: int, inner: int) -> FlatBody:
    first, second = body.axes[outer], body.axes[inner]
    name = f"{first.name}_{second.name}" if second.size > 1 else first.name
    axes = list(body.axes)
    axes[outer] = KernelAxis(first.name, 1)
    axes[inner] = KernelAxis(name, first.size * second.size)
    merged = _rewritten(body, lambda expression: _without_outer(expression, outer, axes))
    return replace(merged, axes=tuple(axes))


def _without_outer(
    expression: IndexExpression, outer: int, axes: Sequence[KernelAxis]
) -> IndexExpression:
    return without_axes(expression, (outer,), axes)


def live_values(body: FlatBody, wanted: Sequence[int]) -> frozenset[int]:
    """The numbers of the values that ``wanted`` and the body's stores need."""
    live: set[int] = set()
    pending = [*wanted]
    for store in body.stores:
        pending += [store.value, *store.computed]
        pending += [] if store.predicate is None else [store.predicate]
    while pending:
        number = pending.pop()
        if number not in live:
            live.add(number)
            pending += operands(body.instructions[number])
    return frozenset(live)


def operands(instruction: FlatInstruction) -> tuple[int, ...]:
    """The values that ``instruction`` reads."""
    match instruction:
        case Literal() | IndexOf() | Accumulator():
            return ()
        case FlatLoad(computed=computed, predicate=predicate):
            return computed if predicate is None else (*computed, predicate)
        case Apply(operands=values):
            return values
        case Convert(operand=operand):
            return (operand,)
        case _:
            assert_never(instruction)
