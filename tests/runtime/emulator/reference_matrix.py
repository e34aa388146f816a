"""Matrix instructions, from the register layouts that the manuals give.

The layouts, for an M × N × K product in B blocks: element (i, k) of A in block b is element
k mod e of lane i + M (b + B floor(k / e)), with e elements a lane; B is laid out likewise with
j for i. Four consecutive rows of D share a lane (one row for f64), see `output_place`.
"""

import re
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_arithmetic import float8_dtype
from tests.runtime.emulator.reference_state import (
    Array,
    FloatResult,
    Meaning,
    State,
    constant_bits,
    read_words,
)

NAME = re.compile(
    r"v_mfma_(?P<out>f32|i32|f64)_(?P<m>\d+)x(?P<n>\d+)x(?P<k>\d+)_?(?:(?P<blocks>\d+)b_)?"
    r"(?P<types>bf16_1k|bf16|f16|f32|xf32|f64|i8|(?:fp8|bf8)_(?:fp8|bf8))"
)
ELEMENT_BYTES = {"f64": 8, "f32": 4, "xf32": 4, "f16": 2, "bf16": 2, "i8": 1, "fp8": 1, "bf8": 1}


@dataclass(frozen=True, slots=True)
class Product:
    rows: int
    columns: int
    depth: int
    result: str
    left: str
    right: str

    def blocks(self, destination: Operand) -> int:
        words = 2 if self.result == "f64" else 1
        return destination.count // words * 64 // (self.rows * self.columns)


def parse_product(base: str) -> Product | None:
    match = NAME.fullmatch(base)
    if match is None:
        return None
    types = match["types"].replace("_1k", "")
    left, _, right = types.partition("_")
    return Product(
        int(match["m"]), int(match["n"]), int(match["k"]), match["out"], left, right or left
    )


def element_dtype(type_name: str, target: str) -> np.dtype[Any]:
    if type_name in ("fp8", "bf8"):
        return float8_dtype(type_name, target)
    names = {"bf16": ml_dtypes.bfloat16, "i8": np.int8, "f16": np.float16, "f64": np.float64}
    result: np.dtype[Any] = np.dtype(names.get(type_name, np.float32))
    return result


def read_elements(state: State, operand: Operand, type_name: str) -> Array:
    """The elements of each lane, [waves, lanes, elements]."""
    words = np.stack(read_words(state, operand, operand.count), axis=2)
    dtype = element_dtype(type_name, state.target)
    return np.ascontiguousarray(words.astype("<u4")).view(np.uint8).view(dtype)


def input_matrix(elements: Array, extent: int, depth: int, blocks: int) -> Array:
    """[waves, blocks, extent, depth] from the elements of each lane."""
    per_lane = elements.shape[2]
    matrix = np.zeros((elements.shape[0], blocks, extent, depth), elements.dtype)
    for block in range(blocks):
        for index in range(extent):
            for k in range(depth):
                lane = index + extent * (block + blocks * (k // per_lane))
                matrix[:, block, index, k] = elements[:, lane, k % per_lane]
    return matrix


def output_place(product: Product, block: int, row: int, column: int) -> tuple[int, int]:
    """(lane, element) that holds D[row, column] of a block."""
    rows, columns = product.rows, product.columns
    if product.result == "f64":
        if rows == 16:
            return column + 16 * (row % 4), row // 4
        return column + 4 * row + 16 * block, 0
    if rows == 4:
        return column + 4 * block, row
    groups = 64 // columns  # lanes that hold one column, four rows each in turn
    lane = column + columns * (row // 4 % groups)
    element = row % 4 + 4 * (row // (4 * groups))
    return lane, element + block * (rows * columns // 64)


def accumulators(state: State, operand: Operand, product: Product, count: int) -> Array:
    dtype = {"f32": np.float32, "i32": np.int32, "f64": np.float64}[product.result]
    if operand.kind == "constant":
        bits = constant_bits(operand.text, product.result)
        wide = np.uint64 if product.result == "f64" else np.uint32
        value = np.array(bits, wide).view(dtype)
        return np.full((state.waves, 64, count), value, dtype)
    words = np.stack(read_words(state, operand, operand.count), axis=2)
    return np.ascontiguousarray(words.astype("<u4")).view(dtype)


def multiply(state: State, instruction: Instruction) -> None:
    """D = A × B + C for every lane, whatever EXEC says."""
    product = parse_product(instruction.base)
    assert product is not None
    assert not any(instruction.number(x) for x in ("cbsz", "abid", "blgp")), "not modelled"
    destination, a, b, c = instruction.operands
    blocks = product.blocks(destination)
    left = input_matrix(read_elements(state, a, product.left), product.rows, product.depth, blocks)
    right = input_matrix(
        read_elements(state, b, product.right), product.columns, product.depth, blocks
    )
    per_lane = product.rows * product.columns * blocks // 64
    start = accumulators(state, c, product, per_lane)
    wide = np.int64 if product.result == "i32" else np.float64
    left, right = left.astype(wide), right.astype(wide)
    sums = np.einsum("wbik,wbjk->wbij", left, right)
    bounds = np.einsum("wbik,wbjk->wbij", np.abs(left), np.abs(right)).astype(np.float64)
    result = start.astype(wide)
    slack = np.abs(start).astype(np.float64)
    for block in range(blocks):
        for row in range(product.rows):
            for column in range(product.columns):
                lane, element = output_place(product, block, row, column)
                result[:, lane, element] += sums[:, block, row, column]
                slack[:, lane, element] += bounds[:, block, row, column]
    write_accumulators(state, destination, product, result.astype(start.dtype), slack)


def write_accumulators(
    state: State, destination: Operand, product: Product, values: Array, slack: Array
) -> None:
    everywhere = np.ones((state.waves, 64), np.bool_)
    words = np.ascontiguousarray(values).view(np.uint32)
    for k in range(words.shape[2]):
        state.write_vector(destination.kind, destination.index + k, words[:, :, k], everywhere)
    if product.result == "i32":
        return
    epsilon = max(product.depth, 4) * (2.0**-24 if product.result == "f32" else 2.0**-53)
    size = 2 if product.result == "f64" else 1
    for k in range(values.shape[2]):
        register = (destination.kind, destination.index + size * k)
        tolerance = slack[:, :, k] * epsilon
        state.floats.append(FloatResult(register, product.result, tolerance=tolerance))


def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
    """Even waves get small integers (exact sums), odd ones normal values."""
    product = parse_product(instruction.base)
    assert product is not None
    for operand, type_name in zip(
        instruction.operands[1:],
        (product.left, product.right, product.result),
        strict=True,
    ):
        if operand.is_register:
            fill_operand(state, operand, type_name, rng)


def fill_operand(state: State, operand: Operand, type_name: str, rng: np.random.Generator) -> None:
    dtype = np.dtype(np.int32) if type_name == "i32" else element_dtype(type_name, state.target)
    count = operand.count * 4 // dtype.itemsize
    shape = (state.waves, 64, count)
    whole = rng.integers(-7, 8, shape)
    spread = rng.integers(-128, 128, shape) if dtype.kind == "i" else rng.standard_normal(shape)
    even = np.arange(state.waves)[:, None, None] % 2 == 0
    values = np.ascontiguousarray(np.where(even, whole, spread).astype(dtype))
    words = values.view(np.uint8).view(np.uint32)
    for k in range(operand.count):
        state.registers[operand.kind, operand.index + k] = words[:, :, k].copy()


def matrix_meaning(base: str) -> Meaning | None:
    if parse_product(base) is None:
        return None
    return Meaning(multiply, ("", "b32", "b32", "b32"), prepare)


# WMMA of gfx11: 16 x 16 x 16 over 32 lanes. Lane l holds row l mod 16 of A and column l mod 16 of
# B; register r of C and D holds row 2 r + floor(l / 16), column l mod 16.

WAVE_NAME = re.compile(r"v_wmma_(f32|f16|bf16|i32)_16x16x16_(f16|bf16|iu8|iu4)")


def wave_elements(state: State, operand: Operand, kind: str, signed: bool) -> Array:
    """[waves, 16 rows or columns, 16 of depth] as f64, from the first 16 lanes."""
    words = np.stack(read_words(state, operand, operand.count), axis=2).astype("<u4")[:, :16]
    octets = np.ascontiguousarray(words).view(np.uint8)
    if kind == "iu4":
        octets = np.stack([octets & 15, octets >> 4], axis=3).reshape(*octets.shape[:2], -1)
        values = octets.astype(np.int64)
        return np.where(signed & (values > 7), values - 16, values).astype(np.float64)
    if kind == "iu8":
        return octets.view(np.int8 if signed else np.uint8).astype(np.float64)
    dtype = np.dtype(ml_dtypes.bfloat16) if kind == "bf16" else np.dtype(np.float16)
    return octets.view(dtype).astype(np.float64)


def wave_multiply(state: State, instruction: Instruction) -> None:
    match = WAVE_NAME.fullmatch(instruction.base)
    assert match is not None
    result, kind = match[1], match[2]
    destination, a, b, c = instruction.operands
    signs = instruction.bits("neg_lo") or (0, 0, 0)
    left = wave_elements(state, a, kind, bool(signs[0]))
    right = wave_elements(state, b, kind, bool(signs[1]))
    sums = np.einsum("wik,wjk->wij", left, right)
    bounds = np.einsum("wik,wjk->wij", np.abs(left), np.abs(right))
    upper = bool((instruction.bits("op_sel") or (0, 0, 0))[2])
    lane, everywhere = np.arange(32), np.ones((state.waves, 32), np.bool_)
    for r in range(8):
        row, column = 2 * r + lane // 16, lane % 16
        product, slack = sums[:, row, column], bounds[:, row, column]
        start = wave_addend(state, c, r, result, upper)
        total = start + product
        register = (destination.kind, destination.index + r)
        tolerance = (slack + np.abs(start)) * 2.0**-20
        if result == "i32":
            wrapped = (total.astype(np.int64) & 0xFFFFFFFF).astype(np.uint32)
            if instruction.has("clamp"):
                limited = np.clip(total, -(2.0**31), 2.0**31 - 1)
                wrapped = limited.astype(np.int64).astype(np.int32).view(np.uint32)
            state.write_vector(*register, wrapped, everywhere)
            continue
        if result == "f32":
            bits = total.astype(np.float32).view(np.uint32)
            state.floats.append(FloatResult(register, "f32", tolerance=tolerance))
        else:
            dtype = np.dtype(ml_dtypes.bfloat16) if result == "bf16" else np.dtype(np.float16)
            half = total.astype(dtype).view(np.uint16).astype(np.uint32)
            old = state.vector(*register)
            high, low = old & np.uint32(0xFFFF0000), old & np.uint32(0xFFFF)
            bits = low | half << np.uint32(16) if upper else high | half
            rounding = 2.0**-7 if result == "bf16" else 2.0**-10
            tolerance = tolerance + np.abs(total) * rounding
            state.floats.append(FloatResult(register, result, 0, upper, tolerance=tolerance))
        state.write_vector(*register, bits, everywhere)


def wave_addend(state: State, operand: Operand, r: int, result: str, upper: bool) -> Array:
    if operand.kind == "constant":
        bits = np.full((state.waves, 32), constant_bits(operand.text, "f32"), np.uint32)
    else:
        bits = np.ascontiguousarray(state.vector(operand.kind, operand.index + r))
    if result in ("f32", "i32"):
        return bits.view(np.float32 if result == "f32" else np.int32).astype(np.float64)
    half = (bits >> np.uint32(16 if upper else 0)).astype(np.uint16)
    dtype = np.dtype(ml_dtypes.bfloat16) if result == "bf16" else np.dtype(np.float16)
    return half.view(dtype).astype(np.float64)


def prepare_wave(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
    """Ordinary numbers; both halves of the wave hold the same rows and columns."""
    match = WAVE_NAME.fullmatch(instruction.base)
    assert match is not None
    for operand, kind in zip(instruction.operands[1:], (match[2], match[2], match[1]), strict=True):
        if not operand.is_register:
            continue
        for k in range(operand.count):
            words = wave_words(rng, kind, state.waves)
            if operand is not instruction.operands[3]:
                words[:, 16:] = words[:, :16]
            state.registers[operand.kind, operand.index + k] = words


def wave_words(rng: np.random.Generator, kind: str, waves: int) -> Array:
    if kind in ("iu8", "iu4", "i32"):
        return rng.integers(0, 2**32, (waves, 32)).astype(np.uint32)
    if kind == "f32":
        return rng.standard_normal((waves, 32)).astype(np.float32).view(np.uint32)
    dtype = np.dtype(ml_dtypes.bfloat16) if kind == "bf16" else np.dtype(np.float16)
    return rng.standard_normal((waves, 32, 2)).astype(dtype).view(np.uint32)[..., 0]


def wave_matrix_meaning(base: str) -> Meaning | None:
    if WAVE_NAME.fullmatch(base) is None:
        return None
    return Meaning(wave_multiply, ("b32", "b32", "b32", "b32"), prepare_wave)
