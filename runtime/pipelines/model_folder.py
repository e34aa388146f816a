"""A published model on disk: which spec it is, in which sizes, and where its weights are."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path

from lumc.diagnostics import LumcError
from lumc.runtime.pipelines.pictures import ReferenceRules
from lumc.runtime.pipelines.schedule import Schedule
from lumc.runtime.tensors import TensorSource, WantedTensor


class ModelFolderError(LumcError):
    """A folder holds no model that lumc can run, or not all of it."""


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model that was found; its weights are only read when a stage loads them.

    ``load_spec(find_spec(model.spec), None, model.settings | sizes)`` is the model's spec, where
    ``sizes`` are the parameters of a request (width, height, references, text_tokens, dtype).
    """

    path: Path
    kind: str
    """The name of the description in ``models/`` that fits, as ``flux2_klein``."""
    spec: str
    """The spec in ``lumc.specs`` that says what the model computes, as ``flux2_klein``."""
    config: str | None
    """The configuration of the spec that has these sizes, as ``klein_9b``, for messages."""
    settings: Mapping[str, str]
    """All parameters of the spec that the model decides, as texts."""
    text_tokens: int
    """How many tokens a prompt is padded to."""
    distilled: bool
    """The model was trained to go without guidance."""
    default_steps: int
    default_guidance: float
    """1: no guidance."""
    schedule: Schedule
    reference_rules: ReferenceRules
    tokenizer: Path
    """The folder of the tokenizer's files."""
    weights: Mapping[str, TensorSource]
    """By stage of the spec: tensors under the names of the spec."""

    def check_weights(self, wanted: Mapping[str, Sequence[WantedTensor]]) -> None:
        """Check that all that the stages in ``wanted`` need is there and fits.

        Warns of tensors that no stage of the spec knows: the model may be another one than it says.

        Raises:
            ModelFolderError: a tensor is missing or has another shape; it names tensor and file.
        """
        raise NotImplementedError


def open_model_folder(path: Path) -> ModelFolder:
    """Find out what is in ``path``: a snapshot with a folder for each part, or single files.

    Raises:
        ModelFolderError: there is no model, it is one that no spec describes, or files are missing
            or damaged.
    """
    raise NotImplementedError
