"""A stage that is run as a whole: right ones pass, and the first wrong kernel is named."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import pytest

from lumc.codegen.assemble_plan import assemble_plan
from lumc.codegen.build import write_stage
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import emit_program
from lumc.codegen.memory import plan_memory
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import CompileUnit, choose_toolchain
from lumc.compiler import CompileOptions, Silent, Stopwatch, plan_kernels
from lumc.dsl import elaborate, load_text
from lumc.dsl.reference import Math
from lumc.lowering.kernel_program import BufferKind, Kernel, KernelProgram, Literal, Pointwise
from lumc.runtime.stage_folder import open_stage
from lumc.runtime.verify_stage import StageCheck, Tensors, check_stage, random_tensors
from lumc.stage_files import MadeKernels, stage_files

# Joined halves in one buffer, a running state, sums that are read twice, something prepared.
TEXT = """\
stage main(x: {dtype}[9, 33], ids: i32[5]) -> y: f32[18], z: {dtype}[5, 33], w: f32[4, 33]:
    weight W: {dtype}[40, 33] = "W"
    scaled[o, i] = sqrt(W[o, i]^2 + 0.3125)
    h[t, o] as x = sum[i] x[t, i] * scaled[o, i]
    total[t] = sum[o] h[t, o]^2 * 0.1875
    largest[t] = max[o] h[t, o]
    y[t] = total[t] * 0.4375
    y[9 + t] = largest[t] + total[t]
    z[n, i] as x = x[ids[n] % 9, i]
    w[ids[n] % 4: 4, i] = sum[n] x[0 + n, i] else 1
"""


def made(text: str, change: Callable[[KernelProgram], KernelProgram] = lambda p: p) -> MadeKernels:
    """What ``text`` is compiled to, but by ``change`` of its kernels."""
    target, chain = target_named("gfx942"), choose_toolchain("gfx942")
    options = CompileOptions("gfx942")
    program = elaborate(load_text("spec", text), "main")
    arguments = (program, target, options, chain, open_cache(), Silent(), Stopwatch())
    planned = plan_kernels(*arguments)
    changed = change(planned.lowered.program)
    if changed is not planned.lowered.program:
        planned = emitted_again(planned, changed)
    return with_code(planned, lambda text: text)


def emitted_again(planned: MadeKernels, program: KernelProgram) -> MadeKernels:
    emitted = emit_program(program, target_named("gfx942"))
    memory = plan_memory(program, emitted.meetings)
    plan = assemble_plan(program, emitted, memory, "gfx942")
    lowered = replace(planned.lowered, program=program)
    return replace(planned, lowered=lowered, emitted=emitted, plan=plan)


def with_code(planned: MadeKernels, spoil: Callable[[str], str]) -> MadeKernels:
    """With the code objects of what ``spoil`` makes of each kernel's text."""
    chain = choose_toolchain("gfx942")
    objects = {
        kernel.symbol: chain.compile(
            CompileUnit(spoil(kernel.unit.text), kernel.unit.headers), "gfx942"
        )
        for kernel in planned.emitted.generated
    }
    return replace(planned, objects=objects)


def tensors_of(text: str) -> Tensors:
    meaning: Math = "fast"
    found = random_tensors(elaborate(load_text("spec", text), "main"), meaning)
    assert found is not None
    return found


def checked(text: str, what: MadeKernels, folder: Path) -> StageCheck:
    write_stage(folder / "stage", stage_files(what, target_named("gfx942"), libraries=False))
    lowered = what.lowered
    stage = open_stage(folder / "stage")
    return check_stage(stage, lowered.program, lowered.held, tensors_of(text), "fast")


def symbol_with(what: MadeKernels, number: str) -> str:
    (found,) = {k.symbol for k in what.emitted.generated if number in k.unit.text}
    return found


@pytest.mark.parametrize("dtype", ["f32", "bf16"])
def test_a_right_stage(dtype: str, tmp_path: Path) -> None:
    text = TEXT.format(dtype=dtype)
    what = made(text)
    found = checked(text, what, tmp_path)
    program = what.lowered.program
    assert found.difference is None
    assert found.launches == len(program.prepare) + len(program.launches) > 3
    outputs = [b for b in program.buffers if b.kind is BufferKind.OUTPUT]
    assert found.elements > sum(b.shape[0] for b in outputs)
    assert 0 < found.error < (1e-5 if dtype == "f32" else 2e-2)


def test_wrong_code_is_named(tmp_path: Path) -> None:
    text = TEXT.format(dtype="f32")
    what = made(text)
    symbol = symbol_with(what, "0.1875f")
    found = checked(
        text, with_code(what, lambda text: text.replace("0.1875f", "0.1876f")), tmp_path
    )
    assert found.difference is not None
    assert found.difference.by_itself
    assert found.difference.symbol == symbol
    assert "spec.lum:5" in found.difference.spec_lines
    assert found.launches == found.difference.launch
    assert "instead of" in found.difference.reasons[0]


def test_a_few_wrong_elements_are_found(tmp_path: Path) -> None:
    text = TEXT.format(dtype="f32")
    what = made(text)
    symbol = symbol_with(what, "0.3125f")

    def spoil(text: str) -> str:
        return text.replace("0.3125f", "(thread() == 5 ? 0.4f : 0.3125f)")

    found = checked(text, with_code(what, spoil), tmp_path)
    assert found.difference is not None
    assert (found.difference.symbol, found.difference.launch) == (symbol, 1)


def test_a_kernel_that_means_something_else_is_named(tmp_path: Path) -> None:
    """Its code does what the kernel says: only the reference knows better."""

    def halve(program: KernelProgram) -> KernelProgram:
        kernels = tuple(map(_with_half, program.kernels))
        assert kernels != program.kernels
        return replace(program, kernels=kernels)

    text = TEXT.format(dtype="f32")
    what = made(text, halve)
    found = checked(text, what, tmp_path)
    assert found.difference is not None
    assert not found.difference.by_itself
    # It is the kernel with the changed number that is named, and not those that read its result.
    assert found.difference.symbol == symbol_with(what, "0.40625f")
    assert any("scaled" in reason for reason in found.difference.reasons)
    assert "spec.lum:3" in found.difference.spec_lines


def _with_half(kernel: Kernel) -> Kernel:
    if not isinstance(kernel, Pointwise):
        return kernel
    instructions = tuple(
        replace(one, value=0.40625) if isinstance(one, Literal) and one.value == 0.3125 else one
        for one in kernel.body.instructions
    )
    return replace(kernel, body=replace(kernel.body, instructions=instructions))


def test_data_that_lead_to_nothing_finite_are_not_taken() -> None:
    program = elaborate(
        load_text("s", "stage main(x: f32[3]) -> y: f32[3]:\n    y[i] = log2(-1 - x[i]^2)\n"),
        "main",
    )
    assert random_tensors(program, "fast") is None


def test_places_lie_inside() -> None:
    """Whole numbers are as great as what they index allows."""
    text = "stage main(ids: i32[64], t: f32[60, 2]) -> y: f32[64, 2]:\n    y[n, i] = t[ids[n], i]\n"
    found = tensors_of(text)
    assert 5 < found.inputs["ids"].max() < 60
