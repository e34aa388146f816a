"""No text whatsoever brings more than a ``LumcError``, and every message can be printed."""

from __future__ import annotations

import re
from importlib.resources import files

from hypothesis import given, settings
from hypothesis import strategies as st

from lumc.diagnostics import Severity
from lumc.dsl import check, elaborate, load_text

SPECS = files("lumc.specs")
LIBRARY = {name: SPECS.joinpath(f"{name}.lum").read_text("utf-8") for name in ("nn",)}
EXAMPLES = sorted(
    (path.name.removesuffix(".lum"), path.read_text("utf-8"))
    for path in SPECS.joinpath("examples").iterdir()
    if path.name.endswith(".lum")
)
WORDS = re.compile(r"[A-Za-z_]\w*'*|\d+(?:\.\d+)?|\n[ ]*|[^\S\n]+|[^\s\w]")
SIGNS = sorted({word for _, text in EXAMPLES for word in WORDS.findall(text) if word.strip()})


def survive(name: str, text: str, library: dict[str, str] | None = None) -> None:
    """Check the text; what has no errors must elaborate to a program that verifies."""
    spec = load_text(name, text, files=library)
    diagnostics = check(spec)
    assert all(diagnostic.render() for diagnostic in diagnostics)
    if not any(diagnostic.severity is Severity.ERROR for diagnostic in diagnostics):
        for stage in spec.stages:
            elaborate(spec, stage)


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.text())
def test_any_text(text: str) -> None:
    survive("any", text)


@settings(max_examples=400, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from([*SIGNS, "\n", "\n    ", "\n        ", " "]), max_size=60))
def test_any_words(words: list[str]) -> None:
    survive("words", " ".join(words).replace(" \n", "\n"))


@settings(max_examples=300, deadline=None, derandomize=True)
@given(st.lists(st.sampled_from(SIGNS), max_size=25))
def test_any_body(words: list[str]) -> None:
    body = " ".join(words)
    survive("body", f"stage s(x: f32[3, 4], n: i32[3]) -> y: f32[3, 4]:\n    y[i, j] = {body}\n")


@st.composite
def mutants(draw: st.DrawFn, text: str) -> str:
    """``text`` with a few words taken out, put in, exchanged or replaced."""
    words = WORDS.findall(text)
    own = [word for word in words if word.strip()]
    for _ in range(draw(st.integers(1, 3))):
        at = draw(st.integers(0, len(words) - 1))
        match draw(st.sampled_from(["drop", "replace", "insert", "swap"])):
            case "drop":
                words[at] = ""
            case "replace":
                words[at] = draw(st.sampled_from(own))
            case "insert":
                words.insert(at, draw(st.sampled_from(own)))
            case _:
                other = min(len(words) - 1, at + draw(st.integers(1, 6)))
                words[at], words[other] = words[other], words[at]
    return "".join(words)


@settings(max_examples=250, deadline=None, derandomize=True)
@given(st.data())
def test_mutated_specs(data: st.DataObject) -> None:
    name, text = data.draw(st.sampled_from(EXAMPLES))
    survive(name, data.draw(mutants(text)))


@settings(max_examples=40, deadline=None, derandomize=True)
@given(st.data())
def test_mutated_library(data: st.DataObject) -> None:
    name, text = data.draw(st.sampled_from(EXAMPLES))
    survive(name, text, {"nn": data.draw(mutants(LIBRARY["nn"]))})
