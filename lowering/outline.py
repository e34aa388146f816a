"""A program cut into calls of segments, so that structure that repeats is optimised once.

The rounds of a loop in the text are candidates: rounds that are equal up to the tensors they touch
become one segment that is called with different tensors. What stands between them goes into
segments of its own. A segment is a tensor program whose inputs are everything it reads, so that
equal ones compare equal.
"""

from __future__ import annotations

import dataclasses
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field

from lumc.dsl.dtypes import DType
from lumc.dsl.reference import constant_nodes
from lumc.dsl.tensor_program import (
    Input,
    Node,
    Operand,
    Output,
    Place,
    TensorProgram,
    Weight,
    operands,
)
from lumc.lowering.layouts import Order
from lumc.lowering.memory import Segment, stored_dtypes
from lumc.lowering.rewriting import identity, with_nodes


@dataclass(frozen=True, slots=True)
class Call:
    """Segment ``segment`` run on tensors of the program: nodes, or ``~n`` for output ``n``.

    ``nodes`` gives the program's node for each node of the segment.
    """

    segment: int
    inputs: tuple[int, ...]
    outputs: tuple[int, ...]
    nodes: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Outline:
    """The distinct segments of a program, and the calls that compute its outputs, in order.

    ``output_of`` are the nodes that stand in the buffer of an output, with the output's number.
    """

    segments: tuple[Segment, ...]
    calls: tuple[Call, ...]
    output_of: dict[int, int]


def outline(program: TensorProgram, orders: Sequence[Order]) -> Outline:
    """Cut ``program`` into calls of segments; ``orders`` are those of the nodes in memory."""
    live = _live(program)
    shared = _shared(program)
    groups = _groups(program, live, shared)
    while True:
        places = _places(program, live, groups, shared)
        if isinstance(places, dict):
            return _cut(program, live, places, orders, shared)
        groups = places.groups


def _live(program: TensorProgram) -> list[int]:
    """The nodes that outputs depend on, in order."""
    found: set[int] = set()
    stack = [output.operand.node for output in program.outputs]
    while stack:
        number = stack.pop()
        if number not in found:
            found.add(number)
            stack += [operand.node for operand, _ in operands(program.nodes[number])]
    return sorted(found)


def _shared(program: TensorProgram) -> list[bool]:
    """For each node whether any segment may have it as its own.

    What is in memory is, and what depends on indices alone, which costs next to nothing.
    """
    constant = constant_nodes(program)
    return [
        isinstance(node, Input | Weight) or constant[number]
        for number, node in enumerate(program.nodes)
    ]


# ---------------------------------------------------------------------------------------- grouping

_ROUND = re.compile(r"([A-Za-z_][A-Za-z_0-9]*)=\d+")

SMALLEST_SEGMENT = 16
"""Nodes of a round that is worth a segment of its own."""

Group = tuple[str | int, ...]


def _groups(
    program: TensorProgram, live: Sequence[int], shared: Sequence[bool]
) -> dict[int, Group]:
    """The loop round that each node belongs to: the innermost that has an equal sibling."""
    found: dict[int, Group] = {}
    own = [n for n in live if not shared[n]]
    paths = [_rounds(program.nodes[n].origin.path) for n in own]
    for depth in reversed(range(max(map(len, paths), default=0))):
        members: dict[Group, list[int]] = {}
        for number, group in zip(own, _rounds_at(paths, depth), strict=True):
            if group is not None and number not in found:
                members.setdefault(group, []).append(number)
        shapes = {group: _shape(program, numbers) for group, numbers in members.items()}
        counts = Counter(shapes.values())
        for group, numbers in members.items():
            if counts[shapes[group]] > 1 and len(numbers) >= SMALLEST_SEGMENT:
                found |= dict.fromkeys(numbers, group)
    return found


def _rounds(path: tuple[str, ...]) -> tuple[tuple[str, ...], ...]:
    """The beginnings of ``path`` that end in a loop round, outermost first."""
    return tuple(path[: n + 1] for n, step in enumerate(path) if _ROUND.fullmatch(step))


def _rounds_at(paths: Sequence[tuple[tuple[str, ...], ...]], depth: int) -> Iterator[Group | None]:
    """For each node in order its round at ``depth``, with a number that tells loops apart.

    Two loops may have the same counter, but the rounds of one come one after the other.
    """
    current: dict[tuple[str, ...], str] = {}
    count = 0
    for rounds in paths:
        if depth >= len(rounds):
            yield None
            continue
        *outer, step = rounds[depth]
        loop = (*outer, step.split("=")[0])
        if current.get(loop) != step:
            current[loop] = step
            count += 1
        yield (*rounds[depth], count)


def _shape(program: TensorProgram, numbers: Sequence[int]) -> int:
    """A number that equal groups of nodes share."""
    local = {number: place for place, number in enumerate(numbers)}
    outside: dict[int, int] = {}

    def place(number: int) -> int:
        if number in local:
            return local[number]
        return -1 - outside.setdefault(number, len(outside))

    nodes = tuple(with_nodes(program.nodes[n], place) for n in numbers)
    return hash(nodes)


# ------------------------------------------------------------------------------------------- order


@dataclass(frozen=True, slots=True)
class _Regrouped:
    """Groups that have to be tried instead."""

    groups: dict[int, Group]


def _places(
    program: TensorProgram,
    live: Sequence[int],
    groups: dict[int, Group],
    shared: Sequence[bool],
) -> dict[int, int] | _Regrouped:
    """For each node the place of its segment in the order: even for groups, odd between them.

    A group whose results come back to it by way of other nodes takes those nodes in; groups that
    need each other are given up.
    """
    order = list(dict.fromkeys(groups[n] for n in live if n in groups))
    place_of = {prefix: 2 * (n + 1) for n, prefix in enumerate(order)}
    places: dict[int, int] = {}
    for number in live:
        node = program.nodes[number]
        if shared[number]:
            continue
        needed = [places[o.node] for o, _ in operands(node) if o.node in places]
        if number not in groups:
            places[number] = max((p | 1 for p in needed), default=1)
            continue
        own = place_of[groups[number]]
        late = [o.node for o, _ in operands(node) if places.get(o.node, 0) > own]
        if late:
            return _regroup(groups, groups[number], late, places, own)
        places[number] = own
    return places


def _regroup(
    groups: dict[int, Group],
    prefix: Group,
    late: Sequence[int],
    places: dict[int, int],
    own: int,
) -> _Regrouped:
    if all(places[n] == own + 1 and n not in groups for n in late):
        between = {n: prefix for n, place in places.items() if place == own + 1}
        return _Regrouped(groups | between)
    return _Regrouped({n: p for n, p in groups.items() if p != prefix})


# ----------------------------------------------------------------------------------------- cutting


@dataclass(slots=True)
class _Segment:
    """A segment while it is cut: its nodes and what they are called inside."""

    nodes: list[Node] = field(default_factory=list)
    inputs: list[int] = field(default_factory=list)
    originals: list[int] = field(default_factory=list)
    numbers: dict[int, int] = field(default_factory=dict)

    def add(self, number: int, node: Node) -> int:
        """Take ``node`` in as what the program calls ``number``."""
        self.numbers[number] = len(self.nodes)
        self.nodes.append(node)
        self.originals.append(number)
        return self.numbers[number]


def _cut(
    program: TensorProgram,
    live: Sequence[int],
    places: dict[int, int],
    orders: Sequence[Order],
    shared: Sequence[bool],
) -> Outline:
    members: dict[int, list[int]] = {}
    for number, place in places.items():
        members.setdefault(place, []).append(number)
    last = max(members, default=1) | 1
    homes = _output_places(program, places, last)
    dtypes = stored_dtypes(program)
    read_elsewhere = {
        operand.node
        for number in places
        for operand, _ in operands(program.nodes[number])
        if operand.node in places and places[operand.node] != places[number]
    }
    own_buffer = _output_buffers(program, dtypes, shared)
    # An output's buffer lies as it is declared, whoever else reads it.
    orders = [
        tuple(range(len(order))) if number in own_buffer else order
        for number, order in enumerate(orders)
    ]
    calls = []
    segments: dict[Segment, int] = {}
    moved: set[int] = set()
    for place in sorted({*members, *homes.values()}):
        segment = _Segment()
        for number in sorted(members.get(place, ())):
            _take(program, dtypes, segment, places, number, place)
        outputs: list[Output] = []
        bound: list[int] = []
        for number in sorted(members.get(place, ())):
            if number in read_elsewhere and number not in own_buffer:
                outputs.append(_export(program, segment, dtypes, number))
                bound.append(number)
        for index, output in enumerate(program.outputs):
            if homes[index] == place:
                inner = _inside(program, dtypes, segment, places, output.operand.node, place)
                operand = Operand(inner, output.operand.map)
                outputs.append(dataclasses.replace(output, operand=operand))
                bound.append(~index)
        movable = _movable(program, segment, own_buffer, moved)
        made = _segment(orders, segment, tuple(outputs), tuple(bound), movable)
        number = segments.setdefault(made, len(segments))
        calls.append(Call(number, tuple(segment.inputs), tuple(bound), tuple(segment.originals)))
    return Outline(tuple(segments), tuple(calls), own_buffer)


def _output_places(program: TensorProgram, places: dict[int, int], last: int) -> dict[int, int]:
    return {
        index: places.get(output.operand.node, last) for index, output in enumerate(program.outputs)
    }


def _output_buffers(
    program: TensorProgram, dtypes: Sequence[DType], shared: Sequence[bool]
) -> dict[int, int]:
    """The nodes that an output is, unchanged, with that output: its buffer is theirs."""
    found: dict[int, int] = {}
    for index, output in enumerate(program.outputs):
        node = program.nodes[output.operand.node]
        whole = output.operand.map == identity(len(node.space)) and output.shape == node.space
        same = dtypes[output.operand.node] is output.dtype
        if whole and same and not shared[output.operand.node]:
            found.setdefault(output.operand.node, index)
    return found


def _take(
    program: TensorProgram,
    dtypes: Sequence[DType],
    segment: _Segment,
    places: dict[int, int],
    number: int,
    place: int,
) -> None:
    """Add node ``number`` to the segment, after everything it reads."""
    numbers = {
        o.node: _inside(program, dtypes, segment, places, o.node, place)
        for o, _ in operands(program.nodes[number])
    }
    segment.add(number, with_nodes(program.nodes[number], numbers.__getitem__))


def _inside(
    program: TensorProgram,
    dtypes: Sequence[DType],
    segment: _Segment,
    places: dict[int, int],
    number: int,
    place: int,
) -> int:
    """What the segment calls node ``number``; what others compute becomes an input."""
    if number in segment.numbers:
        return segment.numbers[number]
    node = program.nodes[number]
    if number not in places and not isinstance(node, Input | Weight):
        _take(program, dtypes, segment, places, number, place)
        return segment.numbers[number]
    assert places.get(number) != place
    name = f"x{len(segment.inputs)}"
    segment.inputs.append(number)
    return segment.add(
        number, Input(name, node.space, dtypes[number], node.axis_names, node.origin)
    )


def _export(
    program: TensorProgram, segment: _Segment, dtypes: Sequence[DType], number: int
) -> Output:
    node = program.nodes[number]
    operand = Operand(segment.numbers[number], identity(len(node.space)))
    return Output(f"y{number}", operand, node.space, dtypes[number], node.axis_names)


def _movable(
    program: TensorProgram, segment: _Segment, own_buffer: dict[int, int], moved: set[int]
) -> tuple[int, ...]:
    """The segment's inputs that are made by other segments, and that it places as a whole.

    Each tensor can lie in one other only, so it is movable in the first segment that places it.
    """
    found = []
    for node in segment.nodes:
        for piece in node.pieces if isinstance(node, Place) else ():
            inner = piece.operand.node
            original = segment.originals[inner]
            computed = not isinstance(program.nodes[original], Input | Weight)
            free = original not in own_buffer and original not in moved
            if isinstance(segment.nodes[inner], Input) and computed and free:
                moved.add(original)
                found.append(inner)
    return tuple(found)


def _segment(
    orders: Sequence[Order],
    segment: _Segment,
    outputs: tuple[Output, ...],
    bound: tuple[int, ...],
    movable: tuple[int, ...],
) -> Segment:
    named = tuple(dataclasses.replace(o, name=f"y{n}") for n, o in enumerate(outputs))
    inputs = tuple(segment.numbers[n] for n in segment.inputs)
    body = TensorProgram("segment", tuple(segment.nodes), inputs, (), named)
    given = tuple(
        orders[number] if number >= 0 else tuple(range(len(output.shape)))
        for number, output in zip(bound, named, strict=True)
    )
    inner = tuple(orders[n] for n in segment.originals)
    return Segment(body, inner, given, movable)
