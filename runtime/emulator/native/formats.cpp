#include "formats.hpp"

namespace lumc::emulator {

namespace {

struct Table {
  float values[4][256];
  Table() {
    for (int format = 0; format < 4; ++format) {
      for (u32 bits = 0; bits < 256; ++bits) {
        values[format][bits] = fp8_to_float(bits, static_cast<Fp8>(format));
      }
    }
  }
};

u32 overflowed(u32 sign, const Fp8Layout& layout, bool saturate) {
  if (saturate) return sign | layout.largest;
  if (!layout.ocp) return 0x80;
  return sign | (layout.has_infinity ? 0x7cu : 0x7fu);
}

u32 encode(float value, Fp8 format, bool saturate, bool stochastic, u32 random) {
  const Fp8Layout layout = fp8_layout(format);
  const u32 sign = bit_cast<u32>(value) >> 31 << 7;
  const float magnitude = std::fabs(value);
  if (magnitude != magnitude) return layout.ocp ? (sign | 0x7fu) : 0x80u;
  if (std::isinf(magnitude)) {
    if (layout.has_infinity && !saturate) return sign | 0x7cu;
    return overflowed(sign, layout, saturate);
  }
  if (magnitude == 0) return layout.ocp ? sign : 0;
  int exponent;
  std::frexp(magnitude, &exponent);
  exponent -= 1;
  const int smallest = 1 - layout.bias;
  if (exponent < smallest) exponent = smallest;
  const double scaled = std::ldexp(static_cast<double>(magnitude), layout.mantissa_bits - exponent);
  double quantum =
      stochastic ? std::floor(scaled + (random & 0xfffffu) * 0x1p-20) : std::nearbyint(scaled);
  if (quantum == 0) return layout.ocp ? sign : 0;
  const int implicit = 1 << layout.mantissa_bits;
  if (quantum >= 2 * implicit) {
    quantum /= 2;
    exponent += 1;
  }
  const u32 whole = static_cast<u32>(quantum);
  const u32 bits =
      whole < static_cast<u32>(implicit)
          ? whole
          : (static_cast<u32>(exponent + layout.bias) << layout.mantissa_bits) + (whole - implicit);
  return bits > layout.largest ? overflowed(sign, layout, saturate) : (sign | bits);
}

}  // namespace

float fp8_to_float(u32 bits, Fp8 format) {
  const Fp8Layout layout = fp8_layout(format);
  bits &= 255;
  const u32 mantissa = bits & ((1u << layout.mantissa_bits) - 1);
  const u32 exponent = (bits & 0x7f) >> layout.mantissa_bits;
  if (!layout.ocp && bits == 0x80) return std::numeric_limits<float>::quiet_NaN();
  if (layout.ocp && !layout.has_infinity && (bits & 0x7f) == 0x7f) {
    return std::numeric_limits<float>::quiet_NaN();
  }
  if (layout.has_infinity && exponent == 31) {
    if (mantissa) return std::numeric_limits<float>::quiet_NaN();
    const float infinity = std::numeric_limits<float>::infinity();
    return bits & 0x80 ? -infinity : infinity;
  }
  const float significand =
      static_cast<float>(exponent ? mantissa + (1u << layout.mantissa_bits) : mantissa);
  const int scale =
      (exponent ? static_cast<int>(exponent) : 1) - layout.bias - layout.mantissa_bits;
  const float magnitude = std::ldexp(significand, scale);
  return bits & 0x80 ? -magnitude : magnitude;
}

u32 float_to_fp8(float value, Fp8 format, bool saturate) {
  return encode(value, format, saturate, false, 0);
}

u32 float_to_fp8_stochastic(float value, Fp8 format, u32 random, bool saturate) {
  return encode(value, format, saturate, true, random);
}

const float* fp8_table(Fp8 format) {
  static const Table table;
  return table.values[static_cast<int>(format)];
}

}  // namespace lumc::emulator
