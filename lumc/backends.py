"""Where the stages of a pipeline are made and run: compiled for a device, or the reference."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

from lumc.codegen.build import write_stage
from lumc.codegen.cache import open_cache
from lumc.codegen.launch_plan import LaunchPlan, PlanBufferKind
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.compiler import CompileOptions, Progress, compile_stage, plan_stage, stage_key
from lumc.device_options import open_for, reference_math
from lumc.diagnostics import Diagnostic, LumcError
from lumc.dsl import Spec, elaborate, load_spec
from lumc.dsl.tensor_program import TensorProgram
from lumc.runtime.devices.device import Device, give_back
from lumc.runtime.devices.open_device import REFERENCE
from lumc.runtime.pipelines.flux2_klein import StageChoice
from lumc.runtime.stage_folder import CompiledStage, open_stage, wanted_tensors
from lumc.runtime.stage_host import (
    DeviceHost,
    MemoryNeed,
    ReferenceHost,
    StageHost,
    memory_need,
    nodes_as_tensors,
)
from lumc.runtime.tensors import TensorSource, WantedTensor

Choices = Mapping[str, StageChoice]


@dataclass(frozen=True, slots=True)
class ModelSpec:
    """A spec with the parameters that a model decides; stages add those of a request."""

    path: Path
    settings: Mapping[str, str]

    def load(self, choice: StageChoice) -> Spec:
        """The spec with everything set that ``choice`` depends on.

        Raises:
            LumcError: the spec can't be so.
        """
        return load_spec(self.path, None, {**self.settings, **dict(choice.settings)})


@dataclass(frozen=True, slots=True)
class BackendOptions:
    """Where and how stages run: as the options of the same names of ``lumc run``."""

    device: str = "auto"
    target: str | None = None
    math: str = "fast"
    libraries: str = "auto"


@dataclass(frozen=True, slots=True)
class StageOutline:
    """What a stage will take on the device; ``compiled``: it is in the cache."""

    name: str
    compiled: bool
    plan: LaunchPlan


@dataclass(frozen=True, slots=True)
class Outline:
    """What stages take together, and how much memory there is."""

    device: str
    target: str
    stages: tuple[StageOutline, ...]
    memory: MemoryNeed
    free_bytes: int


class Backend(Protocol):
    """Makes the programs of stages, and has them run on its ``host``."""

    @property
    def spec(self) -> ModelSpec:
        """What the stages are of."""

    @property
    def host(self) -> StageHost:
        """Where they run."""

    @property
    def target(self) -> str | None:
        """The chip they are compiled for, if they are."""

    def make(self, choices: Choices, progress: Progress) -> None:
        """Have a program for each of ``choices``: made before, from the cache, or compiled."""

    def weights_of(self, choice: StageChoice) -> tuple[WantedTensor, ...]:
        """The weights that a stage needs; it was made before."""

    def outline(self, choices: Choices, progress: Progress) -> Outline:
        """What ``choices`` would take, without compiling."""

    def missing_bytes(self, choices: Choices) -> int:
        """How much more memory the device would need to hold ``choices`` than it has."""

    def needed_bytes(self, choices: Choices) -> int:
        """How much memory of the device ``choices`` take; 0 where that is not known."""

    def hold(
        self, choices: Choices, weights: Mapping[str, TensorSource], progress: Progress
    ) -> None:
        """Have exactly ``choices`` on the host, with the weights of each by the same names."""

    def close(self) -> None:
        """Give everything back."""


def open_backend(spec: ModelSpec, options: BackendOptions) -> Backend:
    """What runs the stages of ``spec`` on the device that is asked for.

    Raises:
        LumcError: there is no such device, or nothing here compiles for it.
    """
    how = (options.target, options.math, options.libraries)
    if options.device == REFERENCE:
        return ReferenceBackend(spec, ReferenceHost(reference_math(*how)))
    device, chosen = open_for(options.device, *how)
    try:
        return DeviceBackend(spec, chosen, device)
    except BaseException:
        device.close()
        raise


class DeviceBackend:
    """Stages that are compiled for a device; see ``Backend``."""

    def __init__(self, spec: ModelSpec, options: CompileOptions, device: Device) -> None:
        """Compile for ``device``, which this takes over."""
        self.host = DeviceHost(device)
        self.target: str | None = device.target
        self.spec = spec
        self._options = options
        self._device = device
        self._chain = choose_toolchain(device.target)
        self._folder = tempfile.TemporaryDirectory(prefix="lumc-pipeline-")
        self._made: dict[StageChoice, CompiledStage] = {}

    def make(self, choices: Choices, progress: Progress) -> None:
        """See ``Backend.make``."""
        target, store = target_named(self._options.target), open_cache()
        for choice in choices.values():
            if choice in self._made:
                continue
            spec = self.spec.load(choice)
            made = compile_stage(
                spec, choice.stage, target, self._options, self._chain, store, progress
            )
            place = Path(self._folder.name) / str(len(self._made)) / choice.stage
            write_stage(place, made.files)
            self._made[choice] = open_stage(place)

    def weights_of(self, choice: StageChoice) -> tuple[WantedTensor, ...]:
        """See ``Backend.weights_of``."""
        return wanted_tensors(self._made[choice].plan, PlanBufferKind.WEIGHT)

    def outline(self, choices: Choices, progress: Progress) -> Outline:
        """See ``Backend.outline``."""
        found = []
        for name, choice in choices.items():
            spec = self.spec.load(choice)
            key = stage_key(spec, choice.stage, self._options, self._chain)
            compiled = open_cache().read(key) is not None
            if compiled:
                self.make({name: choice}, progress)
                plan = self._made[choice].plan
            else:
                plan = plan_stage(spec, choice.stage, self._options, self._chain, progress)
            found.append(StageOutline(name, compiled, plan))
        memory = memory_need(self._device, [stage.plan for stage in found])
        device = self._device
        return Outline(device.name, device.target, tuple(found), memory, device.free_bytes())

    def needed_bytes(self, choices: Choices) -> int:
        """See ``Backend.needed_bytes``."""
        plans = [stage.plan for stage in self._programs(choices).values()]
        return memory_need(self._device, plans).total

    def missing_bytes(self, choices: Choices) -> int:
        """See ``Backend.missing_bytes``."""
        return self.host.additional_bytes(self._programs(choices))

    def hold(
        self, choices: Choices, weights: Mapping[str, TensorSource], progress: Progress
    ) -> None:
        """See ``Backend.hold``."""
        step = progress.phase(f"loading weights on {self._device.name}", len(choices))
        self.host.hold(self._programs(choices), weights, lambda name: step())

    def close(self) -> None:
        """See ``Backend.close``."""
        give_back(self.host.close, self._device.close, self._folder.cleanup)

    def _programs(self, choices: Choices) -> dict[str, CompiledStage]:
        return {name: self._made[choice] for name, choice in choices.items()}


@dataclass(slots=True)
class ReferenceBackend:
    """Stages as tensor programs in NumPy; see ``Backend``."""

    spec: ModelSpec
    host: ReferenceHost
    target: str | None = None
    _made: dict[StageChoice, TensorProgram] = field(default_factory=dict)

    def make(self, choices: Choices, progress: Progress) -> None:
        """See ``Backend.make``."""
        for choice in choices.values():
            if choice not in self._made:
                self._made[choice] = elaborate(self.spec.load(choice), choice.stage)

    def weights_of(self, choice: StageChoice) -> tuple[WantedTensor, ...]:
        """See ``Backend.weights_of``."""
        program = self._made[choice]
        return nodes_as_tensors(program, program.weights)

    def outline(self, choices: Choices, progress: Progress) -> Outline:
        """See ``Backend.outline``.

        Raises:
            LumcError: always: the reference compiles nothing.
        """
        message = "the reference compiles nothing, so there is nothing to say before it runs"
        raise LumcError(Diagnostic("G004", message, hint="name another --device"))

    def needed_bytes(self, choices: Choices) -> int:
        """See ``Backend.needed_bytes``."""
        return 0

    def missing_bytes(self, choices: Choices) -> int:
        """See ``Backend.missing_bytes``: not known here."""
        return 0

    def hold(
        self, choices: Choices, weights: Mapping[str, TensorSource], progress: Progress
    ) -> None:
        """See ``Backend.hold``."""
        step = progress.phase("loading weights", len(choices))
        programs = {name: self._made[choice] for name, choice in choices.items()}
        self.host.hold(programs, weights, lambda name: step())

    def close(self) -> None:
        """See ``Backend.close``."""
        self.host.close()
