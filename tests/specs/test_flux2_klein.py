"""FLUX.2 Klein on the reference, against what its own implementation computes."""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
from safetensors.numpy import load_file

from lumc.diagnostics import LumcError
from lumc.dsl.tensor_program import Input, TensorProgram
from tests.specs import plain_flux2
from tests.specs.spec_support import (
    DATA,
    Array,
    Tensors,
    assert_close,
    program_of,
    relative_error,
    run,
)

TOLERANCE = 1e-4
SPEC = "flux2_klein"


def golden(name: str) -> tuple[Tensors, Tensors]:
    folder = DATA / "golden" / name
    weights = folder / "weights.safetensors"
    return load_file(folder / "io.safetensors"), load_file(weights) if weights.exists() else {}


def input_shape(program: TensorProgram, name: str) -> tuple[int, ...]:
    nodes = (program.nodes[number] for number in program.inputs)
    return next(node.space for node in nodes if isinstance(node, Input) and node.name == name)


@pytest.mark.parametrize("config", ["klein_9b", "klein_4b"])
@pytest.mark.parametrize(
    ("width", "height", "tokens"), [(512, 512, 2560), (704, 864, 5264), (1200, 800, 8012)]
)
def test_transformer_tokens(config: str, width: int, height: int, tokens: int) -> None:
    program = program_of(SPEC, "transformer", config, width=width, height=height)
    names = ("text", "noise", "reference")
    assert sum(input_shape(program, name)[0] for name in names) == tokens
    # The tokens attend to each other all at once.
    heads = 32 if config == "klein_9b" else 24
    assert any(node.space == (heads, tokens, tokens) for node in program.nodes)


@pytest.mark.parametrize(
    ("config", "name"),
    [("tiny", "flux2_transformer"), ("tiny_hd128", "flux2_transformer_hd128")],
)
def test_transformer(config: str, name: str) -> None:
    io, weights = golden(name)
    tokens = io["in.hidden_states"][0]
    inputs = {
        "noise": tokens[:24],
        "reference": tokens[24:],
        "text": io["in.encoder_hidden_states"][0],
        "sigma": io["in.timestep"][0],
    }
    (velocity,) = run(program_of(SPEC, "transformer", config), inputs, weights)
    assert_close(velocity, io["out.sample"][0, :24], TOLERANCE)


def test_transformer_in_bf16() -> None:
    io, weights = golden("flux2_transformer")
    tokens = io["in.hidden_states"][0]
    inputs = {
        "noise": tokens[:24],
        "reference": tokens[24:],
        "text": io["in.encoder_hidden_states"][0],
        "sigma": io["in.timestep"][0],
    }
    (velocity,) = run(program_of(SPEC, "transformer", "tiny", dtype="bf16"), inputs, weights)
    error = relative_error(velocity, io["out.sample"][0, :24])
    assert 1e-4 < error < 2e-2, "rounded where the text says so, and no worse"


def test_plain_transformer_is_right() -> None:
    """The yardstick of the next test, held against the published implementation itself."""
    io, weights = golden("flux2_transformer")
    places = np.concatenate([plain_flux2.grid(0, 96, 64), plain_flux2.grid(10, 64, 96)])
    text, sigma = io["in.encoder_hidden_states"][0], float(io["in.timestep"][0])
    tokens = io["in.hidden_states"][0]
    velocity = plain_flux2.transformer(weights, 2, tokens, text, sigma, places)
    assert_close(velocity, io["out.sample"][0], TOLERANCE)


@pytest.mark.parametrize(
    "references", [[], [[48, 80]], [[64, 96], [32, 16]], [[16, 16], [80, 48], [32, 64]]]
)
def test_any_number_of_reference_pictures(references: list[list[int]]) -> None:
    _, weights = golden("flux2_transformer")
    program = program_of(
        SPEC, "transformer", "tiny", width=80, height=48, references=references, text_tokens=7
    )
    generator = np.random.default_rng(11)
    count = sum(width // 16 * (height // 16) for width, height in references)
    noise = generator.standard_normal((15, 128)).astype(np.float32)
    reference = generator.standard_normal((count, 128)).astype(np.float32)
    text = generator.standard_normal((7, 192)).astype(np.float32)
    inputs = {"noise": noise, "reference": reference, "text": text, "sigma": np.float32(0.37)}
    (velocity,) = run(program, inputs, weights)

    grids = [plain_flux2.grid(0, 80, 48)]
    grids += [plain_flux2.grid(10 * k, *size) for k, size in enumerate(references, 1)]
    tokens = np.concatenate([noise, reference])
    expected = plain_flux2.transformer(weights, 2, tokens, text, 0.37, np.concatenate(grids))
    assert_close(velocity, expected[:15], TOLERANCE)


@pytest.mark.parametrize("references", [[], [[64, 96]], [[48, 32], [80, 112]]])
def test_sizes_of_the_autoencoder(references: list[list[int]]) -> None:
    encoded = len(references) - 1
    settings: dict[str, Any] = {"references": references, "encoded": max(encoded, 0)}
    program = program_of(SPEC, "vae_encoder", "tiny", width=32, height=48, **settings)
    width, height = references[encoded] if references else (32, 48)
    assert input_shape(program, "image") == (3, height, width)
    assert program.outputs[0].shape == (width * height // 256, 128)
    program = program_of(SPEC, "vae_decoder", "tiny", width=32, height=48, **settings)
    assert program.outputs[0].shape == (3, 48, 32)


def test_text_encoder() -> None:
    io, weights = golden("qwen3")
    inputs = {"ids": io["in.input_ids"][0], "mask": io["in.attention_mask"][0]}
    (features,) = run(program_of(SPEC, "text_encoder", "tiny"), inputs, weights)
    assert_close(features, io["out.prompt_embeds"][0], TOLERANCE)


def test_qwen3() -> None:
    io, weights = golden("qwen3")
    inputs = {"ids": io["in.input_ids"][0], "mask": io["in.attention_mask"][0]}
    (state,) = run(program_of("qwen3", "encoder", "tiny"), inputs, weights)
    assert_close(state, io["out.hidden_states.8"][0], TOLERANCE)
    (score,) = run(program_of("qwen3", "logits", "tiny"), inputs, weights)
    assert_close(score, io["out.logits"][0], TOLERANCE)


def test_vae_encoder() -> None:
    io, weights = golden("vae_flux2")
    program = program_of(SPEC, "vae_encoder", "tiny", references=[[96, 64]])
    image = io["in.image"][0]
    assert image.shape == (3, 64, 96)
    (packed,) = run(program, {"image": image}, weights)
    assert_close(packed, io["out.tokens"][0], TOLERANCE)


def packed_latents(latents: Array, weights: Tensors) -> Array:
    """Latents [c, 2h, 2w] as normalised tokens [h·w, 4c]."""
    c, h, w = latents.shape
    patches = latents.reshape(c, h // 2, 2, w // 2, 2).transpose(1, 3, 0, 2, 4).reshape(-1, 4 * c)
    spread = np.sqrt(weights["bn.running_var"] + 1e-4)
    return np.asarray((patches - weights["bn.running_mean"]) / spread)


def test_vae_decoder() -> None:
    io, weights = golden("vae_flux2")
    packed = packed_latents(io["in.z"][0], weights)
    (image,) = run(program_of(SPEC, "vae_decoder", "tiny"), {"packed": packed}, weights)
    assert_close(image, io["out.decoded"][0], TOLERANCE)


def test_whole_pipeline() -> None:
    io, _ = golden("pipeline_flux2_klein")
    text_io, text_weights = golden("qwen3")
    _, weights = golden("flux2_transformer")
    _, vae_weights = golden("vae_flux2")
    stages = {
        name: program_of(SPEC, name, "tiny")
        for name in ("text_encoder", "vae_encoder", "transformer", "euler_step", "vae_decoder")
    }
    ids, mask = text_io["in.input_ids"][0], text_io["in.attention_mask"][0]
    (text,) = run(stages["text_encoder"], {"ids": ids, "mask": mask}, text_weights)

    pixels = (
        io["in.reference_u8"].astype(np.float32) / 127.5 - 1
    )  # 101 x 70, cropped about its centre
    image = pixels.transpose(2, 0, 1)[:, 2:98, 3:67]
    (reference,) = run(stages["vae_encoder"], {"image": image}, vae_weights)
    assert_close(reference, io["out.image_latents"][0], TOLERANCE)

    latents: Array = io["in.noise"][0].reshape(128, -1).T
    sigmas = io["out.sigmas"]
    for i in range(4):
        inputs = {"noise": latents, "reference": reference, "text": text}
        sigma = io[f"out.step.{i}.timestep_arg"][0]
        (velocity,) = run(stages["transformer"], {**inputs, "sigma": sigma}, weights)
        step = {"latents": latents, "velocity": velocity}
        step |= {"sigma": sigmas[i], "next_sigma": sigmas[i + 1]}
        latents, rounded = run(stages["euler_step"], step, {})
        assert np.array_equal(latents, rounded)
        assert_close(latents, io[f"out.step.{i}.latents"][0], TOLERANCE)
    (image,) = run(stages["vae_decoder"], {"packed": latents}, vae_weights)
    assert_close(image, io["out.vae_raw"][0], TOLERANCE)
    shown = np.clip(image / 2 + 0.5, 0, 1).transpose(1, 2, 0)
    assert_close(shown, io["out.image"][0], TOLERANCE)


@pytest.mark.parametrize(
    ("settings", "shown"),
    [
        ({"width": 500}, "width = 500"),
        ({"references": [[512, 512], [512, 500]]}, "h = 500"),
        ({"references": [[500, 512]]}, "source_width = 500"),
        ({"references": [[512]]}, "references"),
        ({"encoded": 1}, "references"),
        ({"head_dim": 36}, "head_dim = 36"),
    ],
)
def test_sizes_that_cannot_be(settings: dict[str, Any], shown: str) -> None:
    with pytest.raises(LumcError) as caught:
        program_of(SPEC, "transformer", "klein_9b", **settings)
    message = caught.value.render()
    assert shown in message
    assert "flux2_klein.lum:" in message
