"""Measurements are found again, by the right kernel, and damage costs no result."""

from __future__ import annotations

import dataclasses
import subprocess
import sys
from pathlib import Path

import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.kernel_program import Gemm, Kernel
from lumc.lowering.lower import lower
from lumc.lowering.tuning_database import (
    DATABASE_FILE,
    TuningDatabase,
    TuningWarning,
    signature,
    variant,
)

ROOT = Path(__file__).parents[2]
TEXT = """use nn
stage s(x: f32[{rows}, 64], W: f32[48, 64], g: f32[64]) -> y: f32[{rows}, 48], z: f32[{rows}, 64]:
    y[t] = linear(x[t], W)
    z[t] = rms_norm(x[t], g, 1e-6)
"""


def kernels(rows: int = 40) -> tuple[Kernel, ...]:
    return lower(elaborate(load_text("s", TEXT.format(rows=rows)), "s"), "gfx942").program.kernels


def test_what_is_recorded_is_found_again(tmp_path: Path) -> None:
    product, norm = kernels()
    database = TuningDatabase.open("gfx942", "clang 1", tmp_path)
    assert database.digest() == ""
    database.record(product, 1e-5)
    database.record(norm, 2e-5)
    database.record(norm, 3e-5)
    again = TuningDatabase.open("gfx942", "clang 1", tmp_path)
    for one in (database, again):
        assert one.measured(product) == {variant(product): 1e-5}
        assert one.measured(norm) == {"": 3e-5}
    assert again.digest() == database.digest() != ""


def test_chips_and_toolchains_are_kept_apart(tmp_path: Path) -> None:
    product, _ = kernels()
    TuningDatabase.open("gfx942", "clang 1", tmp_path).record(product, 1e-5)
    for chip, toolchain in (("gfx90a", "clang 1"), ("gfx942", "clang 2")):
        assert TuningDatabase.open(chip, toolchain, tmp_path).measured(product) == {}


def test_signatures_tell_kernels_apart_by_what_they_do_alone() -> None:
    product, norm = kernels()
    other, _ = kernels(41)
    assert isinstance(product, Gemm)
    assert len({signature(product), signature(norm), signature(other)}) == 3
    renamed = dataclasses.replace(product, name="another")
    uncut = dataclasses.replace(product, tile=None)
    assert signature(renamed) == signature(uncut) == signature(product)
    assert variant(uncut) != variant(product)


@pytest.mark.filterwarnings("default")
@pytest.mark.parametrize(
    "content", [b"this is no database" * 100, b"SQLite format 3\0" + b"x" * 99]
)
def test_a_damaged_file_is_put_aside(content: bytes, tmp_path: Path) -> None:
    product, _ = kernels()
    (tmp_path / DATABASE_FILE).write_bytes(content)
    with pytest.warns(TuningWarning, match="damaged"):
        database = TuningDatabase.open("gfx942", "clang 1", tmp_path)
    database.record(product, 1e-5)
    assert TuningDatabase.open("gfx942", "clang 1", tmp_path).measured(product)
    (aside,) = tmp_path.glob(f"{DATABASE_FILE}.damaged-*")
    assert aside.read_bytes() == content


def test_a_folder_that_cannot_be_written_costs_no_result(tmp_path: Path) -> None:
    product, _ = kernels()
    (tmp_path / "file").write_text("in the way")
    database = TuningDatabase.open("gfx942", "clang 1", tmp_path / "file")
    with pytest.warns(TuningWarning, match="can't be written"):
        database.record(product, 1e-5)
    assert database.measured(product)


WRITER = """
import sys
from pathlib import Path
from tests.lowering.test_tuning_database import kernels
from lumc.lowering.tuning_database import TuningDatabase
first = int(sys.argv[2])
product, _ = kernels()
for n in range(first, first + 40):
    TuningDatabase.open("gfx942", f"clang {n}", Path(sys.argv[1])).record(product, n * 1e-6)
"""


def test_processes_write_at_the_same_time(tmp_path: Path) -> None:
    commands = [[sys.executable, "-c", WRITER, str(tmp_path), str(first)] for first in (0, 40, 80)]
    running = [subprocess.Popen(command, cwd=ROOT) for command in commands]
    assert [process.wait(timeout=120) for process in running] == [0, 0, 0]
    product, _ = kernels()
    for n in range(120):
        found = TuningDatabase.open("gfx942", f"clang {n}", tmp_path).measured(product)
        assert list(found.values()) == [n * 1e-6]
