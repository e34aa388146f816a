"""The pipeline as a Python object, on the tiny FLUX.2 Klein of the golden files."""

from collections.abc import Iterator
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lumc.backends import BackendOptions, ModelSpec, open_backend
from lumc.diagnostics import LumcError, LumcWarning
from lumc.pipeline import MemoryShortageError, Pipeline, Wanted
from lumc.request_checks import RequestError
from lumc.runtime.pipelines.noise import NoiseGenerator
from lumc.runtime.stage_host import ReferenceHost
from lumc.runtime.tensors import TensorArrays, TensorSource
from lumc.spans import SpanTimes
from tests.cli.tiny_pipeline import Array, golden, tiny_model, tiny_pipeline, tiny_weights
from tests.runtime.emulated_stage import relative_error

IO = golden("pipeline_flux2_klein")
RANDOM = np.random.default_rng(11)


def picture(width: int, height: int) -> Array:
    return RANDOM.integers(0, 256, (height, width, 3), np.uint8)


@pytest.fixture
def times() -> SpanTimes:
    return SpanTimes()


@pytest.fixture
def pipeline(times: SpanTimes) -> Iterator[Pipeline]:
    with tiny_pipeline(times=times) as made:
        yield made


def parts(times: SpanTimes) -> dict[str, int]:
    return {name: len(runs) for name, runs in times.seconds.items()}


def test_the_golden_picture(pipeline: Pipeline) -> None:
    """From the uncut reference; with noise that is given, and with the seed it is drawn from."""
    size = {"width": 96, "height": 64, "steps": 4}
    for noise in ({"noise": IO["in.noise"][0]}, {"seed": 42}):
        made = pipeline("", IO["in.reference_u8"], **size, **noise)
        assert relative_error(made.latents[0], IO["out.step.3.latents"][0]) < 1e-3
        (found,) = made.pictures
        assert np.abs(found - np.round(IO["out.image"][0] * 255)).max() <= 1


def test_what_is_encoded_once_is_kept(pipeline: Pipeline, times: SpanTimes) -> None:
    reference = picture(64, 80)
    first = pipeline("a boat", reference, steps=1)
    second = pipeline("a boat", [reference], steps=1)
    assert np.array_equal(first.pictures[0], second.pictures[0])
    assert parts(times) == {"text encoder": 1, "picture encoder": 1, "steps": 2, "decoder": 2}
    pipeline("a ship", reference, steps=1)
    pipeline("a ship", picture(64, 80), steps=1)
    assert parts(times) == {"text encoder": 2, "picture encoder": 2, "steps": 4, "decoder": 4}


def test_a_batch_goes_on_with_the_noise(pipeline: Pipeline) -> None:
    """Two pictures are those of the two halves of the noise; each differs from the other."""
    both = pipeline("a boat", width=64, height=80, steps=2, seed=5, batch=2)
    noise = NoiseGenerator(5).normal((2, 128, 5, 4))
    for number in range(2):
        alone = pipeline("a boat", width=64, height=80, steps=2, noise=noise[number])
        assert np.array_equal(both.pictures[number], alone.pictures[0])
    assert both.latents.shape == (2, 20, 128)
    assert not np.array_equal(both.pictures[0], both.pictures[1])


def test_references_of_their_own_sizes_in_their_order(pipeline: Pipeline) -> None:
    one, other = picture(64, 80), picture(96, 64)
    made = pipeline("a boat", [one, other], steps=1)
    assert made.pictures[0].shape == (80, 64, 3)
    assert made.settings["references"] == ["64x80", "96x64"]
    turned = pipeline("a boat", [other, one], width=64, height=80, steps=1)
    assert relative_error(turned.latents, made.latents) > 1e-3
    without = pipeline("a boat", width=64, height=80, steps=1)
    assert relative_error(without.latents, made.latents) > 1e-3


def test_guidance_keeps_away_from_the_other_prompt() -> None:
    """The guided velocity is on the line through those of both prompts."""
    size = {"width": 64, "height": 64, "steps": 1}
    with tiny_pipeline() as plain:
        wanted = plain("a boat", **size).latents
        unwanted = plain("rain", **size).latents
    with tiny_pipeline(distilled=False) as base:
        guided = base("a boat", negative_prompt="rain", guidance=2.5, **size)
        made = guided.latents
        assert guided.settings["negative_prompt"] == "rain"
        alone = base("a boat", guidance=1, **size).latents
        assert base.job("a boat").guidance == 4
    assert relative_error(made, unwanted + 2.5 * (wanted - unwanted)) < 1e-4
    assert relative_error(made, wanted) > 1e-3
    assert np.array_equal(alone, wanted)


def test_low_memory_changes_nothing_but_what_is_held(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    reference = picture(64, 80)
    wanted = pipeline("a boat", reference, steps=2)
    held: list[tuple[str, ...]] = []
    hold = ReferenceHost.hold

    def watched(host: ReferenceHost, programs: Any, *others: Any) -> None:
        held.append(tuple(programs))
        hold(host, programs, *others)

    monkeypatch.setattr(ReferenceHost, "hold", watched)
    with tiny_pipeline(low_memory=True) as saving:
        made = saving("a boat", reference, steps=2)
    assert np.array_equal(made.pictures[0], wanted.pictures[0])
    assert held[0] == ("text_encoder",)
    assert held[1] == ("read_pixels 64×80", "vae_encoder 64×80")
    assert "transformer" in held[2]
    assert not set(held[0]) & set(held[2])


def test_too_little_memory_is_found_before_weights_are_read(
    pipeline: Pipeline, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(type(pipeline._backend), "missing_bytes", lambda self, choices: 3e9)
    monkeypatch.setattr(pipeline, "_weights_of", lambda wanted: pytest.fail("weights are read"))
    with pytest.raises(MemoryShortageError, match=r"3\.0 GB too little") as caught:
        pipeline("a boat", picture(64, 64), steps=1)
    hint = caught.value.render()
    assert "--low-memory" in hint
    assert "fewer or smaller references" in hint


def test_requests_that_cannot_be(pipeline: Pipeline) -> None:
    for options, reason in (
        ({"steps": 0}, "steps must be 1 or more"),
        ({"batch": 0}, "batch must be 1 or more"),
        ({"width": 8}, "too small"),
        ({"noise": np.zeros((128, 3, 3), np.float32)}, "must be 1×128×4×4 .* not 1×128×3×3"),
        ({"noise": Path("nowhere.npy")}, "nowhere.npy"),
        ({"noise": np.full((128, 4, 4), np.nan)}, "noise has numbers that are not finite"),
        ({"noise": np.zeros((128, 4, 4), np.int32)}, "noise is int32, which are no real numbers"),
        ({"width": 64.0}, r"width must be a whole number, not 64\.0"),
        ({"seed": "7"}, "seed must be a whole number, not '7'"),
        ({"steps": 2.5}, r"steps must be a whole number, not 2\.5"),
        ({"guidance": float("nan")}, "guidance must be a finite number, not nan"),
    ):
        with pytest.raises(LumcError, match=reason):
            pipeline("a boat", **{"width": 64, "height": 64, **options})
    with pytest.raises(RequestError, match="11 references are too many"):
        pipeline("a boat", [picture(64, 64)] * 11)


def test_sizes_of_a_model_that_its_spec_cannot_have() -> None:
    with tiny_pipeline() as odd:
        odd._backend.spec.settings["groups"] = "5"  # type: ignore[index]
        with pytest.raises(RequestError, match=r"that flux2_klein\.lum can't express") as caught:
            odd("a boat", width=64, height=64, steps=1)
    assert "note: " in caught.value.render()
    assert "groups = 5" in caught.value.render()


def test_a_seed_is_checked_before_anything_is_made(pipeline: Pipeline) -> None:
    with pytest.raises(LumcError, match=r"seed 18446744073709551616 is not from 0 to 2\*\*64 - 1"):
        pipeline.job("a boat", width=64, height=64, seed=2**64)


def test_a_closed_pipeline_says_so(pipeline: Pipeline) -> None:
    job = pipeline.job("a boat", width=64, height=64, steps=1)
    pipeline.close()
    pipeline.close()
    with pytest.raises(RequestError, match="the pipeline is closed"):
        pipeline.run(job)


def test_choices_that_are_none() -> None:
    spec = ModelSpec(tiny_model().description.spec, {})
    for options, reason in (
        (BackendOptions("reference", math="exakt"), "math is one of fast, exact, not 'exakt'"),
        (BackendOptions("emulator", math="exakt"), "math is one of fast, exact, not 'exakt'"),
        (BackendOptions("reference", libraries="all"), "libraries is one of auto, none, vendor"),
        (BackendOptions("reference", "gfx942"), "the target gfx942 has no effect"),
    ):
        with pytest.raises(LumcError, match=reason):
            open_backend(spec, options)


def test_what_has_no_effect_is_said(pipeline: Pipeline) -> None:
    with pytest.warns(LumcWarning, match="guidance has no effect"):
        pipeline.job("a boat", width=64, height=64, guidance=3)
    with pytest.warns(LumcWarning, match="the last 7 of its tokens"):
        pipeline.job("a" * 23, width=64, height=64)
    with pytest.warns(LumcWarning, match="is distilled: the negative prompt has no effect"):
        pipeline.job("a boat", width=64, height=64, negative_prompt="rain")
    with tiny_pipeline(distilled=False) as base:
        with pytest.warns(LumcWarning, match="guidance is 1: the negative prompt has no effect"):
            base.job("a boat", width=64, height=64, negative_prompt="rain", guidance=1)
        base.job("a boat", width=64, height=64, negative_prompt="rain")


def test_what_a_size_became_is_said(pipeline: Pipeline) -> None:
    for width, height in ((97, 65), (97, None), (96, 65)):
        with pytest.warns(LumcWarning, match="picture is 96×64 pixels: sides are multiples of 16"):
            job = pipeline.job("a boat", picture(64, 64), width=width, height=height)
        assert job.shape.size == (96, 64)
    # Nobody asked for the size of a reference, and warnings are errors here.
    assert pipeline.job("a boat", picture(70, 101)).shape.size == (64, 96)


def test_numbers_that_are_none_make_no_picture(pipeline: Pipeline) -> None:
    noise = np.full((128, 4, 4), 3e38, np.float32)
    with pytest.raises(LumcError, match="not finite, so there is no picture"):
        pipeline("a boat", width=64, height=64, steps=1, noise=noise)


@pytest.mark.parametrize("weight", ["decoder.conv_out.bias", "decoder.conv_in.bias"])
def test_weights_that_are_no_numbers_make_no_picture(
    monkeypatch: pytest.MonkeyPatch, weight: str
) -> None:
    def damaged(wanted: Wanted) -> dict[str, TensorSource]:
        weights = {stage: dict(source.arrays) for stage, source in tiny_weights(wanted).items()}
        bias = weights["vae_decoder"][weight] = weights["vae_decoder"][weight].copy()
        bias[1] = np.nan
        return {stage: TensorArrays(arrays) for stage, arrays in weights.items()}

    with tiny_pipeline(dtype="bf16") as pipeline:
        monkeypatch.setattr(pipeline, "_weights_of", damaged)
        with pytest.raises(LumcError, match="are not finite, so there is no picture") as caught:
            pipeline("", width=64, height=64, steps=1)
    assert "weights may be damaged" in caught.value.render()


def test_a_decoder_that_leaves_the_range_of_f16_makes_no_picture(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Where the latents are finite and what is decoded from them is not."""

    def large_weights(wanted: Wanted) -> dict[str, TensorSource]:
        weights = {stage: dict(source.arrays) for stage, source in tiny_weights(wanted).items()}
        weights["vae_decoder"]["decoder.conv_out.bias"] = np.full(3, 7e4, np.float32)
        return {stage: TensorArrays(arrays) for stage, arrays in weights.items()}

    for dtype in ("bf16", "f16"):
        with tiny_pipeline(dtype=dtype) as large:
            monkeypatch.setattr(large, "_weights_of", large_weights)
            if dtype == "bf16":
                assert large("", width=64, height=64, steps=1).pictures[0].min() == 255
                continue
            with pytest.raises(LumcError, match="12288 of 12288 numbers are not finite"):
                large("", width=64, height=64, steps=1)
