"""What a compile of FLUX.2 Klein costs: seconds cold and warm, peak memory, equal bytes.

``python benchmarks/compile.py`` compiles klein_9b at 512×512 for gfx942 twice from nothing and once
from the cache; ``--all`` adds the other targets, sizes and klein_4b, each once from nothing.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import os
import resource
import subprocess
import sys
import tempfile
import time
from collections.abc import Iterator
from dataclasses import dataclass
from pathlib import Path

from rich.console import Console
from rich.table import Table

SPEC = Path(__file__).parent.parent / "specs" / "flux2_klein.lum"


@dataclass(frozen=True, slots=True)
class Case:
    """One compile of all stages."""

    config: str
    width: int
    height: int
    target: str

    def __str__(self) -> str:
        """As the table shows it."""
        return f"{self.config} {self.width}×{self.height} {self.target}"


FIRST = Case("klein_9b", 512, 512, "gfx942")
OTHERS = (
    *(Case("klein_9b", 512, 512, target) for target in ("gfx90a", "gfx950", "gfx1100")),
    Case("klein_9b", 704, 864, "gfx942"),
    Case("klein_9b", 1200, 800, "gfx942"),
    Case("klein_4b", 512, 512, "gfx942"),
)


@dataclass(frozen=True, slots=True)
class Measured:
    """What one run of the command took and made."""

    seconds: float
    launches: dict[str, int]
    digest: str


def compile_case(case: Case, cache: Path, output: Path) -> Measured:
    """Run ``lumc compile`` in a process of its own with ``cache`` as its cache."""
    command = [sys.executable, "-m", "lumc", "compile", str(SPEC), "--config", case.config]
    command += ["--set", f"width={case.width}", "--set", f"height={case.height}"]
    command += ["--target", case.target, "-o", str(output), "--json"]
    start = time.perf_counter()
    done = subprocess.run(
        command,
        env=os.environ | {"LUMC_CACHE_DIR": str(cache)},
        stdout=subprocess.PIPE,
        stderr=subprocess.DEVNULL,
        check=True,
    )
    seconds = time.perf_counter() - start
    stages = json.loads(done.stdout)["stages"]
    launches = {name: stage["launches"] for name, stage in stages.items()}
    return Measured(seconds, launches, digest_of(output))


def digest_of(folder: Path) -> str:
    """A hash of the names and bytes of every file below ``folder``."""
    digest = hashlib.sha256()
    for path in sorted(p for p in folder.rglob("*") if p.is_file()):
        digest.update(str(path.relative_to(folder)).encode() + b"\0")
        digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


def measure(cases: tuple[Case, ...]) -> Iterator[tuple[str, Measured]]:
    """The first case cold, warm and cold again, then the others cold."""
    with tempfile.TemporaryDirectory() as scratch:
        root = Path(scratch)
        for label, cache in (("cold", "a"), ("warm", "a"), ("cold again", "b")):
            output = root / "out" / label
            yield f"{FIRST}, {label}", compile_case(FIRST, root / cache, output)
        for number, case in enumerate(cases):
            yield f"{case}, cold", compile_case(case, root / f"c{number}", root / str(number))


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--all", action="store_true", help="other targets, sizes and klein_4b too")
    options = parser.parse_args()
    table = Table("compile", "seconds", "launches a stage", "bytes")
    for label, measured in measure(OTHERS if options.all else ()):
        launches = ", ".join(f"{name} {count}" for name, count in measured.launches.items())
        table.add_row(label, f"{measured.seconds:.1f}", launches, measured.digest[:12])
    Console().print(table)
    peak = resource.getrusage(resource.RUSAGE_CHILDREN).ru_maxrss / 1024
    print(f"peak memory of any process: {peak:,.0f} MiB")


if __name__ == "__main__":
    main()
