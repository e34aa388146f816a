"""The memory of this machine, for devices that live in it."""

from __future__ import annotations

import os
import re
from pathlib import Path

DLPACK_HOST = 1


def free_host_bytes() -> int:
    """Memory that this process could still take without the machine beginning to swap."""
    try:
        found = re.search(r"MemAvailable:\s+(\d+) kB", Path("/proc/meminfo").read_text("ascii"))
    except OSError:
        found = None
    if found is not None:
        return int(found[1]) << 10
    return os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")
