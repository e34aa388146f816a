"""Files: what may be read, how it must be encoded, and what ``use`` reaches."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest

from lumc.diagnostics import LumcError
from lumc.dsl import check, elaborate, load_spec, load_text
from lumc.dsl.reference import evaluate

GOOD = "stage double(x: f32[3]) -> y: f32[3]:\n    y[i] = 2 * x[i]\n"


def message_of(path: Path) -> str:
    with pytest.raises(LumcError) as caught:
        load_spec(path)
    return caught.value.render().replace(str(path), path.name)


def test_a_missing_file(tmp_path: Path) -> None:
    assert message_of(tmp_path / "none.lum") == "error[L003]: there is no file none.lum"


def test_a_folder(tmp_path: Path) -> None:
    assert message_of(tmp_path).startswith("error[L003]:")


def test_bytes_that_are_no_text(tmp_path: Path) -> None:
    path = tmp_path / "latin.lum"
    path.write_bytes(b"# caf\xc3\xa9\n# caf\xe9\n" + GOOD.encode())
    assert message_of(path) == (
        "latin.lum:2:6: error[L003]: byte 0xe9 is not UTF-8\n"
        " 2 | # caf\N{REPLACEMENT CHARACTER}\n"
        "   |      ^\n"
        "  hint: save the file as UTF-8"
    )


def test_a_file_of_10_megabytes(tmp_path: Path) -> None:
    path = tmp_path / "huge.lum"
    path.write_bytes(b"# " + b"x" * 10_000_000)
    assert message_of(path) == (
        "error[L004]: huge.lum is larger than 256 kB\n"
        "  hint: a spec is a text of some hundred lines"
    )


@pytest.mark.parametrize("text", ["", "\n\n", "   \n"])
def test_an_empty_file(text: str) -> None:
    (diagnostic,) = check(load_text("empty", text))
    assert diagnostic.render() == (
        "error[L003]: empty.lum is empty\n  hint: a spec has at least one stage or definition"
    )


@pytest.mark.parametrize(
    "data",
    [
        GOOD.encode(),
        b"\xef\xbb\xbf" + GOOD.encode(),
        GOOD.replace("\n", "\r\n").encode(),
        GOOD.replace("\n", "\r").encode(),
        GOOD.rstrip().encode(),
        GOOD.replace(" * ", " \t* ").encode(),
        (GOOD + "    # a comment at the end").encode(),
    ],
    ids=["plain", "byte order mark", "CRLF", "CR", "no last newline", "inner tab", "comment"],
)
def test_texts_that_mean_the_same(data: bytes, tmp_path: Path) -> None:
    path = tmp_path / "double.lum"
    path.write_bytes(data)
    spec = load_spec(path)
    assert check(spec) == ()
    x = np.array([1, -2, 3], np.float32)
    np.testing.assert_array_equal(evaluate(elaborate(spec, "double"), {"x": x}, {})["y"], 2 * x)


@pytest.mark.parametrize("name", ["../secret", "/etc/passwd", "a.b", "..", "a b", "'x'", '"x"'])
def test_use_takes_plain_names_only(name: str, tmp_path: Path) -> None:
    (tmp_path / "secret.lum").write_text("def hidden(x) = x\n")
    folder = tmp_path / "specs"
    folder.mkdir()
    path = folder / "main.lum"
    path.write_text(f"use {name}\n" + GOOD)
    errors = check(load_spec(path))
    assert errors
    assert not any("hidden" in error.render() for error in errors)


def test_use_does_not_follow_links_out_of_the_folder(tmp_path: Path) -> None:
    (tmp_path / "secret.lum").write_text("def hidden(x) = x\n")
    folder = tmp_path / "specs"
    folder.mkdir()
    (folder / "inner.lum").symlink_to(tmp_path / "secret.lum")
    (folder / "main.lum").write_text("use inner\n" + GOOD)
    (error,) = check(load_spec(folder / "main.lum"))
    assert "inner.lum is a link out of its folder" in error.render()


def test_use_finds_files_beside_the_spec_before_lumcs_own(tmp_path: Path) -> None:
    (tmp_path / "nn.lum").write_text("def twice(x) = 2 * x\n")
    (tmp_path / "main.lum").write_text(
        "use nn\nstage f(x: f32[2]) -> y: f32[2]:\n    y[i] = twice(x[i])\n"
    )
    assert check(load_spec(tmp_path / "main.lum")) == ()


def test_definitions_of_files_used_by_used_files_are_not_seen() -> None:
    files = {"a": "use b\ndef f(x) = g(x)\n", "b": "def g(x) = x + 1\n"}
    main = "use a\nstage s(x: f32[2]) -> y: f32[2]:\n    y[i] = f(x[i])\n"
    assert check(load_text("main", main, files=files)) == ()
    direct = main.replace("f(x[i])", "g(x[i])")
    assert [error.code for error in check(load_text("main", direct, files=files))] == ["L010"]


def test_one_file_used_with_two_settings() -> None:
    files = {
        "scaled": "param by = 1\ndef scaled(x) = by * x\n",
        "twice": "use scaled with by = 2\ndef twice(x) = scaled(x)\n",
        "thrice": "param n = 3\nuse scaled with:\n    by = n\ndef thrice(x) = scaled(x)\n",
    }
    text = (
        "use twice\nuse thrice\nuse scaled\n"
        "stage s(x: f32[2]) -> y: f32[2]:\n"
        "    y[i] = twice(x[i]) + 10 * thrice(x[i]) + 100 * scaled(x[i])\n"
    )
    program = elaborate(load_text("main", text, files=files), "s")
    x = np.array([1, 2], np.float32)
    np.testing.assert_array_equal(evaluate(program, {"x": x}, {})["y"], 132 * x)


def test_stages_of_used_files() -> None:
    files = {"model": "param n = 2\nstage s(x: f32[n]) -> y: f32[n]:\n    y = x\n"}
    spec = load_text("main", "use model with n = 5\n", files=files)
    assert (spec.stages, spec.used_stages) == ((), ("model.s",))
    assert elaborate(spec, "model.s").outputs[0].shape == (5,)


def test_settings_and_configurations() -> None:
    text = (
        "param heads = 4\nparam width = 2 * heads\nparam dtype = bf16\nparam sizes = [1, 2]\n"
        "let total = sum{k < |sizes|} sizes{k}\n"
        "config small:\n    heads = 2, dtype = f32\n"
        "config smaller from small:\n    heads = 1\n"
        "stage s(x: dtype[heads, width, total]) -> y: dtype[heads, width, total]:\n    y = x\n"
    )

    def shape(config: str | None = None, **settings: str) -> tuple[tuple[int, ...], str]:
        output = elaborate(load_text("main", text, config, settings), "s").outputs[0]
        return output.shape, output.dtype

    assert shape() == ((4, 8, 3), "bf16")
    assert shape("small") == ((2, 4, 3), "f32")
    assert shape("smaller") == ((1, 2, 3), "f32")
    assert shape("smaller", heads="3", sizes="[5, 6, 7]") == ((3, 6, 18), "f32")
    assert shape(dtype="f16", width="7") == ((4, 7, 3), "f16")


def test_parameters_as_chosen() -> None:
    text = (
        'param a = 1\nparam b = [1.5, f32, "t"]\nlet c = 2\n'
        "stage s(x: f32[a]) -> y: f32[a]:\n    y = x\n"
    )
    spec = load_text("main", text, settings={"a": "3"})
    assert spec.parameters == (("a", "3"), ("b", '[1.5, f32, "t"]'))
    assert elaborate(spec, "s").parameters == spec.parameters
    assert [source.name for source in spec.sources] == ["main.lum"]


def test_an_unknown_stage() -> None:
    with pytest.raises(LumcError) as caught:
        elaborate(load_text("main", GOOD), "doble")
    assert caught.value.render() == (
        "error[L010]: main.lum has no stage doble\n  hint: did you mean double?"
    )
