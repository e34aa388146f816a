"""Compile a tensor program and run it on the emulator, as `lumc run` does."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.build import write_stage
from lumc.codegen.cache import Cache, open_cache
from lumc.codegen.emit import MathMode
from lumc.codegen.target import Target, target_named
from lumc.codegen.toolchains import CompileUnit, Toolchain, choose_toolchain
from lumc.compiler import (
    CompileOptions,
    Progress,
    Silent,
    Stopwatch,
    compile_program,
    plan_kernels,
)
from lumc.dsl.tensor_program import TensorProgram
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.tensors import TensorArrays
from lumc.stage_files import stage_files

Array = npt.NDArray[Any]


def run_emulated(
    program: TensorProgram,
    inputs: Mapping[str, Array],
    weights: Mapping[str, Array],
    target: str,
    math: MathMode = MathMode.FAST,
    random_choices: int | None = None,
    together: bool = False,
) -> dict[str, Array]:
    """The outputs of ``program`` by name, computed by machine code for ``target``.

    By the best kernels, or by ``random_choices`` among all that mean the same. Where kernels are
    small, compiling all of them ``together`` takes a quarter of the time.
    """
    options = CompileOptions(target, math, random_choices=random_choices)
    build = compile_together if together else compile_program
    files = build(
        program,
        target_named(target),
        options,
        choose_toolchain(target),
        open_cache(),
        Silent(),
        Stopwatch(),
    )
    with tempfile.TemporaryDirectory() as folder:
        write_stage(Path(folder) / "stage", files)
        device = EmulatorDevice(target)
        with Executor(open_stage(Path(folder) / "stage"), device) as executor:
            executor.load_weights(TensorArrays(weights))
            outputs = executor.run(inputs)
        device.close()
    return outputs


def compile_together(
    program: TensorProgram,
    target: Target,
    options: CompileOptions,
    chain: Toolchain,
    store: Cache,
    progress: Progress,
    watch: Stopwatch,
) -> dict[str, bytes]:
    """As ``compile_program``, but all kernels are one unit, and nothing is kept."""
    made = plan_kernels(program, target, options, chain, store, progress, watch)
    units = {kernel.symbol: kernel.unit for kernel in made.emitted.generated}
    headers = {name: text for unit in units.values() for name, text in unit.headers.items()}
    text = "\n".join(unit.text for unit in units.values())
    found = chain.compile(CompileUnit(text, headers), target.name) if units else None
    objects = {symbol: found for symbol in units if found is not None}
    return stage_files(replace(made, objects=objects), target, options.libraries)


def relative_error(got: Array, expected: Array, least: float = 0.0) -> float:
    """The relative L2 error, in f64; infinite unless both are finite or equal where they are not.

    Values are taken to be of size ``least`` at least: where all cancel, rounding is what is left.
    Where ``expected`` is all zeros the error is absolute.
    """
    a, b = got.astype(np.float64), expected.astype(np.float64)
    special = ~np.isfinite(b)
    if not np.array_equal(a[special], b[special], equal_nan=True):
        return float("inf")
    difference = np.where(special, 0.0, a - np.where(special, a, b))
    size = max(float(np.linalg.norm(np.where(special, 0.0, b))), least * b.size**0.5)
    error = float(np.linalg.norm(difference)) / (size or 1.0)
    return error if np.isfinite(error) else float("inf")
