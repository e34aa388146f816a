"""``--search model``: tiles are judged by the timing model where that can matter."""

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

from lumc.codegen.cache import Cache, open_cache
from lumc.codegen.emit import MathMode
from lumc.codegen.target import target_named
from lumc.codegen.toolchains import choose_toolchain
from lumc.judging import Judge, can_judge, judge_tiles
from lumc.lowering.chips import chip_for
from lumc.lowering.kernel_program import Gemm, Kernel, KernelProgram, Launch
from lumc.lowering.select_tiles import with_tile
from lumc.lowering.tuning_database import TuningDatabase, variant
from tests.codegen.sample_kernels import layer_norm, linear

CHIP = chip_for("gfx942")


def product(rows: int, inner: int = 2048) -> Gemm:
    kernel = with_tile(linear(rows, inner, inner), CHIP)
    assert isinstance(kernel, Gemm)
    return kernel


def program(*kernels: Kernel) -> KernelProgram:
    launches = tuple(Launch(number, ()) for number in range(len(kernels)))
    return KernelProgram("p", (), (), kernels, (), launches)


def judged(
    given: KernelProgram,
    seconds: Callable[[Kernel], float | None],
    folder: Path,
    stop: Callable[[], bool] = lambda: False,
) -> KernelProgram:
    tuning = TuningDatabase.open("gfx942", "some toolchain", folder)
    return judge_tiles(given, CHIP, tuning, seconds, stop)


def test_the_fastest_of_the_best_tiles_is_taken(tmp_path: Path) -> None:
    first = product(4000)
    seen: list[Kernel] = []

    def seconds(kernel: Kernel) -> float:
        seen.append(kernel)
        return 1.0 / len(seen)

    (taken,) = judged(program(first), seconds, tmp_path).kernels
    assert seen[0] == first
    assert taken == seen[-1] != first
    assert isinstance(taken, Gemm)
    assert replace(taken, tile=first.tile) == first
    assert len({variant(kernel) for kernel in seen}) == len(seen) <= 5


def test_the_cost_models_choice_stays_where_nothing_is_better(tmp_path: Path) -> None:
    given = program(product(4000))
    assert judged(given, lambda kernel: 1.0, tmp_path) == given
    assert judged(given, lambda kernel: None, tmp_path) == given
    # What the first can't be compared with does not replace it.
    answers = iter([None, *[1e-9] * 10])
    assert judged(given, lambda kernel: next(answers), tmp_path) == given


def test_only_what_matters_is_judged(tmp_path: Path) -> None:
    large, small = product(8000), product(16, 128)
    asked: list[Kernel] = []

    def seconds(kernel: Kernel) -> float:
        asked.append(kernel)
        return 1.0

    given = program(small, layer_norm(4000, 2048), large)
    assert judged(given, seconds, tmp_path) == given
    assert {replace(k, tile=None) for k in asked if isinstance(k, Gemm)} == {
        replace(large, tile=None)
    }
    asked.clear()
    assert judged(given, seconds, tmp_path, lambda: True) == given
    assert not asked


def test_what_was_measured_stays(tmp_path: Path) -> None:
    kernel = product(4000)
    TuningDatabase.open("gfx942", "some toolchain", tmp_path).record(kernel, 1e-3)
    asked: list[Kernel] = []

    def seconds(one: Kernel) -> float:
        asked.append(one)
        return 1.0 / len(asked)

    assert judged(program(kernel), seconds, tmp_path) == program(kernel)
    assert not asked


def test_a_judge_times_code() -> None:
    judge = Judge(target_named("gfx942"), MathMode.FAST, choose_toolchain("gfx942"), open_cache())
    kernel = product(640)
    found = judge.seconds(kernel)
    assert found is not None
    # No faster than its operations allow, and within reach of what the cost model says.
    least = 2 * 640 * 2048 * 2048 / (304 * 2048 * 2.1e9)
    assert least < found < 40 * least
    assert judge.seconds(kernel) == found


def test_chips_without_figures_are_not_judged(tmp_path: Path) -> None:
    assert can_judge("gfx942")
    assert not can_judge("gfx1100")
    target, chain = target_named("gfx1100"), choose_toolchain("gfx1100")
    kernel = with_tile(linear(64, 64, 64), chip_for("gfx1100"))
    assert Judge(target, MathMode.FAST, chain, Cache(tmp_path)).seconds(kernel) is None
