"""A segment lowered: kernels, and launches on the segment's own tensors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable, Iterator
from dataclasses import dataclass

from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    ApplyOf,
    AttendOf,
    ConvertOf,
    GatherOf,
    LoadOf,
    ProductOf,
    ReducedOf,
    read_alternatives,
)
from lumc.lowering.choice import Choice
from lumc.lowering.cut_products import cut_products
from lumc.lowering.domains import defined_where_needed
from lumc.lowering.draft import Setting, is_rule
from lumc.lowering.encode import encode
from lumc.lowering.extract import begin, improve, shuffle
from lumc.lowering.joining import Step, join
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.memory import MemoryLayout, Segment, lay_out
from lumc.lowering.narrow import Cut
from lumc.lowering.picker import REMOVED, WAY
from lumc.lowering.requests import TaskMaker
from lumc.lowering.saturate import saturate
from lumc.lowering.search import SearchBudget, search
from lumc.lowering.split_reductions import Extended, with_split_reductions
from lumc.lowering.tighten import tighten


@dataclass(frozen=True, slots=True)
class Rejection:
    """A change of what was chosen: by how much dearer it is, or why it is not possible.

    ``what`` has a place ``{name}`` for the name of ``node``.
    """

    what: str
    node: int
    microseconds: float | None
    reason: str


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a segment became. Bindings are to nodes, or outputs as ``~n``, that have a buffer.

    ``segment`` is as it was lowered; ``origins`` give, for each of its nodes and those beyond, the
    node of the segment as it was outlined.
    """

    segment: Segment
    origins: tuple[int, ...]
    layout: MemoryLayout
    steps: tuple[Step, ...]
    matches: dict[str, int]
    rejections: tuple[Rejection, ...] = ()


@dataclass(frozen=True, slots=True)
class Lowering:
    """A saturated segment, before anything is chosen."""

    segment: Segment
    extended: Extended
    source: Alternatives
    layout: MemoryLayout
    maker: TaskMaker
    setting: Setting
    matches: dict[str, int]


def prepare(segment: Segment, exact: bool) -> Lowering:
    """Find the alternatives of ``segment``."""
    extended = with_split_reductions(segment.program, segment.orders)
    program = extended.program
    encoding = encode(program, extended.equal, exact)
    saturate(encoding)
    source = read_alternatives(encoding)
    roots = [source.class_of(node, view) for node, view in encoding.reads]
    classes = defined_where_needed(source.views, source.classes, roots)
    source = dataclasses.replace(source, classes=classes)
    orders = tuple(
        segment.orders[n] if n < len(segment.orders) else tuple(range(len(node.space)))
        for n, node in enumerate(program.nodes)
    )
    layout = lay_out(dataclasses.replace(segment, program=program, orders=orders))
    setting = Setting(source, layout, exact)
    maker = TaskMaker(program, source, layout.guests, encoding.partitions)
    matches = dict(encoding.engine.matches + encoding.matches)
    return Lowering(segment, extended, source, layout, maker, setting, matches)


def lower_segment(
    segment: Segment,
    exact: bool,
    cost: Callable[[Kernel], float],
    seed: int | None = None,
    explained: bool = False,
    budget: SearchBudget | None = None,
) -> Fragment:
    """The kernels and launches for ``segment`` that cost least.

    With a ``seed``, others that mean the same: to check that all that may be chosen is right. If
    ``explained``, what else was found comes along, with what it would cost. With a ``budget`` a
    search goes on from the nearest low point.
    """
    found = cut_products(segment.program)
    if found is None:
        return _lowered(segment, exact, cost, seed, explained, budget)
    ways = (segment, _cut_segment(segment, found))
    if seed is not None:
        chosen = seed % 2
        fragment = _lowered(ways[chosen], exact, cost, seed, explained, budget)
    else:
        lowered = [_lowered(way, exact, cost, None, explained) for way in ways]
        chosen = min((0, 1), key=lambda n: _price(lowered[n]))
        fragment = lowered[chosen]
        if budget is not None:
            # The search goes on from the lower of the two low points.
            fragment = _lowered(ways[chosen], exact, cost, None, explained, budget)
    return _told(fragment, found) if chosen else fragment


def _price(fragment: Fragment) -> float:
    return sum(step.cost for step in fragment.steps)


def _cut_segment(segment: Segment, found: Cut) -> Segment:
    """``segment`` with its program cut."""
    places = {old: new for new, old in reversed(list(enumerate(found.origins)))}
    return Segment(
        found.program,
        tuple(segment.orders[old] for old in found.origins),
        segment.output_orders,
        tuple(places[n] for n in segment.movable),
    )


def _told(fragment: Fragment, found: Cut) -> Fragment:
    """``fragment`` of a cut segment, told about by the nodes of the segment as it was."""
    origins = tuple(found.origins[n] for n in fragment.origins)
    return dataclasses.replace(fragment, origins=origins)


def _lowered(
    segment: Segment,
    exact: bool,
    cost: Callable[[Kernel], float],
    seed: int | None = None,
    explained: bool = False,
    budget: SearchBudget | None = None,
) -> Fragment:
    lowering = prepare(segment, exact)
    extended = lowering.extended
    choice = begin(
        extended.program,
        extended.ranks,
        lowering.source,
        lowering.maker.tasks(),
        lowering.setting,
        cost,
        extended.passing,
    )
    if seed is None:
        improve(choice)
        if budget is not None:
            search(choice, budget)
    else:
        shuffle(choice, seed)
    rejections = tuple(_rejections(choice)) if explained else ()
    return finish(lowering, choice, rejections)


def _rejections(choice: Choice) -> Iterator[Rejection]:
    """Every single change of the state with what it would cost more."""
    for key in choice.questions():
        old = choice.state.get(key, 0)
        for value in range(choice.options(key)):
            if value == old:
                continue
            what, node = _change(choice, key, value)
            before = choice.cost
            reason = choice.try_move(key, value)
            if reason is not None:
                yield Rejection(what, node, None, reason)
                continue
            yield Rejection(what, node, choice.cost - before, "it would cost more")
            choice.move(key, old)


def _change(choice: Choice, key: int, value: int) -> tuple[str, int]:
    """What setting ``key`` to ``value`` means, and the node that it is about."""
    if key >= WAY // 2:
        return "make {name} " + ("piece by piece" if value else "as a whole"), key - WAY
    if key >= 0:
        how = "compute {name} where it is read" if value == REMOVED else "keep {name} in memory"
        return how, key
    alternatives = choice.source.classes[~key]
    computed = [a for a in alternatives if not isinstance(a, LoadOf)]
    kind = NAMES[type(computed[min(value, len(computed) - 1)])]
    node = min((a.tensor for a in alternatives if isinstance(a, LoadOf)), default=0)
    return f"make {{name}} by {kind}", node


NAMES: dict[type[Alternative], str] = {
    AttendOf: "attention",
    ProductOf: "a matrix product",
    ReducedOf: "a reduction along rows",
    ApplyOf: "its definition",
    ConvertOf: "rounding",
    GatherOf: "a gather",
}
"""What the alternatives of a value are called."""


def finish(lowering: Lowering, choice: Choice, rejections: tuple[Rejection, ...] = ()) -> Fragment:
    """The chosen kernels, bound to the tensors that have buffers."""
    steps = tuple(_settled(lowering, step, choice.kernel_cost) for step in join(choice))
    origins = lowering.extended.origins
    return Fragment(lowering.segment, origins, lowering.layout, steps, lowering.matches, rejections)


def _settled(lowering: Lowering, step: Step, cost: Callable[[Kernel], float]) -> Step:
    """The step with its parameters cut to what it touches, bound to what has a buffer.

    Of the rules that may have led to it, those stay that fired.
    """
    bound = tighten(step.bound)
    bindings = tuple(lowering.layout.placed(binding) for binding in bound.bindings)
    fired = [rule for rule, count in lowering.matches.items() if count]
    rules = tuple(part for part in bound.rules if any(is_rule(part, rule) for rule in fired))
    bound = dataclasses.replace(bound, bindings=bindings, rules=rules)
    return dataclasses.replace(step, bound=bound, cost=cost(bound.kernel))
