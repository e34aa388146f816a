"""The NumPy meaning of kernels and of kernel programs: what generated code must compute.

Reals are f32; products are f32 matrix products and other sums are accumulated in f64, so that
rounding of a long sum is the generated code's alone. Whole numbers are i32 (i64 where stored so)
and wrap around. Memory that was not written is poisoned by ``run_program`` (NaN, or a conspicuous
whole number), and a read of it shows in the result.
"""

from __future__ import annotations

import math
from collections.abc import Iterator, Mapping, Sequence
from typing import assert_never

import numpy as np

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ReduceOp
from lumc.lowering.kernel_program import (
    Attention,
    Body,
    BufferKind,
    Gemm,
    Kernel,
    KernelProgram,
    Launch,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_types import (
    parallel_axes,
    reduction_type,
)
from lumc.lowering.scalar_reference import (
    COMPUTE_TYPES,
    Array,
    Memory,
    Range,
    Scope,
    lengths,
    points,
    round_to,
    whole,
)

# Elements that one temporary array may have: bounds memory at a few hundred MB.
_CHUNK = 1 << 22

_WHOLE_POISON = 0x5A


def run_kernel(
    kernel: Kernel, arrays: Sequence[Array], ranges: Sequence[Range] | None = None
) -> None:
    """Run ``kernel`` on ``arrays`` in place.

    Args:
        kernel: What to run.
        arrays: One flat array per parameter, of the parameter's storage dtype; element 0 is where
            the parameter begins, and it is at least as long as the parameter's extent.
        ranges: For each axis of ``parallel_axes(kernel)`` the part (start, stop) to run; the
            whole kernel when None. Nothing outside the part is computed or written.

    Raises:
        IndexError: a read or write outside a parameter's shape.
        TypeError: arrays that do not fit the parameters.
    """
    check_arrays(kernel, arrays)
    parts = tuple(ranges) if ranges is not None else whole(parallel_axes(kernel))
    if len(parts) != len(parallel_axes(kernel)):
        raise TypeError(f"{kernel.name}: {len(parts)} ranges for {len(parallel_axes(kernel))} axes")
    memory = Memory.of(kernel, arrays)
    with np.errstate(all="ignore"):
        match kernel:
            case Pointwise():
                _run_pointwise(kernel, memory, parts)
            case RowReduction():
                _run_row_reduction(kernel, memory, parts)
            case Gemm():
                _run_gemm(kernel, memory, parts)
            case Attention():
                _run_attention(kernel, memory, parts)
            case _:
                assert_never(kernel)
        memory.finish()


def run_program(
    program: KernelProgram, inputs: Mapping[str, Array], weights: Mapping[str, Array]
) -> dict[str, Array]:
    """The outputs of ``program`` by name, in their storage dtypes.

    ``inputs`` and ``weights`` are by name, in the shapes and storage dtypes of their buffers.

    Raises:
        KeyError: an input or weight is missing.
        TypeError: an array's shape or dtype is not the buffer's.
    """
    memory = [poisoned(math.prod(buffer.shape), buffer.dtype) for buffer in program.buffers]
    for number, buffer in enumerate(program.buffers):
        if buffer.kind is BufferKind.INPUT:
            memory[number] = _given(inputs[buffer.name], buffer.name, buffer.shape, buffer.dtype)
        if buffer.kind is BufferKind.WEIGHT:
            memory[number] = _given(weights[buffer.name], buffer.name, buffer.shape, buffer.dtype)
    for table in program.tables:
        buffer = program.buffers[table.buffer]
        memory[table.buffer] = _given(table.values, buffer.name, buffer.shape, buffer.dtype)
    for launch in program.prepare + program.launches:
        run_launch(program, launch, memory)
    return {
        buffer.name: memory[number].reshape(buffer.shape)
        for number, buffer in enumerate(program.buffers)
        if buffer.kind is BufferKind.OUTPUT
    }


def run_launch(program: KernelProgram, launch: Launch, memory: Sequence[Array]) -> None:
    """Run one launch on ``memory``, a flat array per buffer of the program, in place."""
    arguments = [memory[argument.buffer][argument.offset :] for argument in launch.arguments]
    run_kernel(program.kernels[launch.kernel], arguments)


def poisoned(elements: int, dtype: DType) -> Array:
    """A flat array full of what no kernel may read: NaN, or bytes 0x5a for whole numbers."""
    array = np.empty(elements, dtype.numpy)
    if dtype.is_float:
        array.fill(np.nan)
    else:
        array.view(np.uint8).fill(1 if dtype is DType.BOOL else _WHOLE_POISON)
    return array


def check_arrays(kernel: Kernel, arrays: Sequence[Array]) -> None:
    """Raise ``TypeError`` unless ``arrays`` are flat, long enough and of the parameters' dtypes."""
    if len(arrays) != len(kernel.parameters):
        raise TypeError(
            f"{kernel.name}: {len(arrays)} arrays for {len(kernel.parameters)} parameters"
        )
    for parameter, array in zip(kernel.parameters, arrays, strict=True):
        if array.dtype != parameter.dtype.numpy or array.ndim != 1:
            raise TypeError(
                f"{kernel.name}: parameter {parameter.name} takes a flat array of"
                f" {parameter.dtype}, not {array.dtype} of shape {array.shape}"
            )
        if array.size < extent(parameter):
            raise TypeError(
                f"{kernel.name}: parameter {parameter.name} extends over {extent(parameter)}"
                f" elements, the array has {array.size}"
            )


def _given(array: Array, name: str, shape: tuple[int, ...], dtype: DType) -> Array:
    if array.shape != shape or array.dtype != dtype.numpy:
        raise TypeError(f"{name} is {dtype}{list(shape)}, not {array.dtype}{list(array.shape)}")
    return np.ascontiguousarray(array).reshape(-1)


# ----------------------------------------------------------------------------------------- kernels


def boxes(ranges: Sequence[Range], limit: int) -> Iterator[tuple[Range, ...]]:
    """Cut ``ranges`` into boxes of at most ``limit`` points (at least one), in row-major order."""
    if not ranges:
        yield ()
        return
    (start, stop), rest = ranges[0], ranges[1:]
    inner = points(rest)
    step = max(1, limit // max(1, inner))
    for begin in range(start, stop, step):
        part = (begin, min(begin + step, stop))
        if inner <= limit:
            yield (part, *rest)
        else:
            yield from ((part, *box) for box in boxes(rest, limit))


def _run_pointwise(kernel: Pointwise, memory: Memory, ranges: tuple[Range, ...]) -> None:
    for box in boxes(ranges, _CHUNK):
        _run_epilogue(kernel.body, kernel.stores, Scope(memory, box))


def _run_epilogue(body: Body, stored: Sequence[Store], scope: Scope) -> None:
    values = scope.values(body)
    for store in stored:
        scope.store(store, values)


def _run_row_reduction(kernel: RowReduction, memory: Memory, ranges: tuple[Range, ...]) -> None:
    rank = len(kernel.rows)
    own = [whole(phase.body.axes[rank:]) for phase in kernel.phases]
    for box in boxes(ranges, max(1, _CHUNK // max(points(axes) for axes in own))):
        accumulators: list[Array] = []
        for phase, axes in zip(kernel.phases, own, strict=True):
            # Accumulators are over the rows; they broadcast over the phase's own axes.
            seen = [a.reshape(lengths(box) + (1,) * len(axes)) for a in accumulators]
            scope = Scope(memory, box + axes, tuple(seen))
            values = scope.values(phase.body)
            for reduction in phase.reductions:
                full = np.broadcast_to(values[reduction.value], scope.shape)
                accumulators.append(_reduce(reduction.op, full, rank))
            for store in phase.stores:
                scope.store(store, values)


def _reduce(op: ReduceOp, values: Array, rank: int) -> Array:
    """``op`` over all axes from ``rank`` on."""
    own = tuple(range(rank, values.ndim))
    dtype = reduction_type(op, COMPUTE_TYPES[values.dtype])
    match op:
        case ReduceOp.SUM:
            wide = np.float64 if dtype is DType.F32 else dtype.numpy
            return np.asarray(values.sum(axis=own, dtype=wide)).astype(dtype.numpy)
        case ReduceOp.MAXIMUM:
            return np.asarray(values.max(axis=own))
        case _:
            assert_never(op)


def _operand(scope: Scope, body: Body, dtype: DType, groups: Sequence[int]) -> Array:
    """A product's operand, rounded to ``dtype``, in f32 and with its axes merged.

    ``groups`` are the ranks of the three groups of axes, of which the first is the batch's; that
    one has length 1 when the operand does not depend on it.
    """
    values = scope.result(body)
    rounded = round_to(values, dtype).astype(np.float32)
    batch = groups[0]
    lead = (1,) * (len(scope.shape) - rounded.ndim) + rounded.shape
    shape = list(scope.shape)
    if all(n == 1 for n in lead[:batch]):
        shape[:batch] = [1] * batch
    full = np.broadcast_to(rounded, shape)
    ends = np.cumsum([0, *groups])
    return full.reshape([math.prod(shape[ends[n] : ends[n + 1]]) for n in range(3)])


def _run_gemm(kernel: Gemm, memory: Memory, ranges: tuple[Range, ...]) -> None:
    b, r, c, i = (len(axes) for axes in (kernel.batch, kernel.rows, kernel.columns, kernel.inner))
    inner = whole(kernel.inner)
    depth = points(inner)
    batch, rows, columns = ranges[:b], ranges[b : b + r], ranges[b + r :]
    side = max(1, _CHUNK // depth)
    for some_columns in boxes(columns, side):
        for some_batch in boxes(batch, max(1, side // points(some_columns))):
            scope = Scope(memory, some_batch + some_columns + inner)
            right = [_operand(scope, x, kernel.operand_dtype, (b, c, i)) for x in kernel.right]
            count = points(some_batch)
            widest = max(depth, points(some_columns))
            for some_rows in boxes(rows, max(1, _CHUNK // (count * widest))):
                scope = Scope(memory, some_batch + some_rows + inner)
                left = _operand(scope, kernel.left, kernel.operand_dtype, (b, r, i))
                box = some_batch + some_rows + some_columns
                products = tuple(_product(left, x, lengths(box), count) for x in right)
                _run_epilogue(kernel.epilogue, kernel.stores, Scope(memory, box, products))


def _product(left: Array, right: Array, shape: tuple[int, ...], batch: int) -> Array:
    """``left`` (batch, rows, inner) times ``right`` (batch, columns, inner), in ``shape``."""
    product = left @ right.transpose(0, 2, 1)
    return np.broadcast_to(product, (batch, *product.shape[1:])).reshape(shape)


def _run_attention(kernel: Attention, memory: Memory, ranges: tuple[Range, ...]) -> None:
    b, q = len(kernel.batch), len(kernel.queries)
    batch, queries, channels = ranges[:b], ranges[b : b + q], ranges[b + q :]
    keys, inner = whole(kernel.keys), whole(kernel.inner)
    step = points(keys) + points(inner)
    for some_batch in boxes(batch, max(1, _CHUNK // (step * max(1, points(queries))))):
        for some_queries in boxes(queries, max(1, _CHUNK // step)):
            weight = _softmax_weights(kernel, memory, some_batch, some_queries)
            value = _operand(
                Scope(memory, some_batch + keys + channels),
                kernel.value,
                kernel.operand_dtype,
                (b, len(kernel.keys), len(kernel.channels)),
            )
            total = weight.sum(axis=-1, dtype=np.float64, keepdims=True).astype(np.float32)
            box = some_batch + some_queries + channels
            result = ((weight @ value) / total).reshape(lengths(box))
            _run_epilogue(kernel.epilogue, kernel.stores, Scope(memory, box, (result,)))


def _softmax_weights(
    kernel: Attention, memory: Memory, batch: tuple[Range, ...], queries: tuple[Range, ...]
) -> Array:
    """exp(score - max of the row), over (batch, queries, keys)."""
    b, i = len(kernel.batch), len(kernel.inner)
    keys, inner = whole(kernel.keys), whole(kernel.inner)
    query = _operand(
        Scope(memory, batch + queries + inner),
        kernel.query,
        kernel.operand_dtype,
        (b, len(kernel.queries), i),
    )
    key = _operand(
        Scope(memory, batch + keys + inner),
        kernel.key,
        kernel.operand_dtype,
        (b, len(kernel.keys), i),
    )
    box = batch + queries + keys
    raw = _product(query, key, lengths(box), points(batch))
    score = Scope(memory, box, (raw,)).result(kernel.score)
    merged = np.broadcast_to(score, lengths(box)).reshape(
        points(batch), points(queries), points(keys)
    )
    return np.asarray(np.exp(merged - merged.max(axis=-1, keepdims=True)))
