"""Measures the emulator, all checks on: `python benchmarks/emulator.py [TARGET]`.

Prints wave-instructions a second on vector and memory code, operations a second in a matrix loop,
what a second thread brings, and the time to decode. Rates are of processor time, so that other work
on the machine matters little; the gain of threads is of elapsed time and wants an idle machine.
"""

from __future__ import annotations

import os
import sys
import time
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

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


def report(emulator: Emulator, work: Work) -> None:
    """Print the rates of one kernel."""
    counters = run(emulator, work, 1)
    seconds = best(lambda: run(emulator, work, 1), time.process_time)
    rate = f"{counters.instructions / seconds / 1e6:6.1f} M wave-instructions/s"
    if counters.matrix_flops:
        rate += f", {counters.matrix_flops / seconds / 1e9:.1f} GFLOP/s"
    print(f"{work.title:28s} {rate}")


def report_threads(emulator: Emulator, work: Work) -> None:
    """Print what a second thread brings."""
    one, two = (
        best(lambda n=n: run(emulator, work, n), time.perf_counter)  # type: ignore[misc]
        for n in (1, 2)
    )
    print(f"{work.title + ', 2 threads':28s} {one / two:6.2f} x")


def report_decoding(made: CompiledObject) -> None:
    """Print the time to load and decode."""
    count = Emulator(made.code, made.assembly).program.count
    seconds = best(lambda: Emulator(made.code, made.assembly), time.process_time)
    print(f"{'decoding':28s} {seconds * 1e3 * 4000 / count:6.1f} ms for 4,000 instructions")


def main() -> None:
    """Measure everything."""
    target = sys.argv[1] if len(sys.argv) > 1 else "gfx942"
    made = choose_toolchain(target).compile(CompileUnit(SOURCE.read_text()), target)
    emulator = Emulator(made.code, made.assembly)
    print(f"{target}, {os.cpu_count()} processors, load {os.getloadavg()[0]:.1f}")
    for work in works():
        report(emulator, work)
    for work in works():
        report_threads(emulator, work)
    report_decoding(made)


if __name__ == "__main__":
    main()
