"""Which of a library's ways to do a call was fastest, kept from run to run."""

from __future__ import annotations

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass, replace

from lumc.codegen.launch_plan import PlanCall
from lumc.lowering.tuning_database import TuningDatabase


@dataclass(frozen=True, slots=True)
class LibraryChoices:
    """Measurements of one version of one library on one chip, in the tuning database."""

    database: TuningDatabase

    @staticmethod
    def open(target: str, version: str) -> LibraryChoices:
        """What is known of ``version`` (the library's name and version) on ``target``."""
        return LibraryChoices(TuningDatabase.open(target, version))

    def known(self, call: PlanCall, names: Sequence[str]) -> int | None:
        """The fastest of the ways called ``names``; None unless all of them were measured."""
        measured = self.database.measured_as(_signature(call))
        if not names or not all(name in measured for name in names):
            return None
        return min(range(len(names)), key=lambda number: measured[names[number]])

    def keep(self, call: PlanCall, names: Sequence[str], times: Sequence[float]) -> None:
        """Keep that the ways called ``names`` took so many milliseconds."""
        seconds = {name: time / 1000 for name, time in zip(names, times, strict=True)}
        self.database.record_as(_signature(call), seconds)


def _signature(call: PlanCall) -> str:
    """A name that equal calls share, whatever they are called."""
    return hashlib.sha256(repr(replace(call, symbol="", kind="")).encode()).hexdigest()
