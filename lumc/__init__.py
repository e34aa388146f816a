"""lumc: a compiler from plain tensor math to fast GPU programs.

From Python: ``compile`` makes a ``Program`` of a spec's stage, ``Pipeline`` runs a published model.
docs/python.md shows both.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from lumc.api import Program, compile
    from lumc.diagnostics import LumcError
    from lumc.pipeline import Pipeline

__version__ = "0.1.0"
__all__ = ["LumcError", "Pipeline", "Program", "__version__", "compile"]

_PLACES = {
    "LumcError": "lumc.diagnostics",
    "Pipeline": "lumc.pipeline",
    "Program": "lumc.api",
    "compile": "lumc.api",
}


def __getattr__(name: str) -> Any:
    """What is asked for, imported then: the command must start without the compiler."""
    if name not in _PLACES:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
    return getattr(import_module(_PLACES[name]), name)
