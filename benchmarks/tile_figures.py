"""What one workgroup of the largest tiles reaches on an MI300X that is not here.

    python -m benchmarks.tile_figures [--json]

Products and a convolution whose tiles fill the chip once are compiled for gfx942, traced and
replayed. "Loop" and "whole" are the part of the matrix units' time that is used: between the
quartiles of their instructions, and from a workgroup's first instruction to its last. Code is
checked too: scratch, LDS conflicts, the width of accesses. All of it is a prediction.
"""

from __future__ import annotations

import argparse
import json
import re
from collections.abc import Iterator
from dataclasses import asdict, dataclass, replace

from lumc.codegen.build import compile_units
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import MathMode, emit_program
from lumc.codegen.isa_report import isa_report
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.dsl import elaborate, load_text
from lumc.inspection import table
from lumc.judging import Judge
from lumc.lowering import lower
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Gemm, KernelProgram
from lumc.lowering.tiles import product_tiles

TARGET = "gfx942"
_HEADER = ("kernel", "tile", "inner", "loop", "whole", "before", "after", "conflicts", "faults")

_PRODUCT = """use nn
stage product(x: bf16[4864, {inner}]{more}) -> y: bf16[4864, 4096]:
    weight W: bf16[4096, {inner}] = "w"
    {value}
"""
_PAIR = """use nn
stage product(x: bf16[4864, {inner}]) -> y: bf16[4864, 2048]:
    weight G: bf16[2048, {inner}] = "g"
    weight U: bf16[2048, {inner}] = "u"
    y[t, f] = silu(linear(x[t], G)[f]) * linear(x[t], U)[f]
"""
_CONVOLUTION = """
stage product(x: bf16[256, 304, {channels}]) -> y: bf16[256, 304, {channels}]:
    weight W: bf16[{channels}, {channels}, 3, 3] = "w"
    weight b: bf16[{channels}] = "b"
    z[r: 256, s: 304, o: {channels}] = sum[c, i, j] W[o, c, i, j] * x[r+i - 1, s+j - 1, c else 0]
    y[r, s, o] = z[r, s, o] + b[o]
"""


@dataclass(frozen=True, slots=True)
class Case:
    """A stage that is one product, and the rows and columns of all sides of its tile."""

    name: str
    text: str
    inner: int
    tile: tuple[int, int]


def cases() -> Iterator[Case]:
    """Products with each kind of epilogue, and convolutions."""
    plain, gated = "y[t] = linear(x[t], W)", "y[t, o] = r[t, o] + g[o] * linear(x[t], W)[o]"
    more = ", r: bf16[4864, 4096], g: bf16[4096]"
    for inner in (4096, 16384):
        text = _PRODUCT.format(inner=inner, more="", value=plain)
        yield Case("product", text, inner, (256, 256))
    for rows in (224, 192):
        yield Case("product", _PRODUCT.format(inner=4096, more="", value=plain), 4096, (rows, 256))
    text = _PRODUCT.format(inner=4096, more=more, value=gated)
    yield Case("product, gate and residual", text, 4096, (256, 256))
    yield Case("gate and up", _PAIR.format(inner=4096), 4096, (256, 256))
    for channels in (256, 512):
        text = _CONVOLUTION.format(channels=channels)
        yield Case("convolution 3 × 3", text, 9 * channels, (256, 256))


@dataclass(frozen=True, slots=True)
class Figures:
    """What is predicted of a workgroup, and what is in its code."""

    name: str
    tile: str
    inner: int
    loop: float
    whole: float
    before: float
    after: float
    conflicts: float
    faults: tuple[str, ...]

    def row(self) -> tuple[str, ...]:
        """Its line of the table."""
        return (
            self.name,
            self.tile,
            str(self.inner),
            f"{self.loop:.1%}",
            f"{self.whole:.1%}",
            f"{self.before:,.0f}",
            f"{self.after:,.0f}",
            f"{self.conflicts:.2f}×",
            "; ".join(self.faults) or "none",
        )


def main() -> None:
    """Print all figures."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found = [figures(case) for case in cases()]
    if chosen.json:
        print(json.dumps([asdict(one) for one in found], indent=1))
    else:
        print(table([_HEADER, *(one.row() for one in found)]))


def figures(case: Case) -> Figures:
    """The figures of ``case``: a workgroup has one whole tile."""
    kernel = _kernel(case)
    chain, target = choose_toolchain(TARGET), target_named(TARGET)
    found = Judge(target, MathMode.FAST, chain, open_cache()).prediction(kernel)
    assert found is not None, "the model knows the chip"
    program = KernelProgram("figures", (), (), (kernel,), (), ())
    (emitted,) = emit_program(program, target).generated
    built = compile_units({emitted.symbol: emitted.unit}, chain, TARGET, open_cache())
    assembly = built.objects[emitted.symbol].assembly
    assert kernel.tile is not None
    modelled = found.modelled
    return Figures(
        name=case.name,
        tile=f"{kernel.tile.rows} × {'+'.join([str(kernel.tile.columns)] * len(kernel.right))}",
        inner=case.inner,
        loop=modelled.steady,
        whole=modelled.whole,
        before=modelled.prologue,
        after=modelled.epilogue,
        conflicts=modelled.bank_conflicts,
        faults=(*isa_report(assembly, emitted.symbol, TARGET).faults(), *_narrow(assembly)),
    )


def _kernel(case: Case) -> Gemm:
    program = lower(elaborate(load_text("product", case.text), "product"), TARGET).program
    launched = [program.kernels[launch.kernel] for launch in program.launches]
    (kernel,) = (one for one in launched if isinstance(one, Gemm))
    rows, columns = case.tile
    tile = next(
        tile
        for tile in product_tiles(kernel, chip_for(TARGET))
        if (tile.rows, tile.columns * len(kernel.right)) == (rows, columns)
    )
    return replace(kernel, tile=tile, library=None)


def _narrow(assembly: str) -> Iterator[str]:
    """Accesses to memory that are not 16 bytes wide."""
    found = re.findall(r"^\s*(?:global|buffer)_(?:load|store)_(\w+)", assembly, re.MULTILINE)
    narrow = sorted({width for width in found if width != "dwordx4"})
    if narrow:
        yield f"accesses of {', '.join(narrow)}"


if __name__ == "__main__":
    main()
