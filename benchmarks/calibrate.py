"""What the timing model says beside what was published: how far a prediction can be trusted.

    python -m benchmarks.calibrate                     lumc's own products at published shapes
    python -m benchmarks.calibrate --triton [PYTHON]   an attention by the Triton of a Python
    python -m benchmarks.calibrate --cases FILE.toml   code objects that you bring

A file of cases says of each how it is launched and what was measured where:

    [[case]]
    name = "attention of somebody, b2 h24 s8192 d128"
    code_object = "attention.co"                # beside the file; for gfx90a, gfx942 or gfx950
    kernel = "attention_kernel"
    grid = [32, 24, 2]                          # workgroups
    block = [512, 1, 1]
    buffers = {Q = ["bf16", 50331648]}          # arguments by name: type and elements, random
    values = {scale = 0.088, length = 8192}     # other arguments by name; what is left out is 0
    milliseconds = 3.792                        # published, and what it is of
    utilisation = 68.1                          # per cent, if that was published too
    source = "where"

Implied clock: the model's clocks over the published time. It must follow the power of the chip
(lowering/power.py); what does not is a mistake of the model, or of the measurement.
"""

from __future__ import annotations

import argparse
import json
import subprocess
import sys
import tempfile
import tomllib
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np

from lumc.codegen.build import write_stage
from lumc.codegen.launch_plan import PlanKernel
from lumc.compiler import CompileOptions, Silent, compile_stages
from lumc.diagnostics import LumcError
from lumc.dsl import load_text
from lumc.dsl.dtypes import DType
from lumc.inspection import table
from lumc.lowering.chips import chip_for
from lumc.runtime.emulator import Checks, Emulator
from lumc.runtime.model_kernel import model_launch, random_buffers, random_bytes
from lumc.runtime.predict_stage import compiled_kernel
from lumc.runtime.predict_time import MovedBytes, predict_launch
from lumc.runtime.stage_folder import open_stage

_HEADER = (
    "case",
    "loop",
    "whole",
    "rounds",
    "chip busy",
    "published",
    "ms",
    "published",
    "off",
    "implied GHz",
    "GHz",
)


@dataclass(frozen=True, slots=True)
class Published:
    """What somebody measured: milliseconds, and per cent of the matrix units' time."""

    milliseconds: float | None = None
    utilisation: float | None = None
    source: str = ""


@dataclass(frozen=True, slots=True)
class Case:
    """A launch of a code object, and what was published of it or of its like."""

    name: str
    emulator: Emulator
    kernel: str
    grid: tuple[int, int, int]
    block: tuple[int, int, int]
    arguments: tuple[Any, ...]
    published: Published
    dynamic_lds: int = 0


def main() -> None:
    """Run the cases that are asked for and print a table."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument(
        "--triton",
        nargs="?",
        type=Path,
        const=Path(sys.executable),
        metavar="PYTHON",
        help="a causal attention by the Triton of this or another Python",
    )
    parser.add_argument("--cases", type=Path, action="append", default=[], metavar="FILE.toml")
    chosen = parser.parse_args()
    rows, sources = [], []
    try:
        for case in _chosen_cases(chosen):
            rows.append(row_of(case))
            sources.append(f"  {case.name}: {case.published.source or 'nothing published'}")
    except LumcError as error:
        parser.exit(1, error.render())
    print(table([_HEADER, *rows]))
    print("\nThe model's figures are predictions; published ones are of:", *sources, sep="\n")


def _chosen_cases(chosen: argparse.Namespace) -> Iterator[Case]:
    for file in chosen.cases:
        yield from read_cases(file)
    if chosen.triton:
        yield from triton_cases(chosen.triton)
    if not chosen.cases and not chosen.triton:
        yield from own_products()


def row_of(case: Case) -> tuple[str, ...]:
    """A line of the table."""
    chip = chip_for(case.emulator.target)
    buffers = {
        number: (int(a.ctypes.data), int(a.ctypes.data) + a.nbytes)
        for number, a in enumerate(case.arguments)
        if isinstance(a, np.ndarray)
    }
    launch = (case.emulator, case.kernel, case.grid, case.block, case.arguments, buffers, chip)
    modelled = model_launch(*launch, dynamic_lds=case.dynamic_lds)
    sizes = [end - begin for begin, end in buffers.values()]
    found = predict_launch(modelled, chip, MovedBytes(float(sum(sizes)), 0.0))
    clocks = found.compute * found.clock
    measured = case.published.milliseconds
    return (
        case.name,
        f"{modelled.steady:.1%}",
        f"{modelled.whole:.1%}",
        f"{found.rounds:.2f}",
        f"{found.utilisation:.1%}",
        f"{case.published.utilisation:.1f}%" if case.published.utilisation else "",
        f"{found.seconds * 1e3:.3f}",
        f"{measured:.3f}" if measured else "",
        f"{found.seconds * 1e3 / measured - 1:+.0%}" if measured else "",
        f"{clocks / measured / 1e6:.2f}" if measured else "",
        f"{found.clock / 1e9:.2f}",
    )


# --------------------------------------------------------------------------- code that is brought


def read_cases(file: Path) -> Iterator[Case]:
    """The cases of a file."""
    for entry in tomllib.loads(file.read_text(encoding="utf-8"))["case"]:
        emulator = Emulator(file.parent / entry["code_object"], checks=Checks.LIMIT)
        yield Case(
            name=entry["name"],
            emulator=emulator,
            kernel=entry["kernel"],
            grid=tuple(entry["grid"]),
            block=tuple(entry["block"]),
            arguments=tuple(_brought_arguments(emulator, entry)),
            published=Published(
                entry.get("milliseconds"), entry.get("utilisation"), entry.get("source", "")
            ),
        )


def _brought_arguments(emulator: Emulator, entry: Mapping[str, Any]) -> Iterator[Any]:
    generator = np.random.default_rng(0)
    values, buffers = entry.get("values", {}), entry.get("buffers", {})
    for argument in emulator.kernels[entry["kernel"]].arguments:
        if argument.kind.startswith("hidden_"):
            continue
        name = argument.name or ""
        if name in buffers:
            dtype, elements = buffers[name]
            found = DType(dtype)
            yield random_bytes(elements * found.bytes, found, generator)
        elif argument.kind == "global_buffer":
            yield None
        else:
            yield _value(values.get(name, 0), argument.size)


def _value(value: float, size: int) -> bytes:
    kind = f"f{size}" if isinstance(value, float) else f"u{size}"
    return np.array(value, kind).tobytes()


# ------------------------------------------------------------------------------ lumc's own kernels

# (rows, columns, inner, TFLOP/s, source): others' kernels on MI300X, for the same products.
_PRODUCTS = (
    (4096, 4864, 32896, 708, "hipBLASLt, AMD's Max-Achievable FLOPs, part 2"),
    (16384, 8192, 1024, 539, "CK, 16 in a batch: aiter bf16_tuned_batched_gemm.csv"),
    (8192, 8192, 1024, 509, "CK, 16 in a batch: aiter bf16_tuned_batched_gemm.csv"),
)
_PRODUCT = """
use nn
stage product(x: bf16[{rows}, {inner}]) -> y: bf16[{rows}, {columns}]:
    weight W: bf16[{columns}, {inner}] = "w"
    y[t] = linear(x[t], W)
"""


def own_products() -> Iterator[Case]:
    """Lumc's products at shapes that others published figures of."""
    for rows, columns, inner, rate, source in _PRODUCTS:
        text = _PRODUCT.format(rows=rows, columns=columns, inner=inner)
        spec = load_text("product.lum", text, None, {})
        (made,) = compile_stages(spec, (), CompileOptions("gfx942"), None, Silent())
        seconds = 2 * rows * columns * inner / (rate * 1e12)
        published = Published(1e3 * seconds, None, f"another's kernel: {source}")
        with tempfile.TemporaryDirectory() as folder:
            write_stage(Path(folder) / "product", made.files)
            stage = open_stage(Path(folder) / "product")
            launch = stage.plan.launches[-1]
            made_of = stage.plan.kernels[launch.kernel]
            assert isinstance(made_of, PlanKernel), "no library is called"
            kernel = compiled_kernel(stage, made_of, launch)
        arrays, _ = random_buffers(kernel.arguments)
        yield Case(
            name=f"lumc {rows}×{columns}×{inner}",
            emulator=Emulator(kernel.code, kernel.assembly, Checks.LIMIT),
            kernel=kernel.symbol,
            grid=kernel.grid,
            block=kernel.block,
            arguments=tuple(arrays),
            published=published,
        )


# ------------------------------------------------------------------------------------------ Triton

# Causal, 16 × 16 heads of 128, TFLOP/s with half of the products counted, and per cent.
_TRITON = ((4096, 260, None), (16384, 364, 34.0))
_BATCH, _HEADS, _WIDTH = 16, 16, 128


def triton_cases(python: Path) -> Iterator[Case]:
    """A causal attention in Triton's language, compiled by the Triton of ``python``."""
    script = Path(__file__).parent / "kernels" / "triton_attention.py"
    with tempfile.TemporaryDirectory() as folder:
        subprocess.run([str(python), str(script), folder], check=True)
        facts = json.loads((Path(folder) / "attention.json").read_text())
        code = (Path(folder) / "attention.hsaco").read_bytes()
        assembly = (Path(folder) / "attention.s").read_text()
    emulator = Emulator(code, assembly, Checks.LIMIT)
    explicit = [a for a in emulator.kernels[facts["kernel"]].arguments if a.kind[:7] != "hidden_"]
    # Triton appends pointers to scratch memory that this kernel has no use for.
    names = facts["arguments"] + [""] * (len(explicit) - len(facts["arguments"]))
    for length, rate, busy in _TRITON:
        operations = 2 * _BATCH * _HEADS * length * length * _WIDTH
        yield Case(
            name=f"Triton {facts['version']}, causal, {length} long",
            emulator=emulator,
            kernel=facts["kernel"],
            grid=(length // facts["queries"], _BATCH * _HEADS, 1),
            block=(facts["threads"], 1, 1),
            arguments=tuple(_attention_arguments(length, names)),
            published=Published(
                1e3 * operations / (rate * 1e12), busy, "Triton's tutorial kernel: attn-dsl-bench"
            ),
            dynamic_lds=facts["dynamic_lds"],
        )


def _attention_arguments(length: int, names: list[str]) -> Iterator[Any]:
    generator = np.random.default_rng(0)
    size = _BATCH * _HEADS * length * _WIDTH * 2
    values: dict[str, Any] = {
        name: random_bytes(size, DType.BF16, generator) for name in ("q", "k", "v", "o")
    }
    values |= {"length": np.int32(length), "scale": np.float32(_WIDTH**-0.5)}
    for name in names:
        yield values.get(name)


if __name__ == "__main__":
    main()
