"""What one workgroup wrote, another may read only behind a release, an atomic and an acquire.

The kernel meets others by the headers' own ``is_last_part``; with any step of that left out it is
still right by luck, and the emulator says what is wrong with it.
"""

from __future__ import annotations

import re
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lumc.codegen.identifiers import header_texts
from lumc.codegen.toolchains import CompileUnit, choose_toolchain
from lumc.runtime.emulator import Checks, EmulationFault, Emulator

PARTS, THREADS = 3, 256
KERNEL = """
#include "lumc/parts.hpp"
using namespace lumc;
LUMC_KERNEL(256) total(const float* x, float* y, float* left, unsigned* counter) {
  __shared__ unsigned place;
  const int n = int(block()) * 256 + thread();
  left[n] = x[n] * 2.0f;
  if (!is_last_part(counter, 3, &place)) return;
  float sum = 0.0f;
  for (int part = 0; part < 3; ++part) sum += left[part * 256 + thread()];
  y[thread()] = sum;
}
"""
Headers = dict[str, str]


def without(name: str, line: str, count: int = 1) -> Headers:
    """The device headers with one line less, the ``count``-th that is so."""
    headers = header_texts()
    pieces = re.split(f"(^ *{re.escape(line)}\n)", headers[name], flags=re.MULTILINE)
    assert len(pieces) > 2 * count - 1, f"{name} has no {line}"
    del pieces[2 * count - 1]
    return headers | {name: "".join(pieces)}


def launched(target: str, headers: Headers, checks: Checks | None = None) -> npt.NDArray[Any]:
    made = choose_toolchain(target).compile(CompileUnit(KERNEL, headers), target)
    emulator = Emulator(made.code, made.assembly, Checks.all() if checks is None else checks)
    x = np.arange(PARTS * THREADS, dtype=np.float32)
    y = np.full(THREADS, np.nan, np.float32)
    left, counter = np.full(PARTS * THREADS, np.nan, np.float32), np.zeros(1, np.uint32)
    # Two launches: the counter is 0 again behind each.
    for _ in range(2):
        emulator.launch("total", (PARTS, 1, 1), (THREADS, 1, 1), [x, y, left, counter])
        assert counter[0] == 0
    return y


EXPECTED = 2 * np.arange(PARTS * THREADS, dtype=np.float32).reshape(PARTS, THREADS).sum(axis=0)
TARGETS = ("gfx90a", "gfx942", "gfx950", "gfx1100")
RELEASE = '__builtin_amdgcn_fence(__ATOMIC_RELEASE, "agent");'
ACQUIRE = '__builtin_amdgcn_fence(__ATOMIC_ACQUIRE, "agent");'


@pytest.mark.parametrize("target", TARGETS)
def test_the_headers_order_what_workgroups_write(target: str) -> None:
    np.testing.assert_array_equal(launched(target, header_texts()), EXPECTED)


LEFT_OUT = {
    # The second fence: the first is for targets whose barriers wait for nothing.
    "release": ("lumc/amd.hpp", RELEASE, 2),
    "acquire": ("lumc/amd.hpp", ACQUIRE, 1),
    "wait for other waves": ("lumc/parts.hpp", "settle();", 1),
}
# Which chips need what: the units of some share one cache, and barriers of others wait for stores.
NEEDED = [
    *((target, "acquire") for target in TARGETS),
    *((target, step) for target in ("gfx942", "gfx950") for step in LEFT_OUT if step != "acquire"),
    ("gfx90a", "wait for other waves"),
]


@pytest.mark.parametrize(("target", "step"), NEEDED)
def test_every_step_is_needed(target: str, step: str) -> None:
    headers = without(*LEFT_OUT[step])
    # Here it computes what it should, as memory of this machine is what all see at once.
    np.testing.assert_array_equal(launched(target, headers, Checks.none()), EXPECTED)
    with pytest.raises(EmulationFault, match=r"reads bytes .* no release, atomic and acquire"):
        launched(target, headers)


@pytest.mark.parametrize("target", ["gfx942", "gfx1100"])
def test_two_workgroups_write_the_same_place(target: str) -> None:
    text = """
#include "lumc/device.hpp"
using namespace lumc;
LUMC_KERNEL(64) same(int* y) { y[thread()] = 3; }
LUMC_KERNEL(64) other(int* y) { y[thread()] = int(block()); }
"""
    made = choose_toolchain(target).compile(CompileUnit(text, header_texts()), target)
    emulator = Emulator(made.code, made.assembly)
    y = np.full(64, 7, np.int32)
    emulator.launch("same", (2, 1, 1), (64, 1, 1), [y], threads=1)
    emulator.launch("other", (1, 1, 1), (64, 1, 1), [y])
    with pytest.raises(EmulationFault, match=r"writes bytes .* which workgroup \(0, 0, 0\) wrote"):
        emulator.launch("other", (2, 1, 1), (64, 1, 1), [y], threads=1)
