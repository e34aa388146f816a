"""Compiles kernels in parallel through the cache, and puts a stage's folder on disk whole."""

from __future__ import annotations

import contextlib
import fcntl
import os
import secrets
import shutil
import tempfile
from collections.abc import Callable, Iterator, Mapping
from concurrent.futures import FIRST_EXCEPTION, Future, ThreadPoolExecutor, wait
from dataclasses import dataclass
from pathlib import Path

from lumc.cache_folder import cache_folder
from lumc.codegen.cache import Cache
from lumc.codegen.toolchains import CompilationError, CompiledObject, CompileUnit, Toolchain
from lumc.codegen.toolchains.process import write_unit
from lumc.diagnostics import Diagnostic, LumcError

PLAN_FILE = "plan.json"
WORK_FILE = "work.json"
"""What each kernel has to do at least, by the symbols of the plan."""
"""The file that makes a folder a compiled stage."""


class OutputError(LumcError):
    """A result can't be written where the user wants it."""


@dataclass(frozen=True, slots=True)
class BuildResult:
    """Code objects by symbol, and how many of them the cache already had."""

    objects: Mapping[str, CompiledObject]
    from_cache: int


def compile_units(
    units: Mapping[str, CompileUnit],
    chain: Toolchain,
    target: str,
    cache: Cache,
    progress: Callable[[], None] = lambda: None,
) -> BuildResult:
    """Compile each unit for ``target`` on all cores; ``progress`` is called once per unit.

    Raises:
        CompilationError: of the first unit in order that was rejected; what it was made of and the
            compiler's whole output then lie in a folder that the message names.
    """
    keys = {symbol: unit_key(unit, chain, target) for symbol, unit in units.items()}
    objects: dict[str, CompiledObject] = {}
    for symbol, key in keys.items():
        if (known := _read_object(cache, key)) is not None:
            objects[symbol] = known
            progress()
    from_cache = len(objects)
    missing = {symbol: unit for symbol, unit in units.items() if symbol not in objects}
    # Equal units under several symbols do not occur: the symbol is part of the text.
    with ThreadPoolExecutor(max_workers=len(os.sched_getaffinity(0))) as executor:
        futures = {
            symbol: executor.submit(_compile, unit, chain, target, cache, keys[symbol], progress)
            for symbol, unit in missing.items()
        }
        _finish(futures, executor)
    objects |= {symbol: future.result() for symbol, future in futures.items()}
    return BuildResult({symbol: objects[symbol] for symbol in units}, from_cache)


def unit_key(unit: CompileUnit, chain: Toolchain, target: str) -> str:
    """The cache key of a compiled unit: its text, headers, compiler, flags and target."""
    headers = [part for name in sorted(unit.headers) for part in (name, unit.headers[name])]
    return Cache.key("code object", chain.identity, target, unit.text, *headers)


def _finish(futures: Mapping[str, Future[CompiledObject]], executor: ThreadPoolExecutor) -> None:
    try:
        wait(futures.values(), return_when=FIRST_EXCEPTION)
    except BaseException:
        executor.shutdown(cancel_futures=True)
        raise
    failed = [future for future in futures.values() if future.done() and future.exception()]
    if not failed:
        return
    executor.shutdown(cancel_futures=True)
    for symbol, future in futures.items():
        error = None if future.cancelled() else future.exception()
        if isinstance(error, CompilationError):
            raise _with_evidence(error, symbol) from error
        if error is not None:
            raise error


def _compile(
    unit: CompileUnit,
    chain: Toolchain,
    target: str,
    cache: Cache,
    key: str,
    progress: Callable[[], None],
) -> CompiledObject:
    made = chain.compile(unit, target)
    cache.write(key, {"kernel.co": made.code, "kernel.s": made.assembly.encode()})
    progress()
    return made


def _read_object(cache: Cache, key: str) -> CompiledObject | None:
    entry = cache.read(key)
    if entry is None:
        return None
    return CompiledObject(entry["kernel.co"], entry["kernel.s"].decode())


def _with_evidence(error: CompilationError, symbol: str) -> CompilationError:
    """The error, with its unit and the compiler's whole output in a folder that it names."""
    folder = cache_folder() / "failures" / symbol
    try:
        folder.mkdir(parents=True, exist_ok=True)
    except OSError:
        folder = Path(tempfile.mkdtemp(prefix=f"lumc-{symbol}-"))
    write_unit(error.unit, folder)
    text = " ".join(error.command) + "\n\n" + error.output
    (folder / "compiler_output.txt").write_text(text, encoding="utf-8")
    note = f"kernel {symbol}; its source and all that the compiler said lie in {folder}"
    return CompilationError(error.command, error.output, error.unit, note)


def write_stage(folder: Path, files: Mapping[str, bytes]) -> None:
    """Make ``folder`` hold exactly ``files`` (by relative path), all at once.

    The files are written aside and the folder is renamed into place, so an interrupted run leaves
    the old content or the new. Only a folder that holds a compiled stage, or nothing, is replaced.

    Raises:
        OutputError: something else lies there, or the file system says no.
    """
    with _output_errors(folder):
        folder.parent.mkdir(parents=True, exist_ok=True)
        aside = _beside(folder)
        aside.mkdir()
        try:
            _fill(aside, files)
            with _locked(folder.parent):
                _require_replaceable(folder)
                _swap(aside, folder)
        finally:
            shutil.rmtree(aside, ignore_errors=True)


def check_output(folder: Path) -> None:
    """Find out, before any work is done, whether ``write_stage`` could write to ``folder``.

    Raises:
        OutputError: as ``write_stage`` would.
    """
    with _output_errors(folder):
        above = next(place for place in folder.absolute().parents if place.exists())
        # Trying it shows more than permissions do: a file system that only reads, or is full.
        Path(tempfile.mkdtemp(prefix=f".{folder.name}-", dir=above)).rmdir()
        if folder.parent.is_dir():
            with _locked(folder.parent):
                _require_replaceable(folder)


@contextlib.contextmanager
def _output_errors(folder: Path) -> Iterator[None]:
    try:
        yield
    except OSError as error:
        reason = error.strerror or str(error)
        raise OutputError(Diagnostic("O001", f"can't write {folder}: {reason}")) from error


@contextlib.contextmanager
def _locked(folder: Path) -> Iterator[None]:
    """Keep other processes' writes of stages in ``folder`` waiting."""
    handle = os.open(folder, os.O_RDONLY)
    try:
        fcntl.flock(handle, fcntl.LOCK_EX)
        yield
    finally:
        os.close(handle)


def _require_replaceable(folder: Path) -> None:
    if not folder.exists() or (folder / PLAN_FILE).is_file():
        return
    if not folder.is_dir() or any(folder.iterdir()):
        raise OutputError(
            Diagnostic(
                "O002",
                f"{folder} holds something that is not a compiled stage, so it is not replaced",
                hint="give another folder with -o, or remove this one",
            )
        )


def _fill(folder: Path, files: Mapping[str, bytes]) -> None:
    for name, data in files.items():
        place = folder / name
        place.parent.mkdir(parents=True, exist_ok=True)
        place.write_bytes(data)


def _beside(folder: Path) -> Path:
    return folder.parent / f".{folder.name}-{os.getpid()}-{secrets.token_hex(4)}"


def _swap(new: Path, folder: Path) -> None:
    if not folder.exists():
        new.replace(folder)
        return
    # A folder that is not empty can't be renamed over: the old one steps aside first.
    old = _beside(folder)
    folder.replace(old)
    try:
        new.replace(folder)
    except BaseException:
        old.replace(folder)
        raise
    shutil.rmtree(old, ignore_errors=True)
