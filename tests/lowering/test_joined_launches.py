"""A row kernel computes what it would have read, where a launch before it made that."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import add, axis, constant
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp, TensorProgram
from lumc.lowering import lower
from lumc.lowering.joined_launches import join_launches
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Argument,
    Body,
    IndexOf,
    Kernel,
    KernelAxis,
    Literal,
    Load,
    Parameter,
    Phase,
    Pointwise,
    Provenance,
    Reduction,
    RowReduction,
    Store,
)
from lumc.lowering.kernel_types import size
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.merged_rows import Drafted
from tests.codegen import sample_kernels as samples
from tests.lowering.checking import check_random
from tests.lowering.drafted_launches import assert_same, drafted

ROWS, COLUMNS = 5, 12
# Buffers: 0 image, 1 gate, 2 product, 3 residual, 4 right, 5 scale, 6 shift, 7 sum, 8 normed,
# 9 another's output.
MAKER, READER = (0, 1, 2, 3), (3, 4, 5, 6, 7, 8)


def maker() -> Drafted:
    return drafted(samples.modulated(ROWS, COLUMNS), MAKER, 0)


def reader() -> Drafted:
    return drafted(samples.layer_norm(ROWS, COLUMNS), READER, 1)


def launches(kernel: Kernel) -> float:
    """A cost by which fewer launches are better."""
    return 1.0


def test_a_residual_and_the_norm_that_follows() -> None:
    before = [maker(), reader()]
    (joint,) = join_launches(before, launches)
    assert joint.steps == (0, 1)
    assert joint.provenance.labels == ("modulate", "layer_norm")
    assert isinstance(joint.kernel, RowReduction)
    read = [a.buffer for a in joint.arguments]
    # What the norm read is no longer read, and nothing is a parameter twice.
    assert sorted(read) == [0, 1, 2, 3, 4, 5, 6, 7, 8]
    made = joint.kernel.parameters[read.index(3)]
    assert made.access is samples.WRITE
    assert_same(before, [joint])


def test_what_comes_between_and_does_not_matter_stays() -> None:
    other = drafted(samples.transposed(ROWS, COLUMNS), (4, 9), 2)
    before = [maker(), other, drafted(samples.layer_norm(ROWS, COLUMNS), (3, 0, 5, 6, 7, 8), 1)]
    after = join_launches(before, launches)
    assert [launch.steps for launch in after] == [(2,), (0, 1)]
    assert_same(before, after)


def test_the_first_reader_does_the_work() -> None:
    second = drafted(samples.layer_norm(ROWS, COLUMNS), (3, 4, 5, 6, 10, 11), 2)
    before = [maker(), reader(), second]
    after = join_launches(before, launches)
    assert [launch.steps for launch in after] == [(0, 1), (2,)]
    assert_same(before, after)


PRODUCT = samples.linear(ROWS, 8, COLUMNS)


@pytest.mark.parametrize(
    ("kernel", "between"),
    [
        pytest.param(PRODUCT, (3, *range(20, 19 + len(PRODUCT.parameters))), id="reads it"),
        pytest.param(samples.transposed(COLUMNS, ROWS), (9, 0), id="writes what it is made from"),
    ],
)
def test_what_matters_between_keeps_them_apart(kernel: Kernel, between: tuple[int, ...]) -> None:
    before = [maker(), drafted(kernel, between, 2), reader()]
    assert join_launches(before, launches) == tuple(before)


def test_a_copy_of_what_a_norm_reads() -> None:
    """The copy lies in columns of a wider tensor, and is asked for long after the norm."""
    copied = Parameter("part", DType.BF16, (ROWS, COLUMNS), (3 * COLUMNS, 1), samples.WRITE)
    t, c = axis(0), axis(1)
    body = Body((KernelAxis("t", ROWS), KernelAxis("c", COLUMNS)), (Load(0, (t, c)),))
    kernel = Pointwise(
        "copy",
        (samples.dense("x", DType.BF16, ROWS, COLUMNS), copied),
        body,
        (Store(1, (t, c), 0),),
    )
    arguments = (Argument(3), Argument(12, COLUMNS))
    copy = Drafted(kernel, arguments, Provenance(), (2,))
    product = drafted(PRODUCT, (8, *range(20, 19 + len(PRODUCT.parameters))), 3)
    before = [reader(), product, copy]
    after = join_launches(before, launches)
    assert [launch.steps for launch in after] == [(2, 1), (3,)]
    # What both read is a parameter once, and loaded once in the pass that copies it.
    joint = after[0].kernel
    assert isinstance(joint, RowReduction)
    assert len(joint.parameters) == 7
    first = [x for x in joint.phases[0].body.instructions if isinstance(x, Load)]
    assert len(first) == len(set(first)) == 2
    assert_same(before[:1] + before[2:], after[:1])


def test_a_copy_waits_for_what_it_copies() -> None:
    """Not before the launch that makes what is copied, though a norm there reads the same place."""
    copy = drafted(samples.transposed(ROWS, COLUMNS), (3, 9), 2)
    later = maker()
    before = [reader(), later, copy]
    assert join_launches(before, launches) == tuple(before)


def test_not_where_it_would_cost_more() -> None:
    before = [maker(), reader()]

    def dear(kernel: Kernel) -> float:
        return 10.0 if len(kernel.parameters) > 6 else 1.0

    assert join_launches(before, dear) == tuple(before)


def test_not_where_the_reader_writes_what_the_maker_reads() -> None:
    later = drafted(samples.layer_norm(ROWS, COLUMNS), (3, 4, 5, 6, 7, 0), 1)
    assert join_launches([maker(), later], launches) == (maker(), later)


def test_not_where_another_part_is_read() -> None:
    arguments = (Argument(3, COLUMNS), *reader().arguments[1:])
    later = replace(reader(), arguments=arguments)
    assert join_launches([maker(), later], launches) == (maker(), later)


def test_not_where_no_pass_sees_all_that_is_to_be_stored() -> None:
    """A kernel that looks at the first half of each row can't store the second."""
    kernel = samples.layer_norm(ROWS, COLUMNS)
    half = KernelAxis("c", COLUMNS // 2)
    phases = tuple(
        replace(phase, body=replace(phase.body, axes=(phase.body.axes[0], half)))
        for phase in kernel.phases
    )
    later = drafted(replace(kernel, phases=phases), READER, 1)
    assert join_launches([maker(), later], launches) == (maker(), later)


def test_neighbours_are_computed_where_they_are_read() -> None:
    """Each element and its mirror image: the second is no pass over the row, but a read."""
    t, c = axis(0), axis(1)
    mirrored = replace(constant(COLUMNS - 1), terms=((c.terms[0][0], -1),))
    row = (KernelAxis("t", ROWS),)
    both = (*row, KernelAxis("c", COLUMNS))
    square = (Load(0, (t, c)), Apply(ElementwiseOp.MULTIPLY, (0, 0)))
    turned = (
        Load(0, (t, mirrored)),
        Accumulator(0),
        Apply(ElementwiseOp.MULTIPLY, (0, 1)),
        Load(0, (t, c)),
        Apply(ElementwiseOp.ADD, (2, 3)),
    )
    parameters = (
        samples.dense("x", DType.BF16, ROWS, COLUMNS),
        samples.dense("y", DType.F32, ROWS, COLUMNS, access=samples.WRITE),
    )
    phases = (
        Phase(Body(both, square), (Reduction(ReduceOp.SUM, 1),)),
        Phase(Body(both, turned), (), (Store(1, (t, c), 4),)),
    )
    later = drafted(RowReduction("mirror", parameters, row, phases), (3, 4), 1)
    before = [maker(), later]
    (joint,) = join_launches(before, launches)
    assert_same(before, [joint])


def test_what_changes_its_own_input_is_not_computed_again() -> None:
    t, c = axis(0), axis(1)
    parameters = (
        samples.dense("state", DType.BF16, ROWS, COLUMNS, access=samples.UPDATE),
        samples.dense("y", DType.BF16, ROWS, COLUMNS, access=samples.WRITE),
    )
    doubled = (Load(0, (t, c)), Apply(ElementwiseOp.ADD, (0, 0)))
    body = Body((KernelAxis("t", ROWS), KernelAxis("c", COLUMNS)), doubled)
    stores = (Store(0, (t, c), 1), Store(1, (t, c), 1))
    before = (drafted(Pointwise("double", parameters, body, stores), (12, 3), 0), reader())
    verify_kernel(before[0].kernel)
    assert join_launches(before, launches) == before


def test_a_read_that_depends_on_a_condition_stays_a_read() -> None:
    """What stands to the left, and nothing beside the first column: no place to compute it at."""
    t, c = axis(0), axis(1)
    row = (KernelAxis("t", ROWS),)
    both = (*row, KernelAxis("c", COLUMNS))
    beside = (
        Load(0, (t, c)),
        Literal(0, DType.I32),
        IndexOf(c),
        Apply(ElementwiseOp.LESS_THAN, (1, 2)),
        Load(0, (t, add(c, constant(-1))), predicate=3),
        Apply(ElementwiseOp.ADD, (0, 4)),
    )
    scaled = (Load(0, (t, c)), Accumulator(0), Apply(ElementwiseOp.MULTIPLY, (0, 1)))
    parameters = (
        samples.dense("x", DType.BF16, ROWS, COLUMNS),
        samples.dense("y", DType.F32, ROWS, COLUMNS, access=samples.WRITE),
    )
    phases = (
        Phase(Body(both, beside), (Reduction(ReduceOp.SUM, 5),)),
        Phase(Body(both, scaled), (), (Store(1, (t, c), 2),)),
    )
    later = drafted(RowReduction("beside", parameters, row, phases), (3, 4), 1)
    before = (maker(), later)
    assert join_launches(before, launches) == before


# ----------------------------------------------------------------------------------- whole programs

BLOCKS = """
param tokens = 6
param width = 16
stage s(x: bf16[tokens, width], gate: bf16[width]) -> y: bf16[tokens, width]:
    index t: tokens, c: width
    x{0}[t, c] = x[t, c]
    for n < 4:
        weight W: bf16[width, width] = "{n}.W"
        weight g: bf16[width] = "{n}.g"
        h[t, c] as x = rms_norm(x{n}[t], g, 1e-6)[c]
        u[t, c] as x = linear(h[t], W)[c]
        x{n+1}[t, c] as x = x{n}[t, c] + gate[c] * u[t, c]
    y[t, c] = x{4}[t, c]
"""


def blocks(tokens: int, width: int) -> TensorProgram:
    text = BLOCKS.replace("tokens = 6", f"tokens = {tokens}")
    text = text.replace("width = 16", f"width = {width}")
    return elaborate(load_text("text", f"use nn\n{text}"), "s")


def test_blocks_that_meet_at_a_residual() -> None:
    """With the vendor's products, three launches a block become two."""
    program = lower(blocks(4096, 4096), "sm_90", libraries=True).program
    kinds = [type(program.kernels[launch.kernel]) for launch in program.launches]
    assert kinds.count(RowReduction) == 4
    assert kinds.count(Pointwise) == 1
    stored = [k for k in program.kernels if isinstance(k, RowReduction) and _stores(k) == 2]
    assert len(stored) == 1
    assert size(stored[0].rows) == 4096


def _stores(kernel: RowReduction) -> int:
    return sum(len(phase.stores) for phase in kernel.phases)


def test_blocks_mean_the_same() -> None:
    check_random(blocks(6, 16), range(3))
