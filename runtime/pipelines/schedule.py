"""Noise levels of a flow-matching model, step by step."""

from __future__ import annotations

import math
from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.pipelines.config_files import folder_error, read_config

_CLASS = "FlowMatchEulerDiscreteScheduler"
_DEFAULTS = {
    "num_train_timesteps": 1000,
    "shift": 1.0,
    "use_dynamic_shifting": False,
    "shift_terminal": None,
    "time_shift_type": "exponential",
}
# What changes the levels or the step in a way that is not made here.
_OFF = (
    "invert_sigmas",
    "use_karras_sigmas",
    "use_exponential_sigmas",
    "use_beta_sigmas",
    "stochastic_sampling",
)


class ScheduleError(LumcError):
    """Steps that can't be made."""


@dataclass(frozen=True, slots=True)
class EmpiricalShift:
    """How far noise levels are shifted: linear in the tokens of the picture and in the steps.

    Each pair is the slope and the offset of a line over tokens; between the lines for 10 and 200
    steps it is interpolated, and extended beyond.
    """

    at_10_steps: tuple[float, float]
    at_200_steps: tuple[float, float]
    most_tokens: int
    """For larger pictures the line for 200 steps holds, whatever the steps."""

    def mu(self, tokens: int, steps: int) -> float:
        """The shift: the logarithm of the factor on odds of noise to signal."""
        few = self.at_10_steps[0] * tokens + self.at_10_steps[1]
        many = self.at_200_steps[0] * tokens + self.at_200_steps[1]
        if tokens > self.most_tokens:
            return many
        slope = (many - few) / 190.0
        return slope * steps + (many - 200.0 * slope)


@dataclass(frozen=True, slots=True)
class Schedule:
    """Noise levels for Euler's method, as ``FlowMatchEulerDiscreteScheduler`` has them."""

    shift: float | EmpiricalShift
    """A fixed factor on the odds of noise to signal, or one that depends on the picture."""
    linear: bool = False
    """The empirical shift is the factor itself, not its logarithm."""
    shift_terminal: float | None = None
    """The level of the last step, to which all are stretched."""

    def sigmas(self, steps: int, tokens: int) -> npt.NDArray[np.float32]:
        """The ``steps + 1`` levels, from 1 down to 0, for a picture of ``tokens`` tokens.

        Step ``i`` gives the model ``sigmas[i]`` and takes the latents to ``sigmas[i + 1]``.
        Computed in float32 in the order of diffusers, so equal to its levels to the last bit.

        Raises:
            ScheduleError: there are no steps or no tokens.
        """
        if steps < 1 or tokens < 1:
            message = f"a schedule has at least one step and one token, not {steps} and {tokens}"
            raise ScheduleError(Diagnostic("N002", message))
        levels = np.linspace(1.0, 1 / steps, steps).astype(np.float32)
        levels = self._shifted(levels, steps, tokens)
        if self.shift_terminal and steps > 1:
            rest = 1 - levels
            levels = 1 - rest / (rest[-1] / np.float32(1 - self.shift_terminal))
        return np.append(levels, np.float32(0))

    def _shifted(
        self, levels: npt.NDArray[np.float32], steps: int, tokens: int
    ) -> npt.NDArray[np.float32]:
        if not isinstance(self.shift, EmpiricalShift):
            excess = np.float32(self.shift - 1)
            return np.float32(self.shift) * levels / (1 + excess * levels)
        mu = self.shift.mu(tokens, steps)
        factor = np.float32(mu if self.linear else math.exp(mu))
        return factor / (factor + (np.float32(1) / levels - 1))


def read_schedule(path: Path, empirical: EmpiricalShift) -> Schedule:
    """The schedule of a ``scheduler_config.json``.

    Args:
        path: The file.
        empirical: The shift of the model's pipeline, where the file asks for a dynamic one.

    Raises:
        ModelFolderError: the file can't be read, or asks for something else than Euler's method
            on a flow.
    """
    config = _DEFAULTS | read_config(path)
    name = config.get("_class_name", _CLASS)
    if name != _CLASS:
        raise folder_error(f"{path} asks for {name}; lumc has {_CLASS}")
    for key in _OFF:
        if config.get(key):
            raise folder_error(f"{path} sets {key}, which lumc does not have")
    if config["num_train_timesteps"] != 1000:
        found = config["num_train_timesteps"]
        raise folder_error(f"{path} has {found} training steps; lumc takes 1000")
    kind = config["time_shift_type"]
    if kind not in ("exponential", "linear"):
        raise folder_error(f"{path} sets time_shift_type to {kind}: exponential or linear is known")
    shift = empirical if config["use_dynamic_shifting"] else _number(path, config, "shift")
    terminal = config["shift_terminal"] and _number(path, config, "shift_terminal")
    return Schedule(shift, kind == "linear", terminal or None)


def _number(path: Path, config: dict[str, object], key: str) -> float:
    value = config[key]
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise folder_error(f"{path} sets {key} to {value!r}, which is no number")
    return float(value)
