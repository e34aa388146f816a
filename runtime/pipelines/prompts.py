"""Prompts as token ids, by the model's own tokenizer files."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.pipelines.chat_template import ChatTemplate, read_chat_template
from lumc.runtime.pipelines.config_files import (
    GET_AGAIN,
    folder_error,
    read_bytes,
    read_config,
)
from lumc.runtime.pipelines.extra import pipeline_package

_SIDES = ("left", "right")


class PromptError(LumcError):
    """A prompt can't be put into tokens."""


@dataclass(frozen=True, slots=True, eq=False)
class EncodedPrompt:
    """A prompt as the text encoder takes it."""

    ids: npt.NDArray[np.int32]
    """``[tokens]``, padded."""
    mask: npt.NDArray[np.int32]
    """``[tokens]``: 1 for what was written, 0 for padding."""
    text: str
    """What was tokenised: the prompt within the model's chat template."""
    cut: int
    """Tokens of it that did not fit and were left out."""


class PromptTokenizer:
    """The tokenizer of a model folder: ``tokenizer.json``, ``tokenizer_config.json`` and others.

    A chat template of the folder runs in a sandbox, where it can't reach or change anything.
    """

    def __init__(
        self, folder: Path, vocabulary: int, template_settings: Mapping[str, object]
    ) -> None:
        """Read the files of ``folder``.

        Args:
            folder: Has ``tokenizer.json``, the settings and the chat template.
            vocabulary: How many tokens the text encoder knows.
            template_settings: What the chat template is told beside the messages.

        Raises:
            ModelFolderError: a file is missing or damaged, or has tokens beyond ``vocabulary``.
            MissingPackageError: the tokenizers package is not installed.
        """
        config = read_config(folder / "tokenizer_config.json")
        special = _special_tokens(folder, config)
        self._tokenizer = _open_tokenizer(folder / "tokenizer.json", vocabulary)
        self._template: ChatTemplate = read_chat_template(folder, config, special)
        self._settings = template_settings
        self._pad = special.get("pad_token")
        if self._pad is None or self._tokenizer.token_to_id(self._pad) is None:
            named = "names no pad_token" if self._pad is None else f"names {self._pad}, no token,"
            raise folder_error(f"{folder / 'tokenizer_config.json'} {named} to pad prompts with")
        self._pad_side = _side(folder, config, "padding_side")
        self._cut_side = _side(folder, config, "truncation_side")

    def encode(self, prompt: str, tokens: int) -> EncodedPrompt:
        """One user turn of a chat and the beginning of the answer, as exactly ``tokens`` ids.

        Raises:
            PromptError: the template or the tokenizer does not accept the prompt.
        """
        if tokens < 1:
            raise _error(f"a prompt has at least one token, not {tokens}")
        _require_text(prompt)
        text = self._template.render(prompt, self._settings)
        pad_id = self._tokenizer.token_to_id(self._pad)
        try:
            self._tokenizer.enable_truncation(tokens, direction=self._cut_side)
            self._tokenizer.enable_padding(
                direction=self._pad_side, length=tokens, pad_id=pad_id, pad_token=self._pad
            )
            encoded = self._tokenizer.encode(text)
        except (UnicodeError, ValueError, TypeError) as error:
            raise _error(f"the prompt can't be tokenised: {error}") from None
        cut = sum(sum(part.attention_mask) for part in encoded.overflowing)
        ids = np.array(encoded.ids, np.int32)
        return EncodedPrompt(ids, np.array(encoded.attention_mask, np.int32), text, cut)


def _require_text(prompt: object) -> None:
    """A command's arguments have half of a surrogate pair for each byte that is no UTF-8."""
    if not isinstance(prompt, str):
        raise _error(f"a prompt is a text, not {type(prompt).__name__}")
    try:
        prompt.encode()
    except UnicodeEncodeError as error:
        raise _error(f"the prompt is no UTF-8 text from character {error.start + 1} on") from None


def _open_tokenizer(path: Path, vocabulary: int) -> Any:
    """What ``path`` describes, if the text encoder knows all of its tokens."""
    tokenizers = pipeline_package("tokenizers", "tokenizers")
    data = read_bytes(path)
    try:
        tokenizer = tokenizers.Tokenizer.from_buffer(data)
    except Exception as error:  # the package raises nothing narrower
        raise folder_error(f"can't read {path} as a tokenizer: {error}", GET_AGAIN) from None
    token, last = max(tokenizer.get_vocab(with_added_tokens=True).items(), key=lambda pair: pair[1])
    if last >= vocabulary:
        message = f"{path} has token {last} ({token}); the text encoder has {vocabulary} tokens"
        raise folder_error(message, "the tokenizer is of another model")
    return tokenizer


def _special_tokens(folder: Path, config: Mapping[str, Any]) -> dict[str, str]:
    """The tokens that have a role, by role, as ``pad_token`` and ``eos_token``."""
    place = folder / "special_tokens_map.json"
    found = {}
    for entries in (read_config(place) if place.exists() else {}, config):
        for role, entry in entries.items():
            content = entry.get("content") if isinstance(entry, Mapping) else entry
            if role.endswith("_token") and isinstance(content, str):
                found[role] = content
    return found


def _side(folder: Path, config: Mapping[str, Any], key: str) -> str:
    side = config.get(key, "right")
    if side not in _SIDES:
        place = folder / "tokenizer_config.json"
        raise folder_error(f"{place} sets {key} to {side!r}, which is neither left nor right")
    return str(side)


def _error(message: str) -> PromptError:
    return PromptError(Diagnostic("N003", message))
