"""Random specs, compiled in random ways, as machine code on the emulator, against the reference.

    python -m tests.fuzz.fuzzing --count 1000 --seed 1

Batch by batch, each from a seed of its own that is printed. What counts are specs that differ. A
case that fails is shrunk and kept in ``tests/fuzz/cases``, which ``make test`` runs from then on.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import re
import sys
import time
from collections.abc import Callable, Iterator
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import Any
from unittest import SkipTest

import hypothesis
import numpy as np
import numpy.typing as npt
from hypothesis import HealthCheck, Phase, given, settings
from hypothesis import strategies as st
from safetensors.numpy import load_file

from lumc.codegen.emit import MathMode
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering import lower
from lumc.lowering.kernel_reference import run_program
from lumc.runtime.tensors import write_tensors
from tests.runtime.emulated_stage import relative_error, run_emulated
from tests.strategies.specs import Case, cases, elaborated

KEPT = Path(__file__).parent / "cases"
TARGETS = ("gfx942", "gfx90a", "gfx950")
BATCH = 25
# Of the specs drawn for a batch some are like others: so many times the trials are drawn at most.
MOST_DRAWN = 10
# Values that are all of f32 and values that pass through bf16 and f16.
TOLERANCE, NARROW_TOLERANCE = 1e-4, 2e-2
# Numbers in random specs are about 1: what is far smaller is what rounding left of a difference.
LEAST = 0.02

_NARROW = re.compile(r"\bas (bf16|f16)\b")

Arrays = dict[str, npt.NDArray[Any]]


@dataclass(frozen=True)
class Choice:
    """How a spec is compiled: ``seed`` picks random kernels, None the best."""

    target: str
    math: str
    seed: int | None
    narrow: bool


@dataclass(frozen=True)
class Trial:
    """A spec with data, and how it is compiled."""

    text: str
    inputs: Arrays
    weights: Arrays
    choice: Choice

    def program(self) -> TensorProgram:
        """The tensor program."""
        return elaborated(self.text)


class MismatchError(AssertionError):
    """A compiled spec does not compute what it means."""


Runner = Callable[[Trial, TensorProgram], Arrays]


def on_emulator(trial: Trial, program: TensorProgram) -> Arrays:
    """The outputs by machine code on the emulator."""
    choice = trial.choice
    return run_emulated(
        program,
        trial.inputs,
        trial.weights,
        choice.target,
        MathMode(choice.math),
        choice.seed,
        together=True,
    )


def by_meaning(trial: Trial, program: TensorProgram) -> Arrays:
    """The outputs by the kernels' NumPy meaning: nothing is compiled."""
    choice = trial.choice
    exact = MathMode(choice.math) is MathMode.EXACT
    kernels = lower(program, choice.target, exact=exact, seed=choice.seed).program
    return dict(run_program(kernels, trial.inputs, trial.weights))


def check(trial: Trial, runner: Runner = on_emulator) -> None:
    """Run a trial and compare every output with the reference.

    Raises:
        MismatchError: an output differs in shape, type or values.
    """
    program = trial.program()
    expected = evaluate(program, trial.inputs, trial.weights, "exact")
    got = runner(trial, program)
    if got.keys() != expected.keys():
        raise MismatchError(f"outputs {sorted(got)} where {sorted(expected)} are wanted")
    # Where not every rounding is kept, what is stored in a narrow type may be more precise.
    rounds = trial.choice.math == MathMode.FAST and _NARROW.search(trial.text)
    tolerance = NARROW_TOLERANCE if trial.choice.narrow or rounds else TOLERANCE
    for name, values in expected.items():
        found = got[name]
        if (found.shape, found.dtype) != (values.shape, values.dtype):
            wanted = f"{values.dtype}{values.shape}"
            raise MismatchError(f"{name}: {found.dtype}{found.shape} where {wanted} is wanted")
        if values.dtype.kind in "iub" and not np.array_equal(found, values):
            raise MismatchError(f"{name}: whole numbers differ")
        if values.dtype.kind not in "iub" and relative_error(found, values, LEAST) > tolerance:
            raise MismatchError(f"{name}: error {relative_error(found, values, LEAST):.2e}")


@st.composite
def trials(draw: st.DrawFn, statements: int = 8) -> Trial:
    """A random spec, compiled in a random way; the simplest is the best kernels for gfx942."""
    narrow = draw(st.booleans())
    choice = Choice(
        draw(st.sampled_from(TARGETS)),
        str(draw(st.sampled_from(MathMode))),
        draw(st.none() | st.integers(0, 2**16)),
        narrow,
    )
    case: Case = draw(cases(narrow=narrow, statements=statements))
    return Trial(case.text, case.inputs, case.weights, choice)


# ------------------------------------------------------------------------------------ kept failures


def keep(trial: Trial, problem: str, folder: Path = KEPT) -> Path:
    """Write a failing trial where ``make test`` finds it; returns the spec's place."""
    name = hashlib.sha256(repr((trial.text, trial.choice)).encode()).hexdigest()[:12]
    folder.mkdir(parents=True, exist_ok=True)
    place = folder / f"{name}.lum"
    place.write_text(trial.text, encoding="utf-8")
    content = {"choice": asdict(trial.choice), "problem": problem}
    place.with_suffix(".json").write_text(json.dumps(content, indent=1) + "\n", encoding="utf-8")
    for kind, arrays in (("inputs", trial.inputs), ("weights", trial.weights)):
        write_tensors(place.with_suffix(f".{kind}.safetensors"), arrays)
    return place


def kept(folder: Path = KEPT) -> Iterator[tuple[str, Trial]]:
    """The failures that were kept, by name."""
    for place in sorted(folder.glob("*.lum")):
        content = json.loads(place.with_suffix(".json").read_text(encoding="utf-8"))
        inputs, weights = (
            load_file(place.with_suffix(f".{kind}.safetensors")) for kind in ("inputs", "weights")
        )
        text = place.read_text(encoding="utf-8")
        yield place.stem, Trial(text, inputs, weights, Choice(**content["choice"]))


# ------------------------------------------------------------------------------------------ running


@dataclass
class Batch:
    """What became of the trials of one seed."""

    seed: int
    ran: int = 0
    failure: tuple[Trial, str] | None = None


def run_batch(
    seed: int, count: int, runner: Runner, shrink: bool = True, seen: set[str] | None = None
) -> Batch:
    """``count`` trials from ``seed``; the first that fails is shrunk and ends the batch.

    Each with a text that is not in ``seen``, where it is put.
    """
    batch, seen = Batch(seed), set() if seen is None else seen
    phases = [Phase.generate, Phase.shrink] if shrink else [Phase.generate]

    @hypothesis.seed(seed)
    @settings(
        max_examples=MOST_DRAWN * count,
        database=None,
        deadline=None,
        phases=phases,
        suppress_health_check=list(HealthCheck),
        print_blob=False,
    )
    @given(trials())
    def attempt(trial: Trial) -> None:
        if batch.failure is None:
            if batch.ran == count:
                raise SkipTest("enough")  # All that ends a run of hypothesis early.
            if trial.text in seen:
                return
            seen.add(trial.text)
            batch.ran += 1
        try:
            check(trial, runner)
        except Exception as error:
            batch.failure = trial, f"{type(error).__name__}: {error}"
            raise

    try:
        attempt()
    except SkipTest:
        pass
    except Exception:
        # The last that failed is the smallest: it is run once more in the end.
        if batch.failure is None:
            raise
    return batch


def main() -> int:
    """Run batches, say what happened, keep what failed; 1 if anything did."""
    parser = argparse.ArgumentParser(description=__doc__, usage="python -m tests.fuzz.fuzzing")
    parser.add_argument("--count", type=int, default=1000, help="trials")
    parser.add_argument("--seed", type=int, default=0, help="the first batch's; others follow")
    parser.add_argument("--meaning", action="store_true", help="kernels in NumPy, nothing compiled")
    parser.add_argument("--no-shrink", action="store_true", help="keep a failure as it was found")
    options = parser.parse_args()
    runner = by_meaning if options.meaning else on_emulator
    ran, failures, seed, start = 0, 0, options.seed, time.monotonic()
    seen: set[str] = set()
    while ran < options.count:
        count = min(BATCH, options.count - ran)
        batch = run_batch(seed, count, runner, not options.no_shrink, seen)
        ran += batch.ran
        if batch.failure is not None:
            failures += 1
            place = keep(*batch.failure)
            print(f"seed {seed}: {batch.failure[1]}\n  kept as {os.path.relpath(place)}")
        seconds = time.monotonic() - start
        print(f"seed {seed}: {ran} trials, {failures} failures, {seconds:.0f} s", flush=True)
        seed += 1
    print(f"{ran} trials from seeds {options.seed} to {seed - 1}: {failures} failures")
    return 1 if failures else 0


if __name__ == "__main__":
    sys.exit(main())
