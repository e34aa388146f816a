"""Planted faults are caught where they are, and their sound twins raise no alarm."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

from lumc.runtime.emulator import (
    Checks,
    DeviceMemory,
    EmulationFault,
    Emulator,
    LaunchResult,
    Report,
)
from tests.runtime.emulator.core_material import (
    TARGETS,
    compiled,
    emulator_of,
    line_of,
    poisoned,
    ramp,
)

Run = Callable[..., LaunchResult]
Fault = Callable[..., Report]


@pytest.fixture(scope="module", params=TARGETS)
def emulator(request: pytest.FixtureRequest) -> Emulator:
    return emulator_of("faulty", request.param)


@pytest.fixture
def run(emulator: Emulator) -> Run:
    """Runs a kernel on one workgroup; it must raise no alarm."""

    def launch(kernel: str, items: int, *arguments: Any, **options: Any) -> LaunchResult:
        grid = options.pop("grid", (1, 1, 1))
        return emulator.launch(kernel, grid, (items, 1, 1), arguments, **options)

    return launch


@pytest.fixture
def fault(run: Run) -> Fault:
    """The first report of a kernel that must raise an alarm, at the line that holds `at`."""

    def launch(check: Checks, at: str, *arguments: Any, **options: Any) -> Report:
        with pytest.raises(EmulationFault) as caught:
            run(*arguments, **options)
        report = caught.value.reports[0]
        assert report.check == check.value, caught.value.render()
        assert report.place.file == "kernel.hip"
        assert report.place.line == line_of("faulty", at), caught.value.render()
        assert report.kernel == arguments[0]
        return report

    return launch


def test_access_past_the_end_of_an_array(run: Run, fault: Fault) -> None:
    run("copy_all", 64, ramp(100), poisoned(100), 100, grid=(2, 1, 1))
    at = "if (i < n) y[i] = x[i];"
    report = fault(Checks.BOUNDS, at, "copy_all", 64, ramp(99), poisoned(100), 100, grid=(2, 1, 1))
    assert report.workgroup == (1, 0, 0)
    assert (report.wave, report.lane) == (0, 99 - 64)
    assert "reads bytes 396 to 399 of argument 0, which has 396" in report.message
    report = fault(Checks.BOUNDS, at, "copy_all", 64, ramp(100), poisoned(97), 100, grid=(2, 1, 1))
    assert report.lane == 97 - 64
    assert "writes bytes 388 to 391 of argument 1" in report.message


def test_the_part_of_a_wide_access_past_the_end(run: Run, fault: Fault) -> None:
    run("copy_wide", 64, ramp(256), poisoned(256))
    report = fault(
        Checks.BOUNDS, "y[thread()] = x[thread()]; }  // wide", "copy_wide", 64, ramp(256),
        poisoned(255),
    )  # fmt: skip
    assert report.lane == 63
    assert "bytes 1008 to 1023 of argument 1, which has 1020" in report.message


def test_bytes_past_the_end(run: Run, fault: Fault) -> None:
    run("copy_bytes", 64, ramp(50, np.uint8), poisoned(50, np.uint8), 50)
    at = "if (thread() < n) y[thread()] = x[thread()];"
    report = fault(
        Checks.BOUNDS, at, "copy_bytes", 64, ramp(50, np.uint8), poisoned(49, np.uint8), 50
    )
    assert report.lane == 49


def test_arrays_that_may_only_be_read(fault: Fault) -> None:
    target = poisoned(64)
    target.flags.writeable = False
    at = "if (i < n) y[i] = x[i];"
    report = fault(Checks.BOUNDS, at, "copy_all", 64, ramp(64), target, 64)
    assert "which may only be read" in report.message
    assert (target == 77).all()


def test_a_buffer_descriptor_larger_than_its_memory(run: Run, fault: Fault) -> None:
    y = poisoned(64)
    run("buffer_past_allocation", 64, ramp(40), y, 40)
    np.testing.assert_array_equal(y, np.concatenate([ramp(40), np.zeros(24)]))
    report = fault(Checks.BOUNDS, "raw_buffer_load", "buffer_past_allocation", 64, ramp(40), y, 50)
    assert report.lane == 40


def test_lds_past_its_end(run: Run, fault: Fault) -> None:
    run("lds_past_end", 64, poisoned(64), 0, dynamic_lds=256)
    report = fault(
        Checks.BOUNDS, "tile[thread() + shift] = 1.5f;", "lds_past_end", 64, poisoned(64), 1,
        dynamic_lds=256,
    )  # fmt: skip
    assert report.lane == 63
    assert "byte 256 of LDS, of which the workgroup has 256" in report.message


def test_scratch_past_its_end(run: Run, fault: Fault) -> None:
    run("scratch_past_end", 64, poisoned(64), 16)
    at = "slots[(i * 3 + thread()) % count] = i;"
    report = fault(Checks.BOUNDS, at, "scratch_past_end", 64, poisoned(64), 60)
    assert "of scratch, which has" in report.message


def test_a_register_that_nothing_wrote(run: Run, fault: Fault) -> None:
    run("store_unwritten", 64, ramp(64), poisoned(64), 1)
    at = "y[thread()] = value;  // perhaps"
    report = fault(Checks.UNINITIALISED, at, "store_unwritten", 64, ramp(64), poisoned(64), 0)
    assert "holds no value" in report.message


def test_a_decision_on_memory_that_nothing_wrote(run: Run, fault: Fault) -> None:
    memory = DeviceMemory(64)
    arguments = ("branch_on_unwritten", 64, poisoned(64), memory.buffer(16, 4))
    report = fault(Checks.UNINITIALISED, "readfirstlane(condition)", *arguments)
    assert report.other is not None
    memory.write(16, np.array([5], np.int32))
    run(*arguments)


def test_lds_that_nothing_wrote(run: Run, fault: Fault) -> None:
    y = poisoned(256)
    run("copy_lds_half_written", 256, ramp(256), y, 256)
    np.testing.assert_array_equal(y, ramp(256)[::-1])
    at = "y[thread()] = tile[255 - thread()];"
    report = fault(Checks.UNINITIALISED, at, "copy_lds_half_written", 256, ramp(256), y, 200)
    assert (report.wave, report.lane) == (0, 0)
    assert report.other is not None
    assert report.other.text.startswith("ds_read")


def test_global_memory_that_nothing_wrote_counts_where_it_is_used(run: Run, fault: Fault) -> None:
    memory = DeviceMemory(1024)
    memory.write(64, ramp(20))
    y = poisoned(64)
    run("use_unwritten_guarded", 64, memory.buffer(64, 256), y, 20)
    np.testing.assert_array_equal(y[:20], ramp(20))
    at = "y[thread()] = thread() < valid ? value : 0.f;"
    arguments = ("use_unwritten_guarded", 64, memory.buffer(64, 256), y, 21)
    report = fault(Checks.UNINITIALISED, at, *arguments)
    assert report.lane == 20
    assert report.other is not None
    assert report.other.line == line_of("faulty", "float value = x[thread()];")


def test_scratch_that_nothing_wrote(run: Run, fault: Fault) -> None:
    run("scratch_unwritten", 64, poisoned(64), 0, 5)
    at = "y[thread()] = slots[last];"
    fault(Checks.UNINITIALISED, at, "scratch_unwritten", 64, poisoned(64), 6, 5)


def test_reading_what_another_wave_wrote_without_a_barrier(run: Run, fault: Fault) -> None:
    y = poisoned(256)
    run("exchange", 256, ramp(256), y, 1)
    np.testing.assert_array_equal(y, ramp(256)[np.arange(256) ^ 64])
    report = fault(Checks.RACES, "tile[thread()] = x[thread()];  // exchanged", "exchange", 256,
                   ramp(256), y, 0)  # fmt: skip
    assert report.other is not None
    assert report.other.line == line_of("faulty", "y[thread()] = tile[thread() ^ 64];  // theirs")


def test_writing_what_another_wave_reads_without_a_barrier(run: Run, fault: Fault) -> None:
    y = poisoned(256)
    run("overwrite_while_read", 256, ramp(256), y, 1)
    np.testing.assert_array_equal(y, ramp(256)[np.arange(256) ^ 128] + 1)
    at = "float other = tile[thread() ^ 128];"
    report = fault(Checks.RACES, at, "overwrite_while_read", 256, ramp(256), y, 0)
    assert "which wave 0 wrote with no barrier in between" in report.message


def test_waves_may_share_a_dword_but_not_a_half(run: Run, fault: Fault) -> None:
    x, y = ramp(256, np.uint16), poisoned(256, np.uint16)
    run("share_dwords", 256, x, y)
    np.testing.assert_array_equal(y, x.reshape(4, 64).T.reshape(-1))
    fault(Checks.RACES, "tile[lane * 4 + wave / 2] = x[thread()];", "race_on_halves", 256, x, y)


def test_atomics_race_with_plain_accesses_only(run: Run, fault: Fault) -> None:
    x, y = ramp(256, np.int32), poisoned(64, np.int32)
    run("count", 256, x, y, 1)
    np.testing.assert_array_equal(y, np.bincount(x & 63, minlength=64))
    report = fault(Checks.RACES, "__hip_atomic_fetch_add(&bins", "count", 256, x, y, 0)
    assert report.other is not None
    assert report.other.line == line_of("faulty", "bins[thread()] = 0;")


def test_a_write_not_waited_for_at_the_barrier(run: Run, fault: Fault) -> None:
    run("barrier_without_wait", 256, ramp(256), poisoned(256), 1)
    at = "y[thread()] = tile[thread() ^ 64];  // perhaps too early"
    report = fault(Checks.WAITS, at, "barrier_without_wait", 256, ramp(256), poisoned(256), 0)
    assert "without waiting for it" in report.message


@pytest.mark.parametrize(
    ("kernel", "at", "register"),
    [
        ("wait_for_none", "y[thread()] = value + 2;", "v"),
        ("overwrite_outstanding", "v_mov_b32 %0, 1.0", "v"),
    ],
)
def test_a_loaded_register_not_waited_for(
    run: Run, fault: Fault, kernel: str, at: str, register: str
) -> None:
    y = poisoned(64)
    run("wait_for_all", 64, ramp(64), y)
    np.testing.assert_array_equal(y, ramp(64) + 1)
    report = fault(Checks.WAITS, at, kernel, 64, ramp(64), y)
    assert f" {register}" in report.message
    assert "s_waitcnt is missing" in report.message
    assert report.other is not None
    assert report.other.text.startswith("global_load_dword")


def test_loads_arrive_in_order_but_stores_count_too(run: Run, fault: Fault) -> None:
    y = poisoned(64)
    run("wait_for_first", 64, ramp(128), y, 0)
    np.testing.assert_array_equal(y, ramp(64) + 3)
    # A load and a store are out; waiting for one of the two means the load, which is older.
    run("wait_for_first", 64, ramp(128), y, 1)


def test_lds_results_not_waited_for(run: Run, fault: Fault) -> None:
    y = poisoned(64)
    run("wait_for_lds", 64, y, 1)
    np.testing.assert_array_equal(y, 63 - np.arange(64) + 5)
    fault(Checks.WAITS, "y[thread()] = value + 5;", "wait_for_lds", 64, y, 0)


def test_scalar_loads_come_back_in_any_order(fault: Fault) -> None:
    x, y = ramp(2, np.int32), poisoned(64, np.int32)
    fault(Checks.WAITS, "y[thread()] = first + 6;", "wait_for_scalar", 64, x, y)


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_transfers_to_lds_not_waited_for(target: str) -> None:
    emulator = emulator_of("faulty", target)
    y = poisoned(64)
    emulator.launch("wait_for_transfer", (1, 1, 1), (64, 1, 1), (ramp(64), y, 1))
    np.testing.assert_array_equal(y, ramp(64)[::-1])
    with pytest.raises(EmulationFault) as caught:
        emulator.launch("wait_for_transfer", (1, 1, 1), (64, 1, 1), (ramp(64), y, 0))
    report = caught.value.reports[0]
    assert report.check == Checks.WAITS.value
    assert report.place.text.startswith("ds_read_b32")
    assert report.other is not None
    assert report.other.text.startswith("global_load_lds_dword")


def test_lanes_that_skip_a_barrier(run: Run, fault: Fault) -> None:
    run("skip_barrier", 256, poisoned(256), 64)
    report = fault(Checks.BARRIERS, "tile[thread()] += 1;", "skip_barrier", 256, poisoned(256), 20)
    assert report.lane == 20
    assert report.other is not None
    assert report.other.text == "s_barrier"


def test_waves_may_leave_before_any_barrier(run: Run) -> None:
    y = poisoned(256)
    run("leave_early", 256, y, 100)
    np.testing.assert_array_equal(y[:100], np.arange(100))
    assert (y[100:] == 77).all()


def test_a_wave_that_ends_while_others_wait(run: Run, fault: Fault) -> None:
    run("uneven_barriers", 64, poisoned(64))
    report = fault(
        Checks.BARRIERS, "__builtin_amdgcn_s_barrier();  // all", "uneven_barriers", 256,
        poisoned(256),
    )  # fmt: skip
    assert "wave 0 ended after 1" in report.message


def test_a_loop_that_does_not_end(run: Run, fault: Fault) -> None:
    flag, y = np.array([1], np.int32), poisoned(1, np.int32)
    run("spin", 1, flag, y)
    assert y[0] == 1
    flag[0] = 0
    fault(Checks.LIMIT, "while (__hip_atomic_load", "spin", 1, flag, y, instruction_limit=10_000)


def test_every_finding_is_returned_when_asked_for(run: Run) -> None:
    result = run("exchange", 256, ramp(256), poisoned(256), 0, stop_at_first=False, grid=(3, 1, 1))
    kinds = {report.check for report in result.reports}
    assert kinds == {Checks.RACES.value, Checks.UNINITIALISED.value}
    assert all(report.count > 1 for report in result.reports)


def test_of_many_workgroups_the_first_is_told(fault: Fault) -> None:
    at = "if (i < n) y[i] = x[i];"
    for _ in range(5):
        report = fault(
            Checks.BOUNDS, at, "copy_all", 64, ramp(64 * 7), poisoned(64 * 50), 64 * 50,
            grid=(50, 1, 1), threads=2,
        )  # fmt: skip
        assert report.workgroup == (7, 0, 0)


def test_a_check_that_is_off_says_nothing() -> None:
    made = compiled("faulty", "gfx942")
    silent = Emulator(
        made.code, made.assembly, Checks.all() & ~Checks.RACES & ~Checks.UNINITIALISED
    )
    result = silent.launch("exchange", (1, 1, 1), (256, 1, 1), (ramp(256), poisoned(256), 0))
    assert result.reports == ()


def test_memory_is_safe_even_with_no_check() -> None:
    made = compiled("faulty", "gfx942")
    y = poisoned(128)
    none = Emulator(made.code, made.assembly, Checks.none())
    none.launch("copy_all", (2, 1, 1), (64, 1, 1), (ramp(128), y[:70], 128))
    np.testing.assert_array_equal(y[:70], ramp(70))
    assert (y[70:] == 77).all()


def test_reports_lead_to_the_spec() -> None:
    made = compiled("faulty", "gfx942")
    line = line_of("faulty", "if (i < n) y[i] = x[i];")
    emulator = Emulator(made.code, made.assembly, source_lines={line: "model.lum:12"})
    with pytest.raises(EmulationFault) as caught:
        emulator.launch("copy_all", (1, 1, 1), (64, 1, 1), (ramp(8), poisoned(64), 64))
    assert caught.value.reports[0].place.spec == "model.lum:12"
    text = caught.value.render()
    assert "error[L0711]: kernel.hip:" in text
    assert "model.lum:12" in text
    assert "kernel copy_all, workgroup (0, 0, 0), wave 0, lane 8" in text
