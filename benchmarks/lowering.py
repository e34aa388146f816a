"""How long FLUX.2 Klein takes from its text to kernels, by phase: nothing is compiled.

``python benchmarks/lowering.py`` lowers the four stages of klein_9b at 512×512 for gfx942 as
``lumc compile`` does, one after the other. Seconds are the processor's: lowering runs on one core.
"""

from __future__ import annotations

import argparse
import time
from collections import defaultdict
from collections.abc import Callable
from pathlib import Path
from typing import Any

from rich.console import Console
from rich.table import Table

from lumc.dsl import elaborate, load_spec
from lumc.lowering import fragment, lower

SPEC = Path(__file__).parent.parent / "specs" / "flux2_klein.lum"
STAGES = ("text_encoder", "vae_encoder", "transformer", "vae_decoder")
PHASES = {"prepare": "saturation", "begin": "extraction", "improve": "extraction"}
COLUMNS = ("text", "saturation", "extraction", "other choices", "the rest", "all")


class Stopwatch:
    """Seconds of the processor by phase."""

    def __init__(self) -> None:
        """Begin with none."""
        self.seconds: dict[str, float] = defaultdict(float)

    def timed(self, phase: str, function: Callable[..., Any]) -> Callable[..., Any]:
        """``function``, whose time is counted under ``phase``."""

        def run(*arguments: Any, **named: Any) -> Any:
            start = time.process_time()
            try:
                return function(*arguments, **named)
            finally:
                self.seconds[phase] += time.process_time() - start

        return run


def measure(stage: str, config: str, target: str, explained: bool) -> dict[str, float]:
    """Seconds by phase for one stage."""
    watch = Stopwatch()
    spec = load_spec(SPEC, config, {"width": "512", "height": "512"})
    program = watch.timed("text", elaborate)(spec, stage)
    kept = {name: getattr(fragment, name) for name in (*PHASES, "_rejections")}
    for name, phase in PHASES.items():
        setattr(fragment, name, watch.timed(phase, kept[name]))
    # What explain says of other choices is found by trying each.
    fragment._rejections = watch.timed(
        "other choices", lambda choice: tuple(kept["_rejections"](choice))
    )
    try:
        watch.timed("all", lower)(program, target, explained=explained)
    finally:
        for name, function in kept.items():
            setattr(fragment, name, function)
    found = watch.seconds
    found["the rest"] = found["all"] - sum(found[c] for c in COLUMNS[1:4])
    found["all"] += found["text"]
    return found


def main() -> None:
    """Measure, and print a table."""
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--config", default="klein_9b")
    parser.add_argument("--target", default="gfx942")
    parser.add_argument("--plain", action="store_true", help="without what explain says")
    options = parser.parse_args()
    # Modules and rules are loaded before.
    measure("euler_step", options.config, options.target, explained=True)
    table = Table("stage", *COLUMNS)
    total: dict[str, float] = defaultdict(float)
    for stage in STAGES:
        seconds = measure(stage, options.config, options.target, not options.plain)
        for column in COLUMNS:
            total[column] += seconds[column]
        table.add_row(stage, *(f"{seconds[column]:.2f}" for column in COLUMNS))
    table.add_row("all", *(f"{total[column]:.2f}" for column in COLUMNS))
    Console().print(table)


if __name__ == "__main__":
    main()
