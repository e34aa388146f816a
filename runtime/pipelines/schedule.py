"""Noise levels of a flow-matching model, step by step."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True)
class Schedule:
    """Noise levels for Euler's method, as ``FlowMatchEulerDiscreteScheduler`` has them."""

    dynamic: bool
    """Levels are shifted by the size of the picture and the number of steps."""
    shift: float
    """The fixed shift where they are not."""
    time_shift_type: str = "exponential"
    shift_terminal: float | None = None

    def sigmas(self, steps: int, tokens: int) -> npt.NDArray[np.float32]:
        """The ``steps + 1`` levels, from 1 down to 0, for a picture of ``tokens`` tokens.

        Step ``i`` gives the model ``sigmas[i]`` and takes the latents to ``sigmas[i + 1]``.

        Raises:
            ScheduleError: there are no steps or no tokens.
        """
        raise NotImplementedError


def read_schedule(path: Path) -> Schedule:
    """The schedule of a ``scheduler_config.json``.

    Raises:
        LumcError: the file can't be read, or asks for something else than Euler's method on a flow.
    """
    raise NotImplementedError


def empirical_mu(tokens: int, steps: int) -> float:
    """FLUX.2's shift of the noise levels, fitted to ``tokens`` of the picture and ``steps``."""
    raise NotImplementedError
