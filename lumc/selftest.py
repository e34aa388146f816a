"""``lumc doctor --selftest``: every family of kernels, in odd sizes, held to its meaning.

Kernels are compiled as a user's are and run on the emulator, with all of its checks, or on a GPU,
through a recorded graph and twice: what they write must be within the bound that rounding allows,
nothing else may change, and the second run must give the same bytes. On a GPU the vendor's library
does the products that it takes as well, and a few kernels of full size are timed beside what the
timing model predicts for them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass, replace
from importlib.resources import as_file, files
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.codegen.assemble_plan import plan_call
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import EmittedKernel, MathMode, emit_call
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.compiler import CompileOptions, Silent, Stopwatch, make_kernels
from lumc.diagnostics import Diagnostic, LumcError, did_you_mean
from lumc.dsl import elaborate, load_spec
from lumc.judging import Judge, can_judge
from lumc.lowering.kernel_program import Gemm, Kernel, ParameterAccess
from lumc.lowering.library_kernels import library_product
from lumc.measuring import Measurer
from lumc.runtime.devices.device import Device, DeviceArgument, DeviceLaunch
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.devices.hip import HipDevice
from lumc.runtime.devices.open_device import open_device
from lumc.runtime.meetings import meeting_arguments
from lumc.runtime.verify_kernels import KernelCheck, RunWorkgroups, check_kernel, emulated
from lumc.stage_files import MadeKernels

SPEC = "selftest.lum"

SIZES: Mapping[str, Mapping[str, str]] = {
    "odd": {},
    "least": {
        **dict.fromkeys(("rows", "heads", "shared", "queries", "keys", "side"), "1"),
        **{"inner": "8", "columns": "8", "channels": "8", "width": "8", "groups": "1"},
    },
    "f16, wide": {
        **{"dtype": "f16", "rows": "300", "inner": "520", "columns": "776", "heads": "2"},
        **{"shared": "2", "width": "128", "queries": "333", "keys": "521", "side": "17"},
        "channels": "40",
    },
    "f32": {"dtype": "f32"},
}
"""By name, the settings of the spec that each family is tried with."""

TIMED: Mapping[str, Mapping[str, str]] = {
    "product_bias": {"rows": "4096", "inner": "4096", "columns": "4096"},
    "product_shared": {"rows": "512", "inner": "1536", "columns": "4096"},
    "attention_plain": {"heads": "24", "width": "128", "queries": "4608", "keys": "4608"},
    "norm_modulated": {"rows": "4608", "columns": "4096"},
}
"""Stages of full size that are timed on a GPU."""

Array = npt.NDArray[Any]


class UnsteadyKernelError(LumcError):
    """A kernel gives other results each time."""


@dataclass(frozen=True, slots=True)
class Verdict:
    """What became of one family in one size; ``problem`` is None where all is right."""

    family: str
    sizes: str
    kernels: int
    elements: int
    closeness: float
    """The greatest error over what rounding allows."""
    detail: str
    problem: str | None

    @property
    def passed(self) -> bool:
        """True where nothing was wrong."""
        return self.problem is None


def selftest(
    device_name: str,
    target: str | None,
    families: Sequence[str] = (),
    step: Callable[[str], None] = lambda what: None,
) -> Iterator[Verdict]:
    """Try ``families`` (all when there are none) on a device; ``step`` hears what is next.

    Raises:
        LumcError: there is no such device, or no compiler for its target.
    """
    device = open_device(device_name, target)
    try:
        yield from _Trials(device, step).run(families)
    finally:
        device.close()


@dataclass(frozen=True, slots=True)
class _Trials:
    device: Device
    step: Callable[[str], None]

    @property
    def target(self) -> str:
        """The chip that kernels are compiled for."""
        return self.device.target

    def run(self, families: Sequence[str]) -> Iterator[Verdict]:
        known = self._spec({}).stages
        for family in families:
            if family not in known:
                message = f"there is no family {family}; there are {', '.join(known)}"
                raise LumcError(Diagnostic("C025", message, hint=did_you_mean(family, known)))
        for family in families or known:
            for sizes, settings in SIZES.items():
                self.step(f"{family}, {sizes}")
                yield self._verdict(family, sizes, settings)
        if not isinstance(self.device, EmulatorDevice):
            for family in [one for one in TIMED if one in (families or known)]:
                self.step(f"{family}, timed")
                yield self._timed(family)

    def _verdict(self, family: str, sizes: str, settings: Mapping[str, str]) -> Verdict:
        try:
            made = self._made(family, settings)
            checks = list(self._checks(made))
        except LumcError as error:
            return Verdict(family, sizes, 0, 0, 0.0, "", str(error).split("\n")[0])
        mismatches = [str(one) for check in checks for one in check.mismatches]
        if not mismatches and not sum(check.elements for check in checks):
            mismatches = ["nothing that it wrote could be compared"]
        return Verdict(
            family,
            sizes,
            len(checks),
            sum(check.elements for check in checks),
            max((check.closeness for check in checks), default=0.0),
            "",
            mismatches[0] if mismatches else None,
        )

    def _checks(self, made: MadeKernels) -> Iterator[KernelCheck]:
        """Of every distinct kernel, and of the library where that makes one too."""
        pairs = zip(made.lowered.program.kernels, made.emitted.generated, strict=True)
        distinct = {emitted.symbol: (kernel, emitted) for kernel, emitted in pairs}
        for kernel, emitted in distinct.values():
            run = self._runner(kernel, emitted, made)
            blocks = emitted.geometry.tiles
            yield check_kernel(kernel, emitted.geometry, run, workgroups=blocks)
            if isinstance(self.device, HipDevice) and (called := _by_library(kernel)):
                loaded = self.device.load_call(plan_call(emit_call(called)))
                run = on_device(self.device, called, loaded)
                yield check_kernel(kernel, emitted.geometry, run, workgroups=blocks)

    def _runner(self, kernel: Kernel, emitted: EmittedKernel, made: MadeKernels) -> RunWorkgroups:
        compiled = made.objects[emitted.symbol]
        if isinstance(self.device, EmulatorDevice):
            return emulated(emitted, compiled)
        loaded = self.device.load(compiled.code, compiled.assembly, emitted.symbol)
        return on_device(self.device, kernel, loaded, emitted)

    def _timed(self, family: str) -> Verdict:
        sizes = " ".join(f"{name}={value}" for name, value in TIMED[family].items())
        try:
            made = self._made(family, TIMED[family])
            (kernel, *_) = made.lowered.program.kernels
            target, chain = target_named(self.target), choose_toolchain(self.target)
            shared = (target, MathMode.FAST, chain, open_cache())
            (measured,) = Measurer(self.device, *shared).seconds([kernel])
            judge = Judge(*shared).seconds if can_judge(self.target) else None
            predicted = judge(kernel) if judge else None
        except LumcError as error:
            return Verdict(family, sizes, 0, 0, 0.0, "", str(error).split("\n")[0])
        if measured is None:
            return Verdict(family, sizes, 1, 0, 0.0, "", "it could not be measured")
        detail = f"{measured * 1e6:,.1f} µs measured"
        if predicted is not None:
            detail += f", {predicted * 1e6:,.1f} predicted ({predicted / measured - 1:+.0%})"
        return Verdict(family, sizes, 1, 0, 0.0, detail, None)

    def _made(self, family: str, settings: Mapping[str, str]) -> MadeKernels:
        return make_kernels(
            elaborate(self._spec(settings), family),
            target_named(self.target),
            CompileOptions(self.target),
            choose_toolchain(self.target),
            open_cache(),
            Silent(),
            Stopwatch(),
        )

    def _spec(self, settings: Mapping[str, str]) -> Any:
        with as_file(files("lumc.specs").joinpath(SPEC)) as path:
            return load_spec(path, None, settings)


def _by_library(kernel: Kernel) -> Gemm | None:
    """``kernel`` as the vendor's library does it, if it is no more than a product."""
    if not isinstance(kernel, Gemm):
        return None
    product = library_product(kernel)
    if product is None or product.made:
        return None
    return replace(kernel, tile=None, library=product)


def on_device(
    device: Device, kernel: Kernel, loaded: Any, emitted: EmittedKernel | None = None
) -> RunWorkgroups:
    """Runs a whole launch of ``kernel`` through a recorded graph, twice on the same data.

    ``loaded`` is its code, as ``emitted`` is launched, or a library's call.
    """
    writes = [one.access is not ParameterAccess.READ for one in kernel.parameters]
    grid, block = (emitted.grid, emitted.block) if emitted else ((1, 1, 1), (1, 1, 1))

    def run(workgroups: Sequence[int], arrays: Sequence[Array]) -> None:
        with ExitStack() as stack:
            arguments = []
            for number, array in enumerate(arrays):
                address = device.allocate(array.nbytes)
                stack.callback(device.free, address)
                name = kernel.parameters[number].name
                arguments.append(DeviceArgument(address, 0, array.nbytes, writes[number], name))
            # Nothing is done to them between the runs: a launch leaves its counters as they were.
            meeting = meeting_arguments(device, emitted.meeting if emitted else None)
            for argument in meeting:
                stack.callback(device.free, argument.address)
            launch = DeviceLaunch(loaded, grid, block, (*arguments, *meeting), "selftest")
            recording = device.record([launch])
            results = []
            for _ in range(2):
                for argument, array in zip(arguments, arrays, strict=True):
                    device.write(argument.address, array.view(np.uint8).reshape(-1))
                device.replay(recording)
                results.append([device.read(a.address, a.bytes) for a in arguments])
            for array, first, second in zip(arrays, *results, strict=True):
                if not np.array_equal(first, second):
                    message = "two runs on the same data give different bytes"
                    raise UnsteadyKernelError(Diagnostic("V010", message))
                array.view(np.uint8).reshape(-1)[...] = first

    return run
