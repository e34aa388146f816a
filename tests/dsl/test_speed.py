"""Elaboration is no part of a compile that anybody waits for."""

from __future__ import annotations

import time
from importlib.resources import as_file, files

from lumc.dsl import elaborate, load_spec


def test_flux2_klein_9b_is_elaborated_soon() -> None:
    """All five stages: below a second on a machine of 2024 that does nothing else."""
    with as_file(files("lumc.specs").joinpath("flux2_klein.lum")) as path:
        started = time.process_time()
        spec = load_spec(path, "klein_9b")
        nodes = sum(len(elaborate(spec, stage).nodes) for stage in spec.stages)
        seconds = time.process_time() - started
    assert nodes > 8_000
    # Room for machines that are slower, and busy.
    assert seconds < 6, seconds
