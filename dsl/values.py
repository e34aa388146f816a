"""What an expression can be while a stage is elaborated.

Known at compile time: numbers, conditions, texts, storage types, lists, and index expressions
(whole numbers that depend on the axes alone). Computed at run time: an ``Operand``, which is a node
read through maps over live axes, and tensors, whose body is any number over their own axes.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumc.diagnostics import Span
from lumc.dsl.axes import IndexAxis
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.tensor_program import Operand

Number = bool | int | float | IndexExpression | Operand
"""One number or condition, whenever it is known."""


@dataclass(frozen=True, slots=True)
class PieceView:
    """A piece of a piecewise definition: ``body`` at ``places``, for each point of ``axes``."""

    places: tuple[IndexExpression, ...]
    axes: tuple[IndexAxis, ...]
    body: Operand


@dataclass(frozen=True, slots=True)
class Tensor:
    """``body`` at each point of ``axes``. The axes belong to this value alone."""

    axes: tuple[IndexAxis, ...]
    body: Number
    name: str = ""
    span: Span | None = None
    pieces: tuple[PieceView, ...] = ()
    """For a piecewise definition: reads that lie in one piece go straight to it."""

    @property
    def shape(self) -> str:
        """``[t: 16, c: 64]``."""
        parts = [f"{axis.name}: {axis.size}" if axis.name else str(axis.size) for axis in self.axes]
        return f"[{', '.join(parts)}]"

    @property
    def shown(self) -> str:
        """The name with the shape, or ``this`` for a value that has no name."""
        return f"{self.name}{self.shape}" if self.name else f"this {self.shape}"


@dataclass(frozen=True, slots=True)
class ListValue:
    """A list known at compile time."""

    entries: tuple[StaticValue, ...]


@dataclass(frozen=True, slots=True)
class Results:
    """What a definition with several results returns."""

    values: tuple[Value, ...]


StaticValue = bool | int | float | str | DType | ListValue
Value = StaticValue | IndexExpression | Operand | Tensor | Results


def plural(count: int, word: str, several: str | None = None) -> str:
    """``1 axis``, ``2 axes``."""
    return f"{count} {word if count == 1 else several or word + 's'}"


def describe(value: Value) -> str:
    """What kind of thing a value is, for messages."""
    match value:
        case Tensor():
            return f"a tensor {value.shape}"
        case bool():
            return "a condition"
        case DType():
            return f"the type {value}"
        case str():
            return "a text"
        case ListValue(entries):
            return f"a list of {len(entries)}"
        case float():
            return f"the real number {value:g}"
        case int():
            return f"the whole number {value}"
        case IndexExpression():
            return "an index"
        case Results(values):
            return plural(len(values), "result")
        case Operand():
            return "a number computed at run time"


def show(value: StaticValue) -> str:
    """A compile-time value as it is written in the language."""
    match value:
        case bool():
            return "true" if value else "false"
        case DType():
            return value.value
        case str():
            return f'"{value}"'
        case ListValue(entries):
            return f"[{', '.join(map(show, entries))}]"
        case _:
            return str(value)
