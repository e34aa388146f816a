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
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from benchmarks.sources import SourceToolchain, compile_sources
from lumc.codegen.build import write_stage
from lumc.runtime.devices.cuda import CudaDevice
from lumc.runtime.pipelines.flux2_klein import Conditions, Flux2Klein, Shape, stages_of
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.stage_host import DeviceHost, memory_need
from lumc.runtime.tensors import TensorArrays, TensorInfo, TensorSource
from lumc.spans import SpanTimes

ROOT = Path(__file__).resolve().parents[1]
TARGET = "sm_90"
TEXT_TOKENS = 512
STEPS = 4
SEED = 42
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


class TorchTensors:
    """A module's tensors, copied to the host one at a time as they are read."""

    def __init__(self, module: Any) -> None:
        """Offer the parameters and buffers of ``module``."""
        self._tensors = dict(module.state_dict())

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All of them, as bf16."""
        from lumc.dsl.dtypes import DType

        return {
            name: TensorInfo("the peer", tuple(tensor.shape), DType.BF16, "BF16")
            for name, tensor in self._tensors.items()
        }

    def read(self, name: str) -> Array:
        """The values of ``name``."""
        import torch

        return as_array(self._tensors[name].to(torch.bfloat16))


def as_array(tensor: Any) -> Array:
    """``tensor`` in host memory; bf16 stays bf16."""
    import ml_dtypes
    import torch

    host = tensor.detach().cpu().contiguous()
    is_bf16 = host.dtype is torch.bfloat16
    found: Array = (host.view(torch.int16) if is_bf16 else host).numpy()
    return found.view(ml_dtypes.bfloat16) if is_bf16 else found


class FixedTokenizer:
    """In the place of a tokenizer: the same tokens for every prompt."""

    def __init__(self, ids: Array, mask: Array) -> None:
        """Give ``ids`` and ``mask`` for all prompts."""
        import torch

        self._tokens = {
            "input_ids": torch.from_numpy(ids.astype(np.int64))[None],
            "attention_mask": torch.from_numpy(mask.astype(np.int64))[None],
        }

    def apply_chat_template(self, messages: Any, **_: Any) -> str:
        """The prompt itself."""
        return str(messages[0]["content"])

    def __call__(self, text: str, **_: Any) -> Any:
        """The tokens."""
        return self._tokens


def make_peer(ids: Array, mask: Array) -> Any:
    """Diffusers' pipeline at full size with random weights, on the GPU in bf16."""
    import torch
    from diffusers import (
        AutoencoderKLFlux2,
        FlowMatchEulerDiscreteScheduler,
        Flux2KleinPipeline,
        Flux2Transformer2DModel,
    )
    from transformers import Qwen3Config, Qwen3ForCausalLM

    torch.manual_seed(5)
    torch.set_default_dtype(torch.bfloat16)
    with torch.device("cuda"):
        transformer = Flux2Transformer2DModel(
            patch_size=1,
            in_channels=128,
            num_layers=8,
            num_single_layers=24,
            attention_head_dim=128,
            num_attention_heads=32,
            joint_attention_dim=12288,
            timestep_guidance_channels=256,
            mlp_ratio=3.0,
            axes_dims_rope=(32, 32, 32, 32),
            rope_theta=2000,
            eps=1e-6,
            guidance_embeds=False,
        ).eval()
        vae = AutoencoderKLFlux2().eval()
        vae.bn.running_mean.normal_(0, 0.1)
        vae.bn.running_var.uniform_(0.5, 2)
        text_encoder = Qwen3ForCausalLM(
            Qwen3Config(
                vocab_size=151936,
                hidden_size=4096,
                intermediate_size=12288,
                num_hidden_layers=36,
                num_attention_heads=32,
                num_key_value_heads=8,
                head_dim=128,
                rms_norm_eps=1e-6,
                max_position_embeddings=40960,
                tie_word_embeddings=False,
                rope_parameters={"rope_type": "default", "rope_theta": 1000000.0},
            )
        ).eval()
    vae.to(torch.bfloat16).to(memory_format=torch.channels_last)
    scheduler = FlowMatchEulerDiscreteScheduler(
        num_train_timesteps=1000,
        shift=3.0,
        use_dynamic_shifting=True,
        base_shift=0.5,
        max_shift=1.15,
        base_image_seq_len=256,
        max_image_seq_len=4096,
        time_shift_type="exponential",
    )
    peer = Flux2KleinPipeline(
        scheduler=scheduler,
        vae=vae,
        text_encoder=text_encoder,
        tokenizer=None,
        transformer=transformer,
        is_distilled=True,
    )
    peer.tokenizer = FixedTokenizer(ids, mask)
    peer.set_progress_bar_config(disable=True)
    return peer


@dataclass
class PeerTimes:
    """Seconds of the peer's parts, the device waited for before and after each."""

    seconds: dict[str, list[float]] = field(default_factory=dict)

    @contextmanager
    def watching(self, peer: Any) -> Iterator[None]:
        """Measure the parts of ``peer`` meanwhile."""
        places = (
            (peer, "encode_prompt", "text encoder"),
            (peer, "prepare_image_latents", "picture encoder"),
            (peer.vae, "decode", "decoder"),
        )
        transformer = peer.transformer
        for place, name, part in places:
            setattr(place, name, self._timed(getattr(place, name), part))
        # What is compiled holds the module: it stays as it is, behind a stand-in.
        peer.__dict__["transformer"] = _Stand(transformer, self._timed(transformer, "steps"))
        try:
            yield
        finally:
            peer.__dict__["transformer"] = transformer
            for place, name, _ in places:
                delattr(place, name)

    def _timed(self, function: Callable[..., Any], part: str) -> Callable[..., Any]:
        import torch

        def timed(*arguments: Any, **named: Any) -> Any:
            torch.compiler.cudagraph_mark_step_begin()
            torch.cuda.synchronize()
            start = time.perf_counter()
            result = function(*arguments, **named)
            torch.cuda.synchronize()
            self.seconds.setdefault(part, []).append(time.perf_counter() - start)
            return result

        return timed


@dataclass(frozen=True)
class _Stand:
    """Stands in for a module, and calls another function in its place."""

    module: Any
    function: Callable[..., Any]

    def __call__(self, *arguments: Any, **named: Any) -> Any:
        """The function."""
        return self.function(*arguments, **named)

    def __getattr__(self, name: str) -> Any:
        """All else is the module's."""
        return getattr(self.module, name)


@dataclass(frozen=True)
class Inputs:
    """What both are given."""

    prompt: EncodedPrompt
    picture: Array | None
    noise: Array
    width: int
    height: int


def make_inputs(size: str, text_to_image: bool) -> Inputs:
    """A prompt of 40 random tokens and padding, a picture, noise as a seed draws it."""
    from lumc.dsl.dtypes import DType
    from lumc.runtime.pipelines.noise import NoiseGenerator
    from lumc.runtime.random_tensors import smooth_picture

    width, height = map(int, size.split("x"))
    generator = np.random.default_rng(SEED)
    ids = np.full(TEXT_TOKENS, 151643, np.int32)
    ids[:40] = generator.integers(0, 150000, 40)
    mask = (np.arange(TEXT_TOKENS) < 40).astype(np.int32)
    picture = None if text_to_image else smooth_picture(width, height)
    noise = NoiseGenerator(SEED).normal((128, height // 16, width // 16), DType.BF16)
    return Inputs(EncodedPrompt(ids, mask, "", 0), picture, noise, width, height)


def peer_request(peer: Any, inputs: Inputs, output: str = "pil") -> tuple[Any, Array]:
    """A picture of the peer, and its last latents as tokens."""
    import torch
    from PIL import Image

    last: list[Any] = []

    def keep(_: Any, step: int, time_step: Any, tensors: dict[str, Any]) -> dict[str, Any]:
        last[:] = [tensors["latents"]]
        return {}

    dtype = peer.transformer.dtype
    noise = torch.from_numpy(inputs.noise.astype(np.float32))[None].to("cuda", dtype)
    picture = None if inputs.picture is None else Image.fromarray(inputs.picture)
    with torch.inference_mode():
        (made,) = peer(
            image=picture,
            prompt="a prompt",
            width=inputs.width,
            height=inputs.height,
            num_inference_steps=STEPS,
            latents=noise,
            output_type=output,
            return_dict=False,
            callback_on_step_end=keep,
        )
    return made, as_array(last[0].float())[0]


def exact_latents(peer: Any, inputs: Inputs) -> Array:
    """The last latents of the peer in f32, of the same weights; it is in bf16 again afterwards."""
    import torch

    torch.backends.cuda.matmul.allow_tf32 = False
    torch.backends.cudnn.allow_tf32 = False
    modules = (peer.text_encoder, peer.transformer, peer.vae)
    torch.set_default_dtype(torch.float32)
    for module in modules:
        module.float()
    _, latents = peer_request(peer, inputs, "latent")
    for module in modules:
        module.bfloat16()
    torch.set_default_dtype(torch.bfloat16)
    torch.backends.cudnn.benchmark = True
    torch.cuda.empty_cache()
    return latents


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


def relative_error(found: Array, wanted: Array) -> float:
    """The L2 norm of the difference over that of what is wanted."""
    exact = wanted.astype(np.float64)
    return float(np.linalg.norm(found.astype(np.float64) - exact) / np.linalg.norm(exact))


def run(
    folder: Path, size: str, text_to_image: bool, parts: list[str], runs: int, out: Path | None
) -> None:
    """Compare; what is quick and matters most comes first."""
    import torch

    findings = Findings(out)
    key = f"{size}{' text-to-image' if text_to_image else ''}"
    findings.note("request", f"{key}: {PROMPTS.get(size, '')}")
    findings.note("gpu", torch.cuda.get_device_name())
    inputs = make_inputs(size, text_to_image)
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
