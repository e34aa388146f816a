"""The files of a spec, sorted by what they define."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from typing import Protocol, TypeVar, assert_never

from lumc.diagnostics import Diagnostic, Source, Span
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.parser import ParsedFile


@dataclass(frozen=True, slots=True)
class Contents:
    """What a file defines, by name. Equal for every use of the file."""

    source: Source
    uses: tuple[syntax.Use, ...]
    params: Mapping[str, syntax.Param]
    lets: Mapping[str, syntax.Let]
    requires: tuple[syntax.Require, ...]
    configs: Mapping[str, syntax.Config]
    definitions: Mapping[str, syntax.Definition]
    stages: Mapping[str, syntax.Stage]
    broken: frozenset[str]
    """Names of items that have syntax errors."""


@dataclass(slots=True, eq=False)
class Module:
    """A file in use: its contents, and what its parameters are set to.

    A file that is used twice with different parameters is two modules.
    """

    name: str
    contents: Contents
    settings: Mapping[str, StaticSetting] = field(default_factory=dict)
    used: dict[str, Module] = field(default_factory=dict)
    """The modules that it uses, by file name, in the order of the text."""
    use_site: Span | None = None

    def definition(self, name: str) -> tuple[syntax.Definition, Module] | None:
        """The definition of that name here or, if there is none, in the files that are used."""
        own = self.contents.definitions.get(name)
        if own is not None:
            return own, self
        for module in self.used.values():
            found = module.contents.definitions.get(name)
            if found is not None:
                return found, module
        return None

    def definition_names(self) -> Iterator[str]:
        """Every definition that can be called here."""
        yield from self.contents.definitions
        for module in self.used.values():
            yield from module.contents.definitions

    def is_broken(self, name: str) -> bool:
        """True if an item of that name has a syntax error, here or in a file that is used."""
        modules = (self, *self.used.values())
        return any(name in module.contents.broken for module in modules)

    def is_static(self, name: str) -> bool:
        """True for a parameter or ``let`` of the file."""
        return name in self.contents.params or name in self.contents.lets


SETTING_HINT = "a setting is a number, a type, a text in quotes, or a list of these"


@dataclass(frozen=True, slots=True)
class StaticSetting:
    """A value for a parameter: an expression in the scope of ``module``."""

    value: syntax.Expression
    module: Module
    span: Span


def collect(parsed: ParsedFile) -> tuple[Contents, tuple[Diagnostic, ...]]:
    """Sort the items of a file; report names that are defined twice (the first one stands)."""
    uses: dict[str, syntax.Use] = {}
    params: dict[str, syntax.Param] = {}
    lets: dict[str, syntax.Let] = {}
    configs: dict[str, syntax.Config] = {}
    definitions: dict[str, syntax.Definition] = {}
    stages: dict[str, syntax.Stage] = {}
    requires: list[syntax.Require] = []
    errors: list[Diagnostic] = []
    for item in parsed.items:
        match item:
            case syntax.Use():
                errors += _enter(uses, item)
            case syntax.Param():
                errors += _enter(params, item, lets)
            case syntax.Let():
                errors += _enter(lets, item, params)
            case syntax.Require():
                requires.append(item)
            case syntax.Config():
                errors += _enter(configs, item)
            case syntax.ShortDefinition() | syntax.LongDefinition():
                errors += _enter(definitions, item)
            case syntax.Stage():
                errors += _enter(stages, item)
            case _:
                assert_never(item)
    contents = Contents(
        source=parsed.source,
        uses=tuple(uses.values()),
        params=params,
        lets=lets,
        requires=tuple(requires),
        configs=configs,
        definitions=definitions,
        stages=stages,
        broken=parsed.broken,
    )
    return contents, tuple(errors)


class _Named(Protocol):
    @property
    def name(self) -> syntax.Identifier: ...


N = TypeVar("N", bound=_Named)


def _enter(
    table: dict[str, N], item: N, other: Mapping[str, _Named] | None = None
) -> list[Diagnostic]:
    """Enter ``item`` under its name, unless that is taken here or in the ``other`` table."""
    name = item.name
    old = table.get(name.text) or (other or {}).get(name.text)
    if old is None:
        table[name.text] = item
        return []
    return [
        Diagnostic(
            Code.DUPLICATE_ITEM,
            f"{name.text} stands here a second time",
            name.span,
            "keep one of them, or choose another name",
            (f"the first is at {old.name.span}",),
        )
    ]
