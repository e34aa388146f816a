"""Where lumc keeps what can be made again."""

from __future__ import annotations

import os
from pathlib import Path

CACHE_VARIABLE = "LUMC_CACHE_DIR"


def cache_folder() -> Path:
    """``$LUMC_CACHE_DIR``, else ``lumc`` in the user's cache folder. It may not exist yet."""
    if named := os.environ.get(CACHE_VARIABLE):
        return Path(named)
    home = os.environ.get("XDG_CACHE_HOME")
    return (Path(home) if home else Path.home() / ".cache") / "lumc"
