"""``lumc inspect egraph``: a drawing in the author's names."""

import re
import shutil
from pathlib import Path

import pytest

from lumc.cli import main

SPEC = """use nn
stage s(x: f32[5, 7], W: f32[6, 7]) -> y: f32[5, 6], z: f32[5]:
    y[t, o] = 2 * silu(linear(x[t], W)[o])
    z[t] = max[i] x[t, i]
"""


def drawn(place: Path, capsys: pytest.CaptureFixture[str], *arguments: str) -> str:
    capsys.readouterr()
    assert main(["inspect", "egraph", str(place), *arguments]) == 0
    return capsys.readouterr().out


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    place = tmp_path / "small.lum"
    place.write_text(SPEC, encoding="utf-8")
    return place


def test_a_neighbourhood(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = drawn(spec, capsys, "--around", "silu")
    assert text.startswith("// s, around silu: ")
    assert "product over 7" in text
    assert "silu (nn.lum:15)" in text
    assert text.count("{") == text.count("}")
    # Every arrow leads from and to classes that are there.
    classes = set(re.findall(r"^  (\w+) \[label", text, re.M))
    arrows = re.findall(r"^  (\w+) -> (\w+):a\d+;", text, re.M)
    assert arrows
    assert {end for arrow in arrows for end in arrow} <= classes
    few = drawn(spec, capsys, "--around", "silu", "--most", "3")
    assert len(re.findall(r"\[label", few)) == 3
    assert drawn(spec, capsys, "--around", "silu") == text


def test_a_compiled_stage(spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["compile", str(spec), "-o", str(out)]) == 0
    from_spec = drawn(spec, capsys)
    assert from_spec.startswith("// s, from the outputs on: ")
    assert re.sub(r"[\w.]*:\d", "", drawn(out, capsys)) == re.sub(r"[\w.]*:\d", "", from_spec)


def test_a_name_that_is_not_there(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["inspect", "egraph", str(spec), "--around", "sliu"]) == 1
    assert "silu" in capsys.readouterr().err


def test_drawing_needs_graphviz(
    spec: Path, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    if shutil.which("dot"):
        assert "<svg" in drawn(spec, capsys, "--svg")
    monkeypatch.setenv("PATH", "")
    assert main(["inspect", "egraph", str(spec), "--svg"]) == 1
    assert "Graphviz" in capsys.readouterr().err
