"""A whole stage: its inputs, its body, its outputs."""

from __future__ import annotations

from dataclasses import dataclass

from lumc.diagnostics import Diagnostic
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.arithmetic import cast
from lumc.dsl.elaboration.context import Context, StaticNames, TooManyErrorsError
from lumc.dsl.elaboration.expressions import evaluate
from lumc.dsl.elaboration.lookup import find, storage_type
from lumc.dsl.elaboration.names import define
from lumc.dsl.elaboration.numbers import as_number, materialize, static_size
from lumc.dsl.elaboration.pieces import finish_all
from lumc.dsl.elaboration.statements import assigned_names, piecewise_names, run_body
from lumc.dsl.elaboration.weights import tensor_axes
from lumc.dsl.errors import Reported, SpecError
from lumc.dsl.index_expression import rename
from lumc.dsl.modules import Module
from lumc.dsl.scopes import Key, Scope
from lumc.dsl.tensor_program import Input, Operand, Origin, Output, TensorProgram
from lumc.dsl.values import Tensor, Value, describe


@dataclass(frozen=True, slots=True)
class Elaborated:
    """A stage's program, or the errors that keep it from having one."""

    program: TensorProgram | None
    errors: tuple[Diagnostic, ...]


def elaborate_stage(
    stage: syntax.Stage,
    module: Module,
    statics: StaticNames,
    parameters: tuple[tuple[str, str], ...],
) -> Elaborated:
    """Elaborate ``stage`` of ``module``; all its mistakes are found, not only the first."""
    context = Context(statics, evaluate)
    scope = Scope(module, piecewise=piecewise_names(stage), assigned=assigned_names(stage))
    inputs: list[int] = []
    outputs: list[Output] = []
    try:
        inputs = _inputs(context, stage, scope)
        run_body(context, stage.body, scope)
        finish_all(context, scope)
        outputs = _outputs(context, stage, scope)
    except TooManyErrorsError:
        pass
    if context.errors:
        return Elaborated(None, tuple(context.errors))
    program = context.builder.finish(stage.name.text, inputs, outputs, parameters)
    return Elaborated(program, ())


def _inputs(context: Context, stage: syntax.Stage, scope: Scope) -> list[int]:
    numbers: list[int] = []
    for typed in stage.inputs:
        try:
            numbers.append(_input(context, typed, scope))
        except SpecError as error:
            scope.broken_families.add(typed.name.text)
            context.report(error)
        except Reported:
            scope.broken_families.add(typed.name.text)
    return numbers


def _input(context: Context, typed: syntax.Typed, scope: Scope) -> int:
    """An input may be empty: then nothing can read it."""
    name = typed.name.text
    dtype, axes = tensor_axes(context, typed.name, typed.type, scope, least=0)
    sizes = tuple(axis.known_size for axis in axes)
    names = tuple(axis.name for axis in axes)
    node = Input(name, sizes, dtype, names, Origin(typed.span, name))
    operand = context.builder.leaf(node, axes)
    value: Value = Tensor(axes, operand, name, typed.span) if axes else operand
    define(context, scope, Key(name), value, typed.name.span)
    return operand.node


def _outputs(context: Context, stage: syntax.Stage, scope: Scope) -> list[Output]:
    outputs: list[Output] = []
    for typed in stage.outputs:
        try:
            outputs.append(_output(context, stage, typed, scope))
        except SpecError as error:
            context.report(error)
        except Reported:
            pass
    return outputs


def _output(context: Context, stage: syntax.Stage, typed: syntax.Typed, scope: Scope) -> Output:
    name = typed.name.text
    value = find(context, Key(name), typed.name, scope)
    if value is None:
        message = f"stage {stage.name.text} promises {name} but does not define it"
        hint = f"define it in the stage: {name} = …"
        raise context.error(Code.UNKNOWN_NAME, message, typed.name.span, hint)
    dtype = storage_type(context, typed.type.dtype, scope)
    sizes = tuple(static_size(context, size, scope, least=1) for size in typed.type.sizes)
    axes = value.axes if isinstance(value, Tensor) else ()
    if tuple(axis.size for axis in axes) != sizes:
        declared = f"[{', '.join(map(str, sizes))}]" if sizes else "a number"
        defined = value.shape if isinstance(value, Tensor) else describe(value)
        message = f"{name} is declared as {declared} but defined as {defined}"
        notes = (f"defined at {scope.spans[Key(name)]}",) if Key(name) in scope.spans else ()
        raise context.error(Code.SIZE, message, typed.span, None, notes)
    body = value.body if isinstance(value, Tensor) else value
    number = cast(context, as_number(context, body, typed.span), dtype, typed.span)
    operand = context.builder.cast(materialize(context, number, typed.span, dtype), dtype)
    context.builder.label(operand, name)
    position = {axis.number: k for k, axis in enumerate(axes)}
    placed = Operand(operand.node, tuple(rename(e, position) for e in operand.map))
    return Output(name, placed, sizes, dtype, tuple(axis.name for axis in axes))
