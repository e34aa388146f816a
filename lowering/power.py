"""The clock that power leaves a chip, by how much its matrix and vector units have to do.

A timing model gives clocks; how long they last depends on the load. For MI300X the curve goes
through published points, each a rate and a utilisation that hold together only at one clock:

* bf16 products of hipBLASLt: 708 TFLOP/s at 1.207 GHz, 94 % of the matrix units' time (AMD,
  "Measuring Max-Achievable FLOPs", part 2);
* attention of AITER, heads 128 wide: 3.79, 3.61 and 3.30 ms at 2 × 24 × 8192, and 9.03, 8.66 and
  7.99 ms at 1 × 32 × 16384, for its three roundings (moonmath-ai's table); its code, replayed,
  keeps matrix units busy for 67, 72 and 81 % and vector units for 69, 67 and 60: 1.22, 1.20 and
  1.16 GHz;
* attention of Triton: 364 TFLOP/s at 34 % (attn-dsl-bench): 1.72 GHz.

Vector work counts for 0.3 of matrix work, which puts all of these on one falling line to three
percent. Load is that of a compute unit with workgroups on it: units that idle in a last, partial
round do not raise the clock of the rounds before. The other chips have two points: the peak clock
without load, and what a library's products run at.
"""

from __future__ import annotations

import numpy as np

from lumc.lowering.chips import Chip

VECTOR_SHARE = 0.3
"""What a busy vector unit draws, as a share of what a busy matrix unit does."""

# (load, Hz)
_MI300X = (
    (0.0, 2.1e9),
    (0.44, 1.70e9),
    (0.87, 1.23e9),
    (0.95, 1.20e9),
    (1.0, 1.15e9),
    (1.05, 1.13e9),
)
_PRODUCT_LOAD = 0.95
_BEYOND = 1.3, 0.9
"""At this load, this part of the clock of products."""


def clock_under_load(chip: Chip, matrix: float, vector: float) -> float:
    """Hz of ``chip`` while its units' matrix and vector parts are busy for these shares of time."""
    points = _MI300X if chip.target == "gfx942" else _two_points(chip)
    loads, clocks = zip(*points, strict=True)
    return float(np.interp(matrix + VECTOR_SHARE * vector, loads, clocks))


def _two_points(chip: Chip) -> tuple[tuple[float, float], ...]:
    load, part = _BEYOND
    least = (load, part * chip.matrix_clock)
    return ((0.0, chip.clock), (_PRODUCT_LOAD, chip.matrix_clock), least)
