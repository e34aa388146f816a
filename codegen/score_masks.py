"""What stands between raw products and scores: a factor, and where it is more than that.

Most scores are a factor times the raw product, masked where a condition on indices or a stored
flag does not hold. The factor goes into the softmax's own; where all conditions hold for a whole
tile, nothing is left to do; tiles in which some condition holds nowhere weigh nothing.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lumc.codegen.flat import FlatBody, FlatInstruction, live_values, operands
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import Accumulator, Apply, Literal
from lumc.lowering.score_conditions import Condition, Kept, is_infinite


@dataclass(frozen=True, slots=True)
class ScoreMask:
    """The score is ``factor`` (above 0) times what ``body`` makes of the raw product.

    ``keeps``: the raw product itself wherever all ``conditions`` hold and all values ``flags``,
    which are loaded bools, are true. Otherwise nothing is known of it.
    """

    factor: float
    body: FlatBody
    keeps: bool
    conditions: tuple[Condition, ...] = ()
    flags: tuple[int, ...] = ()

    @property
    def is_plain(self) -> bool:
        """True when the body does nothing at all."""
        return self.keeps and not self.conditions and not self.flags


def score_mask(body: FlatBody) -> ScoreMask:
    """What ``body``, a score, is beside its raw product."""
    last = len(body.instructions) - 1
    chosen = _chosen(body.instructions, last)
    factors = {_factor(body.instructions, number) for number in chosen} - {math.inf}
    factor = factors.pop() if len(factors) == 1 else None
    if factor is None or _used_beside(body, chosen):
        return ScoreMask(1.0, body, keeps=False)
    instructions = tuple(
        Accumulator(0) if number in chosen and isinstance(i, Apply) and _is_product(i) else i
        for number, i in enumerate(body.instructions)
    )
    found = Kept(instructions, [], [])
    keeps = found.value(last, True)
    stripped = replace(body, instructions=instructions)
    return ScoreMask(factor, stripped, keeps, tuple(found.conditions), tuple(found.flags))


def _chosen(instructions: Sequence[FlatInstruction], number: int) -> frozenset[int]:
    """Value ``number`` and, through selections, all that it may be."""
    match instructions[number]:
        case Apply(ElementwiseOp.SELECT, (_, left, right)):
            return _chosen(instructions, left) | _chosen(instructions, right) | {number}
        case _:
            return frozenset({number})


def _is_product(instruction: Apply) -> bool:
    return instruction.op is ElementwiseOp.MULTIPLY


def _factor(instructions: Sequence[FlatInstruction], number: int) -> float | None:
    """What is above 0 and times the raw product value ``number``, or None if it is no such thing.

    Infinite for what any factor leaves as it is: infinities, and selections among others.
    """
    match instructions[number]:
        case Accumulator():
            return 1.0
        case Apply(ElementwiseOp.MULTIPLY, (left, right)):
            pair = (instructions[left], instructions[right])
            values = [float(i.value) for i in pair if isinstance(i, Literal)]
            raw = any(isinstance(i, Accumulator) for i in pair)
            return values[0] if raw and values and 0 < values[0] < math.inf else None
        case Apply(ElementwiseOp.SELECT):
            return math.inf
        case instruction:
            return math.inf if is_infinite(instruction) else None


def _used_beside(body: FlatBody, chosen: frozenset[int]) -> bool:
    """True when a predicate or the like reads the raw product, or what is made of it."""
    raw = {n for n, i in enumerate(body.instructions) if isinstance(i, Accumulator)}
    products = {n for n in chosen if not is_infinite(body.instructions[n])}
    live = live_values(body, [len(body.instructions) - 1])
    return any(
        {*operands(body.instructions[n])} & (raw | products) for n in live if n not in chosen
    )
