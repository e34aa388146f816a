"""What row kernels read once and keep: each row passes through memory a single time."""

from __future__ import annotations

from dataclasses import replace

import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, substitute
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Apply,
    Argument,
    Body,
    KernelAxis,
    Load,
    Phase,
    Provenance,
    RowReduction,
)
from lumc.lowering.merged_rows import Drafted, merged
from tests.codegen import sample_kernels as samples
from tests.codegen.emulated import check_kernel

_PLACE = (axis(0), axis(1))


def _renamed(kernel: RowReduction) -> RowReduction:
    """The kernel with another name for its columns in each phase."""
    phases = []
    for number, phase in enumerate(kernel.phases):
        *rows, columns = phase.body.axes
        axes = (*rows, KernelAxis(f"c{number}", columns.size))
        phases.append(replace(phase, body=replace(phase.body, axes=axes)))
    return replace(kernel, phases=tuple(phases))


def _loads(source: str, name: str) -> int:
    return source.count(f"load_vector<8, 8>({name} + ")


@pytest.mark.parametrize("target", ["gfx942", "sm_90"])
@pytest.mark.parametrize("rows", [512, 4096])
def test_a_row_is_read_once_whatever_its_columns_are_called(target: str, rows: int) -> None:
    kernel = _renamed(samples.layer_norm(rows, 4096))
    source = emit_kernel(kernel, target_named(target), [256] * 6).source
    assert _loads(source, "x") == 1
    assert _loads(source, "r") == 1


def test_registers_go_to_rows_before_what_all_rows_share() -> None:
    """The scale is read in two passes as x and r are, but the registers hold only two of them."""
    kernel = samples.layer_norm(4096, 40960, DType.F32)
    first, *others = kernel.phases
    scale = kernel.phases[2].body.instructions[15]
    summed = (scale, Load(0, _PLACE), Load(1, _PLACE), Apply(ElementwiseOp.ADD, (1, 2)))
    first = Phase(
        Body(first.body.axes, (*summed, Apply(ElementwiseOp.MULTIPLY, (0, 3)))),
        (replace(first.reductions[0], value=4),),
        (replace(first.stores[0], value=3),),
    )
    kernel = replace(kernel, phases=(first, *others))
    source = emit_kernel(kernel, target_named("gfx942"), [256] * 6).source
    loads = {name: source.count(f"load_vector<4, 4>({name} + ") for name in ("x", "r", "scale")}
    assert loads == {"x": 1, "r": 1, "scale": 2}


@pytest.mark.parametrize("columns", [96, 1000, 4096])
def test_renamed_columns_on_the_emulator(columns: int) -> None:
    check_kernel(_renamed(samples.layer_norm(5, columns)), "gfx942")


def _rows_swapped(kernel: RowReduction) -> RowReduction:
    """The kernel with its two row axes in the other order; memory lies as it did."""
    moved = (axis(1), axis(0), axis(2))

    def swapped(body: Body) -> Body:
        axes = (body.axes[1], body.axes[0], *body.axes[2:])
        sizes = [a.size for a in axes]
        instructions = tuple(
            replace(x, index=tuple(substitute(e, moved, sizes) for e in x.index))
            if isinstance(x, Load)
            else x
            for x in body.instructions
        )
        return Body(axes, instructions)

    phases = []
    for phase in kernel.phases:
        body = swapped(phase.body)
        sizes = [a.size for a in body.axes]
        stores = tuple(
            replace(s, index=tuple(substitute(e, moved, sizes) for e in s.index))
            for s in phase.stores
        )
        phases.append(replace(phase, body=body, stores=stores))
    return replace(kernel, rows=kernel.rows[::-1], phases=tuple(phases))


def test_rows_are_walked_as_memory_lies() -> None:
    """A rotation of (token, head, channel) whose rows are named the other way round."""
    kernel = _rows_swapped(samples.rope_in_place(64, 4, 128))
    source = emit_kernel(kernel, target_named("gfx942")).source
    inner, outer = (f"const int {a.name} = " for a in kernel.rows)
    assert f"{inner}remainder(row, 4)" in source
    assert f"{outer}quotient(row, 4)" in source


def test_rows_walked_in_another_order_on_the_emulator() -> None:
    check_kernel(_rows_swapped(samples.rope_in_place(7, 3, 128)), "gfx942")


def _residual_and_norm(rows: int, columns: int) -> RowReduction:
    """A gated residual, its norm and modulation, and both stored."""
    one, other = samples.modulated(rows, columns), samples.layer_norm(rows, columns)
    drafted = [
        Drafted(kernel, tuple(map(Argument, buffers)), Provenance(), ())
        for kernel, buffers in ((one, (0, 1, 2, 3)), (other, (3, 4, 5, 6, 7, 8)))
    ]
    joint = merged(*drafted)
    assert joint is not None
    assert isinstance(joint.kernel, RowReduction)
    taken = [f"p{number}" for number in range(len(joint.kernel.parameters))]
    named = zip(joint.kernel.parameters, taken, strict=True)
    return replace(joint.kernel, parameters=tuple(replace(p, name=name) for p, name in named))


@pytest.mark.parametrize("columns", [1000, 4096])
def test_a_residual_with_its_norm_on_the_emulator(columns: int) -> None:
    check_kernel(_residual_and_norm(3, columns), "gfx942")


def test_a_residual_with_its_norm_passes_through_memory_once() -> None:
    kernel = _residual_and_norm(4096, 4096)
    source = emit_kernel(kernel, target_named("sm_90"), [256] * len(kernel.parameters)).source
    tensors = [p for p in kernel.parameters if len(p.shape) == 2]
    for parameter in tensors:
        accesses = (f">({parameter.name} + 4096 * t", f">({parameter.name} + 4096 * row")
        assert sum(source.count(text) for text in accesses) == 1, parameter.name
