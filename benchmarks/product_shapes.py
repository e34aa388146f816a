"""The products of FLUX.2 Klein 9B on an MI300X that is not here: how near each comes to the best.

    python -m benchmarks.product_shapes [--size 512x512] [--stages transformer ...] [--json]
    python -m benchmarks.product_shapes --tiles 8 --only linear_17     other cuts of a product

Every product of a step with many rows is cut as a compile cuts it, compiled for gfx942, traced and
replayed. "Of the best" is the part of 708 TFLOP/s that it reaches, whole launch and rounds of
workgroups counted: what hipBLASLt sustains at one large product (AMD, "Measuring Max-Achievable
FLOPs", part 2). Bytes all come from memory. Beside it stands what the cost model has hipBLASLt take
by the same published rate: whole rounds of its tiles, without what is fused here. The totals are
those of a step. All of it is a prediction.
"""

from __future__ import annotations

import argparse
import json
import math
from collections.abc import Iterator, Sequence
from dataclasses import asdict, dataclass
from importlib.resources import as_file, files

from benchmarks.predict_klein import PUBLISHED, TARGET
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import MathMode
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.dsl import elaborate, load_spec
from lumc.inspection import table
from lumc.judging import Judge
from lumc.lowering import lower
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.cost import library_product_seconds, predict_seconds
from lumc.lowering.kernel_program import Gemm, KernelProgram
from lumc.lowering.kernel_types import size
from lumc.lowering.necessary_work import necessary_work
from lumc.lowering.shares import shared_tiles
from lumc.lowering.tuned import variants
from lumc.predicting import reasons

SUSTAINED = 708e12
"""Operations a second."""
_LEAST_ROWS = 128
"""Products of fewer rows are limited by their weights' bytes."""
_HEADER = (
    *("stage", "product", "rows × columns × inner", "×", "cut", "rounds", "µs", "hipBLASLt"),
    "of the best",
)


@dataclass(frozen=True, slots=True)
class Shape:
    """A product of a step, as it is cut, and what is predicted of one launch."""

    stage: str
    product: str
    rows: int
    columns: int
    """Of all right sides and batches together."""
    inner: int
    launches: int
    cut: str
    rounds: float
    microseconds: float
    model_microseconds: float
    """By the cost model, which chose the cut."""
    library_microseconds: float
    """What hipBLASLt takes by its published rate, for the product alone."""
    of_the_best: float
    why: tuple[str, ...]

    def row(self) -> tuple[str, ...]:
        """Its line of the table."""
        return (
            self.stage,
            self.product,
            f"{self.rows} × {self.columns} × {self.inner}",
            str(self.launches),
            self.cut,
            f"{self.rounds:.2f}",
            f"{self.microseconds:,.1f}",
            f"{self.library_microseconds:,.1f}",
            f"{self.of_the_best:.1%}",
            "; ".join(self.why),
        )


def main() -> None:
    """Predict what is asked for and print it."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", action="append", choices=list(PUBLISHED))
    stages = ["transformer", "text_encoder"]
    parser.add_argument("--stages", nargs="+", choices=stages, default=stages)
    parser.add_argument("--only", default="", help="products whose names have this in them")
    parser.add_argument("--tiles", type=int, default=0, help="the best N cuts by the cost model")
    parser.add_argument("--json", action="store_true")
    chosen = parser.parse_args()
    found = []
    for stage, program in _programs(chosen.size or list(PUBLISHED), chosen.stages):
        found += list(_shapes(stage, program, chosen.only, chosen.tiles))
    if chosen.json:
        print(json.dumps([asdict(shape) for shape in found], indent=1))
    else:
        print(table([(*_HEADER, "why"), *(shape.row() for shape in found)]))
        print("\n" + table(_totals(found)))


def _totals(found: Sequence[Shape]) -> Iterator[tuple[str, ...]]:
    """Milliseconds of a step's products, stage by stage."""
    yield ("a step of", "ms", "hipBLASLt")
    for stage in dict.fromkeys(shape.stage for shape in found):
        shapes = [shape for shape in found if shape.stage == stage]
        ours = sum(shape.launches * shape.microseconds for shape in shapes) / 1e3
        library = sum(shape.launches * shape.library_microseconds for shape in shapes) / 1e3
        yield (stage, f"{ours:.1f}", f"{library:.1f}")


def _programs(sizes: Sequence[str], stages: Sequence[str]) -> Iterator[tuple[str, KernelProgram]]:
    """The text encoder has the same products for pictures of all sizes."""
    for stage in stages:
        for picture in sizes if stage == "transformer" else sizes[:1]:
            width, height = picture.split("x")
            settings = {"width": width, "height": height, "references": f"[[{width}, {height}]]"}
            with as_file(files("lumc.specs").joinpath("flux2_klein.lum")) as path:
                spec = load_spec(path, "klein_9b", settings)
            name = f"{stage} {picture}" if stage == "transformer" else stage
            yield name, lower(elaborate(spec, stage), TARGET).program


def _shapes(stage: str, program: KernelProgram, only: str, tiles: int) -> Iterator[Shape]:
    target = target_named(TARGET)
    judge = Judge(target, MathMode.FAST, choose_toolchain(TARGET), open_cache())
    chip = chip_for(TARGET)
    for number, kernel in enumerate(program.kernels):
        if not isinstance(kernel, Gemm) or size(kernel.rows) < _LEAST_ROWS:
            continue
        launches = sum(launch.kernel == number for launch in program.launches)
        if not launches or only not in kernel.name:
            continue
        cuts: list[Gemm] = [kernel]
        if tiles:
            every = [one for one in variants(kernel, chip) if isinstance(one, Gemm)]
            cuts = sorted(every, key=lambda one: predict_seconds(one, chip))[:tiles]
        for cut in cuts:
            if (shape := _shape(stage, cut, launches, judge)) is not None:
                yield shape


def _shape(stage: str, kernel: Gemm, launches: int, judge: Judge) -> Shape | None:
    found = judge.prediction(kernel)
    if found is None:
        return None
    chip = chip_for(TARGET)
    rate = necessary_work(kernel).operations / found.seconds
    rows, inner = size(kernel.rows), size(kernel.inner)
    columns = math.prod((size(kernel.batch), size(kernel.columns), len(kernel.right)))
    library = with_library(chip).library
    assert library is not None, f"lumc knows no library for {TARGET}"
    alone = (
        chip.launch
        + library.call
        + library_product_seconds((1, rows, columns, inner), chip, library)
    )
    return Shape(
        stage=stage,
        product=kernel.name,
        rows=rows,
        columns=columns,
        inner=inner,
        launches=launches,
        cut=_cut(kernel),
        rounds=found.each.rounds,
        microseconds=found.seconds * 1e6,
        model_microseconds=predict_seconds(kernel, chip) * 1e6,
        library_microseconds=alone * 1e6,
        of_the_best=rate / SUSTAINED,
        why=reasons(found, chip) or (found.each.limit,),
    )


def _cut(kernel: Gemm) -> str:
    tile = kernel.tile
    assert tile is not None, "no library is called"
    columns = "+".join([str(tile.columns)] * len(kernel.right))
    tiles = size(kernel.batch) * -(-size(kernel.rows) // tile.rows)
    tiles *= -(-size(kernel.columns) // tile.columns)
    text = f"{tile.rows} × {columns}, {tile.schedule}"
    shared = shared_tiles(tile, tiles, size(kernel.inner))
    if shared is None:
        return text
    return f"{text}, {shared.tiles} of {tiles} tiles shared by {shared.workgroups}"


if __name__ == "__main__":
    main()
