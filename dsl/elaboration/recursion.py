"""Room for nested evaluations."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lumc.dsl import limits

_FRAMES_PER_EVALUATION = 12


@contextmanager
def recursion_room() -> Iterator[None]:
    """Allow the interpreter as many frames as ``EVALUATION_DEPTH`` can need.

    The evaluator is pure Python, whose frames take memory and no C stack, and it counts its own
    depth; the interpreter's limit would only cut it short at a place that depends on the caller.
    """
    limit = sys.getrecursionlimit()
    sys.setrecursionlimit(limit + limits.EVALUATION_DEPTH * _FRAMES_PER_EVALUATION)
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
