"""How threads are laid over the rows of a row reduction."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Protocol

_THREADS = 256
_MOST_THREADS = 1024
# Column groups that a wave of 64 takes before a row is spread over more threads, by lane: they stay
# in registers from phase to phase, often those of several tensors.
_GROUPS_A_LANE = 8
# With fewer rows than this the chip is not full: a row gets more threads instead.
_MANY_ROWS = 1024


class Layout(Protocol):
    """What all layouts of threads say."""

    def steps(self, columns: int, width: int) -> int:
        """Groups of ``width`` of a row's ``columns`` that each of its threads takes."""
        ...


@dataclass(frozen=True, slots=True)
class RowLayout:
    """``lanes`` threads share a row, and a workgroup has ``rows`` of them.

    ``neighbours`` says what threads with neighbouring numbers do: True, neighbouring columns of a
    row; False, the same columns of neighbouring rows.
    """

    lanes: int
    rows: int
    neighbours: bool

    @property
    def threads(self) -> int:
        """Threads a workgroup."""
        return self.lanes * self.rows

    def steps(self, columns: int, width: int) -> int:
        """Groups of ``width`` of a row's ``columns`` that each of its threads takes."""
        return -(-columns // (width * self.lanes))


def along_columns(rows: int, groups: int, wave: int) -> RowLayout:
    """Neighbouring threads on neighbouring columns; ``groups`` is what a row has for threads."""
    if groups <= wave:
        lanes = _power_of_two(groups)
        return RowLayout(lanes, max(1, min(_THREADS // lanes, _power_of_two(rows))), True)
    # Narrower waves are more in number where a row is shared alike, and hide more of each other.
    most = _GROUPS_A_LANE * wave // 64 if rows >= _MANY_ROWS else 2
    lanes = min(_MOST_THREADS, max(wave, _power_of_two(-(-groups // most))))
    # Threads of several waves meet at barriers, so they have a workgroup of their own.
    together = _THREADS // lanes if lanes == wave else 1
    return RowLayout(lanes, min(together, _power_of_two(rows)), True)


def along_rows(rows: int, columns: int, wave: int) -> RowLayout:
    """Neighbouring threads on neighbouring rows, the columns cut among the waves."""
    side = min(wave, _power_of_two(rows))
    parts = 1 if columns < 2 * _GROUPS_A_LANE else _power_of_two(columns // _GROUPS_A_LANE)
    return RowLayout(min(parts, _MOST_THREADS // side, 16), side, False)


def _power_of_two(number: int) -> int:
    """The least power of two that is not below ``number``."""
    return 1 << max(0, number - 1).bit_length()
