"""Everything that docs/python.md shows is run, in its order, beside a tiny model and a picture."""

import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from PIL import Image

from scripts.make_tiny_model import make_tiny_model

PAGE = Path(__file__).parents[2] / "docs" / "python.md"


def test_the_examples(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    text = PAGE.read_text(encoding="utf-8")
    for name, content in re.findall(r"^```lum (\S+)\n(.*?)^```$", text, re.M | re.S):
        (tmp_path / name).write_text(content, encoding="utf-8")
    make_tiny_model(tmp_path / "model")
    pixels = np.random.default_rng(2).integers(0, 256, (70, 101, 3), np.uint8)
    Image.fromarray(pixels).save(tmp_path / "in.png")
    blocks = list(re.finditer(r"^```python\n(.*?)^```$", text, re.M | re.S))
    assert len(blocks) >= 5
    names: dict[str, Any] = {}
    for block in blocks:
        # The line numbers of a failure are those of the page.
        lines = "\n" * text.count("\n", 0, block.start(1))
        exec(compile(lines + block[1], str(PAGE), "exec"), names)
