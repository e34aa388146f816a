// Half precision arithmetic. Sums, products, quotients and roots are computed in float, whose 24
// bits are enough for one correct rounding to 11; only fused operations need more care.
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

constexpr InstructionClass kTranscendental = InstructionClass::transcendental;

bool is_nan(Half a) { return (a.bits & 0x7fff) > 0x7c00; }

Half add(Half a, Half b) { return to_half(to_float(a) + to_float(b)); }
Half subtract(Half a, Half b) { return to_half(to_float(a) - to_float(b)); }
Half subtract_reversed(Half a, Half b) { return to_half(to_float(b) - to_float(a)); }
Half multiply(Half a, Half b) { return to_half(to_float(a) * to_float(b)); }
Half multiply_add(Half a, Half b, Half c) { return add(multiply(a, b), c); }
Half fused(Half a, Half b, Half c) {
  const double product = static_cast<double>(to_float(a)) * static_cast<double>(to_float(b));
  return double_to_half(sum_rounded_to_odd(product, static_cast<double>(to_float(c))));
}

// As for floats: in IEEE mode a signalling NaN wins, quieted.
bool is_signalling(Half a) { return is_nan(a) && !(a.bits & 0x200); }
Half quieted(Half a) { return Half{static_cast<u16>(a.bits | 0x200)}; }
Half minimum_plain(Half a, Half b) {
  const float x = to_float(a), y = to_float(b);
  if (x == y) return Half{static_cast<u16>(a.bits | b.bits)};
  return is_nan(a) ? b : is_nan(b) ? a : x < y ? a : b;
}
Half maximum_plain(Half a, Half b) {
  const float x = to_float(a), y = to_float(b);
  if (x == y) return Half{static_cast<u16>(a.bits & b.bits)};
  return is_nan(a) ? b : is_nan(b) ? a : x > y ? a : b;
}
Half minimum(Half a, Half b) {
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : minimum_plain(a, b);
}
Half maximum(Half a, Half b) {
  return is_signalling(a) ? quieted(a) : is_signalling(b) ? quieted(b) : maximum_plain(a, b);
}
Half minimum3_plain(Half a, Half b, Half c) { return minimum_plain(minimum_plain(a, b), c); }
Half maximum3_plain(Half a, Half b, Half c) { return maximum_plain(maximum_plain(a, b), c); }
Half median3_plain(Half a, Half b, Half c) {
  if (is_nan(a) || is_nan(b) || is_nan(c)) return minimum3_plain(a, b, c);
  return maximum_plain(minimum_plain(a, b), minimum_plain(maximum_plain(a, b), c));
}
Half minimum3(Half a, Half b, Half c) { return minimum(minimum(a, b), c); }
Half maximum3(Half a, Half b, Half c) { return maximum(maximum(a, b), c); }
Half median3(Half a, Half b, Half c) {
  return is_nan(a) || is_nan(b) || is_nan(c) ? minimum3(a, b, c) : median3_plain(a, b, c);
}
// A NaN wins.
Half minimum3_nan(Half a, Half b, Half c) {
  return is_nan(a) ? a : is_nan(b) ? b : is_nan(c) ? c : minimum3(a, b, c);
}
Half maximum3_nan(Half a, Half b, Half c) {
  return is_nan(a) ? a : is_nan(b) ? b : is_nan(c) ? c : maximum3(a, b, c);
}

Half reciprocal(Half a) { return to_half(1.f / to_float(a)); }
Half square_root(Half a) { return to_half(std::sqrt(to_float(a))); }
Half reciprocal_sqrt(Half a) {
  return double_to_half(1.0 / std::sqrt(static_cast<double>(to_float(a))));
}
Half exp2_op(Half a) { return double_to_half(std::exp2(static_cast<double>(to_float(a)))); }
Half log2_op(Half a) { return double_to_half(std::log2(static_cast<double>(to_float(a)))); }
Half sine(Half a) {
  return double_to_half(std::sin(6.283185307179586 * static_cast<double>(to_float(a))));
}
Half cosine(Half a) {
  return double_to_half(std::cos(6.283185307179586 * static_cast<double>(to_float(a))));
}

Half truncate(Half a) { return to_half(__builtin_truncf(to_float(a))); }
Half round_up(Half a) { return to_half(__builtin_ceilf(to_float(a))); }
Half round_down(Half a) { return to_half(__builtin_floorf(to_float(a))); }
Half round_even(Half a) { return to_half(__builtin_rintf(to_float(a))); }
Half fraction(Half a) {
  const float x = to_float(a);
  const Half f = to_half(x - __builtin_floorf(x));
  return f.bits == 0x3c00 ? Half{0x3bff} : f;
}
Half load_exponent(Half a, i16 b) {
  return double_to_half(std::ldexp(static_cast<double>(to_float(a)), b));
}
Half mantissa(Half a) {
  int exponent;
  const float x = to_float(a);
  return std::isfinite(x) ? to_half(std::frexp(x, &exponent)) : a;
}
i16 exponent(Half a) {
  int e = 0;
  const float x = to_float(a);
  if (std::isfinite(x)) std::frexp(x, &e);
  return static_cast<i16>(e);
}
Half fix_quotient(Half quotient, Half denominator, Half numerator) {
  const u16 sign = (denominator.bits ^ numerator.bits) & 0x8000;
  const float n = to_float(numerator), d = to_float(denominator);
  if (n != n) return numerator;
  if (d != d) return denominator;
  const bool zero_over_zero = n == 0 && d == 0, infinite = std::isinf(n) && std::isinf(d);
  if (zero_over_zero || infinite) return Half{0x7e00};
  if (d == 0 || std::isinf(n)) return Half{static_cast<u16>(sign | 0x7c00)};
  if (n == 0 || std::isinf(d)) return Half{sign};
  if (!std::isfinite(to_float(quotient))) return Half{static_cast<u16>(sign | 0x7c00)};
  return Half{static_cast<u16>(sign | (quotient.bits & 0x7fff))};
}

u32 pack_halves(Half a, Half b) { return u32{b.bits} << 16 | a.bits; }
Half clamp_half(Half a) {
  const float x = to_float(a);
  return to_half(x > 0 ? (x < 1 ? x : 1.f) : 0.f);
}
u32 pack_halves_clamped(Half a, Half b) { return pack_halves(clamp_half(a), clamp_half(b)); }

// ---- V_FMA_MIX and V_MAD_MIX: float arithmetic on sources that may be halves

// For these op_sel_hi says which sources are halves, op_sel which half, neg_hi is |x|.
void run_mix(Wave& w, const Instruction& i) {
  Row rows[3], scratch;
  u64 defined = kAllLanes;
  for (int k = 0; k < 3; ++k) {
    const Operand& o = i.source[k];
    copy_row(rows[k].lanes, row_of(w, o, 0, scratch));
    defined &= defined_lanes(w, o, 1);
    const bool half = i.op_sel_hi >> k & 1, high = i.op_sel >> k & 1;
    const bool absolute = (i.neg_hi >> k & 1) || o.absolute,
               negate = (i.neg_lo >> k & 1) || o.negate;
    LUMC_FOR_LANES(l) {
      const u32 bits = rows[k].lanes[l];
      float x =
          half ? to_float(Half{static_cast<u16>(high ? bits >> 16 : bits)}) : bit_cast<float>(bits);
      x = absolute ? std::fabs(x) : x;
      rows[k].lanes[l] = bit_cast<u32>(negate ? -x : x);
    }
  }
  const bool fused = i.operation & 4;
  const int to = i.operation & 3;  // 0 float, 1 low half, 2 high half
  Row low;
  const u32* old = w.vector[i.destination.index];
  for (int l = 0; l < kLanes; ++l) {
    const float a = bit_cast<float>(rows[0].lanes[l]), b = bit_cast<float>(rows[1].lanes[l]);
    const float c = bit_cast<float>(rows[2].lanes[l]);
    float value = fused ? __builtin_fmaf(a, b, c) : a * b + c;
    if (i.clamp) value = value > 0 ? (value < 1 ? value : 1.f) : 0.f;
    low.lanes[l] = bit_cast<u32>(value);
    if (to == 0) continue;
    const u32 half = to_half(value).bits;
    low.lanes[l] = to == 1 ? (old[l] & 0xffff0000u) | half : (old[l] & 0xffff) | half << 16;
  }
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], low.lanes, exec);
  set_defined(w, i, i.destination.index, exec, defined);
}

void build_mix(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 4, "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  i.operation = static_cast<u8>(opcode.parameter[0]);
  i.op_sel_hi = 0;
  d.read_vector_modifiers(line, i);
  for (int k = 0; k < 3; ++k) {
    const Type type = i.op_sel_hi >> k & 1 ? Type::f16 : Type::f32;
    i.source[k] = d.operand(line.operands[static_cast<std::size_t>(k) + 1], type);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.destination, 1);
}

Opcode mix(u32 to, bool fused) {
  Opcode opcode;
  opcode.build = build_mix;
  opcode.handler = run_mix;
  opcode.parameter[0] = to | (fused ? 4u : 0u);
  return opcode;
}

}  // namespace

u16 double_to_half_bits(double value) { return double_to_half(value).bits; }

void add_half_opcodes(OpcodeTable& t) {
  t.add("v_add_f16", lane_opcode<add>());
  t.add("v_sub_f16", lane_opcode<subtract>());
  t.add("v_subrev_f16", lane_opcode<subtract_reversed>());
  t.add("v_mul_f16", lane_opcode<multiply>());
  t.add("v_mac_f16", lane_opcode<multiply_add>(kAccumulates));
  t.add("v_mad_f16", lane_opcode<multiply_add>(kKeepsHigh));
  t.add("v_mad_legacy_f16", lane_opcode<multiply_add>());
  t.add("v_madmk_f16", lane_opcode<multiply_add>());
  t.add("v_madak_f16", lane_opcode<multiply_add>());
  t.add("v_fma_f16", lane_opcode<fused>(kKeepsHigh));
  t.add("v_fma_legacy_f16", lane_opcode<fused>());
  t.add("v_fmac_f16", lane_opcode<fused>(kAccumulates));
  t.add("v_fmamk_f16", lane_opcode<fused>());
  t.add("v_fmaak_f16", lane_opcode<fused>());
  t.add("v_min_f16", ieee_opcode<minimum, minimum_plain>());
  t.add("v_max_f16", ieee_opcode<maximum, maximum_plain>());
  t.add("v_min3_f16", ieee_opcode<minimum3, minimum3_plain>(kKeepsHigh));
  t.add("v_max3_f16", ieee_opcode<maximum3, maximum3_plain>(kKeepsHigh));
  t.add("v_med3_f16", ieee_opcode<median3, median3_plain>(kKeepsHigh));
  t.add("v_minimum3_f16", lane_opcode<minimum3_nan>(kKeepsHigh));
  t.add("v_maximum3_f16", lane_opcode<maximum3_nan>(kKeepsHigh));
  t.add("v_rcp_f16", lane_opcode<reciprocal>(0, kTranscendental));
  t.add("v_sqrt_f16", lane_opcode<square_root>(0, kTranscendental));
  t.add("v_rsq_f16", lane_opcode<reciprocal_sqrt>(0, kTranscendental));
  t.add("v_exp_f16", lane_opcode<exp2_op>(0, kTranscendental));
  t.add("v_log_f16", lane_opcode<log2_op>(0, kTranscendental));
  t.add("v_sin_f16", lane_opcode<sine>(0, kTranscendental));
  t.add("v_cos_f16", lane_opcode<cosine>(0, kTranscendental));
  t.add("v_trunc_f16", lane_opcode<truncate>());
  t.add("v_ceil_f16", lane_opcode<round_up>());
  t.add("v_floor_f16", lane_opcode<round_down>());
  t.add("v_rndne_f16", lane_opcode<round_even>());
  t.add("v_fract_f16", lane_opcode<fraction>());
  t.add("v_ldexp_f16", lane_opcode<load_exponent>());
  t.add("v_frexp_mant_f16", lane_opcode<mantissa>());
  t.add("v_frexp_exp_i16_f16", lane_opcode<exponent>());
  t.add("v_div_fixup_f16", lane_opcode<fix_quotient>(kKeepsHigh));
  t.add("v_pack_b32_f16", lane_opcode<pack_halves>());
  t.add("v_pack_b32_f16#clamp", lane_opcode<pack_halves_clamped>());
  for (const bool fused : {false, true}) {
    const std::string prefix = fused ? "v_fma_mix" : "v_mad_mix";
    t.add(prefix + "_f32", mix(0, fused));
    t.add(prefix + "lo_f16", mix(1, fused));
    t.add(prefix + "hi_f16", mix(2, fused));
  }
}

}  // namespace lumc::emulator
