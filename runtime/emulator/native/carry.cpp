// Instructions that read or write a mask beside their lanes: sums with carry, 64-bit products,
// and selection.
#include "lanes.hpp"

namespace lumc::emulator {

namespace {

enum Sum : u8 { kAdd = 0, kSubtract = 1, kSubtractReversed = 2 };

void run_carry(Wave& w, const Instruction& i) {
  Fetched a, b;
  fetch_source(w, i, 0, Type::b32, a);
  fetch_source(w, i, 1, Type::b32, b);
  u64 defined = a.defined & b.defined;
  u64 carry_in = 0;
  if (i.source[2].present()) {
    carry_in = mask_value(w, i.source[2]);
    defined &= ~mask_undefined(w, i.source[2]);
  }
  u8 carries[kLanes];
  Row result, unused;
  const u8 sum = i.operation;
  for (int l = 0; l < kLanes; ++l) {
    const u64 carry = carry_in >> l & 1;
    const u64 first = sum == kSubtractReversed ? b.low.lanes[l] : a.low.lanes[l];
    const u64 second = sum == kSubtractReversed ? a.low.lanes[l] : b.low.lanes[l];
    const u64 value = sum == kAdd ? first + second + carry : first - second - carry;
    result.lanes[l] = static_cast<u32>(value);
    carries[l] = static_cast<u8>(value >> 32 & 1);
  }
  u64 carry_out = 0;
  for (int l = 0; l < kLanes; ++l) carry_out |= u64{carries[l]} << l;
  const u64 exec = w.exec();
  w.set_mask(i.scalar_destination.index, carry_out & exec);
  w.set_undefined_mask(i.scalar_destination.index, exec & ~defined);
  write_result(w, i, Type::b32, result, unused, defined);
}

void build_carry(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  const bool carry_in = opcode.flag;
  require(line.operands.size() == (carry_in ? 5u : 4u), "wrong number of operands");
  i.operation = static_cast<u8>(opcode.parameter[0]);
  i.destination = d.vector(line.operands[0], 1);
  i.scalar_destination = d.scalar(line.operands[1]);
  i.source_count = 2;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source[k] = d.operand(line.operands[k + 2], Type::b32);
    add_read(i, i.source[k], 1);
  }
  if (carry_in) {
    i.source[2] = d.operand(line.operands[4], Type::b64);
    add_read(i, i.source[2], d.mask_dwords());
  }
  add_write(i, i.destination, 1);
  add_write(i, i.scalar_destination, d.mask_dwords());
  d.read_vector_modifiers(line, i);
  require(!i.clamp, "clamp is not known for this instruction");
}

// v_mad_u64_u32 and v_mad_i64_i32: a 64-bit product and sum, with a carry out.
void run_wide_multiply_add(Wave& w, const Instruction& i) {
  Fetched a, b, c;
  fetch_source(w, i, 0, Type::b32, a);
  fetch_source(w, i, 1, Type::b32, b);
  fetch_source(w, i, 2, Type::b64, c);
  const bool is_signed = i.operation;
  Row low, high;
  u64 carry = 0;
  for (int l = 0; l < kLanes; ++l) {
    const u32 x = a.low.lanes[l], y = b.low.lanes[l];
    const u64 product =
        is_signed ? static_cast<u64>(i64{static_cast<i32>(x)} * static_cast<i32>(y)) : u64{x} * y;
    const u64 addend = join(c.low.lanes[l], c.high.lanes[l]);
    const u64 sum = product + addend;
    low.lanes[l] = static_cast<u32>(sum);
    high.lanes[l] = static_cast<u32>(sum >> 32);
    const bool overflow =
        is_signed ? static_cast<i64>((product ^ sum) & (addend ^ sum)) < 0 : sum < product;
    carry |= u64{overflow} << l;
  }
  const u64 exec = w.exec(), defined = a.defined & b.defined & c.defined;
  // Nothing of the addend's high half gets into the low half; compilers leave it undefined where
  // they want the low half alone.
  const u64 low_defined = a.defined & b.defined & defined_lanes(w, i.source[2], 1);
  w.set_mask(i.scalar_destination.index, carry & exec);
  w.set_undefined_mask(i.scalar_destination.index, exec & ~defined);
  write_result(w, i, Type::b64, low, high, defined);
  set_defined(w, i, i.destination.index, exec, low_defined);
}

void build_wide_multiply_add(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 5, "wrong number of operands");
  i.operation = static_cast<u8>(opcode.parameter[0]);
  i.destination = d.vector(line.operands[0], 2);
  i.scalar_destination = d.scalar(line.operands[1]);
  i.source_count = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    i.source[k] = d.operand(line.operands[k + 2], k == 2 ? Type::b64 : Type::b32);
    add_read(i, i.source[k], k == 2 ? 2 : 1);
  }
  add_write(i, i.destination, 2);
  add_write(i, i.scalar_destination, d.mask_dwords());
  d.read_vector_modifiers(line, i);
  require(!i.clamp, "clamp is not known for this instruction");
}

// v_cndmask: the second source where the mask is set, else the first. A lane is defined if what it
// takes is, so that values computed for other lanes do no harm.
void run_select(Wave& w, const Instruction& i) {
  const u64 mask = mask_value(w, i.source[2]);
  Fetched a, b;
  fetch_source(w, i, 0, i.source_type[0], a);
  fetch_source(w, i, 1, i.source_type[0], b);
  Row result, unused;
  for (int l = 0; l < kLanes; ++l) {
    const u32 take = 0u - static_cast<u32>(mask >> l & 1);
    result.lanes[l] = a.low.lanes[l] ^ ((a.low.lanes[l] ^ b.low.lanes[l]) & take);
  }
  const u64 defined = (mask & b.defined) | (~mask & a.defined);
  write_result(w, i, i.source_type[0], result, unused, defined & ~mask_undefined(w, i.source[2]));
}

void run_select_plain(Wave& w, const Instruction& i) {
  const u64 mask = mask_value(w, i.source[2]);
  Row scratch[2], result;
  const u32* a = row_of(w, i.source[0], 0, scratch[0]);
  const u32* b = row_of(w, i.source[1], 0, scratch[1]);
  const u32 halves[2] = {static_cast<u32>(mask), static_cast<u32>(mask >> 32)};
  for (int half = 0; half < 2; ++half) {
    const int base = 32 * half;
    for (int l = 0; l < 32; ++l) {
      const u32 take = 0u - (halves[half] >> l & 1);
      result.lanes[base + l] = a[base + l] ^ ((a[base + l] ^ b[base + l]) & take);
    }
  }
  u64 defined =
      (mask & defined_lanes(w, i.source[1], 1)) | (~mask & defined_lanes(w, i.source[0], 1));
  defined &= ~mask_undefined(w, i.source[2]);
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], result.lanes, exec);
  set_defined(w, i, i.destination.index, exec, defined);
}

void build_select(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 4 || line.operands.size() == 3, "wrong number of operands");
  const Type type = opcode.source[0];
  i.destination = d.vector(line.operands[0], 1);
  i.source_count = 3;
  i.source_type[0] = type;
  for (std::size_t k = 0; k < 2; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], type);
    add_read(i, i.source[k], 1);
  }
  i.source[2] = d.operand(line.operands.size() == 4 ? line.operands[3] : "vcc", Type::b64);
  add_read(i, i.source[2], d.mask_dwords());
  add_write(i, i.destination, 1);
  d.read_vector_modifiers(line, i);
  const bool plain =
      !i.dpp.enabled && !i.sdwa && !i.op_sel && i.source[0].plain() && i.source[1].plain();
  if (plain && type == Type::f32) i.handler = run_select_plain;
}

void add_carry(OpcodeTable& t, const char* name, Sum sum, bool carry_in) {
  Opcode opcode;
  opcode.build = build_carry;
  opcode.handler = run_carry;
  opcode.parameter[0] = sum;
  opcode.flag = carry_in;
  t.add(name, opcode);
}

}  // namespace

void add_carry_opcodes(OpcodeTable& t) {
  add_carry(t, "v_add_co_u32", kAdd, false);
  add_carry(t, "v_sub_co_u32", kSubtract, false);
  add_carry(t, "v_subrev_co_u32", kSubtractReversed, false);
  add_carry(t, "v_addc_co_u32", kAdd, true);
  add_carry(t, "v_subb_co_u32", kSubtract, true);
  add_carry(t, "v_subbrev_co_u32", kSubtractReversed, true);
  Opcode multiply;
  multiply.build = build_wide_multiply_add;
  multiply.handler = run_wide_multiply_add;
  t.add("v_mad_u64_u32", multiply);
  multiply.parameter[0] = 1;
  t.add("v_mad_i64_i32", multiply);
  Opcode select;
  select.build = build_select;
  select.handler = run_select;
  select.source[0] = Type::f32;
  t.add("v_cndmask_b32", select);
  select.source[0] = Type::f16;
  t.add("v_cndmask_b16", select);
}

}  // namespace lumc::emulator
