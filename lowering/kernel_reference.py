"""The NumPy meaning of kernels and of kernel programs: what generated code must compute.

Reals are f32; products are f32 matrix products and other sums are accumulated in f64, so that
rounding of a long sum is the generated code's alone. Whole numbers are i32 (i64 where stored so)
and wrap around. Memory that was not written is poisoned by ``run_program`` (NaN, or a conspicuous
whole number), and a read of it shows in the result.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import Axis, IndexExpression, evaluate
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    BufferKind,
    Convert,
    Gemm,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_types import (
    apply_type,
    parallel_axes,
    promote,
    reduction_type,
    stores,
)

Array = npt.NDArray[Any]
Range = tuple[int, int]

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
    memory = _Memory.of(kernel, arrays)
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


# --------------------------------------------------------------------------------------- rounding


def round_to(values: Array, dtype: DType) -> Array:
    """``values`` rounded to the storage ``dtype`` as ``Convert`` and stores do.

    To a real type: to nearest even. To a whole number: cut towards zero; i32 and i64 saturate and
    a NaN becomes 0, u8 keeps the low bits of that i32. To bool: whether it is not 0.
    """
    if dtype is DType.BOOL:
        return np.asarray(values != 0)
    if dtype.is_float or values.dtype.kind in "iub":
        return values.astype(dtype.numpy)
    if dtype is DType.U8:
        return round_to(values, DType.I32).astype(np.uint8)
    limits = np.iinfo(dtype.numpy)
    # The upper limit is no f32: values from it on are set apart.
    cut = np.where(np.isnan(values), 0, values).clip(float(limits.min), None)
    high = cut >= float(limits.max)
    return np.where(high, limits.max, np.where(high, 0, cut).astype(dtype.numpy))


def _compute(values: Array, dtype: DType) -> Array:
    """Stored values of ``dtype`` as their compute type."""
    return values.astype(dtype.compute.numpy, copy=False)


# ----------------------------------------------------------------------------------- scalar code


def whole(axes: Sequence[KernelAxis]) -> tuple[Range, ...]:
    """The ranges that make up all of ``axes``."""
    return tuple((0, axis.size) for axis in axes)


def _lengths(ranges: Sequence[Range]) -> tuple[int, ...]:
    return tuple(stop - start for start, stop in ranges)


def _points(ranges: Sequence[Range]) -> int:
    return math.prod(_lengths(ranges))


def _boxes(ranges: Sequence[Range], limit: int) -> Iterator[tuple[Range, ...]]:
    """Cut ``ranges`` into boxes of at most ``limit`` points (at least one), in row-major order."""
    if not ranges:
        yield ()
        return
    (start, stop), rest = ranges[0], ranges[1:]
    inner = _points(rest)
    step = max(1, limit // max(1, inner))
    for begin in range(start, stop, step):
        part = (begin, min(begin + step, stop))
        if inner <= limit:
            yield (part, *rest)
        else:
            yield from ((part, *box) for box in _boxes(rest, limit))


@dataclass(frozen=True, slots=True)
class _Memory:
    """A kernel's parameters and their arrays.

    Colliding writes combine in ``shadows``, arrays of compute type, and are rounded once, when
    the kernel has ended.
    """

    name: str
    parameters: tuple[Parameter, ...]
    arrays: tuple[Array, ...]
    shadows: Mapping[int, Array]

    @staticmethod
    def of(kernel: Kernel, arrays: Sequence[Array]) -> _Memory:
        combined = {store.parameter for store in stores(kernel) if store.combine is not None}
        shadows = {n: arrays[n].astype(kernel.parameters[n].dtype.compute.numpy) for n in combined}
        return _Memory(kernel.name, kernel.parameters, tuple(arrays), shadows)

    def finish(self) -> None:
        """Write what was combined."""
        for number, shadow in self.shadows.items():
            self.arrays[number][...] = round_to(shadow, self.parameters[number].dtype)


@dataclass(frozen=True, slots=True)
class _Scope:
    """Where a body is evaluated: a box of its axes, as arrays that broadcast over the box."""

    memory: _Memory
    ranges: tuple[Range, ...]
    accumulators: tuple[Array, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        return _lengths(self.ranges)

    def axis_values(self) -> list[npt.NDArray[np.int64]]:
        rank = len(self.ranges)
        return [
            np.arange(start, stop, dtype=np.int64).reshape(
                [-1 if a == n else 1 for a in range(rank)]
            )
            for n, (start, stop) in enumerate(self.ranges)
        ]

    def values(self, body: Body) -> list[Array]:
        """All values of ``body``; each broadcasts to ``shape``."""
        found: list[Array] = []
        for instruction in body.instructions:
            found.append(self._value(instruction, found))
        return found

    def result(self, body: Body) -> Array:
        """The last value of ``body``; it broadcasts to ``shape``."""
        return self.values(body)[-1]

    def _value(self, instruction: Instruction, values: Sequence[Array]) -> Array:
        match instruction:
            case Literal(value, dtype):
                return np.asarray(value, dtype.compute.numpy)
            case IndexOf(expression):
                return evaluate(expression, self.axis_values()).astype(np.int32)
            case Load():
                return self._load(instruction, values)
            case Apply(op, operands):
                return apply(op, [values[n] for n in operands])
            case Convert(operand, dtype):
                return _compute(round_to(values[operand], dtype), dtype)
            case Accumulator(number):
                return self.accumulators[number]
            case _:
                assert_never(instruction)

    def _load(self, load: Load, values: Sequence[Array]) -> Array:
        parameter = self.memory.parameters[load.parameter]
        array = self.memory.arrays[load.parameter]
        if load.predicate is None and not load.computed:
            view = self.view(load.parameter, load.index)
            if view is not None:
                # What this kernel writes may change under the view before it is used.
                kept = view if parameter.access is ParameterAccess.READ else view.copy()
                return _compute(kept, parameter.dtype)
        where = None if load.predicate is None else values[load.predicate]
        place = self.place(load.parameter, load.index, [values[n] for n in load.computed], where)
        found = _compute(array[place], parameter.dtype)
        return found if where is None else np.where(where, found, np.zeros((), found.dtype))

    def view(self, parameter: int, index: Sequence[IndexExpression]) -> Array | None:
        """The elements at affine ``index``, without copying; None where that cannot be.

        Axes that the index does not mention have length 1.
        """
        if not all(expression.is_affine for expression in index):
            return None
        formal = self.memory.parameters[parameter]
        start, strides = 0, [0] * len(self.ranges)
        for expression, size, stride in zip(index, formal.shape, formal.strides, strict=True):
            base, low, high = expression.constant, expression.constant, expression.constant
            for atom, factor in expression.terms:
                assert isinstance(atom, Axis)
                first, stop = self.ranges[atom.number]
                base += factor * first
                ends = factor * first, factor * (stop - 1)
                low, high = low + min(ends), high + max(ends)
                strides[atom.number] += factor * stride
            self._check(formal, expression, low, high, size)
            start += base * stride
        lengths = [n if step else 1 for n, step in zip(self.shape, strides, strict=True)]
        array = self.memory.arrays[parameter]
        return np.lib.stride_tricks.as_strided(
            array[start:], lengths, [step * array.itemsize for step in strides]
        )

    def place(
        self,
        parameter: int,
        index: Sequence[IndexExpression],
        computed: Sequence[Array],
        where: Array | None,
    ) -> npt.NDArray[np.int64]:
        """The element numbers that ``index`` stands for, 0 where ``where`` does not hold."""
        formal = self.memory.parameters[parameter]
        axes = self.axis_values() + [values.astype(np.int64) for values in computed]
        total = np.zeros((), np.int64)
        for expression, size, stride in zip(index, formal.shape, formal.strides, strict=True):
            position = evaluate(expression, axes)
            if where is not None:
                position = np.where(where, position, 0)
            if position.size:
                self._check(formal, expression, int(position.min()), int(position.max()), size)
            total = total + position * stride
        return total

    def _check(
        self, formal: Parameter, expression: IndexExpression, low: int, high: int, size: int
    ) -> None:
        if low < 0 or high >= size:
            raise IndexError(
                f"{self.memory.name}: index {expression} of {formal.name} runs from {low} to"
                f" {high}, its axis has {size}"
            )

    def store(self, store: Store, values: Sequence[Array]) -> None:
        """Do ``store`` at every point of the box."""
        value = np.broadcast_to(values[store.value], self.shape)
        dtype = self.memory.parameters[store.parameter].dtype
        if store.predicate is None and not store.computed and store.combine is None:
            view = self.view(store.parameter, store.index)
            if view is not None and view.shape == self.shape:
                view[...] = round_to(value, dtype)
                return
        where = None if store.predicate is None else values[store.predicate]
        computed = [values[n] for n in store.computed]
        place = np.broadcast_to(
            self.place(store.parameter, store.index, computed, where), self.shape
        )
        if where is not None:
            taken = np.broadcast_to(where, self.shape)
            place, value = place[taken], value[taken]
        if store.combine is not None:
            _combine(self.memory.shadows[store.parameter], place, value, store.combine)
            return
        self.memory.arrays[store.parameter][place] = round_to(value, dtype)


def _combine(target: Array, place: Array, value: Array, op: ReduceOp) -> None:
    match op:
        case ReduceOp.SUM:
            np.add.at(target, place, value.astype(target.dtype))
        case ReduceOp.MAXIMUM:
            np.maximum.at(target, place, value.astype(target.dtype))
        case _:
            assert_never(op)


_UNARY: dict[ElementwiseOp, Callable[[Array], Array]] = {
    ElementwiseOp.RECIPROCAL: lambda x: np.float32(1) / x,
    ElementwiseOp.SQUARE_ROOT: np.sqrt,
    ElementwiseOp.EXP2: np.exp2,
    ElementwiseOp.LOG2: np.log2,
    ElementwiseOp.SINE: np.sin,
}
_BINARY: dict[ElementwiseOp, Callable[[Array, Array], Array]] = {
    ElementwiseOp.ADD: np.add,
    ElementwiseOp.MULTIPLY: np.multiply,
    ElementwiseOp.MAXIMUM: np.maximum,
    ElementwiseOp.FLOOR_DIVIDE: np.floor_divide,
    ElementwiseOp.MODULO: np.mod,
    ElementwiseOp.LESS_THAN: np.less,
}


def apply(op: ElementwiseOp, operands: Sequence[Array]) -> Array:
    """``op`` of compute-typed arrays, elementwise, with the types of ``apply_type``.

    A maximum with a NaN is a NaN.
    """
    types = [DType(_NAMES[operand.dtype]) for operand in operands]
    result = apply_type(op, types)
    if op is ElementwiseOp.SELECT:
        return np.where(operands[0], operands[1], operands[2])
    if op in _UNARY:
        return _UNARY[op](operands[0].astype(np.float32, copy=False))
    common = promote(*types) if op is ElementwiseOp.LESS_THAN else result
    left, right = (operand.astype(common.numpy, copy=False) for operand in operands)
    return _BINARY[op](left, right)


_NAMES = {d.numpy: d for d in (DType.F32, DType.I32, DType.I64, DType.BOOL)}


# ----------------------------------------------------------------------------------------- kernels


def _run_pointwise(kernel: Pointwise, memory: _Memory, ranges: tuple[Range, ...]) -> None:
    for box in _boxes(ranges, _CHUNK):
        _run_epilogue(kernel.body, kernel.stores, _Scope(memory, box))


def _run_epilogue(body: Body, stored: Sequence[Store], scope: _Scope) -> None:
    values = scope.values(body)
    for store in stored:
        scope.store(store, values)


def _run_row_reduction(kernel: RowReduction, memory: _Memory, ranges: tuple[Range, ...]) -> None:
    rank = len(kernel.rows)
    own = [whole(phase.body.axes[rank:]) for phase in kernel.phases]
    for box in _boxes(ranges, max(1, _CHUNK // max(_points(axes) for axes in own))):
        accumulators: list[Array] = []
        for phase, axes in zip(kernel.phases, own, strict=True):
            # Accumulators are over the rows; they broadcast over the phase's own axes.
            seen = [a.reshape(_lengths(box) + (1,) * len(axes)) for a in accumulators]
            scope = _Scope(memory, box + axes, tuple(seen))
            values = scope.values(phase.body)
            for reduction in phase.reductions:
                full = np.broadcast_to(values[reduction.value], scope.shape)
                accumulators.append(_reduce(reduction.op, full, rank))
            for store in phase.stores:
                scope.store(store, values)


def _reduce(op: ReduceOp, values: Array, rank: int) -> Array:
    """``op`` over all axes from ``rank`` on."""
    own = tuple(range(rank, values.ndim))
    dtype = reduction_type(op, _NAMES[values.dtype])
    match op:
        case ReduceOp.SUM:
            wide = np.float64 if dtype is DType.F32 else dtype.numpy
            return np.asarray(values.sum(axis=own, dtype=wide)).astype(dtype.numpy)
        case ReduceOp.MAXIMUM:
            return np.asarray(values.max(axis=own))
        case _:
            assert_never(op)


def _operand(scope: _Scope, body: Body, dtype: DType, groups: Sequence[int]) -> Array:
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


def _run_gemm(kernel: Gemm, memory: _Memory, ranges: tuple[Range, ...]) -> None:
    b, r, c, i = (len(axes) for axes in (kernel.batch, kernel.rows, kernel.columns, kernel.inner))
    inner = whole(kernel.inner)
    depth = _points(inner)
    batch, rows, columns = ranges[:b], ranges[b : b + r], ranges[b + r :]
    side = max(1, _CHUNK // depth)
    for some_columns in _boxes(columns, side):
        for some_batch in _boxes(batch, max(1, side // _points(some_columns))):
            scope = _Scope(memory, some_batch + some_columns + inner)
            right = [_operand(scope, x, kernel.operand_dtype, (b, c, i)) for x in kernel.right]
            points = _points(some_batch)
            widest = max(depth, _points(some_columns))
            for some_rows in _boxes(rows, max(1, _CHUNK // (points * widest))):
                scope = _Scope(memory, some_batch + some_rows + inner)
                left = _operand(scope, kernel.left, kernel.operand_dtype, (b, r, i))
                box = some_batch + some_rows + some_columns
                products = tuple(_product(left, x, _lengths(box), points) for x in right)
                _run_epilogue(kernel.epilogue, kernel.stores, _Scope(memory, box, products))


def _product(left: Array, right: Array, shape: tuple[int, ...], batch: int) -> Array:
    """``left`` (batch, rows, inner) times ``right`` (batch, columns, inner), in ``shape``."""
    product = left @ right.transpose(0, 2, 1)
    return np.broadcast_to(product, (batch, *product.shape[1:])).reshape(shape)


def _run_attention(kernel: Attention, memory: _Memory, ranges: tuple[Range, ...]) -> None:
    b, q = len(kernel.batch), len(kernel.queries)
    batch, queries, channels = ranges[:b], ranges[b : b + q], ranges[b + q :]
    keys, inner = whole(kernel.keys), whole(kernel.inner)
    step = _points(keys) + _points(inner)
    for some_batch in _boxes(batch, max(1, _CHUNK // (step * max(1, _points(queries))))):
        for some_queries in _boxes(queries, max(1, _CHUNK // step)):
            weight = _softmax_weights(kernel, memory, some_batch, some_queries)
            value = _operand(
                _Scope(memory, some_batch + keys + channels),
                kernel.value,
                kernel.operand_dtype,
                (b, len(kernel.keys), len(kernel.channels)),
            )
            total = weight.sum(axis=-1, dtype=np.float64, keepdims=True).astype(np.float32)
            box = some_batch + some_queries + channels
            result = ((weight @ value) / total).reshape(_lengths(box))
            _run_epilogue(kernel.epilogue, kernel.stores, _Scope(memory, box, (result,)))


def _softmax_weights(
    kernel: Attention, memory: _Memory, batch: tuple[Range, ...], queries: tuple[Range, ...]
) -> Array:
    """exp(score - max of the row), over (batch, queries, keys)."""
    b, i = len(kernel.batch), len(kernel.inner)
    keys, inner = whole(kernel.keys), whole(kernel.inner)
    query = _operand(
        _Scope(memory, batch + queries + inner),
        kernel.query,
        kernel.operand_dtype,
        (b, len(kernel.queries), i),
    )
    key = _operand(
        _Scope(memory, batch + keys + inner),
        kernel.key,
        kernel.operand_dtype,
        (b, len(kernel.keys), i),
    )
    box = batch + queries + keys
    raw = _product(query, key, _lengths(box), _points(batch))
    score = _Scope(memory, box, (raw,)).result(kernel.score)
    merged = np.broadcast_to(score, _lengths(box)).reshape(
        _points(batch), _points(queries), _points(keys)
    )
    weights: Array = np.exp(merged - merged.max(axis=-1, keepdims=True))
    return weights
