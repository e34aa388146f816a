"""The launch plan: everything a runtime needs to run a compiled stage, as plain data.

``plan.json`` in a compiled stage's folder is this, written by ``to_json`` and read by
``from_json``; paths in it are relative to that folder and never leave it.
"""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation
from lumc.lowering.shares import SharedTiles

PLAN_VERSION = 6
COUNTER_BYTES = 4


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
    COUNTERS = "counters"
    """Numbers that workgroups count themselves with: 0 before and after every launch."""


class PlanBufferKind(StrEnum):
    """As in the kernel program, and what workgroups of a launch meet in."""

    INPUT = "input"
    OUTPUT = "output"
    WEIGHT = "weight"
    TABLE = "table"
    PREPARED = "prepared"
    INTERMEDIATE = "intermediate"
    WORKSPACE = "workspace"
    """Of one launch: undefined before and after it."""
    COUNTERS = "counters"
    """Of one launch: 0 before and after it."""


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
class Meeting:
    """Memory through which workgroups of a launch share tiles: its last two arguments.

    The first is a workspace, in which anything may stand; the second has ``counters`` of 4 bytes,
    one a tile that is shared, which are 0 before and after a launch. The last ``workgroups`` of the
    launch have runs of the ``steps`` of each of these tiles, and meet at its counter.
    """

    workspace_bytes: int
    counters: int
    workgroups: int
    steps: int

    @property
    def shared(self) -> SharedTiles:
        """Which of those workgroups meet at each counter."""
        return SharedTiles(self.counters, self.steps, self.workgroups)


@dataclass(frozen=True, slots=True)
class PlanKernel:
    """A compiled kernel: its symbol in ``code_object``, workgroup size and static LDS bytes."""

    symbol: str
    kind: str
    """``pointwise``, ``norm`` (row reductions), ``gemm``, ``attention``, ``conv``, …"""
    code_object: str
    source: str
    line_shift: int
    """Where its text begins in ``source``, less where it begins in what was compiled, in lines."""
    spec_lines: tuple[str, ...]
    """``file:line`` of the spec text that it comes from."""
    block: tuple[int, int, int]
    lds_bytes: int
    meeting: Meeting | None = None


@dataclass(frozen=True, slots=True)
class PlanStrided:
    """Elements of argument ``argument``: a start and steps, in elements."""

    argument: int
    offset: int
    strides: tuple[int, ...]
    dtype: DType


@dataclass(frozen=True, slots=True)
class PlanProduct:
    """A call of the vendor's matrix library, in place of a kernel.

    output[b, r, c] = sum over i of left[b, r, i] right[b, c, i], in f32, times gate[c] where there
    is one, and addend[b, r, c] more where there is one, then ``activation``; ``sizes`` are (batch,
    rows, columns, inner). ``output`` and ``addend`` may be the same elements.
    """

    symbol: str
    kind: str
    sizes: tuple[int, int, int, int]
    left: PlanStrided
    right: PlanStrided
    output: PlanStrided
    addend: PlanStrided | None
    activation: Activation
    gate: PlanStrided | None = None


@dataclass(frozen=True, slots=True)
class PlanAttention:
    """A call of the vendor's attention, in place of a kernel.

    ``sizes`` are (heads, queries, keys, inner, channels); operands are strided over head, query
    or key, and inner or channel; ``groups`` neighbouring heads share the keys and values of one.
    Scores are raw products times ``scale``, plus ``bias`` (over head, query and key) where there is
    one; where ``causal``, keys after the query are left out.
    """

    symbol: str
    kind: str
    sizes: tuple[int, int, int, int, int]
    query: PlanStrided
    key: PlanStrided
    value: PlanStrided
    output: PlanStrided
    scale: float
    groups: int
    bias: PlanStrided | None
    causal: bool


@dataclass(frozen=True, slots=True)
class PlanConvolution:
    """A call of the vendor's convolution, in place of a kernel.

    ``sizes`` are (pictures, channels, height, width, outputs, rows, columns, tall, wide);
    ``image`` is strided over picture, channel, row and column, ``weight`` over output, channel and
    taps, ``output`` and ``addend`` over picture, output, row and column, ``bias`` over output.
    ``before`` and ``after`` are rows and columns of zeros around the picture.
    """

    symbol: str
    kind: str
    sizes: tuple[int, int, int, int, int, int, int, int, int]
    image: PlanStrided
    weight: PlanStrided
    output: PlanStrided
    bias: PlanStrided | None
    addend: PlanStrided | None
    steps: tuple[int, int]
    dilation: tuple[int, int]
    before: tuple[int, int]
    after: tuple[int, int]


PlanCall = PlanProduct | PlanAttention | PlanConvolution


@dataclass(frozen=True, slots=True)
class PlanArgument:
    """A pointer: buffer number and a byte offset into it; what the kernel does with it."""

    buffer: int
    offset: int
    writes: bool


@dataclass(frozen=True, slots=True)
class PlanLaunch:
    """One kernel execution: grid in workgroups, a pointer per parameter in order.

    The grid of a library's call is (1, 1, 1).
    """

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
    kernels: tuple[PlanKernel | PlanProduct | PlanAttention | PlanConvolution, ...]
    prepare: tuple[PlanLaunch, ...]
    launches: tuple[PlanLaunch, ...]
    region_bytes: tuple[tuple[Region, int], ...]
    tables: str | None
    """A safetensors file with the values of the table buffers, by buffer name."""
    version: int = PLAN_VERSION
