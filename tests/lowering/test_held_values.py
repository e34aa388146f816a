"""Every buffer that says which tensor of the spec it holds, holds that."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import numpy as np
import pytest

from lumc.dsl import elaborate, load_spec
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.kernel_program import BufferKind, KernelProgram
from lumc.lowering.kernel_reference import poisoned, run_launch
from lumc.lowering.lower import Lowered, lower
from lumc.lowering.scalar_reference import Array
from tests.lowering.checking import Arrays, random_tensors, relative_error

SPEC = Path(__file__).parents[2] / "specs" / "flux2_klein.lum"


def last_written(kernels: KernelProgram, tensors: tuple[Arrays, Arrays]) -> list[Array]:
    """What stands in each buffer in the end."""
    memory = [poisoned(int(np.prod(b.shape)), b.dtype) for b in kernels.buffers]
    for number, buffer in enumerate(kernels.buffers):
        if buffer.kind in (BufferKind.INPUT, BufferKind.WEIGHT):
            given = tensors[0] if buffer.kind is BufferKind.INPUT else tensors[1]
            memory[number] = np.ascontiguousarray(given[buffer.name]).reshape(-1)
    for table in kernels.tables:
        memory[table.buffer] = np.ascontiguousarray(table.values).reshape(-1)
    for launch in (*kernels.prepare, *kernels.launches):
        run_launch(kernels, launch, memory)
    return [values.reshape(b.shape) for values, b in zip(memory, kernels.buffers, strict=True)]


def check(lowered: Lowered, program: TensorProgram, exact: bool) -> int:
    tensors = random_tensors(program)
    found = last_written(lowered.program, tensors)
    wanted = lowered.held.evaluate(*tensors, "exact" if exact else "fast")
    for number, values in wanted.items():
        buffer = lowered.program.buffers[number]
        assert buffer.kind in (BufferKind.INTERMEDIATE, BufferKind.PREPARED)
        assert values.shape == buffer.shape, buffer.name
        left, right = found[number].astype(np.float64), values.astype(np.float64)
        assert relative_error(left, right) < 1e-3, buffer.name
    return len(wanted)


@pytest.mark.parametrize(
    ("stage", "seed"),
    [("transformer", 4), ("text_encoder", None), ("text_encoder", 3), ("vae_encoder", None)],
)
def test_tiny_stages(stage: str, seed: int | None) -> None:
    program = elaborate(load_spec(SPEC, "tiny"), stage)
    exact = seed == 3
    lowered = lower(program, "gfx942", exact=exact, seed=seed)
    touched = {a.buffer for launch in lowered.program.launches for a in launch.arguments}
    intermediates = [
        n for n in touched if lowered.program.buffers[n].kind is BufferKind.INTERMEDIATE
    ]
    assert check(lowered, program, exact) >= 0.5 * len(intermediates)
    with pytest.raises(AssertionError):
        check(swapped(lowered), program, exact)


def swapped(lowered: Lowered) -> Lowered:
    """With what two buffers of one shape hold taken for each other."""
    held = dict(lowered.held.held)
    of_shape: dict[tuple[int, ...], list[int]] = {}
    for number in held:
        of_shape.setdefault(lowered.program.buffers[number].shape, []).append(number)
    first, second = next(numbers for numbers in of_shape.values() if len(numbers) > 1)[:2]
    held[first], held[second] = held[second], held[first]
    return replace(lowered, held=replace(lowered.held, held=held))
