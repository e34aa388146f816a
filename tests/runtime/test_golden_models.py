"""Models that the rules were not written for, as machine code, against golden data."""

from __future__ import annotations

import pytest

from tests.runtime.emulated_stage import relative_error, run_emulated
from tests.specs.golden_models import GOLDEN


@pytest.mark.slow
@pytest.mark.parametrize("name", GOLDEN)
def test_golden(name: str) -> None:
    golden = GOLDEN[name]
    inputs, weights, wanted = golden.tensors()
    got = run_emulated(golden.program(), inputs, weights, "gfx942")
    for output, values in wanted.items():
        assert relative_error(got[output], values) < 1e-4
