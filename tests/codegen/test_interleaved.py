"""Pairs that lie together are read and written together."""

from dataclasses import replace

import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import IndexExpression, add, axis, constant, scale
from lumc.lowering.kernel_program import (
    Apply,
    Body,
    KernelAxis,
    Load,
    ParameterAccess,
    Pointwise,
    Store,
)
from tests.codegen.emulated import check_kernel
from tests.codegen.sample_kernels import ADD, MULTIPLY, dense


def rotated(tokens: int, pairs: int, dtype: DType, parts: int = 2) -> Pointwise:
    """``y[t, 2n] = x[t, 2n] a[t, n] + x[t, 2n + 1]`` and so on, each part with the next one."""
    t, n = KernelAxis("t", tokens), KernelAxis("n", pairs)

    def place(part: int) -> tuple[IndexExpression, IndexExpression]:
        return axis(0), add(scale(axis(1), parts), constant(part))

    loads = tuple(Load(0, place(part)) for part in range(parts))
    angle = Load(1, (axis(0), axis(1)))
    made: list[Apply] = []
    for part in range(parts):
        made.append(Apply(MULTIPLY, (part, parts)))
        made.append(Apply(ADD, (parts + 1 + 2 * part, (part + 1) % parts)))
    stores = tuple(Store(2, place(part), parts + 2 + 2 * part) for part in range(parts))
    return Pointwise(
        "rotated",
        (
            dense("x", dtype, tokens, pairs * parts),
            dense("a", DType.F32, tokens, pairs),
            dense("y", dtype, tokens, pairs * parts, access=ParameterAccess.WRITE),
        ),
        Body((t, n), (*loads, angle, *made)),
        stores,
    )


@pytest.mark.parametrize("dtype", [DType.BF16, DType.F16, DType.F32])
@pytest.mark.parametrize(("pairs", "parts"), [(64, 2), (20, 2), (7, 2), (16, 4), (8, 3)])
def test_parts_of_runs_are_right(dtype: DType, pairs: int, parts: int) -> None:
    check_kernel(rotated(13, pairs, dtype, parts), "gfx942")


def source(kernel: Pointwise) -> str:
    return emit_kernel(kernel, target_named("gfx942"), [256] * len(kernel.parameters)).source


def test_a_run_is_one_vector() -> None:
    text = source(rotated(13, 64, DType.BF16))
    assert text.count("load_vector<8, 8>(x") == 1
    assert text.count("store_vector<8>(y") == 1
    assert " load(x" not in text
    assert "store(y" not in text


def test_a_part_alone_touches_nothing_else() -> None:
    kernel = rotated(13, 64, DType.BF16)
    first = replace(kernel, stores=kernel.stores[:1])
    assert "store_vector" not in source(first)
    check_kernel(first, "gfx942")
