// Packed math: two 16-bit or two 32-bit operations an instruction, and dot products.
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

// Chooses halves and signs of source `k` for one of the two operations.
void select_half(Row& to, const Row& from, bool high, bool negate) {
  const u32 shift = high ? 16 : 0, flip = negate ? 0x8000 : 0;
  LUMC_FOR_LANES(l) to.lanes[l] = (from.lanes[l] >> shift & 0xffff) ^ flip;
}

void clamp_half(Row& row) {
  for (u32& bits : row.lanes) {
    const float x = to_float(Half{static_cast<u16>(bits)});
    bits = to_half(x > 0 ? (x < 1 ? x : 1.f) : 0.f).bits;
  }
}

void run_packed16(Wave& w, const Instruction& i) {
  Row rows[3], scratch, part[3];
  Row result[2], unused;
  u64 defined = kAllLanes;
  for (int k = 0; k < i.source_count; ++k) {
    copy_row(rows[k].lanes, row_of(w, i.source[k], 0, scratch));
    defined &= defined_lanes(w, i.source[k], 1);
  }
  const Sources s = {{part[0].lanes, part[1].lanes, part[2].lanes}, {nullptr, nullptr, nullptr}};
  for (int half = 0; half < 2; ++half) {
    const u32 select = half ? i.op_sel_hi : i.op_sel, negate = half ? i.neg_hi : i.neg_lo;
    for (int k = 0; k < i.source_count; ++k)
      select_half(part[k], rows[k], select >> k & 1, negate >> k & 1);
    i.lanes(result[half].lanes, unused.lanes, s);
    if (i.clamp) clamp_half(result[half]);
  }
  LUMC_FOR_LANES(l) result[0].lanes[l] = (result[0].lanes[l] & 0xffff) | result[1].lanes[l] << 16;
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], result[0].lanes, exec);
  set_defined(w, i, i.destination.index, exec, defined);
}

// The row that source `k` gives to one of two 32-bit operations.
const u32* packed_row(Wave& w, const Instruction& i, int k, int half, Row& scratch) {
  const Operand& o = i.source[k];
  const int part = (half ? i.op_sel_hi : i.op_sel) >> k & 1;
  // A constant has one value for both.
  const u32* row = row_of(w, o, o.kind == OperandKind::constant ? 0 : part, scratch);
  if (!((half ? i.neg_hi : i.neg_lo) >> k & 1)) return row;
  LUMC_FOR_LANES(l) scratch.lanes[l] = row[l] ^ 0x80000000u;
  return scratch.lanes;
}

u64 packed_defined(const Wave& w, const Instruction& i, int k, int half) {
  Operand part = i.source[k];
  if (part.kind == OperandKind::constant) return kAllLanes;
  part.index = static_cast<u16>(part.index + ((half ? i.op_sel_hi : i.op_sel) >> k & 1));
  return defined_lanes(w, part, 1);
}

void run_packed32(Wave& w, const Instruction& i) {
  Row scratch[3], result[2];
  u64 defined[2] = {kAllLanes, kAllLanes};
  for (int half = 0; half < 2; ++half) {
    Sources s;
    for (int k = 0; k < i.source_count; ++k) {
      s.low[k] = packed_row(w, i, k, half, scratch[k]);
      defined[half] &= packed_defined(w, i, k, half);
    }
    i.lanes(result[half].lanes, nullptr, s);
  }
  const u64 exec = w.exec();
  for (u32 half = 0; half < 2; ++half) {
    if (i.clamp) {
      for (u32& bits : result[half].lanes) {
        const float x = bit_cast<float>(bits);
        bits = bit_cast<u32>(x > 0 ? (x < 1 ? x : 1.f) : 0.f);
      }
    }
    merge_row(w, w.vector[i.destination.index + half], result[half].lanes, exec);
    set_defined(w, i, i.destination.index + half, exec, defined[half]);
  }
}

// v_pk_mov_b32: each half of the result is one dword of one source.
void run_packed_move(Wave& w, const Instruction& i) {
  Row result[2];
  u64 defined[2];
  for (int half = 0; half < 2; ++half) {
    const Operand& o = i.source[half];
    const int part = i.op_sel >> half & 1;
    Row scratch;
    copy_row(result[half].lanes, row_of(w, o, o.kind == OperandKind::constant ? 0 : part, scratch));
    Operand chosen = o;
    if (o.kind != OperandKind::constant) chosen.index = static_cast<u16>(o.index + part);
    defined[half] = defined_lanes(w, chosen, 1);
  }
  const u64 exec = w.exec();
  for (u32 half = 0; half < 2; ++half) {
    merge_row(w, w.vector[i.destination.index + half], result[half].lanes, exec);
    set_defined(w, i, i.destination.index + half, exec, defined[half]);
  }
}

void build_packed(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  const std::size_t count = line.operands.size() - 1;
  const int dwords = static_cast<int>(opcode.parameter[0]);
  require(count == opcode.parameter[1], "wrong number of operands");
  i.destination = d.vector(line.operands[0], dwords);
  i.source_count = static_cast<u8>(count);
  for (std::size_t k = 0; k < count; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], opcode.source[0]);
    add_read(i, i.source[k], i.source[k].kind == OperandKind::constant ? 1 : dwords);
  }
  add_write(i, i.destination, dwords);
  i.op_sel_hi = 7;
  d.read_vector_modifiers(line, i);
  if (i.clamp && opcode.source[0] == Type::b16) {
    const Opcode* saturating = opcodes_of(d.target()).find(std::string(line.mnemonic) + "#clamp");
    require(saturating != nullptr, "clamp is not known for this instruction");
    i.function = saturating->function;
    i.clamp = 0;
  }
}

Opcode packed(const Opcode& element, Handler handler, u32 dwords) {
  Opcode opcode = element;
  opcode.build = build_packed;
  opcode.handler = handler;
  opcode.parameter[0] = dwords;
  opcode.parameter[1] = 0;
  while (opcode.parameter[1] < 3 && element.source[opcode.parameter[1]] != Type::none)
    ++opcode.parameter[1];
  return opcode;
}

// ---- dot products

float low_half(u32 x) { return to_float(Half{static_cast<u16>(x)}); }
float high_half(u32 x) { return to_float(Half{static_cast<u16>(x >> 16)}); }
float dot2_half(u32 a, u32 b, float c) {
  return __builtin_fmaf(high_half(a), high_half(b), __builtin_fmaf(low_half(a), low_half(b), c));
}
float dot2_bfloat(u32 a, u32 b, float c) {
  const float low = __builtin_fmaf(bfloat_to_float(a & 0xffff), bfloat_to_float(b & 0xffff), c);
  return __builtin_fmaf(bfloat_to_float(a >> 16), bfloat_to_float(b >> 16), low);
}
// The exact sum of products of integers of `Bits` bits.
template <int Bits>
i64 products_signed(u32 a, u32 b) {
  i64 sum = 0;
  for (int k = 0; k < 32; k += Bits) {
    const i32 x = static_cast<i32>(a << (32 - Bits - k)) >> (32 - Bits);
    const i32 y = static_cast<i32>(b << (32 - Bits - k)) >> (32 - Bits);
    sum += i64{x} * y;
  }
  return sum;
}
template <int Bits>
u64 products(u32 a, u32 b) {
  constexpr u32 mask = (1u << Bits) - 1;
  u64 sum = 0;
  for (int k = 0; k < 32; k += Bits) sum += u64{a >> k & mask} * (b >> k & mask);
  return sum;
}
// Sums wrap around, or saturate with clamp.
template <int Bits>
i32 dot_signed(u32 a, u32 b, i32 c) {
  return static_cast<i32>(static_cast<u32>(products_signed<Bits>(a, b)) + static_cast<u32>(c));
}
template <int Bits>
i32 dot_signed_saturated(u32 a, u32 b, i32 c) {
  const i64 sum = products_signed<Bits>(a, b) + c, top = 0x7fffffff;
  return static_cast<i32>(sum > top ? top : sum < -top - 1 ? -top - 1 : sum);
}
template <int Bits>
u32 dot(u32 a, u32 b, u32 c) {
  return static_cast<u32>(products<Bits>(a, b)) + c;
}
template <int Bits>
u32 dot_saturated(u32 a, u32 b, u32 c) {
  const u64 sum = products<Bits>(a, b) + c;
  return sum > 0xffffffffu ? ~0u : static_cast<u32>(sum);
}

// The halves of the sources are chosen by op_sel, so a dot product is a lane function after the
// sources are put in order.
void run_dot(Wave& w, const Instruction& i) {
  Fetched fetched[3];
  Sources s;
  u64 defined = kAllLanes;
  for (int k = 0; k < 3; ++k) {
    fetch_source(w, i, k, k < 2 ? Type::b32 : i.result_type, fetched[k]);
    u32* row = fetched[k].low.lanes;
    if (k < 2) {
      const bool low_high = i.op_sel >> k & 1, high_high = i.op_sel_hi >> k & 1;
      const u32 flip = (i.neg_lo >> k & 1 ? 0x8000u : 0) | (i.neg_hi >> k & 1 ? 0x80000000u : 0);
      LUMC_FOR_LANES(l) {
        const u32 low = low_high ? row[l] >> 16 : row[l] & 0xffff;
        const u32 high = high_high ? row[l] & 0xffff0000u : row[l] << 16;
        row[l] = (low | high) ^ flip;
      }
    } else if (i.neg_lo >> k & 1) {
      LUMC_FOR_LANES(l) row[l] ^= 0x80000000u;
    }
    s.low[k] = row;
    defined &= fetched[k].defined;
  }
  Row low, high;
  i.lanes(low.lanes, high.lanes, s);
  write_result(w, i, i.result_type, low, high, defined);
}

void build_dot(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  const bool accumulates = opcode.flag;
  require(line.operands.size() == (accumulates ? 3u : 4u), "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  i.source_count = 3;
  i.result_type = opcode.result;
  for (std::size_t k = 0; k < 3; ++k) {
    i.source[k] = accumulates && k == 2
                      ? i.destination
                      : d.operand(line.operands[k + 1], k < 2 ? Type::b32 : opcode.result);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.destination, 1);
  i.op_sel_hi = 7;
  d.read_vector_modifiers(line, i);
  if (i.clamp && opcode.result == Type::b32) {
    const Opcode* saturating = opcodes_of(d.target()).find(std::string(line.mnemonic) + "#clamp");
    require(saturating != nullptr, "clamp is not known for this instruction");
    i.function = saturating->function;
    i.clamp = 0;
  }
}

void add_dot(OpcodeTable& t, const std::string& shape, const std::string& types,
             const Opcode& element) {
  Opcode opcode = element;
  opcode.build = build_dot;
  opcode.handler = run_dot;
  t.add("v_" + shape + "_" + types, opcode);
  opcode.flag = true;
  t.add("v_" + shape + "c_" + types, opcode);
}

}  // namespace

void add_packed_opcodes(OpcodeTable& t) {
  for (const char* name :
       {"add_f16", "mul_f16", "fma_f16", "min_f16", "max_f16", "add_u16", "sub_u16", "mul_lo_u16",
        "mad_u16", "min_u16", "max_u16", "add_i16", "sub_i16", "mad_i16", "min_i16", "max_i16",
        "lshlrev_b16", "lshrrev_b16", "ashrrev_i16"}) {
    const std::string scalar = std::string("v_") + name;
    t.add(std::string("v_pk_") + name, packed(*t.find(scalar), run_packed16, 1));
    if (const Opcode* clamped = t.find(scalar + "#clamp")) {
      t.add(std::string("v_pk_") + name + "#clamp", packed(*clamped, run_packed16, 1));
    }
  }
  for (const char* name : {"add_f32", "mul_f32", "fma_f32"}) {
    t.add(std::string("v_pk_") + name, packed(*t.find(std::string("v_") + name), run_packed32, 2));
  }
  // gfx950
  t.add("v_pk_minimum3_f16", packed(*t.find("v_minimum3_f16"), run_packed16, 1));
  t.add("v_pk_maximum3_f16", packed(*t.find("v_maximum3_f16"), run_packed16, 1));
  Opcode move = packed(*t.find("v_add_f32"), run_packed_move, 2);
  move.source[0] = Type::b32;
  t.add("v_pk_mov_b32", move);
}

void add_dot_opcodes(OpcodeTable& t) {
  add_dot(t, "dot2", "f32_f16", lane_opcode<dot2_half>());
  add_dot(t, "dot2", "f32_bf16", lane_opcode<dot2_bfloat>());
  add_dot(t, "dot2", "i32_i16", lane_opcode<dot_signed<16>>());
  t.add("v_dot2_i32_i16#clamp", lane_opcode<dot_signed_saturated<16>>());
  add_dot(t, "dot2", "u32_u16", lane_opcode<dot<16>>());
  t.add("v_dot2_u32_u16#clamp", lane_opcode<dot_saturated<16>>());
  add_dot(t, "dot4", "i32_i8", lane_opcode<dot_signed<8>>());
  t.add("v_dot4_i32_i8#clamp", lane_opcode<dot_signed_saturated<8>>());
  add_dot(t, "dot4", "u32_u8", lane_opcode<dot<8>>());
  t.add("v_dot4_u32_u8#clamp", lane_opcode<dot_saturated<8>>());
  add_dot(t, "dot8", "i32_i4", lane_opcode<dot_signed<4>>());
  t.add("v_dot8_i32_i4#clamp", lane_opcode<dot_signed_saturated<4>>());
  add_dot(t, "dot8", "u32_u4", lane_opcode<dot<4>>());
  t.add("v_dot8_u32_u4#clamp", lane_opcode<dot_saturated<4>>());
}

}  // namespace lumc::emulator
