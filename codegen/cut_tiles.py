"""How code is written whose tiles are cut into parts (``lumc/parts.hpp``)."""

from __future__ import annotations

from dataclasses import dataclass

from lumc.codegen.geometry import Geometry
from lumc.codegen.identifiers import Names
from lumc.codegen.launch_plan import Meeting
from lumc.codegen.planning import ArgumentText, AxisDefinition

_FLOAT_BYTES = 4

PARTS_HEADER = "lumc/parts.hpp"


@dataclass(frozen=True, slots=True)
class CutTiles:
    """Names and numbers for a template; ``share`` is the variable with the workgroup's part."""

    type: str
    share: str
    count: int
    all_cut: bool
    """There is no tile that is whole."""
    workspace: str
    counters: str
    meeting: Meeting
    note: str

    @property
    def arguments(self) -> tuple[ArgumentText, ...]:
        """Behind the kernel's parameters."""
        return (
            ArgumentText("float", self.workspace, reads_only=False, alone=False),
            ArgumentText("unsigned", self.counters, reads_only=False, alone=False),
        )


def plan_parts(
    geometry: Geometry, steps: int, values: int, threads: int, what: str, names: Names
) -> CutTiles | None:
    """How the tiles of ``geometry`` are cut; None where all are whole.

    Args:
        geometry: With the parts.
        steps: Of a tile, along what it is cut.
        values: Numbers of 4 bytes that a thread leaves of a part.
        threads: Of a workgroup.
        what: Is cut, for the header comment.
        names: Of the kernel's scope.

    Raises:
        ValueError: there are more parts than steps, and one would have nothing to do.
    """
    shared = geometry.shared
    if shared is None:
        return None
    # A share is a part of one tile.
    count = shared.lines
    if count > steps:
        raise ValueError(f"{steps} steps are not cut into {count} parts")
    size = shared.workgroups * values * threads * _FLOAT_BYTES
    whole = geometry.tiles - shared.tiles
    some = f"the last {shared.tiles} of {geometry.tiles}" if whole else "all"
    return CutTiles(
        type=f"PartOfTile<{whole}, {count}>",
        share=names.fresh("share"),
        count=count,
        all_cut=not whole,
        workspace=names.fresh("workspace"),
        counters=names.fresh("counters"),
        meeting=Meeting(size, shared.tiles, shared.workgroups, shared.lines),
        note=f"{what} of {some} tiles are cut into {count} parts, reduced inside the launch",
    )


def tile_number(
    geometry: Geometry, cut: CutTiles | None, name: str = "number"
) -> tuple[str, tuple[AxisDefinition, ...]]:
    """The number, row-major, of a workgroup's tile; and the definition of its variable ``name``.

    Where tiles are walked die by die, that is so for those that are whole.
    """
    own = "int(block())" if cut is None else f"{cut.share}.tile"
    whole = geometry.tiles - geometry.cut_tiles
    if geometry.walk is None or whole <= 1:
        return own, ()
    run = f"die_run<{geometry.walk.dies}, {whole}>({own})"
    if cut is not None:
        run = f"{cut.share}.whole ? {run} : {own}"
    return name, (AxisDefinition(name, run),)
