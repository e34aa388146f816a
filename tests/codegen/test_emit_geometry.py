"""Workgroups' boxes cut the parallel axes into disjoint parts, without remainder."""

from __future__ import annotations

import itertools
import math

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumc.codegen.geometry import AxisGroup, Geometry, TileWalk, linear_boxes
from lumc.lowering.shares import SharedTiles

SIZES = st.lists(st.integers(1, 5), max_size=3)


@given(SIZES, st.data())
def test_boxes_of_a_run_are_its_points(sizes: list[int], data: st.DataObject) -> None:
    total = math.prod(sizes)
    start = data.draw(st.integers(0, total))
    stop = data.draw(st.integers(start, total))
    points = [
        point
        for box in linear_boxes(sizes, start, stop)
        for point in itertools.product(*(range(*part) for part in box))
    ]
    wanted = list(itertools.product(*(range(size) for size in sizes)))[start:stop]
    assert points == wanted
    assert len(linear_boxes(sizes, start, stop)) <= max(1, 2 * len(sizes) - 1)


@given(st.lists(SIZES, min_size=1, max_size=3), st.data())
def test_blocks_cover_each_point_once(groups: list[list[int]], data: st.DataObject) -> None:
    numbers = iter(data.draw(st.permutations(range(sum(map(len, groups))))))
    geometry = Geometry(
        tuple(
            AxisGroup(
                tuple(next(numbers) for _ in sizes), tuple(sizes), data.draw(st.integers(2, 9))
            )
            for sizes in groups
        )
    )
    shape = [0] * sum(map(len, groups))
    for group in geometry.groups:
        for axis, size in zip(group.axes, group.sizes, strict=True):
            shape[axis] = size
    seen = np.zeros(shape, int)
    for tile in range(geometry.tiles):
        for box in geometry.boxes(tile):
            seen[tuple(slice(*part) for part in box)] += 1
    assert (seen == 1).all()


def test_there_is_no_block_past_the_last() -> None:
    geometry = Geometry((AxisGroup((0,), (10,), 4),))
    assert geometry.boxes(2) == (((8, 10),),)
    with pytest.raises(IndexError, match="3 tiles"):
        geometry.boxes(3)


@given(
    st.integers(1, 3),
    st.integers(1, 40),
    st.integers(1, 40),
    st.sampled_from([1, 2, 8]),
    st.integers(1, 5),
)
def test_a_walk_takes_every_tile_once(
    batches: int, down: int, across: int, dies: int, strip: int
) -> None:
    walk = TileWalk(dies, strip)
    total = batches * down * across
    taken = [walk.tile(block, batches, down, across) for block in range(total)]
    assert sorted(taken) == list(range(total))


@given(st.integers(1, 40), st.integers(1, 40), st.integers(2, 5), st.integers(0, 50))
def test_every_workgroup_has_a_part_of_one_tile(
    down: int, across: int, count: int, uncut: int
) -> None:
    groups = tuple(AxisGroup((n,), (size,), 1) for n, size in enumerate((1, down, across)))
    cut = max(0, down * across - uncut)
    shared = SharedTiles(cut, count, cut * count) if cut else None
    geometry = Geometry(groups, TileWalk(8, 3), shared)
    blocks = [block for tile in range(geometry.tiles) for block in geometry.blocks_of(tile)]
    assert blocks == list(range(geometry.blocks))
    assert [len(geometry.blocks_of(tile)) for tile in range(geometry.tiles)] == [
        1 if tile < uncut else count for tile in range(geometry.tiles)
    ]
    boxes = {box for tile in range(geometry.tiles) for box in geometry.boxes(tile)}
    assert len(boxes) == down * across


def test_tiles_that_share_workgroups() -> None:
    # Three whole tiles, then five steps of each of two: runs of three or four, which overlap.
    geometry = Geometry((AxisGroup((0,), (10,), 2),), shared=SharedTiles(2, 5, 3))
    assert geometry.blocks == 6
    assert [list(geometry.blocks_of(tile)) for tile in range(5)] == [[0], [1], [2], [3, 4], [4, 5]]
    assert geometry.tiles_of({1, 4, 5}) == (1, 4)
    assert geometry.tiles_of({3, 5}) == ()


def test_only_whole_tiles_are_shared_out_to_the_dies() -> None:
    walk = TileWalk(dies=8, strip=1)
    taken = [walk.tile(turn, 1, 20, 1, whole=16) for turn in range(20)]
    assert taken == [n // 8 + n % 8 * 2 for n in range(16)] + [16, 17, 18, 19]


def test_a_die_has_neighbouring_tiles() -> None:
    walk = TileWalk(dies=8, strip=4)
    rows = {walk.tile(block, 1, 16, 16) // 16 for block in range(0, 256, 8)}
    assert rows == {0, 1, 2, 3}
