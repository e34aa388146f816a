"""What the emulator checks, and what it says when a kernel breaks a rule."""

from __future__ import annotations

import re
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from enum import Flag

from lumc.diagnostics import Diagnostic, LumcError


class Checks(Flag):
    """The rules that are watched. Accesses out of bounds never reach memory, watched or not."""

    BOUNDS = 1
    """Accesses outside the buffers, LDS or scratch that the kernel was given."""
    UNINITIALISED = 2
    """Registers and memory that nothing wrote, where they reach memory, an address or a branch."""
    RACES = 4
    """Two waves on the same LDS bytes with no barrier between, one of them writing; two workgroups
    on the same memory, the first writing, without a release, an atomic and an acquire between."""
    WAITS = 8
    """Results that are used before ``s_waitcnt`` says that they have arrived."""
    BARRIERS = 16
    """Lanes or waves that do not take part in a barrier that others wait at."""
    LIMIT = 32
    """Waves that run more instructions than the limit."""

    @classmethod
    def all(cls) -> Checks:
        """Every rule."""
        return cls.BOUNDS | cls.UNINITIALISED | cls.RACES | cls.WAITS | cls.BARRIERS | cls.LIMIT

    @classmethod
    def none(cls) -> Checks:
        """No rule, for speed."""
        return cls(0)


_CODES = {
    1: "L0711",
    2: "L0712",
    4: "L0713",
    8: "L0714",
    16: "L0715",
    32: "L0716",
    64: "L0717",
}
_HINTS = {
    1: "compare the index with the size of the buffer, and mask the lanes beyond it",
    2: "give the value a definition on every path that leads here",
    4: "put a barrier between the two; between workgroups a release, an atomic and an acquire",
    8: "wait for the counter of the access (vmcnt or lgkmcnt) before its result is used",
    16: "let every wave of the workgroup reach every barrier, with all of its lanes",
    32: "check the loop's end, or raise instruction_limit",
    64: "the program cannot go on from here",
}

ENDS_LAUNCH = (Checks.LIMIT.value, 64)
"""Kinds of reports after which a kernel cannot go on; 64: the program itself is broken."""

SourceLines = Mapping[int, str] | Callable[[str, int], str | None]
"""From a line of generated source to the place in the spec that it came from."""


@dataclass(frozen=True, slots=True)
class Place:
    """An instruction, and where it came from as far as is known."""

    index: int
    text: str
    address: int
    file: str | None = None
    line: int | None = None
    inlined: str | None = None
    spec: str | None = None

    def __str__(self) -> str:
        """``text (file:line, spec)``."""
        source = f"{self.file}:{self.line}" if self.file else ""
        known = ", ".join(part for part in (source, self.inlined or "", self.spec or "") if part)
        return f"{self.text} ({known})" if known else self.text


@dataclass(frozen=True, slots=True)
class Report:
    """One finding: which rule, what happened, and who did it where.

    ``lane`` is None where the whole wave is meant; ``other`` is the access or definition that the
    finding is about, if there is one; ``count`` is how often the instruction broke the rule.
    """

    check: int
    message: str
    kernel: str
    workgroup: tuple[int, int, int]
    wave: int
    lane: int | None
    place: Place
    other: Place | None
    count: int

    def diagnostic(self) -> Diagnostic:
        """The finding as it is shown to the user."""
        lane = f", lane {self.lane}" if self.lane is not None else ""
        group = ", ".join(map(str, self.workgroup))
        notes = [
            f"instruction: {self.place}",
            f"kernel {self.kernel}, workgroup ({group}), wave {self.wave}{lane}",
        ]
        if self.other:
            notes.append(f"the other instruction: {self.other}")
        if self.count > 1:
            notes.append(f"{self.count} times in all")
        where = f"{self.place.file}:{self.place.line}: " if self.place.file else ""
        return Diagnostic(
            _CODES[self.check],
            f"{where}{_mnemonic(self.place.text)} {self.message}",
            hint=_HINTS[self.check],
            notes=tuple(notes),
        )


class EmulationFault(LumcError):  # noqa: N818 - the kernel's fault, not the emulator's
    """A kernel broke a rule that the emulator watches."""

    def __init__(self, *reports: Report) -> None:
        """Wrap one or more reports."""
        super().__init__(*(report.diagnostic() for report in reports))
        self.reports = reports


def name_buffers(text: str, names: Mapping[int, str]) -> str:
    """``text`` with the interpreter's buffer numbers replaced by names."""
    return re.sub(r"\{buffer (\d+)\}", lambda m: names.get(int(m[1]), "a buffer"), text)


def _mnemonic(text: str) -> str:
    return text.split(" ", 1)[0]
