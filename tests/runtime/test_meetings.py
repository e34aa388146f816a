"""A step whose workgroups meet: compiled as chosen, planned, and replayed on the emulator."""

from __future__ import annotations

from collections.abc import Iterator

import numpy as np
import pytest

from lumc.cli import main
from lumc.codegen.launch_plan import PlanBufferKind, PlanKernel, Region
from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.reference import evaluate
from lumc.explaining import read_explanation
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import CompiledStage, choose_stage
from lumc.runtime.tensors import TensorArrays

# Two in a row, so that both have a workspace in the same place.
SPEC = """use nn
stage s(q: bf16[70, 64], k: bf16[1100, 64], v: bf16[1100, 64], w: bf16[600, 64]) -> o: bf16[70, 64]:
    a = attention(q, k, v)
    o = attention(a, w, w)
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CompiledStage:
    folder = tmp_path_factory.mktemp("meetings")
    (folder / "s.lum").write_text(SPEC)
    out = str(folder / "out")
    assert main(["compile", str(folder / "s.lum"), "--target", "gfx942", "-o", out]) == 0
    return choose_stage(folder / "out", "s")


@pytest.fixture
def executor(stage: CompiledStage) -> Iterator[Executor]:
    with Executor(stage, EmulatorDevice("gfx942")) as opened:
        opened.load_weights(TensorArrays({}))
        yield opened


def test_each_launch_has_memory_to_meet_in(stage: CompiledStage) -> None:
    plan = stage.plan
    kernels = [plan.kernels[launch.kernel] for launch in plan.launches]
    assert [isinstance(k, PlanKernel) and k.meeting is not None for k in kernels] == [True, True]
    given = [[plan.buffers[a.buffer] for a in launch.arguments[-2:]] for launch in plan.launches]
    assert [[buffer.kind for buffer in pair] for pair in given] == [
        [PlanBufferKind.WORKSPACE, PlanBufferKind.COUNTERS]
    ] * 2
    (first, counted), (second, others) = given
    # One is done when the other begins; what is counted stays.
    assert first.offset == second.offset or first.offset + first.bytes <= second.offset
    assert counted.offset + counted.bytes <= others.offset
    assert others.offset + others.bytes <= dict(plan.region_bytes)[Region.COUNTERS]


def test_every_replay_gives_the_same_bits(executor: Executor) -> None:
    generator = np.random.default_rng(2)
    rows = {"q": 70, "k": 1100, "v": 1100, "w": 600}
    inputs = {
        name: generator.standard_normal((count, 64)).astype(DType.BF16.numpy)
        for name, count in rows.items()
    }
    first = executor.run(inputs)["o"]
    other = executor.run({name: -array for name, array in inputs.items()})["o"]
    again = executor.run(inputs)["o"]
    assert first.tobytes() == again.tobytes() != other.tobytes()
    program = elaborate(load_text("s", SPEC), "s")
    wanted = evaluate(program, inputs, {})["o"].astype(np.float32)
    np.testing.assert_allclose(first.astype(np.float32), wanted, atol=2e-2)


def test_the_explanation_says_so(stage: CompiledStage) -> None:
    shared = read_explanation(stage.folder)["shared"]
    assert {one["kernel"] for one in shared} == {kernel.symbol for kernel in stage.plan.kernels}
    assert all("reduced inside the launch" in one["how"] for one in shared)
