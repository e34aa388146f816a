// Integer and bit instructions.
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

u32 move(u32 a) { return a; }
u64 move64(u64 a) { return a; }
u32 complement(u32 a) { return ~a; }
u32 reverse(u32 a) { return reverse_bits(a); }
u32 conjunction(u32 a, u32 b) { return a & b; }
u32 disjunction(u32 a, u32 b) { return a | b; }
u32 exclusive_or(u32 a, u32 b) { return a ^ b; }
u32 equivalence(u32 a, u32 b) { return ~(a ^ b); }

// ---- shifts: the amount comes first in the "rev" forms

u32 shift_left(u32 n, u32 x) { return x << (n & 31); }
u32 shift_right(u32 n, u32 x) { return x >> (n & 31); }
i32 shift_right_signed(u32 n, i32 x) { return x >> (n & 31); }
u64 shift_left64(u32 n, u64 x) { return x << (n & 63); }
u64 shift_right64(u32 n, u64 x) { return x >> (n & 63); }
i64 shift_right_signed64(u32 n, i64 x) { return x >> (n & 63); }
u16 shift_left16(u16 n, u16 x) { return static_cast<u16>(x << (n & 15)); }
u16 shift_right16(u16 n, u16 x) { return static_cast<u16>(x >> (n & 15)); }
i16 shift_right_signed16(u16 n, i16 x) { return static_cast<i16>(x >> (n & 15)); }

// ---- sums and products

u32 add(u32 a, u32 b) { return a + b; }
u32 subtract(u32 a, u32 b) { return a - b; }
u32 subtract_reversed(u32 a, u32 b) { return b - a; }
u32 multiply_low(u32 a, u32 b) { return a * b; }
u32 multiply_high(u32 a, u32 b) { return static_cast<u32>(u64{a} * b >> 32); }
i32 multiply_high_signed(i32 a, i32 b) { return static_cast<i32>(i64{a} * b >> 32); }
u32 low24(u32 x) { return x & 0xffffff; }
i32 low24_signed(u32 x) { return static_cast<i32>(x << 8) >> 8; }
u32 multiply24(u32 a, u32 b) { return low24(a) * low24(b); }
u32 multiply24_signed(u32 a, u32 b) {
  return static_cast<u32>(low24_signed(a)) * static_cast<u32>(low24_signed(b));
}
u32 multiply_high24(u32 a, u32 b) { return static_cast<u32>(u64{low24(a)} * low24(b) >> 32); }
u32 multiply_high24_signed(u32 a, u32 b) {
  return static_cast<u32>(i64{low24_signed(a)} * low24_signed(b) >> 32);
}
u32 multiply_add24(u32 a, u32 b, u32 c) { return multiply24(a, b) + c; }
u32 multiply_add24_signed(u32 a, u32 b, u32 c) { return multiply24_signed(a, b) + c; }
u32 add3(u32 a, u32 b, u32 c) { return a + b + c; }
u32 shift_left_add(u32 a, u32 b, u32 c) { return (a << (b & 31)) + c; }
u32 add_shift_left(u32 a, u32 b, u32 c) { return (a + b) << (c & 31); }
u32 shift_left_or(u32 a, u32 b, u32 c) { return (a << (b & 31)) | c; }
u32 and_or(u32 a, u32 b, u32 c) { return (a & b) | c; }
u32 or3(u32 a, u32 b, u32 c) { return a | b | c; }
u32 xor_add(u32 a, u32 b, u32 c) { return (a ^ b) + c; }
u64 shift_left_add64(u64 a, u32 b, u64 c) { return (a << (b & 7)) + c; }

// With `clamp`, sums and products saturate.
u32 add_saturated(u32 a, u32 b) { return a + b < a ? ~0u : a + b; }
u32 subtract_saturated(u32 a, u32 b) { return a < b ? 0 : a - b; }
u32 subtract_reversed_saturated(u32 a, u32 b) { return b < a ? 0 : b - a; }
i32 saturate_signed(i64 x) {
  return static_cast<i32>(x > 0x7fffffff         ? 0x7fffffff
                          : x < -i64{0x80000000} ? -i64{0x80000000}
                                                 : x);
}
i32 add_signed_saturated(i32 a, i32 b) { return saturate_signed(i64{a} + b); }
i32 subtract_signed_saturated(i32 a, i32 b) { return saturate_signed(i64{a} - b); }
u32 multiply_add24_saturated(u32 a, u32 b, u32 c) {
  const u64 sum = u64{low24(a)} * low24(b) + c;
  return sum > 0xffffffffu ? ~0u : static_cast<u32>(sum);
}
i32 multiply_add24_signed_saturated(u32 a, u32 b, i32 c) {
  return saturate_signed(i64{low24_signed(a)} * low24_signed(b) + c);
}

// ---- extremes

template <class T>
T minimum(T a, T b) {
  return a < b ? a : b;
}
template <class T>
T maximum(T a, T b) {
  return a > b ? a : b;
}
template <class T>
T minimum3(T a, T b, T c) {
  return minimum(minimum(a, b), c);
}
template <class T>
T maximum3(T a, T b, T c) {
  return maximum(maximum(a, b), c);
}
template <class T>
T median3(T a, T b, T c) {
  return maximum(minimum(a, b), minimum(maximum(a, b), c));
}

// ---- fields and counts

u32 field(u32 x, u32 offset, u32 width) {
  offset &= 31;
  width &= 31;
  return x >> offset & ((1u << width) - 1);
}
i32 field_signed(u32 x, u32 offset, u32 width) {
  offset &= 31;
  width &= 31;
  // Bits past the top are copies of the sign.
  const u32 bits =
      static_cast<u32>(static_cast<i64>(static_cast<i32>(x)) >> offset) & ((1u << width) - 1);
  const u32 sign = width ? 1u << (width - 1) : 0;
  return static_cast<i32>((bits ^ sign) - sign);
}
u32 insert(u32 mask, u32 a, u32 b) { return (mask & a) | (~mask & b); }
u32 field_mask(u32 width, u32 offset) { return ((1u << (width & 31)) - 1) << (offset & 31); }
u32 count_ones(u32 a, u32 b) { return static_cast<u32>(__builtin_popcount(a)) + b; }
u32 first_from_high(u32 a) { return a ? static_cast<u32>(__builtin_clz(a)) : ~0u; }
u32 first_from_low(u32 a) { return a ? static_cast<u32>(__builtin_ctz(a)) : ~0u; }
u32 first_different_from_high(u32 a) {
  const u32 folded = a ^ static_cast<u32>(static_cast<i32>(a) >> 31);
  return folded ? static_cast<u32>(__builtin_clz(folded)) : ~0u;
}
u32 align_bits(u32 high, u32 low, u32 shift) {
  return static_cast<u32>(join(low, high) >> (shift & 31));
}
u32 align_bytes(u32 high, u32 low, u32 shift) {
  return static_cast<u32>(join(low, high) >> 8 * (shift & 3));
}

u32 byte_of(u32 a, u32 b, u32 select) {
  const u64 data = join(b, a);
  if (select <= 7) return static_cast<u32>(data >> 8 * select & 0xff);
  if (select >= 13) return 0xff;
  if (select == 12) return 0;
  const int sign_bit[] = {15, 31, 47, 63};
  return data >> sign_bit[select - 8] & 1 ? 0xff : 0;
}
u32 permute_bytes(u32 a, u32 b, u32 selector) {
  u32 result = 0;
  for (int k = 0; k < 4; ++k) result |= byte_of(a, b, selector >> 8 * k & 0xff) << 8 * k;
  return result;
}
u32 absolute_difference(u32 a, u32 b, u32 c) { return (a > b ? a - b : b - a) + c; }
u32 absolute_differences8(u32 a, u32 b, u32 c) {
  for (int k = 0; k < 32; k += 8) {
    const u32 x = a >> k & 0xff, y = b >> k & 0xff;
    c += x > y ? x - y : y - x;
  }
  return c;
}

// ---- 16 bits

u16 add16(u16 a, u16 b) { return static_cast<u16>(a + b); }
u16 subtract16(u16 a, u16 b) { return static_cast<u16>(a - b); }
u16 subtract_reversed16(u16 a, u16 b) { return static_cast<u16>(b - a); }
u16 multiply16(u16 a, u16 b) { return static_cast<u16>(u32{a} * b); }
u16 multiply_add16(u16 a, u16 b, u16 c) { return static_cast<u16>(u32{a} * b + c); }
u16 add16_saturated(u16 a, u16 b) { return static_cast<u16>(a + b > 0xffff ? 0xffff : a + b); }
u16 subtract16_saturated(u16 a, u16 b) { return static_cast<u16>(a < b ? 0 : a - b); }
i16 saturate16(i32 x) { return static_cast<i16>(x > 32767 ? 32767 : x < -32768 ? -32768 : x); }
i16 add16_signed_saturated(i16 a, i16 b) { return saturate16(a + b); }
i16 subtract16_signed_saturated(i16 a, i16 b) { return saturate16(a - b); }
u32 multiply_add_mixed(u16 a, u16 b, u32 c) { return u32{a} * b + c; }
i32 multiply_add_mixed_signed(i16 a, i16 b, i32 c) {
  return static_cast<i32>(static_cast<u32>(i32{a} * b) + static_cast<u32>(c));
}

// ---- V_BITOP3: any function of three bits, its truth table in an immediate

void run_bitop3(Wave& w, const Instruction& i) {
  Row scratch[3];
  Sources s;
  u64 defined = kAllLanes;
  for (int k = 0; k < 3; ++k) {
    s.low[k] = row_of(w, i.source[k], 0, scratch[k]);
    defined &= defined_lanes(w, i.source[k], 1);
  }
  Row low, high;
  broadcast(low.lanes, 0);
  for (u32 k = 0; k < 8; ++k) {
    if (!bit(i.immediate, static_cast<int>(k))) continue;
    const u32 fa = k & 4 ? 0 : ~0u, fb = k & 2 ? 0 : ~0u, fc = k & 1 ? 0 : ~0u;
    LUMC_FOR_LANES(l) {
      low.lanes[l] |= (s.low[0][l] ^ fa) & (s.low[1][l] ^ fb) & (s.low[2][l] ^ fc);
    }
  }
  write_result(w, i, i.result_type, low, high, defined);
}

void build_bitop3(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 4, "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  i.result_type = opcode.result;
  i.source_count = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], Type::b32);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.destination, 1);
  const auto* table = line.modifier("bitop3");
  i.immediate = table ? static_cast<u64>(d.integer(*table)) : 0;
  d.read_vector_modifiers(line, i);
  if (opcode.result == Type::b16) {
    require(i.op_sel == 0, "op_sel is not known for this instruction");
    i.keeps_high_half = true;
  }
}

// v_mov_b64: each dword is as defined as the one it comes from.
void run_move64(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Row moved[2];
  u64 defined[2];
  for (int half = 0; half < 2; ++half) {
    Operand one = i.source[0];
    Row scratch;
    copy_row(moved[half].lanes, row_of(w, one, half, scratch));
    if (one.kind != OperandKind::constant) one.index = static_cast<u16>(one.index + half);
    defined[half] = defined_lanes(w, one, 1);
  }
  for (u32 half = 0; half < 2; ++half) {
    merge_row(w, w.vector[i.destination.index + half], moved[half].lanes, exec);
    set_defined(w, i, i.destination.index + half, exec, defined[half]);
  }
}

void build_move64(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  build_lanes(d, line, opcode, i);
  if (i.source[0].plain() && !i.dpp.enabled) i.handler = run_move64;
}

}  // namespace

void add_integer_opcodes(OpcodeTable& t) {
  for (const char* name :
       {"v_mov_b32", "v_accvgpr_read_b32", "v_accvgpr_write_b32", "v_accvgpr_mov_b32"}) {
    t.add(name, lane_opcode<move>());
  }
  Opcode wide_move = lane_opcode<move64>();
  wide_move.build = build_move64;
  t.add("v_mov_b64", wide_move);
  t.add("v_not_b32", lane_opcode<complement>());
  t.add("v_bfrev_b32", lane_opcode<reverse>());
  t.add("v_and_b32", lane_opcode<conjunction>());
  t.add("v_or_b32", lane_opcode<disjunction>());
  t.add("v_xor_b32", lane_opcode<exclusive_or>());
  t.add("v_xnor_b32", lane_opcode<equivalence>());
  t.add("v_lshlrev_b32", lane_opcode<shift_left>());
  t.add("v_lshrrev_b32", lane_opcode<shift_right>());
  t.add("v_ashrrev_i32", lane_opcode<shift_right_signed>());
  t.add("v_lshlrev_b64", lane_opcode<shift_left64>());
  t.add("v_lshrrev_b64", lane_opcode<shift_right64>());
  t.add("v_ashrrev_i64", lane_opcode<shift_right_signed64>());
  t.add("v_lshlrev_b16", lane_opcode<shift_left16>());
  t.add("v_lshrrev_b16", lane_opcode<shift_right16>());
  t.add("v_ashrrev_i16", lane_opcode<shift_right_signed16>());

  t.add("v_add_u32", lane_opcode<add>());
  t.add("v_add_u32#clamp", lane_opcode<add_saturated>());
  t.add("v_sub_u32", lane_opcode<subtract>());
  t.add("v_sub_u32#clamp", lane_opcode<subtract_saturated>());
  t.add("v_subrev_u32", lane_opcode<subtract_reversed>());
  t.add("v_subrev_u32#clamp", lane_opcode<subtract_reversed_saturated>());
  t.add("v_add_i32", lane_opcode<add>());
  t.add("v_add_i32#clamp", lane_opcode<add_signed_saturated>());
  t.add("v_sub_i32", lane_opcode<subtract>());
  t.add("v_sub_i32#clamp", lane_opcode<subtract_signed_saturated>());
  t.add("v_mul_lo_u32", lane_opcode<multiply_low>());
  t.add("v_mul_hi_u32", lane_opcode<multiply_high>());
  t.add("v_mul_hi_i32", lane_opcode<multiply_high_signed>());
  t.add("v_mul_u32_u24", lane_opcode<multiply24>());
  t.add("v_mul_i32_i24", lane_opcode<multiply24_signed>());
  t.add("v_mul_hi_u32_u24", lane_opcode<multiply_high24>());
  t.add("v_mul_hi_i32_i24", lane_opcode<multiply_high24_signed>());
  t.add("v_mad_u32_u24", lane_opcode<multiply_add24>());
  t.add("v_mad_u32_u24#clamp", lane_opcode<multiply_add24_saturated>());
  t.add("v_mad_i32_i24", lane_opcode<multiply_add24_signed>());
  t.add("v_mad_i32_i24#clamp", lane_opcode<multiply_add24_signed_saturated>());
  t.add("v_add3_u32", lane_opcode<add3>());
  t.add("v_lshl_add_u32", lane_opcode<shift_left_add>());
  t.add("v_add_lshl_u32", lane_opcode<add_shift_left>());
  t.add("v_lshl_or_b32", lane_opcode<shift_left_or>());
  t.add("v_and_or_b32", lane_opcode<and_or>());
  t.add("v_or3_b32", lane_opcode<or3>());
  t.add("v_xad_u32", lane_opcode<xor_add>());
  t.add("v_lshl_add_u64", lane_opcode<shift_left_add64>());

  t.add("v_min_u32", lane_opcode<minimum<u32>>());
  t.add("v_max_u32", lane_opcode<maximum<u32>>());
  t.add("v_min_i32", lane_opcode<minimum<i32>>());
  t.add("v_max_i32", lane_opcode<maximum<i32>>());
  t.add("v_min3_u32", lane_opcode<minimum3<u32>>());
  t.add("v_max3_u32", lane_opcode<maximum3<u32>>());
  t.add("v_med3_u32", lane_opcode<median3<u32>>());
  t.add("v_min3_i32", lane_opcode<minimum3<i32>>());
  t.add("v_max3_i32", lane_opcode<maximum3<i32>>());
  t.add("v_med3_i32", lane_opcode<median3<i32>>());

  t.add("v_bfe_u32", lane_opcode<field>());
  t.add("v_bfe_i32", lane_opcode<field_signed>());
  t.add("v_bfi_b32", lane_opcode<insert>());
  t.add("v_bfm_b32", lane_opcode<field_mask>());
  t.add("v_bcnt_u32_b32", lane_opcode<count_ones>());
  t.add("v_ffbh_u32", lane_opcode<first_from_high>());
  t.add("v_ffbh_i32", lane_opcode<first_different_from_high>());
  t.add("v_ffbl_b32", lane_opcode<first_from_low>());
  t.add("v_alignbit_b32", lane_opcode<align_bits>());
  t.add("v_alignbyte_b32", lane_opcode<align_bytes>());
  t.add("v_perm_b32", lane_opcode<permute_bytes>());
  t.add("v_sad_u32", lane_opcode<absolute_difference>());
  t.add("v_sad_u8", lane_opcode<absolute_differences8>());

  t.add("v_add_u16", lane_opcode<add16>());
  t.add("v_add_u16#clamp", lane_opcode<add16_saturated>());
  t.add("v_sub_u16", lane_opcode<subtract16>());
  t.add("v_sub_u16#clamp", lane_opcode<subtract16_saturated>());
  t.add("v_subrev_u16", lane_opcode<subtract_reversed16>());
  t.add("v_add_i16", lane_opcode<add16>(kKeepsHigh));
  t.add("v_add_i16#clamp", lane_opcode<add16_signed_saturated>(kKeepsHigh));
  t.add("v_sub_i16", lane_opcode<subtract16>(kKeepsHigh));
  t.add("v_sub_i16#clamp", lane_opcode<subtract16_signed_saturated>(kKeepsHigh));
  t.add("v_mul_lo_u16", lane_opcode<multiply16>());
  t.add("v_mad_u16", lane_opcode<multiply_add16>(kKeepsHigh));
  t.add("v_mad_i16", lane_opcode<multiply_add16>(kKeepsHigh));
  t.add("v_mad_legacy_u16", lane_opcode<multiply_add16>());
  t.add("v_mad_legacy_i16", lane_opcode<multiply_add16>());
  t.add("v_mad_u32_u16", lane_opcode<multiply_add_mixed>());
  t.add("v_mad_i32_i16", lane_opcode<multiply_add_mixed_signed>());
  t.add("v_min_u16", lane_opcode<minimum<u16>>());
  t.add("v_max_u16", lane_opcode<maximum<u16>>());
  t.add("v_min_i16", lane_opcode<minimum<i16>>());
  t.add("v_max_i16", lane_opcode<maximum<i16>>());
  t.add("v_min3_u16", lane_opcode<minimum3<u16>>(kKeepsHigh));
  t.add("v_max3_u16", lane_opcode<maximum3<u16>>(kKeepsHigh));
  t.add("v_med3_u16", lane_opcode<median3<u16>>(kKeepsHigh));
  t.add("v_min3_i16", lane_opcode<minimum3<i16>>(kKeepsHigh));
  t.add("v_max3_i16", lane_opcode<maximum3<i16>>(kKeepsHigh));
  t.add("v_med3_i16", lane_opcode<median3<i16>>(kKeepsHigh));

  Opcode bitop3;
  bitop3.build = build_bitop3;
  bitop3.handler = run_bitop3;
  bitop3.result = Type::b32;
  t.add("v_bitop3_b32", bitop3);
  bitop3.result = Type::b16;
  t.add("v_bitop3_b16", bitop3);
}

}  // namespace lumc::emulator
