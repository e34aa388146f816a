"""What a kind of published model is, in the terms of its spec, as data.

A description is a TOML file in ``models/``. It says which pipelines it is for, where the parameters
of the spec stand in the config files, what the spec has only one way of, which parts have weights
under which names, and how a request is run.
"""

from __future__ import annotations

import re
import tomllib
from collections.abc import Container, Iterable, Iterator, Mapping
from dataclasses import dataclass
from importlib.resources import as_file, files
from pathlib import Path
from typing import Any

import jinja2
from jinja2.sandbox import ImmutableSandboxedEnvironment

from lumc.runtime.pipelines.config_files import folder_error
from lumc.runtime.pipelines.name_map import has_form
from lumc.runtime.pipelines.pictures import ReferenceRules
from lumc.runtime.pipelines.schedule import EmpiricalShift

INDEX = "index"
"""What expressions call ``model_index.json``."""


@dataclass(frozen=True, slots=True)
class Part:
    """A part of a model that has weights: a folder, and a name in expressions."""

    name: str
    stages: tuple[str, ...]
    """Of the spec: those that read these weights."""
    names: tuple[str, ...]
    """Maps for checkpoints with other names than the spec's."""
    recognised_by: str
    """The form of a name that only a checkpoint with the spec's names has."""
    ignored: tuple[str, ...]
    """Forms of names that are in the files and that the spec has no use for."""
    sizes: Mapping[str, tuple[str, int]]
    """Parameters of the spec that are the size of a tensor along an axis: some, to tell
    configurations apart."""

    def unused(self, needed: Container[str], there: Iterable[str]) -> list[str]:
        """Of what is there: what is not needed and not known to be of no use."""
        return [
            name
            for name in there
            if name not in needed and not any(has_form(form, name) for form in self.ignored)
        ]


@dataclass(frozen=True, slots=True)
class RunDefaults:
    """How a request is run unless it says otherwise."""

    steps: int
    guidance: float
    """1: no guidance."""


@dataclass(frozen=True, slots=True)
class ModelDescription:
    """One kind of model."""

    name: str
    spec: Path
    pipelines: tuple[str, ...]
    """The names of the pipeline in ``model_index.json``."""
    parts: tuple[Part, ...]
    defaults: Mapping[str, Mapping[str, Any]]
    settings: Mapping[str, str]
    """Expressions for the parameters of the spec."""
    text_tokens: str
    """The expression for how many tokens prompts are padded to."""
    requirements: tuple[str, ...]
    """Expressions that hold for every model that the spec can express."""
    distilled: RunDefaults
    base: RunDefaults
    template_settings: Mapping[str, object]
    references: ReferenceRules
    shift: EmpiricalShift

    def sources_of(self, expression: str) -> tuple[str, ...]:
        """The parts, and the index, whose configs ``expression`` reads."""
        words = set(re.findall(r"\b(\w+)\.", expression))
        names = (INDEX, *(part.name for part in self.parts))
        return tuple(name for name in names if name in words)


class MissingKeyError(Exception):
    """An expression reads something that no config file says."""


def evaluate(expression: str, configs: Mapping[str, Mapping[str, Any]]) -> Any:
    """The value of an expression over config files.

    Raises:
        MissingKeyError: a key is not there; the text says which.
        ValueError: the values that are there can't be used in it.
    """
    environment = ImmutableSandboxedEnvironment(undefined=jinja2.StrictUndefined)
    compiled = environment.compile_expression(expression, undefined_to_none=False)
    try:
        value = compiled(**configs)
        if isinstance(value, jinja2.Undefined):
            str(value)  # raises
    except jinja2.UndefinedError as error:
        raise MissingKeyError(str(error)) from None
    except (TypeError, ArithmeticError, jinja2.TemplateError) as error:
        raise ValueError(str(error)) from None
    return value


def descriptions() -> Iterator[ModelDescription]:
    """All kinds of models that are described, by name."""
    folder = files("lumc.runtime.pipelines") / "models"
    for place in sorted(folder.iterdir(), key=lambda entry: entry.name):
        name, _, ending = place.name.rpartition(".")
        if ending == "toml":
            yield _description(name, tomllib.loads(place.read_text(encoding="utf-8")))


def description_for(pipeline: str, place: Path) -> ModelDescription:
    """The description of the models with this pipeline; ``place`` names it.

    Raises:
        ModelFolderError: there is none.
    """
    known = list(descriptions())
    for description in known:
        if pipeline in description.pipelines:
            return description
    there = ", ".join(_pipelines(known))
    raise folder_error(f"{place} asks for {pipeline}; lumc has {there}")


def _pipelines(known: Iterable[ModelDescription]) -> Iterator[str]:
    return (pipeline for description in known for pipeline in description.pipelines)


def _description(name: str, content: Mapping[str, Any]) -> ModelDescription:
    with as_file(files("lumc.specs") / f"{content['spec']}.lum") as spec:
        place = spec
    return ModelDescription(
        name,
        place,
        tuple(content["pipelines"]),
        tuple(_part(part, entry) for part, entry in content["parts"].items()),
        content["defaults"],
        content["settings"],
        content["prompt"]["text_tokens"],
        tuple(entry["that"] for entry in content["require"]),
        RunDefaults(**content["runs"]["distilled"]),
        RunDefaults(**content["runs"]["base"]),
        content["prompt"]["template"],
        ReferenceRules(**content["references"]),
        EmpiricalShift(
            tuple(content["shift"]["at_10_steps"]),
            tuple(content["shift"]["at_200_steps"]),
            content["shift"]["most_tokens"],
        ),
    )


def _part(name: str, entry: Mapping[str, Any]) -> Part:
    return Part(
        name,
        tuple(entry["stages"]),
        tuple(entry["names"]),
        entry["recognised_by"],
        tuple(entry["ignored"]),
        {parameter: (tensor, axis) for parameter, (tensor, axis) in entry["sizes"].items()},
    )
