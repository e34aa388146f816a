"""Clocks that AMD's instructions occupy the units of a compute unit for, by chip.

Static figures: what is busy for how long, whatever waits for it. The timing model replays traces
with them, and the report of a kernel's assembly adds them up.

Sources:

* Passes of matrix instructions (one is four clocks): LLVM's AMDGPU scheduling models
  (SISchedule.td: SIDPFullSpeedModel, SIDPGFX942FullSpeedModel, SIDPGFX950FullSpeedModel), which
  agree with AMD's matrix instruction calculator for the shapes that it lists.
* When their results may be read: LLVM's hazard recogniser, passes and three issue slots for vector
  instructions; as the accumulator of the next one of the same shape, two.
* Vector instructions: a wave of 64 on 16 lanes takes four clocks; transcendental functions and
  whole multiplications of 32 bits run at a quarter of that rate (AMD's ISA guides).
* LDS: 128 bytes a clock, 256 on gfx950 (ROCm blog "CDNA4 GEMM kernels"); vector cache: 64 bytes a
  clock, 128 on gfx950 (AMD's CDNA white papers).
* Latencies and the barrier are estimates, of which the sensitivity is known: a memory latency of
  400 to 2000 clocks changes a loop that loads one iteration ahead not at all; an LDS latency of 64
  to 160 moves attention by 6 points and products by none; a barrier of 60 clocks instead of 20
  costs products 4 points.
"""

from __future__ import annotations

import re
from dataclasses import dataclass

PASS = 4
"""Clocks of a pass of the matrix unit, and of the issue of any instruction."""

SIMDS = 4
"""Of a compute unit, each with a vector and a matrix unit of its own."""

# Issue slots from the end of a matrix instruction to a reader of its result.
_RESULT_SLOTS = 3
_CHAIN_SLOTS = 2

_QUARTER_RATE = re.compile(
    r"v_(exp|log|rcp|rsq|sqrt|sin|cos)(_legacy|_iflag)?_f(16|32|64)"
    r"|v_mul_(lo|hi)_[ui]32|v_mad_[ui]64_[ui]32"
)
_HALF_RATE = re.compile(r"v_(lshlrev|lshrrev|ashrrev)_[bi]64")
_ENCODING = re.compile(r"_(e32|e64|sdwa|dpp|e64_dpp)$")
_FEW_BITS = re.compile(r"(cbsz|blgp):[234]\b")


@dataclass(frozen=True, slots=True)
class UnitClocks:
    """The units of one chip. Passes are of the first pattern that an instruction begins with."""

    target: str
    matrix: tuple[tuple[str, int], ...]
    lds_rate: int
    """Bytes a clock."""
    near_rate: int
    """Bytes a clock from the unit's own vector cache."""
    line_bytes: int
    lds_bytes: int
    """That the workgroups of a compute unit share."""
    lds_latency: int = 100
    memory_latency: int = 700
    store_latency: int = 200
    scalar_latency: int = 200
    branch: int = 16
    """Clocks from a branch to the next instruction of its wave."""
    barrier: int = 20

    def passes(self, mnemonic: str, text: str = "") -> int:
        """Passes of a matrix instruction; ``text`` tells formats that its name does not.

        Raises:
            KeyError: it is none of this chip.
        """
        for pattern, passes in self.matrix:
            if re.match(pattern, mnemonic):
                # Formats of six and four bits take half the time of those of eight.
                few = "f8f6f4" in mnemonic and len(_FEW_BITS.findall(text)) == 2
                return passes // 2 if few else passes
        raise KeyError(f"{self.target} has no matrix instruction {mnemonic}")

    def result_clocks(self, passes: int) -> int:
        """Clocks from the issue of a matrix instruction to a vector instruction's use of it."""
        return PASS * (passes + _RESULT_SLOTS)

    def chain_clocks(self, passes: int) -> int:
        """The same to another matrix instruction that adds to the result."""
        return PASS * (passes + _CHAIN_SLOTS)


def vector_clocks(mnemonic: str) -> int:
    """Clocks of a SIMD's vector unit for an instruction of a whole wave."""
    name = bare_mnemonic(mnemonic)
    if _QUARTER_RATE.fullmatch(name):
        return 4 * PASS
    return 2 * PASS if _HALF_RATE.fullmatch(name) else PASS


def bare_mnemonic(mnemonic: str) -> str:
    """The name without what says how it is encoded."""
    return _ENCODING.sub("", mnemonic)


_CDNA3_MATRIX = (
    (r"v_mfma_f64_4x4", 4),
    (r"v_mfma_.32_4x4", 2),
    (r"v_mfma_.32_16x16x(8_xf32|16|32)", 4),
    (r"v_mfma_.32_16x16x[14]_", 8),
    (r"v_mfma_.32_32x32x(4_xf32|8_|16_)", 8),
    (r"v_mfma_.32_32x32x[124]_", 16),
    (r"v_smfmac_.32_16x16", 4),
    (r"v_smfmac_.32_32x32", 8),
)

UNIT_CLOCKS = (
    UnitClocks(
        target="gfx90a",
        matrix=(
            (r"v_mfma_f64_4x4", 4),
            (r"v_mfma_f64_16x16", 8),
            (r"v_mfma_.32_4x4", 2),
            (r"v_mfma_.32_16x16", 8),
            (r"v_mfma_.32_32x32", 16),
        ),
        lds_rate=128,
        near_rate=64,
        line_bytes=64,
        lds_bytes=64 << 10,
    ),
    UnitClocks(
        target="gfx942",
        matrix=((r"v_mfma_f64_16x16", 8), *_CDNA3_MATRIX),
        lds_rate=128,
        near_rate=64,
        line_bytes=128,
        lds_bytes=64 << 10,
    ),
    UnitClocks(
        target="gfx950",
        matrix=(
            (r"v_mfma_f64_16x16", 16),
            (r"v_mfma_(scale_)?f32_16x16x128_f8f6f4", 8),
            (r"v_mfma_(scale_)?f32_32x32x64_f8f6f4", 16),
            (r"v_mfma_.32_16x16x64", 4),
            (r"v_mfma_.32_32x32x32", 8),
            *_CDNA3_MATRIX,
        ),
        lds_rate=256,
        near_rate=128,
        line_bytes=128,
        lds_bytes=160 << 10,
    ),
)

_BY_TARGET = {clocks.target: clocks for clocks in UNIT_CLOCKS}


def unit_clocks(target: str) -> UnitClocks | None:
    """The figures of ``target``, or None where lumc has none: they are of CDNA chips."""
    return _BY_TARGET.get(target)
