"""``lumc compile --verify``: every kernel of a stage, at full size, against its meaning."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass

from lumc.codegen.cache import open_cache
from lumc.codegen.emit import EmittedKernel
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
from lumc.runtime.devices.emulator import EMULATED_TARGETS
from lumc.runtime.verify_kernels import KernelCheck, check_kernel, emulated
from lumc.stage_files import MadeKernels

_SHOWN = 3


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


def verify_stage(
    spec: Spec, compiled: StageResult, options: CompileOptions, progress: Progress
) -> Verification:
    """Run a few workgroups of each distinct kernel's code object on the emulator, on random data.

    Raises:
        VerificationError: a kernel is wrong, or the emulator doesn't run code for the target.
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
    )


def _made_again(spec: Spec, stage: str, options: CompileOptions, progress: Progress) -> MadeKernels:
    """The kernels of a stage whose files were there already."""
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
            hint="this is a defect of lumc, not of your spec; please report it",
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
