"""cuDNN's attention and convolutions: what the library is told, against a stand-in for it."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from lumc.codegen.assemble_plan import plan_call
from lumc.codegen.emit import emit_call
from lumc.codegen.launch_plan import PlanAttention, PlanCall, PlanConvolution, PlanStrided
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Attention, Gemm
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.library_attention import library_attention
from lumc.lowering.library_convolution import library_convolution
from lumc.lowering.made_operands import made_operands, with_made_parameters
from lumc.runtime.devices.cuda_libraries import CudaLibraries
from lumc.runtime.devices.device import DeviceError
from tests.lowering.library_meaning import with_made
from tests.lowering.test_library_attention import KERNELS
from tests.lowering.test_library_convolution import WINDOWS
from tests.runtime.fake_cudnn import FakeCudnn
from tests.runtime.fake_timer import FakeTimer
from tests.strategies.kernels import random_arrays


@pytest.fixture(autouse=True)
def cache(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("LUMC_CACHE_DIR", str(tmp_path))


@pytest.fixture
def library(monkeypatch: pytest.MonkeyPatch) -> FakeCudnn:
    fake = FakeCudnn()
    monkeypatch.setitem(sys.modules, "cudnn", fake)
    return fake


def in_f32(call: PlanCall) -> PlanCall:
    """``call`` with its operands in f32, in which the stand-in computes."""
    changed: dict[str, Any] = {}
    for name in ("query", "key", "value", "image", "weight", "output", "bias", "addend"):
        side = getattr(call, name, None)
        if isinstance(side, PlanStrided):
            changed[name] = replace(side, dtype=DType.F32)
    return replace(call, **changed)


def called(kernel: Gemm | Attention) -> Gemm | Attention:
    if isinstance(kernel, Gemm):
        return replace(kernel, library=library_convolution(kernel))
    return replace(kernel, library=library_attention(kernel))


def planned(kernel: Gemm | Attention) -> PlanCall:
    ready = with_made_parameters(called(kernel))
    assert isinstance(ready, Gemm | Attention)
    return in_f32(plan_call(emit_call(ready)))


CASES: dict[str, Gemm | Attention] = {
    **{f"attention, {name}": kernel for name, kernel in KERNELS.items()},
    **{name: kernel for name, kernel in WINDOWS.items() if name != "channels first"},
}


@pytest.mark.parametrize("name", CASES)
def test_the_library_makes_what_the_kernel_means(library: FakeCudnn, name: str) -> None:
    kernel = CASES[name]
    arrays = random_arrays(kernel, 7)
    for array, parameter in zip(arrays, kernel.parameters, strict=True):
        if parameter.name == "mask":
            array[...] = 1
    given = with_made(kernel, made_operands(called(kernel)), arrays)
    call = planned(kernel)
    # Elements that nothing writes are poison in both.
    real = [np.ascontiguousarray(array.astype(np.float32)) for array in given]
    run_kernel(kernel, arrays)
    ready = CudaLibraries(7, 0, "sm_90").plan(call)
    ready.enqueue([array.ctypes.data for array in real])
    assert isinstance(call, PlanAttention | PlanConvolution)
    output = call.output.argument
    wanted = arrays[output].astype(np.float32)
    np.testing.assert_allclose(real[output], wanted, rtol=2e-2, atol=5e-2)


def test_plans_that_can_not_be_built_are_left_out(library: FakeCudnn) -> None:
    library.unbuildable, library.workspaces = {0}, {1: 1 << 40, 2: 4096}
    call = CudaLibraries(7, 99, "sm_90").plan(planned(WINDOWS["plain"]))
    arrays = [np.zeros(1 << 14, np.float32) for _ in range(4)]
    call.enqueue([array.ctypes.data for array in arrays])
    assert library.used == [(2, 99)]


def test_the_fastest_plan_is_chosen_and_known_the_next_time(library: FakeCudnn) -> None:
    wanted = planned(WINDOWS["plain"])
    arrays = [np.zeros(1 << 14, np.float32) for _ in range(4)]
    places = [[array.ctypes.data for array in arrays]]
    call = CudaLibraries(7, 99, "sm_90").plan(wanted)
    call.choose(places, FakeTimer(3.0, 2.0, 1.0))
    again, timer = CudaLibraries(7, 99, "sm_90").plan(wanted), FakeTimer()
    # Then only the one that is wanted is compiled.
    assert library.graphs[-1].built == {2}
    again.choose(places, timer)
    assert timer.captured == 0
    library.used.clear()
    call.enqueue(places[0])
    again.enqueue(places[0])
    assert library.used == [(2, 99)] * 2


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"refuses": True}, "cuDNN does not take .*: no engine for it"),
        ({"plans": 0}, "it has no plan for it"),
        ({"unbuildable": {0, 1, 2}}, "no plan of it can be built: plan 2"),
        ({"workspaces": dict.fromkeys(range(3), 1 << 40)}, "1,099,511,627,776 bytes of workspace"),
    ],
)
def test_what_the_library_does_not_take(
    library: FakeCudnn, change: dict[str, Any], words: str
) -> None:
    for name, value in change.items():
        setattr(library, name, value)
    with pytest.raises(DeviceError, match=words) as caught:
        CudaLibraries(7, 0, "sm_90").plan(planned(WINDOWS["plain"]))
    assert "--libraries none" in caught.value.render()


def test_a_library_that_is_not_installed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setitem(sys.modules, "cudnn", None)
    with pytest.raises(DeviceError, match="nvidia-cudnn-frontend can't be used"):
        CudaLibraries(7, 0, "sm_90").plan(planned(WINDOWS["plain"]))
