"""How a product lies to a BLAS library, which counts column by column.

output = left right^T is to it D = op(A) op(B), with the right side as A (the output's columns are
D's rows) and the left side as B.
"""

from __future__ import annotations

from dataclasses import dataclass

from lumc.codegen.launch_plan import PlanProduct, PlanStrided
from lumc.dsl.dtypes import DType


@dataclass(frozen=True, slots=True)
class MatrixLayout:
    """A matrix of columns that lie one after the other, ``leading`` elements apart.

    ``transposed``: the library is to take it transposed. Matrices of a batch are ``step`` apart.
    """

    dtype: DType
    rows: int
    columns: int
    leading: int
    batch: int
    step: int
    transposed: bool = False


def left_layout(call: PlanProduct) -> MatrixLayout:
    """The left side, as B: (inner, rows) after its transposition."""
    batch, rows, _, inner = call.sizes
    return _operand(call.left, rows, inner, batch, is_a=False)


def right_layout(call: PlanProduct) -> MatrixLayout:
    """The right side, as A: (columns, inner) after its transposition."""
    batch, _, columns, inner = call.sizes
    return _operand(call.right, columns, inner, batch, is_a=True)


def output_layout(call: PlanProduct, side: PlanStrided) -> MatrixLayout:
    """``side`` as D or C: (columns, rows)."""
    batch, rows, columns, _ = call.sizes
    step, row, _ = side.strides
    return MatrixLayout(side.dtype, columns, rows, max(row, columns), batch, step)


def _operand(side: PlanStrided, points: int, inner: int, batch: int, is_a: bool) -> MatrixLayout:
    step, point, along = side.strides
    # One whose inner axis is contiguous is (inner, points) as it lies.
    along_inner = along == 1 or inner == 1
    rows, columns = (inner, points) if along_inner else (points, inner)
    leading = max(point if along_inner else along, rows)
    transposed = along_inner if is_a else not along_inner
    return MatrixLayout(side.dtype, rows, columns, leading, batch, step, transposed)


def bias_of(call: PlanProduct) -> PlanStrided | None:
    """The addend, if it is one for every row."""
    _, rows, _, _ = call.sizes
    is_bias = call.addend is not None and rows > 1 and call.addend.strides[1] == 0
    return call.addend if is_bias else None
