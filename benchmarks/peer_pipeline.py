"""Diffusers' FLUX.2 Klein 9B as a whole pipeline, of random weights, with its parts timed."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator, Mapping
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import numpy as np
import torch
from PIL import Image

from benchmarks.peer_stages import QWEN3, TRANSFORMER, Array, as_array
from lumc.dsl.dtypes import DType
from lumc.runtime.pipelines.noise import NoiseGenerator
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.random_tensors import smooth_picture
from lumc.runtime.tensors import TensorInfo

SEED = 42


class TorchTensors:
    """A module's tensors, copied to the host one at a time as they are read."""

    def __init__(self, module: Any) -> None:
        """Offer the parameters and buffers of ``module``."""
        self._tensors = dict(module.state_dict())

    def tensors(self) -> Mapping[str, TensorInfo]:
        """All of them, as bf16."""
        return {
            name: TensorInfo("the peer", tuple(tensor.shape), DType.BF16, "BF16")
            for name, tensor in self._tensors.items()
        }

    def read(self, name: str) -> Array:
        """The values of ``name``."""
        return as_array(self._tensors[name].to(torch.bfloat16))


class FixedTokenizer:
    """In the place of a tokenizer: the same tokens for every prompt."""

    def __init__(self, ids: Array, mask: Array) -> None:
        """Give ``ids`` and ``mask`` for all prompts."""
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
        transformer = Flux2Transformer2DModel(**TRANSFORMER).eval()
        vae = AutoencoderKLFlux2().eval()
        vae.bn.running_mean.normal_(0, 0.1)
        vae.bn.running_var.uniform_(0.5, 2)
        text_encoder = Qwen3ForCausalLM(Qwen3Config(**QWEN3)).eval()
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
    steps: int


def make_inputs(size: str, text_to_image: bool, tokens: int, steps: int) -> Inputs:
    """A prompt of 40 random tokens and padding, a picture, noise as a seed draws it."""
    width, height = map(int, size.split("x"))
    generator = np.random.default_rng(SEED)
    ids = np.full(tokens, 151643, np.int32)
    ids[:40] = generator.integers(0, 150000, 40)
    mask = (np.arange(tokens) < 40).astype(np.int32)
    picture = None if text_to_image else smooth_picture(width, height)
    noise = NoiseGenerator(SEED).normal((128, height // 16, width // 16), DType.BF16)
    return Inputs(EncodedPrompt(ids, mask, "", 0), picture, noise, width, height, steps)


def peer_request(peer: Any, inputs: Inputs, output: str = "pil") -> tuple[Any, Array]:
    """A picture of the peer, and its last latents as tokens."""
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
            num_inference_steps=inputs.steps,
            latents=noise,
            output_type=output,
            return_dict=False,
            callback_on_step_end=keep,
        )
    return made, as_array(last[0].float())[0]


def exact_latents(peer: Any, inputs: Inputs) -> Array:
    """The last latents of the peer in f32, of the same weights; it is in bf16 again afterwards."""
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
