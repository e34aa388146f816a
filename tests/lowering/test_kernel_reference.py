"""The NumPy meaning of kernels, against a literal scalar interpreter and by hand."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, constant
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering import kernel_reference
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    Gemm,
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
    Table,
)
from lumc.lowering.kernel_reference import run_kernel, run_program
from lumc.lowering.kernel_types import parallel_axes
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.program_verifier import verify_program
from lumc.lowering.scalar_reference import UNARY, apply, round_to
from tests.lowering import scalar_kernels
from tests.strategies.kernels import (
    attentions,
    gemms,
    kernels,
    pointwise_kernels,
    random_arrays,
    row_reductions,
)

Array = npt.NDArray[Any]

SEEDS = st.integers(0, 2**32 - 1)
QUICK = settings(
    max_examples=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow, HealthCheck.data_too_large],
)

# Values are bounded (see the strategies); f32 differs from the scalar computation by a few
# roundings, a stored bf16 or f16 by one more step of that type.
_TOLERANCE = {DType.F32: 2e-5, DType.F16: 2e-3, DType.BF16: 1.6e-2}


def assert_equal(kernel: Kernel, found: list[Array], wanted: list[Array]) -> None:
    for parameter, one, other in zip(kernel.parameters, found, wanted, strict=True):
        if not parameter.dtype.is_float:
            np.testing.assert_array_equal(one, other, parameter.name)
            continue
        x, y = one.astype(np.float64), other.astype(np.float64)
        np.testing.assert_array_equal(np.isnan(x), np.isnan(y), parameter.name)
        tolerance = _TOLERANCE[parameter.dtype]
        np.testing.assert_allclose(x, y, tolerance, tolerance * 4, err_msg=parameter.name)


def check_against_scalar(kernel: Kernel, seed: int) -> None:
    verify_kernel(kernel)
    found, wanted = random_arrays(kernel, seed, 3), random_arrays(kernel, seed, 3)
    run_kernel(kernel, found)
    scalar_kernels.run(kernel, wanted)
    assert_equal(kernel, found, wanted)


@QUICK
@given(pointwise_kernels(largest=6), SEEDS)
def test_pointwise(kernel: Pointwise, seed: int) -> None:
    check_against_scalar(kernel, seed)


@QUICK
@given(row_reductions(largest=4, longest=12), SEEDS)
def test_row_reduction(kernel: RowReduction, seed: int) -> None:
    check_against_scalar(kernel, seed)


@QUICK
@given(gemms(largest=7, deepest=12), SEEDS)
def test_gemm(kernel: Gemm, seed: int) -> None:
    check_against_scalar(kernel, seed)


@QUICK
@given(attentions(longest=7, deepest=6), SEEDS)
def test_attention(kernel: Attention, seed: int) -> None:
    check_against_scalar(kernel, seed)


@QUICK
@given(kernels(), SEEDS, st.data())
def test_parts_make_up_the_whole(kernel: Kernel, seed: int, data: st.DataObject) -> None:
    axes = parallel_axes(kernel)
    cuts = [data.draw(st.integers(0, a.size)) for a in axes]
    halves = [
        [(low, high) for low, high in ((0, cut), (cut, a.size)) if low < high]
        for cut, a in zip(cuts, axes, strict=True)
    ]
    whole, parts = random_arrays(kernel, seed), random_arrays(kernel, seed)
    run_kernel(kernel, whole)
    for box in itertools.product(*halves):
        run_kernel(kernel, parts, box)
    assert_equal(kernel, parts, whole)


@QUICK
@given(kernels(), SEEDS, st.integers(1, 30))
def test_chunks_do_not_matter(kernel: Kernel, seed: int, chunk: int) -> None:
    whole, chunked = random_arrays(kernel, seed), random_arrays(kernel, seed)
    run_kernel(kernel, whole)
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(kernel_reference, "_CHUNK", chunk)
        run_kernel(kernel, chunked)
    assert_equal(kernel, chunked, whole)


# ------------------------------------------------------------------------------------- small facts


_REALS = np.array([-7.5, -2.0, -0.5, 0.25, 1.0, 3.0], np.float32)
_WHOLES = np.array([-7, -4, -1, 0, 5, 9], np.int32)
_BOOLS = np.array([False, True])


@pytest.mark.parametrize("op", [op for op in ElementwiseOp if op is not ElementwiseOp.SELECT])
@pytest.mark.parametrize("first", [_REALS, _WHOLES, _BOOLS])
@pytest.mark.parametrize("second", [_REALS, _WHOLES, _BOOLS])
def test_operations(op: ElementwiseOp, first: Array, second: Array) -> None:
    """Each operation on each pair of types is what the scalar interpreter says, in its type."""
    unary = op in UNARY
    whole = op in (ElementwiseOp.FLOOR_DIVIDE, ElementwiseOp.MODULO)
    if whole and _REALS.dtype in (first.dtype, second.dtype):
        with pytest.raises(TypeError, match="whole numbers"):
            apply(op, [first[:1], second[:1]])
        return
    for x, y in itertools.product(first, second):
        domain = op in (ElementwiseOp.LOG2, ElementwiseOp.SQUARE_ROOT, ElementwiseOp.RECIPROCAL)
        if (domain and x <= 0) or (whole and y <= 0):
            continue
        operands = [x] if unary else [x, y]
        found = apply(op, [np.asarray(operand) for operand in operands])
        wanted = scalar_kernels.apply(op, operands)
        assert found.dtype == wanted.dtype
        np.testing.assert_allclose(found, wanted, 2e-7)


def test_select_takes_one_of_two() -> None:
    found = apply(ElementwiseOp.SELECT, [_BOOLS, _REALS[:2], _REALS[2:4]])
    np.testing.assert_array_equal(found, [_REALS[2], _REALS[1]])


def test_what_was_loaded_stays_when_its_place_is_written() -> None:
    old = _parameter("x", DType.F32, 4, access=ParameterAccess.UPDATE)
    kernel = Pointwise(
        "shift",
        (old, _parameter("y", DType.F32, 4, access=ParameterAccess.WRITE)),
        Body((KernelAxis("i", 4),), (Load(0, (axis(0),)), Apply(ElementwiseOp.ADD, (0, 0)))),
        (Store(0, (axis(0),), 1), Store(1, (axis(0),), 0)),
    )
    verify_kernel(kernel)
    x, y = random_arrays(kernel, 1)
    before = x.copy()
    run_kernel(kernel, [x, y])
    np.testing.assert_array_equal(x, before * 2)
    np.testing.assert_array_equal(y, before)


def _copy(source: Parameter, target: Parameter, *sizes: int) -> Pointwise:
    axes = tuple(KernelAxis(f"i{n}", size) for n, size in enumerate(sizes))
    index = tuple(axis(n) for n in range(len(sizes)))
    return Pointwise("copy", (source, target), Body(axes, (Load(0, index),)), (Store(1, index, 0),))


def _parameter(
    name: str, dtype: DType, *shape: int, access: ParameterAccess = ParameterAccess.READ
) -> Parameter:
    strides = tuple(int(np.prod(shape[n + 1 :])) for n in range(len(shape)))
    return Parameter(name, dtype, shape, strides, access)


def test_only_the_given_part_is_written() -> None:
    written = _parameter("y", DType.F32, 4, 5, access=ParameterAccess.WRITE)
    kernel = _copy(_parameter("x", DType.F32, 4, 5), written, 4, 5)
    x, y = random_arrays(kernel, 1)
    run_kernel(kernel, [x, y], [(1, 3), (0, 2)])
    inside = np.zeros((4, 5), bool)
    inside[1:3, :2] = True
    np.testing.assert_array_equal(~np.isnan(y.reshape(4, 5)), inside)


def test_poison_shows() -> None:
    written = _parameter("y", DType.F32, 4, access=ParameterAccess.WRITE)
    kernel = _copy(_parameter("x", DType.F32, 4), written, 4)
    x, y = random_arrays(kernel, 1)
    x[2] = np.nan
    run_kernel(kernel, [x, y])
    np.testing.assert_array_equal(np.isnan(y), [False, False, True, False])


def test_reads_out_of_bounds_are_refused() -> None:
    written = _parameter("y", DType.F32, 4, access=ParameterAccess.WRITE)
    kernel = Pointwise(
        "gather",
        (_parameter("at", DType.I32, 4), _parameter("x", DType.F32, 3), written),
        Body((KernelAxis("i", 4),), (Load(0, (axis(0),)), Load(1, (axis(1),), (0,)))),
        (Store(2, (axis(0),), 1),),
    )
    x, y = np.ones(3, np.float32), np.empty(4, np.float32)
    for bad in (-1, 3):
        with pytest.raises(IndexError, match=r"gather: index .* of x"):
            run_kernel(kernel, [np.array([0, 1, bad, 2], np.int32), x, y])


def test_arrays_must_fit() -> None:
    written = _parameter("y", DType.F32, 4, access=ParameterAccess.WRITE)
    kernel = _copy(_parameter("x", DType.F32, 4), written, 4)
    x, y = random_arrays(kernel, 1)
    for wrong in ([x], [x, y.astype(np.float64)], [x, y[:3]], [x, y.reshape(2, 2)]):
        with pytest.raises(TypeError, match="copy"):
            run_kernel(kernel, wrong)


@pytest.mark.parametrize(
    ("value", "dtype", "wanted"),
    [
        (1.9, DType.I32, 1),
        (-1.9, DType.I32, -1),
        (np.nan, DType.I32, 0),
        (3e9, DType.I32, 2**31 - 1),
        (-np.inf, DType.I32, -(2**31)),
        (300.5, DType.U8, 44),
        (0.25, DType.BOOL, True),
        (1.00390625, DType.BF16, 1.0),
        (1.01171875, DType.BF16, 1.015625),
        (70000.0, DType.F16, np.inf),
    ],
)
def test_rounding(value: float, dtype: DType, wanted: float) -> None:
    with np.errstate(all="ignore"):
        found = round_to(np.array([value], np.float32), dtype)
    assert found.dtype == dtype.numpy
    assert found[0] == wanted


def test_colliding_writes_combine_and_round_once() -> None:
    target = _parameter("y", DType.BF16, 1, access=ParameterAccess.UPDATE)
    kernel = Pointwise(
        "sum",
        (target,),
        Body((KernelAxis("i", 4),), (Literal(1.0, DType.F32),)),
        (Store(0, (constant(0),), 0, combine=ReduceOp.SUM),),
    )
    # 1 added to 256 in bf16 is lost each time; 4 together are not.
    y = np.array([256], DType.BF16.numpy)
    run_kernel(kernel, [y])
    assert y[0] == 260


def _attention(shift: float) -> Attention:
    """Attention of 3 queries and keys with ``shift`` added to its scores."""
    axes = {name: (KernelAxis(name, 3),) for name in "qkdc"}
    read = [_parameter(name, DType.F32, 3, 3) for name in ("query", "key", "value")]
    written = _parameter("y", DType.F32, 3, 3, access=ParameterAccess.WRITE)
    score = (Accumulator(0), Literal(shift, DType.F32), Apply(ElementwiseOp.ADD, (0, 1)))
    index = (axis(0), axis(1))
    return Attention(
        "attention",
        (*read, written),
        (),
        axes["q"],
        axes["k"],
        axes["d"],
        axes["c"],
        Body(axes["q"] + axes["d"], (Load(0, index),)),
        Body(axes["k"] + axes["d"], (Load(1, index),)),
        Body(axes["q"] + axes["k"], score),
        Body(axes["k"] + axes["c"], (Load(2, index),)),
        DType.F32,
        Body(axes["q"] + axes["c"], (Accumulator(0),)),
        (Store(3, index, 0),),
    )


def test_a_row_that_sees_nothing_is_nan() -> None:
    kernel = _attention(float("-inf"))
    verify_kernel(kernel)
    arrays = random_arrays(kernel, 3)
    arrays[3][:] = 0
    run_kernel(kernel, arrays)
    assert np.isnan(arrays[3]).all()


def test_great_scores_do_not_overflow() -> None:
    plain, great = random_arrays(_attention(0.0), 3), random_arrays(_attention(0.0), 3)
    run_kernel(_attention(0.0), plain)
    run_kernel(_attention(200.0), great)
    np.testing.assert_allclose(great[3], plain[3], 1e-4)


def test_program() -> None:
    """Copies an input and a table into the halves of an output, through offsets."""
    half = _copy(
        _parameter("x", DType.F32, 3),
        _parameter("y", DType.F32, 3, access=ParameterAccess.WRITE),
        3,
    )
    program = KernelProgram(
        "halves",
        (
            Buffer("x", BufferKind.INPUT, DType.F32, (3,)),
            Buffer("t", BufferKind.TABLE, DType.F32, (1, 3)),
            Buffer("y", BufferKind.OUTPUT, DType.F32, (2, 3)),
        ),
        (Table(1, np.array([[7, 8, 9]], np.float32)),),
        (half,),
        (),
        (
            Launch(0, (Argument(0), Argument(2))),
            Launch(0, (Argument(1), Argument(2, 3))),
        ),
    )
    verify_program(program)
    found = run_program(program, {"x": np.array([1, 2, 3], np.float32)}, {})
    np.testing.assert_array_equal(found["y"], [[1, 2, 3], [7, 8, 9]])
    with pytest.raises(TypeError, match="x is f32"):
        run_program(program, {"x": np.array([1, 2, 3], np.float64)}, {})
    with pytest.raises(KeyError):
        run_program(program, {}, {})
