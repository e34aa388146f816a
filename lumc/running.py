"""``lumc run``: one stage on one device, tensors from and to safetensors files."""

from __future__ import annotations

import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanBufferKind
from lumc.compiler import CompileOptions, compile_spec, load
from lumc.console import PhaseProgress
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl.elaborate import elaborate
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from lumc.runtime.devices.device import Device
from lumc.runtime.devices.open_device import REFERENCE, open_device
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import CompiledStage, choose_stage, wanted_tensors
from lumc.runtime.tensors import (
    Fit,
    TensorArrays,
    TensorFiles,
    TensorSource,
    WantedTensor,
    match_tensors,
    read_as,
    write_tensors,
)

Array = npt.NDArray[np.generic]
_NAMED = 3


@dataclass(frozen=True, slots=True)
class RunRequest:
    """What the user asked for, as given."""

    place: Path
    stage: str | None
    config: str | None
    settings: Mapping[str, str]
    target: str
    math: str
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
    weights = TensorFiles(request.weights)
    inputs = TensorFiles([request.inputs] if request.inputs else [])
    if request.device == REFERENCE:
        return _run_reference(request, weights, inputs, progress)
    if request.place.is_dir():
        return _run_compiled(
            request, choose_stage(request.place, request.stage), weights, inputs, progress
        )
    with tempfile.TemporaryDirectory(prefix="lumc-run-") as folder:
        stages = (request.stage,) if request.stage else ()
        options = CompileOptions(request.target, request.math)
        output = Path(folder)
        compile_spec(
            request.place, request.config, request.settings, stages, options, output, progress
        )
        return _run_compiled(request, choose_stage(output, request.stage), weights, inputs, progress)


def _run_compiled(
    request: RunRequest,
    stage: CompiledStage,
    weights: TensorSource,
    inputs: TensorSource,
    progress: PhaseProgress,
) -> RunReport:
    device = open_device(request.device, stage.plan.target)
    try:
        return _run_on(device, request, stage, weights, inputs, progress)
    finally:
        device.close()


def _run_on(
    device: Device,
    request: RunRequest,
    stage: CompiledStage,
    weights: TensorSource,
    inputs: TensorSource,
    progress: PhaseProgress,
) -> RunReport:
    seconds: dict[str, float] = {}
    with Executor(stage, device) as executor:
        progress.phase(f"{stage.plan.stage}: loading weights on {device.name}")
        with _timed(seconds, "load"):
            fit = executor.load_weights(weights)
        wanted = wanted_tensors(stage.plan, PlanBufferKind.INPUT)
        given = _read_all(wanted, inputs, "input")
        progress.phase(f"{stage.plan.stage}: running on {device.name}")
        with _timed(seconds, "run"):
            outputs = executor.run(given)
    return _finish(request, stage.plan.stage, device.name, outputs, _remarks(fit), seconds)


def _run_reference(
    request: RunRequest, weights: TensorSource, inputs: TensorSource, progress: PhaseProgress
) -> RunReport:
    if request.place.is_dir():
        message = "the reference runs a spec, not a compiled stage"
        hint = "give the spec, with the same --config and --set"
        raise LumcError(Diagnostic("D023", message, hint=hint))
    spec = load(request.place, request.config, request.settings)
    program = elaborate(spec, _only_stage(spec, request.stage))
    seconds: dict[str, float] = {}
    wanted = _nodes(program, program.weights)
    fit = match_tensors(wanted, weights, "weight")
    progress.phase(f"{program.name}: running on the reference")
    with _timed(seconds, "run"):
        outputs = evaluate(
            program,
            _read_all(_nodes(program, program.inputs), inputs, "input"),
            {tensor.name: read_as(tensor, weights) for tensor in wanted},
            "exact" if request.math == "exact" else "fast",
        )
    return _finish(request, program.name, REFERENCE, outputs, _remarks(fit), seconds)


def _nodes(program: TensorProgram, numbers: tuple[int, ...]) -> tuple[WantedTensor, ...]:
    nodes = [program.nodes[number] for number in numbers]
    return tuple(
        WantedTensor(node.name, node.space, node.dtype)
        for node in nodes
        if isinstance(node, Input | Weight)
    )


def _read_all(
    wanted: tuple[WantedTensor, ...], source: TensorSource, kind: str
) -> dict[str, Array]:
    match_tensors(wanted, source, kind)
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
