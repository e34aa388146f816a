"""Which alternative each class gets, for the kernels of one task."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import assert_never

from lumc.dsl.reference import constant_nodes
from lumc.dsl.tensor_program import (
    Cast,
    Constant,
    Elementwise,
    Gather,
    IndexValue,
    Input,
    Place,
    Reduce,
    Scatter,
    TensorProgram,
    Weight,
)
from lumc.lowering.alternatives import (
    Alternative,
    Alternatives,
    GatherOf,
    IndexAt,
    LiteralOf,
    LoadOf,
)
from lumc.lowering.scalar_code import NotExpressibleError

STANDS, REMOVED = 0, 1
"""The states of a tensor that can be removed: in memory, or made where it is read."""

WAY = 1 << 32
"""``WAY + n`` in a state is the way in which tensor ``n`` is made."""

State = Mapping[int, int]
"""For tensor ``n`` whether it is removed, and the way in which it is made if not; for class ``c``,
as ``~c``, which of its computed alternatives is taken. All count from 0; what is absent is 0."""


@dataclass(frozen=True, slots=True)
class Tensors:
    """The tensors that are given, those that are made in memory, and those that need not be.

    A tensor is made only from those of lower rank, so nothing depends on itself.
    """

    ranks: tuple[float, ...]
    given: frozenset[int]
    standing: frozenset[int]
    removable: frozenset[int]


def sort_tensors(program: TensorProgram, source: Alternatives, ranks: tuple[float, ...]) -> Tensors:
    """Inputs and weights are given, scattered tensors stand; what is computed can be removed.

    What depends on indices alone is never in memory: tables were made before.
    """
    given, standing, removable = set(), set(), set()
    constant = constant_nodes(program)
    for number, node in enumerate(program.nodes):
        if constant[number] and not isinstance(node, Place | Scatter | Reduce | Gather):
            continue
        match node:
            case Input() | Weight():
                given.add(source.tensor_of[number])
            case Scatter():
                standing.add(source.tensor_of[number])
            case Elementwise() | Cast() | Reduce() | Gather() | Place():
                removable.add(source.tensor_of[number])
            case Constant() | IndexValue():
                pass
            case _:
                assert_never(node)
    return Tensors(
        ranks, frozenset(given), frozenset(standing), frozenset(removable - given - standing)
    )


@dataclass(slots=True)
class Picker:
    """Picks one alternative per class in a state; ``consulted`` is what the picks depended on.

    A value that is in memory is read; else it is computed.
    """

    source: Alternatives
    tensors: Tensors
    state: State
    target: int
    consulted: dict[int, int] = field(default_factory=dict)
    _picked: dict[int, Alternative] = field(default_factory=dict)

    def pick(self, number: int) -> Alternative:
        """The alternative for class ``number``."""
        if number not in self._picked:
            self._picked[number] = self._pick(number)
        return self._picked[number]

    def stands(self, tensor: int) -> bool:
        """Whether ``tensor`` is in memory when the target is made."""
        if tensor in self.tensors.given:
            return True
        ranks = self.tensors.ranks
        if self.target >= 0 and ranks[tensor] >= ranks[self.target]:
            return False
        if tensor in self.tensors.removable:
            return self._ask(tensor) == STANDS
        return tensor in self.tensors.standing

    def way(self) -> int:
        """The way in which the target is made."""
        return self._ask(WAY + self.target)

    def _ask(self, key: int) -> int:
        value = self.state.get(key, 0)
        self.consulted[key] = value
        return value

    def computed(self, number: int) -> list[Alternative]:
        """The alternatives for class ``number`` that are not reads of itself."""
        return [
            alternative
            for alternative in self.source.classes[number]
            if not isinstance(alternative, LoadOf)
            and not (isinstance(alternative, GatherOf) and not self.stands(alternative.tensor))
        ]

    def _pick(self, number: int) -> Alternative:
        alternatives = self.source.classes[number]
        for alternative in alternatives:
            if isinstance(alternative, LiteralOf | IndexAt):
                return alternative
        loads = [a for a in alternatives if isinstance(a, LoadOf) and self.stands(a.tensor)]
        if loads:
            return min(loads, key=lambda load: (load.tensor, load.view))
        computed = self.computed(number)
        if not computed:
            raise NotExpressibleError("a value that is neither in memory nor computed here")
        wanted = self._ask(~number) if len(computed) > 1 else 0
        return computed[min(wanted, len(computed) - 1)]
