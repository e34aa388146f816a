"""A small configuration of a stage: one that the emulator runs as a whole in moderate time."""

from __future__ import annotations

import math
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path

from lumc.diagnostics import LumcError
from lumc.dsl import Spec, elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import Piece, Place, Reduce, Scatter, TensorProgram

LARGEST_WORK = 3e8
"""Points of all values and sums above which a stage is not run as a whole."""

_WHOLE = re.compile(r"(?<![\w.])\d+(?![\w.])")


@dataclass(frozen=True, slots=True)
class SmallConfiguration:
    """A spec for a stage, and how it differs from the one it was found for, for a reader."""

    spec: Spec
    description: str


def small_configuration(spec: Spec, stage: str) -> SmallConfiguration | None:
    """The configuration of ``spec`` in which ``stage`` is least work, made smaller if need be.

    Types of storage stay as they are in ``spec``. Where all configurations are too much work, whole
    numbers among the parameters are halved, one after the other, as long as the spec allows it.
    None where even that is too much.
    """
    found = min(_configurations(spec, stage), key=lambda one: one.work)
    settings = dict(found.settings)
    while found.work > LARGEST_WORK:
        smaller = next(_halved(found, stage), None)
        if smaller is None:
            return None
        settings |= smaller.settings
        found = smaller
    return SmallConfiguration(found.spec, _description(spec, found, settings))


@dataclass(frozen=True, slots=True)
class _Candidate:
    spec: Spec
    settings: Mapping[str, str]
    work: float


def _configurations(spec: Spec, stage: str) -> Iterator[_Candidate]:
    """``spec`` itself, and its other configurations as far as they have the stage."""
    yield _Candidate(spec, {}, _work(elaborate(spec, stage)))
    types = {name: value for name, value in spec.parameters if value in set(DType)}
    for config in spec.configs:
        if config != spec.config:
            yield from _candidate(spec, stage, config, types)


def _halved(found: _Candidate, stage: str) -> Iterator[_Candidate]:
    """``found`` with the whole numbers of one parameter halved, where that is less work."""
    for name, value in found.spec.parameters:
        half = _WHOLE.sub(lambda number: str(max(1, int(number[0]) // 2)), value)
        if half != value:
            settings = {**found.settings, name: half}
            for smaller in _candidate(found.spec, stage, found.spec.config, settings):
                if smaller.work < found.work:
                    yield smaller


def _candidate(
    spec: Spec, stage: str, config: str | None, settings: Mapping[str, str]
) -> Iterator[_Candidate]:
    """The spec so configured, if that is possible."""
    files = {Path(source.name).stem: source.text for source in spec.sources}
    try:
        other = load_text(spec.name, files[spec.name], config, settings, files=files)
        yield _Candidate(other, settings, _work(elaborate(other, stage)))
    except LumcError:
        return


def _work(program: TensorProgram) -> float:
    """Points of all values and sums."""
    points = 0.0
    for node in program.nodes:
        spaces = [node.space]
        match node:
            case Reduce():
                spaces = [node.space + node.reduced]
            case Place():
                spaces = [piece.space for piece in node.pieces if isinstance(piece, Piece)]
            case Scatter():
                spaces.append(node.source_space)
        points += sum(map(math.prod, spaces))
    return points


def _description(spec: Spec, found: _Candidate, settings: Mapping[str, str]) -> str:
    config = found.spec.config
    same = config == spec.config and not settings
    parts = [] if config is None or same else [f"config {config}"]
    parts += [f"{name} = {value}" for name, value in settings.items()]
    return ", ".join(parts) or "as it is"
