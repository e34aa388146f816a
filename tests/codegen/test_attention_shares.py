"""Attention whose tiles workgroups share along the keys, reduced inside the launch.

The result is what it is without that, the same bits in every order of workgroups; the workspace is
poisoned and counters are 0 again when a launch ends.
"""

from __future__ import annotations

import itertools
import math
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import (
    Accumulator,
    Apply,
    AttentionSchedule,
    AttentionTile,
    Body,
    IndexOf,
    Literal,
    Shares,
)
from lumc.lowering.tiles import streamed_tiles
from tests.codegen.emulated import ALIGNED, check_kernel, compiled, emulate
from tests.codegen.sample_kernels import attention
from tests.strategies.kernels import random_arrays

F16, F32 = DType.F16, DType.F32
# Weights are rounded to the operands' type.
TOLERANCE = 1.5e-2


def turns(keys: int, shares: Shares) -> AttentionTile:
    return AttentionTile(256, keys, 8, AttentionSchedule.PING_PONG, shares=shares)


def streamed(waves: int, keys: int, shares: Shares, channels: int = 1) -> AttentionTile:
    schedule = AttentionSchedule.STREAMED
    return AttentionTile(32 * waves, keys, waves, schedule, channels, shares)


def steps(queries: int, keys: int, waves: int, shares: Shares) -> AttentionTile:
    return AttentionTile(queries, keys, waves, shares=shares)


KERNELS = {
    "turns": attention(2, 333, 201, 128, 128, tile=turns(64, Shares(6))),
    # Of the first queries of a causal one, most shares have no key.
    "turns, causal": attention(2, 300, 700, 128, 128, mask="causal", tile=turns(64, Shares(7, 1))),
    "turns, equal parts": attention(
        2, 300, 640, 128, 128, mask="causal", tile=turns(64, Shares(15, 1))
    ),
    # A share ends a tile, has the next one for itself and begins another.
    "turns, long runs": attention(5, 70, 190, 128, 128, tile=turns(64, Shares(2))),
    "turns, grouped, bias": attention(
        4, 70, 300, 128, 128, groups=2, mask="bias", tile=turns(64, Shares(10, 2))
    ),
    "turns, f16, a step a part": attention(1, 260, 200, 64, 64, F16, tile=turns(128, Shares(2, 1))),
    "streamed": attention(3, 65, 100, 128, 128, mask="causal", tile=streamed(2, 32, Shares(5))),
    "streamed, one place": attention(
        2, 140, 170, 256, 256, mask="causal", tile=streamed(4, 32, Shares(5, 2))
    ),
    "streamed, channels in parts": attention(
        2, 140, 100, 512, 512, tile=streamed(4, 32, Shares(4, 5), 2)
    ),
    "steps": attention(2, 70, 300, 64, 64, mask="causal", tile=steps(64, 64, 4, Shares(4, 1))),
    "steps, f32": attention(
        2, 50, 300, 24, 40, F32, mask="bias", tile=steps(16, 32, 1, Shares(40))
    ),
    "steps, wide": attention(1, 70, 130, 72, 136, tile=steps(64, 32, 4, Shares(5, 1))),
}
ON = [
    *(("gfx942", name) for name in KERNELS),
    *itertools.product(("gfx90a", "gfx950"), ("turns", "turns, equal parts", "streamed", "steps")),
    *itertools.product(("gfx1100",), ("steps", "steps, f32", "steps, wide")),
]


@pytest.mark.parametrize(("target", "name"), ON)
def test_shares_make_the_whole(target: str, name: str) -> None:
    kernel = KERNELS[name]
    check_kernel(kernel, target, tolerance=TOLERANCE)
    emitted = emit_kernel(kernel, target_named(target), [ALIGNED] * len(kernel.parameters))
    assembly = compiled(emitted, target).assembly
    assert re.findall(r"\.private_segment_fixed_size: *(\d+)", assembly) == ["0"]


@pytest.mark.parametrize("tile", [turns(64, Shares(5)), steps(64, 32, 4, Shares(7, 1))], ids=str)
def test_shares_without_keys(tile: AttentionTile) -> None:
    """Keys before the query are seen: query 0 sees none in any part, others some in the first."""
    kernel = attention(2, 100, 300, 128, 128, tile=tile)
    score = (
        Accumulator(0),
        IndexOf(axis(2)),
        IndexOf(axis(1)),
        Apply(ElementwiseOp.LESS_THAN, (1, 2)),
        Literal(-math.inf, DType.F32),
        Apply(ElementwiseOp.SELECT, (3, 0, 4)),
    )
    masked = replace(kernel, score=Body(kernel.score.axes, score))
    check_kernel(masked, "gfx942", tolerance=TOLERANCE)


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950"])
@pytest.mark.parametrize("width", [64, 80, 128, 256, 512])
def test_every_tile(target: str, width: int) -> None:
    for turn, tile in enumerate(streamed_tiles(chip_for(target), DType.BF16, width, width)):
        dtype, mask = (DType.BF16, F16)[turn % 2], ("none", "causal", "bias")[turn % 3]
        cut = replace(tile, shares=Shares(5 + turn % 3, turn % 2))
        queries, keys = tile.queries + 9, 4 * tile.keys + 5
        kernel = attention(2, queries, keys, width, width, dtype, mask=mask, tile=cut)
        check_kernel(kernel, target, tolerance=TOLERANCE)


@pytest.mark.parametrize(
    ("target", "name"),
    [("gfx942", "turns, causal"), ("gfx90a", "streamed"), ("gfx1100", "steps")],
)
def test_the_order_of_workgroups_changes_nothing(target: str, name: str) -> None:
    kernel = KERNELS[name]
    emitted = emit_kernel(kernel, target_named(target), [ALIGNED] * len(kernel.parameters))
    given = random_arrays(kernel, 3)
    blocks = list(range(emitted.geometry.blocks))
    found = []
    for order in (blocks, blocks[::-1], list(np.random.default_rng(1).permutation(blocks))):
        arrays = [array.copy() for array in given]
        emulate(emitted, target, arrays, order)
        found.append(arrays[-1].tobytes())
    assert found[0] == found[1] == found[2]


def test_what_parts_leave_is_seen_by_the_whole_chip() -> None:
    kernel = KERNELS["turns"]
    emitted = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * len(kernel.parameters))
    code = compiled(emitted, "gfx942").assembly
    lines = [line.split(";")[0].split() for line in code.splitlines()]
    found = [" ".join(line) for line in lines if line]
    counted = next(n for n, line in enumerate(found) if line.startswith("global_atomic_inc"))
    written = found.index("buffer_wbl2 sc1")
    assert "s_waitcnt vmcnt(0)" in found[written:counted]
    assert "buffer_inv sc1" in found[counted:]


def test_more_shares_than_tiles_of_keys() -> None:
    kernel = attention(1, 70, 128, 128, 128, tile=turns(64, Shares(3)))
    with pytest.raises(ValueError, match="2 steps are not shared by 3 workgroups"):
        emit_kernel(kernel, target_named("gfx942"))


def test_tiles_that_are_all_whole_are_not_shared() -> None:
    whole = attention(1, 70, 300, 128, 128, tile=turns(64, Shares(3, 1)))
    assert whole.tile is not None
    emitted = emit_kernel(whole, target_named("gfx942"))
    assert emitted.meeting is None
    same = replace(whole, tile=replace(whole.tile, shares=None))
    assert emitted.unit == emit_kernel(same, target_named("gfx942")).unit


def test_golden(golden: Callable[[str, str], None]) -> None:
    kernel = KERNELS["turns, causal"]
    source = emit_kernel(kernel, target_named("gfx942"), [ALIGNED] * len(kernel.parameters)).source
    assert "\n\n\n" not in source
    golden("shared_attention.hip", source)
