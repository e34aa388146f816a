"""The text of kernels and kernel programs."""

from __future__ import annotations

from dataclasses import replace
from textwrap import dedent

import numpy as np
from hypothesis import HealthCheck, given, settings

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_printer import print_kernel, print_program
from lumc.lowering.kernel_program import (
    Apply,
    Argument,
    Body,
    Buffer,
    BufferKind,
    Convert,
    GemmTile,
    IndexOf,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Provenance,
    Store,
    Table,
)
from lumc.lowering.kernel_types import bodies, stores
from tests.lowering.example_kernels import attention, convolution, gemm, norm
from tests.strategies.kernels import kernels

SCATTER = Pointwise(
    "scatter",
    (
        Parameter("at", DType.I32, (4,), (2,)),
        Parameter("y", DType.BF16, (3, 5), (5, 1), ParameterAccess.UPDATE),
    ),
    Body(
        (KernelAxis("i", 4), KernelAxis("j", 5)),
        (
            Load(0, (axis(0),)),
            IndexOf(axis(1)),
            Literal(3, DType.I32),
            Apply(ElementwiseOp.LESS_THAN, (1, 2)),
            Convert(1, DType.F32),
            Apply(ElementwiseOp.SELECT, (3, 4, 4)),
            Apply(ElementwiseOp.EXP2, (5,)),
        ),
    ),
    (Store(1, (axis(2), axis(1)), 6, (0,), 3, ReduceOp.MAXIMUM),),
)


def test_pointwise() -> None:
    assert print_kernel(SCATTER) == dedent("""\
        pointwise scatter
          read at: i32[4] strides [2]
          update y: bf16[3, 5] strides [5, 1]
          body [i: 4, j: 5]
            %0 = load at[i]
            %1 = index j
            %2 = 3 i32
            %3 = %1 < %2
            %4 = %1 as f32
            %5 = select(%3, %4, %4)
            %6 = exp2(%5)
            store max %6 to y[%0, j] where %3""")


def test_row_reduction() -> None:
    assert print_kernel(norm(3, 5)) == dedent("""\
        rowreduction norm
          read x: bf16[3, 5] strides [5, 1]
          write y: bf16[3, 5] strides [5, 1]
          rows [i: 3]
          phase 0 [i: 3, j: 5]
            %0 = load x[i, j]
            %1 = %0 * %0
            a0 = sum %1
          phase 1 [i: 3, j: 5]
            %0 = load x[i, j]
            %1 = a0
            %2 = recip(%1)
            %3 = %0 * %2
            store %3 to y[i, j]""")


def test_product() -> None:
    tiled = replace(gemm(3, 5, 7), tile=GemmTile(16, 32, 64, 1, 2))
    assert print_kernel(tiled) == dedent("""\
        gemm gemm
          read x: bf16[3, 7] strides [7, 1]
          read w0: bf16[5, 7] strides [7, 1]
          write y: bf16[3, 5] strides [5, 1]
          operands bf16, tile rows 16, columns 32, depth 64, wave_rows 1, wave_columns 2
          batch []
          rows [m: 3]
          columns [n: 5]
          inner [k: 7]
          left [m: 3, k: 7]
            %0 = load x[m, k]
          right 0 [n: 5, k: 7]
            %0 = load w0[n, k]
          epilogue [m: 3, n: 5]
            %0 = a0
            store %0 to y[m, n]""")


def test_attention() -> None:
    text = print_kernel(attention(2, 3, 4, 16))
    assert "operands bf16, tile not chosen" in text
    assert text.endswith(
        dedent("""\
        score [h: 2, q: 3, k: 4]
            %0 = a0
            %1 = 0.25 f32
            %2 = %0 * %1
          value [h: 2, k: 4, c: 16]
            %0 = load v[h, k, c]
          epilogue [h: 2, q: 3, c: 16]
            %0 = a0
            store %0 to y[h, q, c]""")
    )


def test_program() -> None:
    program = KernelProgram(
        "stage",
        (
            Buffer("t", BufferKind.TABLE, DType.I32, (8,)),
            Buffer("y", BufferKind.OUTPUT, DType.BF16, (2, 3, 5)),
        ),
        (Table(0, np.zeros(8, np.int32)),),
        (SCATTER,),
        (),
        (
            Launch(0, (Argument(0), Argument(1, 15)), Provenance(labels=("y", "half of it"))),
            Launch(0, (Argument(0, 1), Argument(1))),
        ),
        (("width", "512"),),
    )
    kernel = print_kernel(SCATTER)
    assert print_program(program) == (
        "program stage\n  width = 512\n\nbuffers\n  b0 table t: i32[8]\n"
        f"  b1 output y: bf16[2, 3, 5]\n\nk0 {kernel}\n\nlaunches\n"
        "  0 k0 scatter(at=b0, y=b1+15)  # y, half of it\n"
        "  1 k0 scatter(at=b0+1, y=b1)\n"
    )


def test_nothing_is_left_out() -> None:
    text = print_kernel(convolution(5, 3, 2))
    assert "load x[h + kh - 1, w + kw - 1, c] where %12" in text


@settings(max_examples=50, deadline=None, suppress_health_check=list(HealthCheck))
@given(kernels())
def test_every_kernel_prints_a_line_a_step(kernel: Kernel) -> None:
    lines = print_kernel(kernel).splitlines()
    steps = sum(len(body.instructions) for _, body in bodies(kernel))
    assert sum(line.lstrip().startswith("%") for line in lines) == steps
    assert sum(line.lstrip().startswith("store") for line in lines) == len(stores(kernel))
    assert len({line for line in lines if "strides" in line}) == len(kernel.parameters)
