"""Calls of definitions and of the primitive functions."""

from __future__ import annotations

from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.arithmetic import FUNCTIONS, function, maximum
from lumc.dsl.elaboration.closing import close, right_side
from lumc.dsl.elaboration.context import CallSite, Context
from lumc.dsl.elaboration.indices import bind
from lumc.dsl.elaboration.lookup import definition_hint, find
from lumc.dsl.elaboration.numbers import as_number, as_static_whole, number, static_size
from lumc.dsl.elaboration.pieces import finish_all
from lumc.dsl.elaboration.statements import assigned_names, piecewise_names, run_body
from lumc.dsl.errors import Reported
from lumc.dsl.scopes import Key, Scope
from lumc.dsl.values import ListValue, Results, Tensor, Value, describe, plural


def call(context: Context, expression: syntax.Call, scope: Scope) -> Value:
    """``name(arguments)``."""
    name = expression.name.text
    if name in FUNCTIONS or name in ("max", "sum"):
        return _primitive(context, expression, scope)
    found = scope.module.definition(name)
    if found is None:
        if scope.module.is_broken(name):
            raise Reported
        message, hint = f"unknown definition {name}", definition_hint(scope.module, name)
        raise context.error(Code.UNKNOWN_NAME, message, expression.name.span, hint)
    definition, module = found
    arguments = [context.evaluate(argument, scope) for argument in expression.arguments]
    _check_count(context, expression, definition)
    _check_depth(context, expression, definition)
    inner = Scope(
        module, piecewise=piecewise_names(definition), assigned=assigned_names(definition)
    )
    for parameter, value, argument in zip(
        definition.parameters, arguments, expression.arguments, strict=True
    ):
        _pass(context, definition, parameter, value, argument, inner)
    context.calls.append(CallSite(name, expression.span))
    try:
        with context.inside(name):
            return _result(context, definition, inner)
    finally:
        context.calls.pop()


# --- primitives


def _primitive(context: Context, expression: syntax.Call, scope: Scope) -> Value:
    name = expression.name.text
    count = 2 if name == "max" else 1
    if name == "sum" or len(expression.arguments) != count:
        message = f"{name} takes {plural(count, 'number')}, {len(expression.arguments)} given"
        if name == "sum":
            message = "sum is a reduction, not a function"
        hint = f"a reduction is written {name}[i] …" if name in ("sum", "max") else None
        raise context.error(Code.ARGUMENTS, message, expression.span, hint)
    values = [number(context, argument, scope) for argument in expression.arguments]
    if name == "max":
        return maximum(context, values, expression.span)
    return function(context, name, values[0], expression.span)


# --- definitions


def _check_count(context: Context, expression: syntax.Call, definition: syntax.Definition) -> None:
    wanted, given = len(definition.parameters), len(expression.arguments)
    if wanted != given:
        raise context.error(
            Code.ARGUMENTS,
            f"{definition.name.text} takes {plural(wanted, 'argument')}, {given} given",
            expression.span,
            f"it is {syntax.signature(definition)}",
        )


def _check_depth(context: Context, expression: syntax.Call, definition: syntax.Definition) -> None:
    name = definition.name.text
    if id(definition) in context.active:
        message = f"{name} calls itself"
        hint = "repeat with for"
        raise context.error(Code.RECURSION, message, expression.span, hint)
    if len(context.calls) >= limits.CALL_DEPTH:
        message = f"definitions call each other more than {limits.CALL_DEPTH} deep"
        raise context.error(Code.LIMIT, message, expression.span)


def _pass(
    context: Context,
    definition: syntax.Definition,
    parameter: syntax.Parameter,
    value: Value,
    argument: syntax.Expression,
    inner: Scope,
) -> None:
    """Give a parameter its value in the scope of the definition."""
    key = Key(parameter.name.text)
    match parameter:
        case syntax.TensorParameter():
            passed: Value = _tensor(context, definition, parameter, value, argument, inner)
        case syntax.StaticParameter():
            passed = _static(context, definition, parameter, value, argument)
        case syntax.NumberParameter():
            passed = as_number(context, value, argument.span)
    inner.values[key] = passed
    inner.spans[key] = parameter.name.span


def _tensor(
    context: Context,
    definition: syntax.Definition,
    parameter: syntax.TensorParameter,
    value: Value,
    argument: syntax.Expression,
    inner: Scope,
) -> Tensor:
    name = parameter.name.text
    if not isinstance(value, Tensor) or len(value.axes) != len(parameter.axes):
        raise context.error(
            Code.RANK,
            f"{definition.name.text} takes {parameter}, but the argument {_shape_text(value)}",
            argument.span,
            "leave an axis out, or fix it by an index, so that the ranks agree",
            (_defined_at(definition),),
        )
    shown = f"{name} = {value.shown}"
    for axis, bound in zip(value.axes, parameter.axes, strict=True):
        index = bind(context, syntax.AxisName(bound.name), inner, declare=True)
        index.declared = True
        if index.size is None:
            context.axes.set_size(index, axis.known_size, f"from {shown}")
        elif index.size != axis.size:
            raise context.error(
                Code.SIZE,
                f"{definition.name.text}: index {index.name} is {index.size} {index.reason}, "
                f"but {axis.size} from {shown}",
                argument.span,
                f"{index.name} must have one size in {definition.name.text}",
                (_defined_at(definition),),
            )
        if bound.size is not None:
            _demand(context, definition, bound, index.known_size, value, argument, inner)
    return Tensor(value.axes, value.body, name, value.span, value.pieces)


def _demand(
    context: Context,
    definition: syntax.Definition,
    bound: syntax.AxisName,
    size: int,
    value: Tensor,
    argument: syntax.Expression,
    inner: Scope,
) -> None:
    assert bound.size is not None
    wanted = static_size(context, bound.size, inner)
    if wanted != size:
        message = (
            f"{definition.name.text} needs {bound.name.text} = {wanted}, "
            f"but {value.shown} has {size}"
        )
        raise context.error(Code.SIZE, message, argument.span, None, (_defined_at(definition),))


def _shape_text(value: Value) -> str:
    if not isinstance(value, Tensor):
        return f"is {describe(value)}"
    axes = plural(len(value.axes), "axis", "axes")
    return f"{value.name or 'given'} has {axes} {value.shape}"


def _defined_at(definition: syntax.Definition) -> str:
    return f"{syntax.signature(definition)} is defined at {definition.name.span}"


def _static(
    context: Context,
    definition: syntax.Definition,
    parameter: syntax.StaticParameter,
    value: Value,
    argument: syntax.Expression,
) -> Value:
    what = f"{parameter.name.text} of {definition.name.text}"
    match parameter.kind.text, value:
        case "int", _:
            return as_static_whole(context, value, argument.span, what)
        case "str", str() if not isinstance(value, ListValue):
            return value
        case "list", ListValue():
            return value
        case kind, _:
            kinds = {"str": "a text", "list": "a list"}
            message = f"{what} must be {kinds.get(kind, kind)}, not {describe(value)}"
            raise context.error(
                Code.NOT_STATIC, message, argument.span, None, (_defined_at(definition),)
            )


def _result(context: Context, definition: syntax.Definition, inner: Scope) -> Value:
    context.active.add(id(definition))
    try:
        match definition:
            case syntax.ShortDefinition():
                return _short(context, definition, inner)
            case syntax.LongDefinition():
                return _long(context, definition, inner)
    finally:
        context.active.discard(id(definition))


def _short(context: Context, definition: syntax.ShortDefinition, inner: Scope) -> Value:
    axes = [bind(context, axis, inner, declare=True) for axis in definition.axes]
    name, span = definition.name.text, definition.span
    with context.at(span):
        value = right_side(context, definition.value, axes, inner)
        return close(context, value, axes, definition.stored, name, span, inner)


def _long(context: Context, definition: syntax.LongDefinition, inner: Scope) -> Value:
    run_body(context, definition.body, inner)
    finish_all(context, inner)
    results = [_promised(context, definition, name, inner) for name in definition.results]
    return results[0] if len(results) == 1 else Results(tuple(results))


def _promised(
    context: Context,
    definition: syntax.LongDefinition,
    name: syntax.Identifier,
    inner: Scope,
) -> Value:
    value = find(context, Key(name.text), name, inner)
    if value is None:
        message = f"{definition.name.text} promises {name.text} but does not define it"
        raise context.error(Code.UNKNOWN_NAME, message, name.span)
    return value
