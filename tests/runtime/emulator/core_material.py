"""Small kernels compiled for the emulator's own tests."""

from functools import cache
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.toolchains.discovery import choose_toolchain
from lumc.codegen.toolchains.toolchain import CompiledObject, CompileUnit
from lumc.runtime.emulator import Checks, Emulator

Array = npt.NDArray[Any]
KERNELS = Path(__file__).parent / "kernels"
TARGETS = ("gfx90a", "gfx942", "gfx950")


@cache
def compiled(name: str, target: str) -> CompiledObject:
    """`kernels/NAME.hip`, compiled by the toolchain that lumc would choose."""
    unit = CompileUnit((KERNELS / f"{name}.hip").read_text(encoding="utf-8"))
    return choose_toolchain(target).compile(unit, target)


@cache
def emulator_of(name: str, target: str) -> Emulator:
    """An emulator with all checks for `kernels/NAME.hip`."""
    made = compiled(name, target)
    return Emulator(made.code, made.assembly, Checks.all())


def line_of(name: str, text: str) -> int:
    """The number of the one line of `kernels/NAME.hip` that holds `text`."""
    lines = (KERNELS / f"{name}.hip").read_text(encoding="utf-8").splitlines()
    (number,) = (k for k, line in enumerate(lines, 1) if text in line)
    return number


def ramp(count: int, dtype: Any = np.float32) -> Array:
    """1, 2, 3, … so that no value is the initial one of anything."""
    return np.arange(1, count + 1).astype(dtype)


def poisoned(shape: int | tuple[int, ...], dtype: Any = np.float32) -> Array:
    """An output that no kernel would write by itself."""
    return np.full(shape, 77, dtype)
