"""How busy streamed attention keeps the matrix units, by the model that replays traces."""

from __future__ import annotations

import numpy as np
import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.instruction_clocks import unit_clocks
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Attention, AttentionSchedule, AttentionTile
from lumc.runtime.emulator import Emulator
from lumc.runtime.emulator.timing import Timing, time_trace
from tests.codegen.emulated import ALIGNED, compiled
from tests.codegen.sample_kernels import attention
from tests.strategies.kernels import random_arrays

TURNS = AttentionTile(256, 64, 8, AttentionSchedule.PING_PONG)


def timing(kernel: Attention, target: str = "gfx942", block: int = 0, copies: int = 1) -> Timing:
    """Of one workgroup on random data, or of several that share a unit."""
    emitted = emit_kernel(kernel, target_named(target), [ALIGNED] * len(kernel.parameters))
    code = compiled(emitted, target)
    emulator = Emulator(code.code, code.assembly)
    arguments = [array.view(np.uint8) for array in random_arrays(kernel, 0)]
    chosen = [(block, 0, 0)]
    result = emulator.launch(
        emitted.symbol, emitted.grid, emitted.block, arguments, workgroups=chosen, trace=chosen
    )
    clocks = unit_clocks(target)
    assert clocks is not None
    return time_trace(emulator.program, result.traces[0], clocks, copies)


@pytest.mark.parametrize("mask", ["none", "causal"])
@pytest.mark.parametrize("dtype", [DType.BF16, DType.F16])
def test_turns_keep_the_matrix_units_busy(mask: str, dtype: DType) -> None:
    kernel = attention(1, 1024, 1024, 128, 128, dtype, mask=mask, tile=TURNS)
    assert timing(kernel, block=3).steady >= 0.94


@pytest.mark.slow
def test_turns_at_full_size() -> None:
    found = timing(attention(1, 256, 4608, 128, 128, tile=TURNS))
    assert found.steady >= 0.94
    assert found.whole >= 0.90


@pytest.mark.parametrize(
    ("width", "tile", "copies", "least"),
    [
        (64, AttentionTile(256, 128, 8, AttentionSchedule.PING_PONG), 1, 0.75),
        (96, TURNS, 1, 0.90),
        (128, AttentionTile(128, 32, 4, AttentionSchedule.STREAMED), 2, 0.65),
        (256, AttentionTile(128, 64, 4, AttentionSchedule.STREAMED), 1, 0.55),
        (512, AttentionTile(128, 32, 4, AttentionSchedule.STREAMED, 2), 1, 0.50),
    ],
)
def test_other_widths(width: int, tile: AttentionTile, copies: int, least: float) -> None:
    kernel = attention(1, tile.queries, 768, width, width, tile=tile)
    assert timing(kernel, copies=copies).steady >= least
