"""What a name means where it stands: a value, a version, an index, or a value of the file."""

from __future__ import annotations

import math

from lumc.diagnostics import did_you_mean
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.arithmetic import FUNCTIONS
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.numbers import static_whole
from lumc.dsl.elaboration.pieces import finish
from lumc.dsl.errors import Reported
from lumc.dsl.loader import own_spec_with
from lumc.dsl.modules import Module
from lumc.dsl.scopes import Broken, Key, Scope
from lumc.dsl.values import ListValue, StaticValue, Tensor, Value, describe, plural

STORAGE_TYPES: dict[str, DType] = {d.value: d for d in DType if d is not DType.F64}
"""The types that a spec can name: f64 exists inside the compiler only."""

CONSTANTS: dict[str, StaticValue] = {"inf": math.inf, "true": True, "false": False}


def find(context: Context, key: Key, name: syntax.Identifier, scope: Scope) -> Value | None:
    """The value or version ``key``, if there is one; open pieces are closed by it."""
    holder = scope.holder(key)
    if holder is None:
        return None
    if key not in holder.values:
        finish(context, holder, key, name.span)
    value = holder.values[key]
    if isinstance(value, Broken):
        raise Reported
    return value


def look_up(context: Context, name: syntax.Identifier, scope: Scope) -> Value:
    """The value of a plain name."""
    text = name.text
    value = find(context, Key(text), name, scope)
    if value is not None:
        return value
    index = scope.axis(text)
    if index is not None and text in scope.bound:
        return index.expression
    if scope.module.is_static(text):
        return context.statics.value(scope.module, text)
    if text in STORAGE_TYPES:
        return STORAGE_TYPES[text]
    if text in CONSTANTS:
        return CONSTANTS[text]
    if text in scope.broken_families or scope.module.is_broken(text):
        raise Reported
    raise _unknown(context, name, scope)


def definition_hint(module: Module, name: str) -> str | None:
    """A way out where ``name`` is called and not known: the file that has it, or a near name."""
    if found := own_spec_with(name):
        return f"{found}.lum has it: write use {found} at the top of the file"
    return did_you_mean(name, [*module.definition_names(), *FUNCTIONS, "max"])


def _unknown(context: Context, name: syntax.Identifier, scope: Scope) -> Exception:
    text = name.text
    if scope.axis(text) is not None:
        return context.error(
            Code.UNBOUND_INDEX,
            f"index {text} is not bound here: it stands neither on the left nor in a reduction",
            name.span,
            f"put {text} on the left, or in a reduction; "
            f"a reduction takes only the product that follows: sum[{text}] (a / b)",
        )
    if scope.module.definition(text) is not None or text in FUNCTIONS:
        message = f"{text} is a definition, not a value"
        return context.error(Code.UNKNOWN_NAME, message, name.span, f"call it: {text}(…)")
    if text in scope.round_names:
        message = f"{text} belongs to one round of the loop above, and is not known here"
        cure = f"number the versions, {text}{{n+1}} = …, and read the last"
        return context.error(Code.UNKNOWN_NAME, message, name.span, cure)
    families = [str(key) for key in scope.known() if key.name == text]
    if families:
        message = f"{text} has versions, but is no value itself"
        version = f"say which version: {families[-1]}"
        return context.error(Code.UNKNOWN_NAME, message, name.span, version)
    if text in scope.assigned:
        message, cure = f"{text} has no value yet", "a statement reads what stands above it"
        return context.error(Code.UNKNOWN_NAME, message, name.span, cure)
    contents = scope.module.contents
    known = [key.name for key in scope.known()] + [*contents.params, *contents.lets]
    hint = did_you_mean(text, known + list(scope.bound))
    if hint is None and len(text) <= 2:
        hint = f"an index is bound on the left, or by a reduction: sum[{text}] …"
    return context.error(Code.UNKNOWN_NAME, f"unknown name {text}", name.span, hint)


# --- versions and lists


def key_of(
    context: Context,
    name: syntax.Identifier,
    family: tuple[syntax.Expression, ...] | None,
    scope: Scope,
) -> Key:
    """The key of a name with compile-time subscripts."""
    if family is None:
        return Key(name.text)
    what = "a subscript in { }"
    return Key(name.text, tuple(static_whole(context, e, scope, what) for e in family))


def member(context: Context, expression: syntax.Member, scope: Scope) -> Value:
    """``x{n}``: a version of ``x``, or an entry of the list ``x``."""
    name = expression.name
    key = key_of(context, name, expression.subscripts, scope)
    value = find(context, key, name, scope)
    if value is not None:
        return value
    if name.text in scope.broken_families:
        raise Reported
    versions = [str(known) for known in scope.known() if known.name == name.text and known.family]
    if versions:
        hint = f"defined so far: {', '.join(versions[-3:])}"
        raise context.error(Code.UNKNOWN_NAME, f"{key} is not defined here", expression.span, hint)
    if not _is_known(name.text, scope):
        raise _unknown(context, name, scope)
    return _entry(context, look_up(context, name, scope), key, expression)


def _is_known(text: str, scope: Scope) -> bool:
    return (
        scope.holder(Key(text)) is not None
        or scope.module.is_static(text)
        or scope.module.is_broken(text)
    )


def _entry(context: Context, value: Value, key: Key, expression: syntax.Member) -> Value:
    shown = key.name
    for position in key.family or ():
        if not isinstance(value, ListValue):
            message = f"{shown} is {describe(value)}, not a list"
            hint = (
                f"a tensor is indexed with [ ]: {shown}[…]" if isinstance(value, Tensor) else None
            )
            raise context.error(Code.RANK, message, expression.span, hint)
        if not 0 <= position < len(value.entries):
            entries = plural(len(value.entries), "entry", "entries")
            message = f"{shown} has {entries}, {position} is not one of them"
            hint = f"entries are numbered from 0 to {len(value.entries) - 1}"
            raise context.error(
                Code.OUT_OF_BOUNDS, message, expression.span, hint if value.entries else None
            )
        value = value.entries[position]
        shown += f"{{{position}}}"
    return value


def size_of(context: Context, expression: syntax.SizeOf, scope: Scope) -> int:
    """``|i|``: the size of an index; ``|x|``: the length of a list."""
    text = expression.name.text
    index = scope.axis(text)
    if index is not None:
        context.require_sizes([index], expression.span)
        return index.known_size
    if _is_known(text, scope):
        value = look_up(context, expression.name, scope)
        if isinstance(value, ListValue):
            return len(value.entries)
        message = f"{text} is {describe(value)}, neither an index nor a list"
        raise context.error(Code.RANK, message, expression.span)
    if scope.module.is_broken(text):
        raise Reported
    axes = [name for one in scope.chain() for name in one.axes]
    hint = did_you_mean(text, axes)
    raise context.error(Code.UNKNOWN_NAME, f"unknown name {text}", expression.name.span, hint)


def storage_type(context: Context, name: syntax.Identifier, scope: Scope) -> DType:
    """What ``as name`` or ``name[…]`` stores: a type, or the type of a value."""
    if name.text == DType.F64:
        message = "f64 is not a storage type"
        reason = "expressions of indices and constants alone are computed in f64 anyway"
        raise context.error(Code.DTYPE, message, name.span, reason)
    known = _is_known(name.text, scope) or name.text in STORAGE_TYPES
    if not known and name.text in scope.broken_families:
        raise Reported
    value = look_up(context, name, scope) if known else None
    if isinstance(value, Tensor):
        value = value.body
    match value:
        case DType():
            return value
        case _ if (dtype := context.stored_type(value)) is not None:
            return dtype
        case _:
            message = f"{name.text} is not a storage type"
            contents = scope.module.contents
            hint = did_you_mean(name.text, [*STORAGE_TYPES, *contents.params, *contents.lets])
            hint = hint or f"storage types are {', '.join(STORAGE_TYPES)}"
            raise context.error(Code.DTYPE, message, name.span, hint)
