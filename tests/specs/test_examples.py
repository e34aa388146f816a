"""Every example spec against the same model written independently in plain NumPy, in f64."""

from __future__ import annotations

import math
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from tests.specs.plain_math import (
    Real,
    convolution,
    gelu,
    group_norm,
    layer_norm,
    sigmoid,
    silu,
    softmax,
)
from tests.specs.spec_support import (
    SPECS,
    Tensors,
    assert_close,
    program_of,
    random_weights,
    run,
)


def normal(*shape: int, seed: int = 1) -> npt.NDArray[np.float32]:
    return np.random.default_rng(seed).standard_normal(shape).astype(np.float32)


def wide(weights: Tensors) -> dict[str, Real]:
    return {name: values.astype(np.float64) for name, values in weights.items()}


def prepared(
    name: str, stage: str, config: str | None = None, seed: int = 7, **settings: Any
) -> tuple[Any, Tensors, dict[str, Real]]:
    program = program_of(f"examples/{name}", stage, config, **settings)
    weights = random_weights(program, seed)
    return program, weights, wide(weights)


def test_mlp() -> None:
    program, weights, w = prepared("mlp", "classify")
    x = normal(5, 19)
    (got,) = run(program, {"x": x}, weights)
    h = gelu(x @ w["layers.0.weight"].T + w["layers.0.bias"])
    assert_close(got, softmax(h @ w["layers.1.weight"].T + w["layers.1.bias"]))


def test_gpt_block() -> None:
    program, weights, w = prepared("gpt_block", "next_token")
    ids = np.random.default_rng(3).integers(0, 37, 13)
    (got,) = run(program, {"ids": ids}, weights)
    x = w["wte.weight"][ids] + w["wpe.weight"]
    a = layer_norm(x, w["h.0.ln_1.weight"], w["h.0.ln_1.bias"], 1e-5)
    z = a @ w["h.0.attn.c_attn.weight"] + w["h.0.attn.c_attn.bias"]
    q, k, v = (part.reshape(13, 3, 8).swapaxes(0, 1) for part in np.split(z, 3, 1))
    scores = q @ k.swapaxes(1, 2) / math.sqrt(8)
    scores[:, np.triu(np.ones((13, 13), bool), 1)] = -np.inf
    o = (softmax(scores) @ v).swapaxes(0, 1).reshape(13, 24)
    x = x + o @ w["h.0.attn.c_proj.weight"] + w["h.0.attn.c_proj.bias"]
    a = layer_norm(x, w["h.0.ln_2.weight"], w["h.0.ln_2.bias"], 1e-5)
    u = a @ w["h.0.mlp.c_fc.weight"] + w["h.0.mlp.c_fc.bias"]
    f = 0.5 * u * (1 + np.tanh(math.sqrt(2 / math.pi) * (u + 0.044715 * u**3)))
    x = x + f @ w["h.0.mlp.c_proj.weight"] + w["h.0.mlp.c_proj.bias"]
    assert_close(got, layer_norm(x, w["ln_f.weight"], w["ln_f.bias"], 1e-5) @ w["wte.weight"].T)


def test_unet_block() -> None:
    program, weights, w = prepared("unet_block", "denoise")
    image, level = normal(6, 12, 10), normal(11, seed=2)
    (got,) = run(program, {"image": image, "level": level}, weights)

    def residual(x: Real, at: str) -> Real:
        p = {k.removeprefix(f"{at}."): v for k, v in w.items() if k.startswith(at)}
        a = silu(group_norm(x, p["norm1.weight"], p["norm1.bias"], 1e-5, 3))
        h = convolution(a, p["conv1.weight"], p["conv1.bias"], padding=1)
        h += (p["time.weight"] @ silu(level.astype(np.float64)) + p["time.bias"])[:, None, None]
        a = silu(group_norm(h, p["norm2.weight"], p["norm2.bias"], 1e-5, 3))
        skip = convolution(x, p["skip.weight"], p["skip.bias"])
        return convolution(a, p["conv2.weight"], p["conv2.bias"], padding=1) + skip

    fine = residual(image.astype(np.float64), "blocks.0")
    small = convolution(fine, w["down.weight"], w["down.bias"], stride=2, padding=1)
    coarse = residual(small, "blocks.1")
    large = coarse.repeat(2, 1).repeat(2, 2)
    back = convolution(large, w["up.weight"], w["up.bias"], padding=1)
    assert_close(got, residual(np.concatenate([fine, back]), "blocks.2"))


def test_resnet_block() -> None:
    program, weights, w = prepared("resnet_block", "features")
    image = normal(3, 29, 23)
    (got,) = run(program, {"image": image}, weights)

    def norm(x: Real, at: str) -> Real:
        p = [
            w[f"{at}.{n}"][:, None, None] for n in ("running_mean", "running_var", "weight", "bias")
        ]
        return (x - p[0]) / np.sqrt(p[1] + 1e-5) * p[2] + p[3]

    x = convolution(image.astype(np.float64), w["conv1.weight"], None, stride=2, padding=3)
    x = np.maximum(norm(x, "bn1"), 0)
    padded = np.pad(x, ((0, 0), (1, 1), (1, 1)), constant_values=-np.inf)
    windows = np.lib.stride_tricks.sliding_window_view(padded, (3, 3), (1, 2))
    x = windows[:, ::2, ::2].max((3, 4))
    at = "layer1.0"
    h = convolution(x, w[f"{at}.conv1.weight"], None, stride=2, padding=1)
    h = np.maximum(norm(h, f"{at}.bn1"), 0)
    h = norm(convolution(h, w[f"{at}.conv2.weight"], None, padding=1), f"{at}.bn2")
    skip = convolution(x, w[f"{at}.downsample.0.weight"], None, stride=2)
    y = np.maximum(h + norm(skip, f"{at}.downsample.1"), 0)
    assert_close(got, y.mean((1, 2)))


@pytest.mark.parametrize("room", [6, 21])
def test_mixture_of_experts(room: int) -> None:
    program, weights, w = prepared("mixture_of_experts", "layer", room=room)
    x = normal(21, 10)
    (got,) = run(program, {"x": x}, weights)
    gate = softmax(x @ w["router.weight"].T)
    expected = x.astype(np.float64)
    used = [0] * 4
    dropped = 0
    for t, row in enumerate(x.astype(np.float64)):
        e = int(gate[t].argmax())
        used[e] += 1
        if used[e] > room:
            dropped += 1
            continue
        h = np.maximum(w["experts.w1"][e] @ row, 0)
        expected[t] += gate[t, e] * (w["experts.w2"][e] @ h)
    assert (dropped > 0) == (room == 6), "the case with too little room must be among these"
    assert_close(got, expected)


def test_depthwise_conv() -> None:
    program, weights, w = prepared("depthwise_conv", "block")
    x = normal(6, 11, 9)
    (got,) = run(program, {"x": x}, weights)
    d = np.concatenate(
        [
            convolution(
                x[c : c + 1].astype(np.float64),
                w["dwconv.weight"][c][None, None],
                w["dwconv.bias"][c : c + 1],
                padding=6,
                dilation=2,
            )
            for c in range(6)
        ]
    )
    a = layer_norm(d.transpose(1, 2, 0), w["norm.weight"], w["norm.bias"], 1e-6)
    h = gelu(a @ w["pwconv1.weight"].T + w["pwconv1.bias"])
    y = (h @ w["pwconv2.weight"].T + w["pwconv2.bias"]) * w["gamma"]
    assert_close(got, x + y.transpose(2, 0, 1))


def test_lstm() -> None:
    program, weights, w = prepared("lstm", "sequence")
    x = normal(5, 3, 7)
    states, memory = run(program, {"x": x}, weights)
    h, m = np.zeros((3, 9)), np.zeros((3, 9))
    expected = []
    for row in x.astype(np.float64):
        z = row @ w["lstm.weight_ih_l0"].T + h @ w["lstm.weight_hh_l0"].T
        z = z + w["lstm.bias_ih_l0"] + w["lstm.bias_hh_l0"]
        i, f, g, o = np.split(z, 4, 1)
        m = sigmoid(f) * m + sigmoid(i) * np.tanh(g)
        h = sigmoid(o) * np.tanh(m)
        expected.append(h)
    assert_close(states, np.stack(expected))
    assert_close(memory, m)


def test_message_passing() -> None:
    program, weights, w = prepared("message_passing", "layer")
    generator = np.random.default_rng(5)
    x = normal(11, 6)
    source, target = generator.integers(0, 11, 26), generator.integers(0, 9, 26)
    y, degree = run(program, {"x": x, "source": source, "target": target}, weights)
    arrived: list[list[Real]] = [[] for _ in range(11)]
    for s, t in zip(source, target, strict=True):
        pair = np.concatenate([x[s], x[t]]).astype(np.float64)
        arrived[t].append(np.maximum(w["message.weight"] @ pair + w["message.bias"], 0))
    none = np.zeros(8)
    rows = [
        np.concatenate([sum(m, none), sum(m, none) / max(len(m), 1), np.max([none, *m], 0)])
        for m in arrived
    ]
    assert_close(y, np.stack(rows) @ w["update.weight"].T + w["update.bias"])
    assert degree.tolist() == [len(m) for m in arrived]
    assert 0 in degree.tolist()


def test_greedy_token() -> None:
    program, weights, _ = prepared("greedy_token", "choose")
    score = normal(5, 101)
    score[2, [17, 60]] = 9.0  # the first of equals is meant
    word, logprob = run(program, {"score": score}, weights)
    assert word.tolist() == score.argmax(1).tolist()
    assert word[2] == 17
    assert_close(logprob, np.log(softmax(score.astype(np.float64)).max(1)))


def test_mel_filterbank() -> None:
    program, weights, _ = prepared("mel_filterbank", "spectrum")
    sound = normal(700)
    (got,) = run(program, {"sound": sound}, weights)
    hann = 0.5 - 0.5 * np.cos(2 * np.pi * np.arange(64) / 64)
    frames = np.lib.stride_tricks.sliding_window_view(sound.astype(np.float64), 64)[::24] * hann
    power = np.abs(np.fft.rfft(frames)) ** 2
    top = [2595 * np.log10(1 + f / 700) for f in (60.0, 7600.0)]
    edges = 700 * (10 ** (np.linspace(top[0], top[1], 15) / 2595) - 1)
    at = np.arange(33) * 16000 / 64
    filters = np.stack([np.interp(at, edges[m : m + 3], [0, 1, 0]) for m in range(13)])
    assert_close(got, np.log(power @ filters.T + 1e-6))


def test_transposed_conv() -> None:
    program, weights, w = prepared("transposed_conv", "upscale")
    x = normal(3, 5, 6)
    (got,) = run(program, {"x": x}, weights)
    full = np.zeros((4, 4 * 2 + 4, 5 * 2 + 4))
    for r in range(5):
        for s in range(6):
            spread = np.einsum("c,coij->oij", x[:, r, s].astype(np.float64), w["up.weight"])
            full[:, 2 * r : 2 * r + 4, 2 * s : 2 * s + 4] += spread
    up = np.maximum(full[:, 1:-1, 1:-1] + w["up.bias"][:, None, None], 0)
    assert_close(got, convolution(up, w["context.weight"], None, padding=3, dilation=3))


def test_state_space() -> None:
    program, weights, w = prepared("state_space", "mixer")
    x = normal(6, 5)
    (got,) = run(program, {"x": x}, weights)
    z = x @ w["in_proj.weight"].T
    padded = np.concatenate([np.zeros((3, 8)), z[:, :8]])
    kernel = w["conv1d.weight"][:, 0]
    taps = np.stack([padded[k : k + 6] for k in range(4)], -1)  # token, channel, tap
    u = silu((taps * kernel).sum(-1) + w["conv1d.bias"])
    p = u @ w["x_proj.weight"].T
    step = np.logaddexp(0, p[:, :3] @ w["dt_proj.weight"].T + w["dt_proj.bias"])
    h = np.zeros((8, 4))
    rows = []
    for t in range(6):
        decay = np.exp(-step[t][:, None] * np.exp(w["A_log"]))
        h = decay * h + (step[t] * u[t])[:, None] * p[t, 3:7]
        rows.append((h @ p[t, 7:] + w["D"] * u[t]) * silu(z[t, 8:]))
    assert_close(got, np.stack(rows) @ w["out_proj.weight"].T)


def test_linear_attention() -> None:
    program, weights, w = prepared("linear_attention", "attention_layer")
    x = normal(11, 10)
    (got,) = run(program, {"x": x}, weights)
    q, k, v = ((x @ w[f"{n}.weight"].T).reshape(11, 2, 5).swapaxes(0, 1) for n in ("q", "k", "v"))
    q, k = (np.where(a > 0, 1 + a, np.exp(a)) for a in (q, k))
    rows = np.zeros((2, 11, 5))
    for h in range(2):  # as a recurrence, unlike the spec
        state, total = np.zeros((5, 5)), np.zeros(5)
        for t in range(11):
            state += np.outer(k[h, t], v[h, t])
            total += k[h, t]
            rows[h, t] = q[h, t] @ state / (q[h, t] @ total)
    assert_close(got, rows.swapaxes(0, 1).reshape(11, 10) @ w["o.weight"].T)


@pytest.mark.parametrize("size", [(14, 8), (9, 13), (5, 27)])
def test_bilinear_resize(size: tuple[int, int]) -> None:
    rows, cols = size
    program, weights, _ = prepared("bilinear_resize", "resize", new_rows=rows, new_cols=cols)
    image = np.random.default_rng(2).integers(0, 256, (3, 9, 13)).astype(np.uint8)
    (got,) = run(program, {"image": image}, weights)
    y = (np.arange(rows) + 0.5) * 9 / rows - 0.5
    x = (np.arange(cols) + 0.5) * 13 / cols - 0.5
    # Interpolating rows and then columns, holding the border.
    tall = np.apply_along_axis(lambda line: np.interp(y, np.arange(9), line), 1, image)
    both = np.apply_along_axis(lambda line: np.interp(x, np.arange(13), line), 2, tall)
    assert_close(got, both / 127.5 - 1)


def test_alibi_attention() -> None:
    program, weights, _ = prepared("alibi_attention", "attend_all")
    q, k, v = normal(3, 6, 9, 4), normal(3, 2, 9, 4, seed=2), normal(3, 2, 9, 4, seed=3)
    length = np.array([9, 4, 1])
    (got,) = run(program, {"q": q, "k": k, "v": v, "length": length}, weights)
    wide_k, wide_v = (np.repeat(a.astype(np.float64), 3, axis=1) for a in (k, v))
    t, s = np.arange(9)[:, None], np.arange(9)[None]
    slope = 2.0 ** (-8 * np.arange(1, 7) / 6)
    scores = q @ wide_k.swapaxes(2, 3) / 2 - slope[:, None, None] * (t - s)
    seen = (s <= t) & (s < length[:, None, None])
    scores = np.where(seen[:, None], scores, -np.inf)
    o = softmax(scores) @ wide_v
    assert_close(got, o.swapaxes(1, 2).reshape(3, 9, 24))


def test_half_precision() -> None:
    program, weights, w = prepared("half_precision", "layer")
    x = normal(7, 24).astype(np.float16)
    (got,) = run(program, {"x": x}, weights)
    assert got.dtype == np.float16

    def half(a: Real) -> Real:
        return a.astype(np.float16).astype(np.float64)

    wide_x = x.astype(np.float64)
    n = half(wide_x / np.sqrt((wide_x**2).mean(-1, keepdims=True) + 1e-5))
    a = half(n * w["norm.weight"])
    f = half(silu(half(a @ w["gate.weight"].T)) * half(a @ w["up.weight"].T))
    y = half(wide_x + half(f @ w["down.weight"].T))
    # A sum that falls near the middle of two halves may round either way.
    assert_close(got, y, 1e-3)
    assert np.mean(got.astype(np.float64) == y) > 0.9


def test_quantized_linear() -> None:
    program, weights, w = prepared("quantized_linear", "layer")
    x = normal(5, 32)
    (got,) = run(program, {"x": x}, weights)
    packed = weights["weight.packed"]
    code = np.stack([packed & 15, packed >> 4], -1).reshape(11, 32).astype(np.float64)
    zero, scale = (w[f"weight.{n}"].repeat(8, 1) for n in ("zero", "scale"))
    assert_close(got, x @ ((code - zero) * scale).T)


def test_nearest_code() -> None:
    program, weights, w = prepared("nearest_code", "quantize")
    x = normal(17, 5)
    y, code, used = run(program, {"x": x}, weights)
    distance = ((x[:, None].astype(np.float64) - w["codebook.weight"]) ** 2).sum(-1)
    assert code.tolist() == distance.argmin(1).tolist()
    np.testing.assert_array_equal(y, weights["codebook.weight"][code])
    assert used.tolist() == np.bincount(code, minlength=6).tolist()


def test_top_k() -> None:
    program, weights, _ = prepared("top_k", "largest")
    x = normal(4, 23)
    value, at = run(program, {"x": x}, weights)
    order = np.argsort(-x, 1)[:, :3]
    assert at.tolist() == order.tolist()
    np.testing.assert_array_equal(value, np.take_along_axis(x, order, 1))


@pytest.mark.parametrize("path", sorted((SPECS / "examples").glob("*.lum")), ids=lambda p: p.stem)
def test_every_example_has_a_test(path: Path) -> None:
    assert f"test_{path.stem}" in globals()
