"""Checks and times compiled programs on a machine with an NVIDIA GPU.

``prepare`` runs where all of lumc is installed and writes a folder; ``run`` needs that folder,
lumc's runtime, cuda-python and nvcc, and prints what it found, also as JSON.

    python -m benchmarks.h200 prepare FOLDER [--full CONFIG ...]
    python -m benchmarks.h200 run FOLDER [--json FILE]
"""

from __future__ import annotations

import argparse
import json
import statistics
import time
from collections import defaultdict
from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.golden_stages import GOLDEN_STAGES, ROOT, TOLERANCES
from benchmarks.kernel_cases import KernelCase, difference, read_cases
from benchmarks.sources import SourceToolchain, compile_sources
from lumc.codegen.build import BuildResult, compile_units, write_stage
from lumc.codegen.cache import open_cache
from lumc.codegen.launch_plan import PlanBufferKind
from lumc.codegen.toolchains import choose_toolchain
from lumc.diagnostics import LumcError
from lumc.dsl.spec import Spec
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.devices.device import DeviceArgument, DeviceLaunch
from lumc.runtime.executor import Executor
from lumc.runtime.random_tensors import RandomTensors
from lumc.runtime.stage_folder import CompiledStage, open_stage, wanted_tensors
from lumc.runtime.tensors import TensorArrays

Array = npt.NDArray[Any]
_COPY_BYTES = 2 << 30
_REPEATS = 10


def prepare(folder: Path, target: str, full: list[str], random_kernels: int) -> None:
    """Make everything that ``run`` takes."""
    from benchmarks.make_kernel_cases import make_cases
    from lumc.dsl import load_spec

    spec_file = ROOT / "specs" / "flux2_klein.lum"
    if random_kernels:
        make_cases(target, folder / "kernels.gz", random_kernels)
        for name, case in GOLDEN_STAGES.items():
            for dtype in TOLERANCES:
                settings = dict(case.settings) | {"dtype": dtype}
                spec = load_spec(spec_file, case.config, settings)
                for libraries in ("none", "vendor"):
                    place = folder / "golden" / f"{name}-{dtype}-{libraries}"
                    _emit(spec, case.stage, target, place, libraries == "vendor")
        print(4 * len(GOLDEN_STAGES), "tiny stages")
    for text in full:
        stage, width, height, libraries = text.split(":")
        spec = load_spec(spec_file, "klein_9b", {"width": width, "height": height})
        place = folder / "full" / f"{width}x{height}-{libraries}"
        _emit(spec, stage, target, place, libraries == "vendor")
        print(stage, width, height, libraries)


def _emit(spec: Spec, stage: str, target: str, folder: Path, libraries: bool) -> None:
    from lumc.codegen.target import target_named
    from lumc.compiler import CompileOptions, Silent, compile_stage

    options, chain = CompileOptions(target, libraries=libraries), SourceToolchain()
    made = compile_stage(spec, stage, target_named(target), options, chain, open_cache(), Silent())
    write_stage(folder / stage, made.files)


def check_kernels(device: CudaDevice, place: Path) -> dict[str, Any]:
    """Run every kernel on poisoned outputs; report what differs from its NumPy meaning."""
    cases = read_cases(place)
    assert device.target is not None
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
    launch = DeviceLaunch(kernel, case.grid, case.block, tuple(arguments), case.name)
    device.replay(device.record([launch]))
    device.synchronise()
    reasons = []
    for position, (address, array) in enumerate(zip(addresses, case.before, strict=True)):
        if reason := difference(case, position, device.read(address, array.nbytes)):
            reasons.append(f"parameter {position} {reason}")
        device.free(address)
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
        error = np.linalg.norm(got.astype(np.float64) - wanted) / np.linalg.norm(wanted)
        verdict = "ok" if error <= TOLERANCES[dtype] else "WRONG"
        found[place.name] = f"{error:.2e} {verdict}"
    return found


def copy_bandwidth(device: CudaDevice) -> float:
    """GB/s of a large copy on the device, bytes read and written counted."""
    import torch

    source = torch.empty(_COPY_BYTES, dtype=torch.uint8, device="cuda").random_()
    target = torch.empty_like(source)
    times = []
    for _ in range(_REPEATS):
        start, stop = (torch.cuda.Event(enable_timing=True) for _ in range(2))
        start.record()
        target.copy_(source)
        stop.record()
        stop.synchronize()
        times.append(start.elapsed_time(stop))
    del source, target
    torch.cuda.empty_cache()
    return 2 * _COPY_BYTES / statistics.median(times) / 1e6


def time_stage(device: CudaDevice, place: Path) -> dict[str, Any]:
    """Times of a full-size stage with random weights: a step, and each kernel on its own."""
    stage = open_stage(place)
    start = time.perf_counter()
    with Executor(stage, device) as executor:
        wanted = wanted_tensors(stage.plan, PlanBufferKind.WEIGHT)
        executor.load_weights(RandomTensors(wanted, scale=0.02))
        seconds = time.perf_counter() - start
        inputs = RandomTensors(wanted_tensors(stage.plan, PlanBufferKind.INPUT), scale=1.0)
        outputs = executor.run({name: inputs.read(name) for name in inputs.tensors()})
        sizes = {name: float(np.abs(x.astype(np.float32)).mean()) for name, x in outputs.items()}
        times = sorted(executor.step_milliseconds() for _ in range(_REPEATS + 2))
        return {
            "step_ms": round(statistics.median(times), 3),
            "fastest_ms": round(times[0], 3),
            "launches": len(stage.plan.launches),
            "load_seconds": round(seconds, 1),
            "weight_gb": round(sum(b.bytes for b in _weights(stage)) / 1e9, 2),
            "mean_size_of_outputs": sizes,
            "kernels": _kernel_times(executor, device, stage),
        }


def _weights(stage: CompiledStage) -> list[Any]:
    return [b for b in stage.plan.buffers if b.kind is PlanBufferKind.WEIGHT]


def _kernel_times(executor: Executor, device: CudaDevice, stage: CompiledStage) -> list[Any]:
    """Each kernel of the plan: what it is, launches a step, and milliseconds of all of them.

    All launches of a kernel run one after the other, so each finds its own weights.
    """
    launches = defaultdict(list)
    for launch in stage.plan.launches:
        launches[launch.kernel].append(launch)
    rows = []
    for number, found in launches.items():
        recording = executor._record(tuple(found))
        times = [device.elapsed_milliseconds(recording) for _ in range(4)]
        kernel = stage.plan.kernels[number]
        rows.append((kernel.kind, kernel.symbol, len(found), round(min(times[1:]), 4)))
    return sorted(rows, key=lambda row: -row[3])


def run(folder: Path) -> dict[str, Any]:
    """Check and time everything in ``folder``; parts that are not there are left out."""
    device = CudaDevice()
    found: dict[str, Any] = {"device": device.name, "target": device.target}
    start = time.perf_counter()
    count, chain = compile_sources(folder, device.target)
    print(f"{count} kernels compiled by {chain.version} in {time.perf_counter() - start:.1f} s")
    if (folder / "kernels.gz").exists():
        found["kernels"] = check_kernels(device, folder / "kernels.gz")
        _show("kernels", found["kernels"])
    if (folder / "golden").exists():
        found["golden"] = check_golden(device, folder / "golden")
        _show("golden", found["golden"])
    found["copy_gb_s"] = round(copy_bandwidth(device), 1)
    _show("copy_gb_s", found["copy_gb_s"])
    if (folder / "full").exists():
        for place in sorted((folder / "full").glob("*/*")):
            name = f"{place.name} {place.parent.name}"
            found[name] = time_stage(device, place)
            _show_stage(name, found[name])
    device.close()
    return found


def _show(name: str, value: Any) -> None:
    text = json.dumps(value, indent=1) if isinstance(value, dict) else value
    print(f"{name}: {text}", flush=True)


def _show_stage(name: str, found: Mapping[str, Any]) -> None:
    print(name, {key: value for key, value in found.items() if key != "kernels"})
    by_kind: dict[str, float] = defaultdict(float)
    for kind, symbol, count, milliseconds in found["kernels"]:
        by_kind[kind] += milliseconds
        print(f"  {milliseconds:9.3f} ms  {count:4} × {kind:10} {symbol}")
    print("  by kind:", {kind: round(total, 3) for kind, total in by_kind.items()}, flush=True)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["prepare", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--target", default="sm_90")
    parser.add_argument("--full", nargs="*", default=[], help="as in transformer:512:512:vendor")
    parser.add_argument("--random", type=int, default=80, help="random kernels; 0: no checks")
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    if chosen.what == "prepare":
        prepare(chosen.folder, chosen.target, chosen.full, chosen.random)
        return
    found = run(chosen.folder)
    if chosen.json:
        chosen.json.write_text(json.dumps(found, indent=1), encoding="utf-8")


if __name__ == "__main__":
    main()
