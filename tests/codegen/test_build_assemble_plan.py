"""A kernel program as a launch plan: run by the executor, it must compute what the program does."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.assemble_plan import assemble_plan
from lumc.codegen.emit import emit_program
from lumc.codegen.launch_plan import PlanKernel
from lumc.codegen.memory import plan_memory
from lumc.codegen.plan_json import from_json, to_json
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import (
    Apply,
    Argument,
    Body,
    Buffer,
    BufferKind,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Load,
    Parameter,
    ParameterAccess,
    Pointwise,
    Provenance,
    Store,
    Table,
)
from lumc.lowering.kernel_reference import run_kernel, run_program
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.tensors import TensorArrays, tensors_as_bytes
from tests.runtime.fake_device import FakeDevice

RANDOM = np.random.default_rng(5)
F32, BF16 = DType.F32, DType.BF16
ROWS, COLUMNS = 3, 7


def binary(name: str, op: ElementwiseOp, out: DType, rows: int = ROWS) -> Pointwise:
    """out[r, c] = op(a[r, c], b[c])."""
    shape, strides = (rows, COLUMNS), (COLUMNS, 1)
    return Pointwise(
        name,
        (
            Parameter("a", F32, shape, strides),
            Parameter("b", F32, (COLUMNS,), (1,)),
            Parameter("out", out, shape, strides, ParameterAccess.WRITE),
        ),
        Body(
            (KernelAxis("r", rows), KernelAxis("c", COLUMNS)),
            (Load(0, (axis(0), axis(1))), Load(1, (axis(1),)), Apply(op, (0, 1))),
        ),
        (Store(2, (axis(0), axis(1)), 2),),
    )


def buffer(name: str, kind: BufferKind, dtype: DType, *shape: int) -> Buffer:
    return Buffer(name, kind, dtype, shape)


ADD, MULTIPLY = ElementwiseOp.ADD, ElementwiseOp.MULTIPLY
PROGRAM = KernelProgram(
    name="toy",
    buffers=(
        buffer("x", BufferKind.INPUT, F32, ROWS, COLUMNS),
        buffer("w", BufferKind.WEIGHT, F32, 2, COLUMNS),
        buffer("table", BufferKind.TABLE, F32, COLUMNS),
        buffer("prepared", BufferKind.PREPARED, F32, 2, COLUMNS),
        buffer("h", BufferKind.INTERMEDIATE, F32, ROWS, COLUMNS),
        buffer("g", BufferKind.INTERMEDIATE, F32, ROWS, COLUMNS),
        buffer("y", BufferKind.OUTPUT, BF16, ROWS, COLUMNS),
    ),
    tables=(Table(2, RANDOM.standard_normal(COLUMNS).astype(np.float32)),),
    kernels=(
        binary("scale", MULTIPLY, F32, rows=2),
        binary("shift", ADD, F32),
        binary("product", MULTIPLY, BF16),
    ),
    prepare=(Launch(0, (Argument(1), Argument(2), Argument(3))),),
    launches=(
        Launch(1, (Argument(0), Argument(3, COLUMNS), Argument(4)), Provenance(labels=("h",))),
        Launch(1, (Argument(4), Argument(3), Argument(5)), Provenance(labels=("g",))),
        Launch(2, (Argument(5), Argument(3, COLUMNS), Argument(6)), Provenance(labels=("y",))),
    ),
    parameters=(("rows", "3"),),
)


def test_the_plan_says_what_the_program_does() -> None:
    emitted = emit_program(PROGRAM, target_named("gfx942"))
    plan = assemble_plan(PROGRAM, emitted, plan_memory(PROGRAM), "gfx942")
    assert from_json(to_json(plan)) == plan
    assert [launch.label for launch in plan.launches] == ["h", "g", "y"]
    assert plan.launches[0].kernel == plan.launches[1].kernel
    first = plan.launches[0].arguments
    assert [(a.buffer, a.offset, a.writes) for a in first] == [
        (0, 0, False),
        (3, COLUMNS * 4, False),
        (4, 0, True),
    ]
    assert plan.parameters == (("rows", "3"),)
    kernel = plan.kernels[0]
    assert isinstance(kernel, PlanKernel)
    assert kernel.code_object == f"code_objects/{emitted.kernels[0].symbol}.co"


def test_a_compiled_line_is_found_in_the_stage_s_source() -> None:
    emitted = emit_program(PROGRAM, target_named("gfx942"))
    plan = assemble_plan(PROGRAM, emitted, plan_memory(PROGRAM), "gfx942")
    whole = emitted.text.split("\n")
    for kernel in plan.kernels:
        assert isinstance(kernel, PlanKernel)
        unit = next(k.unit.text for k in emitted.generated if k.symbol == kernel.symbol).split("\n")
        body = next(n for n, line in enumerate(unit) if kernel.symbol in line)
        assert len(unit) - body > 5
        assert unit[body:-1] == whole[body + kernel.line_shift :][: len(unit) - 1 - body]


def meaning(kernel: Kernel) -> Any:
    """``kernel`` as a function over bytes, computed by its NumPy meaning."""

    def run(memory: Sequence[npt.NDArray[np.uint8]]) -> None:
        pairs = list(zip(memory, kernel.parameters, strict=True))
        arrays = [data.view(parameter.dtype.numpy).copy() for data, parameter in pairs]
        run_kernel(kernel, arrays)
        for (data, _), array in zip(pairs, arrays, strict=True):
            data[:] = array.view(np.uint8)

    return run


def test_the_executor_computes_what_the_program_means(tmp_path: Path) -> None:
    emitted = emit_program(PROGRAM, target_named("gfx942"))
    plan = assemble_plan(PROGRAM, emitted, plan_memory(PROGRAM), "gfx942")
    tables = tensors_as_bytes({"table": PROGRAM.tables[0].values})
    (tmp_path / "plan.json").write_text(to_json(plan))
    (tmp_path / "tables.safetensors").write_bytes(tables)
    (tmp_path / "code_objects").mkdir()
    for kernel in plan.kernels:
        assert isinstance(kernel, PlanKernel)
        for suffix in (".co", ".s"):
            (tmp_path / kernel.code_object).with_suffix(suffix).write_text("")
    inputs = {"x": RANDOM.standard_normal((ROWS, COLUMNS)).astype(np.float32)}
    weights = {"w": RANDOM.standard_normal((2, COLUMNS)).astype(np.float32)}
    symbols = [kernel.symbol for kernel in emitted.kernels]
    pairs = zip(symbols, PROGRAM.kernels, strict=True)
    device = FakeDevice({symbol: meaning(kernel) for symbol, kernel in pairs})
    with Executor(open_stage(tmp_path), device) as executor:
        executor.load_weights(TensorArrays(weights))
        got = executor.run(inputs)
    expected = run_program(PROGRAM, inputs, weights)
    assert list(got) == ["y"]
    np.testing.assert_array_equal(got["y"], expected["y"])
    assert np.isfinite(got["y"].astype(np.float32)).all()
