"""Elaborate a stage of a spec in the repository and evaluate it on random or given tensors."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.dsl import elaborate, load_spec
from lumc.dsl.reference import evaluate
from lumc.dsl.tensor_program import TensorProgram, Weight

ROOT = Path(__file__).parents[2]
SPECS = ROOT / "specs"
DATA = ROOT / "tests" / "data"

Array = npt.NDArray[Any]
Tensors = dict[str, Array]


def program_of(spec: str, stage: str, config: str | None = None, **settings: Any) -> TensorProgram:
    """The tensor program of a stage; ``spec`` is a path below ``specs/`` without its ending."""
    texts = {name: setting_text(value) for name, value in settings.items()}
    return elaborate(load_spec(SPECS / f"{spec}.lum", config, texts), stage)


def setting_text(value: Any) -> str:
    """A setting as it is written after ``--set name=``."""
    match value:
        case bool():
            return str(value).lower()
        case list():
            return f"[{', '.join(map(setting_text, value))}]"
        case _:
            return str(value)


def random_weights(program: TensorProgram, seed: int) -> Tensors:
    """Values for every weight: reals from N(0, 1) / 2, positive variances, any whole number."""
    generator = np.random.default_rng(seed)
    weights: Tensors = {}
    for node in (program.nodes[number] for number in program.weights):
        assert isinstance(node, Weight)
        if not node.dtype.is_float:
            weights[node.name] = generator.integers(0, 256, node.space).astype(node.dtype.numpy)
            continue
        values = generator.standard_normal(node.space) / 2
        if "var" in node.name:
            values = 0.5 + np.abs(values)
        weights[node.name] = values.astype(np.float32).astype(node.dtype.numpy)
    return weights


def run(
    program: TensorProgram, inputs: Mapping[str, Any], weights: Mapping[str, Any]
) -> tuple[Array, ...]:
    """The outputs in the order of the text."""
    results = evaluate(program, inputs, weights)
    return tuple(results[output.name] for output in program.outputs)


def relative_error(got: Array, expected: Array) -> float:
    """The relative L2 error of ``got``, in f64."""
    difference = got.astype(np.float64) - np.asarray(expected, np.float64)
    return float(np.linalg.norm(difference) / np.linalg.norm(np.asarray(expected, np.float64)))


def assert_close(got: Array, expected: Array, tolerance: float = 1e-5) -> None:
    """Equal shapes, and a relative L2 error of at most ``tolerance``."""
    assert got.shape == np.shape(expected)
    error = relative_error(got, expected)
    assert error <= tolerance, f"relative L2 error {error:.2e}"
