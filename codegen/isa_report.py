"""What a kernel's assembly says of it, without running it: resources, its hottest loop, faults.

The figures of a loop are those of one iteration with every instruction executed, so rarely taken
branches count in full. The share of the matrix units is an upper bound: it knows no waiting.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass

from lumc.codegen.instruction_clocks import (
    PASS,
    SIMDS,
    UnitClocks,
    bare_mnemonic,
    unit_clocks,
    vector_clocks,
)

_LANES = 64
_INSTRUCTION = re.compile(r"\t((?:v|s|ds|buffer|global|flat|scratch)_\w+)\s*([^;]*)")
_LABEL = re.compile(r"(\.L\w+):")
_METADATA = re.compile(r"\s+-?\s*\.(\w+):\s+(\d+)\s*$")
_MATRIX = re.compile(r"v_s?mfmac?_|v_wmma_")
_FLAT = ("buffer_", "global_", "flat_")
_WIDTHS = {
    "ubyte": 1,
    "sbyte": 1,
    "byte": 1,
    "ushort": 2,
    "sshort": 2,
    "short": 2,
    "dword": 4,
    "dwordx2": 8,
    "dwordx3": 12,
    "dwordx4": 16,
}
_LDS_WIDTHS = {"u8": 1, "i8": 1, "b8": 1, "u16": 2, "i16": 2, "b16": 2, "b32": 4, "b64": 8}
_LDS_WIDTHS |= {"b96": 12, "b128": 16}


@dataclass(frozen=True, slots=True)
class Line:
    """An instruction of the text, or a label, which has no operands."""

    name: str
    operands: str

    @property
    def is_label(self) -> bool:
        """True where a jump may lead to."""
        return self.name.startswith(".")


@dataclass(frozen=True, slots=True)
class Loop:
    """The loop in which a kernel spends its time: one iteration of one wave.

    ``clocks`` are by unit: those of all waves of a SIMD or of the compute unit that run at a time.
    """

    mix: Mapping[str, int]
    clocks: Mapping[str, float]
    instructions: int
    matrix: int
    accumulator_copies: int
    waits_inside: int
    """Waits for all of memory between matrix instructions with no barrier between them."""

    @property
    def limit(self) -> str:
        """The unit that is busy longest."""
        return max(self.clocks, key=lambda name: self.clocks[name])

    @property
    def bound(self) -> float:
        """The most that the matrix units can be busy, as a share of the time."""
        longest = self.clocks[self.limit]
        return self.clocks["matrix units"] / longest if longest else 0.0


@dataclass(frozen=True, slots=True)
class IsaReport:
    """What a kernel takes of a compute unit, and its hottest loop."""

    vector_registers: int
    """Of a lane, accumulation registers included."""
    accumulation_registers: int
    scalar_registers: int
    lds_bytes: int
    scratch_bytes: int
    spilled_registers: int
    threads: int
    waves_per_simd: float
    loop: Loop

    def faults(self) -> tuple[str, ...]:
        """What no kernel with matrix instructions should have; empty for a sound one."""
        if not self.loop.matrix:
            return ()
        found = []
        if self.scratch_bytes:
            found.append(f"{self.scratch_bytes} bytes of scratch a lane")
        if self.loop.accumulator_copies:
            copies = self.loop.accumulator_copies
            found.append(f"{copies} copies from or to accumulation registers in the loop")
        if self.loop.waits_inside:
            found.append(
                f"{self.loop.waits_inside} waits for all of memory between matrix instructions"
            )
        return tuple(found)


def isa_report(assembly: str, symbol: str, target: str) -> IsaReport:
    """Read ``assembly``, the compiler's text of the kernel ``symbol`` for ``target``.

    Raises:
        ValueError: the kernel is not in it.
    """
    body = tuple(_body(assembly, symbol))
    facts = _metadata(assembly, symbol)
    clocks = unit_clocks(target)
    lds = facts.get("group_segment_fixed_size", 0)
    registers = facts.get("vgpr_count", 0)
    threads = facts.get("max_flat_workgroup_size", _LANES)
    waves = _waves(registers, lds, threads, clocks) if clocks else 1.0
    return IsaReport(
        vector_registers=registers,
        accumulation_registers=facts.get("agpr_count", 0),
        scalar_registers=facts.get("sgpr_count", 0),
        lds_bytes=lds,
        scratch_bytes=facts.get("private_segment_fixed_size", 0),
        spilled_registers=facts.get("vgpr_spill_count", 0),
        threads=threads,
        waves_per_simd=waves,
        loop=_loop(hottest_loop(body), waves, clocks),
    )


def report_lines(report: IsaReport) -> Iterator[str]:
    """The report for the reader."""
    yield (
        f"{report.vector_registers} vector registers, {report.accumulation_registers} of them for"
        f" accumulation; {report.scalar_registers} scalar registers; {report.lds_bytes:,} bytes of"
        f" LDS; {report.scratch_bytes} bytes of scratch a lane, {report.spilled_registers} spilled"
    )
    yield f"{report.threads} threads a workgroup, {report.waves_per_simd:g} waves on a SIMD"
    loop = report.loop
    mix = ", ".join(f"{count} {name}" for name, count in loop.mix.items())
    yield f"hottest loop: {loop.instructions} instructions ({mix})"
    if any(loop.clocks.values()):
        parts = sorted(loop.clocks.items(), key=lambda item: -item[1])
        text = ", ".join(f"{name} {clocks:,.0f}" for name, clocks in parts if clocks)
        yield f"clocks of an iteration, all waves together: {text}"
    if loop.matrix and loop.clocks["matrix units"]:
        yield f"matrix units busy for at most {loop.bound:.0%}, limited by {loop.limit}"
    for fault in report.faults():
        yield f"fault: {fault}"


def _body(assembly: str, symbol: str) -> Iterator[Line]:
    begin = re.search(rf"^{re.escape(symbol)}:", assembly, re.M)
    if begin is None:
        raise ValueError(f"there is no kernel {symbol} in the assembly text")
    end = assembly.find("\n.Lfunc_end", begin.end())
    for line in assembly[begin.end() : end if end >= 0 else len(assembly)].split("\n"):
        if found := _INSTRUCTION.match(line):
            yield Line(bare_mnemonic(found[1]), found[2].strip())
        elif found := _LABEL.match(line):
            yield Line(found[1], "")


def _metadata(assembly: str, symbol: str) -> Mapping[str, int]:
    """The numbers that the metadata has of the kernel, its arguments' left out."""
    begin = assembly.find(".amdgpu_metadata")
    for entry in re.split(r"^  - ", assembly[begin:], flags=re.M)[1:]:
        if not re.search(rf"\.symbol:\s+{re.escape(symbol)}\.kd", entry):
            continue
        lines = ("    " + line if not line.startswith(" ") else line for line in entry.split("\n"))
        found = (_METADATA.match(line) for line in lines if not line.startswith("      "))
        return {match[1]: int(match[2]) for match in found if match}
    return {}


def _waves(registers: int, lds: int, threads: int, clocks: UnitClocks) -> float:
    """Waves on a SIMD, on average: of 512 registers a lane in steps of 8, and of whole groups."""
    by_registers = min(8, 512 // max(8, -(-registers // 8) * 8))
    in_group = -(-threads // _LANES)
    groups = by_registers * SIMDS // in_group
    if lds:
        groups = min(groups, clocks.lds_bytes // lds)
    return max(1, groups) * in_group / SIMDS


# ------------------------------------------------------------------------------------------- loops


def hottest_loop(body: Sequence[Line]) -> tuple[Line, ...]:
    """The innermost loop with the most matrix instructions; without any, the longest innermost.

    All of ``body`` where there is no loop.
    """
    spans = _loops(body)
    with_products = [span for span in spans if _products(body, span)]
    chosen = _innermost(with_products or spans)
    first, last = max(
        chosen,
        key=lambda span: (_products(body, span), span[1] - span[0]),
        default=(0, len(body)),
    )
    return tuple(body[first:last])


def _products(body: Sequence[Line], span: tuple[int, int]) -> int:
    return sum(1 for line in body[span[0] : span[1]] if _MATRIX.match(line.name))


def _innermost(spans: Sequence[tuple[int, int]]) -> list[tuple[int, int]]:
    return [
        (first, last)
        for first, last in spans
        if not any(first <= a and b <= last and (a, b) != (first, last) for a, b in spans)
    ]


def _loops(body: Sequence[Line]) -> list[tuple[int, int]]:
    """From each label that is jumped back to, to behind the last such jump."""
    places = {line.name: number for number, line in enumerate(body) if line.is_label}
    found: dict[int, int] = {}
    for number, line in enumerate(body):
        if not line.name.startswith(("s_cbranch", "s_branch")):
            continue
        begin = places.get(line.operands.split()[0] if line.operands else "")
        if begin is not None and begin <= number:
            found[begin] = max(number + 1, found.get(begin, 0))
    return sorted(found.items())


def _loop(lines: Sequence[Line], waves: float, clocks: UnitClocks | None) -> Loop:
    instructions = [line for line in lines if not line.is_label]
    classes = Counter(_class(line.name) for line in instructions)
    return Loop(
        mix=dict(classes.most_common()),
        clocks=_clocks(instructions, waves, clocks) if clocks else {"matrix units": 0.0},
        instructions=len(instructions),
        matrix=classes["matrix"],
        accumulator_copies=sum(1 for line in instructions if line.name.startswith("v_accvgpr_")),
        waits_inside=_waits_inside(lines),
    )


def _class(name: str) -> str:
    if _MATRIX.match(name):
        return "matrix"
    if name.startswith("ds_"):
        return "LDS"
    if name.startswith((*_FLAT, "scratch_")):
        return "memory"
    if name.startswith("v_"):
        return "vector" if vector_clocks(name) == PASS else "slow vector"
    if name in ("s_waitcnt", "s_barrier"):
        return "wait" if name == "s_waitcnt" else "barrier"
    return "scalar"


def _clocks(lines: Sequence[Line], waves: float, clocks: UnitClocks) -> dict[str, float]:
    units = {"matrix units": 0.0, "vector units": 0.0, "LDS": 0.0, "vector cache": 0.0}
    for line in lines:
        match _class(line.name):
            case "matrix":
                passes = clocks.passes(line.name, f"{line.name} {line.operands}")
                units["matrix units"] += PASS * passes * waves
            case "vector" | "slow vector":
                units["vector units"] += vector_clocks(line.name) * waves
            case "LDS":
                moved = _LANES * _lds_bytes(line.name)
                units["LDS"] += moved / clocks.lds_rate * waves * SIMDS
            case "memory":
                moved = _LANES * _memory_bytes(line.name)
                units["vector cache"] += max(PASS, moved / clocks.near_rate) * waves * SIMDS
    return units


def _lds_bytes(name: str) -> int:
    """Bytes a lane; a permutation moves a dword."""
    found = re.match(r"ds_(?:read|write)(2?)(?:st64)?_(?:addtid_)?(\w+?)(?:_|$)", name)
    width = _LDS_WIDTHS.get(found[2], 4) if found else 4
    return width * (2 if found and found[1] else 1)


def _memory_bytes(name: str) -> int:
    parts = re.sub(r"_(d16|hi|lds|sc0|sc1|nt)(?=_|$)", "", name).split("_")
    return _WIDTHS.get(parts[-1], 4)


def _waits_inside(lines: Sequence[Line]) -> int:
    """Waits for all of memory with matrix instructions before and behind, and no barrier."""
    waits = waiting = 0
    inside = False
    for line in lines:
        if line.is_label or line.name == "s_barrier" or line.name.startswith("s_cbranch"):
            inside, waiting = False, 0
        elif _MATRIX.match(line.name):
            waits += waiting
            inside, waiting = True, 0
        elif inside and line.name == "s_waitcnt" and "vmcnt(0)" in line.operands:
            waiting += 1
    return waits
