"""A step's time on a chip that is not here: kernel by kernel, and what each one waits for."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import asdict
from typing import Any

from lumc.codegen.cache import Cache, write_atomically
from lumc.compiler import Progress
from lumc.diagnostics import Diagnostic, LumcError
from lumc.inspection import table
from lumc.lowering.chips import Chip, chip_for
from lumc.runtime.kept_models import cached_model
from lumc.runtime.model_kernel import ModelledKernel
from lumc.runtime.predict_stage import KernelPrediction, StagePrediction, predict_stage
from lumc.runtime.stage_folder import CompiledStage
from lumc.stage_files import REPORT_FILE

LABEL = "a prediction, not a measurement"
_HEADING = "## Prediction"
_SHOWN = 12
_WORTH_TELLING = 1.03
"""A factor by which something makes a kernel slower, from which on it is named."""
_KERNEL_HEADER = ("kernel", "kind", "launches", "µs", "bound", "over", "why")


def predict(stage: CompiledStage, store: Cache, progress: Progress) -> StagePrediction:
    """Predict a step of ``stage``; kernels that were modelled before come from ``store``.

    Raises:
        NotModelledError: the model has no figures for the stage's chip.
    """
    step = progress.phase(f"{stage.plan.stage}: modelling kernels", len(stage.plan.kernels))
    return predict_stage(stage, cached_model(store), step)


def reasons(kernel: KernelPrediction, chip: Chip) -> tuple[str, ...]:
    """What makes ``kernel`` slower than its bound, each with the factor that it costs."""
    found, each = kernel.modelled, kernel.each
    if each.limit == "launch":
        return ("its launch takes longer than its work",)
    if each.limit == "memory":
        return ()
    if kernel.bound_by_memory:
        return (f"limited by {each.limit}{_stalls(found)}",)
    factors = []
    last = -(-found.workgroups // chip.units) / (found.workgroups / chip.units)
    rounds = f"{each.rounds:.2f} rounds of workgroups"
    if found.parts is not None:
        last = found.unit_clocks(chip.units) / found.mean_clocks(chip.units)
        rounds += f", {found.parts.workgroups} of which share {found.parts.tiles} tiles"
    if each.limit == "L2":
        factors.append((_clocks_by_units(found, chip, each.compute * each.clock), "limited by L2"))
    factors.append((last, rounds))
    factors.append((1 / kernel.useful, "tiles beyond the edges"))
    if found.steady and found.whole:
        factors.append((1 / found.steady, f"the loop{_stalls(found)}"))
        ends = f"before and after the loop, {found.prologue + found.epilogue:,.0f} clocks"
        factors.append((found.steady / found.whole, ends))
    factors.append((chip.matrix_clock / each.clock, "the clock"))
    factors.sort(reverse=True)
    told = tuple(f"×{factor:.2f} {what}" for factor, what in factors if factor >= _WORTH_TELLING)
    if found.bank_conflicts >= _WORTH_TELLING:
        told = (*told, f"LDS passes ×{found.bank_conflicts:.2f} by bank conflicts")
    return told


def _clocks_by_units(found: ModelledKernel, chip: Chip, clocks: float) -> float:
    """How many times longer memory takes than the workgroups themselves."""
    return clocks / found.unit_clocks(chip.units)


def _stalls(found: ModelledKernel) -> str:
    # Waiting for a busy unit is what a good kernel does.
    wasted = [(n, share) for n, share in found.stalls.items() if n not in ("matrix unit",)][:2]
    text = ", ".join(f"{name} {share:.0%}" for name, share in wasted if share >= 0.02)
    return f" ({text})" if text else ""


def prediction_text(found: StagePrediction) -> str:
    """Tables by kind and by kernel, and what they are."""
    rows = [tuple(row) for row in _kind_rows(found)]
    parts = [
        table([("kind", "µs", "bound", "over"), *rows]),
        table([_KERNEL_HEADER, *_kernel_rows(found, len(found.kernels))]),
        *_call_lines(found),
        *(f"{symbol}: not predicted: {reason}" for symbol, reason in found.unknown),
        f"{found.seconds * 1e3:,.3f} ms a step on {_chip_name(found)}: {LABEL}",
    ]
    return "\n\n".join(parts)


def _call_lines(found: StagePrediction) -> Iterator[str]:
    """The library's part, which comes from rates that were published."""
    if found.calls:
        seconds = sum(call.seconds for call in found.calls)
        count = sum(call.launches for call in found.calls)
        yield (
            f"{count} products by the vendor's library: {seconds * 1e6:,.1f} µs by rates that were"
            " published of it"
        )


def prediction_json(found: StagePrediction) -> dict[str, Any]:
    """The same as data; times are microseconds."""
    chip = chip_for(found.target)
    return {
        "is": LABEL,
        "target": found.target,
        "chip": chip.product,
        "microseconds": found.seconds * 1e6,
        "kinds": {
            kind: {"microseconds": seconds * 1e6, "bound": bound * 1e6}
            for kind, (seconds, bound) in found.by_kind().items()
        },
        "kernels": [_kernel_json(kernel, chip) for kernel in found.kernels],
        "calls": [
            {
                "symbol": call.symbol,
                "kind": call.kind,
                "launches": call.launches,
                "microseconds": call.seconds * 1e6,
                "bound": call.bound * 1e6,
            }
            for call in found.calls
        ],
        "unknown": dict(found.unknown),
        "launches": [None if one is None else one * 1e6 for one in found.launches],
    }


def _kernel_json(kernel: KernelPrediction, chip: Chip) -> dict[str, Any]:
    modelled = asdict(kernel.modelled)
    names = ("resident", "waves_per_simd", "limited_by", "steady", "whole", "prologue", "epilogue")
    return {
        "symbol": kernel.symbol,
        "kind": kernel.kind,
        "launches": kernel.launches,
        "microseconds": kernel.seconds * 1e6,
        "bound": kernel.bound * 1e6,
        "limit": kernel.each.limit,
        "rounds": kernel.each.rounds,
        "gigahertz": kernel.each.clock / 1e9,
        "utilisation": kernel.each.utilisation,
        "bank_conflicts": kernel.modelled.bank_conflicts,
        "stalls": dict(kernel.modelled.stalls),
        "reasons": list(reasons(kernel, chip)),
        **{name: modelled[name] for name in names},
    }


def write_into_report(stage: CompiledStage, found: StagePrediction) -> None:
    """Put the prediction at the end of the stage's report, in place of an earlier one.

    Raises:
        LumcError: the report can't be read or written; it is as it was then.
    """
    place = stage.folder / REPORT_FILE
    try:
        text = place.read_text(encoding="utf-8").split(f"\n{_HEADING}\n")[0].rstrip("\n")
        text += "\n\n" + "\n".join(_markdown(found)) + "\n"
        write_atomically(place, text.encode())
    except (OSError, UnicodeError) as error:
        reason = (error.strerror if isinstance(error, OSError) else None) or str(error)
        message = f"the prediction can't be put into {place}: {reason}"
        raise LumcError(Diagnostic("O003", message)) from None


def _markdown(found: StagePrediction) -> Iterator[str]:
    yield _HEADING
    yield ""
    yield f"{found.seconds * 1e3:,.3f} ms a step on {_chip_name(found)}: {LABEL}."
    yield ""
    yield from _markdown_table(("kind", "µs", "bound", "over"), list(_kind_rows(found)))
    yield ""
    yield f"The {min(_SHOWN, len(found.kernels))} that take longest, and why more than their bound:"
    yield ""
    rows = list(_kernel_rows(found, _SHOWN))
    yield from _markdown_table(_KERNEL_HEADER, [(f"`{row[0]}`", *row[1:]) for row in rows])
    yield from (f"\n{line}." for line in _call_lines(found))
    for symbol, reason in found.unknown:
        yield f"* `{symbol}` is not predicted: {reason}"


def _markdown_table(header: Sequence[str], rows: Sequence[Sequence[str]]) -> Iterator[str]:
    for row in (header, ["---"] * len(header), *rows):
        yield "| " + " | ".join(row) + " |"


def _chip_name(found: StagePrediction) -> str:
    return f"{chip_for(found.target).product} ({found.target})"


def _kind_rows(found: StagePrediction) -> Iterator[tuple[str, ...]]:
    for kind, (seconds, bound) in found.by_kind().items():
        yield kind, f"{seconds * 1e6:,.1f}", f"{bound * 1e6:,.1f}", f"{seconds / bound:.2f}×"


def _kernel_rows(found: StagePrediction, most: int) -> Iterator[tuple[str, ...]]:
    chip = chip_for(found.target)
    for kernel in found.kernels[:most]:
        yield (
            kernel.symbol,
            kernel.kind,
            str(kernel.launches),
            f"{kernel.seconds * 1e6:,.1f}",
            f"{kernel.bound * 1e6:,.1f}",
            f"{kernel.over_bound:.2f}×",
            "; ".join(reasons(kernel, chip)) or kernel.each.limit,
        )
