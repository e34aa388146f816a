"""What the command says: results on stdout, everything else on stderr, never a traceback."""

from __future__ import annotations

import json
import os
import sys
import tempfile
import traceback
import warnings
from collections.abc import Callable
from pathlib import Path

import click
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeElapsedColumn

from lumc.codegen.cache import CacheWarning
from lumc.diagnostics import Diagnostic, LumcError, LumcWarning, Severity

INTERRUPTED = 130


def say(text: str) -> None:
    """A line for the user that is no result."""
    print(text, file=sys.stderr)


def warn(message: str, code: str = "C001") -> None:
    """A warning in the form of all diagnostics."""
    say(Diagnostic(code, message, severity=Severity.WARNING).render())


def guarded(command: Callable[[], object], as_json: bool = False) -> int:
    """Run ``command`` and turn whatever it raises into one message and an exit code.

    With ``as_json`` an error is on stdout too, as ``{"errors": […]}``, for a program to read.

    0: done; 1: a mistake of the user, their machine or of lumc; 2: a misuse of the command line.
    """
    _tolerate_any_terminal()
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        for kind in (CacheWarning, LumcWarning):
            warnings.simplefilter("always", kind)
        warnings.showwarning = _show_once()
        try:
            result = command()
        except LumcError as error:
            _tell(as_json, *error.diagnostics)
            return error.exit_code
        except click.exceptions.Exit as leave:
            return leave.exit_code
        except click.ClickException as error:
            error.show()
            if as_json:
                _print_json(Diagnostic("C000", error.format_message()))
            return error.exit_code
        except (KeyboardInterrupt, click.Abort):
            say("\ninterrupted")
            return INTERRUPTED
        except BrokenPipeError:
            # The reader of our output has gone; there is no one left to tell.
            os.dup2(os.open(os.devnull, os.O_WRONLY), sys.stdout.fileno())
            return 1
        except Exception as error:
            _tell(as_json, _internal_error(error))
            return 1
    return result if isinstance(result, int) else 0


def _tell(as_json: bool, *diagnostics: Diagnostic) -> None:
    say(LumcError(*diagnostics).render())
    if as_json:
        _print_json(*diagnostics)


def _print_json(*diagnostics: Diagnostic) -> None:
    print(json.dumps({"errors": [diagnostic.as_json() for diagnostic in diagnostics]}))


def _internal_error(error: Exception) -> Diagnostic:
    handle, name = tempfile.mkstemp(prefix="lumc-error-", suffix=".txt", text=True)
    with os.fdopen(handle, "w", encoding="utf-8") as file:
        file.write(f"{sys.argv}\n\n")
        file.writelines(traceback.format_exception(error))
    reason = str(error).strip().split("\n")[0][:200]
    what = type(error).__name__ + (f": {reason}" if reason else "")
    return Diagnostic(
        "X001",
        f"lumc has a defect: {what}",
        hint=f"your files are untouched; please report it with {name}, which has the details",
    )


def _show_once() -> Callable[..., None]:
    """A ``warnings.showwarning`` that says each thing once, wherever it is raised."""
    said: set[str] = set()

    def show(message: Warning | str, *_: object) -> None:
        if str(message) not in said:
            said.add(str(message))
            warn(str(message))

    return show


def _tolerate_any_terminal() -> None:
    """Print signs that the terminal's encoding lacks as escapes rather than failing."""
    for stream in (sys.stdout, sys.stderr):
        reconfigure = getattr(stream, "reconfigure", None)
        if reconfigure is not None:
            reconfigure(errors="backslashreplace")


class PhaseProgress:
    """The phases of a long command: bars on a terminal, one line each elsewhere."""

    def __init__(self, quiet: bool = False) -> None:
        """Say nothing at all when ``quiet``."""
        console = Console(stderr=True)
        self._quiet = quiet
        self._bars = console.is_terminal and not quiet
        self._progress = Progress(
            TextColumn("{task.description}"),
            BarColumn(),
            MofNCompleteColumn(),
            TimeElapsedColumn(),
            console=console,
            transient=True,
            disable=not self._bars,
        )

    def __enter__(self) -> PhaseProgress:
        """Show the bars."""
        self._progress.start()
        return self

    def __exit__(self, *_: object) -> None:
        """Take the bars away."""
        self._progress.stop()

    def phase(self, name: str, total: int = 1) -> Callable[[], None]:
        """Begin a phase of ``total`` steps; what is returned ends one step."""
        if not self._bars:
            if not self._quiet:
                say(name)
            return lambda: None
        task = self._progress.add_task(name, total=total)
        return lambda: self._progress.advance(task)

    def note(self, text: str) -> None:
        """A line that stays."""
        if self._bars:
            self._progress.console.print(text, markup=False, highlight=False)
        elif not self._quiet:
            say(text)


def existing(path: Path) -> Path:
    """``path``, if something is there.

    Raises:
        LumcError: there is nothing.
    """
    if not path.exists():
        raise LumcError(Diagnostic("C002", f"there is no file or folder {path}"))
    return path


def writable(path: Path) -> Path:
    """``path``, if a file can be written there by all that is known before: work may be long.

    Raises:
        LumcError: it is a folder, or in no folder that can be written.
    """
    above = next((one for one in path.absolute().parents if one.exists()), path)
    problem = None
    if path.is_dir():
        problem = "it is a folder"
    elif not above.is_dir():
        problem = f"{above} is no folder"
    elif not os.access(above, os.W_OK | os.X_OK):
        problem = f"folder {above} can't be written"
    if problem is not None:
        raise LumcError(Diagnostic("C024", f"can't write {path}: {problem}"))
    return path
