"""Turning values into one number: at run time, at compile time, or as an index."""

from __future__ import annotations

import math
from collections.abc import Sequence

import numpy as np

from lumc.diagnostics import Span
from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.context import Context
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.scopes import Scope
from lumc.dsl.tensor_program import Operand
from lumc.dsl.values import Number, Tensor, Value, describe, plural


def as_number(context: Context, value: Value, span: Span) -> Number:
    """One number or condition, or an error that says what it is instead."""
    match value:
        case Operand() | int() | IndexExpression() | float():  # a condition is an int to Python
            return value
        case Tensor(axes=(), body=body):
            return body
        case Tensor():
            more = plural(len(value.axes), "more axis", "more axes")
            message = (
                f"a number is needed here, but {value.name or 'this'} has {more} {value.shape}"
            )
            indices = ", ".join(axis.name or "…" for axis in value.axes)
            hint = f"index it: {value.name or '…'}[{indices}]"
            raise context.error(Code.RANK, message, span, hint)
        case _:
            message = f"a number is needed here, not {describe(value)}"
            raise context.error(Code.RANK, message, span)


def number(context: Context, expression: syntax.Expression, scope: Scope) -> Number:
    """An expression that must be one number or condition."""
    return as_number(context, context.evaluate(expression, scope), expression.span)


def is_real(context: Context, value: Number) -> bool:
    """True for real numbers, false for whole ones and conditions."""
    match value:
        case Operand():
            return context.builder.dtype(value).is_float
        case _:
            return isinstance(value, float)


def is_condition(context: Context, value: Number) -> bool:
    """True for conditions."""
    match value:
        case Operand():
            return context.builder.dtype(value) is DType.BOOL
        case _:
            return isinstance(value, bool)


def materialize(context: Context, value: Number, span: Span, like: DType = DType.I32) -> Operand:
    """``value`` as a node.

    A number known at compile time takes the computing type of ``like``: a whole number beside a
    real one is a real constant.
    """
    match value:
        case Operand():
            return value
        case bool():
            return context.builder.constant(value, DType.BOOL)
        case float():
            return context.builder.constant(value, DType.F32)
        case int():
            return _whole_constant(context, value, span, like)
        case IndexExpression(constant, ()):
            return _whole_constant(context, constant, span, like)
        case IndexExpression():
            return _index(context, value, span)


def _whole_constant(context: Context, value: int, span: Span, like: DType) -> Operand:
    if like.is_float:
        return context.builder.constant(float(value), DType.F32)
    dtype = DType.I64 if like is DType.I64 else DType.I32
    if dtype is DType.I32 and not -(2**31) <= value < 2**31:
        message = f"{value} does not fit a whole number of 32 bits"
        raise context.error(Code.ARITHMETIC, message, span, "write it as a real number: 3e9")
    return context.builder.constant(value, dtype)


def _index(context: Context, value: IndexExpression, span: Span) -> Operand:
    context.require_sizes(context.axes.of(value), span)
    return context.builder.index(value)


def common_dtype(context: Context, values: Sequence[Number]) -> DType:
    """The type that arithmetic on these values is computed in."""
    if any(is_real(context, value) for value in values):
        return DType.F32
    operands = [value for value in values if isinstance(value, Operand)]
    if any(context.builder.dtype(operand) is DType.I64 for operand in operands):
        return DType.I64
    return DType.I32


def unify(
    context: Context, values: Sequence[Number], spans: Sequence[Span]
) -> tuple[list[Operand], DType]:
    """Nodes of one type for values that stand side by side, as the branches of an ``if`` do.

    Values stored alike keep their storage type, and so do constants that it holds exactly beside
    them; otherwise it is the type that arithmetic on them is computed in.
    """
    if all(is_condition(context, value) for value in values):
        return _all(context, values, spans, DType.BOOL), DType.BOOL
    for value, span in zip(values, spans, strict=True):
        if is_condition(context, value):
            message = "a number and a condition cannot stand for one value"
            raise context.error(Code.CONDITION, message, span, "write: if … then 1 else 0")
    stored = {context.builder.dtype(value) for value in values if isinstance(value, Operand)}
    if len(stored) == 1:
        dtype = stored.pop()
        if all(isinstance(value, Operand) or _holds(dtype, value) for value in values):
            return [_typed(context, value, dtype) for value in values], dtype
    dtype = common_dtype(context, values)
    return _all(context, values, spans, dtype), dtype


def _all(
    context: Context, values: Sequence[Number], spans: Sequence[Span], dtype: DType
) -> list[Operand]:
    pairs = zip(values, spans, strict=True)
    return [materialize(context, value, span, dtype) for value, span in pairs]


def _holds(dtype: DType, value: Number) -> bool:
    """True if ``dtype`` stores the compile-time number without rounding."""
    match value:
        case IndexExpression(constant, ()):
            value = constant
        case IndexExpression() | Operand():
            return False
        case _:
            pass
    if dtype.is_float:
        with np.errstate(over="ignore"):
            return float(np.asarray(value, np.float64).astype(dtype.numpy)) == float(value)
    if not isinstance(value, int) or dtype is DType.BOOL:
        return False
    info = np.iinfo(dtype.numpy)
    return bool(info.min <= value <= info.max)


def _typed(context: Context, value: Number, dtype: DType) -> Operand:
    match value:
        case Operand():
            return value
        case IndexExpression(constant):
            return context.builder.constant(constant, dtype)
        case _:
            return context.builder.constant(value, dtype)


# --- known at compile time


def static_whole(context: Context, expression: syntax.Expression, scope: Scope, what: str) -> int:
    """A whole number known at compile time; ``what`` names it in messages."""
    value = context.evaluate(expression, scope)
    return as_static_whole(context, value, expression.span, what)


def as_static_whole(context: Context, value: Value, span: Span, what: str) -> int:
    """``value`` as a whole number known at compile time."""
    if isinstance(value, Tensor) and not value.axes:
        value = value.body
    match value:
        case IndexExpression(constant, ()):
            return constant
        case float() if math.isfinite(value) and value == int(value):
            return checked_whole(context, int(value), span)
        case int() if not isinstance(value, bool):
            return value
        case _:
            message = f"{what} must be a whole number known at compile time, not {describe(value)}"
            hint = "use // for whole division" if isinstance(value, float) else None
            raise context.error(Code.NOT_STATIC, message, span, hint)


def checked_whole(context: Context, value: int, span: Span) -> int:
    """``value``, unless it is too large for whole numbers at compile time."""
    if abs(value) >= limits.WHOLE_NUMBER:
        message = "this whole number is too large"
        raise context.error(Code.LIMIT, message, span, "whole numbers lie between ±2^63")
    return value


def static_size(
    context: Context,
    expression: syntax.Expression,
    scope: Scope,
    what: str = "a size",
    least: int = 0,
) -> int:
    """The size of an axis: a whole number within the limits."""
    size = static_whole(context, expression, scope, what)
    if size < least:
        message = f"{what} of {size}"
        raise context.error(Code.SIZE, message, expression.span, f"sizes are at least {least}")
    if size > limits.AXIS_SIZE:
        message = f"{what} of {size} is too large"
        hint = f"an axis has at most {limits.AXIS_SIZE} elements"
        raise context.error(Code.LIMIT, message, expression.span, hint)
    return size


def check_elements(context: Context, sizes: Sequence[int], name: str, span: Span) -> None:
    """Refuse tensors that no memory holds."""
    if max(sizes, default=0) > limits.AXIS_SIZE:
        message = f"{name} has an axis of {max(sizes)} elements"
        hint = f"an axis has at most {limits.AXIS_SIZE}"
        raise context.error(Code.LIMIT, message, span, hint)
    if math.prod(sizes) > limits.ELEMENTS:
        message = f"{name} has {' × '.join(map(str, sizes))} elements, more than 2^48"
        raise context.error(Code.LIMIT, message, span)


def check_rank(context: Context, rank: int, name: str, span: Span) -> None:
    """Refuse tensors with more axes than kernels can have."""
    if rank > limits.RANK:
        message = f"{name} has {rank} axes"
        raise context.error(Code.LIMIT, message, span, f"a tensor has at most {limits.RANK} axes")
