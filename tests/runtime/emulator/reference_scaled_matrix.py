"""The matrix instructions of gfx950 whose operands have 8, 6 or 4 bits and may have block scales.

Elements of 6 and 4 bits: 32 consecutive k in a lane, lane l holding row l mod M and the block
of k number floor(l / M). Elements of 8 bits come as two runs of 16 in a lane, half of K apart.
"""

import re
from dataclasses import dataclass
from typing import Any

import ml_dtypes
import numpy as np

from tests.runtime.emulator.instruction_text import Instruction, Operand
from tests.runtime.emulator.reference_matrix import (
    Product,
    accumulators,
    output_place,
    write_accumulators,
)
from tests.runtime.emulator.reference_state import Array, Meaning, State, read_words

NAME = re.compile(r"v_mfma_(?P<scale>scale_)?f32_(?P<m>\d+)x\d+x(?P<k>\d+)_f8f6f4")
PER_LANE = 32


@dataclass(frozen=True, slots=True)
class Format:
    bits: int
    dtype: np.dtype[Any]


FORMATS = (
    Format(8, np.dtype(ml_dtypes.float8_e4m3fn)),
    Format(8, np.dtype(ml_dtypes.float8_e5m2)),
    Format(6, np.dtype(ml_dtypes.float6_e2m3fn)),
    Format(6, np.dtype(ml_dtypes.float6_e3m2fn)),
    Format(4, np.dtype(ml_dtypes.float4_e2m1fn)),
)


def read_elements(state: State, operand: Operand, layout: Format) -> Array:
    """The 32 elements of each lane as f64 [waves, lanes, 32]."""
    words = np.stack(read_words(state, operand, layout.bits), axis=2).astype("<u4")
    octets = np.ascontiguousarray(words).view(np.uint8)
    bits = np.unpackbits(octets, axis=2, bitorder="little")
    split = bits.reshape(*bits.shape[:2], PER_LANE, layout.bits)
    codes = (split << np.arange(layout.bits, dtype=np.uint8)).sum(axis=3, dtype=np.uint8)
    values: Array = codes.view(layout.dtype).astype(np.float64)
    return values


def depth_of(layout: Format, group: int, item: int, groups: int) -> int:
    """The k of element `item` of the lanes in `group`."""
    if layout.bits < 8:
        return PER_LANE * group + item
    return 16 * group + item % 16 + 16 * groups * (item // 16)


def input_matrix(elements: Array, layout: Format, extent: int, depth: int) -> Array:
    """[waves, extent, depth]"""
    groups = 64 // extent
    matrix = np.zeros((elements.shape[0], extent, depth))
    for lane in range(64):
        for item in range(PER_LANE):
            k = depth_of(layout, lane // extent, item, groups)
            matrix[:, lane % extent, k] = elements[:, lane, item]
    return matrix


def scales(state: State, instruction: Instruction, position: int, extent: int) -> Array:
    """Powers of two [waves, extent, depth / 32]: a byte of the scale register of each lane."""
    low = instruction.bits("op_sel") or (0, 0, 0)
    high = instruction.bits("op_sel_hi") or (0, 0, 0)
    byte = low[position] + 2 * high[position]
    (word,) = read_words(state, instruction.operands[4 + position], 1)
    code = (word >> np.uint32(8 * byte) & np.uint32(0xFF)).astype(np.float64)
    factor = np.where(code == 255, np.nan, np.exp2(code - 127))
    return factor.reshape(state.waves, 64 // extent, extent).transpose(0, 2, 1)


def multiply(state: State, instruction: Instruction) -> None:
    match = NAME.fullmatch(instruction.base)
    assert match is not None
    extent, depth = int(match["m"]), int(match["k"])
    sides = []
    for position, selector in enumerate(("cbsz", "blgp")):
        layout = FORMATS[instruction.number(selector)]
        elements = read_elements(state, instruction.operands[1 + position], layout)
        matrix = input_matrix(elements, layout, extent, depth)
        if match["scale"]:
            matrix = matrix * np.repeat(scales(state, instruction, position, extent), 32, axis=2)
        sides.append(matrix)
    destination, addend = instruction.operands[0], instruction.operands[3]
    product = Product(extent, extent, depth, "f32", "fp8", "fp8")
    start = accumulators(state, addend, product, extent * extent // 64)
    result, slack = start.astype(np.float64), np.abs(start).astype(np.float64)
    sums = np.einsum("wik,wjk->wij", *sides)
    bounds = np.einsum("wik,wjk->wij", *map(np.abs, sides))
    for row in range(extent):
        for column in range(extent):
            lane, element = output_place(product, 0, row, column)
            result[:, lane, element] += sums[:, row, column]
            slack[:, lane, element] += bounds[:, row, column]
    write_accumulators(state, destination, product, result.astype(np.float32), slack)


def prepare(state: State, instruction: Instruction, rng: np.random.Generator) -> None:
    """Finite elements, scales near 1, moderate sums."""
    for position, selector in enumerate(("cbsz", "blgp")):
        operand, layout = instruction.operands[1 + position], FORMATS[instruction.number(selector)]
        shape = (state.waves, 64, PER_LANE)
        codes = rng.integers(0, 1 << layout.bits, shape).astype(np.uint8)
        values = codes.view(layout.dtype).astype(np.float64)
        codes = np.where(np.isfinite(values) & (np.abs(values) < 64), codes, 1).astype(np.uint8)
        bits = codes[..., None] >> np.arange(layout.bits, dtype=np.uint8) & np.uint8(1)
        packed = np.packbits(bits.reshape(*shape[:2], -1), axis=2, bitorder="little")
        words = packed.view(np.uint32)
        for k in range(layout.bits):
            state.registers[operand.kind, operand.index + k] = words[:, :, k].copy()
        if len(instruction.operands) > 4:
            scale = instruction.operands[4 + position]
            octets = rng.integers(122, 132, (state.waves, 64, 4)).astype(np.uint8)
            state.registers[scale.kind, scale.index] = octets.view(np.uint32)[:, :, 0].copy()
    addend = instruction.operands[3]
    if addend.is_register:
        for k in range(addend.count):
            numbers = rng.standard_normal((state.waves, 64)).astype(np.float32)
            state.registers[addend.kind, addend.index + k] = numbers.view(np.uint32)


def scaled_matrix_meaning(base: str) -> Meaning | None:
    if NAME.fullmatch(base) is None:
        return None
    return Meaning(multiply, ("", "b32", "b32", "b32", "b32", "b32"), prepare)
