"""Branches, calls, barriers and waits, in kernels written for the purpose."""

import numpy as np
import pytest

from lumc.runtime.emulator import EmulationFault, Emulator
from tests.runtime.emulator.assembly_harness import assemble
from tests.runtime.emulator.assembly_kernel import AssemblyKernel

TARGETS = ("gfx90a", "gfx942", "gfx950")

# Each block sets a bit of s8 if the branch is taken and a bit of s9 if it is not.
BRANCHES = {
    "s_cbranch_scc0": ("s_cmp_eq_u32 s6, 1", "s_cmp_eq_u32 s6, 0"),
    "s_cbranch_scc1": ("s_cmp_eq_u32 s6, 0", "s_cmp_eq_u32 s6, 1"),
    "s_cbranch_vccz": ("s_mov_b64 vcc, 0", "s_mov_b64 vcc, 4"),
    "s_cbranch_vccnz": ("s_mov_b64 vcc, 4", "s_mov_b64 vcc, 0"),
    "s_cbranch_execz": ("s_mov_b64 exec, 0", "s_mov_b64 exec, 2"),
    "s_cbranch_execnz": ("s_mov_b64 exec, 2", "s_mov_b64 exec, 0"),
}


def run(body: str, target: str, threads: int = 64, lds: int = 0) -> "np.typing.NDArray[np.uint32]":
    """Runs a kernel that gets the output's address in s[4:5] and the lane times 4 in v0."""
    kernel = AssemblyKernel("probe", body, arguments=1, lds=lds, threads=threads)
    assembly = kernel.text(target)
    out = np.full(256, 0xDEADBEEF, np.uint32)
    emulator = Emulator(assemble(assembly, target), assembly=assembly)
    emulator.launch("probe", (1, 1, 1), (threads, 1, 1), (out,))
    return out


@pytest.mark.parametrize("target", TARGETS)
def test_conditional_branches(target: str) -> None:
    lines = ["s_mov_b32 s6, 0", "s_mov_b32 s8, 0", "s_mov_b32 s9, 0"]
    for number, (branch, settings) in enumerate(BRANCHES.items()):
        for taken, setting in zip((True, False), settings, strict=True):
            label = f".L{branch}_{taken}"
            bit = 1 << 2 * number + (not taken)
            lines += [setting, f"{branch} {label}", f"s_or_b32 s9, s9, {bit}", f"{label}:"]
            lines += ["s_mov_b64 exec, -1", f"s_or_b32 s8, s8, {bit}"]
    lines += ["v_mov_b32_e32 v1, s9", "global_store_dword v0, v1, s[4:5]"]
    lines += ["v_mov_b32_e32 v1, s8", "global_store_dword v0, v1, s[4:5] offset:256"]
    out = run("\n".join(lines), target)
    assert out[0] == 0b101010101010, "only branches whose condition does not hold fall through"
    assert out[64] == 0b111111111111


@pytest.mark.parametrize("target", TARGETS)
def test_loops_and_backward_branches(target: str) -> None:
    body = """
      s_mov_b32 s6, 0
      v_mov_b32_e32 v1, 0
    .Lagain:
      v_add_u32_e32 v1, s6, v1
      s_add_i32 s6, s6, 1
      s_nop 3
      s_cmp_lg_u32 s6, 100
      s_cbranch_scc1 .Lagain
      s_branch .Lout
      v_mov_b32_e32 v1, 0
    .Lout:
      global_store_dword v0, v1, s[4:5]
    """
    assert run(body, target)[0] == sum(range(100))


@pytest.mark.parametrize("target", TARGETS)
def test_calls_return_behind_the_call(target: str) -> None:
    body = """
      v_mov_b32_e32 v1, 5
      s_getpc_b64 s[6:7]
      s_add_u32 s6, s6, .Ldouble - .Lhere
    .Lhere = . - 8
      s_addc_u32 s7, s7, 0
      s_swappc_b64 s[8:9], s[6:7]
      v_add_u32_e32 v1, 1, v1
      s_swappc_b64 s[8:9], s[6:7]
      global_store_dword v0, v1, s[4:5]
      s_endpgm
    .Ldouble:
      v_lshlrev_b32_e32 v1, 1, v1
      s_setpc_b64 s[8:9]
    """
    assert run(body, target)[0] == 22


@pytest.mark.parametrize("target", TARGETS)
def test_waves_meet_at_barriers(target: str) -> None:
    body = """
      v_lshrrev_b32_e32 v1, 2, v0
      ds_write_b32 v0, v1
      s_waitcnt lgkmcnt(0)
      s_barrier
      v_sub_u32_e32 v2, 1020, v0
      ds_read_b32 v3, v2
      s_waitcnt lgkmcnt(0)
      s_barrier
      ds_write_b32 v0, v3
      s_waitcnt lgkmcnt(0)
      s_barrier
      v_xor_b32_e32 v2, 0x200, v0
      ds_read_b32 v4, v2
      s_sleep 1
      s_setprio 1
      s_waitcnt lgkmcnt(0)
      global_store_dword v0, v4, s[4:5]
      s_waitcnt vmcnt(0)
    """
    out = run(body, target, threads=256, lds=1024)
    lane = np.arange(256)
    np.testing.assert_array_equal(out, 255 - (lane ^ 128))


STORES = """
  v_lshrrev_b32_e32 v1, 8, v0
  {value}
  v_mov_b32_e32 v3, 16
  ds_write_b32 v3, v2
  s_waitcnt lgkmcnt(0)
  s_barrier
  ds_read_b32 v4, v3
  s_waitcnt lgkmcnt(0)
  global_store_dword v0, v4, s[4:5]
"""


def test_waves_may_store_equal_values_to_the_same_place() -> None:
    body = STORES.format(value="v_mov_b32_e32 v2, 7")
    assert (run(body, "gfx942", threads=256, lds=64) == 7).all()


def test_waves_that_store_different_values_race() -> None:
    body = STORES.format(value="v_mov_b32_e32 v2, v1")
    with pytest.raises(EmulationFault, match=r"writes byte 16 of LDS, which wave 0 wrote"):
        run(body, "gfx942", threads=256, lds=64)
