"""What is read of a tensor, as boxes."""

from __future__ import annotations

import math

from hypothesis import given
from hypothesis import strategies as st

from lumc.lowering.boxes import LEAST_SAVING, Box, around, holds, separated, sizes

SPANS = st.tuples(st.integers(0, 40), st.integers(0, 12)).map(lambda s: (s[0], s[0] + s[1]))
BOXES = st.lists(st.tuples(SPANS, SPANS), min_size=1, max_size=6)


def volume(boxes: tuple[Box, ...]) -> int:
    return sum(math.prod(sizes(box)) for box in boxes)


@given(BOXES)
def test_each_box_is_in_one_part_and_parts_do_not_meet(boxes: list[Box]) -> None:
    parts = separated(boxes)
    assert all(any(holds(part, box) for part in parts) for box in boxes)
    assert around(parts) == around(boxes)
    for number, part in enumerate(parts):
        for other in parts[number + 1 :]:
            apart = (a[1] < b[0] or b[1] < a[0] for a, b in zip(part, other, strict=True))
            assert any(apart)


@given(BOXES)
def test_every_cut_spares_enough(boxes: list[Box]) -> None:
    parts = separated(boxes)
    spared = volume((around(boxes),)) - volume(parts)
    assert spared >= (len(parts) - 1) * LEAST_SAVING * volume((around(boxes),))


def test_columns_that_are_read_over_other_rows() -> None:
    """The last block of a transformer: queries and gates of a few rows, keys of all."""
    few, every = (512, 1535), (0, 2559)
    query, key, value, gate, up = (
        (few, (0, 99)),
        (every, (100, 199)),
        (every, (200, 299)),
        (few, (300, 599)),
        (few, (600, 899)),
    )
    expected = ((few, (0, 99)), (every, (100, 299)), (few, (300, 899)))
    assert separated([gate, key, query, up, value]) == expected


def test_what_spares_little_stays_whole() -> None:
    assert separated([((0, 99), (0, 49)), ((0, 98), (50, 99))]) == (((0, 99), (0, 99)),)
