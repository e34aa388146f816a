"""Compiles ordinary HIP files: with Debian's HIP headers and device libraries, not installed.

The packages are fetched and unpacked into the cache folder. Debian's device libraries are older
than these chips: the control constants of the nearest older chip stand for theirs.
"""

import shutil
import subprocess
import tempfile
from pathlib import Path

from lumc.codegen.toolchains.clang import ClangToolchain
from lumc.codegen.toolchains.discovery import choose_toolchain
from tests.runtime.emulator.assembly_kernel import lanes_of
from tests.runtime.emulator.triton_material import material_folder, only_one

PACKAGES = ("libamdhip64-dev", "rocm-device-libs", "libclang-common-19-dev")
OLDER_VERSIONS = {"942": "940", "950": "940", "1100": "1030"}


class HipUnavailableError(Exception):
    """The packages could not be fetched; the message says why."""


def hip_folder() -> Path:
    """A folder with `usr/include/hip`, clang's HIP wrappers and `bitcode`."""
    folder = material_folder() / "hip-headers"
    with only_one("hip"):
        if not (folder / "ready").exists():
            fetch(folder)
            (folder / "ready").touch()
    return folder


def fetch(folder: Path) -> None:
    if shutil.which("apt-get") is None or shutil.which("dpkg-deb") is None:
        raise HipUnavailableError("HIP's headers come from Debian's packages; no apt-get here")
    shutil.rmtree(folder, ignore_errors=True)
    folder.mkdir(parents=True)
    with tempfile.TemporaryDirectory() as name:
        done = run(("apt-get", "download", "-q", *PACKAGES), name)
        if done.returncode != 0:
            run(("apt-get", "update", "-q"), name)
            done = run(("apt-get", "download", "-q", *PACKAGES), name)
        if done.returncode != 0:
            raise HipUnavailableError(f"{', '.join(PACKAGES)} not to be had: {done.stderr[-300:]}")
        for package in Path(name).glob("*.deb"):
            run(("dpkg-deb", "-x", str(package), str(folder)), name).check_returncode()
    bitcode = folder / "bitcode"
    shutil.copytree(next(folder.glob("usr/lib/*/amdgcn/bitcode")), bitcode)
    for version, older in OLDER_VERSIONS.items():
        same = bitcode / f"oclc_isa_version_{older}.bc"
        shutil.copy(same, bitcode / f"oclc_isa_version_{version}.bc")


def run(command: tuple[str, ...], folder: str | Path) -> "subprocess.CompletedProcess[str]":
    return subprocess.run(command, cwd=folder, capture_output=True, text=True, check=False)


def linked(library: Path) -> tuple[str, ...]:
    return ("-Xclang", "-mlink-builtin-bitcode", "-Xclang", str(library))


def compile_hip(source: Path, target: str) -> tuple[bytes, str]:
    """(code object, assembly text) of a HIP file that includes `hip/hip_runtime.h`."""
    headers = hip_folder()
    toolchain = choose_toolchain(target)
    assert isinstance(toolchain, ClangToolchain)
    wrappers = next(headers.glob("usr/lib/llvm-*/lib/clang/*/include"))
    flags = (
        *("-x", "hip", f"--offload-arch={target}", "--offload-device-only"),
        *("--no-gpu-bundle-output", "-O3", "-std=c++17", "-mcode-object-version=5"),
        *(f"--rocm-path={headers / 'usr'}", f"--rocm-device-lib-path={headers / 'bitcode'}"),
        *("-isystem", str(wrappers), f"-D__AMDGCN_WAVEFRONT_SIZE={lanes_of(target)}"),
        *linked(headers / "bitcode" / "hip.bc"),
        # Newer clangs take for granted that the libraries no longer ask for this one.
        *linked(headers / "bitcode" / "oclc_daz_opt_off.bc"),
        *(("-mcumode",) if lanes_of(target) == 32 else ()),
        *("-Wno-unused-value", "-Wno-deprecated-declarations", "-gline-tables-only"),
    )
    triple = ("--target=amdgcn-amd-amdhsa", f"-mcpu={target}", "-x", "assembler", "-c")
    with tempfile.TemporaryDirectory() as name:
        for command in (
            (*toolchain.compiler, *flags, str(source), "-S", "-o", "kernel.s"),
            (*toolchain.compiler, *triple, "kernel.s", "-o", "kernel.o"),
            (*toolchain.linker, "-shared", "kernel.o", "-o", "kernel.co"),
        ):
            done = run(command, name)
            assert done.returncode == 0, done.stderr
        folder = Path(name)
        return (folder / "kernel.co").read_bytes(), (folder / "kernel.s").read_text()
