"""A segment lowered: kernels, and launches on the segment's own tensors."""

from __future__ import annotations

import dataclasses
from collections.abc import Callable
from dataclasses import dataclass

from lumc.lowering.alternatives import Alternatives, read_alternatives
from lumc.lowering.choice import Choice
from lumc.lowering.draft import Setting
from lumc.lowering.encode import encode
from lumc.lowering.extract import begin, improve, shuffle
from lumc.lowering.joining import Step, join
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.memory import MemoryLayout, Segment, lay_out
from lumc.lowering.requests import TaskMaker
from lumc.lowering.saturate import saturate
from lumc.lowering.tighten import tighten


@dataclass(frozen=True, slots=True)
class Fragment:
    """What a segment became. Bindings are to nodes, or outputs as ``~n``, that have a buffer."""

    segment: Segment
    layout: MemoryLayout
    steps: tuple[Step, ...]
    matches: dict[str, int]


@dataclass(frozen=True, slots=True)
class Lowering:
    """A saturated segment, before anything is chosen."""

    segment: Segment
    source: Alternatives
    layout: MemoryLayout
    maker: TaskMaker
    setting: Setting
    matches: dict[str, int]


def prepare(segment: Segment, exact: bool) -> Lowering:
    """Find the alternatives of ``segment``."""
    encoding = encode(segment.program)
    saturate(encoding)
    source = read_alternatives(encoding)
    layout = lay_out(segment)
    setting = Setting(source, layout, exact)
    maker = TaskMaker(segment.program, source, layout.guests, encoding.partitions)
    return Lowering(
        segment, source, layout, maker, setting, dict(encoding.engine.matches + encoding.matches)
    )


def lower_segment(
    segment: Segment, exact: bool, cost: Callable[[Kernel], float], seed: int | None = None
) -> Fragment:
    """The kernels and launches for ``segment`` that cost least.

    With a ``seed``, others that mean the same: to check that all that may be chosen is right.
    """
    lowering = prepare(segment, exact)
    choice = begin(segment.program, lowering.source, lowering.maker.tasks(), lowering.setting, cost)
    if seed is None:
        improve(choice)
    else:
        shuffle(choice, seed)
    return finish(lowering, choice)


def finish(lowering: Lowering, choice: Choice) -> Fragment:
    """The chosen kernels, bound to the tensors that have buffers."""
    steps = tuple(_settled(lowering.layout, step, choice.kernel_cost) for step in join(choice))
    return Fragment(lowering.segment, lowering.layout, steps, lowering.matches)


def _settled(layout: MemoryLayout, step: Step, cost: Callable[[Kernel], float]) -> Step:
    """The step with its parameters cut to what it touches, bound to what has a buffer."""
    bound = tighten(step.bound)
    bindings = tuple(layout.placed(binding) for binding in bound.bindings)
    bound = dataclasses.replace(bound, bindings=bindings)
    return dataclasses.replace(step, bound=bound, cost=cost(bound.kernel))
