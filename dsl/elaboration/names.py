"""Defining names: each once, and not under a name that is taken."""

from __future__ import annotations

from lumc.diagnostics import Span
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.context import Context
from lumc.dsl.scopes import BROKEN, Broken, Key, Scope
from lumc.dsl.values import Value


def define(context: Context, scope: Scope, key: Key, value: Value, span: Span) -> None:
    """Enter ``value`` under ``key`` in ``scope``."""
    require_new(context, scope, key, span)
    scope.values[key] = value
    scope.spans[key] = span


def require_new(context: Context, scope: Scope, key: Key, span: Span) -> None:
    """A name is defined once; it hides neither an outer one nor a parameter of the file."""
    holder = scope.holder(key)
    if holder is not None:
        if isinstance(holder.values.get(key), Broken):
            return
        known = holder.spans.get(key)
        where = f" at {known}" if known else ""
        message = f"{key} is already defined{where}"
        hint = f"a name is defined once; number the versions {key.name}{{n+1}}, or choose another"
        raise context.error(Code.REDEFINED, message, span, hint)
    if key.family is None and scope.axis(key.name) is not None:
        message = f"{key.name} is an index here"
        raise context.error(Code.NAME_TAKEN, message, span, "choose another name for one of them")
    if key.family is None and scope.module.is_static(key.name):
        message = f"{key.name} is a param or let of this file"
        raise context.error(Code.REDEFINED, message, span, "choose another name")


def mark_broken(scope: Scope, key: Key) -> None:
    """Remember that the definition of ``key`` was wrong, so that its users aren't blamed."""
    scope.values.setdefault(key, BROKEN)
