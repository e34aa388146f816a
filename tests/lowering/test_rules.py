"""Every rewrite rule: both sides mean the same, it finds what it should, and nothing else."""

from __future__ import annotations

from collections import Counter
from functools import cache

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.encode import PRECISION_RULE_FILES, RULE_FILES
from lumc.lowering.engine import rule_names
from lumc.lowering.kernel_program import Attention
from lumc.lowering.kernel_reference import run_program
from lumc.lowering.lower import Lowered, lower
from tests.lowering.checking import (
    assert_equal,
    check_random,
    random_tensors,
    relative_error,
)
from tests.lowering.rule_cases import CASES

BY_NAME = {case.name: case for case in CASES}
SEEDS = range(2)
MORE_SEEDS = range(2, 32)


@cache
def program_of(name: str) -> TensorProgram:
    return elaborate(load_text("case", f"use nn\n{BY_NAME[name].text}"), "s")


@cache
def lowered(name: str) -> Lowered:
    return lower(program_of(name), "gfx942")


@pytest.mark.parametrize("name", BY_NAME)
def test_what_is_found(name: str) -> None:
    case = BY_NAME[name]
    found = lowered(name)
    kernels = found.program.kernels
    kinds = Counter(type(kernels[launch.kernel]).__name__ for launch in found.program.launches)
    assert kinds == case.kinds
    missing = [rule for rule in case.rules if not found.rules.get(rule)]
    assert not missing
    assert not [rule for rule in case.never if found.rules.get(rule)]


@pytest.mark.parametrize("name", BY_NAME)
def test_both_sides_mean_the_same(name: str) -> None:
    program = program_of(name)
    assert_equal(program, lowered(name).program, random_tensors(program))
    check_random(program, SEEDS)


@pytest.mark.slow
@pytest.mark.parametrize("name", BY_NAME)
def test_both_sides_mean_the_same_at_length(name: str) -> None:
    check_random(program_of(name), MORE_SEEDS)


def test_every_rule_is_tried() -> None:
    tried: Counter[str] = Counter()
    for case in CASES:
        tried.update(lowered(case.name).rules)
    named = {rule for file in RULE_FILES + PRECISION_RULE_FILES for rule in rule_names(file)}
    assert not {rule for rule in named if not tried[rule]}


@pytest.mark.parametrize(
    "name",
    [
        "no maximum is taken off the scores",
        "no maximum, divided before the values",
        "probabilities rounded before they weigh the values",
    ],
)
def test_exact_programs_keep_neither_more_precision_nor_more_range(name: str) -> None:
    found = lower(program_of(name), "gfx942", exact=True)
    assert not any(isinstance(kernel, Attention) for kernel in found.program.kernels)


def test_what_is_rounded_never_stands_for_what_is_not() -> None:
    text = """use nn
stage s(q: bf16[5, 8], k: bf16[7, 8], v: f32[7, 6]) -> o: f32[5, 6], r: f32[5, 6]:
    z = scores(q, k)
    p[t, s] = softmax(z[t])[s]
    n[t, s] as bf16 = p[t, s]
    o[t, d] = sum[s] p[t, s] * v[s, d]
    r[t, d] = sum[s] n[t, s] * v[s, d]
"""
    program = elaborate(load_text("case", text), "s")
    tensors = random_tensors(program)
    wanted = evaluate(program, *tensors, math="exact")["o"]
    for seed in range(12):
        kernels = lower(program, "gfx942", seed=seed).program
        error = relative_error(run_program(kernels, *tensors)["o"], wanted)
        assert error < 1e-5
