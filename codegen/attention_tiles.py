"""Which tiles the attention template can make, and one to take where none was chosen."""

from __future__ import annotations

import math
from dataclasses import dataclass

from lumc.codegen.gemm_tiles import matrix_wave, row_lanes
from lumc.codegen.staging import CHUNK_BYTES, CHUNK_TURN
from lumc.codegen.target import Target
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Attention, AttentionTile, KernelAxis

_SLICE_BYTES = 64
_MOST_SLICE_BYTES = 256
_MOST_WAVES = 8
_MOST_CHANNELS = 512


@dataclass(frozen=True, slots=True)
class AttentionShape:
    """All sizes of the template.

    The inner axes are cut into ``inner_slices`` parts of ``depth``, the channels into
    ``channel_slices`` parts of ``channels``; a wave has ``wave_queries`` rows.
    """

    queries: int
    keys: int
    waves: int
    depth: int
    inner_slices: int
    channels: int
    channel_slices: int

    @property
    def wave_queries(self) -> int:
        """Queries of each wave."""
        return self.queries // self.waves

    def local_bytes(self, dtype: DType) -> int:
        """Bytes of shared memory: tiles of queries, of keys and then values, and of weights."""
        elements = self.queries * (self.depth + self.keys) + self.streamed_elements
        return elements * dtype.bytes

    @property
    def streamed_elements(self) -> int:
        """Elements of the tile that holds keys, and values when the keys are done with."""
        return self.keys * max(self.depth, self.channels)


def attention_shape(kernel: Attention, target: Target) -> AttentionShape:
    """The sizes for ``kernel``: those of its tile, or of one that fits.

    Raises:
        ValueError: the tile can't be made, or there are too many channels.
    """
    tile = kernel.tile or _default_tile(kernel, target)
    shape = _shape(kernel, tile, target)
    reason = _why_not(kernel, shape, target)
    if reason is not None:
        raise ValueError(f"{kernel.name}: {tile}: {reason}")
    return shape


def _default_tile(kernel: Attention, target: Target) -> AttentionTile:
    queries = _points(kernel.queries)
    keys = 128 // kernel.operand_dtype.bytes
    for waves in (4, 2, 1):
        for wave_queries in (16,) if target.has_matrix(kernel.operand_dtype) else (16, 8, 4):
            tile = AttentionTile(waves * wave_queries, keys, waves)
            if waves > 1 and queries <= tile.queries // 2:
                continue
            if _why_not(kernel, _shape(kernel, tile, target), target) is None:
                return tile
    return AttentionTile(16, keys, 1)


def _shape(kernel: Attention, tile: AttentionTile, target: Target) -> AttentionShape:
    size = kernel.operand_dtype.bytes
    inner, channels = _points(kernel.inner), _points(kernel.channels)
    depth = _SLICE_BYTES // size
    while depth < inner and depth * size < _MOST_SLICE_BYTES:
        depth *= 2
    column_step = 16 if target.has_matrix(kernel.operand_dtype) else 8
    most = _MOST_SLICE_BYTES // size
    slices = -(-channels // most)
    slice_channels = -(-channels // (slices * column_step)) * column_step
    return AttentionShape(
        queries=tile.queries,
        keys=tile.keys,
        waves=tile.waves,
        depth=depth,
        inner_slices=-(-inner // depth),
        channels=slice_channels,
        channel_slices=-(-channels // slice_channels),
    )


def _why_not(kernel: Attention, shape: AttentionShape, target: Target) -> str | None:
    dtype = kernel.operand_dtype
    row_step, column_step = (16, 16) if target.has_matrix(dtype) else (4, 8)
    chunk = CHUNK_BYTES // dtype.bytes
    chunks = shape.keys // chunk
    reasons = {
        "queries are no multiple of the waves'": shape.queries % (row_step * shape.waves),
        "a wave's queries are no whole turn of chunks": shape.waves > 1
        and shape.wave_queries % CHUNK_TURN,
        "keys are no multiple of a product's": shape.keys % column_step,
        "a lane's keys are no whole chunks": shape.keys % (row_lanes(target, dtype) * chunk),
        "keys are no power of two of slices": shape.keys * dtype.bytes % _SLICE_BYTES
        or chunks & (chunks - 1),
        "there are too many waves": shape.waves > _MOST_WAVES,
        "there are too many channels": _points(kernel.channels) > _MOST_CHANNELS,
        "it takes too much shared memory": shape.local_bytes(dtype) > target.local_bytes,
    }
    return next((reason for reason, broken in reasons.items() if broken), None)


def _points(axes: tuple[KernelAxis, ...]) -> int:
    return math.prod(axis.size for axis in axes)


def attention_threads(shape: AttentionShape, target: Target, dtype: DType) -> int:
    """Threads of a workgroup."""
    return shape.waves * matrix_wave(target, dtype)
