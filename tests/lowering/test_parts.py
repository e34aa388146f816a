"""Tiles are cut into parts where that makes a launch end sooner, and only there."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.cost import attention_cuts, best_attention_tile, predict_seconds
from lumc.lowering.kernel_program import AttentionTile, Parts
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.parts import TiledLaunch
from tests.codegen.sample_kernels import attention
from tests.strategies.kernels import random_arrays

CHIP = chip_for("gfx942")


def launch(tiles: int, slots: int, steps: int = 40) -> TiledLaunch:
    return TiledLaunch(tiles, slots, steps, step=4000.0, around=9000.0, left=132_000, rate=64.0)


def test_a_last_round_that_is_nearly_empty_is_cut() -> None:
    made = launch(320, 304)
    assert made.clocks(None) == 2 * made.whole
    parts = made.best_parts(4)
    assert parts is not None
    assert parts.uncut == 304
    assert made.clocks(parts) < 0.75 * made.clocks(None)


def test_few_tiles_are_all_cut() -> None:
    parts = launch(100, 304).best_parts(4)
    assert parts is not None
    assert parts.uncut == 0
    # Three parts each are as many as there is room for at a time.
    assert parts.count == 3


@pytest.mark.parametrize(
    ("tiles", "steps", "least"),
    [(304, 40, 1), (608, 40, 1), (303, 40, 4), (320, 7, 4), (320, 40, 21)],
)
def test_what_gains_nothing_stays_whole(tiles: int, steps: int, least: int) -> None:
    assert launch(tiles, 304, steps).best_parts(least) is None


@given(
    st.integers(1, 60),
    st.integers(1, 20),
    st.integers(2, 9),
    st.integers(0, 60),
    st.integers(9, 40),
)
def test_a_launch_takes_what_its_workgroups_take(
    tiles: int, slots: int, count: int, uncut: int, steps: int
) -> None:
    """Joins aside, which are spread over parts: workgroups begin in order, as others end."""
    made = replace(launch(tiles, slots, steps), left=0)
    parts = Parts(count, uncut)
    whole, cut = min(uncut, tiles), max(0, tiles - uncut)
    ends = [0.0] * slots
    each = [made.whole] * whole + [_part(made, count)] * (cut * count)
    for clocks in each:
        heapq.heapreplace(ends, ends[0] + clocks)
    last = max(ends)
    assert made.clocks(parts) >= last * (1 - 1e-9)
    # The last one joins all parts: each asks for its data once.
    assert made.clocks(parts) <= last + 800 * count + 1e-6


def _part(made: TiledLaunch, count: int) -> float:
    """Clocks of a part, with its share of the joins."""
    return -(-made.steps // count) * made.step + made.around + 3000 + 800


def test_the_schedule_of_a_kernel_says_so() -> None:
    kernel = attention(32, 2560, 2560, 128, 128)
    tile, cost = best_attention_tile(kernel, CHIP)
    assert tile.parts is not None
    assert tile.parts.uncut == 304
    whole = predict_seconds(replace(kernel, tile=replace(tile, parts=None)), CHIP)
    assert cost.seconds < 0.75 * whole
    assert predict_seconds(replace(kernel, tile=tile), CHIP) == cost.seconds
    verify_kernel(replace(kernel, tile=tile))


def test_what_fills_the_chip_is_not_cut() -> None:
    assert best_attention_tile(attention(38, 4096, 1024, 128, 128), CHIP)[0].parts is None


def test_parts_have_many_keys() -> None:
    for heads, keys in itertools.product((1, 5), (200, 600, 1000)):
        for tile in attention_cuts(attention(heads, 300, keys, 128, 128), CHIP):
            if tile.parts is not None:
                assert keys // tile.parts.count >= 200


def test_the_meaning_does_not_know_of_parts() -> None:
    kernel = attention(2, 70, 300, 16, 24, DType.F32, mask="causal")
    tile = AttentionTile(16, 16, 1, parts=Parts(3, 2))
    found = []
    for one in (kernel, replace(kernel, tile=tile)):
        arrays = random_arrays(one, 3)
        run_kernel(one, arrays)
        found.append(arrays[-1])
    np.testing.assert_array_equal(*found)
