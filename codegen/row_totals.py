"""What the row reductions' code calls their results, and the local memory they meet in."""

from __future__ import annotations

import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from lumc.codegen.identifiers import Names, comment_text
from lumc.codegen.statements import C_TYPES, literal_text
from lumc.dsl.dtypes import DType
from lumc.dsl.tensor_program import ReduceOp
from lumc.lowering.kernel_program import KernelAxis, RowReduction
from lumc.lowering.kernel_types import accumulator_types


@dataclass(frozen=True, slots=True)
class TotalText:
    """A reduction: the variable it is collected in, and how the threads' are put together."""

    type: str
    name: str
    initial: str
    op: str


def total_texts(kernel: RowReduction, names: Names) -> tuple[tuple[TotalText, DType], ...]:
    """The results of all of ``kernel``'s reductions, in order, and their types."""
    reductions = [reduction for phase in kernel.phases for reduction in phase.reductions]
    types = accumulator_types(kernel)
    return tuple(
        (
            TotalText(
                C_TYPES[dtype],
                names.fresh(_TOTAL_NAMES[reduction.op]),
                _initial(reduction.op, dtype),
                reduction.op.value,
            ),
            dtype,
        )
        for reduction, dtype in zip(reductions, types, strict=True)
    )


_TOTAL_NAMES = {ReduceOp.SUM: "total", ReduceOp.MAXIMUM: "greatest"}


def _initial(op: ReduceOp, dtype: DType) -> str:
    """What a reduction begins with, in C++."""
    if op is ReduceOp.SUM:
        return literal_text(0, dtype)
    least = {
        DType.F32: -math.inf,
        DType.I32: -(2**31),
        DType.I64: -(2**63),
        DType.BOOL: False,
    }
    return literal_text(least[dtype], dtype)


def scratch_arrays(types: Iterable[str], length: int) -> tuple[tuple[str, int, int], ...]:
    """Local arrays of ``length`` of each of ``types``: the type, the length and the bytes."""
    return tuple((name, length, length * _BYTES[name]) for name in dict.fromkeys(types))


_BYTES = {"float": 4, "int": 4, "i64": 8, "bool": 1}
SCRATCH_NAMES = frozenset(f"scratch_{kind}" for kind in _BYTES)
"""What the templates call the shared memory that totals are reduced through."""


def phase_title(axes: Sequence[KernelAxis]) -> str:
    """What a pass runs over, for a comment."""
    names = " × ".join(f"{axis.name} {axis.size}" for axis in axes if axis.size > 1)
    return comment_text(f"over {names}") if names else "once"
