"""How the Python interpreter is set while a spec is elaborated."""

from __future__ import annotations

import gc
import sys
from collections.abc import Iterator
from contextlib import contextmanager

from lumc.dsl import limits

_FRAMES_PER_EVALUATION = 12


@contextmanager
def set_for_elaboration() -> Iterator[None]:
    """Allow the frames that ``EVALUATION_DEPTH`` can need, and don't look for cycles.

    The evaluator is pure Python, whose frames take memory and no C stack, and it counts its own
    depth; the interpreter's limit would only cut it short at a place that depends on the caller.
    What it makes lives on and holds no cycles: looking for them would cost a tenth of the time.
    """
    limit, collects = sys.getrecursionlimit(), gc.isenabled()
    sys.setrecursionlimit(limit + limits.EVALUATION_DEPTH * _FRAMES_PER_EVALUATION)
    gc.disable()
    try:
        yield
    finally:
        sys.setrecursionlimit(limit)
        if collects:
            gc.enable()
