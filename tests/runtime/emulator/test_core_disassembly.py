"""Code objects that come without text are read through llvm-objdump, with the same result."""

import shutil
from pathlib import Path

import numpy as np
import pytest

from lumc.runtime.emulator import DisassemblyError, Emulator
from lumc.runtime.emulator.disassembly import disassemble
from tests.runtime.emulator.core_material import compiled, emulator_of, poisoned


def needs_objdump() -> None:
    try:
        disassemble(compiled("launches", "gfx90a").code, "gfx90a")
    except DisassemblyError as reason:
        pytest.skip(reason.render())


def test_disassembled_code_runs_as_the_text_does() -> None:
    needs_objdump()
    bare, whole = Emulator(compiled("launches", "gfx90a").code), emulator_of("launches", "gfx90a")
    m, n = np.arange(64, dtype=np.int32) % 3, np.arange(64, dtype=np.int32) % 4
    a = np.random.default_rng(2).integers(0x3F00, 0x4080, (32, 64), dtype=np.uint16)
    for emulator in (bare, whole):
        y = poisoned(64, np.int32)
        emulator.launch("call_recursively", (1, 1, 1), (64, 1, 1), (m, n, y))
        np.testing.assert_array_equal(y, np.stack([n + 1, n + 2, 2 * n + 3])[m, np.arange(64)])
    results = []
    for emulator in (bare, whole):
        c = poisoned((2, 32, 32))
        counters = emulator.launch("multiply", (1, 1, 1), (128, 1, 1), (a, a, c, 64)).counters
        results.append((c.tobytes(), counters.by_mnemonic))
    assert results[0] == results[1]


def test_no_disassembler_is_one_clear_error(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.delenv("LUMC_LLVM_OBJDUMP", raising=False)
    monkeypatch.setattr(shutil, "which", lambda name: None)
    with pytest.raises(DisassemblyError) as caught:
        Emulator(compiled("launches", "gfx90a").code)
    assert "pass the compiler's assembly text" in caught.value.render()


def test_a_disassembler_that_does_not_know_the_chip(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    tool = tmp_path / "objdump"
    tool.write_text("#!/bin/sh\necho 'unknown chip' >&2\nexit 1\n")
    tool.chmod(0o755)
    monkeypatch.setenv("LUMC_LLVM_OBJDUMP", str(tool))
    with pytest.raises(DisassemblyError) as caught:
        Emulator(compiled("launches", "gfx950").code)
    assert "objdump cannot disassemble code for gfx950" in caught.value.render()
    assert "unknown chip" in caught.value.render()
