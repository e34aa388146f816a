"""Launch plans as text: whole round trips, and every way a text can be wrong."""

import json
from collections.abc import Callable
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from lumc.codegen.launch_plan import (
    LaunchPlan,
    Meeting,
    PlanArgument,
    PlanBuffer,
    PlanBufferKind,
    PlanKernel,
    PlanLaunch,
    Region,
)
from lumc.codegen.plan_json import PlanError, from_json, to_json
from lumc.dsl.dtypes import DType

PLAN = LaunchPlan(
    stage="block",
    target="gfx942",
    parameters=(("width", "512"), ("name", "é")),
    buffers=(
        PlanBuffer("x", PlanBufferKind.INPUT, DType.BF16, (3, 5), Region.IO, 0, 30),
        PlanBuffer("t", PlanBufferKind.INTERMEDIATE, DType.F32, (), Region.ARENA, 256, 4),
        PlanBuffer("sums", PlanBufferKind.WORKSPACE, DType.F32, (48,), Region.ARENA, 0, 192),
        PlanBuffer("count", PlanBufferKind.COUNTERS, DType.I32, (2,), Region.COUNTERS, 0, 8),
    ),
    kernels=(
        PlanKernel(
            "k0",
            "pointwise",
            "code_objects/k0.co",
            "kernels.hip",
            7,
            ("a.lum:3",),
            (256, 1, 1),
            1024,
        ),
        PlanKernel(
            "k1",
            "gemm",
            "code_objects/k1.co",
            "kernels.hip",
            9,
            (),
            (64, 1, 1),
            0,
            Meeting(192, 2, 6, 3),
        ),
    ),
    prepare=(),
    launches=(
        PlanLaunch(
            0, (7, 1, 1), (PlanArgument(0, 4, False), PlanArgument(1, 0, True)), "h = silu(x)"
        ),
        PlanLaunch(1, (7, 1, 1), tuple(PlanArgument(n, 0, n > 0) for n in (0, 1, 2, 3)), "h w"),
    ),
    region_bytes=((Region.ARENA, 512), (Region.COUNTERS, 8), (Region.IO, 30)),
    tables="tables.safetensors",
)


def test_a_plan_comes_back_whole() -> None:
    assert from_json(to_json(PLAN)) == PLAN


def test_the_text_is_the_same_each_time() -> None:
    assert to_json(from_json(to_json(PLAN))) == to_json(PLAN)


def changed(change: Callable[[Any], None]) -> str:
    document = json.loads(to_json(PLAN))
    change(document)
    return json.dumps(document)


CHANGES: dict[str, tuple[Callable[[Any], Any], str]] = {
    "foreign": (lambda d: d.pop("format"), "not a launch plan"),
    "newer": (lambda d: d.update(version=99), "plan version 99, but this lumc reads 6"),
    "no version": (lambda d: d.pop("version"), "plan version None"),
    "field missing": (lambda d: d.pop("kernels"), "exactly the fields"),
    "field added": (lambda d: d["buffers"][0].update(extra=1), r"plan.buffers\[0\] doesn't have"),
    "text for number": (
        lambda d: d["launches"][0].update(kernel="0"),
        r"plan.launches\[0\].kernel is '0', which is no int",
    ),
    "bool for number": (lambda d: d["launches"][0].update(kernel=False), "is no int"),
    "negative": (lambda d: d["buffers"][0].update(offset=-4), "out of range"),
    "huge": (lambda d: d["buffers"][0].update(offset=2**70), "out of range"),
    "unknown dtype": (lambda d: d["buffers"][0].update(dtype="f8"), "'f8', which is no DType"),
    "grid of two": (lambda d: d["launches"][0].update(grid=[1, 1]), "has 2 entries, not 3"),
    "empty grid": (lambda d: d["launches"][0].update(grid=[0, 1, 1]), "empty grid"),
    "huge grid": (lambda d: d["launches"][0].update(grid=[2, 1 << 30, 1]), "more workgroups"),
    "no such kernel": (lambda d: d["launches"][0].update(kernel=2), "names no kernel"),
    "no such buffer": (
        lambda d: d["launches"][0]["arguments"][0].update(buffer=4),
        "names no buffer",
    ),
    "argument past the end": (
        lambda d: d["launches"][0]["arguments"][0].update(offset=30),
        "past the end of buffer x",
    ),
    "outside its region": (lambda d: d["buffers"][1].update(offset=509), "leaves its region"),
    "region not there": (lambda d: d["region_bytes"].pop(), "leaves its region"),
    "size against shape": (lambda d: d["buffers"][0].update(shape=[3, 4]), "as its shape says"),
    "one name twice": (lambda d: d["buffers"][1].update(name="x", kind="input"), "one name"),
    "too many threads": (
        lambda d: d["kernels"][0].update(block=[1024, 2, 1]),
        "2048 threads a workgroup",
    ),
    "nobody to meet": (lambda d: d["kernels"][1]["meeting"].update(steps=1), "nothing for its"),
    "too few to meet": (lambda d: d["launches"][1].update(grid=[5, 1, 1]), "too few workgroups"),
    "no counters": (lambda d: d["launches"][1]["arguments"].pop(), "no workspace of 192 bytes"),
    "counters first": (lambda d: d["launches"][1]["arguments"].reverse(), "no workspace"),
    "no arguments": (lambda d: d["launches"][1]["arguments"].clear(), "lacks a workspace"),
    "small workspace": (
        lambda d: d["kernels"][1]["meeting"].update(workspace_bytes=196),
        "no workspace of 196 bytes",
    ),
    "few counters": (
        lambda d: (
            d["kernels"][1]["meeting"].update(counters=3),
            d["launches"][1].update(grid=[9, 1, 1]),
        ),
        "no counters of 12 bytes",
    ),
    "counters in the arena": (
        lambda d: d["buffers"][3].update(region="arena"),
        "no counters of 8 bytes",
    ),
    "counters that stay as they are": (
        lambda d: d["launches"][1]["arguments"][3].update(writes=False),
        "no counters of 8 bytes",
    ),
    "list for object": (lambda d: d.update(buffers=[[]]), r"plan.buffers\[0\] doesn't have"),
    "object for list": (lambda d: d.update(buffers={}), "plan.buffers is no list"),
} | {
    f"path {path!r}": (
        lambda d, path=path: d["kernels"][0].update(code_object=path),
        "leaves the folder",
    )
    for path in ("/etc/passwd", "../k.co", "a/../../k.co", "", "C:k.co", "..\\k.co", "k\0.co")
}


@pytest.mark.parametrize("name", CHANGES)
def test_a_wrong_plan_is_refused(name: str) -> None:
    change, message = CHANGES[name]
    with pytest.raises(PlanError, match=message) as caught:
        from_json(changed(change), "out/plan.json")
    assert "out/plan.json" in caught.value.render()
    assert "lumc compile" in caught.value.render()


def test_every_truncation_is_refused() -> None:
    text = to_json(PLAN).rstrip()
    for size in range(len(text)):
        with pytest.raises(PlanError):
            from_json(text[:size])


@pytest.mark.parametrize("text", ["", "[]", "null", "3", '"x"', "[" * 100_000, "\x00"])
def test_texts_that_are_no_plan(text: str) -> None:
    with pytest.raises(PlanError):
        from_json(text)


def plan_or_error(text: str) -> LaunchPlan | PlanError:
    try:
        return from_json(text)
    except PlanError as error:
        return error


@given(st.data())
def test_a_text_damaged_anywhere_is_refused_or_whole(data: st.DataObject) -> None:
    """A changed character gives a plan that is still sound, or one clear error."""
    text = to_json(PLAN)
    place = data.draw(st.integers(0, len(text) - 1))
    sign = data.draw(st.sampled_from('0123456789-.eE"[]{},:truefalsn \\'))
    damaged = text[:place] + sign + text[place + 1 :]
    match plan_or_error(damaged):
        case PlanError() as error:
            assert error.render().startswith("error[P001]: plan.json: ")
        case plan:
            assert from_json(to_json(plan)) == plan


VALUES = st.one_of(
    st.none(),
    st.booleans(),
    st.integers(),
    st.text(max_size=3),
    st.lists(st.integers(), max_size=3),
)


@given(st.data())
def test_any_value_anywhere_is_refused_or_sound(data: st.DataObject) -> None:
    document = json.loads(to_json(PLAN))
    node: Any = document
    parent: Any = document
    key: Any = "stage"
    while isinstance(node, dict | list) and node:
        parent = node
        key = data.draw(st.sampled_from(list(node) if isinstance(node, dict) else range(len(node))))
        node = node[key]
        if data.draw(st.integers(0, 3)) == 0:
            break
    parent[key] = data.draw(VALUES)
    plan = plan_or_error(json.dumps(document))
    assert isinstance(plan, PlanError) or from_json(to_json(plan)) == plan
