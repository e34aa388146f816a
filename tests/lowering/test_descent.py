"""How much a descent to the nearest low point may take: it is counted, not timed."""

from __future__ import annotations

import statistics

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.chips import chip_for
from lumc.lowering.choice import Choice
from lumc.lowering.cost import predict_seconds
from lumc.lowering.explicit_conversions import make_conversions_explicit
from lumc.lowering.extract import LONGEST_DESCENT, begin, improve
from lumc.lowering.fragment import prepare
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.layouts import choose_orders
from lumc.lowering.outline import outline
from tests.lowering.checking import check

CHIP = chip_for("gfx942")


def recurrence(steps: int) -> TensorProgram:
    """A state that every step changes and reads: each result could be computed from the start."""
    text = f"""use nn
stage s(q: f32[{steps}, 16], k: f32[{steps}, 16], v: f32[{steps}, 24],
        a: f32[{steps}]) -> o: f32[{steps}, 24]:
    index i: 16, j: 24
    S{{0}}[i, j] = 0
    for t < {steps}:
        S{{t+1}}[i, j] = a[t] * S{{t}}[i, j] + k[t, i] * v[t, j]
        o[t, j] = sum[i] q[t, i] * S{{t+1}}[i, j]
"""
    return elaborate(load_text("text", text), "s")


def microseconds(kernel: Kernel) -> float:
    return predict_seconds(kernel, CHIP) * 1e6


def started(program: TensorProgram) -> Choice:
    program = make_conversions_explicit(program)
    (segment,) = outline(program, choose_orders(program)).segments
    found = prepare(segment, exact=False)
    extended = found.extended
    tasks = found.maker.tasks()
    return begin(extended.program, extended.ranks, found.source, tasks, found.setting, microseconds)


@pytest.mark.parametrize("steps", [12, 24])
def test_a_long_recurrence_takes_no_more_for_each_step(steps: int) -> None:
    choice = started(recurrence(steps))
    before = choice.written
    improve(choice)
    # A move that is begun is brought to an end.
    assert choice.written - before <= 1.5 * LONGEST_DESCENT * len(choice.tasks)
    assert choice.cost < started(recurrence(steps)).cost


def test_a_change_makes_only_the_pieces_anew_that_it_is_about() -> None:
    """Every piece is computed from the start, so that all together are some 800 instructions."""
    choice = started(recurrence(16))
    improve(choice)
    written: list[int] = []
    for key in sorted(choice.tensors.removable & set(choice.questions())):
        old = choice.state.get(key, 0)
        before = choice.written
        if choice.move(key, 1 - old):
            written.append(choice.written - before)
            choice.move(key, old)
    assert statistics.median(written) < 300


def test_a_recurrence_means_the_same() -> None:
    check(recurrence(10))
