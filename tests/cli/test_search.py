"""``--search``: finds more, ends when asked to, keeps the best through an interrupt."""

import json
import os
import signal
import subprocess
import sys
import time
from collections.abc import Iterator, Sequence
from pathlib import Path
from typing import Any

import pytest

from lumc.cli import main
from lumc.codegen.cache import open_cache
from lumc.codegen.emit import MathMode
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.dsl import elaborate, load_text
from lumc.lowering import lower
from lumc.lowering.kernel_program import Gemm, Kernel
from lumc.lowering.tuning_database import TuningDatabase, variant
from lumc.measuring import Measurer
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.searching import SearchMode, SearchOptions, find_kernels

ROOT = Path(__file__).parents[2]
# As in tests/lowering/test_search.py: the descent makes g again in every tile of the product.
SPEC = """
stage s(x: f32[2048, 512], W: f32[1024, 512]) -> y: f32[2048, 1024], z: f32[2048, 512]:
    g[t, i] = sin(sin(sin(sin(sin(sin(x[t, i]))))))
    y[t, o] = sum[i] g[t, i] * W[o, i]
    z[t, i] = x[t, i] + 1
"""
SMALL = SPEC.replace("2048", "48").replace("1024", "40").replace("512", "24")


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    place = tmp_path / "wide.lum"
    place.write_text(SPEC, encoding="utf-8")
    return place


def compiled(capsys: pytest.CaptureFixture[str], spec: Path, *arguments: str) -> dict[str, Any]:
    capsys.readouterr()
    assert main(["compile", str(spec), "--json", *arguments]) == 0
    found: dict[str, Any] = json.loads(capsys.readouterr().out)["stages"]["s"]
    return found


def test_a_search_finds_more(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    plain = compiled(capsys, spec)
    searched = compiled(capsys, spec, "--search", "model")
    timed = compiled(capsys, spec, "--search", "model", "--search-seconds", "5")
    assert searched["predicted_ms"] < plain["predicted_ms"] * 0.99
    assert timed["predicted_ms"] == searched["predicted_ms"]
    assert compiled(capsys, spec, "--search", "model")["from_cache"]


def test_misuse(spec: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["compile", str(spec), "--search-seconds", "3"]) == 2
    assert main(["compile", str(spec), "--search", "model", "--search-seconds", "0"]) == 2
    capsys.readouterr()
    assert main(["compile", str(spec), "--search", "device"]) == 1
    said = capsys.readouterr().err
    assert "needs a GPU that runs code for gfx942" in said
    assert "--search model" in said


def test_an_interrupt_keeps_the_best_and_goes_on(tmp_path: Path) -> None:
    out, cache = tmp_path / "out", tmp_path / "cache"
    arguments = ["specs/examples/gpt_block.lum", "--search", "model", "--search-seconds", "600"]
    process = subprocess.Popen(
        [sys.executable, "-c", INTERRUPTED, "compile", *arguments, "-o", str(out)],
        cwd=ROOT,
        env=os.environ | {"LUMC_CACHE_DIR": str(cache)},
        stderr=subprocess.PIPE,
        text=True,
        start_new_session=True,
    )
    assert process.stderr is not None
    while (line := process.stderr.readline()) and "searching" not in line:
        pass
    time.sleep(0.2)
    os.kill(process.pid, signal.SIGINT)
    _, said = process.communicate(timeout=200)
    assert process.returncode == 0, said
    assert list(out.glob("*/plan.json"))


# Says when the first search begins.
INTERRUPTED = """
import sys
from lumc.lowering import fragment
from lumc.cli import main
search = fragment.search
def loud(choice, budget):
    print("searching", file=sys.stderr, flush=True)
    while not budget.stop():
        pass
    search(choice, budget)
fragment.search = loud
sys.exit(main(sys.argv[1:]))
"""


def test_measured_kernels_are_preferred(tmp_path: Path) -> None:
    """A device on which the smallest tiles win: that is what is chosen in the end."""
    program = elaborate(load_text("s", SMALL), "s")
    tuning = TuningDatabase.open("gfx942", "none", tmp_path)
    measured: list[Kernel] = []

    def measure(kernels: Sequence[Kernel]) -> Iterator[float | None]:
        for kernel in kernels:
            measured.append(kernel)
            if not isinstance(kernel, Gemm) or kernel.tile is None:
                yield 5e-6
            else:
                yield 1e-9 * kernel.tile.rows * kernel.tile.columns

    options = SearchOptions(SearchMode.DEVICE)
    found = find_kernels(program, "gfx942", options, tuning, measure, exact=False, libraries=False)
    assert measured
    assert len(set(measured)) == len(measured), "nothing is measured twice"
    products = [kernel for kernel in found.program.kernels if isinstance(kernel, Gemm)]
    assert products
    for product in products:
        times = tuning.measured(product)
        assert times[variant(product)] == min(times.values())
    # What is known is used by who does not search, too.
    again = lower(program, "gfx942", tuning=TuningDatabase.open("gfx942", "none", tmp_path))
    assert again.predicted_ms <= lower(program, "gfx942").predicted_ms


BF16_PRODUCT = """
stage s(x: bf16[2048, 1024], W: bf16[1024, 1024]) -> y: bf16[2048, 1024]:
    y[t, o] = sum[i] x[t, i] * W[o, i]
"""


@pytest.mark.parametrize("library_wins", [True, False])
def test_the_library_is_measured_beside_tiles(tmp_path: Path, library_wins: bool) -> None:
    program = elaborate(load_text("s", BF16_PRODUCT), "s")
    tuning = TuningDatabase.open("sm_90", "none", tmp_path)

    def measure(kernels: Sequence[Kernel]) -> Iterator[float | None]:
        for kernel in kernels:
            called = isinstance(kernel, Gemm) and kernel.library is not None
            yield 1e-6 if called == library_wins else 2e-6

    options = SearchOptions(SearchMode.DEVICE)
    found = find_kernels(program, "sm_90", options, tuning, measure, exact=False, libraries=True)
    (product,) = [kernel for kernel in found.program.kernels if isinstance(kernel, Gemm)]
    assert (product.library is not None) == library_wins
    assert len(tuning.measured(product)) > 1


def test_kernels_are_measured_as_they_are_compiled() -> None:
    program = lower(elaborate(load_text("s", SMALL), "s"), "gfx942").program
    device = EmulatorDevice("gfx942")
    measurer = Measurer(
        device,
        target_named("gfx942"),
        MathMode.FAST,
        choose_toolchain("gfx942"),
        open_cache(),
        launches=1,
    )
    for seconds in measurer.seconds(program.kernels):
        assert seconds is not None
        assert 0 < seconds < 60
    device.close()
