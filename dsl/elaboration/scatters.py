"""Writes at computed places: ``y[dest[t]: rows, c] = value else rest``.

Without a reduction the author promises distinct places, and a value replaces what ``rest`` says.
With ``sum[t] …`` or ``max[t] …`` on the right, values that meet at one place, and what ``rest``
says there, are combined.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis, Replacements
from lumc.dsl.builder import LiveScatter
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.arithmetic import cast
from lumc.dsl.elaboration.closing import right_side
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.indices import bind
from lumc.dsl.elaboration.lookup import storage_type
from lumc.dsl.elaboration.numbers import (
    as_number,
    check_elements,
    check_rank,
    common_dtype,
    is_condition,
    materialize,
    static_size,
    unify,
)
from lumc.dsl.elaboration.reads import infer_sizes
from lumc.dsl.index_expression import IndexExpression, constant, value_range
from lumc.dsl.scopes import Scope
from lumc.dsl.tensor_program import Operand, ReduceOp
from lumc.dsl.values import Number, Tensor, Value, describe


@dataclass(frozen=True, slots=True)
class _Right:
    """The right side, taken apart: what is written, and how values that meet are combined."""

    value: syntax.Expression
    combine: ReduceOp | None
    reduced: tuple[IndexAxis, ...]
    """The indices of the reduction that stand in places."""
    inner: tuple[IndexAxis, ...]
    """Those that don't: reduced before anything is written."""


@dataclass(frozen=True, slots=True)
class _Write:
    """The value and the places, over the live axes of the write."""

    value: Number
    axes: tuple[IndexAxis, ...]
    places: tuple[IndexExpression | Operand, ...]


def write(
    context: Context,
    statement: syntax.Assignment,
    target: syntax.Target,
    axes: list[IndexAxis],
    scope: Scope,
) -> Value:
    """The tensor that the statement defines. ``axes`` are the indices of its places."""
    assert statement.rest is not None
    right = _take_apart(context, statement, axes, scope)
    written = _evaluate(context, target, right, axes, scope)
    _check_indices(context, statement, target, right, written)
    initial = _initial(context, statement.rest, target, written, scope)
    _check_places(context, target, written, initial)
    operand = _scatter(context, statement, right, written, initial)
    number: Number = operand
    if target.stored is not None:
        dtype = storage_type(context, target.stored, scope)
        number = cast(context, operand, dtype, statement.span)
    if isinstance(number, Operand):
        context.builder.label(number, target.name.text)
    return Tensor(initial.axes, number, target.name.text, statement.span)


def _take_apart(
    context: Context, statement: syntax.Assignment, axes: list[IndexAxis], scope: Scope
) -> _Right:
    value = statement.value
    if not isinstance(value, syntax.Reduction):
        return _Right(value, None, (), ())
    bound = [bind(context, axis, scope, declare=False) for axis in value.axes]
    reduced = tuple(axis for axis in bound if axis in axes)
    if not reduced:
        return _Right(value, None, (), ())
    inner = tuple(axis for axis in bound if axis not in axes)
    return _Right(value.value, ReduceOp(value.operator), reduced, inner)


def _evaluate(
    context: Context,
    target: syntax.Target,
    right: _Right,
    axes: list[IndexAxis],
    scope: Scope,
) -> _Write:
    bound = [*axes, *right.inner]
    with context.binding(bound, scope):
        for place in target.places or ():
            infer_sizes(context, place.value, scope)
    value = right_side(context, right.value, bound, scope)
    rest = value.axes if isinstance(value, Tensor) else ()
    body = value.body if isinstance(value, Tensor) else value
    number = as_number(context, body, right.value.span)
    with context.binding(axes, scope):
        places = [_place(context, place, scope) for place in target.places or ()]
    context.require_sizes(bound, target.span)
    if right.inner and right.combine is not None:
        operand = materialize(context, number, right.value.span)
        dtype = common_dtype(context, (operand,))
        number = context.builder.reduce(right.combine, operand, right.inner, dtype)
    places += [axis.expression for axis in rest]
    return _Write(number, (*axes, *rest), tuple(places))


def _place(context: Context, place: syntax.Place, scope: Scope) -> IndexExpression | Operand:
    value = as_number(context, context.evaluate(place.value, scope), place.span)
    match value:
        case IndexExpression():
            return value
        case int() if not isinstance(value, bool):
            return constant(value)
        case Operand() if context.builder.dtype(value) in (DType.I32, DType.I64, DType.U8):
            return value
        case _:
            message = f"a place must be a whole number, not {describe(value)}"
            raise context.error(Code.NOT_WHOLE, message, place.span)


# --- checks


def _check_indices(
    context: Context,
    statement: syntax.Assignment,
    target: syntax.Target,
    right: _Right,
    written: _Write,
) -> None:
    """Every index has a place of its own, stands in a computed one, or is reduced."""
    fixed = set(context.axes.of(*(p for p in written.places if isinstance(p, IndexExpression))))
    computed = set(
        context.axes.of(*(e for p in written.places if isinstance(p, Operand) for e in p.map))
    )
    if not any(isinstance(place, Operand) for place in written.places):
        message = "no place on the left is computed at run time"
        hint = "leave out else, and define the rest by a further piece"
        raise context.error(Code.COMPUTED_PLACE, message, target.span, hint)
    for axis in right.reduced:
        if axis in fixed:
            message = f"{axis.name} is reduced on the right, but is a place of its own on the left"
            raise context.error(Code.COMPUTED_PLACE, message, statement.span)
    if right.combine is None:
        return
    for axis in computed - fixed - set(right.reduced):
        if axis in written.axes and axis.size != 1:
            message = f"{axis.name} is in a computed place, but {right.combine}[…] does not take it"
            names = ", ".join(one.name for one in (*right.reduced, *right.inner, axis))
            hint = f"write {right.combine}[{names}]"
            raise context.error(Code.COMPUTED_PLACE, message, statement.span, hint)


def _initial(
    context: Context,
    rest: syntax.Expression,
    target: syntax.Target,
    written: _Write,
    scope: Scope,
) -> Tensor:
    """What stands where nothing is written, over fresh axes of the result."""
    value = context.evaluate(rest, scope)
    rank = len(written.places)
    check_rank(context, rank, target.name.text, target.span)
    if isinstance(value, Tensor) and value.axes:
        if len(value.axes) != rank:
            message = f"{target.name.text} has {rank} axes, but the rest is {value.shape}"
            hint = "give one number, or a tensor of the same shape"
            raise context.error(Code.RANK, message, rest.span, hint)
        return _rest_tensor(context, value, target, scope)
    number = as_number(context, value, rest.span)
    sizes = [
        _axis_size(context, target, position, place, scope)
        for position, place in enumerate(written.places)
    ]
    check_elements(context, sizes, target.name.text, target.span)
    reason = f"as stated at {target.span}"
    axes = [
        context.axes.new(_axis_name(context, place), size, reason)
        for place, size in zip(written.places, sizes, strict=True)
    ]
    return Tensor(tuple(axes), number)


def _rest_tensor(context: Context, value: Tensor, target: syntax.Target, scope: Scope) -> Tensor:
    axes = []
    replacements = Replacements()
    for position, axis in enumerate(value.axes):
        fresh = context.axes.new(axis.name, axis.size, axis.reason)
        axes.append(fresh)
        replacements[axis.number] = fresh.expression
        place = (target.places or ())[position : position + 1]
        if place and place[0].size is not None and not isinstance(place[0].value, syntax.Name):
            _require_size(context, target, place[0], position, fresh, scope)
    operand = materialize(context, value.body, target.span)
    return Tensor(tuple(axes), context.builder.substitute(operand, replacements), value.name)


def _require_size(
    context: Context,
    target: syntax.Target,
    place: syntax.Place,
    position: int,
    axis: IndexAxis,
    scope: Scope,
) -> None:
    """A size beside a place must be that of the rest."""
    assert place.size is not None
    size = static_size(context, place.size, scope)
    if size != axis.size:
        message = (
            f"axis {position} of {target.name.text} has size {size} here, "
            f"but the rest has {axis.size} there"
        )
        raise context.error(Code.SIZE, message, place.span, "correct one of them")


def _axis_size(
    context: Context,
    target: syntax.Target,
    position: int,
    place: IndexExpression | Operand,
    scope: Scope,
) -> int:
    stated = (target.places or ())[position].size if position < len(target.places or ()) else None
    if isinstance(place, IndexExpression):
        return value_range(place, context.axes.sizes)[1] + 1
    if stated is None:
        span = (target.places or ())[position].span
        message = f"nothing says how many places axis {position} of {target.name.text} has"
        hint = "say it beside the place: y[dest[t]: <size>] = …"
        raise context.error(Code.UNKNOWN_SIZE, message, span, hint)
    return static_size(context, stated, scope, least=1)


def _axis_name(context: Context, place: IndexExpression | Operand) -> str:
    if isinstance(place, IndexExpression) and place.bare_axis is not None:
        return context.axes.axes[place.bare_axis].name
    return ""


def _check_places(
    context: Context, target: syntax.Target, written: _Write, initial: Tensor
) -> None:
    for position, (place, axis) in enumerate(zip(written.places, initial.axes, strict=True)):
        if isinstance(place, Operand):
            continue
        low, high = value_range(place, context.axes.sizes)
        if low < 0 or high >= axis.known_size:
            message = (
                f"{target.name.text} is written outside: axis {position} has size "
                f"{axis.size}, the place runs from {low} to {high}"
            )
            raise context.error(Code.OUT_OF_BOUNDS, message, target.span)


# --- the node


def _scatter(
    context: Context,
    statement: syntax.Assignment,
    right: _Right,
    written: _Write,
    initial: Tensor,
) -> Operand:
    assert statement.rest is not None
    values = (written.value, initial.body)
    spans = (right.value.span, statement.rest.span)
    if right.combine is None:
        (value, first), dtype = unify(context, values, spans)
    else:
        if any(is_condition(context, one) for one in values):
            message = f"{right.combine} needs numbers, this is a condition"
            raise context.error(Code.CONDITION, message, statement.span)
        dtype = common_dtype(context, values)
        value, first = (
            materialize(context, one, span, dtype) for one, span in zip(values, spans, strict=True)
        )
    indices = [place for place in written.places if isinstance(place, Operand)]
    computed = [context.axes.new("") for _ in indices]
    stand_ins = iter(computed)
    places = tuple(
        next(stand_ins).expression if isinstance(place, Operand) else place
        for place in written.places
    )
    live = LiveScatter(
        initial.axes,
        first,
        value,
        written.axes,
        tuple(indices),
        tuple(computed),
        places,
        right.combine,
    )
    return context.builder.scatter(live, dtype)
