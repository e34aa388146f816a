"""Names while a definition is elaborated: values, versions, open pieces and indices.

A definition has one scope; each round of a ``for`` has a scope of its own inside it.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import NamedTuple

from lumc.diagnostics import Span
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.axes import IndexAxis
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.modules import Module
from lumc.dsl.values import Number, Value


class Key(NamedTuple):
    """A name, or a version of it: ``x`` or ``x{3}``."""

    name: str
    family: tuple[int, ...] | None = None

    def __str__(self) -> str:
        """As it is written."""
        if self.family is None:
            return self.name
        return f"{self.name}{{{', '.join(map(str, self.family))}}}"


class Broken:
    """Stands for a value whose definition was found wrong."""


BROKEN = Broken()


@dataclass(frozen=True, slots=True)
class OpenPiece:
    """A piece of a definition that may get more pieces."""

    places: tuple[IndexExpression, ...]
    axes: tuple[IndexAxis, ...]
    body: Number
    statement: syntax.Assignment
    target: syntax.Target


@dataclass(slots=True, eq=False)
class Scope:
    """The names of a definition, or of one round of a loop in it."""

    module: Module
    parent: Scope | None = None
    counter: str | None = None
    """The counter of the loop whose round this is."""
    values: dict[Key, Value | Broken] = field(default_factory=dict)
    spans: dict[Key, Span] = field(default_factory=dict)
    """Where each value was defined."""
    pieces: dict[Key, list[OpenPiece]] = field(default_factory=dict)
    axes: dict[str, IndexAxis] = field(default_factory=dict)
    bound: set[str] = field(default_factory=set)
    """The indices that can be used as values here; shared by all rounds of a definition."""
    broken_families: set[str] = field(default_factory=set)
    round_names: set[str] = field(default_factory=set)
    """Names that belonged to rounds of loops that are over."""
    piecewise: frozenset[str] = frozenset()
    """Names that more than one statement of the definition defines."""
    assigned: frozenset[str] = frozenset()
    """Names that some statement of the definition gives a value, here or further down."""

    def round(self, counter: str) -> Scope:
        """The scope of one round of a loop inside this scope."""
        return Scope(
            self.module,
            self,
            counter,
            bound=self.bound,
            broken_families=self.broken_families,
            round_names=self.round_names,
            piecewise=self.piecewise,
            assigned=self.assigned,
        )

    def chain(self) -> Iterator[Scope]:
        """This scope and those around it, innermost first."""
        scope: Scope | None = self
        while scope is not None:
            yield scope
            scope = scope.parent

    def holder(self, key: Key) -> Scope | None:
        """The innermost scope that knows ``key`` as a value or as pieces."""
        scope: Scope | None = self
        while scope is not None:
            if key in scope.values or key in scope.pieces:
                return scope
            scope = scope.parent
        return None

    def axis(self, name: str) -> IndexAxis | None:
        """The index of that name, bound or not."""
        scope: Scope | None = self
        while scope is not None:
            if name in scope.axes:
                return scope.axes[name]
            scope = scope.parent
        return None

    def has_unsized_axis(self) -> bool:
        """True while some index of this definition has no size."""
        return any(axis.size is None for scope in self.chain() for axis in scope.axes.values())

    def forget_indices(self) -> None:
        """At the end of a statement: only declared indices live on."""
        self.axes = {name: axis for name, axis in self.axes.items() if axis.declared}

    def known(self) -> Iterator[Key]:
        """Every name that can be seen from here."""
        for scope in self.chain():
            yield from scope.values
            yield from scope.pieces
