"""A published model, from a prompt and pictures to a picture."""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from functools import partial
from pathlib import Path
from types import TracebackType
from typing import Any, Self

import numpy as np
import numpy.typing as npt

from lumc.backends import Backend, BackendOptions, ModelSpec, Outline, open_backend
from lumc.compiler import Progress, Silent
from lumc.diagnostics import Diagnostic
from lumc.dsl import elaborate
from lumc.dsl.errors import SpecError
from lumc.request_checks import (
    RequestError,
    guidance_of,
    has_flat_channel,
    read_pictures,
    refused,
    require_counts,
    require_finite,
    require_whole,
    warn_of_cut,
    warn_of_cut_size,
    warn_of_no_guidance,
)
from lumc.runtime.devices.device import DeviceError, give_back
from lumc.runtime.pipelines.flux2_klein import (
    Conditions,
    Flux2Klein,
    Shape,
    Span,
    StageChoice,
    no_span,
    phases_of,
    stages_of,
)
from lumc.runtime.pipelines.kept import KeptTensors
from lumc.runtime.pipelines.model_folder import ModelFolder, open_model_folder
from lumc.runtime.pipelines.noise import (
    NoiseGenerator,
    read_noise,
    require_noise,
    require_seed,
)
from lumc.runtime.pipelines.pictures import Pixels, output_size
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.stage_host import nodes_as_tensors
from lumc.runtime.stage_tensor import StageTensor
from lumc.runtime.tensors import TensorArrays, TensorSource, WantedTensor

_KEPT = 12
Array = npt.NDArray[Any]
Wanted = Mapping[str, tuple[WantedTensor, ...]]
WeightsOf = Callable[[Wanted], Mapping[str, TensorSource]]
"""Where the weights of stages come from, from the names of all that are loaded and what they need.

Raises LumcError if some are not there or don't fit.
"""


class MemoryShortageError(DeviceError):
    """The device has too little memory for a request; found before weights are loaded."""


@dataclass(frozen=True, slots=True)
class Generated:
    """What a request made: the pictures, and the latents that they were decoded from."""

    pictures: tuple[Pixels, ...]
    """Each ``[height, width, 3]``."""
    latents: npt.NDArray[np.float32]
    """``[pictures, tokens, channels]``."""
    settings: Mapping[str, Any]
    """All that decided them, as JSON can say it."""


@dataclass(frozen=True, slots=True)
class Job:
    """A request as it will be run: nothing in it is left to defaults."""

    prompt: EncodedPrompt
    unguided: EncodedPrompt | None
    references: tuple[Pixels, ...]
    shape: Shape
    steps: int
    guidance: float
    seed: int
    batch: int
    noise: Array | None
    settings: Mapping[str, Any]


class Pipeline:
    """A model on a device; programs, weights, prompts and references stay for the next call.

    A context manager: leaving it gives the device's memory back.
    """

    def __init__(
        self,
        model: ModelFolder,
        encode: Callable[[str, int], EncodedPrompt],
        weights_of: WeightsOf,
        backend: Backend,
        low_memory: bool = False,
        progress: Progress | None = None,
        watch_steps: bool = False,
        span: Span = no_span,
    ) -> None:
        """Join the parts; ``from_pretrained`` finds them in a folder.

        Args:
            model: What the model is; its weights come from ``weights_of``.
            encode: A prompt as that many tokens.
            weights_of: Where weights come from.
            backend: Makes and runs the stages; this takes it over.
            low_memory: Have only those stages on the device that run next.
            progress: Told what takes time.
            watch_steps: Tell it each step when that has ended, not when it is started.
            span: Made around each part of a request.
        """
        self.model = model
        self._encode = encode
        self._weights_of = weights_of
        self._backend = backend
        self._low_memory = low_memory
        self._progress = progress or Silent()
        self._watch_steps = watch_steps
        self._stages = Flux2Klein(backend.host, span)
        self._texts = KeptTensors(backend.host, _KEPT)
        self._references = KeptTensors(backend.host, _KEPT)
        self._held: dict[str, StageChoice] = {}
        self._closed = False

    @classmethod
    def from_pretrained(
        cls,
        folder: str | Path,
        *,
        device: str = "auto",
        target: str | None = None,
        dtype: str = "bf16",
        math: str = "fast",
        libraries: str = "auto",
        low_memory: bool = False,
        progress: Progress | None = None,
        watch_steps: bool = False,
        span: Span = no_span,
    ) -> Self:
        """The model in ``folder``: a snapshot from Hugging Face, or single files.

        Nothing is compiled or loaded before the first call.

        Args:
            folder: Where the model is.
            device: ``auto``, ``hip:N``, ``cuda:N``, ``emulator`` or ``reference``.
            target: The chip to compile for where the device is the emulator.
            dtype: How weights and activations are stored: ``bf16``, ``f16`` or ``f32``.
            math: ``exact`` rounds where the spec rounds and only there.
            libraries: ``auto``, ``none`` or ``vendor``.
            low_memory: Have only those weights on the device that are needed next: slower, and
                fits where all together do not.
            progress: Told what takes time.
            watch_steps: Tell it each step when that has ended, not when it is started.
            span: Made around each part of a request.

        Raises:
            LumcError: there is no such model or device.
        """
        model = open_model_folder(Path(folder))
        tokenizer = model.open_tokenizer()
        spec = ModelSpec(model.description.spec, {**model.settings, "dtype": dtype})
        backend = open_backend(spec, BackendOptions(device, target, math, libraries))

        def weights_of(wanted: Wanted) -> Mapping[str, TensorSource]:
            model.check_weights(wanted)
            return model.weights

        parts = (model, tokenizer.encode, weights_of, backend)
        return cls(*parts, low_memory, progress, watch_steps, span)

    @property
    def device(self) -> str:
        """What the device is called."""
        return self._backend.host.name

    @property
    def target(self) -> str | None:
        """The chip that stages are compiled for, if they are."""
        return self._backend.target

    def needed_bytes(self) -> int:
        """The device's memory that the stages of the last request take; 0 where not known."""
        return self._backend.needed_bytes(self._held)

    def forget(self) -> None:
        """Give back what is kept of prompts and references."""
        self._texts.clear()
        self._references.clear()

    def __enter__(self) -> Self:
        """The pipeline itself."""
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give the device's memory back."""
        self.close()

    def close(self) -> None:
        """Give the device's memory back; the pipeline can't be used any more."""
        if not self._closed:
            self._closed = True
            give_back(self.forget, self._backend.close)

    def __call__(self, prompt: str, image: Any = None, **options: Any) -> Generated:
        """Make pictures.

        Args:
            prompt: What to do or to show.
            image: A reference picture, or several: a file, an array ``[height, width, 3]`` or a
                picture of Pillow's. None: the picture is made from the prompt alone.
            options: As for ``job``.

        Raises:
            LumcError: something does not fit; memory that won't suffice is found before weights
                are loaded.
        """
        return self.run(self.job(prompt, image, **options))

    def job(
        self,
        prompt: str,
        image: Any = None,
        *,
        negative_prompt: str = "",
        width: int | None = None,
        height: int | None = None,
        steps: int | None = None,
        seed: int = 0,
        guidance: float | None = None,
        batch: int = 1,
        noise: Array | str | Path | None = None,
    ) -> Job:
        """A request with everything checked and read that needs no device.

        Args:
            prompt: As for the pipeline itself.
            image: As for the pipeline itself.
            negative_prompt: What to keep away from; only for models with guidance.
            width: In pixels, cut to a multiple of 16, which is warned of; as the first reference
                without it.
            height: As ``width``.
            steps: Steps of Euler's method; as many as the model is made for without it.
            seed: Decides the noise, as PyTorch's generator on the CPU does.
            guidance: How far to keep away from ``negative_prompt``; 1 not at all.
            batch: How many pictures to make, one after the other, from noise that goes on.
            noise: In place of a seed: a file, or ``[channels, height / 16, width / 16]``, or one
                such for each of the batch.

        Raises:
            LumcError: something does not fit.
        """
        require_whole(width=width, height=height, steps=steps, seed=seed, batch=batch)
        pictures = read_pictures(image, self.model)
        size = output_size(width, height, pictures, self.model.reference_rules)
        warn_of_cut_size((width, height), size, self.model.reference_rules.multiple)
        guidance = guidance_of(self.model, guidance)
        guided = guidance != 1
        warn_of_no_guidance(self.model, negative_prompt, guided)
        steps = self.model.default_steps if steps is None else steps
        require_counts(steps=steps, batch=batch)
        require_seed(seed)
        sizes = tuple((picture.shape[1], picture.shape[0]) for picture in pictures)
        tokens = self.model.text_tokens
        encoded = self._encode(prompt, tokens)
        warn_of_cut(encoded)
        settings = {
            "prompt": prompt,
            **({"negative_prompt": negative_prompt} if guided else {}),
            "width": size[0],
            "height": size[1],
            "references": [f"{w}x{h}" for w, h in sizes],
            "steps": steps,
            "seed": seed if noise is None else None,
            "guidance": guidance,
            "batch": batch,
            "model": self.model.path.name,
        }
        shape = Shape(size, sizes, guided)
        return Job(
            prompt=encoded,
            unguided=self._encode(negative_prompt, tokens) if guided else None,
            references=pictures,
            shape=shape,
            steps=steps,
            guidance=guidance,
            seed=seed,
            batch=batch,
            noise=None if noise is None else self._given_noise(noise, shape, batch),
            settings=settings,
        )

    def outline(self, job: Job) -> Outline:
        """The stages that ``job`` runs, what they take, and which are compiled already."""
        with self._expressed():
            return self._backend.outline(self._choices(job), self._progress)

    def prepare(self, job: Job) -> None:
        """Compile what ``job`` runs and load weights; running it does that otherwise.

        Raises:
            MemoryShortageError: the device has too little memory.
        """
        choices = self._compiled(job)
        if not self._low_memory:
            self._hold(choices)

    def run(self, job: Job) -> Generated:
        """Make the pictures of ``job``.

        Raises:
            LumcError: the device has too little memory, or reports a failure.
        """
        choices = self._compiled(job)
        texts, pictures, rest = self._phases(choices)
        features = self._features(job, texts)
        references = self._latents_of(job.references, pictures)
        conditions = Conditions(features[0], features[1] if job.unguided else None, references)
        self._hold(rest)
        sigmas = self.model.schedule.sigmas(job.steps, job.shape.tokens)
        step = self._progress.phase("steps", job.steps * job.batch)

        def after_step(number: int) -> None:
            if self._watch_steps:
                self._backend.host.synchronise()
            step()

        made, latents = [], []
        for noise in self._noise(job):
            self._stages.denoise(noise, conditions, sigmas, job.guidance, after_step)
            made.append(self._stages.decode())
            latents.append(self._stages.latents())
            require_finite(latents[-1])
            if self._stages.is_narrow() or has_flat_channel(made[-1]):
                require_finite(self._stages.decoded())
        return Generated(tuple(made), np.stack(latents), job.settings)

    def _compiled(self, job: Job) -> dict[str, StageChoice]:
        """The stages of ``job``, compiled, and found to fit into memory."""
        if self._closed:
            raise refused("the pipeline is closed")
        choices = self._choices(job)
        if choices != self._held:
            with self._expressed():
                self._backend.make(choices, self._progress)
            missing = max(map(self._backend.missing_bytes, self._phases(choices)))
            if missing > 0:
                raise self._shortage(missing, job)
        return choices

    @contextmanager
    def _expressed(self) -> Iterator[None]:
        """Mistakes that sizes make in the spec are the model's: nobody here wrote the spec."""
        try:
            yield
        except SpecError as error:
            spec = self.model.description.spec.name
            message = f"{self.model.path} has a model that {spec} can't express"
            notes = tuple(one.render() for one in error.diagnostics)
            hint = "the sizes in its config files are of another model, or damaged"
            raise RequestError(Diagnostic("G006", message, hint=hint, notes=notes)) from None

    def _choices(self, job: Job) -> dict[str, StageChoice]:
        return stages_of(job.shape, self.model.text_tokens)

    def _phases(self, choices: Mapping[str, StageChoice]) -> tuple[dict[str, StageChoice], ...]:
        """What is on the device while texts and pictures are encoded, and after that."""
        if not self._low_memory:
            return (dict(choices),) * 3
        return tuple({name: choices[name] for name in names} for names in phases_of([*choices]))

    def _hold(self, choices: dict[str, StageChoice]) -> None:
        if choices == self._held:
            return
        wanted = {one.stage: self._backend.weights_of(one) for one in choices.values()}
        sources = self._weights_of({stage: needed for stage, needed in wanted.items() if needed})
        weights = {
            name: sources[one.stage] if wanted[one.stage] else TensorArrays({})
            for name, one in choices.items()
        }
        self._held = {}
        self._backend.hold(choices, weights, self._progress)
        self._held = choices

    def _features(self, job: Job, choices: dict[str, StageChoice]) -> list[StageTensor]:
        """Of the prompt, and of the one to keep away from: kept from before, or made now."""
        prompts = [job.prompt] + ([job.unguided] if job.unguided else [])
        keys = [prompt.ids.tobytes() + prompt.mask.tobytes() for prompt in prompts]
        if not all(key in self._texts for key in keys):
            self._hold(choices)
        encode = self._stages.encode_text
        pairs = zip(keys, prompts, strict=True)
        return [self._texts.get(key, partial(encode, prompt)) for key, prompt in pairs]

    def _latents_of(
        self, pictures: Sequence[Pixels], choices: dict[str, StageChoice]
    ) -> tuple[StageTensor, ...]:
        """Of reference pictures: kept from before, or made now."""
        keys = [(one.shape, hashlib.sha256(one.tobytes()).digest()) for one in pictures]
        if not all(key in self._references for key in keys):
            self._hold(choices)
        encode = self._stages.encode_picture
        pairs = zip(keys, pictures, strict=True)
        return tuple(self._references.get(key, partial(encode, one)) for key, one in pairs)

    def _noise(self, job: Job) -> Array:
        """``[batch, channels, rows, columns]``."""
        if job.noise is not None:
            return job.noise
        first = self._backend.host.stage("first_latents").tensor("noise")
        return NoiseGenerator(job.seed).normal((job.batch, *first.shape), first.dtype)

    def _given_noise(self, given: Array | str | Path, shape: Shape, batch: int) -> Array:
        choice = stages_of(shape, self.model.text_tokens)["first_latents"]
        program = elaborate(self._backend.spec.load(choice), choice.stage)
        (tensor,) = nodes_as_tensors(program, program.inputs)
        channels, rows, columns = tensor.shape
        if isinstance(given, str | Path):
            given = read_noise(Path(given), channels, rows, columns)
        noise: Array = np.asarray(given)
        require_noise(noise, "the noise")
        noise = noise[None] if noise.ndim == len(tensor.shape) else noise
        if noise.shape != (batch, *tensor.shape):
            sizes = ("×".join(map(str, one)) for one in ((batch, *tensor.shape), noise.shape))
            raise refused("the noise must be {} for this request, not {}".format(*sizes))
        return noise

    def _shortage(self, missing: int, job: Job) -> MemoryShortageError:
        name = self._backend.host.name
        message = f"{name} has {missing / 1e9:,.1f} GB too little memory for this request"
        ways = [] if self._low_memory else ["keep fewer weights there at a time (--low-memory)"]
        ways.append("make a smaller picture (--size)")
        if job.references:
            ways.append("give fewer or smaller references")
        ways.append("take a smaller model")
        return MemoryShortageError(Diagnostic("G003", message, hint="; or ".join(ways)))
