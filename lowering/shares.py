"""Which steps of which tiles each workgroup has where tiles are shared by several."""

from __future__ import annotations

from dataclasses import dataclass

from lumc.lowering.kernel_program import AttentionTile, GemmSchedule, GemmTile, Shares


@dataclass(frozen=True, slots=True)
class SharedTiles:
    """``lines`` steps of each of ``tiles`` tiles, all in order, dealt out to ``workgroups``.

    Their runs of steps are as equal as may be, and the longer ones come first: ``SharedLines`` of
    ``lumc/shares.hpp`` says the same. Every workgroup has a step.
    """

    tiles: int
    lines: int
    workgroups: int

    def first(self, share: int) -> int:
        """The first step of a share."""
        each, longer = divmod(self.tiles * self.lines, self.workgroups)
        return share * each + min(share, longer)

    def share_of(self, line: int) -> int:
        """The share that has a step."""
        each, longer = divmod(self.tiles * self.lines, self.workgroups)
        of_longer = longer * (each + 1)
        if line < of_longer:
            return line // (each + 1)
        return longer + (line - of_longer) // each

    def shares_of(self, tile: int) -> range:
        """The workgroups that have steps of a tile."""
        first, last = tile * self.lines, (tile + 1) * self.lines - 1
        return range(self.share_of(first), self.share_of(last) + 1)

    @property
    def is_even(self) -> bool:
        """True when every tile is cut into as many equal parts, of a workgroup each."""
        return self.workgroups % self.tiles == 0 and (
            self.lines % (self.workgroups // self.tiles) == 0
        )

    @property
    def most_shares(self) -> int:
        """Workgroups that a tile has at most."""
        shortest = self.tiles * self.lines // self.workgroups
        return self.workgroups // self.tiles if self.is_even else (self.lines - 2) // shortest + 2

    @property
    def longest(self) -> int:
        """Steps of the workgroup that has most."""
        return -(-self.tiles * self.lines // self.workgroups)

    @property
    def parts(self) -> int:
        """Places for sums: a new workgroup or a new tile begins another."""
        return self.workgroups + self.tiles - 1


def line_steps(tile: GemmTile) -> int:
    """Steps that a workgroup takes together: those that share lines of memory."""
    return 2 if tile.schedule is GemmSchedule.PING_PONG else 1


def shared_tiles(tile: GemmTile, tiles: int, inner: int) -> SharedTiles | None:
    """How workgroups share the last of ``tiles`` tiles of ``inner`` points; None if they don't."""
    return _shared(tile.shares, tiles, -(-inner // (tile.depth * line_steps(tile))))


def shared_keys(tile: AttentionTile, tiles: int, keys: int) -> SharedTiles | None:
    """The same for tiles of queries with ``keys`` keys."""
    return _shared(tile.shares, tiles, -(-keys // tile.keys))


def _shared(shares: Shares | None, tiles: int, lines: int) -> SharedTiles | None:
    if shares is None or shares.whole >= tiles:
        return None
    return SharedTiles(tiles - shares.whole, lines, shares.workgroups)


# Sums of a lane beside which it has registers for many others: half of what a tile has at most.
_FEW_SUMS = 64
_TURN_THREADS = 512


def chunks_together(tile: GemmTile, sides: int) -> int:
    """Chunks of four sums of another workgroup that a lane asks for at a time.

    Waves in turns have a unit for themselves. Others share it, and would be fewer if they had more
    registers for this than for their steps.
    """
    if tile.schedule is GemmSchedule.PLAIN:
        return 4
    return 16 if tile.rows * tile.columns * sides <= _FEW_SUMS * _TURN_THREADS else 8
