"""Compiles `kernels/triton_kernels.py` with a Triton of its own, installed at first use."""

import fcntl
import hashlib
import json
import os
import subprocess
import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from importlib.util import find_spec
from pathlib import Path

from lumc.cache_folder import cache_folder

TRITON = "triton==3.9.0"
SOURCE = Path(__file__).parent / "kernels" / "triton_kernels.py"


class TritonUnavailableError(Exception):
    """Triton is neither here nor could it be installed; the message says why."""


@dataclass(frozen=True, slots=True)
class TritonKernel:
    """A compiled kernel; `arguments` are the names of its run-time arguments, in order."""

    name: str
    target: str
    kernel: str
    threads: int
    dynamic_lds: int
    constants: dict[str, int]
    arguments: tuple[str, ...]
    code_object: bytes
    assembly: str


def material_folder() -> Path:
    folder = cache_folder() / "tests"
    folder.mkdir(parents=True, exist_ok=True)
    return folder


@contextmanager
def only_one(name: str) -> Iterator[None]:
    """Lets one process at a time past, so that parallel test workers share the work."""
    with (material_folder() / f"{name}.lock").open("w") as lock:
        fcntl.flock(lock, fcntl.LOCK_EX)
        yield


def triton_python() -> Path:
    """A Python that imports Triton: this one, or one of an environment made for it."""
    if find_spec("triton") is not None:
        return Path(sys.executable)
    folder = material_folder() / TRITON.replace("==", "-")
    python = folder / "bin" / "python"
    with only_one("triton"):
        if not (folder / "ready").exists():
            install_triton(folder, python)
            (folder / "ready").touch()
    return python


def install_triton(folder: Path, python: Path) -> None:
    for command in (
        (sys.executable, "-m", "venv", "--clear", str(folder)),
        (str(python), "-m", "pip", "install", "--quiet", TRITON),
    ):
        done = subprocess.run(command, capture_output=True, text=True, check=False)
        if done.returncode != 0:
            raise TritonUnavailableError(f"{TRITON} could not be installed: {done.stderr[-300:]}")


def compiled_folder() -> Path:
    """The folder with every kernel compiled; made once for each text of the source."""
    python = triton_python()
    digest = hashlib.sha256(SOURCE.read_bytes() + TRITON.encode()).hexdigest()[:16]
    folder = material_folder() / f"triton-kernels-{digest}"
    with only_one("triton-kernels"):
        if not folder.exists():
            with tempfile.TemporaryDirectory(dir=material_folder()) as name:
                compile_all(python, Path(name) / "out")
                (Path(name) / "out").rename(folder)
    return folder


def compile_all(python: Path, folder: Path) -> None:
    environment = {**os.environ, "TRITON_DEFAULT_FP_FUSION": "1"}
    environment["TRITON_CACHE_DIR"] = str(folder.parent / "cache")
    command = (str(python), str(SOURCE), str(folder))
    done = subprocess.run(command, capture_output=True, text=True, env=environment, check=False)
    assert done.returncode == 0, done.stderr


def triton_kernels() -> dict[tuple[str, str], TritonKernel]:
    """The compiled kernels by name and target."""
    folder = compiled_folder()
    kernels = {}
    for entry in json.loads((folder / "kernels.json").read_text()):
        stem = f"{entry['name']}.{entry['target']}"
        kernels[entry["name"], entry["target"]] = TritonKernel(
            name=entry["name"],
            target=entry["target"],
            kernel=entry["kernel"],
            threads=entry["threads"],
            dynamic_lds=entry["dynamic_lds"],
            constants=entry["constants"],
            arguments=tuple(entry["arguments"]),
            code_object=(folder / f"{stem}.hsaco").read_bytes(),
            assembly=(folder / f"{stem}.s").read_text(),
        )
    return kernels
