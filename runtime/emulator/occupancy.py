"""How many waves of a kernel fit on a compute unit, and what limits them."""

from __future__ import annotations

from dataclasses import dataclass

from lumc.runtime.emulator.code_object import Kernel

_SIMDS = 4


@dataclass(frozen=True, slots=True)
class _Resources:
    """What a compute unit of four SIMDs holds; on RDNA that is a workgroup processor.

    ``registers`` are a lane's share of a SIMD's register file.
    """

    lanes: int
    registers: int
    register_granule: int
    waves: int
    workgroups: int
    lds_bytes: int
    lds_granule: int
    scalars_limit: bool


# LLVM's AMDGPU usage guide and GCNSubtarget: register files, granules and limits by chip.
_CDNA = _Resources(64, 512, 8, 8, 16, 64 << 10, 512, scalars_limit=True)
_RESOURCES = {
    "gfx90a": _CDNA,
    "gfx942": _CDNA,
    "gfx950": _Resources(64, 512, 8, 8, 16, 160 << 10, 1280, scalars_limit=True),
    "gfx1100": _Resources(32, 1536, 24, 16, 32, 128 << 10, 512, scalars_limit=False),
}


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Waves on each SIMD of a compute unit, workgroups on the unit, and the scarcest resource."""

    waves_per_simd: int
    workgroups: int
    limited_by: str


def occupancy(
    kernel: Kernel, target: str, block: tuple[int, int, int], dynamic_lds: int = 0
) -> Occupancy:
    """The occupancy of ``kernel`` on a compute unit of ``target`` (gfx1100: a processor of two).

    Raises:
        ValueError: if the rules of the target are not known.
    """
    if target not in _RESOURCES:
        raise ValueError(f"the occupancy rules of {target} are not known")
    unit = _RESOURCES[target]
    waves = -(-block[0] * block[1] * block[2] // unit.lanes)
    registers = kernel.vector_registers + kernel.accumulation_registers
    limits = {
        "waves": unit.waves,
        "vector registers": unit.registers // _rounded(registers, unit.register_granule),
    }
    if unit.scalars_limit:
        limits["scalar registers"] = _waves_by_scalars(kernel.scalar_registers)
    # Workgroups come whole: each needs ceil(waves / 4) places on some SIMD.
    counts = {name: limit * _SIMDS // waves for name, limit in limits.items()}
    counts["workgroups"] = unit.workgroups
    if lds := kernel.lds_bytes + dynamic_lds:
        counts["LDS"] = unit.lds_bytes // _rounded(lds, unit.lds_granule)
    limited_by = min(counts, key=lambda name: counts[name])
    workgroups = counts[limited_by]
    return Occupancy(-(-workgroups * waves // _SIMDS), workgroups, limited_by)


def _rounded(count: int, granule: int) -> int:
    return -(-max(count, 1) // granule) * granule


def _waves_by_scalars(count: int) -> int:
    for most, waves in ((80, 10), (88, 9), (100, 8)):
        if count <= most:
            return waves
    return 7
