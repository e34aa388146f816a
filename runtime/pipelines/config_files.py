"""The JSON files of a model folder, and what may be wrong with any file of one."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from lumc.diagnostics import Diagnostic, LumcError

_LFS_POINTER = b"version https://git-lfs"


class ModelFolderError(LumcError):
    """A folder holds no model that lumc can run, or not all of it."""


def read_config(path: Path) -> dict[str, Any]:
    """The JSON object in ``path``.

    Raises:
        ModelFolderError: the file is missing, damaged or something else.
    """
    data = read_bytes(path)
    try:
        content = json.loads(data)
    except (ValueError, RecursionError) as error:
        raise folder_error(f"can't read {path} as JSON: {error}", GET_AGAIN) from None
    if not isinstance(content, dict):
        raise folder_error(f"{path} is no JSON object", GET_AGAIN)
    return content


GET_AGAIN = "the file is damaged, incomplete or of another format; get it again"


def read_bytes(path: Path) -> bytes:
    """What is in ``path``.

    Raises:
        ModelFolderError: the file is missing, can't be read, or only stands for another.
    """
    try:
        data = path.read_bytes()
    except FileNotFoundError:
        raise folder_error(f"there is no file {path}", _broken_link(path)) from None
    except OSError as error:
        raise folder_error(f"can't read {path}: {error.strerror or error}") from None
    if data.startswith(_LFS_POINTER):
        raise lfs_pointer(path)
    return data


def is_lfs_pointer(path: Path) -> bool:
    """Whether ``path`` only says where Git LFS keeps the file."""
    try:
        with path.open("rb") as file:
            return file.read(len(_LFS_POINTER)) == _LFS_POINTER
    except OSError:
        return False


def lfs_pointer(path: Path) -> ModelFolderError:
    """The error for a file that Git LFS has not fetched."""
    return folder_error(f"{path} is a pointer of Git LFS, not the file", "fetch it: git lfs pull")


def lookup(config: Mapping[str, Any], key: str) -> Any:
    """The value at a dotted key, as ``rope_parameters.rope_theta``; KeyError if there is none."""
    value: Any = config
    for part in key.split("."):
        if not isinstance(value, Mapping):
            raise KeyError(key)
        value = value[part]
    return value


def folder_error(message: str, hint: str | None = None) -> ModelFolderError:
    """An error in a model folder, as one diagnostic."""
    return ModelFolderError(Diagnostic("G001", message, hint=hint))


def _broken_link(path: Path) -> str | None:
    return "it is a link to a file that is gone; get it again" if path.is_symlink() else None
