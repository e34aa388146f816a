"""How many waves of a kernel fit on a compute unit, and what limits them."""

from __future__ import annotations

from dataclasses import dataclass

from lumc.runtime.emulator.code_object import Kernel

_SIMDS = 4
_VECTOR_REGISTERS = 512  # a lane's share of a SIMD, vector and accumulation registers together
_MAX_WAVES = 8  # per SIMD
_MAX_WORKGROUPS = 16  # per compute unit
_LDS_BYTES = {"gfx90a": 64 << 10, "gfx942": 64 << 10, "gfx950": 160 << 10}
_LDS_GRANULE = {"gfx90a": 512, "gfx942": 512, "gfx950": 1280}


@dataclass(frozen=True, slots=True)
class Occupancy:
    """Waves on each SIMD of a compute unit, workgroups on the unit, and the scarcest resource."""

    waves_per_simd: int
    workgroups: int
    limited_by: str


def occupancy(
    kernel: Kernel, target: str, block: tuple[int, int, int], dynamic_lds: int = 0
) -> Occupancy:
    """The occupancy of ``kernel`` on a compute unit of ``target`` (CDNA: four SIMDs).

    Register files and limits are those of LLVM's AMDGPU usage guide and ``GCNSubtarget``.

    Raises:
        ValueError: if the target is not a CDNA chip.
    """
    if target not in _LDS_BYTES:
        raise ValueError(f"the occupancy rules of {target} are not known")
    waves = -(-block[0] * block[1] * block[2] // 64)
    registers = kernel.vector_registers + kernel.accumulation_registers
    limits = {
        "waves": _MAX_WAVES,
        "vector registers": _VECTOR_REGISTERS // registers,
        "scalar registers": _waves_by_scalars(kernel.scalar_registers),
    }
    # Workgroups come whole: each needs ceil(waves / 4) places on some SIMD.
    counts = {name: limit * _SIMDS // waves for name, limit in limits.items()}
    counts["workgroups"] = _MAX_WORKGROUPS
    if lds := kernel.lds_bytes + dynamic_lds:
        granule = _LDS_GRANULE[target]
        counts["LDS"] = _LDS_BYTES[target] // (-(-lds // granule) * granule)
    limited_by = min(counts, key=lambda name: counts[name])
    workgroups = counts[limited_by]
    return Occupancy(-(-workgroups * waves // _SIMDS), workgroups, limited_by)


def _waves_by_scalars(count: int) -> int:
    for most, waves in ((80, 10), (88, 9), (100, 8)):
        if count <= most:
            return waves
    return 7
