"""Tiny models as they are published, made once, and copies of them to break."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from pathlib import Path

import pytest

from scripts.make_tiny_model import make_tiny_model

CopyOf = Callable[[Path], Path]


@pytest.fixture(scope="session")
def model_folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder for each part, weights in several files; do not change it."""
    folder = tmp_path_factory.mktemp("published") / "klein"
    make_tiny_model(folder)
    return folder


@pytest.fixture(scope="session")
def single_files(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A single file for each part, under other names, no config files; do not change it."""
    folder = tmp_path_factory.mktemp("published") / "single"
    make_tiny_model(folder, layout="single")
    return folder


@pytest.fixture
def broken(model_folder: Path, tmp_path: Path) -> Path:
    """A copy of ``model_folder`` to change."""
    return Path(shutil.copytree(model_folder, tmp_path / "klein"))
