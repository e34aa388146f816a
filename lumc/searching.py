"""``--search``: how long kernels are looked for, and by what they are judged."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from types import FrameType

from lumc.dsl.tensor_program import TensorProgram
from lumc.judging import judge_tiles
from lumc.lowering import Lowered, lower
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.kernel_program import Kernel, KernelProgram
from lumc.lowering.search import SearchBudget, never
from lumc.lowering.tuned import Pricer
from lumc.lowering.tuning_database import TuningDatabase
from lumc.runtime.emulator.timing import MODEL_VERSION

MOVES = 3000
"""Moves a segment, where no time is given."""
_ENDLESS = 10**9
_ROUNDS = 8
"""Times that the best by what is known is measured, and looked for again."""

Judge = Callable[[Kernel], float | None]
"""Predicts the seconds of a kernel; None where it can't."""
Measure = Callable[[Sequence[Kernel]], Iterator[float | None]]
"""The seconds of each of several kernels, one after the other; None where it can't be measured."""


class SearchMode(StrEnum):
    """What is done beyond the nearest low point."""

    NONE = "none"
    MODEL = "model"
    """A search by the models of the chip, and what was measured before."""
    DEVICE = "device"
    """The same, and the kernels that win are measured until nothing new wins."""


@dataclass(frozen=True, slots=True)
class SearchOptions:
    """``seconds`` are a stage's; without them the search ends after a fixed number of moves.

    ``interrupted`` says whether to go on with the best so far. It is no part of the options'
    identity: what was interrupted is not kept for later.
    """

    mode: SearchMode = SearchMode.NONE
    seconds: float | None = None
    seed: int = 0
    interrupted: Callable[[], bool] = field(default=never, compare=False)

    def key(self) -> str:
        """Names all that decides what is found, beside what lumc itself is."""
        judge = MODEL_VERSION if self.mode is SearchMode.MODEL else ""
        return f"{self.mode} {self.seconds} {self.seed} {judge}"

    def budget(self) -> SearchBudget | None:
        """The budget of a search that begins now."""
        if self.mode is SearchMode.NONE:
            return None
        if self.seconds is None:
            return SearchBudget(MOVES, self.seed, self.interrupted)
        end = time.monotonic() + self.seconds

        def over() -> bool:
            return self.interrupted() or time.monotonic() >= end

        return SearchBudget(_ENDLESS, self.seed, over)


NO_SEARCH = SearchOptions()


def find_kernels(
    program: TensorProgram,
    target: str,
    options: SearchOptions,
    tuning: TuningDatabase,
    measure: Measure | None,
    judge: Judge | None = None,
    *,
    exact: bool,
    libraries: bool,
    random_choices: int | None = None,
) -> Lowered:
    """The best kernels for ``program`` that a search as ``options`` say finds.

    What ``measure`` says of kernels on the device goes into ``tuning``. ``judge`` predicts the same
    for a search by the model.
    """
    budget = options.budget()

    def lowered() -> Lowered:
        return lower(
            program,
            target,
            exact=exact,
            seed=random_choices,
            libraries=libraries,
            explained=True,
            budget=budget,
            tuning=tuning,
        )

    found = lowered()
    if options.mode is SearchMode.MODEL and budget is not None and judge is not None:
        judged = judge_tiles(found.program, chip_for(target), tuning, judge, budget.stop)
        return dataclasses.replace(found, program=judged)
    if options.mode is not SearchMode.DEVICE or budget is None:
        return found
    assert measure is not None, "a search on the device needs something to measure with"
    chip = chip_for(target)
    pricer = Pricer(with_library(chip) if libraries else chip, tuning)
    hopeless: set[Kernel] = set()
    for _ in range(_ROUNDS):
        assert found.cut is not None
        if not tune_kernels(found.cut, pricer, tuning, measure, budget.stop, hopeless):
            return found
        found = lowered()
        if budget.stop():
            break
    return found


def tune_kernels(
    program: KernelProgram,
    pricer: Pricer,
    tuning: TuningDatabase,
    measure: Measure,
    stop: Callable[[], bool],
    hopeless: set[Kernel],
) -> bool:
    """Measure the ways to do the kernels of ``program`` that are worth it and were not yet.

    Those come first in whose kernels a step spends most of its time. Returns whether there were
    any; ``hopeless`` are those that can't be measured.
    """
    counts = Counter(launch.kernel for launch in (*program.prepare, *program.launches))
    kernels = sorted(
        ((counts[n] * pricer.microseconds(k), n) for n, k in enumerate(program.kernels)),
        key=lambda pair: (-pair[0], pair[1]),
    )
    waiting = [v for _, n in kernels for v in pricer.unmeasured(program.kernels[n])]
    waiting = [kernel for kernel in dict.fromkeys(waiting) if kernel not in hopeless]
    if not waiting or stop():
        return False
    for kernel, seconds in zip(waiting, measure(waiting), strict=False):
        if seconds is None:
            hopeless.add(kernel)
        else:
            tuning.record(kernel, seconds)
        if stop():
            break
    return True


@contextmanager
def one_interrupt() -> Iterator[Callable[[], bool]]:
    """Inside, the first Ctrl-C only makes what is yielded true; the next is as always."""
    caught = threading.Event()
    if threading.current_thread() is not threading.main_thread():
        yield caught.is_set
        return
    before = signal.getsignal(signal.SIGINT)

    def note(number: int, frame: FrameType | None) -> None:
        caught.set()
        signal.signal(signal.SIGINT, before)

    signal.signal(signal.SIGINT, note)
    try:
        yield caught.is_set
    finally:
        signal.signal(signal.SIGINT, before)
