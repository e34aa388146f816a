"""`lumc.compile` and what it gives: arrays and other libraries' tensors in and out."""

import subprocess
import sys
import tempfile
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Any

import ml_dtypes
import numpy as np
import pytest
from safetensors.numpy import save_file

import lumc
from lumc.api import ProgramError, _OnDevice
from lumc.diagnostics import LumcError
from lumc.dsl.dtypes import DType
from lumc.runtime import dlpack
from lumc.runtime.executor import Executor
from lumc.runtime.stage_folder import open_stage
from tests.runtime.fake_device import FakeDevice
from tests.runtime.toy_stage import WEIGHT, X, expected, toy_device, write_toy

SPEC = """\
use nn
param width = 19
param type = f32
stage encode(x: type[5, width], shift: f32) -> y: type[5, 13], n: i32[5]:
    weight W: type[13, width] = "encode.weight"
    y[r] = linear(x[r], W)
    n[r: 5] as i32 = shift * 2 + r
stage halve(x: f32[3]) -> z: f32[3]:
    z[i] = x[i] * 0.5
"""
RANDOM = np.random.default_rng(17)
INPUTS: dict[str, Any] = {
    "x": RANDOM.standard_normal((5, 19), np.float32),
    "shift": np.float32(3.5),
}
WEIGHTS = {"encode.weight": RANDOM.standard_normal((13, 19), np.float32)}


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    (tmp_path / "small.lum").write_text(SPEC)
    return tmp_path / "small.lum"


@pytest.mark.parametrize("device", ["reference", "emulator"])
def test_arrays_in_and_out(spec: Path, device: str) -> None:
    with lumc.compile(spec, stage="encode", device=device) as program:
        assert (program.stage, program.device) == ("encode", device)
        assert [(t.name, t.shape, str(t.dtype)) for t in program.inputs] == [
            ("x", (5, 19), "f32"),
            ("shift", (), "f32"),
        ]
        assert [t.name for t in program.weights] == ["encode.weight"]
        out = program.run(INPUTS, WEIGHTS)
        wanted = INPUTS["x"] @ WEIGHTS["encode.weight"].T
        assert np.allclose(out["y"], wanted, atol=1e-4)
        assert out["n"].tolist() == [7, 8, 9, 10, 11]
        twice = program.run({"x": (2 * INPUTS["x"]).astype(np.float64), "shift": 1.0})
        assert np.allclose(twice["y"], 2 * wanted, atol=1e-4)
        assert np.allclose(out["y"], wanted, atol=1e-4)  # an array of its own


def test_weights_from_files_and_settings(spec: Path, tmp_path: Path) -> None:
    weights = {"encode.weight": RANDOM.standard_normal((13, 8)).astype(np.float32)}
    save_file(weights, tmp_path / "w.safetensors")
    x = RANDOM.standard_normal((5, 8)).astype(ml_dtypes.bfloat16)
    settings = {"width": 8, "type": "bf16"}
    chosen = {"stage": "encode", "settings": settings, "device": "reference"}
    for given in (tmp_path / "w.safetensors", str(tmp_path), [tmp_path / "w.safetensors"]):
        with lumc.compile(str(spec), **chosen) as program:  # type: ignore[arg-type]
            out = program.run({"x": x, "shift": 0.0}, given)
        assert out["y"].dtype == ml_dtypes.bfloat16
        wanted = x.astype(np.float32) @ weights["encode.weight"].T
        assert np.allclose(out["y"].astype(np.float32), wanted, rtol=2e-2, atol=5e-2)


def test_the_reference_reads_and_writes_where_things_lie(spec: Path) -> None:
    x = np.ones(3, np.float32)
    with lumc.compile(spec, stage="halve", device="reference") as program:
        out = program.step({"x": x})
        assert np.from_dlpack(program.tensor("x")).ctypes.data == x.ctypes.data
        seen = np.from_dlpack(out["z"])
        assert seen.tolist() == [0.5, 0.5, 0.5]
        x[:] = 8
        program.step_in_place()
        assert seen.tolist() == [4, 4, 4]


def test_a_tensor_from_before_a_run_is_still_the_input(spec: Path) -> None:
    fixed = np.full(3, 6, np.float32)
    fixed.flags.writeable = False
    with lumc.compile(spec, stage="halve", device="reference") as program:
        program.load({})
        before = program.tensor("x")
        assert program.run({"x": fixed})["z"].tolist() == [3, 3, 3]
        before.write(np.full(3, 5, np.float32))
        assert program.step_in_place()["z"].read().tolist() == [2.5, 2.5, 2.5]
    assert fixed.tolist() == [6, 6, 6]


@pytest.mark.parametrize("device", ["reference", "emulator"])
def test_a_closed_program_says_so(spec: Path, device: str) -> None:
    program = lumc.compile(spec, stage="halve", device=device)
    program.run({"x": np.ones(3, np.float32)})
    program.close()
    program.close()
    uses: tuple[Callable[[], object], ...] = (
        lambda: program.run({"x": np.ones(3, np.float32)}),
        lambda: program.tensor("x"),
        lambda: program.load({}),
        program.step_in_place,
    )
    for use in uses:
        with pytest.raises(ProgramError, match="the program of stage halve is closed"):
            use()


@pytest.mark.parametrize("device", ["reference", "emulator"])
def test_tensors_take_only_what_fits(spec: Path, device: str) -> None:
    with lumc.compile(spec, stage="halve", device=device) as program:
        program.load({})
        tensor = program.tensor("x")
        with pytest.raises(LumcError, match="4 float32 can't be copied into a tensor of 3 float32"):
            tensor.write(np.ones(4, np.float32))
        with pytest.raises(LumcError, match="one number float64 can't be copied"):
            tensor.write(np.ones((), np.float64))
        for first, count in ((2, 2), (3, 1), (-1, 1)):
            with pytest.raises(LumcError, match="3 places along its first axis has none from"):
                tensor.rows(first, count)
        with pytest.raises(LumcError, match="has none from 3 to 3"):
            tensor.at(3)
        with pytest.raises(LumcError, match="x is no array"):
            program.run({"x": [[1, 2], [3]]})


def test_mistakes(spec: Path) -> None:
    with pytest.raises(LumcError, match="several stages: encode, halve"):
        lumc.compile(spec)
    with pytest.raises(LumcError, match="no stage encod"):
        lumc.compile(spec, stage="encod")
    with pytest.raises(LumcError, match="no device"):
        lumc.compile(spec, stage="halve", device="tpu")
    for device in ("reference", "emulator"):
        with pytest.raises(LumcError, match="math is one of fast, exact, not 'exakt'"):
            lumc.compile(spec, stage="halve", device=device, math="exakt")
    with pytest.raises(LumcError, match="the target gfx942 has no effect"):
        lumc.compile(spec, stage="halve", device="reference", target="gfx942")
    with lumc.compile(spec, stage="encode", device="reference") as program:
        with pytest.raises(ProgramError, match="has 1 weights, and none were given"):
            program.run(INPUTS)
        with pytest.raises(LumcError, match=r"weight encode\.weight is not in the given weights"):
            program.load({"other": X})
        program.load(WEIGHTS)
        with pytest.raises(LumcError, match="input shift is not in the given inputs"):
            program.run({"x": INPUTS["x"]})
        with pytest.raises(LumcError, match=r"input x .* has shape 5×18; .* 5×19"):
            program.run({**INPUTS, "x": INPUTS["x"][:, :18]})
        with pytest.raises(ProgramError, match="no input y; it has x, shift"):
            program.run({**INPUTS, "y": 1})
        with pytest.raises(ProgramError, match="which the reference can't read"):
            program.run({**INPUTS, "x": OnDevice(0, (5, 19), DType.F32, (2, 0))})


class OnDevice:
    """A tensor of another library, at an address of a device that only the device can read."""

    def __init__(
        self, address: int, shape: tuple[int, ...], dtype: DType, device: tuple[int, int]
    ) -> None:
        self._parts = (address, shape, dtype)
        self._device = device

    def __dlpack__(self, *, stream: int | None = None) -> Any:
        return dlpack.export(*self._parts, self._device, self)

    def __dlpack_device__(self) -> tuple[int, int]:
        return self._device


@pytest.fixture
def toy(tmp_path: Path) -> Iterator[tuple[lumc.Program, FakeDevice]]:
    """A program on a device with an address space of its own."""
    write_toy(tmp_path)
    device = toy_device()
    folder = tempfile.TemporaryDirectory()
    runner = _OnDevice(Executor(open_stage(tmp_path), device), device, folder)
    with lumc.Program("toy", runner) as program:
        program.load({"w": WEIGHT})
        yield program, device


def test_device_memory_in_and_out_without_the_host(
    toy: tuple[lumc.Program, FakeDevice], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, device = toy
    address = device.allocate(60)
    device.write(address, X.reshape(-1).view(np.uint8))
    for name in ("read", "write"):
        monkeypatch.setattr(device, name, lambda *_: pytest.fail("through the host"))
    given = OnDevice(address, (3, 5), DType.F32, device.dlpack_device())
    out = program.step({"x": given})
    taken = dlpack.take(out["y"], "y")
    assert (taken.device, taken.shape, taken.dtype) == ((12, 3), (3, 5), DType.BF16)
    found = device.memory[taken.address : taken.address + 30].view(ml_dtypes.bfloat16)
    assert np.array_equal(found.reshape(3, 5).astype(np.float32), expected(X))
    device.free(address)


def test_steps_wait_for_what_others_do_with_our_memory(
    toy: tuple[lumc.Program, FakeDevice], monkeypatch: pytest.MonkeyPatch
) -> None:
    program, device = toy
    for name in ("write", "copy", "replay"):

        def note(*_: object, called: str = name) -> None:
            device.events.append(called)

        monkeypatch.setattr(device, name, note)
    starts: tuple[Callable[[], object], ...] = (
        lambda: program.step({"x": X}),
        program.step_in_place,
    )
    for start in starts:
        device.events.clear()
        start()
        assert device.events[0] == "synchronise others"
        assert device.events[-1] == "replay"


def test_memory_of_another_device_is_not_told_of_our_stream(
    toy: tuple[lumc.Program, FakeDevice],
) -> None:
    class Elsewhere(OnDevice):
        def __dlpack__(self, *, stream: int | None = None) -> Any:
            pytest.fail("asked for before its device was looked at")

    program, _ = toy
    with pytest.raises(ProgramError, match=r"device \(12, 4\), not on fake"):
        program.step({"x": Elsewhere(256, (3, 5), DType.F32, (12, 4))})


def test_device_memory_that_does_not_fit(toy: tuple[lumc.Program, FakeDevice]) -> None:
    program, device = toy
    place = device.dlpack_device()
    for given, reason in (
        (OnDevice(256, (3, 5), DType.F32, (2, 0)), r"on DLPack's device \(2, 0\), not on fake"),
        (OnDevice(256, (5, 3), DType.F32, place), "input x is 5×3 f32; the stage takes 3×5 f32"),
        (OnDevice(256, (3, 5), DType.F16, place), "input x is 3×5 f16; the stage takes 3×5 f32"),
    ):
        with pytest.raises(ProgramError, match=reason):
            program.run({"x": given})
    with pytest.raises(ProgramError, match="weight w is in a device's memory"):
        program.load({"w": OnDevice(256, (3, 5), DType.F32, place)})


def test_importing_lumc_loads_no_compiler() -> None:
    script = "import sys, lumc; lumc.__version__; print(*[m for m in sys.modules if 'lumc.' in m])"
    done = subprocess.run(
        [sys.executable, "-c", script], capture_output=True, text=True, check=True
    )
    assert done.stdout.split() == []
    with pytest.raises(AttributeError, match="no attribute 'compiel'"):
        lumc.compiel  # noqa: B018
