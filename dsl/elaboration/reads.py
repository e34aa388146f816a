"""``base[subscripts]``: every read is proved to lie inside, or has a value for outside."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from lumc.diagnostics import Span
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis, Replacements
from lumc.dsl.bounds import Bound
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration import conditions
from lumc.dsl.elaboration.conditions import Condition
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import is_condition, materialize, number
from lumc.dsl.elaboration.piece_reads import direct_read
from lumc.dsl.index_expression import (
    IndexExpression,
    constant,
    substitute,
    value_range,
)
from lumc.dsl.scopes import Scope
from lumc.dsl.tensor_program import Operand
from lumc.dsl.values import Number, Tensor, Value, describe, plural


@dataclass(slots=True)
class _Subscripts:
    """What the subscripts of one read come to."""

    replacements: Replacements = field(default_factory=Replacements)
    rest: list[IndexAxis] = field(default_factory=list)
    """The axes that are left."""
    computed: list[IndexAxis] = field(default_factory=list)
    indices: list[Operand] = field(default_factory=list)
    """Run-time indices, one for each axis of ``computed``."""
    guards: list[Condition] = field(default_factory=list)
    """Where the read lies inside, if it has a value for outside."""


def read(context: Context, expression: syntax.Read, scope: Scope) -> Value:
    """The element, or the rest of the tensor, that ``expression`` reads."""
    base = context.evaluate(expression.base, scope)
    base = _indexable(context, base, expression)
    found = _Subscripts()
    for axis, subscript in _pairs(base, expression):
        _take(context, base, axis, subscript, expression, scope, found)
    if found.computed:
        _clamp(context, base, found, expression.span)
    body = _body(context, base, found, expression.span)
    if found.guards or context.bounds.facts:
        body = _guarded(context, body, found.guards, expression, scope)
    if not found.rest:
        return body
    return Tensor(tuple(found.rest), body, base.name, base.span)


def _indexable(context: Context, base: Value, expression: syntax.Read) -> Tensor:
    if not isinstance(base, Tensor):
        message = f"{describe(base)} has no axes to index"
        raise context.error(Code.RANK, message, expression.base.span)
    if len(expression.subscripts) > len(base.axes):
        axes = plural(len(base.axes), "axis", "axes")
        indices = plural(len(expression.subscripts), "index stands", "indices stand")
        message = f"{base.name or 'this'} has {axes} {base.shape}, but {indices} here"
        raise context.error(Code.RANK, message, expression.span)
    return base


def _pairs(
    base: Tensor, expression: syntax.Read
) -> Iterator[tuple[IndexAxis, syntax.Expression | None]]:
    for position, axis in enumerate(base.axes):
        given = expression.subscripts[position : position + 1]
        if not given or isinstance(given[0], syntax.WholeAxis):
            yield axis, None
        else:
            yield axis, given[0]


def _take(
    context: Context,
    base: Tensor,
    axis: IndexAxis,
    subscript: syntax.Expression | None,
    expression: syntax.Read,
    scope: Scope,
    found: _Subscripts,
) -> None:
    """Settle what stands for ``axis``."""
    if subscript is None:
        # A fresh axis: the same tensor may be read twice in one expression.
        fresh = context.axes.new(axis.name, axis.size, axis.reason)
        found.rest.append(fresh)
        found.replacements[axis.number] = fresh.expression
        return
    if expression.outside is None:
        _match_bare_index(context, base, axis, subscript, scope)
    value = number(context, subscript, scope)
    match value:
        case int() if not isinstance(value, bool):
            _take_index(context, base, axis, constant(value), subscript, expression, found)
        case IndexExpression():
            _take_index(context, base, axis, value, subscript, expression, found)
        case Operand() if context.builder.dtype(value) in (DType.I32, DType.I64, DType.U8):
            _take_computed(context, axis, value, expression, found)
        case _:
            kind = context.builder.dtype(value) if isinstance(value, Operand) else describe(value)
            message = f"an index must be a whole number, this is {kind}"
            hint = "use // for whole division"
            raise context.error(Code.NOT_WHOLE, message, subscript.span, hint)


def _match_bare_index(
    context: Context, base: Tensor, axis: IndexAxis, subscript: syntax.Expression, scope: Scope
) -> None:
    """A bare index runs over the whole axis, and takes its size from it."""
    index = bare_index(subscript, scope)
    if index is None:
        return
    if index.size is not None and index.size < axis.known_size:
        name = axis.name or str(base.axes.index(axis))
        raise context.error(
            Code.SIZE,
            f"{index.name} runs over {index.size}, "
            f"but axis {name} of {base.name or 'this'} has size {axis.size}",
            subscript.span,
            f"to read only the first {index.size}, write 0 + {index.name}",
            (
                f"{index.name} is {index.size} {index.reason}",
                f"{base.name or 'this'} is {base.shape}",
            ),
        )
    context.settle_size(index, axis.known_size, f"from {base.shown}", subscript.span)


def bare_index(subscript: syntax.Expression, scope: Scope) -> IndexAxis | None:
    """The index if the subscript is exactly the name of one that is bound."""
    if not isinstance(subscript, syntax.Name):
        return None
    name = subscript.name.text
    index = scope.axis(name)
    if index is None or name not in scope.bound:
        return None
    return index


def _take_index(
    context: Context,
    base: Tensor,
    axis: IndexAxis,
    index: IndexExpression,
    subscript: syntax.Expression,
    expression: syntax.Read,
    found: _Subscripts,
) -> None:
    axes = context.axes.of(index)
    context.require_sizes(axes, subscript.span)
    found.replacements[axis.number] = index
    size = axis.known_size
    if context.axes.any_empty(axes):
        return
    low, high = context.bounds.range_of(index)
    if low >= 0 and high < size:
        return
    if expression.outside is None:
        raise _outside(context, base, axis, (low, high), axes, subscript.span)
    found.guards.append(conditions.within(context, index, size))


def _outside(
    context: Context,
    base: Tensor,
    axis: IndexAxis,
    range_: tuple[Bound, Bound],
    axes: list[IndexAxis],
    span: Span,
) -> Exception:
    low, high = range_
    runs = f"the index is {low}" if low == high else f"the index runs from {low} to {high}"
    name = f"axis {axis.name}" if axis.name else f"axis {base.axes.index(axis)}"
    sizes = ", ".join(f"{one.name} is {one.size} {one.reason}" for one in axes)
    return context.error(
        Code.OUT_OF_BOUNDS,
        f"{base.name or 'this'} is read outside: {name} has size {axis.size}, {runs}",
        span,
        "give the value outside: [… else 0], or test the index first",
        (sizes,) if sizes else (),
    )


def _take_computed(
    context: Context,
    axis: IndexAxis,
    index: Operand,
    expression: syntax.Read,
    found: _Subscripts,
) -> None:
    """A gather: an axis of its own stands for the index, whose range is the author's promise."""
    fresh = context.axes.new(axis.name, axis.size, axis.reason)
    found.replacements[axis.number] = fresh.expression
    found.computed.append(fresh)
    if expression.outside is not None:
        span = expression.span
        inside = conditions.conjunction(
            context,
            [
                conditions.compare(context, ">=", index, 0, span),
                conditions.compare(context, "<", index, axis.known_size, span),
            ],
        )
        found.guards.append(inside)
        assert isinstance(inside.value, Operand)
        index = conditions.choose(context, inside.value, index, 0, (span, span))
    found.indices.append(index)


def _clamp(context: Context, base: Tensor, found: _Subscripts, span: Span) -> None:
    """In a gather, an index that may leave its axis becomes computed too: 0 where it would.

    Whether that element is taken is decided outside the gather, which must itself be inside.
    """
    for axis in base.axes:
        index = found.replacements[axis.number]
        low, high = value_range(index, context.axes.sizes)
        inside = conditions.within(context, index, axis.known_size)
        if (low >= 0 and high < axis.known_size) or isinstance(inside.value, bool):
            continue
        fresh = context.axes.new(axis.name, axis.size, axis.reason)
        found.replacements[axis.number] = fresh.expression
        found.computed.append(fresh)
        found.indices.append(conditions.choose(context, inside.value, index, 0, (span, span)))


# --- the element


def _body(context: Context, base: Tensor, found: _Subscripts, span: Span) -> Number:
    if found.computed:
        body = materialize(context, base.body, span)
        whole = context.builder.substitute(body, found.replacements)
        return context.builder.gather(whole, found.indices, found.computed)
    match base.body:
        case IndexExpression():
            return substitute(base.body, found.replacements, context.axes.sizes)
        case Operand():
            direct = direct_read(context, base, found.replacements)
            return direct or context.builder.substitute(base.body, found.replacements)
        case _:
            return base.body


def _guarded(
    context: Context,
    body: Number,
    guards: list[Condition],
    expression: syntax.Read,
    scope: Scope,
) -> Number:
    """``body`` inside, the value for outside where there is one.

    A read that only an enclosing condition keeps inside gets 0 where that does not hold. So every
    value is defined everywhere, and only a choice ever reads what may lie outside.
    """
    inside = conditions.conjunction(context, [*guards, *_limits(context, body)])
    if inside.value is True:
        return body
    outside: Number = False if is_condition(context, body) else 0
    outside_span = expression.span
    if expression.outside is not None:
        outside = number(context, expression.outside, scope)
        outside_span = expression.outside.span
    if inside.value is False:
        return outside
    return conditions.choose(context, inside.value, body, outside, (expression.span, outside_span))


def _limits(context: Context, element: Number) -> Iterator[Condition]:
    """The conditions under which the maps of ``element`` lie inside its node."""
    if not isinstance(element, Operand) or not context.bounds.facts:
        return
    space = context.builder.nodes[element.node].space
    for index, size in zip(element.map, space, strict=True):
        yield conditions.within(context, index, size)


# --- sizes from reads


def infer_sizes(context: Context, expression: syntax.Expression, scope: Scope) -> None:
    """Give bare indices the sizes of the axes they index, before anything is evaluated.

    Only reads of names are looked at: ``x[t]`` gives ``t`` its size wherever it stands. Branches
    that a compile-time condition rules out are left aside.
    """
    if not scope.has_unsized_axis():
        return
    stack: list[syntax.Expression | syntax.WholeAxis] = [expression]
    while stack:
        part = stack.pop()
        if isinstance(part, syntax.Read) and isinstance(part.base, syntax.Name | syntax.Member):
            _infer_from(context, part, scope)
        parts = syntax.children(part)
        if isinstance(part, syntax.Select) and _is_static(part.condition, scope):
            taken = context.quietly(part.condition, scope)
            if isinstance(taken, bool):
                parts = (part.value if taken else part.other,)
        stack.extend(reversed(parts))


def _is_static(condition: syntax.Expression, scope: Scope) -> bool:
    """True if nothing in the condition can depend on an index."""
    return not any(
        isinstance(part, syntax.Read | syntax.Call | syntax.Reduction)
        or (isinstance(part, syntax.Name) and scope.axis(part.name.text) is not None)
        for part in syntax.walk(condition)
    )


def _infer_from(context: Context, part: syntax.Read, scope: Scope) -> None:
    wanted = [
        (position, index)
        for position, subscript in enumerate(part.subscripts)
        if isinstance(subscript, syntax.Name)
        and (index := scope.axis(subscript.name.text)) is not None
        and index.size is None
    ]
    if not wanted:
        return
    base = context.quietly(part.base, scope)
    if not isinstance(base, Tensor):
        return
    for position, index in wanted:
        if position < len(base.axes) and index.size is None:
            axis = base.axes[position]
            context.axes.set_size(index, axis.known_size, f"from {base.shown}")
