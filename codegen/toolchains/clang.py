"""Any clang that has the AMDGPU target: of a ROCm install, of the system, of ziglang.

A unit is compiled to assembly text, and that text is assembled and linked, so the text and the
code object say exactly the same. Nothing but the unit is read: no device library, no HIP header.
"""

from __future__ import annotations

import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lumc.codegen.toolchains.process import run_on, write_unit
from lumc.codegen.toolchains.toolchain import UNIT_NAME, CompiledObject, CompileUnit

_COMPILE_FLAGS = (
    "-x",
    "hip",
    "--offload-device-only",
    "--no-gpu-bundle-output",
    "-nogpuinc",
    "-nogpulib",
    "-nostdinc",
    "-nostdinc++",
    "-O3",
    "-std=c++20",
    "-gline-tables-only",
    "-mcode-object-version=5",
    # The two below would write this run's paths into the result.
    "-fuse-cuid=none",
    "-fdebug-compilation-dir=.",
    "-I.",
    "-S",
)
_TARGET = re.compile(r"gfx[0-9a-f]{3,5}")


@dataclass(frozen=True, slots=True)
class ClangToolchain:
    """A clang driver and an LLD, each given as the beginning of a command line."""

    name: str
    version: str
    compiler: tuple[str, ...]
    linker: tuple[str, ...]
    stamp: str
    """Size and modification time of the executable."""

    @property
    def path(self) -> Path:
        """The compiler's executable."""
        return Path(self.compiler[0])

    @property
    def identity(self) -> str:
        """The compiler's version and stamp, and the flags of this module."""
        return " ".join((self.name, self.version, self.stamp, *_COMPILE_FLAGS))

    def may_support(self, target: str) -> bool:
        """True for AMD architecture names such as ``gfx942``."""
        return _TARGET.fullmatch(target) is not None

    def compile(self, unit: CompileUnit, target: str) -> CompiledObject:
        """See ``Toolchain.compile``."""
        with tempfile.TemporaryDirectory(prefix="lumc-") as name:
            folder = Path(name)
            write_unit(unit, folder)
            for command in self._commands(target):
                run_on(unit, folder, command)
            return CompiledObject(
                code=(folder / "kernel.co").read_bytes(),
                assembly=(folder / "kernel.s").read_text(encoding="utf-8"),
            )

    def _commands(self, target: str) -> tuple[tuple[str, ...], ...]:
        compile_flags = (*_COMPILE_FLAGS, f"--offload-arch={target}", *_mode_flags(target))
        assemble_flags = ("--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-x", "assembler", "-c")
        return (
            (*self.compiler, *compile_flags, UNIT_NAME, "-o", "kernel.s"),
            (*self.compiler, *assemble_flags, "kernel.s", "-o", "kernel.o"),
            (*self.linker, "-shared", "kernel.o", "-o", "kernel.co"),
        )


def _mode_flags(target: str) -> tuple[str, ...]:
    # From gfx10 on a workgroup keeps to one compute unit; else every barrier flushes a cache.
    return ("-mcumode",) if re.match(r"gfx1\d{3}", target) else ()
