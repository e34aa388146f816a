"""A reader is cut along the pieces of what it reads only where the parts are all of it."""

import pytest

from lumc.dsl import elaborate, load_text
from lumc.lowering.partitions import find_partitions
from tests.lowering.checking import check, check_random

TEXT = """
stage s(a: f32[3], b: f32[3]) -> y: f32[{size}]:
    t[2*i] = a[i] + 1
    t[2*i + 1] = b[i] * 2
    y[j: {size}] = t[{read}] * 3
"""


@pytest.mark.parametrize(
    ("size", "read", "cut"),
    [(6, "j", True), (3, "0 + j", False), (4, "j + 2", False), (8, "j else 0", False)],
)
def test_readers_of_a_part_are_not_cut(size: int, read: str, cut: bool) -> None:
    program = elaborate(load_text("text", TEXT.format(size=size, read=read)), "s")
    parts = find_partitions(program).values()
    assert bool(parts) is cut
    check(program)
    check_random(program, range(10))
