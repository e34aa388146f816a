"""Builds, checks and times compiled programs on a machine with an NVIDIA GPU, in one call.

``prepare`` runs where all of lumc is installed and writes a folder; ``run`` needs that folder,
lumc's runtime, cuda-python and nvcc. It writes what it found as JSON and as tables into OUT, and
the tuning database with what was measured. ``tune`` measures the kernels of the stages that were
prepared with ``--candidates``, every way that is worth it; ``keep`` takes a database that came back
over into the one here, by which stages that are prepared then are cut.

    python -m benchmarks.h200 prepare FOLDER [--stages STAGE:SIZE ...] [--candidates]
    python -m benchmarks.h200 run FOLDER --out OUT [--only NAME ...]
    python -m benchmarks.h200 tune FOLDER --out OUT [--only NAME ...] [--seconds S]
    python -m benchmarks.h200 keep OUT
"""

from __future__ import annotations

import argparse
import gzip
import json
import pickle
import shutil
import sqlite3
import time
import traceback
from collections.abc import Callable, Iterator, Sequence
from contextlib import closing
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.golden_stages import GOLDEN_STAGES, ROOT, TOLERANCES
from benchmarks.kernel_cases import (
    CALLS_FILE,
    KERNELS_FILE,
    KernelCase,
    difference,
    read_cases,
)
from benchmarks.sources import SourceToolchain, compile_sources
from lumc.benching import StageBench, bench_stage, bench_text
from lumc.cache_folder import cache_folder
from lumc.codegen.build import BuildResult, compile_units, write_stage
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import MathMode
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.diagnostics import LumcError
from lumc.dsl.spec import Spec
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.kernel_program import KernelProgram
from lumc.lowering.tuned import Pricer
from lumc.lowering.tuning_database import DATABASE_FILE, TuningDatabase
from lumc.measuring import Measurer
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.device import DeviceArgument, DeviceLaunch
from lumc.runtime.executor import Executor
from lumc.runtime.meetings import meeting_arguments
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.stage_times import MachineRates, measure_machine
from lumc.runtime.tensors import TensorArrays
from lumc.searching import tune_kernels

Array = npt.NDArray[Any]

SIZES = ("512x512", "704x864", "1200x800")
STAGES = (
    "text_encoder:512x512",
    *(f"transformer:{size}" for size in SIZES),
    *(f"vae_encoder:{size}" for size in SIZES),
    *(f"vae_decoder:{size}" for size in SIZES),
)


# ----------------------------------------------------------------------- where lumc is installed


def prepare(
    folder: Path, target: str, stages: Sequence[str], random_kernels: int, candidates: bool
) -> None:
    """Make everything that ``run`` and ``tune`` take."""
    if random_kernels:
        from benchmarks.make_kernel_cases import make_cases

        make_cases(target, folder, random_kernels)
        _prepare_golden(folder / "golden", target)
    for text in stages:
        stage, size = text.split(":")
        spec, place = _full_size(stage, size), folder / "full" / f"{stage}-{size}"
        _emit(spec, stage, target, place, True)
        if candidates:
            _write_candidates(spec, stage, target, folder / "candidates" / place.name)
        print(stage, size, flush=True)


def _prepare_golden(folder: Path, target: str) -> None:
    from lumc.dsl import load_spec

    for name, case in GOLDEN_STAGES.items():
        for dtype in TOLERANCES:
            settings = dict(case.settings) | {"dtype": dtype}
            spec = load_spec(ROOT / "specs" / "flux2_klein.lum", case.config, settings)
            for libraries in ("none", "vendor"):
                place = folder / f"{name}-{dtype}-{libraries}"
                _emit(spec, case.stage, target, place, libraries == "vendor")
    print(4 * len(GOLDEN_STAGES), "tiny stages", flush=True)


def _full_size(stage: str, size: str) -> Spec:
    """Klein 9B with one reference picture of the size of the picture that is made."""
    from lumc.dsl import load_spec

    width, height = size.split("x")
    settings = {"width": width, "height": height, "references": f"[[{width}, {height}]]"}
    return load_spec(ROOT / "specs" / "flux2_klein.lum", "klein_9b", settings)


def _write_candidates(spec: Spec, stage: str, target: str, place: Path) -> None:
    """The stage's kernels as the search left them: finding them takes more than is there later."""
    from lumc.dsl import elaborate
    from lumc.lowering import lower

    found = lower(elaborate(spec, stage), target, libraries=True).cut
    place.parent.mkdir(parents=True, exist_ok=True)
    with gzip.open(place, "wb") as file:
        pickle.dump(found, file)


def keep(out: Path) -> int:
    """Take measurements over into the database here; returns how many there are."""
    # Whoever writes to the database first makes its table.
    TuningDatabase.open("", "").record_as("", {})
    with (
        closing(sqlite3.connect(out / DATABASE_FILE)) as found,
        closing(sqlite3.connect(cache_folder() / DATABASE_FILE)) as here,
    ):
        columns = "signature, variant, chip, toolchain, seconds"
        rows = found.execute(f"select {columns} from measurements").fetchall()
        with here:
            here.executemany("insert or replace into measurements values (?,?,?,?,?)", rows)
    return len(rows)


def _emit(spec: Spec, stage: str, target: str, folder: Path, libraries: bool) -> None:
    from lumc.compiler import CompileOptions, Silent, compile_stage
    from lumc.explaining import EXPLANATION_FILE

    options, chain = CompileOptions(target, libraries=libraries), SourceToolchain()
    made = compile_stage(spec, stage, target_named(target), options, chain, open_cache(), Silent())
    # What was found and why stays here: it is large.
    files = {name: data for name, data in made.files.items() if name != EXPLANATION_FILE}
    write_stage(folder / stage, files)


# ----------------------------------------------------------------------------------- where a GPU is


def check_kernels(device: CudaDevice, place: Path) -> dict[str, Any]:
    """Run every kernel on poisoned outputs; report what differs from its NumPy meaning."""
    cases = read_cases(place)
    chain = choose_toolchain(device.target)
    start = time.perf_counter()
    units = {case.symbol: case.unit for case in cases if case.unit is not None}
    built = compile_units(units, chain, device.target, open_cache())
    seconds = time.perf_counter() - start
    wrong = {}
    for number, case in enumerate(cases):
        try:
            if reasons := _check(device, case, _loaded(device, case, built)):
                wrong[f"{number} {case.name}"] = reasons
        except LumcError as error:
            wrong[f"{number} {case.name}"] = [error.render()]
    return {
        "kernels": len(cases),
        "calls": sum(case.call is not None for case in cases),
        "compile_seconds": round(seconds, 1),
        "wrong": wrong,
    }


def _loaded(device: CudaDevice, case: KernelCase, built: BuildResult) -> Any:
    if case.call is not None:
        return device.load_call(case.call)
    code = built.objects[case.symbol]
    return device.load(code.code, code.assembly, case.symbol)


def _check(device: CudaDevice, case: KernelCase, kernel: Any) -> list[str]:
    addresses = []
    arguments = []
    for array, only in zip(case.before, case.reads_only, strict=True):
        address = device.allocate(max(array.nbytes, 1))
        device.write(address, array.view(np.uint8))
        addresses.append(address)
        arguments.append(DeviceArgument(address, 0, array.nbytes, not only, ""))
    meeting = meeting_arguments(device, case.meeting)
    launch = DeviceLaunch(kernel, case.grid, case.block, (*arguments, *meeting), case.name)
    recording = device.record([launch])
    for address, array in zip(addresses, case.before, strict=True):
        # Choosing how to do a library's call has run it.
        device.write(address, array.view(np.uint8))
    device.replay(recording)
    device.synchronise()
    device.forget(recording)
    reasons = []
    for position, (address, array) in enumerate(zip(addresses, case.before, strict=True)):
        if reason := difference(case, position, device.read(address, array.nbytes)):
            reasons.append(f"parameter {position} {reason}")
        device.free(address)
    if meeting and device.read(meeting[-1].address, meeting[-1].bytes).any():
        reasons.append("counters are not 0 when the launch ends")
    for argument in meeting:
        device.free(argument.address)
    return reasons


def check_golden(device: CudaDevice, folder: Path) -> dict[str, str]:
    """The relative error of each tiny stage, against what the model's implementation computes."""
    found = {}
    for place in sorted(folder.iterdir()):
        name, dtype, _ = place.name.rsplit("-", 2)
        case = GOLDEN_STAGES[name]
        weights, inputs, expected = case.tensors()
        try:
            with Executor(open_stage(place / case.stage), device) as executor:
                executor.load_weights(TensorArrays(weights))
                (got,) = executor.run(inputs).values()
        except LumcError as error:
            found[place.name] = f"FAILED: {error}"
            continue
        wanted = expected.astype(np.float64)
        distance = np.linalg.norm(got.astype(np.float64) - wanted) / np.linalg.norm(wanted)
        verdict = "ok" if distance <= TOLERANCES[dtype] else "WRONG"
        found[place.name] = f"{distance:.2e} {verdict}"
    return found


def time_stage(device: CudaDevice, place: Path, machine: MachineRates) -> StageBench:
    """Times of a full-size stage with random weights: a step, and each kernel on its own."""
    (folder,) = place.iterdir()
    return bench_stage(open_stage(folder), device, machine)


def tune(folder: Path, out: Path, only: Sequence[str], seconds: float) -> None:
    """Measure the candidates of each stage for so many seconds, and bring the times back.

    They are kept as those of the toolchain that stages are prepared with.
    """
    device = CudaDevice()
    target = target_named(device.target)
    chain, store = choose_toolchain(device.target), open_cache()
    tuning = TuningDatabase.open(device.target, SourceToolchain().identity)
    pricer = Pricer(with_library(chip_for(device.target)), tuning)
    measurer = Measurer(device, target, MathMode.FAST, chain, store)
    for place in sorted((folder / "candidates").iterdir()):
        if only and not any(wanted in place.name for wanted in only):
            continue
        with gzip.open(place, "rb") as file:
            program = pickle.load(file)
        start = time.monotonic()
        over = partial(_is_over, start + seconds)
        tune_kernels(program, pricer, tuning, measurer.seconds, over, set())
        before = sum(map(len, _measured(program, tuning)))
        print(f"{place.name}: {before} ways in {time.monotonic() - start:.1f} s", flush=True)
    device.close()
    _write(out, {}, [], [])


def _is_over(end: float) -> bool:
    return time.monotonic() > end


def _measured(program: KernelProgram, tuning: TuningDatabase) -> Iterator[dict[str, float]]:
    for kernel in program.kernels:
        yield tuning.measured(kernel)


def run(folder: Path, out: Path, only: Sequence[str]) -> bool:
    """Check and time what is in ``folder``; whether all went well.

    A part that fails is reported, and the others go on.
    """
    device = CudaDevice()
    start = time.perf_counter()
    count, chain = compile_sources(folder, device.target)
    seconds = round(time.perf_counter() - start, 1)
    print(f"{count} kernels compiled by {chain.version} in {seconds} s", flush=True)
    found: dict[str, Any] = {"target": device.target, "compile_seconds": seconds}
    texts: list[str] = []
    failures: list[str] = []
    for name, part in _parts(device, folder):
        if only and not any(wanted in name for wanted in only):
            continue
        start = time.perf_counter()
        try:
            result = part()
        except Exception:
            # A failure of one part is no reason to lose what the others measure.
            failures.append(f"{name}\n{traceback.format_exc()}")
            print(failures[-1], flush=True)
            continue
        found[name] = result.as_json() if isinstance(result, StageBench) else result
        texts.append(f"# {name}\n\n{_text(result)}")
        print(f"{name}: {time.perf_counter() - start:.1f} s\n{_short(result)}", flush=True)
        _write(out, found, texts, failures)
    device.close()
    _write(out, found, texts, failures)
    return not failures


def _parts(device: CudaDevice, folder: Path) -> Iterator[tuple[str, Callable[[], Any]]]:
    for file in (KERNELS_FILE, CALLS_FILE):
        if (folder / file).exists():
            yield file, lambda file=file: check_kernels(device, folder / file)  # type: ignore[misc]
    if (folder / "golden").exists():
        yield "golden", lambda: check_golden(device, folder / "golden")
    machine: list[MachineRates] = []

    def rates() -> MachineRates:
        if not machine:
            machine.append(measure_machine(device))
        return machine[0]

    for place in sorted((folder / "full").glob("*")):
        yield place.name, lambda place=place: time_stage(device, place, rates())  # type: ignore[misc]


def _text(result: Any) -> str:
    return bench_text(result) if isinstance(result, StageBench) else json.dumps(result, indent=1)


def _short(result: Any) -> str:
    """What the end of the output has room for."""
    return "\n".join(_text(result).split("\n")[:24])


def _write(out: Path, found: dict[str, Any], texts: list[str], failures: list[str]) -> None:
    out.mkdir(parents=True, exist_ok=True)
    (out / "h200.json").write_text(json.dumps(found, indent=1), encoding="utf-8")
    (out / "h200.txt").write_text("\n\n\n".join([*texts, *failures]) + "\n", encoding="utf-8")
    database = cache_folder() / DATABASE_FILE
    if database.exists():
        shutil.copy(database, out / DATABASE_FILE)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["prepare", "run", "tune", "keep"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--stages", nargs="*", default=STAGES, help="as in transformer:512x512")
    parser.add_argument("--random", type=int, default=80, help="random kernels; 0: no checks")
    parser.add_argument("--out", type=Path, default=Path("out"))
    parser.add_argument("--only", nargs="*", default=[], help="parts whose names have this in them")
    parser.add_argument("--candidates", action="store_true", help="also what tune takes")
    parser.add_argument("--seconds", type=float, default=60.0, help="of tuning, for each stage")
    chosen = parser.parse_args()
    match chosen.what:
        case "prepare":
            prepare(chosen.folder, chosen.target, chosen.stages, chosen.random, chosen.candidates)
        case "keep":
            print(keep(chosen.folder), "measurements")
        case "tune":
            tune(chosen.folder, chosen.out, chosen.only, chosen.seconds)
        case _:
            if not run(chosen.folder, chosen.out, chosen.only):
                raise SystemExit(1)


if __name__ == "__main__":
    main()
