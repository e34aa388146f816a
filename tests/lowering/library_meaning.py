"""What a vendor's library makes of its calls, as it is documented, in NumPy."""

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    LibraryAttention,
    LibraryConvolution,
    MadeOperand,
    Strided,
)
from lumc.lowering.kernel_reference import poisoned, run_kernel

Array = npt.NDArray[Any]


def with_made(
    kernel: Gemm | Attention, made: Sequence[MadeOperand], arrays: Sequence[Array]
) -> list[Array]:
    """``arrays`` of the kernel's parameters and then what is made of them."""
    found = list(arrays)
    for one in made:
        shape = one.kernel.parameters[-1].shape
        new = poisoned(int(np.prod(shape)), kernel.operand_dtype)
        run_kernel(one.kernel, [*(arrays[n] for n in one.sources), new])
        found.append(new)
    return found


def view(side: Strided, shape: Sequence[int], arrays: Sequence[Array]) -> Array:
    """The elements of ``side`` as f32."""
    places: Any = side.offset
    for number, (size, stride) in enumerate(zip(shape, side.strides, strict=True)):
        along = [-1 if n == number else 1 for n in range(len(shape))]
        places = places + np.arange(size).reshape(along) * stride
    found: Array = arrays[side.parameter][places].astype(np.float32)
    return found


def convolved(call: LibraryConvolution, arrays: Sequence[Array]) -> Array:
    """Over pictures, outputs, rows and columns."""
    pictures, channels, height, width, outputs, rows, columns, tall, wide = call.sizes
    image = view(call.image, (pictures, channels, height, width), arrays)
    weight = view(call.weight, (outputs, channels, tall, wide), arrays)
    (top, left), (bottom, right) = call.before, call.after
    padded = np.pad(image, ((0, 0), (0, 0), (top, bottom), (left, right)))
    made = np.zeros((pictures, outputs, rows, columns), np.float32)
    for i in range(tall):
        for j in range(wide):
            y, x = i * call.dilation[0], j * call.dilation[1]
            window = padded[
                :,
                :,
                y : y + (rows - 1) * call.steps[0] + 1 : call.steps[0],
                x : x + (columns - 1) * call.steps[1] + 1 : call.steps[1],
            ]
            made += np.einsum("ncrs,oc->nors", window, weight[:, :, i, j])
    # A library finds the size of the result by itself.
    assert (padded.shape[2] - (tall - 1) * call.dilation[0] - 1) // call.steps[0] + 1 == rows
    assert (padded.shape[3] - (wide - 1) * call.dilation[1] - 1) // call.steps[1] + 1 == columns
    if call.bias is not None:
        made += view(call.bias, (outputs,), arrays)[:, None, None]
    if call.addend is not None:
        made += view(call.addend, made.shape, arrays)
    return made


def attended(call: LibraryAttention, arrays: Sequence[Array]) -> Array:
    """Over heads, queries and channels."""
    heads, queries, keys, inner, channels = call.sizes
    shared = heads // call.groups
    query = view(call.query, (heads, queries, inner), arrays)
    key = view(call.key, (shared, keys, inner), arrays).repeat(call.groups, axis=0)
    value = view(call.value, (shared, keys, channels), arrays).repeat(call.groups, axis=0)
    scores = call.scale * np.einsum("hqd,hkd->hqk", query, key)
    if call.bias is not None:
        scores = scores + view(call.bias, scores.shape, arrays)
    if call.causal:
        after = np.arange(keys)[None, :] > np.arange(queries)[:, None]
        scores = np.where(after, -np.inf, scores)
    weights = np.exp(scores - scores.max(axis=-1, keepdims=True))
    shares = weights / weights.sum(axis=-1, keepdims=True)
    made: Array = np.einsum("hqk,hkd->hqd", shares, value)
    return made
