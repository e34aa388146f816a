"""The tiny FLUX.2 Klein of the golden files as a pipeline, without a tokenizer."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
from safetensors.numpy import load_file

from lumc.backends import BackendOptions, ModelSpec, open_backend
from lumc.dsl import load_spec
from lumc.pipeline import Pipeline, Wanted
from lumc.runtime.pipelines.model_description import descriptions
from lumc.runtime.pipelines.model_folder import ModelFolder
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.pipelines.schedule import Schedule
from lumc.runtime.tensors import TensorArrays
from lumc.spans import SpanTimes

GOLDEN = Path(__file__).parents[1] / "data" / "golden"
TEXT_TOKENS = 16
Array = npt.NDArray[Any]


def golden(name: str, file: str = "io") -> dict[str, Array]:
    return load_file(GOLDEN / name / f"{file}.safetensors")


def tiny_model(distilled: bool = True) -> ModelFolder:
    description = next(one for one in descriptions() if one.name == "flux2_klein")
    parameters = dict(load_spec(description.spec, "tiny").parameters)
    settings = {name: parameters[name] for name in description.settings}
    schedule = Schedule(description.shift)
    place = Path("tiny model")
    return ModelFolder(place, description, settings, TEXT_TOKENS, distilled, schedule, {})


def tiny_weights(wanted: Wanted) -> Mapping[str, TensorArrays]:
    parts = {
        "text_encoder": "qwen3",
        "vae_encoder": "vae_flux2",
        "transformer": "flux2_transformer",
        "vae_decoder": "vae_flux2",
    }
    return {stage: TensorArrays(golden(parts[stage], "weights")) for stage in wanted}


def encode(prompt: str, tokens: int) -> EncodedPrompt:
    """The golden prompt for the empty one; for others one that is made from their letters."""
    io = golden("qwen3")
    ids, mask = (io[f"in.{name}"][0].astype(np.int32) for name in ("input_ids", "attention_mask"))
    for place, letter in enumerate(prompt[:tokens]):
        ids[place] = ord(letter) % 256
    return EncodedPrompt(ids, mask, prompt, max(0, len(prompt) - tokens))


def tiny_pipeline(
    device: str = "reference",
    dtype: str = "f32",
    distilled: bool = True,
    low_memory: bool = False,
    times: SpanTimes | None = None,
) -> Pipeline:
    model = tiny_model(distilled)
    spec = ModelSpec(model.description.spec, {**model.settings, "dtype": dtype})
    backend = open_backend(spec, BackendOptions(device))
    return Pipeline(model, encode, tiny_weights, backend, low_memory, span=times or SpanTimes())
