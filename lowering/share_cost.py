"""Ways to share the tiles of a product, and what sharing costs beside the steps."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from lumc.lowering.chips import Chip
from lumc.lowering.kernel_program import GemmTile, Shares
from lumc.lowering.shares import chunks_together, line_steps, shared_tiles

# A share has at least so many inner points, in lines of memory.
_LEAST_INNER = 256
# Equal parts of a tile that are worth a look.
_PARTS = (2, 3, 4, 6, 8)

# Clocks from the end of a workgroup's sums until others may read them, beside the bytes; before the
# first product of another tile; and from a request for some of another's sums to the data.
_LEAVE = 1500
_BEGIN = 3000
_ASK = 700
_SUM_BYTES = 4


def ways_to_share(tile: GemmTile, tiles: int, inner: int, chip: Chip) -> Iterator[GemmTile]:
    """``tile`` with the ways to share the last of ``tiles`` tiles that may be worth it.

    Units end together where each has a share of what whole rounds leave, or two, or of that and a
    round more; or tiles are cut into a few equal parts.
    """
    line = tile.depth * line_steps(tile)
    lines = -(-inner // line)
    full, rest = tiles // chip.units * chip.units, tiles % chip.units
    if not rest:
        return
    wholes = [full] if not full else [full, full - chip.units]
    ways = [(chip.units, whole) for whole in wholes] + [(2 * chip.units, full)]
    ways += [(rest * parts, full) for parts in _PARTS if rest * parts <= 2 * chip.units]
    for workgroups, whole in dict.fromkeys(ways):
        cut = tiles - whole
        if workgroups != cut and cut * lines // workgroups * line >= _LEAST_INNER:
            yield replace(tile, shares=Shares(workgroups, whole))


@dataclass(frozen=True, slots=True)
class Run:
    """Workgroups that have equally many steps, and the clocks of each for meeting others."""

    workgroups: int
    steps: int
    meeting: float = 0.0


def runs(tile: GemmTile, tiles: int, inner: int, sides: int, chip: Chip) -> tuple[Run, ...]:
    """The workgroups for ``tiles`` tiles of ``sides`` right sides, those of whole tiles first."""
    lines = -(-inner // (tile.depth * line_steps(tile)))
    shared = shared_tiles(tile, tiles, inner)
    if shared is None:
        return (Run(tiles, lines * line_steps(tile)),)
    sums = tile.rows * tile.columns * sides
    moved = _SUM_BYTES * sums / min(chip.near_rate, chip.shared_rate)
    threads = tile.wave_rows * tile.wave_columns * chip.wave
    waits = -(-sums // (threads * 4 * chunks_together(tile, sides)))
    left = moved + _LEAVE
    added = (shared.most_shares - 1) * (moved + waits * _ASK)
    # Who ends a tile and begins another one leaves sums twice.
    meeting = left + added + (0 if shared.is_even else left + _BEGIN)
    share = Run(shared.workgroups, shared.longest * line_steps(tile), meeting)
    whole = tiles - shared.tiles
    return (Run(whole, lines * line_steps(tile)), share) if whole else (share,)


def meeting_bytes(tile: GemmTile, tiles: int, inner: int, sides: int) -> int:
    """Bytes of the sums that workgroups leave for others."""
    shared = shared_tiles(tile, tiles, inner)
    return 0 if shared is None else shared.parts * tile.rows * tile.columns * sides * _SUM_BYTES
