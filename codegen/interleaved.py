"""Accesses that together touch every element of a run, each every second, third, … of them.

Rotary positions and complex numbers read and write pairs: along the lanes the even elements and
the odd ones. Each alone is scattered; together they are one vector.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TypeVar

from lumc.codegen.flat import FlatLoad, FlatStore
from lumc.codegen.vectorise import Lanes, lattice, step
from lumc.dsl.index_expression import IndexExpression, add, constant

_MOST_PARTS = 4

Access = TypeVar("Access", FlatLoad, FlatStore)


@dataclass(frozen=True, slots=True)
class Interleaved:
    """Lane ``e`` of an access is element ``e * parts + part`` of the run from ``base`` on."""

    parameter: int
    base: IndexExpression
    parts: int
    part: int

    @property
    def run(self) -> tuple[int, IndexExpression]:
        """What is equal for all accesses of one run."""
        return self.parameter, self.base

    def lane(self, lane: str) -> str:
        """The element of lane ``lane``, in C++."""
        place = f"{lane} * {self.parts}"
        return f"{place} + {self.part}" if self.part else place


def interleaved(accesses: Sequence[Access], lanes: Lanes | None) -> dict[Access, Interleaved]:
    """Those of ``accesses`` that are parts of a run whose parts are all there.

    So nothing is touched beside what the accesses touch. They are unconditional and at places that
    are not computed.
    """
    if lanes is None:
        return {}
    runs: dict[tuple[int, IndexExpression, int], dict[Access, Interleaved]] = defaultdict(dict)
    for access in accesses:
        member = _part_of_run(access, lanes)
        if member is not None:
            runs[(member.parameter, member.base, member.parts)][access] = member
    return {
        access: found
        for (_, _, parts), members in runs.items()
        if {found.part for found in members.values()} == set(range(parts))
        for access, found in members.items()
    }


def _part_of_run(access: FlatLoad | FlatStore, lanes: Lanes) -> Interleaved | None:
    if access.computed or access.predicate is not None:
        return None
    parts = step(access.offset, lanes)
    if parts is None or not 2 <= parts <= _MOST_PARTS:
        return None
    modulus, residue = lattice(access.offset, lanes)
    if modulus % parts:
        return None
    part = residue % parts
    return Interleaved(access.parameter, add(access.offset, constant(-part)), parts, part)
