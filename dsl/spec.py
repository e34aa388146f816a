"""A spec: its files, its parameters as chosen, and what can be asked of it.

This is the whole interface of the language: ``load_spec`` or ``load_text``, then ``check`` or
``elaborate``.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path

from lumc.diagnostics import Diagnostic, Severity, Source, Span, did_you_mean
from lumc.dsl import names
from lumc.dsl.assemble import Assembler, config_settings, given_settings
from lumc.dsl.codes import Code
from lumc.dsl.elaboration.interpreter import set_for_elaboration
from lumc.dsl.elaboration.stages import Elaborated, elaborate_stage
from lumc.dsl.elaboration.statics import Statics
from lumc.dsl.errors import SpecError, spec_error
from lumc.dsl.loader import Library, given_text, read_file
from lumc.dsl.modules import Module
from lumc.dsl.syntax_tree import Stage
from lumc.dsl.tensor_program import TensorProgram
from lumc.dsl.values import show
from lumc.dsl.verify import verify


@dataclass(frozen=True, slots=True, eq=False)
class Spec:
    """A spec with its parameters chosen. Made by ``load_spec`` and ``load_text``."""

    module: Module
    statics: Statics
    config: str | None
    errors: tuple[Diagnostic, ...]
    """Mistakes that concern all stages: syntax, names, parameters, settings."""
    _stages: dict[str, Elaborated] = field(default_factory=dict)

    @property
    def name(self) -> str:
        """The file's name without its ending."""
        return self.module.name

    @property
    def stages(self) -> tuple[str, ...]:
        """The stages of the file, in the order of the text."""
        return tuple(self.module.contents.stages)

    @property
    def used_stages(self) -> tuple[str, ...]:
        """The stages of the files it uses, as ``file.stage``; ``elaborate`` takes these too."""
        return tuple(
            f"{name}.{stage}"
            for name, module in self.module.used.items()
            for stage in module.contents.stages
        )

    @property
    def configs(self) -> tuple[str, ...]:
        """The configurations of the file."""
        return tuple(self.module.contents.configs)

    @property
    def parameters(self) -> tuple[tuple[str, str], ...]:
        """The parameters with their values as written in the language, in the order of the text."""
        return _shown_parameters(self.statics, self.module)

    @property
    def sources(self) -> tuple[Source, ...]:
        """The texts that the spec is made of: its own first, each once."""
        return tuple(dict.fromkeys(one.contents.source for one in _modules(self.module)))


def load_spec(
    path: str | Path, config: str | None = None, settings: Mapping[str, str] | None = None
) -> Spec:
    """Read a spec and the files it uses, and choose its parameters.

    Args:
        path: The ``.lum`` file.
        config: One of its configurations, or None for the defaults.
        settings: Values for parameters as texts: numbers, types, texts in quotes, or lists.

    Returns:
        The spec. Mistakes in its texts are kept in it, and reported by ``check`` and
        ``elaborate`` with all others.

    Raises:
        LumcError: The file cannot be read.
    """
    path = Path(path)
    source = read_file(path, str(path))
    return _load(path.stem, source, Library(path.parent, {}), config, settings)


def load_text(
    name: str,
    text: str,
    config: str | None = None,
    settings: Mapping[str, str] | None = None,
    *,
    folder: Path | None = None,
    files: Mapping[str, str] | None = None,
) -> Spec:
    """Like ``load_spec`` for a text in memory.

    ``name`` is what messages call it, with or without ``.lum``. ``use`` looks among ``files`` (the
    texts of other files by plain name), then in ``folder``, then among lumc's own specs.
    """
    stem = name.removesuffix(".lum")
    source = given_text(f"{stem}.lum", text)
    return _load(stem, source, Library(folder, files or {}), config, settings)


def _load(
    name: str,
    source: Source,
    library: Library,
    config: str | None,
    settings: Mapping[str, str] | None,
) -> Spec:
    assembler = Assembler(library)
    module = assembler.main(name, source)
    chosen, errors = config_settings(module, config)
    by_hand, more = given_settings(module, settings or {})
    module.settings = chosen | by_hand
    statics = Statics()
    with set_for_elaboration():
        for one in _modules(module):
            statics.check(one)
    found = [*assembler.errors, *errors, *more, *statics.errors]
    for one in _modules(module):
        found += names.check(one)
    if not source.text.strip():
        found.append(_empty(source))
    return Spec(module, statics, config, tuple(found))


def _modules(module: Module) -> list[Module]:
    """The module and all that it uses, each once."""
    found = [module]
    for one in found:
        found += [used for used in one.used.values() if used not in found]
    return found


def _empty(source: Source) -> Diagnostic:
    message = f"{source.name} is empty"
    return Diagnostic(Code.FILE, message, None, "a spec has at least one stage or definition")


def check(spec: Spec) -> tuple[Diagnostic, ...]:
    """All errors of all stages, in the order of the text, each once; without errors, warnings."""
    found = list(spec.errors)
    for stage in spec.stages:
        found += _elaborated(spec, stage).errors
    return _sorted(found or names.unused(spec.module))


def elaborate(spec: Spec, stage: str) -> TensorProgram:
    """The tensor program of a stage, verified.

    Raises:
        LumcError: The spec has mistakes, in this stage or before any; all of them are in it.
    """
    if _find_stage(spec.module, stage) is None and not spec.module.is_broken(stage):
        hint = did_you_mean(stage, spec.stages) or f"there are {', '.join(spec.stages)}"
        message = f"{spec.module.contents.source.name} has no stage {stage}"
        unknown = spec_error(Code.UNKNOWN_NAME, message, None, hint if spec.stages else None)
        raise SpecError(*unknown.diagnostics, *_errors(spec.errors))
    done = _elaborated(spec, stage)
    errors = _errors((*spec.errors, *done.errors))
    if errors or done.program is None:
        raise SpecError(*errors)
    return done.program


def _elaborated(spec: Spec, name: str) -> Elaborated:
    """The stage, elaborated once."""
    done = spec._stages.get(name)
    if done is None:
        done = spec._stages[name] = _elaborate(spec, name)
    return done


def _elaborate(spec: Spec, name: str) -> Elaborated:
    found = _find_stage(spec.module, name)
    if found is None:
        return Elaborated(None, ())
    stage, module = found
    parameters = _shown_parameters(spec.statics, module)
    before = len(spec.statics.errors)
    with set_for_elaboration():
        done = elaborate_stage(stage, module, spec.statics, parameters)
    late = tuple(spec.statics.errors[before:])
    if done.program is not None:
        verify(done.program)
    return Elaborated(done.program, done.errors + late)


def _shown_parameters(statics: Statics, module: Module) -> tuple[tuple[str, str], ...]:
    return tuple((name, show(value)) for name, value in statics.parameters(module))


def _find_stage(module: Module, name: str) -> tuple[Stage, Module] | None:
    file, dot, stage = name.rpartition(".")
    owner = module.used.get(file) if dot else module
    if owner is None or stage not in owner.contents.stages:
        return None
    return owner.contents.stages[stage], owner


def _errors(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    return _sorted(d for d in diagnostics if d.severity is Severity.ERROR)


def _sorted(diagnostics: Iterable[Diagnostic]) -> tuple[Diagnostic, ...]:
    """By place; of several with one code at one place, the first stands."""
    distinct: dict[tuple[str, Span | str], Diagnostic] = {}
    for diagnostic in diagnostics:
        place = diagnostic.span or diagnostic.message
        distinct.setdefault((diagnostic.code, place), diagnostic)
    return tuple(sorted(distinct.values(), key=_order))


def _order(diagnostic: Diagnostic) -> tuple[str, int, int]:
    span = diagnostic.span
    return (span.source.name, span.line, span.column) if span else ("", 0, 0)
