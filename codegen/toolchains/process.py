"""Runs a compiler as a child process, the same way whatever the user's environment holds."""

from __future__ import annotations

import os
import signal
import subprocess
from pathlib import Path

from lumc.codegen.toolchains.toolchain import (
    UNIT_NAME,
    CompilationError,
    CompileUnit,
    ToolchainError,
)
from lumc.diagnostics import Diagnostic

TIMEOUT_SECONDS = 600.0
# Search paths and default options in the environment would change what is compiled.
_KEPT_VARIABLES = ("PATH", "HOME", "TMPDIR", "TEMP", "TMP", "SYSTEMROOT", "LD_LIBRARY_PATH")


def run_tool(
    command: tuple[str, ...], folder: Path | None = None, timeout: float = TIMEOUT_SECONDS
) -> tuple[int, str]:
    """The exit code and the output (both streams) of ``command``, run in ``folder``.

    Raises:
        ToolchainError: it can't be started, or takes longer than ``timeout`` seconds.
        KeyboardInterrupt: it was interrupted, as all programs of a terminal are by Ctrl-C.
    """
    environment = {name: os.environ[name] for name in _KEPT_VARIABLES if name in os.environ}
    try:
        done = subprocess.run(
            command,
            cwd=folder,
            env=environment | {"LC_ALL": "C"},
            stdin=subprocess.DEVNULL,
            stdout=subprocess.PIPE,
            stderr=subprocess.STDOUT,
            timeout=timeout,
            check=False,
        )
    except OSError as error:
        raise ToolchainError(
            Diagnostic("T002", f"can't run {command[0]}: {error.strerror or error}")
        ) from error
    except subprocess.TimeoutExpired as error:
        raise ToolchainError(
            Diagnostic("T003", f"{command[0]} did not finish in {timeout:.0f} s")
        ) from error
    if done.returncode == -signal.SIGINT:
        raise KeyboardInterrupt
    return done.returncode, done.stdout.decode("utf-8", "replace")


def write_unit(unit: CompileUnit, folder: Path) -> None:
    """Write the unit and its headers into ``folder``, under the names the compiler will see."""
    (folder / UNIT_NAME).write_text(unit.text, encoding="utf-8")
    for header, text in unit.headers.items():
        place = folder / header
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_text(text, encoding="utf-8")


def run_on(unit: CompileUnit, folder: Path, command: tuple[str, ...]) -> None:
    """Run one step of compiling ``unit``.

    Raises:
        CompilationError: the step failed.
    """
    code, output = run_tool(command, folder)
    if code != 0:
        raise CompilationError(command, output, unit)
