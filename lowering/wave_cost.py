"""How long products take on matrix cores that waves of 64 share (AMD's CDNA).

Everything is in clocks of the compute unit, as timed on traces of the emulator with one clock for
all its parts; how fast the clock runs is what power leaves, and matrix cores take most of it.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip
from lumc.lowering.instruction_cost import Work
from lumc.lowering.kernel_program import GemmSchedule, GemmTile
from lumc.lowering.power import clock_under_load
from lumc.lowering.share_cost import runs


@dataclass(frozen=True, slots=True)
class ProductFigures:
    """The figures of a product that do not depend on its tile."""

    dtype: DType
    batch: int
    rows: int
    columns: int
    inner: int
    left: Work
    right: tuple[Work, ...]
    epilogue: Work
    moved: float
    """Bytes of all parameters."""

    def tiles(self, tile: GemmTile) -> int:
        """Workgroups when it is cut into ``tile``."""
        return self.batch * -(-self.rows // tile.rows) * -(-self.columns // tile.columns)


# Clocks before the first product of a tile, and of a step for addresses and loop control.
_START = 3200
_STEP = 60
# Times a step where the order of instructions is the compiler's: on traces, steps that move and
# multiply the same took between what is counted here and half as much again.
_COMPILERS_ORDER = 1.12
# Of waves in turns: from the first read of shared memory to its data, and the change of turns (two
# barriers; what they cost is a guess).
_TURN_LATENCY = 130
_TURN_CHANGE = 28
# Waves that a unit holds when each has about 128 registers a lane, and clocks from a request to
# the data with the caches doing their part.
_WAVES = 16
_WAIT = 800
# Shared memory and the caches are busy for half and a third of the time in a tile of 256 x 256, as
# in the published kernels that the clock is known of. What moves more draws more power.
_USUAL_MOVING = 0.5 + 0.3


def product_seconds(product: ProductFigures, tile: GemmTile, chip: Chip) -> float:
    """Seconds that the workgroups take for their tiles, round after round."""
    volume = tile.rows * tile.columns * len(product.right) * tile.depth
    matrix = 2 * volume / chip.matrix_rate(product.dtype)
    moving = _local_clocks(product, tile, chip) + _near_clocks(product, tile, chip)
    clocks = steps = 0.0
    for run in runs(tile, product.tiles(tile), product.inner, len(product.right), chip):
        rounds = -(-run.workgroups // chip.units)
        if tile.schedule is GemmSchedule.PING_PONG:
            together, step = 1, _turn_clocks(product, tile, chip, matrix)
        else:
            together = min(rounds, _together(product, tile, chip))
            step = _step_clocks(product, tile, chip, matrix, together)
        finish = _finish_clocks(product, tile, chip, together)
        clocks += rounds * (run.steps * step + finish + run.meeting / together)
        steps += rounds * run.steps
    beyond = max(0.0, steps * moving / clocks - _USUAL_MOVING)
    return clocks / clock_under_load(chip, steps * matrix / clocks, beyond)


def _held(product: ProductFigures, tile: GemmTile) -> int:
    """Rows of all operands in a tile."""
    return tile.rows + tile.columns * len(product.right)


def _together(product: ProductFigures, tile: GemmTile, chip: Chip) -> int:
    """Workgroups that a unit holds at once."""
    local = _held(product, tile) * tile.depth * product.dtype.bytes
    waves = tile.wave_rows * tile.wave_columns
    return max(1, min(chip.local_bytes // local, _WAVES // waves))


def _local_clocks(product: ProductFigures, tile: GemmTile, chip: Chip) -> float:
    """Of shared memory for a step: each row is written once and read by all waves that need it."""
    read = tile.wave_rows * tile.columns * len(product.right) + tile.wave_columns * tile.rows
    row = tile.depth * product.dtype.bytes
    return (_held(product, tile) + read) * row / chip.local_rate


def _near_clocks(product: ProductFigures, tile: GemmTile, chip: Chip) -> float:
    """Of the caches for a step."""
    near = tile.rows * product.left.near + tile.columns * sum(w.near for w in product.right)
    return near * tile.depth / min(chip.near_rate, chip.shared_rate)


def _turn_clocks(product: ProductFigures, tile: GemmTile, chip: Chip, matrix: float) -> float:
    """Of a step in which each group multiplies once while the other moves its half of the data."""
    moved = _local_clocks(product, tile, chip) / 2 + _TURN_LATENCY
    turn = max(matrix / 2, moved) + _TURN_CHANGE
    return max(2 * turn, _near_clocks(product, tile, chip))


def _step_clocks(
    product: ProductFigures, tile: GemmTile, chip: Chip, matrix: float, together: int
) -> float:
    """Of a step of each of ``together`` workgroups, over their number.

    The parts of one workgroup's step follow each other, so that half of what is not the longest
    shows; the more workgroups there are, the more of that the others hide.
    """
    made = tile.rows * product.left.operations
    made += tile.columns * sum(w.operations for w in product.right)
    # Four sets of matrix cores and of lanes, each for waves of its own.
    busy = min(1.0, together * tile.wave_rows * tile.wave_columns / 4)
    parts = (
        matrix / busy,
        (made * tile.depth / chip.lanes + _STEP) / busy,
        _near_clocks(product, tile, chip),
        _local_clocks(product, tile, chip),
    )
    longest = max(parts)
    shown = longest + (sum(parts) - longest) / (2 * together**2)
    return max(_COMPILERS_ORDER * shown, _WAIT / together)


def _finish_clocks(product: ProductFigures, tile: GemmTile, chip: Chip, together: int) -> float:
    """Of a tile for what is not its steps; other workgroups multiply meanwhile, where there are."""
    epilogue = product.epilogue
    longest = max(epilogue.near / chip.near_rate, epilogue.operations / chip.lanes)
    return (tile.rows * tile.columns * longest + _START) / together
