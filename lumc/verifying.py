"""``lumc compile --verify``: every kernel of a stage, at full size, against its meaning."""

from __future__ import annotations

from dataclasses import dataclass, replace

from lumc.codegen.cache import open_cache
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.compiler import CompileOptions, Progress, Stopwatch, make_kernels
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl import Spec, elaborate
from lumc.runtime.devices.emulator import EMULATED_TARGETS
from lumc.runtime.verify_kernels import KernelCheck, check_kernel, emulated

_SHOWN = 3


class VerificationError(LumcError):
    """A kernel does not compute what it is meant to, or can't be run here."""


@dataclass(frozen=True, slots=True)
class Verification:
    """How many distinct kernels ran, how many elements they wrote and were compared.

    ``closeness`` is the greatest error over the error that rounding allows.
    """

    kernels: int
    elements: int
    closeness: float


def verify_stage(
    spec: Spec, stage: str, options: CompileOptions, progress: Progress
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
    made = make_kernels(
        elaborate(spec, stage),
        target_named(options.target),
        replace(options, libraries=False),
        choose_toolchain(options.target),
        open_cache(),
        progress,
        Stopwatch(),
    )
    pairs = zip(made.lowered.program.kernels, made.emitted.generated, strict=True)
    distinct = {emitted.symbol: (kernel, emitted) for kernel, emitted in pairs}
    step = progress.phase(f"{stage}: verifying kernels", len(distinct))
    checks: dict[str, KernelCheck] = {}
    for symbol, (kernel, emitted) in distinct.items():
        run = emulated(emitted, made.objects[symbol])
        checks[symbol] = check_kernel(kernel, emitted.geometry, run)
        step()
    _require_right(stage, checks)
    return Verification(
        len(checks),
        sum(check.elements for check in checks.values()),
        max((check.closeness for check in checks.values()), default=0.0),
    )


def _require_right(stage: str, checks: dict[str, KernelCheck]) -> None:
    problems = [
        Diagnostic(
            "V001",
            f"stage {stage}: kernel {symbol} does not compute what it should",
            notes=tuple(map(str, check.mismatches[:_SHOWN])),
            hint="this is a defect of lumc, not of your spec; please report it",
        )
        for symbol, check in checks.items()
        if check.mismatches
    ]
    problems += [
        Diagnostic("V003", f"stage {stage}: kernel {symbol} wrote nothing that could be compared")
        for symbol, check in checks.items()
        if not check.elements
    ]
    if problems:
        raise VerificationError(*problems)
