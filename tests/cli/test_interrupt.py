"""Ctrl-C during a compile: one word, no half-written result, no compiler left running."""

import os
import signal
import subprocess
import sys
import time
from pathlib import Path

ROOT = Path(__file__).parents[2]
SPEC = ROOT / "specs" / "flux2_klein.lum"


def children_of(group: int) -> list[int]:
    """Processes of the process group ``group``."""
    found = []
    for entry in Path("/proc").iterdir():
        if entry.name.isdigit():
            try:
                fields = (entry / "stat").read_text().rpartition(")")[2].split()
            except OSError:
                continue
            if int(fields[2]) == group and fields[0] != "Z":
                found.append(int(entry.name))
    return found


def test_ctrl_c_while_compiling(tmp_path: Path) -> None:
    cache, out = tmp_path / "cache", tmp_path / "out"
    command = [sys.executable, "-m", "lumc", "compile", str(SPEC), "--config", "tiny"]
    process = subprocess.Popen(
        [*command, "--stage", "vae_encoder", "-o", str(out)],
        cwd=ROOT,
        env=os.environ | {"LUMC_CACHE_DIR": str(cache)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
        # Whoever runs the tests in the background has it ignored.
        preexec_fn=lambda: signal.signal(signal.SIGINT, signal.default_int_handler),
    )
    # Once the first kernels are in the cache, others are being compiled.
    deadline = time.monotonic() + 120
    while process.poll() is None and not objects(cache):
        assert time.monotonic() < deadline
        time.sleep(0.05)
    assert process.poll() is None, "the compile was over before it could be interrupted"
    os.killpg(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=60)
    assert process.returncode == 130
    assert said.rstrip().endswith("interrupted")
    assert "Traceback" not in said
    assert not children_of(process.pid)
    left = list(out.rglob("*")) if out.exists() else []
    assert left == []
    # What was compiled before is kept, whole.
    assert objects(cache)
    assert not list(cache.rglob("*.tmp"))


def objects(cache: Path) -> list[Path]:
    """Entries of compiled kernels: they hold assembly, and are larger than a probe's."""
    return [
        path
        for path in cache.glob("??/*")
        if path.is_file() and not path.name.endswith(".tmp") and path.stat().st_size > 1500
    ]
