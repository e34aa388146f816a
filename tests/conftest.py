"""What all tests share: golden files, a way to write them anew, and hypothesis's settings."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import settings

# Times say nothing on a machine that does other things too; the same examples in every run.
settings.register_profile("lumc", deadline=None, derandomize=True)
settings.load_profile("lumc")


def pytest_addoption(parser: pytest.Parser) -> None:
    parser.addoption(
        "--update-golden", action="store_true", help="write golden files anew instead of comparing"
    )


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Lines that tests recorded as ``said at the end``, from whichever worker they ran on."""
    reports = [
        report for kind in ("passed", "failed") for report in terminalreporter.getreports(kind)
    ]
    for report in reports:
        for name, line in report.user_properties:
            if name == "said at the end":
                terminalreporter.write_line(str(line))


@pytest.fixture
def update_golden(request: pytest.FixtureRequest) -> bool:
    """Whether golden files are to be written anew."""
    return bool(request.config.getoption("--update-golden"))


@pytest.fixture
def golden(request: pytest.FixtureRequest, update_golden: bool) -> Callable[[str, str], None]:
    """``golden(name, text)``: ``text`` is what the file ``name`` in ``golden/`` beside says."""
    folder = Path(request.path).parent / "golden"

    def compare(name: str, text: str) -> None:
        place = folder / name
        if update_golden:
            folder.mkdir(exist_ok=True)
            place.write_text(text, encoding="utf-8")
        assert place.exists(), f"no {place}: run pytest with --update-golden and read what it makes"
        assert text == place.read_text(encoding="utf-8"), (
            f"{place} differs: read the change; if it is meant, run pytest with --update-golden"
        )

    return compare
