"""Launches joined where a row kernel passes over the points of a pointwise kernel anyway.

A residual is added at the end of a block and normalised at the beginning of the next. Blocks are
lowered one by one, so the two meet only here: the row kernel computes what it would have read, and
stores it for those who read it later. In the same way it stores a copy of what it reads.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from lumc.lowering.kernel_program import Kernel, Pointwise, RowReduction
from lumc.lowering.merged_rows import READS, WRITES, Drafted, meet, merged


def join_launches(
    launches: Sequence[Drafted], cost: Callable[[Kernel], float]
) -> tuple[Drafted, ...]:
    """``launches`` with each pair joined that is cheaper as one, in the row kernel's place."""
    found: list[Drafted | None] = list(launches)
    changed = True
    while changed:
        joined = [number for number in range(len(found)) if _join(found, number, cost)]
        changed = bool(joined)
    return tuple(launch for launch in found if launch is not None)


def _join(launches: list[Drafted | None], number: int, cost: Callable[[Kernel], float]) -> bool:
    """Let a row launch do the work of launch ``number`` where that is cheaper; whether one does."""
    launch = launches[number]
    if launch is None or not isinstance(launch.kernel, Pointwise):
        return False
    for place, row in _near(launches, number, launch):
        joint = merged(launch, row)
        if joint is None:
            continue
        if cost(joint.kernel) < cost(launch.kernel) + cost(row.kernel):
            launches[number], launches[place] = None, joint
            return True
    return False


def _near(
    launches: Sequence[Drafted | None], number: int, one: Drafted
) -> Iterator[tuple[int, Drafted]]:
    """The row launches that might do the work of launch ``number``, with their places.

    Those are the first that needs it, and those before and after that read something it reads, as
    long as all that comes between may as well come before or after it.
    """
    for direction in (range(number + 1, len(launches)), range(number - 1, -1, -1)):
        for place in direction:
            other = launches[place]
            if other is None:
                continue
            hands = meet(one, other, WRITES, READS)
            changes = meet(one, other, READS, WRITES) or meet(one, other, WRITES, WRITES)
            fits = place > number if hands else bool(set(one.arguments) & set(other.arguments))
            if isinstance(other.kernel, RowReduction) and fits and not changes:
                yield place, other
            if hands or changes:
                break
