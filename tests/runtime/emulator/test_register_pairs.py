"""Results of several registers: each as defined as its own source, whatever overlaps."""

import numpy as np
import numpy.typing as npt
import pytest

from lumc.runtime.emulator import Checks, EmulationFault
from tests.runtime.emulator.test_control_flow import run

HALF_DEFINED = """
  s_mov_b32 s8, 7
  v_mov_b64_e32 v[2:3], s[8:9]
  v_mov_b64_e32 v[6:7], v[2:3]
  global_store_dword v0, {stored}, s[4:5]
"""


@pytest.mark.parametrize("target", ["gfx942", "gfx950"])
def test_a_wide_move_keeps_its_halves_apart(target: str) -> None:
    assert run(HALF_DEFINED.format(stored="v6"), target)[5] == 7
    with pytest.raises(EmulationFault) as caught:
        run(HALF_DEFINED.format(stored="v7"), target)
    assert caught.value.reports[0].check == Checks.UNINITIALISED.value


FILL = """
  v_lshrrev_b32_e32 v1, 2, v0
  v_add_u32_e32 v2, 3, v1
  v_mul_u32_u24_e32 v2, 0x01010507, v2
  v_mov_b32_e32 v4, v2
  v_add_u32_e32 v3, 5, v1
  v_mul_u32_u24_e32 v3, 0x00030101, v3
  v_mov_b32_e32 v5, v3
"""
FLOATS = "".join(f"  v_cvt_f32_u32_e32 v{n}, v{n}\n" for n in (2, 3, 4, 5))
ADDEND = "".join(
    f"  v_mul_u32_u24_e32 v{n}, {n}, v1\n  v_cvt_f32_u32_e32 v{n}, v{n}\n" for n in range(20, 24)
)
MATRIX = {
    ("v_mfma_f32_16x16x4_f32", "v2", "v3"): FLOATS,
    ("v_mfma_f32_4x4x1_16b_f32", "v2", "v3"): FLOATS,
    ("v_mfma_f32_16x16x16_f16", "v[2:3]", "v[4:5]"): "",
    ("v_mfma_i32_16x16x32_i8", "v[2:3]", "v[4:5]"): "",
}


def multiply(instruction: tuple[str, str, str], prepare: str, first: int) -> npt.NDArray[np.uint32]:
    """The product with an addend in v[20:23], its result in four registers from ``first``."""
    name, left, right = instruction
    store = "".join(
        f"  global_store_dword v0, v{first + n}, s[4:5] offset:{256 * n}\n" for n in range(4)
    )
    product = f"  {name} v[{first}:{first + 3}], {left}, {right}, v[20:23]\n"
    return run(f"{FILL}{prepare}{ADDEND}  s_nop 7\n{product}  s_nop 15\n{store}", "gfx942")


@pytest.mark.parametrize("instruction", MATRIX, ids=[name for name, _, _ in MATRIX])
@pytest.mark.parametrize("distance", [-2, 0, 2])
def test_a_matrix_result_may_overlap_its_addend(
    instruction: tuple[str, str, str], distance: int
) -> None:
    apart = multiply(instruction, MATRIX[instruction], 40)
    assert len(set(apart)) > 50
    np.testing.assert_array_equal(multiply(instruction, MATRIX[instruction], 20 + distance), apart)
