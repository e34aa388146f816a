"""The NumPy meaning of the scalar code in kernels, for many points at once."""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping, Sequence
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
    Body,
    Convert,
    IndexOf,
    Instruction,
    Kernel,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Store,
)
from lumc.lowering.kernel_types import apply_type, promote, stores

Array = npt.NDArray[Any]
Range = tuple[int, int]

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


def to_compute(values: Array, dtype: DType) -> Array:
    """Stored values of ``dtype`` as their compute type."""
    return values.astype(dtype.compute.numpy, copy=False)


# ----------------------------------------------------------------------------------- scalar code


def whole(axes: Sequence[KernelAxis]) -> tuple[Range, ...]:
    """The ranges that make up all of ``axes``."""
    return tuple((0, axis.size) for axis in axes)


def lengths(ranges: Sequence[Range]) -> tuple[int, ...]:
    """Points of each range."""
    return tuple(stop - start for start, stop in ranges)


def points(ranges: Sequence[Range]) -> int:
    """Points of the box that the ranges make up."""
    return math.prod(lengths(ranges))


@dataclass(frozen=True, slots=True)
class Memory:
    """A kernel's parameters and their arrays.

    Colliding writes combine in ``shadows``, arrays of compute type, and are rounded once, when
    the kernel has ended.
    """

    name: str
    parameters: tuple[Parameter, ...]
    arrays: tuple[Array, ...]
    shadows: Mapping[int, Array]

    @staticmethod
    def of(kernel: Kernel, arrays: Sequence[Array]) -> Memory:
        """The memory of ``kernel`` with ``arrays`` for its parameters."""
        combined = {store.parameter for store in stores(kernel) if store.combine is not None}
        shadows = {n: arrays[n].astype(kernel.parameters[n].dtype.compute.numpy) for n in combined}
        return Memory(kernel.name, kernel.parameters, tuple(arrays), shadows)

    def finish(self) -> None:
        """Write what was combined."""
        for number, shadow in self.shadows.items():
            self.arrays[number][...] = round_to(shadow, self.parameters[number].dtype)


@dataclass(frozen=True, slots=True)
class Scope:
    """Where a body is evaluated: a box of its axes, as arrays that broadcast over the box."""

    memory: Memory
    ranges: tuple[Range, ...]
    accumulators: tuple[Array, ...] = ()

    @property
    def shape(self) -> tuple[int, ...]:
        """Points of each axis."""
        return lengths(self.ranges)

    def axis_values(self) -> list[npt.NDArray[np.int64]]:
        """The positions on each axis, as arrays that broadcast over the box."""
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
                return to_compute(round_to(values[operand], dtype), dtype)
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
                return to_compute(kept, parameter.dtype)
        where = None if load.predicate is None else values[load.predicate]
        place = self.place(load.parameter, load.index, [values[n] for n in load.computed], where)
        found = to_compute(array[place], parameter.dtype)
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


UNARY: dict[ElementwiseOp, Callable[[Array], Array]] = {
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
    types = [DType(COMPUTE_TYPES[operand.dtype]) for operand in operands]
    result = apply_type(op, types)
    if op is ElementwiseOp.SELECT:
        return np.where(operands[0], operands[1], operands[2])
    if op in UNARY:
        return UNARY[op](operands[0].astype(np.float32, copy=False))
    common = promote(*types) if op is ElementwiseOp.LESS_THAN else result
    left, right = (operand.astype(common.numpy, copy=False) for operand in operands)
    return _BINARY[op](left, right)


COMPUTE_TYPES = {d.numpy: d for d in (DType.F32, DType.I32, DType.I64, DType.BOOL)}
