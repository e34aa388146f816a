"""Counters, traces and occupancy say what is known of kernels made for that."""

import numpy as np
import pytest

from lumc.runtime.emulator import Emulator
from lumc.runtime.emulator.trace import ACCUMULATION
from tests.runtime.emulator.assembly_harness import assemble
from tests.runtime.emulator.assembly_kernel import AssemblyKernel
from tests.runtime.emulator.core_material import TARGETS, emulator_of, poisoned, ramp

LINE = {"gfx90a": 64, "gfx942": 128, "gfx950": 128}


@pytest.fixture(scope="module", params=TARGETS)
def emulator(request: pytest.FixtureRequest) -> Emulator:
    return emulator_of("launches", request.param)


def aligned(count: int) -> np.ndarray[tuple[int], np.dtype[np.float32]]:
    """Floats that begin at a multiple of 256 bytes."""
    storage = np.zeros(count + 64, np.float32)
    skip = -storage.ctypes.data % 256 // 4
    return storage[skip : skip + count]


def test_instructions_are_counted_by_wave(emulator: Emulator) -> None:
    x, y = ramp(256 * 5), poisoned(256 * 5)
    counters = emulator.launch("scale", (5, 1, 1), (256, 1, 1), (x, y, 2.0, x.size)).counters
    waves = 5 * 4
    assert counters.by_mnemonic["v_mul_f32"] == waves
    assert counters.by_mnemonic["s_endpgm"] == waves
    assert counters.by_class["global_load"] == waves
    assert counters.by_class["global_store"] == waves
    assert sum(counters.by_class.values()) == counters.instructions
    assert sum(counters.by_mnemonic.values()) == counters.instructions


def test_bytes_count_active_lanes_only(emulator: Emulator) -> None:
    x, y = ramp(100), poisoned(100)
    counters = emulator.launch("scale", (1, 1, 1), (256, 1, 1), (x, y, 2.0, 100)).counters
    assert counters.bytes_by_class["global_load"] == 400
    assert counters.bytes_by_class["global_store"] == 400
    assert counters.bytes_by_space["global"] == 800
    assert counters.bytes_by_space["lds"] == 0


@pytest.mark.parametrize("stride", [0, 1, 2, 3, 16, 32, 33])
def test_cache_lines_of_strided_loads(emulator: Emulator, stride: int) -> None:
    line = LINE[emulator.target]
    x, y = aligned(64 * stride + 1), aligned(64)
    counters = emulator.launch("read_strided", (1, 1, 1), (64, 1, 1), (x, y, stride)).counters
    loads = len({4 * stride * lane // line for lane in range(64)})
    stores = 64 * 4 // line
    assert counters.cache_lines == loads + stores
    assert counters.coalescing(line) == 512 / (line * (loads + stores))


@pytest.mark.parametrize(("stride", "factor"), [(1, 1), (2, 2), (32, 32), (33, 1), (0, 1), (8, 8)])
def test_bank_conflicts_of_dwords(emulator: Emulator, stride: int, factor: int) -> None:
    result = emulator.launch(
        "lds_strided", (1, 1, 1), (64, 1, 1), (poisoned(64), stride), trace=[(0, 0, 0)]
    )
    counts = result.counters.counts
    reads = [k for k, name in enumerate(emulator.program.mnemonics) if name == "ds_read_b32"]
    (read,) = (k for k in reads if counts["executions"][k])
    assert counts["lds_ideal_cycles"][read] == 2  # 32 lanes a cycle
    assert counts["lds_cycles"][read] == 2 * factor


@pytest.mark.parametrize(("stride", "factor"), [(1, 1), (2, 2), (8, 8), (9, 1), (4, 4)])
def test_bank_conflicts_of_wide_reads(emulator: Emulator, stride: int, factor: int) -> None:
    # Eight lanes take a pass, 128 bytes (sixteen, 256, on gfx950); a stride of 9 * 16 bytes spreads
    # them over all banks.
    passes = 4 if emulator.target == "gfx950" else 8
    y = poisoned(256)
    counts = emulator.launch("lds_wide", (1, 1, 1), (64, 1, 1), (y, stride)).counters.counts
    (read,) = (
        k
        for k, name in enumerate(emulator.program.mnemonics)
        if name == "ds_read_b128" and counts["executions"][k]
    )
    assert counts["lds_ideal_cycles"][read] == passes
    assert counts["lds_cycles"][read] == passes * factor


def test_matrix_products_by_shape(emulator: Emulator) -> None:
    a = np.full((32, 48), 0x3F80, np.uint16)
    counters = emulator.launch(
        "multiply", (1, 1, 1), (128, 1, 1), (a, a, poisoned((2, 32, 32)), 48)
    ).counters
    name = "v_mfma_f32_32x32x8bf16_1k" if emulator.target == "gfx90a" else "v_mfma_f32_32x32x8_bf16"
    assert counters.matrix_products == {name: 2 * 6}
    assert counters.matrix_flops == 2 * 2 * 32 * 32 * 48
    assert counters.barriers == 2 * 3


def test_a_trace_has_every_instruction_of_its_workgroup(emulator: Emulator) -> None:
    x, y = ramp(300), poisoned(300)
    result = emulator.launch(
        "scale", (2, 1, 1), (256, 1, 1), (x, y, 2.0, 300), trace=[(1, 0, 0), (0, 0, 0)]
    )
    second, first = result.traces
    assert (second.workgroup, first.workgroup) == ((1, 0, 0), (0, 0, 0))
    assert len(second.events) + len(first.events) == result.counters.instructions
    mnemonics = emulator.program.mnemonics
    names = [mnemonics[k] for k in first.wave(3)["instruction"]]
    assert names[0].startswith("s_load")
    assert names[-1] == "s_endpgm"
    # 44 items of the second workgroup are valid: all in its first wave.
    loads = [e for e in second.events if mnemonics[e["instruction"]] == "global_load_dword"]
    assert [int(e["exec"]) for e in loads] == [2**44 - 1]
    addresses = second.addresses(loads[0])
    assert addresses.shape == (1, 64)
    np.testing.assert_array_equal(
        addresses[0, :44], x.ctypes.data + 4 * np.arange(256, 300, dtype=np.uint64)
    )
    assert second.addresses(second.events[0]).shape == (0, 64)


def test_addresses_of_two_address_accesses(emulator: Emulator) -> None:
    a = np.full((32, 16), 0x3F80, np.uint16)
    result = emulator.launch(
        "multiply", (1, 1, 1), (128, 1, 1), (a, a, poisoned((2, 32, 32)), 16), trace=[(0, 0, 0)]
    )
    (trace,) = result.traces
    sizes = {
        emulator.program.mnemonics[e["instruction"]]: trace.addresses(e).shape[0]
        for e in trace.events
    }
    assert sizes["ds_write_b16"] == 1
    assert all(count == 2 for name, count in sizes.items() if name.startswith("ds_read2"))
    assert sizes["s_barrier"] == 0


def test_registers_of_instructions(emulator: Emulator) -> None:
    program = emulator.program
    k, text = next(
        (k, text) for k, text in enumerate(program.texts) if text.startswith("v_mfma_f32_32x32x8")
    )
    operands = emulator.operands(k)
    (destination,) = operands.vector_writes
    assert destination[1] == 16
    assert destination in operands.vector_reads
    assert sorted(count for _, count in operands.vector_reads) == [2, 2, 16]
    accumulates = text.split()[1].startswith("a")
    assert (destination[0] >= ACCUMULATION) == accumulates
    load = next(k for k, text in enumerate(program.texts) if text.startswith("s_load_dwordx4"))
    operands = emulator.operands(load)
    assert [count for _, count in operands.scalar_reads] == [2]
    assert [count for _, count in operands.scalar_writes] == [4]
    assert operands.vector_reads == operands.vector_writes == ()


def test_occupancy_is_limited_by_the_scarcest_resource(emulator: Emulator) -> None:
    free = emulator.occupancy("scale", (256, 1, 1))
    assert (free.waves_per_simd, free.workgroups) == (8, 8)
    lds = 160 if emulator.target == "gfx950" else 64
    limited = emulator.occupancy("reverse_in_lds", (256, 1, 1), (lds << 10) // 4)
    assert (limited.waves_per_simd, limited.workgroups, limited.limited_by) == (4, 4, "LDS")
    few = emulator.occupancy("scale", (64, 1, 1))
    assert (few.workgroups, few.limited_by) == (16, "workgroups")


def test_occupancy_of_a_workgroup_processor() -> None:
    """256 registers a lane are given as 264: five waves on a SIMD, two workgroups of eight."""
    assembly = AssemblyKernel("probe", "", arguments=1, lds=32 << 10).text("gfx1100")
    emulator = Emulator(assemble(assembly, "gfx1100"), assembly=assembly)
    held = emulator.occupancy("probe", (256, 1, 1))
    assert (held.waves_per_simd, held.workgroups, held.limited_by) == (4, 2, "vector registers")
    limited = emulator.occupancy("probe", (64, 1, 1), 4 << 10)
    assert (limited.waves_per_simd, limited.workgroups, limited.limited_by) == (2, 3, "LDS")
