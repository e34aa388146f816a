"""The timing model: hand-made traces whose clocks can be counted, and what makes traces slower."""

from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
import pytest

from lumc.codegen.instruction_clocks import PASS, UnitClocks, unit_clocks, vector_clocks
from lumc.runtime.emulator.timing import (
    ACCUMULATOR,
    READ,
    TIMED_EVENT,
    TIMED_INSTRUCTION,
    UNITS,
    WRITE,
    Timing,
    replay,
    time_trace,
)
from tests.runtime.emulator.core_material import emulator_of, poisoned


def clocks_of(target: str) -> UnitClocks:
    found = unit_clocks(target)
    assert found is not None
    return found


GFX942 = clocks_of("gfx942")
Registers = tuple[int, int]


@dataclass(frozen=True)
class Step:
    """One instruction of a hand-made stream; registers are (first, count)."""

    unit: str
    busy: int = 0
    reads: Sequence[Registers] = ()
    writes: Sequence[Registers] = ()
    adds_to: Registers | None = None
    cost: int = 0
    waits: tuple[int, int] = (-1, -1)
    priority: int = 255
    is_store: bool = False

    def record(self) -> Any:
        timed = np.zeros((), TIMED_INSTRUCTION)
        timed["unit"] = UNITS.index(self.unit)
        timed["issue"] = self.busy if self.unit == "vector" else PASS
        timed["busy"], timed["cost_clocks"] = self.busy, 1
        timed["result"] = self.busy + (12 if self.unit == "matrix" else 0)
        timed["chain"] = self.busy + (8 if self.unit == "matrix" else 0)
        timed["wait_memory"], timed["wait_local"] = self.waits
        timed["priority"], timed["is_store"] = self.priority, self.is_store
        ranges = [(r, READ) for r in self.reads] + [(r, WRITE) for r in self.writes]
        ranges += [(self.adds_to, ACCUMULATOR)] if self.adds_to else []
        timed["range_count"] = len(ranges)
        for k, ((first, size), role) in enumerate(ranges):
            timed["range_first"][k], timed["range_size"][k] = first, size
            timed["range_role"][k] = role
        return timed


def timing_of(*waves: Sequence[Step], clocks: UnitClocks = GFX942, copies: int = 1) -> Timing:
    """The time of waves with a stream each."""
    steps = [(number, step) for number, stream in enumerate(waves) for step in stream]
    records = np.array([step.record() for _, step in steps])
    events = np.zeros(len(steps), TIMED_EVENT)
    events["instruction"] = np.arange(len(steps))
    events["wave"] = [wave for wave, _ in steps]
    events["cost"] = [step.cost for _, step in steps]
    return replay(records, events, clocks, copies)


VECTOR = Step("vector", 4)
MATRIX = Step("matrix", 32)
BARRIER = Step("barrier")
END = Step("none")
LOAD = Step("memory", 4, cost=16)
LDS = Step("lds", 2, cost=8)


def wait(memory: int = -1, local: int = -1) -> Step:
    return Step("wait", waits=(memory, local))


def test_a_wave_issues_every_four_clocks() -> None:
    # The time is that of the last instruction's issue.
    assert timing_of([VECTOR] * 10 + [END]).clocks == 40


def test_waves_of_a_simd_share_its_port_and_others_do_not() -> None:
    stream = [VECTOR] * 10 + [END]
    assert timing_of(*[stream] * 4).clocks == 40
    assert timing_of(*[stream] * 8).clocks == pytest.approx(80, abs=4)
    assert timing_of(*[stream] * 4, copies=2).clocks == timing_of(*[stream] * 8).clocks
    assert timing_of(*[stream] * 4).vector == pytest.approx(1)


def test_a_slow_vector_instruction_holds_the_port() -> None:
    slow = replace(VECTOR, busy=vector_clocks("v_exp_f32_e32"))
    assert timing_of([slow] * 10 + [END]).clocks == 160


def test_the_matrix_unit_works_on_while_others_issue() -> None:
    alone = timing_of([MATRIX] * 16 + [END])
    # The end is issued four clocks after the last of them.
    assert alone.clocks == 15 * 32 + 4
    assert alone.stalls["matrix unit"] == pytest.approx(15 * 28 / alone.clocks)
    # Seven vector instructions fit under each matrix instruction, and not an eighth.
    assert timing_of(([MATRIX] + [VECTOR] * 7) * 16 + [END]).clocks == 16 * 32
    assert timing_of(([MATRIX] + [VECTOR] * 8) * 16 + [END]).clocks == 16 * 36


def test_utilisation_of_four_busy_simds() -> None:
    timing = timing_of(*[[MATRIX] * 64 + [END]] * 4)
    assert timing.steady == pytest.approx(1)
    assert timing.whole == pytest.approx(64 * 32 / timing.clocks)
    assert timing_of([MATRIX] * 64 + [END]).steady == pytest.approx(1 / 4)


def test_a_matrix_result_is_late_for_vectors_and_less_so_for_sums() -> None:
    first = replace(MATRIX, writes=[(0, 16)])
    reader = replace(VECTOR, reads=[(3, 1)])
    adder = replace(MATRIX, writes=[(0, 16)], adds_to=(0, 16))
    assert timing_of([first, reader]).clocks == 32 + 12
    assert timing_of([first, adder]).clocks == 32 + 8
    assert timing_of([first, replace(reader, reads=[(16, 1)])]).clocks == 4
    assert timing_of([first, reader]).stalls["dependency"] > 0


def test_loads_are_waited_for_in_order() -> None:
    latency = GFX942.memory_latency
    assert timing_of([LOAD, wait(memory=0), VECTOR]).clocks == 16 + latency + 4
    # The first of two is back while the second is still under way.
    assert timing_of([LOAD, LOAD, wait(memory=1), VECTOR]).clocks == 16 + latency + 4
    assert timing_of([LOAD, LOAD, wait(memory=0), VECTOR]).clocks == 32 + latency + 4
    # A store behind a load does not come back before it.
    store = replace(LOAD, is_store=True)
    assert timing_of([LOAD, store, wait(memory=0), VECTOR]).clocks == 16 + latency + 4
    assert timing_of([store, wait(memory=0), VECTOR]).clocks == 16 + GFX942.store_latency + 4
    assert timing_of([LOAD, wait(local=0), VECTOR]).clocks == 8


def test_bank_conflicts_fill_the_pipe_of_all_waves() -> None:
    def read(cost: int) -> Timing:
        stream = [replace(LDS, cost=cost)] * 20 + [wait(local=0), END]
        return timing_of(*[stream] * 4)

    free, twofold = read(8), read(16)
    assert free.clocks == 80 * 8 + GFX942.lds_latency + 4
    assert twofold.clocks == 80 * 16 + GFX942.lds_latency + 4
    assert free.lds == pytest.approx(640 / free.clocks)


def test_a_barrier_waits_for_the_last_wave() -> None:
    fast, slow = [BARRIER, VECTOR], [VECTOR] * 50 + [BARRIER, VECTOR]
    timing = timing_of(fast, slow)
    assert timing.clocks == 200 + GFX942.barrier
    assert timing.stalls["barrier"] == pytest.approx((220 + 20) / 2 / timing.clocks)
    # Waves that have ended are not waited for.
    assert timing_of([END], [BARRIER, VECTOR]).clocks == GFX942.barrier
    # Workgroups do not wait for each other's waves.
    assert timing_of(fast, slow, copies=2).clocks == pytest.approx(timing.clocks, abs=4)


def test_a_wave_of_higher_priority_goes_first() -> None:
    raised = replace(END, priority=1)
    begin = [replace(END, priority=0)]
    stream = [VECTOR] * 40

    def last_but_fast(first: Step) -> Timing:
        # Waves 0 and 4 share a SIMD; the others have nothing to do.
        waves = [[*begin, *stream, BARRIER, END], [END], [END], [END]]
        return timing_of(*waves, [first, *stream, *[MATRIX] * 8, BARRIER, END])

    # The wave with more to do ends sooner if it is let through first.
    assert last_but_fast(raised).clocks < last_but_fast(begin[0]).clocks


def pipelined(inner: Sequence[Step], rounds: int = 30) -> list[list[Step]]:
    """Two waves a SIMD that take turns at the matrix units and at fetching."""
    fetch = [LOAD, *[LDS] * 6, *inner, wait(local=0), BARRIER]
    multiply = [*[MATRIX] * 12, BARRIER]
    ahead = [s for _ in range(rounds) for s in (*fetch, *multiply)]
    behind = [BARRIER, *ahead[: -len(multiply)], *multiply[:-1]]
    return [ahead] * 4 + [behind] * 4


def test_a_planted_stall_is_seen_and_named() -> None:
    sound = timing_of(*pipelined([]))
    assert sound.steady > 0.85
    stalled = timing_of(*pipelined([wait(memory=0)]))
    assert stalled.steady < 0.5
    assert next(iter(stalled.stalls)) in ("memory wait", "barrier")
    # The instructions before which waves stand longest: the wait itself, and barriers.
    streams = pipelined([wait(memory=0)])
    flat = [step for stream in streams for step in stream]
    assert {flat[k].unit for k in np.argsort(stalled.stalled)[-50:]} <= {"wait", "barrier"}
    assert stalled.stalled.sum() > sound.stalled.sum()


@pytest.mark.parametrize("name", ["lds_latency", "barrier", "memory_latency"])
def test_slower_machines_take_longer(name: str) -> None:
    streams = pipelined([wait(memory=0)] if name == "memory_latency" else [])
    figures: list[dict[str, Any]] = [{name: value} for value in (0, 100, 300, 1000, 3000)]
    found = [timing_of(*streams, clocks=replace(GFX942, **each)).clocks for each in figures]
    assert found == sorted(found)
    assert found[0] < found[-1]


def test_more_copies_take_longer_but_not_in_turn() -> None:
    stream = [[LOAD, wait(memory=0), *[MATRIX] * 8, END]] * 4
    one, two = timing_of(*stream), timing_of(*stream, copies=2)
    assert one.clocks < two.clocks < 2 * one.clocks
    assert two.instructions == 2 * one.instructions
    assert two.whole > one.whole


def test_a_trace_without_events_is_refused() -> None:
    with pytest.raises(ValueError, match="no time"):
        replay(np.zeros(1, TIMED_INSTRUCTION), np.zeros(0, TIMED_EVENT), GFX942)


@pytest.mark.parametrize(
    ("target", "name", "passes"),
    [
        ("gfx90a", "v_mfma_f32_32x32x8bf16_1k", 16),
        ("gfx90a", "v_mfma_f32_16x16x16f16", 8),
        ("gfx90a", "v_mfma_f32_4x4x4f16", 2),
        ("gfx90a", "v_mfma_f64_16x16x4f64", 8),
        ("gfx942", "v_mfma_f32_32x32x8_bf16", 8),
        ("gfx942", "v_mfma_f32_16x16x16_f16", 4),
        ("gfx942", "v_mfma_f32_32x32x4_2b_f16", 16),
        ("gfx942", "v_mfma_f32_32x32x2_f32", 16),
        ("gfx942", "v_mfma_f32_16x16x4_f32", 8),
        ("gfx942", "v_mfma_f32_16x16x32_fp8_fp8", 4),
        ("gfx942", "v_mfma_i32_32x32x16_i8", 8),
        ("gfx950", "v_mfma_f32_16x16x32_bf16", 4),
        ("gfx950", "v_mfma_f32_32x32x16_f16", 8),
        ("gfx950", "v_mfma_f32_16x16x128_f8f6f4", 8),
        ("gfx950", "v_mfma_scale_f32_32x32x64_f8f6f4", 16),
        ("gfx950", "v_mfma_f64_16x16x4_f64", 16),
    ],
)
def test_passes_of_matrix_instructions(target: str, name: str, passes: int) -> None:
    assert clocks_of(target).passes(name) == passes


def test_narrow_formats_take_half_the_passes() -> None:
    name = "v_mfma_f32_16x16x128_f8f6f4"
    text = name + " v[0:3], v[4:9], v[10:15], v[0:3] cbsz:{} blgp:{}"
    clocks = clocks_of("gfx950")
    assert clocks.passes(name, text.format(4, 2)) == 4
    assert clocks.passes(name, text.format(4, 1)) == 8
    with pytest.raises(KeyError, match="gfx942 has no matrix instruction"):
        GFX942.passes(name)


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
def test_a_traced_kernel(target: str) -> None:
    emulator = emulator_of("launches", target)
    clocks = clocks_of(target)
    depth = 48
    a = np.full((32, depth), 0x3F80, np.uint16)
    result = emulator.launch(
        "multiply", (1, 1, 1), (128, 1, 1), (a, a, poisoned((2, 32, 32)), depth), trace=[(0, 0, 0)]
    )
    timing = time_trace(emulator.program, result.traces[0], clocks)
    assert timing.instructions == result.counters.instructions
    # Two waves, each with a matrix instruction for every eight of the depth.
    busy = 2 * depth // 8 * (64 if target == "gfx90a" else 32)
    assert timing.whole == pytest.approx(busy / 4 / timing.clocks)
    assert 0 < timing.prologue < timing.clocks - timing.epilogue < timing.clocks
    assert timing.lds * timing.clocks >= result.counters.lds_cycles
    assert timing.stalls["memory wait"] > 0


def test_chips_without_figures() -> None:
    assert unit_clocks("gfx1100") is None
    assert unit_clocks("sm_90") is None
