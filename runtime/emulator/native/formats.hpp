// The floating-point formats of the chips: half, bfloat16, the two fp8 families, and the
// transcendental functions, written so that compilers turn loops over lanes into vector code.
#pragma once

#include <cmath>
#include <limits>

#include "bits.hpp"

namespace lumc::emulator {

// A 16-bit float in a register; arithmetic is done in float and rounded once.
struct Half {
  u16 bits;
};

inline float to_float(Half h) {
#if defined(__F16C__) || defined(__ARM_FP16_FORMAT_IEEE)
  _Float16 value;
  std::memcpy(&value, &h.bits, 2);
  return static_cast<float>(value);
#else
  const u32 sign = u32{h.bits & 0x8000u} << 16;
  const u32 exponent = h.bits >> 10 & 31, mantissa = h.bits & 1023;
  if (exponent == 31) return bit_cast<float>(sign | 0x7f800000u | mantissa << 13);
  if (exponent == 0) {
    const float magnitude = static_cast<float>(mantissa) * 0x1p-24f;
    return sign ? -magnitude : magnitude;
  }
  return bit_cast<float>(sign | (exponent + 112) << 23 | mantissa << 13);
#endif
}

// Rounds as the current rounding mode says (nearest even unless MODE was changed).
inline Half to_half(float value) {
#if defined(__F16C__) || defined(__ARM_FP16_FORMAT_IEEE)
  const _Float16 rounded = static_cast<_Float16>(value);
  return Half{read_as<u16>(&rounded)};
#else
  const u32 bits = bit_cast<u32>(value);
  const u16 sign = static_cast<u16>(bits >> 16 & 0x8000u);
  const u32 magnitude = bits & 0x7fffffffu;
  if (magnitude > 0x7f800000u) {
    return Half{static_cast<u16>(sign | 0x7e00u | (magnitude >> 13 & 0x3ffu))};
  }
  if (magnitude >= 0x47800000u) return Half{static_cast<u16>(sign | 0x7c00u)};
  if (magnitude < 0x38800000u) {  // subnormal: adding 0.5 leaves the rounded bits at the bottom
    const float shifted = bit_cast<float>(magnitude) + 0.5f;
    return Half{static_cast<u16>(sign | (bit_cast<u32>(shifted) - 0x3f000000u))};
  }
  const u32 rounded = magnitude + 0xfffu + (magnitude >> 13 & 1) - 0x38000000u;
  return Half{static_cast<u16>(sign | rounded >> 13)};
#endif
}

// A double that cannot be halfway between two halves unless the exact sum is: rounding it to
// odd first makes the second rounding harmless (Boldo and Melquiond 2008).
inline double sum_rounded_to_odd(double a, double b) {
  const double sum = a + b;
  const double back = sum - a;
  const double error = (a - (sum - back)) + (b - back);
  const u64 bits = bit_cast<u64>(sum);
  const bool adjust = error != 0 && !(bits & 1) && std::isfinite(sum);
  const u64 toward = ((error > 0) == (sum > 0)) ? bits + 1 : bits - 1;
  return bit_cast<double>(adjust ? toward : bits);
}

inline Half double_to_half(double value) {
  // To float with rounding to odd, then to half: 24 bits are more than 11 + 2.
  float narrow = static_cast<float>(value);
  const double back = static_cast<double>(narrow);
  const u32 bits = bit_cast<u32>(narrow);
  if (back != value && !(bits & 1) && std::isfinite(narrow)) {
    narrow = bit_cast<float>(std::fabs(back) < std::fabs(value) ? bits + 1 : bits - 1);
  }
  return to_half(narrow);
}

inline float bfloat_to_float(u32 bits) { return bit_cast<float>(bits << 16); }

inline u32 float_to_bfloat(float value) {
  const u32 bits = bit_cast<u32>(value);
  const u32 rounded = (bits + 0x7fffu + (bits >> 16 & 1)) >> 16;
  return value != value ? (bits >> 16 | 0x40u) : rounded;
}

// fp8 comes in two families: OCP (gfx950 and later) and FNUZ (gfx942: no negative zero, no
// infinity, one NaN 0x80, exponent bias one higher).
enum class Fp8 : u8 { e4m3_fnuz, e5m2_fnuz, e4m3_ocp, e5m2_ocp };

struct Fp8Layout {
  int mantissa_bits, bias;
  bool ocp, has_infinity;
  u32 largest;
};

constexpr Fp8Layout fp8_layout(Fp8 format) {
  switch (format) {
    case Fp8::e4m3_fnuz: return {3, 8, false, false, 0x7f};
    case Fp8::e5m2_fnuz: return {2, 16, false, false, 0x7f};
    case Fp8::e4m3_ocp: return {3, 7, true, false, 0x7e};
    case Fp8::e5m2_ocp: return {2, 15, true, true, 0x7b};
  }
  return {};
}

float fp8_to_float(u32 bits, Fp8 format);
// Nearest even; what overflows becomes infinity or NaN, or the largest value where `saturate`.
u32 float_to_fp8(float value, Fp8 format, bool saturate);
// Stochastic rounding: the 20 bits of `random` are added below the kept mantissa.
u32 float_to_fp8_stochastic(float value, Fp8 format, u32 random, bool saturate);
// All 256 values, for matrix operands.
const float* fp8_table(Fp8 format);

// 2^x: reduced to |f| <= 1/2, then a Taylor polynomial in double, which leaves an error far
// below half a unit of float. Results and arguments that are subnormal flush, as on the chips.
inline float exp2_lane(float x) {
  const double clamped = x < -160.f ? -160.0 : x > 160.f ? 160.0 : static_cast<double>(x);
  const double shifted = clamped + 0x1.8p52;
  const double whole = shifted - 0x1.8p52;
  const double f = clamped - whole;
  double p = 1.0178086009239700e-7;   // ln2^9/9!
  p = p * f + 1.3215486790144307e-6;  // ln2^8/8!
  p = p * f + 1.5252733804059840e-5;
  p = p * f + 1.5403530393381610e-4;
  p = p * f + 1.3333558146428443e-3;
  p = p * f + 9.6181291076284772e-3;
  p = p * f + 5.5504108664821580e-2;
  p = p * f + 2.4022650695910071e-1;
  p = p * f + 6.9314718055994531e-1;
  p = p * f + 1.0;
  const u64 scale = (bit_cast<u64>(shifted) + 1023) << 52;
  const float result = static_cast<float>(p * bit_cast<double>(scale));
  const float flushed = result < 0x1p-126f ? 0.f : result;
  return x != x ? x : flushed;
}

// log2(x): mantissa in [sqrt(1/2), sqrt(2)), then the atanh series in double.
inline float log2_lane(float x) {
  const double value = static_cast<double>(x);
  const u64 bits = bit_cast<u64>(value);
  const u64 offset = bits - 0x3fe6a09e667f3bcdull;
  const i64 exponent = static_cast<i64>(offset) >> 52;
  const double m = bit_cast<double>(bits - (static_cast<u64>(exponent) << 52));
  const double s = (m - 1) / (m + 1);
  const double z = s * s;
  double p = 2.0 / 17;
  p = p * z + 2.0 / 15;
  p = p * z + 2.0 / 13;
  p = p * z + 2.0 / 11;
  p = p * z + 2.0 / 9;
  p = p * z + 2.0 / 7;
  p = p * z + 2.0 / 5;
  p = p * z + 2.0 / 3;
  p = p * z + 2.0;
  // The exponent as a double without a 64-bit conversion, which few vector units have.
  const double whole =
      bit_cast<double>(0x4338000000000000ull + static_cast<u64>(exponent)) - 0x1.8p52;
  const float result = static_cast<float>(whole + p * s * 1.4426950408889634);
  const float at_zero = -std::numeric_limits<float>::infinity();
  const float not_a_number = std::numeric_limits<float>::quiet_NaN();
  const float positive = x > std::numeric_limits<float>::max() ? x : result;
  const float tiny_or_positive = (x < 0x1p-126f && x > -0x1p-126f) ? at_zero : positive;
  return x != x ? x : x <= -0x1p-126f ? not_a_number : tiny_or_positive;
}

// Subnormals become zeros of the same sign, as the transcendental unit does.
inline float flush(float x) {
  const u32 bits = bit_cast<u32>(x);
  return bit_cast<float>((bits & 0x7f800000u) ? bits : bits & 0x80000000u);
}

}  // namespace lumc::emulator
