"""A neighbourhood of a saturated e-graph as a drawing, in the author's names."""

from __future__ import annotations

from collections import deque
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from lumc.dsl.index_expression import render
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    ApplyOf,
    AttendOf,
    ConvertOf,
    GatherOf,
    IndexAt,
    LiteralOf,
    LoadOf,
    ProductOf,
    ReducedOf,
    read_alternatives,
)
from lumc.lowering.constant_tables import make_tables
from lumc.lowering.encode import encode
from lumc.lowering.explicit_conversions import make_conversions_explicit
from lumc.lowering.layouts import choose_orders
from lumc.lowering.narrow import narrow
from lumc.lowering.outline import outline
from lumc.lowering.prepared import split_prepared
from lumc.lowering.saturate import saturate
from lumc.lowering.scatter_sums import reduce_scatter_sums

LARGEST_DRAWING = 60
"""Classes that are drawn, nearest first, when nothing else is asked."""


@dataclass(frozen=True, slots=True)
class Drawing:
    """Dot text, and how many classes it shows of how many."""

    dot: str
    shown: int
    classes: int
    labels: tuple[str, ...]
    """The author's names that a drawing can be around."""


@dataclass(slots=True)
class _Part:
    """One segment's e-graph, with the program's names of its nodes."""

    program: TensorProgram
    nodes: tuple[int, ...]
    source: Alternatives

    def label(self, node: int) -> str:
        found = self.program.nodes[self.nodes[node]]
        if isinstance(found, Input | Weight):
            return found.name
        return found.origin.label

    def place(self, node: int) -> str:
        span = self.program.nodes[self.nodes[node]].origin.span
        return span.short if span is not None else ""


def draw(program: TensorProgram, around: str | None = None, most: int = LARGEST_DRAWING) -> Drawing:
    """The e-classes of ``program`` nearest to the value called ``around``, else to the outputs.

    Boxes are classes with their alternatives; an arrow leads to what an alternative is made of.
    Only what is computed each step is drawn, segments that repeat once.
    """
    parts = list(_parts(program))
    labels = tuple(sorted({part.label(n) for part in parts for n in range(len(part.nodes))} - {""}))
    lines: list[str] = []
    shown = 0
    for number, part in enumerate(parts):
        starts = _starts(part, around)
        near = _nearest(part.source, starts, most - shown)
        shown += len(near)
        lines += _drawn(part, near, number)
    body = "\n".join(lines)
    head = 'digraph egraph {\n  rankdir=BT;\n  node [shape=record, fontname="monospace"];\n'
    total = sum(len(part.source.classes) for part in parts)
    return Drawing(f"{head}{body}\n}}\n", shown, total, labels)


def _parts(program: TensorProgram) -> Iterator[_Part]:
    program = reduce_scatter_sums(make_conversions_explicit(narrow(program)))
    program, _ = make_tables(program)
    every = split_prepared(program).every
    outlined = outline(every, choose_orders(every))
    drawn: set[int] = set()
    for call in outlined.calls:
        if call.segment not in drawn:
            drawn.add(call.segment)
            encoding = encode(outlined.segments[call.segment].program)
            saturate(encoding)
            yield _Part(every, call.nodes, read_alternatives(encoding))


def _starts(part: _Part, around: str | None) -> list[int]:
    """The classes to begin at: reads of values of that name, or what nothing else is made of."""
    source = part.source
    if around is None:
        used = {n for found in source.classes.values() for a in found for n in children_of(a)}
        return sorted(n for n in source.classes if n not in used)
    return sorted(
        number for (tensor, _), number in source.loads.items() if part.label(tensor) == around
    )


def _nearest(source: Alternatives, starts: Sequence[int], most: int) -> list[int]:
    """Up to ``most`` classes, breadth first, along arrows in both directions."""
    users: dict[int, list[int]] = {}
    for number, alternatives in source.classes.items():
        for child in dict.fromkeys(c for a in alternatives for c in children_of(a)):
            users.setdefault(child, []).append(number)
    found: dict[int, None] = {}
    waiting = deque(starts)
    while waiting and len(found) < most:
        number = waiting.popleft()
        if number in found:
            continue
        found[number] = None
        waiting += (c for a in source.classes[number] for c in children_of(a))
        waiting += users.get(number, ())
    return list(found)


def _drawn(part: _Part, near: Sequence[int], segment: int) -> Iterator[str]:
    names = {number: f"s{segment}c{number}" for number in near}
    for number in near:
        alternatives = part.source.classes[number]
        fields = "|".join(f"<a{n}> {_escaped(_text(part, a))}" for n, a in enumerate(alternatives))
        yield f'  {names[number]} [label="{{{fields}}}"];'
        for n, alternative in enumerate(alternatives):
            for child in dict.fromkeys(children_of(alternative)):
                if child in names:
                    yield f"  {names[child]} -> {names[number]}:a{n};"


def children_of(alternative: Alternative) -> tuple[int, ...]:
    """The classes that an alternative is made of, of its own space and of others."""
    match alternative:
        case ApplyOf(_, operands):
            return operands
        case ConvertOf(_, operand):
            return (operand,)
        case GatherOf(_, _, indices):
            return indices
        case ReducedOf():
            return (alternative.body,)
        case ProductOf():
            return alternative.left, alternative.right
        case AttendOf():
            return alternative.score, alternative.value
        case _:
            return ()


def _text(part: _Part, alternative: Alternative) -> str:
    source = part.source
    match alternative:
        case LoadOf(tensor, view):
            return f"{_named(part, tensor)}[{_map(source, view)}]"
        case GatherOf(tensor, view, _):
            return f"gather {_named(part, tensor)}[{_map(source, view)}]"
        case LiteralOf(_, value):
            return f"{value:g}"
        case IndexAt(view):
            return f"index {_map(source, view)}"
        case ApplyOf(op):
            return str(op)
        case ConvertOf(dtype):
            return f"as {dtype}"
        case ReducedOf(op):
            return f"{op} along {_sizes(source, alternative.space, alternative.count)}"
        case ProductOf(space, count):
            return f"product over {_sizes(source, space, count)}"
        case AttendOf(space, count):
            return f"attention over {_sizes(source, space, count)}"
        case _:
            return type(alternative).__name__


def _named(part: _Part, node: int) -> str:
    label, place = part.label(node), part.place(node)
    return f"{label or 'value'} ({place})" if place else label or "value"


def _map(source: Alternatives, view: int) -> str:
    found = source.views.views[view]
    names = [f"i{n}" for n in range(len(source.views.spaces[found.space].sizes))]
    return ", ".join(render(entry, names) for entry in found.map)


def _sizes(source: Alternatives, space: int, count: int) -> str:
    sizes = source.views.spaces[space].sizes
    return "×".join(map(str, sizes[len(sizes) - count :]))


_SPECIAL = str.maketrans({c: f"\\{c}" for c in '{}|<>"\\'} | {"\n": " ", "\r": " "})


def _escaped(text: str) -> str:
    return text.translate(_SPECIAL)
