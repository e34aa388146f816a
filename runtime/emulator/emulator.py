"""Runs kernels of AMD code objects on the CPU and says what they do wrong."""

from __future__ import annotations

import ctypes
import time
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from types import MappingProxyType
from typing import Any

import numpy as np
from numpy.typing import NDArray

from lumc.diagnostics import Diagnostic, did_you_mean
from lumc.runtime.emulator import native
from lumc.runtime.emulator.arguments import (
    BoundArguments,
    Geometry,
    KernelArgument,
    LaunchError,
    Reach,
    bind,
    dispatch_packet,
)
from lumc.runtime.emulator.code_object import CodeObject, Kernel
from lumc.runtime.emulator.counters import Counters
from lumc.runtime.emulator.disassembly import disassemble
from lumc.runtime.emulator.occupancy import Occupancy, occupancy
from lumc.runtime.emulator.program import Program
from lumc.runtime.emulator.reports import (
    ENDS_LAUNCH,
    Checks,
    EmulationFault,
    Report,
    SourceLines,
    name_buffers,
)
from lumc.runtime.emulator.trace import Operands, Trace, operands_of

Triple = tuple[int, int, int]

_LDS_LIMIT = {"gfx90a": 64 << 10, "gfx942": 64 << 10, "gfx950": 160 << 10, "gfx1100": 64 << 10}
_DYNAMIC_STACK = 16 << 10
_SCRATCH_BASE_HIGH = 0x3000  # native/machine.hpp, kScratchBase
_SWIZZLED = 1 << 31


@dataclass(frozen=True, slots=True)
class LaunchResult:
    """What a launch did: host seconds, counts, findings (if it did not stop at the first)."""

    seconds: float
    counters: Counters
    reports: tuple[Report, ...]
    traces: tuple[Trace, ...]


class Emulator:
    """A code object, ready to run.

    >>> emulator = Emulator(Path("kernels.co"), Path("kernels.s").read_text())
    >>> emulator.launch("scale", (4, 1, 1), (256, 1, 1), [x, y, 1024])

    Attributes:
        kernels: the kernels by name.
        target: the chip, such as ``gfx942``.
        program: the decoded instructions.
    """

    def __init__(
        self,
        code_object: bytes | Path,
        assembly: str | None = None,
        checks: Checks = Checks.all(),  # noqa: B008 - an immutable flag
        *,
        source_lines: SourceLines = MappingProxyType({}),
    ) -> None:
        """Load a code object and decode it.

        Args:
            code_object: a linked code object, or the path of one.
            assembly: its assembly text as the compiler wrote it; without it, llvm-objdump's.
            checks: the rules that launches watch.
            source_lines: from lines of generated source to places in the spec, for reports.

        Raises:
            CodeObjectError: if the code object cannot be loaded.
            DisassemblyError: if there is no text and no disassembler.
            DecodeError: if it holds instructions that the emulator does not know.
        """
        data = code_object.read_bytes() if isinstance(code_object, Path) else code_object
        self._object = CodeObject(data)
        self.target = self._object.target
        self.kernels = self._object.kernels
        self.checks = checks
        text = assembly if assembly is not None else disassemble(data, self.target)
        self.program = Program(self._object, text, source_lines)
        self._lib = native.interpreter()

    def launch(
        self,
        kernel: str,
        grid: Triple,
        block: Triple,
        args: Sequence[KernelArgument],
        *,
        dynamic_lds: int = 0,
        workgroups: Sequence[Triple] | None = None,
        trace: Sequence[Triple] = (),
        threads: int = 0,
        stop_at_first: bool = True,
        instruction_limit: int = 200_000_000,
    ) -> LaunchResult:
        """Run a kernel. Arrays are used in place: what it writes is in them afterwards.

        Args:
            kernel: its name.
            grid: the grid, in workgroups.
            block: work-items in a workgroup.
            args: arrays (contiguous; the kernel may reach exactly their bytes, and write only
                writable ones), `DeviceBuffer`s, NumPy scalars, numbers, bytes of structures.
            dynamic_lds: bytes of LDS beyond those that the kernel declares.
            workgroups: run only these workgroups of the grid; all if None.
            trace: record the instruction streams of these workgroups.
            threads: threads to spread workgroups over; 0 for all of the machine's.
            stop_at_first: raise at the first finding; else go on and return the findings.
            instruction_limit: wave-instructions after which a wave counts as endless.

        Raises:
            LaunchError: if the kernel is unknown, or sizes or arguments do not fit it.
            EmulationFault: if the kernel broke a rule and ``stop_at_first``, or cannot go on.
        """
        chosen = self._kernel(kernel)
        geometry = Geometry(_triple(grid, "grid"), _triple(block, "block"), dynamic_lds)
        self._check_geometry(chosen, geometry)
        bound = bind(chosen, args, geometry)
        selected = _selection(workgroups, geometry.grid)
        request = _Request(self, chosen, geometry, bound, selected, tuple(trace))
        request.record.threads = threads
        request.record.stop_on_first = stop_at_first
        request.record.instruction_limit = instruction_limit
        return self._run(chosen, request, stop_at_first)

    def occupancy(self, kernel: str, block: Triple, dynamic_lds: int = 0) -> Occupancy:
        """How many waves of ``kernel`` fit on a compute unit, and what limits them."""
        return occupancy(self._kernel(kernel), self.target, block, dynamic_lds)

    def operands(self, instruction: int) -> Operands:
        """The registers that an instruction of the program reads and writes."""
        return operands_of(self.program.records[instruction])

    def _kernel(self, name: str) -> Kernel:
        if found := self.kernels.get(name):
            return found
        raise LaunchError(
            Diagnostic(
                "L0709",
                f"the code object has no kernel {name}",
                hint=did_you_mean(name, self.kernels)
                or f"it has: {', '.join(sorted(self.kernels))}",
            )
        )

    def _check_geometry(self, kernel: Kernel, geometry: Geometry) -> None:
        items = geometry.block[0] * geometry.block[1] * geometry.block[2]
        if items > kernel.max_workgroup:
            raise _unfit(
                kernel,
                f"a workgroup of {items} work-items is larger than the {kernel.max_workgroup}"
                " it was compiled for",
            )
        lds, limit = kernel.lds_bytes + geometry.dynamic_lds, _LDS_LIMIT[self.target]
        if lds > limit:
            raise _unfit(kernel, f"{lds} bytes of LDS are more than the {limit} of {self.target}")

    def _run(self, kernel: Kernel, request: _Request, stop_at_first: bool) -> LaunchResult:
        error = ctypes.c_void_p()
        begin = time.perf_counter()
        handle = self._lib.lumc_launch(ctypes.byref(request.record), ctypes.byref(error))
        seconds = time.perf_counter() - begin
        if not handle:
            raise _unfit(kernel, native.take_text(self._lib, error.value))
        try:
            outcome = native.Outcome()
            self._lib.lumc_outcome(handle, ctypes.byref(outcome))
            reports = tuple(
                self._report(kernel, outcome.reports[k], request.buffer_names)
                for k in range(outcome.report_count)
            )
            if any(stop_at_first or r.check in ENDS_LAUNCH for r in reports):
                # A value that nothing wrote is often the consequence of another fault.
                order = sorted(reports, key=lambda r: r.check == Checks.UNINITIALISED.value)
                raise EmulationFault(*order)
            counters = Counters(
                self.program.mnemonics,
                self.program.records,
                native.copy_array(outcome.counts, self.program.count, native.COUNTS_RECORD),
                int(outcome.barriers),
                int(outcome.workgroups),
            )
            traces = tuple(
                self._trace(handle, k, where) for k, where in enumerate(request.traced_workgroups)
            )
            return LaunchResult(seconds, counters, reports, traces)
        finally:
            self._lib.lumc_free_outcome(handle)

    def _report(self, kernel: Kernel, raw: Any, buffers: dict[int, str]) -> Report:
        other = raw.other_instruction
        return Report(
            check=int(raw.check),
            message=name_buffers(raw.text.decode(), buffers),
            kernel=kernel.name,
            workgroup=(raw.workgroup[0], raw.workgroup[1], raw.workgroup[2]),
            wave=int(raw.wave),
            lane=int(raw.lane) if raw.lane >= 0 else None,
            place=self.program.place(raw.instruction),
            other=self.program.place(other) if other >= 0 else None,
            count=int(raw.count),
        )

    def _trace(self, handle: int, index: int, workgroup: Triple) -> Trace:
        raw = native.Trace()
        self._lib.lumc_trace(handle, index, ctypes.byref(raw))
        return Trace(
            workgroup,
            native.copy_array(raw.events, raw.event_count, native.TRACE_RECORD),
            native.copy_array(raw.addresses, raw.address_count, np.dtype(np.uint64)),
        )


class _Request:
    """A launch in the interpreter's form; keeps everything alive that it points to."""

    def __init__(
        self,
        emulator: Emulator,
        kernel: Kernel,
        geometry: Geometry,
        bound: BoundArguments,
        selected: NDArray[np.uint32] | None,
        traced: tuple[Triple, ...],
    ) -> None:
        self._kernel = kernel
        self._object = emulator._object
        self._arguments = bound.block
        self._packet = dispatch_packet(kernel, geometry, int(bound.block.ctypes.data))
        self._selected = selected
        self.traced_workgroups = traced
        self._traced = np.array(traced, np.uint32).reshape(-1, 3)
        self._scalars = np.array(self._user_scalars(), np.uint32)
        self._allocations, self.buffer_names = self._reachable(bound.reaches)
        self.record = self._make_record(emulator, geometry)

    def _make_record(self, emulator: Emulator, geometry: Geometry) -> native.Launch:
        kernel = self._kernel
        count = geometry.grid[0] * geometry.grid[1] * geometry.grid[2]
        scratch = kernel.scratch_bytes + (_DYNAMIC_STACK if kernel.dynamic_stack else 0)
        return native.Launch(
            program=emulator.program.handle,
            entry=kernel.entry,
            grid=(ctypes.c_uint32 * 3)(*geometry.grid),
            block=(ctypes.c_uint32 * 3)(*geometry.block),
            workgroups=self._selected.ctypes.data if self._selected is not None else None,
            workgroup_count=len(self._selected) if self._selected is not None else count,
            user_scalars=self._scalars.ctypes.data,
            user_scalar_count=self._scalars.size,
            workgroup_id_mask=kernel.rsrc2 >> 7 & 7,
            workgroup_info=(kernel.rsrc2 >> 10 & 1) | (kernel.rsrc2 & 1) << 1,
            vector_registers=kernel.vector_registers,
            accumulation_registers=kernel.accumulation_registers,
            lds_bytes=kernel.lds_bytes + geometry.dynamic_lds,
            scratch_bytes=-(-scratch // 4) * 4,
            mode=kernel.float_mode,
            checks=emulator.checks.value,
            allocations=ctypes.addressof(self._allocations),
            allocation_count=len(self._allocations),
            traced=self._traced.ctypes.data,
            traced_count=len(self._traced),
        )

    def _user_scalars(self) -> list[int]:
        """User scalar registers, by the bits of the descriptor's kernel code properties."""
        kernel = self._kernel
        kernarg, packet = int(self._arguments.ctypes.data), int(self._packet.ctypes.data)
        scalars: list[int] = []
        if kernel.properties & 1:  # private segment buffer: a swizzled descriptor of scratch
            scalars += [0, _SCRATCH_BASE_HIGH | _SWIZZLED, 0xFFFFFFFF, 0x00E00000]
        for bit, value in ((2, packet), (4, 0), (8, kernarg), (16, 0), (32, 0)):
            if kernel.properties & bit:
                scalars += [value & 0xFFFFFFFF, value >> 32]
        if kernel.properties & 64:
            scalars.append(kernel.scratch_bytes)
        count, offset = kernel.preloaded
        if count:
            scalars += self._arguments[4 * offset : 4 * (offset + count)].view(np.uint32).tolist()
        # gfx11 leaves registers free between these and the workgroup's numbers.
        scalars += [0] * ((kernel.rsrc2 >> 1 & 31) - len(scalars))
        return scalars

    def _reachable(self, reaches: list[Reach]) -> tuple[Any, dict[int, str]]:
        code = self._object
        own = [
            Reach(code.base, code.base + code.size, code.base, 0, True, "the code object's data"),
            _array_reach(self._arguments, "the kernel arguments"),
            _array_reach(self._packet, "the dispatch packet"),
        ]
        merged = _merge([r for r in (*reaches, *own) if r.end > r.begin])
        records = (native.Allocation * len(merged))(
            *(
                native.Allocation(r.begin, r.end, r.origin, r.written or None, r.writable, k)
                for k, r in enumerate(merged)
            )
        )
        return records, {k: r.name for k, r in enumerate(merged)}


def _array_reach(array: NDArray[np.uint8], name: str) -> Reach:
    address = int(array.ctypes.data)
    return Reach(address, address + array.nbytes, address, 0, False, name)


def _merge(reaches: list[Reach]) -> list[Reach]:
    """Ranges that share bytes become one; ranges that only touch stay apart, each with its end."""
    merged: list[Reach] = []
    for reach in sorted(reaches, key=lambda r: (r.begin, r.end)):
        if merged and reach.begin < merged[-1].end:
            last = merged[-1]
            name = last.name if last.name == reach.name else f"{last.name} and {reach.name}"
            merged[-1] = Reach(
                last.begin,
                max(last.end, reach.end),
                last.origin if last.written else reach.origin,
                last.written or reach.written,
                last.writable or reach.writable,
                name,
            )
        else:
            merged.append(reach)
    return merged


def _selection(workgroups: Sequence[Triple] | None, grid: Triple) -> NDArray[np.uint32] | None:
    if workgroups is None:
        return None
    for group in workgroups:
        if len(group) != 3 or not all(0 <= g < n for g, n in zip(group, grid, strict=True)):
            raise LaunchError(Diagnostic("L0706", f"workgroup {group} is not in the grid {grid}"))
    return np.array(workgroups, np.uint32).reshape(-1, 3)


def _triple(sizes: Triple, what: str) -> Triple:
    if len(sizes) != 3 or any(n < 1 for n in sizes):
        raise LaunchError(
            Diagnostic("L0706", f"the {what} must be three positive sizes, not {sizes}")
        )
    return (int(sizes[0]), int(sizes[1]), int(sizes[2]))


def _unfit(kernel: Kernel, what: str) -> LaunchError:
    return LaunchError(Diagnostic("L0706", f"kernel {kernel.name} cannot be launched: {what}"))
