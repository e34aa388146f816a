"""Kernels emitted, compiled and run on the emulator, and held against their NumPy meaning."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.build import compile_units
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import EmittedKernel, MathMode, emit_kernel
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import CompiledObject, choose_toolchain
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Kernel, Parameter, ParameterAccess
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.runtime.emulator import Emulator, LaunchResult
from lumc.runtime.meetings import check_counters, meeting_arrays
from tests.strategies.kernels import random_arrays

Array = npt.NDArray[Any]

# Of 1 + the size of what is expected: a rounding of the type and what comes before it.
TOLERANCES = {DType.F32: 2e-5, DType.BF16: 1e-2, DType.F16: 2e-3}
ALIGNED = 256


def compiled(emitted: EmittedKernel, target: str) -> CompiledObject:
    """The code object of ``emitted``, through the cache."""
    chain = choose_toolchain(target)
    built = compile_units({emitted.symbol: emitted.unit}, chain, target, open_cache())
    return built.objects[emitted.symbol]


def emulate(
    emitted: EmittedKernel,
    target: str,
    arrays: Sequence[Array],
    blocks: Sequence[int] | None = None,
) -> LaunchResult:
    """Run ``emitted`` on ``arrays`` in place; every check of the emulator is on."""
    code = compiled(emitted, target)
    meeting = meeting_arrays(emitted.meeting)
    arguments = [*(array.view(np.uint8) for array in arrays), *meeting]
    groups = None if blocks is None else [(block, 0, 0) for block in blocks]
    emulator = Emulator(code.code, code.assembly)
    result = emulator.launch(
        emitted.symbol, emitted.grid, emitted.block, arguments, workgroups=groups
    )
    check_counters(emitted.symbol, emitted.meeting, meeting)
    return result


def check_kernel(
    kernel: Kernel,
    target: str,
    seed: int = 0,
    *,
    aligned: bool = True,
    tolerance: float | None = None,
    math_mode: MathMode = MathMode.FAST,
    meaning: Kernel | None = None,
) -> LaunchResult:
    """Emit ``kernel``, run it on random data, and compare everything it wrote, and did not write.

    What lies between and behind the parameters' elements is poisoned and must stay so. The result
    is held against that of ``meaning``, which is ``kernel``'s own unless it is given.
    """
    verify_kernel(kernel)
    alignments = [ALIGNED] * len(kernel.parameters) if aligned else None
    emitted = emit_kernel(kernel, target_named(target), alignments, math_mode=math_mode)
    arrays = random_arrays(kernel, seed, tail=5)
    expected = [array.copy() for array in arrays]
    run_kernel(meaning or kernel, expected)
    result = emulate(emitted, target, arrays)
    for parameter, found, wanted in zip(kernel.parameters, arrays, expected, strict=True):
        compare(parameter, found, wanted, tolerance)
    return result


def compare(
    parameter: Parameter, found: Array, wanted: Array, tolerance: float | None = None
) -> None:
    """Fail unless ``found`` is ``wanted``: bit by bit where nothing was rounded, else nearly."""
    if parameter.access is ParameterAccess.READ or not parameter.dtype.is_float:
        assert np.array_equal(found.view(np.uint8), wanted.view(np.uint8)), parameter.name
        return
    got, want = found.astype(np.float64), wanted.astype(np.float64)
    # Equal takes care of infinities, and of NaN in the same places.
    same = (got == want) | (np.isnan(got) & np.isnan(want))
    with np.errstate(invalid="ignore"):
        error = np.abs(got - want) / (1 + np.abs(want))
    limit = TOLERANCES[parameter.dtype] if tolerance is None else tolerance
    bad = np.flatnonzero(~(same | (error <= limit)))
    assert not bad.size, (
        f"{parameter.name}: {bad.size} of {got.size} differ, the first at {bad[0]}:"
        f" {got[bad[0]]} instead of {want[bad[0]]}"
    )
