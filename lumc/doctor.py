"""What this machine has for lumc, and what each missing piece would bring."""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import dataclass

from lumc.cache_folder import cache_folder
from lumc.codegen.target import known_targets
from lumc.codegen.toolchains import (
    BrokenToolchain,
    choose_toolchain,
    find_toolchains,
    supported_targets,
)
from lumc.diagnostics import LumcError
from lumc.runtime.devices.cuda import CudaDevice, count_cuda_devices
from lumc.runtime.devices.device import Device
from lumc.runtime.devices.emulator import EMULATED_TARGETS, build_emulator
from lumc.runtime.devices.hip import HipDevice, count_hip_devices


@dataclass(frozen=True, slots=True)
class Finding:
    """One line of the report: what was looked for, whether it works, and details."""

    topic: str
    name: str
    works: bool
    detail: str


def examine(next_is: Callable[[str], None] = lambda what: None) -> tuple[Finding, ...]:
    """Everything lumc can use on this machine; ``next_is`` hears what may take a while."""
    next_is("trying compilers")
    compilers = (*_toolchains(), *_targets())
    next_is("looking for GPUs")
    gpus = (
        *_gpus("hip", count_hip_devices, HipDevice),
        *_gpus("cuda", count_cuda_devices, CudaDevice),
    )
    next_is("building the emulator where that has not been done")
    return (
        Finding("host", "python", True, sys.version.split()[0]),
        *compilers,
        *gpus,
        Finding("device", "emulator", *_emulator()),
        Finding("device", "reference", True, "NumPy, from the spec itself"),
        Finding("cache", str(cache_folder()), *_cache()),
    )


def _toolchains() -> list[Finding]:
    findings = []
    for chain in find_toolchains():
        if isinstance(chain, BrokenToolchain):
            findings.append(
                Finding("toolchain", chain.name, False, f"{chain.path}: {chain.reason}")
            )
            continue
        results = supported_targets(chain, known_targets())
        works = " ".join(target for target, result in results if result.works) or "no target"
        findings.append(Finding("toolchain", chain.name, True, f"{chain.version}: {works}"))
    if not findings:
        hint = "none; pip install 'lumc[toolchain]' brings a clang for every AMD target"
        findings.append(Finding("toolchain", "any", False, hint))
    return findings


def _targets() -> list[Finding]:
    findings = []
    for target in known_targets():
        try:
            chain = choose_toolchain(target)
        except LumcError as error:
            findings.append(Finding("target", target, False, error.diagnostics[0].hint or ""))
        else:
            findings.append(Finding("target", target, True, f"compiled by {chain.name}"))
    return findings


def _gpus(kind: str, count: Callable[[], int], open_gpu: Callable[[int], Device]) -> list[Finding]:
    try:
        number_found = count()
    except LumcError as error:
        (first, *_) = error.diagnostics
        absent = first.code == "D012"  # all is installed, and there is no GPU
        detail = first.message + (f"; {first.hint}" if first.hint and not absent else "")
        return [Finding("device", kind, False, detail)]
    findings = []
    for number in range(number_found):
        try:
            device = open_gpu(number)
        except LumcError as error:
            findings.append(Finding("device", f"{kind}:{number}", False, str(error)))
            continue
        findings.append(Finding("device", device.name, True, device.target or ""))
        device.close()
    return findings


def _emulator() -> tuple[bool, str]:
    try:
        build_emulator()
    except LumcError as error:
        return False, error.render()
    return True, "runs code for " + " ".join(EMULATED_TARGETS)


def _cache() -> tuple[bool, str]:
    folder = cache_folder()
    try:
        folder.mkdir(parents=True, exist_ok=True)
        files = [path for path in folder.rglob("*") if path.is_file()]
        size = sum(path.stat().st_size for path in files)
    except OSError as error:
        return False, f"{error.strerror}; LUMC_CACHE_DIR names another folder"
    return True, f"{len(files)} entries, {size / 1e6:.0f} MB"
