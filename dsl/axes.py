"""The axes that are alive while a stage is elaborated.

Each index that the author binds becomes a live axis with a number of its own. Index expressions
over live axes use these numbers; they are renumbered by position when a node is made of them.
"""

from __future__ import annotations

from collections.abc import Iterable

from lumc.dsl.index_expression import Axis, IndexExpression, axis

UNKNOWN = 2**62
"""Stands for the size of an axis until it is known: so large that no simplification fires."""


class IndexAxis:
    """An axis: its size may become known only after it was made."""

    __slots__ = ("declared", "expression", "name", "number", "reason", "size")

    def __init__(self, number: int, name: str, size: int | None, reason: str) -> None:
        """Made by ``AxisTable.new`` only."""
        self.number = number
        self.name = name
        self.size = size
        self.reason = reason
        """Where the size comes from, in words that follow "is 128 …"."""
        self.declared = False
        """True if the size holds for the whole definition."""
        self.expression: IndexExpression = axis(number)

    @property
    def known_size(self) -> int:
        """The size of an axis for which it is known."""
        assert self.size is not None, self.name
        return self.size


class AxisTable:
    """All live axes by number, and their sizes in the form that index arithmetic wants."""

    def __init__(self) -> None:
        """Start without axes."""
        self.axes: list[IndexAxis] = []
        self.sizes: list[int] = []

    def new(self, name: str, size: int | None = None, reason: str = "") -> IndexAxis:
        """A new axis."""
        made = IndexAxis(len(self.axes), name, size, reason)
        self.axes.append(made)
        self.sizes.append(UNKNOWN if size is None else size)
        return made

    def set_size(self, changed: IndexAxis, size: int, reason: str) -> None:
        """Settle the size of an axis whose size was not known."""
        changed.size, changed.reason = size, reason
        self.sizes[changed.number] = size

    def of(self, *expressions: IndexExpression) -> list[IndexAxis]:
        """The axes that occur, in the order of their numbers."""
        return [self.axes[number] for number in sorted(mentioned(expressions))]

    def any_empty(self, axes: Iterable[IndexAxis]) -> bool:
        """True if some axis has size 0, so that nothing is ever done over them together."""
        return any(one.size == 0 for one in axes)


def mentioned(expressions: Iterable[IndexExpression]) -> set[int]:
    """The numbers of the axes that occur."""
    numbers: set[int] = set()
    for expression in expressions:
        for atom, _ in expression.terms:
            if isinstance(atom, Axis):
                numbers.add(atom.number)
            else:
                numbers |= atom.value.axes()
    return numbers


class Replacements(dict[int, IndexExpression]):
    """What axes are replaced by; an axis that is not named stays."""

    def __missing__(self, number: int) -> IndexExpression:
        """The axis itself."""
        return axis(number)
