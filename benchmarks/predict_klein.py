"""FLUX.2 Klein 9B on an MI300X that is not here: a request predicted, stage by stage and by kind.

    python -m benchmarks.predict_klein [--size 512x512] [--libraries none|vendor] [--stages ...]

Every stage is compiled for gfx942 and predicted (`lumc bench --predict`). A request is the text
encoder, the encoder for one reference picture of the output's size, four steps of the transformer,
and the decoder. With `--libraries vendor` products that hipBLASLt is expected to do faster take
what was published of it. The whole prints as Markdown; all of it is a prediction.
"""

from __future__ import annotations

import argparse
import tempfile
from collections.abc import Sequence
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path

from lumc.codegen.build import write_stage
from lumc.codegen.cache import open_cache
from lumc.compiler import CompileOptions, Silent, compile_stages
from lumc.dsl import load_spec
from lumc.lowering.chips import chip_for
from lumc.predicting import LABEL, predict, reasons
from lumc.runtime.predict_stage import StagePrediction
from lumc.runtime.stage_folder import open_stage

TARGET = "gfx942"
STEPS = 4
# Seconds that the reference implementation takes for a request on an MI300X, as published.
PUBLISHED = {"512x512": 0.424, "704x864": 0.827, "1200x800": 1.311}
TIMES = {"text_encoder": 1, "vae_encoder": 1, "transformer": STEPS, "vae_decoder": 1}
_WORST = 5


@dataclass(frozen=True, slots=True)
class Predicted:
    """A stage, and how often a request runs it."""

    stage: str
    times: int
    found: StagePrediction

    @property
    def seconds(self) -> float:
        """Of a request."""
        return self.times * self.found.seconds


def main() -> None:
    """Predict the sizes that are asked for and print a table of each."""
    parser = argparse.ArgumentParser(description=__doc__.split("\n")[0])
    parser.add_argument("--size", action="append", choices=list(PUBLISHED))
    parser.add_argument("--libraries", choices=["none", "vendor"], default="none")
    parser.add_argument("--stages", nargs="+", choices=list(TIMES), default=list(TIMES))
    chosen = parser.parse_args()
    for size in chosen.size or PUBLISHED:
        stages = predict_request(size, chosen.stages, chosen.libraries == "vendor")
        print(as_markdown(size, stages, chosen.libraries), flush=True)


def predict_request(size: str, names: Sequence[str], libraries: bool) -> list[Predicted]:
    """The stages called ``names``, for a picture of ``size`` with a reference of the same."""
    width, height = size.split("x")
    settings = {"width": width, "height": height, "references": f"[[{width}, {height}]]"}
    with as_file(files("lumc.specs").joinpath("flux2_klein.lum")) as path:
        spec = load_spec(path, "klein_9b", settings)
    options = CompileOptions(TARGET, libraries=libraries)
    found = []
    for name in names:
        (made,) = compile_stages(spec, (name,), options, None, Silent())
        with tempfile.TemporaryDirectory() as folder:
            write_stage(Path(folder) / name, made.files)
            stage = open_stage(Path(folder) / name)
            found.append(Predicted(name, TIMES[name], predict(stage, open_cache(), Silent())))
    return found


def as_markdown(size: str, stages: Sequence[Predicted], libraries: str) -> str:
    """Tables of one size: by stage and kind, and what is furthest over its bound and why."""
    total = sum(stage.seconds for stage in stages)
    lines = [f"## {size}, libraries: {libraries}", ""]
    lines += [f"{total:.3f} s a request ({LABEL}); published: {PUBLISHED[size]:.3f} s", ""]
    lines += ["| stage | times | ms | bound | by kind, ms |", "|---|---|---|---|---|"]
    for one in stages:
        kinds = one.found.by_kind()
        bound = sum(bound for _, bound in kinds.values())
        parts = ", ".join(f"{kind} {seconds * 1e3:.2f}" for kind, (seconds, _) in kinds.items())
        numbers = f"{one.found.seconds * 1e3:.2f} | {bound * 1e3:.2f}"
        lines.append(f"| {one.stage} | {one.times} | {numbers} | {parts} |")
    lines += [
        "",
        "| over its bound | of a request, ms | times its bound | why |",
        "|---|---|---|---|",
    ]
    lines += _worst(stages)
    return "\n".join(lines) + "\n"


def _worst(stages: Sequence[Predicted]) -> list[str]:
    """Rows of the kernels that lose most time of a request against their bounds."""
    kernels = [(one, kernel) for one in stages for kernel in one.found.kernels]
    kernels.sort(key=lambda pair: -pair[0].times * (pair[1].seconds - pair[1].bound))
    rows = []
    for one, kernel in kernels[:_WORST]:
        why = "; ".join(reasons(kernel, chip_for(TARGET))) or kernel.each.limit
        spent = one.times * kernel.seconds * 1e3
        name = f"{one.stage}: {kernel.symbol}"
        rows.append(f"| {name} | {spent:.2f} | {kernel.over_bound:.2f} | {why} |")
    return rows


if __name__ == "__main__":
    main()
