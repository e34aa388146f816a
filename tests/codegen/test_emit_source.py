"""The text of generated code: what a reader sees, and what a spec's names can't do to it."""

from __future__ import annotations

import math
import re
from collections.abc import Callable
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumc.codegen.emit import MathMode, emit_kernel, emit_program
from lumc.codegen.header_comment import KernelUse
from lumc.codegen.identifiers import Names, comment_text, identifier, reserved_names
from lumc.codegen.known_numbers import explained_numbers
from lumc.codegen.target import UnknownTargetError, known_targets, target_named
from lumc.codegen.toolchains import ToolchainError, choose_toolchain
from lumc.diagnostics import Source, Span
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import (
    Argument,
    AttentionTile,
    Buffer,
    BufferKind,
    GemmTile,
    Kernel,
    KernelAxis,
    KernelProgram,
    Launch,
    Pointwise,
    Provenance,
)
from tests.codegen import sample_kernels as samples
from tests.codegen.emulated import check_kernel, compiled

GFX942 = target_named("gfx942")
USE = KernelUse(cost="12.5 us expected, by memory")
KERNELS: dict[str, Kernel] = {
    "pointwise": samples.modulated(70, 96),
    "row_reduction": samples.layer_norm(5, 4096),
    "in_place": samples.rope_in_place(3, 4, 128),
    "product": samples.linear(300, 264, 96),
    "two_products": samples.gated_pair(150, 200, 160),
    "convolution": samples.convolution(9, 11, 16, 40),
    "attention": samples.attention(4, 65, 100, 128, 128, groups=2, mask="causal"),
}


@pytest.mark.parametrize("name", KERNELS)
def test_golden(name: str, golden: Callable[[str, str], None]) -> None:
    kernel = KERNELS[name]
    alignments = [256] * len(kernel.parameters)
    emitted = emit_kernel(kernel, GFX942, alignments, use=USE)
    golden(f"{name}.hip", emitted.source)


@pytest.mark.parametrize("name", KERNELS)
def test_layout(name: str) -> None:
    """Two blanks a level, none at an end, no two empty lines, braces that match."""
    source = emit_kernel(KERNELS[name], GFX942).source
    assert "\n\n\n" not in source
    lines = source.splitlines()
    head = next(n for n, line in enumerate(lines) if line.endswith(") {"))
    depth = 1
    for line in lines[head + 1 :]:
        assert line == line.rstrip()
        code = line.split("//")[0].strip()
        depth -= code.startswith("}")
        assert not line or len(line) - len(line.lstrip()) == 2 * depth, line
        depth += code.count("{") - code.count("}") + code.startswith("}")
    assert depth == 0


@pytest.mark.parametrize("target", known_targets())
@pytest.mark.parametrize("name", KERNELS)
def test_every_target_compiles(name: str, target: str) -> None:
    kernel = KERNELS[name]
    try:
        choose_toolchain(target)
    except ToolchainError as error:
        if not target.startswith("sm_"):
            raise
        pytest.skip(error.render())
    emitted = emit_kernel(kernel, target_named(target), [256] * len(kernel.parameters))
    assert compiled(emitted, target).code[:4] == b"\x7fELF"


def test_unknown_targets() -> None:
    with pytest.raises(UnknownTargetError) as caught:
        target_named("gfx94")
    assert "gfx942" in caught.value.render()


# ------------------------------------------------------------------------------------------ names

HOSTILE = [
    "*/ int x; /*",
    "a\\\nb",
    "x; } __global__ void evil() {",
    '"; system("rm -rf /"); "',
    "#define float int",
    "??/",
    "int",
    "load",
    "LUMC_KERNEL",
    "größe",
    "",
    "0",
    "_",
    "__x",
    "\u202e\u0000\n\t",
    "a" * 500,
    "row",
    "column",
    "e",
    "total",
    "left_tile",
    "Tile",
    "thread",
]


@pytest.mark.parametrize("name", HOSTILE)
def test_identifiers_are_plain(name: str) -> None:
    made = identifier(name)
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]{0,50}", made)
    assert "__" not in made
    assert made not in reserved_names()


@given(st.text())
def test_any_text_is_a_name_and_a_comment(text: str) -> None:
    assert re.fullmatch(r"[A-Za-z][A-Za-z0-9_]*", identifier(text))
    comment = comment_text(text)
    assert comment.isprintable()
    assert not re.search(r"[\\\n\r\u2028]|\*/|/\*|\?\?", comment)


def test_names_are_told_apart() -> None:
    names = Names({"x"})
    assert [names.fresh(n) for n in ("x", "x", "x_2", "é", "")] == [
        "x_2",
        "x_3",
        "x_2_2",
        "value",
        "value_2",
    ]


def renamed(kernel: Kernel, name: str) -> Kernel:
    """``kernel`` with everything that a spec can name called ``name``."""
    hostile = Span(Source(f"{name}.lum", name), 1, 1, 1, 2)
    parameters = tuple(replace(p, name=f"{name}{n or ''}") for n, p in enumerate(kernel.parameters))
    provenance = Provenance((hostile,), (name, f"{name}\n{name}"), (name,))
    found = replace(kernel, name=name, parameters=parameters, provenance=provenance)
    if isinstance(found, Pointwise):
        axes = tuple(KernelAxis(name, axis.size) for axis in found.body.axes)
        found = replace(found, body=replace(found.body, axes=axes))
    return found


@pytest.mark.parametrize("name", HOSTILE)
def test_hostile_names_change_names_alone(name: str) -> None:
    """The code is the same but for identifiers, and computes the same."""
    kernel = renamed(samples.modulated(7, 48), name)
    emitted = emit_kernel(kernel, GFX942)

    def shape(text: str) -> list[str]:
        code = re.sub(r"//.*", "", text)
        return re.findall(r"[^\w\s]+|\b(?:const|int|float|bf16|if|for|return)\b|\b\d\w*", code)

    plain = emit_kernel(samples.modulated(7, 48), GFX942)
    assert shape(emitted.source) == shape(plain.source)
    assert all(line.isprintable() for line in emitted.source.splitlines())
    check_kernel(kernel, "gfx942")


@pytest.mark.parametrize("kernel", [samples.linear(20, 24, 16), samples.layer_norm(2, 40)])
@pytest.mark.parametrize("name", ["left_tile", "total", "row", "column", "scratch_float", "*/ x"])
def test_names_of_the_templates_can_be_taken(kernel: Kernel, name: str) -> None:
    small = (
        samples.linear(20, 24, 16) if kernel is KERNELS["product"] else samples.layer_norm(2, 40)
    )
    check_kernel(renamed(small, name), "gfx942")


@pytest.mark.parametrize(
    "kernel", [samples.layer_norm(2, 4096), samples.column_sum(3000, 40)], ids=["rows", "tiles"]
)
def test_the_name_of_shared_memory_can_be_taken(kernel: Kernel) -> None:
    check_kernel(renamed(kernel, "scratch_float"), "gfx942")


# --------------------------------------------------------------------------------- units, programs


def test_a_unit_does_not_depend_on_where_a_kernel_comes_from() -> None:
    kernel = samples.modulated(7, 48)
    other = replace(kernel, provenance=samples.provenance("another", "name"))
    uses = (KernelUse(cost="1 us", launches=7), KernelUse())
    first, second = (
        emit_kernel(k, GFX942, use=use) for k, use in zip((kernel, other), uses, strict=True)
    )
    assert first.unit == second.unit
    assert first.symbol == second.symbol
    assert first.source != second.source


def test_what_differs_has_another_symbol() -> None:
    kernel = samples.modulated(7, 48)
    symbols = {
        emit_kernel(kernel, GFX942).symbol,
        emit_kernel(kernel, GFX942, [256] * 4).symbol,
        emit_kernel(samples.modulated(7, 64), GFX942).symbol,
        emit_kernel(kernel, GFX942, math_mode=MathMode.EXACT).symbol,
    }
    assert len(symbols) == 4


def program(offset: int) -> KernelProgram:
    """Two launches of one kernel, the second at ``offset`` elements into its first buffer."""
    kernel = samples.modulated(7, 48)
    buffers = tuple(
        Buffer(name, kind, p.dtype, (1024,))
        for name, kind, p in zip(
            ("image", "gate", "x", "out"),
            (BufferKind.INPUT, BufferKind.WEIGHT, BufferKind.INPUT, BufferKind.OUTPUT),
            kernel.parameters,
            strict=True,
        )
    )
    first = Launch(0, tuple(Argument(n) for n in range(4)), samples.provenance("y"))
    second = Launch(0, (Argument(0, offset), *first.arguments[1:]), samples.provenance("z"))
    return KernelProgram(
        "stage */ x", buffers, (), (kernel,), (), (first, second), (("width", "5\n#error"),)
    )


def test_the_comment_says_how_often_and_for_which_weights() -> None:
    twice = program(0)
    gate = replace(twice.buffers[1], name="gate of block 1")
    first, second = twice.launches
    other = replace(second, arguments=(Argument(0), Argument(4), Argument(2), Argument(3)))
    twice = replace(twice, buffers=(*twice.buffers, gate), launches=(first, second, other))
    text = emit_program(twice, GFX942).text
    assert "// launched 3 times a step\n" in text
    assert "// reads gate (the first of 2 weights): bf16" in text
    assert text.count("of 2 weights") == 1
    early = emit_program(replace(twice, launches=(), prepare=(first,)), GFX942).text
    assert "// launched once, when the weights are loaded\n" in early
    assert "of 2 weights" not in early


@pytest.mark.parametrize(
    ("number", "meaning"),
    [
        (np.float32(1 / 4096), "1/4096"),
        (np.float32(-1 / 3), "1/3"),
        (np.float32(128**-0.5), "1/sqrt(128)"),
        (np.float32(math.log2(math.e) / math.sqrt(72)), "log2(e)/sqrt(72)"),
        (np.float32(1.442695), "log2(e)"),
        (np.finfo(np.float32).max, "the greatest f32"),
        (np.nextafter(np.float32(1 / 4096), np.float32(1)), None),
        (np.float32(0.5), None),
        (np.float32(1e-6), None),
        (np.float32(0.044715), None),
    ],
)
def test_numbers_are_explained(number: np.float32, meaning: str | None) -> None:
    shown = str(abs(number))
    code = f"y = x * ({'-' if number < 0 else ''}{shown}f) + 4096 * value_0.{shown}fe;"
    assert explained_numbers(code) == (() if meaning is None else (f"{shown} = {meaning}",))


def test_alignment_is_what_all_launches_have() -> None:
    texts = [emit_program(program(offset), GFX942).kernels[0].source for offset in (0, 8, 4, 1)]
    loads = [re.search(r"load_vector<8, (\d)>\(image|(load)\(image", t) for t in texts]
    found = [m and (m.group(1) or m.group(2)) for m in loads]
    assert found == ["8", "8", "4", "load"]


def test_a_program_is_one_text_that_compiles() -> None:
    emitted = emit_program(program(8), GFX942, costs={0: "3 us"})
    assert emitted == emit_program(program(8), GFX942, costs={0: "3 us"})
    text = emitted.text
    assert text.startswith(
        "// The kernels of stage x for gfx942, made by lumc.\n//   width = 5 #error\n"
    )
    assert "// out, y, z: at each point of t 7 × c 48" in text
    assert "// from model.lum:1" in text
    assert "// made by fuse_elementwise" in text
    assert "// 3 us" in text
    (kernel,) = emitted.generated
    whole = replace(kernel, unit=replace(kernel.unit, text=text))
    assert compiled(whole, "gfx942").code


@pytest.mark.parametrize(
    ("tile", "reason"),
    [
        (GemmTile(100, 128, 64, 2, 2), "rows are no multiple"),
        (GemmTile(128, 128, 48, 2, 2), "64 bytes"),
        (GemmTile(256, 256, 256, 2, 4), "shared memory"),
    ],
)
def test_tiles_that_cannot_be_made(tile: GemmTile, reason: str) -> None:
    with pytest.raises(ValueError, match=reason):
        emit_kernel(samples.linear(300, 264, 96, tile=tile), GFX942)


def test_attention_tiles_that_cannot_be_made() -> None:
    kernel = samples.attention(1, 40, 40, 64, 64, tile=AttentionTile(40, 64, 2))
    with pytest.raises(ValueError, match="queries are no multiple"):
        emit_kernel(kernel, GFX942)
    with pytest.raises(ValueError, match="too many channels"):
        emit_kernel(samples.attention(1, 40, 40, 64, 600), GFX942)


def test_every_storage_type_has_a_name() -> None:
    for dtype in DType:
        if dtype is not DType.F64:
            emit_kernel(samples.transposed(3, 4, dtype), GFX942)
