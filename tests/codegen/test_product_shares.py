"""Products whose tiles several workgroups share, at odd sizes: on the emulator, all checks on.

The result is what it is without shares, the same bits in every order of workgroups; the workspace
is poisoned and counters are 0 again when a launch ends.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Gemm, GemmTile, Shares
from lumc.lowering.tiles import gemm_tiles, turn_tiles
from lumc.runtime.verify_kernels import check_kernel as check_kernel_of
from lumc.runtime.verify_kernels import emulated
from tests.codegen import sample_kernels as samples
from tests.codegen.emulated import ALIGNED, check_kernel, compiled, emulate
from tests.strategies.kernels import random_arrays

F16, F32 = DType.F16, DType.F32
# Sums of f32 are taken in another order; near zero a gate times the other side shows that.
F32_TOLERANCE = 1e-3


def in_turns(kernel: Gemm, rows: int, columns: int, shares: Shares) -> Gemm:
    tiles = turn_tiles(chip_for("gfx942"), kernel.operand_dtype, len(kernel.right))
    tile = next(t for t in tiles if (t.rows, t.columns) == (rows, columns))
    return replace(kernel, tile=replace(tile, shares=shares))


def plain(kernel: Gemm, tile: tuple[int, int, int, int, int], shares: Shares) -> Gemm:
    return replace(kernel, tile=GemmTile(*tile, shares=shares))


TURNS: dict[str, Gemm] = {
    # Four tiles of 19 lines: equal parts, runs that begin and end inside of tiles, one line each.
    "equal parts": in_turns(samples.linear(300, 264, 1216), 256, 256, Shares(4 * 19 // 4)),
    "runs": in_turns(samples.linear(300, 264, 1168), 256, 256, Shares(7)),
    "runs after a whole tile": in_turns(samples.linear(300, 264, 1168), 256, 256, Shares(5, 1)),
    "runs longer than a tile": in_turns(samples.linear(300, 264, 328), 256, 256, Shares(3)),
    "a line each": in_turns(samples.linear(300, 264, 104), 256, 256, Shares(8)),
    "208 by 256": in_turns(samples.linear(300, 264, 328), 208, 256, Shares(6, 1)),
    "256 by 192": in_turns(samples.linear(300, 264, 328), 256, 192, Shares(7)),
    "128 by 256": in_turns(samples.linear(300, 264, 328), 128, 256, Shares(8, 2)),
    "batches": in_turns(samples.linear(70, 40, 328, batch=3), 128, 256, Shares(5)),
    "f16": in_turns(samples.linear(300, 264, 328, F16), 256, 256, Shares(6)),
    "f32": in_turns(samples.linear(300, 264, 164, F32), 256, 256, Shares(6)),
    "two right sides": in_turns(samples.gated_pair(300, 200, 328), 256, 128, Shares(7)),
    "three right sides": in_turns(samples.several(250, 72, 328, 3), 192, 64, Shares(5, 1)),
    "four right sides": in_turns(samples.several(250, 72, 328, 4), 192, 64, Shares(5, 1)),
    "convolution": in_turns(samples.convolution(13, 17, 96, 72), 256, 256, Shares(4)),
}
SMALL = (64, 64, 64, 2, 2)
PLAIN: dict[str, Gemm] = {
    "equal parts": plain(samples.linear(70, 72, 512), SMALL, Shares(8)),
    "runs": plain(samples.linear(70, 72, 520), SMALL, Shares(7)),
    "runs after whole tiles": plain(samples.linear(70, 72, 520), SMALL, Shares(5, 2)),
    "batches": plain(samples.linear(70, 40, 264, batch=3), SMALL, Shares(7)),
    "a wave": plain(samples.linear(30, 40, 520), (16, 16, 32, 1, 1), Shares(11, 1)),
    "two right sides": plain(samples.gated_pair(70, 72, 264), SMALL, Shares(6, 1)),
    "transposed": plain(samples.linear(70, 72, 264, left_transposed=True), SMALL, Shares(7)),
    "convolution": plain(samples.convolution(9, 11, 16, 40), SMALL, Shares(5)),
    "f32": plain(samples.linear(70, 72, 264, F32), (64, 64, 32, 2, 2), Shares(7)),
}
ON = [
    *(("gfx942", kernel) for kernel in (*TURNS.values(), *PLAIN.values())),
    *(
        (target, kernel)
        for target in ("gfx90a", "gfx950")
        for kernel in (TURNS["runs"], TURNS["two right sides"], PLAIN["runs after whole tiles"])
    ),
    *(("gfx1100", PLAIN[name]) for name in ("equal parts", "runs", "two right sides", "f32")),
]
IDS = [f"{target}-{n}" for n, (target, _) in enumerate(ON)]


@pytest.mark.parametrize(("target", "kernel"), ON, ids=IDS)
def test_shares_make_the_whole(target: str, kernel: Gemm) -> None:
    tolerance = F32_TOLERANCE if kernel.operand_dtype is F32 else None
    check_kernel(kernel, target, tolerance=tolerance)
    emitted = emit_kernel(kernel, target_named(target), [ALIGNED] * len(kernel.parameters))
    assert emitted.meeting is not None
    assembly = compiled(emitted, target).assembly
    assert re.findall(r"\.private_segment_fixed_size: *(\d+)", assembly) == ["0"]


@pytest.mark.parametrize(
    ("target", "kernel"),
    [
        ("gfx942", TURNS["runs after a whole tile"]),
        ("gfx942", TURNS["equal parts"]),
        ("gfx90a", PLAIN["runs"]),
        ("gfx1100", PLAIN["two right sides"]),
    ],
)
def test_the_order_of_workgroups_changes_nothing(target: str, kernel: Gemm) -> None:
    emitted = emit_kernel(kernel, target_named(target), [ALIGNED] * len(kernel.parameters))
    given = random_arrays(kernel, 3)
    blocks = list(range(emitted.geometry.blocks))
    generator = np.random.default_rng(1)
    orders = [blocks, blocks[::-1], *(list(generator.permutation(blocks)) for _ in range(3))]
    found = set()
    for order in orders:
        arrays = [array.copy() for array in given]
        emulate(emitted, target, arrays, order)
        found.add(arrays[-1].tobytes())
    assert len(found) == 1


def test_a_few_tiles_are_verified_alone() -> None:
    """Workgroups that have steps of a tile beside the chosen ones leave that one unfinished."""
    kernel = in_turns(samples.linear(1100, 264, 328), 256, 256, Shares(13, 2))
    emitted = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * 5)
    run = emulated(emitted, compiled(emitted, "gfx942"))
    for seed in range(4):
        found = check_kernel_of(kernel, emitted.geometry, run, workgroups=4, seed=seed)
        assert not found.mismatches
        assert 4 < len(found.workgroups) < emitted.geometry.blocks


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("dtype", [DType.BF16, F16, F32])
def test_every_tile_in_turns(target: str, dtype: DType) -> None:
    tolerance = F32_TOLERANCE if dtype is F32 else None
    chip = chip_for(target)
    for shares in (Shares(7), Shares(5, 1)):
        for tile in turn_tiles(chip, dtype, 1):
            kernel = samples.linear(300, 520, 328, dtype)
            check_kernel(
                replace(kernel, tile=replace(tile, shares=shares)), target, tolerance=tolerance
            )
        for tile in turn_tiles(chip, dtype, 2):
            kernel = samples.gated_pair(300, 136, 328, dtype)
            check_kernel(
                replace(kernel, tile=replace(tile, shares=shares)), target, tolerance=tolerance
            )


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100"])
@pytest.mark.parametrize("dtype", [DType.BF16, F16, F32])
def test_every_plain_tile(target: str, dtype: DType) -> None:
    tolerance = F32_TOLERANCE if dtype is F32 else None
    for tile in gemm_tiles(chip_for(target), dtype, 1):
        kernel = samples.linear(140, 136, 328, dtype)
        check_kernel(
            replace(kernel, tile=replace(tile, shares=Shares(3))), target, tolerance=tolerance
        )


@pytest.mark.parametrize("name", ["runs", "208 by 256", "two right sides"])
def test_no_bank_is_asked_twice(name: str) -> None:
    counts = check_kernel(TURNS[name], "gfx942").counters.counts
    assert counts["lds_ideal_cycles"].sum() > 0
    assert counts["lds_cycles"].sum() == counts["lds_ideal_cycles"].sum()


def test_more_workgroups_than_steps() -> None:
    kernel = in_turns(samples.linear(300, 264, 104), 256, 256, Shares(9))
    with pytest.raises(ValueError, match="8 steps are not shared by 9 workgroups"):
        emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * 5)


def test_tiles_that_are_all_whole_are_not_shared() -> None:
    kernel = in_turns(samples.linear(300, 264, 104), 256, 256, Shares(9, 4))
    assert kernel.tile is not None
    emitted = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * 5)
    assert emitted.meeting is None
    same = replace(kernel, tile=replace(kernel.tile, shares=None))
    assert emitted.unit == emit_kernel(same, target_named("gfx942"), [ALIGNED] * 5).unit


@pytest.mark.parametrize(
    ("kernel", "file"),
    [
        (TURNS["runs after a whole tile"], "shared_product_in_turns"),
        (PLAIN["equal parts"], "shared_product"),
    ],
)
def test_golden(kernel: Gemm, file: str, golden: Callable[[str, str], None]) -> None:
    source = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * 5).source
    assert "\n\n\n" not in source
    golden(f"{file}.hip", source)
