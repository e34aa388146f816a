"""``sum`` and ``max``: over indices at run time, and over counters at compile time."""

from __future__ import annotations

import math

from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.arithmetic import binary, maximum
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.indices import bind, require_free_name
from lumc.dsl.elaboration.numbers import (
    common_dtype,
    is_condition,
    materialize,
    number,
    static_whole,
)
from lumc.dsl.elaboration.reads import infer_sizes
from lumc.dsl.scopes import Key, Scope
from lumc.dsl.tensor_program import ReduceOp
from lumc.dsl.values import ListValue, Number, StaticValue, describe


def reduction(context: Context, expression: syntax.Reduction, scope: Scope) -> Number:
    """``sum[axes] value`` or ``max[axes] value``."""
    for axis in expression.axes:
        _require_unbound(context, expression.operator, axis.name, scope)
    axes = [bind(context, axis, scope, declare=False) for axis in expression.axes]
    if len(set(axes)) != len(axes):
        message = f"an index stands twice in {expression.operator}[…]"
        raise context.error(Code.HIDDEN_INDEX, message, expression.span)
    with context.binding(axes, scope):
        infer_sizes(context, expression.value, scope)
        value = number(context, expression.value, scope)
    return _reduce(context, expression, axes, value)


def _require_unbound(
    context: Context, operator: str, name: syntax.Identifier, scope: Scope
) -> None:
    if name.text in scope.bound:
        message = (
            f"index {name.text} is already bound here; "
            f"the inner {operator}[{name.text}] would hide it"
        )
        hint = f"use another name, for example {name.text}'"
        raise context.error(Code.HIDDEN_INDEX, message, name.span, hint)


def _reduce(
    context: Context, expression: syntax.Reduction, axes: list[IndexAxis], value: Number
) -> Number:
    if is_condition(context, value):
        message = f"{expression.operator} needs numbers, this is a condition"
        hint = "make a number of it: if … then 1 else 0"
        raise context.error(Code.CONDITION, message, expression.value.span, hint)
    for axis, bound in zip(axes, expression.axes, strict=True):
        if axis.size is None:
            message = f"the size of index {axis.name} is not known"
            hint = f"say it: {expression.operator}[{axis.name}: <size>]"
            raise context.error(Code.UNKNOWN_SIZE, message, bound.name.span, hint)
    _require_mention(context, expression, axes)
    operand = materialize(context, value, expression.value.span)
    dtype = common_dtype(context, (operand,))
    if context.axes.any_empty(axes):
        return _empty(context, expression, dtype)
    used = context.axes.of(*operand.map)
    varying = [axis for axis in axes if axis in used]
    op = ReduceOp(expression.operator)
    result = context.builder.reduce(op, operand, varying, dtype) if varying else operand
    if op is ReduceOp.MAXIMUM:
        return result
    # Along an axis on which the value happens not to depend, the sum is a product.
    times = math.prod(axis.known_size for axis in axes if axis not in used)
    return binary(context, "*", result, times, expression.span)


def _require_mention(context: Context, expression: syntax.Reduction, axes: list[IndexAxis]) -> None:
    names = {
        part.name.text for part in syntax.walk(expression.value) if isinstance(part, syntax.Name)
    }
    for axis in axes:
        if axis.name not in names and axis.size != 1:
            message = (
                f"{expression.operator}[{axis.name}]: "
                f"what is reduced does not depend on {axis.name}"
            )
            hint = f"leave {axis.name} out"
            if expression.operator == "sum":
                hint += f", or multiply by |{axis.name}|"
            raise context.error(Code.CONSTANT_REDUCTION, message, expression.span, hint)


def _empty(context: Context, expression: syntax.Reduction, dtype: DType) -> Number:
    """The sum of nothing is 0; nothing has no maximum."""
    if expression.operator == "sum":
        return 0.0 if dtype.is_float else 0
    message = "the maximum of nothing: an index here has size 0"
    raise context.error(Code.SIZE, message, expression.span)


# --- at compile time


def rounds(
    context: Context, counter: syntax.Identifier, count: syntax.Expression, scope: Scope
) -> int:
    """How often a ``for`` or an unrolled reduction goes round."""
    require_free_name(context, counter, scope, "a counter")
    if counter.text in scope.bound:
        message = f"{counter.text} is an index here"
        raise context.error(Code.HIDDEN_INDEX, message, counter.span, "use another name")
    number_of = static_whole(context, count, scope, "the number of rounds")
    if number_of < 0:
        message = f"{number_of} rounds"
        raise context.error(Code.SIZE, message, count.span, "the least number of rounds is 0")
    if number_of > limits.ROUNDS:
        message = f"{number_of} rounds are too many"
        hint = f"a loop has at most {limits.ROUNDS}; an index can be larger: sum[i] …"
        raise context.error(Code.LIMIT, message, count.span, hint)
    return number_of


def counted(context: Context, scope: Scope, counter: syntax.Identifier, value: int) -> Scope:
    """The scope of one round, in which the counter has its value."""
    context.step(counter.span)
    inner = scope.round(counter.text)
    inner.values[Key(counter.text)] = value
    inner.spans[Key(counter.text)] = counter.span
    return inner


def unrolled(context: Context, expression: syntax.UnrolledReduction, scope: Scope) -> Number:
    """``sum{n < count} value``: the values of all rounds joined one by one."""
    count = rounds(context, expression.counter, expression.count, scope)
    total: Number = 0
    for round_number in range(count):
        inner = counted(context, scope, expression.counter, round_number)
        value = number(context, expression.value, inner)
        if round_number == 0:
            total = value
        elif expression.operator == "sum":
            total = binary(context, "+", total, value, expression.span)
        else:
            total = maximum(context, (total, value), expression.span)
    if count == 0 and expression.operator == "max":
        raise context.error(Code.SIZE, "the maximum of nothing: 0 rounds", expression.span)
    return total


def list_of(context: Context, expression: syntax.ListLiteral, scope: Scope) -> ListValue:
    """``[a, b, c]``."""
    return _checked(
        context, expression, [_entry(context, entry, scope) for entry in expression.entries]
    )


def list_for(context: Context, expression: syntax.ListFor, scope: Scope) -> ListValue:
    """``[entry for n < count]``."""
    count = rounds(context, expression.counter, expression.count, scope)
    scopes = (counted(context, scope, expression.counter, number) for number in range(count))
    return _checked(
        context, expression, [_entry(context, expression.entry, inner) for inner in scopes]
    )


def _entry(context: Context, entry: syntax.Expression, scope: Scope) -> StaticValue:
    value = context.evaluate(entry, scope)
    if isinstance(value, bool | int | float | str | ListValue):
        return value
    message = f"the entries of a list must be known at compile time, not {describe(value)}"
    raise context.error(Code.NOT_STATIC, message, entry.span)


def _checked(
    context: Context, expression: syntax.Expression, entries: list[StaticValue]
) -> ListValue:
    if len(entries) > limits.LIST:
        message = f"a list of {len(entries)} entries"
        hint = f"lists have at most {limits.LIST}"
        raise context.error(Code.LIMIT, message, expression.span, hint)
    return ListValue(tuple(entries))
