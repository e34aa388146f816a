"""The tiles that products and attention can be cut into, by chip and operand type.

``select_tiles`` chooses among these, and code generation makes them all.
"""

from __future__ import annotations

from functools import cache

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip
from lumc.lowering.kernel_program import AttentionTile, GemmTile

# (rows, columns, waves along rows, waves along columns): a matrix instruction makes 16 × 16.
_MATRIX_SHAPES = (
    (256, 256, 2, 4),
    (256, 128, 4, 2),
    (128, 256, 2, 4),
    (128, 128, 2, 2),
    (128, 64, 2, 2),
    (64, 128, 2, 2),
    (64, 64, 2, 2),
    (64, 32, 2, 2),
    (32, 64, 2, 2),
    (32, 32, 2, 2),
    (16, 64, 1, 4),
    (64, 16, 4, 1),
    (16, 16, 1, 1),
)
# Without matrix cores 32 threads, 4 along rows and 8 along columns, share a wave's tile.
_PLAIN_SHAPES = (
    (128, 128, 2, 4),
    (128, 64, 4, 2),
    (64, 128, 2, 4),
    (64, 64, 2, 2),
    (32, 64, 1, 2),
    (32, 32, 1, 1),
    (16, 16, 1, 1),
    (16, 8, 1, 1),
)
PLAIN_WAVE = 32
"""Threads that share a wave's tile where there are no matrix cores."""

# Bytes of the inner axes that a row of a tile holds.
_DEPTHS = (128, 64)

# f32 sums that a lane can hold beside what it multiplies: more would go to memory.
_MOST_SUMS = 128

# (queries, keys, waves)
_ATTENTION_SHAPES = ((128, 64, 4), (64, 64, 4), (64, 32, 4), (32, 32, 2), (16, 32, 1), (16, 16, 1))


def tile_wave(chip: Chip, dtype: DType) -> int:
    """Threads that share a wave's tile."""
    return chip.wave if chip.has_matrix(dtype) else PLAIN_WAVE


@cache
def gemm_tiles(chip: Chip, dtype: DType, sides: int) -> tuple[GemmTile, ...]:
    """The tiles for products of ``dtype`` with ``sides`` right sides, largest first.

    Operands of one step fit in the memory that a workgroup shares, sums in registers. There is at
    least one tile for up to eight right sides.
    """
    shapes = _MATRIX_SHAPES if chip.has_matrix(dtype) else _PLAIN_SHAPES
    found = []
    for rows, columns, wave_rows, wave_columns in shapes:
        threads = wave_rows * wave_columns * tile_wave(chip, dtype)
        if rows * columns * sides > _MOST_SUMS * threads:
            continue
        for depth_bytes in _DEPTHS:
            if (rows + columns * sides) * depth_bytes <= chip.local_bytes:
                depth = depth_bytes // dtype.bytes
                found.append(GemmTile(rows, columns, depth, wave_rows, wave_columns))
    return tuple(found)


@cache
def attention_tiles(chip: Chip, dtype: DType, channels: int) -> tuple[AttentionTile, ...]:
    """The tiles for attention over ``channels`` values a key, largest first."""
    found = []
    for queries, keys, waves in _ATTENTION_SHAPES:
        threads = waves * tile_wave(chip, dtype)
        if queries * (channels + keys) <= 2 * _MOST_SUMS * threads:
            found.append(AttentionTile(queries, keys, waves))
    return tuple(found) or (AttentionTile(*_ATTENTION_SHAPES[-1]),)
