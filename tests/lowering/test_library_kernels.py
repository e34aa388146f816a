"""Which kernels a vendor's library does, how it sees them, and when it is chosen."""

from dataclasses import replace

import numpy as np
import pytest

from lumc.dsl import elaborate, load_text
from lumc.dsl.dtypes import DType
from lumc.dsl.index_expression import axis, constant, floor_divide
from lumc.dsl.tensor_program import ElementwiseOp
from lumc.lowering import lower
from lumc.lowering.chips import chip_for, with_library
from lumc.lowering.cost import predict, product_call
from lumc.lowering.kernel_program import (
    Accumulator,
    Activation,
    Apply,
    Body,
    Convert,
    Gemm,
    Instruction,
    KernelAxis,
    LibraryProduct,
    Literal,
    Load,
    Parameter,
    ParameterAccess,
    Store,
    Strided,
)
from lumc.lowering.kernel_reference import run_kernel
from lumc.lowering.kernel_verifier import verify_kernel
from lumc.lowering.library_kernels import library_product
from lumc.lowering.made_operands import with_made_parameters
from lumc.lowering.select_tiles import with_tile
from tests.strategies.kernels import random_arrays

BF16 = DType.BF16
ROWS, COLUMNS, INNER = KernelAxis("r", 24), KernelAxis("c", 40), KernelAxis("i", 16)


def dense(name: str, *shape: int, dtype: DType = BF16, writes: bool = False) -> Parameter:
    strides = tuple(int(np.prod(shape[n + 1 :])) for n in range(len(shape)))
    access = ParameterAccess.WRITE if writes else ParameterAccess.READ
    return Parameter(name, dtype, shape, strides, access)


def product(
    epilogue: tuple[Instruction, ...] = (Accumulator(0),), output: DType = BF16, value: int = 0
) -> Gemm:
    parameters = (
        dense("x", 24, 16),
        dense("w", 40, 16),
        dense("z", 24, 40),
        dense("y", 24, 40, dtype=output, writes=True),
    )
    return Gemm(
        "linear",
        parameters,
        (),
        (ROWS,),
        (COLUMNS,),
        (INNER,),
        Body((ROWS, INNER), (Load(0, (axis(0), axis(1))),)),
        (Body((COLUMNS, INNER), (Load(1, (axis(0), axis(1))),)),),
        BF16,
        Body((ROWS, COLUMNS), epilogue),
        (Store(3, (axis(0), axis(1)), value),),
    )


def run_product(call: LibraryProduct, arrays: list[np.ndarray]) -> np.ndarray:
    """What a library makes of the call, as it is documented."""
    _, rows, columns, inner = call.sizes

    def matrix(side: Strided, shape: tuple[int, int]) -> np.ndarray:
        flat = arrays[side.parameter].astype(np.float32)
        places = side.offset + sum(
            np.arange(size).reshape([-1 if n == m else 1 for m in range(2)]) * side.strides[n + 1]
            for n, size in enumerate(shape)
        )
        return flat[places]

    made: np.ndarray = matrix(call.left, (rows, inner)) @ matrix(call.right, (columns, inner)).T
    if call.gate is not None:
        made = made * matrix(call.gate, (rows, columns))
    return made if call.addend is None else made + matrix(call.addend, (rows, columns))


LOAD_Z = Load(2, (axis(0), axis(1)))
ADD = Apply(ElementwiseOp.ADD, (0, 1))
GATE, MULTIPLY = Load(4, (axis(1),)), Apply(ElementwiseOp.MULTIPLY, (0, 1))

GATED_AND_ADDED = (GATE, Accumulator(0), MULTIPLY, LOAD_Z, Apply(ElementwiseOp.ADD, (3, 2)))


def with_gate(
    epilogue: tuple[Instruction, ...], value: int, dtype: DType = DType.F32, *shape: int
) -> Gemm:
    kernel = product(epilogue, value=value)
    gate = dense("g", *(shape or (40,)), dtype=dtype)
    return replace(kernel, parameters=(*kernel.parameters, gate))


@pytest.mark.parametrize(
    "kernel",
    [
        product(),
        product(output=DType.F32),
        product((Accumulator(0), Convert(0, BF16)), value=1),
        product((Accumulator(0), LOAD_Z, ADD), value=2),
        product((LOAD_Z, Accumulator(0), ADD), value=2),
        product((Load(2, (constant(3), axis(1))), Accumulator(0), ADD), value=2),
        with_gate((Accumulator(0), GATE, MULTIPLY), value=2),
        with_gate(GATED_AND_ADDED, 4),
    ],
    ids=["plain", "f32", "rounded", "sum and addend", "addend and sum", "bias", "gate", "both"],
)
def test_the_call_means_what_the_kernel_means(kernel: Gemm) -> None:
    call = library_product(kernel)
    assert call is not None
    arrays = random_arrays(kernel, 3)
    wanted = run_product(call, arrays)
    run_kernel(kernel, arrays)
    found = arrays[3].reshape(24, 40).astype(np.float32)
    np.testing.assert_allclose(found, wanted, rtol=1e-2, atol=1e-2)


SCALED = (Accumulator(0), Literal(2.0, DType.F32), Apply(ElementwiseOp.MULTIPLY, (0, 1)))


@pytest.mark.parametrize(
    ("kernel", "why"),
    [
        (product(SCALED, value=2), "the sum is scaled"),
        (product((Accumulator(0), LOAD_Z, ADD), DType.F32, 2), "the addend has another type"),
        (replace(product(), operand_dtype=DType.F32), "operands are converted"),
        (product((Accumulator(0), Convert(0, DType.F16)), value=1), "it rounds to another type"),
        (
            replace(product(), stores=(*product().stores, Store(3, (axis(0), axis(1)), 0))),
            "it stores twice",
        ),
        (
            replace(
                product(),
                left=Body((ROWS, INNER), (Load(0, (floor_divide(axis(0), 2, (24,)), axis(1))),)),
            ),
            "rows repeat",
        ),
        (
            replace(product(), parameters=(dense("x", 24, 20), *product().parameters[1:])),
            "rows begin at 8 bytes",
        ),
    ],
    ids=lambda value: value if isinstance(value, str) else "",
)
def test_what_is_more_than_a_product_is_left_alone(kernel: Gemm, why: str) -> None:
    assert library_product(kernel) is None, why


def large() -> Gemm:
    rows, columns, inner = KernelAxis("r", 2560), KernelAxis("c", 4096), KernelAxis("i", 4096)
    return replace(
        product(),
        parameters=(
            dense("x", 2560, 4096),
            dense("w", 4096, 4096),
            dense("z", 1),
            dense("y", 2560, 4096, writes=True),
        ),
        rows=(rows,),
        columns=(columns,),
        inner=(inner,),
        left=Body((rows, inner), product().left.instructions),
        right=(Body((columns, inner), product().right[0].instructions),),
        epilogue=Body((rows, columns), (Accumulator(0),)),
    )


def test_the_library_is_chosen_where_it_is_faster_and_allowed() -> None:
    chip = chip_for("sm_90")
    plain, called = with_tile(large(), chip), with_tile(large(), with_library(chip))
    assert isinstance(plain, Gemm)
    assert isinstance(called, Gemm)
    assert plain.tile is not None
    assert plain.library is None
    assert called.tile is None
    assert called.library == library_product(large())
    assert predict(large(), with_library(chip)).seconds < predict(large(), chip).seconds
    assert with_tile(called, with_library(chip)) is called


def test_chips_without_a_known_library_have_none() -> None:
    assert with_library(chip_for("gfx1100")) == chip_for("gfx1100")


def activated(name: str, result: str = "{}") -> Gemm:
    """The product that a spec's linear layer with bias and an activation are lowered to.

    ``result`` is what is made of the activation at last.
    """
    text = f"""use nn
stage s(x: bf16[512, 256], W: bf16[256, 256], b: bf16[256]) -> y: bf16[512, 256]:
    h[t] = affine(x[t], W, b)
    y[t, o] = {result.format(f"{name}(h[t, o])")}
"""
    program = lower(elaborate(load_text("s", text), "s"), "sm_90").program
    (kernel,) = [kernel for kernel in program.kernels if isinstance(kernel, Gemm)]
    return replace(kernel, tile=None)


@pytest.mark.parametrize(
    ("name", "activation"), [("relu", Activation.RELU), ("gelu_tanh", Activation.GELU)]
)
def test_activations_are_recognised_however_they_are_written(
    name: str, activation: Activation
) -> None:
    kernel = activated(name)
    call = library_product(kernel)
    assert call is not None
    assert call.activation is activation
    assert call.addend is not None
    chosen = with_tile(kernel, with_library(chip_for("sm_90")))
    assert isinstance(chosen, Gemm)
    assert chosen.library == call


@pytest.mark.parametrize("name", ["gelu", "gelu_quick", "silu", "softplus", "tanh"])
def test_what_is_nearly_an_activation_is_none(name: str) -> None:
    assert library_product(activated(name)) is None


@pytest.mark.parametrize("name", ["relu", "gelu_tanh"])
@pytest.mark.parametrize(
    "result", ["min({}, 6)", "min({}, 100)", "min({}, 65504)", "{} + 0.000001", "max({}, 0.000001)"]
)
def test_an_activation_with_limits_is_none(name: str, result: str) -> None:
    """However far out the limit is, or however small what is added (so that it has a logarithm)."""
    assert library_product(activated(name, result)) is None


def test_libraries_that_have_no_activations() -> None:
    kernel, chip = activated("relu"), with_library(chip_for("gfx942"))
    assert chip.library is not None
    chosen = with_tile(kernel, chip)
    assert isinstance(chosen, Gemm)
    assert chosen.library is None


def test_a_gate_of_the_operands_type_is_made_in_f32() -> None:
    kernel = with_gate(GATED_AND_ADDED, 4, BF16)
    call = library_product(kernel)
    assert call is not None
    assert call.gate == Strided(5, 0, (0, 0, 1))
    (made,) = call.made
    assert made.sources == (4,)
    assert made.kernel.parameters[-1].dtype is DType.F32
    called = with_made_parameters(replace(kernel, library=call))
    verify_kernel(called)
    arrays = random_arrays(kernel, 3)
    gate = np.full(40, np.nan, np.float32)
    run_kernel(made.kernel, [arrays[4], gate])
    wanted = run_product(call, [*arrays, gate])
    run_kernel(kernel, arrays)
    found = arrays[3].reshape(24, 40).astype(np.float32)
    np.testing.assert_allclose(found, wanted, rtol=1e-2, atol=1e-2)


ROW_GATE = Load(4, (axis(0),))
TWO_ADDED = (
    *(Accumulator(0), GATE, MULTIPLY, Load(2, (constant(3), axis(1)))),
    Apply(ElementwiseOp.ADD, (2, 3)),
)


ACTIVATED = (
    *(Accumulator(0), GATE, MULTIPLY, Literal(0.0, DType.F32)),
    Apply(ElementwiseOp.MAXIMUM, (2, 3)),
)


@pytest.mark.parametrize(
    "kernel",
    [
        with_gate((Accumulator(0), ROW_GATE, MULTIPLY), 2, DType.F32, 24),
        with_gate((Accumulator(0), LOAD_Z, MULTIPLY), 2),
        with_gate(TWO_ADDED, 4),
        with_gate(ACTIVATED, 4),
    ],
    ids=["a number a row", "another number at each point", "a bias too", "an activation too"],
)
def test_gates_that_no_library_has(kernel: Gemm) -> None:
    assert library_product(kernel) is None


@pytest.mark.parametrize("target", ["gfx942", "sm_90"])
def test_only_some_libraries_have_gates(target: str) -> None:
    kernel = with_gate((Accumulator(0), GATE, MULTIPLY), 2)
    assert library_product(kernel) is not None
    call = product_call(kernel, with_library(chip_for(target)))
    assert (call is not None) == (target == "gfx942")
