"""Binding indices: on the left, in reductions, and in ``index`` statements."""

from __future__ import annotations

from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import static_size
from lumc.dsl.scopes import Key, Scope


def require_free_name(
    context: Context, name: syntax.Identifier, scope: Scope, what: str = "an index"
) -> None:
    """An index or counter needs a name that no value has."""
    text = name.text
    if scope.holder(Key(text)) is not None or scope.module.is_static(text):
        message = f"{text} already names a value; {what} needs a name of its own"
        hint = f"choose another name, for example {text}'"
        raise context.error(Code.NAME_TAKEN, message, name.span, hint)


def axis_for(context: Context, name: syntax.Identifier, scope: Scope) -> IndexAxis:
    """The axis of an index, made if there is none of that name yet."""
    require_free_name(context, name, scope)
    return existing_axis(context, name.text, scope)


def existing_axis(context: Context, name: str, scope: Scope) -> IndexAxis:
    """The axis called ``name``, made if there is none yet."""
    axis = scope.axis(name)
    if axis is None:
        axis = scope.axes[name] = context.axes.new(name)
    return axis


def bind(context: Context, bound: syntax.AxisName, scope: Scope, *, declare: bool) -> IndexAxis:
    """The axis of ``name`` or ``name: size``; with ``declare`` a stated size holds from here on."""
    axis = axis_for(context, bound.name, scope)
    if bound.size is not None:
        size_axis(context, axis, bound.size, scope)
        axis.declared = axis.declared or declare
    return axis


def size_axis(
    context: Context, axis: IndexAxis, expression: syntax.Expression, scope: Scope
) -> None:
    """Give an axis the size that is stated at ``expression``."""
    size = static_size(context, expression, scope)
    context.settle_size(axis, size, f"as stated at {expression.span}", expression.span)
