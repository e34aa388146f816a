"""Raising mistakes of a spec."""

from __future__ import annotations

from lumc.diagnostics import Diagnostic, LumcError, Span
from lumc.dsl.codes import Code


class SpecError(LumcError):
    """A mistake in a spec or its settings."""


class Reported(Exception):  # noqa: N818
    """What is needed here was found wrong before, and said; saying more would only repeat it."""


def spec_error(
    code: Code,
    message: str,
    span: Span | None,
    hint: str | None = None,
    notes: tuple[str, ...] = (),
    trace: tuple[str, ...] = (),
) -> SpecError:
    """A ``SpecError`` with one diagnostic."""
    return SpecError(Diagnostic(code, message, span, hint, notes, trace))
