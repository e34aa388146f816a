"""Which queries of which batch each workgroup of attention has."""

from __future__ import annotations

from dataclasses import replace

from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.grouped_bodies import GroupedBody
from lumc.lowering.kernel_program import Attention, Parts
from lumc.lowering.shares import SharedTiles


def attention_geometry(
    kernel: Attention,
    epilogue: GroupedBody,
    queries: int,
    channel_parts: int = 1,
    parts: Parts | None = None,
) -> Geometry:
    """Workgroups of ``queries`` queries of a batch and a part of the channels each."""
    sizes = [axis.size for axis in (*kernel.batch, *kernel.queries, *kernel.channels)]
    channels = -(-epilogue.points("channels") // channel_parts)
    runs = {"batch": 1, "queries": queries, "channels": channels}
    geometry = Geometry(
        tuple(
            AxisGroup(
                epilogue.groups[name],
                tuple(sizes[n] for n in epilogue.groups[name]),
                run,
            )
            for name, run in runs.items()
        )
    )
    cut = 0 if parts is None else geometry.tiles - parts.uncut
    if parts is None or cut <= 0:
        return geometry
    return replace(geometry, shared=SharedTiles(cut, parts.count, cut * parts.count))
