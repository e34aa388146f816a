"""Running the statements of a definition or stage, one after the other."""

from __future__ import annotations

from collections import Counter
from typing import assert_never

from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.elaboration import weights
from lumc.dsl.elaboration.assignments import assign
from lumc.dsl.elaboration.conditions import condition
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.indices import bind
from lumc.dsl.elaboration.names import define, mark_broken
from lumc.dsl.elaboration.pieces import finish_all
from lumc.dsl.elaboration.reductions import counted, rounds
from lumc.dsl.errors import Reported, SpecError
from lumc.dsl.scopes import Key, Scope
from lumc.dsl.values import ListValue, describe


def piecewise_names(definition: syntax.Definition | syntax.Stage) -> frozenset[str]:
    """The names to which more than one statement with places contributes."""
    if isinstance(definition, syntax.ShortDefinition):
        return frozenset()
    counts = Counter(
        statement.targets[0].name.text
        for statement in syntax.statements_of(definition.body)
        if isinstance(statement, syntax.Assignment) and statement.targets[0].places is not None
    )
    return frozenset(name for name, count in counts.items() if count > 1)


def assigned_names(definition: syntax.Definition | syntax.Stage) -> frozenset[str]:
    """The names that the definition's statements give a value."""
    if isinstance(definition, syntax.ShortDefinition):
        return frozenset()
    return frozenset(
        target.name.text
        for statement in syntax.statements_of(definition.body)
        if isinstance(statement, syntax.Assignment)
        for target in statement.targets
    )


def run_body(context: Context, body: tuple[syntax.Statement, ...], scope: Scope) -> None:
    """Run every statement; one that is wrong is reported, and what it defines is not blamed."""
    for statement in body:
        context.step(statement.span)
        try:
            with context.at(statement.span):
                _run(context, statement, scope)
        except SpecError as error:
            _mark_broken(statement, scope)
            context.report(error)
        except Reported:
            _mark_broken(statement, scope)
        finally:
            scope.forget_indices()


def _run(context: Context, statement: syntax.Statement, scope: Scope) -> None:
    match statement:
        case syntax.Assignment():
            assign(context, statement, scope)
        case syntax.WeightStatement():
            weights.declare(context, statement, scope)
        case syntax.IndexStatement():
            _index(context, statement, scope)
        case syntax.Let():
            _let(context, statement, scope)
        case syntax.Require():
            require(context, statement, scope)
        case syntax.ForLoop():
            _for(context, statement, scope)
        case syntax.IfStatement():
            _if(context, statement, scope)
        case _:
            assert_never(statement)


def _mark_broken(statement: syntax.Statement, scope: Scope) -> None:
    for inner in syntax.statements_of((statement,)):
        match inner:
            case syntax.Assignment(targets):
                for target in targets:
                    _mark_name(target.name.text, target.family is not None, scope)
            case syntax.WeightStatement(groups):
                for group in groups:
                    for name in group.names:
                        _mark_name(name.text, False, scope)
            case syntax.Let(name):
                _mark_name(name.text, False, scope)
            case _:
                pass


def _mark_name(name: str, is_family: bool, scope: Scope) -> None:
    if is_family:
        scope.broken_families.add(name)
        return
    holder = scope.holder(Key(name))
    mark_broken(holder or scope, Key(name))


def _index(context: Context, statement: syntax.IndexStatement, scope: Scope) -> None:
    for axis in statement.axes:
        if axis.size is None:
            message = f"index {axis.name.text} needs a size"
            hint = f"write: index {axis.name.text}: <size>"
            raise context.error(Code.UNKNOWN_SIZE, message, axis.name.span, hint)
        bind(context, axis, scope, declare=True)


def _let(context: Context, statement: syntax.Let, scope: Scope) -> None:
    value = context.evaluate(statement.value, scope)
    if not isinstance(value, bool | int | float | str | ListValue):
        name = statement.name.text
        message = f"let {name}: the value must be known at compile time, not {describe(value)}"
        hint = f"leave let out: {name} = …"
        raise context.error(Code.NOT_STATIC, message, statement.value.span, hint)
    define(context, scope, Key(statement.name.text), value, statement.name.span)


def require(context: Context, statement: syntax.Require, scope: Scope) -> None:
    """The condition must hold at compile time; the note says what its names are."""
    given = condition(context, statement.condition, scope).value
    if given is True:
        return
    if given is not False:
        message = "a requirement must be known at compile time"
        raise context.error(Code.CONDITION, message, statement.condition.span)
    values = context.values_in(statement.condition, scope)
    notes = (", ".join(values),) if values else ()
    message = "this requirement does not hold"
    raise context.error(Code.REQUIREMENT, message, statement.condition.span, None, notes)


def _for(context: Context, statement: syntax.ForLoop, scope: Scope) -> None:
    counter = statement.counter.text
    for number in range(rounds(context, statement.counter, statement.count, scope)):
        inner = counted(context, scope, statement.counter, number)
        before = len(context.errors)
        with context.inside(f"{counter}={number}"):
            run_body(context, statement.body, inner)
            finish_all(context, inner)
        scope.round_names.update(key.name for key in (*inner.values, *inner.pieces))
        if len(context.errors) > before:
            raise Reported


def _if(context: Context, statement: syntax.IfStatement, scope: Scope) -> None:
    given = condition(context, statement.condition, scope).value
    if not isinstance(given, bool):
        message = "the condition of an if statement must be known at compile time"
        hint = "choose in an expression: y[t] = if … then … else …"
        raise context.error(Code.CONDITION, message, statement.condition.span, hint)
    run_body(context, statement.body if given else statement.other, scope)
