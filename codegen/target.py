"""What the generated code must know of the chip it is made for."""

from __future__ import annotations

import re
from dataclasses import dataclass

from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl.dtypes import DType


class UnknownTargetError(LumcError):
    """The target's name is none that code can be made for."""


@dataclass(frozen=True, slots=True)
class Target:
    """A chip, by the name that its compiler has for it.

    ``wave`` is the number of threads that run in step, ``local_bytes`` what a workgroup may use
    of the memory its threads share, ``matrix_dtypes`` what its matrix cores (MFMA, WMMA, mma)
    multiply. Workgroups go to its ``dies`` in turn, each with a cache of its own.
    """

    name: str
    wave: int
    local_bytes: int
    matrix_dtypes: tuple[DType, ...]
    dies: int = 1

    def has_matrix(self, dtype: DType) -> bool:
        """True when products of ``dtype`` run on matrix cores."""
        return dtype in self.matrix_dtypes

    @property
    def is_amd(self) -> bool:
        """True for AMD chips, False for NVIDIA's."""
        return self.name.startswith("gfx")


_KIB = 1024
_MFMA = (DType.BF16, DType.F16, DType.F32)
# tf32 would drop bits of f32, so that stays on multiply-adds.
_MMA = (DType.BF16, DType.F16)
_WMMA = (DType.BF16, DType.F16)
# The first with the matrix instructions that are used.
_FIRST_NVIDIA = 80
_TARGETS = {
    target.name: target
    for target in (
        Target("gfx90a", 64, 64 * _KIB, _MFMA),
        Target("gfx942", 64, 64 * _KIB, _MFMA, dies=8),
        Target("gfx950", 64, 160 * _KIB, _MFMA, dies=8),
        Target("gfx1100", 32, 64 * _KIB, _WMMA),
        Target("gfx1101", 32, 64 * _KIB, _WMMA),
        Target("gfx1201", 32, 64 * _KIB, _WMMA),
    )
}


def target_named(name: str) -> Target:
    """The target called ``name``: an AMD chip that is listed here, or NVIDIA's from ``sm_80`` on.

    Raises:
        UnknownTargetError: there is none.
    """
    if name in _TARGETS:
        return _TARGETS[name]
    if (found := re.fullmatch(r"sm_(\d{2,3})[af]?", name)) and int(found[1]) >= _FIRST_NVIDIA:
        return Target(name, 32, 48 * _KIB, _MMA)
    known = ", ".join(sorted(_TARGETS))
    raise UnknownTargetError(
        Diagnostic(
            "T020",
            f"there is no target {name!r}",
            notes=(f"targets: {known}, and sm_80 and later",),
            hint=did_you_mean(name, _TARGETS),
        )
    )


def known_targets() -> tuple[str, ...]:
    """The targets that lumc is made for, in a fixed order: those listed here, and the H200's."""
    return (*_TARGETS, "sm_90")
