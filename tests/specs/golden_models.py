"""What the published implementations of models compute, and how the specs' stages take it.

The tensors lie in ``tests/data/golden``.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np
from safetensors.numpy import load_file

from lumc.dsl.tensor_program import TensorProgram
from tests.specs.spec_support import DATA, Array, Tensors, program_of


@dataclass(frozen=True)
class Golden:
    """A stage at its ``tiny`` sizes, the folder of its tensors, its inputs and its outputs."""

    spec: str
    stage: str
    folder: str
    inputs: Callable[[Tensors], Tensors]
    outputs: Callable[[Tensors], Tensors]
    settings: Mapping[str, int] = field(default_factory=dict)

    def program(self) -> TensorProgram:
        """The stage's tensor program."""
        return program_of(self.spec, self.stage, "tiny", **self.settings)

    def tensors(self) -> tuple[Tensors, Tensors, Tensors]:
        """Inputs, weights, and the outputs that are wanted."""
        place = DATA / "golden" / self.folder
        io = load_file(place / "io.safetensors")
        return self.inputs(io), load_file(place / "weights.safetensors"), self.outputs(io)


def _packed(z: Array) -> Array:
    """Latents as rows of patches of two by two: channel, row, column in a patch."""
    c, h, w = z.shape
    patches = z.reshape(c, h // 2, 2, w // 2, 2).transpose(1, 3, 0, 2, 4)
    return patches.reshape(-1, 4 * c)


def _ids(io: Tensors) -> Tensors:
    return {"ids": io["in.input_ids"][0].astype(np.int32)}


GOLDEN = {
    "t5": Golden(
        "t5",
        "encoder",
        "t5_encoder",
        _ids,
        lambda io: {"features": io["out.last_hidden_state"][0]},
    ),
    "clip_text": Golden(
        "clip_text",
        "encoder",
        "clip_text",
        _ids,
        lambda io: {"state": io["out.last_hidden_state"][0], "pooled": io["out.pooler_output"][0]},
    ),
    "flux1": Golden(
        "flux1",
        "transformer",
        "flux1_transformer",
        lambda io: {
            "latents": io["in.hidden_states"][0],
            "text": io["in.encoder_hidden_states"][0],
            "pooled": io["in.pooled"][0],
            "sigma": io["in.timestep"][0],
            "guidance": io["in.guidance"][0],
        },
        lambda io: {"velocity": io["out.sample"][0]},
    ),
    "flux1_decoder": Golden(
        "flux1",
        "vae_decoder",
        "vae_flux1",
        lambda io: {"packed": _packed(io["in.model_latent"][0])},
        lambda io: {"image": io["out.decoded"][0]},
        {"width": 64, "height": 64},
    ),
    "qwen_image": Golden(
        "qwen_image",
        "transformer",
        "qwenimage_transformer",
        lambda io: {
            "noise": io["in.hidden_states"][0, :24],
            "reference": io["in.hidden_states"][0, 24:],
            "text": io["in.encoder_hidden_states"][0],
            "sigma": io["in.timestep"][0],
        },
        lambda io: {"velocity": io["out.edit"][0, :24]},
    ),
    "qwen_image_encoder": Golden(
        "qwen_image",
        "vae_encoder",
        "vae_qwenimage",
        lambda io: {"image": io["in.image"][0, :, 0]},
        lambda io: {"packed": _packed(io["out.normalized"][0, :, 0])},
        {"width": 48, "height": 32},
    ),
    "zimage": Golden(
        "zimage",
        "transformer",
        "zimage_transformer",
        lambda io: {
            "latents": io["in.latent"],
            "text": io["in.cap_feats"],
            "time": io["in.t"][0],
        },
        lambda io: {"velocity": io["out.sample"]},
    ),
}
