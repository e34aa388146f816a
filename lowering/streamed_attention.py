"""Which attentions can stream their keys and values from memory as they lie there."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import Axis, IndexExpression
from lumc.lowering.kernel_program import Attention, Body, Convert, KernelAxis, Load
from lumc.lowering.kernel_ranges import flat_index
from lumc.lowering.kernel_types import size

_TYPES = (DType.BF16, DType.F16)
# Rows begin and end at whole chunks of 16 bytes.
_CHUNK = 8
TOO_FAR = 1 << 31
"""A descriptor reaches fewer bytes than this."""
# Of the largest tile: offsets to all of its keys are worked out, whether they are there or not.
_TILE_KEYS = 128


@dataclass(frozen=True, slots=True)
class StreamedRows:
    """Rows of ``width`` neighbouring elements, one for each key, ``stride`` elements apart.

    ``elements`` lie between the first of the first row and the end of the last. Where a batch's
    rows begin may be any expression.
    """

    stride: int
    width: int
    elements: int


@dataclass(frozen=True, slots=True)
class StreamedAttention:
    """The keys and values of an attention as rows in memory."""

    key: StreamedRows
    value: StreamedRows

    @property
    def widths(self) -> tuple[int, int]:
        """Points of the inner axes and channels."""
        return self.key.width, self.value.width


def streamed_attention(kernel: Attention) -> StreamedAttention | None:
    """The keys and values of ``kernel`` as rows that can be streamed, or None where they can't.

    They can where both are loaded as they are, in the operands' type, along their rows.
    """
    if kernel.operand_dtype not in _TYPES:
        return None
    key = _rows(kernel, kernel.key, kernel.inner)
    value = _rows(kernel, kernel.value, kernel.channels)
    return None if key is None or value is None else StreamedAttention(key, value)


def _rows(kernel: Attention, body: Body, points: Sequence[KernelAxis]) -> StreamedRows | None:
    load = _plain_load(kernel, body)
    keys = range(len(kernel.batch), len(kernel.batch) + len(kernel.keys))
    along = range(keys.stop, keys.stop + len(points))
    sized = [n for n in along if body.axes[n].size > 1]
    if load is None or len(sized) != 1:
        return None
    place = flat_index(kernel.parameters[load.parameter], load.index)
    (inner,) = sized
    stride = _stride(place, keys, body.axes)
    if stride is None or place.coefficient(inner) != 1 or _is_nested(place, (*keys, *along)):
        return None
    width, count = body.axes[inner].size, size(kernel.keys)
    elements = (count - 1) * stride + width
    steps = [coefficient for atom, coefficient in place.terms if atom != Axis(inner)]
    if any(step % _CHUNK for step in (width, place.constant, *steps)):
        return None
    reach = max(elements, _TILE_KEYS * stride) * kernel.operand_dtype.bytes
    if stride < width or reach >= TOO_FAR:
        return None
    return StreamedRows(stride, width, elements)


def _plain_load(kernel: Attention, body: Body) -> Load | None:
    match body.instructions:
        case (Load() as load,):
            pass
        case (Load() as load, Convert(0, dtype)) if dtype is kernel.operand_dtype:
            pass
        case _:
            return None
    stored = kernel.parameters[load.parameter].dtype
    if load.computed or load.predicate is not None or stored is not kernel.operand_dtype:
        return None
    return load


def _stride(place: IndexExpression, keys: range, axes: Sequence[KernelAxis]) -> int | None:
    """Elements from key to key, where the keys' axes are walked as one, the last fastest."""
    stride: int | None = None
    points = 1
    for number in reversed(keys):
        if axes[number].size == 1:
            continue
        step = place.coefficient(number)
        stride = step if stride is None else stride
        if step != stride * points:
            return None
        points *= axes[number].size
    # A single key has no next one: any stride will do that keeps rows apart.
    return max(axis.size for axis in axes) * _CHUNK if stride is None else stride


def _is_nested(place: IndexExpression, numbers: Sequence[int]) -> bool:
    """True when one of these axes stands inside a quotient or remainder."""
    wanted = frozenset(numbers)
    return any(not isinstance(a, Axis) and a.value.axes() & wanted for a, _ in place.terms)
