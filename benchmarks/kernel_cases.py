"""Kernels of every family with data and what must come out, to be checked on a machine with a GPU.

They are made where all of lumc is installed and travel as a file. Where they run, only code
generation's toolchains and the runtime are needed.
"""

from __future__ import annotations

import gzip
import pickle
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import Meeting, PlanCall
from lumc.codegen.toolchains import CompileUnit

Array = npt.NDArray[Any]
KERNELS_FILE = "kernels.gz"
CALLS_FILE = "calls.gz"

# Of 1 + the size of what is expected: a rounding of the type and what comes before it (in f32, sums
# of up to a thousand products of about 1).
TOLERANCES = {"f32": 1e-4, "bf16": 1e-2, "f16": 2e-3}


@dataclass(frozen=True, slots=True)
class KernelCase:
    """A kernel's source, its launch, and its parameters before and after it ran.

    A kernel that a library does has the library's call in place of a source.
    """

    name: str
    symbol: str
    unit: CompileUnit | None
    call: PlanCall | None
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dtypes: tuple[str, ...]
    reads_only: tuple[bool, ...]
    before: tuple[Array, ...]
    after: tuple[Array, ...]
    meeting: Meeting | None = None
    """What its workgroups share tiles in, behind the parameters."""


def write_cases(cases: Sequence[KernelCase], place: Path) -> None:
    """Write ``cases`` to the file ``place``."""
    place.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(place, "wb", compresslevel=3) as file:
        pickle.dump(tuple(cases), file)


def read_cases(place: Path) -> tuple[KernelCase, ...]:
    """The cases that ``write_cases`` wrote; the file must be one's own."""
    with gzip.open(place, "rb") as file:
        cases: tuple[KernelCase, ...] = pickle.load(file)
    return cases


def difference(case: KernelCase, position: int, found: Array) -> str | None:
    """How parameter ``position``, found as bytes, differs from what is expected, if it does.

    What is only read, and whole numbers, must be equal bit by bit; so must the poison that lies
    between and behind the elements that are written.
    """
    wanted, dtype = case.after[position], case.dtypes[position]
    if case.reads_only[position] or dtype not in TOLERANCES:
        return None if np.array_equal(found, wanted.view(np.uint8)) else "differs in its bytes"
    found = found.view(wanted.dtype)
    got, want = found.astype(np.float64), wanted.astype(np.float64)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    with np.errstate(invalid="ignore"):
        error = np.abs(got - want) / (1 + np.abs(want))
    bad = np.flatnonzero(~(same | (error <= TOLERANCES[dtype])))
    if not bad.size:
        return None
    first = bad[0]
    return f"{bad.size} of {got.size} differ, at {first}: {got[first]}, not {want[first]}"
