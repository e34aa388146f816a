"""MODE: rounding, denormals and IEEE rules, from the kernel's descriptor and set as it runs."""

from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lumc.runtime.emulator import Emulator
from tests.runtime.emulator.assembly_harness import assemble
from tests.runtime.emulator.assembly_kernel import AssemblyKernel

Array = npt.NDArray[Any]
TINY = np.float32(1e-39)


def run(body: str, x: Array, y: Array, **options: Any) -> Array:
    """v1 and v2 are x and y; v3 is stored."""
    text = f"""
      s_load_dwordx4 s[8:11], s[0:1], 0x8
      s_waitcnt lgkmcnt(0)
      global_load_dword v1, v0, s[8:9]
      global_load_dword v2, v0, s[10:11]
      s_waitcnt vmcnt(0)
      {body}
      global_store_dword v0, v3, s[4:5]
    """
    kernel = AssemblyKernel("probe", text, arguments=3, **options)
    assembly = kernel.text("gfx942")
    out = np.full(64, 77, np.float32)
    emulator = Emulator(assemble(assembly, "gfx942"), assembly=assembly)
    emulator.launch("probe", (1, 1, 1), (64, 1, 1), (out, x, y))
    return out


def numbers(seed: int) -> tuple[Array, Array]:
    rng = np.random.default_rng(seed)
    x, y = (rng.standard_normal(64).astype(np.float32) for _ in (0, 1))
    return x, y


def neighbours(exact: Array, mode: int) -> Array:
    """f64 values rounded to f32: 0 nearest, 1 up, 2 down, 3 toward zero."""
    near = exact.astype(np.float32)
    above = np.where(near >= exact, near, np.nextafter(near, np.float32(np.inf)))
    below = np.where(near <= exact, near, np.nextafter(near, np.float32(-np.inf)))
    return np.asarray((near, above, below, np.where(exact > 0, below, above))[mode])


@pytest.mark.parametrize("mode", [0, 1, 2, 3])
def test_rounding_from_the_descriptor(mode: int) -> None:
    x, y = numbers(1)
    got = run("v_mul_f32_e32 v3, v1, v2", x, y, rounding=mode)
    exact = x.astype(np.float64) * y.astype(np.float64)
    np.testing.assert_array_equal(got, neighbours(exact, mode))


@pytest.mark.parametrize("mode", [1, 2, 3])
def test_rounding_set_while_running(mode: int) -> None:
    x, y = numbers(2)
    change = f"s_setreg_imm32_b32 hwreg(HW_REG_MODE, 0, 2), {mode}"
    got = run(f"{change}\n v_mul_f32_e32 v3, v1, v2", x, y)
    exact = x.astype(np.float64) * y.astype(np.float64)
    np.testing.assert_array_equal(got, neighbours(exact, mode))


@pytest.mark.parametrize(("denormals", "kept"), [(3, True), (0, False)])
def test_denormal_sources_and_results(denormals: int, kept: bool) -> None:
    x, y = np.full(64, TINY), np.full(64, 0.5, np.float32)
    got = run("v_mul_f32_e32 v3, v1, v2", x, y, denormals=denormals)
    assert (got == (TINY * np.float32(0.5) if kept else 0)).all()


def test_output_scaling_needs_ieee_mode_and_denormals_off() -> None:
    x, y = numbers(3)
    body = "v_add_f32_e64 v3, v1, v2 mul:4"
    np.testing.assert_array_equal(run(body, x, y), x + y)
    np.testing.assert_array_equal(run(body, x, y, ieee=0, denormals=0), (x + y) * 4)


def test_signalling_nans_win_in_ieee_mode_only() -> None:
    signalling = np.full(64, 0x7F800001, np.uint32).view(np.float32)
    y = np.full(64, 2.0, np.float32)
    assert np.isnan(run("v_max_f32_e32 v3, v1, v2", signalling, y)).all()
    assert (run("v_max_f32_e32 v3, v1, v2", signalling, y, ieee=0) == 2).all()
