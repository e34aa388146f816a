"""What networks are made of, in plain NumPy and f64: the yardstick of the specs' tests."""

from __future__ import annotations

import math

import numpy as np
import numpy.typing as npt

Real = npt.NDArray[np.float64]


def sigmoid(x: Real) -> Real:
    with np.errstate(over="ignore"):
        return np.asarray(1 / (1 + np.exp(-x)))


def silu(x: Real) -> Real:
    return x * sigmoid(x)


def gelu(x: Real) -> Real:
    return np.asarray(0.5 * x * (1 + np.vectorize(math.erf)(x / math.sqrt(2))))


def gelu_tanh(x: Real) -> Real:
    return np.asarray(0.5 * x * (1 + np.tanh(math.sqrt(2 / math.pi) * (x + 0.044715 * x**3))))


def softmax(x: Real) -> Real:
    e = np.exp(x - x.max(-1, keepdims=True))
    return np.asarray(e / e.sum(-1, keepdims=True))


def layer_norm(x: Real, g: Real | float = 1.0, b: Real | float = 0.0, eps: float = 1e-6) -> Real:
    mean, variance = x.mean(-1, keepdims=True), x.var(-1, keepdims=True)
    return np.asarray((x - mean) / np.sqrt(variance + eps) * g + b)


def rms_norm(x: Real, g: Real | float, eps: float) -> Real:
    return np.asarray(x / np.sqrt((x**2).mean(-1, keepdims=True) + eps) * g)


def group_norm(x: Real, g: Real, b: Real, eps: float, groups: int) -> Real:
    parts = x.reshape(groups, -1)
    normal = (parts - parts.mean(1, keepdims=True)) / np.sqrt(parts.var(1, keepdims=True) + eps)
    return np.asarray(normal.reshape(x.shape) * g[:, None, None] + b[:, None, None])


def convolution(
    x: Real, w: Real, b: Real | None, stride: int = 1, padding: int = 0, dilation: int = 1
) -> Real:
    """By adding one shifted picture for every tap."""
    outputs, _, kh, kw = w.shape
    padded = np.pad(x, ((0, 0), (padding, padding), (padding, padding)))
    rows = (padded.shape[1] - dilation * (kh - 1) - 1) // stride + 1
    cols = (padded.shape[2] - dilation * (kw - 1) - 1) // stride + 1
    y = np.zeros((outputs, rows, cols))
    for i in range(kh):
        for j in range(kw):
            top, left = i * dilation, j * dilation
            window = padded[:, top:, left:][:, : stride * rows : stride, : stride * cols : stride]
            y += np.einsum("oc,crs->ors", w[:, :, i, j], window)
    return y if b is None else y + b[:, None, None]


def heads_of(x: Real, heads: int) -> Real:
    """[t, heads * d] as [heads, t, d]."""
    return x.reshape(len(x), heads, -1).swapaxes(0, 1)


def attention(q: Real, k: Real, v: Real, seen: npt.NDArray[np.bool_] | None = None) -> Real:
    """[heads, t, d] each; the heads side by side again: [t, heads * d]."""
    scores = q @ k.swapaxes(1, 2) / math.sqrt(q.shape[-1])
    if seen is not None:
        scores = np.where(seen, scores, -np.inf)
    o = softmax(scores) @ v
    return np.asarray(o.swapaxes(0, 1).reshape(q.shape[1], -1))


def causal(tokens: int) -> npt.NDArray[np.bool_]:
    return np.tril(np.ones((tokens, tokens), np.bool_))
