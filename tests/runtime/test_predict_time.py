"""Predictions: rounds, clocks and bytes of a whole chip, and kernels modelled at full size."""

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lumc.cli import main
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import emit_kernel
from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Activation, AttentionSchedule, AttentionTile, Shares
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.power import clock_under_load
from lumc.runtime.emulator.traffic import traffic
from lumc.runtime.kept_models import cached_model
from lumc.runtime.model_kernel import (
    BufferTraffic,
    CompiledKernel,
    KernelArgument,
    ModelledKernel,
    ModelledParts,
    NotModelledError,
    model_kernel,
    random_buffers,
)
from lumc.runtime.predict_stage import LastCache, predict_stage
from lumc.runtime.predict_time import MovedBytes, matrix_seconds, predict_launch
from lumc.runtime.stage_folder import CompiledStage, choose_stage
from tests.codegen.emulated import compiled as compiled_object
from tests.codegen.sample_kernels import attention
from tests.runtime.emulator.core_material import emulator_of, poisoned

CHIP = chip_for("gfx942")
NOTHING = MovedBytes(0.0, 0.0)

# 256 × 256 × 4096 in 262144 clocks of matrix instructions, in a time of 275000.
PRODUCT = ModelledKernel(
    workgroups=304,
    resident=1,
    waves_per_simd=2,
    limited_by="LDS",
    clocks={1: 275_000.0},
    matrix_clocks=262_144.0,
    vector_clocks=10_000.0,
    prologue=4000.0,
    epilogue=5000.0,
    steady=0.98,
    whole=262_144 / 275_000,
    lds=0.5,
    near=0.3,
    stalls={"matrix unit": 0.4, "barrier": 0.2},
    matrix_operations=2.0 * 256 * 256 * 4096,
    bank_conflicts=1.0,
    traffic=(BufferTraffic(0, 4e6, 4e6, 0.0),),
)


CUT = replace(
    PRODUCT,
    workgroups=304 + 16 * 8,
    parts=ModelledParts(16, 16 * 8, steps=8, clocks=40_000.0, join=20_000.0),
)


def test_parts_fill_what_is_left_of_a_round() -> None:
    # 128 parts on as many of the units, the last of each tile joins them.
    assert CUT.unit_clocks(304) == 275_000 + 40_000 + 20_000
    # Half of the units: the parts come behind two rounds.
    assert CUT.unit_clocks(152) == 2 * 275_000 + 40_000 + 20_000
    mean = (304 * 275_000 + 128 * 40_000 + 16 * 20_000) / 304
    assert CUT.mean_clocks(304) == pytest.approx(mean)
    two_rounds = replace(PRODUCT, workgroups=320)
    cut, whole = (predict_launch(one, CHIP, NOTHING) for one in (CUT, two_rounds))
    assert cut.compute < 0.7 * whole.compute
    # All tiles are cut: none has a workgroup for itself.
    all_cut = replace(CUT, workgroups=16 * 8)
    assert all_cut.unit_clocks(128) == 60_000
    # The last tile's workgroups begin where others have joined, and one of them joins too.
    assert all_cut.unit_clocks(64) == 120_000


def test_a_full_round_runs_at_the_published_rate() -> None:
    # AMD measured 708 TFLOP/s in bf16 where the matrix units are busy for 94 % of the time.
    one = predict_launch(PRODUCT, CHIP, NOTHING)
    rate = PRODUCT.workgroups * PRODUCT.matrix_operations / (one.seconds - CHIP.launch)
    assert rate == pytest.approx(708e12, rel=0.02)
    assert one.limit == "matrix units"
    assert matrix_seconds(PRODUCT, CHIP) < one.compute


def test_workgroups_beyond_a_round_take_another() -> None:
    one = predict_launch(PRODUCT, CHIP, NOTHING)
    two = predict_launch(replace(PRODUCT, workgroups=305), CHIP, NOTHING)
    assert two.rounds == pytest.approx(305 / 304)
    # Twice the time: the clock of the first round does not rise because the second is short.
    assert two.compute == pytest.approx(2 * one.compute)
    assert two.utilisation == pytest.approx(one.utilisation / 2, rel=0.01)
    # A chip that is never full runs at a higher clock.
    half = predict_launch(replace(PRODUCT, workgroups=152), CHIP, NOTHING)
    assert 0.6 * one.compute < half.compute < 0.9 * one.compute
    more = replace(PRODUCT, workgroups=608)
    assert predict_launch(more, CHIP, NOTHING).compute == pytest.approx(2 * one.compute)


def test_the_last_round_may_hold_fewer() -> None:
    shared = replace(PRODUCT, workgroups=304 * 5, resident=2, clocks={2: 1e6, 1: 7e5})
    found = predict_launch(shared, CHIP, NOTHING)
    assert found.compute * found.clock == pytest.approx(2e6 + 7e5)


def test_bytes_limit_what_moves_many() -> None:
    moved = MovedBytes(memory=4.2e9, cache=0.0)
    found = predict_launch(PRODUCT, CHIP, moved)
    assert found.limit == "memory"
    assert found.seconds == pytest.approx(1e-3 + CHIP.launch)
    near = predict_launch(PRODUCT, CHIP, MovedBytes(0.0, 4.2e9))
    assert near.memory == pytest.approx(4.2 / 11.9 * 1e-3)
    # What a unit fetches through its own cache takes time too.
    greedy = replace(PRODUCT, traffic=(BufferTraffic(0, 54 * 1e6, 0.0, 0.0),))
    found = predict_launch(greedy, CHIP, NOTHING)
    assert found.limit == "L2"
    assert found.compute * found.clock == pytest.approx(1e6)


def test_the_clock_falls_with_load() -> None:
    # Published points: hipBLASLt's products; AITER's attention in three roundings; Triton's.
    assert clock_under_load(CHIP, 0.94, 0.03) == pytest.approx(1.207e9, rel=0.01)
    assert clock_under_load(CHIP, 0.67, 0.69) == pytest.approx(1.22e9, rel=0.02)
    assert clock_under_load(CHIP, 0.72, 0.67) == pytest.approx(1.20e9, rel=0.02)
    assert clock_under_load(CHIP, 0.81, 0.60) == pytest.approx(1.16e9, rel=0.02)
    assert clock_under_load(CHIP, 0.34, 0.35) == pytest.approx(1.72e9, rel=0.05)
    for target in ("gfx90a", "gfx942", "gfx950"):
        chip = chip_for(target)
        found = [clock_under_load(chip, load, 0.0) for load in np.linspace(0, 1.3, 40)]
        assert found == sorted(found, reverse=True)
        assert found[0] == chip.clock
        assert clock_under_load(chip, 0.95, 0.0) == pytest.approx(chip.matrix_clock, rel=0.01)


def test_the_last_cache_keeps_what_was_used_last() -> None:
    cache = LastCache(100)
    assert cache.use([(0, 60.0, 0.0)]) == MovedBytes(60.0, 0.0)
    assert cache.use([(0, 60.0, 0.0)]) == MovedBytes(0.0, 60.0)
    # A result goes to the cache and pushes part of the older buffer out.
    assert cache.use([(1, 0.0, 70.0)]) == MovedBytes(0.0, 70.0)
    assert cache.use([(1, 70.0, 0.0)]) == MovedBytes(0.0, 70.0)
    assert cache.use([(0, 60.0, 0.0)]) == MovedBytes(30.0, 30.0)
    # What is larger than the cache goes to memory for the rest.
    assert cache.use([(2, 0.0, 150.0)]) == MovedBytes(50.0, 100.0)


def test_lines_of_each_buffer_are_counted() -> None:
    emulator = emulator_of("launches", "gfx942")
    x, y = np.ones(256 * 3, np.float32), poisoned(256 * 3)
    result = emulator.launch(
        "scale", (3, 1, 1), (256, 1, 1), (x, y, 2.0, x.size), trace=[(1, 0, 0)]
    )
    buffers = [(a.ctypes.data, a.ctypes.data + a.nbytes) for a in (x, y)]
    first, second = traffic(emulator.program, result.traces[0], buffers, 1 << 15)
    lines = {address // 128 for address in range(buffers[0][0] + 1024, buffers[0][0] + 2048, 4)}
    assert (first.read, first.written) == (len(lines), 0)
    # Waves that share a line ask for it twice; the cache answers the second.
    assert first.misses == first.read <= first.requests
    assert second.read == 0
    assert second.written in (8, 9)
    assert second.misses == second.requests
    without = traffic(emulator.program, result.traces[0], buffers, 0)
    assert without[0].misses == without[0].requests


def test_atomics_read_and_write_behind_the_own_cache() -> None:
    emulator = emulator_of("launches", "gfx942")
    x, sums = np.arange(256, dtype=np.int32), np.zeros(64 * 128, np.int32)
    result = emulator.launch("add_apart", (1, 1, 1), (256, 1, 1), (x, sums), trace=[(0, 0, 0)])
    assert sums[::128].tolist() == [4] * 64
    buffers = [(a.ctypes.data, a.ctypes.data + a.nbytes) for a in (x, sums)]
    for size in (0, 1 << 15):
        loaded, added = traffic(emulator.program, result.traces[0], buffers, size)
        assert (added.read, added.written) == (64, 64)
        # Each of the four waves asks for every line, and no cache of the unit answers.
        assert added.misses == added.requests == 256
        assert (loaded.read > 0, loaded.written) == (True, 0)


def test_a_part_and_the_last_one_of_a_tile_are_traced() -> None:
    schedule = AttentionSchedule.PING_PONG
    tile = AttentionTile(256, 64, 8, schedule, shares=Shares(21, 3))
    kernel = attention(2, 600, 1300, 128, 128, tile=tile)
    emitted = emit_kernel(kernel, target_named("gfx942"), [256] * len(kernel.parameters))
    assert emitted.meeting is not None
    code = compiled_object(emitted, "gfx942")
    sizes = [extent(p) * p.dtype.bytes for p in kernel.parameters]
    sizes += [emitted.meeting.workspace_bytes, 4 * emitted.meeting.counters]
    arguments = tuple(
        KernelArgument(n, 0, size, DType.BF16 if n < 4 else DType.F32, n > 2)
        for n, size in enumerate(sizes)
    )
    launched = (emitted.grid, emitted.block, arguments, emitted.meeting)
    made = CompiledKernel(emitted.symbol, code.code, code.assembly, *launched)
    found = model_kernel(made, CHIP)
    assert found.workgroups == 3 + 21
    assert found.parts is not None
    assert (found.parts.tiles, found.parts.workgroups) == (3, 21)
    whole = found.clocks[1]
    # A seventh of the tiles of keys, and what is before and after them.
    assert whole / 7 < found.parts.clocks < whole / 2
    # Seven parts of 512 × 66 numbers of 4 bytes, at 64 bytes a clock at most.
    least = 7 * 512 * 66 * 4 / 64
    assert least < found.parts.join < 2 * least
    # Of what all workgroups write, the parts' sums go to the workspace.
    written = {t.buffer: t.written * found.workgroups for t in found.traffic}
    left = 21 * 512 * 66 * 4
    assert written[4] == pytest.approx(left, rel=0.01)
    assert left <= emitted.meeting.workspace_bytes
    read = {t.buffer: t.read * found.workgroups for t in found.traffic}
    # Keys are asked for beyond their end, where the workspace may lie.
    assert 1 <= read[4] / left < 1.1
    # Parts do no more matrix operations than the tile they are of.
    assert found.matrix_operations * found.workgroups == 6 * 21 * 2 * 256 * 64 * 256
    kept = cached_model(open_cache())
    assert kept(made, CHIP) == kept(made, CHIP)
    assert kept(made, CHIP).parts == found.parts


def test_arguments_in_one_buffer_share_an_array() -> None:
    arguments = (
        KernelArgument(4, 0, 4096, DType.BF16, False),
        KernelArgument(4, 512, 4096, DType.BF16, False),
        KernelArgument(9, 0, 64, DType.I32, False),
        KernelArgument(7, 0, 64, DType.F32, True),
    )
    arrays, places = random_buffers(arguments)
    assert arrays[1].ctypes.data == arrays[0].ctypes.data + 512
    assert [array.size for array in arrays] == [4096, 3584, 64, 64]
    assert places[4] == (arrays[0].ctypes.data, arrays[0].ctypes.data + 4096)
    assert places[4][0] % 256 == 0
    assert set(arrays[2].view(np.int32)) <= {0, 1}
    reals = arrays[0].view(np.uint16).astype(np.uint32) << 16
    assert 0.9 < reals.view(np.float32).std() < 1.1


ROWS, INNER, COLUMNS = 300, 160, 264
SPEC = f"""
use nn
stage product(x: bf16[{ROWS}, {INNER}]) -> y: bf16[{ROWS}, {COLUMNS}], z: bf16[{ROWS}]:
    weight W: bf16[{COLUMNS}, {INNER}] = "w"
    y[t] = linear(x[t], W)
    z[t] = max[o] y[t, o]
"""


@pytest.fixture(scope="module")
def compiled(tmp_path_factory: pytest.TempPathFactory) -> Path:
    folder = tmp_path_factory.mktemp("predicted")
    spec = folder / "product.lum"
    spec.write_text(SPEC)
    for target in ("gfx942", "gfx1100"):
        assert main(["compile", str(spec), "--target", target, "-o", str(folder / target)]) == 0
    return folder


def stage_in(folder: Path) -> CompiledStage:
    return choose_stage(folder, "product")


def test_a_stage_is_predicted_kernel_by_kernel(compiled: Path) -> None:
    stage = stage_in(compiled / "gfx942")
    seen = []
    found = predict_stage(stage, progress=lambda: seen.append(1))
    assert len(seen) == len(stage.plan.kernels) == len(found.kernels)
    assert found.unknown == ()
    assert found.seconds == pytest.approx(sum(s for s in found.launches if s))
    assert sum(s for s, _ in found.by_kind().values()) == pytest.approx(found.seconds)
    product = next(kernel for kernel in found.kernels if kernel.kind == "gemm")
    # Small kernels take their launch and little more, and none beats its bound.
    assert CHIP.launch < product.bound < product.seconds < 20e-6
    done = product.modelled.workgroups * product.modelled.matrix_operations
    assert done >= 2 * ROWS * INNER * COLUMNS
    assert product.useful == pytest.approx(2 * ROWS * INNER * COLUMNS / done)
    buffers = stage.plan.buffers
    written = {t.buffer: t.written * product.modelled.workgroups for t in product.modelled.traffic}
    (output,) = (n for n, buffer in enumerate(buffers) if buffer.name == "y")
    assert written[output] >= buffers[output].bytes


def test_chips_without_figures_are_refused(compiled: Path) -> None:
    with pytest.raises(NotModelledError, match="no figures for gfx1100"):
        predict_stage(stage_in(compiled / "gfx1100"))


def test_products_of_the_library_take_what_was_published(tmp_path: Path) -> None:
    spec = tmp_path / "large.lum"
    spec.write_text(
        "use nn\nstage large(x: bf16[4608, 4096]) -> y: bf16[4608, 4096]:\n"
        '    weight W: bf16[4096, 4096] = "w"\n    y[t] = linear(x[t], W)\n'
    )
    assert main(["compile", str(spec), "-o", str(tmp_path / "out")]) == 0
    stage = choose_stage(tmp_path / "out", "large")
    (kernel,) = stage.plan.kernels
    sizes = (1, 4608, 4096, 4096)
    places = [PlanStrided(n, 0, (0, 4096, 1), DType.BF16) for n in range(3)]
    call = PlanProduct(
        kernel.symbol, "gemm", sizes, places[0], places[1], places[2], None, Activation.NONE
    )
    called = replace(stage, plan=replace(stage.plan, kernels=(call,)))
    found = predict_stage(called)
    assert found.kernels == ()
    assert list(found.by_kind()) == ["gemm by library"]
    rate = 2 * 4608 * 4096 * 4096 / found.seconds
    # hipBLASLt's best, less what whole rounds of tiles and the call cost.
    assert 500e12 < rate < 708e12
    assert found.launches == (found.seconds,)
