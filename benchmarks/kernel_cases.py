"""Kernels of every family with data and what must come out, to be checked on a machine with a GPU.

They are made where all of lumc is installed and travel as files: a JSON of sources and an NPZ of
arrays. Where they run, only code generation's toolchains and the runtime are needed.
"""

from __future__ import annotations

import json
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt

from lumc.codegen.toolchains import CompileUnit

Array = npt.NDArray[Any]

# Of 1 + the size of what is expected: a rounding of the type and what comes before it.
TOLERANCES = {"f32": 2e-5, "bf16": 1e-2, "f16": 2e-3}
_NUMPY = {"f32": np.dtype(np.float32), "f16": np.dtype(np.float16), "bf16": ml_dtypes.bfloat16}


@dataclass(frozen=True, slots=True)
class KernelCase:
    """A kernel's source, its launch, and bytes of its parameters before and after it ran."""

    name: str
    symbol: str
    unit: CompileUnit
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    dtypes: tuple[str, ...]
    reads_only: tuple[bool, ...]
    before: tuple[Array, ...]
    after: tuple[Array, ...]


def write_cases(cases: Iterator[KernelCase], folder: Path) -> int:
    """Write ``cases`` into ``folder``; returns how many there were."""
    folder.mkdir(parents=True, exist_ok=True)
    arrays: dict[str, Array] = {}
    described = []
    for number, case in enumerate(cases):
        described.append(
            {
                "name": case.name,
                "symbol": case.symbol,
                "text": case.unit.text,
                "grid": case.grid,
                "block": case.block,
                "dtypes": case.dtypes,
                "reads_only": case.reads_only,
            }
        )
        headers = dict(case.unit.headers)
        for position, (before, after) in enumerate(zip(case.before, case.after, strict=True)):
            arrays[f"{number}.{position}.before"] = before.view(np.uint8)
            if not case.reads_only[position]:
                arrays[f"{number}.{position}.after"] = after.view(np.uint8)
    content = {"headers": headers, "cases": described}
    (folder / "cases.json").write_text(json.dumps(content), encoding="utf-8")
    np.savez_compressed(folder / "arrays.npz", **arrays)
    return len(described)


def read_cases(folder: Path) -> Iterator[KernelCase]:
    """The cases that ``write_cases`` wrote."""
    content = json.loads((folder / "cases.json").read_text(encoding="utf-8"))
    with np.load(folder / "arrays.npz") as arrays:
        for number, case in enumerate(content["cases"]):
            states = ["before" if only else "after" for only in case["reads_only"]]
            before = tuple(arrays[f"{number}.{n}.before"] for n in range(len(states)))
            yield KernelCase(
                name=case["name"],
                symbol=case["symbol"],
                unit=CompileUnit(case["text"], content["headers"]),
                grid=tuple(case["grid"]),
                block=tuple(case["block"]),
                dtypes=tuple(case["dtypes"]),
                reads_only=tuple(case["reads_only"]),
                before=before,
                after=tuple(arrays[f"{number}.{n}.{state}"] for n, state in enumerate(states)),
            )


def difference(case: KernelCase, position: int, found: Array) -> str | None:
    """How parameter ``position`` differs from what is expected; None when it does not.

    What is only read, and whole numbers, must be equal bit by bit; so must the poison that lies
    between and behind the elements that are written.
    """
    wanted, dtype = case.after[position], case.dtypes[position]
    if case.reads_only[position] or dtype not in TOLERANCES:
        return None if np.array_equal(found, wanted) else "differs in its bytes"
    got = found.view(_NUMPY[dtype]).astype(np.float64)
    want = wanted.view(_NUMPY[dtype]).astype(np.float64)
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    with np.errstate(invalid="ignore"):
        error = np.abs(got - want) / (1 + np.abs(want))
    bad = np.flatnonzero(~(same | (error <= TOLERANCES[dtype])))
    if not bad.size:
        return None
    first = bad[0]
    return f"{bad.size} of {got.size} differ, at {first}: {got[first]}, not {want[first]}"
