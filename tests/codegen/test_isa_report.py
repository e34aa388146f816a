"""The static report of assembly: resources, the hottest loop, and what no loop should have."""

import re

import pytest

from lumc.codegen.isa_report import IsaReport, isa_report, report_lines

TEMPLATE = """\
\t.amdgcn_target "amdgcn-amd-amdhsa--gfx942"
other:
\tv_exp_f32_e32 v0, v0
.Lfunc_end0:
kernel:                                 ; @kernel
.Lfunc_begin1:
\t.loc\t0 8 0
\ts_load_dwordx8 s[4:11], s[0:1], 0x0
\tv_accvgpr_write_b32 a0, v0
.LBB1_1:                                ; =>This Inner Loop Header
{loop}
\ts_cbranch_scc1 .LBB1_1
; %bb.2:
\tv_accvgpr_read_b32 v0, a0
\ts_waitcnt vmcnt(0)
\ts_endpgm
.Lfunc_end1:
\t.amdgpu_metadata
---
amdhsa.kernels:
  - .agpr_count:     0
    .args:
      - .offset:         0
        .size:           99
    .group_segment_fixed_size: 0
    .symbol:         other.kd
    .vgpr_count:     7
  - .agpr_count:     32
    .args:
      - .offset:         0
        .size:           8
    .group_segment_fixed_size: {lds}
    .max_flat_workgroup_size: {threads}
    .name:           kernel
    .private_segment_fixed_size: {scratch}
    .sgpr_count:     27
    .symbol:         kernel.kd
    .vgpr_count:     {registers}
    .vgpr_spill_count: 0
...
"""
MULTIPLY = "v_mfma_f32_32x32x8_bf16 a[0:15], v[2:3], v[4:5], a[0:15]"


def report_of(
    *loop: str,
    target: str = "gfx942",
    lds: int = 0,
    threads: int = 256,
    scratch: int = 0,
    registers: int = 128,
) -> IsaReport:
    lines = "\n".join(line if line.endswith(":") else f"\t{line}" for line in loop)
    text = TEMPLATE.format(
        loop=lines, lds=lds, threads=threads, scratch=scratch, registers=registers
    )
    return isa_report(text.replace("gfx942", target), "kernel", target)


def test_resources_are_those_of_the_kernel_itself() -> None:
    found = report_of(MULTIPLY, lds=32768, scratch=16, registers=200)
    assert found.vector_registers == 200
    assert found.accumulation_registers == 32
    assert found.scalar_registers == 27
    assert (found.lds_bytes, found.scratch_bytes, found.threads) == (32768, 16, 256)


@pytest.mark.parametrize(
    ("registers", "lds", "threads", "waves"),
    [
        (128, 0, 256, 4),
        (129, 0, 256, 3),
        (24, 0, 256, 8),
        (256, 0, 512, 2),
        (128, 65536, 256, 1),
        (128, 32768, 256, 2),
        (128, 0, 64, 4),
        (512, 0, 64, 1),
    ],
)
def test_waves_on_a_simd(registers: int, lds: int, threads: int, waves: float) -> None:
    found = report_of(MULTIPLY, registers=registers, lds=lds, threads=threads)
    assert found.waves_per_simd == waves


def test_clocks_of_a_loop_by_unit() -> None:
    loop = report_of(
        MULTIPLY,
        "v_mfma_f32_16x16x16_bf16 v[0:3], v[4:5], v[6:7], v[0:3]",
        "v_exp_f32_e32 v1, v2",
        "v_add_f32_e32 v1, v2, v3",
        "ds_read_b128 v[0:3], v9 offset:64",
        "ds_write2_b64 v9, v[0:1], v[2:3] offset1:1",
        "ds_bpermute_b32 v0, v1, v2",
        "buffer_load_dwordx4 v[0:3], v9, s[0:3], 0 offen",
        "global_store_short_d16_hi v[0:1], v2, off",
        "s_add_i32 s0, s0, 1",
        registers=256,
    ).loop
    # Two waves a SIMD, eight a compute unit.
    assert loop.clocks["matrix units"] == 2 * (32 + 16)
    assert loop.clocks["vector units"] == 2 * (16 + 4)
    assert loop.clocks["LDS"] == 8 * (8 + 8 + 2)
    assert loop.clocks["vector cache"] == 8 * (16 + 4)
    assert loop.limit == "vector cache"
    assert loop.bound == pytest.approx(96 / 160)
    assert loop.mix == {
        "LDS": 3,
        "matrix": 2,
        "memory": 2,
        "scalar": 2,
        "slow vector": 1,
        "vector": 1,
    }


def test_clocks_follow_the_chip() -> None:
    name = "v_mfma_f32_32x32x8bf16_1k a[0:15], v[2:3], v[4:5], a[0:15]"
    assert report_of(name, target="gfx90a").loop.clocks["matrix units"] == 4 * 64
    read = "ds_read_b128 v[0:3], v9"
    assert (
        report_of(read).loop.clocks["LDS"]
        == 2 * report_of(read, target="gfx950").loop.clocks["LDS"]
    )
    # Chips that there are no figures for have a mix of instructions all the same.
    found = report_of("v_add_f32_e32 v1, v2, v3", target="gfx1100")
    assert found.loop.mix["vector"] == 1
    assert "clocks" not in "".join(report_lines(found))


def test_the_loop_with_the_products_is_the_hottest() -> None:
    inner = (".LBB1_5:", *["v_add_f32_e32 v1, v2, v3"] * 30, "s_cbranch_scc0 .LBB1_5")
    loop = report_of(*inner, ".LBB1_6:", MULTIPLY, "s_cbranch_scc0 .LBB1_6").loop
    assert loop.matrix == 1
    assert loop.instructions == 2
    # Products in the outer loop alone count more than an inner loop without any.
    loop = report_of(*inner, MULTIPLY).loop
    assert loop.matrix == 1
    assert loop.mix["vector"] == 30


def test_a_sound_loop_has_no_faults() -> None:
    wait = "s_waitcnt vmcnt(0)"
    assert report_of(MULTIPLY, wait, "s_barrier", MULTIPLY).faults() == ()
    assert report_of(wait, MULTIPLY, MULTIPLY, wait).faults() == ()
    assert report_of(MULTIPLY, "s_waitcnt vmcnt(3) lgkmcnt(0)", MULTIPLY).faults() == ()
    assert report_of(MULTIPLY, wait, "s_cbranch_execz .LBB1_7", MULTIPLY).faults() == ()


@pytest.mark.parametrize(
    ("loop", "scratch", "fault"),
    [
        ([MULTIPLY], 8, "8 bytes of scratch a lane"),
        ([MULTIPLY, "v_accvgpr_read_b32 v0, a3", "v_accvgpr_write_b32 a3, v0"], 0, "2 copies"),
        ([MULTIPLY, "s_waitcnt vmcnt(0) lgkmcnt(1)", MULTIPLY], 0, "1 waits for all of memory"),
    ],
)
def test_faults_are_named(loop: list[str], scratch: int, fault: str) -> None:
    found = report_of(*loop, scratch=scratch)
    (text,) = found.faults()
    assert text.startswith(fault)
    assert f"fault: {text}" in list(report_lines(found))
    # Scratch and copies matter where matrix units wait for them.
    plain = [line for line in loop if line != MULTIPLY] or ["v_add_f32_e32 v1, v2, v3"]
    assert report_of(*plain, scratch=scratch).faults() == ()


def test_the_report_reads_well() -> None:
    text = "\n".join(report_lines(report_of(MULTIPLY, registers=200)))
    assert "200 vector registers, 32 of them for accumulation" in text
    assert "matrix units busy for at most 100%" in text
    assert not re.search(r"\bfault\b", text)


def test_a_kernel_that_is_not_there() -> None:
    with pytest.raises(ValueError, match="no kernel nothing"):
        isa_report(TEMPLATE, "nothing", "gfx942")
