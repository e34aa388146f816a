"""What holds for every spec that comes with lumc."""

from __future__ import annotations

from pathlib import Path

import pytest

from lumc.dsl import check, load_spec
from tests.specs.spec_support import SPECS

ALL = sorted(SPECS.glob("**/*.lum"))


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_spec_has_neither_errors_nor_warnings(path: Path) -> None:
    tiny = "tiny" if "tiny" in load_spec(path).configs else None
    assert [diagnostic.render() for diagnostic in check(load_spec(path, tiny))] == []


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_every_configuration_can_be_chosen(path: Path) -> None:
    spec = load_spec(path)
    for config in spec.configs:
        assert load_spec(path, config).errors == ()


@pytest.mark.parametrize("path", ALL, ids=lambda path: path.stem)
def test_lines_fit_a_screen(path: Path) -> None:
    lines = path.read_text().splitlines()
    assert max(map(len, lines)) <= 150
    assert all(line == line.rstrip() and "\t" not in line for line in lines)
    assert lines[0].startswith("# "), "the first line says what this is"


def test_there_are_at_least_ten_examples() -> None:
    assert sum(path.parent.name == "examples" for path in ALL) >= 10
