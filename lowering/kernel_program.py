"""The kernel program: an ordered list of launches of kernels with typed descriptors.

A kernel is written against formal ``parameters`` (dtype, shape, strides); a launch binds them to
buffers. So equal kernels are one kernel, compiled once, however often they are launched.

Inside a kernel, scalar code is a ``Body``: instructions in single-assignment order over the
kernel's axes. Every kind of kernel has a NumPy meaning (``lowering/kernel_reference.py``), which
is what its generated code must compute. Reals are computed and accumulated in f32, whole numbers
in i32; ``Convert`` rounds; a store rounds to the parameter's dtype.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Span
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp

# ------------------------------------------------------------------------------------- scalar code


@dataclass(frozen=True, slots=True)
class KernelAxis:
    """A loop of a kernel: a name for the reader of the code, and its size."""

    name: str
    size: int


@dataclass(frozen=True, slots=True)
class Literal:
    """A number; ``dtype`` is f32, i32, i64 or bool."""

    value: float | int | bool
    dtype: DType


@dataclass(frozen=True, slots=True)
class IndexOf:
    """An index expression over the body's axes, as an i32."""

    expression: IndexExpression


@dataclass(frozen=True, slots=True)
class Load:
    """An element of parameter ``parameter``, converted to its compute type.

    ``index`` has one entry per axis of the parameter, over the body's axes and then one axis per
    entry of ``computed`` (earlier i32 values). With a ``predicate`` (an earlier bool value) the
    element is read only where it holds and is 0 elsewhere; without one every read is in bounds.
    """

    parameter: int
    index: tuple[IndexExpression, ...]
    computed: tuple[int, ...] = ()
    predicate: int | None = None


@dataclass(frozen=True, slots=True)
class Apply:
    """A primitive of earlier values. ``SELECT`` takes a bool, then two values of one type."""

    op: ElementwiseOp
    operands: tuple[int, ...]


@dataclass(frozen=True, slots=True)
class Convert:
    """An earlier value rounded to ``dtype`` and taken as that type's compute type again."""

    operand: int
    dtype: DType


@dataclass(frozen=True, slots=True)
class Accumulator:
    """What the kernel has accumulated: product or reduction ``number`` (see each kernel kind)."""

    number: int


Instruction = Literal | IndexOf | Load | Apply | Convert | Accumulator


@dataclass(frozen=True, slots=True)
class Body:
    """Scalar code over ``axes``; instruction ``n`` defines value ``n`` and reads only earlier ones.

    Where a body stands for one value (an operand of a product), that is its last instruction's.
    """

    axes: tuple[KernelAxis, ...]
    instructions: tuple[Instruction, ...]


@dataclass(frozen=True, slots=True)
class Store:
    """Value ``value`` of a body written to parameter ``parameter`` at ``index``.

    ``index``, ``computed`` and ``predicate`` are as in ``Load``. ``combine`` is for writes that may
    meet: the element becomes that reduction of its old value and all that are written to it.
    """

    parameter: int
    index: tuple[IndexExpression, ...]
    value: int
    computed: tuple[int, ...] = ()
    predicate: int | None = None
    combine: ReduceOp | None = None


# ----------------------------------------------------------------------------------------- kernels


class ParameterAccess(StrEnum):
    """What a kernel does to a parameter."""

    READ = "read"
    WRITE = "write"
    UPDATE = "update"
    """Reads what it writes, or combines with what stands there."""


@dataclass(frozen=True, slots=True)
class Parameter:
    """A formal tensor of a kernel: where axis ``a`` steps by ``strides[a]`` elements."""

    name: str
    dtype: DType
    shape: tuple[int, ...]
    strides: tuple[int, ...]
    access: ParameterAccess = ParameterAccess.READ


@dataclass(frozen=True, slots=True)
class Provenance:
    """Why a kernel is there: for headers, reports and explanations; not part of its identity."""

    spans: tuple[Span, ...] = ()
    labels: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    """The names of the rewrite rules that made it."""


@dataclass(frozen=True, slots=True)
class Pointwise:
    """At each point of ``body.axes``: run the body, then the stores, in order."""

    name: str
    parameters: tuple[Parameter, ...]
    body: Body
    stores: tuple[Store, ...]
    provenance: Provenance = field(default=Provenance(), compare=False)


@dataclass(frozen=True, slots=True)
class Reduction:
    """Value ``value`` of the phase's body, reduced by ``op`` over the phase's own axes."""

    op: ReduceOp
    value: int


@dataclass(frozen=True, slots=True)
class Phase:
    """One pass over a row. ``body.axes`` are the kernel's row axes and then the phase's own."""

    body: Body
    reductions: tuple[Reduction, ...] = ()
    stores: tuple[Store, ...] = ()


@dataclass(frozen=True, slots=True)
class RowReduction:
    """For each row (a point of ``rows``), the phases in order.

    The reductions of all phases are numbered in order; ``Accumulator(k)`` in a later phase is the
    row's value of reduction ``k``. A phase with no axes of its own runs once a row. Softmax has the
    phases max, sum, store; a norm has sum, (sum,) store. Rows are independent of each other.
    """

    name: str
    parameters: tuple[Parameter, ...]
    rows: tuple[KernelAxis, ...]
    phases: tuple[Phase, ...]
    provenance: Provenance = field(default=Provenance(), compare=False)


@dataclass(frozen=True, slots=True)
class Shares:
    """Tiles of which some are shared, so that all units of a chip end together.

    The first ``whole`` tiles, in the order that workgroups take them, have a workgroup each. The
    steps of all others, in that order, are dealt out in equal runs to ``workgroups`` more, which
    may begin in one tile and end in the next. The last of a tile's workgroups to end adds up the
    sums of all, in their order, and does the epilogue: results are the same in every run.
    """

    workgroups: int
    whole: int = 0


class GemmSchedule(StrEnum):
    """How the waves of a workgroup share the work of a product's steps."""

    PLAIN = "plain"
    """All fetch, wait for each other and multiply."""
    PING_PONG = "ping-pong"
    """Two groups of four waves take turns: one multiplies while the other moves data."""


@dataclass(frozen=True, slots=True)
class GemmTile:
    """How a product is cut: output elements a workgroup, depth of a step, waves a workgroup."""

    rows: int
    columns: int
    depth: int
    wave_rows: int
    wave_columns: int
    schedule: GemmSchedule = GemmSchedule.PLAIN
    shares: Shares | None = None
    """How the inner axes are shared by workgroups."""


@dataclass(frozen=True, slots=True)
class Strided:
    """Elements of parameter ``parameter``: from ``offset`` on, a stride for each axis."""

    parameter: int
    offset: int
    strides: tuple[int, ...]


class Activation(StrEnum):
    """What a library does to the sums of a product before it stores them."""

    NONE = "none"
    RELU = "relu"
    GELU = "gelu"
    """x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2."""


@dataclass(frozen=True, slots=True)
class MadeOperand:
    """A tensor that a library wants and that has to be made first, such as weights laid out anew.

    ``kernel`` makes it: its parameters are those with the numbers ``sources`` of the kernel that
    the library does, and then the new tensor.
    """

    sources: tuple[int, ...]
    kernel: Pointwise


@dataclass(frozen=True, slots=True)
class LibraryProduct:
    """A product as a vendor's library takes it, beside the kernel that it is the whole of.

    output[b, r, c] = sum over i of left[b, r, i] right[b, c, i], times gate[c] where there is one,
    in f32, and addend[b, r, c] more where there is one, then ``activation``. The sizes are (batch,
    rows, columns, inner); strides are in elements.

    Parameters from the kernel's last one on are the ``made`` ones, in order.
    """

    sizes: tuple[int, int, int, int]
    left: Strided
    right: Strided
    output: Strided
    addend: Strided | None = None
    activation: Activation = Activation.NONE
    gate: Strided | None = None
    made: tuple[MadeOperand, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryConvolution:
    """A convolution as a vendor's library takes it, beside the kernel that it is the whole of.

    output[n, o, r, s] = sum over c, i, j of image[n, c, step r + i - top, step s + j - left]
    weight[o, c, i, j], with ``dilation`` times i and j, and bias[o] and addend[n, o, r, s] more
    where there are any; pixels outside of the picture are 0. The sizes are (pictures, channels,
    height, width, outputs, rows, columns, tall, wide); the bias has one stride.

    Parameters from the kernel's last one on are the ``made`` ones, in order.
    """

    sizes: tuple[int, int, int, int, int, int, int, int, int]
    image: Strided
    weight: Strided
    output: Strided
    bias: Strided | None
    addend: Strided | None
    steps: tuple[int, int]
    dilation: tuple[int, int]
    before: tuple[int, int]
    """Rows and columns of zeros above and left of the picture."""
    after: tuple[int, int]
    made: tuple[MadeOperand, ...] = ()


@dataclass(frozen=True, slots=True)
class LibraryAttention:
    """Attention as a vendor's library takes it, beside the kernel that it is the whole of.

    The sizes are (heads, queries, keys, inner, channels). Operands are strided over head, query or
    key, and inner or channel; ``groups`` neighbouring heads share the keys and values of one.
    Scores are raw products times ``scale``, plus ``bias`` (over head, query and key) where there is
    one; where ``causal``, keys after the query are left out.

    Parameters from the kernel's last one on are the ``made`` ones, in order.
    """

    sizes: tuple[int, int, int, int, int]
    query: Strided
    key: Strided
    value: Strided
    output: Strided
    scale: float
    groups: int = 1
    bias: Strided | None = None
    causal: bool = False
    made: tuple[MadeOperand, ...] = ()


@dataclass(frozen=True, slots=True)
class Gemm:
    """Batched products with a shared left side, and what is done to them.

    With ``batch``, ``rows``, ``columns`` and ``inner`` axes: accumulator ``j`` at (batch, row,
    column) is the f32 sum over ``inner`` of ``left`` (a body over batch + rows + inner) times
    ``right[j]`` (a body over batch + columns + inner). ``epilogue`` is over batch + rows + columns.
    Operands are rounded to ``operand_dtype`` before they are multiplied, which the maker has shown
    to change nothing (they are loads of that type, zeros or values converted to it).
    """

    name: str
    parameters: tuple[Parameter, ...]
    batch: tuple[KernelAxis, ...]
    rows: tuple[KernelAxis, ...]
    columns: tuple[KernelAxis, ...]
    inner: tuple[KernelAxis, ...]
    left: Body
    right: tuple[Body, ...]
    operand_dtype: DType
    epilogue: Body
    stores: tuple[Store, ...]
    tile: GemmTile | None = None
    """Chosen by ``select_tiles``; None before that."""
    library: LibraryProduct | LibraryConvolution | None = None
    """The vendor's library makes it (then there is no tile); chosen by ``select_tiles`` too."""
    provenance: Provenance = field(default=Provenance(), compare=False)


class AttentionSchedule(StrEnum):
    """What the waves of a workgroup do at the same time."""

    STEPS = "steps"
    """All load, multiply and weigh in step; operands may be any bodies."""
    STREAMED = "streamed"
    """The same, but weights stay in registers, and keys and values come as they lie, a tile ahead.
    """
    PING_PONG = "ping-pong"
    """As streamed, but half of the waves multiply while the others weigh."""


@dataclass(frozen=True, slots=True)
class AttentionTile:
    """How attention is cut: queries and keys a step of a workgroup, its waves, their schedule."""

    queries: int
    keys: int
    waves: int
    schedule: AttentionSchedule = AttentionSchedule.STEPS
    channel_parts: int = 1
    """Workgroups that share the channels of their queries, and work out the same weights."""
    shares: Shares | None = None
    """How workgroups share the steps of keys."""


@dataclass(frozen=True, slots=True)
class Attention:
    """Scores, softmax and weighted values, without the score matrix in memory.

    With ``batch``, ``queries``, ``keys``, ``inner`` and ``channels`` axes: raw(b, q, k) is the f32
    sum over ``inner`` of ``query`` (over batch + queries + inner) times ``key`` (over batch + keys
    + inner). ``score`` (over batch + queries + keys) makes the score from it, as ``Accumulator(0)``
    (scale, mask, bias), in natural units; p = exp(score - max over keys); accumulator 0 of
    ``epilogue`` (over batch + queries + channels) is the sum over keys of p times ``value`` (over
    batch + keys + channels), divided by the sum over keys of p. A row whose scores are all minus
    infinity gives NaN, as the primitives do.
    """

    name: str
    parameters: tuple[Parameter, ...]
    batch: tuple[KernelAxis, ...]
    queries: tuple[KernelAxis, ...]
    keys: tuple[KernelAxis, ...]
    inner: tuple[KernelAxis, ...]
    channels: tuple[KernelAxis, ...]
    query: Body
    key: Body
    score: Body
    value: Body
    operand_dtype: DType
    epilogue: Body
    stores: tuple[Store, ...]
    tile: AttentionTile | None = None
    library: LibraryAttention | None = None
    provenance: Provenance = field(default=Provenance(), compare=False)


Kernel = Pointwise | RowReduction | Gemm | Attention


# ----------------------------------------------------------------------------------------- program


class BufferKind(StrEnum):
    """Where a buffer's bytes come from and how long they live."""

    INPUT = "input"
    OUTPUT = "output"
    WEIGHT = "weight"
    """As in the checkpoint."""
    TABLE = "table"
    """Computed at compile time from constants and indices."""
    PREPARED = "prepared"
    """Computed from weights and tables once, when they are loaded."""
    INTERMEDIATE = "intermediate"
    """Lives from its first write to its last read, in the arena."""


@dataclass(frozen=True, slots=True)
class Buffer:
    """A dense tensor in memory, row-major over ``shape``.

    ``name`` is the author's name for it made unique; for inputs, outputs and weights it is exactly
    the name in the spec or checkpoint.
    """

    name: str
    kind: BufferKind
    dtype: DType
    shape: tuple[int, ...]
    span: Span | None = field(default=None, compare=False)


@dataclass(frozen=True, slots=True)
class Argument:
    """Buffer ``buffer`` from element ``offset`` on, for one parameter of a kernel."""

    buffer: int
    offset: int = 0


@dataclass(frozen=True, slots=True)
class Launch:
    """Kernel ``kernel`` run with an argument per parameter. Launches run in order."""

    kernel: int
    arguments: tuple[Argument, ...]
    provenance: Provenance = field(default=Provenance(), compare=False)


@dataclass(frozen=True, slots=True)
class Table:
    """The values of a ``TABLE`` buffer, already rounded to its dtype."""

    buffer: int
    values: npt.NDArray[np.generic] = field(compare=False)


@dataclass(frozen=True, slots=True)
class KernelProgram:
    """One stage as launches: ``prepare`` once after the weights are loaded, ``launches`` a step.

    An output that is an input, a weight or another output unchanged still has its own buffer.
    """

    name: str
    buffers: tuple[Buffer, ...]
    tables: tuple[Table, ...]
    kernels: tuple[Kernel, ...]
    prepare: tuple[Launch, ...]
    launches: tuple[Launch, ...]
    parameters: tuple[tuple[str, str], ...] = ()
    """The spec's parameters as chosen, for headers and reports."""
