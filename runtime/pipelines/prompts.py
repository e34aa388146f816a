"""Prompts as token ids, by the model's own tokenizer files."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

import numpy as np
import numpy.typing as npt


@dataclass(frozen=True, slots=True, eq=False)
class EncodedPrompt:
    """A prompt as the text encoder takes it."""

    ids: npt.NDArray[np.int32]
    """``[tokens]``, padded on the right."""
    mask: npt.NDArray[np.int32]
    """``[tokens]``: 1 for what was written, 0 for padding."""
    text: str
    """What was tokenised: the prompt within the model's chat template."""
    cut: int
    """Tokens of it that did not fit and were left out at the end."""


class PromptTokenizer:
    """The tokenizer of a model folder: ``tokenizer.json`` and ``tokenizer_config.json``.

    A chat template of the folder runs in a sandbox: it can't change or reach anything.
    """

    def __init__(self, folder: Path) -> None:
        """Read the files of ``folder``.

        Raises:
            PromptError: a file is missing or damaged, or the tokenizers package is.
        """
        raise NotImplementedError

    def encode(self, prompt: str, tokens: int) -> EncodedPrompt:
        """One user turn of a chat and the beginning of the answer, as exactly ``tokens`` ids.

        Raises:
            PromptError: the template does not accept the prompt.
        """
        raise NotImplementedError
