"""Rows that lie among each other in memory are walked together, in tiles, and rightly so."""

from __future__ import annotations

import math
import random

import pytest

from lumc.codegen.body_scope import Pointer
from lumc.codegen.emit import emit_kernel
from lumc.codegen.row_tiles import RowTiles, tile_rows
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.dsl.tensor_program import ElementwiseOp, ReduceOp
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Body,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Phase,
    Reduction,
    RowReduction,
    Store,
)
from tests.codegen import sample_kernels as samples
from tests.codegen.emulated import check_kernel

ADD, MULTIPLY = ElementwiseOp.ADD, ElementwiseOp.MULTIPLY
BF16, F16, F32 = DType.BF16, DType.F16, DType.F32


def moments(
    parts: int,
    columns: int,
    rows: int,
    run: int,
    dtype: DType = BF16,
    *,
    gap: int = 0,
    normalises: bool = False,
    op: ReduceOp = ReduceOp.SUM,
) -> RowReduction:
    """The sum of each row, and the sum of squares around its mean; rows lie in runs of ``run``.

    Between the elements of neighbouring columns are ``gap`` further ones. If ``normalises``, each
    element is also stored as its difference from the mean.
    """
    kept = (KernelAxis("part", parts), KernelAxis("row", rows))
    both = (*kept, KernelAxis("column", columns), KernelAxis("place", run))
    pixel = rows * run + gap
    shape, strides = (parts, columns, rows, run), (columns * pixel, pixel, run, 1)
    x = Parameter("x", dtype, shape, strides)
    sums = samples.dense("sums", F32, parts, rows, access=ParameterAccess.WRITE)
    spreads = samples.dense("spreads", F32, rows, parts, access=ParameterAccess.WRITE)
    at = (axis(0), axis(2), axis(1), axis(3))
    centred = (
        Load(0, at),
        Accumulator(0),
        samples.real(-1 / (columns * run)),
        Apply(MULTIPLY, (1, 2)),
        Apply(ADD, (0, 3)),
    )
    phases = [
        Phase(Body(both, (Load(0, at),)), (Reduction(op, 0),)),
        Phase(Body(both, (*centred, Apply(MULTIPLY, (4, 4)))), (Reduction(ReduceOp.SUM, 5),)),
        Phase(
            Body(kept, (Accumulator(0), Accumulator(1))),
            (),
            (Store(1, (axis(0), axis(1)), 0), Store(2, (axis(1), axis(0)), 1)),
        ),
    ]
    parameters = [x, sums, spreads]
    if normalises:
        parameters.append(Parameter("y", dtype, shape, strides, ParameterAccess.WRITE))
        phases.append(Phase(Body(both, centred), (), (Store(3, at, 4),)))
    return RowReduction("moments", tuple(parameters), kept, tuple(phases))


def tiles(kernel: RowReduction) -> RowTiles | None:
    pointers = [Pointer(p.name, p, 256) for p in kernel.parameters]
    return tile_rows(kernel, pointers)


SHAPES = {
    "groups of four channels": moments(3, 40, 32, 4),
    "groups of sixteen channels": moments(5, 30, 32, 16),
    "a row a channel": moments(2, 50, 64, 1),
    "a row a channel, not a power of two": moments(1, 333, 12, 1),
    "three sets of threads of 80": moments(2, 21, 40, 16),
    "threads left over": moments(2, 70, 6, 4),
    "last tile not full": moments(1, 9000, 70, 2),
    "pixels apart": moments(3, 40, 8, 8, gap=24),
    "pieces that are not aligned": moments(3, 40, 8, 4, gap=3),
    "f32": moments(2, 40, 16, 4, F32),
    "f16": moments(2, 40, 16, 4, F16),
    "too long for registers": moments(1, 7000, 8, 4),
    "normalises": moments(2, 37, 32, 4, normalises=True),
    "normalises, too long for registers": moments(1, 6000, 16, 2, normalises=True),
    "the greatest": moments(2, 40, 32, 4, op=ReduceOp.MAXIMUM),
}


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
@pytest.mark.parametrize("name", SHAPES)
def test_tiles_compute_what_rows_mean(name: str, target: str) -> None:
    assert tiles(SHAPES[name]) is not None
    check_kernel(SHAPES[name], target, tolerance=2e-5 if "f32" in name else 1e-2)


@pytest.mark.parametrize("seed", range(6))
def test_random_tiles(seed: int) -> None:
    chosen = random.Random(seed)
    kernel = moments(
        chosen.randint(1, 3),
        chosen.choice([2, 17, 100, 1000]),
        chosen.randint(2, 50),
        chosen.choice([1, 2, 3, 4, 8, 16, 24]),
        chosen.choice([BF16, F16, F32]),
        gap=chosen.choice([0, 0, 1, 8]),
        normalises=chosen.random() < 0.3,
    )
    check_kernel(kernel, chosen.choice(["gfx90a", "gfx942"]), seed, tolerance=1e-2)


def test_all_of_memory_is_read_once_and_sixteen_bytes_at_a_time() -> None:
    kernel = moments(8, 128, 32, 4)
    result = check_kernel(kernel, "gfx942", tolerance=1e-2)
    counters = result.counters
    loads = {
        str(m): int(n)
        for m, n in zip(counters.mnemonics, counters.counts["lanes"], strict=True)
        if str(m).startswith("global_load") and n
    }
    assert set(loads) == {"global_load_dwordx4"}
    lanes = sum(
        int(n)
        for m, n in zip(counters.mnemonics, counters.counts["lanes"], strict=True)
        if str(m) == "global_load_dwordx4"
    )
    assert lanes * 16 == 2 * math.prod((8, 128, 32, 4))


def test_long_rows_are_walked_one_by_one() -> None:
    assert tiles(moments(1, 40, 8, 512)) is None
    assert tiles(samples.layer_norm(9, 40)) is None


def test_few_rows_are_cut_into_narrow_tiles() -> None:
    found = tiles(moments(1, 100000, 32, 1, F32))
    assert found is not None
    assert found.tiles == 8
    emitted = emit_kernel(moments(1, 100000, 32, 1, F32), target_named("gfx942"), [256] * 3)
    assert emitted.grid == (8, 1, 1)
