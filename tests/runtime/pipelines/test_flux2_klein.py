"""The tiny FLUX.2 Klein pipeline against what the model's own implementation computes."""

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file

from lumc.compiler import CompileOptions, Silent, compile_stages
from lumc.dsl import elaborate, load_spec
from lumc.runtime.devices.device import Device
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.devices.open_device import open_device
from lumc.runtime.pipelines.flux2_klein import (
    Conditions,
    Flux2Klein,
    Shape,
    StageChoice,
    stages_of,
)
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.stage_host import DeviceHost, ReferenceHost, StageHost
from lumc.runtime.tensors import TensorArrays
from tests.runtime.emulated_stage import relative_error

ROOT = Path(__file__).parents[3]
GOLDEN = ROOT / "tests" / "data" / "golden"
SPEC = ROOT / "specs" / "flux2_klein.lum"
SHAPE = Shape((96, 64), ((64, 96),), guided=False)
TEXT_TOKENS = 16

Array = npt.NDArray[Any]


def golden(name: str, file: str = "io") -> dict[str, Array]:
    return load_file(GOLDEN / name / f"{file}.safetensors")


WEIGHTS = {
    "text_encoder": TensorArrays(golden("qwen3", "weights")),
    "vae_encoder": TensorArrays(golden("vae_flux2", "weights")),
    "transformer": TensorArrays(golden("flux2_transformer", "weights")),
    "vae_decoder": TensorArrays(golden("vae_flux2", "weights")),
}
IO = golden("pipeline_flux2_klein")


def weights_of(choices: Mapping[str, StageChoice]) -> dict[str, TensorArrays]:
    return {name: WEIGHTS.get(choice.stage, TensorArrays({})) for name, choice in choices.items()}


def prompt() -> EncodedPrompt:
    io = golden("qwen3")
    ids, mask = (io[f"in.{name}"][0].astype(np.int32) for name in ("input_ids", "attention_mask"))
    return EncodedPrompt(ids, mask, "", 0)


def reference(shape: Shape, dtype: str) -> ReferenceHost:
    choices = stages_of(shape, TEXT_TOKENS)
    programs = {
        name: elaborate(
            load_spec(SPEC, "tiny", dict(choice.settings) | {"dtype": dtype}), choice.stage
        )
        for name, choice in choices.items()
    }
    host = ReferenceHost()
    host.hold(programs, weights_of(choices))
    return host


def compiled(shape: Shape, dtype: str, device: Device, folder: Path) -> DeviceHost:
    choices = stages_of(shape, TEXT_TOKENS)
    programs = {}
    for name, choice in choices.items():
        spec = load_spec(SPEC, "tiny", dict(choice.settings) | {"dtype": dtype})
        compile_stages(spec, [choice.stage], CompileOptions(device.target), folder / name, Silent())
        programs[name] = open_stage(folder / name / choice.stage)
    host = DeviceHost(device)
    host.hold(programs, weights_of(choices))
    return host


def check_golden_run(host: StageHost, tolerance: float) -> None:
    """Prompt, reference, every step and the picture are what they must be."""
    model = Flux2Klein(host)
    text = model.encode_text(prompt())
    assert relative_error(text.read(), golden("qwen3")["out.prompt_embeds"][0]) < tolerance
    cropped = IO["in.reference_u8"][2:98, 3:67]  # 101 × 70, cut about the middle
    latents = model.encode_picture(cropped)
    assert relative_error(latents.read(), IO["out.image_latents"][0]) < tolerance
    errors = []

    def check_step(step: int) -> None:
        wanted = IO[f"out.step.{step}.latents"][0]
        errors.append(relative_error(model.latents(), wanted))

    conditions = Conditions(text, None, (latents,))
    model.denoise(IO["in.noise"][0], conditions, IO["out.sigmas"], after_step=check_step)
    assert len(errors) == 4
    assert max(errors) < tolerance
    pixels = model.decode()
    wanted = np.round(IO["out.image"][0] * 255)
    assert relative_error(pixels, wanted) < max(tolerance, 2e-3)
    if tolerance <= 1e-3:
        assert np.abs(pixels - wanted).max() <= 1


def test_the_golden_run_on_the_reference() -> None:
    check_golden_run(reference(SHAPE, "f32"), 1e-3)


def test_an_interrupted_request_gives_its_memory_back(monkeypatch: pytest.MonkeyPatch) -> None:
    host = reference(SHAPE, "f32")
    model = Flux2Klein(host)
    latents = model.encode_picture(IO["in.reference_u8"][2:98, 3:67])
    conditions = Conditions(model.encode_text(prompt()), None, (latents,))
    released: list[tuple[int, ...]] = []
    monkeypatch.setattr(ReferenceHost, "release", lambda _, tensor: released.append(tensor.shape))

    def interrupt(step: int) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        model.denoise(IO["in.noise"][0], conditions, IO["out.sigmas"], after_step=interrupt)
    assert released == [IO["out.sigmas"].shape]


@pytest.mark.slow
@pytest.mark.timeout(900)
@pytest.mark.parametrize(("dtype", "tolerance"), [("bf16", 2e-2), ("f32", 1e-3)])
def test_the_golden_run_on_the_emulator(dtype: str, tolerance: float, tmp_path: Path) -> None:
    check_golden_run(compiled(SHAPE, dtype, EmulatorDevice("gfx942"), tmp_path), tolerance)


@pytest.mark.gpu
@pytest.mark.parametrize(("dtype", "tolerance"), [("bf16", 2e-2), ("f32", 1e-3)])
def test_the_golden_run_on_a_gpu(dtype: str, tolerance: float, tmp_path: Path) -> None:
    device = open_device("auto", None)
    assert device.name != "emulator", "there is no GPU here"
    host = compiled(SHAPE, dtype, device, tmp_path)
    check_golden_run(host, tolerance)
    host.close()
    device.close()
