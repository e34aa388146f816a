"""Maps from the names in a checkpoint to the names of a spec, as data.

A map is a TOML file in ``names/``; ``docs/bring_your_own_model.md`` describes the format. A tensor
of the spec is made of pieces of the checkpoint's tensors: whole ones or parts of their rows,
joined, with axes of size 1 dropped and the rest put into another order.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Collection, Iterable, Iterator, Mapping
from dataclasses import dataclass, field
from functools import cache
from importlib.resources import files
from itertools import pairwise
from typing import Any

from lumc.runtime.pipelines.config_files import folder_error

_PART = re.compile(r"(.*)\[(\d+)(?::(\d+))?/(\d+)\]")
_FIELD = re.compile(r"\{([^{}]*)\}")
_VARIABLE = re.compile(r"(?:(\w+)-)?([a-z]\w*)(\.\.\.)?")
_KEYS = {"to", "from", "axis", "drop", "axes"}


@dataclass(frozen=True, slots=True)
class Piece:
    """A tensor of a checkpoint, or rows ``first/parts`` up to ``end/parts`` of it."""

    name: str
    first: int = 0
    end: int = 1
    parts: int = 1

    def __str__(self) -> str:
        """As a map says it."""
        if self.parts == 1:
            return self.name
        many = f"{self.first}:{self.end}" if self.end > self.first + 1 else f"{self.first}"
        return f"{self.name}[{many}/{self.parts}]"


@dataclass(frozen=True, slots=True)
class Recipe:
    """How a tensor is made: pieces joined along ``axis``, axes dropped, the rest reordered."""

    pieces: tuple[Piece, ...]
    axis: int = 0
    drop: tuple[int, ...] = ()
    axes: tuple[int, ...] = ()

    def __str__(self) -> str:
        """The pieces, as a map says them."""
        return " + ".join(map(str, self.pieces))


@dataclass(frozen=True, slots=True)
class _Rule:
    """One line of names, without alternatives."""

    target: str
    sources: tuple[str, ...]
    shaping: Mapping[str, Any]

    def recipe(self, values: Mapping[str, str]) -> Recipe:
        return Recipe(tuple(_piece(_filled(one, values)) for one in self.sources), **self.shaping)


@dataclass(frozen=True, slots=True)
class NameMap:
    """A map that was read. ``entries`` are its tables, each with one rule per alternative."""

    name: str
    recognised_by: str
    prefixes: tuple[str, ...]
    last: Mapping[str, str]
    entries: tuple[tuple[_Rule, ...], ...] = field(repr=False)

    def prefix_in(self, names: Collection[str]) -> str | None:
        """What stands before all names of a checkpoint that this map is for; None: it is not."""
        for prefix in self.prefixes:
            if any(has_form(prefix + self.recognised_by, name) for name in names):
                return prefix
        return None

    def recipes(self, names: Collection[str]) -> dict[str, Recipe]:
        """The spec's tensors that can be made of ``names`` (without prefix), by the spec's name.

        A name is read by the first entry that it fits; one that fits none keeps its name.
        """
        last = self._last_numbers(names)
        there, left = set(names), dict.fromkeys(names)
        made = {}
        for entry in self.entries:
            read = set()
            for rule in entry:
                for values in _bindings(rule.sources[0], left):
                    recipe = rule.recipe(values)
                    read |= {piece.name for piece in recipe.pieces}
                    if all(piece.name in there for piece in recipe.pieces):
                        made[_filled(rule.target, values, last)] = recipe
            left = {name: None for name in left if name not in read}
        return {**{name: Recipe((Piece(name),)) for name in left}, **made}

    def recipe_for(self, target: str, names: Collection[str]) -> Recipe | None:
        """How the spec's tensor ``target`` is made in a checkpoint of this map, there or not.

        Args:
            target: A name of the spec.
            names: Those of the checkpoint: the numbers that are counted from are taken from them.
        """
        last = self._last_numbers(names)
        for rule in (rule for entry in self.entries for rule in entry):
            values = _matched(rule.target, target, last)
            if values is not None:
                return rule.recipe(values)
        return None

    def _last_numbers(self, names: Collection[str]) -> dict[str, int]:
        """The greatest number in the names of each form in ``last``."""
        return {
            key: max((int(values["n"]) for values in _bindings(form, names)), default=0)
            for key, form in self.last.items()
        }


def read_name_map(name: str) -> NameMap:
    """The map ``names/NAME.toml`` of this package."""
    place = files("lumc.runtime.pipelines") / "names" / f"{name}.toml"
    return parse_name_map(name, place.read_text(encoding="utf-8"))


def has_form(form: str, name: str) -> bool:
    """Whether ``name`` is ``form`` for some values of its variables."""
    return _matched(form, name) is not None


def parse_name_map(name: str, text: str) -> NameMap:
    """A map from its text; ``name`` is what messages call it.

    Raises:
        ModelFolderError: the text is no map.
    """
    try:
        content = tomllib.loads(text)
        last = content.get("last", {})
        entries = tuple(tuple(_rules(entry, last)) for entry in content.get("tensor", ()))
        return NameMap(
            name,
            content["recognised_by"],
            ("", *content.get("prefixes", ())),
            last,
            entries,
        )
    except (tomllib.TOMLDecodeError, KeyError, TypeError, ValueError) as error:
        reason = f"{error} is missing" if isinstance(error, KeyError) else str(error)
        raise folder_error(f"name map {name} can't be used: {reason}") from None


def _rules(entry: Mapping[str, Any], last: Mapping[str, str]) -> Iterator[_Rule]:
    """An entry's rules: one for each of the alternatives ``{a|b}``, which go in step."""
    if unknown := set(entry) - _KEYS:
        raise ValueError(f"a tensor has no {min(unknown)}")
    sources = [entry["from"]] if isinstance(entry["from"], str) else list(entry["from"])
    shaping = {
        "axis": int(entry.get("axis", 0)),
        "drop": tuple(entry.get("drop", ())),
        "axes": tuple(entry.get("axes", ())),
    }
    texts = [entry["to"], *sources]
    counts = {len(found[1].split("|")) for text in texts for found in _alternatives(text)}
    if len(counts) > 1:
        raise ValueError(f"the alternatives of {entry['to']} differ in number")
    for number in range(max(counts, default=1)):
        target, *chosen = (_choose(text, number) for text in texts)
        _require_values(target, tuple(chosen), last)
        yield _Rule(target, tuple(chosen), shaping)


def _require_values(target: str, sources: tuple[str, ...], last: Mapping[str, str]) -> None:
    """The first source gives all variables their values."""
    known = {_variable(found[1])[1] for found in _FIELD.finditer(_piece(sources[0]).name)}
    for text in (target, *sources):
        for found in _FIELD.finditer(_piece(text).name):
            minuend, name, _ = _variable(found[1])
            if name not in known:
                raise ValueError(f"{name} in {text} has no value")
            if minuend is not None and minuend not in last:
                raise ValueError(f"{minuend} in {text} has no value")


def _alternatives(text: str) -> Iterator[re.Match[str]]:
    return (found for found in _FIELD.finditer(text) if "|" in found[1])


def _choose(text: str, number: int) -> str:
    return _FIELD.sub(
        lambda found: found[1].split("|")[number] if "|" in found[1] else found[0], text
    )


def _piece(text: str) -> Piece:
    found = _PART.fullmatch(text)
    if found is None:
        return Piece(text)
    name, first, end, parts = found[1], int(found[2]), found[3], int(found[4])
    piece = Piece(name, first, first + 1 if end is None else int(end), parts)
    if not piece.first < piece.end <= piece.parts:
        raise ValueError(f"{text} is not a part")
    return piece


def _filled(form: str, values: Mapping[str, str], last: Mapping[str, int] | None = None) -> str:
    """``form`` with values for its variables; ``{last-n}`` counts from the end."""

    def value(found: re.Match[str]) -> str:
        minuend, name, _ = _variable(found[1])
        if minuend is None:
            return values[name]
        return str((last or {})[minuend] - int(values[name]))

    return _FIELD.sub(value, form)


def _matched(form: str, name: str, last: Mapping[str, int] | None = None) -> dict[str, str] | None:
    """The values of the variables for which ``form`` is ``name``, or None."""
    expression, minuends = _expression(form)
    found = re.fullmatch(expression, name)
    if found is None:
        return None
    values = found.groupdict()
    for variable, minuend in minuends.items():
        values[variable] = str((last or {})[minuend] - int(values[variable]))
    return values


@cache
def _expression(form: str) -> tuple[str, dict[str, str]]:
    """A regular expression for ``form``, and what its variables are subtracted from."""
    parts, minuends = [], {}
    bounds = [0, *(edge for found in _FIELD.finditer(form) for edge in found.span()), len(form)]
    for number, (start, end) in enumerate(pairwise(bounds)):
        if number % 2 == 0:
            parts.append(re.escape(form[start:end]))
            continue
        minuend, name, rest = _variable(form[start + 1 : end - 1])
        parts.append(f"(?P<{name}>.+)" if rest else rf"(?P<{name}>\d+)")
        if minuend is not None:
            minuends[name] = minuend
    return "".join(parts), minuends


def _variable(text: str) -> tuple[str | None, str, bool]:
    """``n``, ``last-n`` or ``rest...`` as what it is subtracted from, its name, whether a text."""
    found = _VARIABLE.fullmatch(text)
    if found is None:
        raise ValueError(f"{{{text}}} is neither a variable nor alternatives")
    return found[1], found[2], found[3] is not None


def _bindings(source: str, names: Iterable[str]) -> Iterator[dict[str, str]]:
    """The values of the variables for each of ``names`` that has the form of ``source``."""
    form = _piece(source).name
    return (values for name in names if (values := _matched(form, name)) is not None)
