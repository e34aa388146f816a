"""The interpreter is compiled once, kept, and compiled anew when anything about it changes."""

import ctypes
import stat
from pathlib import Path

import pytest

from lumc.cache_folder import cache_folder
from lumc.runtime.emulator import EmulatorBuildError, build

SOURCE = 'extern "C" int answer() { return ANSWER; }'


@pytest.fixture
def sources(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A folder with a small library's sources, built into a cache of its own."""
    folder = tmp_path / "native"
    folder.mkdir()
    (folder / "answer.hpp").write_text("#define ANSWER 42\n")
    (folder / "answer.cpp").write_text('#include "answer.hpp"\n' + visible(SOURCE))
    monkeypatch.setattr(build, "_SOURCES", folder)
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path / "cache"))
    monkeypatch.delenv("CXX", raising=False)
    return folder


def visible(code: str) -> str:
    return code.replace("int", '__attribute__((visibility("default"))) int', 1) + "\n"


def counting_compiler(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """Puts a compiler in ``CXX`` that notes every call that compiles or links."""
    (real,) = build.find_compiler()[:1]
    log, script = folder / "calls", folder / "compiler"
    script.write_text(
        f'#!/bin/sh\ncase "$*" in *--version*) ;; *) echo "$*" >> {log};; esac\nexec {real} "$@"\n'
    )
    script.chmod(script.stat().st_mode | stat.S_IXUSR)
    monkeypatch.setenv("CXX", str(script))
    return log


def test_a_library_is_built_once(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    log = counting_compiler(tmp_path, monkeypatch)
    first = build.library()
    assert ctypes.CDLL(str(first)).answer() == 42
    calls = log.read_text()
    assert build.library() == first
    assert log.read_text() == calls
    assert first.parent == tmp_path / "cache" / "emulator"


def test_a_changed_header_makes_a_new_library(sources: Path) -> None:
    first = build.library()
    (sources / "answer.hpp").write_text("#define ANSWER 43\n")
    second = build.library()
    assert second != first
    assert ctypes.CDLL(str(second)).answer() == 43


def test_another_compiler_makes_a_new_library(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    first = build.library()
    counting_compiler(tmp_path, monkeypatch)
    assert build.library() != first


def test_the_cache_follows_the_user(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUMC_CACHE_DIR", "/some/place")
    assert cache_folder() == Path("/some/place")
    monkeypatch.delenv("LUMC_CACHE_DIR")
    monkeypatch.setenv("XDG_CACHE_HOME", "/cache")
    assert cache_folder() == Path("/cache/lumc")
    monkeypatch.delenv("XDG_CACHE_HOME")
    monkeypatch.setenv("HOME", str(tmp_path))
    assert cache_folder() == tmp_path / ".cache" / "lumc"


def test_no_compiler_is_one_clear_error(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(build, "find_spec", lambda name: None)
    with pytest.raises(EmulatorBuildError) as caught:
        build.library()
    assert "needs a C++ compiler, and none was found" in caught.value.render()
    assert "pip install ziglang" in caught.value.render()


def test_a_cache_that_is_no_folder(
    sources: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "file").write_text("")
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path / "file"))
    with pytest.raises(EmulatorBuildError) as caught:
        build.library()
    assert "can't be built in" in caught.value.render()
    assert "LUMC_CACHE_DIR names another folder" in caught.value.render()


def test_ziglang_is_the_last_resort(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PATH", "")
    monkeypatch.setattr(build, "find_spec", lambda name: object())
    assert build.find_compiler()[1:] == ("-m", "ziglang", "c++")


def test_a_compiler_that_is_not_there(sources: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("CXX", "/no/such/compiler --fast")
    with pytest.raises(EmulatorBuildError) as caught:
        build.library()
    assert "/no/such/compiler does not exist" in caught.value.render()


def test_sources_that_do_not_compile(sources: Path) -> None:
    (sources / "answer.cpp").write_text("this is no C++\n")
    with pytest.raises(EmulatorBuildError) as caught:
        build.library()
    text = caught.value.render()
    assert "could not compile the emulator" in text
    assert "answer.cpp" in text
    assert not list((sources.parent / "cache" / "emulator").glob("*.so"))
