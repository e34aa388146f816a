"""Activations that libraries do with a product's sums, recognised by what they compute.

How a text writes an activation, and what rules have made of it, does not matter: a function of one
number is taken for an activation if it agrees with it, to the precision of f32, wherever the two
could differ.
"""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
import numpy.typing as npt

from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering.kernel_program import Activation, Apply, Instruction, Literal
from lumc.lowering.scalar_reference import apply

Array = npt.NDArray[np.float32]

# Beyond these ends both activations are 0 or the number itself, to the last bit. What a text caps
# there is another function, so numbers are tried up to where their cubes still are f32's.
_END = 30.0
_POINTS = 12001
_FARTHEST = 6e12
_FAR_POINTS = 1000
# What a result may be off by, as a part of the argument: max(x, 0) is exact in any text.
_CLOSE = {Activation.RELU: 0.0, Activation.GELU: 1e-5}


def activation_of(code: Sequence[Instruction], value: int, argument: int) -> Activation | None:
    """Which activation of value ``argument`` value ``value`` is, if it is one."""
    if value == argument:
        return Activation.NONE
    points = _points()
    found = _function(code, value, argument, points)
    if found is None or found.shape != points.shape:
        return None
    x = points.astype(np.float64)
    wanted = {
        Activation.RELU: np.maximum(x, 0),
        Activation.GELU: x / 2 * (1 + np.tanh(np.sqrt(2 / np.pi) * (x + 0.044715 * x**3))),
    }
    for activation, exact in wanted.items():
        if np.all(np.abs(found - exact) <= _CLOSE[activation] * np.abs(x)):
            return activation
    return None


def _points() -> Array:
    near = np.linspace(-_END, _END, _POINTS)
    far = np.geomspace(_END, _FARTHEST, _FAR_POINTS)
    return np.concatenate([-far[::-1], near, [0.0], far]).astype(np.float32)


def _function(
    code: Sequence[Instruction], value: int, argument: int, points: Array
) -> Array | None:
    """``value`` at ``points`` of ``argument``; None where it depends on anything else."""
    known: dict[int, Array] = {argument: points}

    def evaluated(number: int) -> Array | None:
        if number not in known:
            match code[number]:
                case Literal(literal, dtype):
                    known[number] = np.asarray(literal, dtype.numpy)
                case Apply(op, operands):
                    parts = [evaluated(n) for n in operands]
                    if any(part is None for part in parts):
                        return None
                    known[number] = _applied(op, [part for part in parts if part is not None])
                case _:
                    return None
        return known[number]

    return evaluated(value)


def _applied(op: ElementwiseOp, operands: Sequence[Array]) -> Array:
    with np.errstate(all="ignore"):
        made: Array = apply(op, operands)
    return made
