"""Kernels that do alike things at the same points, joined into one launch.

Query and key are normalised and rotated by one kernel; projections of one input are one product
with several right sides. Where one needs what the other makes, the joint kernel makes that where it
is read: a spread around a mean takes the mean from its own row. Nothing that a joint kernel needs
may depend on what it makes.
"""

from __future__ import annotations

import dataclasses
import math
from dataclasses import dataclass, field

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, value_range
from lumc.lowering.choice import Choice
from lumc.lowering.draft import Request, Root
from lumc.lowering.kernel_program import KernelAxis, Parameter, ParameterAccess
from lumc.lowering.kernel_ranges import flat_index, is_injective
from lumc.lowering.picker import Picker
from lumc.lowering.scalar_code import NotExpressibleError, row_major
from lumc.lowering.tighten import BoundKernel

MOST_FREE = 4
"""Values of a joint kernel whose ways are tried, where nothing else has chosen among them."""


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
    _spelled: dict[int, list[Request]] = field(default_factory=dict)
    _needed: dict[int, set[int]] = field(default_factory=dict)
    """For each step the steps that it needs; empty when it has to be found out anew."""

    def join_all(self) -> None:
        """Join pairs of steps as long as that makes them cheaper."""
        for later in sorted(self.steps):
            alike = self._kind(later)
            for earlier in range(later):
                if earlier in self.steps and self._kind(earlier) & alike:
                    self._try(earlier, later)

    def _kind(self, number: int) -> set[tuple[str, tuple[int, ...]]]:
        """The kind of a step's kernel with the sizes of axes that it may have."""
        step = self.steps[number]
        kind = type(step.bound.kernel).__name__
        if number not in self._spelled:
            self._spelled[number] = self._spellings(step)
        return {(kind, tuple(a.size for a in r.axes)) for r in self._spelled[number]}

    def _try(self, earlier: int, later: int) -> None:
        one, other = self.steps[earlier], self.steps[later]
        for first in self._spelled[earlier]:
            for second in self._spelled[later]:
                if [a.size for a in first.axes] != [a.size for a in second.axes]:
                    continue
                joint = self._joint(one, other, first, second)
                if joint is not None and self._is_before_its_readers(joint, earlier, later):
                    del self.steps[earlier], self._spelled[later]
                    self.steps[later] = joint
                    self._needed.clear()
                    self._kind(later)
                    return

    def _joint(self, one: Step, other: Step, first: Request, second: Request) -> Step | None:
        tasks = tuple(dict.fromkeys((*one.tasks, *other.tasks)))
        request = dataclasses.replace(first, roots=first.roots + second.roots)
        joint, free = self._built(tasks, request)
        for key in free[:MOST_FREE]:
            joint = self._chosen(key, joint, tasks, request)
        return joint if joint is not None and joint.cost < one.cost + other.cost else None

    def _built(self, tasks: tuple[int, ...], request: Request) -> tuple[Step | None, list[int]]:
        """The joint step, if there is a kernel for it, and what no launch so far depends on."""
        # A joint kernel reads only what stands before the first of its tasks.
        choice = self.choice
        target = min(tasks, key=lambda n: math.inf if n < 0 else choice.tensors.ranks[n])
        picker = Picker(choice.source, choice.tensors, choice.state, target)
        try:
            bound = choice.build(request, picker)
        except NotExpressibleError:
            return None, []
        free = [key for key in picker.consulted if key < 0 and not choice.asking(key)]
        return Step(tasks, request, bound, choice.kernel_cost(bound.kernel)), free

    def _chosen(
        self, key: int, joint: Step | None, tasks: tuple[int, ...], request: Request
    ) -> Step | None:
        """The cheapest joint step by the ways there are to make one value, which it is left at.

        A joint kernel may make a value that all others read: nothing has chosen how yet.
        """
        state = self.choice.state
        best = state.get(key, 0)
        for value in range(self.choice.options(key)):
            state[key] = value
            step, _ = self._built(tasks, request)
            if step is not None and (joint is None or step.cost < joint.cost):
                joint, best = step, value
        state[key] = best
        return joint

    def _is_before_its_readers(self, joint: Step, earlier: int, later: int) -> bool:
        """Whether nothing that ``joint`` reads is made from what the two steps in it make."""
        makers = self._makers()
        needed = {n for tensor in _read(joint) for n in makers.get(tensor, ())}
        return not any(
            step in needed or any(self._reaches(step, other) for other in needed)
            for step in (earlier, later)
        )

    # -- axes

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
        if not self._needed:
            makers = self._makers()
            for reader, step in self.steps.items():
                found = {n for tensor in _read(step) for n in makers.get(tensor, ())}
                self._needed[reader] = found - {reader}
        return self._needed[number]

    def _makers(self) -> dict[int, set[int]]:
        """For each tensor the steps that write to it, or to what lies in it."""
        homes = self.choice.setting.layout.homes
        makers: dict[int, set[int]] = {}
        for number, step in self.steps.items():
            for task in step.tasks:
                makers.setdefault(task, set()).add(number)
                while task in homes:
                    task = homes[task].target
                    makers.setdefault(task, set()).add(number)
        return makers

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


def _read(step: Step) -> set[int]:
    """The tensors that a step reads, or goes on with where another step has begun."""
    pairs = zip(step.bound.bindings, step.bound.kernel.parameters, strict=True)
    read = {
        tensor
        for (tensor, _), parameter in pairs
        if tensor not in step.tasks or parameter.access is ParameterAccess.UPDATE
    }
    return read | {root.target for root in step.request.roots if root.follows}


def covers(
    base: tuple[int, ...], map_: tuple[IndexExpression, ...], space: tuple[int, ...]
) -> bool:
    """Whether a view reads every element of a tensor exactly once, and nothing beside it."""
    if math.prod(base) != math.prod(space):
        return False
    # A guarded read may reach outside.
    ranges = [value_range(entry, space) for entry in map_]
    if any(low < 0 or high >= size for (low, high), size in zip(ranges, base, strict=True)):
        return False
    whole = Parameter("whole", DType.F32, base, row_major(base))
    return is_injective(flat_index(whole, map_), space) is True
