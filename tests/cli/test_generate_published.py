"""``lumc generate`` against the pictures that diffusers makes from the same model folder."""

from __future__ import annotations

import shutil
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from PIL import Image

from lumc.cli import main
from scripts.make_tiny_model import make_tiny_model
from tests.cli.tiny_pipeline import GOLDEN, golden

REQUEST = "--prompt|add a boat to the water|--size|96x64|--seed|42|--device|reference|--dtype|f32"


def pixels(path: Path) -> npt.NDArray[np.int64]:
    with Image.open(path) as image:
        return np.asarray(image).astype(np.int64)


@pytest.mark.parametrize(
    ("layout", "picture"), [("folders", "edit"), ("single", "edit"), ("folders", "text")]
)
def test_pictures_are_those_of_diffusers(tmp_path: Path, layout: str, picture: str) -> None:
    """From either kind of folder, with a reference and without: a few values are one off."""
    make_tiny_model(tmp_path / "model", layout=layout)
    # The tokenizer that the picture was made with, whatever the package here would train.
    shutil.copytree(GOLDEN / "tiny_tokenizer", tmp_path / "model" / "tokenizer", dirs_exist_ok=True)
    more = []
    if picture == "edit":
        reference = golden("pipeline_flux2_klein")["in.reference_u8"]
        Image.fromarray(reference).save(tmp_path / "in.png")
        more = ["--image", str(tmp_path / "in.png")]
    output = ["--model", str(tmp_path / "model"), "-o", str(tmp_path / "out.png")]
    assert main(["generate", *REQUEST.split("|"), *more, *output]) == 0
    made, expected = pixels(tmp_path / "out.png"), pixels(GOLDEN / "generated" / f"{picture}.png")
    assert made.shape == expected.shape == (64, 96, 3)
    assert np.abs(made - expected).max() <= 1
    assert np.count_nonzero(made != expected) < 100
