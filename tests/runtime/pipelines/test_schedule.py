"""Noise levels against those of diffusers, bit for bit, and what config files may ask for."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import numpy as np
import pytest
from safetensors.numpy import load_file

from lumc.diagnostics import LumcError
from lumc.runtime.pipelines.model_description import description_for
from lumc.runtime.pipelines.schedule import Schedule, read_schedule
from tests.specs.spec_support import DATA

SHIFT = description_for("Flux2KleinPipeline", Path("model_index.json")).shift
CONFIGS: Mapping[str, Mapping[str, object]] = {
    "dynamic": {"shift": 3.0, "use_dynamic_shifting": True},
    "linear": {"use_dynamic_shifting": True, "time_shift_type": "linear"},
    "fixed": {"shift": 3.0},
    "terminal": {"use_dynamic_shifting": True, "shift_terminal": 0.02},
}
SIGMAS = load_file(DATA / "golden" / "torch_noise" / "sigmas.safetensors")


def written(folder: Path, config: Mapping[str, object]) -> Path:
    path = folder / "scheduler_config.json"
    path.write_text(json.dumps(config))
    return path


@pytest.mark.parametrize("name", sorted(SIGMAS))
def test_levels_are_those_of_diffusers(tmp_path: Path, name: str) -> None:
    kind, steps, tokens = name.split(".")
    schedule = read_schedule(written(tmp_path, CONFIGS[kind]), SHIFT)
    assert schedule.sigmas(int(steps), int(tokens)).tobytes() == SIGMAS[name].tobytes()


def test_levels_of_the_golden_run() -> None:
    golden = load_file(DATA / "golden" / "pipeline_flux2_klein" / "io.safetensors")
    sigmas = Schedule(SHIFT).sigmas(4, 24)
    assert sigmas.tobytes() == golden["out.sigmas"].tobytes()
    for step in range(4):
        seen = golden[f"out.step.{step}.timestep_arg"]
        np.testing.assert_allclose(sigmas[step], seen[0], rtol=2e-7)
    assert SHIFT.mu(24, 4) == 1.9458947254741559


@pytest.mark.parametrize(
    ("width", "height", "mu"),
    [(512, 512, 2.0306897), (704, 864, 2.1453325), (1200, 800, 2.2618408), (1024, 1024, 2.2911799)],
)
def test_shifts_of_published_sizes(width: int, height: int, mu: float) -> None:
    assert SHIFT.mu(width * height // 256, 4) == pytest.approx(mu, abs=5e-8)


@pytest.mark.parametrize(
    ("config", "words"),
    [
        ({"_class_name": "DDIMScheduler"}, "asks for DDIMScheduler"),
        ({"use_karras_sigmas": True}, "sets use_karras_sigmas"),
        ({"invert_sigmas": True}, "sets invert_sigmas"),
        ({"num_train_timesteps": 500}, "has 500 training steps"),
        ({"time_shift_type": "cubic"}, "sets time_shift_type to cubic"),
        ({"shift": "much"}, "sets shift to 'much'"),
    ],
)
def test_configs_of_other_schedules(
    tmp_path: Path, config: Mapping[str, object], words: str
) -> None:
    with pytest.raises(LumcError, match=words):
        read_schedule(written(tmp_path, config), SHIFT)


@pytest.mark.parametrize(("steps", "tokens"), [(0, 24), (4, 0), (-1, 24)])
def test_no_steps(steps: int, tokens: int) -> None:
    with pytest.raises(LumcError, match="at least one step and one token"):
        Schedule(SHIFT).sigmas(steps, tokens)
