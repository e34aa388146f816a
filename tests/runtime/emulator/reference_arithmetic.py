"""Floating-point operations of the vector unit, exact where the hardware is, in NumPy."""

from collections.abc import Callable
from functools import cache
from typing import Any

import ml_dtypes
import numpy as np

from tests.runtime.emulator.reference_state import Array, bits_of

FLOAT8 = {
    ("fp8", True): np.dtype(ml_dtypes.float8_e4m3fn),
    ("bf8", True): np.dtype(ml_dtypes.float8_e5m2),
    ("fp8", False): np.dtype(ml_dtypes.float8_e4m3fnuz),
    ("bf8", False): np.dtype(ml_dtypes.float8_e5m2fnuz),
}


def float8_dtype(name: str, target: str) -> np.dtype[Any]:
    """fp8 (e4m3) or bf8 (e5m2) as the target has it: FNUZ on gfx942, OCP on gfx950."""
    result: np.dtype[Any] = FLOAT8[name, target == "gfx950"]
    return result


def round_to_odd_sum(product: Array, addend: Array) -> Array:
    """product + addend in f64, with the lowest bit set where the sum was not exact.

    Rounding such a sum once more, to a format of at most 51 bits, gives the correctly rounded
    sum (Boldo and Melquiond, 2008).
    """
    total = product + addend
    back = total - product
    error = (product - (total - back)) + (addend - back)
    inexact = np.isfinite(total) & (error != 0)
    bits = total.view(np.int64)
    toward = np.where((error > 0) == (total > 0), 1, -1)
    odd = bits & 1 == 1
    return np.where(inexact & ~odd, bits + toward, bits).view(np.float64)


def fused_multiply_add(a: Array, b: Array, c: Array) -> Array:
    """a * b + c rounded once, for f16, bf16 and f32."""
    wide = [x.astype(np.float64) for x in (a, b, c)]
    return round_to_odd_sum(wide[0] * wide[1], wide[2]).astype(a.dtype)


def exact_fma_f64(a: float, b: float, c: float, power: int) -> float:
    """(a * b + c) * 2^power rounded once."""
    if np.isfinite(a) and np.isfinite(b) and not np.isfinite(c):
        return c
    if not all(map(np.isfinite, (a, b, c))) or 0 in (a, b):
        return float(np.ldexp(np.float64(a) * np.float64(b) + np.float64(c), power))
    (an, ad), (bn, bd), (cn, cd) = (float(x).as_integer_ratio() for x in (a, b, c))
    numerator, denominator = an * bn * cd + cn * ad * bd, ad * bd * cd
    if numerator == 0:
        return float(np.float64(a) * np.float64(b) + np.float64(c)) if c == 0 else 0.0
    try:
        return (numerator << max(power, 0)) / (denominator << max(-power, 0))
    except OverflowError:
        return float("inf") if numerator > 0 else float("-inf")


def fused_multiply_add_f64(a: Array, b: Array, c: Array, power: Array | int = 0) -> Array:
    """(a * b + c) * 2^power rounded once in f64, by exact rational arithmetic."""
    exact = np.vectorize(exact_fma_f64, otypes=[np.float64])
    result: Array = exact(a, b, c, power)
    return result


def fma(a: Array, b: Array, c: Array) -> Array:
    return (fused_multiply_add_f64 if a.dtype == np.float64 else fused_multiply_add)(a, b, c)


def is_signaling(x: Array) -> Array:
    bits = bits_of(x)
    quiet = {2: 1 << 9, 4: 1 << 22, 8: 1 << 51}[x.dtype.itemsize]
    result: Array = np.isnan(x) & (bits & bits.dtype.type(quiet) == 0)
    return result


def minimum(a: Array, b: Array) -> Array:
    """IEEE minNum with -0 < +0; a signalling NaN gives NaN."""
    lower = (a < b) | ((a == b) & np.signbit(a))
    result = np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(lower, a, b)))
    return np.where(is_signaling(a) | is_signaling(b), np.nan, result).astype(a.dtype)


def maximum(a: Array, b: Array) -> Array:
    """IEEE maxNum with +0 > -0; a signalling NaN gives NaN."""
    higher = (a > b) | ((a == b) & ~np.signbit(a))
    result = np.where(np.isnan(a), b, np.where(np.isnan(b), a, np.where(higher, a, b)))
    return np.where(is_signaling(a) | is_signaling(b), np.nan, result).astype(a.dtype)


def propagating(choose: Callable[[Array, Array], Array], a: Array, b: Array, c: Array) -> Array:
    """Least or greatest of three, NaN where one of them is."""
    any_nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    return np.where(any_nan, np.nan, choose(choose(a, b), c)).astype(a.dtype)


def median(a: Array, b: Array, c: Array) -> Array:
    """The middle one; with a NaN among them, the least of the three."""
    any_nan = np.isnan(a) | np.isnan(b) | np.isnan(c)
    middle = maximum(minimum(a, b), minimum(maximum(a, b), c))
    return np.where(any_nan, minimum(minimum(a, b), c), middle).astype(a.dtype)


def to_integer(x: Array, dtype: type[np.integer[Any]]) -> Array:
    """Truncates, saturates, and turns NaN into 0."""
    info = np.iinfo(dtype)
    wide = np.trunc(np.nan_to_num(x.astype(np.float64), posinf=np.inf, neginf=-np.inf))
    return np.clip(wide, info.min, info.max).astype(np.int64).astype(dtype)


def round_toward_zero_f16(x: Array) -> Array:
    half = x.astype(np.float16)
    over = np.abs(half.astype(np.float64)) > np.abs(x.astype(np.float64))
    return np.where(over, bits_of(half) - np.uint16(1), bits_of(half)).astype(np.uint16)


def exponent(x: Array) -> Array:
    """The biased exponent field."""
    bits, mantissa, mask = bits_of(x), *{4: (23, 0xFF), 8: (52, 0x7FF)}[x.dtype.itemsize]
    result: Array = (bits >> bits.dtype.type(mantissa)).astype(np.int64) & mask
    return result


def is_denormal(x: Array) -> Array:
    result: Array = (x != 0) & (np.abs(x) < np.finfo(x.dtype).tiny)
    return result


def scaled(x: Array, power: int) -> Array:
    return np.ldexp(x, np.int32(power)).astype(x.dtype)


def divide_scale(s0: Array, s1: Array, s2: Array) -> tuple[Array, Array]:
    """V_DIV_SCALE: (scaled value, VCC); s1 is the denominator, s2 the numerator.

    A denominator whose reciprocal is denormal is scaled down, whatever the quotient is: the
    manuals print the other direction for one case, which would give infinity.
    """
    single = s0.dtype == np.float32
    power, gap, tiny = (64, 96, 23) if single else (128, 768, 53)
    result, flag = s0.copy(), np.zeros(s0.shape, np.bool_)
    reciprocal_small = is_denormal((1 / s1.astype(np.float64)).astype(s0.dtype))
    reciprocal_small &= s1 != 0
    if not single:
        reciprocal_small = is_denormal(1 / s1)
    quotient_small = is_denormal(divided(s2, s1))
    cases: tuple[tuple[Array, Callable[[], Array], bool], ...] = (
        ((s1 == 0) | (s2 == 0), lambda: np.full_like(s0, np.nan), False),
        (exponent(s2) - exponent(s1) >= gap, lambda: only_where(s0, s1, power), True),
        (is_denormal(s1), lambda: scaled(s0, power), False),
        (reciprocal_small & quotient_small, lambda: only_where(s0, s1, -power), True),
        (reciprocal_small, lambda: scaled(s0, -power), False),
        (quotient_small, lambda: only_where(s0, s2, power), True),
        (exponent(s2) <= tiny, lambda: scaled(s0, power), False),
    )
    open_cases = np.ones(s0.shape, np.bool_)
    for condition, value, sets_flag in cases:
        chosen = open_cases & condition
        result = np.where(chosen, value(), result)
        flag |= chosen & sets_flag
        open_cases &= ~condition
    return result.astype(s0.dtype), flag


def only_where(s0: Array, other: Array, power: int) -> Array:
    return np.where(s0 == other, scaled(s0, power), s0)


def divided(a: Array, b: Array) -> Array:
    return (a / b).astype(a.dtype)


def divide_fixup(s0: Array, s1: Array, s2: Array) -> Array:
    """V_DIV_FIXUP: the quotient s0 of s2 / s1 with the special cases put right.

    A quotient of finite operands that is not finite overflowed: the manuals print that test with
    the denominator's exponent, which no longer can be the largest where it is made.
    """
    sign = np.where(np.signbit(s1) ^ np.signbit(s2), -1.0, 1.0).astype(s0.dtype)
    infinite1, infinite2 = np.isinf(s1), np.isinf(s2)
    nan = np.isnan(s1) | np.isnan(s2)
    nan |= ((s1 == 0) & (s2 == 0)) | (infinite1 & infinite2)
    result = np.where(np.isfinite(s0), np.abs(s0), np.inf) * sign
    if s0.dtype != np.float16:
        gap = -150 if s0.dtype == np.float32 else -1075
        underflow = exponent(s2) - exponent(s1) < gap
        result = np.where(underflow, sign * np.finfo(s0.dtype).smallest_subnormal / 2, result)
    result = np.where(infinite1 | (s2 == 0), sign * 0, result)
    result = np.where((s1 == 0) | infinite2, sign * np.inf, result)
    return np.where(nan, np.nan, result).astype(s0.dtype)


def divide_fmas(s0: Array, s1: Array, s2: Array, flag: Array) -> Array:
    """V_DIV_FMAS: undoes the scaling, upwards where s2 is 2 or more; rounds once."""
    step, one = (64, 127) if s0.dtype == np.float32 else (128, 1023)
    power = np.where(flag, np.where(exponent(s2) > one, step, -step), 0).astype(np.int32)
    if s0.dtype == np.float64:
        return fused_multiply_add_f64(s0, s1, s2, power)
    wide = [x.astype(np.float64) for x in (s0, s1, s2)]
    exact = round_to_odd_sum(wide[0] * wide[1], wide[2])
    return np.ldexp(exact, power).astype(s0.dtype)


def fraction(x: Array) -> Array:
    """x - floor(x), below 1; NaN for infinities."""
    result = (x - np.floor(x)).astype(x.dtype)
    return np.where(np.isinf(x), np.nan, np.minimum(result, np.nextafter(x.dtype.type(1), 0)))


def mantissa(x: Array) -> Array:
    return np.where(np.isfinite(x), np.frexp(x)[0], x).astype(x.dtype)


def frexp_exponent(x: Array) -> Array:
    return np.where(np.isfinite(x), np.frexp(x)[1], 0).astype(np.int32)


def inverse_tangent(denominator: int, bits: int) -> int:
    """arctan(1 / denominator) in units of 2^-bits, by its series."""
    term = total = (1 << bits) // denominator
    divisor, sign = 1, -1
    while term:
        term //= denominator**2
        divisor += 2
        total += sign * (term // divisor)
        sign = -sign
    return total


@cache
def two_over_pi(bits: int) -> int:
    """2 / pi in units of 2^-bits, pi by Machin's formula."""
    work = bits + 64
    pi = 4 * (4 * inverse_tangent(5, work) - inverse_tangent(239, work))
    return (2 << 2 * work) // pi >> work - bits


def two_over_pi_segment(x: Array, segment: Array) -> Array:
    """V_TRIG_PREOP_F64: 53 bits of the 1201-bit fraction 2 / pi, from a place that x decides."""
    fields = exponent(x)
    shifts = (segment & np.uint32(31)).astype(np.int64) * 53 + np.maximum(fields - 1077, 0)
    scales = np.where(fields >= 1968, 128, 0) - 53 - shifts
    fraction_bits = two_over_pi(1201) << 4096 - 1201
    digits = [fraction_bits >> 4096 - 53 - int(s) & (1 << 53) - 1 for s in shifts.ravel()]
    whole = np.array(digits, np.float64).reshape(x.shape)
    result: Array = np.ldexp(whole, scales.astype(np.int32))
    return result


def in_double(function: Callable[[Array], Array]) -> Callable[[Array], Array]:
    """Evaluates in f64 and rounds once to the type of the argument."""

    def rounded(x: Array) -> Array:
        return function(x.astype(np.float64)).astype(x.dtype)

    return rounded


def classify(x: Array, wanted: Array) -> Array:
    """V_CMP_CLASS: whether the value is of one of the ten kinds whose bits are set."""
    negative, denormal = np.signbit(x), is_denormal(x)
    normal = np.isfinite(x) & (x != 0) & ~denormal
    kinds = (
        is_signaling(x),
        np.isnan(x) & ~is_signaling(x),
        np.isinf(x) & negative,
        normal & negative,
        denormal & negative,
        (x == 0) & negative,
        (x == 0) & ~negative,
        denormal & ~negative,
        normal & ~negative,
        np.isinf(x) & ~negative,
    )
    result = np.zeros(x.shape, np.bool_)
    for bit, kind in enumerate(kinds):
        result |= kind & (wanted >> np.uint32(bit) & np.uint32(1)).astype(np.bool_)
    return result
