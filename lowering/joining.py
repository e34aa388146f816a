"""Kernels that do alike things at the same points, joined into one launch.

Query and key are normalised and rotated by one kernel; projections of one input are one product
with several right sides. What is joined must not depend on each other, directly or through others.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Iterable
from dataclasses import dataclass

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.lowering.choice import Choice
from lumc.lowering.draft import Request, Root
from lumc.lowering.kernel_program import KernelAxis, Parameter, ParameterAccess
from lumc.lowering.kernel_ranges import flat_index, is_injective
from lumc.lowering.picker import Picker
from lumc.lowering.scalar_code import NotExpressibleError, row_major
from lumc.lowering.tighten import BoundKernel


@dataclass(frozen=True, slots=True)
class Step:
    """A launch: what it does, with which kernel, and for which tasks (outputs as ``~n``)."""

    tasks: tuple[int, ...]
    request: Request
    bound: BoundKernel
    cost: float


def join(choice: Choice) -> tuple[Step, ...]:
    """The launches of the chosen state, joined where that is cheaper, in an order that works."""
    steps = [
        Step((number,), request, bound, choice.kernel_cost(bound.kernel))
        for number in choice.live()
        for request, bound in zip(
            choice.made(number).requests, choice.made(number).kernels, strict=True
        )
    ]
    joiner = _Joiner(choice, dict(enumerate(steps)))
    joiner.join_all()
    return tuple(joiner.steps[n] for n in joiner.order())


@dataclass(slots=True)
class _Joiner:
    choice: Choice
    steps: dict[int, Step]

    def join_all(self) -> None:
        """Join pairs of steps until no pair gets cheaper."""
        for later in sorted(self.steps):
            for earlier in range(later):
                if earlier in self.steps and later in self.steps:
                    self._try(earlier, later)

    def _try(self, earlier: int, later: int) -> None:
        one, other = self.steps[earlier], self.steps[later]
        if type(one.bound.kernel) is not type(other.bound.kernel):
            return
        for first, second in self._on_common_axes(one, other):
            if self._reaches(earlier, later) or self._reaches(later, earlier):
                return
            joint = self._joint(one, other, first, second)
            if joint is not None:
                del self.steps[earlier]
                self.steps[later] = joint
                return

    def _joint(self, one: Step, other: Step, first: Request, second: Request) -> Step | None:
        tasks = tuple(dict.fromkeys((*one.tasks, *other.tasks)))
        request = dataclasses.replace(first, roots=first.roots + second.roots)
        # A joint kernel reads only what stands before the first of its tasks.
        target = min(tasks, key=lambda n: math.inf if n < 0 else n)
        choice = self.choice
        picker = Picker(choice.source, choice.tensors, choice.state, target)
        try:
            bound = choice.build(request, picker)
        except NotExpressibleError:
            return None
        cost = choice.kernel_cost(bound.kernel)
        return Step(tasks, request, bound, cost) if cost < one.cost + other.cost else None

    # -- axes

    def _on_common_axes(self, one: Step, other: Step) -> Iterable[tuple[Request, Request]]:
        """The requests of two steps over axes of the same sizes, where there are such."""
        for first in self._spellings(one):
            for second in self._spellings(other):
                if [a.size for a in first.axes] == [a.size for a in second.axes]:
                    yield first, second

    def _spellings(self, step: Step) -> list[Request]:
        """The step's request, also over the axes of those who read what it stores."""
        options = [self._spelled_roots(root) for root in step.request.roots]
        found = [step.request]
        for sizes in options[0]:
            if all(sizes in roots for roots in options):
                axes = tuple(KernelAxis(f"i{n}", size) for n, size in enumerate(sizes))
                found.append(Request(axes, tuple(roots[sizes] for roots in options)))
        return found

    def _spelled_roots(self, root: Root) -> dict[tuple[int, ...], Root]:
        """The root over the axes of each reader of all that it stores, by the axes' sizes."""
        found: dict[tuple[int, ...], Root] = {}
        source = self.choice.source
        for number, value in source.reads_of(root.target):
            view = source.views.views[number]
            space = source.views.spaces[view.space]
            if space.bound or space.computed or view.map == root.destination:
                continue
            if covers(view.base, view.map, space.sizes):
                found.setdefault(space.sizes, Root(value, root.target, view.map))
        return found

    # -- order

    def _needs(self, number: int) -> set[int]:
        """The steps that step ``number`` reads from."""
        step = self.steps[number]
        # What a step updates, others have begun.
        read = {
            tensor
            for (tensor, _), parameter in zip(
                step.bound.bindings, step.bound.kernel.parameters, strict=True
            )
            if tensor not in step.tasks or parameter.access is ParameterAccess.UPDATE
        }
        return {
            other
            for other, made in self.steps.items()
            if other != number and any(self._provides(made, t) for t in read)
        }

    def _provides(self, step: Step, tensor: int) -> bool:
        """Whether ``step`` writes to ``tensor``, or to what lies in it."""
        if tensor in step.tasks:
            return True
        homes = self.choice.setting.layout.homes
        for task in step.tasks:
            place = task
            while place in homes:
                place = homes[place].target
                if place == tensor:
                    return True
        return False

    def _reaches(self, start: int, end: int) -> bool:
        """Whether step ``end`` needs step ``start``, directly or through others."""
        seen: set[int] = set()
        stack = [end]
        while stack:
            for number in self._needs(stack.pop()):
                if number == start:
                    return True
                if number not in seen:
                    seen.add(number)
                    stack.append(number)
        return False

    def order(self) -> list[int]:
        """The steps so that each stands after those that it needs, as early as may be."""
        needs = {number: self._needs(number) for number in self.steps}
        done: list[int] = []
        while len(done) < len(self.steps):
            done.append(next(n for n in sorted(needs) if n not in done and needs[n] <= set(done)))
        return done


def covers(
    base: tuple[int, ...], map_: tuple[IndexExpression, ...], space: tuple[int, ...]
) -> bool:
    """Whether a view reads every element of a tensor exactly once."""
    if math.prod(base) != math.prod(space):
        return False
    whole = Parameter("whole", DType.F32, base, row_major(base))
    return is_injective(flat_index(whole, map_), space) is True
