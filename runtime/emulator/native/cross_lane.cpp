// Instructions that move values between lanes, or between lanes and scalar registers.
#include <utility>

#include "lanes.hpp"

namespace lumc::emulator {

namespace {

u32 last_lane(const Wave& w) { return w.narrow ? 31 : 63; }

void write_lane_to_scalar(Wave& w, const Instruction& i, const Operand& from, int lane) {
  const u32 to = i.scalar_destination.index;
  if (!from.is_vector()) {
    write_scalar(w, to, scalar_value(w, from), scalar_undefined(w, from));
    return;
  }
  const bool defined = bit(w.defined[from.index], lane);
  write_scalar(w, to, w.vector[from.index][lane], defined ? 0 : ~0u);
  if (!defined) w.scalar_origin[to] = w.origin[from.index];
}

void run_read_first_lane(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  write_lane_to_scalar(w, i, i.source[0], exec ? first_bit(exec) : 0);
}

void run_read_lane(Wave& w, const Instruction& i) {
  write_lane_to_scalar(w, i, i.source[0],
                       static_cast<int>(scalar_value(w, i.source[1]) & last_lane(w)));
}

void run_write_lane(Wave& w, const Instruction& i) {
  const u32 lane = scalar_value(w, i.source[1]) & last_lane(w), to = i.destination.index;
  w.vector[to][lane] = scalar_value(w, i.source[0]);
  set_defined(w, i, to, u64{1} << lane, scalar_undefined(w, i.source[0]) ? 0 : kAllLanes);
}

void build_lane_to_scalar(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == opcode.parameter[0] + 1, "wrong number of operands");
  i.scalar_destination = d.scalar(line.operands[0], 1);
  i.source_count = static_cast<u8>(opcode.parameter[0]);
  for (std::size_t k = 0; k < opcode.parameter[0]; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], Type::b32);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.scalar_destination, 1);
}

void build_write_lane(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 3, "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  i.source_count = 2;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], Type::b32);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.destination, 1);
}

// v_swap_b32, in the active lanes.
void run_swap(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32* a = w.vector[i.destination.index];
  u32* b = w.vector[i.source[0].index];
  for (int l = 0; l < kLanes; ++l) {
    if (bit(exec, l)) std::swap(a[l], b[l]);
  }
  u64& da = w.defined[i.destination.index];
  u64& db = w.defined[i.source[0].index];
  const u64 different = (da ^ db) & exec;
  da ^= different;
  db ^= different;
}

// v_permlane16_swap_b32, v_permlane32_swap_b32 (gfx950): the upper group of every pair of groups
// in the first register trades places with the lower group in the second.
void run_group_swap(Wave& w, const Instruction& i) {
  const int width = i.operation;
  u32* a = w.vector[i.destination.index];
  u32* b = w.vector[i.source[0].index];
  u64& da = w.defined[i.destination.index];
  u64& db = w.defined[i.source[0].index];
  const u64 exec = w.exec();
  for (int l = 0; l < kLanes; ++l) {
    if (l & width) continue;
    const int upper = l | width;
    if (!bit(exec, l) || !bit(exec, upper)) continue;
    std::swap(a[upper], b[l]);
    const bool from_a = bit(da, upper), from_b = bit(db, l);
    da = (da & ~(u64{1} << upper)) | u64{from_b} << upper;
    db = (db & ~(u64{1} << l)) | u64{from_a} << l;
  }
}

void build_swap(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  i.source[0] = d.vector(line.operands[1], 1);
  i.source_count = 1;
  i.operation = static_cast<u8>(opcode.parameter[0]);
  add_read(i, i.source[0], 1);
  add_read(i, i.destination, 1);
  add_write(i, i.destination, 1);
  add_write(i, i.source[0], 1);
}

// v_mbcnt: how many lanes below this one (of its half) are set in a mask.
template <bool High>
void run_mask_count(Wave& w, const Instruction& i) {
  Fetched mask, base;
  fetch_source(w, i, 0, Type::b32, mask);
  fetch_source(w, i, 1, Type::b32, base);
  Row result, unused;
  for (int l = 0; l < kLanes; ++l) {
    const u32 below = High ? (l >= 32 ? (1u << (l - 32)) - 1 : 0) : (l >= 32 ? ~0u : (1u << l) - 1);
    result.lanes[l] =
        base.low.lanes[l] + static_cast<u32>(__builtin_popcount(mask.low.lanes[l] & below));
  }
  write_result(w, i, Type::b32, result, unused, mask.defined & base.defined);
}

void build_mask_count(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 3, "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  i.source_count = 2;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], Type::b32);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.destination, 1);
  d.read_vector_modifiers(line, i);
}

Opcode with(Builder build, Handler handler, u32 parameter = 0) {
  Opcode opcode;
  opcode.build = build;
  opcode.handler = handler;
  opcode.parameter[0] = parameter;
  return opcode;
}

}  // namespace

void add_cross_lane_opcodes(OpcodeTable& t) {
  t.add("v_readfirstlane_b32", with(build_lane_to_scalar, run_read_first_lane, 1));
  t.add("v_readlane_b32", with(build_lane_to_scalar, run_read_lane, 2));
  t.add("v_writelane_b32", with(build_write_lane, run_write_lane));
  t.add("v_swap_b32", with(build_swap, run_swap));
  t.add("v_permlane16_swap_b32", with(build_swap, run_group_swap, 16));
  t.add("v_permlane32_swap_b32", with(build_swap, run_group_swap, 32));
  t.add("v_mbcnt_lo_u32_b32", with(build_mask_count, run_mask_count<false>));
  t.add("v_mbcnt_hi_u32_b32", with(build_mask_count, run_mask_count<true>));
}

}  // namespace lumc::emulator
