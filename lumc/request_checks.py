"""What is checked of a request for pictures and of what was made, and what is warned of."""

from __future__ import annotations

import math
import warnings
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError, LumcWarning
from lumc.runtime.pipelines.model_folder import ModelFolder
from lumc.runtime.pipelines.pictures import Pixels, fit_reference, read_picture
from lumc.runtime.pipelines.prompts import EncodedPrompt

_MAX_REFERENCES = 10


class RequestError(LumcError):
    """A picture is asked for that can't be made."""


def guidance_of(model: ModelFolder, wanted: float | None) -> float:
    """How far ``model`` goes from the other prompt, where ``wanted`` is what was asked for.

    Raises:
        RequestError: it is no number.
    """
    if wanted is not None and not math.isfinite(wanted):
        raise refused(f"guidance must be a finite number, not {wanted}")
    if not model.distilled:
        return model.default_guidance if wanted is None else wanted
    if wanted not in (None, 1):
        message = "this model is distilled: guidance has no effect on it"
        warnings.warn(message, LumcWarning, stacklevel=3)
    return 1.0


def warn_of_no_guidance(model: ModelFolder, negative_prompt: str, guided: bool) -> None:
    """Say that a negative prompt has no effect, where it has none."""
    if not negative_prompt or guided:
        return
    why = "this model is distilled" if model.distilled else "guidance is 1"
    message = f"{why}: the negative prompt has no effect"
    warnings.warn(message, LumcWarning, stacklevel=3)


def require_whole(**numbers: object) -> None:
    """Raise RequestError if one of ``numbers`` is given and not whole."""
    for name, number in numbers.items():
        if number is not None and not isinstance(number, int | np.integer):
            raise refused(f"{name} must be a whole number, not {number!r}")


def require_counts(**counts: int) -> None:
    """Raise RequestError if one of ``counts`` is less than 1."""
    for name, count in counts.items():
        if count < 1:
            raise refused(f"{name} must be 1 or more, not {count}")


def warn_of_cut(prompt: EncodedPrompt) -> None:
    """Say that a prompt is longer than the model takes."""
    if prompt.cut:
        message = f"the prompt is too long: the last {prompt.cut} of its tokens are left out"
        warnings.warn(message, LumcWarning, stacklevel=3)


def warn_of_cut_size(
    wanted: tuple[int | None, int | None], size: tuple[int, int], multiple: int
) -> None:
    """Say what a size became that was asked for."""
    if any(side not in (None, made) for side, made in zip(wanted, size, strict=True)):
        message = f"the picture is {size[0]}×{size[1]} pixels: sides are multiples of {multiple}"
        warnings.warn(message, LumcWarning, stacklevel=3)


def read_pictures(image: Any, model: ModelFolder) -> tuple[Pixels, ...]:
    """The reference pictures ``image``, none, one or several, as ``model`` takes them.

    Raises:
        LumcError: there are too many, or one can't be read or used.
    """
    if image is None:
        return ()
    sources: Sequence[Any] = image if isinstance(image, list | tuple) else [image]
    if len(sources) > _MAX_REFERENCES:
        raise refused(f"{len(sources)} references are too many; {_MAX_REFERENCES} can be given")
    found = []
    for number, source in enumerate(sources, 1):
        name = str(source) if isinstance(source, str | Path) else f"reference {number}"
        found.append(fit_reference(read_picture(source), model.reference_rules, name))
    return tuple(found)


def has_flat_channel(picture: Pixels) -> bool:
    """Whether a colour is the same everywhere, as where numbers are none; a glance, as it is cheap.

    All that a picture is made from is only looked at then.
    """
    glance = picture[::16, ::16].reshape(-1, 3)
    return bool((glance == glance[0]).all(axis=0).any())


def require_finite(values: npt.NDArray[Any]) -> None:
    """Raise LumcError if some of what was made are no numbers."""
    bad = int(np.count_nonzero(~np.isfinite(values)))
    if bad:
        message = f"{bad} of {values.size} numbers are not finite, so there is no picture"
        hint = (
            "in f16 a model may leave the range of numbers, and bf16 has a wider one; "
            "else some of its weights may be damaged"
        )
        raise LumcError(Diagnostic("G005", message, hint=hint))


def refused(message: str) -> RequestError:
    """The error of a request that can't be."""
    return RequestError(Diagnostic("G006", message))
