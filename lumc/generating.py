"""``lumc generate``: pictures from a prompt and pictures, as files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lumc import __version__
from lumc.backends import Outline, StageOutline
from lumc.codegen.launch_plan import Region
from lumc.compiler import Stopwatch
from lumc.console import PhaseProgress
from lumc.diagnostics import Diagnostic
from lumc.inspection import table
from lumc.pipeline import Job, Pipeline
from lumc.request_checks import RequestError
from lumc.runtime.pipelines.pictures import write_png
from lumc.runtime.tensors import write_tensors
from lumc.spans import SpanTimes


@dataclass(frozen=True, slots=True)
class GenerateRequest:
    """What the user asked for, as given; the names are those of the options."""

    model: Path
    prompt: str
    images: tuple[Path, ...]
    output: Path | None
    negative_prompt: str
    size: tuple[int, int] | None
    steps: int | None
    seed: int
    guidance: float | None
    batch: int
    noise: Path | None
    save_latents: Path | None
    device: str
    target: str | None
    dtype: str
    math: str
    libraries: str
    low_memory: bool


@dataclass(frozen=True, slots=True)
class GenerateReport:
    """What was made, and how long each part took."""

    pictures: tuple[Path, ...]
    latents: Path | None
    device: str
    settings: Mapping[str, Any]
    seconds: Mapping[str, float]

    def as_json(self) -> dict[str, Any]:
        """For ``--json``."""
        return {
            "pictures": [str(path) for path in self.pictures],
            "latents": str(self.latents) if self.latents else None,
            "device": self.device,
            "settings": dict(self.settings),
            "seconds": {name: round(seconds, 4) for name, seconds in self.seconds.items()},
        }


def outline_json(found: Outline) -> dict[str, Any]:
    """What a request would take, for ``--json``."""
    return {
        "device": found.device,
        "target": found.target,
        "stages": {
            stage.name: {
                "compiled": stage.compiled,
                "launches": len(stage.plan.launches),
                **{f"{region}_bytes": size for region, size in stage.plan.region_bytes},
            }
            for stage in found.stages
        },
        "bytes": found.memory.as_json() | {"total": found.memory.total},
        "free_bytes": found.free_bytes,
    }


def outline_text(found: Outline) -> str:
    """What a request would take, for people."""
    header = ("stage", "", "launches", "weights", "prepared", "arena", "in and out")
    rows = [header, *(_outline_row(stage) for stage in found.stages)]
    parts = ", ".join(f"{_size(size)} {name}" for name, size in found.memory.as_json().items())
    enough = "enough" if found.memory.total <= found.free_bytes else "too little"
    free = f"{found.device} ({found.target}) has {_size(found.free_bytes)} free: {enough}"
    return f"{table(rows)}\n\n{_size(found.memory.total)} are needed ({parts})\n{free}"


def _outline_row(stage: StageOutline) -> tuple[str, ...]:
    sizes = dict(stage.plan.region_bytes)
    regions = (Region.WEIGHTS, Region.CONSTANTS, Region.ARENA, Region.IO)
    return (
        stage.name,
        "compiled" if stage.compiled else "to compile",
        str(len(stage.plan.launches)),
        *(_size(sizes.get(region, 0)) for region in regions),
    )


def _size(count: int) -> str:
    return f"{count / 1e9:,.2f} GB" if count >= 1e9 else f"{count / 1e6:,.1f} MB"


def dry_run(request: GenerateRequest, progress: PhaseProgress) -> Outline:
    """What ``generate`` would compile and how much memory it would take; nothing is compiled.

    Raises:
        LumcError: whatever is wrong with the request.
    """
    with _opened(request, progress, None) as pipeline:
        return pipeline.outline(_job(pipeline, request))


def generate(request: GenerateRequest, progress: PhaseProgress) -> GenerateReport:
    """Make the pictures that are asked for, and write them.

    Raises:
        LumcError: whatever is wrong, in the user's words; nothing is written then.
    """
    assert request.output is not None
    _require_png(request.output)
    if request.save_latents == request.output:
        raise RequestError(Diagnostic("G010", "--save-latents and -o name the same file"))
    watch, times = Stopwatch(), SpanTimes()
    with _opened(request, progress, times) as pipeline:
        job = _job(pipeline, request)
        with watch.phase("prepare"):
            pipeline.prepare(job)
        with watch.phase("run"):
            made = pipeline.run(job)
        device = pipeline.device
    settings = {**made.settings, "lumc": __version__, "device": device, "dtype": request.dtype}
    paths = picture_paths(request.output, len(made.pictures))
    for number, (path, picture) in enumerate(zip(paths, made.pictures, strict=True)):
        write_png(path, picture, {**settings, "number": number})
    if request.save_latents is not None:
        write_tensors(request.save_latents, {"latents": made.latents})
    parts = {name: sum(seconds) for name, seconds in times.seconds.items()}
    seconds = {**watch.seconds, **parts}
    return GenerateReport(paths, request.save_latents, device, settings, seconds)


def picture_paths(output: Path, count: int) -> tuple[Path, ...]:
    """``output``, or for several pictures ``output`` with numbers from 1 on before the ending."""
    if count == 1:
        return (output,)
    return tuple(output.with_stem(f"{output.stem}-{number}") for number in range(1, count + 1))


def _opened(request: GenerateRequest, progress: PhaseProgress, times: SpanTimes | None) -> Pipeline:
    return Pipeline.from_pretrained(
        request.model,
        device=request.device,
        target=request.target,
        dtype=request.dtype,
        math=request.math,
        libraries=request.libraries,
        low_memory=request.low_memory,
        progress=progress,
        watch_steps=True,
        **({} if times is None else {"span": times}),
    )


def _job(pipeline: Pipeline, request: GenerateRequest) -> Job:
    width, height = request.size or (None, None)
    return pipeline.job(
        request.prompt,
        list(request.images) or None,
        negative_prompt=request.negative_prompt,
        width=width,
        height=height,
        steps=request.steps,
        seed=request.seed,
        guidance=request.guidance,
        batch=request.batch,
        noise=request.noise,
    )


def _require_png(path: Path) -> None:
    if path.suffix.lower() != ".png":
        hint = f"name it {path.with_suffix('.png').name}"
        message = f"{path} does not end in .png, and pictures are written as PNG"
        raise RequestError(Diagnostic("G007", message, hint=hint))
