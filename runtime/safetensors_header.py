"""The beginning of a safetensors file: where tensors lie, or what is wrong with it.

Eight bytes say how long the header is; the header is JSON, and says where each tensor lies in what
follows it.
"""

from __future__ import annotations

import json
import struct
from pathlib import Path

_LENGTH_BYTES = 8
_LONGEST_HEADER = 100_000_000
_LFS_POINTER = b"version https://git-lfs"


def data_starts(path: Path) -> dict[str, int]:
    """Where in ``path``, which safetensors can read, the bytes of each tensor begin."""
    with path.open("rb") as file:
        (length,) = struct.unpack("<Q", file.read(_LENGTH_BYTES))
        header = json.loads(file.read(length))
    data = _LENGTH_BYTES + length
    return {
        name: data + entry["data_offsets"][0]
        for name, entry in header.items()
        if name != "__metadata__"
    }


def what_is_wrong(path: Path) -> str | None:
    """Why ``path`` is no whole safetensors file, in words; None if that can't be told."""
    try:
        size = path.stat().st_size
        with path.open("rb") as file:
            start = file.read(len(_LFS_POINTER))
            if start == _LFS_POINTER:
                return "it is a pointer of Git LFS, not the file itself"
            if size < _LENGTH_BYTES:
                return f"it has {size} bytes"
            (length,) = struct.unpack("<Q", start[:_LENGTH_BYTES])
            if length > _LONGEST_HEADER:
                return None
            if size < _LENGTH_BYTES + length:
                return f"it ends within its header, after {size} bytes"
            file.seek(_LENGTH_BYTES)
            header = json.loads(file.read(length))
    except (OSError, ValueError, RecursionError):
        return None
    return _cut_tensor(header, size - _LENGTH_BYTES - length)


def _cut_tensor(header: object, data_bytes: int) -> str | None:
    """The first tensor that is not whole in a file with ``data_bytes`` after the header."""
    if not isinstance(header, dict):
        return None
    ends = {}
    for name, entry in header.items():
        offsets = entry.get("data_offsets") if isinstance(entry, dict) else None
        if isinstance(offsets, list) and len(offsets) == 2 and isinstance(offsets[1], int):
            ends[name] = offsets[1]
    cut = {name: end for name, end in ends.items() if end > data_bytes}
    if not cut:
        return None
    first = min(cut, key=cut.__getitem__)
    others = f" and {len(cut) - 1} more" if len(cut) > 1 else ""
    missing = max(cut.values()) - data_bytes
    return f"it is cut short: {missing} bytes are missing, of tensor {first}{others}"
