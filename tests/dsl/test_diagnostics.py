"""What each mistake prints, word for word: ``diagnostics/NAME.lum`` and ``NAME.txt`` beside it.

A comment ``# set: name=value`` or ``# config: name`` at the top of a file is how it is loaded.
After a wording has changed, ``pytest --update-golden`` rewrites the texts for review.
"""

from __future__ import annotations

import re
from pathlib import Path

import pytest

from lumc.dsl import check, load_spec
from lumc.dsl.codes import Code

FOLDER = Path(__file__).parent / "diagnostics"
CASES = sorted(FOLDER.glob("[a-z]*.lum"))


@pytest.mark.parametrize("path", CASES, ids=lambda path: path.stem)
def test_message(path: Path, update_golden: bool, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(FOLDER)
    text = path.read_text(encoding="utf-8")
    settings = dict(re.findall(r"^# set: (\w+)=(.*)$", text, re.MULTILINE))
    config = re.search(r"^# config: (\w+)$", text, re.MULTILINE)
    spec = load_spec(path.name, config.group(1) if config else None, settings)
    printed = "\n\n".join(diagnostic.render() for diagnostic in check(spec)) + "\n"
    expected = path.with_suffix(".txt")
    if update_golden:
        expected.write_text(printed, encoding="utf-8")
    assert printed == expected.read_text(encoding="utf-8")


def test_there_are_many_cases_and_each_prints_something() -> None:
    assert len(CASES) >= 40
    for path in CASES:
        assert re.search(r"(error|warning)\[L\d{3}\]", path.with_suffix(".txt").read_text("utf-8"))


def test_every_code_is_shown() -> None:
    text = "".join(path.with_suffix(".txt").read_text("utf-8") for path in CASES)
    shown = set(re.findall(r"\[(L\d{3})\]", text))
    # A file that cannot be read has no text of its own: test_loading.py.
    assert shown == {code.value for code in Code} - {Code.FILE.value}
