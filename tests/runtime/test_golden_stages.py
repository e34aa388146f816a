"""Tiny FLUX.2 Klein stages, compiled and run on the emulator, against golden data.

The golden data is what the model's own implementation computes (tests/data/golden).
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file

from lumc.compiler import CompileOptions, Silent, compile_stages
from lumc.dsl import load_spec
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.tensors import TensorArrays

ROOT = Path(__file__).parents[2]
GOLDEN = ROOT / "tests" / "data" / "golden"
# Relative L2 errors that storing tensors in these types leaves room for.
TOLERANCES = {"f32": 1e-3, "bf16": 2e-2}

Array = npt.NDArray[Any]
Tensors = dict[str, Array]


@dataclass(frozen=True)
class Case:
    stage: str
    golden: str
    inputs: Callable[[Tensors, Tensors], Tensors]
    expected: Callable[[Tensors], Array]
    config: str = "tiny"
    settings: Mapping[str, str] | None = None


def transformer_inputs(io: Tensors, weights: Tensors) -> Tensors:
    tokens = io["in.hidden_states"][0]
    return {
        "noise": tokens[:24],
        "reference": tokens[24:],
        "text": io["in.encoder_hidden_states"][0],
        "sigma": io["in.timestep"][0],
    }


def packed_latents(io: Tensors, weights: Tensors) -> Tensors:
    latents = io["in.z"][0]
    c, h, w = latents.shape
    patches = latents.reshape(c, h // 2, 2, w // 2, 2).transpose(1, 3, 0, 2, 4)
    spread = np.sqrt(weights["bn.running_var"] + 1e-4)
    packed = (patches.reshape(-1, 4 * c) - weights["bn.running_mean"]) / spread
    return {"packed": packed.astype(np.float32)}


CASES = {
    "text_encoder": Case(
        "text_encoder",
        "qwen3",
        lambda io, _: {"ids": io["in.input_ids"][0], "mask": io["in.attention_mask"][0]},
        lambda io: io["out.prompt_embeds"][0],
    ),
    "vae_encoder": Case(
        "vae_encoder",
        "vae_flux2",
        lambda io, _: {"image": io["in.image"][0]},
        lambda io: io["out.tokens"][0],
        settings={"references": "[[96, 64]]"},
    ),
    "transformer": Case(
        "transformer",
        "flux2_transformer",
        transformer_inputs,
        lambda io: io["out.sample"][0, :24],
    ),
    "transformer_hd128": Case(
        "transformer",
        "flux2_transformer_hd128",
        transformer_inputs,
        lambda io: io["out.sample"][0, :24],
        config="tiny_hd128",
    ),
    "vae_decoder": Case(
        "vae_decoder", "vae_flux2", packed_latents, lambda io: io["out.decoded"][0]
    ),
}


def relative_error(case: Case, target: str, dtype: str, folder: Path) -> float:
    settings = dict(case.settings or {}) | {"dtype": dtype}
    spec = load_spec(ROOT / "specs" / "flux2_klein.lum", case.config, settings)
    compile_stages(spec, [case.stage], CompileOptions(target), folder, Silent())
    io = load_file(GOLDEN / case.golden / "io.safetensors")
    weights = load_file(GOLDEN / case.golden / "weights.safetensors")
    device = EmulatorDevice(target)
    with Executor(open_stage(folder / case.stage), device) as executor:
        executor.load_weights(TensorArrays(weights))
        (got,) = executor.run(case.inputs(io, weights)).values()
    device.close()
    expected = case.expected(io).astype(np.float64)
    assert got.shape == expected.shape
    difference = got.astype(np.float64) - expected
    return float(np.linalg.norm(difference) / np.linalg.norm(expected))


VARIANTS = [
    pytest.param("gfx942", "f32", id="gfx942-f32"),
    pytest.param("gfx90a", "bf16", id="gfx90a-bf16"),
    pytest.param("gfx942", "bf16", id="gfx942-bf16", marks=pytest.mark.slow),
    pytest.param("gfx90a", "f32", id="gfx90a-f32", marks=pytest.mark.slow),
    pytest.param("gfx950", "f32", id="gfx950-f32", marks=pytest.mark.slow),
    pytest.param("gfx950", "bf16", id="gfx950-bf16", marks=pytest.mark.slow),
]


@pytest.mark.parametrize(("target", "dtype"), VARIANTS)
@pytest.mark.parametrize("name", CASES)
def test_stage(name: str, target: str, dtype: str, tmp_path: Path) -> None:
    error = relative_error(CASES[name], target, dtype, tmp_path)
    assert error <= TOLERANCES[dtype]
    if dtype == "bf16":
        assert error > 1e-5, "bf16 storage must show"
