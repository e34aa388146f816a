"""What must hold for a score to be its raw product, and how many keys that leaves to look at."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass
from functools import lru_cache

import numpy as np

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis, constant, evaluate
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    IndexOf,
    Instruction,
    Literal,
)


@dataclass(frozen=True, slots=True)
class Condition:
    """``expression < 0``; where it does not hold, ``excludes`` says that the score is -infinity."""

    expression: IndexExpression
    excludes: bool


@dataclass(frozen=True, slots=True)
class Kept:
    """Collects what must hold for a value to be the raw product.

    ``excludes``: wherever something collected does not hold, the score is -infinity.
    """

    instructions: Sequence[object]
    conditions: list[Condition]
    flags: list[int]

    def value(self, number: int, excludes: bool) -> bool:
        """For value ``number`` to be the raw product; False when that is not known."""
        match self.instructions[number]:
            case Accumulator():
                return True
            case Apply(ElementwiseOp.SELECT, (predicate, left, right)):
                holds = not is_infinite(self.instructions[left])
                kept, other = (left, right) if holds else (right, left)
                excludes = excludes and self.instructions[other] == Literal(-math.inf, DType.F32)
                return self.predicate(predicate, holds, excludes) and self.value(kept, excludes)
            case _:
                return False

    def predicate(self, number: int, holds: bool, excludes: bool) -> bool:
        """For bool ``number`` to be ``holds``; False when that is not known."""
        match self.instructions[number]:
            case Apply(ElementwiseOp.LESS_THAN, (left, right)):
                first, second = (_index(self.instructions[n]) for n in (left, right))
                if first is None or second is None:
                    return False
                # Not a < b is b < a + 1.
                less = (
                    add(first, second, -1) if holds else add(add(second, first, -1), constant(-1))
                )
                self.conditions.append(Condition(less, excludes))
                return True
            case Apply(ElementwiseOp.MULTIPLY, values) if holds:
                return all(self.predicate(n, True, excludes) for n in values)
            case Apply(ElementwiseOp.MAXIMUM, values) if not holds:
                return all(self.predicate(n, False, excludes) for n in values)
            case object(parameter=int()) if holds:
                self.flags.append(number)
                return True
            case _:
                return False


def _index(instruction: object) -> IndexExpression | None:
    match instruction:
        case IndexOf(expression):
            return expression
        case Literal(value, DType.I32):
            return constant(int(value))
        case _:
            return None


def is_infinite(instruction: object) -> bool:
    """True for a literal infinity."""
    return isinstance(instruction, Literal) and math.isinf(float(instruction.value))


# ----------------------------------------------------------------------------------- keys to visit


@dataclass(frozen=True, slots=True)
class VisitedTiles:
    """Tiles of keys that workgroups go through: on average, and the one with most."""

    mean: float
    most: int


def visited_tiles(kernel: Attention, queries: int, keys: int) -> VisitedTiles:
    """Of ``keys`` each, for tiles of ``queries``, where tiles that masks exclude are left out."""
    ranks = (len(kernel.batch), len(kernel.queries))
    return _visited(kernel.score, ranks, queries, keys)


# A search prices the same attention in many tiles, and again for each of its neighbours.
@lru_cache(maxsize=1 << 10)
def _visited(score: Body, ranks: tuple[int, int], queries: int, keys: int) -> VisitedTiles:
    first_key = sum(ranks)
    sizes = [a.size for a in score.axes]
    count = math.prod(sizes[first_key:])
    rows = math.prod(sizes[ranks[0] : first_key])
    starts = np.arange(0, rows, queries)
    first, stop = np.zeros(len(starts), np.int64), np.full(len(starts), count)
    sized = [n for n in range(first_key, len(sizes)) if sizes[n] > 1]
    found = Kept([_unscaled(score, i) for i in score.instructions], [], [])
    if len(sized) == 1 and found.value(len(score.instructions) - 1, True):
        for condition in found.conditions:
            step = condition.expression.coefficient(sized[0])
            rest = add(condition.expression, axis(sized[0]), -step)
            inside = frozenset(range(ranks[0], first_key))
            if not condition.excludes or abs(step) != 1 or not rest.axes() <= inside:
                continue
            # step · key + least < 0 for some query of the tile, or the key is left out.
            least = np.minimum.reduceat(_at_queries(rest, sizes, ranks[0], first_key), starts)
            if step > 0:
                stop = np.minimum(stop, np.clip(-least, 1, count))
            else:
                first = np.maximum(first, np.clip(least + 1, 0, count - 1))
    tiles = np.maximum(1, -(-stop // keys) - first // keys)
    return VisitedTiles(float(tiles.mean()), int(tiles.max()))


def _unscaled(score: Body, instruction: Instruction) -> Instruction:
    """The raw product in place of a multiple of it."""
    match instruction:
        case Apply(ElementwiseOp.MULTIPLY, pair):
            kinds = {type(score.instructions[n]) for n in pair}
            return Accumulator(0) if kinds == {Accumulator, Literal} else instruction
        case _:
            return instruction


def _at_queries(
    expression: IndexExpression, sizes: Sequence[int], begin: int, end: int
) -> np.ndarray[tuple[int], np.dtype[np.int64]]:
    """``expression`` at every query, in order; its axes are those of the queries."""
    points = math.prod(sizes[begin:end])
    grid = np.indices(sizes[begin:end], np.int64).reshape(end - begin, points)
    values = [np.zeros(1, np.int64)] * begin + list(grid)
    return np.broadcast_to(evaluate(expression, values), (points,)).astype(np.int64)
