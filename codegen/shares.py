"""How code is written whose tiles workgroups share (``lumc/shares.hpp``)."""

from __future__ import annotations

from dataclasses import dataclass

from lumc.codegen.geometry import Geometry
from lumc.codegen.launch_plan import Meeting
from lumc.codegen.planning import ArgumentText
from lumc.lowering.kernel_program import AttentionTile, GemmTile
from lumc.lowering.shares import (
    SharedTiles,
    chunks_together,
    line_steps,
    shared_keys,
    shared_tiles,
)

SHARE_NAMES = """
workspace counters share line lines end first last rest parts Shared PART number tile own is_last
"""
"""Names that templates with shares use themselves."""
_FLOAT_BYTES = 4


@dataclass(frozen=True, slots=True)
class SharesPlan:
    """Numbers for a template: the last ``tiles`` tiles are shared by ``workgroups``.

    ``lines`` are the steps of a tile, ``line`` inner points each.
    """

    whole: int
    tiles: int
    workgroups: int
    lines: int
    line: int
    together: int
    """Chunks of four sums of another workgroup that a lane asks for at a time."""
    is_even: bool
    """No workgroup has steps of two tiles."""
    meeting: Meeting
    note: str
    arguments: tuple[ArgumentText, ...] = (
        ArgumentText("float", "workspace", reads_only=False, alone=False),
        ArgumentText("unsigned", "counters", reads_only=False, alone=False),
    )
    headers: tuple[str, ...] = ("lumc/shares.hpp",)


def plan_shares(geometry: Geometry, tile: GemmTile, inner: int, rights: int) -> SharesPlan | None:
    """How tiles of ``geometry`` of ``inner`` points are shared; None when none are.

    Raises:
        ValueError: there are more workgroups than steps, and one would have nothing to do.
    """
    shared = shared_tiles(tile, geometry.tiles, inner)
    if shared is None:
        return None
    sums = tile.rows * tile.columns * rights
    line, together = tile.depth * line_steps(tile), chunks_together(tile, rights)
    return _plan(geometry, shared, sums, line, together)


def plan_shared_keys(
    geometry: Geometry, tile: AttentionTile, keys: int, numbers: int
) -> SharesPlan | None:
    """The same for tiles of queries with ``keys`` keys, of which a share leaves ``numbers``."""
    shared = shared_keys(tile, geometry.tiles, keys)
    return None if shared is None else _plan(geometry, shared, numbers, line=tile.keys)


def _plan(
    geometry: Geometry, shared: SharedTiles, numbers: int, line: int, together: int = 0
) -> SharesPlan:
    steps = shared.tiles * shared.lines
    if shared.workgroups > steps:
        raise ValueError(f"{steps} steps are not shared by {shared.workgroups} workgroups")
    whole = geometry.tiles - shared.tiles
    some = f"the last {shared.tiles} of {geometry.tiles} tiles" if whole else "all tiles"
    how = "equal parts of one" if shared.is_even else "equal runs of their steps"
    workspace = shared.parts * numbers * _FLOAT_BYTES
    return SharesPlan(
        whole=whole,
        tiles=shared.tiles,
        workgroups=shared.workgroups,
        lines=shared.lines,
        line=line,
        together=together,
        is_even=shared.is_even,
        meeting=Meeting(workspace, shared.tiles, shared.workgroups, shared.lines),
        note=f"{some} are shared by {shared.workgroups} workgroups, {how} each, so that units end"
        " together; reduced inside the launch",
    )
