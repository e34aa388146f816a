"""Imports point one way: a stage knows those before it and none behind."""

import ast
from collections.abc import Iterator
from pathlib import Path

import pytest

ROOT = Path(__file__).parent.parent
STAGES = ("dsl", "lowering", "codegen", "runtime")
SHARED = ("lumc.diagnostics", "lumc.cache_folder")


def imported(path: Path) -> Iterator[str]:
    for node in ast.walk(ast.parse(path.read_text(encoding="utf-8"))):
        match node:
            case ast.Import(names=names):
                yield from (alias.name for alias in names)
            case ast.ImportFrom(level=level, module=module):
                assert level == 0, f"{path}:{node.lineno}: imports are absolute"
                yield module or ""


def backward(stage: str, path: Path) -> list[str]:
    """What ``path``, a file of ``stage``, imports and must not."""
    allowed = STAGES[: STAGES.index(stage) + 1]
    names = [name for name in imported(path) if name.split(".")[0] == "lumc"]
    return [name for name in names if name not in SHARED and name.split(".")[1:2][0] not in allowed]


@pytest.mark.parametrize("stage", STAGES)
def test_a_stage_knows_only_those_before_it(stage: str) -> None:
    files = sorted((ROOT / stage).rglob("*.py"))
    assert len(files) > 10
    wrong = {str(path): names for path in files if (names := backward(stage, path))}
    assert not wrong


def test_a_backward_import_is_seen(tmp_path: Path) -> None:
    (tmp_path / "a.py").write_text("from lumc.runtime.executor import Executor\n")
    assert backward("codegen", tmp_path / "a.py") == ["lumc.runtime.executor"]
    assert backward("runtime", tmp_path / "a.py") == []
