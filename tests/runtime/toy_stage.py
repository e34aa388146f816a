"""A stage of three small kernels, on a device whose kernels are Python functions."""

from pathlib import Path

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import (
    LaunchPlan,
    PlanArgument,
    PlanBuffer,
    PlanBufferKind,
    PlanKernel,
    PlanLaunch,
    Region,
)
from lumc.codegen.plan_json import to_json
from lumc.dsl.dtypes import DType
from lumc.runtime.tensors import tensors_as_bytes
from tests.runtime.fake_device import FakeDevice

Bytes = npt.NDArray[np.uint8]
RANDOM = np.random.default_rng(3)
WEIGHT = RANDOM.standard_normal((3, 5)).astype(np.float32)
TABLE = RANDOM.standard_normal(5).astype(np.float32)
X = RANDOM.standard_normal((3, 5)).astype(np.float32)

# prepared = 2 · weight; h = x + table, x taken from its second row on; y = bf16(h · prepared)
PLAN = LaunchPlan(
    stage="toy",
    target="gfx942",
    parameters=(),
    buffers=(
        PlanBuffer("x", PlanBufferKind.INPUT, DType.F32, (3, 5), Region.IO, 0, 60),
        PlanBuffer("y", PlanBufferKind.OUTPUT, DType.BF16, (3, 5), Region.IO, 256, 30),
        PlanBuffer("w", PlanBufferKind.WEIGHT, DType.F32, (3, 5), Region.WEIGHTS, 0, 60),
        PlanBuffer("t", PlanBufferKind.TABLE, DType.F32, (5,), Region.CONSTANTS, 0, 20),
        PlanBuffer("p", PlanBufferKind.PREPARED, DType.F32, (3, 5), Region.CONSTANTS, 256, 60),
        PlanBuffer("h", PlanBufferKind.INTERMEDIATE, DType.F32, (3, 5), Region.ARENA, 0, 60),
    ),
    kernels=tuple(
        PlanKernel(
            name, "pointwise", f"code_objects/{name}.co", "kernels.hip", 0, (), (64, 1, 1), 0
        )
        for name in ("double", "shift", "product")
    ),
    prepare=(PlanLaunch(0, (1, 1, 1), (PlanArgument(2, 0, False), PlanArgument(4, 0, True)), "p"),),
    launches=(
        PlanLaunch(
            1,
            (1, 1, 1),
            (PlanArgument(0, 20, False), PlanArgument(3, 0, False), PlanArgument(5, 0, True)),
            "h",
        ),
        PlanLaunch(
            2,
            (1, 1, 1),
            (PlanArgument(5, 0, False), PlanArgument(4, 0, False), PlanArgument(1, 0, True)),
            "y",
        ),
    ),
    region_bytes=(
        (Region.ARENA, 60),
        (Region.WEIGHTS, 60),
        (Region.CONSTANTS, 316),
        (Region.IO, 286),
    ),
    tables="tables.safetensors",
)


def double(buffers: list[Bytes]) -> None:
    w, p = buffers
    p[:] = (2 * w.view(np.float32)).view(np.uint8)


def shift(buffers: list[Bytes]) -> None:
    x, t, h = (buffer.view(np.float32) for buffer in buffers)
    assert x.size == 10  # the pointer starts at the second row
    h[:5] = t
    h[5:] = x + np.tile(t, 2)


def product(buffers: list[Bytes]) -> None:
    h, p, y = buffers
    values = (h.view(np.float32) * p.view(np.float32)).astype(ml_dtypes.bfloat16)
    y[:] = values.view(np.uint8)


def expected(x: npt.NDArray[np.float32]) -> npt.NDArray[np.float32]:
    h = np.concatenate([np.zeros((1, 5), np.float32), x[1:]]) + TABLE
    y: npt.NDArray[np.float32] = (h * 2 * WEIGHT).astype(ml_dtypes.bfloat16).astype(np.float32)
    return y


def write_toy(folder: Path, plan: LaunchPlan = PLAN) -> None:
    """The stage's folder, as the compiler would write it."""
    (folder / "plan.json").write_text(to_json(plan))
    (folder / "tables.safetensors").write_bytes(tensors_as_bytes({"t": TABLE}))
    (folder / "code_objects").mkdir()
    for kernel in plan.kernels:
        assert isinstance(kernel, PlanKernel)
        (folder / kernel.code_object).write_bytes(kernel.symbol.encode())
        (folder / kernel.code_object).with_suffix(".s").write_text(f"; {kernel.symbol}")


def toy_device() -> FakeDevice:
    return FakeDevice({"double": double, "shift": shift, "product": product})
