"""Every listed instruction form against the NumPy reference, on registers full of edge values."""

import pytest

from tests.runtime.emulator.assembly_harness import mismatches, run_cases
from tests.runtime.emulator.form_lists import TARGETS, listed_instructions
from tests.runtime.emulator.instruction_case import kind_of, make_case
from tests.runtime.emulator.instruction_text import form_of

BATCH = 800


@pytest.mark.parametrize("target", TARGETS)
@pytest.mark.parametrize("kind", ["vector", "scalar", "memory", "matrix"])
def test_instructions_agree_with_the_reference(target: str, kind: str) -> None:
    lines = [line for line in listed_instructions(target) if kind_of(line) == kind]
    wrong: list[str] = []
    for start in range(0, len(lines), BATCH):
        cases = [make_case(line, target) for line in lines[start : start + BATCH]]
        for outcome in run_cases(cases, target):
            wrong.extend(mismatches(outcome))
    assert not wrong, f"{len(wrong)} of {len(lines)}:\n" + "\n".join(wrong[:40])
    forms = {form_of(line) for line in lines}
    print(f"{target}: {len(lines)} {kind} instructions in {len(forms)} forms agree")


def test_a_wrong_result_is_reported() -> None:
    case = make_case("v_add_f32_e32 v0, v1, v2", "gfx942")
    other = make_case("v_sub_f32_e32 v0, v1, v2", "gfx942")
    (outcome,) = run_cases([case], "gfx942")
    assert not mismatches(outcome)
    case.after.registers.update(other.after.registers)
    assert "v8[" in mismatches(outcome)[0]
