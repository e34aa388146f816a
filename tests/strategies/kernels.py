"""Random kernels: valid, small, with odd sizes, and with everything the descriptors can say.

Values stay of moderate size, comparisons and cuts to whole numbers are only of exactly known values
(loads, indices, literals), so that a device's rounding can't flip a branch and a small tolerance
holds. ``random_arrays`` makes data for any of them.
"""

from __future__ import annotations

import math
from dataclasses import replace
from typing import Any

import numpy as np
import numpy.typing as npt
from hypothesis import strategies as st

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    axis,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    Gemm,
    Kernel,
    KernelAxis,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Reduction,
    RowReduction,
)
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_reference import poisoned
from tests.strategies.kernel_bodies import (
    FLOATS,
    REAL_LIMIT,
    WHOLE_LIMIT,
    BodyBuilder,
    Draw,
    KernelBuilder,
    Value,
)


def _kernel_name(draw: Draw, kind: str) -> str:
    return f"{kind}_{draw(st.integers(0, 99))}"


@st.composite
def pointwise_kernels(draw: Draw, largest: int = 9) -> Pointwise:
    """Pointwise kernels of up to four axes, each of up to ``largest``, and up to three stores."""
    kernel = KernelBuilder(draw)
    builder = BodyBuilder(kernel, kernel.axes(0, 4, largest))
    builder.mix(3, 6)
    found = builder.some_stores(3)
    return Pointwise(
        _kernel_name(draw, "pointwise"), tuple(kernel.parameters), builder.body(), found
    )


@st.composite
def row_reductions(draw: Draw, largest: int = 9, longest: int = 70) -> RowReduction:
    """Row reductions of up to three phases; rows of up to ``longest``, several axes a row."""
    kernel = KernelBuilder(draw)
    rows = kernel.axes(0, 2, largest, 64)
    own = kernel.axes(1, 2, longest, 200)
    phases: list[Phase] = []
    accumulators: list[Value] = []
    count = draw(st.integers(1, 3))
    for number in range(count):
        last = number == count - 1
        mine = draw(st.sampled_from(((), own, kernel.axes(1, 1, longest)))) if last else own
        builder = BodyBuilder(kernel, rows + mine)
        earlier = [
            builder.emit(Accumulator(k), seen.dtype, seen.bound, seen.exact)
            for k, seen in enumerate(accumulators)
        ]
        builder.mix(2, 4)
        builder.gather_up(earlier)
        reductions = () if last else _reductions(draw, builder, accumulators, mine)
        found = builder.some_stores(2, combine=False) if last or draw(st.booleans()) else ()
        phases.append(Phase(builder.body(), reductions, found))
    return RowReduction(_kernel_name(draw, "rows"), tuple(kernel.parameters), rows, tuple(phases))


def _reductions(
    draw: Draw,
    builder: BodyBuilder,
    accumulators: list[Value],
    own: tuple[KernelAxis, ...],
) -> tuple[Reduction, ...]:
    found = []
    for _ in range(draw(st.integers(1, 2))):
        op = draw(st.sampled_from(tuple(ReduceOp)))
        value = builder.pick(draw(st.sampled_from((DType.F32, DType.F32, DType.I32))))
        points = math.prod(a.size for a in own) if op is ReduceOp.SUM else 1
        exact = value.exact and (op is ReduceOp.MAXIMUM or value.dtype is not DType.F32)
        found.append(Reduction(op, value.number))
        accumulators.append(replace(value, bound=value.bound * points, exact=exact))
    return tuple(found)


@st.composite
def gemms(draw: Draw, largest: int = 40, deepest: int = 70) -> Gemm:
    """Products with up to two axes of each kind and up to three right sides."""
    kernel = KernelBuilder(draw)
    dtype = draw(st.sampled_from(FLOATS))
    batch = kernel.axes(0, 2, 3, 6)
    rows = kernel.axes(0, 2, largest, largest)
    columns = kernel.axes(0, 2, largest, largest)
    inner = kernel.axes(1, 3, deepest, deepest)
    left = BodyBuilder(kernel, batch + rows + inner)
    left.operand(dtype)
    rights = []
    for _ in range(draw(st.sampled_from((1, 1, 1, 2, 3)))):
        right = BodyBuilder(kernel, batch + columns + inner)
        right.operand(dtype)
        rights.append(right.body())
    epilogue = BodyBuilder(kernel, batch + rows + columns)
    points = math.prod(a.size for a in inner)
    bound = 9.0 * math.sqrt(points) * 3
    products = [
        epilogue.emit(Accumulator(number), DType.F32, bound, False) for number in range(len(rights))
    ]
    epilogue.mix(2, 4)
    epilogue.gather_up(products)
    found = epilogue.some_stores(2, combine=False)
    return Gemm(
        _kernel_name(draw, "gemm"),
        tuple(kernel.parameters),
        batch,
        rows,
        columns,
        inner,
        left.body(),
        tuple(rights),
        dtype,
        epilogue.body(),
        found,
    )


@st.composite
def attentions(draw: Draw, longest: int = 40, deepest: int = 24) -> Attention:
    """Attention with scale, and a causal or padding mask or an additive bias or none."""
    kernel = KernelBuilder(draw)
    dtype = draw(st.sampled_from(FLOATS))
    batch = kernel.axes(0, 2, 3, 6)
    queries = kernel.axes(1, 2, longest, longest)
    keys = kernel.axes(1, 2, longest, longest)
    inner = kernel.axes(1, 1, deepest)
    channels = kernel.axes(1, 1, deepest)
    sides = []
    for axes in (batch + queries + inner, batch + keys + inner, batch + keys + channels):
        side = BodyBuilder(kernel, axes)
        side.operand(dtype)
        sides.append(side.body())
    score = BodyBuilder(kernel, batch + queries + keys)
    _score(draw, score, len(batch), len(batch + queries))
    epilogue = BodyBuilder(kernel, batch + queries + channels)
    result = epilogue.emit(Accumulator(0), DType.F32, REAL_LIMIT, False)
    epilogue.mix(1, 3)
    epilogue.gather_up([result])
    found = epilogue.some_stores(2, combine=False)
    return Attention(
        _kernel_name(draw, "attention"),
        tuple(kernel.parameters),
        batch,
        queries,
        keys,
        inner,
        channels,
        sides[0],
        sides[1],
        score.body(),
        sides[2],
        dtype,
        epilogue.body(),
        found,
    )


def _score(draw: Draw, score: BodyBuilder, query: int, key: int) -> None:
    raw = score.emit(Accumulator(0), DType.F32, 100, False)
    last = score._apply(ElementwiseOp.MULTIPLY, raw, score.real(0.125), bound=12)
    kind = draw(st.sampled_from(("none", "bias", "causal", "padding")))
    if kind == "bias":
        bias = score.load(draw(st.sampled_from(FLOATS)))
        score._apply(ElementwiseOp.ADD, last, bias, bound=15)
    if kind in ("causal", "padding"):
        # Key 0 is always seen, so no row is empty.
        at = score.index(axis(key))
        limit = (
            score.index(axis(query)) if kind == "causal" else score.whole(draw(st.integers(0, 9)))
        )
        hidden = score.less(limit, at)
        masked = score.real(-math.inf)
        numbers = (hidden.number, masked.number, last.number)
        score.emit(Apply(ElementwiseOp.SELECT, numbers), DType.F32, 12, False)


def kernels() -> st.SearchStrategy[Kernel]:
    """Kernels of every kind."""
    return st.one_of(pointwise_kernels(), row_reductions(), gemms(), attentions())


def random_arrays(kernel: Kernel, seed: int, tail: int = 0) -> list[npt.NDArray[Any]]:
    """Data for ``kernel``: a flat array per parameter, ``tail`` elements longer than it extends.

    What a parameter can't reach, and what is only written, is poisoned (NaN). Reals are between -3
    and 3 and whole numbers between 0 and 3.
    """
    generator = np.random.default_rng(seed)
    return [_random_array(parameter, generator, tail) for parameter in kernel.parameters]


def _random_array(
    parameter: Parameter, generator: np.random.Generator, tail: int
) -> npt.NDArray[Any]:
    array = poisoned(extent(parameter) + tail, parameter.dtype)
    if parameter.access is ParameterAccess.WRITE:
        return array
    shape = parameter.shape
    if parameter.dtype.is_float:
        values = generator.standard_normal(shape).clip(-REAL_LIMIT, REAL_LIMIT)
    else:
        values = generator.integers(0, 2 if parameter.dtype is DType.BOOL else WHOLE_LIMIT, shape)
    steps = [stride * array.itemsize for stride in parameter.strides]
    np.lib.stride_tricks.as_strided(array, shape, steps)[...] = values.astype(array.dtype)
    return array
