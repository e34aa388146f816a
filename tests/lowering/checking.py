"""Lower a program, run the kernels by their NumPy meaning, and compare with the reference."""

from __future__ import annotations

from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from lumc.lowering.kernel_program import KernelProgram
from lumc.lowering.kernel_reference import run_program
from lumc.lowering.lower import lower

Arrays = dict[str, npt.NDArray[Any]]


def random_tensors(
    program: TensorProgram, seed: int = 0, scale: float = 0.5
) -> tuple[Arrays, Arrays]:
    """Random inputs and weights; whole numbers are small, they and variances not negative."""
    random = np.random.default_rng(seed)
    inputs: Arrays = {}
    weights: Arrays = {}
    for node in program.nodes:
        if not isinstance(node, Input | Weight):
            continue
        if node.dtype is DType.BOOL:
            values: Any = random.random(node.space) < 0.5
        elif node.dtype.is_float:
            values = random.standard_normal(node.space) * scale
            if "var" in node.name:
                values = abs(values) + 0.1
        else:
            values = random.integers(0, 3, node.space)
        into = inputs if isinstance(node, Input) else weights
        into[node.name] = np.asarray(values).astype(node.dtype.numpy)
    return inputs, weights


def assert_equal(
    program: TensorProgram,
    kernels: KernelProgram,
    tensors: tuple[Arrays, Arrays],
    tolerance: float = 2e-5,
    exact: bool = False,
) -> None:
    """The kernels compute what the program means."""
    wanted = evaluate(program, *tensors, math="exact" if exact else "fast")
    found = run_program(kernels, *tensors)
    for output in program.outputs:
        left, right = found[output.name], wanted[output.name]
        assert left.shape == right.shape
        assert left.dtype == right.dtype
        close = tolerance if output.dtype is DType.F32 else max(tolerance, 8e-3)
        if not output.dtype.is_float:
            np.testing.assert_array_equal(left, right, err_msg=output.name)
            continue
        error = relative_error(left.astype(np.float64), right.astype(np.float64))
        assert error <= close, f"{output.name}: {error:.2e}"


def relative_error(found: npt.NDArray[Any], wanted: npt.NDArray[Any]) -> float:
    """The l2 norm of the difference over that of what is wanted; NaNs must match."""
    assert np.array_equal(np.isnan(found), np.isnan(wanted)), "NaNs differ"
    infinite = np.isinf(wanted)
    assert np.array_equal(found[infinite], wanted[infinite]), "infinities differ"
    finite = np.isfinite(wanted)
    difference = np.linalg.norm(found[finite] - wanted[finite])
    return float(difference / (np.linalg.norm(wanted[finite]) + 1e-30))


def check(program: TensorProgram, seed: int = 0, tolerance: float = 2e-5) -> KernelProgram:
    """Lower ``program`` in both modes and compare; returns the fast kernels."""
    tensors = random_tensors(program, seed)
    exact = lower(program, "gfx942", exact=True).program
    assert_equal(program, exact, tensors, tolerance, exact=True)
    fast = lower(program, "gfx942").program
    assert_equal(program, fast, tensors, tolerance)
    return fast


def check_random(program: TensorProgram, seeds: range, tolerance: float = 2e-5) -> None:
    """Whatever is chosen for ``program``, it means the same."""
    tensors = random_tensors(program, seeds.start)
    for seed in seeds:
        exact = bool(seed % 2)
        kernels = lower(program, "gfx942", exact=exact, seed=seed).program
        assert_equal(program, kernels, tensors, tolerance, exact)
