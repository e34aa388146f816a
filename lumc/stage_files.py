"""What a compile leaves in a stage's folder: each file from what was made, and the spec back."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lumc.codegen.assemble_plan import SOURCE_FILE, TABLES_FILE, code_object_path
from lumc.codegen.build import PLAN_FILE, WORK_FILE
from lumc.codegen.emit import EmittedProgram
from lumc.codegen.launch_plan import LaunchPlan
from lumc.codegen.plan_json import to_json
from lumc.codegen.sound_tiles import PutAside
from lumc.codegen.target import Target
from lumc.codegen.toolchains import CompiledObject
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl import Spec, load_text
from lumc.explaining import EXPLANATION_FILE, explanation_content
from lumc.inspection import SUMMARY_FILE
from lumc.lowering import Lowered
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.kernel_program import KernelProgram, Provenance
from lumc.lowering.necessary_work import necessary_work, peak_operations
from lumc.report import KernelHistory, report, summary
from lumc.runtime.tensors import tensors_as_bytes

REPORT_FILE = "report.md"
SPEC_FILE = "spec.json"
"""The texts and parameters that a stage was compiled from, for the reference to run."""


@dataclass(frozen=True, slots=True)
class MadeKernels:
    """A program's kernels, as descriptors, as text and as code objects, and the launch plan."""

    lowered: Lowered
    emitted: EmittedProgram
    costs: tuple[float, ...]
    """Microseconds a launch, by kernel of the lowered program."""
    plan: LaunchPlan
    objects: Mapping[str, CompiledObject]
    put_aside: tuple[PutAside, ...] = ()
    """Tiles that were compiled and not taken."""


def stage_files(made: MadeKernels, target: Target, libraries: bool) -> dict[str, bytes]:
    """What was made as the files of a stage's folder, by relative path.

    ``libraries``: the vendor's were allowed. The text that it was compiled from is `spec_file`'s.
    """
    content = summary(made.plan, made.lowered.rules, made.lowered.predicted_ms)
    content["libraries"] = "vendor" if libraries else "none"
    symbols = [kernel.symbol for kernel in made.emitted.kernels]
    explanation = explanation_content(made.lowered.program.name, made.lowered, symbols)
    return {
        PLAN_FILE: to_json(made.plan).encode(),
        EXPLANATION_FILE: (json.dumps(explanation, indent=1) + "\n").encode(),
        SUMMARY_FILE: (json.dumps(content, indent=1) + "\n").encode(),
        WORK_FILE: (json.dumps(_work(made, target), indent=1) + "\n").encode(),
        REPORT_FILE: report(
            made.plan, content, explanation["rules"], _histories(made), made.put_aside
        ).encode(),
        **_source_files(made.emitted),
        **_table_files(made.lowered.program),
        **_object_files(made.objects),
    }


def _work(made: MadeKernels, target: Target) -> dict[str, Any]:
    """By kernel of the plan: what it has to do at least, and what the cost model expects."""
    chip = with_library(chip_for(target.name))
    found = {}
    for number, kernel in enumerate(made.lowered.program.kernels):
        work = necessary_work(kernel)
        peak = peak_operations(chip, work.operand_dtype) if work.operand_dtype else 1.0
        found[made.emitted.kernels[number].symbol] = {
            "bytes": work.bytes,
            "operations": work.operations,
            "operand_dtype": work.operand_dtype,
            "roofline_us": work.seconds(chip.bandwidth, peak) * 1e6,
            "model_us": made.costs[number],
        }
    return {"bandwidth": chip.bandwidth, "kernels": found}


def spec_file(spec: Spec, stage: str) -> bytes:
    """The content of ``SPEC_FILE``: all that ``read_spec_file`` needs."""
    content = {
        "name": spec.name,
        "stage": stage,
        "parameters": dict(spec.parameters),
        "files": {Path(source.name).stem: source.text for source in spec.sources},
    }
    return (json.dumps(content, indent=1) + "\n").encode()


def read_spec_file(folder: Path) -> tuple[Spec, str]:
    """The spec that the stage in ``folder`` was compiled from, and the stage's name in it.

    Raises:
        LumcError: the file is not there or damaged.
    """
    place = folder / SPEC_FILE
    try:
        content = json.loads(place.read_bytes())
        name, stage, files = content["name"], content["stage"], content["files"]
        if not isinstance(stage, str):
            raise ValueError("it names no stage")
        return load_text(name, files[name], None, content["parameters"], files=files), stage
    except (OSError, ValueError, KeyError, TypeError, AttributeError) as error:
        message = f"{place} can't be read: {error}"
        hint = "compile the stage again with lumc compile"
        raise LumcError(Diagnostic("P005", message, hint=hint)) from None


def _source_files(emitted: EmittedProgram) -> dict[str, bytes]:
    headers = {
        f"include/{name}": text.encode()
        for kernel in emitted.generated
        for name, text in kernel.unit.headers.items()
    }
    return {SOURCE_FILE: emitted.text.encode(), **headers}


def _table_files(program: KernelProgram) -> dict[str, bytes]:
    tables = {program.buffers[table.buffer].name: table.values for table in program.tables}
    return {TABLES_FILE: tensors_as_bytes(tables)} if tables else {}


def _object_files(objects: Mapping[str, CompiledObject]) -> dict[str, bytes]:
    files: dict[str, bytes] = {}
    for symbol, made in objects.items():
        place = code_object_path(symbol)
        files[place] = made.code
        files[place.removesuffix(".co") + ".s"] = made.assembly.encode()
    return files


def _histories(made: MadeKernels) -> dict[str, KernelHistory]:
    """What is known of each kernel of the plan, by symbol."""
    program, kernels = made.lowered.program, made.emitted.kernels
    found: dict[str, list[Provenance]] = {}
    costs: dict[str, float] = {}
    for number, (kernel, emitted) in enumerate(zip(program.kernels, kernels, strict=True)):
        found.setdefault(emitted.symbol, []).append(kernel.provenance)
        costs[emitted.symbol] = made.costs[number]
    for launch in (*program.prepare, *program.launches):
        found[kernels[launch.kernel].symbol].append(launch.provenance)
    return {symbol: _history(found[symbol], costs[symbol]) for symbol in found}


def _history(provenance: Sequence[Provenance], microseconds: float) -> KernelHistory:
    places = (span.short for one in provenance for span in one.spans)
    rules = (rule for one in provenance for rule in one.rules)
    return KernelHistory(tuple(dict.fromkeys(places)), tuple(dict.fromkeys(rules)), microseconds)
