"""Modelled kernels, kept from run to run under the hash of their code."""

from __future__ import annotations

import json
from dataclasses import asdict, replace
from typing import Any

from lumc.codegen.cache import Cache
from lumc.lowering.chips import Chip
from lumc.runtime.model_kernel import (
    BufferTraffic,
    CompiledKernel,
    ModelledKernel,
    ModelledParts,
    model_kernel,
)
from lumc.runtime.predict_stage import Model

_MODEL_FILE = "model.json"


def cached_model(store: Cache) -> Model:
    """``model_kernel``, but for what ``store`` has of equal code, sizes and figures."""

    def model(kernel: CompiledKernel, chip: Chip) -> ModelledKernel:
        key = Cache.key("modelled kernel", kernel.key(chip.target), str(chip.units))
        if (known := store.read(key)) is not None:
            return _modelled(json.loads(known[_MODEL_FILE]))
        found = model_kernel(kernel, chip)
        store.write(key, {_MODEL_FILE: json.dumps(asdict(found)).encode()})
        return found

    return model


def _modelled(content: dict[str, Any]) -> ModelledKernel:
    found = ModelledKernel(**content)
    return replace(
        found,
        clocks={int(copies): clocks for copies, clocks in content["clocks"].items()},
        traffic=tuple(BufferTraffic(**each) for each in content["traffic"]),
        parts=content["parts"] and ModelledParts(**content["parts"]),
    )
