"""A content-addressed store of what is costly to make: code objects, whole compiled stages.

An entry is a set of named files under a key that says everything its content depends on. Entries
are written aside and renamed, so parallel processes never see half of one; each carries a hash of
its content, so a damaged one is found and made again. A cache that can't be written costs time,
never a result: the first failure warns, and the compile goes on without it.
"""

from __future__ import annotations

import hashlib
import json
import uuid
import warnings
import zlib
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from lumc.cache_folder import CACHE_VARIABLE, cache_folder

_MAGIC = b"lumc cache entry 2\n"
_COMPRESSION = 1  # the fastest: assembly text still shrinks to a fifth


class CacheWarning(UserWarning):
    """The cache can't be used as it should; nothing else is wrong."""


def open_cache() -> Cache:
    """The cache in ``cache_folder()``."""
    return Cache(cache_folder())


@dataclass(frozen=True, slots=True)
class Cache:
    """Entries under ``root``; the folder is made when first written to."""

    root: Path

    @staticmethod
    def key(*parts: str | bytes) -> str:
        """A name for content that depends on ``parts`` alone; no two lists of parts share one."""
        digest = hashlib.sha256()
        for part in parts:
            data = part.encode() if isinstance(part, str) else part
            digest.update(len(data).to_bytes(8, "little"))
            digest.update(data)
        return digest.hexdigest()

    def read(self, key: str) -> dict[str, bytes] | None:
        """The files stored under ``key``, or None when there are none or they are damaged."""
        try:
            data = self._place(key).read_bytes()
        except OSError:
            return None
        return _unpack(data)

    def write(self, key: str, files: Mapping[str, bytes]) -> None:
        """Store ``files`` under ``key``, replacing what is there."""
        place = self._place(key)
        try:
            place.parent.mkdir(parents=True, exist_ok=True)
            write_atomically(place, _pack(files))
        except OSError as error:
            reason = error.strerror or str(error)
            warnings.warn(
                f"can't write to the cache in {self.root} ({reason}): going on without it; "
                f"{CACHE_VARIABLE} names another folder",
                CacheWarning,
                stacklevel=2,
            )

    def _place(self, key: str) -> Path:
        return self.root / key[:2] / key[2:]


def write_atomically(place: Path, data: bytes) -> None:
    """Write ``data`` to ``place`` such that a reader sees the old content or the new, never a part.

    A link leads to what is written. A device or a pipe is written to as it is.

    Raises:
        OSError: as the file system says; nothing is left behind then.
    """
    # Not tempfile's: what is written is as open to others as any file of this user.
    place = place.resolve()
    if place.exists() and not place.is_file() and not place.is_dir():
        place.write_bytes(data)
        return
    aside = place.with_name(f".{uuid.uuid4().hex}.tmp")
    try:
        with aside.open("xb") as file:
            file.write(data)
        aside.replace(place)
    except BaseException:
        aside.unlink(missing_ok=True)
        raise


def _pack(files: Mapping[str, bytes]) -> bytes:
    names = sorted(files)
    index = json.dumps([[name, len(files[name])] for name in names]).encode() + b"\n"
    body = zlib.compress(index + b"".join(files[name] for name in names), _COMPRESSION)
    return _MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n" + body


def _unpack(data: bytes) -> dict[str, bytes] | None:
    start = len(_MAGIC) + 65
    body = data[start:]
    if data[:start] != _MAGIC + hashlib.sha256(body).hexdigest().encode() + b"\n":
        return None
    index, _, content = zlib.decompress(body).partition(b"\n")
    files: dict[str, bytes] = {}
    position = 0
    for name, size in json.loads(index):
        files[name] = content[position : position + size]
        position += size
    return files
