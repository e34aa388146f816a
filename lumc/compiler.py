"""The pipeline: a spec's stage becomes a folder of HIP C++, code objects and a launch plan."""

from __future__ import annotations

import hashlib
import importlib.metadata
import json
import time
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import cache
from pathlib import Path
from typing import Any, Protocol

import lumc
from lumc.codegen.assemble_plan import assemble_plan
from lumc.codegen.build import check_output, compile_units, write_stage
from lumc.codegen.cache import Cache, open_cache
from lumc.codegen.emit import MathMode, emit_program
from lumc.codegen.launch_plan import LaunchPlan
from lumc.codegen.memory import plan_memory
from lumc.codegen.sound_tiles import SoundTiles
from lumc.codegen.target import Target, target_named
from lumc.codegen.toolchains import Toolchain, choose_toolchain
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl import Spec, elaborate
from lumc.dsl.tensor_program import TensorProgram
from lumc.explaining import explanation_content
from lumc.inspection import SUMMARY_FILE, plain
from lumc.judging import Judge, can_judge
from lumc.lowering import Lowered, lower
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.cost import predict_seconds
from lumc.lowering.kernel_program import Kernel, KernelProgram
from lumc.lowering.tuning_database import TuningDatabase, variant
from lumc.measuring import Measurer, device_to_measure
from lumc.searching import NO_SEARCH, Measure, SearchMode, SearchOptions, find_kernels
from lumc.stage_files import SPEC_FILE, MadeKernels, spec_file, stage_files


class UnknownStageError(LumcError):
    """A stage that the spec does not have."""


@dataclass(frozen=True, slots=True)
class CompileOptions:
    """What decides, beside the spec and its settings, what is made of it."""

    target: str
    math: MathMode = MathMode.FAST
    libraries: bool = False
    """The vendor's libraries may be called where that is faster."""
    random_choices: int | None = None
    """Instead of the best kernels take random ones that mean the same: to check that all do."""
    search: SearchOptions = NO_SEARCH


@dataclass(frozen=True, slots=True)
class StageResult:
    """A compiled stage: the files of its folder, and what ``--json`` says of it."""

    name: str
    files: Mapping[str, bytes]
    seconds: Mapping[str, float]
    from_cache: bool
    made: MadeKernels | None = None
    """What the files were written from, where the stage was not compiled before."""

    def summary(self) -> dict[str, Any]:
        """What was made, and how long each phase took."""
        content: dict[str, Any] = json.loads(self.files[SUMMARY_FILE])
        return content | {"from_cache": self.from_cache, "seconds": dict(self.seconds)}


class Progress(Protocol):
    """Told what the compiler does."""

    def phase(self, name: str, total: int = 1) -> Callable[[], None]:
        """Begin a phase of ``total`` steps; what is returned ends one step."""


class Silent:
    """Progress that nobody sees."""

    def phase(self, name: str, total: int = 1) -> Callable[[], None]:
        """See ``Progress.phase``."""
        return lambda: None


def compile_stages(
    spec: Spec,
    stages: Sequence[str],
    options: CompileOptions,
    output: Path | None,
    progress: Progress,
) -> tuple[StageResult, ...]:
    """Compile ``stages`` of ``spec`` (all when there are none), each into a folder of ``output``.

    Raises:
        LumcError: a name is unknown, the spec can't be compiled, no compiler is here, or the
            output can't be written.
    """
    target = target_named(options.target)
    chain = choose_toolchain(target.name)
    names = choose_stages(spec, stages)
    if output is not None:
        for name in names:
            check_output(output / name)
    results = []
    for name in names:
        result = compile_stage(spec, name, target, options, chain, open_cache(), progress)
        if output is not None:
            write_stage(output / name, result.files)
        results.append(result)
    return tuple(results)


def compile_stage(
    spec: Spec,
    stage: str,
    target: Target,
    options: CompileOptions,
    chain: Toolchain,
    store: Cache,
    progress: Progress,
) -> StageResult:
    """One stage, from the cache if all that it depends on is as it was."""
    watch = Stopwatch()
    key = stage_key(spec, stage, options, chain)
    if spec.errors:
        # Nothing of a setting that is no parameter's is in the key: the error is raised here.
        elaborate(spec, stage)
    with watch.phase("cache"):
        known = store.read(key)
    if known is not None:
        progress.phase(f"{stage}: as compiled before")()
        return StageResult(stage, known, watch.seconds, from_cache=True)

    with watch.phase("elaborate"):
        program = elaborate(spec, stage)
    made = make_kernels(program, target, options, chain, store, progress, watch)
    files = stage_files(made, target, options.libraries)
    files[SPEC_FILE] = spec_file(spec, stage)
    # What an interrupt has cut short is not what was asked for.
    if not options.search.interrupted():
        store.write(stage_key(spec, stage, options, chain), files)
    return StageResult(stage, files, watch.seconds, from_cache=False, made=made)


@contextmanager
def _measuring(
    target: Target, options: CompileOptions, chain: Toolchain, store: Cache
) -> Iterator[Measure | None]:
    """What measures a kernel, where the search wants that."""
    if options.search.mode is not SearchMode.DEVICE:
        yield None
        return
    with device_to_measure(target.name) as device:
        yield Measurer(device, target, options.math, chain, store).seconds


def compile_program(
    program: TensorProgram,
    target: Target,
    options: CompileOptions,
    chain: Toolchain,
    store: Cache,
    progress: Progress,
    watch: Stopwatch,
) -> dict[str, bytes]:
    """The files of a stage's folder, by relative path; equal arguments give equal bytes."""
    made = make_kernels(program, target, options, chain, store, progress, watch)
    return stage_files(made, target, options.libraries)


def make_kernels(
    program: TensorProgram,
    target: Target,
    options: CompileOptions,
    chain: Toolchain,
    store: Cache,
    progress: Progress,
    watch: Stopwatch,
) -> MadeKernels:
    """The pipeline from a tensor program on, one step a line."""
    planned = plan_kernels(program, target, options, chain, store, progress, watch)

    def compiled(made: MadeKernels) -> MadeKernels:
        units = {kernel.symbol: kernel.unit for kernel in made.emitted.generated}
        step = progress.phase(f"{program.name}: compiling kernels", len(units))
        built = compile_units(units, chain, target.name, store, step)
        return replace(made, objects=built.objects)

    with watch.phase("compile"):
        made = compiled(planned)
        # Random choices are there to be tried as they are.
        if options.random_choices is None:
            made = _with_sound_tiles(made, compiled, target, options, chain)
    return made


def _with_sound_tiles(
    made: MadeKernels,
    compiled: Callable[[MadeKernels], MadeKernels],
    target: Target,
    options: CompileOptions,
    chain: Toolchain,
) -> MadeKernels:
    """``made`` with other tiles where what the compiler made of the first has faults."""
    tuning = TuningDatabase.open(target.name, chain.identity)

    def measured(kernel: Kernel) -> bool:
        return variant(kernel) in tuning.measured(kernel)

    gate = SoundTiles(chip_for(target.name), target, measured)
    while (program := gate.recut(made.lowered.program, made.emitted, made.objects)) is not None:
        made = compiled(_emitted(replace(made.lowered, program=program), target, options))
    return replace(made, put_aside=gate.put_aside())


def plan_kernels(
    program: TensorProgram,
    target: Target,
    options: CompileOptions,
    chain: Toolchain,
    store: Cache,
    progress: Progress,
    watch: Stopwatch,
) -> MadeKernels:
    """All but the code objects: what is made before a device compiler runs."""
    step = progress.phase(f"{program.name}: finding kernels")
    with watch.phase("lower"):
        exact = options.math is MathMode.EXACT
        with _measuring(target, options, chain, store) as measure:
            lowered = find_kernels(
                program,
                target.name,
                options.search,
                TuningDatabase.open(target.name, chain.identity),
                measure,
                Judge(target, options.math, chain, store).seconds
                if can_judge(target.name)
                else None,
                exact=exact,
                libraries=options.libraries,
                random_choices=options.random_choices,
            )
    step()
    with watch.phase("emit"):
        return _emitted(lowered, target, options)


def _emitted(lowered: Lowered, target: Target, options: CompileOptions) -> MadeKernels:
    """The text of all kernels and the launch plan."""
    costs = kernel_costs(lowered.program, target)
    remarks = {n: f"the cost model expects {plain(cost)} µs" for n, cost in enumerate(costs)}
    emitted = emit_program(lowered.program, target, math_mode=options.math, costs=remarks)
    memory = plan_memory(lowered.program, emitted.meetings)
    plan = assemble_plan(lowered.program, emitted, memory, target.name)
    return MadeKernels(lowered, emitted, costs, plan, {})


def plan_stage(
    spec: Spec, stage: str, options: CompileOptions, chain: Toolchain, progress: Progress
) -> LaunchPlan:
    """The launch plan that a compile would make, without compiling any kernel.

    Raises:
        LumcError: a name is unknown, or the spec can't be compiled.
    """
    target, program = target_named(options.target), elaborate(spec, stage)
    arguments = (program, target, options, chain, open_cache(), progress, Stopwatch())
    return plan_kernels(*arguments).plan


def explain_spec(
    spec: Spec, stage: str | None, target: str, exact: bool, progress: Progress
) -> list[dict[str, Any]]:
    """What a compile would keep as each stage's explanation, without generating code.

    Raises:
        LumcError: a name is unknown, or the spec can't be compiled.
    """
    chip = target_named(target).name
    found = []
    for name in choose_stages(spec, [stage] if stage else []):
        step = progress.phase(f"{name}: finding kernels")
        lowered = lower(elaborate(spec, name), chip, exact=exact, explained=True)
        found.append(explanation_content(name, lowered))
        step()
    return found


def kernel_costs(program: KernelProgram, target: Target) -> tuple[float, ...]:
    """What one launch of each kernel takes by the cost model, in microseconds."""
    chip = with_library(chip_for(target.name))
    return tuple(predict_seconds(kernel, chip) * 1e6 for kernel in program.kernels)


def choose_stages(spec: Spec, names: Sequence[str]) -> tuple[str, ...]:
    """``names``, or the stages of the spec's own file in the order of the text.

    Raises:
        UnknownStageError: the spec has no stage of a name, or none at all.
        LumcError: mistakes in the text, where they may be why.
    """
    known = (*spec.stages, *spec.used_stages)
    if spec.errors and not (spec.stages and set(names) <= set(known)):
        raise LumcError(*spec.errors)
    if not names and not spec.stages:
        raise UnknownStageError(
            Diagnostic(
                "C010",
                "the spec has no stage, so there is nothing to compile",
                hint="a stage is what is compiled: stage name(x: f32[n]) -> y: f32[n]:",
            )
        )
    for name in names:
        if name not in known:
            there = ", ".join(known) or "none"
            message = f"the spec has no stage {name}; it has {there}"
            hint = did_you_mean(name, known)
            raise UnknownStageError(Diagnostic("C010", message, hint=hint))
    return tuple(dict.fromkeys(names)) or spec.stages


def stage_key(spec: Spec, stage: str, options: CompileOptions, chain: Toolchain) -> str:
    """Names everything that a compiled stage depends on."""
    sources = [part for source in spec.sources for part in (source.name, source.text)]
    settings = [part for pair in spec.parameters for part in pair]
    return Cache.key(
        "stage",
        own_hash(),
        chain.identity,
        options.target,
        options.math,
        str(options.libraries),
        str(options.random_choices),
        options.search.key(),
        TuningDatabase.open(options.target, chain.identity).digest(),
        stage,
        str(len(sources)),
        *sources,
        *settings,
    )


_DECIDING = ("lark", "egglog", "numpy", "jinja2", "ml_dtypes")


@cache
def own_hash() -> str:
    """A hash of lumc's own files and of the packages that decide what it makes."""
    digest = hashlib.sha256()
    for package in _DECIDING:
        digest.update(f"{package} {importlib.metadata.version(package)}\0".encode())
    root = Path(lumc.__file__).parent
    for folder in ("", "dsl", "lowering", "codegen"):
        pattern = "*" if not folder else "**/*"
        base = (root / folder).resolve()
        for path in sorted(base.glob(pattern)):
            if path.is_file() and path.suffix != ".pyc":
                digest.update(f"{folder}/{path.relative_to(base)}\0".encode())
                digest.update(hashlib.sha256(path.read_bytes()).digest())
    return digest.hexdigest()


@dataclass(frozen=True, slots=True)
class Stopwatch:
    """Seconds by phase."""

    seconds: dict[str, float] = field(default_factory=dict)

    @contextmanager
    def phase(self, name: str) -> Iterator[None]:
        """Add the time spent inside to phase ``name``."""
        start = time.perf_counter()
        try:
            yield
        finally:
            spent = time.perf_counter() - start
            self.seconds[name] = round(self.seconds.get(name, 0.0) + spent, 4)
