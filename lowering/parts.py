"""How long a launch takes whose tiles are cut into parts, and how they are best cut."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from dataclasses import dataclass

from lumc.lowering.kernel_program import Parts

# Clocks of a workgroup that arrives where others do: what it wrote goes back to memory, a counter
# is asked for there, and what others wrote comes from there. Each is a way through all caches.
_MEETING = 3000
# Clocks from the request for a part to its data.
_ROUND_TRIP = 800
# What cutting must gain, as the model is no more exact than this.
_WORTHWHILE = 0.97
_MOST_PARTS = 16


@dataclass(frozen=True, slots=True)
class TiledLaunch:
    """A launch of ``tiles`` tiles with a workgroup each, of which ``slots`` run at a time.

    A workgroup takes ``steps`` steps of ``step`` clocks, and ``around`` clocks before and after
    them. A part leaves ``left`` bytes, which go and come at ``rate`` bytes a clock.
    """

    tiles: int
    slots: int
    steps: int
    step: float
    around: float
    left: int
    rate: float

    @property
    def whole(self) -> float:
        """Clocks of a workgroup that has a tile for itself."""
        return self.steps * self.step + self.around

    def clocks(self, parts: Parts | None) -> float:
        """Until all workgroups are done. They begin in order, as others end: whole tiles first."""
        uncut = self.tiles if parts is None else min(parts.uncut, self.tiles)
        full, rest = divmod(uncut, self.slots)
        # From the first moment on all slots but `rest` are free, from the other one on those too.
        early, late = full * self.whole, (full + 1) * self.whole
        if parts is None or uncut == self.tiles:
            return late if rest else early
        moved = self.left / self.rate
        join = parts.count * (moved + _ROUND_TRIP)
        part = -(-self.steps // parts.count) * self.step + self.around + moved + _MEETING
        # Most joins happen while other parts are worked on, the last one after all of them.
        each = part + join / parts.count
        wanted = (self.tiles - uncut) * parts.count

        def done(moment: float) -> int:
            first = int((moment - early) / each + 1e-9)
            return (self.slots - rest) * first + rest * max(0, int((moment - late) / each + 1e-9))

        moments = (
            next(m for n in itertools.count(1) if done(m := start + n * each) >= wanted)
            for start in ((early, late) if rest else (early,))
        )
        end = min(moments) + join * (1 - 1 / parts.count)
        return max(end, late) if rest else end

    def best_parts(self, least: int) -> Parts | None:
        """The way to cut tiles that is fastest, with ``least`` steps a part; None: not to."""
        ways = [(self.clocks(parts), parts.count, parts) for parts in self._ways(least)]
        if not ways:
            return None
        clocks, _, parts = min(ways, key=lambda way: way[:2])
        return parts if clocks < _WORTHWHILE * self.clocks(None) else None

    def _ways(self, least: int) -> Iterator[Parts]:
        """Whole rounds of tiles stay whole, or all but one of them, for the rest to fill."""
        rounds, rest = divmod(self.tiles, self.slots)
        if not rest:
            return
        for uncut in sorted({rounds * self.slots, max(0, rounds - 1) * self.slots}):
            for count in range(2, min(_MOST_PARTS, self.steps // least) + 1):
                yield Parts(count, uncut)
