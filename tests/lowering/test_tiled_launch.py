"""Workgroups share tiles where that makes a launch end sooner, and only there."""

from __future__ import annotations

import heapq
import itertools
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import assume, given
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.cost import attention_cuts, best_attention_tile, predict_seconds
from lumc.lowering.kernel_program import AttentionTile, Shares
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.tiled_launch import TiledLaunch
from tests.codegen.sample_kernels import attention
from tests.strategies.kernels import random_arrays

CHIP = chip_for("gfx942")


def launch(tiles: int, slots: int, steps: int = 40) -> TiledLaunch:
    clocks = (4000.0, 9000.0)
    return TiledLaunch(tiles, slots, steps, steps, *clocks, left=132_000, rate=64.0)


def best(made: TiledLaunch, least: int) -> Shares | None:
    """The fastest way to share tiles; None: not to."""
    return min(made.best_shares(least), key=made.clocks, default=None)


def test_a_last_round_that_is_nearly_empty_is_shared() -> None:
    made = launch(320, 304)
    assert made.clocks(None) == 2 * made.whole
    runs, equal = made.best_shares(4)
    # All slots end together, or 16 tiles behind a whole round are cut.
    assert runs == Shares(304, 0)
    assert (equal.whole, equal.workgroups % 16) == (304, 0)
    assert made.is_even(equal)
    assert made.clocks(runs) < made.clocks(equal) < 0.75 * made.clocks(None)


def test_few_tiles_are_all_shared() -> None:
    shares = best(launch(100, 304), 4)
    assert shares is not None
    # As many as there is room for at a time.
    assert (shares.whole, shares.workgroups) in ((0, 304), (0, 300))


@pytest.mark.parametrize(
    ("tiles", "steps", "least"),
    [(304, 40, 1), (608, 40, 1), (303, 40, 4), (305, 3, 3), (300, 40, 41)],
)
def test_what_gains_nothing_stays_whole(tiles: int, steps: int, least: int) -> None:
    assert best(launch(tiles, 304, steps), least) is None


@given(
    st.integers(1, 60),
    st.integers(1, 20),
    st.integers(2, 90),
    st.integers(0, 60),
    st.integers(9, 40),
)
def test_a_launch_takes_what_its_workgroups_take(
    tiles: int, slots: int, workgroups: int, whole: int, steps: int
) -> None:
    """The last join aside: workgroups begin in order, as others end."""
    made = replace(launch(tiles, slots, steps), left=0)
    shares = Shares(workgroups, whole)
    shared = made.shared(shares)
    assume(shared is None or workgroups <= shared.tiles * steps)
    each = [made.whole] * min(whole, tiles)
    if shared is not None:
        pieces = 1 if shared.is_even else shared.parts / workgroups
        join = 800 * shared.most_shares
        share = shared.longest * made.step + pieces * (made.around + 3000)
        each += [share + join * shared.tiles / workgroups] * workgroups
    ends = [0.0] * slots
    for clocks in each:
        heapq.heapreplace(ends, ends[0] + clocks)
    last = max(ends)
    assert made.clocks(shares) >= last * (1 - 1e-9)
    # The last one joins all that is of its tile: each asks for its data once.
    most = 0 if shared is None else 800 * shared.most_shares
    assert made.clocks(shares) <= last + most + 1e-6


def test_the_schedule_of_a_kernel_says_so() -> None:
    kernel = attention(32, 2560, 2560, 128, 128)
    tile, cost = best_attention_tile(kernel, CHIP)
    assert tile.shares == Shares(304, 0)
    whole = predict_seconds(replace(kernel, tile=replace(tile, shares=None)), CHIP)
    assert cost.seconds < 0.75 * whole
    assert predict_seconds(replace(kernel, tile=tile), CHIP) == cost.seconds
    verify_kernel(replace(kernel, tile=tile))


def test_what_fills_the_chip_is_not_shared() -> None:
    assert best_attention_tile(attention(38, 4096, 1024, 128, 128), CHIP)[0].shares is None


def test_shares_have_many_keys() -> None:
    for heads, keys in itertools.product((1, 5), (200, 600, 1000)):
        for tile in attention_cuts(attention(heads, 300, keys, 128, 128), CHIP):
            if tile.shares is not None:
                tiles = heads * -(-300 // tile.queries)
                assert tiles * keys / tile.shares.workgroups >= 200


def test_the_meaning_does_not_know_of_shares() -> None:
    kernel = attention(2, 70, 300, 16, 24, DType.F32, mask="causal")
    tile = AttentionTile(16, 16, 1, shares=Shares(30, 2))
    found = []
    for one in (kernel, replace(kernel, tile=tile)):
        arrays = random_arrays(one, 3)
        run_kernel(one, arrays)
        found.append(arrays[-1])
    np.testing.assert_array_equal(found[0], found[1])
