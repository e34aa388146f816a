"""Every tile that can be chosen is one that code can be made for."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lumc.codegen.attention_tiles import attention_shape
from lumc.codegen.gemm_tiles import check_tile, matrix_wave
from lumc.codegen.target import known_targets, target_named
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.tiles import attention_tiles, gemm_tiles, tile_wave, turn_tiles
from tests.lowering.example_kernels import attention

TARGETS = (*known_targets(), "sm_90")


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("dtype", [DType.BF16, DType.F16, DType.F32])
def test_tiles_can_be_made(name: str, dtype: DType) -> None:
    target, chip = target_named(name), chip_for(name)
    assert tile_wave(chip, dtype) == matrix_wave(target, dtype)
    for rights in range(1, 9):
        for tile in (*gemm_tiles(chip, dtype, rights), *turn_tiles(chip, dtype, rights)):
            assert check_tile(tile, rights, dtype, target) is None


@pytest.mark.parametrize("name", TARGETS)
@pytest.mark.parametrize("dtype", [DType.BF16, DType.F16, DType.F32])
@pytest.mark.parametrize("inner", [1, 24, 64, 80, 128, 512])
@pytest.mark.parametrize("channels", [1, 24, 64, 80, 128, 512])
def test_attention_tiles_can_be_made(name: str, dtype: DType, inner: int, channels: int) -> None:
    target, chip = target_named(name), chip_for(name)
    kernel = attention(2, 40, 50, inner, dtype, channels)
    for tile in attention_tiles(chip, dtype, inner, channels):
        attention_shape(replace(kernel, tile=tile), target)


@pytest.mark.parametrize("name", TARGETS)
def test_chips_are_the_targets(name: str) -> None:
    target, chip = target_named(name), chip_for(name)
    assert chip.wave == target.wave
    assert chip.local_bytes == target.local_bytes
    for dtype in (DType.BF16, DType.F16, DType.F32):
        assert chip.has_matrix(dtype) == target.has_matrix(dtype)
