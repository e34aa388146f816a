"""Chat templates: texts of Jinja that put a prompt into the form a model was trained with."""

from __future__ import annotations

import json
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from pathlib import Path
from typing import Any

import jinja2
from jinja2 import nodes
from jinja2.ext import Extension, LoopControlExtension
from jinja2.parser import Parser
from jinja2.sandbox import ImmutableSandboxedEnvironment

from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.pipelines.config_files import folder_error, read_bytes


class ChatTemplateError(LumcError):
    """A chat template does not accept what it is given."""


@dataclass(frozen=True, slots=True)
class ChatTemplate:
    """A template, the file it is from and the special tokens that it may name."""

    template: jinja2.Template
    place: Path
    tokens: Mapping[str, str]

    def render(self, prompt: str, settings: Mapping[str, object]) -> str:
        """``prompt`` as the only turn of a user, and the beginning of the answer.

        Raises:
            ChatTemplateError: the template fails.
        """
        given: dict[str, object] = {
            "messages": [{"role": "user", "content": prompt}],
            "tools": None,
            "documents": None,
            "add_generation_prompt": True,
        }
        try:
            return self.template.render({**self.tokens, **given, **settings})
        except Exception as error:  # a template computes what it likes, and may fail at anything
            message = f"the chat template in {self.place} fails: {error}"
            raise ChatTemplateError(Diagnostic("N004", message)) from None


def read_chat_template(
    folder: Path, config: Mapping[str, Any], tokens: Mapping[str, str]
) -> ChatTemplate:
    """The chat template of a tokenizer's folder: a file of its own, or part of its settings.

    Raises:
        ModelFolderError: there is none, or it is no template.
    """
    place = folder / "chat_template.jinja"
    if place.exists():
        text = read_bytes(place).decode("utf-8", "replace")
    else:
        place = folder / "tokenizer_config.json"
        text = _default(config.get("chat_template"), place)
    try:
        return ChatTemplate(_environment().from_string(text), place, tokens)
    except jinja2.TemplateError as error:
        raise folder_error(f"the chat template in {place} is no template: {error}") from None


def _default(template: object, place: Path) -> str:
    """A template as it is, or the one called default among several."""
    if isinstance(template, list):
        named = {one.get("name"): one.get("template") for one in template if isinstance(one, dict)}
        template = named.get("default")
    if not isinstance(template, str):
        message = f"{place} has no chat_template, and there is no chat_template.jinja beside it"
        raise folder_error(message, "prompts have to be put into the form the model was trained on")
    return template


class _Generation(Extension):
    """``{% generation %}`` marks what training reads; it stands in for what is within."""

    tags = {"generation"}  # noqa: RUF012 (so it is declared in the base class)

    def parse(self, parser: Parser) -> list[nodes.Node]:
        """The statements within."""
        next(parser.stream)
        return parser.parse_statements(("name:endgeneration",), drop_needle=True)


def _environment() -> ImmutableSandboxedEnvironment:
    """What templates may use, as in transformers: nothing of them reaches the machine."""
    environment = ImmutableSandboxedEnvironment(
        trim_blocks=True, lstrip_blocks=True, extensions=[LoopControlExtension, _Generation]
    )
    environment.filters["tojson"] = _to_json
    environment.globals["raise_exception"] = _raise
    environment.globals["strftime_now"] = lambda form: datetime.now().strftime(form)
    return environment


def _to_json(value: object, ensure_ascii: bool = False, indent: int | None = None) -> str:
    """Unlike Jinja's own filter, without escapes for HTML."""
    return json.dumps(value, ensure_ascii=ensure_ascii, indent=indent)


def _raise(message: str) -> None:
    raise jinja2.TemplateError(message)
