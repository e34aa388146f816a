"""Specs of well-known models against the same models written independently in plain NumPy."""

from __future__ import annotations

import ast
import math
import re
from typing import Any

import numpy as np
import pytest

from tests.specs.plain_math import (
    Real,
    attention,
    causal,
    convolution,
    gelu,
    gelu_tanh,
    group_norm,
    heads_of,
    layer_norm,
    rms_norm,
    silu,
)
from tests.specs.plain_transformers import (
    linear_in,
    plain_clip,
    plain_flux1,
    plain_qwen_image,
    plain_t5,
    plain_zimage,
)
from tests.specs.spec_support import (
    SPECS,
    Array,
    Tensors,
    assert_close,
    program_of,
    random_weights,
    run,
)

TOLERANCE = 1e-5


def prepared(spec: str, stage: str, seed: int = 5) -> tuple[Any, Tensors, dict[str, Real]]:
    program = program_of(spec, stage, "tiny")
    weights = random_weights(program, seed)
    return program, weights, {name: values.astype(np.float64) for name, values in weights.items()}


def token_ids(count: int, vocabulary: int) -> Array:
    return np.random.default_rng(9).integers(0, vocabulary, count)


def test_llama() -> None:
    program, weights, w = prepared("llama", "logits")
    linear = linear_in(w)
    ids = token_ids(11, 61)
    (got,) = run(program, {"ids": ids}, weights)

    def turn(x: Real) -> Real:
        half = x.shape[-1] // 2
        angle = np.arange(11)[:, None] * 500000.0 ** (-np.arange(half) / half)
        turned = (x[..., :half] + 1j * x[..., half:]) * np.exp(1j * angle)
        return np.concatenate([turned.real, turned.imag], -1)

    x = w["model.embed_tokens.weight"][ids]
    for n in range(2):
        at = f"model.layers.{n}"
        a = rms_norm(x, w[f"{at}.input_layernorm.weight"], 1e-5)
        q = turn(heads_of(linear(a, f"{at}.self_attn.q_proj"), 6))
        k = turn(heads_of(linear(a, f"{at}.self_attn.k_proj"), 2)).repeat(3, 0)
        v = heads_of(linear(a, f"{at}.self_attn.v_proj"), 2).repeat(3, 0)
        x = x + linear(attention(q, k, v, causal(11)), f"{at}.self_attn.o_proj")
        b = rms_norm(x, w[f"{at}.post_attention_layernorm.weight"], 1e-5)
        f = silu(linear(b, f"{at}.mlp.gate_proj")) * linear(b, f"{at}.mlp.up_proj")
        x = x + linear(f, f"{at}.mlp.down_proj")
    assert_close(got, linear(rms_norm(x, w["model.norm.weight"], 1e-5), "lm_head"), TOLERANCE)


def test_gpt2() -> None:
    program, weights, w = prepared("gpt2", "logits")
    ids = token_ids(13, 53)
    (got,) = run(program, {"ids": ids}, weights)

    def affine(x: Real, name: str) -> Real:
        return np.asarray(x @ w[f"{name}.weight"] + w[f"{name}.bias"])

    def norm(x: Real, name: str) -> Real:
        return layer_norm(x, w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)

    x = w["wte.weight"][ids] + w["wpe.weight"][:13]
    for n in range(2):
        at = f"h.{n}"
        z = affine(norm(x, f"{at}.ln_1"), f"{at}.attn.c_attn")
        q, k, v = (heads_of(part, 5) for part in np.split(z, 3, 1))
        x = x + affine(attention(q, k, v, causal(13)), f"{at}.attn.c_proj")
        u = affine(norm(x, f"{at}.ln_2"), f"{at}.mlp.c_fc")
        x = x + affine(gelu_tanh(u), f"{at}.mlp.c_proj")
    assert_close(got, norm(x, "ln_f") @ w["wte.weight"].T, TOLERANCE)


def test_vit() -> None:
    program, weights, w = prepared("vit", "classify")
    linear = linear_in(w)
    image = np.random.default_rng(2).standard_normal((3, 20, 20)).astype(np.float32)
    (got,) = run(program, {"image": image}, weights)

    def norm(x: Real, name: str) -> Real:
        return layer_norm(x, w[f"{name}.weight"], w[f"{name}.bias"], 1e-12)

    at = "vit.embeddings"
    kernel = w[f"{at}.patch_embeddings.projection.weight"]
    bias = w[f"{at}.patch_embeddings.projection.bias"]
    patches = convolution(image.astype(np.float64), kernel, bias, stride=4).reshape(24, -1).T
    x = np.concatenate([w[f"{at}.cls_token"][0], patches]) + w[f"{at}.position_embeddings"][0]
    for n in range(2):
        at = f"vit.encoder.layer.{n}"
        a = norm(x, f"{at}.layernorm_before")
        names = ("query", "key", "value")
        q, k, v = (heads_of(linear(a, f"{at}.attention.attention.{m}"), 3) for m in names)
        x = x + linear(attention(q, k, v), f"{at}.attention.output.dense")
        u = linear(norm(x, f"{at}.layernorm_after"), f"{at}.intermediate.dense")
        x = x + linear(gelu(u), f"{at}.output.dense")
    assert_close(got, linear(norm(x[0], "vit.layernorm"), "classifier"), TOLERANCE)


def test_sd15_unet() -> None:
    program, weights, w = prepared("sd15_unet", "denoise")
    linear = linear_in(w)
    generator = np.random.default_rng(4)
    latents = generator.standard_normal((4, 8, 16)).astype(np.float32)
    text = generator.standard_normal((5, 12)).astype(np.float32)
    (got,) = run(program, {"latents": latents, "text": text, "time": np.float32(37)}, weights)

    def conv(x: Real, name: str, stride: int = 1) -> Real:
        kernel = w[f"{name}.weight"]
        return convolution(x, kernel, w[f"{name}.bias"], stride, kernel.shape[-1] // 2)

    def group(x: Real, name: str, eps: float) -> Real:
        return group_norm(x, w[f"{name}.weight"], w[f"{name}.bias"], eps, 4)

    def layer(x: Real, name: str) -> Real:
        return layer_norm(x, w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)

    wave = 37.0 * 10000.0 ** (-np.arange(4) / 4)
    e = np.concatenate([np.cos(wave), np.sin(wave)])
    level = linear(silu(linear(e, "time_embedding.linear_1")), "time_embedding.linear_2")

    def resnet(x: Real, at: str) -> Real:
        h = conv(silu(group(x, f"{at}.norm1", 1e-5)), f"{at}.conv1")
        h = h + linear(silu(level), f"{at}.time_emb_proj")[:, None, None]
        h = conv(silu(group(h, f"{at}.norm2", 1e-5)), f"{at}.conv2")
        skip = conv(x, f"{at}.conv_shortcut") if f"{at}.conv_shortcut.weight" in w else x
        return skip + h

    def attend(x: Real, z: Real, at: str) -> Real:
        q, k, v = (
            heads_of(linear(of, f"{at}.to_{n}"), 2) for n, of in (("q", x), ("k", z), ("v", z))
        )
        return linear(attention(q, k, v), f"{at}.to_out.0")

    def transformer(x: Real, at: str) -> Real:
        p = conv(group(x, f"{at}.norm", 1e-6), f"{at}.proj_in")
        t = p.reshape(len(p), -1).T
        block = f"{at}.transformer_blocks.0"
        n = layer(t, f"{block}.norm1")
        t = t + attend(n, n, f"{block}.attn1")
        t = t + attend(layer(t, f"{block}.norm2"), text.astype(np.float64), f"{block}.attn2")
        up, gate = np.split(linear(layer(t, f"{block}.norm3"), f"{block}.ff.net.0.proj"), 2, 1)
        t = t + linear(up * gelu(gate), f"{block}.ff.net.2")
        return x + conv(t.T.reshape(x.shape), f"{at}.proj_out")

    fine = conv(latents.astype(np.float64), "conv_in")
    one = transformer(resnet(fine, "down_blocks.0.resnets.0"), "down_blocks.0.attentions.0")
    half = conv(one, "down_blocks.0.downsamplers.0.conv", 2)
    two = resnet(half, "down_blocks.1.resnets.0")
    x = transformer(resnet(two, "mid_block.resnets.0"), "mid_block.attentions.0")
    x = resnet(x, "mid_block.resnets.1")
    for i, skip in enumerate((two, half)):
        x = resnet(np.concatenate([x, skip]), f"up_blocks.0.resnets.{i}")
    x = conv(x.repeat(2, 1).repeat(2, 2), "up_blocks.0.upsamplers.0.conv")
    for i, skip in enumerate((one, fine)):
        x = resnet(np.concatenate([x, skip]), f"up_blocks.1.resnets.{i}")
        x = transformer(x, f"up_blocks.1.attentions.{i}")
    assert_close(got, conv(silu(group(x, "conv_norm_out", 1e-5)), "conv_out"), TOLERANCE)


def test_sd15_unet_has_the_published_parameters() -> None:
    program = program_of("sd15_unet", "denoise", "full")
    assert len(program.weights) == 686
    assert sum(math.prod(program.nodes[n].space) for n in program.weights) == 859_520_964


def normal(*shape: int, seed: int = 6) -> Array:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def test_t5() -> None:
    program, weights, w = prepared("t5", "encoder")
    ids = token_ids(150, 128)
    (got,) = run(program, {"ids": ids}, weights)
    assert_close(got, plain_t5(w, ids), TOLERANCE)


def test_clip_text() -> None:
    program, weights, w = prepared("clip_text", "encoder")
    ids = token_ids(77, 120)
    ids[20:] = 127  # the end, and padding with the same number
    state, pooled = run(program, {"ids": ids}, weights)
    expected = plain_clip(w, ids)
    assert_close(state, expected, TOLERANCE)
    assert_close(pooled, expected[20], TOLERANCE)


def test_zimage() -> None:
    program, weights, w = prepared("zimage", "transformer")
    latents, text = normal(16, 1, 8, 12), normal(20, 48, seed=7)
    inputs = {"latents": latents, "text": text, "time": np.float32(0.25)}
    (got,) = run(program, inputs, weights)
    assert_close(got, plain_zimage(w, latents, text, 0.25), 1e-4)


def test_flux1() -> None:
    program, weights, w = prepared("flux1", "transformer")
    latents, text, pooled = normal(24, 64), normal(12, 48, seed=7), normal(32, seed=8)
    inputs: dict[str, Any] = {"latents": latents, "text": text, "pooled": pooled}
    inputs |= {"sigma": np.float32(0.75), "guidance": np.float32(3.5)}
    (got,) = run(program, inputs, weights)
    assert_close(got, plain_flux1(w, latents, text, pooled, 0.75, 3.5), 1e-4)


def test_flux1_and_zimage_decode_alike() -> None:
    """One autoencoder: FLUX.1 packs its latents in patches of 2 x 2, Z-Image does not."""
    program, weights, _ = prepared("flux1", "vae_decoder")
    latents = normal(16, 8, 12)
    packed = latents.reshape(16, 4, 2, 6, 2).transpose(1, 3, 0, 2, 4).reshape(24, 64)
    (one,) = run(program, {"packed": packed}, weights)
    (other,) = run(program_of("zimage", "vae_decoder", "tiny"), {"latents": latents}, weights)
    np.testing.assert_array_equal(one, other)


@pytest.mark.parametrize("references", [[], [[64, 80]], [[48, 32], [64, 80]]])
@pytest.mark.parametrize("clean", [False, True])
def test_qwen_image(references: list[list[int]], clean: bool) -> None:
    settings = {"references": references, "clean_references": clean}
    program = program_of("qwen_image", "transformer", "tiny", **settings)
    weights = random_weights(program, 5)
    grids = [(h // 16, w // 16) for w, h in [[96, 64], *references]]
    latents = normal(sum(h * w for h, w in grids), 64)
    text = normal(13, 48, seed=7)
    inputs = {"noise": latents[:24], "reference": latents[24:], "text": text}
    (got,) = run(program, {**inputs, "sigma": np.float32(0.75)}, weights)
    w = {name: values.astype(np.float64) for name, values in weights.items()}
    assert_close(got, plain_qwen_image(w, latents, text, 0.75, grids, clean), 1e-4)


def plain_qwen_norm(x: Real, g: Real) -> Real:
    length = np.sqrt((x**2).sum(0, keepdims=True))
    return np.asarray(x / length * math.sqrt(len(x)) * g.reshape(-1, 1, 1))


def test_qwen_image_decoder() -> None:
    settings = {"width": 32, "height": 48}
    program = program_of("qwen_image", "vae_decoder", "tiny", **settings)
    weights = random_weights(program, 5)
    w = {name: values.astype(np.float64) for name, values in weights.items()}
    packed = normal(6, 64)
    (got,) = run(program, {"packed": packed}, weights)

    def conv(x: Real, name: str) -> Real:
        kernel = w[f"{name}.weight"]
        if kernel.ndim == 5:
            kernel = kernel[:, :, -1]
        return convolution(x, kernel, w[f"{name}.bias"], padding=kernel.shape[-1] // 2)

    def activated(x: Real, name: str) -> Real:
        return silu(plain_qwen_norm(x, w[f"{name}.gamma"]))

    def resnet(x: Real, at: str) -> Real:
        h = conv(activated(x, f"{at}.norm1"), f"{at}.conv1")
        h = conv(activated(h, f"{at}.norm2"), f"{at}.conv2")
        return h + (conv(x, f"{at}.conv_shortcut") if f"{at}.conv_shortcut.weight" in w else x)

    spec = (SPECS / "qwen_image.lum").read_text()
    mean, spread = (
        np.array(ast.literal_eval(re.search(rf"param {name} = (\[[^]]*\])", spec)[1]))  # type: ignore[index]
        for name in ("latent_mean", "latent_std")
    )
    z = packed.reshape(3, 2, 16, 2, 2).transpose(2, 0, 3, 1, 4).reshape(16, 6, 4)
    z = z * spread[:, None, None] + mean[:, None, None]
    x = conv(conv(z, "post_quant_conv"), "decoder.conv_in")
    x = resnet(x, "decoder.mid_block.resnets.0")
    at = "decoder.mid_block.attentions.0"
    n = conv(plain_qwen_norm(x, w[f"{at}.norm.gamma"]), f"{at}.to_qkv")
    q, k, v = (part.reshape(1, len(x), -1).swapaxes(1, 2) for part in np.split(n, 3))
    x = x + conv(attention(q, k, v).T.reshape(x.shape), f"{at}.proj")
    x = resnet(x, "decoder.mid_block.resnets.1")
    for block in range(4):
        for i in range(3):
            x = resnet(x, f"decoder.up_blocks.{block}.resnets.{i}")
        if block < 3:
            at = f"decoder.up_blocks.{block}.upsamplers.0.resample.1"
            x = conv(x.repeat(2, 1).repeat(2, 2), at)
    y = conv(activated(x, "decoder.norm_out"), "decoder.conv_out")
    assert_close(got, np.clip(y, -1, 1), 1e-4)
