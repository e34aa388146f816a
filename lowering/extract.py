"""Choosing: which tensors stand in memory, and which alternative makes each.

Everything starts in memory, which is always possible; then tensors are taken out of memory one by
one, their expressions going into the kernels that read them, as long as the whole program becomes
cheaper. Costs are of whole kernels, and count what is shared once.
"""

from __future__ import annotations

import dataclasses
import math
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import assert_never

from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    Gather,
    IndexValue,
    Input,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)
from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    GatherOf,
    IndexAt,
    LiteralOf,
    LoadOf,
)
from lumc.lowering.construct import Constructor, Request
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.requests import Task
from lumc.lowering.scalar_code import NotExpressibleError
from lumc.lowering.tighten import BoundKernel

LARGEST_SWEEPS = 6
"""Times that every tensor is tried again."""


@dataclass(frozen=True, slots=True)
class Made:
    """How a task is done: its kernels in order, the tensors they read, and what that costs."""

    kernels: tuple[BoundKernel, ...]
    reads: frozenset[int]
    cost: float
    consulted: frozenset[int]
    """Tensors whose standing in memory or not made a difference."""


@dataclass(slots=True)
class Choice:
    """A state of the search: the tensors that stand in memory and how each task is done."""

    source: Alternatives
    tasks: dict[int, Task]
    constructor: Constructor
    cost: Callable[[Kernel], float]
    tensors: Tensors
    removed: set[int] = field(default_factory=set)
    made: dict[int, Made] = field(default_factory=dict)

    def do(self, number: int) -> Made:
        """How task ``number`` is done in this state."""
        if number not in self.made:
            self.made[number] = self._do(self.tasks[number])
        return self.made[number]

    def live(self) -> list[int]:
        """The tasks that outputs depend on, tensors before outputs, in order."""
        found: set[int] = set()
        stack = [number for number in self.tasks if number < 0]
        while stack:
            number = stack.pop()
            if number not in found:
                found.add(number)
                stack += [n for n in self.do(number).reads if n in self.tasks]
        return sorted(found, key=lambda n: (n < 0, abs(n)))

    def total(self) -> float:
        """The cost of everything that outputs depend on."""
        return sum(self.do(number).cost for number in self.live())

    def try_flip(self, tensor: int, before: float) -> float:
        """Take ``tensor`` out of memory, or put it back, if that is cheaper; returns the total.

        At equal cost it is taken out, as what is made in one place may yet be joined.
        """
        kept = dict(self.made)
        self._flip(tensor)
        try:
            after = self.total()
        except NotExpressibleError:
            after = math.inf
        if after < before or (after <= before and tensor in self.removed):
            return after
        self._flip(tensor)
        self.made = kept
        return before

    def _flip(self, tensor: int) -> None:
        self.removed ^= {tensor}
        self.made = {n: made for n, made in self.made.items() if tensor not in made.consulted}

    def _do(self, task: Task) -> Made:
        picker = Picker(self.source, self.tensors, self.removed, task.target)
        wanted: list[Request] = []
        guests: set[int] = set()
        for part in task.parts:
            if part.guest is not None and self._lies_there(part.guest, picker):
                guests.add(part.guest)
            else:
                wanted.append(part.request)
        kernels = self._kernels(wanted, picker, task.joinable)
        reads = {t for k in kernels for t, _ in k.bindings if t != task.target}
        cost = sum(self.cost(bound.kernel) for bound in kernels)
        return Made(
            tuple(kernels), frozenset(reads | guests), cost, frozenset(picker.consulted | guests)
        )

    def _lies_there(self, guest: int, picker: Picker) -> bool:
        picker.consulted.add(guest)
        return guest not in self.removed

    def _kernels(self, wanted: list[Request], picker: Picker, joinable: bool) -> list[BoundKernel]:
        single = [self.constructor.kernel(request, picker.pick) for request in wanted]
        if not joinable:
            return single
        groups: dict[tuple[int, ...], list[int]] = {}
        for index, request in enumerate(wanted):
            groups.setdefault(tuple(a.size for a in request.axes), []).append(index)
        found: list[BoundKernel] = []
        for members in groups.values():
            apart = [single[index] for index in members]
            found += self._joined([wanted[index] for index in members], apart, picker)
        return found

    def _joined(
        self, requests: list[Request], apart: list[BoundKernel], picker: Picker
    ) -> list[BoundKernel]:
        """One kernel for all requests, where there is one and it is cheaper."""
        if len(requests) == 1:
            return apart
        roots = tuple(root for request in requests for root in request.roots)
        try:
            joint = self.constructor.kernel(
                dataclasses.replace(requests[0], roots=roots), picker.pick
            )
        except NotExpressibleError:
            return apart
        return (
            [joint] if self.cost(joint.kernel) < sum(self.cost(k.kernel) for k in apart) else apart
        )


@dataclass(slots=True)
class Picker:
    """Picks one alternative per class for the kernels of one task.

    A tensor is only made from earlier ones, so nothing depends on itself.
    """

    source: Alternatives
    tensors: Tensors
    removed: set[int]
    target: int
    consulted: set[int] = field(default_factory=set)
    _picked: dict[int, Alternative] = field(default_factory=dict)

    def pick(self, number: int) -> Alternative:
        """The alternative for class ``number``."""
        if number not in self._picked:
            self._picked[number] = self._pick(number)
        return self._picked[number]

    def _pick(self, number: int) -> Alternative:
        loads: list[LoadOf] = []
        computed: list[Alternative] = []
        for alternative in self.source.classes[number]:
            match alternative:
                case LiteralOf() | IndexAt():
                    return alternative
                case LoadOf(tensor):
                    if self._stands(tensor):
                        loads.append(alternative)
                case GatherOf(tensor):
                    if self._stands(tensor):
                        computed.append(alternative)
                case _:
                    computed.append(alternative)
        if loads:
            return min(loads, key=lambda load: (load.tensor, load.view))
        if computed:
            return computed[0]
        raise NotExpressibleError("a value that is neither in memory nor computed here")

    def _stands(self, tensor: int) -> bool:
        """Whether ``tensor`` is in memory when the target is made."""
        if 0 <= self.target <= tensor:
            return False
        if tensor in self.tensors.removable:
            self.consulted.add(tensor)
            return tensor not in self.removed
        return tensor in self.tensors.standing


@dataclass(frozen=True, slots=True)
class Tensors:
    """The tensors of a program that are always in memory, and those that need not be."""

    standing: frozenset[int]
    removable: frozenset[int]


def sort_tensors(program: TensorProgram, source: Alternatives) -> Tensors:
    """Inputs, weights, placed and scattered tensors stand; what is computed can be removed."""
    standing, removable = set(), set()
    for number, node in enumerate(program.nodes):
        match node:
            case Input() | Weight() | Place() | Scatter():
                standing.add(source.tensor_of[number])
            case Elementwise() | Cast() | Reduce() | Gather():
                removable.add(source.tensor_of[number])
            case Constant() | IndexValue():
                pass
            case _:
                assert_never(node)
    return Tensors(frozenset(standing), frozenset(removable - standing))


def extract(
    program: TensorProgram,
    source: Alternatives,
    tasks: dict[int, Task],
    constructor: Constructor,
    cost: Callable[[Kernel], float],
) -> Choice:
    """The cheapest choice that taking tensors out of memory one at a time leads to."""
    tensors = sort_tensors(program, source)
    choice = Choice(source, tasks, constructor, cost, tensors)
    total = choice.total()
    for _ in range(LARGEST_SWEEPS):
        before = total
        for tensor in sorted(tensors.removable):
            total = choice.try_flip(tensor, total)
        if total == before:
            return choice
    return choice
