"""Names that need no elaboration to be found wrong or unused, in every definition, used or not."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from itertools import islice

from lumc.diagnostics import Diagnostic, Severity, did_you_mean
from lumc.dsl import limits, uses
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.arithmetic import FUNCTIONS
from lumc.dsl.elaboration.lookup import CONSTANTS, STORAGE_TYPES, definition_hint
from lumc.dsl.modules import Module
from lumc.dsl.uses import Body

_REDUCTIONS = ("sum", "max")
_KINDS = ("int", "str", "list")


def check(module: Module) -> list[Diagnostic]:
    """Unknown names and definitions, wrong numbers of arguments, names that are taken."""
    found: list[Diagnostic] = []
    contents = module.contents
    bodies: list[Body] = [*contents.definitions.values(), *contents.stages.values()]
    for body in bodies:
        found += islice(_check_body(module, body), max(0, limits.ERRORS - len(found)))
    for definition in contents.definitions.values():
        found += _check_definition(definition)
    for stage in contents.stages.values():
        found += _check_stage(stage)
    for param in contents.params.values():
        found += _check_outside_name(param.name)
    for config in contents.configs.values():
        found += _check_outside_name(config.name)
    return found


def _check_body(module: Module, body: Body) -> Iterator[Diagnostic]:
    contents = module.contents
    known = {*uses.names_bound(body), *contents.params, *contents.lets, *contents.broken}
    known |= {*CONSTANTS, *STORAGE_TYPES}
    for name in uses.names_read(body):
        if name.text not in known:
            yield _unknown_name(module, name, known)
    for name in uses.types_named(body):
        if name.text not in known and name.text != "f64":
            hint = did_you_mean(name.text, [*STORAGE_TYPES, *known])
            message = f"{name.text} is not a storage type"
            hint = hint or f"storage types are {', '.join(STORAGE_TYPES)}"
            yield Diagnostic(Code.DTYPE, message, name.span, hint)
    for call in uses.calls(body):
        yield from _check_call(module, call, known)


def _unknown_name(module: Module, name: syntax.Identifier, known: set[str]) -> Diagnostic:
    text = name.text
    if module.definition(text) is not None or text in FUNCTIONS:
        message = f"{text} is a definition, not a value"
        return Diagnostic(Code.UNKNOWN_NAME, message, name.span, f"call it: {text}(…)")
    hint = did_you_mean(text, known)
    if hint is None and len(text) <= 2:
        hint = f"an index is bound on the left, or by a reduction: sum[{text}] …"
    return Diagnostic(Code.UNKNOWN_NAME, f"unknown name {text}", name.span, hint)


def _check_call(module: Module, call: syntax.Call, known: set[str]) -> Iterator[Diagnostic]:
    name = call.name.text
    if name in FUNCTIONS or name in _REDUCTIONS or module.is_broken(name):
        return
    found = module.definition(name)
    if found is None:
        hint: str | None
        if name in known:
            message, hint = f"{name} is a value, not a definition", f"index it: {name}[…]"
        else:
            message, hint = f"unknown definition {name}", definition_hint(module, name)
        yield Diagnostic(Code.UNKNOWN_NAME, message, call.name.span, hint)
        return
    definition = found[0]
    wanted, given = len(definition.parameters), len(call.arguments)
    if wanted != given:
        arguments = f"{wanted} argument{'s' * (wanted != 1)}"
        message = f"{name} takes {arguments}, {given} given"
        hint = f"it is {syntax.signature(definition)}"
        yield Diagnostic(Code.ARGUMENTS, message, call.span, hint)


def _check_stage(stage: syntax.Stage) -> Iterator[Diagnostic]:
    yield from _check_outside_name(stage.name)
    seen: dict[str, syntax.Identifier] = {}
    for typed in stage.inputs + stage.outputs:
        name = typed.name
        yield from _check_outside_name(name)
        if name.text in seen:
            message = f"two inputs or outputs are called {name.text}"
            note = f"the other is at {seen[name.text].span}"
            yield Diagnostic(Code.DUPLICATE_ITEM, message, name.span, "rename one", (note,))
        seen.setdefault(name.text, name)


def _check_outside_name(name: syntax.Identifier) -> Iterator[Diagnostic]:
    """Names that stand in commands, files and plans are plain."""
    if "'" in name.text:
        message = f"{name.text} is used outside the spec, where primes cannot stand"
        yield Diagnostic(Code.SYNTAX, message, name.span, "use letters, digits and _")


def _check_definition(definition: syntax.Definition) -> Iterator[Diagnostic]:
    name = definition.name
    if name.text in FUNCTIONS:
        message = f"{name.text} is a primitive and cannot be defined"
        yield Diagnostic(Code.DUPLICATE_ITEM, message, name.span, "choose another name")
    seen: set[str] = set()
    for parameter in definition.parameters:
        if parameter.name.text in seen:
            message = f"two parameters are called {parameter.name.text}"
            yield Diagnostic(Code.DUPLICATE_ITEM, message, parameter.name.span, "rename one")
        seen.add(parameter.name.text)
        if isinstance(parameter, syntax.StaticParameter) and parameter.kind.text not in _KINDS:
            message = f"{parameter.kind.text} is not a kind of parameter"
            hint = "kinds are int, str and list; a tensor is written x[i, j]"
            yield Diagnostic(Code.NOT_STATIC, message, parameter.kind.span, hint)


# --- what nothing uses


def unused(module: Module) -> list[Diagnostic]:
    """Warnings for parameters, definitions, weights and inputs of a file that nothing uses.

    A file without stages is there for others to use, and only its weights are looked at.
    """
    contents = module.contents
    found: list[Diagnostic] = []
    for body in [*contents.definitions.values(), *contents.stages.values()]:
        found += _unused_weights(body)
    if not contents.stages:
        return found
    for stage in contents.stages.values():
        found += _unused_inputs(stage)
    return [*found, *_unused_params(module), *_unused_definitions(module)]


def _warning(code: Code, message: str, name: syntax.Identifier, hint: str) -> Diagnostic:
    return Diagnostic(code, message, name.span, hint, severity=Severity.WARNING)


def _read_in(item: syntax.Item) -> set[str]:
    return {name.text for name in uses.names_read(item)} | {
        name.text for name in uses.types_named(item)
    }


def _unused_weights(body: Body) -> Iterator[Diagnostic]:
    if isinstance(body, syntax.ShortDefinition):
        return
    read = _read_in(body)
    for statement in syntax.statements_of(body.body):
        if isinstance(statement, syntax.WeightStatement):
            for name in (name for group in statement.groups for name in group.names):
                if name.text not in read:
                    message = f"weight {name.text} is never read"
                    yield _warning(Code.UNUSED_WEIGHT, message, name, "leave it out")


def _unused_inputs(stage: syntax.Stage) -> Iterator[Diagnostic]:
    read = _read_in(stage)
    for typed in stage.inputs:
        if typed.name.text not in read:
            message = f"input {typed.name.text} of stage {stage.name.text} is never read"
            yield _warning(Code.UNUSED_INPUT, message, typed.name, "leave it out")


def _items(module: Module) -> Iterable[syntax.Item]:
    contents = module.contents
    tables = (contents.params, contents.lets, contents.configs)
    for table in (*tables, contents.definitions, contents.stages):
        yield from table.values()
    yield from contents.uses
    yield from contents.requires


def _unused_params(module: Module) -> Iterator[Diagnostic]:
    read: set[str] = set()
    for item in _items(module):
        read |= _read_in(item)
    for name, param in module.contents.params.items():
        if name not in read:
            message = f"param {name} is never read"
            yield _warning(Code.UNUSED_PARAM, message, param.name, "leave it out")


def _unused_definitions(module: Module) -> Iterator[Diagnostic]:
    called: set[str] = set()
    for item in _items(module):
        names = {call.name.text for call in uses.calls(item)}
        if isinstance(item, syntax.ShortDefinition | syntax.LongDefinition):
            names.discard(item.name.text)
        called |= names
    for name, definition in module.contents.definitions.items():
        if name not in called:
            message = f"definition {name} is never called"
            yield _warning(Code.UNUSED_DEFINITION, message, definition.name, "leave it out")
