"""A small spec that rules are tried on."""

from __future__ import annotations

from dataclasses import dataclass, field


@dataclass(frozen=True)
class Case:
    """A stage's text after ``use nn``, the launches it must become, and rules that must match."""

    name: str
    text: str
    kinds: dict[str, int]
    rules: tuple[str, ...] = ()
    never: tuple[str, ...] = field(default=())
    """Rules that must not match: the text only looks like what they find."""
