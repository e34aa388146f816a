"""``lumc profile`` on the emulator: what each kernel of a step does, as a table and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lumc.console import PhaseProgress
from lumc.inspection import table
from lumc.runtime.profile_emulator import (
    LESS_WORK,
    KernelProfile,
    emulation_seconds,
    profile_stage,
)
from lumc.runtime.stage_folder import choose_stage
from lumc.runtime.tensors import TensorFiles

_HEADER = (
    "kernel",
    "launches",
    "instructions",
    "matrix",
    "vector",
    "memory",
    "coalescing",
    "LDS",
    "conflicts",
    "barriers",
    "waves a SIMD",
    "predicted",
)


_LONG_SECONDS = 60


def profile(
    folder: Path,
    stage: str | None,
    weights: Sequence[Path],
    inputs: Path | None,
    progress: PhaseProgress,
) -> tuple[KernelProfile, ...]:
    """One step of a compiled stage on the emulator, counted by kernel.

    Raises:
        LumcError: there is no such stage, its tensors don't fit, or memory does not suffice.
    """
    opened = choose_stage(folder, stage)
    seconds = emulation_seconds(opened)
    if seconds > _LONG_SECONDS:
        progress.note(f"a step takes about {_duration(seconds)} on the emulator: {LESS_WORK}")
    launches = len(opened.plan.launches)
    return profile_stage(
        opened,
        TensorFiles(weights) if weights else None,
        TensorFiles([inputs]) if inputs else None,
        progress.phase(f"{opened.plan.stage}: running on the emulator", launches),
    )


def _duration(seconds: float) -> str:
    """Roughly, as is known of it."""
    if seconds < 90 * 60:
        return f"{max(1, round(seconds / 60))} min"
    return f"{round(seconds / 3600)} h"


def profile_text(found: Sequence[KernelProfile]) -> str:
    """The counts as a table, one kernel a line, and what the times are."""
    total = sum(kernel.predicted_microseconds for kernel in found)
    rows = [_HEADER, *(_row(kernel) for kernel in found)]
    return (
        f"{table(rows)}\n\n{total:,.1f} µs a step by a simple model of the chip: "
        "a prediction, not a measurement"
    )


def profile_json(found: Sequence[KernelProfile]) -> list[dict[str, Any]]:
    """The counts for ``--json``, one object a kernel."""
    derived = ("coalescing", "bank_conflicts")
    return [
        asdict(kernel) | {name: round(getattr(kernel, name), 4) for name in derived}
        for kernel in found
    ]


def _row(kernel: KernelProfile) -> tuple[str, ...]:
    return (
        kernel.symbol,
        str(kernel.launches),
        f"{kernel.instructions:,}",
        f"{sum(kernel.matrix_products.values()):,}",
        f"{kernel.by_class.get('valu', 0) + kernel.by_class.get('transcendental', 0):,}",
        f"{kernel.bytes_by_space.get('global', 0) / 1e3:,.1f} kB",
        f"{kernel.coalescing:.0%}",
        f"{kernel.bytes_by_space.get('lds', 0) / 1e3:,.1f} kB",
        f"{kernel.bank_conflicts:.2f}×",
        f"{kernel.barriers:,}",
        kernel.occupancy or "—",
        f"{kernel.predicted_microseconds:,.1f} µs",
    )
