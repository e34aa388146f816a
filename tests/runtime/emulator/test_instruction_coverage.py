"""Every instruction form that the project's templates emit is under test; the rest is named."""

from collections.abc import Callable, Iterable
from pathlib import Path

import pytest

from lumc.codegen.emit import emit_kernel
from lumc.codegen.target import target_named
from lumc.compiler import CompileOptions, Silent, compile_stages
from lumc.dsl import load_spec
from lumc.lowering.kernel_program import AttentionSchedule, AttentionTile, Shares
from tests.codegen.emulated import compiled
from tests.codegen.sample_kernels import attention
from tests.runtime.emulator.assembly_harness import mismatches, run_cases
from tests.runtime.emulator.form_lists import listed_instructions
from tests.runtime.emulator.instruction_case import kind_of, make_case, meaning_of
from tests.runtime.emulator.instruction_text import (
    form_of,
    instructions_of,
    parse_instruction,
)

EXAMPLES = Path(__file__).parents[3] / "specs" / "examples"
# The examples whose kernels differ between targets: products, halves, normalisation, scatter.
SOME = ("gpt_block", "half_precision", "quantized_linear", "resnet_block")
# What moves the program counter, waits or marks, see test_control_flow.py.
CONTROL_WORDS = (
    "s_branch s_cbranch_execz s_cbranch_execnz s_cbranch_scc0 s_cbranch_scc1 s_cbranch_vccz "
    "s_cbranch_vccnz s_endpgm s_barrier s_waitcnt s_nop s_getpc_b64 s_setpc_b64 s_swappc_b64 "
    "s_setprio s_sleep buffer_inv buffer_wbl2 buffer_wbinvl1 buffer_wbinvl1_vol "
    "s_delay_alu s_clause s_waitcnt_vscnt s_waitcnt_depctr s_set_inst_prefetch_distance s_sendmsg "
    "buffer_gl0_inv buffer_gl1_inv"
)
CONTROL = frozenset(CONTROL_WORDS.split(" "))


def emitted_forms(target: str, names: Iterable[str]) -> dict[str, str]:
    """One instruction of each form in the kernels of the examples."""
    forms: dict[str, str] = {}
    for name in names:
        spec = load_spec(EXAMPLES / f"{name}.lum")
        for stage in compile_stages(spec, (), CompileOptions(target), None, Silent()):
            for path, content in stage.files.items():
                if path.endswith(".s"):
                    for line in instructions_of(content.decode()):
                        forms.setdefault(form_of(line), line)
    return forms


def meeting_forms(target: str) -> dict[str, str]:
    """The same of kernels whose workgroups share tiles, which small examples have none of."""
    shares = Shares(3, whole=1)
    tiles = [AttentionTile(64, 32, 4, shares=shares)]
    if target != "gfx1100":
        tiles.append(AttentionTile(256, 64, 8, AttentionSchedule.PING_PONG, shares=shares))
    forms: dict[str, str] = {}
    for tile in tiles:
        kernel = attention(2, 70, 200, 128, 128, mask="causal", tile=tile)
        emitted = emit_kernel(kernel, target_named(target), [256] * len(kernel.parameters))
        for line in instructions_of(compiled(emitted, target).assembly):
            forms.setdefault(form_of(line), line)
    return forms


def check_forms(target: str, forms: dict[str, str]) -> tuple[int, list[str]]:
    """(number of forms tested as emitted, forms that have no test); fails on wrong results."""
    known = {form_of(line) for line in listed_instructions(target)}
    by_kind: dict[str, list[str]] = {}
    untested = []
    for form, line in sorted(forms.items()):
        instruction = parse_instruction(line)
        if form in known or instruction.base in CONTROL:
            continue
        if meaning_of(instruction) is None:
            untested.append(line)
        else:
            by_kind.setdefault(kind_of(line), []).append(line)
    wrong: list[str] = []
    for lines in by_kind.values():
        for outcome in run_cases([make_case(line, target) for line in lines], target):
            wrong.extend(mismatches(outcome))
    assert not wrong, "\n".join(wrong[:40])
    return sum(map(len, by_kind.values())), untested


@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100"])
def test_every_emitted_form_is_tested(
    target: str, record_property: Callable[[str, object], None]
) -> None:
    every = sorted(path.stem for path in EXAMPLES.glob("*.lum"))
    forms = meeting_forms(target) | emitted_forms(target, every if target == "gfx942" else SOME)
    tested, untested = check_forms(target, forms)
    listed = len({form_of(line) for line in listed_instructions(target)})
    record_property(
        "said at the end",
        f"{target}: {listed} listed instruction forms covered; of {len(forms)} forms that "
        f"the templates emit {tested} more tested as emitted, {len(untested)} emitted but untested",
    )
    assert not untested


def test_an_unknown_instruction_is_named() -> None:
    line = "v_not_an_instruction_b32 v0, v1"
    tested, untested = check_forms("gfx942", {form_of(line): line})
    assert (tested, untested) == (0, [line])
