"""Files to modules: follows ``use``, and sets parameters by configuration and by hand."""

from __future__ import annotations

from collections.abc import Mapping

from lumc.diagnostics import Diagnostic, Source, Span, did_you_mean
from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.errors import SpecError, spec_error
from lumc.dsl.loader import Library
from lumc.dsl.modules import SETTING_HINT, Contents, Module, StaticSetting, collect
from lumc.dsl.parser import parse_expression, parse_file


class Assembler:
    """Reads each file once and makes a module for each use of it."""

    def __init__(self, library: Library) -> None:
        """Look for used files in ``library``."""
        self._library = library
        self._contents: dict[str, Contents | None] = {}
        self._path: list[str] = []
        self.errors: list[Diagnostic] = []

    def main(self, name: str, source: Source) -> Module:
        """The module of the spec itself, with all that it uses."""
        module = Module(name, self._parse(source))
        self._path.append(name)
        self._follow_uses(module)
        self._path.pop()
        return module

    def _parse(self, source: Source) -> Contents:
        parsed = parse_file(source)
        contents, duplicates = collect(parsed)
        self.errors += [*parsed.errors, *duplicates]
        return contents

    def _follow_uses(self, module: Module) -> None:
        for use in module.contents.uses:
            try:
                used = self._used(module, use)
            except SpecError as error:
                self.errors += error.diagnostics
            else:
                module.used[use.name.text] = used

    def _used(self, module: Module, use: syntax.Use) -> Module:
        name = use.name.text
        if name in self._path:
            circle = [*self._path[self._path.index(name) :], name]
            message = f"files use each other in a circle: {' → '.join(circle)}"
            hint = "move what both need to a third file"
            raise spec_error(Code.CYCLE, message, use.name.span, hint)
        if len(self._path) > limits.FILES:
            message = f"files use each other more than {limits.FILES} deep"
            raise spec_error(Code.LIMIT, message, use.name.span)
        contents = self._read(use)
        used = Module(name, contents, self._settings(module, use, contents), {}, use.name.span)
        self._path.append(name)
        self._follow_uses(used)
        self._path.pop()
        return used

    def _read(self, use: syntax.Use) -> Contents:
        name = use.name.text
        if name not in self._contents:
            if len(self._contents) >= limits.FILES:
                message = f"a spec uses more than {limits.FILES} files"
                raise spec_error(Code.LIMIT, message, use.name.span)
            self._contents[name] = None
            source = self._library.read(name, use.name.span)
            self._contents[name] = self._parse(source)
        contents = self._contents[name]
        if contents is None:
            message = f"{name}.lum could not be read"
            raise spec_error(Code.USE, message, use.name.span)
        return contents

    def _settings(
        self, module: Module, use: syntax.Use, contents: Contents
    ) -> Mapping[str, StaticSetting]:
        settings: dict[str, StaticSetting] = {}
        for setting in use.settings:
            name = setting.name
            if name.text in settings:
                self.errors.append(_set_twice(name))
            elif name.text in contents.params:
                settings[name.text] = StaticSetting(setting.value, module, name.span)
            elif name.text not in contents.broken:
                self.errors.append(_no_param(name, contents, f"{use.name.text}.lum"))
        return settings


def _no_param(name: syntax.Identifier, contents: Contents, where: str) -> Diagnostic:
    message = f"{name.text} is not a param of {where}"
    hint = did_you_mean(name.text, contents.params)
    if name.text in contents.lets:
        hint = f"{name.text} is derived there by let, and cannot be set"
    return Diagnostic(Code.SETTING, message, name.span, hint)


def _set_twice(name: syntax.Identifier) -> Diagnostic:
    return Diagnostic(Code.SETTING, f"{name.text} is set twice here", name.span, "keep one")


# --- configurations and settings


def config_settings(
    module: Module, config: str | None
) -> tuple[dict[str, StaticSetting], list[Diagnostic]]:
    """What a configuration sets, its parents' settings first. All configurations are checked."""
    errors: list[Diagnostic] = []
    for item in module.contents.configs.values():
        errors += _check_config(module, item)
    settings: dict[str, StaticSetting] = {}
    if config is None:
        return settings, errors
    if config not in module.contents.configs:
        known = ", ".join(module.contents.configs)
        hint = did_you_mean(config, module.contents.configs)
        hint = hint or (f"there are {known}" if known else "the spec has no configurations")
        if config not in module.contents.broken:
            name = module.contents.source.name
            errors.append(Diagnostic(Code.SETTING, f"{name} has no config {config}", None, hint))
        return settings, errors
    for item in reversed(_ancestry(module.contents, module.contents.configs[config])):
        for setting in item.settings:
            if setting.name.text in module.contents.params:
                entry = StaticSetting(setting.value, module, setting.name.span)
                settings[setting.name.text] = entry
    return settings, errors


def _ancestry(contents: Contents, config: syntax.Config) -> list[syntax.Config]:
    """The configuration and those that it is made from; a circle ends where it closes."""
    chain = [config]
    while (parent := chain[-1].parent) is not None:
        found = contents.configs.get(parent.text)
        if found is None or found in chain:
            break
        chain.append(found)
    return chain


def _check_config(module: Module, config: syntax.Config) -> list[Diagnostic]:
    contents = module.contents
    errors: list[Diagnostic] = []
    seen: set[str] = set()
    for setting in config.settings:
        name = setting.name
        if name.text in seen:
            errors.append(_set_twice(name))
        elif name.text not in contents.params and name.text not in contents.broken:
            errors.append(_no_param(name, contents, "this file"))
        seen.add(name.text)
    parent = config.parent
    if parent is not None and parent.text not in {*contents.configs, *contents.broken}:
        hint = did_you_mean(parent.text, contents.configs)
        message = f"there is no config {parent.text}"
        errors.append(Diagnostic(Code.SETTING, message, parent.span, hint))
    errors += _check_circle(contents, config)
    return errors


def _check_circle(contents: Contents, config: syntax.Config) -> list[Diagnostic]:
    chain = _ancestry(contents, config)
    last = chain[-1].parent
    if last is None or contents.configs.get(last.text) is not config:
        return []
    names = " → ".join(one.name.text for one in [*chain, config])
    message = f"configurations are made from each other in a circle: {names}"
    return [Diagnostic(Code.CYCLE, message, config.name.span)]


def given_settings(
    module: Module, settings: Mapping[str, str]
) -> tuple[dict[str, StaticSetting], list[Diagnostic]]:
    """``--set`` values: each a literal of the language."""
    errors: list[Diagnostic] = []
    found: dict[str, StaticSetting] = {}
    for name, text in settings.items():
        source = Source("--set", f"{name}={text}")
        start = len(name) + 2
        span = Span(source, 1, start, 1, start + max(1, len(text)))
        if name not in module.contents.params:
            whole = syntax.Identifier(name, Span(source, 1, 1, 1, start - 1))
            if name not in module.contents.broken:
                errors.append(_no_param(whole, module.contents, module.contents.source.name))
            continue
        try:
            value = _literal(text, span)
        except SpecError as error:
            errors += error.diagnostics
        else:
            found[name] = StaticSetting(value, module, span)
    return found, errors


_SETTING_LENGTH = 10_000


def _literal(text: str, span: Span) -> syntax.Expression:
    if len(text) > _SETTING_LENGTH:
        raise spec_error(Code.LIMIT, f"a setting of {len(text)} characters", None, SETTING_HINT)
    try:
        return parse_expression(span.source, span.column - 1)
    except SpecError as error:
        message = f"{text!r} is not a value: {error.diagnostics[0].message}"
        raise spec_error(Code.SETTING, message, span, SETTING_HINT) from None
