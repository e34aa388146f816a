"""The example of docs/bring_your_own_model.md: every file on the page is used as the page says."""

from __future__ import annotations

import re
import tomllib
from pathlib import Path

import numpy as np
import numpy.typing as npt
import pytest
from safetensors.numpy import load_file, save_file

from lumc.cli import main
from lumc.runtime.pipelines.name_map import _KEYS
from tests.specs.spec_support import ROOT

PAGE = (ROOT / "docs" / "bring_your_own_model.md").read_text(encoding="utf-8")
BLOCKS = dict(re.findall(r"^```\w+ (\S+)\n((?:.*\n)*?)```$", PAGE, re.MULTILINE))
Reals = npt.NDArray[np.float32]


def checkpoint() -> dict[str, Reals]:
    generator = np.random.default_rng(4)
    tensors = {}
    for line in BLOCKS["checkpoint.txt"].splitlines():
        name, sizes = line.split(": ")
        tensors[name] = generator.normal(size=tuple(map(int, sizes.split()))).astype(np.float32)
    return tensors


def model(x: npt.NDArray[np.float64], weights: dict[str, Reals]) -> npt.NDArray[np.float64]:
    """The model as its own code would have it, under the names of the checkpoint."""
    for n in range(2):
        scale = weights[f"model.net.{n}.norm.scale"].astype(np.float64)
        a = x / np.sqrt((x**2).mean(-1, keepdims=True) + 1e-6) * scale
        up, gate = np.split(a @ weights[f"model.net.{n}.up_gate.weight"].T, 2, axis=-1)
        x = x + (gate / (1 + np.exp(-gate)) * up) @ weights[f"model.net.{n}.down.kernel"]
    return x


def test_the_page_from_top_to_bottom(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    for name, text in BLOCKS.items():
        Path(name).write_text(text, encoding="utf-8")
    weights = checkpoint()
    inputs = np.random.default_rng(5).normal(size=(5, 8)).astype(np.float32)
    save_file(weights, "checkpoint.safetensors")
    save_file({"x": inputs}, "inputs.safetensors")

    exec(compile(BLOCKS["list.py"], "list.py", "exec"), {})
    printed = capsys.readouterr().out
    assert sorted(printed.splitlines()) == sorted(BLOCKS["checkpoint.txt"].splitlines())

    exec(compile(BLOCKS["rename.py"], "rename.py", "exec"), {})
    for command in re.findall(r"^lumc (.*)$", PAGE, re.MULTILINE):
        assert main(command.split()) == 0
    remark = re.search(r"^```text\n(.*)\n```$", PAGE, re.MULTILINE)
    assert remark is not None
    assert remark[1] in capsys.readouterr().err
    outputs = load_file("outputs.safetensors")["y"]
    np.testing.assert_allclose(outputs, model(inputs.astype(np.float64), weights), atol=1e-4)


def test_the_page_names_every_key_of_the_format() -> None:
    keys = {*_KEYS, *tomllib.loads(BLOCKS["gated.toml"]), "last"} - {"tensor"}
    assert all(f"`{key}`" in PAGE or f"`[{key}]`" in PAGE for key in keys)
