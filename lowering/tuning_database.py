"""Measured times of kernels, kept from run to run.

A measurement is of one kernel cut in one way (its variant: a tile, or the library's call), on one
chip, by one toolchain. Where a kernel was measured, its best variant replaces what the cost model
says. The database is one SQLite file that many processes may use at once. A damaged file is put
aside with a warning and begun anew; one that can't be used costs time, never a result.
"""

from __future__ import annotations

import dataclasses
import hashlib
import os
import sqlite3
import warnings
from collections.abc import Iterator, Mapping
from contextlib import closing, contextmanager
from dataclasses import dataclass, field
from pathlib import Path

from lumc.cache_folder import cache_folder
from lumc.diagnostics import LumcWarning
from lumc.lowering.assemble import anonymous
from lumc.lowering.kernel_program import Attention, Gemm, Kernel

DATABASE_FILE = "tuning.sqlite"
_VERSION = 1
_BUSY_SECONDS = 30.0
_TABLE = """\
create table if not exists measurements (
    signature text not null,
    variant text not null,
    chip text not null,
    toolchain text not null,
    seconds real not null,
    primary key (signature, variant, chip, toolchain)
) without rowid"""


class TuningWarning(LumcWarning):
    """The tuning database can't be used as it should; nothing else is wrong."""


class MeasuringWarning(LumcWarning):
    """A kernel could not be measured; others were."""


def signature(kernel: Kernel) -> str:
    """A name that equal kernels share, however they are called and cut, and no others."""
    bare = anonymous(kernel)
    if isinstance(bare, Gemm | Attention):
        bare = dataclasses.replace(bare, tile=None, library=None)
    return hashlib.sha256(repr(bare).encode()).hexdigest()


def variant(kernel: Kernel) -> str:
    """The way a kernel is cut, or that the library makes it; empty where there is no choice."""
    match kernel:
        case Gemm(library=library) | Attention(library=library) if library is not None:
            return "library"
        case Gemm(tile=tile) | Attention(tile=tile):
            return repr(tile) if tile is not None else ""
        case _:
            return ""


@dataclass(frozen=True, slots=True)
class TuningDatabase:
    """The measurements for ``chip`` by ``toolchain`` in the file ``place``, which may not exist.

    What others write meanwhile is not seen.
    """

    place: Path
    chip: str
    toolchain: str
    _known: dict[str, dict[str, float]] = field(default_factory=dict)

    @staticmethod
    def open(chip: str, toolchain: str, folder: Path | None = None) -> TuningDatabase:
        """The database in ``folder`` (the cache's, when None), with what is in it now."""
        database = TuningDatabase((folder or cache_folder()) / DATABASE_FILE, chip, toolchain)
        if database.place.exists():
            database._load()
        return database

    def measured(self, kernel: Kernel) -> dict[str, float]:
        """Seconds of a launch of ``kernel`` by variant, as far as there are measurements."""
        return self.measured_as(signature(kernel)) if self._known else {}

    def measured_as(self, name: str) -> dict[str, float]:
        """The same, of whatever has the signature ``name``."""
        return dict(self._known.get(name, {}))

    def record(self, kernel: Kernel, seconds: float) -> None:
        """Keep that a launch of ``kernel``, cut as it is, takes ``seconds``."""
        self.record_as(signature(kernel), {variant(kernel): seconds})

    def record_as(self, name: str, seconds: Mapping[str, float]) -> None:
        """Keep what was measured, by variant, of what has the signature ``name``."""
        self._known.setdefault(name, {}).update(seconds)
        rows = [(name, cut, self.chip, self.toolchain, time) for cut, time in seconds.items()]
        try:
            self.place.parent.mkdir(parents=True, exist_ok=True)
            with self._connected() as connection:
                statement = "insert or replace into measurements values (?,?,?,?,?)"
                connection.executemany(statement, rows)
        except sqlite3.DatabaseError as error:
            self._complain(error)
        except OSError as error:
            self._warn(f"can't be written ({error.strerror or error})")

    @property
    def knows_anything(self) -> bool:
        """Whether there is any measurement."""
        return bool(self._known)

    def digest(self) -> str:
        """A name for all that is known: what is compiled by it may differ with it."""
        rows = sorted((name, sorted(cuts.items())) for name, cuts in self._known.items())
        return hashlib.sha256(repr(rows).encode()).hexdigest() if rows else ""

    def _load(self) -> None:
        try:
            with self._connected() as connection:
                rows = connection.execute(
                    "select signature, variant, seconds from measurements "
                    "where chip = ? and toolchain = ?",
                    (self.chip, self.toolchain),
                ).fetchall()
        except sqlite3.DatabaseError as error:
            self._complain(error)
            return
        for name, cut, seconds in rows:
            self._known.setdefault(name, {})[cut] = seconds

    @contextmanager
    def _connected(self) -> Iterator[sqlite3.Connection]:
        """The open file, with its table; what is done inside is done as a whole or not at all."""
        with closing(sqlite3.connect(self.place, timeout=_BUSY_SECONDS)) as connection:
            (version,) = connection.execute("pragma user_version").fetchone()
            if version not in (0, _VERSION):
                raise sqlite3.DatabaseError(f"it is of version {version}, not {_VERSION}")
            with connection:
                connection.execute(_TABLE)
                connection.execute(f"pragma user_version = {_VERSION}")
                yield connection

    def _complain(self, error: sqlite3.DatabaseError) -> None:
        """Put a damaged file aside; one that is only busy or out of reach stays."""
        if isinstance(error, sqlite3.OperationalError):
            self._warn(f"can't be used ({error})")
            return
        aside = self.place.with_name(f"{self.place.name}.damaged-{os.getpid()}")
        try:
            self.place.replace(aside)
        except FileNotFoundError:
            # Another process was faster.
            return
        except OSError as failure:
            self._warn(f"is damaged ({error}) and can't be put aside ({failure.strerror})")
            return
        self._warn(f"was damaged ({error}); it is now {aside.name}, and measurements begin anew")

    def _warn(self, what: str) -> None:
        warnings.warn(f"the tuning database {self.place} {what}", TuningWarning, stacklevel=3)
