"""Which tiles the product template can make, and one to take where none was chosen."""

from __future__ import annotations

import math

from lumc.codegen.staging import CHUNK_BYTES, CHUNK_TURN
from lumc.codegen.target import Target
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Gemm, GemmSchedule, GemmTile, KernelAxis

_SLICE_BYTES = 64
_PLAIN_WAVE = 32
_MOST_THREADS = 1024
_TURN_WAVES = 8
_TURN_WAVE = 64
# Sums a lane can hold beside what it multiplies.
_MOST_SUMS = 256


def default_tile(kernel: Gemm, target: Target) -> GemmTile:
    """A tile that fits ``kernel`` and ``target``: large where the product is."""
    rows, columns, inner = (_points(a) for a in (kernel.rows, kernel.columns, kernel.inner))
    rights = len(kernel.right)
    matrix = target.has_matrix(kernel.operand_dtype)
    least = 16 if matrix else 8
    most = 128 if matrix else 64
    tile_rows = _side(rows, max(least, 16), most)
    tile_columns = _side(columns, least, max(least, most >> (rights - 1).bit_length()))
    wave_rows = 2 if tile_rows >= 64 else 1
    wave_columns = 2 if tile_columns >= 64 else 1
    slice_elements = _SLICE_BYTES // kernel.operand_dtype.bytes
    deep = matrix and inner >= 2 * slice_elements
    depth = 2 * slice_elements if deep else slice_elements
    return GemmTile(tile_rows, tile_columns, depth, wave_rows, wave_columns)


def _side(points: int, least: int, most: int) -> int:
    side = least
    while side < most and side < points:
        side *= 2
    return side


def _points(axes: tuple[KernelAxis, ...]) -> int:
    return math.prod(axis.size for axis in axes)


def check_tile(tile: GemmTile, rights: int, dtype: DType, target: Target) -> str | None:
    """Why ``tile`` can't be made for products with ``rights`` right sides; None when it can."""
    row_step, column_step = (16, 16) if target.has_matrix(dtype) else (4, 8)
    chunks = tile.depth * dtype.bytes // CHUNK_BYTES
    threads = tile.wave_rows * tile.wave_columns * matrix_wave(target, dtype)
    sums = tile.rows * tile.columns * rights // threads
    reasons = {
        "rows are no multiple of the waves'": tile.rows % (row_step * tile.wave_rows),
        "columns are no multiple of the waves'": tile.columns % (column_step * tile.wave_columns),
        "a wave's rows are no whole turn of chunks": tile.wave_rows > 1
        and tile.rows // tile.wave_rows % CHUNK_TURN,
        "depth is no multiple of 64 bytes": tile.depth * dtype.bytes % _SLICE_BYTES,
        "chunks of the depth are no power of two": chunks & (chunks - 1),
        "it has too many threads": threads > _MOST_THREADS,
        "a lane has too many sums": sums > _MOST_SUMS,
        "it takes too much shared memory": tile_bytes(tile, rights, dtype) > target.local_bytes,
    }
    if tile.schedule is GemmSchedule.PING_PONG:
        waves = tile.wave_rows * tile.wave_columns
        reasons |= {
            "turns are for matrix cores of AMD's": not target.has_matrix(dtype)
            or target.wave != _TURN_WAVE,
            "turns are for two groups of four waves": waves != _TURN_WAVES,
            "steps of turns are 64 bytes deep": tile.depth * dtype.bytes != _SLICE_BYTES,
        }
    return next((reason for reason, broken in reasons.items() if broken), None)


def tile_bytes(tile: GemmTile, rights: int, dtype: DType) -> int:
    """Bytes of shared memory for the tile's operands: of two steps where waves take turns."""
    local = (tile.rows + tile.columns * rights) * tile.depth * dtype.bytes
    if tile.schedule is GemmSchedule.PLAIN:
        return local
    return 2 * local + spare_chunks(tile, dtype) * CHUNK_BYTES


def spare_chunks(tile: GemmTile, dtype: DType) -> int:
    """Chunks of shared memory for what threads without a chunk of a right side store."""
    if tile.schedule is GemmSchedule.PLAIN:
        return 0
    threads = tile.wave_rows * tile.wave_columns * _TURN_WAVE
    least = min(tile.rows, tile.columns) * tile.depth * dtype.bytes // CHUNK_BYTES
    return max(0, threads - least)


def row_lanes(target: Target, dtype: DType) -> int:
    """Lanes that share a row of a wave's tile: each has neighbouring columns of it."""
    if not target.has_matrix(dtype):
        return 8
    return 2 if target.is_amd and target.wave == 32 else 4


def matrix_wave(target: Target, dtype: DType) -> int:
    """Threads that work on a wave's tile together."""
    return target.wave if target.has_matrix(dtype) else _PLAIN_WAVE
