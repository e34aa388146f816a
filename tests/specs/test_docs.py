"""The examples in the documentation: each is elaborated, and evaluated where it shows values."""

from __future__ import annotations

import ast
import re
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lumc.diagnostics import LumcError
from lumc.dsl import elaborate, load_spec
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from tests.specs.spec_support import ROOT

PAGES = ("language.md", "authoring.md")


@dataclass(frozen=True)
class Example:
    """A fenced block: ``lum``, ``lum NAME.lum`` (others use it), or ``lum error`` with its text."""

    page: str
    line: int
    info: str
    text: str
    message: str

    @property
    def is_error(self) -> bool:
        return self.info == "error"

    def __str__(self) -> str:
        return f"{self.page}:{self.line}"


def examples() -> list[Example]:
    found = []
    block = re.compile(r"^```lum ?(.*)\n((?:.*\n)*?)```\n(?:```text\n((?:.*\n)*?)```\n)?", re.M)
    for page in PAGES:
        text = (ROOT / "docs" / page).read_text()
        for match in block.finditer(text):
            line = text.count("\n", 0, match.start()) + 1
            found.append(Example(page, line, match[1], match[2], match[3] or ""))
    return found


EXAMPLES = examples()


@pytest.fixture
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with the named files of all pages."""
    for example in EXAMPLES:
        if example.info.endswith(".lum"):
            (tmp_path / example.info).write_text(example.text)
    monkeypatch.chdir(tmp_path)
    return tmp_path


def stages(text: str) -> list[str]:
    return re.findall(r"^stage (\w+)", text, re.M)


def shown_values(text: str) -> dict[str, Any]:
    """The comments ``# name = value`` at the end of a block."""
    values: dict[str, Any] = {}
    for line in text.splitlines():
        match = re.fullmatch(r"# ([\w.]+) = (.*)", line)
        if match:
            value = ast.literal_eval(match[2].replace("inf", "1e999"))
            values[match[1]] = np.array(value)
    return values


@pytest.mark.parametrize("example", [e for e in EXAMPLES if not e.is_error], ids=str)
def test_example_is_a_spec(example: Example, folder: Path) -> None:
    path = folder / (example.info or "example.lum")
    path.write_text(example.text)
    spec = load_spec(path)
    for stage in stages(example.text):
        check_values(elaborate(spec, stage), shown_values(example.text))


def elaborate_all(path: Path, text: str) -> None:
    spec = load_spec(path)
    for stage in stages(text):
        elaborate(spec, stage)


def check_values(program: TensorProgram, values: dict[str, Any]) -> None:
    if not values:
        return
    leaves = [node for node in program.nodes if isinstance(node, Input | Weight)]
    given: dict[str, Any] = {}
    for node in leaves:
        kind = np.float64 if node.dtype.is_float else np.int64
        given[node.name] = values[node.name].astype(kind)
    inputs = {node.name: given[node.name] for node in leaves if isinstance(node, Input)}
    results = evaluate(program, inputs, given)
    assert set(results) | set(given) == set(values), "every value shown is used"
    for name, result in results.items():
        expected = values[name].astype(np.float64)
        np.testing.assert_allclose(result.astype(np.float64), expected, rtol=1e-6, err_msg=name)


@pytest.mark.parametrize("example", [e for e in EXAMPLES if e.is_error], ids=str)
def test_mistake_is_reported_as_shown(example: Example, folder: Path) -> None:
    path = Path("mistake.lum")
    path.write_text(example.text)
    with pytest.raises(LumcError) as caught:
        elaborate_all(path, example.text)
    assert caught.value.render() + "\n" == example.message


def test_the_pages_have_examples() -> None:
    assert {example.page for example in EXAMPLES} == set(PAGES)
    assert sum(bool(shown_values(example.text)) for example in EXAMPLES) >= 9
    assert sum(example.is_error for example in EXAMPLES) >= 6
