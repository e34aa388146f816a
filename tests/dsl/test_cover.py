"""Exact covers: against counting every element."""

from __future__ import annotations

import time

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumc.dsl import limits
from lumc.dsl.cover import Flaw, Footprint, find_flaw
from lumc.dsl.index_expression import IndexExpression, add, axis, constant, evaluate, scale


def place(offset: int, *coefficients: int) -> IndexExpression:
    terms = [scale(axis(k), c) for k, c in enumerate(coefficients)]
    expression = constant(offset)
    for term in terms:
        expression = add(expression, term)
    return expression


@st.composite
def footprints(draw: st.DrawFn) -> Footprint:
    sizes = tuple(draw(st.lists(st.integers(1, 4), min_size=0, max_size=3)))
    rank = 2
    destination = tuple(
        place(draw(st.integers(0, 4)), *(draw(st.sampled_from([0, 0, 1, 2, 3])) for _ in sizes))
        for _ in range(rank)
    )
    return Footprint(sizes, destination)


def counts(shape: tuple[int, ...], pieces: list[Footprint]) -> np.ndarray:
    found = np.zeros(shape, int)
    for piece in pieces:
        points = list(np.indices(piece.sizes).reshape(len(piece.sizes), piece.volume))
        where = [
            np.broadcast_to(evaluate(entry, points), (piece.volume,)) for entry in piece.destination
        ]
        np.add.at(found, tuple(where), 1)
    return found


@given(st.lists(footprints(), min_size=1, max_size=3))
@settings(derandomize=True, max_examples=500)
def test_against_counting(pieces: list[Footprint]) -> None:
    ends = [piece.ranges() for piece in pieces]
    shape = tuple(max(end[k][1] for end in ends) + 1 for k in range(2))
    flaw = find_flaw(shape, pieces)
    found = counts(shape, pieces)
    assert (flaw is None) == bool((found == 1).all())
    if flaw is not None and flaw.place is not None:
        assert found[flaw.place] == (0 if flaw.kind == "hole" else found[flaw.place])
        assert found[flaw.place] != 1


SPLIT = [Footprint((3,), (place(0, 1),)), Footprint((4,), (place(3, 1),))]
WOVEN = [Footprint((5,), (place(0, 2),)), Footprint((5,), (place(1, 2),))]
MERGED = [Footprint((3, 4), (place(0, 4, 1),))]


@pytest.mark.parametrize(
    ("shape", "pieces"),
    [((7,), SPLIT), ((10,), WOVEN), ((12,), MERGED), ((), [Footprint((), ())])],
)
def test_exact_covers(shape: tuple[int, ...], pieces: list[Footprint]) -> None:
    assert find_flaw(shape, pieces) is None


@pytest.mark.parametrize(
    ("shape", "pieces", "flaw"),
    [
        ((8,), SPLIT, Flaw("hole", place=(7,))),
        ((6,), SPLIT, Flaw("outside", 1)),
        ((7,), [SPLIT[0], Footprint((5,), (place(2, 1),))], Flaw("overlap", 1, 0, (2,))),
        ((6,), [Footprint((3, 4), (place(0, 1, 1),))], Flaw("twice", 0, 0, (1,))),
    ],
)
def test_flaws(shape: tuple[int, ...], pieces: list[Footprint], flaw: Flaw) -> None:
    assert find_flaw(shape, pieces) == flaw


def test_covers_that_no_general_argument_shows() -> None:
    """A piece that fills the holes of two others: only the elements show it."""
    pieces = [
        Footprint((2, 2), (place(0, 6, 1),)),
        Footprint((2, 2), (place(2, 6, 1),)),
        Footprint((2, 2), (place(4, 6, 1),)),
    ]
    assert find_flaw((12,), pieces) is None


def test_large_covers_are_not_counted(monkeypatch: pytest.MonkeyPatch) -> None:
    million = 10**6
    assert (
        find_flaw(
            (million, million), [Footprint((million, million), (place(0, 1), place(0, 0, 1)))]
        )
        is None
    )
    monkeypatch.setattr(limits, "EXHAUSTIVE_CHECK", 1)
    flaw = find_flaw((12,), [Footprint((2, 2), (place(2 * k, 6, 1),)) for k in range(3)])
    assert flaw is not None
    assert flaw.place is None


@pytest.mark.parametrize("count", [2_000, 3_000])
def test_many_pieces_are_compared_soon(count: int) -> None:
    rows = [Footprint((5,), (constant(k), place(0, 1))) for k in range(count)]
    started = time.process_time()
    assert find_flaw((count, 5), rows) is None
    assert find_flaw((count, 5), [*rows[:-1], rows[0]]) == Flaw("overlap", count - 1, 0, (0, 0))
    woven = [Footprint((count,), (place(k, count),)) for k in range(count)]
    flaw = find_flaw((count * count,), woven)
    assert flaw is None or flaw.kind == "overlap"
    assert time.process_time() - started < 10
