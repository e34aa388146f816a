"""Make a folder with a tiny FLUX.2 Klein as models are published, of random weights.

    python scripts/make_tiny_model.py DIR [--layout folders|single] [--dtype f32|bf16|f16] [--base]

``folders`` is a folder for each part, with weights in several files and an index; ``single`` is one
file for each part, under BFL's names and without config files. The weights are those of
``tests/data/golden``, so what comes out can be compared with what is known there. Equal arguments
give equal files.
"""

from __future__ import annotations

import argparse
import json
from collections.abc import Mapping, Sequence
from pathlib import Path

import numpy as np
import numpy.typing as npt
from tokenizers import Regex, Tokenizer, decoders, models, normalizers, pre_tokenizers, trainers

from lumc.dsl.dtypes import DType
from lumc.runtime.pipelines.name_map import Piece, read_name_map
from lumc.runtime.tensors import TensorFiles, write_tensors

GOLDEN = Path(__file__).parent.parent / "tests" / "data" / "golden"
SHARD_BYTES = 500_000
TEXT_TOKENS = 16
VOCABULARY = 256
WIDTHS = [8, 16, 32, 32]
Array = npt.NDArray[np.generic]

TRANSFORMER = {
    "_class_name": "Flux2Transformer2DModel",
    "attention_head_dim": 32,
    "axes_dims_rope": [8, 8, 8, 8],
    "eps": 1e-06,
    "guidance_embeds": False,
    "in_channels": 128,
    "joint_attention_dim": 192,
    "mlp_ratio": 3.0,
    "num_attention_heads": 2,
    "num_layers": 2,
    "num_single_layers": 3,
    "out_channels": None,
    "patch_size": 1,
    "rope_theta": 2000,
    "timestep_guidance_channels": 256,
}
TEXT_ENCODER = {
    "architectures": ["Qwen3ForCausalLM"],
    "attention_bias": False,
    "head_dim": 32,
    "hidden_act": "silu",
    "hidden_size": 64,
    "intermediate_size": 128,
    "max_position_embeddings": 1024,
    "model_type": "qwen3",
    "num_attention_heads": 4,
    "num_hidden_layers": 8,
    "num_key_value_heads": 2,
    "rms_norm_eps": 1e-06,
    "rope_scaling": None,
    "rope_theta": 1000000,
    "tie_word_embeddings": False,
    "use_sliding_window": False,
    "vocab_size": VOCABULARY,
}
VAE = {
    "_class_name": "AutoencoderKLFlux2",
    "act_fn": "silu",
    "batch_norm_eps": 0.0001,
    "batch_norm_momentum": 0.1,
    "block_out_channels": WIDTHS,
    "in_channels": 3,
    "latent_channels": 32,
    "layers_per_block": 2,
    "mid_block_add_attention": True,
    "norm_num_groups": 4,
    "out_channels": 3,
    "patch_size": [2, 2],
    "sample_size": 1024,
    "use_post_quant_conv": True,
    "use_quant_conv": True,
}
SCHEDULER = {
    "_class_name": "FlowMatchEulerDiscreteScheduler",
    "base_image_seq_len": 256,
    "base_shift": 0.5,
    "max_image_seq_len": 4096,
    "max_shift": 1.15,
    "num_train_timesteps": 1000,
    "shift": 3.0,
    "stochastic_sampling": False,
    "time_shift_type": "exponential",
    "use_dynamic_shifting": True,
}
INDEX = {
    "_class_name": "Flux2KleinPipeline",
    "max_sequence_length": TEXT_TOKENS,
    "scheduler": ["diffusers", "FlowMatchEulerDiscreteScheduler"],
    "text_encoder": ["transformers", "Qwen3ForCausalLM"],
    "text_encoder_out_layers": [2, 4, 6],
    "tokenizer": ["transformers", "Qwen2TokenizerFast"],
    "transformer": ["diffusers", "Flux2Transformer2DModel"],
    "vae": ["diffusers", "AutoencoderKLFlux2"],
}
PARTS = {
    "transformer": ("flux2_transformer", TRANSFORMER, "diffusion_pytorch_model"),
    "text_encoder": ("qwen3", TEXT_ENCODER, "model"),
    "vae": ("vae_flux2", VAE, "diffusion_pytorch_model"),
}
SINGLE_FILES = {
    "transformer": ("flux-2-klein-tiny", "flux2_transformer"),
    "text_encoder": ("qwen_3_tiny", None),
    "vae": ("ae", "flux2_autoencoder"),
}

SPECIAL_TOKENS = ("<|endoftext|>", "<|im_start|>", "<|im_end|>")
MARKS = ("<think>", "</think>")
# How Qwen's tokenizers cut a text into words: endings, letters, single digits, signs, line ends.
WORDS = (
    r"(?i:'s|'t|'re|'ve|'m|'ll|'d)|[^\r\n\p{L}\p{N}]?\p{L}+|\p{N}| ?[^\s\p{L}\p{N}]+[\r\n]*"
    r"|\s*[\r\n]+|\s+(?!\S)|\s+"
)
SENTENCES = (
    "one line\n\nand another\n",
    "user assistant",
    "add a boat to the water",
    "add a hot dog stand in the background",
    "give the dog wings",
    "make the sky red and the house blue",
)
CHAT_TEMPLATE = """\
{%- for message in messages %}
    {{- '<|im_start|>' + message.role + '\\n' + message.content + '<|im_end|>\\n' }}
{%- endfor %}
{%- if add_generation_prompt %}
    {{- '<|im_start|>assistant\\n' }}
    {%- if enable_thinking is defined and enable_thinking is false %}
        {{- '<think>\\n\\n</think>\\n\\n' }}
    {%- endif %}
{%- endif %}
"""


def make_tiny_model(
    folder: Path, layout: str = "folders", dtype: DType = DType.F32, base: bool = False
) -> None:
    """Write the model into ``folder``, which need not exist.

    Args:
        folder: Where to.
        layout: ``folders`` or ``single``.
        dtype: How the weights are stored.
        base: The model says that it is not distilled. The single files say nothing of it.
    """
    write_tokenizer(folder / "tokenizer")
    for part, (golden, config, name) in PARTS.items():
        weights = stored_as(golden_weights(golden), dtype)
        if layout == "single":
            write_single_file(folder, part, weights)
            continue
        write_json(folder / part / "config.json", config)
        write_shards(folder / part, name, weights)
    if layout == "folders":
        write_json(folder / "model_index.json", INDEX | {"is_distilled": not base})
        write_json(folder / "scheduler" / "scheduler_config.json", SCHEDULER)


def golden_weights(name: str) -> dict[str, Array]:
    """The weights of a tiny model among the golden data, and what published files have besides."""
    files = TensorFiles([GOLDEN / name / "weights.safetensors"])
    return {tensor: files.read(tensor) for tensor in files.tensors()}


def stored_as(weights: Mapping[str, Array], dtype: DType) -> dict[str, Array]:
    """The weights with all reals in ``dtype``."""
    return {
        name: values.astype(dtype.numpy) if values.dtype.kind == "f" else values
        for name, values in weights.items()
    }


def write_shards(folder: Path, name: str, weights: Mapping[str, Array]) -> None:
    """Files of about ``SHARD_BYTES`` each, and the index that says which tensor is in which."""
    shards: list[dict[str, Array]] = [{}]
    for tensor, values in weights.items():
        held = sum(other.nbytes for other in shards[-1].values())
        if shards[-1] and held + values.nbytes > SHARD_BYTES:
            shards.append({})
        shards[-1][tensor] = values
    place: dict[str, str] = {}
    for number, shard in enumerate(shards, 1):
        file = f"{name}-{number:05}-of-{len(shards):05}.safetensors"
        write_tensors(folder / file, shard)
        place |= dict.fromkeys(shard, file)
    total = sum(values.nbytes for values in weights.values())
    index = {"metadata": {"total_size": total}, "weight_map": place}
    write_json(folder / f"{name}.safetensors.index.json", index)


def write_single_file(folder: Path, part: str, weights: Mapping[str, Array]) -> None:
    """One file in ``folder`` with the weights under the names that single files have."""
    name, map_name = SINGLE_FILES[part]
    renamed = weights if map_name is None else single_file_tensors(map_name, weights)
    write_tensors(folder / f"{name}.safetensors", renamed)


def single_file_tensors(map_name: str, weights: Mapping[str, Array]) -> dict[str, Array]:
    """What a name map makes ``weights`` from: the map read backwards."""
    name_map = read_name_map(map_name)
    levels = [f"decoder.up.{n}.block.0.norm1.weight" for n in range(len(WIDTHS))]
    pieces: dict[str, dict[Piece, Array]] = {}
    for target, values in weights.items():
        recipe = name_map.recipe_for(target, levels)
        sources = recipe.pieces if recipe else (Piece(target),)
        axis, drop = (recipe.axis, recipe.drop) if recipe else (0, ())
        whole = np.expand_dims(values, drop) if values.ndim else values
        parts = np.split(whole, len(sources), axis) if len(sources) > 1 else [whole]
        for piece, part in zip(sources, parts, strict=True):
            pieces.setdefault(piece.name, {})[piece] = part
    return {name: joined(parts) for name, parts in pieces.items()}


def joined(parts: Mapping[Piece, Array]) -> Array:
    """Parts of rows, one below the other."""
    ordered = sorted(parts, key=lambda piece: piece.first)
    if len(ordered) == 1:
        return parts[ordered[0]]
    return np.concatenate([parts[piece] for piece in ordered])


def write_tokenizer(folder: Path) -> None:
    """A tokenizer with few words, with the special tokens and the chat template of its kind.

    There is room for 256 tokens, so bytes that are no visible ASCII are left out of prompts.
    """
    tokenizer = Tokenizer(models.BPE())
    tokenizer.normalizer = normalizers.NFC()
    tokenizer.pre_tokenizer = pre_tokenizers.Sequence(
        [
            pre_tokenizers.Split(Regex(WORDS), "isolated"),
            pre_tokenizers.ByteLevel(add_prefix_space=False, use_regex=False),
        ]
    )
    tokenizer.decoder = decoders.ByteLevel()
    visible = [chr(code) for code in range(33, 127)]
    trainer = trainers.BpeTrainer(
        vocab_size=VOCABULARY - len(MARKS) - 20,
        special_tokens=list(SPECIAL_TOKENS),
        initial_alphabet=[*visible, "Ġ", "Ċ"],  # the last two stand for space and new line
        show_progress=False,
    )
    tokenizer.train_from_iterator(SENTENCES, trainer)
    tokenizer.add_tokens(list(MARKS))
    folder.mkdir(parents=True, exist_ok=True)
    (folder / "tokenizer.json").write_text(tokenizer.to_str(pretty=True) + "\n", encoding="utf-8")
    (folder / "chat_template.jinja").write_text(CHAT_TEMPLATE, encoding="utf-8")
    config = {
        "eos_token": "<|im_end|>",
        "model_max_length": 1024,
        "pad_token": "<|endoftext|>",
        "tokenizer_class": "Qwen2Tokenizer",
    }
    write_json(folder / "tokenizer_config.json", config)


def write_json(path: Path, content: Mapping[str, object]) -> None:
    """A JSON file, as the libraries write it."""
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(json.dumps(content, indent=2) + "\n", encoding="utf-8")


def main(arguments: Sequence[str] | None = None) -> None:
    """The command."""
    parser = argparse.ArgumentParser(description="Make a folder with a tiny FLUX.2 Klein.")
    parser.add_argument("folder", type=Path)
    parser.add_argument("--layout", choices=["folders", "single"], default="folders")
    parser.add_argument("--dtype", choices=["f32", "bf16", "f16"], default="f32")
    parser.add_argument("--base", action="store_true", help="say that it is not distilled")
    given = parser.parse_args(arguments)
    make_tiny_model(given.folder, given.layout, DType(given.dtype), given.base)


if __name__ == "__main__":
    main()
