"""``lumc bench`` on a GPU, against a stand-in for one."""

from pathlib import Path

import pytest

from benchmarks.sources import SourceToolchain
from lumc.benching import (
    StageBench,
    bench_stage,
    bench_text,
    profile_json,
    profile_text,
    stages_in,
)
from lumc.codegen.build import WORK_FILE, write_stage
from lumc.codegen.cache import Cache
from lumc.codegen.target import target_named
from lumc.compiler import CompileOptions, Silent, compile_stage
from lumc.diagnostics import LumcError
from lumc.dsl import load_spec
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.stage_folder import CompiledStage, open_stage
from lumc.runtime.stage_times import KernelTime, MachineRates, StageTimes, measure_machine
from lumc.runtime.stage_work import read_work
from tests.runtime.recording_cuda import RecordingCuda

SPEC = """\
param n = 480
param m = 400

stage layer(x: f32[240, n]) -> y: f32[240, m]:
    weight W: f32[m, n] = "w"
    h[t, o] = sum[i] x[t, i] * W[o, i]
    y[t, o] = h[t, o] / (1 + sum[p] h[t, p]^2)
"""


@pytest.fixture(scope="module")
def stage(tmp_path_factory: pytest.TempPathFactory) -> CompiledStage:
    folder = tmp_path_factory.mktemp("bench")
    place = folder / "layer.lum"
    place.write_text(SPEC)
    target, store = target_named("sm_90"), Cache(folder / "cache")
    options, chain = CompileOptions("sm_90"), SourceToolchain()
    made = compile_stage(load_spec(place), "layer", target, options, chain, store, Silent())
    write_stage(folder / "out" / "layer", made.files)
    return open_stage(folder / "out" / "layer")


MACHINE = MachineRates(copy_bytes=4e12, product_operations=None)


def test_a_stage_on_a_gpu(stage: CompiledStage) -> None:
    binding = RecordingCuda()
    found = bench_stage(stage, CudaDevice(0, binding), MACHINE)
    assert found.times.step == 2.5
    assert found.times.library_milliseconds is None
    assert {kernel.symbol for kernel in found.times.kernels} == set(read_work(stage))
    # Each recording holds eight launches of one kernel and takes 2.5 ms.
    assert all(kernel.milliseconds == 2.5 / 8 for kernel in found.times.kernels)
    assert found.times.busy == pytest.approx(len(found.times.kernels) / 8)
    made, given = (
        sum(name in call for call in binding.calls) for name in ("GraphInst", "GraphExecDestroy")
    )
    assert made == given


def test_what_is_said_of_it(stage: CompiledStage) -> None:
    work = read_work(stage)
    product = max(work, key=lambda symbol: work[symbol].operations)
    assert work[product].operations == 2 * 240 * 480 * 400
    times = StageTimes((2.0, 1.0, 4.0), (KernelTime(product, "gemm", 2, 1.5),), 1.25, 2)
    found = bench_stage(stage, CudaDevice(0, RecordingCuda()), MACHINE)
    found = type(found)("layer", "cuda:0", times, MACHINE, work, 3 << 30)
    text = bench_text(found)
    assert "layer on cuda:0: 2.000 ms a step (1.000 to 4.000), 2 launches, 3.00 GiB" in text
    assert "kernels together over a step: 75.0%" in text
    assert "alone: 1.250 ms; a step is 1.600 of that" in text
    (row,) = found.as_json()["kernels"]
    assert row["us"] == 750
    assert row["of_roofline"] == pytest.approx(work[product].roofline_us / 750, abs=1e-4)
    # There is no rate of products to compare with.
    assert row["of_roofline_here"] is None


def test_the_machine_is_measured() -> None:
    binding = RecordingCuda()
    device = CudaDevice(0, binding)
    binding.milliseconds = [9.0, 2.0, 1.0, 4.0]
    with pytest.raises(LumcError, match=r"(nvmath-python|cuBLASLt) can.t be used"):
        measure_machine(device)
    copies = [call for call in binding.calls if call.startswith("cuMemcpyDtoDAsync")]
    assert len(copies) == 10
    assert sum("cuMemFree(" in call for call in binding.calls) >= 2


def test_a_folder_without_the_work(stage: CompiledStage, tmp_path: Path) -> None:
    with pytest.raises(LumcError, match=r"work\.json can't be read"):
        read_work(CompiledStage(stage.plan, tmp_path))
    assert (stage.folder / WORK_FILE).is_file()


def test_stages_of_a_folder(stage: CompiledStage) -> None:
    folder = stage.folder.parent
    assert [one.plan.stage for one in stages_in(folder, None)] == ["layer"]
    with pytest.raises(LumcError, match="has no stage other"):
        list(stages_in(folder, "other"))


def test_where_a_step_goes(stage: CompiledStage) -> None:
    kernels = (
        KernelTime("a", "gemm", 2, 1.5),
        KernelTime("b", "norm", 4, 0.25),
        KernelTime("c", "gemm", 2, 0.15),
    )
    times = StageTimes((2.0,), kernels, None, 8)
    found = StageBench("layer", "cuda:0", times, MACHINE, {}, 0)
    lines = [line.split() for line in profile_text(found).splitlines()]
    assert ["gemm", "2", "4", "1.650", "82.5%"] in lines
    assert ["norm", "1", "4", "0.250", "12.5%"] in lines
    assert ["between", "kernels", "0.100", "5.0%"] in lines
    assert "kernels together over a step: 95.0%; +12.50 µs between two" in profile_text(found)
    assert profile_json(found)["between_ms"] == 0.1
