"""How far a device's results may be from a kernel's exact meaning, element by element.

A running error analysis: beside each value goes a bound of its error, from the rounding of each
operation on. An operation of f32 is right to half a unit in the last place, so errs by at most
``u = 2^-24`` of its result; hardware functions err by as much as ``_FUNCTIONS`` says. What is
exact (loads, indices, whole numbers, comparisons of those) has no error at all.

Sums of ``n`` terms in any order err by at most ``min(n, L sqrt(n)) u`` times the sum of their
sizes: the first is certain, the second holds with probability 1 - 2n exp(-L^2 / 2) when roundings
are independent (Higham and Mary, "A New Approach to Probabilistic Rounding Error Analysis", SIAM
J. Sci. Comput. 41, 2019). With L = 8 that is 1 - n 2.5e-14.
"""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, assert_never

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Body,
    Convert,
    Gemm,
    IndexOf,
    Kernel,
    Literal,
    Load,
    ParameterAccess,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_types import reduction_type, size
from lumc.lowering.scalar_reference import (
    COMPUTE_TYPES,
    Array,
    Memory,
    Range,
    Scope,
    lengths,
    round_to,
    whole,
)

Real = npt.NDArray[np.float64]

UNIT = 2.0**-24
"""The most that rounding to f32 changes a number by, as a part of it."""
_SIGMAS = 8.0
# Parts of the result that the hardware's functions err by: 1 unit in the last place is 2 u.
_FUNCTIONS = {
    ElementwiseOp.RECIPROCAL: 2 * UNIT,
    ElementwiseOp.SQUARE_ROOT: 2 * UNIT,
    ElementwiseOp.EXP2: 2 * UNIT,
    ElementwiseOp.LOG2: 4 * UNIT,
    ElementwiseOp.SINE: 4 * UNIT,
}
# Results below the smallest normal number may be flushed to 0.
_TINY = 2.0**-126

# Digits of a real type's significand, with the hidden one, and the exponent of its least step.
_PRECISION = {DType.F32: (24, -149), DType.BF16: (8, -133), DType.F16: (11, -24)}


@dataclass(frozen=True, slots=True)
class Written:
    """What one store writes in a box: elements, their values before rounding, and bounds.

    ``combine`` is the store's: these values then meet others and what stood there.
    """

    parameter: int
    places: npt.NDArray[np.int64]
    values: Real
    errors: Real
    combine: ReduceOp | None = None


def predict_writes(
    kernel: Kernel, arrays: Sequence[Array], box: Sequence[Range]
) -> tuple[Written, ...]:
    """What ``kernel`` writes in ``box``, a (start, stop) for each of its parallel axes.

    Args:
        kernel: What is run.
        arrays: As for ``run_kernel``. Parameters that the kernel reads and writes are changed as
            it would change them.
        box: A part of the kernel small enough that all of its operands fit in memory at once.
    """
    run = _Run(kernel, Memory.of(kernel, arrays))
    with np.errstate(all="ignore"):
        match kernel:
            case Pointwise():
                run.finish(kernel.body, kernel.stores, tuple(box))
            case RowReduction():
                _row_reduction(kernel, run, tuple(box))
            case Gemm():
                _gemm(kernel, run, tuple(box))
            case Attention():
                _attention(kernel, run, tuple(box))
            case _:
                assert_never(kernel)
    return tuple(run.written)


def allowed(values: Real, errors: Real, dtype: DType) -> Real:
    """How far the stored element may be from ``values``: their error and rounding to ``dtype``."""
    if not dtype.is_float:
        return _conversion(values, errors, dtype)
    return errors + half_step(np.abs(values) + errors, dtype)


def half_step(values: Real, dtype: DType) -> Real:
    """Half the distance of neighbouring numbers of ``dtype`` around ``values``."""
    digits, least = _PRECISION[dtype]
    _, exponents = np.frexp(values)
    return np.asarray(np.ldexp(0.5, np.maximum(exponents - digits, least)))


# ------------------------------------------------------------------------------------ scalar code


@dataclass(frozen=True, slots=True)
class _Bounded:
    """Values and bounds of their errors; both broadcast over a box."""

    value: Array
    error: Real


@dataclass(slots=True)
class _Run:
    """A kernel being run: its memory, and what it has written."""

    kernel: Kernel
    memory: Memory
    written: list[Written] = field(default_factory=list)
    errors: dict[int, Real] = field(default_factory=dict)
    """Of each element of parameters that are read and written."""

    def body(
        self, body: Body, box: tuple[Range, ...], accumulators: Sequence[_Bounded] = ()
    ) -> tuple[Scope, list[_Bounded]]:
        """All values of ``body`` over ``box``."""
        scope = Scope(self.memory, box, tuple(a.value for a in accumulators))
        found: list[_Bounded] = []
        for instruction, value in zip(body.instructions, scope.values(body), strict=True):
            error = self._error(instruction, value, found, scope, accumulators)
            known = np.where(np.isnan(error), np.inf, error)
            if value.dtype.kind == "f":
                # A device must find the same infinities and NaNs.
                known = np.where(np.isfinite(value), known, 0.0)
            found.append(_Bounded(value, known))
        return scope, found

    def _error(
        self,
        instruction: Any,
        value: Array,
        earlier: Sequence[_Bounded],
        scope: Scope,
        accumulators: Sequence[_Bounded],
    ) -> Real:
        match instruction:
            case Literal() | IndexOf():
                return np.zeros(())
            case Accumulator(number):
                return accumulators[number].error
            case Load():
                return self._load_error(instruction, earlier, scope)
            case Convert(operand, dtype):
                return _convert_error(earlier[operand], dtype)
            case Apply(op, operands):
                return _apply_error(op, value, [earlier[n] for n in operands])
            case _:
                raise TypeError(instruction)

    def _load_error(self, load: Load, earlier: Sequence[_Bounded], scope: Scope) -> Real:
        error = np.zeros(())
        where = None if load.predicate is None else earlier[load.predicate]
        if load.parameter in self.errors:
            computed = [earlier[n].value for n in load.computed]
            taken = None if where is None else where.value
            error = self.errors[load.parameter][
                scope.place(load.parameter, load.index, computed, taken)
            ]
        for doubtful in (*load.computed, *(() if load.predicate is None else (load.predicate,))):
            error = np.where(earlier[doubtful].error > 0, np.inf, error)
        return error

    def finish(
        self,
        body: Body,
        stores: Sequence[Store],
        box: tuple[Range, ...],
        accumulators: Sequence[_Bounded] = (),
    ) -> list[_Bounded]:
        """Run ``body`` and its stores over ``box``; the values of the body."""
        scope, values = self.body(body, box, accumulators)
        for store in stores:
            self._store(store, scope, values)
        return values

    def _store(self, store: Store, scope: Scope, values: Sequence[_Bounded]) -> None:
        parameter = self.memory.parameters[store.parameter]
        found = values[store.value]
        computed = [values[n].value for n in store.computed]
        where = None if store.predicate is None else values[store.predicate]
        taken = None if where is None else where.value
        place = scope.place(store.parameter, store.index, computed, taken)
        doubt = np.zeros(())
        for number in (*store.computed, *(() if where is None else (store.predicate,))):
            assert number is not None
            doubt = np.where(values[number].error > 0, np.inf, doubt)
        places, value, error = (
            np.broadcast_to(array, scope.shape).reshape(-1)
            for array in (place, found.value, found.error + doubt)
        )
        if taken is not None:
            chosen = np.broadcast_to(taken, scope.shape).reshape(-1)
            places, value, error = places[chosen], value[chosen], error[chosen]
        if parameter.access is ParameterAccess.UPDATE and store.combine is None:
            scope.store(store, [v.value for v in values])
            known = self.errors.setdefault(
                store.parameter, np.zeros(self.memory.arrays[store.parameter].size)
            )
            known[places] = allowed(value.astype(np.float64), error, parameter.dtype)
        wide = value.astype(np.float64)
        self.written.append(Written(store.parameter, places, wide, error, store.combine))


def _convert_error(operand: _Bounded, dtype: DType) -> Real:
    return _conversion(operand.value.astype(np.float64), operand.error, dtype)


def _conversion(value: Real, error: Real, dtype: DType) -> Real:
    """How far apart two numbers within ``error`` of ``value`` may be once they are rounded."""
    if dtype is DType.BOOL:
        return np.asarray((error > 0) & (np.abs(value) <= error), np.float64)
    if dtype.is_float:
        steps = 2 * half_step(np.abs(value) + error, dtype)
        return np.where(error > 0, error + steps, 0.0)
    lower, upper = np.trunc(value - error), np.trunc(value + error)
    return np.asarray(np.maximum(upper - np.trunc(value), np.trunc(value) - lower))


def _apply_error(op: ElementwiseOp, result: Array, operands: Sequence[_Bounded]) -> Real:
    if op is ElementwiseOp.SELECT:
        return _select_error(*operands)
    x, ex = operands[0].value.astype(np.float64), operands[0].error
    size = np.abs(result.astype(np.float64))
    if len(operands) == 1:
        return _function_error(op, x, ex, size)
    y, ey = operands[1].value.astype(np.float64), operands[1].error
    rounding = UNIT * size + _TINY if result.dtype.kind == "f" else 0.0
    match op:
        case ElementwiseOp.ADD:
            return ex + ey + rounding
        case ElementwiseOp.MULTIPLY:
            return np.abs(x) * ey + np.abs(y) * ex + ex * ey + rounding
        case ElementwiseOp.MAXIMUM:
            return np.maximum(ex, ey)
        case ElementwiseOp.LESS_THAN:
            return np.where((ex + ey > 0) & (np.abs(x - y) <= ex + ey), 1.0, 0.0)
        case _:
            # Quotients and remainders of what is not certain may be anything.
            return np.where(ex + ey > 0, np.inf, 0.0)


def _select_error(condition: _Bounded, then: _Bounded, other: _Bounded) -> Real:
    taken = np.where(condition.value, then.error, other.error)
    apart = np.abs(then.value.astype(np.float64) - other.value.astype(np.float64))
    return np.where(condition.error > 0, apart + np.maximum(then.error, other.error), taken)


def _function_error(op: ElementwiseOp, x: Real, error: Real, result: Real) -> Real:
    own = _FUNCTIONS[op] * result + _TINY
    match op:
        case ElementwiseOp.RECIPROCAL:
            near = np.abs(x) - error
            return np.where(near > 0, error / (np.abs(x) * near), np.inf) + own
        case ElementwiseOp.SQUARE_ROOT:
            return np.sqrt(x + error) - np.sqrt(np.maximum(x - error, 0)) + own
        case ElementwiseOp.EXP2:
            return result * np.expm1(error * math.log(2)) + own
        case ElementwiseOp.LOG2:
            return np.where(x > error, np.log2((x + error) / (x - error)), np.inf) + own
        case _:
            return np.minimum(error, 2.0) + own


# ---------------------------------------------------------------------------------------- kernels


def sum_factor(terms: int) -> float:
    """The part of the sum of the terms' sizes that a sum of ``terms`` errs by, over ``UNIT``."""
    return min(float(terms), _SIGMAS * math.sqrt(terms))


def _row_reduction(kernel: RowReduction, run: _Run, box: tuple[Range, ...]) -> None:
    rank = len(kernel.rows)
    accumulators: list[_Bounded] = []
    for phase in kernel.phases:
        axes = whole(phase.body.axes[rank:])
        shape = lengths(box) + (1,) * len(axes)
        seen = [_Bounded(a.value.reshape(shape), a.error.reshape(shape)) for a in accumulators]
        values = run.finish(phase.body, phase.stores, box + axes, seen)
        for reduction in phase.reductions:
            found = values[reduction.value]
            accumulators.append(_reduce(reduction.op, found, lengths(box + axes), rank))


def _reduce(op: ReduceOp, found: _Bounded, shape: tuple[int, ...], rank: int) -> _Bounded:
    own = tuple(range(rank, len(shape)))
    value, error = np.broadcast_to(found.value, shape), np.broadcast_to(found.error, shape)
    dtype = reduction_type(op, COMPUTE_TYPES[found.value.dtype])
    if op is ReduceOp.MAXIMUM:
        return _Bounded(np.asarray(value.max(axis=own)), np.asarray(error.max(axis=own)))
    errors = np.asarray(error.sum(axis=own))
    if dtype is not DType.F32:
        return _Bounded(np.asarray(value.sum(axis=own, dtype=dtype.numpy)), errors)
    wide = value.astype(np.float64)
    factor = UNIT * sum_factor(math.prod(shape[rank:]))
    errors = errors + factor * np.abs(wide).sum(axis=own)
    return _Bounded(np.asarray(wide.sum(axis=own)).astype(np.float32), errors)


@dataclass(frozen=True, slots=True)
class _Operand:
    """A product's operand and its errors, over (batch, its own axes, inner)."""

    value: Real
    error: Real


def _operand(run: _Run, body: Body, dtype: DType, groups: Sequence[tuple[Range, ...]]) -> _Operand:
    box = tuple(r for group in groups for r in group)
    _, values = run.body(body, box)
    last = values[-1]
    shape = [math.prod(lengths(group)) for group in groups]

    def merged(array: Array) -> Real:
        return np.broadcast_to(array, lengths(box)).reshape(shape).astype(np.float64)

    return _Operand(merged(round_to(last.value, dtype)), merged(_convert_error(last, dtype)))


def _product(left: _Operand, right: _Operand) -> tuple[Real, Real]:
    """Left (batch, m, k) times right (batch, n, k), and bounds of its errors."""
    turned, turned_error = right.value.transpose(0, 2, 1), right.error.transpose(0, 2, 1)
    size, turned_size = np.abs(left.value), np.abs(turned)
    error = UNIT * sum_factor(left.value.shape[2]) * (size @ turned_size)
    if left.error.any():
        error = error + left.error @ (turned_size + turned_error)
    if right.error.any():
        error = error + size @ turned_error
    return left.value @ turned, error


def _gemm(kernel: Gemm, run: _Run, box: tuple[Range, ...]) -> None:
    b, r = len(kernel.batch), len(kernel.rows)
    batch, rows, columns = box[:b], box[b : b + r], box[b + r :]
    inner = whole(kernel.inner)
    left = _operand(run, kernel.left, kernel.operand_dtype, (batch, rows, inner))
    products = []
    for body in kernel.right:
        right = _operand(run, body, kernel.operand_dtype, (batch, columns, inner))
        products.append(_accumulator(*_product(left, right), lengths(box)))
    run.finish(kernel.epilogue, kernel.stores, box, products)


def _accumulator(value: Real, error: Real, shape: tuple[int, ...]) -> _Bounded:
    return _Bounded(value.astype(np.float32).reshape(shape), error.reshape(shape))


def _attention(kernel: Attention, run: _Run, box: tuple[Range, ...]) -> None:
    """As the reference; weights may be rounded to the operands' dtype before they are used."""
    b, q = len(kernel.batch), len(kernel.queries)
    batch, queries, channels = box[:b], box[b : b + q], box[b + q :]
    keys, inner, dtype = whole(kernel.keys), whole(kernel.inner), kernel.operand_dtype
    query = _operand(run, kernel.query, dtype, (batch, queries, inner))
    key = _operand(run, kernel.key, dtype, (batch, keys, inner))
    value = _operand(run, kernel.value, dtype, (batch, keys, channels))
    scores = batch + queries + keys
    raw = _accumulator(*_product(query, key), lengths(scores))
    _, found = run.body(kernel.score, scores, (raw,))
    shape = (*query.value.shape[:2], size(kernel.keys))

    def merged(array: Array) -> Real:
        return np.broadcast_to(array, lengths(scores)).reshape(shape).astype(np.float64)

    score, error = merged(found[-1].value), merged(found[-1].error)
    most = score.max(axis=-1, keepdims=True)
    weight = np.exp(score - most)
    certain = _certain_errors(score, error, most, weight)
    total, errors = _weighted(weight, certain, value, dtype)
    accumulators = (_accumulator(total, errors, lengths(box)),)
    run.finish(kernel.epilogue, kernel.stores, box, accumulators)


def _certain_errors(score: Real, error: Real, most: Real, weight: Real) -> Real:
    """Of the weights exp(score - most), before they are rounded to the operands' dtype."""
    # Two roundings of each exponent's argument, of the maximum's size and its own; when the
    # maximum grows, what was summed before is scaled by one more such weight.
    steps = 4 * UNIT * (np.abs(score) + np.abs(most))
    argument = error + error.max(axis=-1, keepdims=True) + 2 * steps
    return np.asarray(weight * np.where(weight > 0, np.expm1(argument) + 8 * UNIT, 0.0))


def _weighted(weight: Real, certain: Real, value: _Operand, dtype: DType) -> tuple[Real, Real]:
    """``weight`` over its last axis times ``value`` (batch, keys, channels), over their sum."""
    rounded = weight * (half_step(np.ones(()), dtype) * 2 if dtype is not DType.F32 else 0.0)
    factor = 2 * UNIT * sum_factor(weight.shape[-1])
    size = np.abs(value.value)
    sums = weight.sum(axis=-1, keepdims=True)
    above = certain @ (size + value.error) + weight @ value.error + factor * (weight @ size)
    # Roundings of the weights are independent: they add up like a random walk.
    above += _SIGMAS * np.sqrt(rounded**2 @ size**2)
    below = certain.sum(axis=-1, keepdims=True) + factor * sums
    below += _SIGMAS * np.sqrt((rounded**2).sum(axis=-1, keepdims=True))
    total = (weight @ value.value) / sums
    return total, (above + np.abs(total) * below) / sums + 4 * UNIT * np.abs(total)


def merge_writes(
    written: Sequence[Written], initial: Mapping[int, Array], dtypes: Mapping[int, DType]
) -> dict[int, tuple[npt.NDArray[np.int64], Real, Real]]:
    """Per parameter the elements that are written, their final values, and what they may err by.

    Of several plain writes to one element the last counts; combining ones meet what is in
    ``initial`` and each other.
    """
    found: dict[int, tuple[npt.NDArray[np.int64], Real, Real]] = {}
    for number in sorted({w.parameter for w in written}):
        mine = [w for w in written if w.parameter == number]
        places = np.unique(np.concatenate([w.places for w in mine]))
        values = initial[number][places].astype(np.float64)
        errors = np.zeros(places.size)
        for write in mine:
            at = np.searchsorted(places, write.places)
            match write.combine:
                case None:
                    values[at], errors[at] = write.values, write.errors
                case ReduceOp.MAXIMUM:
                    np.maximum.at(values, at, write.values)
                    np.maximum.at(errors, at, write.errors)
                case ReduceOp.SUM:
                    np.add.at(values, at, write.values)
                    np.add.at(errors, at, write.errors)
                case _:
                    assert_never(write.combine)
        found[number] = places, values, allowed(values, errors, dtypes[number])
    return found
