"""The FLUX.2 transformer in plain NumPy, in f64, with positions given token by token.

Written from the published description, independently of the spec: what the spec must compute for
any number of reference pictures.
"""

from __future__ import annotations

import math
from collections.abc import Mapping
from typing import Any

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]
EPS = 1e-6


def _silu(x: Real) -> Real:
    return np.asarray(x / (1 + np.exp(-x)))


def _layer_norm(x: Real) -> Real:
    return np.asarray((x - x.mean(-1, keepdims=True)) / np.sqrt(x.var(-1, keepdims=True) + EPS))


def _rms_norm(x: Real, g: Real) -> Real:
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + EPS) * g)


def _turn(x: Real, angles: Real) -> Real:
    """Heads x tokens x width, adjacent pairs as complex numbers."""
    pairs = x[..., 0::2] + 1j * x[..., 1::2]
    turned = pairs * np.exp(1j * angles)
    return np.stack([turned.real, turned.imag], -1).reshape(x.shape)


def _attention(q: Real, k: Real, v: Real, angles: Real) -> Real:
    q, k = _turn(q, angles), _turn(k, angles)
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    weights = np.exp(scores - scores.max(-1, keepdims=True))
    out = weights / weights.sum(-1, keepdims=True) @ v
    return np.asarray(out.swapaxes(0, 1).reshape(q.shape[1], -1))


def _gated(x: Real) -> Real:
    gate, up = np.split(x, 2, -1)
    return _silu(gate) * up


def grid(picture: int, width: int, height: int) -> npt.NDArray[np.int64]:
    """(picture, row, column, word) of the tokens of a picture, row by row."""
    rows, cols = np.mgrid[0 : height // 16, 0 : width // 16]
    zeros = np.zeros_like(rows)
    places = np.stack([zeros + picture, rows, cols, zeros], -1)
    return np.asarray(places.reshape(-1, 4), np.int64)


def transformer(
    weights: Mapping[str, npt.NDArray[Any]],
    heads: int,
    latents: npt.NDArray[Any],
    text: npt.NDArray[Any],
    sigma: float,
    places: npt.NDArray[np.int64],
) -> Real:
    """Velocity of every picture token. ``latents`` holds the noise and then all references."""
    w = {name: values.astype(np.float64) for name, values in weights.items()}

    def lin(x: Real, name: str) -> Real:
        return np.asarray(x @ w[f"{name}.weight"].T)

    words = np.zeros((len(text), 4), np.int64)
    words[:, 3] = np.arange(len(text))
    frequency = 2000.0 ** -(
        np.arange(0, w["single_transformer_blocks.0.attn.norm_q.weight"].size // 4, 2)
        / (w["single_transformer_blocks.0.attn.norm_q.weight"].size // 4)
    )
    angles = (np.concatenate([words, places])[:, :, None] * frequency).reshape(
        -1, 4 * len(frequency)
    )

    def split(x: Real) -> Real:
        return np.asarray(x.reshape(len(x), heads, -1).swapaxes(0, 1))

    wave = 1000 * sigma * 10000.0 ** (-np.arange(128) / 128)
    level = lin(
        np.concatenate([np.cos(wave), np.sin(wave)]),
        "time_guidance_embed.timestep_embedder.linear_1",
    )
    level = _silu(lin(_silu(level), "time_guidance_embed.timestep_embedder.linear_2"))
    image_modulation = np.split(lin(level, "double_stream_modulation_img.linear"), 6)
    text_modulation = np.split(lin(level, "double_stream_modulation_txt.linear"), 6)
    modulation = np.split(lin(level, "single_stream_modulation.linear"), 3)
    x, y = (
        lin(latents.astype(np.float64), "x_embedder"),
        lin(text.astype(np.float64), "context_embedder"),
    )

    n = 0
    while f"transformer_blocks.{n}.attn.to_q.weight" in w:
        at = f"transformer_blocks.{n}"
        streams = []
        for stream, m, names, norms in (
            (y, text_modulation, ("add_q_proj", "add_k_proj", "add_v_proj"), "norm_added_"),
            (x, image_modulation, ("to_q", "to_k", "to_v"), "norm_"),
        ):
            a = _layer_norm(stream) * (1 + m[1]) + m[0]
            q, k, v = (split(lin(a, f"{at}.attn.{name}")) for name in names)
            q = _rms_norm(q, w[f"{at}.attn.{norms}q.weight"])
            k = _rms_norm(k, w[f"{at}.attn.{norms}k.weight"])
            streams.append((q, k, v))
        q, k, v = (np.concatenate(pair, 1) for pair in zip(*streams, strict=True))
        o = _attention(q, k, v, angles)
        x = x + image_modulation[2] * lin(o[len(y) :], f"{at}.attn.to_out.0")
        y = y + text_modulation[2] * lin(o[: len(y)], f"{at}.attn.to_add_out")
        m = image_modulation
        a = _layer_norm(x) * (1 + m[4]) + m[3]
        x = x + m[5] * lin(_gated(lin(a, f"{at}.ff.linear_in")), f"{at}.ff.linear_out")
        m = text_modulation
        a = _layer_norm(y) * (1 + m[4]) + m[3]
        y = y + m[5] * lin(
            _gated(lin(a, f"{at}.ff_context.linear_in")), f"{at}.ff_context.linear_out"
        )
        n += 1

    h = np.concatenate([y, x])
    width = h.shape[1]
    n = 0
    while f"single_transformer_blocks.{n}.attn.to_out.weight" in w:
        at = f"single_transformer_blocks.{n}.attn"
        z = lin(_layer_norm(h) * (1 + modulation[1]) + modulation[0], f"{at}.to_qkv_mlp_proj")
        q, k, v = (split(z[:, i * width : (i + 1) * width]) for i in range(3))
        o = _attention(
            _rms_norm(q, w[f"{at}.norm_q.weight"]),
            _rms_norm(k, w[f"{at}.norm_k.weight"]),
            v,
            angles,
        )
        both = np.concatenate([o, _gated(z[:, 3 * width :])], 1)
        h = h + modulation[2] * lin(both, f"{at}.to_out")
        n += 1
    scale, shift = np.split(lin(level, "norm_out.linear"), 2)
    return lin(_layer_norm(h[len(y) :]) * (1 + scale) + shift, "proj_out")
