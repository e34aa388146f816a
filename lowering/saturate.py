"""The order in which rules run."""

from __future__ import annotations

from lumc.lowering.encode import Encoding


def saturate(encoding: Encoding) -> None:
    """Run all rules until nothing is added, composing views as rules ask for them.

    Loads are inlined, and what expressions depend on is known, before patterns are looked for:
    patterns test the masks, which only ever shrink.
    """
    while True:
        _inline(encoding)
        before = encoding.engine.size()
        encoding.engine.saturate("product")
        if encoding.engine.size() == before:
            return


def _inline(encoding: Encoding) -> None:
    while True:
        encoding.engine.saturate("inline", "depend")
        if not encoding.answer():
            return
