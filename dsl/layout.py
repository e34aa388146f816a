"""Python's layout: indentation opens and closes blocks, newlines inside brackets do not count."""

from __future__ import annotations

from collections.abc import Iterator

from lark import Token
from lark.lark import PostLex

from lumc.dsl import limits

_OPENING = {"LPAR": ")", "LSQB": "]", "LBRACE": "}"}
_CLOSING = {"RPAR": ")", "RSQB": "]", "RBRACE": "}"}


class LayoutError(Exception):
    """A line or bracket that does not fit the layout; ``token`` is where."""

    def __init__(self, message: str, token: Token, hint: str | None = None) -> None:
        """Say what is wrong at ``token``, and perhaps a way out."""
        super().__init__(message)
        self.message = message
        self.token = token
        self.hint = hint


class Layout(PostLex):
    """Adds ``_INDENT`` and ``_DEDENT`` tokens, and drops newlines inside brackets."""

    always_accept = ("_NL",)

    def process(self, stream: Iterator[Token]) -> Iterator[Token]:
        """The tokens of ``stream`` with its layout made explicit."""
        indents = [0]
        brackets: list[Token] = []
        last: Token | None = None
        for count, token in enumerate(stream):
            if count > limits.ITEM_WORDS:
                message = f"there are more than {limits.ITEM_WORDS} words and signs before this"
                raise LayoutError(message, token, "divide it into several definitions")
            if token.type != "_NL":
                _match_brackets(token, brackets)
                last = token
                yield token
            elif not brackets:
                yield token
                yield from _change_block(token, indents)
        if brackets:
            raise LayoutError(f"{brackets[-1]!s} is never closed", brackets[-1])
        for _ in indents[1:]:
            yield Token.new_borrow_pos("_DEDENT", "", last) if last else Token("_DEDENT", "")


def _match_brackets(token: Token, brackets: list[Token]) -> None:
    if token.type in _OPENING:
        brackets.append(token)
        if len(brackets) > limits.EXPRESSION_DEPTH:
            message = f"brackets are nested more than {limits.EXPRESSION_DEPTH} deep"
            raise LayoutError(message, token, "name parts of the expression")
    elif token.type in _CLOSING:
        if not brackets:
            raise LayoutError(f"{token!s} closes no bracket", token)
        opening = brackets.pop()
        if _OPENING[opening.type] != str(token):
            message = f"{token!s} cannot close the {opening!s} of column {opening.column}"
            raise LayoutError(message, token)


def _change_block(newline: Token, indents: list[int]) -> Iterator[Token]:
    indent = len(newline.rsplit("\n", 1)[1])
    if indent > indents[-1]:
        indents.append(indent)
        if len(indents) > limits.BLOCK_DEPTH:
            message = f"blocks are nested more than {limits.BLOCK_DEPTH} deep"
            raise LayoutError(message, _line_after(newline), "move the inner ones to definitions")
        yield Token.new_borrow_pos("_INDENT", "", _line_after(newline))
        return
    while indent < indents[-1]:
        indents.pop()
        yield Token.new_borrow_pos("_DEDENT", "", _line_after(newline))
    if indent != indents[-1]:
        message = "this line is indented like no block around it"
        raise LayoutError(message, _line_after(newline), "indent it like a line above it")


def _line_after(newline: Token) -> Token:
    """A token that stands where the line after ``newline`` begins."""
    line, column = newline.end_line or 1, newline.end_column or 1
    return Token("_LINE", "", line=line, column=column, end_line=line, end_column=column)
