"""The configuration of a stage that is small enough to run as a whole."""

import pytest

from lumc.dsl import Spec, elaborate, load_text
from lumc.small_configuration import small_configuration

TEXT = """\
param dtype = bf16
param rows = 512
param heads = 8
param width = 16*heads
param sizes = [4, rows]
param eps = 1e-6
require width % heads == 0
require rows >= {least}
config small:
    rows = 6, dtype = f32
config smaller from small:
    heads = 2
config broken:
    width = 7

stage main(x: dtype[rows, width], W: dtype[width, width]) -> y: dtype[rows, width]:
    y[r, o] as x = sum[i] x[r, i] * W[o, i] + eps

stage lone(x: f32[3]) -> y: f32[3]:
    y[i] = 2 * x[i]
"""


def spec_with(least: int = 1, config: str | None = None, **settings: str) -> Spec:
    return load_text("s", TEXT.format(least=least), config, settings)


def test_the_configuration_that_is_least_work() -> None:
    found = small_configuration(spec_with(), "main")
    assert found is not None
    assert found.description == "config smaller, dtype = bf16"
    parameters = dict(found.spec.parameters)
    assert (parameters["rows"], parameters["heads"]) == ("6", "2")
    # As it is to be compiled.
    assert parameters["dtype"] == "bf16"


def test_types_are_those_that_are_compiled() -> None:
    found = small_configuration(spec_with(dtype="f16", width="64"), "main")
    assert found is not None
    assert dict(found.spec.parameters)["dtype"] == "f16"
    assert dict(found.spec.parameters)["width"] == "32"


def test_one_that_is_smallest_itself() -> None:
    found = small_configuration(spec_with(rows="1", heads="1"), "main")
    assert found is not None
    assert found.description == "as it is"
    found = small_configuration(spec_with(), "lone")
    assert found is not None
    assert found.description == "as it is"


def test_numbers_are_halved(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumc.small_configuration.LARGEST_WORK", 3_000)
    spec = load_text("s", TEXT.format(least=1).replace("rows = 6", "rows = 400"))
    found = small_configuration(spec, "main")
    assert found is not None
    program = elaborate(found.spec, "main")
    assert max(size for node in program.nodes for size in node.space) < 400
    assert found.description.startswith("config smaller, dtype = bf16, rows = ")


def test_a_spec_that_can_not_be_small(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("lumc.small_configuration.LARGEST_WORK", 20)
    text = "stage s(x: f32[70, 33]) -> y: f32[70]:\n    y[r] = sum[c] x[r, c]\n"
    assert small_configuration(load_text("s", text), "s") is None
    assert small_configuration(spec_with(least=6), "main") is None
