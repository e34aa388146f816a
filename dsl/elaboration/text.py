"""Texts: ``{name}`` and ``{name+1}`` insert compile-time values, ``{a|b}`` lists alternatives."""

from __future__ import annotations

from lumc.diagnostics import Span
from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.dtypes import DType
from lumc.dsl.elaboration.context import Context
from lumc.dsl.elaboration.lookup import look_up
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.scopes import Scope
from lumc.dsl.uses import BRACES, INSERT, TERM
from lumc.dsl.values import describe


def insert_values(context: Context, text: syntax.Text, scope: Scope) -> str:
    """The text with values inserted; alternatives stay as they are."""
    parts: list[str] = []
    end = 0
    for match in BRACES.finditer(text.value):
        parts.append(text.value[end : match.start()])
        end = match.end()
        inner = match.group(1)
        parts.append(match.group() if "|" in inner else _value(context, inner, text, scope))
    result = "".join(parts) + text.value[end:]
    if len(result) > limits.TEXT:
        message = f"a text of {len(result)} characters"
        raise context.error(Code.LIMIT, message, text.span, f"texts have at most {limits.TEXT}")
    return result


def _value(context: Context, inner: str, text: syntax.Text, scope: Scope) -> str:
    if INSERT.fullmatch(inner) is None:
        message = f"{{{inner}}} in a text must be a name, a sum of names and numbers, or a|b"
        raise context.error(Code.WEIGHT_NAME, message, text.span)
    terms = TERM.findall(inner)
    if len(terms) == 1:
        value = _term(context, terms[0][1], text, scope)
        return str(value)
    total = 0
    for sign, term in terms:
        value = _term(context, term, text, scope)
        if isinstance(value, str):
            message = f"{{{inner}}}: {term} is a text, nothing can be added to it"
            raise context.error(Code.WEIGHT_NAME, message, text.span)
        total += -value if sign == "-" else value
    return str(total)


def _term(context: Context, term: str, text: syntax.Text, scope: Scope) -> int | str:
    if term.isdigit():
        return int(term)
    value = look_up(context, syntax.Identifier(term, text.span), scope)
    match value:
        case IndexExpression(constant, ()):
            return constant
        case DType() | bool():
            pass
        case int() | str():
            return value
    message = f"{term} is {describe(value)}; a text takes whole numbers and texts"
    raise context.error(Code.WEIGHT_NAME, message, text.span)


def alternatives(context: Context, text: str, span: Span) -> tuple[str, ...]:
    """One text for each of the alternatives ``{a|b|c}``; at most one such group."""
    groups = [match for match in BRACES.finditer(text) if "|" in match.group(1)]
    if not groups:
        return (text,)
    if len(groups) > 1:
        message = "a checkpoint name has at most one group of alternatives {a|b}"
        raise context.error(Code.WEIGHT_NAME, message, span)
    (group,) = groups
    before, after = text[: group.start()], text[group.end() :]
    return tuple(before + choice.strip() + after for choice in group.group(1).split("|"))
