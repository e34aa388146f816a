"""Launches made by hand, run one after the other by their NumPy meaning."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lumc.lowering.kernel_program import Argument, Kernel, Provenance
from lumc.lowering.kernel_ranges import extent
from lumc.lowering.kernel_reference import poisoned, run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.merged_rows import WRITES, Drafted

Array = npt.NDArray[np.generic]


def drafted(kernel: Kernel, buffers: Sequence[int], number: int) -> Drafted:
    arguments = tuple(Argument(buffer) for buffer in buffers)
    return Drafted(kernel, arguments, Provenance((), (kernel.name,), ()), (number,))


def buffers(found: Sequence[Drafted], seed: int = 0) -> dict[int, Array]:
    """Random contents for what is only read, poison for what is written."""
    random = np.random.default_rng(seed)
    memory: dict[int, Array] = {}
    written = {
        argument.buffer
        for launch in found
        for parameter, argument in zip(launch.kernel.parameters, launch.arguments, strict=True)
        if parameter.access in WRITES
    }
    for launch in found:
        for parameter, argument in zip(launch.kernel.parameters, launch.arguments, strict=True):
            elements = argument.offset + extent(parameter)
            values = random.standard_normal(elements).astype(parameter.dtype.numpy)
            if argument.buffer in written:
                values = poisoned(elements, parameter.dtype)
            memory.setdefault(argument.buffer, values)
    return memory


def run(found: Sequence[Drafted], memory: dict[int, Array]) -> None:
    for launch in found:
        run_kernel(launch.kernel, [memory[a.buffer][a.offset :] for a in launch.arguments])


def assert_same(
    before: Sequence[Drafted], after: Sequence[Drafted], without: int | None = None
) -> None:
    """Both leave the same in every buffer, but the one that only the first needs."""
    for launch in after:
        verify_kernel(launch.kernel)
    wanted, found = buffers(before), buffers(before)
    run(before, wanted)
    run(after, found)
    for number, values in wanted.items():
        if number == without:
            continue
        left, right = (array.astype(np.float32) for array in (values, found[number]))
        np.testing.assert_array_equal(left, right, err_msg=str(number))
