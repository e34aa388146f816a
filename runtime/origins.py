"""From a line of what was compiled to the line that a user can open, and to the spec."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from lumc.codegen.launch_plan import PlanKernel
from lumc.codegen.toolchains import UNIT_NAME

Origins = Callable[[str, int], str | None]
"""From a file and line that debug information names to where the reader finds it."""


def no_origins(file: str, line: int) -> None:
    """Knows nothing."""


def spec_origins(spec_lines: Sequence[str]) -> Origins:
    """``from SPEC:LINE, …`` for each line of a kernel that ``spec_lines`` make."""
    known = f"from {', '.join(spec_lines)}" if spec_lines else None
    return lambda file, line: known


def origins_of(kernel: PlanKernel) -> Origins:
    """``kernels.hip:LINE, from SPEC:LINE, …`` for a line of the unit of ``kernel``.

    A line of a header that the kernel includes has its spec lines alone.
    """
    of_spec = spec_origins(kernel.spec_lines)

    def find(file: str, line: int) -> str | None:
        own = f"{kernel.source}:{line + kernel.line_shift}" if file == UNIT_NAME else None
        return ", ".join(part for part in (own, of_spec(file, line)) if part) or None

    return find
