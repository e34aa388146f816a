"""The stages of FLUX.2 Klein 9B as Diffusers and Transformers have them, with random weights.

Each says what the same weights and inputs are to lumc, and what lumc must make of them.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np
import numpy.typing as npt
import torch

Array = npt.NDArray[Any]
Tensors = dict[str, torch.Tensor]
Step = Callable[[], torch.Tensor]

TRANSFORMER = {
    "patch_size": 1,
    "in_channels": 128,
    "num_layers": 8,
    "num_single_layers": 24,
    "attention_head_dim": 128,
    "num_attention_heads": 32,
    "joint_attention_dim": 12288,
    "timestep_guidance_channels": 256,
    "mlp_ratio": 3.0,
    "axes_dims_rope": (32, 32, 32, 32),
    "rope_theta": 2000,
    "eps": 1e-6,
    "guidance_embeds": False,
}
QWEN3 = {
    "vocab_size": 151936,
    "hidden_size": 4096,
    "intermediate_size": 12288,
    "num_hidden_layers": 36,
    "num_attention_heads": 32,
    "num_key_value_heads": 8,
    "head_dim": 128,
    "rms_norm_eps": 1e-6,
    "max_position_embeddings": 40960,
    "tie_word_embeddings": False,
    "rope_parameters": {"rope_type": "default", "rope_theta": 1000000.0},
}
_TAPS = (9, 18, 27)
_TEXT_TOKENS = 512
_WORDS = 40
_BN_EPS = 1e-4


@dataclass(frozen=True, slots=True)
class PeerStage:
    """A model with its inputs. ``step`` runs it; ``result`` makes of that what lumc makes."""

    model: torch.nn.Module
    inputs: Tensors
    step: Callable[[Tensors], torch.Tensor]
    result: Callable[[torch.Tensor], torch.Tensor]
    lumc_inputs: dict[str, Array]
    autotuned: bool
    """Compiled with ``max-autotune``; else as torch.compile does at first, in one CUDA graph."""

    def weights(self) -> dict[str, Array]:
        """The weights by name, as lumc reads them."""
        return {name: as_array(tensor) for name, tensor in self.model.state_dict().items()}

    def run(self) -> Array:
        """What the model makes, in f32."""
        return as_array(self.result(self.step(self.inputs)).float())

    def run_in_f32(self) -> Array:
        """The same, computed in f32; the model is in bf16 again afterwards."""
        torch.set_default_dtype(torch.float32)
        self.model.float()
        exact = {n: x.float() if x.is_floating_point() else x for n, x in self.inputs.items()}
        found = as_array(self.result(self.step(exact)).float())
        self.model.bfloat16()
        torch.set_default_dtype(torch.bfloat16)
        torch.cuda.empty_cache()
        return found


def as_array(tensor: torch.Tensor) -> Array:
    """``tensor`` in host memory; bf16 stays bf16."""
    host = tensor.detach().cpu().contiguous()
    is_bf16 = host.dtype is torch.bfloat16
    found: Array = (host.view(torch.int16) if is_bf16 else host).numpy()
    return found.view(ml_dtypes.bfloat16) if is_bf16 else found


def relative_error(found: Array, wanted: Array) -> float:
    """The L2 norm of the difference over that of what is wanted."""
    exact = wanted.astype(np.float64)
    return float(np.linalg.norm(found.astype(np.float64) - exact) / np.linalg.norm(exact))


def peer_stage(stage: str, width: int, height: int) -> PeerStage:
    """The peer of lumc's ``stage`` for pictures of that size, on the GPU."""
    torch.manual_seed(5)
    torch.set_default_dtype(torch.bfloat16)
    makers = {
        "transformer": _transformer,
        "text_encoder": _text_encoder,
        "vae_encoder": _vae_encoder,
        "vae_decoder": _vae_decoder,
    }
    return makers[stage](width, height)


# ------------------------------------------------------------------------------------ transformer


def _transformer(width: int, height: int) -> PeerStage:
    from diffusers import Flux2Transformer2DModel

    with torch.device("cuda"):
        model = Flux2Transformer2DModel(**TRANSFORMER).eval()
    inputs = _transformer_inputs(width, height)
    half = inputs["hidden_states"].shape[1] // 2
    tokens = as_array(inputs["hidden_states"])[0]
    return PeerStage(
        model,
        inputs,
        lambda given: model(**given, guidance=None, return_dict=False)[0],
        lambda made: made[0, :half],
        {
            "noise": tokens[:half],
            "reference": tokens[half:],
            "text": as_array(inputs["encoder_hidden_states"])[0],
            "sigma": as_array(inputs["timestep"])[0].astype(np.float32),
        },
        autotuned=True,
    )


def _transformer_inputs(width: int, height: int) -> Tensors:
    """Random tokens, with one reference of the picture's size."""
    tokens = (width // 16) * (height // 16)
    text = torch.zeros(1, _TEXT_TOKENS, 4, dtype=torch.long)
    text[..., 3] = torch.arange(_TEXT_TOKENS)
    places = torch.cat([_positions(width, height, 0), _positions(width, height, 10)])[None]
    bf16: dict[str, Any] = {"device": "cuda", "dtype": torch.bfloat16}
    return {
        "hidden_states": torch.randn(1, 2 * tokens, 128, **bf16),
        "encoder_hidden_states": torch.randn(1, _TEXT_TOKENS, 12288, **bf16),
        "timestep": torch.tensor([0.7], **bf16),
        "img_ids": places.cuda(),
        "txt_ids": text.cuda(),
    }


def _positions(width: int, height: int, kind: int) -> torch.Tensor:
    """The position of each token of a picture: kind, row, column, 0."""
    rows, columns = height // 16, width // 16
    row = torch.arange(rows).repeat_interleave(columns)
    column = torch.arange(columns).repeat(rows)
    zero = torch.zeros_like(row)
    return torch.stack([zero + kind, row, column, zero], -1)


# ----------------------------------------------------------------------------------- text encoder


def _text_encoder(width: int, height: int) -> PeerStage:
    from transformers import Qwen3Config, Qwen3ForCausalLM

    with torch.device("cuda"):
        model = Qwen3ForCausalLM(Qwen3Config(**QWEN3)).eval()
    ids = torch.randint(0, 150000, (1, _TEXT_TOKENS), device="cuda")
    mask = torch.ones(1, _TEXT_TOKENS, device="cuda", dtype=torch.long)
    mask[:, _WORDS:] = 0

    def step(given: Tensors) -> torch.Tensor:
        states = model(**given, output_hidden_states=True, use_cache=False).hidden_states
        return torch.cat([states[tap] for tap in _TAPS], -1)

    return PeerStage(
        model,
        {"input_ids": ids, "attention_mask": mask},
        step,
        lambda made: made[0],
        {"ids": as_array(ids)[0].astype(np.int32), "mask": as_array(mask)[0].astype(np.int32)},
        autotuned=True,
    )


# ------------------------------------------------------------------------------------ autoencoder


def _autoencoder() -> Any:
    from diffusers import AutoencoderKLFlux2

    with torch.device("cuda"):
        return AutoencoderKLFlux2().eval().to(memory_format=torch.channels_last)


def _vae_encoder(width: int, height: int) -> PeerStage:
    model = _autoencoder()
    image = torch.randn(1, 3, height, width, device="cuda")
    return PeerStage(
        model,
        {"image": image.to(memory_format=torch.channels_last)},
        lambda given: model.encode(given["image"]).latent_dist.mode(),
        lambda made: _packed(made.float(), model),
        {"image": as_array(image)[0]},
        autotuned=False,
    )


def _vae_decoder(width: int, height: int) -> PeerStage:
    model = _autoencoder()
    latents = torch.randn(1, 32, height // 8, width // 8, device="cuda")
    packed = _packed(latents.float(), model).bfloat16()
    return PeerStage(
        model,
        {"z": latents.to(memory_format=torch.channels_last)},
        lambda given: model.decode(given["z"], return_dict=False)[0],
        lambda made: made[0],
        {"packed": as_array(packed)},
        autotuned=False,
    )


def _packed(latents: torch.Tensor, model: Any) -> torch.Tensor:
    """Latents as tokens of patches of 2 × 2, normalised."""
    _, channels, rows, columns = latents.shape
    patches = latents[0].reshape(channels, rows // 2, 2, columns // 2, 2)
    tokens = patches.permute(1, 3, 0, 2, 4).reshape(-1, 4 * channels)
    spread = torch.sqrt(model.bn.running_var.float() + _BN_EPS)
    return (tokens - model.bn.running_mean.float()) / spread
