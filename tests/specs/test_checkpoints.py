"""The weights that the specs name, against the tensors of the published checkpoints."""

from __future__ import annotations

import re
from typing import Any

import pytest

from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import Weight
from tests.specs.spec_support import DATA, program_of

Shapes = dict[str, tuple[int, ...]]


def checkpoint(name: str) -> Shapes:
    shapes: Shapes = {}
    for line in (DATA / "checkpoints" / f"{name}.txt").read_text().splitlines():
        pattern, sizes = line.split(":")
        shape = tuple(map(int, sizes.split()))
        numbered = re.search(r"\{(\d+)\.\.(\d+)\}", pattern)
        if numbered is None:
            shapes[pattern] = shape
            continue
        for n in range(int(numbered[1]), int(numbered[2]) + 1):
            shapes[pattern.replace(numbered[0], str(n))] = shape
    return shapes


def weights_of(spec: str, config: str, *stages: str, **settings: Any) -> Shapes:
    shapes: Shapes = {}
    for stage in stages:
        program = program_of(spec, stage, config, **settings)
        for node in (program.nodes[number] for number in program.weights):
            assert isinstance(node, Weight)
            assert node.dtype is DType.BF16
            assert shapes.setdefault(node.name, node.space) == node.space
    return shapes


def test_the_lists_are_complete() -> None:
    sizes = {name: len(checkpoint(name)) for name in ("flux2_klein_9b", "vae_flux2", "qwen3_8b")}
    assert sizes == {"flux2_klein_9b": 233, "vae_flux2": 251, "qwen3_8b": 399}


@pytest.mark.parametrize(
    ("spec", "config", "stages", "name"),
    [
        ("flux2_klein", "klein_9b", ["transformer"], "flux2_klein_9b"),
        ("flux2_klein", "klein_4b", ["transformer"], "flux2_klein_4b"),
        ("qwen3", "qwen3_8b", ["logits"], "qwen3_8b"),
        ("qwen3", "qwen3_4b", ["logits"], "qwen3_4b"),
        ("flux1", "dev", ["transformer"], "flux1_dev"),
        ("t5", "xxl", ["encoder"], "t5_xxl"),
        ("clip_text", "large", ["encoder"], "clip_large"),
    ],
)
def test_a_spec_names_every_tensor(spec: str, config: str, stages: list[str], name: str) -> None:
    assert weights_of(spec, config, *stages) == checkpoint(name)


def test_zimage_names_every_tensor() -> None:
    # Sizes that need padding: rows for it are tensors too.
    weights = weights_of("zimage", "turbo", "transformer", width=1040, height=1040, caption=50)
    assert weights == checkpoint("zimage_turbo")


def test_qwen_image_names_every_tensor_that_counts() -> None:
    expected = checkpoint("qwen_image")
    for name in list(expected):  # nothing reads the text after the last block
        if re.match(r"transformer_blocks\.59\.(attn\.to_add_out|txt_mlp)\.", name):
            del expected[name]
    assert len(expected) == 1933 - 6
    assert weights_of("qwen_image", "image", "transformer") == expected


@pytest.mark.parametrize(
    ("config", "name"),
    [
        ("klein_9b", "vae_flux2"),
        ("klein_4b", "vae_flux2"),
        ("klein_9b_small_decoder", "vae_flux2_small_decoder"),
    ],
)
def test_both_halves_of_the_autoencoder_name_every_tensor(config: str, name: str) -> None:
    expected = checkpoint(name)
    del expected["bn.num_batches_tracked"]  # a counter of training steps
    assert weights_of("flux2_klein", config, "vae_encoder", "vae_decoder") == expected


@pytest.mark.parametrize("spec", [("flux1", "dev"), ("zimage", "turbo")])
def test_a_decoder_names_its_half_of_the_autoencoder(spec: tuple[str, str]) -> None:
    expected = {k: v for k, v in checkpoint("vae_flux1").items() if k.startswith("decoder.")}
    assert weights_of(*spec, "vae_decoder") == expected


@pytest.mark.parametrize(("config", "name"), [("klein_9b", "qwen3_8b"), ("klein_4b", "qwen3_4b")])
def test_the_text_encoder_needs_the_first_27_layers(config: str, name: str) -> None:
    def needed(tensor: str) -> bool:
        layer = re.match(r"model\.layers\.(\d+)\.", tensor)
        return int(layer[1]) < 27 if layer else tensor == "model.embed_tokens.weight"

    expected = {tensor: shape for tensor, shape in checkpoint(name).items() if needed(tensor)}
    assert weights_of("flux2_klein", config, "text_encoder") == expected
