"""How long a launch would take on a chip that is not here: a prediction.

The kernel was traced on the emulator and replayed by the timing model (``model_kernel``). What
comes from the whole chip is added here: rounds of workgroups over its compute units, the clock that
power allows at that load, and bytes against the bandwidth of memory and of the last cache.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumc.lowering.chips import Chip
from lumc.lowering.power import clock_under_load
from lumc.runtime.model_kernel import ModelledKernel

_BUSY = 0.6
"""A unit that is busy for more of the time than this is what limits a kernel."""


@dataclass(frozen=True, slots=True)
class MovedBytes:
    """Of one launch: what comes from memory, and what the last cache holds."""

    memory: float
    cache: float

    @property
    def total(self) -> float:
        """All bytes."""
        return self.memory + self.cache


@dataclass(frozen=True, slots=True)
class LaunchPrediction:
    """One launch on a chip; parts are seconds as if each were alone."""

    seconds: float
    compute: float
    memory: float
    rounds: float
    """Workgroups over those that the chip holds at a time."""
    clock: float
    """Hz that power allows."""
    utilisation: float
    """Share of the time that the whole chip's matrix units are busy."""
    limit: str
    """What it waits for most."""


def predict_launch(modelled: ModelledKernel, chip: Chip, moved: MovedBytes) -> LaunchPrediction:
    """One launch of a kernel on ``chip``, moving ``moved`` bytes beyond the units' shared cache."""
    on_a_unit = -(-modelled.workgroups // chip.units)
    clocks = modelled.unit_clocks(chip.units)
    fetched = sum(each.fetched for each in modelled.traffic)
    shared = on_a_unit * fetched / chip.shared_rate
    longest = max(clocks, shared, 1.0)
    rounds = modelled.workgroups / (chip.units * modelled.resident)
    # A chip that is never full draws less; while other units wait for the last round, they do not.
    active = min(1.0, rounds) * clocks / longest
    clock = clock_under_load(chip, active * modelled.whole, active * _vector_share(modelled))
    compute = longest / clock
    memory = memory_seconds(moved, chip)
    return LaunchPrediction(
        seconds=chip.launch + max(compute, memory),
        compute=compute,
        memory=memory,
        rounds=rounds,
        clock=clock,
        utilisation=modelled.workgroups / chip.units * modelled.matrix_clocks / longest,
        limit=_limit(modelled, chip, compute, memory, shared > clocks),
    )


def matrix_seconds(modelled: ModelledKernel, chip: Chip) -> float:
    """The time of a launch's matrix instructions on all units, at the sustained clock."""
    return modelled.workgroups * modelled.matrix_clocks / (chip.units * chip.matrix_clock)


def memory_seconds(moved: MovedBytes, chip: Chip) -> float:
    """The time of ``moved`` bytes alone."""
    return moved.memory / chip.bandwidth + moved.cache / chip.cache_bandwidth


def _limit(
    modelled: ModelledKernel, chip: Chip, compute: float, memory: float, shared: bool
) -> str:
    if chip.launch > max(compute, memory):
        return "launch"
    if memory > compute:
        return "memory"
    if shared:
        return "L2"
    units = {
        "matrix units": modelled.whole,
        "vector units": _vector_share(modelled),
        "LDS": modelled.lds,
        "vector cache": modelled.near,
    }
    busiest = max(units, key=lambda name: units[name])
    if units[busiest] > _BUSY or not modelled.stalls:
        return busiest
    return next(iter(modelled.stalls))


def _vector_share(modelled: ModelledKernel) -> float:
    """Of the time with ``resident`` workgroups."""
    return modelled.vector_clocks * modelled.resident / modelled.clocks[modelled.resident]
