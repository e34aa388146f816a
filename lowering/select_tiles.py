"""Choosing how products and attention are cut into tiles, by the cost model."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from lumc.lowering.chips import Chip
from lumc.lowering.cost import best_attention_tile, best_gemm_tile
from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    Kernel,
    KernelProgram,
    Pointwise,
    RowReduction,
)


def select_tiles(program: KernelProgram, chip: Chip) -> KernelProgram:
    """``program`` with a tile for every product and attention: the fastest on ``chip``.

    Tiles that are there already are kept.
    """
    return replace(program, kernels=tuple(with_tile(kernel, chip) for kernel in program.kernels))


def with_tile(kernel: Kernel, chip: Chip) -> Kernel:
    """``kernel`` with the tile that is fastest on ``chip``, if it is of a kind that has tiles."""
    match kernel:
        case Pointwise() | RowReduction():
            return kernel
        case Gemm():
            return kernel if kernel.tile else replace(kernel, tile=best_gemm_tile(kernel, chip)[0])
        case Attention():
            if kernel.tile:
                return kernel
            return replace(kernel, tile=best_attention_tile(kernel, chip)[0])
        case _:
            assert_never(kernel)
