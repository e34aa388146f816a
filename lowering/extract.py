"""Choosing: which tensors stand in memory, and which alternative makes each value.

Everything starts in memory, which is always possible; then one thing after the other is changed,
above all tensors are taken out of memory, their expressions going into the kernels that read them,
as long as the whole program becomes cheaper. Costs are of whole kernels, and count what is shared
once.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Sequence

from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.tensor_program import Origin, TensorProgram
from lumc.lowering.alternatives import Alternatives
from lumc.lowering.choice import Choice, ImpossibleTaskError
from lumc.lowering.draft import Setting
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.picker import REMOVED, STANDS, WAY, sort_tensors
from lumc.lowering.requests import Task

LARGEST_SWEEPS = 6
"""Times that every question of the state is asked again."""

LONGEST_DESCENT = 128
"""Instructions written for each tensor of a program before it is left as it is then.

Models take about 40. A loop that is unrolled, where each round can be computed from all those
before it, would take a multiple of its length.
"""

GATHERED_GAIN = 0.2
"""Part of the time of what reads a value that another way to make it has to gain, if that way
reads what nothing has read before."""


class NoKernelError(LumcError):
    """A value of the spec that no kernel can be found for."""


def _no_kernel(origin: Origin, reason: str) -> NoKernelError:
    name = origin.label or "this value"
    message = f"no kernel was found that computes {name}: {reason}"
    hint = "give parts of it names of their own, so that they are computed one after the other"
    return NoKernelError(Diagnostic("K001", message, origin.span, hint, trace=origin.path))


def begin(
    program: TensorProgram,
    ranks: tuple[float, ...],
    source: Alternatives,
    tasks: dict[int, Task],
    setting: Setting,
    cost: Callable[[Kernel], float],
    passing: Sequence[int] = (),
) -> Choice:
    """The state in which every tensor is in memory, but for those that are ``passing``.

    Raises:
        NoKernelError: no kernel can make a tensor.
    """
    choice = Choice(source, tasks, setting, cost, sort_tensors(program, source, ranks))
    passed = {source.tensor_of[number] for number in passing}
    choice.state.update(dict.fromkeys(passed & choice.tensors.removable, REMOVED))
    try:
        choice.start()
    except ImpossibleTaskError as error:
        node = error.task if error.task >= 0 else program.outputs[~error.task].operand.node
        raise _no_kernel(program.nodes[node].origin, str(error)) from error
    return choice


def improve(choice: Choice) -> None:
    """Change one thing at a time, or a few that belong together, while the whole gets cheaper."""
    most = choice.written + LONGEST_DESCENT * len(choice.tasks)
    asked: dict[tuple[str, int], tuple[int, ...]] = {}
    for _ in range(LARGEST_SWEEPS):
        changed = False
        for name, change in (("flip", _improve_at), ("gather", _gather_at)):
            for key in choice.questions():
                # What was tried in vain is not tried again until something near it changes.
                if asked.get((name, key)) == choice.versions(key):
                    continue
                if choice.written > most:
                    return
                changed |= change(choice, key)
                asked[name, key] = choice.versions(key)
        if not changed:
            return


def _improve_at(choice: Choice, key: int) -> bool:
    old = choice.state.get(key, 0)
    for value in range(choice.options(key)):
        if value == old:
            continue
        before = choice.cost
        if not choice.move(key, value):
            continue
        # At equal cost a tensor is taken out, as what is made in one place may yet be joined.
        slack = 1e-9 * before
        if choice.cost < before - slack:
            return True
        if key >= 0 and value == REMOVED and choice.cost <= before + slack:
            return True
        choice.move(key, old)
    return False


def _gather_at(choice: Choice, key: int) -> bool:
    """Make one tensor from as little as possible, if that makes the whole cheaper.

    A value that several kernels make from parts that stand in memory is not cheaper to keep itself
    until the parts are gone; nor is cutting a tensor along others until those are. Both are one
    move: put a tensor into memory, or make it in another way, and take out what it is made from.
    Then what stands only as it was not there: a square of it for a sum, a product added to it.
    """
    old = choice.state.get(key, 0)
    if key < 0:
        return _gather_alternative(choice, key)
    if key < WAY // 2 and (old == STANDS or not choice.is_repeated(key)):
        return False
    target = key - WAY if key >= WAY // 2 else key
    users = sorted(choice.asking(key))
    for value in range(choice.options(key)):
        if value == old:
            continue
        before = choice.cost
        if not choice.move(key, value):
            continue
        done = [(key, old), *_take_out_parts(choice, target)]
        if choice.cost < before * (1 - 1e-9):
            return True
        if target == key:
            done += _take_out_around(choice, users)
            if choice.cost < before * (1 - 1e-9):
                return True
        for changed, was in reversed(done):
            choice.move(changed, was)
    return False


def _gather_alternative(choice: Choice, key: int) -> bool:
    """Make a value in another way from as little as possible, if that makes the whole cheaper.

    Another way may read tensors that nothing has read before: that they stand in memory was never
    chosen.
    """
    old, live = choice.state.get(key, 0), set(choice.live())
    # Kernels of unlike kinds are not priced more exactly than this.
    least = GATHERED_GAIN * sum(choice.made(task).cost for task in choice.asking(key))
    for value in range(choice.options(key)):
        before = choice.cost
        if value == old or not choice.move(key, value):
            continue
        done = [(key, old)]
        for task in sorted(set(choice.live()) - live, reverse=True):
            if task in choice.tensors.removable and choice.state.get(task, 0) == STANDS:
                cost = choice.cost
                if not choice.move(task, REMOVED):
                    continue
                if choice.cost > cost:
                    choice.move(task, STANDS)
                else:
                    done.append((task, STANDS))
        if choice.cost < before - max(least, 1e-9 * before):
            return True
        for changed, was in reversed(done):
            choice.move(changed, was)
    return False


def _take_out_parts(choice: Choice, target: int) -> list[tuple[int, int]]:
    """Take what ``target`` is made from out of memory, where that makes the whole no dearer.

    Returns what was changed, with the value that it had.
    """
    done: list[tuple[int, int]] = []
    tried: set[int] = set()
    while True:
        parts = [n for n in choice.reads(target) if n in choice.tensors.removable - tried]
        if not parts:
            return done
        part = max(parts)
        tried.add(part)
        before = choice.cost
        if not choice.move(part, REMOVED):
            continue
        if choice.cost > before:
            choice.move(part, STANDS)
        else:
            done.append((part, STANDS))


def _take_out_around(choice: Choice, users: Sequence[int]) -> list[tuple[int, int]]:
    """Take ``users``, and what they are made from, out of memory where that is no dearer.

    Returns what was changed, with the value that it had.
    """
    done: list[tuple[int, int]] = []
    for user in users:
        before = choice.cost
        stands = user in choice.tensors.removable and choice.state.get(user, 0) == STANDS
        if stands and choice.move(user, REMOVED):
            if choice.cost > before:
                choice.move(user, STANDS)
            else:
                done.append((user, STANDS))
        done += _take_out_parts(choice, user)
    return done


def shuffle(choice: Choice, seed: int) -> None:
    """Go to a random state, whatever it costs."""
    generator = random.Random(seed)
    for _ in range(2):
        questions = choice.questions()
        generator.shuffle(questions)
        for key in questions:
            choice.move(key, generator.randrange(max(1, choice.options(key))))
