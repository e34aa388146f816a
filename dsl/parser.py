"""Text to syntax tree, with every syntax error of the file.

A file is cut into its top-level items (a line that starts in the first column begins one), and
each is parsed by itself. A line with a syntax error is blanked and its item parsed again, so that
one mistake neither hides nor causes others.
"""

from __future__ import annotations

import functools
import re
import threading
from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING, Any

from lumc.diagnostics import Diagnostic, LumcError, Source, Span
from lumc.dsl import limits, uses
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.errors import spec_error

if TYPE_CHECKING:
    from lark import Lark

    from lumc.dsl.syntax_builder import SyntaxBuilder

ITEM_WORDS = ("use", "param", "let", "require", "config", "def", "stage")
_ITEM_START = re.compile(rf"(?:{'|'.join(ITEM_WORDS)})\b")
_CODE = re.compile(r'"[^"\n]*"|#[^\n]*|[\[\](){}]')


@dataclass(frozen=True, slots=True)
class ParsedFile:
    """What a file holds. ``broken`` names the items that could not be read whole."""

    source: Source
    items: tuple[syntax.Item, ...]
    broken: frozenset[str]
    errors: tuple[Diagnostic, ...]


@functools.lru_cache(maxsize=64)
def parse_file(source: Source) -> ParsedFile:
    """Parse a whole file; its line ends are plain newlines. Errors are returned, not raised.

    The result is kept: a file that many specs use is parsed once.
    """
    items: list[syntax.Item] = []
    errors: list[Diagnostic] = []
    broken: set[str] = set()
    for chunk in _chunks(source.text):
        item, found = _parse_chunk(source, chunk)
        errors += found
        if found:
            broken |= _names_of(chunk.text)
        if item is not None:
            items.append(item)
        if len(errors) >= limits.SYNTAX_ERRORS:
            break
    return ParsedFile(source, tuple(items), frozenset(broken), tuple(errors))


def parse_expression(source: Source, start: int) -> syntax.Expression:
    """Parse what follows the first ``start`` characters as one expression.

    Raises:
        SpecError: It is not one expression.
    """
    chunk = _Chunk(" " * start + source.text[start:], 0)
    tree: syntax.Expression = _parse(source, chunk, "expr")
    return tree


# --- cutting a file into items


@dataclass(frozen=True, slots=True)
class _Chunk:
    """The text of an item and the number of lines before it."""

    text: str
    line: int


def _chunks(text: str) -> Iterator[_Chunk]:
    lines = text.split("\n")
    start: int | None = None
    depth = 0
    for number, line in enumerate(lines):
        if _begins_item(line, depth):
            if start is not None:
                yield _Chunk("\n".join(lines[start:number]), start)
            start, depth = number, 0
        depth = max(0, depth + _bracket_balance(line))
    if start is not None:
        yield _Chunk("\n".join(lines[start:]), start)


def _begins_item(line: str, depth: int) -> bool:
    if not line.strip() or line.lstrip().startswith("#"):
        return False
    # A word that begins items ends an open bracket: the bracket is the mistake.
    return bool(_ITEM_START.match(line)) or (depth == 0 and line[0] not in " \t")


def _bracket_balance(line: str) -> int:
    if not any(bracket in line for bracket in "[](){}"):
        return 0
    found = [part for part in _CODE.findall(line) if part in "[](){}"]
    return sum(1 if part in "[({" else -1 for part in found)


def _names_of(text: str) -> frozenset[str]:
    """The names that a broken item would have defined, so that their users aren't blamed."""
    match = re.match(r"(?:def|stage|param|let|config)\s+([A-Za-z_][A-Za-z0-9_]*'*)", text)
    return frozenset((match.group(1),)) if match else frozenset()


# --- parsing one item


def _parse_chunk(
    source: Source, chunk: _Chunk
) -> tuple[syntax.Item | None, tuple[Diagnostic, ...]]:
    errors: list[Diagnostic] = []
    while True:
        try:
            item: syntax.Item = _parse(source, chunk, "item")
        except LumcError as error:
            diagnostic = error.diagnostics[0]
            if _is_repeated(diagnostic, errors):
                return None, tuple(errors)
            errors.append(diagnostic)
            shorter = _without_line(chunk, diagnostic)
            if shorter is None or len(errors) >= limits.SYNTAX_ERRORS:
                return None, tuple(errors)
            chunk = shorter
        else:
            return (None if errors else item), tuple(errors)


def _is_repeated(diagnostic: Diagnostic, errors: list[Diagnostic]) -> bool:
    """True for an error before the last one: what was taken out there caused it."""
    if not errors or diagnostic.span is None or errors[-1].span is None:
        return False
    return diagnostic.span.line <= errors[-1].span.line


_STAND_IN = "a = 1"
"""Both a statement and a setting: keeps a block from being empty."""


def _without_line(chunk: _Chunk, diagnostic: Diagnostic) -> _Chunk | None:
    """``chunk`` without the statement of the error, or None if that opens a block or the item."""
    lines = chunk.text.split("\n")
    at = (diagnostic.span.line if diagnostic.span else 1) - 1 - chunk.line
    if not 0 < at < len(lines) or lines[at].split("#")[0].rstrip().endswith(":"):
        return None
    start = _statement_start(lines, at)
    if start == 0:
        return None
    end = at + 1
    while end < len(lines) and (
        sum(map(_bracket_balance, lines[start:end])) > 0 or _is_deeper(lines[end], lines[start])
    ):
        end += 1
    replaced = [_indent(lines[start]) + _STAND_IN, *[""] * (end - start - 1)]
    return replace(chunk, text="\n".join(lines[:start] + replaced + lines[end:]))


def _statement_start(lines: list[str], at: int) -> int:
    """The line that opens the bracket in which line ``at`` stands, or ``at`` itself."""
    start, depth = at, 0
    for number in range(at - 1, -1, -1):
        depth += _bracket_balance(lines[number])
        if depth > 0:
            start, depth = number, 0
        if _begins_item(lines[number], 0):
            break
    return start


def _indent(line: str) -> str:
    return line[: len(line) - len(line.lstrip(" "))]


def _is_deeper(line: str, above: str) -> bool:
    return not line.strip() or len(_indent(line)) > len(_indent(above))


_LOCK = threading.Lock()


def _parse(source: Source, chunk: _Chunk, start: str) -> Any:
    from lark.exceptions import UnexpectedCharacters, UnexpectedToken

    from lumc.dsl import syntax_errors
    from lumc.dsl.layout import LayoutError

    _reject_tabs(source, chunk)
    parser, builder = _parser()
    text = chunk.text.rstrip() + ("\n" if start == "item" else "")
    with _LOCK:
        builder.source, builder.line_offset = source, chunk.line
        try:
            tree: Any = parser.parse(text, start=start)
        except UnexpectedToken as error:
            token = error.token
            raise syntax_errors.unexpected_token(
                token, frozenset(error.accepts or error.expected), builder.token_span(token), text
            ) from None
        except UnexpectedCharacters as error:
            span = _character_span(source, error.line + chunk.line, error.column)
            raise syntax_errors.unexpected_character(text, error.pos_in_stream or 0, span) from None
        except LayoutError as error:
            span = builder.token_span(error.token)
            raise spec_error(Code.SYNTAX, error.message, span, error.hint) from None
    _check_depth(tree)
    return tree


def _character_span(source: Source, line: int, column: int) -> Span:
    return Span(source, line, column, line, column + 1)


def _reject_tabs(source: Source, chunk: _Chunk) -> None:
    match = re.search(r"^ *\t", chunk.text, re.MULTILINE)
    if match is None:
        return
    line = chunk.line + chunk.text.count("\n", 0, match.start()) + 1
    span = _character_span(source, line, match.end() - match.start())
    raise spec_error(Code.SYNTAX, "a tab in the indentation", span, "indent with spaces")


def _check_depth(item: syntax.Item | syntax.Expression) -> None:
    """Refuse expressions so deep that walking them would not end well."""
    roots = uses.expressions(item) if isinstance(item, syntax.Item) else (item,)
    stack: list[tuple[syntax.Expression | syntax.WholeAxis, int]] = [(root, 1) for root in roots]
    while stack:
        expression, depth = stack.pop()
        if depth > limits.EXPRESSION_DEPTH:
            message = f"this expression is nested more than {limits.EXPRESSION_DEPTH} deep"
            raise spec_error(Code.LIMIT, message, expression.span, "name parts of it")
        stack.extend((child, depth + 1) for child in syntax.children(expression))


# --- the parser itself


@functools.cache
def _parser() -> tuple[Lark, SyntaxBuilder]:
    """The parser, and the builder that it calls."""
    from lumc.dsl.grammar_tables import load_parser
    from lumc.dsl.syntax_builder import SyntaxBuilder

    builder = SyntaxBuilder()
    return load_parser(builder), builder
