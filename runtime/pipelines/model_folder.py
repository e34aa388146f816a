"""A published model on disk: which spec it is, in which sizes, and where its weights are."""

from __future__ import annotations

import warnings
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from lumc.diagnostics import LumcWarning
from lumc.runtime.pipelines.checkpoint import Checkpoint, make_checkpoint, weight_files
from lumc.runtime.pipelines.config_files import (
    GET_AGAIN,
    ModelFolderError,
    folder_error,
    read_config,
)
from lumc.runtime.pipelines.model_description import (
    INDEX,
    ModelDescription,
    Part,
    RunDefaults,
    description_for,
    descriptions,
)
from lumc.runtime.pipelines.model_settings import (
    INDEX_FILE,
    Configs,
    config_file,
    read_configs,
    read_settings,
    require_expressible,
)
from lumc.runtime.pipelines.name_map import has_form, read_name_map
from lumc.runtime.pipelines.pictures import ReferenceRules
from lumc.runtime.pipelines.prompts import PromptTokenizer
from lumc.runtime.pipelines.schedule import Schedule, read_schedule
from lumc.runtime.tensors import TensorFiles, TensorSource, WantedTensor, match_tensors

_SCHEDULER = Path("scheduler", "scheduler_config.json")
_TOKENIZER_FILES = ("tokenizer.json", "tokenizer_config.json")
_NAMED = 3


@dataclass(frozen=True, slots=True)
class ModelFolder:
    """A model that was found; its weights are only read when a stage loads them.

    ``load_spec(model.description.spec, None, {**model.settings, **sizes})`` is the model's spec,
    where ``sizes`` are the parameters of a request (width, height, references, text_tokens, dtype).
    """

    path: Path
    description: ModelDescription
    settings: Mapping[str, str]
    """All parameters of the spec that the model decides, as texts."""
    text_tokens: int
    """How many tokens a prompt is padded to."""
    distilled: bool
    """The model was trained to go without guidance."""
    schedule: Schedule
    checkpoints: Mapping[str, Checkpoint]
    """By part."""

    @property
    def default_steps(self) -> int:
        """As many as the model was trained for."""
        return self._run_defaults.steps

    @property
    def default_guidance(self) -> float:
        """What the model was trained for; 1: no guidance."""
        return self._run_defaults.guidance

    @property
    def _run_defaults(self) -> RunDefaults:
        return self.description.distilled if self.distilled else self.description.base

    @property
    def reference_rules(self) -> ReferenceRules:
        """What the model wants of reference pictures."""
        return self.description.references

    @property
    def weights(self) -> Mapping[str, TensorSource]:
        """By stage of the spec: the tensors it is made of, and more, by the spec's names."""
        return {
            stage: self.checkpoints[part.name]
            for part in self.description.parts
            for stage in part.stages
        }

    def open_tokenizer(self) -> PromptTokenizer:
        """The model's tokenizer.

        Raises:
            ModelFolderError: a file of it is missing or damaged, or of another model.
            MissingPackageError: the tokenizers package is not installed.
        """
        own = self.path / "tokenizer"
        folder = own if own.is_dir() else self.path
        if not any((folder / name).exists() for name in _TOKENIZER_FILES):
            message = f"{self.path} has no folder tokenizer, and no {_TOKENIZER_FILES[0]} itself"
            raise folder_error(message, "get the whole model")
        vocabulary = int(self.settings["vocabulary"])
        return PromptTokenizer(folder, vocabulary, self.description.template_settings)

    def check_weights(self, wanted: Mapping[str, Sequence[WantedTensor]]) -> None:
        """Check that all that the stages in ``wanted`` need is there and fits.

        Warns of tensors that no stage reads, if all stages of their part are in ``wanted``: the
        model may be another one than it says.

        Raises:
            LumcError: tensors are missing or have another shape; it names tensor and file.
        """
        for part in self.description.parts:
            stages = [stage for stage in part.stages if stage in wanted]
            needed = {tensor.name: tensor for stage in stages for tensor in wanted[stage]}
            checkpoint = self.checkpoints[part.name]
            cure = self._same_model(part)
            _require_all(needed, checkpoint, cure)
            match_tensors(list(needed.values()), checkpoint, "weight", cure)
            if len(stages) == len(part.stages):
                _warn_of_others(needed, checkpoint, part)

    def _same_model(self, part: Part) -> str:
        """What to do about weights of ``part`` that are not as expected."""
        config = config_file(self.path, part.name)
        if not config.exists():
            return GET_AGAIN
        return f"{config} and the weights must be of the same model: get both again"


def open_model_folder(path: Path) -> ModelFolder:
    """Find out what is in ``path``: a snapshot with a folder for each part, or single files.

    Raises:
        LumcError: there is no model, it is one that no spec describes, or files are missing or
            damaged.
    """
    if not path.is_dir():
        raise _no_folder(path)
    index_file = path / INDEX_FILE
    index = read_config(index_file) if index_file.exists() else {}
    description = _described(path, index_file, index)
    checkpoints = {part.name: _find_part(path, part) for part in description.parts}
    configs = read_configs(path, description, index)
    require_expressible(path, description, configs)
    settings = read_settings(path, description, configs, checkpoints)
    return ModelFolder(
        path,
        description,
        {name: settings[name] for name in description.settings},
        int(settings["text_tokens"]),
        _is_distilled(path, index, configs),
        _schedule(path, description, index),
        checkpoints,
    )


def _no_folder(path: Path) -> ModelFolderError:
    if path.exists():
        hint = f"its folder is {path.parent}" if path.name == INDEX_FILE else None
        return folder_error(f"the model folder {path} is no folder", hint)
    hint = "a model is a folder here, as hf download NAME --local-dir FOLDER makes it"
    return folder_error(f"the model folder {path} is not there", hint)


def _described(path: Path, index_file: Path, index: Mapping[str, Any]) -> ModelDescription:
    """The description that the index asks for or, without one, whose parts are all there."""
    if index:
        return description_for(str(index.get("_class_name", "no pipeline")), index_file)
    known = list(descriptions())
    for description in known:
        if all(_has_part(path, part) for part in description.parts):
            return description
    message = f"{path} holds no model: there is no {INDEX_FILE}, and not the weights of all parts"
    if found := sorted(path.glob(f"snapshots/*/{INDEX_FILE}")):
        raise folder_error(message, f"a model is in {found[-1].parent}")
    if (path.parent / INDEX_FILE).exists():
        raise folder_error(message, f"{path.name} is a part of the model in {path.parent}")
    parts = ", ".join(part.name for part in known[0].parts)
    raise folder_error(message, f"the parts of {known[0].name} are {parts}")


def _has_part(path: Path, part: Part) -> bool:
    return any((path / part.name).glob("*.safetensors")) or bool(_single_files(path, part))


def _find_part(path: Path, part: Part) -> Checkpoint:
    """The weights of ``part``: in a folder of its name, or in a single file beside."""
    folder = path / part.name
    singles = [] if any(folder.glob("*.safetensors")) else _single_files(path, part)
    if len(singles) > 1:
        places = " and ".join(str(place) for place, _ in singles)
        raise folder_error(f"both {places} hold a {part.name}", "leave one of them")
    if singles:
        return singles[0][1]
    if not folder.is_dir():
        message = f"{path} has no folder {part.name}, and no single file with the weights of one"
        raise folder_error(message, "get the whole model")
    files = TensorFiles(weight_files(folder))
    checkpoint = _recognised(files, part)
    if checkpoint is None:
        first = next(iter(files.tensors()), None)
        has = "no tensors" if first is None else f"{first} and others"
        message = f"the weights in {folder} are of no {part.name} that is known: there is {has}"
        raise folder_error(message, "a map from their names to the spec's is needed")
    return checkpoint


def _single_files(path: Path, part: Part) -> list[tuple[Path, Checkpoint]]:
    """The files right in ``path`` that have the weights of ``part``."""
    found = []
    for place in sorted(path.glob("*.safetensors")):
        checkpoint = _recognised(TensorFiles([place]), part)
        if checkpoint is not None:
            found.append((place, checkpoint))
    return found


def _recognised(files: TensorFiles, part: Part) -> Checkpoint | None:
    """The tensors of ``files`` under the spec's names, if they are of ``part``."""
    names = files.tensors().keys()
    if any(has_form(part.recognised_by, name) for name in names):
        return make_checkpoint(files, None, "")
    for name_map in map(read_name_map, part.names):
        prefix = name_map.prefix_in(names)
        if prefix is not None:
            return make_checkpoint(files, name_map, prefix)
    return None


def _is_distilled(path: Path, index: Mapping[str, Any], configs: Configs) -> bool:
    if index:
        return bool(configs[INDEX]["is_distilled"])
    message = f"{path} has no {INDEX_FILE} to say whether the model is distilled: taken to be"
    warnings.warn(
        LumcWarning(f"{message}; a base model needs guidance and more steps"), stacklevel=2
    )
    return True


def _schedule(path: Path, description: ModelDescription, index: Mapping[str, Any]) -> Schedule:
    place = path / _SCHEDULER
    if index or place.exists():
        return read_schedule(place, description.shift)
    return Schedule(description.shift)


def _require_all(needed: Mapping[str, WantedTensor], checkpoint: Checkpoint, cure: str) -> None:
    missing = [name for name in needed if name not in checkpoint.tensors()]
    if not missing:
        return
    places = dict.fromkeys(info.place for info in checkpoint.files.tensors().values())
    listed = ", ".join(list(places)[:_NAMED]) + (", …" if len(places) > _NAMED else "")
    there = checkpoint.where(missing[0])
    called = "" if there == missing[0] else f" (there {there})"
    others = f", nor are {len(missing) - 1} others" if len(missing) > 1 else ""
    raise folder_error(f"weight {missing[0]}{called} is not in {listed}{others}", cure)


def _warn_of_others(needed: Mapping[str, WantedTensor], checkpoint: Checkpoint, part: Part) -> None:
    others = part.unused(needed, checkpoint.tensors())
    if not others:
        return
    named = ", ".join(others[:_NAMED]) + (", …" if len(others) > _NAMED else "")
    place = checkpoint.tensors()[others[0]].place
    count = "1 weight is" if len(others) == 1 else f"{len(others)} weights are"
    message = f"{count} in {place} and not used: {named}"
    warnings.warn(
        LumcWarning(f"{message}; the model may be another one than it says"), stacklevel=3
    )
