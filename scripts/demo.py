"""What `make demo` shows: FLUX.2 Klein 9B compiled for an MI300X, and tiny ones run and checked.

Run from a checkout: the golden data lies in tests/data/golden.
"""

from __future__ import annotations

import sys
import tempfile
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

from lumc.compiler import CompileOptions, StageResult, compile_stages
from lumc.console import PhaseProgress, guarded
from lumc.dsl import load_spec
from lumc.inspection import table
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.tensors import TensorArrays

ROOT = Path(__file__).resolve().parent.parent
SPEC = ROOT / "specs" / "flux2_klein.lum"
GOLDEN = ROOT / "tests" / "data" / "golden"
OUTPUT = ROOT / "out" / "demo"
STAGES = ("text_encoder", "vae_encoder", "transformer", "vae_decoder")
TARGET = "gfx942"
# The relative L2 error that storing every tensor in f32 leaves room for.
TOLERANCE = 1e-3

Array = npt.NDArray[np.generic]
Tensors = dict[str, Array]


@dataclass(frozen=True, slots=True)
class Golden:
    """A tiny stage with what the model's own implementation computes for it."""

    stage: str
    folder: str
    settings: Mapping[str, str]
    inputs: Callable[[Tensors], Tensors]
    output: str
    expected: Callable[[Tensors], Array]


CASES = (
    Golden(
        "text_encoder",
        "qwen3",
        {},
        lambda io: {"ids": io["in.input_ids"][0], "mask": io["in.attention_mask"][0]},
        "features",
        lambda io: io["out.prompt_embeds"][0],
    ),
    Golden(
        "transformer",
        "flux2_transformer",
        {},
        lambda io: {
            "noise": io["in.hidden_states"][0, :24],
            "reference": io["in.hidden_states"][0, 24:],
            "text": io["in.encoder_hidden_states"][0],
            "sigma": io["in.timestep"][0],
        },
        "velocity",
        lambda io: io["out.sample"][0, :24],
    ),
    Golden(
        "vae_encoder",
        "vae_flux2",
        {"references": "[[96, 64]]"},
        lambda io: {"image": io["in.image"][0]},
        "packed",
        lambda io: io["out.tokens"][0],
    ),
)


def main() -> int:
    """Compile, run and print; 1 if a number is wrong."""
    start = time.perf_counter()
    with PhaseProgress() as progress:
        compiled = compile_full_size(progress)
        checked = [check(case, progress) for case in CASES]
    print(f"\nFLUX.2 Klein 9B, 512×512, for {TARGET} (in {OUTPUT.relative_to(ROOT)}):\n")
    print(table([HEADER, *map(found, compiled)]))
    print(f"\ntiny stages, compiled for {TARGET} and run on the emulator, against golden data:\n")
    print(table([("stage", "launches", "relative L2 error", "allowed", ""), *checked]))
    print(f"\n{time.perf_counter() - start:.0f} s")
    return 0 if all(row[-1] == "right" for row in checked) else 1


HEADER = ("stage", "launches", "distinct", "found", "code", "weights", "arena", "seconds")


def compile_full_size(progress: PhaseProgress) -> tuple[StageResult, ...]:
    """The four stages of klein_9b, code objects included."""
    spec = load_spec(SPEC, "klein_9b", {"width": "512", "height": "512"})
    return compile_stages(spec, STAGES, CompileOptions(TARGET), OUTPUT, progress)


def found(result: StageResult) -> tuple[str, ...]:
    """A row on what was found in a stage and made of it."""
    made = result.summary()
    code = sum(len(data) for name, data in result.files.items() if name.endswith(".co"))
    return (
        result.name,
        str(made["launches"]),
        str(made["distinct_kernels"]),
        ", ".join(f"{count} {kind}" for kind, count in made["kernels"].items()),
        f"{code / 1e3:.0f} kB",
        f"{made['weight_bytes'] / 1e9:.2f} GB",
        f"{made['arena_bytes'] / 1e6:.0f} MB",
        f"{sum(made['seconds'].values()):.1f}",
    )


def check(case: Golden, progress: PhaseProgress) -> tuple[str, ...]:
    """A row on a tiny stage that was run."""
    spec = load_spec(SPEC, "tiny", case.settings)
    io = load_file(GOLDEN / case.folder / "io.safetensors")
    weights = load_file(GOLDEN / case.folder / "weights.safetensors")
    with tempfile.TemporaryDirectory() as folder:
        output = Path(folder)
        (result,) = compile_stages(spec, [case.stage], CompileOptions(TARGET), output, progress)
        step = progress.phase(f"{case.stage}: running on the emulator")
        device = EmulatorDevice(TARGET)
        with Executor(open_stage(output / case.stage), device) as executor:
            executor.load_weights(TensorArrays(weights))
            got = executor.run(case.inputs(io))[case.output]
        device.close()
        step()
    error = relative_error(got, case.expected(io))
    verdict = "right" if error <= TOLERANCE else "WRONG"
    launches = str(result.summary()["launches"])
    return case.stage, launches, f"{error:.1e}", f"{TOLERANCE:.0e}", verdict


def relative_error(got: Array, expected: Array) -> float:
    """The relative L2 error, in f64; infinite when something is not a number."""
    reference = expected.astype(np.float64)
    error = np.linalg.norm(got.astype(np.float64) - reference) / np.linalg.norm(reference)
    return float(error) if np.isfinite(error) else float("inf")


if __name__ == "__main__":
    sys.exit(guarded(main))
