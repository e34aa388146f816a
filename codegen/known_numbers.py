"""Numbers in generated code that a reader does not know at sight, in the terms of mathematics."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass

import numpy as np

_LITERAL = re.compile(r"(?<![\w.])\d+(?:\.\d*)?(?:e[-+]?\d+)?(?=f\b)")
_PLAIN_DIGITS = 3
"""Numbers of so few significant digits need no explanation."""
_NAMED = {
    "log2(e)": math.log2(math.e),
    "ln(2)": math.log(2),
    "sqrt(2/pi)": math.sqrt(2 / math.pi),
    "1/sqrt(2)": math.sqrt(0.5),
    "pi": math.pi,
    "2*pi": 2 * math.pi,
    "1/(2*pi)": 0.5 / math.pi,
    "the greatest f32": float(np.finfo(np.float32).max),
}


@dataclass(frozen=True, slots=True)
class _Family:
    """``factor`` over the ``root``-th root of whole numbers ``n`` up to ``most``.

    With larger numbers, values that mean something else would fit by chance.
    """

    text: str
    factor: float
    root: int
    most: int

    def number(self, value: float) -> int:
        """The ``n`` that is nearest."""
        return round((self.factor / value) ** self.root)

    def value(self, number: int) -> float:
        """What ``number`` stands for."""
        return self.factor / math.pow(number, 1 / self.root)


# Of a mean over n values, and of softmax over n channels.
_FAMILIES = (
    _Family("1/{}", 1.0, 1, 1 << 20),
    _Family("1/sqrt({})", 1.0, 2, 1 << 12),
    _Family("log2(e)/sqrt({})", math.log2(math.e), 2, 1 << 12),
)


def explained_numbers(code: str) -> tuple[str, ...]:
    """``0.0078125 = 1/128`` for each f32 literal in ``code`` that is known, in its order."""
    literals = dict.fromkeys(_LITERAL.findall(code))
    found = ((literal, _meaning(float(literal))) for literal in literals if not _is_plain(literal))
    return tuple(f"{literal} = {meaning}" for literal, meaning in found if meaning)


def _is_plain(literal: str) -> bool:
    digits = literal.partition("e")[0].replace(".", "").strip("0")
    return len(digits) <= _PLAIN_DIGITS


def _meaning(value: float) -> str | None:
    return next(_meanings(value), None)


def _meanings(value: float) -> Iterator[str]:
    """What rounds to the same f32."""
    for name, known in _NAMED.items():
        if np.float32(known) == np.float32(value):
            yield name
    for family in _FAMILIES:
        number = family.number(value) if value else 0
        if 2 < number <= family.most and np.float32(family.value(number)) == np.float32(value):
            yield family.text.format(number)
