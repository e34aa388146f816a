"""Error bounds hold for every way to compute a kernel, and are tight enough to find mistakes."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_bounds import (
    UNIT,
    half_step,
    merge_writes,
    predict_writes,
    sum_factor,
)
from lumc.lowering.kernel_program import (
    Apply,
    Attention,
    Convert,
    Gemm,
    Instruction,
    Kernel,
    ParameterAccess,
    Phase,
    Pointwise,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_types import parallel_axes
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.scalar_reference import round_to, whole
from tests.lowering import scalar_kernels
from tests.lowering.example_kernels import AT, activation, attention, gemm, norm, pointwise
from tests.strategies.kernels import (
    attentions,
    gemms,
    pointwise_kernels,
    random_arrays,
    row_reductions,
)

Array = npt.NDArray[Any]
SMALL = st.one_of(
    pointwise_kernels(largest=5),
    row_reductions(largest=4, longest=12),
    gemms(largest=6, deepest=12),
    attentions(longest=6, deepest=6),
)
SEEDS = st.integers(0, 2**32 - 1)


def sum_in_f32(values: Sequence[Any]) -> float:
    """One after the other in some order, rounded each time, as a device does."""
    order = [np.float32(value) for value in values]
    random.Random(len(order)).shuffle(order)
    found = np.float32(0)
    for value in order:
        found = found + value
    return float(found)


def worst(kernel: Kernel, seed: int, found: Sequence[Array]) -> float:
    """The greatest error in ``found`` over what is allowed; infinite where none is."""
    arrays = random_arrays(kernel, seed)
    initial = {n: array.copy() for n, array in enumerate(arrays)}
    written = predict_writes(kernel, arrays, whole(parallel_axes(kernel)))
    dtypes = {n: parameter.dtype for n, parameter in enumerate(kernel.parameters)}
    greatest = 0.0
    for number, (places, values, bounds) in merge_writes(written, initial, dtypes).items():
        result = found[number][places].astype(np.float64)
        assert not (bounds < 0).any()
        assert not np.isnan(bounds).any()
        with np.errstate(all="ignore"):
            stored = round_to(values, dtypes[number]).astype(np.float64)
            off = np.abs(result - (values if dtypes[number].is_float else stored))
            both_nan = np.isnan(result) & np.isnan(values)
            same = (result == stored) & ~np.isfinite(stored)
            ratio = np.where(same | both_nan | (off == 0), 0.0, off / bounds)
        greatest = max(greatest, float(np.max(ratio, initial=0.0)))
    return greatest


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(SMALL, SEEDS)
def test_the_meaning_is_within_its_bounds(kernel: Kernel, seed: int) -> None:
    arrays = random_arrays(kernel, seed)
    run_kernel(kernel, arrays)
    assert worst(kernel, seed, arrays) <= 1


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(SMALL, SEEDS)
def test_sums_in_any_order_are_within_the_bounds(kernel: Kernel, seed: int) -> None:
    arrays = random_arrays(kernel, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scalar_kernels, "total", sum_in_f32)
        scalar_kernels.run(kernel, arrays)
    assert worst(kernel, seed, arrays) <= 1


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(SMALL, SEEDS)
def test_no_rounding_at_all_is_within_the_bounds(kernel: Kernel, seed: int) -> None:
    arrays = random_arrays(kernel, seed)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(scalar_kernels, "REAL", np.float64)
        scalar_kernels.run(kernel, arrays)
    assert worst(kernel, seed, arrays) <= 1


def _power(number: int) -> tuple[Apply, ...]:
    """2 to the square of value ``number``: its error grows with its argument."""
    square = Apply(ElementwiseOp.MULTIPLY, (number, number))
    return (square, Apply(ElementwiseOp.EXP2, (number + 1,)))


def _product_of_powers() -> Gemm:
    kernel = gemm(12, 12, 2, DType.F32)
    code = (*kernel.left.instructions, *_power(0))
    return replace(kernel, left=replace(kernel.left, instructions=code))


def _scores_of_powers() -> Attention:
    kernel = attention(1, 12, 2, 16, DType.F32)
    code = (*kernel.score.instructions, *_power(2))
    return replace(kernel, score=replace(kernel.score, instructions=code))


def _rounded_power() -> Pointwise:
    """Rounded on the way, where f32 and exact arithmetic may fall to different sides."""
    code: tuple[Instruction, ...] = (
        *_power(0),
        Apply(ElementwiseOp.MULTIPLY, (2, 2)),
        Convert(3, DType.F16),
        Apply(ElementwiseOp.ADD, (4, 4)),
    )
    return pointwise(40, 200, code=code, dtype=DType.F32)


def _changed_in_place() -> RowReduction:
    """The last phase reads what the one before it wrote."""
    kernel = norm(20, 30, 2, DType.F32)
    x = replace(kernel.parameters[0], access=ParameterAccess.UPDATE)
    first = kernel.phases[0]
    change = (*first.body.instructions, *_power(0)[:1], Apply(ElementwiseOp.EXP2, (2,)))
    changed = Phase(replace(first.body, instructions=change), (), (Store(0, AT, 3),))
    return replace(
        kernel, parameters=(x, kernel.parameters[1]), phases=(first, changed, kernel.phases[1])
    )


@pytest.mark.parametrize(
    "kernel",
    [
        norm(3, 3000, 2, DType.F32),
        pointwise(30, 30, code=_power(0), dtype=DType.F32),
        _rounded_power(),
        _product_of_powers(),
        _scores_of_powers(),
        _changed_in_place(),
    ],
)
def test_errors_that_grow_are_within_the_bounds(kernel: Kernel) -> None:
    verify_kernel(kernel)
    for real in (np.float32, np.float64):
        arrays = random_arrays(kernel, 3)
        with pytest.MonkeyPatch.context() as patch:
            patch.setattr(scalar_kernels, "REAL", real)
            patch.setattr(scalar_kernels, "total", sum_in_f32)
            scalar_kernels.run(kernel, arrays)
        assert worst(kernel, 3, arrays) <= 1


@pytest.mark.parametrize("dtype", [DType.F32, DType.BF16, DType.F16])
@pytest.mark.parametrize("inner", [7, 512, 8192])
def test_a_forgotten_term_is_found(dtype: DType, inner: int) -> None:
    kernel = replace(gemm(40, 30, inner, dtype), name="product")
    parameters = (*kernel.parameters[:2], replace(kernel.parameters[2], dtype=DType.F32))
    kernel = replace(kernel, parameters=parameters)
    arrays = random_arrays(kernel, 5)
    run_kernel(kernel, arrays)
    assert worst(kernel, 5, arrays) <= 1
    x, w, y = arrays
    short = x.reshape(40, inner)[:, :-1].astype(np.float32)
    weights = w.reshape(30, inner)[:, :-1].astype(np.float32)
    y[:] = (short @ weights.T).reshape(-1)
    assert worst(kernel, 5, arrays) > 1


def test_a_wrong_rounding_is_found() -> None:
    kernel = norm(20, 300)
    arrays = random_arrays(kernel, 5)
    run_kernel(kernel, arrays)
    assert worst(kernel, 5, arrays) <= 1
    bits = arrays[1].view(np.uint16)
    bits[:] += 1  # one step of bf16 further from zero
    assert worst(kernel, 5, arrays) > 1


def test_a_coarse_function_is_found() -> None:
    kernel = replace(gemm(20, 20, 20, DType.F32, epilogue=activation(0, 1)), name="activated")
    arrays = random_arrays(kernel, 5)
    run_kernel(kernel, arrays)
    assert worst(kernel, 5, arrays) <= 1
    arrays[2] *= np.float32(1 + 1e-4)
    assert worst(kernel, 5, arrays) > 1


def test_attention_with_rounded_weights_is_allowed_and_a_lost_key_is_not() -> None:
    kernel = attention(1, 20, 70, 16)
    q, k, v, y = random_arrays(kernel, 5)
    query, key, value = (array.astype(np.float32).reshape(-1, 16) for array in (q, k, v))
    for keys, fine in ((70, True), (69, False)):
        scores = query @ key[:keys].T * np.float32(0.25)
        weight = np.exp(scores - scores.max(axis=1, keepdims=True))
        rounded = weight.astype(DType.BF16.numpy).astype(np.float32)
        total = rounded @ value[:keys] / weight.sum(axis=1, keepdims=True)
        y[:] = total.reshape(-1).astype(y.dtype)
        assert (worst(kernel, 5, [q, k, v, y]) <= 1) is fine


@pytest.mark.parametrize("dtype", [DType.F32, DType.BF16, DType.F16])
def test_half_steps(dtype: DType) -> None:
    values = np.random.default_rng(1).standard_normal(1000) * 1e-3
    off = np.abs(values - round_to(values, dtype).astype(np.float64))
    steps = half_step(np.abs(values), dtype)
    assert (off <= steps).all()
    assert (off > 0.9 * steps).any()


def test_sums_of_few_terms_are_bounded_for_certain() -> None:
    assert sum_factor(9) == 9
    assert sum_factor(6400) == 640
    assert np.finfo(np.float32).eps / 2 == UNIT
