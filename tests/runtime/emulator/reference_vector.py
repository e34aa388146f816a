"""Vector ALU instructions: each mnemonic with the types of its operands and its meaning."""

from collections.abc import Callable
from functools import partial
from typing import TypedDict

import numpy as np

from tests.runtime.emulator import reference_arithmetic as arithmetic
from tests.runtime.emulator.instruction_text import Instruction
from tests.runtime.emulator.reference_state import (
    Array,
    Meaning,
    State,
    bits_of,
    read_source,
    write_result,
)

Function = Callable[..., Array]


def lane_op(
    signature: str,
    function: Function,
    *,
    keep_high: bool = False,
    ulps: float = 0,
    flush: bool = False,
    tolerance: float | Function = 0,
    accumulates: bool = False,
    defined: Function | None = None,
) -> Meaning:
    """An instruction that works on each lane alone.

    `signature` is "result = source source …"; with `accumulates` the destination is the last
    source as well. `ulps` (or `tolerance`, absolute, perhaps of the sources) is how far the
    hardware may be from the rounded result; with `flush` it may give 0 for denormals. `defined`
    tells for which sources the manuals say what comes out.
    """
    result, _, rest = signature.partition(" = ")
    sources = tuple(rest.split())

    def run(state: State, instruction: Instruction) -> None:
        read = partial(read_source, state, instruction)
        values = [read(1 + k, type_name) for k, type_name in enumerate(sources)]
        if accumulates:
            plain = Instruction(instruction.base, instruction.operands, ())
            values.append(read_source(state, plain, 0, result))
        with np.errstate(all="ignore"):
            outcome = function(*values)
            flushed = function(*map(flush_denormals, values)) if flush else None
            slack = tolerance(*values) if callable(tolerance) else tolerance
        write_result(
            state,
            instruction,
            result,
            np.broadcast_to(outcome, values[0].shape),
            keep_high=keep_high,
            ulps=ulps,
            flush=flush,
            tolerance=slack,
            flushed_inputs=None if flushed is None else flushed.astype(np.float64),
        )
        if defined is not None:
            ignore_lanes(state, instruction, ~defined(*values))

    return Meaning(run, (result if accumulates else "", *sources))


def ignore_lanes(state: State, instruction: Instruction, ignored: Array) -> None:
    destination = instruction.operands[0]
    for k in range(destination.count):
        mask = np.where(ignored, 0xFFFFFFFF, 0).astype(np.uint32)
        state.undefined[destination.kind, destination.index + k] = mask


def flush_denormals(x: Array) -> Array:
    if x.dtype.kind != "f":
        return x
    return np.where(arithmetic.is_denormal(x), np.copysign(0, x), x).astype(x.dtype)


def shift_amount(x: Array, width: int) -> Array:
    result: Array = x & x.dtype.type(width - 1)
    return result


def unsigned24(x: Array) -> Array:
    return x & np.uint32(0xFFFFFF)


def signed24(x: Array) -> Array:
    return (x << np.int32(8)) >> np.int32(8)


def high_product(a: Array, b: Array, wide: type[np.generic]) -> Array:
    product = a.astype(wide) * b.astype(wide)
    result: Array = (product >> product.dtype.type(32)).astype(a.dtype)
    return result


def field_mask(width: Array) -> Array:
    return (np.uint32(1) << width) - np.uint32(1)


def bit_field_signed(value: Array, offset: Array, width: Array) -> Array:
    """Sign-extended bits [offset, offset + width) of the value."""
    offset, width = shift_amount(offset, 32).astype(np.int64), shift_amount(width, 32)
    shifted = value.astype(np.int64) >> offset
    spare = 64 - width.astype(np.int64)
    extended = np.where(width == 0, 0, (shifted << (spare % 64)) >> (spare % 64))
    return extended.astype(np.int32)


def leading_zeros(x: Array) -> Array:
    lengths = np.frexp(x.astype(np.float64))[1]
    return np.where(x == 0, -1, 32 - lengths).astype(np.int32).view(np.uint32)


def trailing_zeros(x: Array) -> Array:
    lowest = x & (~x + np.uint32(1))
    return np.where(x == 0, -1, np.frexp(lowest.astype(np.float64))[1] - 1).astype(np.int32)


def sign_bits(x: Array) -> Array:
    """V_FFBH_I32: leading bits equal to the sign; -1 when all are."""
    return leading_zeros((x ^ (x >> np.int32(31))).view(np.uint32))


def reverse_bits(x: Array) -> Array:
    swapped = np.ascontiguousarray(x.astype(">u4")).view(np.uint8).reshape(*x.shape, 4)
    bits = np.unpackbits(swapped, axis=-1)[..., ::-1]
    return np.packbits(bits, axis=-1).view(">u4")[..., 0].astype(np.uint32)


def permute_bytes(a: Array, b: Array, selector: Array) -> Array:
    """V_PERM_B32: each selector byte picks one of the eight bytes of {a, b} or a fill."""
    both = a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)
    result = np.zeros(a.shape, np.uint64)
    for byte in range(4):
        select = (selector >> np.uint32(8 * byte) & np.uint32(0xFF)).astype(np.uint64)
        picked = both >> (select & np.uint64(7)) * np.uint64(8) & np.uint64(0xFF)
        sign_at = (select - np.uint64(8)) * np.uint64(16) + np.uint64(15)
        sign = both >> (sign_at & np.uint64(63)) & np.uint64(1)
        fill = np.where(select == 12, 0, np.where(select > 12, 0xFF, sign * np.uint64(0xFF)))
        value = np.where(select < 8, picked, fill).astype(np.uint64)
        result |= value << np.uint64(8 * byte)
    return result.astype(np.uint32)


def align(a: Array, b: Array, shift: Array) -> Array:
    both = a.astype(np.uint64) << np.uint64(32) | b.astype(np.uint64)
    return (both >> shift.astype(np.uint64)).astype(np.uint32)


def count_ones(x: Array) -> Array:
    return np.bitwise_count(x).astype(np.uint32)


def lanes_below(x: Array, first: int) -> Array:
    """Bits of the mask that belong to lanes below this one; the mask starts at lane `first`."""
    lane = np.clip(np.arange(x.shape[1]) - first, 0, 32).astype(np.uint64)
    below = ((np.uint64(1) << lane) - np.uint64(1)).astype(np.uint32)
    return count_ones(x & below)


def median_int(a: Array, b: Array, c: Array) -> Array:
    return np.maximum(np.minimum(a, b), np.minimum(np.maximum(a, b), c))


def halves(low: Array, high: Array) -> Array:
    return low.astype(np.uint32) | high.astype(np.uint32) << np.uint32(16)


def dot(a: Array, b: Array, c: Array, dtype: str, wide: type[np.generic]) -> Array:
    """Sum of products of the elements packed in one register, plus c."""
    count = 4 // np.dtype(dtype).itemsize
    a, b = (np.ascontiguousarray(x)[..., None].view(dtype).astype(wide) for x in (a, b))
    total: Array = c.astype(wide)
    for k in range(count):
        total = total + a[..., k] * b[..., k]
    return total.astype(c.dtype)


def dot_slack(dtype: str) -> Function:
    """How far a sum of products in f32 may be off: manuals do not say how often it rounds."""

    def slack(a: Array, b: Array, c: Array) -> Array:
        parts = [np.ascontiguousarray(x)[..., None].view(dtype).astype(D) for x in (a, b)]
        total: Array = np.abs(parts[0] * parts[1]).sum(axis=-1) + np.abs(c.astype(D))
        return np.nan_to_num(total) * 2.0**-22

    return slack


def dot_bf16(a: Array, b: Array, c: Array) -> Array:
    def part(x: Array, high: bool) -> Array:
        shifted = x & np.uint32(0xFFFF0000) if high else x << np.uint32(16)
        return shifted.view(np.float32).astype(np.float64)

    total = part(a, False) * part(b, False) + part(a, True) * part(b, True) + c
    result: Array = total.astype(np.float32)
    return result


def saturate(x: Array, low: int, high: int, dtype: type[np.generic]) -> Array:
    return np.clip(x, low, high).astype(dtype)


def ubyte(number: int) -> Function:
    return lambda x: (x >> np.uint32(8 * number) & np.uint32(0xFF)).astype(np.float32)


def log2(x: Array) -> Array:
    return np.where(x < 0, np.nan, np.log2(np.abs(x)))


def of_turns(function: Function) -> Function:
    """V_SIN and V_COS: the argument in turns."""

    def apply(x: Array) -> Array:
        return np.where(np.isfinite(x), function(2 * np.pi * np.fmod(x, 1.0)), np.nan)

    return apply


def bit_operation(a: Array, b: Array, c: Array, table: int) -> Array:
    """V_BITOP3: bit k of the table is the result where (a, b, c) spell k."""
    result = np.zeros_like(a)
    for k in range(8):
        if table >> k & 1:
            term = (a if k & 4 else ~a) & (b if k & 2 else ~b) & (c if k & 1 else ~c)
            result |= term
    return result


def bitop3(type_name: str) -> Meaning:
    def run(state: State, instruction: Instruction) -> None:
        a, b, c = (read_source(state, instruction, 1 + k, type_name) for k in range(3))
        table = instruction.number("bitop3")
        result = bit_operation(a, b, c, table)
        write_result(state, instruction, type_name, result, keep_high=True)

    return Meaning(run, ("", type_name, type_name, type_name))


def integer_add(signed: bool, subtract: bool = False, swap: bool = False) -> Meaning:
    """Addition or subtraction that wraps, or saturates with `clamp`."""
    type_name = "i32" if signed else "u32"

    def run(state: State, instruction: Instruction) -> None:
        a, b = (read_source(state, instruction, 1 + k, type_name).astype(np.int64) for k in (0, 1))
        a, b = (b, a) if swap else (a, b)
        total = a - b if subtract else a + b
        if instruction.has("clamp"):
            info = np.iinfo(np.int32 if signed else np.uint32)
            total = np.clip(total, info.min, info.max)
        write_result(state, instruction, "u32", total.astype(np.uint32))

    return Meaning(run, ("", type_name, type_name))


class DotOptions(TypedDict):
    """What dot products of halves allow."""

    tolerance: Function
    defined: Function


def dot_options(dtype: str) -> DotOptions:
    slack = dot_slack(dtype)
    return {"tolerance": slack, "defined": lambda a, b, c: slack(a, b, c) < 2.0**100}


U, I, F, D = np.uint32, np.int32, np.float32, np.float64  # noqa: E741
in_double = arithmetic.in_double

DOT_F16, DOT_BF16 = dot_options("float16"), dot_options("bfloat16")

MOVES = {
    "v_mov_b32": lane_op("b32 = b32", lambda a: a),
    "v_mov_b64": lane_op("b64 = b64", lambda a: a),
    "v_accvgpr_read_b32": lane_op("b32 = b32", lambda a: a),
    "v_accvgpr_write_b32": lane_op("b32 = b32", lambda a: a),
    "v_accvgpr_mov_b32": lane_op("b32 = b32", lambda a: a),
    "v_not_b32": lane_op("b32 = b32", lambda a: ~a),
    "v_bfrev_b32": lane_op("b32 = b32", reverse_bits),
    "v_and_b32": lane_op("b32 = b32 b32", lambda a, b: a & b),
    "v_or_b32": lane_op("b32 = b32 b32", lambda a, b: a | b),
    "v_xor_b32": lane_op("b32 = b32 b32", lambda a, b: a ^ b),
    "v_xnor_b32": lane_op("b32 = b32 b32", lambda a, b: ~(a ^ b)),
    "v_bfi_b32": lane_op("b32 = b32 b32 b32", lambda a, b, c: (a & b) | (~a & c)),
    "v_and_or_b32": lane_op("b32 = b32 b32 b32", lambda a, b, c: (a & b) | c),
    "v_or3_b32": lane_op("b32 = b32 b32 b32", lambda a, b, c: a | b | c),
    "v_perm_b32": lane_op("b32 = b32 b32 b32", permute_bytes),
    "v_alignbit_b32": lane_op("b32 = b32 b32 b32", lambda a, b, c: align(a, b, c & U(31))),
    "v_alignbyte_b32": lane_op("b32 = b32 b32 b32", lambda a, b, c: align(a, b, (c & U(3)) * U(8))),
    "v_pack_b32_f16": lane_op("b32 = f16 f16", lambda a, b: halves(bits_of(a), bits_of(b))),
    "v_bitop3_b32": bitop3("b32"),
    "v_bitop3_b16": bitop3("b16"),
}

INTEGERS = {
    "v_xor3_b32": lane_op("u32 = u32 u32 u32", lambda a, b, c: a ^ b ^ c),
    "v_add_u32": integer_add(False),
    "v_sub_u32": integer_add(False, True),
    "v_subrev_u32": integer_add(False, True, True),
    "v_add_i32": integer_add(True),
    "v_sub_i32": integer_add(True, True),
    "v_mul_lo_u32": lane_op("u32 = u32 u32", lambda a, b: a * b),
    "v_mul_hi_u32": lane_op("u32 = u32 u32", lambda a, b: high_product(a, b, np.uint64)),
    "v_mul_hi_i32": lane_op("i32 = i32 i32", lambda a, b: high_product(a, b, np.int64)),
    "v_mul_u32_u24": lane_op("u32 = u32 u32", lambda a, b: unsigned24(a) * unsigned24(b)),
    "v_mul_hi_u32_u24": lane_op(
        "u32 = u32 u32", lambda a, b: high_product(unsigned24(a), unsigned24(b), np.uint64)
    ),
    "v_mul_i32_i24": lane_op("i32 = i32 i32", lambda a, b: signed24(a) * signed24(b)),
    "v_mul_hi_i32_i24": lane_op(
        "i32 = i32 i32", lambda a, b: high_product(signed24(a), signed24(b), np.int64)
    ),
    "v_mad_u32_u24": lane_op(
        "u32 = u32 u32 u32", lambda a, b, c: unsigned24(a) * unsigned24(b) + c
    ),
    "v_mad_i32_i24": lane_op("i32 = i32 i32 i32", lambda a, b, c: signed24(a) * signed24(b) + c),
    "v_min_u32": lane_op("u32 = u32 u32", np.minimum),
    "v_max_u32": lane_op("u32 = u32 u32", np.maximum),
    "v_min_i32": lane_op("i32 = i32 i32", np.minimum),
    "v_max_i32": lane_op("i32 = i32 i32", np.maximum),
    "v_min3_u32": lane_op("u32 = u32 u32 u32", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_u32": lane_op("u32 = u32 u32 u32", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_min3_i32": lane_op("i32 = i32 i32 i32", lambda a, b, c: np.minimum(np.minimum(a, b), c)),
    "v_max3_i32": lane_op("i32 = i32 i32 i32", lambda a, b, c: np.maximum(np.maximum(a, b), c)),
    "v_med3_u32": lane_op("u32 = u32 u32 u32", median_int),
    "v_med3_i32": lane_op("i32 = i32 i32 i32", median_int),
    "v_add3_u32": lane_op("u32 = u32 u32 u32", lambda a, b, c: a + b + c),
    "v_xad_u32": lane_op("u32 = u32 u32 u32", lambda a, b, c: (a ^ b) + c),
    "v_lshl_add_u32": lane_op("u32 = u32 u32 u32", lambda a, b, c: (a << (b & U(31))) + c),
    "v_add_lshl_u32": lane_op("u32 = u32 u32 u32", lambda a, b, c: (a + b) << (c & U(31))),
    "v_lshl_or_b32": lane_op("u32 = u32 u32 u32", lambda a, b, c: (a << (b & U(31))) | c),
    "v_lshl_add_u64": lane_op(
        "u64 = u64 u32 u64", lambda a, b, c: (a << (b & U(7)).astype(np.uint64)) + c
    ),
    "v_lshlrev_b32": lane_op("u32 = u32 u32", lambda a, b: b << (a & U(31))),
    "v_lshrrev_b32": lane_op("u32 = u32 u32", lambda a, b: b >> (a & U(31))),
    "v_ashrrev_i32": lane_op("i32 = i32 i32", lambda a, b: b >> (a & I(31))),
    "v_lshlrev_b64": lane_op("u64 = u32 u64", lambda a, b: b << (a & U(63)).astype(np.uint64)),
    "v_lshrrev_b64": lane_op("u64 = u32 u64", lambda a, b: b >> (a & U(63)).astype(np.uint64)),
    "v_ashrrev_i64": lane_op("i64 = u32 i64", lambda a, b: b >> (a & U(63)).astype(np.int64)),
    "v_bfe_u32": lane_op(
        "u32 = u32 u32 u32", lambda a, b, c: a >> (b & U(31)) & field_mask(c & U(31))
    ),
    "v_bfe_i32": lane_op("i32 = i32 u32 u32", bit_field_signed),
    "v_bfm_b32": lane_op("u32 = u32 u32", lambda a, b: field_mask(a & U(31)) << (b & U(31))),
    "v_bcnt_u32_b32": lane_op("u32 = u32 u32", lambda a, b: count_ones(a) + b),
    "v_mbcnt_lo_u32_b32": lane_op("u32 = u32 u32", lambda a, b: lanes_below(a, 0) + b),
    "v_mbcnt_hi_u32_b32": lane_op("u32 = u32 u32", lambda a, b: lanes_below(a, 32) + b),
    "v_ffbh_u32": lane_op("u32 = u32", leading_zeros),
    "v_ffbh_i32": lane_op("u32 = i32", sign_bits),
    "v_ffbl_b32": lane_op("i32 = u32", trailing_zeros),
    "v_sad_u32": lane_op(
        "u32 = u32 u32 u32", lambda a, b, c: np.maximum(a, b) - np.minimum(a, b) + c
    ),
    "v_dot4_i32_i8": lane_op("i32 = u32 u32 i32", lambda a, b, c: dot(a, b, c, "int8", np.int64)),
    "v_dot4_u32_u8": lane_op("u32 = u32 u32 u32", lambda a, b, c: dot(a, b, c, "uint8", np.uint64)),
    "v_dot4c_i32_i8": lane_op(
        "i32 = u32 u32",
        lambda a, b, c: dot(a, b, c, "int8", np.int64),
        accumulates=True,
    ),
    "v_cvt_pk_u16_u32": lane_op(
        "b32 = u32 u32",
        lambda a, b: halves(np.minimum(a, U(0xFFFF)), np.minimum(b, U(0xFFFF))),
    ),
    "v_cvt_pk_i16_i32": lane_op(
        "b32 = i32 i32",
        lambda a, b: halves(
            *(saturate(x, -32768, 32767, np.int16).view(np.uint16) for x in (a, b))
        ),
    ),
}

HALF_INTEGERS = {
    "v_and_b16": lane_op("u16 = u16 u16", lambda a, b: a & b),
    "v_or_b16": lane_op("u16 = u16 u16", lambda a, b: a | b),
    "v_xor_b16": lane_op("u16 = u16 u16", lambda a, b: a ^ b),
    "v_not_b16": lane_op("u16 = u16", lambda a: ~a),
    "v_mov_b16": lane_op("u16 = u16", lambda a: a),
    "v_cvt_u32_u16": lane_op("u32 = u16", lambda a: a.astype(U)),
    "v_cvt_i32_i16": lane_op("i32 = i16", lambda a: a.astype(I)),
    "v_add_u16": lane_op("u16 = u16 u16", lambda a, b: a + b),
    "v_sub_u16": lane_op("u16 = u16 u16", lambda a, b: a - b),
    "v_subrev_u16": lane_op("u16 = u16 u16", lambda a, b: b - a),
    "v_mul_lo_u16": lane_op("u16 = u16 u16", lambda a, b: a * b),
    "v_lshlrev_b16": lane_op("u16 = u16 u16", lambda a, b: b << (a & np.uint16(15))),
    "v_lshrrev_b16": lane_op("u16 = u16 u16", lambda a, b: b >> (a & np.uint16(15))),
    "v_ashrrev_i16": lane_op("i16 = i16 i16", lambda a, b: b >> (a & np.int16(15))),
    "v_min_u16": lane_op("u16 = u16 u16", np.minimum),
    "v_max_u16": lane_op("u16 = u16 u16", np.maximum),
    "v_min_i16": lane_op("i16 = i16 i16", np.minimum),
    "v_max_i16": lane_op("i16 = i16 i16", np.maximum),
    "v_mad_u16": lane_op("u16 = u16 u16 u16", lambda a, b, c: a * b + c, keep_high=True),
    "v_mad_legacy_u16": lane_op("u16 = u16 u16 u16", lambda a, b, c: a * b + c),
    "v_med3_i16": lane_op("i16 = i16 i16 i16", median_int, keep_high=True),
}


def float_operations(suffix: str) -> dict[str, Meaning]:
    """The operations that f16, f32 and f64 share."""
    s, half = suffix, suffix == "f16"
    return {
        f"v_add_{s}": lane_op(f"{s} = {s} {s}", lambda a, b: a + b),
        f"v_mul_{s}": lane_op(f"{s} = {s} {s}", lambda a, b: a * b),
        f"v_min_{s}": lane_op(f"{s} = {s} {s}", arithmetic.minimum),
        f"v_max_{s}": lane_op(f"{s} = {s} {s}", arithmetic.maximum),
        f"v_fma_{s}": lane_op(f"{s} = {s} {s} {s}", arithmetic.fma, keep_high=half),
        f"v_fmac_{s}": lane_op(f"{s} = {s} {s}", arithmetic.fma, accumulates=True),
        f"v_ldexp_{s}": lane_op(
            f"{s} = {s} {'i16' if half else 'i32'}",
            lambda a, b: np.ldexp(a, np.clip(b.astype(np.int32), -5000, 5000)).astype(a.dtype),
        ),
        f"v_floor_{s}": lane_op(f"{s} = {s}", np.floor),
        f"v_ceil_{s}": lane_op(f"{s} = {s}", np.ceil),
        f"v_trunc_{s}": lane_op(f"{s} = {s}", np.trunc),
        f"v_rndne_{s}": lane_op(f"{s} = {s}", np.rint),
        f"v_fract_{s}": lane_op(f"{s} = {s}", arithmetic.fraction),
        f"v_frexp_mant_{s}": lane_op(f"{s} = {s}", arithmetic.mantissa),
        f"v_div_fixup_{s}": lane_op(
            f"{s} = {s} {s} {s}",
            arithmetic.divide_fixup,
            keep_high=half,
            defined=lambda _, b, c: ~(arithmetic.is_denormal(b) | arithmetic.is_denormal(c)),
        ),
    }


def short_float_operations(suffix: str) -> dict[str, Meaning]:
    """What f16 and f32 have besides; f32 transcendentals need not know denormals."""
    s, half = suffix, suffix == "f16"

    def approximate(function: Function) -> Meaning:
        return lane_op(f"{s} = {s}", function, ulps=1, flush=not half)

    def periodic(function: Function) -> Meaning:
        return lane_op(
            f"{s} = {s}",
            in_double(of_turns(function)),
            tolerance=1e-3 if half else 1e-6,
            flush=not half,
            defined=lambda x: ~(np.abs(x) > 256),
        )

    return {
        f"v_sub_{s}": lane_op(f"{s} = {s} {s}", lambda a, b: a - b),
        f"v_subrev_{s}": lane_op(f"{s} = {s} {s}", lambda a, b: b - a),
        f"v_min3_{s}": lane_op(
            f"{s} = {s} {s} {s}",
            lambda a, b, c: arithmetic.minimum(arithmetic.minimum(a, b), c),
            keep_high=half,
        ),
        f"v_max3_{s}": lane_op(
            f"{s} = {s} {s} {s}",
            lambda a, b, c: arithmetic.maximum(arithmetic.maximum(a, b), c),
            keep_high=half,
        ),
        f"v_med3_{s}": lane_op(f"{s} = {s} {s} {s}", arithmetic.median, keep_high=half),
        f"v_exp_{s}": approximate(in_double(np.exp2)),
        f"v_log_{s}": approximate(in_double(log2)),
        f"v_rcp_{s}": approximate(in_double(lambda x: 1 / x)),
        f"v_rsq_{s}": approximate(in_double(lambda x: 1 / np.sqrt(x))),
        f"v_sqrt_{s}": approximate(in_double(np.sqrt)),
        f"v_sin_{s}": periodic(np.sin),
        f"v_cos_{s}": periodic(np.cos),
    }


FLOATS = {
    **float_operations("f32"),
    **float_operations("f16"),
    **float_operations("f64"),
    **short_float_operations("f32"),
    **short_float_operations("f16"),
    "v_minimum3_f32": lane_op(
        "f32 = f32 f32 f32",
        lambda a, b, c: arithmetic.propagating(arithmetic.minimum, a, b, c),
    ),
    "v_maximum3_f32": lane_op(
        "f32 = f32 f32 f32",
        lambda a, b, c: arithmetic.propagating(arithmetic.maximum, a, b, c),
    ),
    "v_fmamk_f32": lane_op("f32 = f32 f32 f32", arithmetic.fma),
    "v_fmaak_f32": lane_op("f32 = f32 f32 f32", arithmetic.fma),
    "v_fmamk_f16": lane_op("f16 = f16 f16 f16", arithmetic.fma),
    "v_fmaak_f16": lane_op("f16 = f16 f16 f16", arithmetic.fma),
    "v_madmk_f32": lane_op("f32 = f32 f32 f32", lambda a, b, c: a * b + c, flush=True),
    "v_madak_f32": lane_op("f32 = f32 f32 f32", lambda a, b, c: a * b + c, flush=True),
    "v_mad_f32": lane_op("f32 = f32 f32 f32", lambda a, b, c: a * b + c, flush=True),
    "v_mac_f32": lane_op("f32 = f32 f32", lambda a, b, c: a * b + c, flush=True, accumulates=True),
    "v_mul_legacy_f32": lane_op(
        "f32 = f32 f32", lambda a, b: np.where((a == 0) | (b == 0), F(0), a * b)
    ),
    "v_rcp_iflag_f32": lane_op("f32 = f32", in_double(lambda x: 1 / x), ulps=1, flush=True),
    "v_rcp_f64": lane_op("f64 = f64", lambda x: 1 / x, ulps=2.0**29, flush=True),
    "v_rsq_f64": lane_op("f64 = f64", lambda x: 1 / np.sqrt(x), ulps=2.0**29, flush=True),
    "v_sqrt_f64": lane_op("f64 = f64", np.sqrt, ulps=2.0**29, flush=True),
    "v_trig_preop_f64": lane_op("f64 = f64 u32", arithmetic.two_over_pi_segment),
    "v_frexp_exp_i32_f32": lane_op("i32 = f32", arithmetic.frexp_exponent),
    "v_frexp_exp_i32_f64": lane_op("i32 = f64", arithmetic.frexp_exponent),
    "v_frexp_exp_i16_f16": lane_op(
        "i16 = f16", lambda x: arithmetic.frexp_exponent(x).astype(np.int16)
    ),
    "v_dot2_f32_f16": lane_op(
        "f32 = u32 u32 f32",
        lambda a, b, c: dot(a, b, c, "float16", D),
        **DOT_F16,
    ),
    "v_dot2c_f32_f16": lane_op(
        "f32 = u32 u32",
        lambda a, b, c: dot(a, b, c, "float16", D),
        **DOT_F16,
        accumulates=True,
    ),
    "v_dot2_f32_bf16": lane_op("f32 = u32 u32 f32", dot_bf16, **DOT_BF16),
    "v_dot2c_f32_bf16": lane_op("f32 = u32 u32", dot_bf16, **DOT_BF16, accumulates=True),
}

CONVERSIONS = {
    "v_cvt_f32_i32": lane_op("f32 = i32", lambda a: a.astype(F)),
    "v_cvt_f32_u32": lane_op("f32 = u32", lambda a: a.astype(F)),
    "v_cvt_i32_f32": lane_op("i32 = f32", lambda a: arithmetic.to_integer(a, I)),
    "v_cvt_u32_f32": lane_op("u32 = f32", lambda a: arithmetic.to_integer(a, U)),
    "v_cvt_rpi_i32_f32": lane_op(
        "i32 = f32",
        lambda a: arithmetic.to_integer(np.floor(a.astype(D) + 0.5), I),
        defined=lambda a: np.floor(a + F(0.5)) == np.floor(a.astype(D) + 0.5),
    ),
    "v_cvt_flr_i32_f32": lane_op("i32 = f32", lambda a: arithmetic.to_integer(np.floor(a), I)),
    "v_cvt_f32_f16": lane_op("f32 = f16", lambda a: a.astype(F)),
    "v_cvt_f16_f32": lane_op("f16 = f32", lambda a: a.astype(np.float16)),
    "v_cvt_f16_u16": lane_op("f16 = u16", lambda a: a.astype(np.float16)),
    "v_cvt_f16_i16": lane_op("f16 = i16", lambda a: a.astype(np.float16)),
    "v_cvt_u16_f16": lane_op("u16 = f16", lambda a: arithmetic.to_integer(a, np.uint16)),
    "v_cvt_i16_f16": lane_op("i16 = f16", lambda a: arithmetic.to_integer(a, np.int16)),
    "v_cvt_f64_f32": lane_op("f64 = f32", lambda a: a.astype(D)),
    "v_cvt_f32_f64": lane_op("f32 = f64", lambda a: a.astype(F)),
    "v_cvt_f64_i32": lane_op("f64 = i32", lambda a: a.astype(D)),
    "v_cvt_f64_u32": lane_op("f64 = u32", lambda a: a.astype(D)),
    "v_cvt_i32_f64": lane_op("i32 = f64", lambda a: arithmetic.to_integer(a, I)),
    "v_cvt_u32_f64": lane_op("u32 = f64", lambda a: arithmetic.to_integer(a, U)),
    **{f"v_cvt_f32_ubyte{k}": lane_op("f32 = u32", ubyte(k)) for k in range(4)},
    "v_cvt_pkrtz_f16_f32": lane_op(
        "2f16 = f32 f32", lambda a, b: halves(*map(arithmetic.round_toward_zero_f16, (a, b)))
    ),
}

LANE_OPERATIONS = {**MOVES, **INTEGERS, **HALF_INTEGERS, **FLOATS, **CONVERSIONS}
