"""The kernels of FLUX.2 Klein 9B that memory bounds, on an MI300X that is not here.

    python -m benchmarks.memory_kernels [--size 1200x800] [--stages vae_decoder ...] [--json]

Every pointwise and row kernel of a step is compiled for gfx942; the emulator traces a few
workgroups and counts the lines of memory that they touch. "× least" is what all workgroups move
over what each element read and written once takes. A lane's accesses are those in the assembly, in
bytes.
"""

from __future__ import annotations

import argparse
import json
import re
import tempfile
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files
from pathlib import Path

from benchmarks.predict_klein import PUBLISHED, TARGET, TIMES
from lumc.codegen.build import write_stage
from lumc.codegen.launch_plan import PlanKernel
from lumc.compiler import CompileOptions, Silent, compile_stages
from lumc.dsl import load_spec
from lumc.inspection import table
from lumc.lowering.chips import chip_for
from lumc.runtime.model_kernel import ModelledKernel, model_kernel
from lumc.runtime.predict_stage import compiled_kernel
from lumc.runtime.predict_time import MovedBytes, predict_launch
from lumc.runtime.stage_folder import CompiledStage, open_stage
from lumc.runtime.stage_work import read_work

_KINDS = ("pointwise", "norm")
_HEADER = ("stage", "kernel", "×", "workgroups", "MB", "× least", "bytes a lane", "µs", "× bound")
_ACCESS = re.compile(r"^\s*(?:global|buffer|flat)_(load|store)_(\w+)", re.MULTILINE)
_WIDTHS = {"dwordx4": 16, "dwordx3": 12, "dwordx2": 8, "dword": 4}


@dataclass(frozen=True, slots=True)
class MemoryKernel:
    """A kernel of a step, what a launch of it moves, and what is predicted of it."""

    stage: str
    kernel: str
    launches: int
    workgroups: int
    bytes: float
    over_least: float
    widths: str
    microseconds: float
    over_bound: float

    def row(self) -> tuple[str, ...]:
        """Its line of the table."""
        return (
            self.stage,
            self.kernel,
            str(self.launches),
            f"{self.workgroups:,}",
            f"{self.bytes / 1e6:,.2f}",
            f"{self.over_least:.2f}",
            self.widths,
            f"{self.microseconds:,.1f}",
            f"{self.over_bound:.2f}",
        )


def main() -> None:
    """Look at the kernels that are asked for and print what is found."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", choices=list(PUBLISHED), default="1200x800")
    parser.add_argument("--stages", nargs="+", choices=list(TIMES), default=list(TIMES))
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found = [one for name in chosen.stages for one in memory_kernels(name, chosen.size)]
    if chosen.json:
        print(json.dumps([asdict(one) for one in found], indent=1))
    else:
        print(table([_HEADER, *(one.row() for one in found)]))


def memory_kernels(name: str, size: str) -> Sequence[MemoryKernel]:
    """Those of stage ``name``, those first that take most time of a step."""
    width, height = size.split("x")
    settings = {"width": width, "height": height, "references": f"[[{width}, {height}]]"}
    with as_file(files("lumc.specs").joinpath("flux2_klein.lum")) as path:
        spec = load_spec(path, "klein_9b", settings)
    (made,) = compile_stages(spec, (name,), CompileOptions(TARGET), None, Silent())
    with tempfile.TemporaryDirectory() as folder:
        write_stage(Path(folder) / name, made.files)
        found = list(_kernels(name, open_stage(Path(folder) / name)))
    return sorted(found, key=lambda one: -one.launches * one.microseconds)


def _kernels(name: str, stage: CompiledStage) -> Iterator[MemoryKernel]:
    chip, work = chip_for(TARGET), read_work(stage)
    for number, kernel in enumerate(stage.plan.kernels):
        launches = [one for one in stage.plan.launches if one.kernel == number]
        if not launches or not isinstance(kernel, PlanKernel) or kernel.kind not in _KINDS:
            continue
        compiled = compiled_kernel(stage, kernel, launches[0])
        modelled = model_kernel(compiled, chip)
        moved = _moved(modelled, {a.buffer: a.bytes for a in compiled.arguments})
        seconds = predict_launch(modelled, chip, MovedBytes(moved, 0.0)).seconds
        least = work[kernel.symbol].bytes
        yield MemoryKernel(
            stage=name,
            kernel=kernel.symbol,
            launches=len(launches),
            workgroups=modelled.workgroups,
            bytes=moved,
            over_least=moved / least,
            widths=_widths(compiled.assembly),
            microseconds=seconds * 1e6,
            over_bound=seconds / (chip.launch + least / chip.bandwidth),
        )


def _moved(modelled: ModelledKernel, sizes: dict[int, int]) -> float:
    """Bytes between all units and memory, if caches beyond the units' own keep what is shared."""
    total = 0.0
    for each in modelled.traffic:
        fetched = each.read * modelled.workgroups
        total += min(fetched, sizes[each.buffer]) + each.written * modelled.workgroups
    return total


def _widths(assembly: str) -> str:
    """How many loads and stores of each width there are, the widest first."""
    found = Counter((match[1], _WIDTHS.get(match[2], 2)) for match in _ACCESS.finditer(assembly))
    parts = []
    for kind in ("load", "store"):
        widths = sorted((width for what, width in found if what == kind), reverse=True)
        parts.append(" ".join(f"{width}×{found[kind, width]}" for width in widths))
    return " / ".join(parts)


if __name__ == "__main__":
    main()
