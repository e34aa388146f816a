"""The syntax tree of a ``.lum`` file: what was written, with its place, and nothing inferred."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import assert_never

from lumc.diagnostics import Span


@dataclass(frozen=True, slots=True)
class Identifier:
    """A name where it stands."""

    text: str
    span: Span


# --- expressions


@dataclass(frozen=True, slots=True)
class Number:
    """A literal; without a point or exponent it is a whole number."""

    value: int | float
    span: Span


@dataclass(frozen=True, slots=True)
class Text:
    """A text in quotes; ``{name}``, ``{name+1}`` and ``{a|b}`` in it are not yet replaced."""

    value: str
    span: Span


@dataclass(frozen=True, slots=True)
class Name:
    """A name used as a value."""

    name: Identifier

    @property
    def span(self) -> Span:
        """Where the name stands."""
        return self.name.span


@dataclass(frozen=True, slots=True)
class Member:
    """``name{subscripts}``: a version, or an entry of a list."""

    name: Identifier
    subscripts: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class SizeOf:
    """``|name|``: the size of an index, or the length of a list."""

    name: Identifier
    span: Span


@dataclass(frozen=True, slots=True)
class ListLiteral:
    """``[a, b, c]``."""

    entries: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class ListFor:
    """``[entry for counter < count]``."""

    entry: Expression
    counter: Identifier
    count: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Binary:
    """``left operator right`` with one of ``+ - * / // % ^``."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Negate:
    """``-value``."""

    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Compare:
    """``left operator right`` with one of ``< <= > >= == !=``."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Logical:
    """``left operator right`` with ``and`` or ``or``."""

    operator: str
    left: Expression
    right: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Not:
    """``not value``."""

    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Select:
    """``if condition then value else other``."""

    condition: Expression
    value: Expression
    other: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Cast:
    """``value as stored``."""

    value: Expression
    stored: Identifier
    span: Span


@dataclass(frozen=True, slots=True)
class AxisName:
    """An index where it is bound, with the size that is demanded there."""

    name: Identifier
    size: Expression | None = None


@dataclass(frozen=True, slots=True)
class Reduction:
    """``sum[axes] value`` or ``max[axes] value``."""

    operator: str
    axes: tuple[AxisName, ...]
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class UnrolledReduction:
    """``sum{counter < count} value``: the reduction over a compile-time counter."""

    operator: str
    counter: Identifier
    count: Expression
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class WholeAxis:
    """``:`` as a subscript."""

    span: Span


@dataclass(frozen=True, slots=True)
class Read:
    """``base[subscripts]`` or ``base[subscripts else outside]``."""

    base: Expression
    subscripts: tuple[Expression | WholeAxis, ...]
    outside: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Call:
    """``name(arguments)``: a definition or a primitive."""

    name: Identifier
    arguments: tuple[Expression, ...]
    span: Span


Expression = (
    Number
    | Text
    | Name
    | Member
    | SizeOf
    | ListLiteral
    | ListFor
    | Binary
    | Negate
    | Compare
    | Logical
    | Not
    | Select
    | Cast
    | Reduction
    | UnrolledReduction
    | Read
    | Call
)


# --- statements


@dataclass(frozen=True, slots=True)
class TensorType:
    """``dtype[sizes]``; ``dtype`` alone is one number."""

    dtype: Identifier
    sizes: tuple[Expression, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Typed:
    """``name: dtype[sizes]``."""

    name: Identifier
    type: TensorType
    span: Span


@dataclass(frozen=True, slots=True)
class Place:
    """A place on the left: an index, index arithmetic or a computed place, with a given size."""

    value: Expression
    size: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class Target:
    """The left side: ``name{family}[places] as stored``."""

    name: Identifier
    family: tuple[Expression, ...] | None
    places: tuple[Place, ...] | None
    stored: Identifier | None
    span: Span


@dataclass(frozen=True, slots=True)
class Assignment:
    """``targets = value`` or, with places computed at run time, ``target = value else rest``."""

    targets: tuple[Target, ...]
    value: Expression
    rest: Expression | None
    span: Span


@dataclass(frozen=True, slots=True)
class WeightNames:
    """``names: dtype[sizes]`` within a weight statement."""

    names: tuple[Identifier, ...]
    type: TensorType


@dataclass(frozen=True, slots=True)
class WeightStatement:
    """``weight a, b: dtype[sizes] = "pattern"``."""

    groups: tuple[WeightNames, ...]
    pattern: Text
    span: Span


@dataclass(frozen=True, slots=True)
class IndexStatement:
    """``index a: size, b: size``."""

    axes: tuple[AxisName, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Let:
    """``let name = value``, of a file or of a definition."""

    name: Identifier
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Require:
    """``require condition``, of a file or of a definition."""

    condition: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class ForLoop:
    """``for counter < count: body``."""

    counter: Identifier
    count: Expression
    body: tuple[Statement, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class IfStatement:
    """``if condition: body else: other``."""

    condition: Expression
    body: tuple[Statement, ...]
    other: tuple[Statement, ...]
    span: Span


Statement = Assignment | WeightStatement | IndexStatement | Let | Require | ForLoop | IfStatement


# --- top-level items


@dataclass(frozen=True, slots=True)
class Setting:
    """``name = value`` in a configuration or after ``with``."""

    name: Identifier
    value: Expression


@dataclass(frozen=True, slots=True)
class Use:
    """``use file`` or ``use file with settings``."""

    name: Identifier
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class Param:
    """``param name = default``."""

    name: Identifier
    default: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class Config:
    """``config name from parent: settings``."""

    name: Identifier
    parent: Identifier | None
    settings: tuple[Setting, ...]
    span: Span


@dataclass(frozen=True, slots=True)
class NumberParameter:
    """``x``: one number, or an index."""

    name: Identifier

    def __str__(self) -> str:
        """As it stands in the text."""
        return self.name.text


@dataclass(frozen=True, slots=True)
class TensorParameter:
    """``x[i, j]``: a tensor of that rank."""

    name: Identifier
    axes: tuple[AxisName, ...]

    def __str__(self) -> str:
        """As it stands in the text, without demanded sizes."""
        return f"{self.name.text}[{', '.join(axis.name.text for axis in self.axes)}]"


@dataclass(frozen=True, slots=True)
class StaticParameter:
    """``x: int``, ``x: str`` or ``x: list``: known at compile time."""

    name: Identifier
    kind: Identifier

    def __str__(self) -> str:
        """As it stands in the text."""
        return f"{self.name.text}: {self.kind.text}"


Parameter = NumberParameter | TensorParameter | StaticParameter


@dataclass(frozen=True, slots=True)
class ShortDefinition:
    """``def name(parameters)[axes] as stored = value``."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    axes: tuple[AxisName, ...]
    stored: Identifier | None
    value: Expression
    span: Span


@dataclass(frozen=True, slots=True)
class LongDefinition:
    """``def name(parameters) -> results: body``."""

    name: Identifier
    parameters: tuple[Parameter, ...]
    results: tuple[Identifier, ...]
    body: tuple[Statement, ...]
    span: Span


Definition = ShortDefinition | LongDefinition


@dataclass(frozen=True, slots=True)
class Stage:
    """``stage name(inputs) -> outputs: body``."""

    name: Identifier
    inputs: tuple[Typed, ...]
    outputs: tuple[Typed, ...]
    body: tuple[Statement, ...]
    span: Span


Item = Use | Param | Let | Require | Config | Definition | Stage


def signature(definition: Definition) -> str:
    """``name(x[i], W[o, i])`` as it stands in the text."""
    return f"{definition.name.text}({', '.join(map(str, definition.parameters))})"


def children(expression: Expression | WholeAxis) -> tuple[Expression | WholeAxis, ...]:
    """The expressions directly inside ``expression``, in the order of the text."""
    match expression:
        case Number() | Text() | Name() | SizeOf() | WholeAxis():
            return ()
        case Member(subscripts=entries) | ListLiteral(entries=entries) | Call(arguments=entries):
            return entries
        case ListFor(entry, _, count):
            return (entry, count)
        case Binary() | Compare() | Logical():
            return (expression.left, expression.right)
        case Negate(value) | Not(value) | Cast(value):
            return (value,)
        case Select(condition, value, other):
            return (condition, value, other)
        case Reduction(_, axes, value):
            return (*(axis.size for axis in axes if axis.size is not None), value)
        case UnrolledReduction(_, _, count, value):
            return (count, value)
        case Read(base, subscripts, outside):
            return (base, *subscripts) if outside is None else (base, *subscripts, outside)
        case _:
            assert_never(expression)


def walk(*roots: Expression | WholeAxis | None) -> Iterator[Expression]:
    """Every expression at and below ``roots``, outermost first, in the order of the text."""
    stack = [root for root in reversed(roots) if root is not None]
    while stack:
        expression = stack.pop()
        if not isinstance(expression, WholeAxis):
            yield expression
        stack.extend(reversed(children(expression)))


def expressions_of(statement: Statement) -> Iterator[Expression]:
    """The expressions that stand in ``statement`` itself, without those of nested statements."""
    match statement:
        case Assignment(targets, value, rest):
            for target in targets:
                yield from target.family or ()
                for place in target.places or ():
                    yield place.value
                    if place.size is not None:
                        yield place.size
            yield value
            if rest is not None:
                yield rest
        case WeightStatement(groups, pattern):
            for group in groups:
                yield from group.type.sizes
            yield pattern
        case IndexStatement(axes):
            yield from (axis.size for axis in axes if axis.size is not None)
        case Let(_, value):
            yield value
        case Require(condition) | IfStatement(condition):
            yield condition
        case ForLoop(_, count):
            yield count
        case _:
            assert_never(statement)


def statements_of(body: tuple[Statement, ...]) -> Iterator[Statement]:
    """Every statement of ``body``, nested ones after the one that holds them."""
    for statement in body:
        yield statement
        match statement:
            case ForLoop(body=inner):
                yield from statements_of(inner)
            case IfStatement(_, inner, other):
                yield from statements_of(inner)
                yield from statements_of(other)
            case _:
                pass
