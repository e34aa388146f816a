"""Specs of well-known models against the same models written independently in plain NumPy."""

from __future__ import annotations

import math
from collections.abc import Callable
from typing import Any

import numpy as np

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
    softmax,
)
from tests.specs.spec_support import (
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


def linear_in(w: dict[str, Real]) -> Callable[[Real, str], Real]:
    """``x Wᵀ + b`` by the layer's name; the bias may be absent."""

    def linear(x: Real, name: str) -> Real:
        y = x @ w[f"{name}.weight"].T
        return np.asarray(y + w[f"{name}.bias"] if f"{name}.bias" in w else y)

    return linear


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


# --- parts of picture models; each expectation was held against the models' own implementations


def pairs_turned(x: Real, angles: Real) -> Real:
    """Adjacent pairs turned by an angle each."""
    turned = (x[..., 0::2] + 1j * x[..., 1::2]) * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], -1).reshape(x.shape)


def rotary_angles(places: Array, widths: list[int], theta: float) -> Real:
    """For tokens x coordinates: each coordinate has its width of rotary dimensions."""
    return np.concatenate(
        [
            places[:, [axis]] * theta ** (-np.arange(0, width, 2) / width)
            for axis, width in enumerate(widths)
        ],
        1,
    )


def wave(x: float) -> Real:
    angle = x * 10000.0 ** (-np.arange(128) / 128)
    return np.concatenate([np.cos(angle), np.sin(angle)])


def plain_t5(w: dict[str, Real], ids: Array) -> Real:
    linear = linear_in(w)
    x = w["shared.weight"][ids]
    at = "encoder.block.0.layer.0.SelfAttention.relative_attention_bias.weight"
    distance = np.arange(len(ids))[None] - np.arange(len(ids))[:, None]
    far = 8 + np.log(np.maximum(np.abs(distance), 1) / 8) / np.log(16) * 8
    bucket = np.where(np.abs(distance) < 8, np.abs(distance), np.minimum(far.astype(int), 15))
    bias = w[at][bucket + 16 * (distance > 0)].transpose(2, 0, 1)
    for n in range(3):
        at = f"encoder.block.{n}.layer.0"
        a = rms_norm(x, w[f"{at}.layer_norm.weight"], 1e-6)
        q, k, v = (heads_of(linear(a, f"{at}.SelfAttention.{m}"), 4) for m in "qkv")
        p = softmax(q @ k.swapaxes(1, 2) + bias)
        x = x + linear((p @ v).swapaxes(0, 1).reshape(len(x), -1), f"{at}.SelfAttention.o")
        at = f"encoder.block.{n}.layer.1"
        b = rms_norm(x, w[f"{at}.layer_norm.weight"], 1e-6)
        f = gelu_tanh(linear(b, f"{at}.DenseReluDense.wi_0"))
        x = x + linear(f * linear(b, f"{at}.DenseReluDense.wi_1"), f"{at}.DenseReluDense.wo")
    return rms_norm(x, w["encoder.final_layer_norm.weight"], 1e-6)


def plain_clip(w: dict[str, Real], ids: Array) -> Real:
    linear = linear_in(w)

    def norm(x: Real, name: str) -> Real:
        return layer_norm(x, w[f"{name}.weight"], w[f"{name}.bias"], 1e-5)

    at = "text_model.embeddings"
    x = w[f"{at}.token_embedding.weight"][ids] + w[f"{at}.position_embedding.weight"]
    for n in range(3):
        at = f"text_model.encoder.layers.{n}"
        a = norm(x, f"{at}.layer_norm1")
        q, k, v = (heads_of(linear(a, f"{at}.self_attn.{m}_proj"), 4) for m in "qkv")
        x = x + linear(attention(q, k, v, causal(77)), f"{at}.self_attn.out_proj")
        u = linear(norm(x, f"{at}.layer_norm2"), f"{at}.mlp.fc1")
        x = x + linear(u / (1 + np.exp(-1.702 * u)), f"{at}.mlp.fc2")
    return norm(x, "text_model.final_layer_norm")


def plain_zimage(w: dict[str, Real], latents: Array, text: Array, time: float) -> Real:
    linear = linear_in(w)
    level = linear(silu(linear(wave(1000 * time), "t_embedder.mlp.0")), "t_embedder.mlp.2")
    patches = latents[:, 0].reshape(16, 4, 2, 6, 2).transpose(1, 3, 2, 4, 0).reshape(24, 64)
    x = linear(patches.astype(np.float64), "all_x_embedder.2-1")
    x = np.concatenate([x, w["x_pad_token"].repeat(8, 0)])
    y = rms_norm(text.astype(np.float64), w["cap_embedder.0.weight"], 1e-5)
    y = np.concatenate([linear(y, "cap_embedder.1"), w["cap_pad_token"].repeat(12, 0)])
    places = np.zeros((64, 3))
    places[:24] = [(33, r, s) for r in range(4) for s in range(6)]
    places[32:, 0] = np.arange(1, 33)
    angles = rotary_angles(places, [8, 12, 12], 256.0)

    def block(x: Real, at: str, angles: Real, modulated: bool = True) -> Real:
        scale1 = gate1 = scale2 = gate2 = np.ones(64)
        if modulated:
            m = np.split(linear(level, f"{at}.adaLN_modulation.0"), 4)
            scale1, scale2 = 1 + m[0], 1 + m[2]
            gate1, gate2 = np.tanh(m[1]), np.tanh(m[3])

        def norm(x: Real, name: str) -> Real:
            return rms_norm(x, w[f"{at}.{name}.weight"], 1e-5)

        a = norm(x, "attention_norm1") * scale1
        q, k, v = (heads_of(linear(a, f"{at}.attention.to_{n}"), 2) for n in "qkv")
        q = pairs_turned(norm(q, "attention.norm_q"), angles)
        k = pairs_turned(norm(k, "attention.norm_k"), angles)
        o = linear(attention(q, k, v), f"{at}.attention.to_out.0")
        x = x + gate1 * norm(o, "attention_norm2")
        d = norm(x, "ffn_norm1") * scale2
        f = silu(linear(d, f"{at}.feed_forward.w1")) * linear(d, f"{at}.feed_forward.w3")
        return x + gate2 * norm(linear(f, f"{at}.feed_forward.w2"), "ffn_norm2")

    x = block(x, "noise_refiner.0", angles[:32])
    y = block(y, "context_refiner.0", angles[32:], modulated=False)
    h = np.concatenate([x, y])
    for n in range(2):
        h = block(h, f"layers.{n}", angles)
    at = "all_final_layer.2-1"
    out = layer_norm(h[:24]) * (1 + linear(silu(level), f"{at}.adaLN_modulation.1"))
    out = linear(out, f"{at}.linear").reshape(4, 6, 2, 2, 16)
    return out.transpose(4, 0, 2, 1, 3).reshape(16, 1, 8, 12)


def plain_flux1(
    w: dict[str, Real], latents: Array, text: Array, pooled: Array, sigma: float, guidance: float
) -> Real:
    linear = linear_in(w)

    def embedded(x: Real, name: str) -> Real:
        at = f"time_text_embed.{name}"
        return linear(silu(linear(x, f"{at}.linear_1")), f"{at}.linear_2")

    level = embedded(wave(1000 * sigma), "timestep_embedder")
    level = level + embedded(wave(1000 * guidance), "guidance_embedder")
    level = silu(level + embedded(pooled.astype(np.float64), "text_embedder"))
    places = np.zeros((12 + 24, 3))
    places[12:, 1:] = [(r, s) for r in range(4) for s in range(6)]
    angles = rotary_angles(places, [4, 14, 14], 10000.0)
    x = linear(latents.astype(np.float64), "x_embedder")
    y = linear(text.astype(np.float64), "context_embedder")

    def norm(x: Real, name: str) -> Real:
        return rms_norm(heads_of(x, 2), w[f"{name}.weight"], 1e-6)

    def joint(parts: list[list[Real]]) -> Real:
        q, k, v = (np.concatenate(part, 1) for part in zip(*parts, strict=True))
        return attention(pairs_turned(q, angles), pairs_turned(k, angles), v)

    for n in range(2):
        at = f"transformer_blocks.{n}"
        mx = np.split(linear(level, f"{at}.norm1.linear"), 6)
        my = np.split(linear(level, f"{at}.norm1_context.linear"), 6)
        a = layer_norm(y) * (1 + my[1]) + my[0]
        b = layer_norm(x) * (1 + mx[1]) + mx[0]
        at = f"{at}.attn"
        q = norm(linear(a, f"{at}.add_q_proj"), f"{at}.norm_added_q")
        k = norm(linear(a, f"{at}.add_k_proj"), f"{at}.norm_added_k")
        words = [q, k, heads_of(linear(a, f"{at}.add_v_proj"), 2)]
        q = norm(linear(b, f"{at}.to_q"), f"{at}.norm_q")
        k = norm(linear(b, f"{at}.to_k"), f"{at}.norm_k")
        o = joint([words, [q, k, heads_of(linear(b, f"{at}.to_v"), 2)]])
        y = y + my[2] * linear(o[:12], f"{at}.to_add_out")
        x = x + mx[2] * linear(o[12:], f"{at}.to_out.0")
        at = f"transformer_blocks.{n}"
        b = layer_norm(x) * (1 + mx[4]) + mx[3]
        x = x + mx[5] * linear(gelu_tanh(linear(b, f"{at}.ff.net.0.proj")), f"{at}.ff.net.2")
        a = gelu_tanh(linear(layer_norm(y) * (1 + my[4]) + my[3], f"{at}.ff_context.net.0.proj"))
        y = y + my[5] * linear(a, f"{at}.ff_context.net.2")
    h = np.concatenate([y, x])
    for n in range(2):
        at = f"single_transformer_blocks.{n}"
        m = np.split(linear(level, f"{at}.norm.linear"), 3)
        a = layer_norm(h) * (1 + m[1]) + m[0]
        q = norm(linear(a, f"{at}.attn.to_q"), f"{at}.attn.norm_q")
        k = norm(linear(a, f"{at}.attn.to_k"), f"{at}.attn.norm_k")
        o = joint([[q, k, heads_of(linear(a, f"{at}.attn.to_v"), 2)]])
        both = np.concatenate([o, gelu_tanh(linear(a, f"{at}.proj_mlp"))], 1)
        h = h + m[2] * linear(both, f"{at}.proj_out")
    scale, shift = np.split(linear(level, "norm_out.linear"), 2)
    return linear(layer_norm(h[12:]) * (1 + scale) + shift, "proj_out")


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
