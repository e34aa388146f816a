"""Transformers of picture models in plain NumPy, at the sizes of the specs' tiny configurations.

Each was held against the model's own implementation, and is what its spec must compute.
"""

from __future__ import annotations

from collections.abc import Callable

import numpy as np

from tests.specs.plain_math import (
    Real,
    attention,
    causal,
    gelu_tanh,
    heads_of,
    layer_norm,
    rms_norm,
    silu,
    softmax,
)
from tests.specs.spec_support import Array


def linear_in(w: dict[str, Real]) -> Callable[[Real, str], Real]:
    """``x Wᵀ + b`` by the layer's name; the bias may be absent."""

    def linear(x: Real, name: str) -> Real:
        y = x @ w[f"{name}.weight"].T
        return np.asarray(y + w[f"{name}.bias"] if f"{name}.bias" in w else y)

    return linear


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


def plain_qwen_image(
    w: dict[str, Real],
    latents: Array,
    text: Array,
    sigma: float,
    grids: list[tuple[int, int]],
    clean: bool = False,
) -> Real:
    """Of the first picture's tokens; ``clean`` references are modulated as at noise level 0."""
    linear = linear_in(w)

    def level_at(sigma: float) -> Real:
        at = "time_text_embed.timestep_embedder"
        return silu(linear(silu(linear(wave(1000 * sigma), f"{at}.linear_1")), f"{at}.linear_2"))

    level = level_at(sigma)
    count = grids[0][0] * grids[0][1]
    reach = max(max(h // 2, w // 2) for h, w in grids)
    places = [np.full((len(text), 3), reach) + np.arange(len(text))[:, None]]
    for number, (height, width) in enumerate(grids):
        r, s = np.mgrid[-(height - height // 2) : height // 2, -(width - width // 2) : width // 2]
        places.append(np.stack([np.full_like(r, number), r, s], -1).reshape(-1, 3))
    angles = rotary_angles(np.concatenate(places), [4, 14, 14], 10000.0)
    x = linear(latents.astype(np.float64), "img_in")
    y = linear(rms_norm(text.astype(np.float64), w["txt_norm.weight"], 1e-6), "txt_in")

    def norm(x: Real, name: str) -> Real:
        return rms_norm(heads_of(x, 2), w[f"{name}.weight"], 1e-6)

    n = 0
    while f"transformer_blocks.{n}.img_mod.1.weight" in w:
        at = f"transformer_blocks.{n}"
        rows = np.repeat(linear(level, f"{at}.img_mod.1")[None], len(x), 0)
        if clean:
            rows[count:] = linear(level_at(0.0), f"{at}.img_mod.1")
        mx, my = np.split(rows, 6, 1), np.split(linear(level, f"{at}.txt_mod.1"), 6)
        a = layer_norm(y) * (1 + my[1]) + my[0]
        b = layer_norm(x) * (1 + mx[1]) + mx[0]
        q = np.concatenate(
            [
                norm(linear(a, f"{at}.attn.add_q_proj"), f"{at}.attn.norm_added_q"),
                norm(linear(b, f"{at}.attn.to_q"), f"{at}.attn.norm_q"),
            ],
            1,
        )
        k = np.concatenate(
            [
                norm(linear(a, f"{at}.attn.add_k_proj"), f"{at}.attn.norm_added_k"),
                norm(linear(b, f"{at}.attn.to_k"), f"{at}.attn.norm_k"),
            ],
            1,
        )
        v = np.concatenate([linear(a, f"{at}.attn.add_v_proj"), linear(b, f"{at}.attn.to_v")])
        o = attention(pairs_turned(q, angles), pairs_turned(k, angles), heads_of(v, 2))
        x = x + mx[2] * linear(o[len(y) :], f"{at}.attn.to_out.0")
        b = linear(layer_norm(x) * (1 + mx[4]) + mx[3], f"{at}.img_mlp.net.0.proj")
        x = x + mx[5] * linear(gelu_tanh(b), f"{at}.img_mlp.net.2")
        n += 1
        if f"{at}.attn.to_add_out.weight" not in w:
            break  # nothing reads the text after the last block
        y = y + my[2] * linear(o[: len(y)], f"{at}.attn.to_add_out")
        a = linear(layer_norm(y) * (1 + my[4]) + my[3], f"{at}.txt_mlp.net.0.proj")
        y = y + my[5] * linear(gelu_tanh(a), f"{at}.txt_mlp.net.2")
    scale, shift = np.split(linear(level, "norm_out.linear"), 2)
    return linear(layer_norm(x[:count]) * (1 + scale) + shift, "proj_out")
