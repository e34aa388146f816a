"""Checks of full-size kernels accept right code and name every kind of wrong code."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from hypothesis import HealthCheck, given, settings

from lumc.codegen.build import compile_units
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import emit_kernel
from lumc.codegen.geometry import AxisGroup, Geometry
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import (
    Body,
    Kernel,
    KernelAxis,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_types import parallel_axes
from lumc.lowering.select_tiles import with_tile
from lumc.runtime.verify_kernels import (
    RunWorkgroups,
    check_kernel,
    choose_workgroups,
    emulated,
)
from tests.lowering.example_kernels import activation, attention, dense, gemm, norm, pointwise
from tests.strategies.kernels import kernels

Array = npt.NDArray[Any]
READ, WRITE = ParameterAccess.READ, ParameterAccess.WRITE


def one_by_one(kernel: Kernel, tile: int = 3) -> Geometry:
    """A geometry that cuts every axis into runs of ``tile``."""
    axes = parallel_axes(kernel)
    groups = (AxisGroup((n,), (a.size,), min(tile, a.size)) for n, a in enumerate(axes))
    return Geometry(tuple(groups))


def by_meaning(
    kernel: Kernel, geometry: Geometry, spoil: Callable[[Sequence[Array]], None] = lambda _: None
) -> RunWorkgroups:
    """Stands in for compiled code: the NumPy meaning, and then ``spoil``."""

    def run(workgroups: Sequence[int], arrays: Sequence[Array]) -> None:
        for number in workgroups:
            for box in geometry.boxes(number):
                run_kernel(kernel, arrays, box)
        spoil(arrays)

    return run


@settings(max_examples=30, deadline=None, suppress_health_check=list(HealthCheck))
@given(kernels())
def test_right_code_passes(kernel: Kernel) -> None:
    geometry = one_by_one(kernel)
    found = check_kernel(kernel, geometry, by_meaning(kernel, geometry), workgroups=5)
    assert found.mismatches == ()
    assert found.closeness <= 1


# Rows 0 to 2 and columns 0 to 2 of 40 × 30 are the first workgroup's; 3 columns are the last's.
_SPOILED: dict[str, tuple[int, float | None]] = {
    "an element is wrong": (31, 100.0),
    "an element is not written": (31, None),
    "another workgroup's element is written": (15, 1.0),
    "an element is off by a step": (31, 0.0),
}


@pytest.mark.parametrize("name", _SPOILED)
def test_wrong_code_is_found(name: str) -> None:
    place, value = _SPOILED[name]
    kernel = gemm(40, 30, 50)
    geometry = one_by_one(kernel)

    def spoil(arrays: Sequence[Array]) -> None:
        result = arrays[2]
        if value is None:
            result[place] = np.nan
        elif value == 0.0:
            result.view(np.uint16)[place] += 1
        else:
            result[place] = value

    found = check_kernel(kernel, geometry, by_meaning(kernel, geometry, spoil), workgroups=2)
    (mismatch,) = found.mismatches
    assert (mismatch.parameter, mismatch.element, mismatch.count) == ("y", place, 1)
    assert str(mismatch).startswith(f"gemm: y, element {place}: ")


def test_a_changed_input_is_not_blamed_on_the_code() -> None:
    """Data is the same for the same seed, and different for another."""
    kernel = pointwise(4, 4)
    geometry = one_by_one(kernel)
    seen: list[bytes] = []

    def run(_: Sequence[int], arrays: Sequence[Array]) -> None:
        seen.append(arrays[0].tobytes())

    for seed in (1, 1, 2):
        check_kernel(kernel, geometry, run, seed=seed)
    assert seen[0] == seen[1] != seen[2]


def test_nothing_written_is_found() -> None:
    kernel = norm(10, 20)
    geometry = one_by_one(kernel)
    found = check_kernel(kernel, geometry, lambda *_: None, workgroups=4)
    assert [m.count for m in found.mismatches] == [10 * 20]


def test_places_that_are_data_are_kept_inside() -> None:
    """A gather from 7 rows, at places that are loaded."""
    kernel = Pointwise(
        "gather",
        (
            Parameter("at", DType.I32, (50,), (1,)),
            dense("x", 7, 3),
            dense("y", 50, 3, access=WRITE),
        ),
        Body(
            (KernelAxis("i", 50), KernelAxis("j", 3)),
            (Load(0, (axis(0),)), Load(1, (axis(2), axis(1)), (0,))),
        ),
        (Store(2, (axis(0), axis(1)), 1),),
    )
    geometry = one_by_one(kernel)
    found = check_kernel(kernel, geometry, by_meaning(kernel, geometry), workgroups=9)
    assert found.mismatches == ()
    assert found.elements > 0


def test_the_first_and_last_workgroups_are_among_them() -> None:
    generator = np.random.default_rng(1)
    assert choose_workgroups(3, 5, generator) == (0, 1, 2)
    chosen = choose_workgroups(1000, 5, generator)
    assert len(chosen) == 5
    assert (chosen[0], chosen[-1]) == (0, 999)


@pytest.mark.parametrize(
    "kernel",
    [
        gemm(1000, 700, 1096, epilogue=activation(0, 1)),
        attention(8, 333, 333, 64),
        norm(500, 3000),
        pointwise(3000, 1001, loads=1, code=activation(0, 1)),
    ],
    ids=["gemm", "attention", "norm", "pointwise"],
)
def test_compiled_code_is_right_at_full_size(kernel: Kernel) -> None:
    name = "gfx942"
    target, chain = target_named(name), choose_toolchain(name)
    kernel = with_tile(kernel, chip_for(name))
    emitted = emit_kernel(kernel, target, [256] * len(kernel.parameters))
    built = compile_units({emitted.symbol: emitted.unit}, chain, name, open_cache())
    code = emulated(emitted, built.objects[emitted.symbol])
    found = check_kernel(kernel, emitted.geometry, code)
    assert found.mismatches == ()
    assert 0 < found.closeness <= 1

    def but_one(workgroups: Sequence[int], arrays: Sequence[Array]) -> None:
        code(workgroups[:-1], arrays)

    assert check_kernel(kernel, emitted.geometry, but_one).mismatches
