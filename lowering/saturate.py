"""The order in which rules run."""

from __future__ import annotations

from lumc.lowering.encode import Encoding


def saturate(encoding: Encoding) -> None:
    """Run all rules until nothing is added, composing views as rules ask for them.

    Loads are inlined, and what expressions depend on is known, before patterns are looked for:
    patterns test the masks, which only ever shrink.
    """
    while True:
        encoding.engine.saturate("inline", "depend")
        if encoding.answer():
            continue
        encoding.engine.saturate("product")
        if not encoding.answer():
            return
