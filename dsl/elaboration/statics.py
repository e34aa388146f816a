"""Parameters and ``let`` values of files: evaluated when first read, each once."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace

from lumc.diagnostics import Diagnostic, did_you_mean
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.context import Budget, Context, TooManyErrorsError
from lumc.dsl.elaboration.expressions import evaluate
from lumc.dsl.elaboration.lookup import STORAGE_TYPES
from lumc.dsl.elaboration.statements import require
from lumc.dsl.errors import Reported, SpecError
from lumc.dsl.modules import SETTING_HINT, Module, StaticSetting
from lumc.dsl.scopes import Scope
from lumc.dsl.values import ListValue, StaticValue, Value, describe

_Key = tuple[Module, str]


class Statics:
    """The values that are known before any stage is elaborated."""

    def __init__(self) -> None:
        """Start with nothing evaluated."""
        self.budget = Budget()
        self._values: dict[_Key, StaticValue | None] = {}
        self._open: list[_Key] = []
        self.errors: list[Diagnostic] = []

    def value(self, module: Module, name: str) -> StaticValue:
        """The value of a parameter or ``let`` of ``module``.

        Raises:
            Reported: It has none; that is in ``errors``.
        """
        key = (module, name)
        if key not in self._values:
            self._values[key] = None
            try:
                self._values[key] = self._evaluate(key)
            except SpecError as error:
                self.errors.extend(error.diagnostics)
        value = self._values[key]
        if value is None:
            if key in self._open:
                self._report_cycle(key)
            raise Reported
        return value

    def check(self, module: Module) -> None:
        """Evaluate everything that a file states, and test its requirements."""
        for name in (*module.contents.params, *module.contents.lets):
            with contextlib.suppress(Reported):
                self.value(module, name)
        for requirement in module.contents.requires:
            context = self._context(module)
            try:
                require(context, requirement, Scope(module))
            except SpecError as error:
                self.errors.extend(error.diagnostics)
            except TooManyErrorsError:
                self.errors.extend(context.errors)
            except Reported:
                pass

    def parameters(self, module: Module) -> Iterator[tuple[str, StaticValue]]:
        """Each parameter that has a value, in the order of the text."""
        for name in module.contents.params:
            value = self._values.get((module, name))
            if value is not None:
                yield name, value

    def literal(self, expression: syntax.Expression, module: Module) -> StaticValue:
        """The value of an expression that may use the names of ``module``."""
        context = self._context(module)
        try:
            return _known(context.evaluate(expression, Scope(module)), expression)
        except TooManyErrorsError:
            raise SpecError(*context.errors) from None

    def _context(self, module: Module) -> Context:
        context = Context(self, evaluate)
        if module.use_site is not None:
            context.trace_from(module.contents.source.name, module.use_site)
        return context

    def _evaluate(self, key: _Key) -> StaticValue:
        module, name = key
        self._open.append(key)
        try:
            setting = module.settings.get(name)
            if setting is None:
                return self.literal(_default(module, name), module)
            value = self._set(setting)
            self._check_kind(module, name, value, setting.value)
            return value
        finally:
            self._open.pop()

    def _set(self, setting: StaticSetting) -> StaticValue:
        try:
            return self.literal(setting.value, setting.module)
        except SpecError as error:
            if isinstance(setting.value, syntax.Name) and error.diagnostics[0].hint is None:
                hint = did_you_mean(setting.value.name.text, STORAGE_TYPES) or SETTING_HINT
                raise SpecError(replace(error.diagnostics[0], hint=hint)) from None
            raise

    def _check_kind(
        self, module: Module, name: str, value: StaticValue, setting: syntax.Expression
    ) -> None:
        """A setting must be of the kind of the default."""
        try:
            default = self.literal(_default(module, name), module)
        except (SpecError, Reported):
            return
        if _kind(value) != _kind(default):
            message = f"{name} is {_kind(default)} by default, it cannot be {describe(value)}"
            raise SpecError(Diagnostic(Code.SETTING, message, setting.span))

    def _report_cycle(self, key: _Key) -> None:
        module, name = key
        circle = [entry[1] for entry in self._open[self._open.index(key) :]]
        message = f"{name} needs itself: {' → '.join([*circle, name])}"
        item = module.contents.params.get(name) or module.contents.lets[name]
        self.errors.append(Diagnostic(Code.CYCLE, message, item.name.span))


def _default(module: Module, name: str) -> syntax.Expression:
    contents = module.contents
    return contents.params[name].default if name in contents.params else contents.lets[name].value


def _known(value: Value, expression: syntax.Expression) -> StaticValue:
    if isinstance(value, bool | int | float | str | ListValue):
        return value
    message = f"the value must be known at compile time, not {describe(value)}"
    raise SpecError(Diagnostic(Code.NOT_STATIC, message, expression.span))


def _kind(value: StaticValue) -> str:
    match value:
        case bool():
            return "a condition"
        case int() | float():
            return "a number"
        case DType():
            return "a type"
        case str():
            return "a text"
        case ListValue():
            return "a list"
