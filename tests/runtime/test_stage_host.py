"""Several stages on one device: what they share, what is kept, and what they take."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lumc.codegen.launch_plan import LaunchPlan, PlanBufferKind, Region
from lumc.dsl.dtypes import DType
from lumc.runtime.devices.device import Bytes
from lumc.runtime.devices.library_calls import WORKSPACE_BYTES
from lumc.runtime.stage_folder import CompiledStage, open_stage
from lumc.runtime.stage_host import DeviceHost, memory_need
from lumc.runtime.stage_tensor import DeviceTensor
from lumc.runtime.tensors import TensorArrays, TensorError
from tests.runtime.fake_device import FakeDevice
from tests.runtime.toy_stage import PLAN, WEIGHT, X, expected, toy_device, write_toy

SOURCE = TensorArrays({"w": WEIGHT})


@pytest.fixture
def device() -> Iterator[FakeDevice]:
    made = toy_device()
    yield made
    made.close()


def stage(folder: Path, **changed: object) -> CompiledStage:
    """The toy stage with a plan that is changed."""
    folder.mkdir()
    write_toy(folder, replace(PLAN, **changed))  # type: ignore[arg-type]
    return open_stage(folder)


def with_arena(size: int) -> tuple[tuple[Region, int], ...]:
    return tuple((region, size if region is Region.ARENA else n) for region, n in PLAN.region_bytes)


def weight_writes(device: FakeDevice, monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Addresses that the toy's weight is written to, from now on."""
    found: list[int] = []
    write = device.write

    def watched(address: int, data: Bytes) -> None:
        if np.array_equal(data, WEIGHT.reshape(-1).view(np.uint8)):
            found.append(address)
        write(address, data)

    monkeypatch.setattr(device, "write", watched)
    return found


def run(host: DeviceHost, name: str) -> None:
    running = host.stage(name)
    running.tensor("x").write(X)
    running.start()
    assert np.array_equal(running.tensor("y").read().astype(np.float32), expected(X))


def test_an_arena_and_weights_are_shared(
    device: FakeDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    written = weight_writes(device, monkeypatch)
    host = DeviceHost(device)
    large = stage(tmp_path / "b", region_bytes=with_arena(300))
    programs = {"a": stage(tmp_path / "a"), "b": large}
    reported: list[str] = []
    host.hold(programs, {"a": SOURCE, "b": SOURCE}, reported.append)
    assert reported == ["a", "b"]
    assert len(written) == 1
    sizes = sorted(device.allocated.values())
    assert sizes == sorted([300, 60, *[316, 286] * 2])
    for name in ("a", "b", "a"):
        run(host, name)
    host.close()
    assert not device.allocated


def test_another_set_keeps_what_is_the_same(
    device: FakeDevice, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Weights that lie alike are not read again, also where the arena has to grow."""
    host = DeviceHost(device)
    first = stage(tmp_path / "a")
    host.hold({"a": first}, {"a": SOURCE})
    executor = host.stage("a")
    written = weight_writes(device, monkeypatch)
    host.hold({"a": first, "b": stage(tmp_path / "b")}, {"a": SOURCE, "b": SOURCE})
    assert host.stage("a") is executor
    host.hold({"c": stage(tmp_path / "c", region_bytes=with_arena(500))}, {"c": SOURCE})
    assert written == []
    run(host, "c")
    with pytest.raises(KeyError):
        host.stage("a")
    assert sorted(device.allocated.values()) == sorted([500, 60, 316, 286])
    records = [event for event in device.events if event.split()[0] in ("record", "forget")]
    assert len(records) == 3 * 4 - 1  # prepared and a step each, all given back but the last step
    host.close()


def test_other_weights_take_the_place_of_those_before(device: FakeDevice, tmp_path: Path) -> None:
    """A stage of another name may have weights of the same names: they are others."""
    host = DeviceHost(device)
    host.hold({"a": stage(tmp_path / "a")}, {"a": SOURCE})
    other = stage(tmp_path / "b", stage="other")
    host.hold({"a": other}, {"a": TensorArrays({"w": 2 * WEIGHT})})
    running = host.stage("a")
    running.tensor("x").write(X)
    running.start()
    found = running.tensor("y").read().astype(np.float32)
    assert np.allclose(found, 2 * expected(X), rtol=1e-2)
    assert len(device.allocated) == 4
    host.close()


def test_weights_that_do_not_fit_leave_nothing_behind(device: FakeDevice, tmp_path: Path) -> None:
    host = DeviceHost(device)
    program = stage(tmp_path / "a")
    with pytest.raises(TensorError, match="weight w is not in"):
        host.hold({"a": program}, {"a": TensorArrays({})})
    host.hold({"a": program}, {"a": SOURCE})
    run(host, "a")
    host.close()


def test_tensors_of_its_own(device: FakeDevice) -> None:
    host = DeviceHost(device)
    tensor = host.empty((2, 3), DType.I32)
    assert isinstance(tensor, DeviceTensor)
    assert tensor.bytes == 24
    values = np.arange(6, dtype=np.int32).reshape(2, 3)
    tensor.write(values)
    assert np.array_equal(tensor.at(1).read(), values[1])
    host.release(tensor)
    assert not device.allocated


def test_what_is_needed_is_what_is_taken(device: FakeDevice, tmp_path: Path) -> None:
    host = DeviceHost(device)
    programs = {
        "a": stage(tmp_path / "a", region_bytes=with_arena(300)),
        "b": stage(tmp_path / "b"),
    }
    need = memory_need(device, [one.plan for one in programs.values()])
    host.hold(programs, dict.fromkeys(programs, SOURCE))
    assert sum(device.allocated.values()) == need.total - need.driver
    assert (need.weights, need.arena, need.constants, need.ends) == (60, 300, 632, 572)
    assert need.driver < WORKSPACE_BYTES * 8
    assert host.additional_bytes(programs) == -device.free_bytes()
    bigger = {"a": stage(tmp_path / "c", region_bytes=with_arena(300 + device.free_bytes() + 5))}
    freed = need.total - memory_need(device, [_plan(bigger)]).total
    assert host.additional_bytes(bigger) == -freed - device.free_bytes()
    smaller = {"b": programs["b"]}
    host.hold(smaller, {"b": SOURCE})
    assert 300 in device.allocated.values()  # the arena, as b lies in it
    assert host.additional_bytes(smaller) == -device.free_bytes()
    host.hold({"d": stage(tmp_path / "d")}, {"d": SOURCE})
    assert 300 not in device.allocated.values()
    host.close()
    assert host.additional_bytes({}) == need.driver - device.free_bytes()


def _plan(programs: dict[str, CompiledStage]) -> LaunchPlan:
    (only,) = programs.values()
    assert any(buffer.kind is PlanBufferKind.WEIGHT for buffer in only.plan.buffers)
    return only.plan
