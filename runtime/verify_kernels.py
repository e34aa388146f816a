"""Checking compiled kernels at full size: a few workgroups on random data against their meaning.

What runs is the very code object of the plan, on parameters of full size. Only the chosen
workgroups run, and the NumPy meaning is evaluated only on the points that they cover, so that even
the largest kernels take moments. Every element that they write must be within the bound that
rounding allows (``lumc.lowering.kernel_bounds``); nothing else may change.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.emit import EmittedKernel
from lumc.codegen.geometry import Box, Geometry
from lumc.codegen.toolchains import CompiledObject
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_bounds import Real, Written, merge_writes, predict_writes
from lumc.lowering.kernel_program import Kernel, Parameter, ParameterAccess
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_reference import boxes, poisoned
from lumc.lowering.kernel_types import parallel_axes
from lumc.lowering.scalar_reference import round_to, whole
from lumc.runtime.emulator import Emulator
from lumc.runtime.meetings import check_counters, meeting_arrays
from lumc.runtime.origins import spec_origins

Array = npt.NDArray[Any]

RunWorkgroups = Callable[[Sequence[int], Sequence[Array]], None]
"""Runs the workgroups of these numbers on a flat array per parameter, in place."""

# Random numbers are made once and repeated: a prime length falls on rows and tiles alike at
# different places.
_PERIOD = 1_000_003

# Whole numbers are below these: they may be used as places, so too great ones are tried smaller.
_WHOLE_LIMITS = (1000, 50, 5, 1)

# Points of a kernel's parallel axes that are predicted at a time.
_BOX = 1 << 18


@dataclass(frozen=True, slots=True)
class Mismatch:
    """Where a kernel's result is not what its meaning says."""

    kernel: str
    parameter: str
    element: int
    """The element's number in the parameter, counted in memory."""
    found: float
    wanted: float
    allowed: float
    count: int
    """How many elements of the parameter are wrong."""

    def __str__(self) -> str:
        """What is wrong, for a reader."""
        return (
            f"{self.kernel}: {self.parameter}, element {self.element}: {self.found!r} instead of"
            f" {self.wanted!r} (allowed: {self.allowed:.3g}); {self.count} in all"
        )


@dataclass(frozen=True, slots=True)
class KernelCheck:
    """What was compared: the workgroups that ran, the elements they wrote, and what was wrong.

    ``elements`` counts those of which a bound is known; ``closeness`` is the greatest
    error over what is allowed.
    """

    workgroups: tuple[int, ...]
    elements: int
    closeness: float
    mismatches: tuple[Mismatch, ...]


def check_kernel(
    kernel: Kernel,
    geometry: Geometry,
    run_workgroups: RunWorkgroups,
    *,
    workgroups: int = 3,
    seed: int = 0,
) -> KernelCheck:
    """Run some workgroups of ``kernel`` and compare all that they write.

    Args:
        kernel: What the code is meant to compute.
        geometry: Which points each workgroup covers.
        run_workgroups: Runs the compiled code.
        workgroups: How many run: the first, the last, and random ones between. Of a tile that
            several share all run, and count as one.
        seed: For the data and the choice.
    """
    generator = np.random.default_rng(seed)
    tiles = choose_workgroups(geometry.tiles, workgroups, generator)
    chosen = sorted({block for tile in tiles for block in geometry.blocks_of(tile)})
    # Those of one tile may have all steps of another between them.
    done = geometry.tiles_of(frozenset(chosen))
    parts = [box for tile in done for box in geometry.boxes(tile)]
    arrays, before, written = _prepare(kernel, parts, generator)
    run_workgroups(chosen, arrays)
    return _compared(kernel, chosen, arrays, before, written)


def check_launch(kernel: Kernel, before: Sequence[Array], after: Sequence[Array]) -> KernelCheck:
    """Compare all that a whole launch of ``kernel`` wrote; no workgroups are named.

    Args:
        kernel: What the code is meant to compute.
        before: A flat array per parameter as it was before the launch.
        after: The same after it.
    """
    changing = {
        n: before[n]
        for n, parameter in enumerate(kernel.parameters)
        if parameter.access is not ParameterAccess.READ
    }
    expected = [array.copy() if n in changing else array for n, array in enumerate(before)]
    parts = boxes(whole(parallel_axes(kernel)), _BOX)
    written = [write for box in parts for write in predict_writes(kernel, expected, box)]
    return _compared(kernel, (), after, changing, written)


def _compared(
    kernel: Kernel,
    workgroups: Sequence[int],
    arrays: Sequence[Array],
    before: Mapping[int, Array],
    written: Sequence[Written],
) -> KernelCheck:
    """What stands in ``arrays`` against what is ``written``; ``before`` are those that change."""
    dtypes = {n: parameter.dtype for n, parameter in enumerate(kernel.parameters)}
    with np.errstate(invalid="ignore"):
        # What stood in memory may be any bits: signalling NaNs too.
        merged = merge_writes(written, before, dtypes)
    elements, closeness, mismatches = 0, 0.0, []
    for number, old in before.items():
        places, wanted, allowed = merged.get(number, _NOTHING)
        comparison = _Comparison(kernel, number, arrays[number], old, places)
        ratio = comparison.over_allowed(wanted, allowed)
        elements += int(np.count_nonzero(np.isfinite(allowed)))
        closeness = max(closeness, float(np.max(ratio, initial=0.0)))
        mismatches += comparison.wrong(ratio, wanted, allowed) + comparison.changed_elsewhere()
    return KernelCheck(tuple(workgroups), elements, closeness, tuple(mismatches))


def emulated(emitted: EmittedKernel, compiled: CompiledObject) -> RunWorkgroups:
    """Runs a kernel's code object on the emulator, with all of its checks on."""

    def run(workgroups: Sequence[int], arrays: Sequence[Array]) -> None:
        origins = spec_origins(emitted.spec_lines)
        emulator = Emulator(compiled.code, compiled.assembly, source_lines=origins)
        # The grid has one axis.
        groups = [(number, 0, 0) for number in workgroups]
        meeting = meeting_arrays(emitted.meeting)
        arguments = [*arrays, *meeting]
        emulator.launch(emitted.symbol, emitted.grid, emitted.block, arguments, workgroups=groups)
        check_counters(emitted.symbol, emitted.meeting, meeting, emitted.grid[0], workgroups)

    return run


_NOTHING = np.zeros(0, np.int64), np.zeros(0), np.zeros(0)


def _prepare(
    kernel: Kernel, parts: Sequence[Box], generator: np.random.Generator
) -> tuple[list[Array], dict[int, Array], list[Written]]:
    """Data for ``kernel``, what stands in the parameters that change, and what they become.

    Whole numbers that lead to places outside are tried again in a smaller range.
    """
    for limit in _WHOLE_LIMITS:
        arrays = random_arguments(kernel, generator, limit)
        before = {
            n: arrays[n].copy()
            for n, parameter in enumerate(kernel.parameters)
            if parameter.access is not ParameterAccess.READ
        }
        expected = [array.copy() if n in before else array for n, array in enumerate(arrays)]
        try:
            written = [write for box in parts for write in predict_writes(kernel, expected, box)]
        except IndexError:
            if limit == _WHOLE_LIMITS[-1]:
                raise
            continue
        return arrays, before, written
    raise AssertionError("the last limit returns or raises")


def choose_workgroups(blocks: int, count: int, generator: np.random.Generator) -> tuple[int, ...]:
    """The first, the last and random ones between, ``count`` in all if there are so many."""
    if blocks <= count:
        return tuple(range(blocks))
    between = generator.choice(np.arange(1, blocks - 1), max(0, count - 2), replace=False)
    return tuple(sorted({0, blocks - 1, *(int(n) for n in between)}))


def random_arguments(
    kernel: Kernel, generator: np.random.Generator, whole_limit: int = 100
) -> list[Array]:
    """Full-size data for ``kernel``: a flat array per parameter, exactly as long as it extends.

    Reals are standard normal, whole numbers below ``whole_limit`` and not negative; what is only
    written is poisoned.
    """
    return [_random_argument(p, generator, whole_limit) for p in kernel.parameters]


def _random_argument(
    parameter: Parameter, generator: np.random.Generator, whole_limit: int
) -> Array:
    elements = extent(parameter)
    array = poisoned(elements, parameter.dtype)
    if parameter.access is ParameterAccess.WRITE:
        return array
    period = min(elements, _PERIOD)
    if parameter.dtype.is_float:
        values = generator.standard_normal(period, np.float32).astype(array.dtype)
    else:
        limit = 2 if parameter.dtype is DType.BOOL else whole_limit
        values = generator.integers(0, limit, period).astype(array.dtype)
    rounds = elements // period
    array[: rounds * period].reshape(rounds, period)[...] = values
    array[rounds * period :] = values[: elements - rounds * period]
    return array


@dataclass(frozen=True, slots=True)
class _Comparison:
    """What a parameter holds after the workgroups ran, and held before.

    ``places`` are the elements that they write.
    """

    kernel: Kernel
    parameter: int
    found: Array
    before: Array
    places: npt.NDArray[np.int64]

    def over_allowed(self, wanted: Real, allowed: Real) -> Real:
        """Each written element's error over what is allowed; 0 where it is as wanted."""
        dtype = self.kernel.parameters[self.parameter].dtype
        with np.errstate(all="ignore"):
            stored = round_to(wanted, dtype).astype(np.float64)
            result = self.found[self.places].astype(np.float64)
            off = np.abs(result - (wanted if dtype.is_float else stored))
            both_nan = np.isnan(result) & np.isnan(wanted)
            # Past the greatest number of the type rounding gives infinity.
            both_infinite = (result == stored) & np.isinf(stored)
            ratio = np.where(both_nan | both_infinite | (off == 0), 0.0, off / allowed)
        return np.where(np.isnan(ratio), np.inf, ratio)

    def wrong(self, ratio: Real, wanted: Real, allowed: Real) -> list[Mismatch]:
        """The first written element that is further off than allowed, if there is one."""
        numbers = np.flatnonzero(ratio > 1)
        if not numbers.size:
            return []
        first = int(numbers[0])
        place = int(self.places[first])
        return [self._mismatch(place, float(wanted[first]), float(allowed[first]), numbers.size)]

    def changed_elsewhere(self) -> list[Mismatch]:
        """The first element that changed though nothing writes it, if there is one."""
        bits = f"u{self.found.itemsize}"
        changed = np.flatnonzero(self.found.view(bits) != self.before.view(bits))
        outside = changed[~np.isin(changed, self.places)]
        if not outside.size:
            return []
        first = int(outside[0])
        return [self._mismatch(first, float(self.before[first]), 0.0, outside.size)]

    def _mismatch(self, place: int, wanted: float, allowed: float, count: int) -> Mismatch:
        name = self.kernel.parameters[self.parameter].name
        found = float(self.found[place])
        return Mismatch(self.kernel.name, name, place, found, wanted, allowed, count)
