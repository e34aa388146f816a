"""Products whose waves take turns, at odd sizes: on the emulator, with all of its checks."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Gemm, GemmSchedule, GemmTile
from lumc.lowering.streamed_products import is_streamed
from lumc.lowering.tiles import turn_tiles
from tests.codegen import sample_kernels as samples
from tests.codegen.emulated import ALIGNED, check_kernel, compiled

F16, F32 = DType.F16, DType.F32
TARGETS = ("gfx90a", "gfx942", "gfx950")


def in_turns(kernel: Gemm, rows: int = 256, columns: int = 0) -> Gemm:
    """``kernel`` with the tile of this size whose waves take turns, by default with the largest."""
    tiles = turn_tiles(chip_for("gfx942"), kernel.operand_dtype, len(kernel.right))
    assert is_streamed(kernel)
    fitting = (t for t in tiles if t.rows == rows and columns in (0, t.columns))
    return replace(kernel, tile=next(fitting))


KERNELS: dict[str, Gemm] = {
    # Rows and columns that end inside of a tile, a depth that ends inside of a line.
    "256 by 256": in_turns(samples.linear(300, 264, 168)),
    "224 by 256": in_turns(samples.linear(300, 264, 168), 224),
    "240 by 256": in_turns(samples.linear(300, 264, 168), 240),
    "144 by 256": in_turns(samples.linear(300, 264, 168), 144),
    "192 by 256": in_turns(samples.linear(300, 264, 168), 192, 256),
    "256 by 192": in_turns(samples.linear(300, 264, 168), 256, 192),
    "128 by 256": in_turns(samples.linear(300, 264, 168), 128),
    "256 by 128": in_turns(samples.linear(300, 264, 168), 256, 128),
    "one row": in_turns(samples.linear(1, 3, 8)),
    "columns in fours": in_turns(samples.linear(70, 260, 72)),
    "whole tiles": in_turns(samples.linear(256, 512, 64)),
    "batches": in_turns(samples.linear(70, 40, 72, batch=3)),
    "f16": in_turns(samples.linear(300, 264, 168, F16)),
    "f32": in_turns(samples.linear(300, 264, 84, F32)),
    "two right sides, 256 by 128": in_turns(samples.gated_pair(150, 200, 160)),
    "two right sides, 192 by 128": in_turns(samples.gated_pair(250, 200, 160), 192),
    "two right sides, 176 by 128": in_turns(samples.gated_pair(250, 200, 160), 176),
    "two right sides, 256 by 64": in_turns(samples.gated_pair(250, 72, 160), 256, 64),
    "three right sides": in_turns(samples.several(250, 72, 160, 3)),
    "four right sides": in_turns(samples.several(250, 72, 160, 4), 192),
    # One tap a step, of which the second half begins another; a step over several taps; all of it.
    "convolution": in_turns(samples.convolution(13, 17, 96, 72)),
    "convolution, few channels": in_turns(samples.convolution(13, 17, 24, 72), 256, 128),
    "convolution, stride 2": in_turns(samples.convolution(13, 10, 32, 40, stride=2), 256, 128),
    "convolution, doubled": in_turns(samples.convolution(7, 9, 32, 40, doubled=True), 256, 128),
    "convolution, doubled, few channels": in_turns(samples.convolution(7, 9, 8, 40, doubled=True)),
}


@pytest.mark.parametrize("name", KERNELS)
def test_gfx942(name: str) -> None:
    check_kernel(KERNELS[name], "gfx942")


@pytest.mark.parametrize("name", ["256 by 256", "f32", "two right sides, 256 by 64", "convolution"])
@pytest.mark.parametrize("target", ["gfx90a", "gfx950"])
def test_other_chips(name: str, target: str) -> None:
    check_kernel(KERNELS[name], target)


@pytest.mark.parametrize(
    ("name", "file"),
    [("256 by 256", "product_in_turns"), ("convolution", "convolution_in_turns")],
)
def test_golden(name: str, file: str, golden: Callable[[str, str], None]) -> None:
    kernel = KERNELS[name]
    alignments = [ALIGNED] * len(kernel.parameters)
    golden(f"{file}.hip", emit_kernel(kernel, target_named("gfx942"), alignments).source)


@pytest.mark.slow
@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("dtype", [DType.BF16, F16, F32])
def test_every_tile(target: str, dtype: DType) -> None:
    # Sums of f32 are taken in another order, and two of them are multiplied.
    tolerance = 1e-4 if dtype is F32 else None
    for tile in turn_tiles(chip_for(target), dtype, 1):
        kernel = replace(samples.linear(300, 520, 104, dtype), tile=tile)
        check_kernel(kernel, target, tolerance=tolerance)
    for tile in turn_tiles(chip_for(target), dtype, 2):
        kernel = replace(samples.gated_pair(300, 136, 104, dtype), tile=tile)
        check_kernel(kernel, target, tolerance=tolerance)


@pytest.mark.parametrize("name", ["256 by 256", "192 by 256", "two right sides, 256 by 64"])
def test_no_bank_is_asked_twice(name: str) -> None:
    counters = check_kernel(KERNELS[name], "gfx942").counters
    counts = counters.counts
    assert counts["lds_ideal_cycles"].sum() > 0
    assert counts["lds_cycles"].sum() == counts["lds_ideal_cycles"].sum()


@pytest.mark.parametrize("name", KERNELS)
def test_registers_suffice(name: str) -> None:
    """What does not fit would go to memory in every step."""
    kernel = KERNELS[name]
    alignments = [ALIGNED] * len(kernel.parameters)
    emitted = emit_kernel(kernel, target_named("gfx942"), alignments)
    assembly = compiled(emitted, "gfx942").assembly
    assert "; ScratchSize: 0\n" in assembly
    assert ".agpr_count:     0\n" in assembly


def test_a_launch_that_is_not_aligned_has_the_plain_schedule() -> None:
    kernel = KERNELS["256 by 256"]
    texts = [
        emit_kernel(kernel, target_named("gfx942"), [alignment] * 5).source
        for alignment in (256, 16, 8)
    ]
    assert [("in turns" in text) for text in texts] == [True, True, False]
    assert [("tile that was chosen takes" in text) for text in texts] == [False, False, True]
    check_kernel(kernel, "gfx942", aligned=False)


@pytest.mark.parametrize(
    ("kernel", "reason"),
    [
        (samples.linear(40, 40, 12), "chunks are not whole"),
        (samples.linear(40, 40, 16, left_transposed=True), "the left side lies along its rows"),
        (samples.linear(40, 40, 16, right_transposed=True), "the right side lies along its rows"),
        (samples.linear(2**17, 40, 2**14), "two GiB and more"),
        (samples.convolution(9, 11, 16, 40, channels_last=False), "channels are apart"),
    ],
)
def test_what_is_not_streamed(kernel: Gemm, reason: str) -> None:
    assert not is_streamed(kernel), reason


@pytest.mark.parametrize(
    ("tile", "reason"),
    [
        (GemmTile(128, 128, 64, 2, 4, GemmSchedule.PING_PONG), "64 bytes deep"),
        (GemmTile(128, 128, 32, 2, 2, GemmSchedule.PING_PONG), "two groups of four"),
    ],
)
def test_tiles_that_can_not_be_made(tile: GemmTile, reason: str) -> None:
    kernel = replace(KERNELS["256 by 256"], tile=tile)
    with pytest.raises(ValueError, match=reason):
        emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * 5)
