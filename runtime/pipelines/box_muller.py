"""Pairs of uniform numbers to pairs of normal ones, in float32, bit for bit as PyTorch does.

PyTorch draws on a CPU through polynomials of the Cephes library, in a vector form
(``aten/src/ATen/native/cpu/avx_mathfun.h``) whose multiplications and additions its compiler fuses.
NumPy's own logarithm and sine differ from them in the last bits, and so would the picture.
"""

from __future__ import annotations

import numpy as np
import numpy.typing as npt

Reals = npt.NDArray[np.float32]
Doubles = npt.NDArray[np.float64]
Flags = npt.NDArray[np.bool_]

_SQRT_HALF = np.float32(0.707106781186547524)
_LOG = (
    7.0376836292e-2,
    -1.1514610310e-1,
    1.1676998740e-1,
    -1.2420140846e-1,
    1.4249322787e-1,
    -1.6668057665e-1,
    2.0000714765e-1,
    -2.4999993993e-1,
    3.3333331174e-1,
)
# The logarithm of 2 and 4/π in parts, so that exponents and quadrants come out exactly.
_LOG_2 = (np.float32(0.693359375), np.float32(-2.12194440e-4))
_FOUR_OVER_PI = np.float32(1.27323954473516)
_MINUS_QUARTER_PI = (-0.78515625, -2.4187564849853515625e-4, -3.77489497744594108e-8)
_SINE = (-1.9515295891e-4, 8.3321608736e-3, -1.6666654611e-1)
_COSINE = (2.443315711809948e-5, -1.388731625493765e-3, 4.166664568298827e-2)
_ONE, _HALF = np.float32(1), np.float32(0.5)


def box_muller(first: Reals, second: Reals) -> tuple[Reals, Reals]:
    """Two independent standard normals from two uniforms of [0, 1), elementwise."""
    radius = np.sqrt(np.float32(-2) * _logarithm(_ONE - first))
    sine, cosine = _sine_and_cosine(np.float32(2 * np.pi) * second)
    zero = np.float32(0)  # PyTorch adds the mean: there is no -0
    return radius * cosine + zero, radius * sine + zero


def _logarithm(x: Reals) -> Reals:
    """Natural logarithm of normal positive numbers."""
    bits = x.view(np.int32)
    exponent = (bits >> 23) - 126
    fraction = ((bits & 0x007FFFFF) | 0x3F000000).view(np.float32)  # from 1/2 to 1
    below = fraction < _SQRT_HALF
    power = (exponent - below).astype(np.float32)
    x = np.where(below, (fraction - _ONE) + fraction, fraction - _ONE)
    square = x * x
    y = _polynomial(_LOG, x) * x
    y = _fused(y, square, power * _LOG_2[1]) - square * _HALF
    return _fused(power, _LOG_2[0], x + y)


def _sine_and_cosine(angle: Reals) -> tuple[Reals, Reals]:
    """Sine and cosine of angles from 0 to 2π."""
    octant = (angle * _FOUR_OVER_PI).astype(np.int32)
    octant = (octant + 1) & ~1
    x = angle
    for part in _MINUS_QUARTER_PI:
        x = _fused(octant.astype(np.float32), np.float32(part), x)
    square = x * x
    sine = _fused(_polynomial(_SINE, square) * square, x, x)
    cosine = _polynomial(_COSINE, square) * square
    cosine = _fused(cosine, square, -(square * _HALF)) + _ONE
    swapped = (octant & 2) != 0
    signed_sine = np.where(swapped, cosine, sine)
    signed_cosine = np.where(swapped, sine, cosine)
    return (
        np.where(octant & 4, -signed_sine, signed_sine),
        np.where((octant - 2) & 4, signed_cosine, -signed_cosine),
    )


def _polynomial(coefficients: tuple[float, ...], x: Reals) -> Reals:
    """Horner's rule, highest power first."""
    y = np.full_like(x, coefficients[0])
    for coefficient in coefficients[1:]:
        y = _fused(y, x, np.float32(coefficient))
    return y


def _fused(a: Reals, b: Reals | np.float32, c: Reals | np.float32) -> Reals:
    """``a*b + c``, rounded once. Results below the normal numbers of float32 are not exact.

    A product of two float32 is exact in float64. A sum that is rounded there and again to float32
    comes out wrong only if the first rounding ends halfway between two float32.
    """
    product = np.multiply(a, b, dtype=np.float64)
    addend = np.asarray(c, np.float64)
    total = product + addend
    halfway = (total.view(np.int64) & 0x1FFFFFFF) == 0x10000000
    if halfway.any():
        _round_to_odd(total, product, addend, halfway)
    return total.astype(np.float32)


def _round_to_odd(total: Doubles, product: Doubles, addend: Doubles, where: Flags) -> None:
    """Make inexact sums odd, as in Boldo and Melquiond (2008): the next rounding is right then."""
    part = total - product
    error = (product - (total - part)) + (addend - part)
    bits = total.view(np.int64)
    inexact = where & (error != 0) & (bits & 1 == 0)
    bits += np.where(np.signbit(error) == np.signbit(total), 1, -1) * inexact
