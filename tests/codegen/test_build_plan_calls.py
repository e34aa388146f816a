"""Library calls in launch plans: written, read back, and checked."""

import json
from dataclasses import replace

import pytest

from lumc.codegen.launch_plan import (
    LaunchPlan,
    PlanArgument,
    PlanAttention,
    PlanBuffer,
    PlanBufferKind,
    PlanCall,
    PlanConvolution,
    PlanLaunch,
    PlanProduct,
    PlanStrided,
    Region,
)
from lumc.codegen.plan_json import PlanError, from_json, to_json
from lumc.dsl.dtypes import DType
from lumc.lowering.kernel_program import Activation

BF16 = DType.BF16


def strided(argument: int, *strides: int, offset: int = 0) -> PlanStrided:
    return PlanStrided(argument, offset, strides, BF16)


PRODUCT = PlanProduct(
    "product",
    "gemm",
    (1, 8, 16, 32),
    strided(0, 0, 32, 1),
    strided(1, 0, 32, 1),
    strided(2, 0, 16, 1),
    strided(3, 0, 0, 1),
    Activation.NONE,
)
ATTENTION = PlanAttention(
    "attention",
    "attention",
    (2, 8, 4, 8, 8),
    strided(0, 8, 32, 1),
    strided(1, 32, 8, 1),
    strided(1, 32, 8, 1, offset=64),
    strided(2, 8, 16, 1),
    0.25,
    2,
    strided(3, 0, 4, 1),
    False,
)
CONVOLUTION = PlanConvolution(
    "convolution",
    "conv",
    (1, 8, 4, 6, 16, 4, 3, 3, 3),
    strided(0, 0, 1, 48, 8),
    strided(1, 72, 1, 24, 8),
    strided(2, 0, 1, 48, 16),
    strided(3, 1),
    strided(2, 0, 1, 48, 16),
    (1, 2),
    (1, 1),
    (1, 1),
    (1, 0),
)


def plan(call: PlanCall, sizes: tuple[int, ...]) -> LaunchPlan:
    buffers = tuple(
        PlanBuffer(f"b{n}", PlanBufferKind.INTERMEDIATE, BF16, (size,), Region.ARENA, 0, 2 * size)
        for n, size in enumerate(sizes)
    )
    arguments = tuple(PlanArgument(n, 0, n == 2) for n in range(len(sizes)))
    launch = PlanLaunch(0, (1, 1, 1), arguments, "call")
    regions = ((Region.ARENA, 1 << 16),)
    return LaunchPlan("s", "sm_90", (), buffers, (call,), (), (launch,), regions, None)


PRODUCT_SIZES = (256, 512, 128, 16)
ATTENTION_SIZES = (240, 96, 128, 32)
CONVOLUTION_SIZES = (192, 1152, 192, 16)


@pytest.mark.parametrize(
    ("call", "sizes"),
    [
        (PRODUCT, PRODUCT_SIZES),
        (replace(PRODUCT, addend=None), PRODUCT_SIZES[:3]),
        (replace(PRODUCT, activation=Activation.GELU), PRODUCT_SIZES),
        (ATTENTION, ATTENTION_SIZES),
        (replace(ATTENTION, bias=None, causal=True), ATTENTION_SIZES[:3]),
        (CONVOLUTION, CONVOLUTION_SIZES),
        (replace(CONVOLUTION, bias=None, addend=None), CONVOLUTION_SIZES[:3]),
    ],
)
def test_calls_come_back(call: PlanCall, sizes: tuple[int, ...]) -> None:
    written = plan(call, sizes)
    assert from_json(to_json(written)) == written


CALLS: dict[str, tuple[PlanCall, tuple[int, ...]]] = {
    "product": (PRODUCT, PRODUCT_SIZES),
    "attention": (ATTENTION, ATTENTION_SIZES),
    "convolution": (CONVOLUTION, CONVOLUTION_SIZES),
}


@pytest.mark.parametrize("name", CALLS)
@pytest.mark.parametrize("shortened", range(4))
def test_every_operand_lies_in_its_buffer(name: str, shortened: int) -> None:
    call, whole = CALLS[name]
    sizes = list(whole)
    sizes[shortened] -= 1
    with pytest.raises(PlanError, match=f"goes past buffer b{shortened}"):
        from_json(to_json(plan(call, tuple(sizes))))


def test_an_operand_without_argument() -> None:
    with pytest.raises(PlanError, match="lacks an argument of product"):
        from_json(to_json(plan(PRODUCT, PRODUCT_SIZES[:3])))


GATE = PlanStrided(4, 0, (0, 0, 1), DType.F32)
GATE_SIZES = (*PRODUCT_SIZES, 32)  # 16 of f32


def test_a_gate_comes_back() -> None:
    written = plan(replace(PRODUCT, gate=GATE), GATE_SIZES)
    assert from_json(to_json(written)) == written


@pytest.mark.parametrize("gate", [replace(GATE, dtype=BF16), replace(GATE, strides=(0, 16, 1))])
def test_a_gate_is_a_vector_of_f32_over_columns(gate: PlanStrided) -> None:
    """Its address alone goes to the library."""
    with pytest.raises(PlanError, match="no vector of f32"):
        from_json(to_json(plan(replace(PRODUCT, gate=gate), GATE_SIZES)))


@pytest.mark.parametrize(
    ("change", "words"),
    [
        ({"sizes": [1, 8, 16]}, "has 3 entries, not 4"),
        ({"sizes": [1, 0, 16, 32]}, "has a size of 0"),
        ({"left": None}, "is no list|doesn't have exactly the fields"),
        ({"what": 1}, "doesn't have exactly the fields"),
    ],
)
def test_damaged_calls(change: dict[str, object], words: str) -> None:
    document = json.loads(to_json(plan(PRODUCT, PRODUCT_SIZES)))
    document["kernels"][0] |= change
    with pytest.raises(PlanError, match=words):
        from_json(json.dumps(document))


@pytest.mark.parametrize(
    ("call", "change", "words"),
    [
        ("attention", {"groups": 3}, "shares 2 heads by 3"),
        ("attention", {"groups": 0}, "shares 2 heads by 0"),
        ("convolution", {"before": [0, 1]}, "has a window that does not fit its picture"),
        ("convolution", {"steps": [1, 0]}, "has a step of 0"),
        (
            "convolution",
            {"bias": {"argument": 3, "offset": 0, "strides": [1, 1], "dtype": "bf16"}},
            "has an operand of other than 1 strides",
        ),
    ],
)
def test_calls_that_contradict_themselves(call: str, change: dict[str, object], words: str) -> None:
    document = json.loads(to_json(plan(*CALLS[call])))
    document["kernels"][0] |= change
    with pytest.raises(PlanError, match=words):
        from_json(json.dumps(document))
