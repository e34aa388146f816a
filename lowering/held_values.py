"""What stands in the buffers of a kernel program, as the tensor program says.

To find the first kernel that computes something else: each buffer with a tensor of the spec in it
says which, so that the reference can be asked for its values.
"""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
import numpy.typing as npt

from lumc.dsl.numpy_primitives import convert
from lumc.dsl.reference import Math, evaluate_nodes
from lumc.dsl.tensor_program import TensorProgram
from lumc.lowering.constant_tables import Tables
from lumc.lowering.layouts import Order

Array = npt.NDArray[Any]


@dataclass(frozen=True, slots=True)
class Held:
    """Node ``node`` with its axes in ``order``, of what is run ``once`` or of what is every step.

    The axes of the node that is held are those of the buffer.
    """

    once: bool
    node: int
    order: Order


@dataclass(frozen=True, slots=True)
class HeldValues:
    """The programs that a kernel program was made from, and what its buffers hold of them.

    ``held`` are by number of the buffer; those that hold parts of sums, or nothing of their own,
    are not there. Both programs are as they were cut: narrowed to what is read.
    """

    once: TensorProgram
    every: TensorProgram
    tables: Tables
    held: Mapping[int, Held]

    def evaluate(
        self, inputs: Mapping[str, Array], weights: Mapping[str, Array], math: Math
    ) -> dict[int, Array]:
        """By buffer, what it must hold: in its shape, in the type that it is computed in."""
        of_tables = dict(self.tables)
        nodes = {output.operand.node for output in self.once.outputs}
        early = self._nodes(once=True)
        found = evaluate_nodes(self.once, {*nodes, *early}, of_tables, weights, math)
        prepared = {
            output.name: convert(found[output.operand.node], output.dtype.numpy)
            for output in self.once.outputs
        }
        given = {**inputs, **of_tables, **prepared}
        late = evaluate_nodes(self.every, self._nodes(once=False), given, weights, math)
        return {
            number: np.transpose((found if held.once else late)[held.node], held.order)
            for number, held in self.held.items()
        }

    def _nodes(self, *, once: bool) -> Iterable[int]:
        return sorted({held.node for held in self.held.values() if held.once is once})
