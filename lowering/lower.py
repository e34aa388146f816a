"""From a tensor program to a kernel program, top to bottom."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable
from dataclasses import dataclass

from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.assemble import Part, assemble
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.constant_tables import make_tables
from lumc.lowering.explanation import Explanation, explain
from lumc.lowering.explicit_conversions import make_conversions_explicit
from lumc.lowering.fragment import lower_segment
from lumc.lowering.held_values import HeldValues
from lumc.lowering.kernel_program import Kernel, KernelProgram
from lumc.lowering.layouts import choose_orders
from lumc.lowering.made_operands import make_operands
from lumc.lowering.narrow import narrow
from lumc.lowering.outline import outline
from lumc.lowering.prepared import split_prepared
from lumc.lowering.program_verifier import verify_program
from lumc.lowering.scatter_sums import reduce_scatter_sums
from lumc.lowering.search import SearchBudget
from lumc.lowering.tuned import Pricer
from lumc.lowering.tuning_database import TuningDatabase
from lumc.lowering.weight_layouts import lay_out_weights


@dataclass(frozen=True, slots=True)
class Lowered:
    """A kernel program and how it came about."""

    program: KernelProgram
    held: HeldValues
    """What stands in its buffers."""
    rules: dict[str, int]
    """Matches by rule."""
    predicted_ms: float
    """What a step takes by the cost model."""
    explanation: Explanation | None = None
    names: tuple[str, ...] = ()
    """What the explanation calls the first kernels of the program: some are cut into parts then."""
    cut: KernelProgram | None = None
    """The program before it has what libraries want and nobody has: what to measure."""


def lower(
    program: TensorProgram,
    target: str,
    *,
    exact: bool = False,
    seed: int | None = None,
    libraries: bool = False,
    explained: bool = False,
    budget: SearchBudget | None = None,
    tuning: TuningDatabase | None = None,
) -> Lowered:
    """The kernels for ``program`` that cost least by the model of the chip ``target``.

    Args:
        program: One stage, as elaborated.
        target: A chip, such as ``gfx942``.
        exact: Round exactly where the text does; otherwise values may keep more precision.
        seed: Instead of the best kernels, take random ones that mean the same.
        libraries: The vendor's libraries may be called where that is faster.
        tuning: Measured times, which replace the model's.
        budget: Search on from the nearest low point; equal segments are searched once.
        explained: Also say what was found, what was not chosen and why, and what was not found.
    """
    chip = with_library(chip_for(target)) if libraries else chip_for(target)
    pricer = Pricer(chip, tuning)
    program = narrow(program)
    program = make_conversions_explicit(program)
    program = reduce_scatter_sums(program)
    program, tables = make_tables(program)
    split = split_prepared(program)
    once, every = (
        _lowered(part, exact, pricer.microseconds, seed, explained, budget)
        for part in (split.once, split.every)
    )
    assembled = assemble(once, every, tables, pricer.microseconds)
    cut = pricer.cut(lay_out_weights(assembled.program, chip))
    kernels = make_operands(cut)
    verify_program(kernels)
    matches: Counter[str] = Counter()
    for fragment in (*once.fragments, *every.fragments):
        matches.update(fragment.matches)
    costs = [pricer.microseconds(kernel) for kernel in kernels.kernels]
    cost = sum(costs[launch.kernel] for launch in kernels.launches)
    story = explain(once, every, assembled, pricer.microseconds) if explained else None
    names = tuple(kernel.name for kernel in assembled.program.kernels)
    held = HeldValues(split.once, split.every, tables, assembled.held)
    return Lowered(kernels, held, dict(sorted(matches.items())), cost / 1000, story, names, cut)


def _lowered(
    program: TensorProgram,
    exact: bool,
    cost: Callable[[Kernel], float],
    seed: int | None,
    explained: bool,
    budget: SearchBudget | None,
) -> Part:
    orders = choose_orders(program)
    outlined = outline(program, orders)
    fragments = tuple(
        lower_segment(s, exact, cost, seed, explained, budget) for s in outlined.segments
    )
    return Part(program, orders, outlined, fragments)
