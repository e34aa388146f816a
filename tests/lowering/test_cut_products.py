"""Products whose columns are used in unlike ways, as two products or as one."""

from __future__ import annotations

import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.tensor_program import Reduce, TensorProgram
from lumc.lowering import lower
from lumc.lowering.cut_products import cut_products
from lumc.lowering.kernel_program import Gemm, Pointwise
from tests.lowering.checking import check_random


def program(text: str) -> TensorProgram:
    return elaborate(load_text("text", f"use nn\n{text}"), "s")


def products(found: TensorProgram) -> list[tuple[int, ...]]:
    """The spaces of the reductions over ``k``, the depth of the projection."""
    return [n.space for n in found.nodes if isinstance(n, Reduce) and n.reduced == (24,)]


MIXED = """
param tokens = 10
stage s(x: bf16[tokens, 24], g: bf16[8]) -> y: bf16[tokens, 24]:
    weight W: bf16[40, 24] = "W"
    index t: tokens, f: 16
    z[t] = linear(x[t], W)
    y[t, i: 8]        = rms_norm(chunk(z[t], 0, 8), g, 1e-6)[i]
    y[t, 8 + f] as x  = silu(z[t, 8 + f]) * z[t, 24 + f]
"""


def test_a_gated_half_is_a_product_of_its_own() -> None:
    found = cut_products(program(MIXED))
    assert found is not None
    assert products(found.program) == [(10, 8), (10, 32)]
    # Every node is told about as one that it is a part of.
    original = program(MIXED)
    for node, origin in zip(found.program.nodes, found.origins, strict=True):
        assert type(node) is type(original.nodes[origin])


def test_both_ways_mean_the_same() -> None:
    check_random(program(MIXED), range(4))


@pytest.mark.parametrize("tokens", [4864, 16384])
def test_the_activation_ends_the_product(tokens: int) -> None:
    """No kernel of its own is left for the activation, and nobody stores what it is made from.

    Whether what else is read from the projection is a product beside it is a matter of rounds.
    """
    text = WIDE.replace("tokens = 2560", f"tokens = {tokens}")
    kernels = lower(program(text), "gfx942").program
    launched = [kernels.kernels[launch.kernel] for launch in kernels.launches]
    assert not [kernel for kernel in launched if isinstance(kernel, Pointwise)]
    products = [kernel for kernel in launched if isinstance(kernel, Gemm)]
    assert sum(len(product.right) for product in products) == 3
    assert len(launched) == len(products) + 1


WIDE = """
param tokens = 2560
stage s(x: bf16[tokens, 4096], g: bf16[128]) -> y: bf16[tokens, 24576]:
    weight W: bf16[36864, 4096] = "W"
    index t: tokens, f: 12288, h: 96
    z[t] = linear(x[t], W)
    y[t, h*128 + i]      = rms_norm(chunk(z[t], h, 128), g, 1e-6)[i]
    y[t, 12288 + f] as x = silu(z[t, 12288 + f]) * z[t, 24576 + f]
"""


@pytest.mark.parametrize(
    "uses",
    [
        pytest.param(
            """
    y[t, i: 8] = rms_norm(chunk(z[t], 0, 8), g, 1e-6)[i]
    y[t, 8 + i] = rms_norm(chunk(z[t], 1, 8), g, 1e-6)[i]
""",
            id="norms alone",
        ),
        pytest.param("    y[t, f: 16] as x = silu(z[t, 0 + f]) * z[t, 16 + f]", id="a gate alone"),
        pytest.param(
            """
    n[t, j: 32] = rms_norm(z[t], h, 1e-6)[j]
    y[t, f: 16] as x = silu(z[t, 0 + f]) * n[t, 16 + f]
""",
            id="columns that are used in both ways",
        ),
    ],
)
def test_alike_uses_stay_together(uses: str) -> None:
    found = program(f"""
stage s(x: bf16[10, 24], g: bf16[8], h: bf16[32]) -> y: bf16[10, 16]:
    weight W: bf16[32, 24] = "W"
    index t: 10
    z[t] = linear(x[t], W)
{uses}""")
    assert cut_products(found) is None


def test_a_norm_of_an_activation_needs_the_activation_in_memory() -> None:
    """What a reduction reads as it is computed is no end of a product."""
    found = program("""
stage s(x: bf16[10, 24], g: bf16[8], h: bf16[16]) -> y: bf16[10, 24]:
    weight W: bf16[40, 24] = "W"
    index t: 10, f: 16
    z[t] = linear(x[t], W)
    y[t, i: 8]  = rms_norm(chunk(z[t], 0, 8), g, 1e-6)[i]
    a[t, f]     = silu(z[t, 8 + f]) * z[t, 24 + f]
    y[t, 8 + f] = rms_norm(a[t], h, 1e-6)[f]
""")
    assert cut_products(found) is None
