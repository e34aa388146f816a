"""Which kernels a vendor's library does as convolutions, and how it sees them."""

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import add, axis, constant, floor_divide, scale
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    Gemm,
    Instruction,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Store,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.library_convolution import library_convolution
from tests.codegen import sample_kernels as sample
from tests.lowering.library_meaning import convolved, view, with_made
from tests.strategies.kernels import random_arrays

BF16 = DType.BF16


def enlarged(kernel: Gemm, height: int, width: int) -> Gemm:
    """``kernel``, of a picture of that size, reading each pixel of half the picture twice."""
    sizes = [one.size for one in kernel.left.axes]
    body = kernel.left
    load = body.instructions[-1]
    assert isinstance(load, Load)
    entries = [
        floor_divide(add(entry, constant(2)), 2, sizes) if n in (1, 2) else entry
        for n, entry in enumerate(load.index)
    ]
    entries = [add(e, constant(-1)) if n in (1, 2) else e for n, e in enumerate(entries)]
    moved = replace(load, index=tuple(entries))
    old = kernel.parameters[0]
    small = sample.dense("image", old.dtype, 2, height // 2, width // 2, old.shape[3])
    return replace(
        kernel,
        parameters=(small, *kernel.parameters[1:]),
        left=Body(body.axes, (*body.instructions[:-1], moved)),
    )


def with_addend(kernel: Gemm) -> Gemm:
    out = kernel.parameters[-1]
    addend = Parameter("addend", out.dtype, out.shape, out.strides)
    code = kernel.epilogue.instructions
    (store,) = kernel.stores
    load = Load(len(kernel.parameters), store.index)
    added: tuple[Instruction, ...] = (
        *code,
        load,
        Apply(ElementwiseOp.ADD, (len(code), store.value)),
    )
    return replace(
        kernel,
        parameters=(*kernel.parameters, addend),
        epilogue=Body(kernel.epilogue.axes, added),
        stores=(replace(store, value=len(added) - 1),),
    )


def in_a_line(length: int, channels: int, outputs: int, spread: int) -> Gemm:
    """A convolution in one direction, of taps that lie ``spread`` apart, without zeros around."""
    rows, columns = (KernelAxis("x", length),), (KernelAxis("o", outputs),)
    inner = (KernelAxis("t", 3), KernelAxis("c", channels))
    place = add(axis(0), scale(axis(1), spread))
    return replace(
        sample.linear(length, outputs, 3 * channels, BF16),
        parameters=(
            sample.dense("image", BF16, length + 2 * spread, channels),
            sample.dense("w", BF16, channels, 3, outputs),
            sample.dense("out", BF16, length, outputs, access=ParameterAccess.WRITE),
        ),
        batch=(),
        rows=rows,
        columns=columns,
        inner=inner,
        left=Body((*rows, *inner), (Load(0, (place, axis(2))),)),
        right=(Body((*columns, *inner), (Load(1, (axis(2), axis(1), axis(0))),)),),
        epilogue=Body((*rows, *columns), (Accumulator(0),)),
        stores=(Store(2, (axis(0), axis(1)), 0),),
    )


WINDOWS = {
    "plain": sample.convolution(7, 9, 16, 24),
    "f16": sample.convolution(7, 9, 16, 24, DType.F16),
    "every second": sample.convolution(8, 11, 16, 8, stride=2),
    "channels first": sample.convolution(8, 16, 16, 24, channels_last=False),
    "addend": with_addend(sample.convolution(7, 9, 16, 24)),
    "enlarged": enlarged(sample.convolution(6, 10, 16, 24), 6, 10),
    "in a line": in_a_line(13, 16, 24, 1),
    "spread": in_a_line(13, 16, 24, 3),
}


@pytest.mark.parametrize("name", [name for name in WINDOWS if name != "channels first"])
def test_the_call_means_what_the_kernel_means(name: str) -> None:
    kernel = WINDOWS[name]
    verify_kernel(kernel)
    call = library_convolution(kernel)
    assert call is not None
    arrays = random_arrays(kernel, 5)
    made = with_made(kernel, call.made, arrays)
    run_kernel(kernel, arrays)
    pictures, _, _, _, outputs, rows, columns, _, _ = call.sizes
    wanted = view(call.output, (pictures, outputs, rows, columns), arrays)
    np.testing.assert_allclose(convolved(call, made), wanted, rtol=2e-2, atol=5e-2)


def test_what_has_to_be_made() -> None:
    names = {
        name: [made.kernel.name for made in call.made] if (call := library_convolution(k)) else None
        for name, k in WINDOWS.items()
    }
    assert names["plain"] == names["addend"] == []
    assert names["enlarged"] == ["picture"]
    assert names["in a line"] == ["weight"]
    # Results with the channels first are none of a library's.
    assert names["channels first"] is None


def test_zeros_around_and_steps() -> None:
    call = library_convolution(WINDOWS["every second"])
    assert call is not None
    assert (call.steps, call.before, call.after) == ((2, 2), (1, 1), (0, 1))
    assert call.bias is not None
    assert call.addend is None
    spread = library_convolution(WINDOWS["spread"])
    assert spread is not None
    assert (spread.dilation, spread.before, spread.after) == ((1, 3), (0, 0), (0, 0))


def clipped(kernel: Gemm) -> Gemm:
    """``kernel`` reading the nearest pixel where it would read a zero."""
    body = kernel.left
    load = body.instructions[-1]
    assert isinstance(load, Load)
    wide = sample.dense("image", BF16, 2, 9, 11, 16)
    index = tuple(add(e, constant(1)) if n in (1, 2) else e for n, e in enumerate(load.index))
    scattered = tuple(
        add(e, floor_divide(axis(1), 5, [s.size for s in body.axes])) if n == 1 else e
        for n, e in enumerate(index)
    )
    wide = replace(wide, shape=(2, 11, 11, 16), strides=(11 * 11 * 16, 176, 16, 1))
    return replace(
        kernel,
        parameters=(wide, *kernel.parameters[1:]),
        left=Body(body.axes, (replace(load, index=scattered, predicate=None),)),
    )


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (sample.convolution(7, 9, 12, 24), "channels are no multiple of 8"),
        (sample.convolution(7, 9, 16, 20), "outputs are no multiple of 8"),
        (sample.convolution(7, 9, 16, 24, DType.F32), "operands are f32"),
        (sample.linear(24, 40, 16, BF16), "there is no window"),
        (clipped(sample.convolution(7, 9, 16, 24)), "the window does not move evenly"),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_no_convolution_is_left_alone(kernel: Gemm, why: str) -> None:
    verify_kernel(kernel)
    assert library_convolution(kernel) is None, why
