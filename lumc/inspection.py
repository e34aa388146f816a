"""What a compiled stage's folder holds, as text for the reader."""

from __future__ import annotations

import json
import re
import shutil
import subprocess
from collections.abc import Iterable, Sequence
from typing import Any

from lumc.codegen.assemble_plan import SOURCE_FILE
from lumc.codegen.isa_report import isa_report, report_lines
from lumc.codegen.launch_plan import LaunchPlan, PlanBuffer, PlanBufferKind, PlanKernel, PlanLaunch
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl import Spec, elaborate
from lumc.lowering.graph_view import draw
from lumc.runtime.stage_folder import CompiledStage

SUMMARY_FILE = "summary.json"


class InspectionError(LumcError):
    """There is nothing of the kind, or of the name, that was asked for."""


def source(stage: CompiledStage, kernel: str | None) -> str:
    """The HIP C++ of the stage, or of one kernel with the comment before it."""
    text = _text(stage, SOURCE_FILE)
    if kernel is None:
        return text
    symbol = find_kernel(stage.plan, kernel).symbol
    # In the program's text each kernel begins with its comment, after a blank line.
    parts = re.split(r"\n\n(?=// )", text)
    return "\n\n".join(part for part in parts if re.search(rf"\b{re.escape(symbol)}\(", part))


def graph(plan: LaunchPlan) -> str:
    """Each launch in order: its kernel, grid, and the buffers it reads and writes."""
    rows: list[Sequence[str]] = [
        ("", "kernel", "kind", "workgroups", "reads", "writes", "computes")
    ]
    for prefix, launches in (("p", plan.prepare), ("", plan.launches)):
        rows += [
            _launch_row(f"{prefix}{number}", launch, plan) for number, launch in enumerate(launches)
        ]
    return table(rows)


def memory(plan: LaunchPlan) -> str:
    """Each region with its size and its buffers by offset, with what first and last uses them."""
    lifetimes = _lifetimes(plan)
    lines = []
    for region, size in plan.region_bytes:
        numbers = [n for n, buffer in enumerate(plan.buffers) if buffer.region is region]
        lines.append(f"{region}: {size:,} bytes, {len(numbers)} buffers")
        rows: list[Sequence[str]] = [("offset", "bytes", "type", "shape", "steps", "name")]
        for number in sorted(numbers, key=lambda n: (plan.buffers[n].offset, n)):
            rows.append(_buffer_row(plan.buffers[number], lifetimes.get(number)))
        lines += ["  " + line for line in table(rows).split("\n")] if numbers else []
        lines.append("")
    return "\n".join(lines).rstrip()


def rules(stage: CompiledStage) -> str:
    """The rewrite rules that fired, and how often."""
    fired = read_summary(stage).get("rules")
    if not isinstance(fired, dict) or not all(isinstance(n, int) for n in fired.values()):
        raise _damaged(stage, SUMMARY_FILE, "it does not count rules")
    rows = [("fired", "rule")]
    rows += [
        (str(count), name) for name, count in sorted(fired.items(), key=lambda x: (-x[1], x[0]))
    ]
    return table(rows)


def isa(stage: CompiledStage, kernel: str | None) -> str:
    """A kernel's assembly text, with a report of it as comments in front where it is AMD's.

    Without a name, what each kernel takes of the machine.
    """
    if kernel is not None:
        found = find_kernel(stage.plan, kernel)
        _, assembly = stage.code(found)
        return _isa_comments(assembly, found.symbol, stage.plan.target) + assembly
    rows: list[Sequence[str]] = [
        ("kernel", "threads", "VGPRs", "AGPRs", "SGPRs", "LDS", "scratch", "instructions")
    ]
    for each in stage.plan.kernels:
        if not isinstance(each, PlanKernel):
            continue
        _, assembly = stage.code(each)
        resources = [_resource(assembly, name) for name in _RESOURCES]
        count = sum(1 for line in assembly.split("\n") if _INSTRUCTION.match(line))
        threads = str(each.block[0] * each.block[1] * each.block[2])
        rows.append((each.symbol, threads, *resources, str(count)))
    return table(rows)


def egraph(spec: Spec, stage: str, around: str | None, most: int) -> str:
    """Dot text of the saturated e-graph around the value that the author calls ``around``.

    Raises:
        InspectionError: no value is called so.
    """
    drawing = draw(elaborate(spec, stage), around, most)
    if not drawing.shown:
        message = f"stage {stage} computes nothing called {around}"
        hint = did_you_mean(around or "", drawing.labels) or "names are those in the spec's text"
        raise InspectionError(Diagnostic("I005", message, hint=hint))
    what = f"around {around}" if around is not None else "from the outputs on"
    head = f"// {stage}, {what}: {drawing.shown} of {drawing.classes} classes\n"
    return head.replace("\r", " ") + drawing.dot


def as_svg(dot: str) -> str:
    """``dot`` drawn by Graphviz.

    Raises:
        InspectionError: Graphviz is not installed, or fails.
    """
    program = shutil.which("dot")
    if program is None:
        message = "drawing needs Graphviz: there is no program dot"
        hint = "install Graphviz, or leave out --svg for the text that it draws from"
        raise InspectionError(Diagnostic("I006", message, hint=hint))
    made = subprocess.run([program, "-Tsvg"], input=dot, capture_output=True, text=True)
    if made.returncode:
        message = f"dot failed: {made.stderr.strip() or made.returncode}"
        raise InspectionError(Diagnostic("I007", message))
    return made.stdout


def read_summary(stage: CompiledStage) -> dict[str, Any]:
    """What ``compile --json`` says of the stage, without times.

    Raises:
        InspectionError: the file is not there or damaged.
    """
    try:
        content = json.loads(_text(stage, SUMMARY_FILE))
    except ValueError as error:
        raise _damaged(stage, SUMMARY_FILE, str(error)) from None
    if not isinstance(content, dict):
        raise _damaged(stage, SUMMARY_FILE, "it is no JSON object")
    return content


def find_kernel(plan: LaunchPlan, name: str) -> PlanKernel:
    """The kernel of that symbol, or the only one whose symbol begins with it.

    Raises:
        InspectionError: none or several match.
    """
    symbols = [kernel.symbol for kernel in plan.kernels]
    matching = [symbol for symbol in symbols if symbol == name] or [
        symbol for symbol in symbols if symbol.startswith(name)
    ]
    if len(matching) == 1:
        found = plan.kernels[symbols.index(matching[0])]
        if isinstance(found, PlanKernel):
            return found
        message = f"{found.symbol} is done by the vendor's library: there is no code of it"
        raise InspectionError(Diagnostic("I004", message))
    if matching:
        message = f"several kernels of stage {plan.stage} begin with {name}"
        raise InspectionError(Diagnostic("I002", message, notes=tuple(matching)))
    message = f"stage {plan.stage} has no kernel {name}"
    hint = did_you_mean(name, symbols) or "lumc inspect graph lists its kernels"
    raise InspectionError(Diagnostic("I001", message, hint=hint))


def table(rows: Iterable[Sequence[str]]) -> str:
    """Rows as aligned columns; what looks like a number is aligned to the right."""
    listed = [list(row) for row in rows]
    widths = [max(len(row[column]) for row in listed) for column in range(len(listed[0]))]
    body = listed[1:]
    numeric = [all(_NUMBER.fullmatch(row[c]) for row in body if row[c]) for c in range(len(widths))]
    lines = []
    for row in listed:
        cells = [
            cell.rjust(width) if right else cell.ljust(width)
            for cell, width, right in zip(row, widths, numeric, strict=True)
        ]
        lines.append("  ".join(cells).rstrip())
    return "\n".join(lines)


def plain(value: float) -> str:
    """A time for the reader: three digits, or as many as stand before the point."""
    return f"{value:,.0f}" if value >= 100 else f"{value:.3g}"


_NUMBER = re.compile(r"p?[\d,.]+")
_INSTRUCTION = re.compile(r"\t[a-z]\w+(\s|$)")
_RESOURCES = (
    ".vgpr_count:",
    ".agpr_count:",
    ".sgpr_count:",
    ".group_segment_fixed_size:",
    ".private_segment_fixed_size:",
)


def _isa_comments(assembly: str, symbol: str, target: str) -> str:
    if not target.startswith("gfx"):
        return ""
    lines = report_lines(isa_report(assembly, symbol, target))
    return "".join(f"; {line}\n" for line in lines)


def _resource(assembly: str, name: str) -> str:
    found = re.search(rf"{re.escape(name)}\s+(\d+)", assembly)
    return found.group(1) if found else ""


def _launch_row(number: str, launch: PlanLaunch, plan: LaunchPlan) -> tuple[str, ...]:
    kernel = plan.kernels[launch.kernel]
    reads = [plan.buffers[a.buffer].name for a in launch.arguments if not a.writes]
    writes = [plan.buffers[a.buffer].name for a in launch.arguments if a.writes]
    grid = "×".join(map(str, launch.grid))
    return (
        number,
        kernel.symbol,
        kernel.kind,
        grid,
        ", ".join(dict.fromkeys(reads)),
        ", ".join(dict.fromkeys(writes)),
        launch.label,
    )


def _buffer_row(buffer: PlanBuffer, lifetime: tuple[int, int] | None) -> tuple[str, ...]:
    shape = "×".join(map(str, buffer.shape)) or "1"
    kept = buffer.kind is not PlanBufferKind.INTERMEDIATE or lifetime is None
    steps = str(buffer.kind) if kept or lifetime is None else f"{lifetime[0]}–{lifetime[1]}"
    return (f"{buffer.offset:,}", f"{buffer.bytes:,}", buffer.dtype, shape, steps, buffer.name)


def _lifetimes(plan: LaunchPlan) -> dict[int, tuple[int, int]]:
    lifetimes: dict[int, tuple[int, int]] = {}
    for number, launch in enumerate(plan.launches):
        for argument in launch.arguments:
            first, _ = lifetimes.get(argument.buffer, (number, number))
            lifetimes[argument.buffer] = (first, number)
    return lifetimes


def _text(stage: CompiledStage, name: str) -> str:
    try:
        return (stage.folder / name).read_text(encoding="utf-8")
    except OSError as error:
        raise _damaged(stage, name, error.strerror or str(error)) from None
    except UnicodeDecodeError:
        raise _damaged(stage, name, "it is no text") from None


def _damaged(stage: CompiledStage, name: str, why: str) -> InspectionError:
    message = f"can't read {stage.folder / name}: {why}"
    hint = "compile the stage again with lumc compile"
    return InspectionError(Diagnostic("I003", message, hint=hint))
