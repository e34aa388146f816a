"""Which queries of which batch each workgroup of attention has."""

from __future__ import annotations

from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.grouped_bodies import GroupedBody
from lumc.lowering.kernel_program import Attention


def attention_geometry(
    kernel: Attention, epilogue: GroupedBody, queries: int, channel_parts: int = 1
) -> Geometry:
    """Tiles of ``queries`` queries of a batch and a part of the channels each."""
    sizes = [axis.size for axis in (*kernel.batch, *kernel.queries, *kernel.channels)]
    channels = -(-epilogue.points("channels") // channel_parts)
    runs = {"batch": 1, "queries": queries, "channels": channels}
    return Geometry(
        tuple(
            AxisGroup(
                epilogue.groups[name],
                tuple(sizes[n] for n in epilogue.groups[name]),
                run,
            )
            for name, run in runs.items()
        )
    )
