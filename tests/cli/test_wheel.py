"""The wheel works by itself: every template, header, rule and spec is in it."""

import os
import subprocess
import sys
from pathlib import Path

import pytest

ROOT = Path(__file__).parents[2]
# What would end up in the wheel's build from a checkout, and nothing that is only built there.
LEFT_OUT = (".git", ".venv", "build", "dist", "out", "tests")


def copied_checkout(folder: Path) -> Path:
    checkout = folder / "checkout"
    excluded = [f"--exclude=./{name}" for name in LEFT_OUT]
    checkout.mkdir()
    archive = folder / "checkout.tar"
    subprocess.run(["tar", "cf", archive, *excluded, "-C", ROOT, "."], check=True)
    subprocess.run(["tar", "xf", archive, "-C", checkout], check=True)
    return checkout


@pytest.mark.slow
def test_an_installed_wheel_compiles(tmp_path: Path) -> None:
    pip = [sys.executable, "-m", "pip", "--disable-pip-version-check", "--quiet"]
    checkout = copied_checkout(tmp_path)
    wheels, site = tmp_path / "wheels", tmp_path / "site"
    subprocess.run([*pip, "wheel", "--no-deps", "-w", wheels, checkout], check=True)
    (wheel,) = wheels.glob("*.whl")
    subprocess.run([*pip, "install", "--no-deps", "--target", site, wheel], check=True)
    environment = os.environ | {
        "PYTHONPATH": str(site),
        "LUMC_CACHE_DIR": str(tmp_path / "cache"),
    }

    def lumc(*arguments: object) -> str:
        command = [sys.executable, "-P", "-m", "lumc", *map(str, arguments)]
        done = subprocess.run(
            command, cwd=tmp_path, env=environment, capture_output=True, text=True, check=False
        )
        assert done.returncode == 0, done.stderr
        return done.stdout

    where = "import lumc; print(lumc.__file__)"
    command = [sys.executable, "-P", "-c", where]
    found = subprocess.run(command, cwd=tmp_path, env=environment, capture_output=True, check=True)
    assert str(site) in found.stdout.decode()

    for spec in sorted((site / "lumc" / "specs" / "examples").glob("*.lum")):
        assert spec.name in lumc("check", spec)
    spec = site / "lumc" / "specs" / "flux2_klein.lum"
    out = lumc("compile", spec, "--config", "tiny", "--stage", "transformer", "-o", "out")
    assert "transformer" in out
    assert (tmp_path / "out" / "transformer" / "plan.json").exists()
