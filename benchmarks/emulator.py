"""Measures the emulator, all checks on: `python benchmarks/emulator.py [TARGET]`.

Prints wave-instructions a second on vector and memory code, operations a second in a matrix loop,
what a second thread brings, and the time to decode. Rates are of processor time, so that other work
on the machine matters little; the gain of threads is of elapsed time and wants an idle machine.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from pathlib import Path

import numpy as np
from rich.console import Console
from rich.table import Table

from lumc.codegen.toolchains.discovery import choose_toolchain
from lumc.codegen.toolchains.toolchain import CompiledObject, CompileUnit
from lumc.runtime.emulator import Counters, Emulator, KernelArgument

SOURCE = Path(__file__).parent / "kernels" / "emulator.hip"
REPEATS = 5


@dataclass(frozen=True)
class Work:
    """A kernel and its arguments."""

    title: str
    kernel: str
    groups: int
    arguments: tuple[KernelArgument, ...]


def works() -> tuple[Work, ...]:
    """What is measured."""
    rng = np.random.default_rng(1)
    x = rng.standard_normal((1024, 1024)).astype(np.float32)
    a = (rng.standard_normal(256 * 32).astype(np.float32).view(np.uint32) >> 16).astype(np.uint16)
    groups = 16
    return (
        Work("softmax of rows", "softmax", 256, (x, np.empty_like(x), 1024)),
        Work("x * f + y, 16 bytes a lane", "scale_add", 16, (x, x, np.empty_like(x), 2.5, 1 << 18)),
        Work("matrix loop", "multiply", groups, (a, np.empty(groups * 256, np.float32), 16)),
    )


def run(emulator: Emulator, work: Work, threads: int) -> Counters:
    """One launch."""
    return emulator.launch(
        work.kernel, (work.groups, 1, 1), (256, 1, 1), work.arguments, threads=threads
    ).counters


def best(measure: Callable[[], object], clock: Callable[[], float]) -> float:
    """The shortest of several runs, in seconds of `clock`."""
    times = []
    for _ in range(REPEATS):
        begin = clock()
        measure()
        times.append(clock() - begin)
    return min(times)


@dataclass(frozen=True)
class Figure:
    """A measured rate or time, and what is wanted of it."""

    title: str
    value: float
    unit: str
    wanted: float
    at_most: bool = False

    @property
    def met(self) -> bool:
        """Whether it is as wanted."""
        return self.value <= self.wanted if self.at_most else self.value >= self.wanted


def rates(emulator: Emulator, work: Work) -> Iterator[Figure]:
    """What one core does of ``work``, and what a second brings."""
    counters = run(emulator, work, 1)
    seconds = best(lambda: run(emulator, work, 1), time.process_time)
    if counters.matrix_flops:
        rate = counters.matrix_flops / seconds / 1e9
        yield Figure(work.title, rate, "GFLOP/s a core", 10)
    else:
        rate = counters.instructions / seconds / 1e6
        yield Figure(work.title, rate, "M wave-instructions/s a core", 15)
    one, two = (
        best(lambda n=n: run(emulator, work, n), time.perf_counter)  # type: ignore[misc]
        for n in (1, 2)
    )
    yield Figure(f"{work.title}, two threads", one / two, "times one", 1.7)


def decoding(made: CompiledObject) -> Figure:
    """The time to load and decode, for each 4,000 instructions."""
    count = Emulator(made.code, made.assembly).program.count
    seconds = best(lambda: Emulator(made.code, made.assembly), time.process_time)
    milliseconds = seconds * 1e3 * 4000 / count
    return Figure("decoding", milliseconds, "ms for 4,000 instructions", 200, at_most=True)


def main() -> int:
    """Measure everything; 1 if a figure is not as wanted."""
    target = sys.argv[1] if len(sys.argv) > 1 else "gfx942"
    made = choose_toolchain(target).compile(CompileUnit(SOURCE.read_text()), target)
    emulator = Emulator(made.code, made.assembly)
    figures = [figure for work in works() for figure in rates(emulator, work)]
    figures.append(decoding(made))
    title = f"{target}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}, all checks on"
    table = Table("what", "measured", "unit", "wanted", "", title=title)
    for figure in figures:
        sign = "≤" if figure.at_most else "≥"
        wanted = f"{sign} {figure.wanted:g}"
        met = "ok" if figure.met else "missed"
        table.add_row(figure.title, f"{figure.value:.2f}", figure.unit, wanted, met)
    Console().print(table)
    return 0 if all(figure.met for figure in figures) else 1


if __name__ == "__main__":
    sys.exit(main())
