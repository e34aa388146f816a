// Single and double precision arithmetic.
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

constexpr InstructionClass kTranscendental = InstructionClass::transcendental;

template <class T>
T move(T a) {
  return a;
}

// ---- arithmetic, the same for both precisions

template <class T>
T add(T a, T b) {
  return a + b;
}
template <class T>
T subtract(T a, T b) {
  return a - b;
}
template <class T>
T subtract_reversed(T a, T b) {
  return b - a;
}
template <class T>
T multiply(T a, T b) {
  return a * b;
}
float fma32(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
double fma64(double a, double b, double c) { return __builtin_fma(a, b, c); }
inline float fused(float a, float b, float c) { return __builtin_fmaf(a, b, c); }
inline double fused(double a, double b, double c) { return __builtin_fma(a, b, c); }

// fmamk and fmaak differ in where the constant stands; the text has it in place.
float multiply_add(float a, float b, float c) { return a * b + c; }
float multiply_legacy(float a, float b) { return a == 0 || b == 0 ? 0.f : a * b; }

// A NaN loses against a number, and -0 is below +0. In IEEE mode a signalling NaN wins, quieted.
template <class T>
using Bits = std::conditional_t<sizeof(T) == 4, u32, u64>;
template <class T>
constexpr Bits<T> kQuiet = Bits<T>{1} << (sizeof(T) == 4 ? 22 : 51);
template <class T>
bool is_signalling(T a) {
  return (a != a) & !(bit_cast<Bits<T>>(a) & kQuiet<T>);
}
template <class T>
T quieted(T a) {
  return bit_cast<T>(bit_cast<Bits<T>>(a) | kQuiet<T>);
}
// All bits where the condition holds. Chosen with masks, these become vector code.
template <class T>
Bits<T> when(bool condition) {
  return 0 - static_cast<Bits<T>>(condition);
}
template <class T>
T choose(bool condition, T yes, T no) {
  const Bits<T> mask = when<T>(condition);
  return bit_cast<T>((bit_cast<Bits<T>>(yes) & mask) | (bit_cast<Bits<T>>(no) & ~mask));
}
template <class T>
T minimum_plain(T a, T b) {
  const T zeros = bit_cast<T>(bit_cast<Bits<T>>(a) | bit_cast<Bits<T>>(b));
  const T number = choose(a == b, zeros, choose((a < b) | (b != b), a, b));
  return choose(a != a, b, number);
}
template <class T>
T maximum_plain(T a, T b) {
  const T zeros = bit_cast<T>(bit_cast<Bits<T>>(a) & bit_cast<Bits<T>>(b));
  const T number = choose(a == b, zeros, choose((a > b) | (b != b), a, b));
  return choose(a != a, b, number);
}
template <class T>
T minimum(T a, T b) {
  return choose(is_signalling(a), quieted(a),
                choose(is_signalling(b), quieted(b), minimum_plain(a, b)));
}
template <class T>
T maximum(T a, T b) {
  return choose(is_signalling(a), quieted(a),
                choose(is_signalling(b), quieted(b), maximum_plain(a, b)));
}
float minimum3_plain(float a, float b, float c) { return minimum_plain(minimum_plain(a, b), c); }
float maximum3_plain(float a, float b, float c) { return maximum_plain(maximum_plain(a, b), c); }
float median3_plain(float a, float b, float c) {
  const float middle = maximum_plain(minimum_plain(a, b), minimum_plain(maximum_plain(a, b), c));
  return choose((a != a) | (b != b) | (c != c), minimum3_plain(a, b, c), middle);
}
float minimum3(float a, float b, float c) { return minimum(minimum(a, b), c); }
float maximum3(float a, float b, float c) { return maximum(maximum(a, b), c); }
float median3(float a, float b, float c) {
  return choose((a != a) | (b != b) | (c != c), minimum3(a, b, c), median3_plain(a, b, c));
}
// gfx950: a NaN wins.
float minimum3_nan(float a, float b, float c) {
  const float nan = a != a ? a : b != b ? b : c;
  return nan != nan ? nan : minimum3(a, b, c);
}
float maximum3_nan(float a, float b, float c) {
  const float nan = a != a ? a : b != b ? b : c;
  return nan != nan ? nan : maximum3(a, b, c);
}

// ---- the transcendental unit: subnormals flush, results are rounded to nearest

float exp2_op(float a) { return exp2_lane(flush(a)); }
float log2_op(float a) { return log2_lane(flush(a)); }
float reciprocal(float a) { return flush(1.f / flush(a)); }
float reciprocal_sqrt(float a) {
  const float x = flush(a);
  return static_cast<float>(1.0 / std::sqrt(static_cast<double>(x)));
}
float square_root(float a) { return std::sqrt(flush(a)); }
constexpr double kTwoPi = 6.283185307179586;
float sine(float a) {
  return static_cast<float>(std::sin(kTwoPi * std::remainder(static_cast<double>(a), 1.0)));
}
float cosine(float a) {
  return static_cast<float>(std::cos(kTwoPi * std::remainder(static_cast<double>(a), 1.0)));
}
double reciprocal64(double a) { return 1.0 / a; }
double reciprocal_sqrt64(double a) { return 1.0 / std::sqrt(a); }
double square_root64(double a) { return std::sqrt(a); }

// ---- rounding and taking apart

float truncate(float a) { return __builtin_truncf(a); }
float round_up(float a) { return __builtin_ceilf(a); }
float round_down(float a) { return __builtin_floorf(a); }
float round_even(float a) { return __builtin_rintf(a); }
float fraction(float a) {
  const float f = a - __builtin_floorf(a);
  const float largest = 0x1.fffffep-1f;
  return f > largest ? largest : f;
}
double truncate64(double a) { return __builtin_trunc(a); }
double round_up64(double a) { return __builtin_ceil(a); }
double round_down64(double a) { return __builtin_floor(a); }
double round_even64(double a) { return __builtin_rint(a); }
double fraction64(double a) {
  const double f = a - __builtin_floor(a);
  const double largest = 0x1.fffffffffffffp-1;
  return f > largest ? largest : f;
}
float load_exponent(float a, i32 b) { return std::ldexp(a, b); }
double load_exponent64(double a, i32 b) { return std::ldexp(a, b); }
float mantissa(float a) {
  int exponent;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
}
i32 exponent(float a) {
  int e = 0;
  if (std::isfinite(a)) std::frexp(a, &e);
  return e;
}
double mantissa64(double a) {
  int exponent;
  return std::isfinite(a) ? std::frexp(a, &exponent) : a;
}
i32 exponent64(double a) {
  int e = 0;
  if (std::isfinite(a)) std::frexp(a, &e);
  return e;
}

template <class T>
int exponent_field(T x) {
  const auto bits = bit_cast<Bits<T>>(x);
  return static_cast<int>(bits >> (sizeof(T) == 4 ? 23 : 52) & (sizeof(T) == 4 ? 0xff : 0x7ff));
}

// ---- division: quotient from a scaled approximation (V_DIV_FIXUP, ISA manual)

template <class T>
bool is_infinite(T x) {
  return std::fabs(x) > std::numeric_limits<T>::max();
}
// The cases in order, the later ones stronger; without branches, so that it becomes vector code.
template <class T>
T fix_quotient(T quotient, T denominator, T numerator) {
  constexpr Bits<T> top = Bits<T>{1} << (sizeof(T) * 8 - 1);
  const Bits<T> sign = (bit_cast<Bits<T>>(denominator) ^ bit_cast<Bits<T>>(numerator)) & top;
  const auto with_sign = [sign](T x) { return bit_cast<T>((bit_cast<Bits<T>>(x) & ~top) | sign); };
  const T infinity = std::numeric_limits<T>::infinity(), nan = std::numeric_limits<T>::quiet_NaN();
  // Below half of the smallest subnormal the quotient is 0.
  const bool vanishes =
      exponent_field(numerator) - exponent_field(denominator) < (sizeof(T) == 4 ? -150 : -1075);
  const bool zero_over = numerator == 0, over_zero = denominator == 0;
  const bool infinite_over = is_infinite(numerator), over_infinite = is_infinite(denominator);
  // A quotient of finite operands that is not finite overflowed. (The manual prints this test with
  // the denominator, which cannot be infinite there.)
  const bool finite = std::fabs(quotient) <= std::numeric_limits<T>::max();
  T result = choose(finite, with_sign(quotient), with_sign(infinity));
  result = choose(vanishes | zero_over | over_infinite, with_sign(T{0}), result);
  result = choose(over_zero | infinite_over, with_sign(infinity), result);
  result = choose((zero_over & over_zero) | (infinite_over & over_infinite), nan, result);
  result = choose(denominator != denominator, denominator, result);
  return choose(numerator != numerator, numerator, result);
}
float fix_quotient32(float q, float d, float n) { return fix_quotient(q, d, n); }
double fix_quotient64(double q, double d, double n) { return fix_quotient(q, d, n); }

// ---- V_TRIG_PREOP_F64: 53 bits of 2/pi, for the reduction of large angles

// The first 1201 bits after the binary point, the highest first.
constexpr u64 kTwoOverPi[] = {
    0xa2f9836e4e441529, 0xfc2757d1f534ddc0, 0xdb6295993c439041, 0xfe5163abdebbc561,
    0xb7246e3a424dd2e0, 0x06492eea09d1921c, 0xfe1deb1cb129a73e, 0xe88235f52ebb4484,
    0xe99c7026b45f7e41, 0x3991d639835339f4, 0x9c845f8bbdf9283b, 0x1ff897ffde05980f,
    0xef2f118b5a0a6d1f, 0x6d367ecf27cb09b7, 0x4f463f669e5fea2d, 0x7527bac7ebe5f17b,
    0x3d0739f78a5292ea, 0x6bfb5fb11f8d5d08, 0x56033046fc7b0000};

u64 bit_of_two_over_pi(u32 position) {
  return position < 1201 ? kTwoOverPi[position / 64] >> (63 - position % 64) & 1 : 0;
}

double two_over_pi_segment(double x, u32 segment) {
  const int exponent = exponent_field(x);
  u32 shift = (segment & 31) * 53;
  if (exponent > 1077) shift += static_cast<u32>(exponent - 1077);
  u64 bits = 0;
  for (u32 k = 0; k < 53; ++k) bits = bits << 1 | bit_of_two_over_pi(shift + k);
  const int scale = (exponent >= 1968 ? 128 : 0) - 53 - static_cast<int>(shift);
  return std::ldexp(static_cast<double>(bits), scale);
}

// ---- V_DIV_SCALE: brings a quotient's operands into range; VCC says that the result needs it
// undone

template <class T>
T scale_operand(T s0, T denominator, T numerator, bool& scaled) {
  constexpr bool single = sizeof(T) == 4;
  constexpr int step = single ? 64 : 128, far = single ? 96 : 768;
  constexpr int smallest = single ? -126 : -1022;
  const auto subnormal = [&](T x) { return x != 0 && std::fabs(x) < std::ldexp(T{1}, smallest); };
  scaled = false;
  const bool is_denominator = bit_cast<Bits<T>>(s0) == bit_cast<Bits<T>>(denominator);
  const bool is_numerator = bit_cast<Bits<T>>(s0) == bit_cast<Bits<T>>(numerator);
  if (numerator == 0 || denominator == 0) return std::numeric_limits<T>::quiet_NaN();
  if (exponent_field(numerator) - exponent_field(denominator) >= far) {
    scaled = true;
    return is_denominator ? std::ldexp(s0, step) : s0;
  }
  if (subnormal(denominator)) return std::ldexp(s0, step);
  const T inverse = T{1} / denominator, quotient = numerator / denominator;
  if (subnormal(inverse) && subnormal(quotient)) {
    // The manual prints +step here, which would overflow the denominator it is meant to tame.
    scaled = true;
    return is_denominator ? std::ldexp(s0, -step) : s0;
  }
  if (subnormal(inverse)) return std::ldexp(s0, -step);
  if (subnormal(quotient)) {
    scaled = true;
    return is_numerator ? std::ldexp(s0, step) : s0;
  }
  if (exponent_field(numerator) <= (single ? 23 : 53)) return std::ldexp(s0, step);
  return s0;
}

// Whether all lanes are of the common kind, far from the ends of the range, that is left alone.
template <class T>
bool needs_no_scale(const Sources& s) {
  constexpr bool single = sizeof(T) == 4;
  constexpr int far = single ? 96 : 768, bias = single ? 127 : 1023, tiny = single ? 23 : 53;
  u32 unusual = 0;
  LUMC_FOR_LANES(l) {
    const int denominator = exponent_field(LaneType<T>::load(s, 1, l));
    const int numerator = exponent_field(LaneType<T>::load(s, 2, l));
    const int difference = numerator - denominator;
    unusual |= (denominator == 0) | (denominator >= 2 * bias - 2) | (numerator <= tiny) |
               (numerator > 2 * bias) | (difference >= far) | (difference <= 3 - bias);
  }
  return !unusual;
}

template <class T>
void run_div_scale(Wave& w, const Instruction& i) {
  const Type type = sizeof(T) == 4 ? Type::f32 : Type::f64;
  Fetched fetched[3];
  Sources s;
  u64 defined = kAllLanes;
  for (int k = 0; k < 3; ++k) {
    fetch_source(w, i, k, type, fetched[k]);
    s.low[k] = fetched[k].low.lanes;
    s.high[k] = fetched[k].high.lanes;
    defined &= fetched[k].defined;
  }
  Row low, high;
  u64 mask = 0;
  if (needs_no_scale<T>(s)) {
    copy_row(low.lanes, s.low[0]);
    if (sizeof(T) == 8) copy_row(high.lanes, s.high[0]);
  } else
    for (int l = 0; l < kLanes; ++l) {
      bool scaled;
      const T value = scale_operand(LaneType<T>::load(s, 0, l), LaneType<T>::load(s, 1, l),
                                    LaneType<T>::load(s, 2, l), scaled);
      LaneType<T>::store(low.lanes, high.lanes, l, value);
      mask |= u64{scaled} << l;
    }
  const u64 exec = w.exec();
  w.set_mask(i.scalar_destination.index, mask & exec);
  w.set_undefined_mask(i.scalar_destination.index, exec & ~defined);
  write_result(w, i, type, low, high, defined);
}

// a * b + c, times a power of two, rounded once even where the result is subnormal.
float scaled_fma(float a, float b, float c, int power) {
  const double product = static_cast<double>(a) * static_cast<double>(b);
  const double sum = sum_rounded_to_odd(product, static_cast<double>(c));
  return static_cast<float>(std::ldexp(sum, power));
}
double scaled_fma(double a, double b, double c, int power) {
  const double sum = std::fma(a, b, c);
  if (!std::isfinite(sum)) {
    return power > 0 ? sum : std::fma(std::ldexp(a, power), b, std::ldexp(c, power));
  }
  const double scaled = std::ldexp(sum, power);
  if (std::fabs(scaled) > std::numeric_limits<double>::min()) return scaled;
  // Subnormals lie further apart than sums: where a sum lies halfway between two of them, what
  // the sum left out decides.
  const double beyond = sum - std::ldexp(scaled, -power);
  if (std::fabs(beyond) != std::ldexp(1.0, -1075 - power)) return scaled;
  const double product = a * b, product_error = std::fma(a, b, -product);
  const double first = product + c, back = first - product;
  const double first_error = (product - (first - back)) + (c - back);
  const double error = ((first - sum) + first_error) + product_error;
  if (error == 0 || (error > 0) != (beyond > 0)) return scaled;
  return scaled + std::copysign(std::numeric_limits<double>::denorm_min(), beyond);
}

// V_DIV_FMAS: the last step of a division, undoing the scale in the lanes that VCC names.
template <class T>
void run_div_fmas(Wave& w, const Instruction& i) {
  const Type type = sizeof(T) == 4 ? Type::f32 : Type::f64;
  Fetched fetched[3];
  Sources s;
  u64 defined = ~w.undefined_mask(kVcc);
  for (int k = 0; k < 3; ++k) {
    fetch_source(w, i, k, type, fetched[k]);
    s.low[k] = fetched[k].low.lanes;
    s.high[k] = fetched[k].high.lanes;
    defined &= fetched[k].defined;
  }
  const u64 vcc = w.mask(kVcc);
  Row low, high;
  if (!(vcc & w.exec())) {
    LUMC_FOR_LANES(l) {
      const T product =
          fused(LaneType<T>::load(s, 0, l), LaneType<T>::load(s, 1, l), LaneType<T>::load(s, 2, l));
      LaneType<T>::store(low.lanes, high.lanes, l, product);
    }
  } else
    for (int l = 0; l < kLanes; ++l) {
      const T a = LaneType<T>::load(s, 0, l), b = LaneType<T>::load(s, 1, l);
      const T c = LaneType<T>::load(s, 2, l);
      // 2^±64 (single) or 2^±128: up where the addend was scaled up, else down.
      const int bias = sizeof(T) == 4 ? 127 : 1023, step = sizeof(T) == 4 ? 64 : 128;
      const int power = exponent_field(c) > bias ? step : -step;
      const T value = bit(vcc, l) ? scaled_fma(a, b, c, power) : std::fma(a, b, c);
      LaneType<T>::store(low.lanes, high.lanes, l, value);
    }
  write_result(w, i, type, low, high, defined);
}

void build_div_scale(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 5, "wrong number of operands");
  const int dwords = is_wide(opcode.result) ? 2 : 1;
  i.destination = d.vector(line.operands[0], dwords);
  i.scalar_destination = d.scalar(line.operands[1]);
  i.source_count = 3;
  for (int k = 0; k < 3; ++k) {
    i.source[k] = d.operand(line.operands[static_cast<std::size_t>(k) + 2], opcode.result);
    add_read(i, i.source[k], dwords);
  }
  add_write(i, i.destination, dwords);
  add_write(i, i.scalar_destination, d.mask_dwords());
  d.read_vector_modifiers(line, i);
}

void build_div_fmas(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 4, "wrong number of operands");
  const int dwords = is_wide(opcode.result) ? 2 : 1;
  i.destination = d.vector(line.operands[0], dwords);
  i.source_count = 3;
  for (int k = 0; k < 3; ++k) {
    i.source[k] = d.operand(line.operands[static_cast<std::size_t>(k) + 1], opcode.result);
    add_read(i, i.source[k], dwords);
  }
  add_write(i, i.destination, dwords);
  d.read_vector_modifiers(line, i);
}

Opcode division(Builder build, Handler handler, Type type) {
  Opcode opcode;
  opcode.build = build;
  opcode.handler = handler;
  opcode.result = type;
  return opcode;
}

}  // namespace

void add_float_opcodes(OpcodeTable& t) {
  t.add("v_add_f32", lane_opcode<add<float>>());
  t.add("v_sub_f32", lane_opcode<subtract<float>>());
  t.add("v_subrev_f32", lane_opcode<subtract_reversed<float>>());
  t.add("v_mul_f32", lane_opcode<multiply<float>>());
  t.add("v_mul_legacy_f32", lane_opcode<multiply_legacy>());
  t.add("v_fma_f32", lane_opcode<fma32>());
  t.add("v_fmac_f32", lane_opcode<fma32>(kAccumulates));
  t.add("v_fmamk_f32", lane_opcode<fma32>());
  t.add("v_fmaak_f32", lane_opcode<fma32>());
  t.add("v_mad_f32", lane_opcode<multiply_add>());
  t.add("v_mac_f32", lane_opcode<multiply_add>(kAccumulates));
  t.add("v_madmk_f32", lane_opcode<multiply_add>());
  t.add("v_madak_f32", lane_opcode<multiply_add>());
  t.add("v_min_f32", ieee_opcode<minimum<float>, minimum_plain<float>>());
  t.add("v_max_f32", ieee_opcode<maximum<float>, maximum_plain<float>>());
  t.add("v_min3_f32", ieee_opcode<minimum3, minimum3_plain>());
  t.add("v_max3_f32", ieee_opcode<maximum3, maximum3_plain>());
  t.add("v_med3_f32", ieee_opcode<median3, median3_plain>());
  t.add("v_minimum3_f32", lane_opcode<minimum3_nan>());
  t.add("v_maximum3_f32", lane_opcode<maximum3_nan>());
  t.add("v_exp_f32", lane_opcode<exp2_op>(0, kTranscendental));
  t.add("v_log_f32", lane_opcode<log2_op>(0, kTranscendental));
  t.add("v_rcp_f32", lane_opcode<reciprocal>(0, kTranscendental));
  t.add("v_rcp_iflag_f32", lane_opcode<reciprocal>(0, kTranscendental));
  t.add("v_rsq_f32", lane_opcode<reciprocal_sqrt>(0, kTranscendental));
  t.add("v_sqrt_f32", lane_opcode<square_root>(0, kTranscendental));
  t.add("v_sin_f32", lane_opcode<sine>(0, kTranscendental));
  t.add("v_cos_f32", lane_opcode<cosine>(0, kTranscendental));
  t.add("v_trunc_f32", lane_opcode<truncate>());
  t.add("v_ceil_f32", lane_opcode<round_up>());
  t.add("v_floor_f32", lane_opcode<round_down>());
  t.add("v_rndne_f32", lane_opcode<round_even>());
  t.add("v_fract_f32", lane_opcode<fraction>());
  t.add("v_ldexp_f32", lane_opcode<load_exponent>());
  t.add("v_frexp_mant_f32", lane_opcode<mantissa>());
  t.add("v_frexp_exp_i32_f32", lane_opcode<exponent>());
  t.add("v_div_fixup_f32", lane_opcode<fix_quotient32>());
  t.add("v_div_scale_f32", division(build_div_scale, run_div_scale<float>, Type::f32));
  t.add("v_div_fmas_f32", division(build_div_fmas, run_div_fmas<float>, Type::f32));
}

void add_double_opcodes(OpcodeTable& t) {
  t.add("v_add_f64", lane_opcode<add<double>>());
  t.add("v_mul_f64", lane_opcode<multiply<double>>());
  t.add("v_fma_f64", lane_opcode<fma64>());
  t.add("v_fmac_f64", lane_opcode<fma64>(kAccumulates));
  t.add("v_min_f64", ieee_opcode<minimum<double>, minimum_plain<double>>());
  t.add("v_max_f64", ieee_opcode<maximum<double>, maximum_plain<double>>());
  t.add("v_rcp_f64", lane_opcode<reciprocal64>(0, kTranscendental));
  t.add("v_rsq_f64", lane_opcode<reciprocal_sqrt64>(0, kTranscendental));
  t.add("v_sqrt_f64", lane_opcode<square_root64>(0, kTranscendental));
  t.add("v_trunc_f64", lane_opcode<truncate64>());
  t.add("v_ceil_f64", lane_opcode<round_up64>());
  t.add("v_floor_f64", lane_opcode<round_down64>());
  t.add("v_rndne_f64", lane_opcode<round_even64>());
  t.add("v_fract_f64", lane_opcode<fraction64>());
  t.add("v_ldexp_f64", lane_opcode<load_exponent64>());
  t.add("v_frexp_mant_f64", lane_opcode<mantissa64>());
  t.add("v_frexp_exp_i32_f64", lane_opcode<exponent64>());
  t.add("v_trig_preop_f64", lane_opcode<two_over_pi_segment>());
  t.add("v_div_fixup_f64", lane_opcode<fix_quotient64>());
  t.add("v_div_scale_f64", division(build_div_scale, run_div_scale<double>, Type::f64));
  t.add("v_div_fmas_f64", division(build_div_fmas, run_div_fmas<double>, Type::f64));
}

}  // namespace lumc::emulator
