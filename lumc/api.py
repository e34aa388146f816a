"""lumc from Python: compile a stage of a spec, and run it on arrays or other libraries' tensors."""

from __future__ import annotations

import tempfile
from collections.abc import Mapping, Sequence
from pathlib import Path
from types import TracebackType
from typing import Any, Protocol, Self

import numpy as np
import numpy.typing as npt

from lumc.codegen.launch_plan import PlanBufferKind
from lumc.compiler import Progress, Silent, compile_stages
from lumc.device_options import open_for, reference_math
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl import elaborate, load_spec
from lumc.dsl.reference import Math
from lumc.dsl.tensor_program import TensorProgram
from lumc.running import only_stage
from lumc.runtime import dlpack
from lumc.runtime.devices.device import Device, give_back
from lumc.runtime.devices.open_device import REFERENCE
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import open_stage, wanted_tensors
from lumc.runtime.stage_host import ReferenceStage, nodes_as_tensors
from lumc.runtime.stage_tensor import DeviceTensor, HostTensor, StageTensor
from lumc.runtime.tensors import (
    TensorArrays,
    TensorFiles,
    TensorSource,
    WantedTensor,
    match_tensors,
    read_as,
)

Array = npt.NDArray[Any]
Weights = Mapping[str, Any] | str | Path | Sequence[str | Path]
"""Arrays by name, or safetensors files and folders of them."""


class ProgramError(LumcError):
    """A program is run with tensors, or at a time, that it isn't made for."""


class _Runner(Protocol):
    """A stage on a device, or on the reference."""

    device: str
    inputs: tuple[WantedTensor, ...]
    outputs: tuple[WantedTensor, ...]
    weights: tuple[WantedTensor, ...]

    def load(self, source: TensorSource) -> None:
        """Have the weights in place."""

    def put(self, name: str, values: Array) -> None:
        """Have an input, of the right shape and type, in place."""

    def put_foreign(self, name: str, value: Any) -> None:
        """The same from a tensor of another library, which is not in the host's memory."""

    def tensor(self, name: str) -> StageTensor:
        """The memory of an input or output."""

    def synchronise_others(self) -> None:
        """Wait for what other libraries have started on the device: they may use our tensors."""

    def start(self) -> None:
        """Begin a step."""

    def close(self) -> None:
        """Give everything back."""


class Program:
    """One stage of a spec, compiled and on a device. Made by ``lumc.compile``.

    A context manager: leaving it gives the device's memory back.
    """

    def __init__(self, stage: str, runner: _Runner) -> None:
        """For ``lumc.compile``."""
        self.stage = stage
        self._runner = runner
        self._loaded = False
        self._closed = False

    @property
    def device(self) -> str:
        """What the device is called, as ``cuda:0``."""
        return self._runner.device

    @property
    def inputs(self) -> tuple[WantedTensor, ...]:
        """Names, shapes and types of what goes in."""
        return self._runner.inputs

    @property
    def outputs(self) -> tuple[WantedTensor, ...]:
        """Names, shapes and types of what comes out."""
        return self._runner.outputs

    @property
    def weights(self) -> tuple[WantedTensor, ...]:
        """Names, shapes and types of the weights."""
        return self._runner.weights

    def load(self, weights: Weights) -> None:
        """Copy weights to the device, where they stay.

        Args:
            weights: Arrays by name, tensors of other libraries in the host's memory, or files.

        Raises:
            LumcError: weights are missing or do not fit.
        """
        self._require_open()
        self._runner.load(_source(weights))
        self._loaded = True

    def run(self, inputs: Mapping[str, Any], weights: Weights | None = None) -> dict[str, Array]:
        """The outputs of one step by name, as arrays of their own; bf16 is ``ml_dtypes.bfloat16``.

        Args:
            inputs: Arrays by name, or tensors of any library that speaks DLPack: on the host, or on
                the program's own device, where they are copied without the host. Reals are rounded
                to the type that the stage takes, unless they are on a device.
            weights: As for ``load``; needed once, if the stage has any.

        Raises:
            LumcError: a tensor is missing or does not fit, or the device reports a failure.
        """
        return {name: tensor.read() for name, tensor in self.step(inputs, weights).items()}

    def step(
        self, inputs: Mapping[str, Any], weights: Weights | None = None
    ) -> dict[str, StageTensor]:
        """As ``run``, but the outputs stay on the device, and the host does not wait for them.

        They speak DLPack, so that another library uses them where they lie. The next step writes
        the same memory, once all that was started on the device has ended, by whomever.
        """
        self._require_open()
        self._runner.synchronise_others()
        if weights is not None:
            self.load(weights)
        self._require_weights()
        self._put(inputs)
        return self._started()

    def step_in_place(self) -> dict[str, StageTensor]:
        """As ``step``, on inputs that were written into their ``tensor`` before, all of them.

        Another library may still be writing them on a stream of its own: that is waited for.

        Raises:
            LumcError: no weights were loaded, or the device reports a failure.
        """
        self._require_open()
        self._runner.synchronise_others()
        self._require_weights()
        return self._started()

    def tensor(self, name: str) -> StageTensor:
        """The memory of an input or output, to be written or read in place through DLPack.

        It is that only as long as the program is open.

        Raises:
            LumcError: there is none of that name.
        """
        self._require_open()
        return self._runner.tensor(name)

    def close(self) -> None:
        """Give the device's memory back; the program can't be used any more."""
        if not self._closed:
            self._closed = True
            self._runner.close()

    def __enter__(self) -> Self:
        """The program itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the device's memory back."""
        self.close()

    def _require_open(self) -> None:
        if self._closed:
            hint = "run it within its with block, or compile it again: that is quick"
            message = f"the program of stage {self.stage} is closed"
            raise ProgramError(Diagnostic("R025", message, hint=hint))

    def _require_weights(self) -> None:
        if self._loaded:
            return
        if self.weights:
            message = f"stage {self.stage} has {len(self.weights)} weights, and none were given"
            hint = "run(inputs, weights) the first time, or load(weights) before"
            raise ProgramError(Diagnostic("R020", message, hint=hint))
        self.load({})

    def _started(self) -> dict[str, StageTensor]:
        self._runner.start()
        return {output.name: self._runner.tensor(output.name) for output in self.outputs}

    def _put(self, inputs: Mapping[str, Any]) -> None:
        names = [tensor.name for tensor in self.inputs]
        for name in inputs:
            if name not in names:
                there = f"it has {', '.join(names)}" if names else "it has none"
                message = f"stage {self.stage} has no input {name}; {there}"
                hint = did_you_mean(name, names)
                raise ProgramError(Diagnostic("R012", message, hint=hint))
        on_device = {name: value for name, value in inputs.items() if _is_on_device(value)}
        rest = {name: _array(inputs[name], name) for name in inputs.keys() - on_device.keys()}
        source = TensorArrays(rest, "the given inputs")
        wanted = [tensor for tensor in self.inputs if tensor.name not in on_device]
        match_tensors(wanted, source, "input")
        for tensor in wanted:
            self._runner.put(tensor.name, read_as(tensor, source))
        for name, value in on_device.items():
            self._runner.put_foreign(name, value)


def compile(
    spec: str | Path,
    *,
    stage: str | None = None,
    config: str | None = None,
    settings: Mapping[str, object] | None = None,
    target: str | None = None,
    device: str = "auto",
    math: str = "fast",
    libraries: str = "auto",
    progress: Progress | None = None,
) -> Program:
    """Compile a stage of a spec for a device; from the cache if that was done before.

    Args:
        spec: A ``.lum`` file.
        stage: Which of its stages; needed where there are several.
        config: One of the spec's configurations.
        settings: Parameters of the spec: numbers, texts and lists as Python has them.
        target: The chip to compile for, as ``gfx942``; by default the device's.
        device: ``auto``, ``hip:N``, ``cuda:N``, ``emulator`` or ``reference``.
        math: ``exact`` rounds where the spec rounds and only there.
        libraries: ``auto``, ``none`` or ``vendor``.
        progress: Told what takes time.

    Raises:
        LumcError: the spec has mistakes, or there is no such device or compiler.
    """
    chosen = {name: str(value) for name, value in (settings or {}).items()}
    opened = load_spec(spec, config, chosen)
    name = only_stage(opened, stage)
    if device == REFERENCE:
        arithmetic = reference_math(target, math, libraries)
        return Program(name, _OnReference(elaborate(opened, name), arithmetic))
    found, options = open_for(device, target, math, libraries)
    folder = tempfile.TemporaryDirectory(prefix="lumc-compile-")
    try:
        compile_stages(opened, [name], options, Path(folder.name), progress or Silent())
        executor = Executor(open_stage(Path(folder.name) / name), found)
    except BaseException:
        found.close()
        folder.cleanup()
        raise
    return Program(name, _OnDevice(executor, found, folder))


class _OnDevice:
    """A compiled stage; see ``_Runner``."""

    def __init__(
        self, executor: Executor, device: Device, folder: tempfile.TemporaryDirectory[str]
    ) -> None:
        self.device = device.name
        plan = executor.plan
        self.inputs = wanted_tensors(plan, PlanBufferKind.INPUT)
        self.outputs = wanted_tensors(plan, PlanBufferKind.OUTPUT)
        self.weights = wanted_tensors(plan, PlanBufferKind.WEIGHT)
        self._executor = executor
        self._device = device
        self._folder = folder

    def load(self, source: TensorSource) -> None:
        self._executor.load_weights(source)

    def put(self, name: str, values: Array) -> None:
        self.tensor(name).write(values)

    def put_foreign(self, name: str, value: Any) -> None:
        there = self.tensor(name)
        place = dlpack.device_of(value)
        if place != self._device.dlpack_device():
            message = f"input {name} is on DLPack's device {place}, not on {self.device}"
            raise ProgramError(Diagnostic("R021", message, hint="copy it to the host first"))
        # Its library has our stream wait for it, which only a stream of the same device can.
        given = dlpack.take(value, name, self._device.dlpack_stream())
        if (given.shape, given.dtype) != (there.shape, there.dtype):
            message = f"input {name} is {_words(given)}; the stage takes {_words(there)}"
            raise ProgramError(Diagnostic("R022", message))
        there.copy_from(DeviceTensor(self._device, given.address, given.shape, given.dtype))
        # The tensor is its owner's again once this returns.
        self._device.synchronise()

    def tensor(self, name: str) -> DeviceTensor:
        return self._executor.tensor(name)

    def synchronise_others(self) -> None:
        self._device.synchronise_others()

    def start(self) -> None:
        self._executor.start()

    def close(self) -> None:
        give_back(self._executor.close, self._device.close, self._folder.cleanup)


class _OnReference:
    """A tensor program in NumPy; see ``_Runner``."""

    def __init__(self, program: TensorProgram, math: Math) -> None:
        self.device = REFERENCE
        self.inputs = nodes_as_tensors(program, program.inputs)
        self.outputs = tuple(WantedTensor(o.name, o.shape, o.dtype) for o in program.outputs)
        self.weights = nodes_as_tensors(program, program.weights)
        self._program = program
        self._math: Math = math
        self._stage: ReferenceStage | None = None

    def load(self, source: TensorSource) -> None:
        self._stage = ReferenceStage(self._program, source, self._math)

    def put(self, name: str, values: Array) -> None:
        self._running().lend(name, values)

    def put_foreign(self, name: str, value: Any) -> None:
        message = f"input {name} is in a device's memory, which the reference can't read"
        raise ProgramError(Diagnostic("R021", message, hint="copy it to the host first"))

    def tensor(self, name: str) -> HostTensor:
        return self._running().tensor(name)

    def synchronise_others(self) -> None:
        pass

    def start(self) -> None:
        self._running().start()

    def close(self) -> None:
        self._stage = None

    def _running(self) -> ReferenceStage:
        if self._stage is None:
            raise ProgramError(Diagnostic("R011", "the weights must be loaded before a step runs"))
        return self._stage


def _words(tensor: StageTensor | dlpack.ForeignTensor) -> str:
    return f"{'×'.join(map(str, tensor.shape)) or 'one number'} {tensor.dtype}"


def _is_on_device(value: object) -> bool:
    return (
        not isinstance(value, np.ndarray)
        and dlpack.offers_dlpack(value)
        and not dlpack.is_on_host(value)
    )


def _array(value: Any, name: str) -> Array:
    """``value`` as an array; a tensor of another library as it lies."""
    if isinstance(value, np.ndarray) or not dlpack.offers_dlpack(value):
        try:
            return np.asarray(value)
        except ValueError as error:
            raise ProgramError(Diagnostic("R026", f"{name} is no array: {error}")) from None
    return dlpack.take(value, name).array()


def _source(weights: Weights) -> TensorSource:
    if isinstance(weights, Mapping):
        for name, value in weights.items():
            if _is_on_device(value):
                message = f"weight {name} is in a device's memory; weights are copied from the host"
                raise ProgramError(Diagnostic("R021", message, hint="copy it to the host first"))
        arrays = {name: _array(value, name) for name, value in weights.items()}
        return TensorArrays(arrays, "the given weights")
    if isinstance(weights, str | Path):
        return TensorFiles([Path(weights)])
    return TensorFiles([Path(path) for path in weights])
