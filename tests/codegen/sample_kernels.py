"""Kernels as a lowering makes them, small: what the tests of code generation emit and run."""

from __future__ import annotations

import math
from collections.abc import Sequence

from lumc.diagnostics import Source, Span
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import (
    IndexExpression,
    add,
    axis,
    constant,
    floor_divide,
    modulo,
    scale,
)
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    AttentionTile,
    Body,
    Gemm,
    GemmTile,
    IndexOf,
    Instruction,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Pointwise,
    Provenance,
    Reduction,
    RowReduction,
    Store,
)

ADD, MULTIPLY = ElementwiseOp.ADD, ElementwiseOp.MULTIPLY
LESS, SELECT = ElementwiseOp.LESS_THAN, ElementwiseOp.SELECT
WRITE, UPDATE = ParameterAccess.WRITE, ParameterAccess.UPDATE


def real(value: float) -> Literal:
    return Literal(value, DType.F32)


def dense(
    name: str, dtype: DType, *shape: int, access: ParameterAccess = ParameterAccess.READ
) -> Parameter:
    """A row-major parameter without gaps."""
    strides = tuple(math.prod(shape[n + 1 :]) for n in range(len(shape)))
    return Parameter(name, dtype, shape, strides, access)


def provenance(*labels: str) -> Provenance:
    source = Source("specs/model.lum", "y = x\n")
    return Provenance((Span(source, 1, 1, 1, 6),), labels, ("fuse_elementwise",))


def modulated(tokens: int, channels: int, dtype: DType = DType.BF16) -> Pointwise:
    """``out = image + gate * x``: gate broadcast over tokens."""
    t, c = axis(0), axis(1)
    body = Body(
        (KernelAxis("t", tokens), KernelAxis("c", channels)),
        (
            Load(0, (t, c)),
            Load(1, (c,)),
            Load(2, (t, c)),
            Apply(MULTIPLY, (1, 2)),
            Apply(ADD, (0, 3)),
        ),
    )
    parameters = (
        dense("image", dtype, tokens, channels),
        dense("gate", dtype, channels),
        dense("x", DType.F32, tokens, channels),
        dense("out", dtype, tokens, channels, access=WRITE),
    )
    return Pointwise("modulate", parameters, body, (Store(3, (t, c), 4),), provenance("out"))


def transposed(rows: int, columns: int, dtype: DType = DType.BF16) -> Pointwise:
    """``y[j, i] = x[i, j]``."""
    body = Body((KernelAxis("i", rows), KernelAxis("j", columns)), (Load(0, (axis(0), axis(1))),))
    parameters = (dense("x", dtype, rows, columns), dense("y", dtype, columns, rows, access=WRITE))
    return Pointwise("transpose", parameters, body, (Store(1, (axis(1), axis(0)), 0),))


def padded(size: int, pad: int, dtype: DType = DType.BF16) -> Pointwise:
    """``y[i] = x[i - pad] if it is there else 0``."""
    index = add(axis(0), constant(-pad))
    body = Body(
        (KernelAxis("i", size + 2 * pad),),
        (
            IndexOf(index),
            Literal(-1, DType.I32),
            Apply(LESS, (1, 0)),
            Literal(size, DType.I32),
            Apply(LESS, (0, 3)),
            Apply(MULTIPLY, (2, 4)),
            Load(0, (index,), (), 5),
        ),
    )
    parameters = (dense("x", dtype, size), dense("y", dtype, size + 2 * pad, access=WRITE))
    return Pointwise("pad", parameters, body, (Store(1, (axis(0),), 6),))


def layer_norm(
    rows: int, channels: int, dtype: DType = DType.BF16, stride: int | None = None
) -> RowReduction:
    """Residual add, layer norm, scale and shift: three phases that read the same row."""
    row = (KernelAxis("t", rows),)
    both = (*row, KernelAxis("c", channels))
    t, c = axis(0), axis(1)
    summed: tuple[Instruction, ...] = (Load(0, (t, c)), Load(1, (t, c)), Apply(ADD, (0, 1)))
    centred = (
        *summed,
        Accumulator(0),
        real(-1 / channels),
        Apply(MULTIPLY, (3, 4)),
        Apply(ADD, (2, 5)),
    )
    deviation = (
        *centred,
        Accumulator(1),
        real(1 / channels),
        Apply(MULTIPLY, (7, 8)),
        real(1e-6),
        Apply(ADD, (9, 10)),
        Apply(ElementwiseOp.SQUARE_ROOT, (11,)),
        Apply(ElementwiseOp.RECIPROCAL, (12,)),
        Apply(MULTIPLY, (6, 13)),
    )
    shaped = (
        *deviation,
        Load(2, (c,)),
        Apply(MULTIPLY, (14, 15)),
        Load(3, (c,)),
        Apply(ADD, (16, 17)),
    )
    parameters = (
        Parameter("x", dtype, (rows, channels), (stride or channels, 1)),
        dense("r", dtype, rows, channels),
        dense("scale", dtype, channels),
        dense("shift", dtype, channels),
        dense("sum", dtype, rows, channels, access=WRITE),
        dense("y", dtype, rows, channels, access=WRITE),
    )
    phases = (
        Phase(Body(both, summed), (Reduction(ReduceOp.SUM, 2),), (Store(4, (t, c), 2),)),
        Phase(Body(both, (*centred, Apply(MULTIPLY, (6, 6)))), (Reduction(ReduceOp.SUM, 7),)),
        Phase(Body(both, shaped), (), (Store(5, (t, c), 18),)),
    )
    return RowReduction("layer_norm", parameters, row, phases, provenance("a"))


def column_sum(rows: int, columns: int, dtype: DType = DType.F32) -> RowReduction:
    """``y[c] = sum[t] x[t, c]``: neighbours in memory are different rows of the reduction."""
    kept = (KernelAxis("c", columns),)
    parameters = (dense("x", dtype, rows, columns), dense("y", DType.F32, columns, access=WRITE))
    summing = Body((*kept, KernelAxis("t", rows)), (Load(0, (axis(1), axis(0))),))
    phases = (
        Phase(summing, (Reduction(ReduceOp.SUM, 0),)),
        Phase(Body(kept, (Accumulator(0),)), (), (Store(1, (axis(0),), 0),)),
    )
    return RowReduction("column_sum", parameters, kept, phases)


def rope_in_place(tokens: int, heads: int, width: int, dtype: DType = DType.BF16) -> RowReduction:
    """A norm, then each element is mixed with its partner half a head away, in place."""
    rows = (KernelAxis("t", tokens), KernelAxis("h", heads))
    both = (*rows, KernelAxis("d", width))
    t, h, d = axis(0), axis(1), axis(2)
    partner = modulo(add(d, constant(width // 2)), width, (tokens, heads, width))
    turned: tuple[Instruction, ...] = (
        Load(0, (t, h, d)),
        Load(0, (t, h, partner)),
        Load(1, (t, d)),
        Apply(MULTIPLY, (1, 2)),
        Apply(ADD, (0, 3)),
        Accumulator(0),
        Apply(ElementwiseOp.SQUARE_ROOT, (5,)),
        Apply(ElementwiseOp.RECIPROCAL, (6,)),
        Apply(MULTIPLY, (4, 7)),
    )
    packed = (3 * heads * width, width, 1)
    parameters = (
        Parameter("qkv", dtype, (tokens, heads, width), packed, UPDATE),
        dense("angle", DType.F32, tokens, width),
    )
    phases = (
        Phase(
            Body(both, (Load(0, (t, h, d)), Apply(MULTIPLY, (0, 0)))), (Reduction(ReduceOp.SUM, 1),)
        ),
        Phase(Body(both, turned), (), (Store(0, (t, h, d), 8),)),
    )
    return RowReduction("qk_rope", parameters, rows, phases)


def linear(
    rows: int,
    columns: int,
    inner: int,
    dtype: DType = DType.BF16,
    *,
    left_transposed: bool = False,
    right_transposed: bool = False,
    batch: int = 1,
    tile: GemmTile | None = None,
) -> Gemm:
    """``y = residual + gate * (x W^T)``, with the operands laid out either way."""
    b, first, second = axis(0), axis(1), axis(2)
    axes = (KernelAxis("b", batch), KernelAxis("t", rows), KernelAxis("o", columns))
    depth = (KernelAxis("c", inner),)

    def operand(name: str, points: int, swapped: bool) -> tuple[Parameter, Load]:
        shape = (inner, points) if swapped else (points, inner)
        place = (second, first) if swapped else (first, second)
        return dense(name, dtype, batch, *shape), Load(0, (b, *place))

    x, load_x = operand("x", rows, left_transposed)
    w, load_w = operand("w", columns, right_transposed)
    epilogue = (
        Accumulator(0),
        Load(2, (second,)),
        Apply(MULTIPLY, (0, 1)),
        Load(3, (b, first, second)),
        Apply(ADD, (2, 3)),
    )
    return Gemm(
        "linear",
        (
            x,
            w,
            dense("gate", dtype, columns),
            dense("residual", dtype, batch, rows, columns),
            dense("y", dtype, batch, rows, columns, access=WRITE),
        ),
        axes[:1],
        axes[1:2],
        axes[2:],
        depth,
        Body((*axes[:2], *depth), (load_x,)),
        (Body((axes[0], axes[2], *depth), (Load(1, load_w.index),)),),
        dtype,
        Body(axes, epilogue),
        (Store(4, (b, first, second), 4),),
        tile,
        provenance=provenance("img1"),
    )


def gated_pair(rows: int, columns: int, inner: int, dtype: DType = DType.BF16) -> Gemm:
    """SwiGLU: two products of one left side, of which one gates the other."""
    t, o = (KernelAxis("t", rows),), (KernelAxis("o", columns),)
    depth = (KernelAxis("c", inner),)
    epilogue = (
        Accumulator(0),
        real(-math.log2(math.e)),
        Apply(MULTIPLY, (0, 1)),
        Apply(ElementwiseOp.EXP2, (2,)),
        real(1.0),
        Apply(ADD, (3, 4)),
        Apply(ElementwiseOp.RECIPROCAL, (5,)),
        Apply(MULTIPLY, (0, 6)),
        Accumulator(1),
        Apply(MULTIPLY, (7, 8)),
    )
    place = (axis(0), axis(1))
    return Gemm(
        "swiglu",
        (
            dense("x", dtype, rows, inner),
            dense("gate", dtype, columns, inner),
            dense("up", dtype, columns, inner),
            dense("y", dtype, rows, columns, access=WRITE),
        ),
        (),
        t,
        o,
        depth,
        Body((*t, *depth), (Load(0, place),)),
        tuple(Body((*o, *depth), (Load(n, place),)) for n in (1, 2)),
        dtype,
        Body((*t, *o), epilogue),
        (Store(3, place, 9),),
    )


def several(rows: int, columns: int, inner: int, count: int, dtype: DType = DType.BF16) -> Gemm:
    """``count`` products of one left side, each stored."""
    t, o = (KernelAxis("t", rows),), (KernelAxis("o", columns),)
    depth = (KernelAxis("c", inner),)
    place = (axis(0), axis(1))
    weights = [dense(f"w{n}", dtype, columns, inner) for n in range(count)]
    results = [dense(f"y{n}", dtype, rows, columns, access=WRITE) for n in range(count)]
    return Gemm(
        "several",
        (dense("x", dtype, rows, inner), *weights, *results),
        (),
        t,
        o,
        depth,
        Body((*t, *depth), (Load(0, place),)),
        tuple(Body((*o, *depth), (Load(1 + n, place),)) for n in range(count)),
        dtype,
        Body((*t, *o), tuple(Accumulator(n) for n in range(count))),
        tuple(Store(1 + count + n, place, n) for n in range(count)),
    )


def _inside(index: IndexExpression, size: int, first: int) -> tuple[Instruction, ...]:
    """Instructions from number ``first`` on; the last says whether 0 <= index < size."""
    return (
        IndexOf(index),
        Literal(-1, DType.I32),
        Apply(LESS, (first + 1, first)),
        Literal(size, DType.I32),
        Apply(LESS, (first, first + 3)),
        Apply(MULTIPLY, (first + 2, first + 4)),
    )


def convolution(
    height: int,
    width: int,
    inputs: int,
    outputs: int,
    dtype: DType = DType.BF16,
    *,
    channels_last: bool = True,
    stride: int = 1,
    doubled: bool = False,
) -> Gemm:
    """A padded 3 × 3 convolution of two pictures (``doubled``: enlarged first), with bias."""
    pictures = 2
    if doubled:
        height, width = 2 * height, 2 * width
    out_height, out_width = (height - 1) // stride + 1, (width - 1) // stride + 1
    rows = (KernelAxis("n", pictures), KernelAxis("y", out_height), KernelAxis("x", out_width))
    columns = (KernelAxis("o", outputs),)
    inner = (KernelAxis("c", inputs), KernelAxis("i", 3), KernelAxis("j", 3))
    y = add(add(scale(axis(1), stride), axis(4)), constant(-1))
    x = add(add(scale(axis(2), stride), axis(5)), constant(-1))
    read = (*_inside(y, height, 0), *_inside(x, width, 6), Apply(MULTIPLY, (5, 11)))
    if doubled:
        sizes = [pictures, out_height, out_width, inputs, 3, 3]
        # One row and column further, as quotients are of what is not negative.
        y, x = (
            add(floor_divide(add(place, constant(2)), 2, sizes), constant(-1)) for place in (y, x)
        )
        height, width = height // 2, width // 2
    if channels_last:
        image = dense("image", dtype, pictures, height, width, inputs)
        weight = dense("w", dtype, outputs, 3, 3, inputs)
        out = dense("out", dtype, pictures, out_height, out_width, outputs, access=WRITE)
        at_image, at_weight = (axis(0), y, x, axis(3)), (axis(0), axis(2), axis(3), axis(1))
        at_out: Sequence[IndexExpression] = (axis(0), axis(1), axis(2), axis(3))
    else:
        image = dense("image", dtype, pictures, inputs, height, width)
        weight = dense("w", dtype, outputs, inputs, 3, 3)
        out = dense("out", dtype, pictures, outputs, out_height, out_width, access=WRITE)
        at_image, at_weight = (axis(0), axis(3), y, x), (axis(0), axis(1), axis(2), axis(3))
        at_out = (axis(0), axis(3), axis(1), axis(2))
    return Gemm(
        "conv",
        (image, weight, dense("bias", dtype, outputs), out),
        (),
        rows,
        columns,
        inner,
        Body((*rows, *inner), (*read, Load(0, at_image, (), 12))),
        (Body((*columns, *inner), (Load(1, at_weight),)),),
        dtype,
        Body((*rows, *columns), (Accumulator(0), Load(2, (axis(3),)), Apply(ADD, (0, 1)))),
        (Store(3, tuple(at_out), 2),),
        provenance=provenance("out"),
    )


def attention(
    heads: int,
    queries: int,
    keys: int,
    width: int,
    channels: int,
    dtype: DType = DType.BF16,
    *,
    groups: int = 1,
    mask: str = "none",
    tile: AttentionTile | None = None,
) -> Attention:
    """Heads inside rows, ``groups`` of them share keys; mask: none, causal or bias."""
    h, s, t = KernelAxis("h", heads), KernelAxis("s", queries), KernelAxis("t", keys)
    d, v = KernelAxis("d", width), KernelAxis("v", channels)
    shared = floor_divide(axis(0), groups, (heads, queries, width))
    score: list[Instruction] = [Accumulator(0), real(width**-0.5), Apply(MULTIPLY, (0, 1))]
    parameters = [
        dense("q", dtype, queries, heads, width),
        dense("k", dtype, keys, heads // groups, width),
        dense("v", dtype, keys, heads // groups, channels),
    ]
    if mask == "causal":
        score += [
            IndexOf(axis(1)),
            IndexOf(axis(2)),
            Apply(LESS, (3, 4)),
            real(-math.inf),
            Apply(SELECT, (5, 6, 2)),
        ]
    if mask == "bias":
        parameters.append(dense("bias", DType.F32, queries, keys))
        score += [Load(3, (axis(1), axis(2))), Apply(ADD, (2, 3))]
    parameters.append(dense("out", dtype, queries, heads, channels, access=WRITE))
    read = (axis(1), axis(0), axis(2))
    read_shared = (axis(1), shared, axis(2))
    return Attention(
        "attention",
        tuple(parameters),
        (h,),
        (s,),
        (t,),
        (d,),
        (v,),
        Body((h, s, d), (Load(0, read),)),
        Body((h, t, d), (Load(1, read_shared),)),
        Body((h, s, t), tuple(score)),
        Body((h, t, v), (Load(2, read_shared),)),
        dtype,
        Body((h, s, v), (Accumulator(0),)),
        (Store(len(parameters) - 1, read, 0),),
        tile,
        provenance=provenance("o"),
    )
