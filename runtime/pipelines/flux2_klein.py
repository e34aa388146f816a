"""FLUX.2 Klein from stage to stage: a prompt and pictures to latents, steps, and a picture.

Everything between the pixels that come in and those that go out happens where the stages run. The
host starts stages and copies in their order, and waits for nothing until the picture is done.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractContextManager, nullcontext
from dataclasses import dataclass

import numpy as np
import numpy.typing as npt

from lumc.dsl.dtypes import DType
from lumc.runtime.pipelines.pictures import Pixels
from lumc.runtime.pipelines.prompts import EncodedPrompt
from lumc.runtime.stage_host import RunningStage, StageHost
from lumc.runtime.stage_tensor import StageTensor

PATCH = 16
"""Pixels of a picture's side that a token stands for."""

Size = tuple[int, int]
"""Width and height in pixels."""
Span = Callable[[str, Callable[[], None]], AbstractContextManager[None]]
"""Made around each part of a request, from its name and what waits for the device."""


@dataclass(frozen=True, slots=True)
class Shape:
    """All that the programs of a request depend on beside the model; sides are multiples of 16."""

    size: Size
    references: tuple[Size, ...]
    guided: bool
    """Each step takes a second pass, for the prompt to keep away from."""

    @property
    def rows(self) -> int:
        """Rows of tokens."""
        return self.size[1] // PATCH

    @property
    def columns(self) -> int:
        """Columns of tokens."""
        return self.size[0] // PATCH

    @property
    def tokens(self) -> int:
        """Tokens of the picture that is made."""
        return self.rows * self.columns


@dataclass(frozen=True, slots=True)
class StageChoice:
    """A stage of the spec with the sizes that it depends on, and no others."""

    stage: str
    settings: tuple[tuple[str, str], ...]


def stages_of(shape: Shape, text_tokens: int) -> dict[str, StageChoice]:
    """The stages that a request of ``shape`` runs, by the names that ``Flux2Klein`` has for them.

    In the order in which they run.
    """
    width, height = shape.size
    picture = {"width": str(width), "height": str(height)}
    text = {"text_tokens": str(text_tokens)}
    joint = {"references": _listed(shape.references)}
    found = {"text_encoder": _choice("text_encoder", text)}
    for size in dict.fromkeys(shape.references):
        source = {"references": _listed([size]), "encoded": "0"}
        for stage in ("read_pixels", "vae_encoder"):
            found[_of_size(stage, size)] = _choice(stage, source)
    found["first_latents"] = _choice("first_latents", picture)
    found["transformer"] = _choice("transformer", picture | text | joint)
    step = "guided_euler_step" if shape.guided else "euler_step"
    found["euler_step"] = _choice(step, picture)
    for stage in ("vae_decoder", "write_pixels"):
        found[stage] = _choice(stage, picture)
    return found


def phases_of(stages: Sequence[str]) -> tuple[tuple[str, ...], ...]:
    """The named stages in three groups: for texts, for reference pictures, for what follows.

    What one group leaves behind is all that the next needs, so they can take turns in memory.
    """
    texts = tuple(name for name in stages if name == "text_encoder")
    encoders = ("read_pixels", "vae_encoder")
    pictures = tuple(name for name in stages if name.split(" ")[0] in encoders)
    return texts, pictures, tuple(name for name in stages if name not in texts + pictures)


def _choice(stage: str, settings: Mapping[str, str]) -> StageChoice:
    return StageChoice(stage, tuple(settings.items()))


def _listed(sizes: Sequence[Size]) -> str:
    return "[" + ", ".join(f"[{width}, {height}]" for width, height in sizes) + "]"


def _of_size(stage: str, size: Size) -> str:
    return f"{stage} {size[0]}×{size[1]}"


def no_span(name: str, synchronise: Callable[[], None]) -> AbstractContextManager[None]:
    """A span that does nothing."""
    return nullcontext()


@dataclass(frozen=True, slots=True)
class Conditions:
    """What steers a flow, where the stages run."""

    text: StageTensor
    unguided: StageTensor | None
    """The text to keep away from."""
    references: tuple[StageTensor, ...]
    """The latents of each reference picture, as tokens."""


@dataclass(frozen=True, slots=True)
class Flux2Klein:
    """The parts of a request, on the stages that ``host`` holds; ``span`` is made around each."""

    host: StageHost
    span: Span = no_span

    def encode_text(self, prompt: EncodedPrompt) -> StageTensor:
        """The features of a prompt, in memory of their own (``host.release``)."""
        with self._timed("text encoder"):
            stage = self.host.stage("text_encoder")
            stage.tensor("ids").write(prompt.ids)
            stage.tensor("mask").write(prompt.mask)
            stage.start()
            return self._keep(stage.tensor("features"))

    def encode_picture(self, picture: Pixels) -> StageTensor:
        """The latents of a reference picture as tokens, in memory of their own."""
        size = (picture.shape[1], picture.shape[0])
        with self._timed("picture encoder"):
            reader = self.host.stage(_of_size("read_pixels", size))
            encoder = self.host.stage(_of_size("vae_encoder", size))
            reader.tensor("pixels").write(picture)
            reader.start()
            encoder.tensor("image").copy_from(reader.tensor("image"))
            encoder.start()
            return self._keep(encoder.tensor("packed"))

    def denoise(
        self,
        noise: npt.NDArray[np.generic],
        conditions: Conditions,
        sigmas: npt.NDArray[np.float32],
        guidance: float = 1.0,
        after_step: Callable[[int], None] = lambda step: None,
    ) -> None:
        """Take the latents from ``noise`` through all of ``sigmas``; ``latents`` then has them.

        ``noise`` is ``[channels, rows, columns]`` in any real type. ``after_step`` is told each
        step that was started; on a GPU it may not have ended.
        """
        with self._timed("steps"):
            levels = self.host.empty(sigmas.shape, DType.F32)
            try:
                levels.write(sigmas)
                self._begin(noise, conditions, guidance)
                for step in range(len(sigmas) - 1):
                    self._step(conditions, levels, step)
                    after_step(step)
                self.host.synchronise()
            finally:
                self.host.release(levels)

    def latents(self) -> npt.NDArray[np.float32]:
        """The latents after the last step that was started: ``[tokens, channels]``."""
        return self.host.stage("euler_step").tensor("next").read()

    def decode(self) -> Pixels:
        """The picture of the latents, ``[height, width, 3]``."""
        with self._timed("decoder"):
            decoder, writer = self.host.stage("vae_decoder"), self.host.stage("write_pixels")
            decoder.tensor("packed").copy_from(self.host.stage("euler_step").tensor("rounded"))
            decoder.start()
            writer.tensor("image").copy_from(decoder.tensor("image"))
            writer.start()
            return writer.tensor("pixels").read()

    def decoded(self) -> npt.NDArray[np.generic]:
        """The numbers that the last picture's bytes were made from: ``[3, height, width]``."""
        return self.host.stage("vae_decoder").tensor("image").read()

    def is_narrow(self) -> bool:
        """Whether a model may well leave the range of the numbers that the stages store."""
        return self.host.stage("vae_decoder").tensor("image").dtype is DType.F16

    def _timed(self, name: str) -> AbstractContextManager[None]:
        return self.span(name, self.host.synchronise)

    def _keep(self, tensor: StageTensor) -> StageTensor:
        kept = self.host.empty(tensor.shape, tensor.dtype)
        kept.copy_from(tensor)
        return kept

    def _begin(
        self, noise: npt.NDArray[np.generic], conditions: Conditions, guidance: float
    ) -> None:
        """Put everything in place that is the same in all steps, and the first latents."""
        first = self.host.stage("first_latents")
        euler, model = self.host.stage("euler_step"), self.host.stage("transformer")
        start = first.tensor("noise")
        start.write(noise.astype(start.dtype.numpy))
        first.start()
        euler.tensor("next").copy_from(first.tensor("next"))
        euler.tensor("rounded").copy_from(first.tensor("rounded"))
        row = 0
        for tokens in conditions.references:
            count = tokens.shape[0]
            model.tensor("reference").rows(row, count).copy_from(tokens)
            row += count
        model.tensor("text").copy_from(conditions.text)
        if conditions.unguided is not None:
            euler.tensor("guidance").write(np.array(guidance, np.float32))

    def _step(self, conditions: Conditions, levels: StageTensor, step: int) -> None:
        euler, model = self.host.stage("euler_step"), self.host.stage("transformer")
        euler.tensor("latents").copy_from(euler.tensor("next"))
        model.tensor("noise").copy_from(euler.tensor("rounded"))
        for stage in (model, euler):
            stage.tensor("sigma").copy_from(levels.at(step))
        euler.tensor("next_sigma").copy_from(levels.at(step + 1))
        if conditions.unguided is not None:
            self._run_model(model, conditions.unguided, euler.tensor("unguided"))
            self._run_model(model, conditions.text, euler.tensor("velocity"))
        else:
            model.start()
            euler.tensor("velocity").copy_from(model.tensor("velocity"))
        euler.start()

    def _run_model(self, model: RunningStage, text: StageTensor, velocity: StageTensor) -> None:
        model.tensor("text").copy_from(text)
        model.start()
        velocity.copy_from(model.tensor("velocity"))
