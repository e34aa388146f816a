"""What is computed when: once for the sizes, once for the weights, once a step, for every token."""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path

from lumc.dsl import elaborate, load_spec, load_text
from lumc.dsl.tensor_program import ElementwiseOp, TensorProgram
from lumc.lowering.kernel_program import Apply, BufferKind, KernelProgram, Launch, ParameterAccess
from lumc.lowering.kernel_types import bodies, parallel_axes, size
from lumc.lowering.lower import lower
from tests.lowering.checking import assert_equal, random_tensors

SPEC = Path(__file__).parents[2] / "specs" / "flux2_klein.lum"


def program_of(text: str) -> TensorProgram:
    return elaborate(load_text("text", f"use nn\n{text}"), "s")


def lowered(text: str) -> KernelProgram:
    program = program_of(text)
    kernels = lower(program, "gfx942").program
    assert_equal(program, kernels, random_tensors(program))
    return kernels


def kinds_read(program: KernelProgram, launches: Iterable[Launch]) -> set[tuple[BufferKind, str]]:
    """The kinds and names of the buffers that launches read."""
    found = set()
    for launch in launches:
        pairs = zip(launch.arguments, program.kernels[launch.kernel].parameters, strict=True)
        for argument, parameter in pairs:
            if parameter.access is not ParameterAccess.WRITE:
                buffer = program.buffers[argument.buffer]
                found.add((buffer.kind, buffer.name))
    return found


def points_with(program: KernelProgram, launches: Iterable[Launch], op: ElementwiseOp) -> list[int]:
    """The points of each launch that computes ``op``."""
    kernels = [program.kernels[launch.kernel] for launch in launches]
    return [
        size(parallel_axes(kernel))
        for kernel in kernels
        if any(
            isinstance(i, Apply) and i.op is op for _, b in bodies(kernel) for i in b.instructions
        )
    ]


def test_what_weights_alone_decide_is_computed_when_they_are_loaded() -> None:
    program = lowered("""
stage s(x: f32[50, 8]) -> y: f32[50, 8]:
    weight g, a: f32[8] = "{g|a}"
    scale[c] = silu(g[c]) / (1 + exp(a[c]))
    y[t, c] = x[t, c] * scale[c]
""")
    assert len(program.prepare) == 1
    assert {kind for kind, _ in kinds_read(program, program.prepare)} == {BufferKind.WEIGHT}
    step = {kind for kind, _ in kinds_read(program, program.launches)}
    assert step == {BufferKind.INPUT, BufferKind.PREPARED}
    assert not points_with(program, program.launches, ElementwiseOp.EXP2)


def test_weights_that_are_stacked_are_put_together_when_they_are_loaded() -> None:
    program = lowered("""
stage s(x: f32[50, 6]) -> y: f32[50, 12]:
    weight V, W: f32[6, 6] = "{V|W}"
    stacked[o, i]     = V[o, i] * 2
    stacked[6 + o, i] = W[i, o]
    y[t, o] = sum[i] x[t, i] * stacked[o, i]
""")
    assert program.prepare
    assert (BufferKind.WEIGHT, "V") not in kinds_read(program, program.launches)
    assert (BufferKind.WEIGHT, "W") not in kinds_read(program, program.launches)


def test_large_weights_are_not_kept_twice() -> None:
    # Only lowered: its tensors are large.
    found = lower(
        program_of("""
stage s(x: f32[7, 2048]) -> y: f32[7, 4096]:
    weight W: f32[4096, 2048] = "W"
    y[t, o] = sum[i] x[t, i] * (2 * W[o, i])
"""),
        "gfx942",
    )
    assert not found.program.prepare


def test_what_sizes_alone_decide_is_a_table() -> None:
    program = lowered("""
stage s(x: f32[50, 3, 8]) -> y: f32[50, 3, 8]:
    angle[t: 50, n: 4] = t * 10000^(-n/4)
    y[t, h] = rotate_halves(x[t, h], angle[t])
""")
    assert not program.prepare
    assert {table.values.shape for table in program.tables} == {(50, 4)}
    assert not points_with(program, program.launches, ElementwiseOp.SINE)


def test_what_the_step_alone_decides_is_not_computed_for_every_token() -> None:
    program = lowered("""
stage s(x: f32[500, 8], level: f32) -> y: f32[500, 8]:
    weight W: f32[16, 32] = "W"
    e = waves(1000 * level, 16, 10000)
    m = linear(e, W)
    y[t, c] = (1 + m[0 + c]) * x[t, c] + m[8 + c]
""")
    assert all(
        points <= 32 for points in points_with(program, program.launches, ElementwiseOp.SINE)
    )
    assert points_with(program, program.launches, ElementwiseOp.SINE)


def test_a_value_of_inputs_is_not_computed_when_weights_are_loaded() -> None:
    program = lowered("""
stage s(x: f32[5, 8], z: f32[8]) -> y: f32[5, 8]:
    weight g: f32[8] = "g"
    y[t, c] = x[t, c] * exp(z[c] * g[c])
""")
    assert not program.prepare


def test_dead_work_is_dropped() -> None:
    program = lowered("""
stage s(x: f32[50, 8]) -> y: f32[10, 8]:
    weight V, W: f32[8, 8] = "{V|W}"
    a[t] = linear(x[t], V)
    b[t] = linear(a[t], W)
    y[t: 10] = a[5 + t]
""")
    names = {name for _, name in kinds_read(program, program.launches)}
    assert "W" not in names
    kernels = [program.kernels[launch.kernel] for launch in program.launches]
    assert all(size(parallel_axes(kernel)) == 10 * 8 for kernel in kernels)


def test_the_transformer_of_flux2() -> None:
    program = lower(elaborate(load_spec(SPEC, "tiny"), "transformer"), "gfx942").program
    # Sines of the noise level alone are left: 256 numbers, and none for a token or a head.
    points = points_with(program, program.launches, ElementwiseOp.SINE)
    assert points
    assert sum(points) <= 256
    tokens, angles = 24 + 24 + 16, 32 // 2
    assert any(table.values.size == tokens * angles for table in program.tables)
