"""Errors shown to the user: what is wrong, where it stands, and a way out."""

from __future__ import annotations

import difflib
from collections.abc import Iterable
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import PurePath
from typing import Any


@dataclass(frozen=True, slots=True)
class Source:
    """A text that spans point into. ``name`` is what the user sees (a path as they gave it)."""

    name: str
    text: str = field(repr=False)

    def line(self, number: int) -> str:
        """The text of line ``number`` (from 1), or an empty string past the end."""
        lines = self.text.split("\n")
        return lines[number - 1].rstrip("\r") if 0 < number <= len(lines) else ""


@dataclass(frozen=True, slots=True)
class Span:
    """A range of characters: lines and columns from 1, the end exclusive."""

    source: Source
    line: int
    column: int
    end_line: int
    end_column: int

    def __str__(self) -> str:
        """``file:line:column``."""
        return f"{self.source.name}:{self.line}:{self.column}"

    @property
    def short(self) -> str:
        """``file:line`` without the file's folder, so that what is made says nothing of where."""
        return f"{PurePath(self.source.name).name}:{self.line}"


class Severity(StrEnum):
    """How much a diagnostic matters: errors stop a compile, warnings do not."""

    ERROR = "error"
    WARNING = "warning"


@dataclass(frozen=True, slots=True)
class Diagnostic:
    """One message: a stable code, what is wrong, where, why (notes) and a way out (hint)."""

    code: str
    message: str
    span: Span | None = None
    hint: str | None = None
    notes: tuple[str, ...] = ()
    trace: tuple[str, ...] = ()
    severity: Severity = Severity.ERROR

    def as_json(self) -> dict[str, Any]:
        """The message for programs; lines and columns count from 1."""
        place = (
            {
                "file": self.span.source.name,
                "line": self.span.line,
                "column": self.span.column,
                "end_line": self.span.end_line,
                "end_column": self.span.end_column,
            }
            if self.span
            else None
        )
        return {
            "code": self.code,
            "severity": str(self.severity),
            "message": self.message,
            "place": place,
            "notes": list(self.notes),
            "trace": list(self.trace),
            "hint": self.hint,
        }

    def render(self) -> str:
        """The message as the user reads it, with the source line and carets under the span."""
        where = f"{self.span}: " if self.span else ""
        lines = [f"{where}{self.severity}[{self.code}]: {self.message}"]
        if self.span is not None:
            lines += _excerpt(self.span)
        lines += [f"  note: {note}" for note in self.notes]
        lines += [f"  in {place}" for place in self.trace]
        if self.hint:
            lines.append(f"  hint: {self.hint}")
        return "\n".join(lines)


_EXCERPT_WIDTH = 160


def _excerpt(span: Span) -> list[str]:
    text = span.source.line(span.line)
    end = span.end_column if span.end_line == span.line else len(text) + 1
    # A very long line is cut around the place that is meant.
    start = max(0, span.column - 1 - _EXCERPT_WIDTH // 2) if len(text) > _EXCERPT_WIDTH else 0
    shown = "".join(map(_printable, text[start : start + _EXCERPT_WIDTH]))
    carets = min(max(1, end - span.column), max(1, len(shown) - (span.column - 1 - start)))
    gutter = " " * len(str(span.line))
    pointer = " " * (span.column - 1 - start) + "^" * carets
    return [f" {span.line} | {shown}", f" {gutter} | {pointer}"]


def _printable(character: str) -> str:
    """A character that a terminal shows in one column and does not act on."""
    if character == "\t":
        return " "
    return character if character.isprintable() else "\N{REPLACEMENT CHARACTER}"


class LumcError(Exception):
    """A mistake of the user, or of their machine: shown as its diagnostics, never as a traceback.

    ``exit_code`` is what the command returns: 1, or 2 for a misuse of the command line.
    """

    exit_code = 1

    def __init__(self, *diagnostics: Diagnostic) -> None:
        """Wrap one or more diagnostics, most important first."""
        super().__init__(diagnostics[0].message if diagnostics else "")
        self.diagnostics = diagnostics

    def render(self) -> str:
        """All diagnostics, a blank line between them."""
        return "\n\n".join(diagnostic.render() for diagnostic in self.diagnostics)


def did_you_mean(name: str, known: Iterable[str]) -> str | None:
    """A hint naming the known name nearest to ``name``, or None when none is near."""
    close = difflib.get_close_matches(name, list(known), 1, 0.6)
    return f"did you mean {close[0]}?" if close else None


class LumcWarning(UserWarning):
    """Something that the user should know; nothing they asked for is wrong."""
