"""``lumc profile`` on the emulator: what each kernel of a step does, as a table and as data."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import asdict
from pathlib import Path
from typing import Any

from lumc.inspection import table
from lumc.runtime.profile_emulator import KernelProfile, profile_stage
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


def profile(
    folder: Path, stage: str | None, weights: Sequence[Path], inputs: Path | None
) -> tuple[KernelProfile, ...]:
    """One step of a compiled stage on the emulator, counted by kernel.

    Raises:
        LumcError: there is no such stage, or its tensors don't fit.
    """
    opened = choose_stage(folder, stage)
    return profile_stage(
        opened,
        TensorFiles(weights) if weights else None,
        TensorFiles([inputs]) if inputs else None,
    )


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
