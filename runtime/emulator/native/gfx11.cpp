// What gfx11 has besides its predecessors: new names for their instructions, 16-bit registers,
// lane permutations, and hints to the scheduler. Waves have 32 lanes.
#include <string>

#include "decode.hpp"
#include "lanes.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

// ---- new instructions whose lanes work on their own

u32 exclusive_or3(u32 a, u32 b, u32 c) { return a ^ b ^ c; }
u16 and16(u16 a, u16 b) { return a & b; }
u16 or16(u16 a, u16 b) { return a | b; }
u16 exclusive_or16(u16 a, u16 b) { return a ^ b; }
u16 not16(u16 a) { return static_cast<u16>(~a); }
u16 move16(u16 a) { return a; }
u32 widen_u16(u16 a) { return a; }
i32 widen_i16(i16 a) { return a; }

// ---- v_permlane16_b32 and v_permlanex16_b32

// Each lane reads a lane of its row of 16 (or of the other row of its pair), which a table of 16
// numbers in two scalar operands names. op_sel: [0] reads lanes that are off too, [1] gives 0
// where the lane read is off; without either such lanes keep what they hold.
void run_row_permute(Wave& w, const Instruction& i) {
  Fetched source;
  fetch_source(w, i, 0, Type::b32, source);
  const u64 table = join(scalar_value(w, i.source[1]), scalar_value(w, i.source[2]));
  const bool any_lane = i.op_sel & 1, zero = i.op_sel & 2;
  const u64 exec = w.exec();
  const int other_row = i.operation ? 16 : 0;
  Row result;
  u64 written = 0, defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int from = ((l & ~15) ^ other_row) | static_cast<int>(table >> 4 * (l & 15) & 15);
    const bool valid = any_lane || bit(exec, from);
    result.lanes[l] = valid ? source.low.lanes[from] : 0;
    written |= u64{valid || zero} << l;
    defined |= u64{!valid || bit(source.defined, from)} << l;
  }
  if (scalar_undefined(w, i.source[1]) | scalar_undefined(w, i.source[2])) defined = 0;
  merge_row(w, w.vector[i.destination.index], result.lanes, exec & written);
  set_defined(w, i, i.destination.index, exec & written, defined);
}

void build_row_permute(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 4, "wrong number of operands");
  i.operation = static_cast<u8>(opcode.parameter[0]);
  i.destination = d.vector(line.operands[0], 1);
  i.source_count = 3;
  for (std::size_t k = 0; k < 3; ++k) {
    i.source[k] = d.operand(line.operands[k + 1], Type::b32);
    add_read(i, i.source[k], 1);
  }
  add_read(i, i.destination, 1);
  add_write(i, i.destination, 1);
  d.read_vector_modifiers(line, i);
}

Opcode row_permute(u32 other_row) {
  Opcode opcode;
  opcode.build = build_row_permute;
  opcode.handler = run_row_permute;
  opcode.parameter[0] = other_row;
  return opcode;
}

// ---- MODE, a few bits at a time

void run_set_mode(Wave& w, const Instruction& i) {
  const u32 shift = i.operation, value = static_cast<u32>(i.offset) & 15;
  w.set_mode((w.mode & ~(15u << shift)) | value << shift);
}

void build_set_mode(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  require(line.operands.size() == 1, "wrong number of operands");
  i.operation = static_cast<u8>(opcode.parameter[0]);
  i.offset = static_cast<i32>(d.integer(line.operands[0]));
}

Opcode set_mode(u32 shift) {
  Opcode opcode;
  opcode.build = build_set_mode;
  opcode.handler = run_set_mode;
  opcode.kind = InstructionClass::salu;
  opcode.parameter[0] = shift;
  return opcode;
}

// ---- names

struct Renamed {
  const char* name;
  const char* before;
};

constexpr Renamed kRenamed[] = {
    {"v_add_nc_u32", "v_add_u32"},
    {"v_sub_nc_u32", "v_sub_u32"},
    {"v_subrev_nc_u32", "v_subrev_u32"},
    {"v_add_nc_i32", "v_add_i32"},
    {"v_sub_nc_i32", "v_sub_i32"},
    {"v_add_nc_u16", "v_add_u16"},
    {"v_sub_nc_u16", "v_sub_u16"},
    {"v_add_nc_i16", "v_add_i16"},
    {"v_sub_nc_i16", "v_sub_i16"},
    {"v_add_co_ci_u32", "v_addc_co_u32"},
    {"v_sub_co_ci_u32", "v_subb_co_u32"},
    {"v_subrev_co_ci_u32", "v_subbrev_co_u32"},
    {"v_clz_i32_u32", "v_ffbh_u32"},
    {"v_ctz_i32_b32", "v_ffbl_b32"},
    {"v_cls_i32", "v_ffbh_i32"},
    {"v_cvt_pk_rtz_f16_f32", "v_cvt_pkrtz_f16_f32"},
    {"v_cvt_pk_norm_i16_f32", "v_cvt_pknorm_i16_f32"},
    {"v_cvt_pk_norm_u16_f32", "v_cvt_pknorm_u16_f32"},
    {"v_cvt_nearest_i32_f32", "v_cvt_rpi_i32_f32"},
    {"v_cvt_floor_i32_f32", "v_cvt_flr_i32_f32"},
    {"v_mul_dx9_zero_f32", "v_mul_legacy_f32"},
    {"v_dot2acc_f32_f16", "v_dot2c_f32_f16"},
    {"s_and_not1_b32", "s_andn2_b32"},
    {"s_and_not1_b64", "s_andn2_b64"},
    {"s_or_not1_b32", "s_orn2_b32"},
    {"s_or_not1_b64", "s_orn2_b64"},
    {"s_ctz_i32_b32", "s_ff1_i32_b32"},
    {"s_ctz_i32_b64", "s_ff1_i32_b64"},
    {"s_clz_i32_u32", "s_flbit_i32_b32"},
    {"s_clz_i32_u64", "s_flbit_i32_b64"},
    {"s_cls_i32", "s_flbit_i32"},
    {"s_cls_i32_i64", "s_flbit_i32_i64"},
    {"s_and_saveexec_b32", "s_and_saveexec_b64"},
    {"s_or_saveexec_b32", "s_or_saveexec_b64"},
    {"s_xor_saveexec_b32", "s_xor_saveexec_b64"},
    {"s_and_not1_saveexec_b32", "s_andn2_saveexec_b64"},
    {"s_and_not0_saveexec_b32", "s_andn1_saveexec_b64"},
    {"s_or_not1_saveexec_b32", "s_orn2_saveexec_b64"},
    {"s_or_not0_saveexec_b32", "s_orn1_saveexec_b64"},
    {"s_nand_saveexec_b32", "s_nand_saveexec_b64"},
    {"s_nor_saveexec_b32", "s_nor_saveexec_b64"},
    {"s_xnor_saveexec_b32", "s_xnor_saveexec_b64"},
    {"s_and_not1_wrexec_b32", "s_andn2_wrexec_b64"},
    {"s_and_not0_wrexec_b32", "s_andn1_wrexec_b64"},
    {"ds_storexchg_rtn_b32", "ds_wrxchg_rtn_b32"},
    {"ds_storexchg_rtn_b64", "ds_wrxchg_rtn_b64"},
    {"ds_load_2addr_b32", "ds_read2_b32"},
    {"ds_load_2addr_b64", "ds_read2_b64"},
    {"ds_load_2addr_stride64_b32", "ds_read2st64_b32"},
    {"ds_load_2addr_stride64_b64", "ds_read2st64_b64"},
    {"ds_store_2addr_b32", "ds_write2_b32"},
    {"ds_store_2addr_b64", "ds_write2_b64"},
    {"ds_store_2addr_stride64_b32", "ds_write2st64_b32"},
    {"ds_store_2addr_stride64_b64", "ds_write2st64_b64"},
};

constexpr Renamed kWidths[] = {
    {"u8", "ubyte"},
    {"i8", "sbyte"},
    {"u16", "ushort"},
    {"i16", "sshort"},
    {"b32", "dword"},
    {"b64", "dwordx2"},
    {"b96", "dwordx3"},
    {"b128", "dwordx4"},
    {"d16_u8", "ubyte_d16"},
    {"d16_hi_u8", "ubyte_d16_hi"},
    {"d16_i8", "sbyte_d16"},
    {"d16_hi_i8", "sbyte_d16_hi"},
    {"d16_b16", "short_d16"},
    {"d16_hi_b16", "short_d16_hi"},
    {"b8", "byte"},
    {"b16", "short"},
    {"d16_hi_b8", "byte_d16_hi"},
};

constexpr Renamed kAtomics[] = {
    {"add_u", "add"},  {"sub_u", "sub"},   {"min_i", "smin"},        {"min_u", "umin"},
    {"max_i", "smax"}, {"max_u", "umax"},  {"and_b", "and"},         {"or_b", "or"},
    {"xor_b", "xor"},  {"swap_b", "swap"}, {"cmpswap_b", "cmpswap"}, {"inc_u", "inc"},
    {"dec_u", "dec"},
};

constexpr Renamed kScalarWidths[] = {
    {"b32", "dword"},    {"b64", "dwordx2"},   {"b128", "dwordx4"},
    {"b256", "dwordx8"}, {"b512", "dwordx16"},
};

void rename(OpcodeTable& t, const std::string& name, const std::string& before) {
  if (t.find(before)) t.alias(name, before);
  if (t.find(before + "#clamp")) t.alias(name + "#clamp", before + "#clamp");
}

void rename_memory(OpcodeTable& t) {
  for (const std::string space : {"global", "flat", "buffer", "scratch"}) {
    for (const std::string kind : {"_load_", "_store_"}) {
      for (const Renamed& width : kWidths) {
        rename(t, space + kind + width.name, space + kind + width.before);
      }
    }
    for (const Renamed& atomic : kAtomics) {
      const std::string name = space + "_atomic_" + atomic.name,
                        before = space + "_atomic_" + atomic.before;
      rename(t, name + "32", before);
      rename(t, name + "64", before + "_x2");
    }
  }
  for (const std::string kind : {"s_load_", "s_buffer_load_"}) {
    for (const Renamed& width : kScalarWidths) rename(t, kind + width.name, kind + width.before);
  }
  for (const std::string& name : t.names()) {
    if (starts_with(name, "ds_read_")) t.alias("ds_load_" + name.substr(8), name);
    if (starts_with(name, "ds_write_")) t.alias("ds_store_" + name.substr(9), name);
  }
}

// ds_cmpstore: as ds_cmpst, but the new value stands before the one to compare with.
void build_compare_store(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  const std::string before = "ds_cmpst" + std::string(line.mnemonic.substr(11));
  const Opcode* opcode = opcodes_of(d.target()).find(before);
  opcode->build(d, line, *opcode, i);
  std::swap(i.source[1], i.source[2]);
}

void build_nothing(Decoder&, const Line&, const Opcode&, Instruction&) {}
void run_nothing(Wave&, const Instruction&) {}

void drop_outer_cache(Wave& w, const Instruction&) { acquire_outer(w); }
void drop_inner_cache(Wave& w, const Instruction&) { acquire_inner(w); }

void build_wait_for_stores(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  require(line.operands.size() == 2, "wrong number of operands");
  i.operation = line.operands[0] == "null" && d.integer(line.operands[1]) == 0;
}
void wait_for_stores(Wave& w, const Instruction& i) {
  if (i.operation) settle(w);
}

}  // namespace

void add_gfx11_opcodes(OpcodeTable& t) {
  for (const Renamed& renamed : kRenamed) rename(t, renamed.name, renamed.before);
  for (const std::string type : {"f16", "f32", "f64"}) {
    rename(t, "v_cmp_t_" + type, "v_cmp_tru_" + type);
    rename(t, "v_cmpx_t_" + type, "v_cmpx_tru_" + type);
  }
  rename_memory(t);
  for (const std::string end : {"_b32", "_b64", "_rtn_b32", "_rtn_b64"}) {
    Opcode opcode = *t.find("ds_cmpst" + end);
    opcode.build = build_compare_store;
    t.add("ds_cmpstore" + end, opcode);
  }
  t.add("v_xor3_b32", lane_opcode<exclusive_or3>());
  t.add("v_and_b16", lane_opcode<and16>());
  t.add("v_or_b16", lane_opcode<or16>());
  t.add("v_xor_b16", lane_opcode<exclusive_or16>());
  t.add("v_not_b16", lane_opcode<not16>());
  t.add("v_mov_b16", lane_opcode<move16>());
  t.add("v_cvt_u32_u16", lane_opcode<widen_u16>());
  t.add("v_cvt_i32_i16", lane_opcode<widen_i16>());
  t.add("v_permlane16_b32", row_permute(0));
  t.add("v_permlanex16_b32", row_permute(1));
  t.add("s_round_mode", set_mode(0));
  t.add("s_denorm_mode", set_mode(4));
  Opcode nothing;
  nothing.build = build_nothing;
  nothing.handler = run_nothing;
  nothing.kind = InstructionClass::other;
  for (const char* name : {"s_delay_alu", "s_clause", "s_waitcnt_depctr",
                           "s_set_inst_prefetch_distance", "s_wait_idle", "s_version"}) {
    t.add(name, nothing);
  }
  // Two caches between a unit and what all share, the outer one first.
  nothing.handler = drop_outer_cache;
  t.add("buffer_gl1_inv", nothing);
  nothing.handler = drop_inner_cache;
  t.add("buffer_gl0_inv", nothing);
  Opcode stores;
  stores.build = build_wait_for_stores;
  stores.handler = wait_for_stores;
  stores.kind = InstructionClass::wait;
  t.add("s_waitcnt_vscnt", stores);
  add_wmma_opcodes(t);
  add_dual_opcode(t);
}

}  // namespace lumc::emulator
