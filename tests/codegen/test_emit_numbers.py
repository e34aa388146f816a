"""Scalar operations, conversions and meeting writes of the device header, number by number."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lumc.codegen.emit import MathMode, emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, modulo
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Apply,
    Body,
    Convert,
    IndexOf,
    Instruction,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
)
from lumc.lowering.kernel_reference import run_kernel
from tests.codegen.emulated import emulate
from tests.codegen.sample_kernels import UPDATE, WRITE, dense

Array = npt.NDArray[Any]
POINT = (axis(0),)
SPECIAL = [0.0, -0.0, 1.0, -1.0, np.inf, -np.inf, np.nan, 1e-45, -1e-40, 3.4e38, 65504.0, 65520.0]


def run(kernel: Pointwise, *arrays: Array, math_mode: MathMode = MathMode.FAST) -> Array:
    """The last array after ``kernel`` ran on the emulator."""
    emitted = emit_kernel(kernel, target_named("gfx942"), math_mode=math_mode)
    emulate(emitted, "gfx942", arrays)
    return arrays[-1]


def unary(op: ElementwiseOp, values: Array, math_mode: MathMode = MathMode.FAST) -> Array:
    body = Body((KernelAxis("i", values.size),), (Load(0, POINT), Apply(op, (0,))))
    parameters = (
        dense("x", DType.F32, values.size),
        dense("y", DType.F32, values.size, access=WRITE),
    )
    kernel = Pointwise("unary", parameters, body, (Store(1, POINT, 1),))
    return run(kernel, values, np.full(values.size, np.nan, np.float32), math_mode=math_mode)


def reals(*parts: Array | list[float]) -> Array:
    return np.concatenate([np.asarray(part, np.float32) for part in parts])


def spread(low: float, high: float, count: int = 500) -> Array:
    return np.random.default_rng(7).uniform(low, high, count).astype(np.float32)


def units_apart(found: Array, wanted: Array) -> float:
    """The largest distance in units of the last place of f32, where both are numbers."""
    spacing = np.spacing(np.abs(wanted.astype(np.float32))).astype(np.float64)
    error = np.abs(found.astype(np.float64) - wanted) / spacing
    return float(error[np.isfinite(wanted)].max())


def same_specials(found: Array, wanted: Array) -> None:
    """NaN and infinities stand in the same places."""
    assert np.array_equal(np.isnan(found), np.isnan(wanted))
    infinite = np.isinf(wanted)
    assert np.array_equal(found[infinite], wanted[infinite])


@pytest.mark.parametrize("largest", [1.0, 10.0, 1e4, 1e9])
def test_sine(largest: float) -> None:
    x = reals(spread(-largest, largest), np.arange(-8, 9) * np.pi / 4)
    wanted = np.sin(x.astype(np.float64))
    found = unary(ElementwiseOp.SINE, x)
    assert np.abs(found - wanted).max() < 1.5e-7


def test_sine_of_what_is_no_number() -> None:
    assert np.isnan(unary(ElementwiseOp.SINE, reals([np.inf, -np.inf, np.nan]))).all()


@pytest.mark.parametrize(
    ("op", "values", "units"),
    [
        (ElementwiseOp.EXP2, reals(spread(-126, 128), [0, 1, -1, 127]), 2),
        (ElementwiseOp.LOG2, reals(spread(1e-6, 1e6), [1, 2, 0.5, 1e-40]), 2),
        (ElementwiseOp.SQUARE_ROOT, reals(spread(0, 1e9), [0, 1, 2, 1e-40]), 0.5),
        (ElementwiseOp.RECIPROCAL, reals(spread(-100, 100), [1, 3, 1e-37]), 1.5),
    ],
)
def test_functions(op: ElementwiseOp, values: Array, units: float) -> None:
    functions = {
        ElementwiseOp.EXP2: np.exp2,
        ElementwiseOp.LOG2: np.log2,
        ElementwiseOp.SQUARE_ROOT: np.sqrt,
        ElementwiseOp.RECIPROCAL: np.reciprocal,
    }
    wanted = functions[op](values.astype(np.float64))
    assert units_apart(unary(op, values), wanted) <= units
    with np.errstate(all="ignore"):
        special = reals(SPECIAL[:7])
        same_specials(unary(op, special), functions[op](special))


def test_exact_reciprocals_and_powers() -> None:
    x = reals(spread(-100, 100), spread(1e-37, 1e-30), spread(1e30, 1e37))
    exact = unary(ElementwiseOp.RECIPROCAL, x, MathMode.EXACT)
    assert np.array_equal(exact, np.float32(1) / x)
    small = spread(-145, -127)
    powers = unary(ElementwiseOp.EXP2, small, MathMode.EXACT)
    assert units_apart(powers, np.exp2(small.astype(np.float64))) <= 1


def converted(values: Array, source: DType, target: DType) -> tuple[Array, Array]:
    """``values`` converted and stored as ``target``: by the emulator, and by the reference."""
    body = Body((KernelAxis("i", values.size),), (Load(0, POINT), Convert(0, target)))
    parameters = (
        dense("x", source, values.size),
        dense("y", target, values.size, access=WRITE),
    )
    kernel = Pointwise("convert", parameters, body, (Store(1, POINT, 1),))
    empty = np.zeros(values.size, target.numpy)
    expected = empty.copy()
    run_kernel(kernel, [values, expected])
    return run(kernel, values, empty), expected


@pytest.mark.parametrize("target", [DType.BF16, DType.F16, DType.F32, DType.BOOL])
def test_rounding(target: DType) -> None:
    ties = np.arange(0x3F800000, 0x3F840000, 0x1000, dtype=np.uint32).view(np.float32)
    values = reals(SPECIAL, ties, -ties, spread(-1e5, 1e5), spread(-1e-5, 1e-5))
    found, wanted = converted(values, DType.F32, target)
    numbers = ~np.isnan(values)
    assert np.array_equal(found[numbers].view(np.uint8), wanted[numbers].view(np.uint8))
    same_specials(found.astype(np.float32), wanted.astype(np.float32))


@pytest.mark.parametrize("target", [DType.I32, DType.I64, DType.U8])
def test_cutting(target: DType) -> None:
    ends = [2**31, -(2**31), 2**31 - 128, 2**63, -(2**63), 255.9, 256.5, -0.9, 1e30, -1e30]
    found, wanted = converted(reals(SPECIAL, ends, spread(-3e9, 3e9)), DType.F32, target)
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize("source", [DType.BF16, DType.F16])
def test_every_half_is_read_right(source: DType) -> None:
    values = np.arange(2**16, dtype=np.uint16).view(source.numpy)
    found, wanted = converted(values, source, DType.F32)
    assert np.array_equal(found, wanted, equal_nan=True)


def binary(op: ElementwiseOp, left: Array, right: Array, dtype: DType) -> tuple[Array, Array]:
    body = Body((KernelAxis("i", left.size),), (Load(0, POINT), Load(1, POINT), Apply(op, (0, 1))))
    parameters = (
        dense("a", dtype, left.size),
        dense("b", dtype, left.size),
        dense("y", dtype, left.size, access=WRITE),
    )
    kernel = Pointwise("binary", parameters, body, (Store(2, POINT, 2),))
    empty = np.zeros(left.size, dtype.numpy)
    expected = empty.copy()
    run_kernel(kernel, [left, right, expected])
    return run(kernel, left, right, empty), expected


def test_maximum_keeps_nan() -> None:
    left, right = (part.ravel() for part in np.meshgrid(reals(SPECIAL), reals(SPECIAL)))
    found, wanted = binary(ElementwiseOp.MAXIMUM, left, right, DType.F32)
    assert np.array_equal(found, wanted, equal_nan=True)


@pytest.mark.parametrize("dtype", [DType.I32, DType.I64])
@pytest.mark.parametrize("op", [ElementwiseOp.FLOOR_DIVIDE, ElementwiseOp.MODULO])
def test_whole_division(op: ElementwiseOp, dtype: DType) -> None:
    some = np.array([-7, -6, -1, 0, 1, 5, 7, 2**31 - 1, -(2**31)], dtype.numpy)
    by = np.array([-5, -2, 1, 2, 3, 7], dtype.numpy)
    left, right = (part.ravel() for part in np.meshgrid(some, by))
    found, wanted = binary(op, left, right, dtype)
    assert np.array_equal(found, wanted)


@pytest.mark.parametrize(
    ("op", "dtype"),
    [
        (ReduceOp.MAXIMUM, DType.F32),
        (ReduceOp.MAXIMUM, DType.BF16),
        (ReduceOp.MAXIMUM, DType.F16),
        (ReduceOp.MAXIMUM, DType.I32),
        (ReduceOp.MAXIMUM, DType.BOOL),
        (ReduceOp.SUM, DType.I32),
        (ReduceOp.SUM, DType.I64),
        (ReduceOp.SUM, DType.U8),
    ],
)
def test_writes_that_meet(op: ReduceOp, dtype: DType) -> None:
    """1000 values meet in 12 places, over several workgroups."""
    count, places = 1000, 12
    body = Body((KernelAxis("i", count),), (Load(0, POINT),))
    parameters = (dense("x", dtype, count), dense("y", dtype, places, access=UPDATE))
    store = Store(1, (modulo(axis(0), places, (count,)),), 0, combine=op)
    kernel = Pointwise("meet", parameters, body, (store,))
    generator = np.random.default_rng(3)
    values = generator.standard_normal(count) * 100 - 300
    x = (values < -350) if dtype is DType.BOOL else values.astype(dtype.numpy)
    y = np.zeros(places, dtype.numpy) if dtype is DType.BOOL else x[:places].copy()
    expected = y.copy()
    run_kernel(kernel, [x, expected])
    assert np.array_equal(run(kernel, x, y), expected)
    assert not np.array_equal(expected, x[:places])


def test_sums_of_reals_that_meet_are_refused() -> None:
    """Their result would depend on the order of the threads."""
    body = Body((KernelAxis("i", 8),), (Load(0, POINT),))
    parameters = (dense("x", DType.F32, 8), dense("y", DType.F32, 1, access=UPDATE))
    store = Store(1, (modulo(axis(0), 1, (8,)),), 0, combine=ReduceOp.SUM)
    with pytest.raises(ValueError, match="no one result"):
        emit_kernel(Pointwise("meet", parameters, body, (store,)), target_named("gfx942"))


def test_extents_past_32_bits_are_indexed_with_64() -> None:
    """Nothing so large is run here: the text is read."""
    rows, columns = 3, 2**31
    big = Parameter("x", DType.F32, (rows, columns), (columns, 1))
    small = Parameter("y", DType.F32, (rows,), (1,), ParameterAccess.WRITE)
    instructions: tuple[Instruction, ...] = (Load(0, (axis(0), axis(0))),)
    body = Body((KernelAxis("i", rows),), instructions)
    kernel = Pointwise("wide", (big, small), body, (Store(1, POINT, 0),))
    assert "2147483649LL * i64(i)" in emit_kernel(kernel, target_named("gfx942")).source


def test_index_values() -> None:
    body = Body((KernelAxis("i", 300),), (IndexOf(modulo(axis(0), 7, (300,))),))
    parameters = (dense("y", DType.I32, 300, access=WRITE),)
    kernel = Pointwise("iota", parameters, body, (Store(0, POINT, 0),))
    found = run(kernel, np.full(300, -1, np.int32))
    assert np.array_equal(found, np.arange(300) % 7)
