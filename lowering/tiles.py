"""The tiles that products and attention can be cut into, by chip and operand type.

``select_tiles`` chooses among these, and code generation makes them all.
"""

from __future__ import annotations

from functools import cache

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip
from lumc.lowering.kernel_program import (
    Attention,
    AttentionSchedule,
    AttentionTile,
    Gemm,
    GemmSchedule,
    GemmTile,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.streamed_attention import streamed_attention
from lumc.lowering.streamed_products import is_streamed

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
# The same for waves of 32, whose lanes hold twice as much of a tile.
_NARROW_MATRIX_SHAPES = (
    (256, 128, 4, 2),
    (128, 256, 2, 4),
    (128, 128, 2, 4),
    (128, 128, 2, 2),
    (128, 64, 4, 2),
    (64, 128, 2, 4),
    (64, 64, 2, 2),
    (64, 32, 2, 2),
    (32, 64, 2, 2),
    (32, 32, 2, 2),
    (16, 64, 1, 4),
    (64, 16, 4, 1),
    (16, 16, 1, 1),
)
# For waves of 64 that take turns, by the number of right sides; columns are those of one of them.
# What lies between the large ones and their halves is for products whose tiles else fill half of a
# last round.
_TURN_SHAPES = {
    1: (
        (256, 256, 2, 4),
        (240, 256, 1, 8),
        (224, 256, 2, 4),
        (208, 256, 1, 8),
        (192, 256, 2, 4),
        (256, 192, 4, 2),
        (176, 256, 1, 8),
        (160, 256, 2, 4),
        (144, 256, 1, 8),
        (192, 192, 4, 2),
        (128, 256, 2, 4),
        (256, 128, 4, 2),
    ),
    2: (
        (256, 128, 2, 4),
        (240, 128, 1, 8),
        (224, 128, 2, 4),
        (208, 128, 1, 8),
        (192, 128, 2, 4),
        (176, 128, 1, 8),
        (160, 128, 2, 4),
        (144, 128, 1, 8),
        (128, 128, 2, 4),
        (256, 64, 4, 2),
    ),
    3: ((256, 64, 4, 2), (192, 64, 4, 2)),
    4: ((192, 64, 4, 2), (128, 64, 4, 2)),
}
_TURN_DEPTH = 64

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

# Waves of attention, and queries of each.
_ATTENTION_WAVES = (8, 4, 2, 1)
_MATRIX_QUERIES = (32, 16)
_PLAIN_QUERIES = (16, 8, 4)
# Rows of a tile after which chunks lie in the same order again: where waves may begin.
_TURN = 8
# Bytes that a row of attention's tiles has at most; longer rows come in slices.
_SLICE = 256


def tile_wave(chip: Chip, dtype: DType) -> int:
    """Threads that share a wave's tile."""
    return chip.wave if chip.has_matrix(dtype) else PLAIN_WAVE


@cache
def gemm_tiles(chip: Chip, dtype: DType, sides: int) -> tuple[GemmTile, ...]:
    """The tiles for products of ``dtype`` with ``sides`` right sides, largest first.

    Operands of one step fit in the memory that a workgroup shares, sums in registers. There is at
    least one tile for up to eight right sides.
    """
    found = []
    for rows, columns, wave_rows, wave_columns in _shapes(chip, dtype):
        threads = wave_rows * wave_columns * tile_wave(chip, dtype)
        if rows * columns * sides > _MOST_SUMS * threads:
            continue
        for depth_bytes in _DEPTHS:
            if (rows + columns * sides) * depth_bytes <= chip.local_bytes:
                depth = depth_bytes // dtype.bytes
                found.append(GemmTile(rows, columns, depth, wave_rows, wave_columns))
    return tuple(found)


@cache
def turn_tiles(chip: Chip, dtype: DType, sides: int) -> tuple[GemmTile, ...]:
    """The tiles whose waves take turns, largest first; none where the chip has no such waves."""
    if chip.wave != 64 or not chip.has_matrix(dtype):
        return ()
    depth = _TURN_DEPTH // dtype.bytes
    return tuple(
        GemmTile(rows, columns, depth, down, across, schedule=GemmSchedule.PING_PONG)
        for rows, columns, down, across in _TURN_SHAPES.get(sides, ())
    )


def product_tiles(kernel: Gemm, chip: Chip) -> tuple[GemmTile, ...]:
    """All tiles for ``kernel``: those with a schedule of its own only where it can have that."""
    dtype, sides = kernel.operand_dtype, len(kernel.right)
    plain = gemm_tiles(chip, dtype, sides)
    turns = turn_tiles(chip, dtype, sides)
    return (*turns, *plain) if turns and is_streamed(kernel) else plain


def _shapes(chip: Chip, dtype: DType) -> tuple[tuple[int, int, int, int], ...]:
    if not chip.has_matrix(dtype):
        return _PLAIN_SHAPES
    return _MATRIX_SHAPES if chip.wave == 64 else _NARROW_MATRIX_SHAPES


@cache
def attention_tiles(
    chip: Chip, dtype: DType, inner: int, channels: int
) -> tuple[AttentionTile, ...]:
    """The tiles for attention with so many points of its inner axes and channels, largest first.

    Tiles of queries, keys, values and weights fit in the memory that a workgroup shares, and a
    lane's scores and sums in registers.
    """
    matrix = chip.has_matrix(dtype)
    keys_at_once = (128, 64) if matrix else (128,)
    found = []
    for waves in _ATTENTION_WAVES:
        for each in _MATRIX_QUERIES if matrix else _PLAIN_QUERIES:
            if waves > 1 and each % _TURN:
                continue
            for keys in (length // dtype.bytes for length in keys_at_once):
                queries = waves * each
                rows = (queries + keys) * _slice(inner * dtype.bytes)
                rows += keys * _slice(channels * dtype.bytes) + queries * keys * dtype.bytes
                sums = each * (channels + keys) // tile_wave(chip, dtype)
                if rows <= chip.local_bytes and sums <= _MOST_SUMS:
                    found.append(AttentionTile(queries, keys, waves))
    least = _MATRIX_QUERIES[-1] if matrix else _PLAIN_QUERIES[-1]
    return tuple(found) or (AttentionTile(least, keys_at_once[-1] // dtype.bytes, 1),)


INNER_BLOCK, CHANNEL_BLOCK = 16, 32
"""Points of the inner axes and channels that waves multiply at once where they stream."""
WAVE_QUERIES = 32
"""Queries of such a wave: the columns of its matrix products."""

# Waves in turns: two share each of the four matrix units of a compute unit.
_STREAMED_WAVES = (
    (8, AttentionSchedule.PING_PONG),
    (4, AttentionSchedule.STREAMED),
    (2, AttentionSchedule.STREAMED),
)
_STREAMED_KEYS = (128, 64, 32)
# Registers of a lane, without those for addresses, masks and what the compiler needs: where two
# waves share a SIMD, and where one has it for itself.
_STREAMED_REGISTERS, _ALONE_REGISTERS = 212, 470
# Workgroups for the channels of the same queries, and what parts are multiples of.
_CHANNEL_PARTS = (1, 2)
_PART_STEP = 128
# Blocks of channels that are multiplied at once.
_WHOLE_BLOCKS, _BLOCK_GROUP = 6, 4


@cache
def streamed_tiles(
    chip: Chip, dtype: DType, inner: int, channels: int
) -> tuple[AttentionTile, ...]:
    """The tiles for attention whose keys and values are streamed, largest first; maybe none."""
    if chip.wave != 64 or not chip.has_matrix(dtype) or dtype.bytes != 2:
        return ()
    return tuple(
        AttentionTile(waves * WAVE_QUERIES, keys, waves, schedule, parts)
        for parts in _CHANNEL_PARTS
        if parts == 1 or channels % (parts * _PART_STEP) == 0
        for waves, schedule in _STREAMED_WAVES
        for keys in _STREAMED_KEYS
        if _can_be_streamed(chip.local_bytes, waves, keys, inner, channels // parts)
    )


def _can_be_streamed(local_bytes: int, waves: int, keys: int, inner: int, channels: int) -> bool:
    places = streamed_places(local_bytes, keys, inner, channels)
    blocks = -(-channels // CHANNEL_BLOCK)
    if not places or not _is_shared_evenly(keys, inner, channels, waves):
        return False
    if blocks > _WHOLE_BLOCKS and blocks % _BLOCK_GROUP:
        return False
    # Waves in turns need two places; others share a SIMD unless a workgroup takes all memory.
    if waves == _STREAMED_WAVES[0][0]:
        return (
            places == 2 and _registers(waves, keys, inner, channels, places) <= _STREAMED_REGISTERS
        )
    alone = 2 * streamed_bytes(local_bytes, keys, inner, channels) > local_bytes
    most = _ALONE_REGISTERS if alone else _STREAMED_REGISTERS
    return _registers(waves, keys, inner, channels, places) <= most


def streamed_places(local_bytes: int, keys: int, inner: int, channels: int) -> int:
    """Tiles of keys, and as many of values, that shared memory has places for, at most 2."""
    return min(2, local_bytes // _tile_bytes(keys, inner, channels))


def streamed_bytes(local_bytes: int, keys: int, inner: int, channels: int) -> int:
    """Bytes of shared memory of those."""
    places = streamed_places(local_bytes, keys, inner, channels)
    return places * _tile_bytes(keys, inner, channels)


def _tile_bytes(keys: int, inner: int, channels: int) -> int:
    """Bytes of a tile of keys and one of values, of two bytes an element."""
    return 2 * keys * (_row(inner, INNER_BLOCK) + _row(channels, CHANNEL_BLOCK))


def _row(points: int, block: int) -> int:
    """Elements that a row of keys, or the rows of values, take: a power of two."""
    return 1 << (-(-points // block) * block - 1).bit_length()


def _registers(waves: int, keys: int, inner: int, channels: int, places: int) -> int:
    """Of a lane: queries, scores, weights, results, some steps' operands, and what is moved."""
    blocks, key_blocks = -(-channels // CHANNEL_BLOCK), keys // 32
    together = blocks if blocks <= _WHOLE_BLOCKS else _BLOCK_GROUP
    rows = (_row(inner, INNER_BLOCK), _row(channels, CHANNEL_BLOCK))
    # With one place keys and values are moved one after the other.
    moved = keys * (sum(rows) if places == 2 else max(rows)) // 2
    return (
        -(-inner // INNER_BLOCK) * 4
        + key_blocks * (16 + 8)
        + blocks * 16
        + (3 if key_blocks == 1 and together <= _BLOCK_GROUP else 2) * 4 * (key_blocks + together)
        + moved // (waves * 64)
    )


def _is_shared_evenly(keys: int, inner: int, channels: int, waves: int) -> bool:
    """Every thread moves as many chunks of 8 elements, and cells of 4 × 4."""
    threads = waves * 64
    chunks = keys * _row(inner, INNER_BLOCK) // 8
    cells = keys * _row(channels, CHANNEL_BLOCK) // 16
    return chunks % threads == 0 and cells % threads == 0


def tiles_for_attention(kernel: Attention, chip: Chip) -> tuple[AttentionTile, ...]:
    """All tiles for ``kernel``: those that stream keys and values only where that can be."""
    dtype, inner, channels = kernel.operand_dtype, size(kernel.inner), size(kernel.channels)
    steps = attention_tiles(chip, dtype, inner, channels)
    streamed = streamed_tiles(chip, dtype, inner, channels)
    return (*streamed, *steps) if streamed and streamed_attention(kernel) else steps


def _slice(length: int) -> int:
    """Bytes that a row of ``length`` bytes takes in a tile: a power of two from 64 on."""
    return min(_SLICE, max(64, 1 << (length - 1).bit_length()))
