"""`lumc generate`: from a model folder, a prompt and pictures to PNG files."""

import json
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image
from safetensors.numpy import load_file, save_file

from lumc.cli import main
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.pipelines.pictures import read_png_settings
from scripts.make_tiny_model import make_tiny_model
from tests.cli.tiny_pipeline import golden
from tests.runtime.emulated_stage import relative_error

PROMPT = "add a boat"


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A model, and the golden reference of 70 × 101 pixels."""
    place = tmp_path_factory.mktemp("generate")
    make_tiny_model(place / "model")
    picture = golden("pipeline_flux2_klein")["in.reference_u8"]
    Image.fromarray(picture).save(place / "in.png")
    return place


def outcome(
    capsys: pytest.CaptureFixture[str], folder: Path, *arguments: object
) -> tuple[int, str, str]:
    given = ["generate", "--model", folder / "model", *arguments]
    code = main([str(argument) for argument in given])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    assert "defect" not in said.err
    return code, said.out, said.err


def made(capsys: pytest.CaptureFixture[str], folder: Path, *arguments: object) -> dict[str, Any]:
    code, out, err = outcome(capsys, folder, "--json", *arguments)
    assert code == 0, err
    report: dict[str, Any] = json.loads(out)
    return report


def on_reference(*more: object) -> list[object]:
    return ["--device", "reference", "--dtype", "f32", "--prompt", PROMPT, *more]


@pytest.mark.timeout(900)  # a whole compile, maybe on a busy machine
def test_on_the_emulator_as_on_the_reference(
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """The whole way in bf16 machine code, held against f32 in NumPy; then once more, faster."""
    picture = ["--image", folder / "in.png", "--size", "96x64", "--seed", 42]
    exact = ["-o", tmp_path / "exact.png", "--save-latents", tmp_path / "exact.safetensors"]
    made(capsys, folder, *on_reference(*picture, *exact))
    emulated = ["--device", "emulator", "--prompt", PROMPT, *picture]
    files = ["-o", tmp_path / "out.png", "--save-latents", tmp_path / "out.safetensors"]
    report = made(capsys, folder, *emulated, *files)

    latents, wanted = (
        load_file(tmp_path / f"{name}.safetensors")["latents"] for name in ("out", "exact")
    )
    assert relative_error(latents, wanted) < 2e-2
    pixels, shown = (
        np.asarray(Image.open(tmp_path / f"{name}.png")).astype(np.float64)
        for name in ("out", "exact")
    )
    assert pixels.shape == (64, 96, 3)
    assert shown.std() > 10
    assert np.abs(pixels - shown).mean() < 2
    assert report["device"] == "emulator"
    assert report["pictures"] == [str(tmp_path / "out.png")]
    assert set(report["seconds"]) == {
        *("prepare", "run", "text encoder", "picture encoder", "steps", "decoder")
    }
    settings = read_png_settings(tmp_path / "out.png")
    assert settings["prompt"] == PROMPT
    assert (settings["seed"], settings["steps"], settings["dtype"]) == (42, 4, "bf16")

    code, out, err = outcome(capsys, folder, *emulated, "--dry-run", "--json")
    assert code == 0, err
    found = json.loads(out)
    assert all(stage["compiled"] for stage in found["stages"].values())
    assert "vae_encoder 64×96" in found["stages"]
    weights = {name: stage["weights_bytes"] for name, stage in found["stages"].items()}
    assert found["bytes"]["weights"] == sum(weights.values()) > weights["transformer"] > 0
    assert found["free_bytes"] > found["bytes"]["total"]

    # With a little less memory than all stages take, they have to come one after the other.
    less = found["bytes"]["total"] - 100_000
    monkeypatch.setattr(EmulatorDevice, "free_bytes", lambda device: less)
    code, _, err = outcome(capsys, folder, *emulated, "-o", tmp_path / "low.png")
    assert (code, (tmp_path / "low.png").exists()) == (1, False)
    assert "too little memory" in err
    assert "--low-memory" in err
    assert "loading weights" not in err
    made(capsys, folder, *emulated, "--low-memory", "-o", tmp_path / "low.png")
    low = np.asarray(Image.open(tmp_path / "low.png"))
    assert np.array_equal(low, np.asarray(Image.open(tmp_path / "out.png")))


def test_a_batch_is_several_files(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    more = ["--size", "64x80", "--steps", 1, "--batch", 2, "-o", tmp_path / "new" / "out.png"]
    code, out, _ = outcome(capsys, folder, *on_reference(*more))
    files = [tmp_path / "new" / f"out-{number}.png" for number in (1, 2)]
    assert code == 0
    assert out.split() == [str(file) for file in files]
    first, second = (np.asarray(Image.open(file)) for file in files)
    assert first.shape == (80, 64, 3)
    assert not np.array_equal(first, second)
    assert [read_png_settings(file)["number"] for file in files] == [0, 1]


def test_noise_from_a_file(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    """The golden noise is what seed 42 draws."""
    noise = golden("pipeline_flux2_klein")["in.noise"]
    save_file({"noise": noise}, tmp_path / "noise.safetensors")
    common = ["--size", "96x64", "--steps", 1]
    for name, choice in (("given", ["--noise", tmp_path / "noise.safetensors"]), ("drawn", [])):
        more = [*common, *(choice or ["--seed", 42]), "-o", tmp_path / f"{name}.png"]
        made(capsys, folder, *on_reference(*more))
    given, drawn = (np.asarray(Image.open(tmp_path / f"{n}.png")) for n in ("given", "drawn"))
    assert np.array_equal(given, drawn)


@pytest.mark.parametrize(
    ("arguments", "code", "reason"),
    [
        (["--prompt", "x"], 2, "-o FILE.png"),
        (["--prompt", "x", "-o", "a.png", "--size", "512"], 2, "512x512"),
        (["--prompt", "x", "-o", "a.jpg"], 1, "name it a.png"),
        (["--prompt", "x", "-o", "a.png", "--image", "none.png"], 1, "none.png"),
        (["--prompt", "x", "-o", "a.png", "--noise", "none.npy"], 1, "none.npy"),
        (["--prompt", "x", "-o", "a.png", "--device", "cuda:77"], 1, "CUDA|cuda"),
        (["--prompt", "x", "--dry-run", "--device", "reference"], 1, "compiles nothing"),
        (["-o", "a.png"], 2, "--prompt"),
        (["--prompt", "x", "-o", "a.png", "--seed", str(2**64)], 1, "2**64 - 1"),
        (["--prompt", "x", "-o", "a.png", "--target", "gfx942"], 1, "target gfx942 has no effect"),
        (["--prompt", "x", "-o", "a.png", "--save-latents", "."], 1, "write .: it is a folder"),
        (["--prompt", "x", "-o", "/dev/null/a.png"], 1, "/dev/null is no folder"),
        (["--prompt", "x", "-o", "a.png", "--save-latents", "a.png"], 1, "name the same file"),
    ],
)
def test_requests_that_cannot_be(
    arguments: list[str],
    code: int,
    reason: str,
    folder: Path,
    capsys: pytest.CaptureFixture[str],
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    monkeypatch.chdir(tmp_path)
    device = [] if "--device" in arguments else ["--device", "reference"]
    found, out, err = outcome(capsys, folder, *arguments, *device)
    assert (found, out) == (code, "")
    assert any(part in err for part in reason.split("|"))
    assert not list(tmp_path.iterdir())


def test_what_has_no_effect_is_said_once(
    folder: Path, capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    more = ["--size", "97x65", "--steps", 1, "--negative-prompt", "rain", "-o", tmp_path / "a.png"]
    code, _, err = outcome(capsys, folder, *on_reference(*more))
    assert code == 0
    assert np.asarray(Image.open(tmp_path / "a.png")).shape == (64, 96, 3)
    assert err.count("warning[C001]: the picture is 96×64 pixels") == 1
    assert err.count("warning[C001]: this model is distilled: the negative prompt") == 1


def test_a_model_that_is_not_there(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    code, _, err = outcome(capsys, tmp_path, "--prompt", "x", "-o", tmp_path / "a.png")
    assert code == 1
    assert str(tmp_path / "model") in err
