"""``lumc doctor --selftest``: what is right passes, and what is wrong, or unsteady, does not."""

import json
from collections.abc import Sequence
from typing import Any

import numpy as np
import pytest

from lumc import selftest as module
from lumc.cli import main
from lumc.diagnostics import Diagnostic, LumcError
from lumc.runtime.devices.emulator import EmulatorDevice
from lumc.runtime.verify_kernels import RunWorkgroups, check_kernel, emulated
from lumc.selftest import SIZES, TIMED, UnsteadyKernelError, on_device, selftest

FAMILY = "norm_modulated"


def test_a_family_in_all_sizes(capsys: pytest.CaptureFixture[str]) -> None:
    arguments = ["--selftest", "--device", "emulator", "--family", FAMILY]
    assert main(["doctor", *arguments, "--json"]) == 0
    found = json.loads(capsys.readouterr().out)
    assert found["passed"]
    assert [one["sizes"] for one in found["verdicts"]] == list(SIZES)
    assert all(one["elements"] > 0 and one["closeness"] <= 1 for one in found["verdicts"])
    assert main(["doctor", *arguments]) == 0
    out = capsys.readouterr().out
    assert f"{len(SIZES)} of {len(SIZES)} are right" in out


def test_a_family_that_is_none(capsys: pytest.CaptureFixture[str]) -> None:
    given = ["doctor", "--selftest", "--device", "emulator", "--family", "norm_modulate"]
    assert main(given) == 1
    said = capsys.readouterr()
    assert said.out == ""
    assert "there is no family norm_modulate; there are " in said.err
    assert f"did you mean {FAMILY}?" in said.err


def test_a_wrong_kernel_is_called_bad(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    right = emulated

    def wrong(*arguments: Any) -> RunWorkgroups:
        def run(workgroups: Sequence[int], arrays: Sequence[Any]) -> None:
            right(*arguments)(workgroups, arrays)
            arrays[-1][-1] += 1

        return run

    monkeypatch.setattr(module, "emulated", wrong)
    assert main(["doctor", "--selftest", "--device", "emulator", "--family", FAMILY]) == 1
    out = capsys.readouterr().out
    assert "BAD" in out
    assert f"0 of {len(SIZES)} are right" in out


def test_a_kernel_that_cannot_be_made_is_called_bad(monkeypatch: pytest.MonkeyPatch) -> None:
    def fail(*_: Any) -> Any:
        raise LumcError(Diagnostic("X001", "no compiler today"))

    monkeypatch.setattr(module, "make_kernels", fail)
    verdicts = list(selftest("emulator", "gfx90a", [FAMILY]))
    assert {one.problem for one in verdicts} == {"no compiler today"}


def test_stages_of_the_spec_are_the_families() -> None:
    device = EmulatorDevice("gfx942")
    known = module._Trials(device, print)._spec({}).stages
    assert set(TIMED) < set(known)
    assert len(known) >= 20


class OtherBytes(EmulatorDevice):
    """Writes something else each time."""

    def __init__(self) -> None:
        super().__init__("gfx942")
        self.count = 0

    def replay(self, recording: Any) -> None:
        super().replay(recording)
        self.count += 1
        address = next(reversed(self._memories))
        self.write(address, np.array([self.count], np.uint8))


@pytest.mark.parametrize("device", [EmulatorDevice("gfx942"), OtherBytes()])
def test_runs_on_a_device_are_compared_with_each_other(
    device: EmulatorDevice, monkeypatch: pytest.MonkeyPatch
) -> None:
    trials = module._Trials(device, print)
    made = trials._made(FAMILY, SIZES["odd"])
    (emitted,) = made.emitted.generated
    compiled = made.objects[emitted.symbol]
    loaded = device.load(compiled.code, compiled.assembly, emitted.symbol)
    (kernel,) = made.lowered.program.kernels
    run = on_device(device, kernel, loaded, emitted)
    blocks = emitted.geometry.blocks
    if isinstance(device, OtherBytes):
        with pytest.raises(UnsteadyKernelError, match="different bytes"):
            check_kernel(kernel, emitted.geometry, run, workgroups=blocks)
        return
    check = check_kernel(kernel, emitted.geometry, run, workgroups=blocks)
    assert check.mismatches == ()
    assert check.elements == 77 * 200
    assert device._memories == {}


@pytest.mark.slow
@pytest.mark.parametrize("target", ["gfx90a", "gfx942", "gfx950", "gfx1100"])
def test_every_family(target: str) -> None:
    bad = [one for one in selftest("emulator", target) if not one.passed]
    assert bad == []
