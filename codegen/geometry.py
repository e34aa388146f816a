"""Which points of a kernel's parallel axes each workgroup computes."""

from __future__ import annotations

import itertools
import math
from collections.abc import Collection, Sequence
from dataclasses import dataclass

from lumc.lowering.shares import SharedTiles

Range = tuple[int, int]
Box = tuple[Range, ...]


@dataclass(frozen=True, slots=True)
class AxisGroup:
    """Axes that are walked as one, the last fastest, and cut into runs of ``tile`` points.

    ``axes`` are numbers of parallel axes, ``sizes`` theirs.
    """

    axes: tuple[int, ...]
    sizes: tuple[int, ...]
    tile: int

    @property
    def points(self) -> int:
        """Points of the group's axes together."""
        return math.prod(self.sizes)

    @property
    def tiles(self) -> int:
        """Runs that the group is cut into; the last may be short."""
        return -(-self.points // self.tile)


@dataclass(frozen=True, slots=True)
class TileWalk:
    """The order in which workgroups take the tiles of batches of rows of tiles.

    Workgroups go to the ``dies`` of a chip in turn; each die has a run of neighbouring tiles, of
    which those of ``strip`` rows are walked column by column. ``die_run`` and ``StripWalk`` of
    ``lumc/schedule.hpp`` say the same.
    """

    dies: int
    strip: int

    def tile(
        self, turn: int, batches: int, down: int, across: int, whole: int | None = None
    ) -> int:
        """The number, row-major over batches and tiles, of the tile that is taken at ``turn``.

        Where only the first ``whole`` tiles are taken by one workgroup each, only those are shared
        out to the dies.
        """
        shared = batches * down * across if whole is None else whole
        place = turn
        if turn < shared:
            each, longer = divmod(shared, self.dies)
            row, die = divmod(turn, self.dies)
            place = die * each + min(die, longer) + row
        batch, number = divmod(place, down * across)
        strip, within = divmod(number, self.strip * across)
        column, row = divmod(within, min(self.strip, down - strip * self.strip))
        return (batch * down + strip * self.strip + row) * across + column


@dataclass(frozen=True, slots=True)
class Geometry:
    """The grid of a kernel: a tile is one run of each group, and a workgroup takes one tile.

    Tiles are numbered over the groups' runs, the last group fastest, unless three groups (batches,
    rows and columns) are walked in another order. Every parallel axis belongs to one group. The
    last tiles may be ``shared``: several workgroups, the last ones, have steps of each.
    """

    groups: tuple[AxisGroup, ...]
    walk: TileWalk | None = None
    shared: SharedTiles | None = None

    @property
    def tiles(self) -> int:
        """Tiles, each of which is computed by one workgroup, or several."""
        return math.prod(group.tiles for group in self.groups)

    @property
    def cut_tiles(self) -> int:
        """Those that are computed by several workgroups."""
        return 0 if self.shared is None else self.shared.tiles

    @property
    def blocks(self) -> int:
        """Workgroups in the grid."""
        return self.tiles if self.shared is None else self._whole + self.shared.workgroups

    @property
    def _whole(self) -> int:
        return self.tiles - self.cut_tiles

    def blocks_of(self, tile: int) -> range:
        """The workgroups that compute tile number ``tile``, of which one writes it."""
        if self.shared is None or tile < self._whole:
            return range(tile, tile + 1)
        shares = self.shared.shares_of(tile - self._whole)
        return range(self._whole + shares.start, self._whole + shares.stop)

    def tiles_of(self, blocks: Collection[int]) -> tuple[int, ...]:
        """The tiles that workgroups ``blocks`` compute without any other."""
        return tuple(t for t in range(self.tiles) if all(b in blocks for b in self.blocks_of(t)))

    @property
    def grid(self) -> tuple[int, int, int]:
        """The grid as it is launched, in workgroups."""
        return (self.blocks, 1, 1)

    def boxes(self, tile: int) -> tuple[Box, ...]:
        """The points of tile number ``tile``: disjoint boxes, whose union is exact.

        A box has a (start, stop) for each parallel axis, in the order of the axes.

        Raises:
            IndexError: there is no such tile.
        """
        if not 0 <= tile < self.tiles:
            raise IndexError(f"there are {self.tiles} tiles, not one numbered {tile}")
        rest = tile
        if self.walk is not None:
            batches, down, across = (group.tiles for group in self.groups)
            rest = self.walk.tile(tile, batches, down, across, self._whole)
        parts: list[list[dict[int, Range]]] = []
        for group in reversed(self.groups):
            rest, run = divmod(rest, group.tiles)
            start = run * group.tile
            stop = min(start + group.tile, group.points)
            parts.append(
                [
                    dict(zip(group.axes, box, strict=True))
                    for box in linear_boxes(group.sizes, start, stop)
                ]
            )
        return tuple(_joined(choice) for choice in itertools.product(*parts))


def _joined(parts: Sequence[dict[int, Range]]) -> Box:
    ranges = {axis: part[axis] for part in parts for axis in part}
    return tuple(ranges[axis] for axis in range(len(ranges)))


def linear_boxes(sizes: Sequence[int], start: int, stop: int) -> list[Box]:
    """The row-major points ``start`` to ``stop`` (exclusive) of ``sizes`` as disjoint boxes."""
    if start >= stop:
        return []
    if not sizes:
        return [()]
    inner = math.prod(sizes[1:])
    first, before = divmod(start, inner)
    last, behind = divmod(stop, inner)
    if first == last:
        return _with_head((first, first + 1), linear_boxes(sizes[1:], before, behind))
    boxes: list[Box] = []
    if before:
        boxes += _with_head((first, first + 1), linear_boxes(sizes[1:], before, inner))
        first += 1
    if first < last:
        whole = tuple((0, size) for size in sizes[1:])
        boxes.append(((first, last), *whole))
    boxes += _with_head((last, last + 1), linear_boxes(sizes[1:], 0, behind))
    return boxes


def _with_head(head: Range, boxes: Sequence[Box]) -> list[Box]:
    return [(head, *box) for box in boxes]
