"""What is said about a lowering agrees with what was done."""

from __future__ import annotations

from lumc.dsl import elaborate, load_text
from lumc.lowering.explanation import Explanation
from lumc.lowering.lower import Lowered, lower

TEXT = """use nn
stage s(x: f32[5, 7], W: f32[6, 7], ids: i32[5], table: f32[9, 6],
        n: i32[5, 7]) -> y: f32[5, 6], z: f32[6, 5], a: i32[5], x2: f32[7, 5]:
    y[t, o] = silu(linear(x[t], W)[o]) + table[ids[t], o]
    z[o, t] = softmax(y[t])[o]
    a[t] = sum[i] n[t, i] * n[t, i]
    x2[i, t] = x[t, i]
"""


def explained() -> tuple[Lowered, Explanation]:
    found = lower(elaborate(load_text("text", TEXT), "s"), "gfx942", explained=True)
    assert found.explanation is not None
    return found, found.explanation


def test_every_kernel_has_its_story() -> None:
    found, explanation = explained()
    assert [story.kernel for story in explanation.launches] == [
        kernel.name for kernel in found.program.kernels
    ]
    assert sum(story.launches for story in explanation.launches) == len(found.program.launches)
    total = sum(story.launches * story.microseconds for story in explanation.launches)
    assert abs(total / 1000 - found.predicted_ms) < 1e-9 * found.predicted_ms


def test_stories_name_lines_operations_and_rules() -> None:
    _, explanation = explained()
    (product,) = (story for story in explanation.launches if "product" in story.rules)
    assert ("sum over axes", 1) in product.operations
    assert ("exp2", 1) in product.operations
    assert any(span.source.name.endswith("text.lum") and span.line == 4 for span in product.spans)


def test_what_was_not_chosen_costs_more_or_cannot_be() -> None:
    _, explanation = explained()
    assert explanation.rejected
    for rejected in explanation.rejected:
        assert rejected.reason
        assert rejected.microseconds is None or rejected.microseconds >= -1e-6
    assert any("keep" in rejected.what for rejected in explanation.rejected)


def test_what_no_rule_took_is_said() -> None:
    _, explanation = explained()
    kinds = {leftover.kind for leftover in explanation.leftovers}
    assert kinds == {"copy", "gather", "reduction"}
    reasons = [left.reason for left in explanation.leftovers if left.kind == "reduction"]
    assert reasons == ["whole numbers are not multiplied by matrix cores"]


def test_what_was_found_is_said() -> None:
    _, explanation = explained()
    found = {(one.kind, one.definition): one for one in explanation.found}
    assert found.keys() == {("product", "linear"), ("softmax", "softmax")}
    kernels = {story.kernel for story in explanation.launches}
    assert all(one.times == 1 and set(one.kernels) <= kernels for one in explanation.found)


def test_an_explanation_changes_nothing() -> None:
    program = elaborate(load_text("text", TEXT), "s")
    assert lower(program, "gfx942").program == explained()[0].program
