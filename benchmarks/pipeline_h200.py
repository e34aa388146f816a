"""Whole FLUX.2 Klein 9B requests: lumc beside Diffusers, one NVIDIA GPU, one run.

Both have the same random weights, prompt tokens, reference picture and noise. ``prepare`` runs
where all of lumc is installed and writes launch plans and sources; ``run`` needs that folder,
lumc's runtime, nvcc, PyTorch, Diffusers and Transformers, and no network. Results are written as
they come, so a run that is cut short leaves what it found.

    python -m benchmarks.pipeline_h200 prepare FOLDER [--sizes 512x512 704x864 1200x800]
    python -m benchmarks.pipeline_h200 run FOLDER --size 512x512 [--text-to-image]
        [--compile transformer text vae] [--runs 20] [--json FILE]

Compiling the whole transformer takes Diffusers 200 to 240 s a size, the text encoder 150 s.
"""

from __future__ import annotations

import argparse
import json
import shutil
import statistics
import tempfile
import time
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import TYPE_CHECKING, Any

import numpy as np
import numpy.typing as npt

from benchmarks.sources import SourceToolchain, compile_sources
from lumc.codegen.build import write_stage
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.pipelines.flux2_klein import Conditions, Flux2Klein, Shape, stages_of
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.stage_host import DeviceHost, memory_need
from lumc.runtime.tensors import TensorArrays, TensorSource
from lumc.spans import SpanTimes

if TYPE_CHECKING:
    from benchmarks.peer_pipeline import Inputs  # needs PyTorch, which ``prepare`` does without

ROOT = Path(__file__).resolve().parents[1]
TARGET = "sm_90"
TEXT_TOKENS = 512
STEPS = 4
PROMPTS = {
    "512x512": "add a boat to the water",
    "704x864": "add a hot dog stand in the background",
    "1200x800": "give the dog wings",
}
PARTS = ("text encoder", "picture encoder", "steps", "decoder")
Array = npt.NDArray[Any]


def shape_of(size: str, text_to_image: bool) -> Shape:
    """The request of ``size``: with one reference of that size, or none."""
    width, height = map(int, size.split("x"))
    return Shape((width, height), () if text_to_image else ((width, height),), guided=False)


# --------------------------------------------------------------------------------- prepare


def prepare(folder: Path, sizes: list[str]) -> None:
    """Write every stage of every request, each once, and where it is."""
    from lumc.bench_pipeline import model_of_configuration
    from lumc.codegen.cache import open_cache
    from lumc.codegen.target import target_named
    from lumc.compiler import CompileOptions, Silent, compile_stage
    from lumc.dsl import load_spec

    model = model_of_configuration("klein_9b")
    options, chain = CompileOptions(TARGET, libraries=True), SourceToolchain()
    places: dict[Any, str] = {}
    requests: dict[str, Any] = {}
    for size in sizes:
        for text_to_image in (False, True):
            shape = shape_of(size, text_to_image)
            stages = {}
            for name, choice in stages_of(shape, TEXT_TOKENS).items():
                if choice not in places:
                    settings = {**model.settings, **dict(choice.settings)}
                    spec = load_spec(model.description.spec, None, settings)
                    target = target_named(TARGET)
                    parts = (spec, choice.stage, target, options, chain, open_cache(), Silent())
                    places[choice] = f"stages/{len(places)}/{choice.stage}"
                    write_stage(folder / places[choice], compile_stage(*parts).files)
                    print(places[choice], dict(choice.settings), flush=True)
                stages[name] = places[choice]
            sigmas = model.schedule.sigmas(STEPS, shape.tokens)
            key = f"{size}{' text-to-image' if text_to_image else ''}"
            requests[key] = {"stages": stages, "sigmas": [float(sigma) for sigma in sigmas]}
    (folder / "requests.json").write_text(json.dumps(requests, indent=1), encoding="utf-8")


# ------------------------------------------------------------------------------------- run


@dataclass
class Findings:
    """What was found so far: printed, and kept in a file."""

    place: Path | None
    found: dict[str, Any] = field(default_factory=dict)

    def note(self, name: str, value: Any) -> None:
        """Add a finding."""
        self.found[name] = value
        print(f"{name}: {json.dumps(value)}", flush=True)
        if self.place is not None:
            self.place.write_text(json.dumps(self.found, indent=1), encoding="utf-8")


@dataclass(frozen=True)
class Ours:
    """lumc's request: every part of it, from tokens and pixels to pixels."""

    stages: Flux2Klein
    times: SpanTimes
    sigmas: npt.NDArray[np.float32]

    def request(self, inputs: Inputs) -> Array:
        """A picture."""
        text = self.stages.encode_text(inputs.prompt)
        pictures = () if inputs.picture is None else (inputs.picture,)
        references = tuple(map(self.stages.encode_picture, pictures))
        self.stages.denoise(inputs.noise, Conditions(text, None, references), self.sigmas)
        picture = self.stages.decode()
        for tensor in (text, *references):
            self.stages.host.release(tensor)
        return picture


def open_ours(
    folder: Path, request: Mapping[str, Any], peer: Any, device: CudaDevice, findings: Findings
) -> Ours:
    """Lumc's stages with the peer's weights on ``device``."""
    from benchmarks.peer_pipeline import TorchTensors

    programs = {name: open_stage(folder / place) for name, place in request["stages"].items()}
    sources: dict[str, TensorSource] = {
        "text_encoder": TorchTensors(peer.text_encoder),
        "transformer": TorchTensors(peer.transformer),
        "vae_encoder": TorchTensors(peer.vae),
        "vae_decoder": TorchTensors(peer.vae),
    }
    weights = {name: sources.get(name.split(" ")[0], TensorArrays({})) for name in programs}
    need = memory_need(device, [stage.plan for stage in programs.values()])
    findings.note("lumc memory, bytes", need.as_json() | {"total": need.total})
    host, before = DeviceHost(device), device.free_bytes()
    start = time.perf_counter()
    host.hold(programs, weights)
    findings.note("lumc load, seconds", round(time.perf_counter() - start, 2))
    findings.note("lumc memory taken, bytes", before - device.free_bytes())
    times = SpanTimes()
    sigmas = np.array(request["sigmas"], np.float32)
    return Ours(Flux2Klein(host, times), times, sigmas)


def compile_peer(peer: Any, parts: list[str], inputs: Inputs, findings: Findings) -> None:
    """Have torch.compile make ``parts`` of the peer, one after the other."""
    import torch

    from benchmarks.peer_pipeline import peer_request

    for part in parts:
        start = time.perf_counter()
        if part == "transformer":
            peer.transformer.compile(mode="max-autotune", dynamic=False)
        elif part == "text":
            peer.text_encoder.compile(mode="max-autotune", dynamic=False)
        else:
            # Tuning convolutions takes many minutes, and cuDNN wins; one graph each.
            peer.vae.encoder.compile(mode="reduce-overhead", dynamic=False)
            peer.vae.decoder.compile(mode="reduce-overhead", dynamic=False)
        for _ in range(3):
            peer_request(peer, inputs)
        torch.cuda.synchronize()
        findings.note(f"peer compile of {part}, seconds", round(time.perf_counter() - start, 1))
        findings.note(f"peer with {part} compiled", measure_peer(peer, inputs, 3))


def measure_peer(peer: Any, inputs: Inputs, runs: int) -> dict[str, float]:
    """Milliseconds of a whole request and of its parts: medians."""
    return _medians(*_peer_rounds(peer, inputs, runs))


def _peer_rounds(
    peer: Any, inputs: Inputs, runs: int
) -> tuple[list[float], dict[str, list[float]]]:
    import torch

    from benchmarks.peer_pipeline import PeerTimes, peer_request

    totals, parts = [], {name: [] for name in PARTS}  # type: ignore[var-annotated]
    times = PeerTimes()
    with times.watching(peer):
        for _ in range(runs):
            times.seconds.clear()
            torch.cuda.synchronize()
            start = time.perf_counter()
            peer_request(peer, inputs)
            totals.append(time.perf_counter() - start)
            for name in PARTS:
                parts[name].append(sum(times.seconds.get(name, [])))
    return totals, parts


def _our_rounds(
    ours: Ours, inputs: Inputs, runs: int
) -> tuple[list[float], dict[str, list[float]]]:
    totals, parts = [], {name: [] for name in PARTS}  # type: ignore[var-annotated]
    for _ in range(runs):
        ours.times.seconds.clear()
        start = time.perf_counter()
        ours.request(inputs)
        totals.append(time.perf_counter() - start)
        for name in PARTS:
            parts[name].append(sum(ours.times.seconds.get(name, [])))
    return totals, parts


def _medians(totals: list[float], parts: Mapping[str, list[float]]) -> dict[str, float]:
    found = {name: round(1e3 * statistics.median(seconds), 3) for name, seconds in parts.items()}
    return found | {"whole": round(1e3 * statistics.median(totals), 3)}


def alternate(ours: Ours, peer: Any, inputs: Inputs, runs: int) -> dict[str, Any]:
    """Medians of ``runs`` requests of each, in rounds of a few of one, then of the other."""
    mine: tuple[list[float], dict[str, list[float]]] = ([], {name: [] for name in PARTS})
    theirs: tuple[list[float], dict[str, list[float]]] = ([], {name: [] for name in PARTS})
    rounds = max(1, runs // 5)
    for _ in range(rounds):
        for kept, (totals, parts) in (
            (theirs, _peer_rounds(peer, inputs, 6)),
            (mine, _our_rounds(ours, inputs, 6)),
        ):
            kept[0].extend(totals[1:])
            for name in PARTS:
                kept[1][name].extend(parts[name][1:])
    found: dict[str, Any] = {"lumc": _medians(*mine), "peer": _medians(*theirs)}
    found["ratio"] = round(found["lumc"]["whole"] / found["peer"]["whole"], 4)
    found["runs"] = 5 * rounds
    return found


def run(
    folder: Path, size: str, text_to_image: bool, parts: list[str], runs: int, out: Path | None
) -> None:
    """Compare; what is quick and matters most comes first."""
    import torch

    from benchmarks.peer_pipeline import exact_latents, make_inputs, make_peer, peer_request
    from benchmarks.peer_stages import relative_error

    findings = Findings(out)
    key = f"{size}{' text-to-image' if text_to_image else ''}"
    findings.note("request", f"{key}: {PROMPTS.get(size, '')}")
    findings.note("gpu", torch.cuda.get_device_name())
    inputs = make_inputs(size, text_to_image, TEXT_TOKENS, STEPS)
    start = time.perf_counter()
    work = Path(tempfile.mkdtemp(prefix="lumc-stages-"))
    request = json.loads((folder / "requests.json").read_text(encoding="utf-8"))[key]
    for place in request["stages"].values():
        shutil.copytree(folder / place, work / place, dirs_exist_ok=True)
    count, _ = compile_sources(work, TARGET)
    findings.note(f"nvcc, seconds for {count} kernels", round(time.perf_counter() - start, 1))
    peer = make_peer(inputs.prompt.ids, inputs.prompt.mask)
    findings.note("peer weights, bytes", torch.cuda.memory_allocated())

    exact = exact_latents(peer, inputs)
    picture, latents = peer_request(peer, inputs)
    findings.note("peer error in bf16", relative_error(latents, exact))
    torch.cuda.reset_peak_memory_stats()
    findings.note("peer, eager", measure_peer(peer, inputs, 3))
    findings.note("peer memory, bytes", torch.cuda.max_memory_allocated())
    torch.cuda.empty_cache()

    device = CudaDevice()
    ours = open_ours(work, request, peer, device, findings)
    made = ours.request(inputs)
    error = relative_error(ours.stages.latents(), exact)
    findings.note("lumc error", error)
    findings.note("error ratio", round(error / findings.found["peer error in bf16"], 4))
    difference = np.abs(made.astype(np.float64) - np.asarray(picture[0]).astype(np.float64))
    findings.note("mean difference of pixels", round(float(difference.mean()), 3))
    findings.note("lumc alone", _medians(*_our_rounds(ours, inputs, 5)))
    findings.note("beside the eager peer", alternate(ours, peer, inputs, 5))
    compile_peer(peer, parts, inputs, findings)
    if parts:
        findings.note(
            f"beside the peer, compiled: {' '.join(parts)}", alternate(ours, peer, inputs, runs)
        )
    ours.stages.host.close()
    device.close()
    print(table(findings.found))


def table(found: Mapping[str, Any]) -> str:
    """The parts of every measurement, a line each."""
    rows = [f"| {'ms':40} | {' | '.join(f'{name:>15}' for name in (*PARTS, 'whole'))} |"]
    rows.append("|" + "---|" * (len(PARTS) + 2))
    for name, value in found.items():
        if not isinstance(value, dict):
            continue
        both = (
            {name: value}
            if "whole" in value
            else {f"{who}, {name}": value[who] for who in ("lumc", "peer") if who in value}
        )
        for title, times in both.items():
            cells = " | ".join(f"{times[part]:15,.1f}" for part in (*PARTS, "whole"))
            rows.append(f"| {title:40} | {cells} |")
    return "\n".join(rows)


def main() -> None:
    """The command."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("what", choices=["prepare", "run"])
    parser.add_argument("folder", type=Path)
    parser.add_argument("--sizes", nargs="+", default=list(PROMPTS))
    parser.add_argument("--size", default="512x512")
    parser.add_argument("--text-to-image", action="store_true")
    parser.add_argument("--compile", nargs="*", default=[], choices=["transformer", "text", "vae"])
    parser.add_argument("--runs", type=int, default=20)
    parser.add_argument("--json", type=Path)
    chosen = parser.parse_args()
    if chosen.what == "prepare":
        prepare(chosen.folder, chosen.sizes)
        return
    run(chosen.folder, chosen.size, chosen.text_to_image, chosen.compile, chosen.runs, chosen.json)


if __name__ == "__main__":
    main()
