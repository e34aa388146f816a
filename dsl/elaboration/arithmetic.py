"""``+ - * / // % ^``, the primitive functions, and casts: folded where the operands are known."""

from __future__ import annotations

import math
from collections.abc import Callable, Sequence

from lumc.diagnostics import Span
from lumc.dsl import limits
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import (
    checked_whole,
    common_dtype,
    is_condition,
    is_real,
    materialize,
)
from lumc.dsl.index_expression import IndexExpression, add, floor_divide, modulo, scale
from lumc.dsl.tensor_program import Constant, Elementwise, ElementwiseOp, Operand
from lumc.dsl.values import Number

FUNCTIONS = {
    "sqrt": ElementwiseOp.SQUARE_ROOT,
    "exp2": ElementwiseOp.EXP2,
    "log2": ElementwiseOp.LOG2,
    "sin": ElementwiseOp.SINE,
}
"""The primitive functions of one number. ``max(a, b)`` is the only one of two."""

_STATIC: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp2": lambda x: 2.0**x,
    "log2": math.log2,
    "sin": math.sin,
}
_LARGEST_MULTIPLIED_POWER = 8


def binary(context: Context, operator: str, left: Number, right: Number, span: Span) -> Number:
    """``left operator right`` for any numbers."""
    for value in (left, right):
        if is_condition(context, value):
            message = f"{operator} needs numbers, this is a condition"
            hint = "make a number of it: if … then 1 else 0"
            raise context.error(Code.CONDITION, message, span, hint)
    if isinstance(left, int | float) and isinstance(right, int | float):
        return _static(context, operator, left, right, span)
    whole = _index_arithmetic(context, operator, left, right)
    if whole is not None:
        return _checked_index(context, whole, span)
    if operator == "^":
        return _power(context, left, right, span)
    return _computed(context, operator, left, right, span)


# --- known at compile time


def _static(context: Context, operator: str, left: float, right: float, span: Span) -> Number:
    try:
        value = _static_value(operator, left, right)
    except ZeroDivisionError:
        hint = f"the right side of {operator} is 0"
        raise context.error(Code.ARITHMETIC, "division by zero", span, hint) from None
    except OverflowError:
        hint = "whole numbers are less than 2^63, real ones less than 1.8e308"
        raise context.error(Code.ARITHMETIC, "this number is too large", span, hint) from None
    if isinstance(value, complex) or (isinstance(value, float) and math.isnan(value)):
        message = f"{left:g} {operator} {right:g} has no value"
        raise context.error(Code.ARITHMETIC, message, span)
    return checked_whole(context, value, span) if isinstance(value, int) else value


def _static_value(operator: str, left: float, right: float) -> float | complex:
    match operator:
        case "+":
            return left + right
        case "-":
            return left - right
        case "*":
            return left * right
        case "/":
            return left / right
        case "//":
            return left // right
        case "%":
            return left % right
        case _:
            whole = isinstance(left, int) and isinstance(right, int) and abs(left) > 1
            if whole and right * math.log2(abs(left)) > 64:
                raise OverflowError
            power: float | complex = left**right
            return power


# --- indices


def _index_arithmetic(
    context: Context, operator: str, left: Number, right: Number
) -> IndexExpression | None:
    """The result if it is an index expression, which stays exact; else None."""
    x, y = _as_index(left), _as_index(right)
    if x is None or y is None:
        return None
    sizes = context.axes.sizes
    match operator:
        case "+":
            return add(x, y)
        case "-":
            return add(x, y, -1)
        case "*" if y.is_constant:
            return scale(x, y.constant)
        case "*" if x.is_constant:
            return scale(y, x.constant)
        case "//" if y.is_constant and y.constant > 0:
            return floor_divide(x, y.constant, sizes)
        case "%" if y.is_constant and y.constant > 0:
            return modulo(x, y.constant, sizes)
        case _:
            return None


def _as_index(value: Number) -> IndexExpression | None:
    match value:
        case IndexExpression():
            return value
        case int():
            return IndexExpression(value)
        case _:
            return None


def _checked_index(context: Context, value: IndexExpression, span: Span) -> Number:
    if not value.terms:
        return checked_whole(context, value.constant, span)
    largest = max(abs(coefficient) for _, coefficient in value.terms)
    checked_whole(context, max(largest, abs(value.constant)), span)
    if len(value.terms) > limits.RANK * 4:
        raise context.error(Code.LIMIT, "this index has too many terms", span)
    return value


# --- computed at run time


def _computed(context: Context, operator: str, left: Number, right: Number, span: Span) -> Number:
    dtype = common_dtype(context, (left, right))
    match operator:
        case "+" | "*":
            return _combine(context, operator, left, right, dtype, span)
        case "-":
            negative = negate(context, right, span)
            return _combine(context, "+", left, negative, dtype, span)
        case "/":
            return _divide(context, left, right, span)
        case _:
            return _whole_division(context, operator, left, right, span)


_NEUTRAL = {"+": 0, "*": 1}
_OPS = {"+": ElementwiseOp.ADD, "*": ElementwiseOp.MULTIPLY}


def _combine(
    context: Context, operator: str, left: Number, right: Number, dtype: DType, span: Span
) -> Number:
    """A sum or product; a constant operand stands second."""
    if isinstance(left, int | float):
        left, right = right, left
    neutral = isinstance(right, int | float) and right == _NEUTRAL[operator]
    if neutral and is_real(context, left) == dtype.is_float:
        return left
    x = materialize(context, left, span, dtype)
    y = materialize(context, right, span, dtype)
    if operator == "*" and isinstance(right, int | float):
        return _scale(context, x, y, dtype)
    return context.builder.elementwise(_OPS[operator], (x, y), dtype)


def _scale(context: Context, x: Operand, factor: Operand, dtype: DType) -> Operand:
    """``x · factor`` for a constant factor. A change of sign joins a constant factor of ``x``."""
    builder = context.builder
    node, constant = builder.nodes[x.node], builder.nodes[factor.node]
    if (
        isinstance(node, Elementwise)
        and node.op is ElementwiseOp.MULTIPLY
        and node.dtype is dtype
        and isinstance(constant, Constant)
    ):
        old = builder.nodes[node.operands[1].node]
        if isinstance(old, Constant) and (old.value == -1 or constant.value == -1):
            factor = builder.constant(old.value * constant.value, dtype)
            x = builder.inner(x, node.operands[0])
            if old.value * constant.value == 1:
                return x if builder.dtype(x).is_float == dtype.is_float else builder.cast(x, dtype)
    return builder.elementwise(ElementwiseOp.MULTIPLY, (x, factor), dtype)


def negate(context: Context, value: Number, span: Span) -> Number:
    """``-value``."""
    return binary(context, "*", value, -1, span)


def _divide(context: Context, left: Number, right: Number, span: Span) -> Number:
    if isinstance(right, int | float):
        if right == 0:
            raise context.error(Code.ARITHMETIC, "division by zero", span)
        return _combine(context, "*", left, 1.0 / right, DType.F32, span)
    y = materialize(context, right, span, DType.F32)
    reciprocal = context.builder.elementwise(ElementwiseOp.RECIPROCAL, (y,), DType.F32)
    return _combine(context, "*", left, reciprocal, DType.F32, span)


def _whole_division(
    context: Context, operator: str, left: Number, right: Number, span: Span
) -> Number:
    dtype = common_dtype(context, (left, right))
    if dtype.is_float:
        hint = "use / for real division" if operator == "//" else None
        raise context.error(Code.NOT_WHOLE, f"{operator} needs whole numbers", span, hint)
    if isinstance(right, int) and right == 0:
        raise context.error(Code.ARITHMETIC, "division by zero", span)
    x = materialize(context, left, span, dtype)
    y = materialize(context, right, span, dtype)
    op = ElementwiseOp.FLOOR_DIVIDE if operator == "//" else ElementwiseOp.MODULO
    return context.builder.elementwise(op, (x, y), dtype)


def _power(context: Context, base: Number, exponent: Number, span: Span) -> Number:
    """Small whole exponents multiply; otherwise ``exp2(exponent · log2(base))``."""
    if isinstance(exponent, int) and 1 <= exponent <= _LARGEST_MULTIPLIED_POWER:
        power = base
        for _ in range(exponent - 1):
            power = binary(context, "*", power, base, span)
        return power
    if isinstance(base, int | float):
        if base <= 0:
            message = f"{base:g} ^ a number that is not known at compile time"
            raise context.error(Code.ARITHMETIC, message, span, "the base must be positive")
        logarithm: Number = math.log2(base)
    else:
        logarithm = function(context, "log2", base, span)
    return function(context, "exp2", binary(context, "*", exponent, logarithm, span), span)


# --- functions


def function(context: Context, name: str, value: Number, span: Span) -> Number:
    """A primitive function of one number; the result is real."""
    if is_condition(context, value):
        hint = "make a number of it: if … then 1 else 0"
        message = f"{name} needs a number, this is a condition"
        raise context.error(Code.CONDITION, message, span, hint)
    if isinstance(value, int | float):
        return _static_function(context, name, value, span)
    operand = materialize(context, value, span, DType.F32)
    return context.builder.elementwise(FUNCTIONS[name], (operand,), DType.F32)


def _static_function(context: Context, name: str, value: float, span: Span) -> Number:
    try:
        return float(_STATIC[name](value))
    except (ValueError, OverflowError):
        message = f"{name}({value:g}) has no value"
        raise context.error(Code.ARITHMETIC, message, span) from None


def maximum(context: Context, values: Sequence[Number], span: Span) -> Number:
    """``max(a, b)``."""
    left, right = values
    for value in values:
        if is_condition(context, value):
            raise context.error(Code.CONDITION, "max needs numbers", span, "join them with: or")
    if isinstance(left, int | float) and isinstance(right, int | float):
        return max(left, right)
    dtype = common_dtype(context, values)
    operands = [materialize(context, value, span, dtype) for value in values]
    return context.builder.elementwise(ElementwiseOp.MAXIMUM, operands, dtype)


# --- casts


def cast(context: Context, value: Number, dtype: DType, span: Span) -> Number:
    """``value as dtype``. What is known at compile time stays so where nothing is rounded."""
    match value, dtype:
        case (IndexExpression(), DType.I32):
            return value
        case (bool(), _):
            pass
        case (int(), DType.I32):
            return value
        case (float(), DType.I32) if math.isfinite(value):
            return checked_whole(context, int(value), span)
        case (int() | float(), DType.F32):
            return float(value)
        case _:
            pass
    return context.builder.cast(materialize(context, value, span), dtype)
