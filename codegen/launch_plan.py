"""The launch plan: everything a runtime needs to run a compiled stage, as plain data.

``plan.json`` in a compiled stage's folder is this, written by ``to_json`` and read by
``from_json``; paths in it are relative to that folder and never leave it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lumc.dsl.dtypes import DType

PLAN_VERSION = 1


class Region(StrEnum):
    """Which allocation a buffer lies in. Offsets count from its start."""

    ARENA = "arena"
    """Intermediates, reused as they die; undefined between runs."""
    WEIGHTS = "weights"
    """Weights as in the checkpoint, each at its offset."""
    CONSTANTS = "constants"
    """Tables and prepared values: written once, kept."""
    IO = "io"
    """Inputs and outputs."""


class PlanBufferKind(StrEnum):
    """As in the kernel program."""

    INPUT = "input"
    OUTPUT = "output"
    WEIGHT = "weight"
    TABLE = "table"
    PREPARED = "prepared"
    INTERMEDIATE = "intermediate"


@dataclass(frozen=True, slots=True)
class PlanBuffer:
    """A tensor: ``bytes`` long at ``offset`` of ``region``; tables' values lie in ``tables``."""

    name: str
    kind: PlanBufferKind
    dtype: DType
    shape: tuple[int, ...]
    region: Region
    offset: int
    bytes: int


@dataclass(frozen=True, slots=True)
class PlanKernel:
    """A compiled kernel: its symbol in ``code_object``, workgroup size and static LDS bytes."""

    symbol: str
    kind: str
    """``pointwise``, ``norm`` (row reductions), ``gemm``, ``attention``, ``conv``, …"""
    code_object: str
    source: str
    block: tuple[int, int, int]
    lds_bytes: int


@dataclass(frozen=True, slots=True)
class PlanArgument:
    """A pointer: buffer number and a byte offset into it; what the kernel does with it."""

    buffer: int
    offset: int
    writes: bool


@dataclass(frozen=True, slots=True)
class PlanLaunch:
    """One kernel execution: grid in workgroups, a pointer per parameter in order."""

    kernel: int
    grid: tuple[int, int, int]
    arguments: tuple[PlanArgument, ...]
    label: str
    """The author's names for what it computes, for profiles."""


@dataclass(frozen=True, slots=True)
class LaunchPlan:
    """A compiled stage. ``region_bytes`` gives the size of each allocation."""

    stage: str
    target: str
    parameters: tuple[tuple[str, str], ...]
    buffers: tuple[PlanBuffer, ...]
    kernels: tuple[PlanKernel, ...]
    prepare: tuple[PlanLaunch, ...]
    launches: tuple[PlanLaunch, ...]
    region_bytes: tuple[tuple[Region, int], ...]
    tables: str | None
    """A safetensors file with the values of the table buffers, by buffer name."""
    version: int = PLAN_VERSION
