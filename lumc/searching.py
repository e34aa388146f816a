"""``--search``: how long kernels are looked for, and by what they are judged."""

from __future__ import annotations

import dataclasses
import signal
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from enum import StrEnum
from types import FrameType

from lumc.dsl.tensor_program import TensorProgram
from lumc.judging import judge_tiles
from lumc.lowering import Lowered, lower
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.search import SearchBudget, never
from lumc.lowering.tuned import Pricer
from lumc.lowering.tuning_database import TuningDatabase

MOVES = 3000
"""Moves a segment, where no time is given."""
_ENDLESS = 10**9
_ROUNDS = 8
"""Times that the best by what is known is measured, and looked for again."""

Measure = Callable[[Kernel], float | None]


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
        """Names all of the options that decide what is found."""
        return f"{self.mode} {self.seconds} {self.seed}"

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
    judge: Measure | None = None,
    *,
    exact: bool,
    libraries: bool,
    random_choices: int | None = None,
) -> Lowered:
    """The best kernels for ``program`` that a search as ``options`` say finds.

    ``measure`` says how many seconds a kernel takes on the device, None where it can't be measured;
    what it says goes into ``tuning``. ``judge`` predicts the same for a search by the model.
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
    pricer = Pricer(chip_for(target), tuning)
    hopeless: set[Kernel] = set()
    for _ in range(_ROUNDS):
        waiting = [v for kernel in found.program.kernels for v in pricer.unmeasured(kernel)]
        waiting = [kernel for kernel in waiting if kernel not in hopeless]
        for kernel in waiting:
            if budget.stop():
                return lowered()
            seconds = measure(kernel)
            if seconds is None:
                hopeless.add(kernel)
            else:
                tuning.record(kernel, seconds)
        if not waiting:
            break
        found = lowered()
    return found


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
