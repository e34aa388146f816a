"""The tiny FLUX.2 Klein stages whose results are known, with what goes in and must come out."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

Array = npt.NDArray[Any]
Tensors = dict[str, Array]

ROOT = Path(__file__).resolve().parents[1]
_GOLDEN = ROOT / "tests" / "data" / "golden"
# Relative L2 errors that storing tensors in these types leaves room for.
TOLERANCES = {"f32": 1e-3, "bf16": 2e-2}


@dataclass(frozen=True, slots=True)
class GoldenStage:
    """A stage of ``specs/flux2_klein.lum`` and the golden files that hold its results."""

    stage: str
    golden: str
    inputs: Callable[[Tensors, Tensors], Tensors]
    expected: Callable[[Tensors], Array]
    config: str = "tiny"
    settings: Mapping[str, str] = field(default_factory=dict)

    def tensors(self) -> tuple[Tensors, Tensors, Array]:
        """The weights, the inputs, and what must come out."""
        io = load_file(_GOLDEN / self.golden / "io.safetensors")
        weights = load_file(_GOLDEN / self.golden / "weights.safetensors")
        return weights, self.inputs(io, weights), self.expected(io)


def _transformer_inputs(io: Tensors, _: Tensors) -> Tensors:
    tokens = io["in.hidden_states"][0]
    return {
        "noise": tokens[:24],
        "reference": tokens[24:],
        "text": io["in.encoder_hidden_states"][0],
        "sigma": io["in.timestep"][0],
    }


def _packed_latents(io: Tensors, weights: Tensors) -> Tensors:
    latents = io["in.z"][0]
    c, h, w = latents.shape
    patches = latents.reshape(c, h // 2, 2, w // 2, 2).transpose(1, 3, 0, 2, 4)
    spread = np.sqrt(weights["bn.running_var"] + 1e-4)
    packed = (patches.reshape(-1, 4 * c) - weights["bn.running_mean"]) / spread
    return {"packed": packed.astype(np.float32)}


GOLDEN_STAGES = {
    "text_encoder": GoldenStage(
        "text_encoder",
        "qwen3",
        lambda io, _: {"ids": io["in.input_ids"][0], "mask": io["in.attention_mask"][0]},
        lambda io: io["out.prompt_embeds"][0],
    ),
    "vae_encoder": GoldenStage(
        "vae_encoder",
        "vae_flux2",
        lambda io, _: {"image": io["in.image"][0]},
        lambda io: io["out.tokens"][0],
        settings={"references": "[[96, 64]]"},
    ),
    "transformer": GoldenStage(
        "transformer",
        "flux2_transformer",
        _transformer_inputs,
        lambda io: io["out.sample"][0, :24],
    ),
    "transformer_hd128": GoldenStage(
        "transformer",
        "flux2_transformer_hd128",
        _transformer_inputs,
        lambda io: io["out.sample"][0, :24],
        config="tiny_hd128",
    ),
    "vae_decoder": GoldenStage(
        "vae_decoder", "vae_flux2", _packed_latents, lambda io: io["out.decoded"][0]
    ),
}
