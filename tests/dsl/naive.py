"""A second, naive meaning of the language: each statement, element by element, in plain Python.

It shares nothing with elaboration but the syntax tree: no nodes, no index algebra, no folding. A
read outside a tensor without ``else`` fails here, unless a choice keeps it from being done. It
knows as much of the language as the random specs use.
"""

from __future__ import annotations

import itertools
import math
from collections.abc import Callable, Iterable, Iterator, Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Source
from lumc.dsl import syntax_tree as syntax
from lumc.dsl.dtypes import DType
from lumc.dsl.parser import parse_file

Array = npt.NDArray[Any]
Names = dict[Any, Any]
"""Values by name, versions by (name, number), pieces as dictionaries from place to value."""

_FUNCTIONS: dict[str, Callable[[float], float]] = {
    "sqrt": math.sqrt,
    "exp2": lambda x: 2.0**x,
    "log2": math.log2,
    "sin": math.sin,
}
_BINARY: dict[str, Callable[[Any, Any], Any]] = {
    "+": lambda x, y: x + y,
    "-": lambda x, y: x - y,
    "*": lambda x, y: x * y,
    "/": lambda x, y: x / y,
    "//": lambda x, y: x // y,
    "%": lambda x, y: x % y,
    "^": lambda x, y: x**y,
    "<": lambda x, y: x < y,
    "<=": lambda x, y: x <= y,
    ">": lambda x, y: x > y,
    ">=": lambda x, y: x >= y,
    "==": lambda x, y: x == y,
    "!=": lambda x, y: x != y,
}


def interpret(text: str, stage: str, tensors: Mapping[str, Array]) -> dict[str, Array]:
    """The outputs of a stage; ``tensors`` are its inputs and weights by name."""
    items = parse_file(Source("naive", text)).items
    definitions = {d.name.text: d for d in items if isinstance(d, syntax.LongDefinition)}
    found = next(s for s in items if isinstance(s, syntax.Stage) and s.name.text == stage)
    names: Names = {t.name.text: tensors[t.name.text].astype(object) for t in found.inputs}
    scope = _Scope(definitions, tensors, names, {})
    scope.run(found.body)
    return {
        typed.name.text: _stored(scope.tensor(typed.name.text), typed.type.dtype.text)
        for typed in found.outputs
    }


def _stored(value: Any, dtype: str) -> Array:
    array = np.asarray(value)
    wide = np.float64 if DType(dtype).is_float else np.int64
    return array.astype(wide).astype(DType(dtype).numpy)


class _Scope:
    """The names of one definition, and the sizes of its indices."""

    def __init__(
        self,
        definitions: Mapping[str, syntax.LongDefinition],
        tensors: Mapping[str, Array],
        names: Names,
        sizes: dict[str, int],
    ) -> None:
        self._definitions = definitions
        self._tensors = tensors
        self._names = names
        self._sizes = sizes

    def tensor(self, name: Any) -> Any:
        """A value; pieces become an array, which must have no hole."""
        value = self._names[name]
        if isinstance(value, dict):
            shape = tuple(max(axis) + 1 for axis in zip(*value, strict=True))
            assert len(value) == math.prod(shape), f"{name} has a hole"
            whole = np.empty(shape, object)
            for place, element in value.items():
                whole[place] = element
            return whole
        return value

    # --- statements

    def run(self, body: Iterable[syntax.Statement]) -> None:
        for statement in body:
            match statement:
                case syntax.WeightStatement(groups, pattern):
                    name = groups[0].names[0].text
                    self._names[name] = self._tensors[pattern.value].astype(object)
                case syntax.ForLoop(counter, count, inner):
                    for number in range(self.value(count, {})):
                        self._names[counter.text] = number
                        self.run(inner)
                        del self._names[counter.text]
                case syntax.Assignment():
                    self._assign(statement)
                case _:
                    raise AssertionError(f"no meaning for {type(statement).__name__}")

    def _assign(self, statement: syntax.Assignment) -> None:
        (target,) = statement.targets
        key: Any = target.name.text
        if target.family is not None:
            key = (key, self.value(target.family[0], {}))
        if target.places is None:
            self._names[key] = self.value(statement.value, {})
            return
        names = self._left_indices(target)
        sizes = {name: self._size(name, statement) for name in names}
        if statement.rest is not None:
            self._names[key] = self._written(statement, target, sizes)
            return
        cells = self._names.setdefault(key, {})
        for point in _points(sizes):
            value = self.value(statement.value, point)
            if target.stored is not None:
                value = _cast(value, target.stored.text)
            place = tuple(self.value(one.value, point) for one in target.places)
            for rest in np.ndindex(np.shape(value)):
                assert place + rest not in cells, f"{key}{place + rest} is defined twice"
                cells[place + rest] = value[rest] if rest else value

    def _left_indices(self, target: syntax.Target) -> list[str]:
        names: list[str] = []
        for place in target.places or ():
            for part in syntax.walk(place.value):
                if isinstance(part, syntax.Name) and part.name.text not in self._names:
                    names.append(part.name.text)
            if place.size is not None and isinstance(place.value, syntax.Name):
                self._sizes[place.value.name.text] = self.value(place.size, {})
        return list(dict.fromkeys(names))

    def _size(self, name: str, *within: Any) -> int:
        """The size of an index: stated, or that of an axis that it indexes bare."""
        if name in self._sizes:
            return self._sizes[name]
        for expression in _all_expressions(*within):
            if isinstance(expression, syntax.Read) and isinstance(
                expression.base, syntax.Name | syntax.Member
            ):
                shape = np.shape(self.value(expression.base, {}))
                for subscript, size in zip(expression.subscripts, shape, strict=False):
                    if isinstance(subscript, syntax.Name) and subscript.name.text == name:
                        return int(size)
        raise AssertionError(f"no size for {name}")

    def _written(
        self, statement: syntax.Assignment, target: syntax.Target, sizes: dict[str, int]
    ) -> Array:
        assert statement.rest is not None
        assert target.places is not None
        shape = [
            self.value(place.size, {}) if place.size is not None else sizes[place.value.name.text]  # type: ignore[union-attr]
            for place in target.places
        ]
        result = np.full(shape, self.value(statement.rest, {}), object)
        combine: Callable[[Any, Any], Any] = lambda old, new: new  # noqa: E731
        value = statement.value
        if isinstance(value, syntax.Reduction):
            combine = _BINARY["+"] if value.operator == "sum" else max
            value = value.value
        for point in _points(sizes):
            place = tuple(self.value(one.value, point) for one in target.places)
            if all(0 <= index < size for index, size in zip(place, shape, strict=True)):
                result[place] = combine(result[place], self.value(value, point))
        return result

    # --- expressions

    def value(self, expression: syntax.Expression, point: Mapping[str, int]) -> Any:
        """An expression where the indices have the values of ``point``."""
        match expression:
            case syntax.Number(value):
                return value
            case syntax.Name(name):
                if name.text == "inf":
                    return math.inf
                return point[name.text] if name.text in point else self.tensor(name.text)
            case syntax.Member(name, subscripts):
                return self.tensor((name.text, self.value(subscripts[0], point)))
            case syntax.SizeOf(name):
                return self._sizes[name.text]
            case syntax.Negate(inner):
                return -self.value(inner, point)
            case syntax.Not(inner):
                return not self.value(inner, point)
            case syntax.Logical(operator, left, right):
                if operator == "and":
                    return self.value(left, point) and self.value(right, point)
                return self.value(left, point) or self.value(right, point)
            case syntax.Binary(operator, left, right) | syntax.Compare(operator, left, right):
                return _BINARY[operator](self.value(left, point), self.value(right, point))
            case syntax.Select(condition, value, other):
                return self.value(value if self.value(condition, point) else other, point)
            case syntax.Cast(inner, stored):
                return _cast(self.value(inner, point), stored.text)
            case syntax.Reduction():
                return self._reduce(expression, point)
            case syntax.Read():
                return self._read(expression, point)
            case syntax.Call():
                return self._call(expression, point)
            case _:
                raise AssertionError(f"no meaning for {type(expression).__name__}")

    def _reduce(self, expression: syntax.Reduction, point: Mapping[str, int]) -> Any:
        sizes: dict[str, int] = {}
        for axis in expression.axes:
            name = axis.name.text
            given = axis.size
            sizes[name] = self._size(name, expression) if given is None else self.value(given, {})
        values = [self.value(expression.value, {**point, **inner}) for inner in _points(sizes)]
        if expression.operator == "max":
            return max(values)
        return sum(values) if all(isinstance(v, int) for v in values) else math.fsum(values)

    def _read(self, expression: syntax.Read, point: Mapping[str, int]) -> Any:
        base = self.value(expression.base, point)
        place = tuple(
            self.value(subscript, point)
            for subscript in expression.subscripts
            if not isinstance(subscript, syntax.WholeAxis)
        )
        if all(0 <= index < size for index, size in zip(place, base.shape, strict=False)):
            return base[place]
        assert expression.outside is not None, f"{expression.span} reads {place} of {base.shape}"
        return self.value(expression.outside, point)

    def _call(self, expression: syntax.Call, point: Mapping[str, int]) -> Any:
        name = expression.name.text
        arguments = [self.value(argument, point) for argument in expression.arguments]
        if name in _FUNCTIONS:
            return _FUNCTIONS[name](arguments[0])
        if name == "max":
            return max(arguments)
        definition = self._definitions[name]
        inner = _Scope(self._definitions, self._tensors, {}, {})
        for parameter, argument in zip(definition.parameters, arguments, strict=True):
            inner._names[parameter.name.text] = argument
            if isinstance(parameter, syntax.TensorParameter):
                axes = (axis.name.text for axis in parameter.axes)
                inner._sizes.update(zip(axes, np.shape(argument), strict=True))
        inner.run(definition.body)
        return inner.tensor(definition.results[0].text)


def _points(sizes: Mapping[str, int]) -> Iterator[dict[str, int]]:
    for values in itertools.product(*(range(size) for size in sizes.values())):
        yield dict(zip(sizes, values, strict=True))


def _all_expressions(*within: Any) -> Iterator[syntax.Expression]:
    for one in within:
        roots = syntax.expressions_of(one) if isinstance(one, syntax.Assignment) else (one,)
        yield from syntax.walk(*roots)


def _cast(value: Any, dtype: str) -> Any:
    stored = DType(dtype)
    if stored is DType.BOOL:
        return bool(value)
    if not stored.is_float:
        return int(value)
    return float(np.asarray(float(value)).astype(np.float32).astype(stored.numpy))
