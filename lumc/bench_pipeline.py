"""``lumc bench --pipeline``: whole requests, measured part by part, and what they cost."""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any
from xml.etree import ElementTree

import numpy as np

from lumc.backends import BackendOptions, ModelSpec, open_backend
from lumc.compiler import Progress
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl import load_spec
from lumc.inspection import table
from lumc.pipeline import Pipeline, Wanted
from lumc.runtime.pipelines.model_description import ModelDescription, descriptions
from lumc.runtime.pipelines.model_folder import ModelFolder, open_model_folder
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.pipelines.schedule import Schedule
from lumc.runtime.random_tensors import RandomTensors, smooth_picture
from lumc.runtime.tensors import TensorSource
from lumc.spans import SpanTimes, find_ranges

PARTS = ("text encoder", "picture encoder", "steps", "decoder")
"""Of a request, in their order; the rest is the host's."""
_SEED = 42
_COLOURS = ("#4878a8", "#7eb09b", "#d98c4a", "#a86478", "#a0a0a0")


@dataclass(frozen=True, slots=True)
class BenchRequest:
    """A picture to make from a reference of its own size."""

    width: int
    height: int
    prompt: str

    @property
    def name(self) -> str:
        """For tables."""
        return f"{self.width}×{self.height}"


DEFAULT_REQUESTS = (
    BenchRequest(512, 512, "add a boat to the water"),
    BenchRequest(704, 864, "add a hot dog stand in the background"),
    BenchRequest(1200, 800, "give the dog wings"),
)


@dataclass(frozen=True, slots=True)
class BenchOptions:
    """What is measured, and how often."""

    requests: tuple[BenchRequest, ...] = DEFAULT_REQUESTS
    steps: int = 4
    warm_ups: int = 5
    runs: int = 100


@dataclass(frozen=True, slots=True)
class RequestTimes:
    """Milliseconds of one request; of each part the median of all runs."""

    request: BenchRequest
    parts: Mapping[str, float]
    """By name; ``host`` is what is left of the whole."""
    median: float
    tenth: float
    ninetieth: float
    first_seconds: float
    """Of the first run: programs are compiled or read, weights are loaded."""
    needed_bytes: int
    """Of the device's memory; 0 where that is not known."""


@dataclass(frozen=True, slots=True)
class PipelineTimes:
    """What was measured, of which model on which device."""

    model: str
    device: str
    target: str | None
    options: BenchOptions
    requests: tuple[RequestTimes, ...]


def bench(
    model: str,
    random_weights: bool,
    place: BackendOptions,
    dtype: str,
    options: BenchOptions,
    progress: Progress,
) -> PipelineTimes:
    """Measure requests to the model in a folder or, with random weights, of a configuration.

    Raises:
        LumcError: there is no such model, or a request can't be run.
    """
    times = SpanTimes()
    if random_weights:
        pipeline = random_pipeline(model, place, dtype, times, progress)
    else:
        _require_weights(model)
        pipeline = Pipeline.from_pretrained(
            model,
            device=place.device,
            target=place.target,
            dtype=dtype,
            libraries=place.libraries,
            progress=progress,
            span=times,
        )
    with pipeline:
        return measure(pipeline, times, options, progress)


def random_pipeline(
    model: str, options: BackendOptions, dtype: str, times: SpanTimes, progress: Progress
) -> Pipeline:
    """A model of random weights, with the sizes of a folder or of a configuration of a spec.

    A prompt is as many random tokens as the text encoder takes.

    Raises:
        LumcError: there is neither a folder nor a configuration called ``model``.
    """
    place = Path(model)
    found = open_model_folder(place) if place.is_dir() else model_of_configuration(model)
    settings = {**found.settings, "dtype": dtype}
    backend = open_backend(ModelSpec(found.description.spec, settings), options)
    vocabulary = int(found.settings["vocabulary"])

    def encode(prompt: str, tokens: int) -> EncodedPrompt:
        generator = np.random.default_rng([1, *prompt.encode()])
        ids = generator.integers(0, vocabulary, tokens).astype(np.int32)
        return EncodedPrompt(ids, np.ones(tokens, np.int32), prompt, 0)

    def weights_of(wanted: Wanted) -> Mapping[str, TensorSource]:
        return {stage: RandomTensors(needed, 0.02) for stage, needed in wanted.items()}

    return Pipeline(found, encode, weights_of, backend, progress=progress, span=times)


def model_of_configuration(model: str) -> ModelFolder:
    """A model without weights, with the sizes of a configuration of a spec, as ``klein_9b``.

    Raises:
        LumcError: no spec of a published model has such a configuration.
    """
    known = _configurations()
    if model not in known:
        message = f"there is no model folder {model}, and no configuration of that name"
        hint = did_you_mean(model, known) or f"configurations are {', '.join(known)}"
        raise LumcError(Diagnostic("G008", message, hint=hint))
    description = known[model]
    parameters = dict(load_spec(description.spec, model).parameters)
    settings = {name: parameters[name] for name in description.settings}
    tokens = int(parameters["text_tokens"])
    schedule = Schedule(description.shift)
    return ModelFolder(Path(model), description, settings, tokens, True, schedule, {})


def _configurations() -> dict[str, ModelDescription]:
    """The configurations of the specs of published models, each with its model."""
    known: dict[str, ModelDescription] = {}
    for description in descriptions():
        known |= dict.fromkeys(load_spec(description.spec).configs, description)
    return known


def _require_weights(model: str) -> None:
    if not Path(model).exists() and model in _configurations():
        message = f"there is no model folder {model}; the configuration has no weights"
        hint = "--random-weights measures it without them"
        raise LumcError(Diagnostic("G008", message, hint=hint))


def measure(
    pipeline: Pipeline, times: SpanTimes, options: BenchOptions, progress: Progress
) -> PipelineTimes:
    """Run every request, warm, as often as asked; nothing of a run is kept for the next.

    Raises:
        LumcError: a request can't be run.
    """
    found = []
    for request in options.requests:
        total = 1 + options.warm_ups + options.runs
        step = progress.phase(f"{request.name}: {request.prompt}", total)
        found.append(_measured(pipeline, times, options, request, step))
    device = (pipeline.device, pipeline.target)
    return PipelineTimes(pipeline.model.path.name, *device, options, tuple(found))


def _measured(
    pipeline: Pipeline, times: SpanTimes, options: BenchOptions, request: BenchRequest, step: Any
) -> RequestTimes:
    picture = smooth_picture(request.width, request.height)

    def run() -> float:
        pipeline.forget()
        times.seconds.clear()
        start = time.perf_counter()
        pipeline(
            request.prompt,
            picture,
            width=request.width,
            height=request.height,
            steps=options.steps,
            seed=_SEED,
        )
        seconds = time.perf_counter() - start
        step()
        return seconds

    first = run()
    for _ in range(options.warm_ups):
        run()
    totals: list[float] = []
    parts: dict[str, list[float]] = {name: [] for name in (*PARTS, "host")}
    for _ in range(options.runs):
        gc.collect()
        totals.append(run())
        for name in PARTS:
            parts[name].append(sum(times.seconds.get(name, [0.0])))
        parts["host"].append(totals[-1] - sum(parts[name][-1] for name in PARTS))
    times.ranges = find_ranges()
    if times.ranges is not None:
        run()
    times.ranges = None
    return RequestTimes(
        request,
        {name: 1e3 * statistics.median(seconds) for name, seconds in parts.items()},
        1e3 * statistics.median(totals),
        1e3 * float(np.quantile(totals, 0.1)),
        1e3 * float(np.quantile(totals, 0.9)),
        first,
        pipeline.needed_bytes(),
    )


def times_json(found: PipelineTimes, prices: Mapping[str, float]) -> dict[str, Any]:
    """What was measured, for ``--json``; prices are dollars an hour by name."""
    return {
        "model": found.model,
        "device": found.device,
        "target": found.target,
        "steps": found.options.steps,
        "warm_ups": found.options.warm_ups,
        "runs": found.options.runs,
        "requests": [
            {
                "size": [one.request.width, one.request.height],
                "prompt": one.request.prompt,
                "milliseconds": {name: round(ms, 3) for name, ms in one.parts.items()},
                "median_ms": round(one.median, 3),
                "tenth_ms": round(one.tenth, 3),
                "ninetieth_ms": round(one.ninetieth, 3),
                "first_seconds": round(one.first_seconds, 2),
                "needed_bytes": one.needed_bytes,
                "dollars_per_thousand": {
                    name: round(dollars_per_thousand(price, one.median), 4)
                    for name, price in prices.items()
                },
            }
            for one in found.requests
        ],
    }


def dollars_per_thousand(price: float, milliseconds: float) -> float:
    """What a thousand pictures cost, one after the other, at ``price`` dollars an hour."""
    return price * milliseconds / 3600


def times_text(found: PipelineTimes, prices: Mapping[str, float]) -> str:
    """What was measured, for people."""
    names = [one.request.name for one in found.requests]
    rows: list[tuple[str, ...]] = [("ms", *names)]
    for part in (*PARTS, "host"):
        rows.append((part, *(f"{one.parts[part]:,.1f}" for one in found.requests)))
    rows.append(("whole request", *(f"{one.median:,.1f}" for one in found.requests)))
    rows.append(
        ("10 % to 90 %", *(f"{one.tenth:,.1f} to {one.ninetieth:,.1f}" for one in found.requests))
    )
    rows.append(("memory", *(_gigabytes(one.needed_bytes) for one in found.requests)))
    for name, price in prices.items():
        costs = (dollars_per_thousand(price, one.median) for one in found.requests)
        title = f"1000 pictures, {name} at ${price:g}/h"
        rows.append((title, *(f"${cost:,.3f}" for cost in costs)))
    chip = f" ({found.target})" if found.target else ""
    options = found.options
    title = (
        f"{found.model} on {found.device}{chip}: {options.steps} steps, medians of "
        f"{options.runs} runs after {options.warm_ups} to warm up"
    )
    return f"{title}\n\n{table(rows)}"


def _gigabytes(count: int) -> str:
    return f"{count / 1e9:,.2f} GB" if count else "not known"


def times_svg(found: PipelineTimes) -> str:
    """Where the time goes: a bar for each request, cut into its parts."""
    width, left, bar, gap = 900, 120, 36, 22
    longest = max((sum(one.parts.values()) for one in found.requests), default=1.0)
    height = 70 + len(found.requests) * (bar + gap)
    size = {"width": str(width), "height": str(height), "viewBox": f"0 0 {width} {height}"}
    font = {"font-family": "sans-serif", "font-size": "13"}
    svg = ElementTree.Element("svg", {"xmlns": "http://www.w3.org/2000/svg", **size, **font})
    for place, (part, colour) in enumerate(zip((*PARTS, "host"), _COLOURS, strict=True)):
        _rectangle(svg, (left + 150 * place, 16, 14, 14), colour)
        _text(svg, left + 150 * place + 20, 28, part)
    for row, one in enumerate(found.requests):
        y = 56 + row * (bar + gap)
        _text(svg, 10, y + bar // 2 + 5, one.request.name)
        x = float(left)
        for part, colour in zip((*PARTS, "host"), _COLOURS, strict=True):
            length = (width - left - 90) * one.parts[part] / longest
            shown = _rectangle(svg, (round(x, 2), y, round(max(length, 0), 2), bar), colour)
            title = ElementTree.SubElement(shown, "title")
            title.text = f"{part}: {one.parts[part]:,.1f} ms"
            x += length
        _text(svg, round(x) + 6, y + bar // 2 + 5, f"{one.median:,.0f} ms")
    ElementTree.indent(svg)
    return ElementTree.tostring(svg, encoding="unicode") + "\n"


def write_svg(path: Path, found: PipelineTimes) -> None:
    """Write ``times_svg``.

    Raises:
        LumcError: the file system says no.
    """
    try:
        path.write_text(times_svg(found), encoding="utf-8")
    except OSError as error:
        message = f"can't write {path}: {error.strerror or error}"
        raise LumcError(Diagnostic("G009", message)) from None


def _rectangle(
    svg: ElementTree.Element, place: Sequence[float], colour: str
) -> ElementTree.Element:
    sizes = dict(zip(("x", "y", "width", "height"), map(str, place), strict=True))
    return ElementTree.SubElement(svg, "rect", {**sizes, "fill": colour})


def _text(svg: ElementTree.Element, x: float, y: float, text: str) -> None:
    ElementTree.SubElement(svg, "text", {"x": str(x), "y": str(y)}).text = text
