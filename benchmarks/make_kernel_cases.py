"""Makes the kernels that ``h200.py`` checks: random ones, and the families at awkward sizes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

from hypothesis import HealthCheck, Phase, given, settings

from benchmarks.kernel_cases import KernelCase, write_cases
from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.dsl.dtypes import DType
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Gemm, Kernel, ParameterAccess
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.select_tiles import with_tile
from lumc.lowering.tiles import gemm_tiles
from tests.codegen import sample_kernels as sample
from tests.strategies.kernels import kernels, random_arrays

_ALIGNED = 256


def make_cases(target: str, folder: Path, random_kernels: int) -> int:
    """Write the cases for ``target`` into ``folder``; returns how many there are."""
    chosen = [*_families(target), *_random(random_kernels)]
    return write_cases((_case(kernel, target, n) for n, kernel in enumerate(chosen)), folder)


def _families(target: str) -> Iterator[Kernel]:
    chip = chip_for(target)
    for dtype in (DType.BF16, DType.F16, DType.F32):
        yield sample.modulated(33, 72, dtype)
        yield sample.transposed(37, 53, dtype)
        yield sample.padded(19, 3, dtype)
        yield sample.layer_norm(9, 1111, dtype)
        yield sample.rope_in_place(21, 3, 64, dtype)
        yield sample.gated_pair(150, 200, 96, dtype)
        for rows, columns, inner in ((77, 130, 72), (200, 264, 200), (1, 40, 1000), (257, 129, 65)):
            yield sample.linear(rows, columns, inner, dtype)
        for tile in gemm_tiles(chip, dtype, 1):
            yield sample.linear(150, 170, 144, dtype, tile=tile)
        yield sample.linear(70, 90, 130, dtype, left_transposed=True)
        yield sample.linear(70, 90, 130, dtype, right_transposed=True, batch=3)
        for mask in ("none", "causal"):
            yield sample.attention(3, 77, 130, 64, 64, dtype, mask=mask)
        yield sample.attention(4, 100, 200, 128, 128, dtype, groups=2)
        yield sample.attention(2, 65, 65, 40, 24, dtype)
    yield sample.column_sum(300, 70)


def _random(count: int) -> list[Kernel]:
    found: list[Kernel] = []

    @settings(
        max_examples=count,
        derandomize=True,
        database=None,
        deadline=None,
        phases=[Phase.generate],
        suppress_health_check=list(HealthCheck),
    )
    @given(kernels())
    def collect(kernel: Kernel) -> None:
        found.append(kernel)

    collect()
    return found


def _case(kernel: Kernel, target: str, seed: int) -> KernelCase:
    chosen = with_tile(kernel, chip_for(target))
    verify_kernel(chosen)
    emitted = emit_kernel(chosen, target_named(target), [_ALIGNED] * len(kernel.parameters))
    before = random_arrays(chosen, seed, tail=5)
    after = [array.copy() for array in before]
    run_kernel(replace(chosen, tile=None) if isinstance(chosen, Gemm) else chosen, after)
    return KernelCase(
        name=f"{kernel.name} ({type(kernel).__name__})",
        symbol=emitted.symbol,
        unit=emitted.unit,
        grid=emitted.grid,
        block=emitted.block,
        dtypes=tuple(parameter.dtype.value for parameter in kernel.parameters),
        reads_only=tuple(p.access is ParameterAccess.READ for p in kernel.parameters),
        before=tuple(before),
        after=tuple(after),
    )
