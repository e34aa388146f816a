"""Reading files: what ``use`` may reach, how large a file may be, how it must be encoded.

A spec may use files of its own folder and lumc's own specs, by plain names. Nothing else is read.
"""

from __future__ import annotations

import os
import re
from collections.abc import Mapping
from dataclasses import dataclass
from importlib.resources import files
from pathlib import Path

from lumc.diagnostics import Source, Span, did_you_mean
from lumc.dsl import limits
from lumc.dsl.codes import Code
from lumc.dsl.errors import spec_error

_PLAIN_NAME = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_BYTE_ORDER_MARK = "\N{ZERO WIDTH NO-BREAK SPACE}"


@dataclass(frozen=True, slots=True)
class Library:
    """Where ``use`` looks: given texts first, then the folder, then lumc's own specs."""

    folder: Path | None
    texts: Mapping[str, str]

    def read(self, name: str, span: Span) -> Source:
        """The text of ``name.lum``.

        Raises:
            SpecError: There is no such file, or it cannot be read.
        """
        if _PLAIN_NAME.fullmatch(name) is None:
            message = f"{name} is not the name of a file"
            hint = "use takes a plain name: letters, digits and _"
            raise spec_error(Code.USE, message, span, hint)
        if name in self.texts:
            return Source(f"{name}.lum", normalized(self.texts[name]))
        for folder in self._folders():
            path = folder / f"{name}.lum"
            if path.is_file():
                _require_inside(path, folder, span)
                return read_file(path, self._shown(path))
        message = f"there is no {name}.lum beside this file or among lumc's own specs"
        raise spec_error(Code.USE, message, span, _near(name, self._folders()))

    def _folders(self) -> tuple[Path, ...]:
        own = own_specs()
        return (own,) if self.folder is None else (self.folder, own)

    def _shown(self, path: Path) -> str:
        """The path as the user would write it, or the file's name for lumc's own specs."""
        if self.folder is not None and path.parent == self.folder:
            return str(path)
        return path.name


def own_specs() -> Path:
    """The folder of the specs that come with lumc."""
    return Path(str(files("lumc.specs")))


def own_spec_with(definition: str) -> str | None:
    """The spec of lumc's own that only holds definitions, and that one, by the name for ``use``."""
    wanted = re.compile(rf"^def {re.escape(definition)}\(", re.MULTILINE)
    for path in sorted(own_specs().glob("*.lum")):
        text = path.read_text(encoding="utf-8")
        if wanted.search(text) and not re.search(r"^stage ", text, re.MULTILINE):
            return path.stem
    return None


def _near(name: str, folders: tuple[Path, ...]) -> str | None:
    return did_you_mean(name, (path.stem for folder in folders for path in folder.glob("*.lum")))


def _require_inside(path: Path, folder: Path, span: Span) -> None:
    """A link must not lead out of the folder."""
    if not path.resolve().is_relative_to(folder.resolve()):
        message = f"{path.name} is a link out of its folder"
        raise spec_error(Code.USE, message, span, "copy the file here")


def read_file(path: Path, shown: str) -> Source:
    """The text of a file with plain line ends and without a byte order mark.

    Raises:
        SpecError: The file is missing, no file, too large, or not UTF-8.
    """
    if not path.is_file():
        message = f"{shown} is not a file" if path.exists() else f"there is no file {shown}"
        raise spec_error(Code.FILE, message, None)
    try:
        with path.open("rb") as file:
            data = file.read(limits.FILE_BYTES + 1)
    except OSError as error:
        message = f"{shown} cannot be read: {os.strerror(error.errno or 0)}"
        raise spec_error(Code.FILE, message, None) from None
    if len(data) > limits.FILE_BYTES:
        raise _too_large(shown)
    try:
        return Source(shown, normalized(data.decode("utf-8")))
    except UnicodeDecodeError as error:
        before = data[: error.start]
        line = before.count(b"\n") + 1
        column = len(before.rpartition(b"\n")[2].decode("utf-8", "replace")) + 1
        message = f"byte {data[error.start]:#04x} is not UTF-8"
        source = Source(shown, normalized(data.decode("utf-8", "replace")))
        span = Span(source, line, column, line, column + 1)
        raise spec_error(Code.FILE, message, span, "save the file as UTF-8") from None


def given_text(name: str, text: str) -> Source:
    """A text that stands for a file.

    Raises:
        SpecError: It is too large.
    """
    if len(text) > limits.FILE_BYTES:
        raise _too_large(name)
    return Source(name, normalized(text))


def _too_large(shown: str) -> Exception:
    message = f"{shown} is larger than {limits.FILE_BYTES // 1000} kB"
    return spec_error(Code.LIMIT, message, None, "a spec is a text of some hundred lines")


def normalized(text: str) -> str:
    """Plain line ends, no byte order mark."""
    return text.removeprefix(_BYTE_ORDER_MARK).replace("\r\n", "\n").replace("\r", "\n")
