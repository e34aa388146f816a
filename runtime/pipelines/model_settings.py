"""The parameters of a spec from the config files of a published model.

Where a part of a model has no config file, the first configuration of the spec that has just its
weights says them.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from lumc.diagnostics import Diagnostic
from lumc.dsl import Spec, elaborate, load_spec
from lumc.dsl.tensor_program import Weight
from lumc.runtime.pipelines.checkpoint import Checkpoint
from lumc.runtime.pipelines.config_files import ModelFolderError, folder_error, read_config
from lumc.runtime.pipelines.model_description import (
    INDEX,
    MissingKeyError,
    ModelDescription,
    Part,
    evaluate,
)

INDEX_FILE = "model_index.json"
Configs = Mapping[str, Mapping[str, Any]]


def read_configs(path: Path, description: ModelDescription, index: Mapping[str, Any]) -> Configs:
    """What the config files say, with the defaults of the libraries, by part.

    Args:
        path: The model folder.
        description: Of the kind of model.
        index: The content of ``model_index.json``; empty if there is none, and then parts may lack
            their config file.

    Raises:
        ModelFolderError: a file is missing or damaged.
    """
    found = {INDEX: {**description.defaults[INDEX], **index}} if index else {}
    for part in description.parts:
        place = config_file(path, part.name)
        if place.exists() or index:
            found[part.name] = {**description.defaults[part.name], **read_config(place)}
    return found


def config_file(path: Path, source: str) -> Path:
    """The file that says what ``source``, a part or the index, is like; it need not be there."""
    return path / INDEX_FILE if source == INDEX else path / source / "config.json"


def require_expressible(path: Path, description: ModelDescription, configs: Configs) -> None:
    """Check what the spec has only one way of.

    Raises:
        ModelFolderError: the model in ``path`` is another one, or its files do not say.
    """
    for requirement in description.requirements:
        sources = description.sources_of(requirement)
        if not set(sources) <= set(configs):
            continue
        if not _value(path, requirement, sources, configs):
            places = " and ".join(str(config_file(path, source)) for source in sources)
            spec = description.spec.name
            message = f"{places}: {spec} can't express this model: it needs {requirement}"
            hint = "another model needs a spec of its own; docs/bring_your_own_model.md says how"
            notes = tuple(_said(requirement, configs))
            raise ModelFolderError(Diagnostic("G001", message, hint=hint, notes=notes))


def _said(expression: str, configs: Configs) -> Iterator[str]:
    """What the config files say of what ``expression`` reads."""
    for source, key in dict.fromkeys(re.findall(r"\b(\w+)\.(\w+)", expression)):
        if key in configs.get(source, {}):
            yield f"{source}.{key} = {json.dumps(configs[source][key])}"


def read_settings(
    path: Path,
    description: ModelDescription,
    configs: Configs,
    checkpoints: Mapping[str, Checkpoint],
) -> dict[str, str]:
    """The parameters of the spec, from the configs and, where there are none, from the weights.

    Raises:
        ModelFolderError: the files do not say them, or the spec can't have them.
    """
    known, unknown = {}, {}
    for name, expression in {
        **description.settings,
        "text_tokens": description.text_tokens,
    }.items():
        sources = description.sources_of(expression)
        if set(sources) <= set(configs):
            known[name] = _as_text(path, expression, _value(path, expression, sources, configs))
        else:
            unknown[name] = expression
    if not unknown:
        _require_no_errors(path, load_spec(description.spec, None, known))
        return known
    bare = [part for part in description.parts if part.name not in configs]
    spec = _spec_that_fits(path, description, known, bare, checkpoints)
    parameters = dict(spec.parameters)
    return known | {name: parameters[name] for name in unknown}


def _value(path: Path, expression: str, sources: Sequence[str], configs: Configs) -> Any:
    places = ", ".join(str(config_file(path, source)) for source in sources)
    try:
        return evaluate(expression, configs)
    except MissingKeyError as error:
        message = f"nothing in {places} says what {expression} is: {error}"
        raise folder_error(message, "the file is of another version or model") from None
    except ValueError as error:
        raise folder_error(f"{expression} makes no sense in {places}: {error}") from None


def _as_text(path: Path, expression: str, value: object) -> str:
    """A number or a list of numbers as the spec's language writes it."""
    if isinstance(value, list):
        return f"[{', '.join(_as_text(path, expression, entry) for entry in value)}]"
    if isinstance(value, bool) or not isinstance(value, int | float):
        raise folder_error(f"{expression} in {path} is {value!r}, which is no number")
    return str(int(value)) if float(value).is_integer() else repr(value)


def _spec_that_fits(
    path: Path,
    description: ModelDescription,
    known: Mapping[str, str],
    parts: Sequence[Part],
    checkpoints: Mapping[str, Checkpoint],
) -> Spec:
    """The spec with the first of its configurations that has the weights of ``parts``."""
    for config in load_spec(description.spec).configs:
        spec = load_spec(description.spec, config, known)
        # Cheap first: few configurations are worth being elaborated.
        if (
            not spec.errors
            and all(_has_sizes(spec, part, checkpoints[part.name]) for part in parts)
            and all(_has_weights(spec, part, checkpoints[part.name]) for part in parts)
        ):
            return spec
    listed = ", ".join(str(config_file(path, part.name)) for part in parts)
    message = f"no configuration of {description.spec.name} has the weights in {path}"
    raise folder_error(message, f"say their sizes in {listed}")


def _has_sizes(spec: Spec, part: Part, checkpoint: Checkpoint) -> bool:
    """Whether the sizes that the description names are those of the spec's parameters."""
    parameters, tensors = dict(spec.parameters), checkpoint.tensors()
    for name, (tensor, axis) in part.sizes.items():
        shape = tensors[tensor].shape if tensor in tensors else ()
        if parameters[name] != "".join(map(str, shape[axis : axis + 1])):
            return False
    return True


def _has_weights(spec: Spec, part: Part, checkpoint: Checkpoint) -> bool:
    """Whether the stages of ``part`` read just what is there, in the same shapes."""
    programs = [elaborate(spec, stage) for stage in part.stages]
    nodes = [program.nodes[number] for program in programs for number in program.weights]
    wanted = {node.name: node.space for node in nodes if isinstance(node, Weight)}
    there = {name: info.shape for name, info in checkpoint.tensors().items()}
    return all(there.get(name) == shape for name, shape in wanted.items()) and not part.unused(
        wanted, there
    )


def _require_no_errors(path: Path, spec: Spec) -> None:
    if spec.errors:
        message = f"{path} has a model that {spec.name}.lum can't express"
        notes = tuple(error.render() for error in spec.errors)
        raise ModelFolderError(Diagnostic("G001", message, notes=notes))
