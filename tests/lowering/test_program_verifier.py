"""Each rule of kernel programs: a valid one is accepted, and each break is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from typing import Any

import numpy as np
import pytest

from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    Argument,
    Body,
    Buffer,
    BufferKind,
    KernelAxis,
    KernelProgram,
    Launch,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Store,
    Table,
)
from lumc.lowering.kernel_reference import run_program
from lumc.lowering.kernel_verifier import (
    VerificationError,
)
from lumc.lowering.program_verifier import verify_program
from tests.lowering.small_kernels import AT, IJ, READ, WRITE, scaled, with_parameter


def buffers() -> tuple[Buffer, ...]:
    return (
        Buffer("x", BufferKind.INPUT, DType.F32, (4, 6)),
        Buffer("at", BufferKind.TABLE, DType.I32, (4, 6)),
        Buffer("w", BufferKind.PREPARED, DType.F32, (4, 6)),
        Buffer("t", BufferKind.INTERMEDIATE, DType.F32, (4, 6)),
        Buffer("y", BufferKind.OUTPUT, DType.F32, (4, 6)),
        Buffer("c", BufferKind.WEIGHT, DType.F32, (4, 6)),
    )


def program() -> KernelProgram:
    def launch(*at: int) -> Launch:
        return Launch(0, tuple(Argument(n) for n in at))

    return KernelProgram(
        "stage",
        buffers(),
        (Table(1, np.arange(24, dtype=np.int32).reshape(4, 6)),),
        (scaled(),),
        (launch(5, 1, 3), launch(3, 1, 2)),
        (launch(0, 1, 3), launch(3, 1, 4)),
    )


def with_launch(*arguments: Argument, kernel: int = 0, prepare: bool = False) -> KernelProgram:
    """``program`` with one more launch before the others."""
    launch = Launch(kernel, arguments)
    if prepare:
        return replace(program(), prepare=(launch, *program().prepare))
    return replace(program(), launches=(launch, *program().launches))


def with_buffer(number: int, **changes: Any) -> KernelProgram:
    changed = list(buffers())
    changed[number] = replace(changed[number], **changes)
    return replace(program(), buffers=tuple(changed))


def test_a_valid_program_passes_and_runs() -> None:
    verify_program(program())
    x = np.random.default_rng(0).standard_normal((4, 6)).astype(np.float32)
    found = run_program(program(), {"x": x}, {"c": x})
    np.testing.assert_allclose(found["y"], x * np.arange(24).reshape(4, 6) ** 2, 1e-6)


BROKEN_PROGRAMS: dict[str, tuple[Callable[[], KernelProgram], str]] = {
    "kernel": (lambda: with_launch(kernel=3), "launch 0: there is no kernel 3"),
    "arguments": (lambda: with_launch(Argument(0)), "1 arguments for 3 parameters"),
    "buffer": (
        lambda: with_launch(Argument(9), Argument(1), Argument(3)),
        r"launch 0 \(scaled\): x: there is no buffer 9",
    ),
    "dtype": (
        lambda: with_launch(Argument(1), Argument(1), Argument(3)),
        "at is i32, the parameter f32",
    ),
    "extent": (
        lambda: with_launch(Argument(0, 1), Argument(1), Argument(3)),
        "elements 1 to 25 of x, which has 24",
    ),
    "offset": (
        lambda: with_launch(Argument(0, -1), Argument(1), Argument(3)),
        "elements -1 to 23",
    ),
    "input is written": (
        lambda: with_launch(Argument(2), Argument(1), Argument(0)),
        "input x may not be written here",
    ),
    "prepared is written": (
        lambda: with_launch(Argument(0), Argument(1), Argument(2)),
        "prepared w may not be written here",
    ),
    "prepare reads an input": (
        lambda: with_launch(Argument(0), Argument(1), Argument(3), prepare=True),
        "input x is not there when weights are prepared",
    ),
    "read first": (
        lambda: with_launch(Argument(3), Argument(1), Argument(4)),
        r"launch 0 \(scaled\): x: t is read before it is written",
    ),
    "output": (lambda: replace(program(), launches=()), "output y: at most 0 of its 24 elements"),
    "part of an output": (
        lambda: with_buffer(4, shape=(5, 6)),
        "output y: at most 24 of its 30 elements",
    ),
    "prepared": (
        lambda: replace(program(), prepare=program().prepare[:1]),
        "prepared w: at most 0",
    ),
    "no table": (lambda: replace(program(), tables=()), "table buffers"),
    "table shape": (
        lambda: replace(program(), tables=(Table(1, np.zeros(24, np.int32)),)),
        "table at",
    ),
    "table dtype": (
        lambda: replace(program(), tables=(Table(1, np.zeros((4, 6), np.int64)),)),
        "table at",
    ),
    "kernel inside": (
        lambda: replace(program(), kernels=(with_parameter(2, access=READ),)),
        "y is read, but is write",
    ),
}


@pytest.mark.parametrize("name", BROKEN_PROGRAMS)
def test_broken_programs_are_named(name: str) -> None:
    make, message = BROKEN_PROGRAMS[name]
    with pytest.raises(VerificationError, match=message):
        verify_program(make())


def test_one_launch_may_not_read_what_it_writes_except_by_update() -> None:
    first, second = program().launches
    alias = Launch(0, (Argument(3), Argument(1), Argument(3)))
    with pytest.raises(VerificationError, match="x and y overlap and one is written"):
        verify_program(replace(program(), launches=(first, alias, second)))


def test_column_slices_of_one_buffer_do_not_overlap() -> None:
    def columns(name: str, access: ParameterAccess) -> Parameter:
        return Parameter(name, DType.F32, (4, 3), (6, 1), access)

    copy = Pointwise(
        "copy",
        (columns("from", READ), columns("to", WRITE)),
        Body((IJ[0], KernelAxis("j", 3)), (Load(0, AT),)),
        (Store(1, AT, 0),),
    )
    first, second = program().launches
    for offset, fails in ((3, False), (2, True)):
        launch = Launch(1, (Argument(3), Argument(3, offset)))
        changed = replace(program(), kernels=(scaled(), copy), launches=(first, launch, second))
        if fails:
            with pytest.raises(VerificationError, match="overlap"):
                verify_program(changed)
        else:
            verify_program(changed)
