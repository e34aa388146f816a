"""Products whose operands can go from memory to tiles as they lie there, 16 bytes at a time.

These can take schedules of their own: what a thread fetches is a load at an offset that is known
before the product begins, plus one that is equal for all threads.
"""

from __future__ import annotations

import math
from collections.abc import Sequence
from typing import assert_never

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import Axis, IndexExpression
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Convert,
    Gemm,
    IndexOf,
    Instruction,
    KernelAxis,
    Literal,
    Load,
    Parameter,
)
from lumc.lowering.kernel_ranges import extent, flat_index

CHUNK_BYTES = 16
MOST_TAPS = 32
"""Points of the inner axes beside the dense one that an operand may be missing at, row by row."""

_MOST_BYTES = 1 << 31


def is_streamed(kernel: Gemm) -> bool:
    """True when all operands of ``kernel`` are read as they lie, in whole chunks.

    They are dense along one inner axis, whose size is in whole chunks, and so is every step along
    another axis. What is read may depend on a condition (a window's edge), but not along that axis.
    No parameter is 2 GiB or longer, and no writes may meet.
    """
    if any(extent(p) * p.dtype.bytes >= _MOST_BYTES for p in kernel.parameters):
        return False
    if any(store.combine is not None for store in kernel.stores):
        return False
    return bool(frozenset.intersection(*dense_axes(kernel)))


def dense_axes(kernel: Gemm) -> tuple[frozenset[int], ...]:
    """For the left side and each right side the inner axes that it is dense along, in chunks."""
    width = CHUNK_BYTES // kernel.operand_dtype.bytes
    batch = len(kernel.batch)
    firsts = [batch + len(kernel.rows), *[batch + len(kernel.columns)] * len(kernel.right)]
    return tuple(
        frozenset(
            number
            for number, axis in enumerate(kernel.inner)
            if axis.size % width == 0 and _in_chunks(kernel, body, first, first + number)
        )
        for body, first in zip((kernel.left, *kernel.right), firsts, strict=True)
    )


def streamed_load(
    body: Body, parameters: Sequence[Parameter], dtype: DType
) -> tuple[int, Load] | None:
    """The load, and its number, that the body's value is as it lies in memory, or None.

    Where the load has a predicate that fails, the value is 0.
    """
    number = len(body.instructions) - 1
    while True:
        match body.instructions[number]:
            case Load(parameter, computed=()) as load:
                return (number, load) if parameters[parameter].dtype is dtype else None
            case Convert(operand, to) if to is dtype:
                number = operand
            case Apply(ElementwiseOp.SELECT, (condition, then, otherwise)) if _zero_elsewhere(
                body, condition, then, otherwise
            ):
                number = then
            case _:
                return None


def _zero_elsewhere(body: Body, condition: int, then: int, otherwise: int) -> bool:
    """True when choosing makes no difference: the load is 0 itself where the condition fails."""
    load, zero = body.instructions[then], body.instructions[otherwise]
    return (
        isinstance(load, Load)
        and load.predicate == condition
        and isinstance(zero, Literal)
        and zero.value == 0
        and math.copysign(1, zero.value) > 0
    )


def _in_chunks(kernel: Gemm, body: Body, first_inner: int, dense: int) -> bool:
    """True when ``body`` is a load of whole chunks along its axis ``dense``."""
    found = streamed_load(body, kernel.parameters, kernel.operand_dtype)
    if found is None:
        return False
    _, load = found
    width = CHUNK_BYTES // kernel.operand_dtype.bytes
    offset = flat_index(kernel.parameters[load.parameter], load.index)
    if not _steps_in_chunks(offset, dense, width, body.axes):
        return False
    if load.predicate is None:
        return True
    taps = math.prod(a.size for a in body.axes[first_inner:]) // body.axes[dense].size
    return taps <= MOST_TAPS and _is_known_of_chunks(body, load.predicate, dense)


def _steps_in_chunks(
    offset: IndexExpression, dense: int, width: int, axes: Sequence[KernelAxis]
) -> bool:
    if offset.constant % width or offset.coefficient(dense) != 1:
        return False
    for atom, step in offset.terms:
        if atom == Axis(dense):
            continue
        single = isinstance(atom, Axis) and axes[atom.number].size == 1
        if dense in IndexExpression(0, ((atom, step),)).axes() or (step % width and not single):
            return False
    return True


def _is_known_of_chunks(body: Body, value: int, dense: int) -> bool:
    """True when ``value`` is made of indices alone, and is equal along axis ``dense``."""
    instruction: Instruction = body.instructions[value]
    match instruction:
        case Literal():
            return True
        case IndexOf(expression):
            return dense not in expression.axes()
        case Apply(_, operands):
            return all(_is_known_of_chunks(body, n, dense) for n in operands)
        case Convert(operand, _):
            return _is_known_of_chunks(body, operand, dense)
        case Load() | Accumulator():
            return False
        case _:
            assert_never(instruction)
