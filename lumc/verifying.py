"""``lumc compile --verify``: every kernel of a stage at full size, and a small stage as a whole.

Kernels are compared with their meaning, the stage with the reference.
"""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, replace
from pathlib import Path

from lumc.codegen.build import write_stage
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import EmittedKernel, MathMode
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.compiler import (
    CompileOptions,
    Progress,
    StageResult,
    Stopwatch,
    make_kernels,
)
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl import Spec, elaborate
from lumc.dsl.reference import Math
from lumc.runtime.devices.emulator import EMULATED_TARGETS
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.verify_kernels import KernelCheck, check_kernel, emulated
from lumc.runtime.verify_stage import Difference, check_stage, random_tensors
from lumc.small_configuration import small_configuration
from lumc.stage_files import MadeKernels, stage_files

_SHOWN = 3
_REPORT_IT = "this is a defect of lumc, not of your spec; please report it"


class VerificationError(LumcError):
    """A kernel does not compute what it is meant to, or can't be run here."""


@dataclass(frozen=True, slots=True)
class Verification:
    """How many distinct kernels ran, how many elements they wrote and were compared.

    ``closeness`` is the greatest error over the error that rounding allows, ``worst`` the kernel
    that it is of. ``library_calls`` are distinct kernels of the plan that are calls of the vendor's
    libraries, which the emulator does not run.
    """

    kernels: int
    elements: int
    closeness: float
    worst: str
    library_calls: int
    whole: WholeVerification | None
    """None where no configuration is small enough, or random data lead to nothing finite."""


@dataclass(frozen=True, slots=True)
class WholeVerification:
    """A small configuration of the stage, run as a whole.

    How many launches ran, how many elements they wrote and were compared, and the greatest
    relative error of an output.
    """

    configuration: str
    launches: int
    elements: int
    error: float


def verify_stage(
    spec: Spec, compiled: StageResult, options: CompileOptions, progress: Progress
) -> Verification:
    """Run the stage on the emulator, on random data: at full size by kernels, small as a whole.

    At full size a few workgroups of each distinct kernel's code object run. In a small
    configuration, compiled in the same way but without calls of libraries, every launch does.

    Raises:
        VerificationError: something is wrong, or the emulator doesn't run code for the target.
        EmulationFault: a kernel broke a rule of the machine.
    """
    if options.target not in EMULATED_TARGETS:
        message = f"kernels for {options.target} can't be verified"
        note = f"the emulator runs code for {', '.join(EMULATED_TARGETS)}"
        raise VerificationError(Diagnostic("V002", message, notes=(note,)))
    stage = compiled.name
    made = compiled.made or _made_again(spec, stage, options, progress)
    pairs = zip(made.lowered.program.kernels, made.emitted.kernels, strict=True)
    distinct = {emitted.symbol: (kernel, emitted) for kernel, emitted in pairs}
    step = progress.phase(f"{stage}: verifying kernels", len(distinct))
    checks: dict[str, KernelCheck] = {}
    for symbol, (kernel, emitted) in distinct.items():
        if isinstance(emitted, EmittedKernel):
            run = emulated(emitted, made.objects[symbol])
            checks[symbol] = check_kernel(kernel, emitted.geometry, run)
        step()
    _require_right(stage, checks)
    worst = _worst(checks) if checks else ""
    return Verification(
        len(checks),
        sum(check.elements for check in checks.values()),
        checks[worst].closeness if worst else 0.0,
        worst,
        len(distinct) - len(checks),
        _verify_whole(spec, stage, made, options, progress),
    )


def _verify_whole(
    spec: Spec, stage: str, made: MadeKernels, options: CompileOptions, progress: Progress
) -> WholeVerification | None:
    """Run a small configuration of the stage as a whole; ``made`` are the kernels of ``spec``."""
    small = small_configuration(spec, stage)
    if small is None:
        return None
    program = elaborate(small.spec, stage)
    meaning: Math = "exact" if options.math is MathMode.EXACT else "fast"
    tensors = random_tensors(program, meaning)
    if tensors is None:
        return None
    if small.spec is not spec or options.libraries:
        made = _made_again(small.spec, stage, replace(options, libraries=False), progress)
    step = progress.phase(f"{stage}: verifying a small configuration as a whole")
    with tempfile.TemporaryDirectory() as folder:
        place = Path(folder) / "stage"
        write_stage(place, stage_files(made, target_named(options.target), libraries=False))
        lowered = made.lowered
        checked = check_stage(open_stage(place), lowered.program, lowered.held, tensors, meaning)
    step()
    if checked.difference is not None:
        raise _difference(stage, small.description, checked.difference)
    return WholeVerification(small.description, checked.launches, checked.elements, checked.error)


def _difference(stage: str, configuration: str, found: Difference) -> VerificationError:
    """The first launch of a small configuration that is not what it should be."""
    what = (
        "does not compute what it should"
        if found.by_itself
        else "is the first that computes something else than the spec says"
    )
    lines = (f"it comes from {', '.join(found.spec_lines)}",) if found.spec_lines else ()
    return VerificationError(
        Diagnostic(
            "V004" if found.by_itself else "V005",
            f"stage {stage} ({configuration}): kernel {found.symbol} {what}",
            notes=(f"launch {found.launch} of the stage", *found.reasons[:_SHOWN], *lines),
            hint=_REPORT_IT,
        )
    )


def _made_again(spec: Spec, stage: str, options: CompileOptions, progress: Progress) -> MadeKernels:
    """The kernels of a stage that was not compiled now."""
    return make_kernels(
        elaborate(spec, stage),
        target_named(options.target),
        options,
        choose_toolchain(options.target),
        open_cache(),
        progress,
        Stopwatch(),
    )


def _require_right(stage: str, checks: dict[str, KernelCheck]) -> None:
    """Raise unless all that was compared is right; kernels are in the order of first use."""
    wrong = {symbol: check for symbol, check in checks.items() if check.mismatches}
    problems = [
        Diagnostic(
            "V001",
            f"stage {stage}: kernel {symbol} does not compute what it should",
            notes=(
                *map(str, check.mismatches[:_SHOWN]),
                *_where(number, len(wrong), symbol == _worst(wrong)),
            ),
            hint=_REPORT_IT,
        )
        for number, (symbol, check) in enumerate(wrong.items())
    ]
    problems += [
        Diagnostic("V003", f"stage {stage}: kernel {symbol} wrote nothing that could be compared")
        for symbol, check in checks.items()
        if not check.elements
    ]
    if problems:
        raise VerificationError(*problems)


def _worst(checks: Mapping[str, KernelCheck]) -> str:
    return max(checks, key=lambda symbol: checks[symbol].closeness)


def _where(number: int, wrong: int, is_worst: bool) -> tuple[str, ...]:
    """Which of several wrong kernels to look at."""
    if wrong == 1:
        return ()
    first = (f"the first of {wrong} kernels that are wrong",) if number == 0 else ()
    return first + (("the furthest from what it should be",) if is_worst else ())
