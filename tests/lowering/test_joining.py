"""What may be stored over the axes of its readers."""

import pytest

from lumc.dsl.index_expression import IndexExpression, add, axis, constant, scale
from lumc.lowering.joining import covers

ROW, COLUMN = axis(0), axis(1)


@pytest.mark.parametrize(
    ("base", "view", "space", "expected"),
    [
        ((3, 4), (ROW, COLUMN), (3, 4), True),
        ((3, 4), (COLUMN, ROW), (4, 3), True),
        ((12,), (add(scale(ROW, 4), COLUMN),), (3, 4), True),
        ((3, 4), (ROW, constant(0)), (3, 4), False),
        ((3, 4), (ROW, COLUMN), (3, 3), False),
        # As many places, all different, but a guarded read of some outside.
        ((1, 2), (constant(0), scale(COLUMN, 2)), (1, 2), False),
        ((4,), (add(ROW, constant(-1)),), (4,), False),
    ],
)
def test_covers(
    base: tuple[int, ...],
    view: tuple[IndexExpression, ...],
    space: tuple[int, ...],
    expected: bool,
) -> None:
    assert covers(base, view, space) is expected
