"""``lumc bench``: a stage and each of its kernels beside what the chip could do at best."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lumc.diagnostics import Diagnostic, LumcError
from lumc.inspection import table
from lumc.runtime.devices.graph_device import GraphDevice
from lumc.runtime.devices.open_device import open_device
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import CompiledStage, find_stages, open_stage
from lumc.runtime.stage_times import (
    KernelTime,
    MachineRates,
    StageTimes,
    load_randomly,
    measure_machine,
    measure_stage,
)
from lumc.runtime.stage_work import KernelWork, read_work

_HEADER = ("kernel", "kind", "launches", "µs", "ms a step", "GB/s", "TFLOP/s", "roofline", "here")
_NOTES = """\
Each kernel is timed by a recording of its own launches, on their own buffers; a step by one of all.
roofline: the least time by the figures of the chip, over the time taken; here: the same by what a
copy and a large product reach on this machine."""


@dataclass(frozen=True, slots=True)
class StageBench:
    """A stage as measured."""

    stage: str
    device: str
    times: StageTimes
    machine: MachineRates
    work: Mapping[str, KernelWork]
    device_bytes: int
    """Memory that the stage takes, with what its libraries and graphs take."""

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        times = self.times
        return {
            "device": self.device,
            "step_ms": round(times.step, 4),
            "fastest_ms": round(min(times.steps), 4),
            "library_ms": _rounded(times.library_milliseconds),
            "busy": round(times.busy, 4),
            "launches": times.launches,
            "device_bytes": self.device_bytes,
            "copy_gb_s": round(self.machine.copy_bytes / 1e9, 1),
            "product_tflop_s": _rounded(_tera(self.machine.product_operations)),
            "by_kind_ms": {kind: round(ms, 4) for kind, ms in self.by_kind().items()},
            "kernels": [self._kernel_json(kernel) for kernel in times.kernels],
        }

    def by_kind(self) -> dict[str, float]:
        """Milliseconds a step by kind of kernel, the longest first."""
        found: dict[str, float] = defaultdict(float)
        for kernel in self.times.kernels:
            found[kernel.kind] += kernel.milliseconds
        return dict(sorted(found.items(), key=lambda pair: -pair[1]))

    def reached(self, kernel: KernelTime) -> tuple[float | None, float | None]:
        """The parts of the roofline by the chip's figures, and by the machine's, that it reaches.

        None for a product where the machine's rate for products is not known.
        """
        work = self.work.get(kernel.symbol)
        if work is None:
            return None, None
        measured = work.bytes / self.machine.copy_bytes
        here: float | None = measured
        if work.operations:
            rate = self.machine.product_operations
            here = None if rate is None else max(measured, work.operations / rate)
        share = work.roofline_us / kernel.microseconds
        return share, None if here is None else here * 1e6 / kernel.microseconds

    def _kernel_json(self, kernel: KernelTime) -> dict[str, Any]:
        work, (chip, here) = self.work.get(kernel.symbol), self.reached(kernel)
        return {
            "symbol": kernel.symbol,
            "kind": kernel.kind,
            "launches": kernel.launches,
            "us": round(kernel.microseconds, 3),
            "step_ms": round(kernel.milliseconds, 4),
            "bytes": work and work.bytes,
            "operations": work and work.operations,
            "of_roofline": _rounded(chip),
            "of_roofline_here": _rounded(here),
            "model_us": work and round(work.model_us, 3),
        }


def bench(folder: Path, stage: str | None, device_name: str) -> dict[str, StageBench]:
    """Measure the stages in ``folder`` (one, or all) on a GPU, with random weights and inputs.

    Raises:
        LumcError: there is no such stage or device, or the device is no GPU.
    """
    found: dict[str, StageBench] = {}
    machine: MachineRates | None = None
    for opened in stages_in(folder, stage):
        device = open_device(device_name, opened.plan.target)
        try:
            if not isinstance(device, GraphDevice):
                raise _no_gpu(device.name)
            machine = machine or measure_machine(device)
            found[opened.plan.stage] = bench_stage(opened, device, machine)
        finally:
            device.close()
    return found


def bench_stage(stage: CompiledStage, device: GraphDevice, machine: MachineRates) -> StageBench:
    """Measure ``stage`` on ``device`` with random weights and inputs."""
    before = device.free_bytes()
    with Executor(stage, device) as executor:
        load_randomly(executor, stage)
        taken = before - device.free_bytes()
        times = measure_stage(executor, device, stage)
    return StageBench(stage.plan.stage, device.name, times, machine, read_work(stage), taken)


def stages_in(folder: Path, name: str | None) -> Iterator[CompiledStage]:
    """The compiled stages in ``folder``: the one called ``name``, or all.

    Raises:
        LumcError: there is none of that name, or none at all.
    """
    stages = find_stages(folder)
    if name is not None and name not in stages:
        message = f"{folder} has no stage {name}; it has {', '.join(stages)}"
        raise LumcError(Diagnostic("P004", message))
    for each, place in stages.items():
        if name in (None, each):
            yield open_stage(place)


def bench_text(found: StageBench) -> str:
    """The measurements as a table, one kernel a line, and what they are."""
    times = found.times
    rows = [_HEADER, *(_row(found, kernel) for kernel in times.kernels)]
    kinds = ", ".join(f"{kind} {ms:.3f}" for kind, ms in found.by_kind().items())
    lines = [
        f"{found.stage} on {found.device}: {times.step:.3f} ms a step "
        f"({min(times.steps):.3f} to {max(times.steps):.3f}), {times.launches} launches, "
        f"{found.device_bytes / 2**30:.2f} GiB on the device",
        f"by kind (ms): {kinds}",
        f"kernels together over a step: {times.busy:.1%}",
    ]
    if times.library_milliseconds is not None:
        alone = times.library_milliseconds
        share = times.step / alone
        lines.append(f"the library's calls alone: {alone:.3f} ms; a step is {share:.3f} of that")
    rate = found.machine.product_operations
    product = "" if rate is None else f", a large bf16 product {rate / 1e12:.0f} TFLOP/s"
    lines.append(f"this machine copies {found.machine.copy_bytes / 1e12:.2f} TB/s{product}")
    return "\n".join([*lines, "", table(rows), "", _NOTES])


def _row(found: StageBench, kernel: KernelTime) -> tuple[str, ...]:
    work = found.work.get(kernel.symbol)
    chip, here = found.reached(kernel)
    seconds = kernel.microseconds / 1e6
    return (
        kernel.symbol,
        kernel.kind,
        str(kernel.launches),
        f"{kernel.microseconds:,.1f}",
        f"{kernel.milliseconds:,.3f}",
        "" if work is None else f"{work.bytes / seconds / 1e9:,.0f}",
        "" if work is None or not work.operations else f"{work.operations / seconds / 1e12:,.1f}",
        "" if chip is None else f"{chip:.0%}",
        "" if here is None else f"{here:.0%}",
    )


# ------------------------------------------------------------------------------------ by kind

_KIND_HEADER = ("kind", "kernels", "launches", "ms a step", "share")
_PROFILE_NOTES = """\
Each kernel is timed by a recording of its own launches; a step by one of all. What a step takes
beyond the kernels together is the time between them; where it takes less, kernels found in the
cache what others had left there."""


def profile_text(found: StageBench) -> str:
    """Where a step's time goes, by kind of kernel and between kernels."""
    times = found.times
    rows = [_KIND_HEADER]
    for kind, milliseconds in found.by_kind().items():
        kernels = [kernel for kernel in times.kernels if kernel.kind == kind]
        launches = sum(kernel.launches for kernel in kernels)
        share = f"{milliseconds / times.step:.1%}"
        rows.append((kind, str(len(kernels)), str(launches), f"{milliseconds:.3f}", share))
    between = times.step - sum(found.by_kind().values())
    each = between / times.launches * 1000
    rows.append(("between kernels", "", "", f"{between:.3f}", f"{between / times.step:.1%}"))
    lines = [
        f"{found.stage} on {found.device}: {times.step:.3f} ms a step, {times.launches} launches",
        f"kernels together over a step: {times.busy:.1%}; {each:+.2f} µs between two of them",
    ]
    return "\n".join([*lines, "", table(rows), "", _PROFILE_NOTES])


def profile_json(found: StageBench) -> dict[str, Any]:
    """The same as data."""
    between = found.times.step - sum(found.by_kind().values())
    return found.as_json() | {"between_ms": round(between, 4)}


# -------------------------------------------------------------------------------- without a device

_EXPECTED_HEADER = ("kernel", "kind", "launches", "µs", "ms a step", "MB", "GFLOP", "roofline")


def expected_json(stage: CompiledStage) -> dict[str, Any]:
    """What the cost model expects of a step and its kernels."""
    rows = _expected(stage)
    return {
        "target": stage.plan.target,
        "step_ms": round(sum(row["step_ms"] for row in rows), 4),
        "launches": len(stage.plan.launches),
        "kernels": rows,
    }


def expected_text(stage: CompiledStage) -> str:
    """The same as a table."""
    rows = _expected(stage)
    lines = [
        (
            row["symbol"],
            row["kind"],
            str(row["launches"]),
            f"{row['us']:,.1f}",
            f"{row['step_ms']:,.3f}",
            f"{row['bytes'] / 1e6:,.1f}",
            f"{row['operations'] / 1e9:,.1f}" if row["operations"] else "",
            f"{row['of_roofline']:.0%}",
        )
        for row in rows
    ]
    total = sum(row["step_ms"] for row in rows)
    head = f"{stage.plan.stage} for {stage.plan.target}: {total:,.3f} ms a step by the cost model"
    return f"{head}: a prediction, not a measurement\n\n{table([_EXPECTED_HEADER, *lines])}"


def _expected(stage: CompiledStage) -> list[dict[str, Any]]:
    """By kernel, the longest first."""
    work = read_work(stage)
    counts = _launch_counts(stage)
    rows = []
    for number, count in counts.items():
        kernel = stage.plan.kernels[number]
        known = work[kernel.symbol]
        rows.append(
            {
                "symbol": kernel.symbol,
                "kind": kernel.kind,
                "launches": count,
                "us": round(known.model_us, 3),
                "step_ms": round(known.model_us * count / 1000, 4),
                "bytes": known.bytes,
                "operations": known.operations,
                "of_roofline": round(known.roofline_us / known.model_us, 4),
            }
        )
    return sorted(rows, key=lambda row: -row["step_ms"])


def _launch_counts(stage: CompiledStage) -> dict[int, int]:
    found: dict[int, int] = defaultdict(int)
    for launch in stage.plan.launches:
        found[launch.kernel] += 1
    return found


def _no_gpu(name: str) -> LumcError:
    message = f"times are measured on a GPU, not on {name!r}"
    hint = "--predict needs no device"
    return LumcError(Diagnostic("C022", message, hint=hint))


def _tera(rate: float | None) -> float | None:
    return None if rate is None else rate / 1e12


def _rounded(value: float | None) -> float | None:
    return None if value is None else round(value, 4)
