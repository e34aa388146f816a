"""``lumc explain`` on specs and on compiled stages."""

import json
from pathlib import Path

import pytest
from click.testing import CliRunner

from lumc.cli import lumc, main
from lumc.dsl import elaborate, load_text
from lumc.explaining import EXPLANATION_FILE, explanation_content, explanation_text
from lumc.inspection import plain
from lumc.lowering import lower

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
    assert all(one["dearer_by"] is None or one["dearer_by"] > 0 for one in content["not_chosen"])
    assert content["not_chosen"]
    assert any(one["what"] == "keep an add in memory" for one in content["not_chosen"])
    kinds = {one["kind"]: one for one in content["not_found"]}
    assert kinds.keys() == {"reduction", "gather"}
    assert "same axes" in kinds["reduction"]["reason"]
    assert kinds["reduction"]["place"] == "small.lum:4"
    assert [(one["kind"], one["definition"], one["times"]) for one in content["found"]] == [
        ("product", "linear", 1)
    ]
    assert explained(str(spec), "--json") == explained(str(spec), "--json")


def test_text_has_all_parts(spec: Path) -> None:
    text = explained(str(spec))
    for part in (
        "What was found",
        "What each kernel replaced",
        "Rules that fired",
        "Found and not chosen",
        "Not found",
    ):
        assert part in text


def test_times_are_written_without_powers_of_ten() -> None:
    found = [plain(value) for value in (1163.4, 123456.7, 99.96, 5.4126, 0.00371)]
    assert found == ["1,163", "123,457", "100", "5.41", "0.00371"]


def test_what_costs_as_much_is_counted(spec: Path) -> None:
    count = json.loads(explained(str(spec), "--json"))["stages"]["s"]["as_dear"]
    assert count > 0
    text = explained(str(spec))
    assert f"\nand {count} more that cost as much as what was chosen\n" in text


def test_rules_that_only_helped_are_hidden(spec: Path) -> None:
    short, long = explained(str(spec)), explained(str(spec), "--all-rules")
    assert "\ncontraction " in long
    assert "\ncontraction " not in short
    assert "\nproduct " in short
    assert "--all-rules lists them" in short


ROUNDED = """use nn
stage s(q: bf16[5, 8], k: bf16[7, 8], v: bf16[7, 6]) -> o: bf16[5, 6]:
    z = scores(q, k)
    p[t, s] as bf16 = softmax(z[t])[s]
    o[t, d] as bf16 = sum[s] p[t, s] * v[s, d]
"""


def test_rules_that_round_in_another_way_are_marked(tmp_path: Path) -> None:
    place = tmp_path / "rounded.lum"
    place.write_text(ROUNDED, encoding="utf-8")
    content = json.loads(explained(str(place), "--json"))["stages"]["s"]
    marked = [one["rule"] for one in content["rules"] if one["rounds"] and one["kernels"]]
    assert marked == ["attention-of-kept-softmax"]
    text = explained(str(place))
    (line,) = (one for one in text.splitlines() if one.startswith("attention-of-kept-softmax"))
    assert line.endswith("differs: not with --math exact")
    exact = json.loads(explained(str(place), "--json", "--math", "exact"))["stages"]["s"]
    assert not any(one["rounds"] for one in exact["rules"])


def test_a_compiled_stage(spec: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    out = tmp_path / "out"
    assert main(["compile", str(spec), "-o", str(out)]) == 0
    content = json.loads(explained(str(out), "--json"))["stages"]["s"]
    plan = json.loads((out / "s" / "plan.json").read_text(encoding="utf-8"))
    assert {one["kernel"] for one in content["kernels"]} == {k["symbol"] for k in plan["kernels"]}
    rules = (out / "s" / "report.md").read_text(encoding="utf-8").split("## Rules")[1]
    assert "| product | 1 | 1 |" in rules
    assert "| contraction |" not in rules
    assert "`lumc inspect rules` lists" in rules
    for option in (("--target", "gfx90a"), ("--set", "n=3"), ("--math", "exact")):
        assert main(["explain", str(out), *option]) == 2
        assert f"{option[0]} has no effect on what is compiled already" in capsys.readouterr().err
    (out / "s" / EXPLANATION_FILE).write_text("{", encoding="utf-8")
    capsys.readouterr()
    assert main(["explain", str(out)]) == 1
    assert "compile the stage again" in capsys.readouterr().err


WIDE = """use nn
stage s(q: bf16[1024, 512], k: bf16[1024, 512], v: bf16[1024, 512]) -> o: bf16[1024, 512]:
    o = attention(q, k, v)
"""


def test_a_kernel_that_is_cut_into_parts_afterwards() -> None:
    lowered = lower(
        elaborate(load_text("wide", WIDE), "s"), "sm_90", libraries=True, explained=True
    )
    symbols = [f"symbol {n}" for n in range(len(lowered.program.kernels))]
    assert len(symbols) > 1
    content = explanation_content("s", lowered, symbols)
    (attention,) = (one for one in content["found"] if one["kind"] == "attention")
    assert attention["kernels"]
    assert set(attention["kernels"]) <= set(symbols)
    count = content["made_for_these"]
    assert count == len(symbols) - len(lowered.names) > 0
    assert f"{count} more that make what these read" in explanation_text(content)
