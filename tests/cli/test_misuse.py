"""Misuse of the command: one clear message, the stated exit code, never a traceback."""

import json
import re
import sys
import warnings
from pathlib import Path

import click
import pytest

from lumc import console
from lumc.cli import main
from lumc.codegen.cache import CacheWarning
from lumc.diagnostics import Diagnostic, LumcError


def outcome(capsys: pytest.CaptureFixture[str], *arguments: object) -> tuple[int, str, str]:
    code = main([str(argument) for argument in arguments])
    said = capsys.readouterr()
    assert "Traceback" not in said.err
    return code, said.out, said.err


@pytest.mark.parametrize(
    ("arguments", "words"),
    [
        ((), "Usage: lumc"),
        (("chekc", "x"), "did you mean check?"),
        (("compile",), "Missing argument 'SPEC'"),
        (("compile", "x", "--math", "exakt"), "did you mean exact?"),
        (("compile", "x", "--set", "width"), "not of the form NAME=VALUE"),
        (("compile", "x", "--set", "=3"), "not of the form NAME=VALUE"),
        (("compile", "x", "--targt", "gfx942"), "--target"),
        (("check",), "Missing argument"),
        (("run", "x"), "Missing option '-o'"),
        (("inspect", "grahp", "x"), "did you mean graph?"),
        (("doctor", "--family", "convolution"), "--family has no meaning without --selftest"),
        (("bench", "x", "--predict", "--device", "cuda:0"), "has no meaning with --predict"),
    ],
)
def test_usage(capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...], words: str) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert code == 2
    assert out == ""
    assert words in err


@pytest.mark.parametrize(
    "arguments",
    [
        ("check", "nowhere.lum"),
        ("compile", "nowhere.lum", "-o", "out"),
        ("run", "nowhere.lum", "-o", "o.safetensors"),
        ("explain", "nowhere"),
        ("inspect", "graph", "nowhere"),
    ],
)
def test_a_place_that_is_not_there(
    capsys: pytest.CaptureFixture[str], arguments: tuple[str, ...]
) -> None:
    code, out, err = outcome(capsys, *arguments)
    assert code == 1
    assert out == ""
    assert re.match(r"error\[C002\]: there is no file or folder nowhere", err)


def test_help_is_a_result(capsys: pytest.CaptureFixture[str]) -> None:
    for arguments in (["--help"], ["compile", "-h"], ["inspect", "graph", "--help"]):
        code, out, err = outcome(capsys, *arguments)
        assert (code, err) == (0, "")
        assert "Usage: lumc" in out


def test_version(capsys: pytest.CaptureFixture[str]) -> None:
    assert outcome(capsys, "version") == (0, "lumc 0.1.0\n", "")


def test_doctor_as_json(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, err = outcome(capsys, "doctor", "--json")
    assert code == 0
    assert err.splitlines()[0] == "trying compilers"
    findings = {(f["topic"], f["name"]): f for f in json.loads(out)["findings"]}
    assert findings["toolchain", "ziglang"]["works"] is True
    assert "gfx942" in findings["toolchain", "ziglang"]["detail"]
    assert findings["target", "gfx950"]["works"] is True
    assert findings["device", "emulator"]["works"] is True


def test_doctor_for_the_reader(capsys: pytest.CaptureFixture[str]) -> None:
    code, out, _ = outcome(capsys, "doctor")
    assert code == 0
    assert re.search(r"^ok +toolchain +ziglang +clang version", out, re.MULTILINE)


def raising(error: BaseException) -> object:
    raise error


def test_mistakes_are_rendered(capsys: pytest.CaptureFixture[str]) -> None:
    error = LumcError(Diagnostic("L001", "first", hint="try"), Diagnostic("L002", "second"))
    assert console.guarded(lambda: raising(error)) == 1
    said = capsys.readouterr().err
    assert said == "error[L001]: first\n  hint: try\n\nerror[L002]: second\n"


def test_a_defect_is_one_message_and_a_file(capsys: pytest.CaptureFixture[str]) -> None:
    assert console.guarded(lambda: raising(KeyError("width\nmore"))) == 1
    said = capsys.readouterr().err
    assert "lumc has a defect: KeyError" in said
    assert "Traceback" not in said
    place = re.search(r"\S+lumc-error-\S+\.txt", said)
    assert place
    details = Path(place.group())
    assert "KeyError" in details.read_text()
    details.unlink()


def test_an_interrupt_is_no_defect(capsys: pytest.CaptureFixture[str]) -> None:
    for error in (KeyboardInterrupt(), click.Abort()):
        assert console.guarded(lambda error=error: raising(error)) == 130  # type: ignore[misc]
        assert capsys.readouterr().err == "\ninterrupted\n"


def test_cache_trouble_is_said_once(capsys: pytest.CaptureFixture[str]) -> None:
    def command() -> None:
        for _ in range(3):
            warnings.warn("the cache is full", CacheWarning, stacklevel=1)
            warnings.warn("for developers", DeprecationWarning, stacklevel=1)

    assert console.guarded(command) == 0
    assert capsys.readouterr().err == "warning[C001]: the cache is full\n"


def test_terminals_without_unicode(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    with (tmp_path / "out").open("w", encoding="ascii") as file:
        monkeypatch.setattr(sys, "stderr", file)
        error = LumcError(Diagnostic("L001", "3×5"))
        assert console.guarded(lambda: raising(error)) == 1
    assert (tmp_path / "out").read_text() == "error[L001]: 3\\xd75\n"


@pytest.mark.parametrize(
    ("arguments", "status", "code", "said"),
    [
        (["compile", "nowhere.lum", "--json"], 1, "C002", "nowhere.lum"),
        (["explain", "nowhere", "--json"], 1, "C002", "nowhere"),
        (["compile", "--json"], 2, "C000", "Missing argument"),
    ],
)
def test_a_program_that_reads_results_reads_errors_too(
    capsys: pytest.CaptureFixture[str], arguments: list[str], status: int, code: str, said: str
) -> None:
    got, out, err = outcome(capsys, *arguments)
    (error,) = json.loads(out)["errors"]
    assert (got, error["code"], error["severity"]) == (status, code, "error")
    assert said in error["message"]
    assert said in err


def test_an_error_for_programs_has_its_place(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    (tmp_path / "bad.lum").write_text("stage s(x: f32[3]) -> y: f32[3]:\n    y[i] = x[i] + zz[i]\n")
    code, out, _ = outcome(capsys, "compile", str(tmp_path / "bad.lum"), "--json")
    (error,) = json.loads(out)["errors"]
    assert code == 1
    assert (error["place"]["line"], error["place"]["column"]) == (2, 19)


@pytest.mark.parametrize("stage", [(), ("--stage", "half")])
def test_mistakes_in_a_text_are_shown_where_they_hide_a_stage(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, stage: tuple[str, ...]
) -> None:
    place = tmp_path / "wrong.lum"
    place.write_text("stage half(x: f32[3] -> y: f32[3]:\n    y[i] = x[i] / 2\n")
    code, out, err = outcome(capsys, "compile", place, *stage, "-o", tmp_path / "out")
    assert (code, out) == (1, "")
    assert f"{place}:1:" in err
    assert "no stage" not in err
