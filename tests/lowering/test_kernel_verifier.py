"""Each rule of kernels and kernel programs: a valid one is accepted, and each break is named."""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    evaluate,
    floor_divide,
    modulo,
    scale,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Attention,
    Body,
    Buffer,
    BufferKind,
    Convert,
    Gemm,
    GemmTile,
    IndexOf,
    Instruction,
    KernelAxis,
    KernelProgram,
    Launch,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Reduction,
    RowReduction,
    Store,
    Table,
)
from lumc.lowering.kernel_ranges import (
    are_apart,
    are_disjoint,
    index_range,
    is_injective,
    whole_number_ranges,
)
from lumc.lowering.kernel_reference import run_kernel, run_program
from lumc.lowering.kernel_verifier import (
    VerificationError,
    verify_kernel,
)
from lumc.lowering.program_verifier import most_written, verify_program
from lumc.lowering.scalar_reference import Memory, Scope, whole
from tests.strategies.kernels import pointwise_kernels, random_arrays

READ, WRITE, UPDATE = ParameterAccess.READ, ParameterAccess.WRITE, ParameterAccess.UPDATE


def dense(
    name: str, *shape: int, dtype: DType = DType.F32, access: ParameterAccess = READ
) -> Parameter:
    strides = tuple(int(np.prod(shape[n + 1 :])) for n in range(len(shape)))
    return Parameter(name, dtype, shape, strides, access)


IJ = (KernelAxis("i", 4), KernelAxis("j", 6))
AT = (axis(0), axis(1))


def scaled() -> Pointwise:
    """y[i, j] = x[i, j] * at[i, j], and at is whole."""
    return Pointwise(
        "scaled",
        (
            dense("x", 4, 6),
            dense("at", 4, 6, dtype=DType.I32),
            dense("y", 4, 6, access=WRITE),
        ),
        Body(IJ, (Load(0, AT), Load(1, AT), Apply(ElementwiseOp.MULTIPLY, (0, 1)))),
        (Store(2, AT, 2),),
    )


def with_code(*code: Instruction, store: Store | None = None) -> Pointwise:
    """``scaled`` with ``code`` after its own, values 3 and on."""
    kernel = scaled()
    body = Body(IJ, (*kernel.body.instructions, *code))
    return replace(kernel, body=body, stores=(store or kernel.stores[0],))


def with_parameter(number: int, **changes: Any) -> Pointwise:
    kernel = scaled()
    parameters = list(kernel.parameters)
    parameters[number] = replace(parameters[number], **changes)
    return replace(kernel, parameters=tuple(parameters))


def product() -> Gemm:
    m, n, k = (KernelAxis("m", 5),), (KernelAxis("n", 7),), (KernelAxis("k", 3),)
    bf16 = DType.BF16
    return Gemm(
        "product",
        (
            dense("x", 5, 3, dtype=bf16),
            dense("w", 7, 3, dtype=bf16),
            dense("y", 5, 7, access=WRITE),
        ),
        (),
        m,
        n,
        k,
        Body(m + k, (Load(0, AT),)),
        (Body(n + k, (Load(1, AT),)),),
        bf16,
        Body(m + n, (Accumulator(0),)),
        (Store(2, AT, 0),),
    )


def softmax() -> RowReduction:
    i, j = (KernelAxis("i", 5),), (KernelAxis("j", 7),)
    load = Load(0, AT)
    return RowReduction(
        "normed",
        (dense("x", 5, 7), dense("y", 5, 7, access=WRITE)),
        i,
        (
            Phase(Body(i + j, (load,)), (Reduction(ReduceOp.SUM, 0),)),
            Phase(
                Body(
                    i + j,
                    (
                        load,
                        Accumulator(0),
                        Apply(ElementwiseOp.RECIPROCAL, (1,)),
                        Apply(ElementwiseOp.MULTIPLY, (0, 2)),
                    ),
                ),
                (),
                (Store(1, AT, 3),),
            ),
        ),
    )


def attention() -> Attention:
    q, k = (KernelAxis("q", 5),), (KernelAxis("k", 7),)
    d, c = (KernelAxis("d", 3),), (KernelAxis("c", 2),)
    return Attention(
        "attention",
        (dense("x", 5, 3), dense("y", 7, 3), dense("z", 7, 2), dense("o", 5, 2, access=WRITE)),
        (),
        q,
        k,
        d,
        c,
        Body(q + d, (Load(0, AT),)),
        Body(k + d, (Load(1, AT),)),
        Body(q + k, (Accumulator(0),)),
        Body(k + c, (Load(2, AT),)),
        DType.F32,
        Body(q + c, (Accumulator(0),)),
        (Store(3, AT, 0),),
    )


def test_valid_kernels_pass() -> None:
    for kernel in (scaled(), product(), softmax(), attention(), with_code(Literal(1, DType.F32))):
        verify_kernel(kernel)


def test_a_guarded_window_passes_and_an_unguarded_one_does_not() -> None:
    window = (add(axis(0), constant(-1)), axis(1))
    guard = (
        IndexOf(window[0]),
        Literal(-1, DType.I32),
        Apply(ElementwiseOp.LESS_THAN, (4, 3)),
    )
    verify_kernel(with_code(*guard, Load(0, window, predicate=5)))
    with pytest.raises(VerificationError, match=r"index 0 of x\(4, 6\) runs from -1 to 2"):
        verify_kernel(with_code(*guard, Load(0, window)))


def test_computed_indices_are_checked_where_their_range_is_known() -> None:
    at = (axis(0), axis(2))
    verify_kernel(with_code(Literal(6, DType.I32), Load(0, at, (1,))))
    modulus = Apply(ElementwiseOp.MODULO, (1, 3))
    verify_kernel(with_code(Literal(6, DType.I32), modulus, Load(0, at, (4,))))
    with pytest.raises(VerificationError, match=r"index 1 of x\(4, 6\) runs from 0 to 6"):
        verify_kernel(with_code(Literal(7, DType.I32), modulus, Load(0, at, (4,))))


def test_an_index_that_only_trying_shows_to_be_in_bounds() -> None:
    quotient = IndexExpression(0, ((floor_divide(axis(1), 4, (4, 6)).terms[0][0], -4),))
    verify_kernel(with_code(Load(0, (axis(0), add(axis(1), quotient)))))


BROKEN: dict[str, tuple[Callable[[], Any], str]] = {
    "size": (lambda: replace(scaled(), body=Body((KernelAxis("i", 0),), ())), "axis i has size 0"),
    "late operand": (
        lambda: with_code(Apply(ElementwiseOp.ADD, (0, 3))),
        r"value 3 \(Apply\): value 3 is not defined before it",
    ),
    "two stores that meet": (
        lambda: replace(scaled(), stores=scaled().stores * 2),
        "two stores to .* may write one place",
    ),
    "too long a whole number": (
        lambda: with_code(Literal(2**63, DType.I64)),
        "9223372036854775808 is no literal of i64",
    ),
    "late convert": (lambda: with_code(Convert(9, DType.BF16)), "value 9 is not defined"),
    "operand count": (lambda: with_code(Apply(ElementwiseOp.ADD, (0,))), "add takes 2 operands"),
    "real modulo": (
        lambda: with_code(Apply(ElementwiseOp.MODULO, (0, 1))),
        "mod is for whole numbers",
    ),
    "select": (
        lambda: with_code(Apply(ElementwiseOp.SELECT, (0, 1, 1))),
        "select takes a bool",
    ),
    "select of two types": (
        lambda: with_code(
            Apply(ElementwiseOp.LESS_THAN, (0, 0)), Apply(ElementwiseOp.SELECT, (3, 0, 1))
        ),
        "two of one type",
    ),
    "literal": (lambda: with_code(Literal(0.5, DType.I32)), "0.5 is no literal of i32"),
    "great literal": (lambda: with_code(Literal(2**31, DType.I32)), "is no literal of i32"),
    "bf16 literal": (lambda: with_code(Literal(0.5, DType.BF16)), "no literal of bf16"),
    "bool literal": (lambda: with_code(Literal(True, DType.I32)), "True is no literal of i32"),
    "f64": (lambda: with_code(Convert(0, DType.F64)), "f64 exists only at compile time"),
    "accumulator": (lambda: with_code(Accumulator(0)), "there are 0 accumulators here"),
    "parameter": (lambda: with_code(Load(7, AT)), "there is no parameter 7"),
    "rank": (lambda: with_code(Load(0, (axis(0),))), r"1 indices for x\(4, 6\)"),
    "axis": (lambda: with_code(Load(0, (axis(0), axis(2)))), "names an axis that is not among"),
    "index axis": (lambda: with_code(IndexOf(axis(2))), "names an axis that is not among"),
    "computed type": (
        lambda: with_code(Load(0, (axis(0), axis(2)), (0,))),
        "a computed index must be an i32",
    ),
    "predicate type": (lambda: with_code(Load(0, AT, predicate=0)), "the predicate must be a bool"),
    "late predicate": (lambda: with_code(Load(0, AT, predicate=8)), "value 8 is not defined"),
    "bounds": (
        lambda: with_code(Load(0, (axis(0), add(axis(1), constant(1))))),
        r"index 1 of x\(4, 6\) runs from 1 to 6",
    ),
    "store bounds": (
        lambda: with_code(store=Store(2, (axis(1), axis(0)), 2)),
        r"body: store 0: index 0 of y\(4, 6\) runs from 0 to 5",
    ),
    "store value": (lambda: with_code(store=Store(2, AT, 3)), "store 0: value 3 is not defined"),
    "store parameter": (lambda: with_code(store=Store(5, AT, 2)), "store 0: there is no parameter"),
    "collision": (
        lambda: with_code(store=Store(2, (axis(0), constant(0)), 2)),
        "several points of .* write one place of y",
    ),
    "names": (lambda: with_parameter(1, name="x"), "two parameters of one name"),
    "strides": (lambda: with_parameter(0, strides=(6,)), "parameter x: shape"),
    "negative stride": (lambda: with_parameter(0, strides=(-6, 1)), "parameter x: shape"),
    "f64 parameter": (lambda: with_parameter(0, dtype=DType.F64), "parameter x: f64"),
    "overlap": (lambda: with_parameter(2, strides=(5, 1)), "parameter y: is written and its"),
    "read is written": (lambda: with_parameter(2, access=READ), "y is read, but is write"),
    "write is read": (lambda: with_parameter(0, access=WRITE), "x is write, but is read"),
    "update is written": (lambda: with_parameter(2, access=UPDATE), "y is update, but is write"),
    "unused": (
        lambda: replace(scaled(), parameters=(*scaled().parameters, dense("z", 2))),
        "z is read, but is not used",
    ),
    "combine": (
        lambda: with_code(store=replace(scaled().stores[0], combine=ReduceOp.SUM)),
        "y is write, but is update",
    ),
    "phase axes": (
        lambda: replace(softmax(), rows=(KernelAxis("i", 4),)),
        "phase 0: is over .* and should be over",
    ),
    "no phases": (lambda: replace(softmax(), phases=()), "has no phases"),
    "own accumulator": (
        lambda: replace(softmax(), phases=softmax().phases[1:]),
        "phase 0: value 1 .* there are 0 accumulators",
    ),
    "reduction value": (
        lambda: replace(
            softmax(),
            phases=(
                replace(softmax().phases[0], reductions=(Reduction(ReduceOp.SUM, 1),)),
                softmax().phases[1],
            ),
        ),
        "phase 0: reduction: value 1 is not defined",
    ),
    "left axes": (
        lambda: replace(product(), inner=(KernelAxis("k", 2),)),
        "left: is over .* and should be over",
    ),
    "no right": (lambda: replace(product(), right=()), "has no right side"),
    "no stores": (lambda: replace(product(), stores=()), "stores nothing"),
    "whole product": (lambda: replace(product(), operand_dtype=DType.I32), "products of i32"),
    "inexact operand": (
        lambda: replace(product(), operand_dtype=DType.F16),
        "left: its last value may change when it is rounded to f16",
    ),
    "inexact literal": (
        lambda: replace(product(), left=Body(product().left.axes, (Literal(0.1, DType.F32),))),
        "left: its last value may change",
    ),
    "whole operand": (
        lambda: replace(product(), left=Body(product().left.axes, (Literal(1, DType.I32),))),
        "left: must end in an f32",
    ),
    "empty operand": (
        lambda: replace(product(), left=Body(product().left.axes, ())),
        "left: must end in an f32",
    ),
    "second accumulator": (
        lambda: replace(product(), epilogue=Body(product().epilogue.axes, (Accumulator(1),))),
        "epilogue: .* there are 1 accumulators here, not 1",
    ),
    "tile": (lambda: replace(product(), tile=GemmTile(0, 16, 16, 1, 1)), "tile"),
    "bool score": (
        lambda: replace(
            attention(), score=Body(attention().score.axes, (Literal(True, DType.BOOL),))
        ),
        "score: must end in an f32",
    ),
    "attention key": (
        lambda: replace(attention(), keys=(KernelAxis("k", 6),)),
        "key: is over .* and should be over",
    ),
    "attention stores": (lambda: replace(attention(), stores=()), "stores nothing"),
}


@pytest.mark.parametrize("name", BROKEN)
def test_broken_kernels_are_named(name: str) -> None:
    make, message = BROKEN[name]
    kernel = make()
    with pytest.raises(VerificationError, match=message) as caught:
        verify_kernel(kernel)
    assert str(caught.value).startswith(kernel.name)


def test_operands_that_are_exact() -> None:
    axes = product().left.axes
    code = (
        Load(0, AT),
        Literal(0.5, DType.F32),
        Apply(ElementwiseOp.MAXIMUM, (0, 1)),
        Apply(ElementwiseOp.EXP2, (2,)),
        Convert(3, DType.BF16),
        Apply(ElementwiseOp.LESS_THAN, (0, 1)),
        Apply(ElementwiseOp.SELECT, (5, 4, 2)),
    )
    verify_kernel(replace(product(), left=Body(axes, code)))
    with pytest.raises(VerificationError, match="may change"):
        verify_kernel(replace(product(), left=Body(axes, code[:4])))


# ----------------------------------------------------------------------------------------- program


def buffers() -> tuple[Buffer, ...]:
    return (
        Buffer("x", BufferKind.INPUT, DType.F32, (4, 6)),
        Buffer("at", BufferKind.TABLE, DType.I32, (4, 6)),
        Buffer("w", BufferKind.PREPARED, DType.F32, (4, 6)),
        Buffer("t", BufferKind.INTERMEDIATE, DType.F32, (4, 6)),
        Buffer("y", BufferKind.OUTPUT, DType.F32, (4, 6)),
        Buffer("c", BufferKind.WEIGHT, DType.F32, (4, 6)),
    )


def program() -> KernelProgram:
    def launch(*at: int) -> Launch:
        return Launch(0, tuple(Argument(n) for n in at))

    return KernelProgram(
        "stage",
        buffers(),
        (Table(1, np.arange(24, dtype=np.int32).reshape(4, 6)),),
        (scaled(),),
        (launch(5, 1, 3), launch(3, 1, 2)),
        (launch(0, 1, 3), launch(3, 1, 4)),
    )


def with_launch(*arguments: Argument, kernel: int = 0, prepare: bool = False) -> KernelProgram:
    """``program`` with one more launch before the others."""
    launch = Launch(kernel, arguments)
    if prepare:
        return replace(program(), prepare=(launch, *program().prepare))
    return replace(program(), launches=(launch, *program().launches))


def with_buffer(number: int, **changes: Any) -> KernelProgram:
    changed = list(buffers())
    changed[number] = replace(changed[number], **changes)
    return replace(program(), buffers=tuple(changed))


def test_a_valid_program_passes_and_runs() -> None:
    verify_program(program())
    x = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    found = run_program(program(), {"x": x}, {"c": x})
    np.testing.assert_allclose(found["y"], x * np.arange(24).reshape(4, 6) ** 2, 1e-6)


BROKEN_PROGRAMS: dict[str, tuple[Callable[[], KernelProgram], str]] = {
    "kernel": (lambda: with_launch(kernel=3), "launch 0: there is no kernel 3"),
    "arguments": (lambda: with_launch(Argument(0)), "1 arguments for 3 parameters"),
    "buffer": (
        lambda: with_launch(Argument(9), Argument(1), Argument(3)),
        r"launch 0 \(scaled\): x: there is no buffer 9",
    ),
    "dtype": (
        lambda: with_launch(Argument(1), Argument(1), Argument(3)),
        "at is i32, the parameter f32",
    ),
    "extent": (
        lambda: with_launch(Argument(0, 1), Argument(1), Argument(3)),
        "elements 1 to 25 of x, which has 24",
    ),
    "offset": (
        lambda: with_launch(Argument(0, -1), Argument(1), Argument(3)),
        "elements -1 to 23",
    ),
    "input is written": (
        lambda: with_launch(Argument(2), Argument(1), Argument(0)),
        "input x may not be written here",
    ),
    "prepared is written": (
        lambda: with_launch(Argument(0), Argument(1), Argument(2)),
        "prepared w may not be written here",
    ),
    "prepare reads an input": (
        lambda: with_launch(Argument(0), Argument(1), Argument(3), prepare=True),
        "input x is not there when weights are prepared",
    ),
    "read first": (
        lambda: with_launch(Argument(3), Argument(1), Argument(4)),
        r"launch 0 \(scaled\): x: t is read before it is written",
    ),
    "output": (lambda: replace(program(), launches=()), "output y: at most 0 of its 24 elements"),
    "part of an output": (
        lambda: with_buffer(4, shape=(5, 6)),
        "output y: at most 24 of its 30 elements",
    ),
    "prepared": (
        lambda: replace(program(), prepare=program().prepare[:1]),
        "prepared w: at most 0",
    ),
    "no table": (lambda: replace(program(), tables=()), "table buffers"),
    "table shape": (
        lambda: replace(program(), tables=(Table(1, np.zeros(24, np.int32)),)),
        "table at",
    ),
    "table dtype": (
        lambda: replace(program(), tables=(Table(1, np.zeros((4, 6), np.int64)),)),
        "table at",
    ),
    "kernel inside": (
        lambda: replace(program(), kernels=(with_parameter(2, access=READ),)),
        "y is read, but is write",
    ),
}


@pytest.mark.parametrize("name", BROKEN_PROGRAMS)
def test_broken_programs_are_named(name: str) -> None:
    make, message = BROKEN_PROGRAMS[name]
    with pytest.raises(VerificationError, match=message):
        verify_program(make())


def test_one_launch_may_not_read_what_it_writes_except_by_update() -> None:
    first, second = program().launches
    alias = Launch(0, (Argument(3), Argument(1), Argument(3)))
    with pytest.raises(VerificationError, match="x and y overlap and one is written"):
        verify_program(replace(program(), launches=(first, alias, second)))


def test_column_slices_of_one_buffer_do_not_overlap() -> None:
    def columns(name: str, access: ParameterAccess) -> Parameter:
        return Parameter(name, DType.F32, (4, 3), (6, 1), access)

    copy = Pointwise(
        "copy",
        (columns("from", READ), columns("to", WRITE)),
        Body((IJ[0], KernelAxis("j", 3)), (Load(0, AT),)),
        (Store(1, AT, 0),),
    )
    first, second = program().launches
    for offset, fails in ((3, False), (2, True)):
        launch = Launch(1, (Argument(3), Argument(3, offset)))
        changed = replace(program(), kernels=(scaled(), copy), launches=(first, launch, second))
        if fails:
            with pytest.raises(VerificationError, match="overlap"):
                verify_program(changed)
        else:
            verify_program(changed)


# ------------------------------------------------------------------------ proofs are never wrong


@st.composite
def expressions(draw: Callable[[Any], Any]) -> tuple[IndexExpression, tuple[int, ...]]:
    sizes = tuple(draw(st.lists(st.integers(1, 6), min_size=1, max_size=3)))
    total = constant(draw(st.integers(-4, 4)))
    for _ in range(draw(st.integers(1, 4))):
        atom = axis(draw(st.integers(0, len(sizes) - 1)))
        if draw(st.booleans()):
            atom = add(atom, axis(draw(st.integers(0, len(sizes) - 1))), draw(st.integers(0, 2)))
        divisor = draw(st.integers(1, 5))
        atom = draw(
            st.sampled_from(
                (atom, floor_divide(atom, divisor, sizes), modulo(atom, divisor, sizes))
            )
        )
        total = add(total, scale(atom, draw(st.integers(-4, 6))))
    return total, sizes


def values_of(expression: IndexExpression, sizes: tuple[int, ...]) -> np.ndarray[Any, Any]:
    grids = list(np.ix_(*(np.arange(size) for size in sizes)))
    return np.broadcast_to(evaluate(expression, grids), sizes)


@settings(max_examples=300, deadline=None)
@given(expressions())
def test_ranges_and_injectivity(case: tuple[IndexExpression, tuple[int, ...]]) -> None:
    expression, sizes = case
    values = values_of(expression, sizes)
    # No size is wanted that the bounds fit in, so they are exact.
    assert index_range(expression, sizes, (), 0) == (values.min(), values.max())
    assert is_injective(expression, sizes) is (np.unique(values).size == values.size)


@settings(max_examples=300, deadline=None)
@given(expressions())
def test_injectivity_by_digits_alone(case: tuple[IndexExpression, tuple[int, ...]]) -> None:
    expression, sizes = case
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr("lumc.lowering.kernel_ranges._EXHAUSTIVE", 0)
        found = is_injective(expression, sizes)
        low, high = index_range(expression, sizes, (), 0) or (0, 0)
    values = values_of(expression, sizes)
    assert found in (None, np.unique(values).size == values.size)
    assert low <= values.min()
    assert high >= values.max()


def test_digits_prove_what_is_too_large_to_try() -> None:
    sizes = (4096, 12288)
    split = floor_divide(axis(1), 128, sizes), modulo(axis(1), 128, sizes)
    flat = add(add(scale(axis(0), 128), scale(split[0], 4096 * 128)), split[1])
    assert is_injective(flat, sizes) is True
    assert is_injective(scale(split[0], 128), sizes) is False


layouts = st.lists(st.tuples(st.integers(1, 4), st.integers(0, 9)), min_size=0, max_size=3)


@settings(max_examples=300, deadline=None)
@given(layouts, st.integers(0, 30), layouts, st.integers(0, 30))
def test_disjoint_is_never_wrong(
    left: list[tuple[int, int]], at: int, right: list[tuple[int, int]], other: int
) -> None:
    def elements(layout: list[tuple[int, int]], offset: int) -> set[int]:
        steps = [[n * stride for n in range(size)] for size, stride in layout]
        return {offset + sum(point) for point in itertools.product(*steps)}

    def parameter(layout: list[tuple[int, int]]) -> Parameter:
        return Parameter(
            "x", DType.F32, tuple(s for s, _ in layout), tuple(step for _, step in layout)
        )

    if are_disjoint(parameter(left), at, parameter(right), other):
        assert not elements(left, at) & elements(right, other)


@settings(max_examples=300, deadline=None)
@given(expressions(), expressions())
def test_apart_is_never_wrong(
    left: tuple[IndexExpression, tuple[int, ...]], right: tuple[IndexExpression, tuple[int, ...]]
) -> None:
    common = set(values_of(*left).flat) & set(values_of(*right).flat)
    assert are_apart((left[0],), left[1], (right[0],), right[1]) is not bool(common)


def test_pieces_of_large_tensors_are_apart() -> None:
    sizes = (4096, 48, 64)
    first, second, third = axis(0), axis(1), axis(2)
    halves = [add(scale(second, 128), add(third, constant(n))) for n in (0, 64)]
    assert are_apart((first, halves[0]), sizes, (first, halves[1]), sizes)
    twos = [add(scale(second, 128), add(scale(third, 2), constant(n))) for n in (0, 1)]
    assert are_apart((first, twos[0]), sizes, (first, twos[1]), sizes)
    assert not are_apart((first, twos[0]), sizes, (first, halves[0]), sizes)
    computed = axis(3)
    assert not are_apart((first, computed), sizes, (first, halves[0]), sizes)


@settings(max_examples=100, deadline=None)
@given(pointwise_kernels())
def test_whole_numbers_stay_in_their_ranges(kernel: Pointwise) -> None:
    memory = Memory.of(kernel, random_arrays(kernel, 1))
    with np.errstate(all="ignore"):
        values = Scope(memory, whole(kernel.body.axes)).values(kernel.body)
    for found, value in zip(whole_number_ranges(kernel.body), values, strict=True):
        assert found is None or (found[0] <= value.min() and value.max() <= found[1])


@settings(max_examples=50, deadline=None)
@given(pointwise_kernels())
def test_no_more_is_written_than_counted(kernel: Pointwise) -> None:
    arrays = random_arrays(kernel, 1)
    before = [array.tobytes() for array in arrays]
    run_kernel(kernel, arrays)
    for number, (array, old) in enumerate(zip(arrays, before, strict=True)):
        changed = np.frombuffer(array.tobytes(), np.uint8) != np.frombuffer(old, np.uint8)
        count = changed.reshape(array.size, -1).any(axis=1).sum()
        assert count <= most_written(kernel, number)
