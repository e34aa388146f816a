"""The search finds what the descent misses, keeps the best, and repeats itself."""

from __future__ import annotations

import itertools
import random

import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.chips import chip_for
from lumc.lowering.choice import Choice
from lumc.lowering.cost import predict_seconds
from lumc.lowering.explicit_conversions import make_conversions_explicit
from lumc.lowering.extract import begin, improve, shuffle
from lumc.lowering.fragment import prepare
from lumc.lowering.kernel_program import Kernel
from lumc.lowering.layouts import choose_orders
from lumc.lowering.lower import lower
from lumc.lowering.outline import outline
from lumc.lowering.search import SearchBudget, joined_cost, search, state_of
from tests.lowering.checking import assert_equal, random_tensors

# One launch for g alone is dearer than making g again in every tile of the product. But z is made
# at the same points anyway: joined with that, g is nearly free.
HORIZONTAL = """
stage s(x: f32[4096, 512], W: f32[2048, 512]) -> y: f32[4096, 2048], z: f32[4096, 512]:
    g[t, i] = sin(sin(sin(x[t, i])))
    y[t, o] = sum[i] g[t, i] * W[o, i]
    z[t, i] = x[t, i] + 1
"""
SMALL = HORIZONTAL.replace("4096", "48").replace("2048", "40").replace("512", "24")
CHIP = chip_for("sm_90")


def microseconds(kernel: Kernel) -> float:
    return predict_seconds(kernel, CHIP) * 1e6


def everything_stands(text: str) -> Choice:
    program = make_conversions_explicit(elaborate(load_text("text", text), "s"))
    (segment,) = outline(program, choose_orders(program)).segments
    found = prepare(segment, exact=False)
    tasks = found.maker.tasks()
    extended = found.extended
    return begin(extended.program, extended.ranks, found.source, tasks, found.setting, microseconds)


def cheapest_of_all(text: str) -> float:
    """The least cost of all states, one by one."""
    choice = everything_stands(text)
    keys = sorted(choice.tensors.removable)
    costs = []
    for values in itertools.product((0, 1), repeat=len(keys)):
        for key, value in zip(keys, values, strict=True):
            choice.move(key, value)
        costs.append(joined_cost(choice))
    return min(costs)


def test_the_search_finds_the_optimum_that_the_descent_misses() -> None:
    optimum = cheapest_of_all(HORIZONTAL)
    choice = everything_stands(HORIZONTAL)
    improve(choice)
    assert joined_cost(choice) > optimum * 1.01
    search(choice, SearchBudget(moves=2000))
    assert joined_cost(choice) == pytest.approx(optimum, rel=1e-9)


def test_the_same_seed_finds_the_same() -> None:
    states = []
    for _ in range(2):
        choice = everything_stands(HORIZONTAL)
        search(choice, SearchBudget(moves=300, seed=5))
        states.append(state_of(choice))
    assert states[0] == states[1]


@pytest.mark.parametrize("asked", [0, 1, 7, 40])
def test_a_stop_keeps_the_best_so_far(asked: int) -> None:
    left = iter(range(asked))
    choice = everything_stands(HORIZONTAL)
    shuffle(choice, 3)
    before = joined_cost(choice)
    search(choice, SearchBudget(moves=10**9, stop=lambda: next(left, None) is None))
    assert joined_cost(choice) <= before
    assert choice.cost == pytest.approx(sum(choice.made(n).cost for n in choice.live()))


def test_restoring_forgets_nothing() -> None:
    choice = everything_stands(HORIZONTAL)
    improve(choice)
    kept, state, cost = choice.snapshot(), state_of(choice), joined_cost(choice)
    generator = random.Random(1)
    for _ in range(50):
        keys = choice.questions()
        choice.move(keys[generator.randrange(len(keys))], generator.randrange(2))
    choice.restore(kept)
    assert (state_of(choice), joined_cost(choice)) == (state, cost)
    assert choice.cost == pytest.approx(sum(choice.made(n).cost for n in choice.live()))


def test_what_is_found_means_the_same() -> None:
    program = elaborate(load_text("text", SMALL), "s")
    searched = lower(program, "gfx942", budget=SearchBudget(moves=500))
    assert searched.predicted_ms <= lower(program, "gfx942").predicted_ms * (1 + 1e-9)
    assert_equal(program, searched.program, random_tensors(program))


def test_lowering_searches() -> None:
    program = elaborate(load_text("text", HORIZONTAL), "s")
    searched = lower(program, "sm_90", budget=SearchBudget(moves=500))
    assert searched.predicted_ms < lower(program, "sm_90").predicted_ms * 0.99
