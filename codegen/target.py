"""What the generated code must know of the chip it is made for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumc.diagnostics import Diagnostic, LumcError, did_you_mean


class UnknownTargetError(LumcError):
    """The target's name is none that code can be made for."""


@dataclass(frozen=True, slots=True)
class Target:
    """A chip, by the name that its compiler has for it.

    ``wave`` is the number of threads that run in step, ``local_bytes`` what a workgroup may use
    of the memory its threads share, ``has_matrix_cores`` whether the MFMA instructions are there.
    """

    name: str
    wave: int
    local_bytes: int
    has_matrix_cores: bool

    @property
    def is_amd(self) -> bool:
        """True for AMD chips, False for NVIDIA's."""
        return self.name.startswith("gfx")


_KIB = 1024
_TARGETS = {
    target.name: target
    for target in (
        Target("gfx90a", 64, 64 * _KIB, True),
        Target("gfx942", 64, 64 * _KIB, True),
        Target("gfx950", 64, 160 * _KIB, True),
        Target("gfx1100", 32, 64 * _KIB, False),
        Target("gfx1101", 32, 64 * _KIB, False),
        Target("gfx1201", 32, 64 * _KIB, False),
    )
}


def target_named(name: str) -> Target:
    """The target called ``name``: an AMD chip that is listed here, or any ``sm_XX`` of NVIDIA.

    Raises:
        UnknownTargetError: there is none.
    """
    if name in _TARGETS:
        return _TARGETS[name]
    if re.fullmatch(r"sm_\d{2,3}[af]?", name):
        return Target(name, 32, 48 * _KIB, False)
    known = ", ".join(sorted(_TARGETS))
    raise UnknownTargetError(
        Diagnostic(
            "T020",
            f"there is no target {name!r}",
            notes=(f"targets: {known}, and sm_70 and later",),
            hint=did_you_mean(name, _TARGETS),
        )
    )


def known_targets() -> tuple[str, ...]:
    """The names of the targets that are listed here, in a fixed order."""
    return tuple(_TARGETS)
