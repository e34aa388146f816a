"""``lumc run``: one stage on one device, tensors from and to safetensors files."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from contextlib import closing
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanBufferKind
from lumc.compiler import Stopwatch, choose_stages, compile_stages
from lumc.console import PhaseProgress
from lumc.device_options import open_for, reference_math
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl import Spec, elaborate, load_spec
from lumc.dsl.reference import evaluate
from lumc.runtime.devices.device import Device
from lumc.runtime.devices.open_device import REFERENCE, open_device
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import CompiledStage, choose_stage, wanted_tensors
from lumc.runtime.stage_host import nodes_as_tensors
from lumc.runtime.tensors import (
    Fit,
    TensorFiles,
    TensorSource,
    WantedTensor,
    match_tensors,
    read_as,
    write_tensors,
)
from lumc.stage_files import read_spec_file

Array = npt.NDArray[np.generic]
_NAMED = 3


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What the user asked for, as given."""

    place: Path
    stage: str | None
    config: str | None
    settings: Mapping[str, str]
    target: str | None
    math: str
    libraries: str
    weights: tuple[Path, ...]
    inputs: Path | None
    output: Path
    device: str


@dataclass(frozen=True, slots=True)
class RunReport:
    """What was run; ``outputs`` describes each output in words."""

    stage: str
    device: str
    outputs: Mapping[str, str]
    warnings: tuple[str, ...]
    seconds: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "stage": self.stage,
            "device": self.device,
            "outputs": dict(self.outputs),
            "warnings": list(self.warnings),
            "seconds": dict(self.seconds),
        }


def run_stage(request: RunRequest, progress: PhaseProgress) -> RunReport:
    """Run a compiled stage, or a spec's, and write its outputs.

    Raises:
        LumcError: whatever is wrong, in the user's words.
    """
    if request.place.is_dir() and (request.config or request.settings):
        message = f"{request.place} is compiled already: --config and --set have no effect on it"
        hint = "compile it anew with them, or run the spec itself"
        raise LumcError(Diagnostic("C015", message, hint=hint))
    _keep_what_is_read(request)
    weights = TensorFiles(request.weights)
    inputs = TensorFiles([request.inputs] if request.inputs else [])
    if request.device == REFERENCE:
        return _run_reference(request, weights, inputs, progress)
    if request.place.is_dir():
        stage = choose_stage(request.place, request.stage)
        _require_compiled_for(request, stage)
        with closing(open_device(request.device, stage.plan.target)) as device:
            return _run_on(device, request, stage, weights, inputs, progress)
    spec = load_spec(request.place, request.config, request.settings)
    name = only_stage(spec, request.stage)
    device, options = open_for(request.device, request.target, request.math, request.libraries)
    with closing(device), tempfile.TemporaryDirectory(prefix="lumc-run-") as folder:
        compile_stages(spec, [name], options, Path(folder), progress)
        stage = choose_stage(Path(folder), name)
        return _run_on(device, request, stage, weights, inputs, progress)


def _keep_what_is_read(request: RunRequest) -> None:
    """Outputs must not be written over weights or inputs."""
    read = [*request.weights, *([request.inputs] if request.inputs else [])]
    files = [file for place in read for file in (place.glob("*") if place.is_dir() else [place])]
    if request.output.exists() and any(
        file.exists() and file.samefile(request.output) for file in files
    ):
        message = f"{request.output} has weights or inputs: outputs are not written over them"
        raise LumcError(Diagnostic("C026", message, hint="name another file with -o"))


def _require_compiled_for(request: RunRequest, stage: CompiledStage) -> None:
    if request.target in (None, stage.plan.target):
        return
    message = f"{request.place} is compiled for {stage.plan.target}, not for {request.target}"
    hint = "compile it anew, or leave --target out"
    raise LumcError(Diagnostic("C015", message, hint=hint))


def _run_on(
    device: Device,
    request: RunRequest,
    stage: CompiledStage,
    weights: TensorSource,
    inputs: TensorSource,
    progress: PhaseProgress,
) -> RunReport:
    watch = Stopwatch()
    _match(wanted_tensors(stage.plan, PlanBufferKind.WEIGHT), weights, "weight")
    given = _read_all(wanted_tensors(stage.plan, PlanBufferKind.INPUT), inputs, "input")
    with Executor(stage, device) as executor:
        progress.phase(f"{stage.plan.stage}: loading weights on {device.name}")
        with watch.phase("load"):
            fit = executor.load_weights(weights)
        progress.phase(f"{stage.plan.stage}: running on {device.name}")
        with watch.phase("run"):
            outputs = executor.run(given)
    return _finish(request, stage.plan.stage, device.name, outputs, fit, watch)


def _run_reference(
    request: RunRequest, weights: TensorSource, inputs: TensorSource, progress: PhaseProgress
) -> RunReport:
    math = reference_math(request.target, request.math, request.libraries)
    if request.place.is_dir():
        spec, name = read_spec_file(choose_stage(request.place, request.stage).folder)
    else:
        spec = load_spec(request.place, request.config, request.settings)
        name = only_stage(spec, request.stage)
    program = elaborate(spec, name)
    watch = Stopwatch()
    wanted = nodes_as_tensors(program, program.weights)
    fit = _match(wanted, weights, "weight")
    progress.phase(f"{program.name}: running on the reference")
    with watch.phase("run"):
        outputs = evaluate(
            program,
            _read_all(nodes_as_tensors(program, program.inputs), inputs, "input"),
            {tensor.name: read_as(tensor, weights) for tensor in wanted},
            math,
        )
    return _finish(request, program.name, REFERENCE, outputs, fit, watch)


def only_stage(spec: Spec, name: str | None) -> str:
    """The stage called ``name``, or the only one.

    Raises:
        LumcError: there is none of that name, or several and no name was given.
    """
    stages = choose_stages(spec, [name] if name else [])
    if len(stages) != 1:
        message = f"the spec has several stages: {', '.join(stages)}"
        raise LumcError(Diagnostic("C011", message, hint="name one with --stage"))
    return stages[0]


def _finish(
    request: RunRequest,
    stage: str,
    device: str,
    outputs: Mapping[str, Array],
    fit: Fit,
    watch: Stopwatch,
) -> RunReport:
    write_tensors(request.output, outputs)
    described = {name: _description(array) for name, array in outputs.items()}
    return RunReport(stage, device, described, _remarks(fit), watch.seconds)


def _description(array: Array) -> str:
    shape = "×".join(map(str, array.shape)) or "1"
    values = array.astype(np.float64)
    bad = int(np.count_nonzero(~np.isfinite(values)))
    size = f"{shape} {array.dtype}"
    if bad:
        return f"{size}, {bad} of {values.size} are not finite"
    return f"{size}, from {values.min():.4g} to {values.max():.4g}" if values.size else size


def _match(wanted: tuple[WantedTensor, ...], source: TensorSource, kind: str) -> Fit:
    """As ``match_tensors``; where no files were given, with the option that gives some."""
    cure = None if source.tensors() else f"--{kind}s FILE.safetensors gives {kind}s"
    return match_tensors(wanted, source, kind, cure)


def _read_all(
    wanted: tuple[WantedTensor, ...], source: TensorSource, kind: str
) -> dict[str, Array]:
    _match(wanted, source, kind)
    return {tensor.name: read_as(tensor, source) for tensor in wanted}


def _remarks(fit: Fit) -> tuple[str, ...]:
    remarks = []
    if fit.converted:
        remarks.append(f"{_count(fit.converted)} rounded to the type the program stores")
    if fit.unused:
        remarks.append(f"{_count(fit.unused)} in the files but not used")
    return tuple(remarks)


def _count(names: tuple[str, ...]) -> str:
    shown = ", ".join(names[:_NAMED]) + (", …" if len(names) > _NAMED else "")
    return f"1 weight ({shown}) is" if len(names) == 1 else f"{len(names)} weights ({shown}) are"
