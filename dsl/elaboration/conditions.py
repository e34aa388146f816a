"""Conditions: comparisons, and, or, not, and what they let the branches of an ``if`` assume.

Comparisons of indices have one form, ``0 < index expression``, so that equal ones become one node.
A condition that the sizes decide is known at compile time.
"""

from __future__ import annotations

import math
import operator as operators
from collections.abc import Callable
from dataclasses import dataclass, replace
from functools import reduce

from lumc.diagnostics import Span
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.bounds import Fact
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import (
    as_number,
    common_dtype,
    is_condition,
    materialize,
    number,
    unify,
)
from lumc.dsl.index_expression import IndexExpression, add, constant, value_range
from lumc.dsl.scopes import Scope
from lumc.dsl.tensor_program import ElementwiseOp, Operand
from lumc.dsl.values import ListValue, Number, Value, describe


@dataclass(frozen=True, slots=True)
class Condition:
    """A condition, and what is known of indices where it holds and where it does not."""

    value: bool | Operand
    when_true: tuple[Fact, ...] = ()
    when_false: tuple[Fact, ...] = ()


_STATIC: dict[str, Callable[[float, float], bool]] = {
    "<": operators.lt,
    "<=": operators.le,
    ">": operators.gt,
    ">=": operators.ge,
    "==": operators.eq,
    "!=": operators.ne,
}


def condition(context: Context, expression: syntax.Expression, scope: Scope) -> Condition:
    """The condition that ``expression`` states."""
    match expression:
        case syntax.Compare():
            return _compare(context, expression, scope)
        case syntax.Logical(operator="and"):
            return _and(context, expression, scope)
        case syntax.Logical():
            return _or(context, expression, scope)
        case syntax.Not(value):
            return _not(context, condition(context, value, scope))
        case _:
            return _given(context, expression, scope)


def _given(context: Context, expression: syntax.Expression, scope: Scope) -> Condition:
    value = context.evaluate(expression, scope)
    given = as_number(context, value, expression.span)
    if isinstance(given, bool) or (isinstance(given, Operand) and is_condition(context, given)):
        return Condition(given)
    message = f"a condition is needed here, not {describe(value)}"
    raise context.error(Code.CONDITION, message, expression.span, "compare it: … == 1")


# --- comparisons


def _compare(context: Context, expression: syntax.Compare, scope: Scope) -> Condition:
    left = context.evaluate(expression.left, scope)
    right = context.evaluate(expression.right, scope)
    if isinstance(left, str | ListValue) or isinstance(right, str | ListValue):
        return _compare_names(context, expression, left, right)
    x = as_number(context, left, expression.left.span)
    y = as_number(context, right, expression.right.span)
    return compare(context, expression.operator, x, y, expression.span)


def _compare_names(
    context: Context, expression: syntax.Compare, left: Value, right: Value
) -> Condition:
    """Texts, types and lists are equal or not."""
    if type(left) is not type(right):
        message = f"{describe(left)} cannot be compared with {describe(right)}"
        raise context.error(Code.CONDITION, message, expression.span)
    match expression.operator:
        case "==":
            return Condition(left == right)
        case "!=":
            return Condition(left != right)
        case operator:
            message = f"{operator} needs numbers, not {describe(left)}"
            raise context.error(Code.CONDITION, message, expression.span, "use == or !=")


def compare(context: Context, operator: str, left: Number, right: Number, span: Span) -> Condition:
    """``left operator right`` for any numbers."""
    for value in (left, right):
        if is_condition(context, value):
            message = "a condition cannot be compared"
            raise context.error(Code.CONDITION, message, span, "use it as it is, or with: not")
    if isinstance(left, int | float) and isinstance(right, int | float):
        return Condition(_STATIC[operator](left, right))
    x, y = _as_index(left), _as_index(right)
    if x is not None and y is not None:
        context.require_sizes(context.axes.of(x, y), span)
        return _compare_indices(context, operator, x, y)
    return Condition(_compare_computed(context, operator, left, right, span))


def _as_index(value: Number) -> IndexExpression | None:
    match value:
        case IndexExpression():
            return value
        case int():
            return constant(value)
        case _:
            return None


def _compare_indices(
    context: Context, operator: str, left: IndexExpression, right: IndexExpression
) -> Condition:
    more, less = add(left, right, -1), add(right, left, -1)
    match operator:
        case "<":
            return _decided(context, positive(context, less))
        case "<=":
            return _decided(context, positive(context, add(less, constant(1))))
        case ">":
            return _decided(context, positive(context, more))
        case ">=":
            return _decided(context, positive(context, add(more, constant(1))))
        case _:
            parts = [positive(context, add(e, constant(1))) for e in (less, more)]
            equal = replace(conjunction(context, parts), when_true=(Fact(more, 0, 0),))
            equal = _decided(context, equal)
            return equal if operator == "==" else _not(context, equal)


def _decided(context: Context, given: Condition) -> Condition:
    """``given``, or its value if the enclosing conditions decide it."""
    for fact in given.when_true:
        low, high = context.bounds.range_of(fact.expression)
        if high < fact.low or low > fact.high:
            return Condition(False)
        if low < fact.low or high > fact.high:
            return given
    return Condition(True) if given.when_true else given


def positive(context: Context, expression: IndexExpression) -> Condition:
    """``0 < expression``, with the expression brought to least coefficients.

    Only the sizes decide it, not the enclosing conditions: guards must hold on their own.
    """
    expression = _tightened(expression)
    low, high = value_range(expression, context.axes.sizes)
    yes = (Fact(expression, 1, math.inf),)
    no = (Fact(expression, -math.inf, 0),)
    if low > 0:
        return Condition(True)
    if high <= 0:
        return Condition(False)
    builder = context.builder
    operands = (builder.constant(0, DType.I32), builder.index(expression))
    return Condition(builder.elementwise(ElementwiseOp.LESS_THAN, operands, DType.BOOL), yes, no)


def within(context: Context, index: IndexExpression, size: int) -> Condition:
    """``0 <= index < size``; only the sides that the sizes leave open become comparisons."""
    above = positive(context, add(index, constant(1)))
    below = positive(context, add(constant(size), index, -1))
    return _both(context, above, below)


def _tightened(expression: IndexExpression) -> IndexExpression:
    """The simplest expression that is positive at the same points."""
    if not expression.terms:
        return expression
    divisor = math.gcd(*(coefficient for _, coefficient in expression.terms))
    if divisor == 1:
        return expression
    # g·e + c > 0 exactly where e > (0 - c) / g, that is where e + ⌈c / g⌉ > 0
    rounded = -((-expression.constant) // divisor)
    return IndexExpression(rounded, tuple((a, c // divisor) for a, c in expression.terms))


def _compare_computed(
    context: Context, operator: str, left: Number, right: Number, span: Span
) -> bool | Operand:
    dtype = common_dtype(context, (left, right))
    x = materialize(context, left, span, dtype)
    y = materialize(context, right, span, dtype)

    def less(a: Operand, b: Operand) -> Operand:
        return context.builder.elementwise(ElementwiseOp.LESS_THAN, (a, b), DType.BOOL)

    match operator:
        case "<":
            return less(x, y)
        case ">":
            return less(y, x)
        case "<=":
            return context.builder.negation(less(y, x))
        case ">=":
            return context.builder.negation(less(x, y))
        case _:
            either = _join(context, ElementwiseOp.MAXIMUM, less(x, y), less(y, x))
            return either if operator == "!=" else context.builder.negation(either)


# --- and, or, not


def _and(context: Context, expression: syntax.Logical, scope: Scope) -> Condition:
    left = condition(context, expression.left, scope)
    if left.value is False:
        return left
    with context.bounds.assuming(left.when_true):
        right = condition(context, expression.right, scope)
    return _both(context, left, right)


def _both(context: Context, left: Condition, right: Condition) -> Condition:
    facts = left.when_true + right.when_true
    if left.value is False or right.value is False:
        return Condition(False)
    if left.value is True:
        return right
    if right.value is True or left.value == right.value:
        return left
    value = _join(context, ElementwiseOp.MULTIPLY, left.value, right.value)
    return Condition(value, facts, ())


def _or(context: Context, expression: syntax.Logical, scope: Scope) -> Condition:
    left = condition(context, expression.left, scope)
    if left.value is True:
        return left
    with context.bounds.assuming(left.when_false):
        right = condition(context, expression.right, scope)
    if right.value is True:
        return right
    if left.value is False:
        return right
    if right.value is False:
        return left
    value = _join(context, ElementwiseOp.MAXIMUM, left.value, right.value)
    return Condition(value, (), left.when_false + right.when_false)


def _not(context: Context, given: Condition) -> Condition:
    if isinstance(given.value, bool):
        return Condition(not given.value)
    return Condition(context.builder.negation(given.value), given.when_false, given.when_true)


def _join(context: Context, op: ElementwiseOp, left: Operand, right: Operand) -> Operand:
    """``and`` as a product, ``or`` as a maximum."""
    return left if left == right else context.builder.elementwise(op, (left, right), DType.BOOL)


def conjunction(context: Context, parts: list[Condition]) -> Condition:
    """All of ``parts``, each once."""
    distinct = {part.value: part for part in parts}.values()
    return reduce(lambda left, right: _both(context, left, right), distinct, Condition(True))


# --- choice


def select(context: Context, expression: syntax.Select, scope: Scope) -> Value:
    """``if condition then value else other``; the branch not taken is not elaborated if known."""
    given = condition(context, expression.condition, scope)
    if isinstance(given.value, bool):
        return context.evaluate(expression.value if given.value else expression.other, scope)
    with context.bounds.assuming(given.when_true):
        value = number(context, expression.value, scope)
    with context.bounds.assuming(given.when_false):
        other = number(context, expression.other, scope)
    spans = expression.value.span, expression.other.span
    return choose(context, given.value, value, other, spans)


def choose(
    context: Context, given: Operand, value: Number, other: Number, spans: tuple[Span, Span]
) -> Operand:
    """``value`` where ``given`` holds, else ``other``."""
    (x, y), dtype = unify(context, (value, other), spans)
    return context.builder.select(given, x, y, dtype)
