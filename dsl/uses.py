"""Which names an item of a file reads, binds and calls, as far as the text alone shows it."""

from __future__ import annotations

import re
from collections.abc import Iterator

from lumc.dsl import syntax_tree as syntax

INSERT = re.compile(
    r"\s*[A-Za-z_][A-Za-z0-9_]*'*\s*([-+]\s*(\d{1,9}|[A-Za-z_][A-Za-z0-9_]*'*)\s*)*"
)
"""What stands in the braces of a text: a name, or a sum of names and numbers."""
TERM = re.compile(r"([-+]?)\s*(\d+|[A-Za-z_][A-Za-z0-9_]*'*)")
BRACES = re.compile(r"\{([^{}]*)\}")

Body = syntax.ShortDefinition | syntax.LongDefinition | syntax.Stage


def expressions(item: syntax.Item) -> Iterator[syntax.Expression]:
    """Every expression that stands in the item, but not those inside others."""
    match item:
        case syntax.Use(_, settings) | syntax.Config(_, _, settings):
            yield from (setting.value for setting in settings)
        case syntax.Param(_, value) | syntax.Let(_, value) | syntax.Require(value):
            yield value
        case syntax.ShortDefinition():
            yield from _axis_sizes(item.axes)
            yield from _parameter_sizes(item.parameters)
            yield item.value
        case syntax.LongDefinition():
            yield from _parameter_sizes(item.parameters)
            yield from _in_body(item.body)
        case syntax.Stage():
            for typed in item.inputs + item.outputs:
                yield from typed.type.sizes
            yield from _in_body(item.body)


def _parameter_sizes(parameters: tuple[syntax.Parameter, ...]) -> Iterator[syntax.Expression]:
    for parameter in parameters:
        if isinstance(parameter, syntax.TensorParameter):
            yield from _axis_sizes(parameter.axes)


def _axis_sizes(axes: tuple[syntax.AxisName, ...]) -> Iterator[syntax.Expression]:
    yield from (axis.size for axis in axes if axis.size is not None)


def _in_body(body: tuple[syntax.Statement, ...]) -> Iterator[syntax.Expression]:
    for statement in syntax.statements_of(body):
        yield from syntax.expressions_of(statement)


def parts(item: syntax.Item) -> Iterator[syntax.Expression]:
    """Every expression of the item, those inside others too."""
    for expression in expressions(item):
        yield from syntax.walk(expression)


def calls(item: syntax.Item) -> Iterator[syntax.Call]:
    """Every call."""
    return (part for part in parts(item) if isinstance(part, syntax.Call))


def names_read(item: syntax.Item) -> Iterator[syntax.Identifier]:
    """Every name that is used as a value or index, in the order of the text."""
    for part in parts(item):
        match part:
            case syntax.Name(name) | syntax.Member(name) | syntax.SizeOf(name):
                yield name
            case syntax.Text(value, span):
                yield from (syntax.Identifier(name, span) for name in inserted_names(value))
            case _:
                pass


def types_named(item: syntax.Item) -> Iterator[syntax.Identifier]:
    """Every name that stands for a storage type: after ``as`` and in declarations."""
    for part in parts(item):
        if isinstance(part, syntax.Cast):
            yield part.stored
    match item:
        case syntax.ShortDefinition(stored=stored) if stored is not None:
            yield stored
        case syntax.LongDefinition(body=body):
            yield from _types_in_body(body)
        case syntax.Stage():
            yield from (typed.type.dtype for typed in item.inputs + item.outputs)
            yield from _types_in_body(item.body)
        case _:
            pass


def _types_in_body(body: tuple[syntax.Statement, ...]) -> Iterator[syntax.Identifier]:
    for statement in syntax.statements_of(body):
        match statement:
            case syntax.Assignment(targets):
                yield from (target.stored for target in targets if target.stored is not None)
            case syntax.WeightStatement(groups):
                yield from (group.type.dtype for group in groups)
            case _:
                pass


def names_bound(item: Body) -> Iterator[str]:
    """Every name that the definition or stage makes: parameters, indices, values, counters."""
    for part in parts(item):
        match part:
            case syntax.Reduction(_, axes):
                yield from (axis.name.text for axis in axes)
            case syntax.UnrolledReduction(_, counter) | syntax.ListFor(_, counter):
                yield counter.text
            case _:
                pass
    match item:
        case syntax.Stage():
            yield from (typed.name.text for typed in item.inputs)
            yield from _bound_in_body(item.body)
        case syntax.LongDefinition():
            yield from _parameter_names(item.parameters)
            yield from _bound_in_body(item.body)
        case syntax.ShortDefinition():
            yield from _parameter_names(item.parameters)
            yield from (axis.name.text for axis in item.axes)


def _parameter_names(parameters: tuple[syntax.Parameter, ...]) -> Iterator[str]:
    for parameter in parameters:
        yield parameter.name.text
        if isinstance(parameter, syntax.TensorParameter):
            yield from (axis.name.text for axis in parameter.axes)


def _bound_in_body(body: tuple[syntax.Statement, ...]) -> Iterator[str]:
    for statement in syntax.statements_of(body):
        match statement:
            case syntax.Assignment(targets):
                for target in targets:
                    yield target.name.text
                    yield from _bound_by_places(target)
            case syntax.WeightStatement(groups):
                yield from (name.text for group in groups for name in group.names)
            case syntax.IndexStatement(axes):
                yield from (axis.name.text for axis in axes)
            case syntax.Let(name) | syntax.ForLoop(name):
                yield name.text
            case _:
                pass


def _bound_by_places(target: syntax.Target) -> Iterator[str]:
    """Any plain name in a place may be an index, except one that is itself read from."""
    for place in target.places or ():
        for part in syntax.walk(place.value):
            if isinstance(part, syntax.Name):
                yield part.name.text


def inserted_names(text: str) -> list[str]:
    """The names whose values a text inserts."""
    found = (inner for inner in BRACES.findall(text) if INSERT.fullmatch(inner))
    return [term for inner in found for _, term in TERM.findall(inner) if not term.isdigit()]
