"""Compiles the interpreter's C++ on first use and keeps the library in the user's cache."""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import os
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from importlib.util import find_spec
from pathlib import Path

from lumc.cache_folder import CACHE_VARIABLE, cache_folder
from lumc.diagnostics import Diagnostic, LumcError

_SOURCES = Path(__file__).parent / "native"
_FLAGS = (
    "-std=c++17",
    "-O3",
    "-march=native",
    # Every operation rounds as the chip's would: nothing is fused that the program does not fuse.
    "-ffp-contract=off",
    "-fno-math-errno",
    "-fno-trapping-math",
    "-fPIC",
    "-fvisibility=hidden",
)


class EmulatorBuildError(LumcError):
    """The emulator's C++ could not be compiled on this machine."""


def find_compiler() -> tuple[str, ...]:
    """The command of a C++ compiler: ``$CXX``, else c++, g++ or clang++, else ziglang's.

    Raises:
        EmulatorBuildError: if there is none.
    """
    if chosen := os.environ.get("CXX"):
        return tuple(chosen.split())
    for name in ("c++", "g++", "clang++"):
        if found := shutil.which(name):
            return (found,)
    if find_spec("ziglang") is not None:
        return (sys.executable, "-m", "ziglang", "c++")
    raise EmulatorBuildError(
        Diagnostic(
            "L0701",
            "the emulator needs a C++ compiler, and none was found",
            hint="install g++ or clang, set CXX, or `pip install ziglang`",
        )
    )


def library() -> Path:
    """The path of the interpreter's shared library, compiled now if it was not before.

    The library is kept by what it was made from (sources, compiler, flags, processor), so that a
    change of any of them makes a new one. Of several processes one builds, and the others wait.

    Raises:
        EmulatorBuildError: if there is no compiler, or it fails, or its result can't be kept.
    """
    compiler = find_compiler()
    sources = sorted(_SOURCES.glob("*.cpp"))
    headers = sorted(_SOURCES.glob("*.hpp"))
    name = f"emulator-{_key(compiler, (*sources, *headers))}{_suffix()}"
    target = cache_folder() / "emulator" / name
    try:
        if not target.exists():
            with _only_one(target):
                if not target.exists():
                    _build(compiler, sources, target)
    except OSError as error:
        raise EmulatorBuildError(
            Diagnostic(
                "L0701",
                f"the emulator can't be built in {target.parent}: {error.strerror}",
                hint=f"{CACHE_VARIABLE} names another folder for it",
            )
        ) from None
    return target


@contextlib.contextmanager
def _only_one(target: Path) -> Iterator[None]:
    """Of several processes that want ``target`` built, one does it and the others wait."""
    target.parent.mkdir(parents=True, exist_ok=True)
    with target.with_suffix(".lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def _suffix() -> str:
    return ".dylib" if sys.platform == "darwin" else ".so"


def _key(compiler: tuple[str, ...], files: tuple[Path, ...]) -> str:
    digest = hashlib.sha256()
    for part in (*compiler, _version(compiler), _processor(), *_FLAGS):
        digest.update(part.encode() + b"\0")
    for file in files:
        digest.update(file.name.encode() + b"\0" + file.read_bytes())
    return digest.hexdigest()[:20]


def _version(compiler: tuple[str, ...]) -> str:
    return _run((*compiler, "--version"), Path.cwd()).split("\n")[0]


def _processor() -> str:
    """What ``-march=native`` depends on; a cache may be shared between machines."""
    with contextlib.suppress(OSError):
        lines = Path("/proc/cpuinfo").read_text().splitlines()
        return next((line for line in lines if line.startswith(("flags", "Features"))), "")
    return ""


def _build(compiler: tuple[str, ...], sources: list[Path], target: Path) -> None:
    with _workspace(target.parent) as workspace:

        def compile_one(source: Path) -> Path:
            output = workspace / f"{source.stem}.o"
            _run((*compiler, *_FLAGS, "-c", str(source), "-o", str(output)), workspace)
            return output

        with ThreadPoolExecutor(max_workers=os.cpu_count()) as pool:
            objects = tuple(pool.map(compile_one, sources))
        built = workspace / target.name
        _run((*compiler, "-shared", *map(str, objects), "-o", str(built), "-pthread"), workspace)
        built.replace(target)


@contextlib.contextmanager
def _workspace(parent: Path) -> Iterator[Path]:
    with tempfile.TemporaryDirectory(dir=parent, prefix="build-") as directory:
        yield Path(directory)


def _run(command: tuple[str, ...], directory: Path) -> str:
    try:
        done = subprocess.run(command, cwd=directory, capture_output=True, text=True, check=True)
    except FileNotFoundError as error:
        raise EmulatorBuildError(
            Diagnostic(
                "L0701",
                f"the C++ compiler {command[0]} does not exist",
                hint="correct the variable CXX, or unset it to use the system's compiler",
            )
        ) from error
    except subprocess.CalledProcessError as error:
        first = tuple(line for line in error.stderr.splitlines() if "error" in line)[:3]
        raise EmulatorBuildError(
            Diagnostic(
                "L0702",
                f"{command[0]} could not compile the emulator",
                hint="set CXX to another C++17 compiler (g++ 9, clang 10 or later)",
                notes=first or (error.stderr.strip()[-400:],),
            )
        ) from error
    return done.stdout
