"""How long a launch takes whose tiles workgroups share, and how they best do."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from lumc.lowering.kernel_program import Shares
from lumc.lowering.shares import SharedTiles

# Clocks of a workgroup that arrives where others do: what it wrote goes back to memory, a counter
# is asked for there, and what others wrote comes from there. Each is a way through all caches.
_MEETING = 3000
# Clocks from the request for a part to its data.
_ROUND_TRIP = 800
# What sharing must gain, as the model is no more exact than this.
_WORTHWHILE = 0.97
_MOST_PARTS = 16


@dataclass(frozen=True, slots=True)
class TiledLaunch:
    """A launch of ``tiles`` tiles with a workgroup each, of which ``slots`` run at a time.

    A workgroup takes ``steps`` steps of ``step`` clocks, and ``around`` clocks before and after
    them. Of a part of a tile it leaves ``left`` bytes, which go and come at ``rate`` bytes a clock.
    Shares are of the tile's ``lines``, steps that nobody takes among them.
    """

    tiles: int
    slots: int
    steps: int
    lines: int
    step: float
    around: float
    left: int
    rate: float

    @property
    def whole(self) -> float:
        """Clocks of a workgroup that has a tile for itself."""
        return self.steps * self.step + self.around

    def shared(self, shares: Shares) -> SharedTiles | None:
        """Which steps each share has; None where no tile is shared."""
        left = self.tiles - shares.whole
        return SharedTiles(left, self.lines, shares.workgroups) if left > 0 else None

    def is_even(self, shares: Shares) -> bool:
        """True when no share has steps of two tiles, or there are none."""
        shared = self.shared(shares)
        return shared is None or shared.is_even

    def clocks(self, shares: Shares | None) -> float:
        """Until all workgroups are done. They begin in order, as others end: whole tiles first."""
        shared = None if shares is None else self.shared(shares)
        whole = self.tiles if shared is None else self.tiles - shared.tiles
        full, rest = divmod(whole, self.slots)
        # From the first moment on all slots but `rest` are free, from the other one on those too.
        early, late = full * self.whole, (full + 1) * self.whole
        if shared is None:
            return late if rest else early
        each, last = self._share(shared)

        def done(moment: float) -> int:
            first = int((moment - early) / each + 1e-9)
            return (self.slots - rest) * first + rest * max(0, int((moment - late) / each + 1e-9))

        moments = (
            next(m for n in itertools.count(1) if done(m := start + n * each) >= shared.workgroups)
            for start in ((early, late) if rest else (early,))
        )
        end = min(moments) + last
        return max(end, late) if rest else end

    def _share(self, shared: SharedTiles) -> tuple[float, float]:
        """Clocks of a share, with the joins that an average one does, and of one that is missing.

        Most joins happen while others work, the last one after all of them.
        """
        moved = self.left / self.rate
        pieces = 1.0 if shared.is_even else shared.parts / shared.workgroups
        join = shared.most_shares * (moved + _ROUND_TRIP)
        joins = shared.tiles / shared.workgroups
        each = shared.longest * self.step + pieces * (self.around + moved + _MEETING)
        return each + joins * join, join * max(0.0, 1 - joins)

    def best_shares(self, least: int) -> Iterator[Shares]:
        """The fastest ways to share tiles, with ``least`` lines a share, that are worth it.

        One in runs that go from tile to tile and one in equal parts, whose code has a loop less.
        """
        most = _WORTHWHILE * self.clocks(None)
        ways = [(self.clocks(one), one.workgroups, one) for one in self._ways(least)]
        for even in (False, True):
            kind = [way for way in ways if self.is_even(way[2]) is even and way[0] < most]
            if kind:
                yield min(kind, key=lambda way: way[:2])[2]

    def _ways(self, least: int) -> Iterator[Shares]:
        """Whole rounds of tiles stay whole, or all but one of them, for the rest to fill.

        The rest is cut into equal parts, or dealt out so that all slots end together.
        """
        rounds, rest = divmod(self.tiles, self.slots)
        if not rest:
            return
        for whole in sorted({rounds * self.slots, max(0, rounds - 1) * self.slots}):
            left = self.tiles - whole
            counts = [left * count for count in range(2, _MOST_PARTS + 1)]
            for workgroups in dict.fromkeys((self.slots, *counts)):
                if workgroups != left and left * self.lines >= least * workgroups:
                    yield Shares(workgroups, whole)
