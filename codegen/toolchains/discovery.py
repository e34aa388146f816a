"""Finds the toolchains of this machine, and says which one compiles for a target.

The order is fixed: the clang of a ROCm install, which hipcc calls; ziglang's clang, with which lumc
is tested; the system's clangs, newest first; nvcc for NVIDIA. ``LUMC_TOOLCHAIN`` names one that
must be taken instead.
"""

from __future__ import annotations

import importlib.util
import os
import re
import shutil
from collections.abc import Iterator
from dataclasses import dataclass
from functools import cache
from pathlib import Path

from lumc.codegen.toolchains.clang import ClangToolchain
from lumc.codegen.toolchains.nvcc import NvccToolchain
from lumc.codegen.toolchains.probe import Probe, probe
from lumc.codegen.toolchains.process import run_tool
from lumc.codegen.toolchains.toolchain import Toolchain, ToolchainError
from lumc.diagnostics import Diagnostic, did_you_mean

TOOLCHAIN_VARIABLE = "LUMC_TOOLCHAIN"
_CLANG_VERSIONS = range(30, 14, -1)


@dataclass(frozen=True, slots=True)
class BrokenToolchain:
    """An executable that is there but cannot be used, and why."""

    name: str
    path: Path
    reason: str


@cache
def find_toolchains() -> tuple[Toolchain | BrokenToolchain, ...]:
    """The toolchains of this machine in the order in which they are tried."""
    return tuple(_candidates())


def choose_toolchain(target: str) -> Toolchain:
    """The first toolchain that really compiles for ``target``.

    Raises:
        ToolchainError: there is none, or the one that ``LUMC_TOOLCHAIN`` names can't do it.
    """
    found = [chain for chain in find_toolchains() if not isinstance(chain, BrokenToolchain)]
    forced = os.environ.get(TOOLCHAIN_VARIABLE)
    usable = [chain for chain in found if chain.may_support(target)]
    if forced is not None:
        usable = [_named(forced, found)]
    failures: list[str] = []
    for chain in usable:
        result = probe(chain, target)
        if result.works:
            return chain
        failures.append(f"{chain.name} ({chain.path}): {result.reason}")
    raise _no_toolchain(target, failures, forced)


def supported_targets(chain: Toolchain, targets: tuple[str, ...]) -> tuple[tuple[str, Probe], ...]:
    """What compiling a tiny kernel for each of ``targets`` showed, for those of its kind."""
    return tuple((target, probe(chain, target)) for target in targets if chain.may_support(target))


def _named(name: str, found: list[Toolchain]) -> Toolchain:
    for chain in found:
        if name in (chain.name, str(chain.path)):
            return chain
    names = [chain.name for chain in found]
    here = ", ".join(names) or "none"
    raise ToolchainError(
        Diagnostic(
            "T004",
            f"{TOOLCHAIN_VARIABLE} names {name!r}, which is not on this machine",
            notes=(f"found here: {here}",),
            hint=did_you_mean(name, names) or f"unset {TOOLCHAIN_VARIABLE} to let lumc choose",
        )
    )


def _no_toolchain(target: str, failures: list[str], forced: str | None) -> ToolchainError:
    if target.startswith("sm_"):
        hint = "install the CUDA toolkit (nvcc), or put it on PATH"
    else:
        hint = "pip install 'lumc[toolchain]' brings one (ziglang's clang); ROCm's works too"
    if forced is not None:
        hint = f"unset {TOOLCHAIN_VARIABLE}, or set it to a toolchain that knows {target}"
    return ToolchainError(
        Diagnostic(
            "T001", f"no compiler here makes code for {target}", notes=tuple(failures), hint=hint
        )
    )


def _candidates() -> Iterator[Toolchain | BrokenToolchain]:
    yield from _rocm()
    yield from _ziglang()
    yield from _system_clangs()
    yield from _nvcc()


def _rocm() -> Iterator[Toolchain | BrokenToolchain]:
    # hipcc is a wrapper around the clang of its install; calling that one directly is faster.
    roots = [os.environ.get("ROCM_PATH"), "/opt/rocm"]
    if hipcc := shutil.which("hipcc"):
        roots.insert(1, str(Path(hipcc).resolve().parent.parent))
    for root in dict.fromkeys(root for root in roots if root):
        for folder in (Path(root) / "lib/llvm/bin", Path(root) / "llvm/bin"):
            if (folder / "clang").exists():
                yield _clang("rocm", (str(folder / "clang"),), (str(folder / "ld.lld"),))
                return


def _system_clangs() -> Iterator[Toolchain | BrokenToolchain]:
    names = [(f"clang-{version}", f"ld.lld-{version}") for version in _CLANG_VERSIONS]
    for compiler, linker in [*names, ("clang", "ld.lld")]:
        path, linker_path = shutil.which(compiler), shutil.which(linker)
        if path and linker_path:
            yield _clang(compiler, (path,), (linker_path,))
        elif path:
            yield BrokenToolchain(compiler, Path(path), f"{linker} is missing (package lld)")


def _ziglang() -> Iterator[Toolchain | BrokenToolchain]:
    spec = importlib.util.find_spec("ziglang")
    if spec is None or spec.origin is None:
        return
    zig = Path(spec.origin).parent / ("zig.exe" if os.name == "nt" else "zig")
    yield _clang("ziglang", (str(zig), "clang"), (str(zig), "ld.lld"))


def _nvcc() -> Iterator[Toolchain | BrokenToolchain]:
    homes = [os.environ.get("CUDA_HOME"), os.environ.get("CUDA_PATH"), "/usr/local/cuda"]
    places = [Path(home) / "bin/nvcc" for home in homes if home]
    if on_path := shutil.which("nvcc"):
        places.insert(0, Path(on_path))
    for path in places:
        if path.exists():
            yield _nvcc_at(path)
            return


def _nvcc_at(path: Path) -> Toolchain | BrokenToolchain:
    version = _version((str(path), "--version"), r"release.*")
    assembler = shutil.which("ptxas", path=str(path.parent)) or shutil.which("ptxas")
    if version is None or assembler is None:
        return BrokenToolchain("nvcc", path, "it or its ptxas can't be run")
    return NvccToolchain("nvcc", version, path, Path(assembler), _stamp(path))


def _clang(
    name: str, compiler: tuple[str, ...], linker: tuple[str, ...]
) -> Toolchain | BrokenToolchain:
    version = _version((*compiler, "--version"), r".*clang version.*")
    if version is None:
        return BrokenToolchain(name, Path(compiler[0]), "it can't be run")
    return ClangToolchain(name, version, compiler, linker, _stamp(Path(compiler[0])))


def _version(command: tuple[str, ...], pattern: str) -> str | None:
    try:
        code, output = run_tool(command, timeout=60)
    except ToolchainError:
        return None
    line = re.search(pattern, output)
    return line.group().strip() if code == 0 and line else None


def _stamp(path: Path) -> str:
    status = path.resolve().stat()
    return f"{status.st_size}-{status.st_mtime_ns}"
