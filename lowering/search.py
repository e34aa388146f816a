"""A seeded genetic search over the choices for a segment, around the descent that ``extract`` does.

The descent prices kernels task by task and joins them in the end, so it misses what only pays once
kernels are joined, and it stops where no single change helps. Here a state is priced as what it
becomes: all launches, joined. Parents are crossed over between two places in the order of the
program, which keeps what is near each other together; children are changed at a few places, and
some go down to the nearest low point. The best state ever seen is what is left in the end.

The same segment, budget and seed give the same result; only a stop from outside (a time limit, an
interrupt) can end the search earlier, and then too the best so far is what is left.
"""

from __future__ import annotations

import random
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

from lumc.lowering.choice import Choice, Snapshot
from lumc.lowering.extract import improve
from lumc.lowering.joining import join

POPULATION = 12
ELDERS = 4
"""States that stay as they are from one generation to the next."""

_POLISHED = 0.25
_CROSSED = 0.6
_PRICE_OF_JOINING = 20
"""Moves that pricing a state as a whole counts as."""
_STALE = 6
"""Generations without a better state after which a segment is given up."""


def never() -> bool:
    """Nothing stops the search."""
    return False


@dataclass(frozen=True, slots=True)
class SearchBudget:
    """How long to search: ``moves`` a segment, or until ``stop`` says so.

    ``stop`` is asked between moves.
    """

    moves: int
    seed: int = 0
    stop: Callable[[], bool] = never


State = tuple[tuple[int, int], ...]
"""The keys of a choice that are not 0, with their values, in order."""


@dataclass(frozen=True, slots=True)
class _Individual:
    price: float
    state: State
    snapshot: Snapshot

    @property
    def rank(self) -> tuple[float, State]:
        return self.price, self.state


@dataclass(slots=True)
class _Search:
    choice: Choice
    budget: SearchBudget
    generator: random.Random
    spent: int = 0
    prices: dict[State, float] = field(default_factory=dict)

    def over(self) -> bool:
        return self.spent >= self.budget.moves or self.budget.stop()

    def run(self) -> None:
        best = self._individual()
        population = [best]
        while len(population) < POPULATION and not self.over():
            self.choice.restore(best.snapshot)
            self._mutate(2 + self.generator.randrange(6))
            population.append(self._settled())
        stale = 0
        while stale < _STALE and not self.over():
            population = self._next(population)
            found = min(population, key=lambda one: one.rank)
            stale = 0 if found.price < best.price * (1 - 1e-9) else stale + 1
            best = min(best, found, key=lambda one: one.rank)
        best = min(best, *population, key=lambda one: one.rank)
        self.choice.restore(best.snapshot)

    def _next(self, population: list[_Individual]) -> list[_Individual]:
        distinct = {one.state: one for one in population}
        ranked = sorted(distinct.values(), key=lambda one: one.rank)
        following = ranked[:ELDERS]
        while len(following) < POPULATION and not self.over():
            mother, father = self._parent(ranked), self._parent(ranked)
            self.choice.restore(mother.snapshot)
            if self.generator.random() < _CROSSED and mother is not father:
                self._cross(father.snapshot.state)
            self._mutate(1 + self.generator.randrange(3))
            following.append(self._settled())
        return following

    def _parent(self, ranked: list[_Individual]) -> _Individual:
        """The best of three taken at random."""
        return ranked[min(self.generator.randrange(len(ranked)) for _ in range(3))]

    def _cross(self, father: Mapping[int, int]) -> None:
        """Take over what the other parent has between two places in the program's order."""
        order = self.choice.questions_in_order()
        start, end = sorted(self.generator.randrange(len(order) + 1) for _ in range(2))
        for key in order[start:end]:
            self._move(key, father.get(key, 0))

    def _mutate(self, count: int) -> None:
        questions = self.choice.questions()
        for _ in range(count):
            if not questions or self.over():
                return
            key = questions[self.generator.randrange(len(questions))]
            options = self.choice.options(key)
            if options > 1:
                old = self.choice.state.get(key, 0)
                self._move(key, (old + 1 + self.generator.randrange(options - 1)) % options)

    def _move(self, key: int, value: int) -> None:
        if self.choice.state.get(key, 0) != value:
            self.spent += 1
            self.choice.move(key, value)

    def _settled(self) -> _Individual:
        """The state as it is, or the low point next to it."""
        if self.generator.random() < _POLISHED and not self.over():
            self.spent += len(self.choice.questions())
            improve(self.choice)
        return self._individual()

    def _individual(self) -> _Individual:
        state = state_of(self.choice)
        if state not in self.prices:
            self.spent += _PRICE_OF_JOINING
            self.prices[state] = joined_cost(self.choice)
        return _Individual(self.prices[state], state, self.choice.snapshot())


def search(choice: Choice, budget: SearchBudget) -> None:
    """Leave ``choice`` in the best state that is found within ``budget``: no worse than it was.

    Costs are those of the joined launches.
    """
    _Search(choice, budget, random.Random(budget.seed)).run()


def joined_cost(choice: Choice) -> float:
    """Microseconds of all launches of a state, joined."""
    return sum(step.cost for step in join(choice))


def state_of(choice: Choice) -> State:
    """The state of a choice, as far as anything depends on it."""
    return tuple((k, v) for k in choice.questions() if (v := choice.state.get(k, 0)))
