"""Prompts as tokens, against what transformers makes of them with the same tokenizer files."""

from __future__ import annotations

import json
import shutil
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from lumc.diagnostics import LumcError
from lumc.runtime.pipelines.pictures import read_picture
from lumc.runtime.pipelines.prompts import PromptTokenizer
from tests.specs.spec_support import DATA

FOLDER = DATA / "golden" / "tiny_tokenizer"
CASES = json.loads((FOLDER / "prompts.json").read_text(encoding="utf-8"))
SETTINGS = {"enable_thinking": False}


def tokenizer(folder: Path = FOLDER, vocabulary: int = 256) -> PromptTokenizer:
    return PromptTokenizer(folder, vocabulary, SETTINGS)


@pytest.fixture
def copy(tmp_path: Path) -> Path:
    return Path(shutil.copytree(FOLDER, tmp_path / "tokenizer"))


def change(folder: Path, **settings: Any) -> None:
    place = folder / "tokenizer_config.json"
    place.write_text(json.dumps(json.loads(place.read_text()) | settings))


@pytest.mark.parametrize("case", CASES, ids=lambda case: f"{case['tokens']} {case['prompt'][:12]}")
def test_tokens_are_those_of_transformers(case: dict[str, Any]) -> None:
    encoded = tokenizer().encode(case["prompt"], case["tokens"])
    assert encoded.text == case["text"]
    assert encoded.ids.tolist() == case["ids"]
    assert encoded.mask.tolist() == [1] * case["words"] + [0] * (case["tokens"] - case["words"])
    assert encoded.cut == case["cut"]


def test_a_tokenizer_keeps_nothing_of_a_prompt() -> None:
    one = tokenizer()
    first = one.encode("give the dog wings", 64)
    one.encode("add a boat to the water", 16)
    assert one.encode("give the dog wings", 64).ids.tolist() == first.ids.tolist()


def test_sides_are_those_of_the_settings(copy: Path) -> None:
    change(copy, padding_side="left", truncation_side="left")
    right, left = tokenizer().encode("dog", 32), tokenizer(copy).encode("dog", 32)
    words = int(right.mask.sum())
    assert left.mask.tolist() == [0] * (32 - words) + [1] * words
    assert left.ids[-words:].tolist() == right.ids[:words].tolist()
    assert tokenizer(copy).encode("dog", 4).ids.tolist() == right.ids[words - 4 : words].tolist()


def test_a_template_in_the_settings(copy: Path) -> None:
    text = (copy / "chat_template.jinja").read_text()
    (copy / "chat_template.jinja").unlink()
    for template in (
        text,
        [{"name": "tools", "template": ""}, {"name": "default", "template": text}],
    ):
        change(copy, chat_template=template)
        expected = tokenizer().encode("a dog", 32)
        assert tokenizer(copy).encode("a dog", 32).text == expected.text


def test_a_pad_token_in_a_file_of_its_own(copy: Path) -> None:
    change(copy, pad_token=None)
    pad = {"pad_token": {"content": "<|endoftext|>", "lstrip": False}}
    (copy / "special_tokens_map.json").write_text(json.dumps(pad))
    expected = tokenizer().encode("a dog", 32).ids.tolist()
    assert tokenizer(copy).encode("a dog", 32).ids.tolist() == expected


@pytest.mark.parametrize(
    "template",
    [
        "{{ messages.__class__.__mro__[1].__subclasses__() }}",
        "{{ messages.append(1) }}",
        "{{ ''.__init__.__globals__ }}",
    ],
)
def test_a_template_reaches_nothing(copy: Path, template: str) -> None:
    (copy / "chat_template.jinja").write_text(template)
    with pytest.raises(LumcError, match=r"chat_template.jinja fails"):
        tokenizer(copy).encode("a dog", 32)


def test_marks_for_training_say_nothing(copy: Path) -> None:
    template = "{% generation %}{{ messages[0].content }}{% endgeneration %}!"
    (copy / "chat_template.jinja").write_text(template)
    assert tokenizer(copy).encode("a dog", 32).text == "a dog!"


def test_a_template_may_refuse(copy: Path) -> None:
    (copy / "chat_template.jinja").write_text("{{ raise_exception('no users here') }}")
    with pytest.raises(LumcError, match="no users here"):
        tokenizer(copy).encode("a dog", 32)


def unpadded(folder: Path) -> None:
    change(folder, pad_token=None)


def damaged(folder: Path) -> None:
    whole = (folder / "tokenizer.json").read_bytes()
    (folder / "tokenizer.json").write_bytes(whole[: len(whole) // 2])


def pointer(folder: Path) -> None:
    (folder / "tokenizer.json").write_text("version https://git-lfs.github.com/spec/v1\noid …")


@pytest.mark.parametrize(
    ("harm", "words"),
    [
        (
            lambda folder: (folder / "tokenizer.json").unlink(),
            r"there is no file .*tokenizer\.json",
        ),
        (lambda folder: (folder / "tokenizer_config.json").unlink(), "there is no file"),
        (lambda folder: (folder / "chat_template.jinja").unlink(), "has no chat_template"),
        (lambda folder: (folder / "chat_template.jinja").write_text("{% if"), "is no template"),
        (lambda folder: (folder / "tokenizer_config.json").write_text("[1]"), "is no JSON object"),
        (lambda folder: (folder / "tokenizer_config.json").write_text("{"), "as JSON"),
        (lambda folder: change(folder, pad_token="<none>"), "names <none>, no token"),
        (lambda folder: change(folder, padding_side="top"), "neither left nor right"),
        (unpadded, "names no pad_token"),
        (damaged, "as a tokenizer"),
        (pointer, "pointer of Git LFS"),
    ],
)
def test_folders_that_are_broken(copy: Path, harm: Callable[[Path], Any], words: str) -> None:
    harm(copy)
    with pytest.raises(LumcError, match=words):
        tokenizer(copy)


def test_a_tokenizer_of_another_model() -> None:
    with pytest.raises(LumcError, match=r"has token 177 \(</think>\); the text encoder has 100"):
        tokenizer(vocabulary=100)


def test_what_is_no_text() -> None:
    with pytest.raises(LumcError, match="the prompt is no UTF-8 text from character 14 on"):
        tokenizer().encode("half a pair: \ud83d", 16)
    with pytest.raises(LumcError, match="a prompt is a text, not bytes"):
        tokenizer().encode(b"a dog", 16)  # type: ignore[arg-type]
    with pytest.raises(LumcError, match="at least one token"):
        tokenizer().encode("a dog", 0)


@pytest.mark.parametrize(
    ("module", "package"), [("tokenizers", "tokenizers"), ("PIL.Image", "pillow")]
)
def test_a_package_that_is_not_installed(
    monkeypatch: pytest.MonkeyPatch, module: str, package: str
) -> None:
    monkeypatch.setitem(sys.modules, module, None)
    with pytest.raises(LumcError, match=f"the Python package {package} can't be used") as caught:
        tokenizer() if module == "tokenizers" else read_picture("in.png")
    assert "pip install 'lumc[pipelines]'" in caught.value.render()
