"""How long attention takes that streams keys and values, on matrix cores of waves of 64.

In clocks of the compute unit, as timed on traces of the emulator: heads 64 to 128 wide are within
a tenth of those.
"""

from __future__ import annotations

import math

from lumc.lowering.chips import Chip
from lumc.lowering.instruction_cost import work
from lumc.lowering.kernel_program import Attention, AttentionSchedule, AttentionTile
from lumc.lowering.kernel_types import size
from lumc.lowering.power import clock_under_load
from lumc.lowering.score_conditions import visited_tiles
from lumc.lowering.tiled_launch import TiledLaunch
from lumc.lowering.tiles import CHANNEL_BLOCK, INNER_BLOCK, streamed_bytes

# Vector instructions of a score beside its own code: a power of 2 (four), its scaling, maximum,
# sum and rounding, and a part of moving keys and values.
_WEIGHING = 9.0
# A matrix instruction takes one of eight issue slots from the vector unit.
_ISSUE = 1 / 8
# Clocks of a change of turns that nothing hides, of which a tile of keys has two; of a workgroup's
# beginning and end.
_CHANGE = 76
_AROUND = 4500
# What waves in turns do for the first tile's scores and the last one's results is not overlapped.
_ALONE = 1.3
# Without turns: clocks of a tile of keys that a wave waits for data and for its own products, and
# how much slower two waves are that share a SIMD.
_WAITING = 800
_SHARED = 1.28
# Waves of a SIMD whose registers are all used.
_MOST_WAVES = 2
_SIMDS = 4


def streamed_launch(
    kernel: Attention, tile: AttentionTile, chip: Chip
) -> tuple[TiledLaunch, float]:
    """The launch of ``kernel`` cut into ``tile``, and the clock in Hz that power leaves."""
    inner = -(-size(kernel.inner) // INNER_BLOCK) * INNER_BLOCK
    width = size(kernel.channels) // tile.channel_parts
    channels = -(-width // CHANNEL_BLOCK) * CHANNEL_BLOCK
    scores = tile.queries * tile.keys
    # Of the whole unit, as if all its SIMDs had their part of it.
    matrix = 2 * scores * (inner + channels) / chip.matrix_rate(kernel.operand_dtype)
    score = work(kernel.score, (), kernel.parameters)
    # A scale is part of the weighing.
    own = max(0.0, score.operations - 1)
    vector = scores * (_WEIGHING + own) / chip.lanes
    moved = tile.keys * (inner + channels) * kernel.operand_dtype.bytes
    near = (moved + scores * score.near) / min(chip.near_rate, chip.shared_rate)
    local = (1 + tile.waves) * moved / chip.local_rate
    around = float(_AROUND)
    workgroups = size(kernel.batch) * -(-size(kernel.queries) // tile.queries)
    workgroups *= tile.channel_parts
    if tile.schedule is AttentionSchedule.PING_PONG:
        together, busy = 1, 1.0
        step = max(matrix + 2 * _CHANGE, vector + _ISSUE * matrix, near, local)
        around += _ALONE * step
    else:
        together = _together(kernel, tile, chip, -(-workgroups // chip.units))
        busy = together * tile.waves / _SIMDS
        alone = (matrix + vector) * _SIMDS / tile.waves + _WAITING
        shared = alone * (1.0 if busy <= 1 else _SHARED)
        step = max(shared, together * near, together * local)
    load = together / step
    launch = TiledLaunch(
        tiles=workgroups,
        slots=chip.units * together,
        steps=_steps(kernel, tile, workgroups <= chip.units * together),
        lines=-(-size(kernel.keys) // tile.keys),
        step=step,
        around=around,
        # Results, and for each query the greatest score and the sum of weights.
        left=4 * tile.queries * (channels + 2),
        rate=min(chip.near_rate, chip.shared_rate),
    )
    return launch, clock_under_load(chip, matrix * load, vector * load)


def _steps(kernel: Attention, tile: AttentionTile, at_once: bool) -> int:
    """Tiles of keys of a workgroup: where all run ``at_once``, those of the one with most."""
    visited = visited_tiles(kernel, tile.queries, tile.keys)
    return visited.most if at_once else math.ceil(visited.mean)


def _together(kernel: Attention, tile: AttentionTile, chip: Chip, wanted: int) -> int:
    """Workgroups that a unit holds at once, of ``wanted``."""
    inner, channels = size(kernel.inner), size(kernel.channels) // tile.channel_parts
    held = streamed_bytes(chip.local_bytes, tile.keys, inner, channels)
    return max(1, min(wanted, chip.local_bytes // held, _MOST_WAVES * _SIMDS // tile.waves))
