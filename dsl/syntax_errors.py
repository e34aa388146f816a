"""What a syntax error means, in words of the language."""

from __future__ import annotations

from lark import Token

from lumc.diagnostics import Span
from lumc.dsl.codes import Code
from lumc.dsl.errors import SpecError, spec_error

_WORDS_TEXT = (
    "use with param let require config from def stage as weight index for if then else "
    "or and not sum max"
)
WORDS = frozenset(_WORDS_TEXT.split(" "))
"""The words of the language, which cannot be names."""
_OPERAND_STARTS = frozenset(("NAME", "NUMBER", "STRING", "LPAR", "SUM", "MAX"))
_NEWLINE_HINT = (
    "a newline counts outside brackets: wrap the expression in ( ), or put all of it, "
    "indented, on the line after ="
)
_SAMPLES = {
    "EQUAL": "=",
    "COLON": ":",
    "RPAR": ")",
    "RSQB": "]",
    "RBRACE": "}",
    "THEN": "then",
    "ELSE": "else",
    "LESSTHAN": "<",
    "STRING": "a text in quotes",
    "NAME": "a name",
    "__ANON_0": "->",
}


def unexpected_token(token: Token, expected: frozenset[str], span: Span, text: str) -> SpecError:
    """The error for ``token`` where only tokens of the ``expected`` kinds can stand."""
    message, hint = _explain(token, expected, text)
    if token.type in ("_NL", "$END", "_INDENT", "_DEDENT"):
        span = _end_of_line(span, text, token)
    return spec_error(Code.SYNTAX, message, span, hint)


def _end_of_line(span: Span, text: str, token: Token) -> Span:
    if token.type == "_INDENT":
        return span
    line = span.line
    if token.type == "$END":
        line = span.source.text.count("\n", 0, span.source.text.find(text)) + text.count("\n")
    column = len(span.source.line(line).split("#")[0].rstrip()) + 1
    return Span(span.source, line, column, line, column + 1)


def _explain(token: Token, expected: frozenset[str], text: str) -> tuple[str, str | None]:
    value = str(token)
    if token.type == "_INDENT":
        return "this line is indented, but no block begins before it", "align it with the others"
    if token.type in ("_NL", "$END", "_DEDENT"):
        return _explain_end(expected)
    if value == "," and _follows_else(token, text):
        return "an index cannot follow else", "else comes last, once: x[i - 1, j + 1 else 0]"
    if value == "=" and "COMPARE" in expected:
        return "'=' cannot stand here", "a comparison is written =="
    if value == "if" and _OPERAND_STARTS & expected:
        return "if cannot stand here", "put it in parentheses: (if … then … else …)"
    if value in WORDS and "NAME" in expected:
        return f"{value} is a word of the language and cannot be a name", "choose another name"
    if token.type in ("LSQB", "LBRACE") and "LPAR" in expected and len(expected) == 1:
        return "a reduction cannot stand here", "put the inner reduction in parentheses"
    if token.type in _OPERAND_STARTS and "TIMES" in expected:
        return f"an operator is missing before {value}", "products are written with *"
    if "STAGE" in expected and "DEF" in expected:
        hint = (
            "a line that is not indented begins with use, param, let, require, config, def or stage"
        )
        return f"{value!r} cannot stand here", hint
    return f"{value!r} cannot stand here", _expectation(expected)


def _follows_else(token: Token, text: str) -> bool:
    inside = text[: token.start_pos].rsplit("[", 1)[-1]
    return "]" not in inside and "else" in inside.split()


def _explain_end(expected: frozenset[str]) -> tuple[str, str | None]:
    if "_INDENT" in expected and "NAME" not in expected:
        return "a block is missing after this line", "indent the lines that belong to it"
    if "COLON" in expected and "NAME" not in expected:
        return "the line ends too early", _expectation(expected)
    if _OPERAND_STARTS & expected or "TIMES" in expected:
        return "the line ends in the middle of an expression", _NEWLINE_HINT
    return "the line ends too early", _expectation(expected)


def _expectation(expected: frozenset[str]) -> str | None:
    """A hint when only a few things could stand here."""
    samples = sorted({_SAMPLES.get(kind, kind.lower()) for kind in expected if kind != "_NL"})
    if not samples or len(samples) > 3 or any(sample.startswith("_") for sample in samples):
        return None
    return f"expected {' or '.join(samples)}"


def unexpected_character(text: str, position: int, span: Span) -> SpecError:
    """The error for a character that begins no token."""
    character = text[position] if position < len(text) else ""
    if character == '"':
        message, hint = "this text does not end", 'a text ends with " on the same line'
        return spec_error(Code.SYNTAX, message, span, hint)
    hints = {
        "'": 'a text stands in "quotes"; primes follow a name',
        "!": "not equal is !=, negation is: not",
        "&": "write: and",
        ".": "a number has digits on both sides of the point",
        ";": "a statement ends with its line",
    }
    shown = character if character.isprintable() else f"U+{ord(character or chr(0)):04X}"
    message = f"{shown!r} does not belong to the language"
    return spec_error(Code.SYNTAX, message, span, hints.get(character))
