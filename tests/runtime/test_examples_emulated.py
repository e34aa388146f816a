"""Every example spec, compiled and run on the emulator, against the reference."""

from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt
import pytest

from lumc.dsl import elaborate, load_spec
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import Input, TensorProgram, Weight
from tests.runtime.emulated_stage import relative_error, run_emulated

EXAMPLES = sorted((Path(__file__).parents[2] / "specs" / "examples").glob("*.lum"))
STAGES = [(path, stage) for path in EXAMPLES for stage in load_spec(path).stages]

Array = npt.NDArray[Any]


def random_tensors(program: TensorProgram, numbers: tuple[int, ...], seed: int) -> dict[str, Array]:
    """Reals from N(0, 1) / 2, positive variances; whole numbers that are places everywhere."""
    generator = np.random.default_rng(seed)
    tensors: dict[str, Array] = {}
    for node in (program.nodes[number] for number in numbers):
        assert isinstance(node, Input | Weight)
        values = generator.standard_normal(node.space) / 2
        if not node.dtype.is_float:
            values = generator.integers(0, 2, node.space).astype(np.float64)
        elif "var" in node.name:
            values = 0.5 + np.abs(values)
        tensors[node.name] = values.astype(np.float32).astype(node.dtype.numpy)
    return tensors


@pytest.mark.parametrize(
    ("path", "stage"), STAGES, ids=[f"{path.stem}-{stage}" for path, stage in STAGES]
)
def test_example(path: Path, stage: str) -> None:
    program = elaborate(load_spec(path), stage)
    inputs = random_tensors(program, program.inputs, 1)
    weights = random_tensors(program, program.weights, 2)
    expected = evaluate(program, inputs, weights, "fast")
    got = run_emulated(program, inputs, weights, "gfx942")
    for name, values in expected.items():
        assert got[name].dtype == values.dtype
        assert np.unique(values).size > 1, "an output that is all the same shows nothing"
        narrow = values.dtype.itemsize < 4
        assert relative_error(got[name], values) <= (1e-2 if narrow else 1e-4)
