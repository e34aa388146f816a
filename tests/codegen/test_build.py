"""Parallel compilation through the cache, and stage folders that appear whole."""

import os
import threading
from dataclasses import dataclass, field
from pathlib import Path

import pytest

from lumc.cache_folder import CACHE_VARIABLE
from lumc.codegen import build as build_module
from lumc.codegen.build import OutputError, check_output, compile_units, write_stage
from lumc.codegen.cache import Cache
from lumc.codegen.toolchains import CompilationError, CompiledObject, CompileUnit


@dataclass(frozen=True)
class CountingChain:
    """A toolchain that makes up objects and counts; units with ``bad`` in them are rejected."""

    name: str = "counting"
    version: str = "1"
    path: Path = Path("/bin/true")
    identity: str = "counting 1"
    compiled: list[str] = field(default_factory=list, compare=False)

    def may_support(self, target: str) -> bool:
        return True

    def compile(self, unit: CompileUnit, target: str) -> CompiledObject:
        if "bad" in unit.text:
            raise CompilationError(("cc", "kernel.hip"), "x.hip:1: error: bad thing\nmore", unit)
        self.compiled.append(unit.text)
        return CompiledObject(f"{unit.text} for {target}".encode(), f"; {unit.text}\n")


UNITS = {f"k{n}": CompileUnit(f"kernel {n}", {"h.hpp": "header"}) for n in range(7)}


@pytest.fixture
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Cache:
    monkeypatch.setenv(CACHE_VARIABLE, str(tmp_path / "cache"))
    return Cache(tmp_path / "cache")


def test_each_unit_is_compiled_once(cache: Cache) -> None:
    chain, steps = CountingChain(), []
    first = compile_units(UNITS, chain, "gfx942", cache, lambda: steps.append(1))
    assert list(first.objects) == list(UNITS)
    assert first.objects["k3"].code == b"kernel 3 for gfx942"
    assert (first.from_cache, len(chain.compiled), len(steps)) == (0, 7, 7)
    again = compile_units(UNITS, chain, "gfx942", cache, lambda: steps.append(1))
    assert again.objects == first.objects
    assert (again.from_cache, len(chain.compiled), len(steps)) == (7, 7, 14)


@pytest.mark.parametrize(
    ("units", "chain", "target"),
    [
        ({"k0": CompileUnit("kernel 0", {"h.hpp": "changed"})}, CountingChain(), "gfx942"),
        ({"k0": CompileUnit("kernel 0", {"other.hpp": "header"})}, CountingChain(), "gfx942"),
        ({"k0": CompileUnit("kernel 0 ", {"h.hpp": "header"})}, CountingChain(), "gfx942"),
        ({"k0": UNITS["k0"]}, CountingChain(identity="counting 2"), "gfx942"),
        ({"k0": UNITS["k0"]}, CountingChain(), "gfx90a"),
    ],
    ids=["header text", "header name", "text", "compiler", "target"],
)
def test_what_a_unit_depends_on_is_in_its_key(
    cache: Cache, units: dict[str, CompileUnit], chain: CountingChain, target: str
) -> None:
    compile_units({"k0": UNITS["k0"]}, CountingChain(), "gfx942", cache)
    assert compile_units(units, chain, target, cache).from_cache == 0


def test_a_damaged_object_is_made_again(cache: Cache) -> None:
    chain = CountingChain()
    compile_units(UNITS, chain, "gfx942", cache)
    for entry in [path for path in cache.root.rglob("*") if path.is_file()][:2]:
        entry.write_bytes(entry.read_bytes()[:-3])
    assert compile_units(UNITS, chain, "gfx942", cache).from_cache == 5
    assert compile_units(UNITS, chain, "gfx942", cache).from_cache == 7


def test_a_rejected_unit_leaves_its_evidence(cache: Cache) -> None:
    units = UNITS | {"k_bad": CompileUnit("bad kernel", {"lumc/h.hpp": "header"})}
    with pytest.raises(CompilationError) as caught:
        compile_units(units, CountingChain(), "gfx942", cache)
    folder = cache.root / "failures" / "k_bad"
    assert str(folder) in caught.value.render()
    assert "bad thing" in caught.value.render()
    assert (folder / "kernel.hip").read_text() == "bad kernel"
    assert (folder / "lumc" / "h.hpp").read_text() == "header"
    assert "more" in (folder / "compiler_output.txt").read_text()


def contents(folder: Path) -> dict[str, bytes]:
    return {
        str(path.relative_to(folder)): path.read_bytes()
        for path in folder.rglob("*")
        if path.is_file()
    }


def names(folder: Path) -> list[str]:
    return sorted(path.name for path in folder.iterdir())


def test_a_stage_folder_is_replaced_whole(tmp_path: Path) -> None:
    folder = tmp_path / "out" / "block"
    old = {"plan.json": b"1", "code_objects/a.co": b"a"}
    new = {"plan.json": b"2", "code_objects/b.co": b"b"}
    write_stage(folder, old)
    assert contents(folder) == old
    write_stage(folder, new)
    assert contents(folder) == new
    assert names(folder.parent) == ["block"]
    assert folder.stat().st_mode & 0o777 == 0o777 & ~_umask()


def _umask() -> int:
    mask = os.umask(0)
    os.umask(mask)
    return mask


def test_foreign_folders_are_not_replaced(tmp_path: Path) -> None:
    (tmp_path / "thesis").mkdir()
    (tmp_path / "thesis" / "chapter.tex").write_text("dear")
    (tmp_path / "file").write_text("x")
    for name in ("thesis", "file"):
        with pytest.raises(OutputError, match="not a compiled stage"):
            write_stage(tmp_path / name, {"plan.json": b"1"})
    assert (tmp_path / "thesis" / "chapter.tex").read_text() == "dear"


def test_places_that_cannot_be_written_are_found_before(tmp_path: Path) -> None:
    check_output(tmp_path / "new" / "block")
    check_output(tmp_path / "block")
    assert not list(tmp_path.iterdir())
    (tmp_path / "file").write_text("x")
    for place in (tmp_path / "file" / "block", tmp_path / "file" / "new" / "block"):
        with pytest.raises(OutputError, match=r"can't write .*block: Not a directory"):
            check_output(place)
    with pytest.raises(OutputError, match="not a compiled stage"):
        check_output(tmp_path / "file")


@pytest.mark.skipif(os.geteuid() == 0, reason="nothing is closed to root")
def test_a_folder_that_is_closed(tmp_path: Path) -> None:
    tmp_path.chmod(0o500)
    try:
        with pytest.raises(OutputError, match=r"can't write .*block: Permission denied"):
            check_output(tmp_path / "block")
    finally:
        tmp_path.chmod(0o700)


@pytest.mark.parametrize("error", [OSError(28, "No space left on device"), KeyboardInterrupt()])
def test_an_interrupted_write_leaves_the_old_stage(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, error: BaseException
) -> None:
    folder = tmp_path / "block"
    write_stage(folder, {"plan.json": b"1", "a": b"a"})

    def fail(*_: object) -> None:
        raise error

    monkeypatch.setattr(build_module, "_fill", fail)
    with pytest.raises((OutputError, KeyboardInterrupt)):
        write_stage(folder, {"plan.json": b"2"})
    assert contents(folder) == {"plan.json": b"1", "a": b"a"}
    assert names(tmp_path) == ["block"]


def test_the_reason_is_in_the_message(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    def full(*_: object) -> None:
        raise OSError(28, "No space left on device")

    monkeypatch.setattr(build_module, "_fill", full)
    with pytest.raises(OutputError, match=r"can't write .*block: No space left on device"):
        write_stage(tmp_path / "block", {"plan.json": b"2"})


def test_writers_of_one_folder_do_not_mix(tmp_path: Path) -> None:
    folder = tmp_path / "block"
    versions = [
        {"plan.json": bytes([n]), **{f"c/{n}-{k}": b"" for k in range(5)}} for n in range(4)
    ]

    def write(files: dict[str, bytes]) -> None:
        for _ in range(10):
            write_stage(folder, files)

    writers = [threading.Thread(target=write, args=(files,)) for files in versions]
    for writer in writers:
        writer.start()
    for writer in writers:
        writer.join()
    assert contents(folder) in versions
    assert names(tmp_path) == ["block"]
