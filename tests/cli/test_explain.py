"""``lumc explain`` on specs and on compiled stages."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lumc.cli import lumc, main
from lumc.explaining import EXPLANATION_FILE

SPEC = """use nn
stage s(x: f32[5, 7], W: f32[6, 7], ids: i32[5], table: f32[9, 6]) -> y: f32[5, 6], n: f32[5]:
    y[t, o] = silu(linear(x[t], W)[o]) + table[ids[t], o]
    n[t] = sum[i] x[t, i]^2
"""


@pytest.fixture
def spec(tmp_path: Path) -> Path:
    place = tmp_path / "small.lum"
    place.write_text(SPEC, encoding="utf-8")
    return place


def explained(*arguments: str) -> str:
    result = CliRunner().invoke(lumc, ["explain", *arguments], catch_exceptions=False)
    assert result.exit_code == 0, result.stderr
    return result.stdout


def test_a_spec(spec: Path) -> None:
    content = json.loads(explained(str(spec), "--json"))["stages"]["s"]
    (product,) = (one for one in content["rules"] if one["rule"] == "product")
    assert product["matches"] >= 1
    assert "small.lum:3" in product["places"]
    (gemm,) = (one for one in content["kernels"] if "product" in one["rules"])
    assert gemm["operations"]["sum over axes"] == 1
    assert "small.lum:3" in gemm["places"]
    assert all(one["dearer_by"] is None or one["dearer_by"] >= 0 for one in content["not_chosen"])
    assert content["not_chosen"]
    kinds = {one["kind"]: one for one in content["not_found"]}
    assert kinds.keys() == {"reduction", "gather"}
    assert "same axes" in kinds["reduction"]["reason"]
    assert kinds["reduction"]["place"] == "small.lum:4"
    assert explained(str(spec), "--json") == explained(str(spec), "--json")


def test_text_has_all_parts(spec: Path) -> None:
    text = explained(str(spec))
    for part in ("What each kernel replaced", "Rules that fired", "Found and not", "Not found"):
        assert part in text


def test_a_compiled_stage(spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["compile", str(spec), "-o", str(out)]) == 0
    content = json.loads(explained(str(out), "--json"))["stages"]["s"]
    plan = json.loads((out / "s" / "plan.json").read_text(encoding="utf-8"))
    assert {one["kernel"] for one in content["kernels"]} == {k["symbol"] for k in plan["kernels"]}
    (out / "s" / EXPLANATION_FILE).write_text("{", encoding="utf-8")
    capsys.readouterr()
    assert main(["explain", str(out)]) == 1
    assert "compile the stage again" in capsys.readouterr().err
