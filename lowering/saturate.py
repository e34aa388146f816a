"""The order in which rules run."""

from __future__ import annotations

from lumc.lowering.encode import Encoding


def saturate(encoding: Encoding) -> None:
    """Run all rules until nothing is added, composing views as rules ask for them.

    Loads are inlined, and what expressions depend on is known, before patterns are looked for:
    patterns test the masks, which only ever shrink.
    """
    while True:
        _answer_all(encoding, "inline", "depend")
        before = encoding.engine.size()
        encoding.engine.saturate("product")
        _answer_all(encoding, "algebra", "attention")
        if encoding.engine.size() == before:
            return


def _answer_all(encoding: Encoding, *rulesets: str) -> None:
    """Run ``rulesets`` until they add nothing and ask for nothing more."""
    while True:
        encoding.engine.saturate(*rulesets)
        if not encoding.answer():
            return
