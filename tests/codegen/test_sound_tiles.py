"""The gate behind the compiler: bad code makes the next tile take its place, with a reason."""

from dataclasses import replace

import pytest

from lumc.codegen.emit import EmittedProgram, emit_program
from lumc.codegen.sound_tiles import SoundTiles
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import CompiledObject
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Gemm, Kernel, KernelProgram
from lumc.lowering.select_tiles import with_tile
from lumc.lowering.tuning_database import variant
from tests.codegen.sample_kernels import linear

TEXT = """\
{symbol}:
.LBB0_1:
\tv_mfma_f32_16x16x16_bf16 v[0:3], v[4:5], v[6:7], v[0:3]
\ts_cbranch_scc1 .LBB0_1
.Lfunc_end0:
\t.amdgpu_metadata
amdhsa.kernels:
  - .private_segment_fixed_size: {scratch}
    .symbol:         {symbol}.kd
    .vgpr_count:     100
"""


def program() -> KernelProgram:
    kernel = with_tile(linear(900, 1200, 640), chip_for("gfx942"))
    return KernelProgram("p", (), (), (kernel,), (), ())


class Compiler:
    """Makes code that spills for the first so many tiles that it is given."""

    def __init__(self, spilling: int) -> None:
        self.spilling = spilling
        self.cuts: list[str] = []

    def compile(self, kernels: KernelProgram) -> tuple[EmittedProgram, dict[str, CompiledObject]]:
        emitted = emit_program(kernels, target_named("gfx942"))
        cut = variant(kernels.kernels[0])
        if cut not in self.cuts:
            self.cuts.append(cut)
        scratch = 24 if self.cuts.index(cut) < self.spilling else 0
        (made,) = emitted.generated
        text = TEXT.format(symbol=made.symbol, scratch=scratch)
        return emitted, {made.symbol: CompiledObject(b"", text)}


def settle(gate: SoundTiles, compiler: Compiler) -> KernelProgram:
    """What a compile does: ask the gate until it is content."""
    now = program()
    while (other := gate.recut(now, *compiler.compile(now))) is not None:
        now = other
    return now


def gate(trusted: bool = False) -> SoundTiles:
    def is_trusted(kernel: Kernel) -> bool:
        return trusted

    return SoundTiles(chip_for("gfx942"), target_named("gfx942"), is_trusted)


def test_sound_code_is_left_alone() -> None:
    asked, compiler = gate(), Compiler(0)
    assert settle(asked, compiler) == program()
    assert asked.put_aside() == ()
    assert len(compiler.cuts) == 1


@pytest.mark.parametrize("spilling", [1, 2])
def test_the_next_tile_takes_its_place(spilling: int) -> None:
    asked, compiler = gate(), Compiler(spilling)
    (taken,) = settle(asked, compiler).kernels
    assert isinstance(taken, Gemm)
    assert len(compiler.cuts) == len(set(compiler.cuts)) == spilling + 1
    assert variant(taken) == compiler.cuts[-1]
    assert replace(taken, tile=None) == replace(program().kernels[0], tile=None)  # type: ignore[arg-type]
    notes = asked.put_aside()
    assert [note.cut for note in notes] == compiler.cuts[:-1]
    assert {note.instead for note in notes} == {compiler.cuts[-1]}
    assert notes[0].faults == ("24 bytes of scratch a lane",)


def test_the_first_stays_where_none_is_sound() -> None:
    asked, compiler = gate(), Compiler(1000)
    assert settle(asked, compiler) == program()
    assert len(asked.put_aside()) == len(compiler.cuts) > 1
    assert {note.instead for note in asked.put_aside()} == {None}


def test_a_measured_tile_is_trusted() -> None:
    asked, compiler = gate(trusted=True), Compiler(1000)
    assert settle(asked, compiler) == program()
    assert len(compiler.cuts) == 1


def test_other_vendors_code_is_not_read() -> None:
    now = program()
    asked = SoundTiles(chip_for("sm_90"), target_named("sm_90"), lambda kernel: False)
    assert asked.recut(now, *Compiler(1000).compile(now)) is None
