"""A state of the search for kernels, and moves from one state to another.

Each move costs only what it changes: tasks remember what they depended on, and how they were done
in states seen before.
"""

from __future__ import annotations

import dataclasses
from collections import deque
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field

from lumc.lowering.alternatives import Alternatives
from lumc.lowering.construct import construct
from lumc.lowering.draft import Request, Setting
from lumc.lowering.kernel_program import Kernel, ParameterAccess, Pointwise
from lumc.lowering.kernel_ranges import are_disjoint
from lumc.lowering.kernel_types import bodies
from lumc.lowering.kernel_verifier import meeting_stores
from lumc.lowering.picker import WAY, Picker, Tensors
from lumc.lowering.requests import Task
from lumc.lowering.scalar_code import NotExpressibleError
from lumc.lowering.tighten import BoundKernel, tighten


@dataclass(frozen=True, slots=True)
class Work:
    """A request, the kernel for it, and what that costs."""

    request: Request
    bound: BoundKernel
    cost: float


LARGEST_ATTEMPTS = 256
"""States that are tried before a task counts as impossible."""


class ImpossibleTaskError(Exception):
    """No kernel was found for a task that an output needs."""

    def __init__(self, task: int, reason: str) -> None:
        """``task`` is a node number, or an output's as ``~n``."""
        super().__init__(reason)
        self.task = task


@dataclass(frozen=True, slots=True)
class Made:
    """How a task is done: its kernels in order, the tensors they read, and what that costs.

    ``consulted`` is the part of the state that it depended on.
    """

    kernels: tuple[BoundKernel, ...]
    requests: tuple[Request, ...]
    """What each of the kernels does."""
    reads: frozenset[int]
    cost: float
    consulted: dict[int, int]


@dataclass(frozen=True, slots=True)
class _Single:
    """The work for one part of a task, and the part of the state that it depended on."""

    work: Work
    consulted: dict[int, int]


@dataclass(frozen=True, slots=True)
class Snapshot:
    """A state of a ``Choice``, with how each live task is done in it."""

    state: dict[int, int]
    cost: float
    made: dict[int, Made]
    readers: dict[int, int]
    concerned: dict[int, set[int]]


@dataclass(slots=True)
class Choice:
    """A state, and how each live task is done in it.

    A task is live if an output depends on it. ``cost`` is that of all live tasks.
    """

    source: Alternatives
    tasks: dict[int, Task]
    setting: Setting
    kernel_cost: Callable[[Kernel], float]
    tensors: Tensors
    state: dict[int, int] = field(default_factory=dict)
    cost: float = 0.0
    written: int = 0
    """Instructions of all kernels that were made so far: a measure of the time that took."""
    _made: dict[int, Made] = field(default_factory=dict)
    _readers: dict[int, int] = field(default_factory=dict)
    _concerned: dict[int, set[int]] = field(default_factory=dict)
    _known: dict[int, list[Made]] = field(default_factory=dict)
    _singles: dict[tuple[int, int, int], list[_Single]] = field(default_factory=dict)

    def start(self) -> None:
        """Make every output, and what it needs, in the state as it is, or the nearest possible.

        Raises:
            ImpossibleTaskError: a task can be done in no state that was tried.
        """
        while self._make_possible():
            pass
        for number in self.tasks:
            if number < 0:
                self._read(number)

    def _make_possible(self) -> bool:
        """Change the state where a task that is needed can't be done in it; whether any was."""
        changed = False
        stack = [number for number in self.tasks if number < 0]
        seen = set(stack)
        while stack:
            number = stack.pop()
            try:
                made = self._best(number)
            except NotExpressibleError:
                made = self._settled(number)
                changed = True
            below = [n for n in sorted(made.reads) if n in self.tasks and n not in seen]
            seen.update(below)
            stack += below
        return changed

    def _settled(self, number: int) -> Made:
        """How a task can be done with as few values as possible made in another way.

        The state becomes that. What was changed for another task is not changed back.
        """
        reason = ""
        waiting: deque[dict[int, int]] = deque([{}])
        for _ in range(LARGEST_ATTEMPTS):
            if not waiting:
                break
            changes = waiting.popleft()
            picker = Picker(self.source, self.tensors, self.state | changes, number)
            try:
                made = self._do(self.tasks[number], picker)
            except NotExpressibleError as error:
                reason = reason or str(error)
            else:
                self.state |= changes
                self._known.setdefault(number, []).append(made)
                return made
            for key in picker.consulted:
                if key < 0 and key not in changes and not self.state.get(key, 0):
                    waiting += [changes | {key: v} for v in range(1, self.options(key))]
        raise ImpossibleTaskError(number, reason)

    def live(self) -> list[int]:
        """The live tasks, tensors before outputs, in order."""
        ranks = self.tensors.ranks
        return sorted(self._made, key=lambda n: (n < 0, ranks[n] if n >= 0 else -n))

    def made(self, number: int) -> Made:
        """How a live task is done."""
        return self._made[number]

    def questions(self) -> list[int]:
        """The keys of the state that live tasks depend on: tensors in order, then classes."""
        keys = (key for key, numbers in self._concerned.items() if numbers)
        return sorted(keys, key=lambda key: (key < 0, abs(key)))

    def questions_in_order(self) -> list[int]:
        """The same keys in the order of the tasks that they matter to first."""

        def first(key: int) -> int:
            return min(abs(number) for number in self._concerned[key])

        return sorted(self.questions(), key=first)

    def snapshot(self) -> Snapshot:
        """The state as it is now, to come back to."""
        concerned = {key: set(numbers) for key, numbers in self._concerned.items() if numbers}
        return Snapshot(
            dict(self.state), self.cost, dict(self._made), dict(self._readers), concerned
        )

    def restore(self, snapshot: Snapshot) -> None:
        """Be in the state of ``snapshot`` again."""
        self.state = dict(snapshot.state)
        self.cost = snapshot.cost
        self._made = dict(snapshot.made)
        self._readers = dict(snapshot.readers)
        self._concerned = {key: set(numbers) for key, numbers in snapshot.concerned.items()}

    def is_repeated(self, tensor: int) -> bool:
        """Whether a removed tensor may be computed more than once for each of its elements.

        It is if several live tasks depend on it, or one that reads its operands again for other
        tiles or passes.
        """
        tasks = self._concerned.get(tensor, set())
        if len(tasks) != 1:
            return bool(tasks)
        (task,) = tasks
        return any(not isinstance(k.kernel, Pointwise) for k in self._made[task].kernels)

    def asking(self, key: int) -> frozenset[int]:
        """The live tasks that depend on the state at ``key``."""
        return frozenset(self._concerned.get(key, ()))

    def versions(self, key: int) -> tuple[int, ...]:
        """The ways in which the live tasks that depend on ``key`` are done, as numbers."""
        return tuple(id(self._made[n]) for n in sorted(self._concerned.get(key, ())))

    def reads(self, number: int) -> frozenset[int]:
        """The tensors that a task reads, if it is live."""
        return self._made[number].reads if number in self._made else frozenset()

    def options(self, key: int) -> int:
        """How many values the state can have at ``key``."""
        if key >= WAY // 2:
            return len(self.tasks[key - WAY].ways)
        if key >= 0:
            return 2
        return sum(not hasattr(a, "tensor") for a in self.source.classes[~key])

    def move(self, key: int, value: int) -> bool:
        """Set the state at ``key``; False, and nothing is changed, if that is no set of kernels."""
        return self.try_move(key, value) is None

    def try_move(self, key: int, value: int) -> str | None:
        """Set the state at ``key``; returns why not, and nothing is changed, if that cannot be."""
        old = self.state.get(key, 0)
        self.state[key] = value
        try:
            self._remake(sorted(self._concerned.get(key, ())))
        except NotExpressibleError as error:
            self.state[key] = old
            return str(error)
        return None

    def _remake(self, numbers: list[int]) -> None:
        """Make live tasks anew in the state as it is; all of them can be made, or none is."""
        anew = [(number, self._best(number)) for number in numbers]
        for _, made in anew:
            self._ensure(made.reads)
        for number, made in anew:
            if number in self._made:
                self._replace(number, made)

    def _ensure(self, reads: Iterable[int]) -> None:
        """Check that what is read can be made, before anything is changed."""
        stack = list(reads)
        seen: set[int] = set()
        while stack:
            number = stack.pop()
            if number in self.tasks and number not in self._made and number not in seen:
                seen.add(number)
                stack += self._best(number).reads

    def _replace(self, number: int, made: Made) -> None:
        old = self._made[number]
        self._made[number] = made
        self.cost += made.cost - old.cost
        for key in old.consulted:
            self._concerned[key].discard(number)
        for key in made.consulted:
            self._concerned.setdefault(key, set()).add(number)
        for tensor in sorted(made.reads):
            self._read(tensor)
        for tensor in sorted(old.reads):
            self._forget(tensor)

    def _read(self, number: int) -> None:
        """One more live task, or the world, reads task ``number``."""
        stack = [number]
        while stack:
            number = stack.pop()
            if number not in self.tasks:
                continue
            self._readers[number] = self._readers.get(number, 0) + 1
            if self._readers[number] == 1:
                made = self._best(number)
                self._made[number] = made
                self.cost += made.cost
                for key in made.consulted:
                    self._concerned.setdefault(key, set()).add(number)
                stack += sorted(made.reads)

    def _forget(self, number: int) -> None:
        """One live task less reads task ``number``."""
        stack = [number]
        while stack:
            number = stack.pop()
            if number not in self.tasks:
                continue
            self._readers[number] -= 1
            if self._readers[number] == 0:
                made = self._made.pop(number)
                self.cost -= made.cost
                for key in made.consulted:
                    self._concerned[key].discard(number)
                stack += sorted(made.reads)

    def _best(self, number: int) -> Made:
        """How a task is done in the state as it is, from memory where that was seen before."""
        known = self._known.setdefault(number, [])
        for made in known:
            if _holds(made.consulted, self.state):
                return made
        picker = Picker(self.source, self.tensors, self.state, number)
        known.append(self._do(self.tasks[number], picker))
        return known[-1]

    def _do(self, task: Task, picker: Picker) -> Made:
        way = picker.way() if len(task.ways) > 1 else 0
        parts = task.ways[way]
        guests = {p.guest for p in parts if p.guest is not None and picker.stands(p.guest)}
        single = [
            self._single((task.target, way, number), part.request, picker)
            for number, part in enumerate(parts)
            if part.guest not in guests
        ]
        works = self._together(single, picker) if task.joinable else single
        kernels = tuple(work.bound for work in works)
        reads = {t for k in kernels for t, _ in k.bindings if t != task.target}
        cost = sum(work.cost for work in works)
        requests = tuple(work.request for work in works)
        return Made(kernels, requests, frozenset(reads | guests), cost, picker.consulted)

    def _single(self, key: tuple[int, int, int], request: Request, picker: Picker) -> Work:
        """The work for one part of a task, from memory where that was seen before.

        A tensor of many pieces is not made all anew for a change that one of them is about.
        """
        known = self._singles.setdefault(key, [])
        found = next((one for one in known if _holds(one.consulted, picker.state)), None)
        if found is None:
            own = Picker(self.source, self.tensors, picker.state, picker.target)
            try:
                found = _Single(self._work(request, own), own.consulted)
            finally:
                # Also where there is no kernel: what it depended on is what may be changed.
                picker.consulted.update(own.consulted)
            known.append(found)
        picker.consulted.update(found.consulted)
        return found.work

    def _work(self, request: Request, picker: Picker) -> Work:
        bound = self.build(request, picker)
        return Work(request, bound, self.kernel_cost(bound.kernel))

    def build(self, request: Request, picker: Picker) -> BoundKernel:
        """The kernel for ``request`` in the state as it is.

        Raises:
            NotExpressibleError: there is none.
        """
        bound = construct(self.setting, request, picker)
        self.written += sum(len(body.instructions) for _, body in bodies(bound.kernel))
        if len(request.roots) > 1 and meeting_stores(bound.kernel) is not None:
            raise NotExpressibleError("a kernel that would write one place twice")
        self._check_apart(bound)
        return bound

    def _check_apart(self, bound: BoundKernel) -> None:
        """A kernel must not write what it reads: a tensor may lie inside the one that is made."""
        homes = [self.setting.layout.place(tensor)[0] for tensor, _ in bound.bindings]
        if len(set(homes)) == len(homes):
            return
        bound = tighten(bound)
        placed = [self.setting.layout.placed(binding) for binding in bound.bindings]
        pairs = list(zip(bound.kernel.parameters, placed, strict=True))
        for number, (left, (tensor, offset)) in enumerate(pairs):
            for right, (other, start) in pairs[number + 1 :]:
                written = {left.access, right.access} != {ParameterAccess.READ}
                if tensor == other and written and not are_disjoint(left, offset, right, start):
                    raise NotExpressibleError("a kernel that would write what it reads")

    def _together(self, single: list[Work], picker: Picker) -> list[Work]:
        """The works with those of equal axes as one, where there is one and it is cheaper."""
        groups: dict[tuple[int, ...], list[Work]] = {}
        for work in single:
            groups.setdefault(tuple(a.size for a in work.request.axes), []).append(work)
        return [work for apart in groups.values() for work in self._joined(apart, picker)]

    def _joined(self, apart: list[Work], picker: Picker) -> list[Work]:
        """One kernel for all requests, where there is one and it is cheaper."""
        if len(apart) == 1:
            return apart
        roots = tuple(root for work in apart for root in work.request.roots)
        request = dataclasses.replace(apart[0].request, roots=roots)
        try:
            joint = self._work(request, picker)
        except NotExpressibleError:
            return apart
        return [joint] if joint.cost < sum(work.cost for work in apart) else apart


def _holds(consulted: Mapping[int, int], state: Mapping[int, int]) -> bool:
    """Whether a state is as it was when it was consulted."""
    return all(state.get(key, 0) == value for key, value in consulted.items())
