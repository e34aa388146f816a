"""Nothing in a spec can be more than a name or a number where it is used later."""

from __future__ import annotations

import pytest

from lumc.diagnostics import LumcError
from lumc.dsl import check, elaborate, load_text
from lumc.dsl.tensor_program import Weight

EVIL = [
    "*/ system(1); /*",
    "$(reboot)",
    "`reboot`",
    "a;b",
    "a b",
    "..\\\\x",
    "/etc/passwd",
    "../x",
    "<script>",
    "%s%n",
    "a\N{RIGHT-TO-LEFT OVERRIDE}b",
    "a\x00b",
    "a\x1b[31m",
    "",
]


@pytest.mark.parametrize("name", EVIL, ids=range(len(EVIL)))
def test_checkpoint_names_are_plain(name: str) -> None:
    text = (
        "stage s(x: f32[2]) -> y: f32[2]:\n"
        f'    weight w: f32[2] = "{name}"\n'
        "    y[i] = x[i] * w[i]\n"
    )
    (error,) = check(load_text("s", text))
    assert error.code in ("L001", "L040")
    assert error.render()
    with pytest.raises(LumcError):
        elaborate(load_text("s", text), "s")


def test_control_characters_do_not_reach_the_terminal() -> None:
    (error,) = check(load_text("s", "stage s(x: f32[2]) -> y: f32[2]:\n    y = x \x1b[31m\x07\n"))
    assert all(character.isprintable() or character == "\n" for character in error.render())


def test_checkpoint_names_as_they_are_found() -> None:
    names = ["model.layers.0.attn.q_proj.weight", "a/b:0", "conv-1+x@2#3", "0"]
    for name in names:
        text = (
            "stage s(x: f32[2]) -> y: f32[2]:\n"
            f'    weight w: f32[2] = "{name}"\n'
            "    y[i] = x[i] * w[i]\n"
        )
        nodes = elaborate(load_text("s", text), "s").nodes
        assert [node.name for node in nodes if isinstance(node, Weight)] == [name]


@pytest.mark.parametrize(
    "word", ["été", "naïve", "ｘ", "a-b", "a.b", "a$", "a\N{ZERO WIDTH JOINER}b"]
)
def test_names_are_plain(word: str) -> None:
    text = f"stage {word}(x: f32[2]) -> y: f32[2]:\n    y = x\n"
    assert [error.code for error in check(load_text("s", text))] == ["L001"]


def test_comments_and_layout_are_no_part_of_the_program() -> None:
    plain = "stage s(x: f32[2]) -> y: f32[2]:\n    y[i] = 2 * x[i]\n"
    noisy = (
        "# */ #include <evil>\n"
        "stage s(x: f32[2]) -> y: f32[2]:   # \\\n"
        "    # ??/ trigraph\n\n"
        "    y[i] =   # \n        2   *   x[i]  # */\n"
    )
    left, right = (elaborate(load_text("s", text), "s") for text in (plain, noisy))
    assert left == right
