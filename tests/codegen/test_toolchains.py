"""Toolchains on this machine: found, chosen in the stated order, and deterministic."""

import re
import subprocess
import sys
import time
from pathlib import Path

import pytest

from lumc.cache_folder import CACHE_VARIABLE
from lumc.codegen.toolchains import (
    TOOLCHAIN_VARIABLE,
    BrokenToolchain,
    CompilationError,
    CompileUnit,
    Toolchain,
    ToolchainError,
    choose_toolchain,
    find_toolchains,
    supported_targets,
)
from lumc.codegen.toolchains import discovery as discovery_module
from lumc.codegen.toolchains import probe as probe_module
from lumc.codegen.toolchains.process import run_tool

AMD_TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100", "gfx1101", "gfx1201")
CHAINS = [chain for chain in find_toolchains() if not isinstance(chain, BrokenToolchain)]

HEADER = """\
#pragma once
#ifdef __NVCC__
#define BLOCK blockIdx.x
#define THREAD threadIdx.x
#else
#define __global__ __attribute__((global))
#define BLOCK __builtin_amdgcn_workgroup_id_x()
#define THREAD __builtin_amdgcn_workitem_id_x()
#endif
"""
UNIT = CompileUnit(
    """\
#include "lumc/device.hpp"
extern "C" __global__ void scale(float *y, const float *x) {
    int i = BLOCK * 256 + THREAD;
    y[i] = 3.0f * x[i];
}
""",
    {"lumc/device.hpp": HEADER},
)


@pytest.fixture(autouse=True)
def _own_cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    monkeypatch.delenv(TOOLCHAIN_VARIABLE, raising=False)
    probe_module.probe.cache_clear()


def targets_of(chain: Toolchain) -> list[str]:
    return [
        target
        for target, result in supported_targets(chain, (*AMD_TARGETS, "sm_90"))
        if result.works
    ]


def test_ziglang_compiles_for_every_amd_target() -> None:
    (ziglang,) = (chain for chain in CHAINS if chain.name == "ziglang")
    assert targets_of(ziglang) == list(AMD_TARGETS)


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
def test_object_and_assembly_of_a_unit_with_a_header(chain: Toolchain) -> None:
    for target in targets_of(chain):
        made = chain.compile(UNIT, target)
        assert made.code[:4] == b"\x7fELF"
        assert target in made.assembly
        assert "scale" in made.assembly
        # The store stands on line 4 of the unit.
        assert re.search(r"\.loc\s+\d+\s+4\s", made.assembly)


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
def test_equal_units_give_equal_bytes(chain: Toolchain) -> None:
    target = targets_of(chain)[0]
    first = chain.compile(UNIT, target)
    time.sleep(1.1)  # a time in whole seconds must not reach the bytes either
    assert chain.compile(UNIT, target) == first


def test_the_environment_does_not_reach_the_compiler(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    chain = choose_toolchain("gfx942")
    expected = chain.compile(UNIT, "gfx942")
    (tmp_path / "lumc").mkdir()
    (tmp_path / "lumc" / "device.hpp").write_text("#error wrong header\n")
    for variable in ("CPATH", "CPLUS_INCLUDE_PATH"):
        monkeypatch.setenv(variable, str(tmp_path))
    monkeypatch.setenv("CCC_OVERRIDE_OPTIONS", "+-O0")
    assert chain.compile(UNIT, "gfx942") == expected


def test_rejected_code_names_the_compilers_words() -> None:
    unit = CompileUnit('extern "C" __attribute__((global)) void k() { no_such_name(); }\n')
    with pytest.raises(CompilationError, match="rejected generated code") as caught:
        choose_toolchain("gfx942").compile(unit, "gfx942")
    assert "no_such_name" in caught.value.render()
    assert "no_such_name" in caught.value.output


def test_an_unknown_target_is_one_clear_error() -> None:
    with pytest.raises(ToolchainError, match="no compiler here makes code for gfx9999") as caught:
        choose_toolchain("gfx9999")
    assert "lumc[toolchain]" in caught.value.render()


def test_a_forced_toolchain_is_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    for chain in CHAINS:
        monkeypatch.setenv(TOOLCHAIN_VARIABLE, chain.name)
        for target in targets_of(chain)[:1]:
            assert choose_toolchain(target) == chain


def test_a_forced_toolchain_that_is_not_here(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOOLCHAIN_VARIABLE, "zigland")
    with pytest.raises(ToolchainError, match="names 'zigland'") as caught:
        choose_toolchain("gfx942")
    assert "did you mean ziglang?" in caught.value.render()


def test_a_forced_toolchain_without_the_target(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(TOOLCHAIN_VARIABLE, "ziglang")
    with pytest.raises(ToolchainError, match="no compiler here makes code for sm_90"):
        choose_toolchain("sm_90")


def test_a_machine_without_any_toolchain(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(discovery_module, "find_toolchains", lambda: ())
    with pytest.raises(ToolchainError) as caught:
        choose_toolchain("gfx942")
    assert "pip install 'lumc[toolchain]'" in caught.value.render()


def test_a_clang_without_its_linker_is_reported(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    compiler = tmp_path / "clang-19"
    compiler.write_text("#!/bin/sh\necho clang version 19.0.0\n")
    compiler.chmod(0o755)
    monkeypatch.setenv("PATH", str(tmp_path))
    discovery_module.find_toolchains.cache_clear()
    try:
        broken = [chain for chain in find_toolchains() if isinstance(chain, BrokenToolchain)]
    finally:
        discovery_module.find_toolchains.cache_clear()
    assert ("clang-19", "ld.lld-19 is missing (package lld)") in [
        (chain.name, chain.reason) for chain in broken
    ]


def test_probes_are_remembered_across_processes(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(TOOLCHAIN_VARIABLE, "ziglang")
    first = choose_toolchain("gfx942")
    probe_module.probe.cache_clear()

    def refuse(*_: object) -> None:
        raise AssertionError("probed again")

    monkeypatch.setattr(type(first), "compile", refuse)
    assert choose_toolchain("gfx942") == first


def test_importing_lumc_runs_no_compiler() -> None:
    code = "import subprocess; subprocess.run = None; import lumc.codegen.toolchains"
    subprocess.run([sys.executable, "-c", code], check=True, cwd=Path(__file__).parents[2])


FUSED = """\
#include "lumc/device.hpp"
extern "C" __global__ void combine(float *y, const float *x) {
    int i = BLOCK * 256 + THREAD;
    y[i] = x[i] * x[i + 1] + x[i + 2];
}
"""
EXACTLY = "#define LUMC_EXACT\n#pragma clang fp contract(off)\n"


@pytest.mark.parametrize("chain", CHAINS, ids=lambda chain: chain.name)
def test_exact_units_keep_multiply_and_add_apart(chain: Toolchain) -> None:
    for target in targets_of(chain)[:1]:
        fast = chain.compile(CompileUnit(FUSED, UNIT.headers), target).assembly
        unit = CompileUnit(EXACTLY + FUSED, UNIT.headers)
        exact = chain.compile(unit, target).assembly
        fused = re.compile(r"\bfma\.rn\.f32|\bv_(pk_)?(fma|fmac|mad)_?\w*f32")
        assert unit.is_exact
        assert fused.search(fast)
        assert not fused.search(exact)


def test_a_tool_that_ctrl_c_reaches_is_no_failed_tool() -> None:
    """It reaches all programs of a terminal: the tool may be over before lumc hears of it."""
    interrupt = "import os, signal; signal.signal(2, signal.SIG_DFL); os.kill(os.getpid(), 2)"
    with pytest.raises(KeyboardInterrupt):
        run_tool((sys.executable, "-c", interrupt))
