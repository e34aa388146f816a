"""What every toolchain offers, and the errors they raise."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from lumc.diagnostics import Diagnostic, LumcError

EXACT_LINE = "#define LUMC_EXACT"
UNIT_NAME = "kernel.hip"
"""The file name of a compile unit, as it stands in line information."""


@dataclass(frozen=True, slots=True)
class CompileUnit:
    """One translation unit: its text and the headers that it includes, by the name it uses.

    Units are self-contained: no system header is on the include path for AMD targets.
    """

    text: str
    headers: Mapping[str, str] = field(default_factory=dict)

    @property
    def is_exact(self) -> bool:
        """Whether the text asks for every operation to be rounded, with none made one of two."""
        return EXACT_LINE in self.text.splitlines()


@dataclass(frozen=True, slots=True)
class CompiledObject:
    """A loadable device image and the very assembly text it was made from.

    ``code`` is an ELF image (HSA code object, cubin); ``assembly`` is AMDGPU assembly, or PTX for
    NVIDIA targets, with ``.loc`` lines that point into the unit.
    """

    code: bytes
    assembly: str


class Toolchain(Protocol):
    """A compiler for device code. Implementations are frozen values."""

    @property
    def name(self) -> str:
        """The name that ``LUMC_TOOLCHAIN`` takes."""

    @property
    def version(self) -> str:
        """The compiler's own first version line."""

    @property
    def path(self) -> Path:
        """The compiler's executable."""

    @property
    def identity(self) -> str:
        """Changes whenever the compiler or the way it is called does; part of every cache key."""

    def __hash__(self) -> int:
        """Toolchains are values."""

    def may_support(self, target: str) -> bool:
        """True when ``target`` is of the kind this toolchain compiles for (not yet probed)."""

    def compile(self, unit: CompileUnit, target: str) -> CompiledObject:
        """Compile ``unit`` for ``target``.

        The result depends on the unit, the target and ``identity`` alone.

        Raises:
            CompilationError: the compiler rejected the unit.
            ToolchainError: the compiler could not be run.
        """


class ToolchainError(LumcError):
    """No compiler for the target, or one that cannot be run."""


class CompilationError(LumcError):
    """The compiler rejected generated code: a defect of lumc, whose evidence lies in a file."""

    def __init__(
        self, command: tuple[str, ...], output: str, unit: CompileUnit, note: str | None = None
    ) -> None:
        """Wrap what the compiler said; ``output`` is its full text, ``note`` a further remark."""
        self.command = command
        self.output = output
        self.unit = unit
        super().__init__(
            Diagnostic(
                "T010",
                f"{Path(command[0]).name} rejected generated code",
                notes=(*_first_errors(output), *([note] if note else [])),
                hint="this is a defect of lumc, not of your spec; please report it",
            )
        )


def _first_errors(output: str, limit: int = 4) -> list[str]:
    lines = [line for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if "error" in line] or lines
    return errors[:limit]
