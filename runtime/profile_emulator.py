"""What each kernel of a compiled stage does, counted by the emulator, and a time predicted from it.

The predicted time is a simple model's: the busiest of a compute unit's parts (matrix cores, vector
lanes, LDS, its cache) or memory, whichever takes longest, over the chip's sustained rates
(``lowering/chips.py``), for as many rounds of workgroups as the chip needs. It is no measurement.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field

import numpy as np

from lumc.codegen.launch_plan import PlanBufferKind
from lumc.diagnostics import Diagnostic
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import Chip, chip_for
from lumc.runtime.devices.device import DeviceError, DeviceLaunch
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.emulator import Emulator, LaunchResult
from lumc.runtime.emulator.counters import Counters
from lumc.runtime.executor import Executor
from lumc.runtime.random_tensors import RandomTensors
from lumc.runtime.stage_folder import CompiledStage, wanted_tensors
from lumc.runtime.stage_work import read_work
from lumc.runtime.tensors import TensorSource, match_tensors, read_as

_LINE_BYTES = {"gfx90a": 64, "gfx942": 128, "gfx950": 128, "gfx1100": 128}
_OPERATIONS = 4e9
_BYTES = 2e8
"""What the emulator does in a second: operations of products, else bytes that must move. Measured
on two cores for FLUX.2's VAE at 64×64 and for two blocks of its transformer at 256×256."""
_BESIDE_BYTES = 1 << 30
"""For random values, code and counters."""
LESS_WORK = (
    "compile a smaller configuration (--set), or let lumc bench --predict say what a step takes"
)
_TRANSCENDENTAL_COST = 4
"""Vector instructions that one exponential, reciprocal or root takes the time of."""


@dataclass(slots=True)
class KernelProfile:
    """One kernel's executions in a step, added up."""

    symbol: str
    occupancy: str
    """Waves on each SIMD and what limits them; empty where the chip's rules are not known."""
    launches: int = 0
    instructions: int = 0
    by_class: dict[str, int] = field(default_factory=dict)
    matrix_products: dict[str, int] = field(default_factory=dict)
    bytes_by_space: dict[str, int] = field(default_factory=dict)
    cache_lines: int = 0
    line_bytes: int = 0
    lds_cycles: int = 0
    lds_ideal_cycles: int = 0
    barriers: int = 0
    predicted_microseconds: float = 0.0

    @property
    def coalescing(self) -> float:
        """Useful share of the cache lines touched; 1 where nothing is wasted."""
        lines = self.cache_lines * self.line_bytes
        return self.bytes_by_space.get("global", 0) / lines if lines else 1.0

    @property
    def bank_conflicts(self) -> float:
        """LDS cycles against those without conflicts; 1 is free of them."""
        return self.lds_cycles / self.lds_ideal_cycles if self.lds_ideal_cycles else 1.0

    def add(self, counters: Counters, microseconds: float) -> None:
        """Count one more execution."""
        self.launches += 1
        self.instructions += counters.instructions
        _add(self.by_class, counters.by_class)
        _add(self.matrix_products, counters.matrix_products)
        _add(self.bytes_by_space, counters.bytes_by_space)
        self.cache_lines += counters.cache_lines
        self.lds_cycles += counters.lds_cycles
        self.lds_ideal_cycles += counters.lds_ideal_cycles
        self.barriers += counters.barriers
        self.predicted_microseconds += microseconds


def emulation_seconds(stage: CompiledStage) -> float:
    """About how long a step of ``stage`` takes on the emulator, to a factor of two.

    Raises:
        LumcError: the stage's folder does not say what work is in its kernels.
    """
    work = read_work(stage)
    launched = (work[stage.plan.kernels[one.kernel].symbol] for one in stage.plan.launches)
    return sum(
        one.operations / _OPERATIONS if one.operations else one.bytes / _BYTES for one in launched
    )


def profile_stage(
    stage: CompiledStage,
    weights: TensorSource | None,
    inputs: TensorSource | None,
    step: Callable[[], None] = lambda: None,
) -> tuple[KernelProfile, ...]:
    """Run one step of ``stage`` on the emulator; each kernel's counts, the costliest first.

    Without ``weights`` or ``inputs`` random values take their place (whole numbers are 0 or 1).
    ``step`` is called after each launch of the step.

    Raises:
        LumcError: tensors don't fit, the emulator doesn't run code for the stage's target, or this
            machine has too little memory.
    """
    found: dict[str, KernelProfile] = {}
    target = stage.plan.target
    counting = False

    def observe(launch: DeviceLaunch, emulator: Emulator, result: LaunchResult) -> None:
        if not counting:
            return
        symbol = launch.kernel.symbol
        if symbol not in found:
            held = _occupancy(emulator, symbol, launch.block)
            found[symbol] = KernelProfile(symbol, held, line_bytes=_LINE_BYTES[target])
        footprint = _footprint(launch)
        seconds = predict_from_counters(result.counters, footprint, chip_for(target))
        found[symbol].add(result.counters, seconds * 1e6)
        step()

    device = EmulatorDevice(target, observe)
    try:
        _require_memory(stage, device)
        with Executor(stage, device) as executor:
            wanted = wanted_tensors(stage.plan, PlanBufferKind.WEIGHT)
            executor.load_weights(weights or RandomTensors(wanted, scale=0.02))
            wanted = wanted_tensors(stage.plan, PlanBufferKind.INPUT)
            source = inputs or RandomTensors(wanted, scale=1.0)
            match_tensors(wanted, source, "input")
            counting = True
            executor.run({tensor.name: read_as(tensor, source) for tensor in wanted})
    finally:
        device.close()
    return tuple(sorted(found.values(), key=lambda p: -p.predicted_microseconds))


def predict_from_counters(counters: Counters, footprint: int, chip: Chip) -> float:
    """Seconds that one execution would take on ``chip``, its buffers being ``footprint`` bytes."""
    unit_cycles = max(
        _matrix_cycles(counters, chip) * chip.clock / chip.matrix_clock,
        _vector_cycles(counters, chip),
        counters.lds_cycles,
        counters.cache_lines * _LINE_BYTES[chip.target] / chip.near_rate,
    )
    workgroups = max(counters.workgroups, 1)
    rounds = math.ceil(workgroups / chip.units)
    busy = unit_cycles / workgroups * rounds / chip.clock
    return chip.launch + max(busy, footprint / chip.bandwidth)


def _matrix_cycles(counters: Counters, chip: Chip) -> float:
    """Clocks of one unit's matrix cores for all matrix instructions."""
    executions = counters.counts["executions"].astype(np.int64)
    records = counters.records
    work = 2 * records["matrix_rows"].astype(np.int64) * records["matrix_columns"]
    work = work * records["matrix_depth"] * records["matrix_blocks"] * executions
    return sum(
        int(work[k]) / chip.matrix_rate(_operand_type(counters.mnemonics[k]))
        for k in np.flatnonzero(work)
    )


def _operand_type(mnemonic: str) -> DType:
    """The type that a matrix instruction multiplies, by its name's last part."""
    if "bf16" in mnemonic:
        return DType.BF16
    return DType.F16 if mnemonic.removesuffix("_e64").endswith("f16") else DType.F32


def _vector_cycles(counters: Counters, chip: Chip) -> float:
    plain = counters.by_class.get("valu", 0)
    slow = counters.by_class.get("transcendental", 0)
    return (plain + _TRANSCENDENTAL_COST * slow) * chip.wave / chip.lanes


def _footprint(launch: DeviceLaunch) -> int:
    """Bytes of all buffers from where the kernel is pointed to on."""
    return sum({a.address: a.bytes for a in launch.arguments}.values())


def _occupancy(emulator: Emulator, symbol: str, block: tuple[int, int, int]) -> str:
    try:
        held = emulator.occupancy(symbol, block)
    except ValueError:
        return ""
    return f"{held.waves_per_simd} ({held.limited_by})"


def _require_memory(stage: CompiledStage, device: EmulatorDevice) -> None:
    """More than there is would only show once much of it is filled."""
    needed = sum(size for _, size in stage.plan.region_bytes) + _BESIDE_BYTES
    free = device.free_bytes()
    if needed > free:
        message = f"a step of {stage.plan.stage} needs {needed / 1e9:,.1f} GB on the emulator"
        have = f"this machine has {free / 1e9:,.1f} GB for it"
        raise DeviceError(Diagnostic("D013", f"{message}; {have}", hint=LESS_WORK))


def _add(total: dict[str, int], more: Mapping[str, int]) -> None:
    for name, count in more.items():
        total[name] = total.get(name, 0) + count
