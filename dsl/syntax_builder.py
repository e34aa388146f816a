"""Builds the syntax tree while the parser reduces: one method per grammar rule.

Every child that the parser hands over has a place: tokens, tree nodes, and ``Group`` for lists.
"""

# ruff: noqa: D102  (one method per grammar rule, with its name)

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Generic, TypeVar

from lark import Token, Transformer

from lumc.diagnostics import Source, Span
from lumc.dsl import limits
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.codes import Code
from lumc.dsl.errors import spec_error

T = TypeVar("T")
_NUMBER_DIGITS = 30


@dataclass(frozen=True, slots=True)
class Group(Generic[T]):
    """Several things that one rule collects."""

    items: tuple[T, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class RightSide:
    """The right side of an assignment."""

    value: syntax.Expression
    rest: syntax.Expression | None
    span: Span


class SyntaxBuilder(Transformer[Token, Any]):
    """Turns reductions into syntax nodes. ``source`` and ``line_offset`` place the tokens."""

    def __init__(self) -> None:
        """Start without a source; the parser sets one before each use."""
        super().__init__(visit_tokens=False)
        self.source = Source("", "")
        self.line_offset = 0

    # --- places

    def token_span(self, token: Token) -> Span:
        """Where ``token`` stands in the file."""
        line = (token.line or 1) + self.line_offset
        end_line = (token.end_line or token.line or 1) + self.line_offset
        return Span(self.source, line, token.column or 1, end_line, token.end_column or 1)

    def _span_of(self, child: Any) -> Span:
        if isinstance(child, Token):
            return self.token_span(child)
        span: Span = child.span
        return span

    def _span(self, children: Sequence[Any]) -> Span:
        seen = [child for child in children if not _is_layout(child)]
        first, last = self._span_of(seen[0]), self._span_of(seen[-1])
        return Span(self.source, first.line, first.column, last.end_line, last.end_column)

    def _identifier(self, token: Token) -> syntax.Identifier:
        if len(token) > limits.NAME:
            message = f"a name of {len(token)} characters"
            hint = f"names have at most {limits.NAME}"
            raise spec_error(Code.LIMIT, message, self.token_span(token), hint)
        return syntax.Identifier(str(token), self.token_span(token))

    def _group(self, children: Sequence[Any]) -> Group[Any]:
        items = tuple(child for child in children if not isinstance(child, Token))
        return Group(items, self._span(children))

    exprs = settings = places = subscripts = typed_names = axes = parameters = _group

    # --- top level

    def item(self, children: list[Any]) -> syntax.Item:
        item: syntax.Item = children[0]
        return item

    def use_plain(self, children: list[Any]) -> syntax.Use:
        return syntax.Use(self._identifier(children[1]), (), self._span(children))

    def use_with(self, children: list[Any]) -> syntax.Use:
        settings = _flatten(children)
        return syntax.Use(self._identifier(children[1]), settings, self._span(children))

    def param(self, children: list[Any]) -> syntax.Param:
        return syntax.Param(self._identifier(children[1]), children[3], self._span(children))

    def let(self, children: list[Any]) -> syntax.Let:
        return syntax.Let(self._identifier(children[1]), children[3], self._span(children))

    def require(self, children: list[Any]) -> syntax.Require:
        return syntax.Require(children[1], self._span(children))

    def config(self, children: list[Any]) -> syntax.Config:
        settings = _flatten(children)
        return syntax.Config(self._identifier(children[1]), None, settings, self._span(children))

    def config_from(self, children: list[Any]) -> syntax.Config:
        name, parent = self._identifier(children[1]), self._identifier(children[3])
        return syntax.Config(name, parent, _flatten(children), self._span(children))

    def setting(self, children: list[Any]) -> Group[syntax.Setting]:
        setting = syntax.Setting(self._identifier(children[0]), children[2])
        return Group((setting,), self._span(children))

    def names(self, children: list[Token]) -> Group[syntax.Identifier]:
        names = tuple(self._identifier(token) for token in children if token.type == "NAME")
        return Group(names, self._span(children))

    def number_parameter(self, children: list[Any]) -> _Placed:
        return self._placed(syntax.NumberParameter(self._identifier(children[0])), children)

    def tensor_parameter(self, children: list[Any]) -> _Placed:
        axes = _axes(children[2])
        return self._placed(syntax.TensorParameter(self._identifier(children[0]), axes), children)

    def static_parameter(self, children: list[Any]) -> _Placed:
        kind = self._identifier(children[2])
        return self._placed(syntax.StaticParameter(self._identifier(children[0]), kind), children)

    def axis(self, children: list[Any]) -> _Placed:
        size = children[2] if len(children) > 1 else None
        return self._placed(syntax.AxisName(self._identifier(children[0]), size), children)

    def _placed(self, value: Any, children: Sequence[Any]) -> _Placed:
        return _Placed(value, self._span(children))

    def stored(self, children: list[Any]) -> _Placed:
        return self._placed(self._identifier(children[1]), children)

    def result(self, children: list[Any]) -> _Placed:
        axes = next((_axes(child) for child in children if isinstance(child, Group)), ())
        stored = next((child.value for child in children if isinstance(child, _Placed)), None)
        return self._placed((axes, stored), children)

    def short_definition(self, children: list[Any]) -> syntax.ShortDefinition:
        axes, stored = children[3].value if isinstance(children[3], _Placed) else ((), None)
        return syntax.ShortDefinition(
            self._identifier(children[1]),
            _values(children[2]),
            axes,
            stored,
            children[-1],
            self._span(children),
        )

    def long_definition(self, children: list[Any]) -> syntax.LongDefinition:
        return syntax.LongDefinition(
            self._identifier(children[1]),
            _values(children[2]),
            children[4].items,
            children[-1].items,
            self._span(children),
        )

    def typed_parameters(self, children: list[Any]) -> Group[syntax.Typed]:
        items = children[1].items if isinstance(children[1], Group) else ()
        return Group(items, self._span(children))

    def tensor_type(self, children: list[Any]) -> syntax.TensorType:
        sizes = children[2].items if len(children) > 1 else ()
        return syntax.TensorType(self._identifier(children[0]), sizes, self._span(children))

    def typed(self, children: list[Any]) -> syntax.Typed:
        return syntax.Typed(self._identifier(children[0]), children[2], self._span(children))

    def stage(self, children: list[Any]) -> syntax.Stage:
        name = self._identifier(children[1])
        inputs, outputs = children[2].items, children[4].items
        return syntax.Stage(name, inputs, outputs, children[-1].items, self._span(children))

    # --- statements

    body = _group

    def family(self, children: list[Any]) -> _Placed:
        return self._placed(children[1].items, children)

    def sized_place(self, children: list[Any]) -> syntax.Place:
        return syntax.Place(children[0], children[2], self._span(children))

    def target(self, children: list[Any]) -> syntax.Target:
        family: tuple[syntax.Expression, ...] | None = None
        places: tuple[syntax.Place, ...] | None = None
        stored: syntax.Identifier | None = None
        for child in children[1:]:
            match child:
                case Group():
                    places = tuple(_place(place) for place in child.items)
                case _Placed(value=syntax.Identifier() as identifier):
                    stored = identifier
                case _:
                    family = child.value
        name = self._identifier(children[0])
        return syntax.Target(name, family, places, stored, self._span(children))

    def value_line(self, children: list[Any]) -> syntax.Expression:
        value: syntax.Expression = next(c for c in children if not _is_layout(c))
        return value

    def right_side(self, children: list[Any]) -> RightSide:
        value, *more = (child for child in children if not _is_layout(child))
        return RightSide(value, more[1] if more else None, self._span(children))

    def assignment(self, children: list[Any]) -> syntax.Assignment:
        targets = tuple(child for child in children if isinstance(child, syntax.Target))
        right: RightSide = children[-1]
        return syntax.Assignment(targets, right.value, right.rest, self._span(children))

    def weight_names(self, children: list[Any]) -> Group[syntax.WeightNames]:
        return Group((syntax.WeightNames(children[0].items, children[2]),), self._span(children))

    def weight(self, children: list[Any]) -> syntax.WeightStatement:
        groups = tuple(child.items[0] for child in children if isinstance(child, Group))
        pattern = self.text([children[-2]])
        return syntax.WeightStatement(groups, pattern, self._span(children))

    def index(self, children: list[Any]) -> syntax.IndexStatement:
        return syntax.IndexStatement(_axes(children[1]), self._span(children))

    def for_loop(self, children: list[Any]) -> syntax.ForLoop:
        counter, count, body = self._identifier(children[1]), children[3], children[5]
        return syntax.ForLoop(counter, count, body.items, self._span(children[:4]))

    def if_statement(self, children: list[Any]) -> syntax.IfStatement:
        other = children[6].items if len(children) > 4 else ()
        span = self._span(children[:2])
        return syntax.IfStatement(children[1], children[3].items, other, span)

    # --- expressions

    def binary(self, children: list[Any]) -> syntax.Binary:
        left, operator, right = children
        return syntax.Binary(str(operator), left, right, self._span(children))

    power = binary

    def negate(self, children: list[Any]) -> syntax.Negate:
        return syntax.Negate(children[1], self._span(children))

    def compare(self, children: list[Any]) -> syntax.Compare:
        left, operator, right = children
        return syntax.Compare(str(operator), left, right, self._span(children))

    def logical(self, children: list[Any]) -> syntax.Logical:
        left, operator, right = children
        return syntax.Logical(str(operator), left, right, self._span(children))

    def not_(self, children: list[Any]) -> syntax.Not:
        return syntax.Not(children[1], self._span(children))

    def select(self, children: list[Any]) -> syntax.Select:
        return syntax.Select(children[1], children[3], children[5], self._span(children))

    def cast(self, children: list[Any]) -> syntax.Cast:
        return syntax.Cast(children[0], self._identifier(children[2]), self._span(children))

    def reduction(self, children: list[Any]) -> syntax.Reduction:
        axes = _axes(children[2])
        return syntax.Reduction(str(children[0]), axes, children[4], self._span(children))

    def unrolled_reduction(self, children: list[Any]) -> syntax.UnrolledReduction:
        operator, _, counter, _, count, _, value = children
        return syntax.UnrolledReduction(
            str(operator), self._identifier(counter), count, value, self._span(children)
        )

    def whole_axis(self, children: list[Any]) -> syntax.WholeAxis:
        return syntax.WholeAxis(self._span(children))

    def read(self, children: list[Any]) -> syntax.Read:
        return syntax.Read(children[0], children[2].items, None, self._span(children))

    def read_else(self, children: list[Any]) -> syntax.Read:
        return syntax.Read(children[0], children[2].items, children[4], self._span(children))

    def number(self, children: list[Token]) -> syntax.Number:
        text, span = str(children[0]), self.token_span(children[0])
        if len(text) > _NUMBER_DIGITS:
            message = f"a number of {len(text)} characters"
            hint = f"numbers have at most {_NUMBER_DIGITS} characters"
            raise spec_error(Code.LIMIT, message, span, hint)
        if not text.isdigit():
            return syntax.Number(float(text), span)
        value = int(text)
        if value >= limits.WHOLE_NUMBER:
            message = f"the whole number {value} is too large"
            raise spec_error(Code.LIMIT, message, span, "whole numbers are less than 2^63")
        return syntax.Number(value, span)

    def text(self, children: list[Token]) -> syntax.Text:
        value = str(children[0])[1:-1]
        if len(value) > limits.TEXT:
            message = f"a text of {len(value)} characters"
            hint = f"texts have at most {limits.TEXT}"
            raise spec_error(Code.LIMIT, message, self.token_span(children[0]), hint)
        return syntax.Text(value, self.token_span(children[0]))

    def name(self, children: list[Token]) -> syntax.Name:
        return syntax.Name(self._identifier(children[0]))

    def member(self, children: list[Any]) -> syntax.Member:
        subscripts = children[2].items
        return syntax.Member(self._identifier(children[0]), subscripts, self._span(children))

    def call(self, children: list[Any]) -> syntax.Call:
        arguments = children[2].items
        return syntax.Call(self._identifier(children[0]), arguments, self._span(children))

    def size(self, children: list[Token]) -> syntax.SizeOf:
        return syntax.SizeOf(self._identifier(children[1]), self._span(children))

    def list_literal(self, children: list[Any]) -> syntax.ListLiteral:
        entries = children[1].items if isinstance(children[1], Group) else ()
        return syntax.ListLiteral(entries, self._span(children))

    def list_for(self, children: list[Any]) -> syntax.ListFor:
        _, entry, _, counter, _, count, _ = children
        return syntax.ListFor(entry, self._identifier(counter), count, self._span(children))

    def parenthesis(self, children: list[Any]) -> syntax.Expression:
        inner: syntax.Expression = children[1]
        return inner


@dataclass(frozen=True, slots=True)
class _Placed:
    """Something that has no span of its own, with one."""

    value: Any
    span: Span


def _is_layout(child: Any) -> bool:
    return isinstance(child, Token) and child.type.startswith("_")


def _flatten(children: Sequence[Any]) -> tuple[syntax.Setting, ...]:
    """The settings of all lines."""
    lines = [child for child in children if isinstance(child, Group)]
    return tuple(setting.items[0] for line in lines for setting in line.items)


def _values(group: Group[_Placed]) -> tuple[Any, ...]:
    return tuple(item.value for item in group.items)


def _axes(group: Group[_Placed]) -> tuple[syntax.AxisName, ...]:
    return _values(group)


def _place(place: syntax.Place | syntax.Expression) -> syntax.Place:
    return place if isinstance(place, syntax.Place) else syntax.Place(place, None, place.span)
