"""Assembly text for code objects that come without it, from llvm-objdump."""

from __future__ import annotations

import os
import shutil
import subprocess
import tempfile
from pathlib import Path

from lumc.diagnostics import Diagnostic, LumcError

_NEWEST, _OLDEST = 30, 14


class DisassemblyError(LumcError):
    """A code object came without assembly text, and none could be had."""


def disassemble(code_object: bytes, target: str) -> str:
    """The text of ``llvm-objdump -d``, with addresses.

    The disassembler is ``$LUMC_LLVM_OBJDUMP``, else the newest llvm-objdump on the path or of ROCm.

    Raises:
        DisassemblyError: if there is no disassembler, or it does not know the chip.
    """
    tool = _find_tool()
    with tempfile.NamedTemporaryFile(suffix=".co") as file:
        file.write(code_object)
        file.flush()
        command = [tool, "-d", f"--mcpu={target}", file.name]
        done = subprocess.run(command, capture_output=True, text=True, check=False)
    if done.returncode or not done.stdout or "<unknown>" in done.stdout:
        raise DisassemblyError(
            Diagnostic(
                "L0705",
                f"{Path(tool).name} cannot disassemble code for {target}",
                hint="pass the compiler's assembly text (-S), or set LUMC_LLVM_OBJDUMP to a newer"
                " llvm-objdump",
                notes=tuple(done.stderr.splitlines()[:2]),
            )
        )
    return done.stdout


def _find_tool() -> str:
    if chosen := os.environ.get("LUMC_LLVM_OBJDUMP"):
        return chosen
    versions = (f"llvm-objdump-{n}" for n in range(_NEWEST, _OLDEST - 1, -1))
    for name in ("/opt/rocm/llvm/bin/llvm-objdump", *versions, "llvm-objdump"):
        if found := shutil.which(name):
            return found
    raise DisassemblyError(
        Diagnostic(
            "L0704",
            "the code object came without assembly text, and no llvm-objdump was found",
            hint="pass the compiler's assembly text (-S), or install llvm",
        )
    )
