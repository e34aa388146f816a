"""Choosing how products and attention are cut into tiles, by the cost model."""

from __future__ import annotations

from dataclasses import replace
from typing import assert_never

from lumc.lowering.chips import Chip
from lumc.lowering.cost import best_attention, best_product
from lumc.lowering.kernel_program import (
    Attention,
    Gemm,
    Kernel,
    KernelProgram,
    LibraryAttention,
    LibraryConvolution,
    LibraryProduct,
    Pointwise,
    RowReduction,
)


def select_tiles(program: KernelProgram, chip: Chip) -> KernelProgram:
    """``program`` with a tile for every product and attention: the fastest on ``chip``.

    Tiles that are there already are kept.
    """
    return replace(program, kernels=tuple(with_tile(kernel, chip) for kernel in program.kernels))


def with_tile(kernel: Kernel, chip: Chip) -> Kernel:
    """``kernel`` with the tile or library call that is fastest on ``chip``, if it takes one."""
    match kernel:
        case Pointwise() | RowReduction():
            return kernel
        case Gemm() | Attention() if kernel.tile or kernel.library:
            return kernel
        case Gemm():
            product, _ = best_product(kernel, chip)
            if isinstance(product, LibraryProduct | LibraryConvolution):
                return replace(kernel, library=product)
            return replace(kernel, tile=product)
        case Attention():
            attention, _ = best_attention(kernel, chip)
            if isinstance(attention, LibraryAttention):
                return replace(kernel, library=attention)
            return replace(kernel, tile=attention)
        case _:
            assert_never(kernel)
