"""Tiles are chosen by cost among those that there are."""

from __future__ import annotations

from dataclasses import replace

import pytest
from hypothesis import HealthCheck, given, settings

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import CHIPS, Chip, chip_for
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import Attention, Gemm, GemmTile, KernelProgram
from lumc.lowering.select_tiles import select_tiles, with_tile
from lumc.lowering.tiles import (
    attention_tiles,
    gemm_tiles,
    product_tiles,
    tiles_for_attention,
)
from tests.lowering.example_kernels import attention, gemm, norm, pointwise
from tests.strategies.kernels import gemms

EVERY_CHIP = pytest.mark.parametrize("chip", CHIPS, ids=lambda chip: chip.target)


def tile_of(kernel: Gemm, chip: Chip) -> GemmTile:
    found = with_tile(kernel, chip)
    assert isinstance(found, Gemm)
    assert found.tile is not None
    return found.tile


@EVERY_CHIP
@pytest.mark.parametrize("dtype", [DType.BF16, DType.F16, DType.F32])
@pytest.mark.parametrize("sides", range(1, 9))
def test_there_are_tiles_that_fit(chip: Chip, dtype: DType, sides: int) -> None:
    tiles = gemm_tiles(chip, dtype, sides)
    assert tiles
    assert len(set(tiles)) == len(tiles)
    for tile in tiles:
        assert (tile.rows + sides * tile.columns) * tile.depth * dtype.bytes <= chip.local_bytes


@EVERY_CHIP
@pytest.mark.parametrize("channels", [8, 64, 128, 512])
def test_there_are_attention_tiles(chip: Chip, channels: int) -> None:
    assert attention_tiles(chip, DType.BF16, 64, channels)


@EVERY_CHIP
def test_the_chosen_tile_is_the_fastest(chip: Chip) -> None:
    kernel = gemm(300, 1000, 700)
    chosen = replace(kernel, tile=tile_of(kernel, chip))
    best = predict_seconds(chosen, chip)
    for tile in product_tiles(kernel, chip):
        assert best <= predict_seconds(replace(kernel, tile=tile), chip)
    assert best == predict_seconds(kernel, chip)


@EVERY_CHIP
def test_small_products_get_small_tiles(chip: Chip) -> None:
    tile = tile_of(gemm(5, 7, 300), chip)
    assert tile.rows <= 16
    assert tile.columns <= 16


def test_large_products_get_large_tiles() -> None:
    tile = tile_of(gemm(4096, 4096, 4096), chip_for("gfx942"))
    assert tile.rows * tile.columns >= 128 * 64


def test_flat_products_get_flat_tiles() -> None:
    tile = tile_of(gemm(1, 36864, 4096), chip_for("gfx942"))
    assert tile.rows == 16
    tile = tile_of(gemm(36864, 3, 4096), chip_for("gfx942"))
    assert tile.columns == 16


def test_all_kernels_of_a_program_get_tiles_and_chosen_ones_stay() -> None:
    mine = GemmTile(16, 16, 32, 1, 1)
    program = KernelProgram(
        "p",
        (),
        (),
        (
            gemm(64, 64, 64),
            replace(gemm(64, 64, 64), tile=mine),
            attention(2, 70, 70, 64),
            norm(4, 4),
            pointwise(4, 4),
        ),
        (),
        (),
    )
    chip = chip_for("gfx90a")
    first, second, third, *rest = select_tiles(program, chip).kernels
    assert isinstance(first, Gemm)
    assert isinstance(second, Gemm)
    assert isinstance(third, Attention)
    assert first.tile in product_tiles(first, chip)
    assert second.tile == mine
    assert third.tile in tiles_for_attention(third, chip)
    assert rest == list(program.kernels[3:])


@settings(max_examples=40, deadline=None, suppress_health_check=list(HealthCheck))
@given(gemms())
def test_any_product_gets_a_tile(kernel: Gemm) -> None:
    for chip in CHIPS:
        assert tile_of(kernel, chip) in product_tiles(kernel, chip)
