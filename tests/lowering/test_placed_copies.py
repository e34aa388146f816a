"""What would be copied is made where the copy would lie."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import add, axis, constant
from lumc.lowering import lower
from lumc.lowering.kernel_program import (
    Apply,
    Argument,
    Body,
    Buffer,
    BufferKind,
    KernelAxis,
    Load,
    Parameter,
    Pointwise,
    Store,
)
from lumc.lowering.merged_rows import Drafted
from lumc.lowering.placed_copies import place_copies
from tests.codegen import sample_kernels as samples
from tests.lowering.checking import check_random
from tests.lowering.drafted_launches import assert_same, drafted

ROWS, COLUMNS = 5, 24
# Buffers: 0 image, 1 gate, 2 product, 3 what is copied, 4 the wide output, 5 right, 6 scale,
# 7 shift, 8 sum, 9 normed.
STATE, WIDE = 3, 4
MAKER, READER = (0, 1, 2, STATE), (STATE, 5, 6, 7, 8, 9)


def all_buffers(kind: BufferKind = BufferKind.INTERMEDIATE) -> list[Buffer]:
    shapes = {1: (COLUMNS,), WIDE: (ROWS, 3 * COLUMNS), 6: (COLUMNS,), 7: (COLUMNS,)}
    found = [
        Buffer(f"b{n}", BufferKind.INTERMEDIATE, DType.BF16, shapes.get(n, (ROWS, COLUMNS)))
        for n in range(12)
    ]
    found[STATE] = replace(found[STATE], kind=kind)
    return found


def copy(first: int = COLUMNS, changed: bool = False) -> Drafted:
    """The state put into columns of the wide output, from ``first`` on."""
    t, c = axis(0), axis(1)
    instructions = (Load(0, (t, c)), Apply(samples.MULTIPLY, (0, 0)))
    body = Body((KernelAxis("t", ROWS), KernelAxis("c", COLUMNS)), instructions[: 1 + changed])
    parameters = (
        samples.dense("x", DType.BF16, ROWS, COLUMNS),
        samples.dense("y", DType.BF16, ROWS, 3 * COLUMNS, access=samples.WRITE),
    )
    store = Store(1, (t, add(c, constant(first))), int(changed))
    return drafted(Pointwise("copy", parameters, body, (store,)), (STATE, WIDE), 2)


def maker() -> Drafted:
    return drafted(samples.modulated(ROWS, COLUMNS), MAKER, 0)


def reader() -> Drafted:
    return drafted(samples.layer_norm(ROWS, COLUMNS), READER, 1)


def test_the_maker_writes_and_the_reader_reads_where_the_copy_would_lie() -> None:
    before = [maker(), reader(), copy()]
    after = place_copies(before, all_buffers())
    assert [launch.steps for launch in after] == [(0,), (1,)]
    assert all(Argument(STATE) not in launch.arguments for launch in after)
    assert after[0].arguments[3] == after[1].arguments[0] == Argument(WIDE, COLUMNS)
    assert after[0].kernel.parameters[3].strides == (3 * COLUMNS, 1)
    assert_same(before, after, without=STATE)


def test_a_reader_of_a_part_reads_that_part() -> None:
    """Columns 8 to 15 of rows 1 and 3, each one of two."""
    parameters = (
        Parameter("x", DType.BF16, (2, 8), (2 * COLUMNS, 1)),
        samples.dense("y", DType.BF16, 2, 8, access=samples.WRITE),
    )
    body = Body((KernelAxis("i", 2), KernelAxis("j", 8)), (Load(0, (axis(0), axis(1))),))
    kernel = Pointwise("part", parameters, body, (Store(1, (axis(0), axis(1)), 0),))
    part = replace(
        drafted(kernel, (STATE, 10), 1), arguments=(Argument(STATE, COLUMNS + 8), Argument(10))
    )
    before = [maker(), part, copy()]
    after = place_copies(before, all_buffers())
    assert [launch.steps for launch in after] == [(0,), (1,)]
    assert_same(before, after, without=STATE)


def flat_reader() -> Drafted:
    """A kernel for which the state has one axis."""
    points = ROWS * COLUMNS
    parameters = (
        samples.dense("x", DType.BF16, points),
        samples.dense("y", DType.BF16, points, access=samples.WRITE),
    )
    squared = (Load(0, (axis(0),)), Apply(samples.MULTIPLY, (0, 0)))
    body = Body((KernelAxis("i", points),), squared)
    kernel = Pointwise("flat", parameters, body, (Store(1, (axis(0),), 1),))
    return drafted(kernel, (STATE, 10), 1)


@pytest.mark.parametrize(
    ("between", "last"),
    [
        pytest.param(reader(), copy(changed=True), id="something is computed on the way"),
        pytest.param(reader(), copy(first=1), id="rows would begin anywhere"),
        pytest.param(flat_reader(), copy(), id="somebody reads rows as one"),
        pytest.param(
            drafted(samples.layer_norm(ROWS, COLUMNS), (STATE, 5, 6, 7, 8, WIDE), 1),
            copy(first=0),
            id="the reader writes there",
        ),
        pytest.param(
            drafted(samples.modulated(ROWS, COLUMNS), (0, 1, 2, WIDE), 1),
            copy(first=0),
            id="another writes there before",
        ),
        pytest.param(
            drafted(samples.modulated(ROWS, COLUMNS), (WIDE, 1, 2, 10), 1),
            copy(first=0),
            id="another reads there before",
        ),
    ],
)
def test_copies_that_have_to_be_made(between: Drafted, last: Drafted) -> None:
    before = (maker(), between, last)
    assert place_copies(before, all_buffers()) == before


def test_what_changes_after_the_copy_is_copied() -> None:
    before = (maker(), copy(), drafted(samples.modulated(ROWS, COLUMNS), (5, 1, 2, STATE), 1))
    assert place_copies(before, all_buffers()) == before


def test_what_is_copied_twice_is_made_once_and_copied_once() -> None:
    other = WIDE + 7
    kinds = [*all_buffers()]
    kinds[other] = replace(kinds[WIDE])
    kinds[WIDE] = replace(kinds[WIDE], kind=BufferKind.OUTPUT)
    again = replace(copy(), arguments=(Argument(STATE), Argument(other)), steps=(3,))
    before = [maker(), copy(), again]
    after = place_copies(before, kinds)
    assert [launch.steps for launch in after] == [(0,), (3,)]
    assert_same(before, after, without=STATE)


def test_what_is_given_is_copied() -> None:
    before = (reader(), copy())
    assert place_copies(before, all_buffers(BufferKind.INPUT)) == before


STATES = """
param rows = 6
param width = 16
stage s(x: bf16[rows, width]) -> y: bf16[rows, 3*width]:
    index t: rows, c: width
    h{0}[t, c] = x[t, c]
    for n < 6:
        weight W: bf16[width, width] = "{n}.W"
        weight g: bf16[width] = "{n}.g"
        a[t, c] as x = rms_norm(h{n}[t], g, 1e-6)[c]
        h{n+1}[t, c] as x = h{n}[t, c] + linear(a[t], W)[c]
    y[t, 0 + c]       = h{2}[t, c]
    y[t, width + c]   = h{4}[t, c]
    y[t, 2*width + c] = h{6}[t, c]
"""


@pytest.mark.parametrize(("target", "libraries"), [("gfx942", False), ("sm_90", True)])
def test_states_that_are_handed_out_on_the_way(target: str, libraries: bool) -> None:
    text = STATES.replace("rows = 6", "rows = 1024").replace("width = 16", "width = 1024")
    program = elaborate(load_text("text", f"use nn\n{text}"), "s")
    kernels = lower(program, target, libraries=libraries).program
    copies = [
        kernel
        for kernel in kernels.kernels
        if isinstance(kernel, Pointwise)
        and not any(isinstance(i, Apply) for i in kernel.body.instructions)
    ]
    assert not copies


def test_states_mean_the_same() -> None:
    check_random(elaborate(load_text("text", f"use nn\n{STATES}"), "s"), range(3))
