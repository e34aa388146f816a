"""Tiles are shared where that makes a launch end sooner, and the model says how much."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering import lower
from lumc.lowering.chips import chip_for
from lumc.lowering.cost import best_gemm_tile, predict_seconds, product_cuts
from lumc.lowering.kernel_program import Gemm, GemmSchedule, GemmTile, Shares
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import VerificationError, verify_kernel
from lumc.lowering.share_cost import meeting_bytes, runs, ways_to_share
from tests.codegen.sample_kernels import gated_pair, linear
from tests.strategies.kernels import random_arrays

CHIP = chip_for("gfx942")
TILE = GemmTile(256, 256, 32, 2, 4, GemmSchedule.PING_PONG)


def seconds(kernel: Gemm, tile: GemmTile) -> float:
    return predict_seconds(replace(kernel, tile=tile), CHIP)


def whole(kernel: Gemm) -> float:
    return min(seconds(kernel, t) for t in product_cuts(kernel, CHIP) if t.shares is None)


@pytest.mark.parametrize(
    ("kernel", "gain"),
    [
        # 0.53, 2.53 and 4.74 rounds of the largest tiles; so few that most units had nothing to do.
        (linear(2560, 4096, 16384), 0.92),
        (gated_pair(2048, 12288, 4096), 0.92),
        (linear(2560, 36864, 4096), 0.97),
        (linear(512, 4096, 4096), 0.85),
    ],
)
def test_a_last_round_is_shared(kernel: Gemm, gain: float) -> None:
    tile, cost = best_gemm_tile(kernel, CHIP)
    assert tile.shares is not None
    assert cost.seconds < gain * whole(kernel)


def test_what_gains_nothing_is_not_shared() -> None:
    # One whole round; a depth of a few lines; sixteen whole rounds.
    for kernel in (linear(4864, 4096, 4096), linear(2560, 4096, 128), linear(19456, 16384, 4096)):
        tile, _ = best_gemm_tile(kernel, CHIP)
        assert tile.shares is None


def test_ways_to_share() -> None:
    found = {tile.shares for tile in ways_to_share(TILE, 1440, 4096, CHIP)}
    # Whole rounds before, or all but one of them; 224 tiles are left, that may have two parts each.
    assert found == {Shares(304, 1216), Shares(608, 1216), Shares(304, 912), Shares(448, 1216)}
    assert not list(ways_to_share(TILE, 608, 4096, CHIP))
    # Too little depth for more than two parts.
    few = {tile.shares for tile in ways_to_share(TILE, 16, 576, CHIP)}
    assert few == {Shares(32)}


def test_runs_of_workgroups() -> None:
    shared = replace(TILE, shares=Shares(304, 1216))
    first, share = runs(shared, 1440, 4096, 1, CHIP)
    assert (first.workgroups, first.steps, first.meeting) == (1216, 128, 0)
    # 224 tiles of 64 lines: 47 or 48 each.
    assert (share.workgroups, share.steps) == (304, 96)
    (even,) = runs(replace(TILE, shares=Shares(32)), 16, 4096, 1, CHIP)
    assert even.steps == 64
    # Two parts meet once, and less has to be added than where three have parts of a tile.
    assert 0 < even.meeting < share.meeting
    assert meeting_bytes(shared, 1440, 4096, 1) == (304 + 224 - 1) * 256 * 256 * 4
    assert meeting_bytes(TILE, 1440, 4096, 1) == 0


def test_shares_change_no_meaning() -> None:
    kernel = linear(7, 9, 64)
    shared = replace(kernel, tile=replace(TILE, shares=Shares(2)))
    verify_kernel(shared)
    arrays = random_arrays(kernel, 3)
    again = [array.copy() for array in arrays]
    run_kernel(kernel, arrays)
    run_kernel(shared, again)
    assert np.array_equal(arrays[-1].view(np.uint8), again[-1].view(np.uint8))


@pytest.mark.parametrize("shares", [Shares(1), Shares(0, 3), Shares(4, -1)])
def test_shares_that_are_none(shares: Shares) -> None:
    kernel = replace(linear(7, 9, 64), tile=replace(TILE, shares=shares))
    with pytest.raises(VerificationError, match="shared by none"):
        verify_kernel(kernel)


def test_a_product_of_a_spec_is_one_launch() -> None:
    text = """use nn
stage s(x: bf16[512, 16384]) -> y: bf16[512, 4096]:
    weight W: bf16[4096, 16384] = "W"
    y[t] = linear(x[t], W)
"""
    for target in ("gfx942", "gfx1100", "sm_90"):
        found = lower(elaborate(load_text("text", text), "s"), target)
        (kernel,) = found.program.kernels
        assert isinstance(kernel, Gemm)
        assert kernel.tile is not None
        assert kernel.tile.shares is not None
        predicted = predict_seconds(kernel, chip_for(target)) * 1e3
        assert abs(found.predicted_ms - predicted) < 1e-9 * predicted
