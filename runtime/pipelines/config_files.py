"""The JSON files of a model folder, and what may be wrong with any file of one."""

from __future__ import annotations

import json
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
        message = f"{path} is a pointer of Git LFS, not the file"
        raise folder_error(message, "fetch it: git lfs pull")
    return data


def folder_error(message: str, hint: str | None = None) -> ModelFolderError:
    """An error in a model folder, as one diagnostic."""
    return ModelFolderError(Diagnostic("G001", message, hint=hint))


def _broken_link(path: Path) -> str | None:
    return "it is a link to a file that is gone; get it again" if path.is_symlink() else None
