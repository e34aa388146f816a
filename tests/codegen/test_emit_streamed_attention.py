"""Attention that streams keys and values computes the NumPy meaning, whatever its sizes and masks.

Everything runs on the emulator with all of its checks: races, bounds, reads of what was never
written, outputs poisoned; shared memory without bank conflicts, nothing in scratch.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from dataclasses import replace

import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import add, axis, constant
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    Attention,
    AttentionSchedule,
    AttentionTile,
    Body,
    IndexOf,
    Instruction,
    Literal,
    Load,
    Parameter,
)
from lumc.lowering.streamed_attention import streamed_attention
from lumc.lowering.tiles import streamed_tiles, tiles_for_attention
from tests.codegen.emulated import ALIGNED, check_kernel, compiled
from tests.codegen.sample_kernels import attention, dense, real

BF16, F16 = DType.BF16, DType.F16
LESS, SELECT, MULTIPLY = ElementwiseOp.LESS_THAN, ElementwiseOp.SELECT, ElementwiseOp.MULTIPLY
ADD = ElementwiseOp.ADD
# Weights are rounded to the operands' type.
TOLERANCE = 1.5e-2


def turns(keys: int) -> AttentionTile:
    return AttentionTile(256, keys, 8, AttentionSchedule.PING_PONG)


def streamed(waves: int, keys: int, channel_parts: int = 1) -> AttentionTile:
    return AttentionTile(32 * waves, keys, waves, AttentionSchedule.STREAMED, channel_parts)


def masked(kernel: Attention, instructions: Sequence[Instruction], *more: Parameter) -> Attention:
    """``kernel``, its score made by ``instructions``; parameters 3 and on are ``more``."""
    *operands, out = kernel.parameters[:3] + kernel.parameters[-1:]
    stores = tuple(replace(store, parameter=3 + len(more)) for store in kernel.stores)
    return replace(
        kernel,
        parameters=(*operands, *more, out),
        score=Body(kernel.score.axes, tuple(instructions)),
        stores=stores,
    )


H, S, T = axis(0), axis(1), axis(2)
SCALED: tuple[Instruction, ...] = (Accumulator(0), real(0.125), Apply(MULTIPLY, (0, 1)))
NOTHING = real(-math.inf)


def boolean(heads: int, queries: int, keys: int, tile: AttentionTile, width: int = 64) -> Attention:
    """Masked by stored flags; a first key that none excludes."""
    flags = dense("kept", DType.BOOL, queries, keys)
    score = (*SCALED, Load(3, (S, T)), NOTHING, Apply(SELECT, (3, 2, 4)))
    return masked(attention(heads, queries, keys, width, width, tile=tile), score, flags)


def key_length(queries: int, keys: int, length: int, tile: AttentionTile) -> Attention:
    """Keys from ``length`` on are left out: tiles behind it are never read."""
    score = (
        *SCALED,
        IndexOf(T),
        Literal(length, DType.I32),
        Apply(LESS, (3, 4)),
        NOTHING,
        Apply(SELECT, (5, 2, 6)),
    )
    return masked(attention(2, queries, keys, 64, 64, tile=tile), score)


def window(queries: int, keys: int, reach: int, tile: AttentionTile) -> Attention:
    """Causal, and no further back than ``reach``: tiles on both sides are left out."""
    score = (
        *SCALED,
        IndexOf(S),
        IndexOf(T),
        Apply(LESS, (3, 4)),
        IndexOf(add(S, constant(-reach))),
        Apply(LESS, (6, 4)),
        NOTHING,
        Apply(SELECT, (7, 2, 8)),
        Apply(SELECT, (5, 8, 9)),
    )
    return masked(attention(2, queries, keys, 64, 64, tile=tile), score)


def biased(queries: int, keys: int, dtype: DType, tile: AttentionTile) -> Attention:
    """Scores with a bias for each head, query and key (relative positions, as in T5)."""
    bias = dense("bias", dtype, 2, queries, keys)
    score = (*SCALED, Load(3, (H, S, T)), Apply(ADD, (2, 3)))
    return masked(attention(2, queries, keys, 64, 64, tile=tile), score, bias)


def sloped(queries: int, keys: int, tile: AttentionTile) -> Attention:
    """A slope for each head (ALiBi): nothing that a factor or a mask stands for."""
    slopes = dense("slope", DType.F32, 2)
    score = (
        *SCALED,
        Load(3, (H,)),
        IndexOf(add(T, S, -1)),
        Apply(MULTIPLY, (3, 4)),
        Apply(ADD, (2, 5)),
    )
    return masked(attention(2, queries, keys, 64, 64, tile=tile), score, slopes)


KERNELS = {
    "turns, one tile": attention(1, 70, 1, 128, 128, tile=turns(64)),
    "turns, two tiles": attention(2, 100, 77, 128, 128, tile=turns(64)),
    "turns, odd everything": attention(2, 333, 201, 128, 128, tile=turns(64)),
    "turns, f16": attention(1, 260, 200, 128, 128, F16, tile=turns(64)),
    "turns, causal, grouped": attention(
        4, 300, 300, 128, 128, groups=2, mask="causal", tile=turns(64)
    ),
    "turns, causal, more keys": attention(1, 270, 700, 128, 128, mask="causal", tile=turns(64)),
    "turns, f32 bias": attention(1, 130, 333, 128, 128, mask="bias", tile=turns(64)),
    "turns, 40 wide": attention(2, 70, 300, 40, 40, tile=turns(128)),
    "turns, 64 wide": attention(2, 70, 300, 64, 64, tile=turns(128)),
    "turns, 72 wide": attention(2, 70, 200, 72, 72, tile=turns(64)),
    "turns, 80 wide": attention(1, 257, 200, 80, 80, F16, tile=turns(64)),
    "turns, 96 wide": attention(2, 70, 200, 96, 96, tile=turns(64)),
    "turns, 160 wide": attention(1, 70, 130, 160, 160, tile=turns(32)),
    "turns, flags": boolean(2, 70, 264, turns(128)),
    "turns, odd flags": boolean(2, 70, 133, turns(128)),
    "turns, window": window(600, 610, 150, turns(128)),
    "streamed, 128 wide": attention(2, 150, 77, 128, 128, tile=streamed(4, 32)),
    "streamed, two waves, grouped": attention(
        4, 65, 100, 128, 128, groups=4, mask="causal", tile=streamed(2, 32)
    ),
    "streamed, 64 wide": attention(3, 129, 150, 64, 64, F16, tile=streamed(4, 64)),
    "streamed, key length": key_length(70, 300, 131, streamed(4, 64)),
    "streamed, bf16 bias": biased(70, 136, BF16, streamed(4, 64)),
    "streamed, slopes": sloped(70, 133, streamed(4, 64)),
    "streamed, 192 wide": attention(1, 140, 100, 192, 192, tile=streamed(4, 32)),
    "streamed, 256 wide, causal": attention(
        2, 140, 170, 256, 256, mask="causal", tile=streamed(4, 32)
    ),
    "streamed, 256 wide, f16": attention(1, 70, 130, 256, 256, F16, tile=streamed(2, 64)),
    "streamed, channels in parts": attention(2, 40, 70, 256, 256, tile=streamed(4, 32, 2)),
    "streamed, 512 wide": attention(1, 140, 100, 512, 512, tile=streamed(4, 32, 2)),
    "streamed, wider keys than values": attention(1, 40, 70, 128, 64, tile=streamed(2, 32)),
}


@pytest.mark.parametrize("name", KERNELS)
def test_gfx942(name: str) -> None:
    kernel = KERNELS[name]
    result = check_kernel(kernel, "gfx942", tolerance=TOLERANCE)
    # Channels of five or six blocks do not fall on powers of two.
    uneven = any(width in name for width in ("160", "192"))
    assert result.counters.bank_conflict_factor <= (1.05 if uneven else 1.0)
    emitted = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * len(kernel.parameters))
    assembly = compiled(emitted, "gfx942").assembly
    assert re.findall(r"\.private_segment_fixed_size: *(\d+)", assembly) == ["0"]


@pytest.mark.parametrize(
    ("file", "name"),
    [
        ("attention_in_turns.hip", "turns, causal, grouped"),
        ("attention_in_parts.hip", "streamed, 512 wide"),
        ("attention_with_flags.hip", "turns, flags"),
    ],
)
def test_golden(file: str, name: str, golden: Callable[[str, str], None]) -> None:
    kernel = KERNELS[name]
    source = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * len(kernel.parameters)).source
    assert "\n\n\n" not in source
    golden(file, source)


@pytest.mark.parametrize("target", ["gfx90a", "gfx950"])
@pytest.mark.parametrize(
    "name", ["turns, causal, grouped", "turns, f16", "turns, 80 wide", "streamed, bf16 bias"]
)
def test_other_chips(name: str, target: str) -> None:
    check_kernel(KERNELS[name], target, tolerance=TOLERANCE)


@pytest.mark.parametrize("name", ["turns, odd everything", "turns, odd flags"])
def test_unaligned_pointers(name: str) -> None:
    check_kernel(KERNELS[name], "gfx942", aligned=False, tolerance=TOLERANCE)


def test_rows_without_keys_are_not_a_number() -> None:
    # Query 0 sees no key at all: what it is is what the primitives make of that.
    check_kernel(
        masked(
            attention(1, 40, 40, 64, 64, tile=streamed(2, 32)),
            (
                *SCALED,
                IndexOf(T),
                IndexOf(S),
                Apply(LESS, (3, 4)),
                NOTHING,
                Apply(SELECT, (5, 2, 6)),
            ),
        ),
        "gfx942",
        tolerance=TOLERANCE,
    )


@pytest.mark.parametrize(
    ("heads", "keys", "fits"),
    [(2048, 64, True), (2048, 9000, False), (131072, 64, False), (65536, 64, True)],
)
def test_offsets_in_a_tile_fit_in_a_descriptor(heads: int, keys: int, fits: bool) -> None:
    """All rows together may be short enough, and a whole tile of rows so far apart is not."""
    assert (streamed_attention(attention(heads, 40, keys, 64, 64)) is not None) == fits


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("width", [40, 64, 72, 80, 96, 128, 160, 256, 512])
def test_every_tile(target: str, width: int) -> None:
    # Types and masks in turn: all of them meet all kinds of tiles somewhere.
    for turn, tile in enumerate(streamed_tiles(chip_for(target), BF16, width, width)):
        dtype, mask = (BF16, F16)[turn % 2], ("none", "causal", "bias")[turn % 3]
        queries, keys = tile.queries + 9, 2 * tile.keys + 5
        kernel = attention(2, queries, keys, width, width, dtype, mask=mask, tile=tile)
        assert tile in tiles_for_attention(kernel, chip_for(target))
        check_kernel(kernel, target, tolerance=TOLERANCE)
