"""NVIDIA's nvcc: a unit becomes PTX, which ptxas turns into a cubin."""

from __future__ import annotations

import os
import re
import tempfile
from dataclasses import dataclass
from pathlib import Path

from lumc.codegen.toolchains.process import run_on, write_unit
from lumc.codegen.toolchains.toolchain import UNIT_NAME, CompiledObject, CompileUnit

_COMPILE_FLAGS = ("-x", "cu", "-O3", "-std=c++20", "-lineinfo", "-I.", "-ptx")
# What clang is told by a pragma, which nvcc does not know.
_EXACT_FLAGS = ("-fmad=false",)
_TARGET = re.compile(r"sm_\d{2,3}[af]?")


@dataclass(frozen=True, slots=True)
class NvccToolchain:
    """The nvcc of a CUDA toolkit, with the ptxas beside it."""

    name: str
    version: str
    path: Path
    assembler: Path
    stamp: str
    """Size and modification time of the executable."""

    @property
    def identity(self) -> str:
        """The compiler's version and stamp, and the flags of this module."""
        return " ".join(
            (self.name, self.version, self.stamp, *_COMPILE_FLAGS, "exact", *_EXACT_FLAGS)
        )

    def may_support(self, target: str) -> bool:
        """True for NVIDIA architecture names such as ``sm_90``."""
        return _TARGET.fullmatch(target) is not None

    def compile(self, unit: CompileUnit, target: str) -> CompiledObject:
        """See ``Toolchain.compile``."""
        arch = f"-arch={target}"
        with tempfile.TemporaryDirectory(prefix="lumc-") as name:
            folder = Path(name)
            write_unit(unit, folder)
            _forget_times(folder)
            ptx = folder / "kernel.ptx"
            flags = (*_COMPILE_FLAGS, *(_EXACT_FLAGS if unit.is_exact else ()), arch)
            compiler = (str(self.path), *flags, UNIT_NAME, "-o", ptx.name)
            run_on(unit, folder, compiler)
            # nvcc writes this run's folder into the line table.
            assembly = ptx.read_text(encoding="utf-8").replace(f"{folder.resolve()}{os.sep}", "")
            ptx.write_text(assembly, encoding="utf-8")
            _forget_times(folder)
            assembler = (str(self.assembler), arch, "-lineinfo", ptx.name, "-o", "kernel.cubin")
            run_on(unit, folder, assembler)
            return CompiledObject((folder / "kernel.cubin").read_bytes(), assembly)


def _forget_times(folder: Path) -> None:
    """Give all files one time: line tables hold it, and equal units are to give equal bytes."""
    for path in folder.rglob("*"):
        os.utime(path, (1, 1))
