// The table of LDS instructions, and how they are decoded.
#include "lds.hpp"

namespace lumc::emulator {

namespace {

void set_lds(Instruction& i, const Opcode& opcode) {
  set_memory(i, opcode);
  i.traffic = Traffic::lds;
}

void build_load(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_lds(i, opcode);
  i.operation = static_cast<u8>(opcode.parameter[2]);
  const int dwords = i.bytes > 4 ? static_cast<int>(i.bytes / 4) : 1;
  require(line.operands.size() == 2, "wrong number of operands");
  i.destination = d.vector(line.operands[0], dwords);
  i.source[0] = d.vector(line.operands[1], 1);
  add_read(i, i.source[0], 1);
  add_write(i, i.destination, dwords);
  d.read_offsets(line, i);
}

void build_store(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_lds(i, opcode);
  const int dwords = i.bytes > 4 ? static_cast<int>(i.bytes / 4) : 1;
  require(line.operands.size() == 2, "wrong number of operands");
  i.source[0] = d.vector(line.operands[0], 1);
  i.source[1] = d.vector(line.operands[1], dwords);
  add_read(i, i.source[0], 1);
  add_read(i, i.source[1], dwords);
  d.read_offsets(line, i);
}

void build_load_pair(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_lds(i, opcode);
  i.operation = opcode.flag;
  const int dwords = static_cast<int>(i.bytes / 2);
  require(line.operands.size() == 2, "wrong number of operands");
  i.destination = d.vector(line.operands[0], dwords);
  i.source[0] = d.vector(line.operands[1], 1);
  add_read(i, i.source[0], 1);
  add_write(i, i.destination, dwords);
  d.read_offsets(line, i);
}

void build_store_pair(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_lds(i, opcode);
  i.operation = opcode.flag;
  const int dwords = static_cast<int>(i.bytes / 4);
  require(line.operands.size() == 3, "wrong number of operands");
  i.source[0] = d.vector(line.operands[0], 1);
  add_read(i, i.source[0], 1);
  for (std::size_t k = 1; k < 3; ++k) {
    i.source[k] = d.vector(line.operands[k], dwords);
    add_read(i, i.source[k], dwords);
  }
  d.read_offsets(line, i);
}

void build_atomic(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  i.bytes = opcode.parameter[0];
  i.traffic = Traffic::lds;
  i.operation = static_cast<u8>(opcode.parameter[1]);
  i.returns = opcode.flag;
  const int dwords = static_cast<int>(i.bytes / 4);
  const bool compares = static_cast<Atomic>(i.operation) == Atomic::compare_exchange;
  std::size_t k = 0;
  require(line.operands.size() == 2u + (i.returns ? 1 : 0) + (compares ? 1 : 0),
          "wrong number of operands");
  if (i.returns) i.destination = d.vector(line.operands[k++], dwords);
  i.source[0] = d.vector(line.operands[k++], 1);
  i.source[1] = d.vector(line.operands[k++], dwords);
  add_read(i, i.source[0], 1);
  add_read(i, i.source[1], dwords);
  if (compares) {
    i.source[2] = d.vector(line.operands[k], dwords);
    add_read(i, i.source[2], dwords);
  }
  if (i.returns) add_write(i, i.destination, dwords);
  d.read_offsets(line, i);
}

void build_permute(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  const std::size_t count = opcode.parameter[0];
  i.traffic = Traffic::lds;
  require(line.operands.size() == count + 1, "wrong number of operands");
  i.destination = d.vector(line.operands[0], 1);
  for (std::size_t k = 0; k < count; ++k) {
    i.source[k] = d.vector(line.operands[k + 1], 1);
    add_read(i, i.source[k], 1);
  }
  add_write(i, i.destination, 1);
  if (count == 2) d.read_offsets(line, i);
}

std::vector<std::string_view> arguments_of(std::string_view text) {
  std::vector<std::string_view> parts;
  text = text.substr(text.find('(') + 1);
  text.remove_suffix(1);
  while (!text.empty()) {
    const std::size_t comma = text.find(',');
    std::string_view part = text.substr(0, comma);
    while (!part.empty() && (part.front() == ' ' || part.front() == '"')) part.remove_prefix(1);
    while (!part.empty() && (part.back() == ' ' || part.back() == '"')) part.remove_suffix(1);
    parts.push_back(part);
    if (comma == std::string_view::npos) break;
    text.remove_prefix(comma + 1);
  }
  return parts;
}

// The pattern of ds_swizzle, as a number or by name.
u32 swizzle_pattern(const Decoder& d, std::string_view text) {
  if (!starts_with(text, "swizzle(")) return static_cast<u32>(d.integer(text));
  const auto parts = arguments_of(text);
  require(parts.size() >= 2, "unknown swizzle");
  const auto number = [&](std::size_t k) { return static_cast<u32>(d.integer(parts.at(k))); };
  if (parts[0] == "QUAD_PERM")
    return 0x8000 | number(1) | number(2) << 2 | number(3) << 4 | number(4) << 6;
  if (parts[0] == "SWAP") return 0x1f | number(1) << 10;
  if (parts[0] == "REVERSE") return 0x1f | (number(1) - 1) << 10;
  if (parts[0] == "BROADCAST") return (0x1f & ~(number(1) - 1)) | number(2) << 5;
  require(parts[0] == "BITMASK_PERM", "unknown swizzle");
  u32 keep = 0, set = 0, flip = 0;
  for (const char c : parts[1]) {
    keep = keep << 1 | (c == 'p' || c == 'i');
    set = set << 1 | (c == '1');
    flip = flip << 1 | (c == 'i');
  }
  return keep | set << 5 | flip << 10;
}

void build_swizzle(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  build_permute(d, line, opcode, i);
  const auto* offset = line.modifier("offset");
  i.immediate = offset ? swizzle_pattern(d, *offset) : 0;
}

Opcode access(Builder build, Handler handler, InstructionClass kind, const Width& width) {
  Opcode opcode;
  opcode.build = build;
  opcode.handler = handler;
  opcode.kind = kind;
  opcode.parameter[0] = width.bytes;
  opcode.parameter[1] = (width.sign_extend ? 1u : 0u) | static_cast<u32>(width.half) << 1;
  return opcode;
}

struct LdsAtomic {
  const char* name;
  Atomic operation;
};

constexpr LdsAtomic kLdsAtomics[] = {
    {"add_u32", Atomic::add},
    {"sub_u32", Atomic::subtract},
    {"rsub_u32", Atomic::reverse_subtract},
    {"inc_u32", Atomic::increment},
    {"dec_u32", Atomic::decrement},
    {"min_i32", Atomic::minimum_signed},
    {"max_i32", Atomic::maximum_signed},
    {"min_u32", Atomic::minimum_unsigned},
    {"max_u32", Atomic::maximum_unsigned},
    {"and_b32", Atomic::conjunction},
    {"or_b32", Atomic::disjunction},
    {"xor_b32", Atomic::exclusive_or},
    {"add_f32", Atomic::add_float},
    {"min_f32", Atomic::minimum_float},
    {"max_f32", Atomic::maximum_float},
    {"pk_add_f16", Atomic::add_half2},
    {"pk_add_bf16", Atomic::add_bfloat2},
    {"wrxchg_b32", Atomic::exchange},
    {"cmpst_b32", Atomic::compare_exchange},
    {"add_u64", Atomic::add},
    {"sub_u64", Atomic::subtract},
    {"rsub_u64", Atomic::reverse_subtract},
    {"inc_u64", Atomic::increment},
    {"dec_u64", Atomic::decrement},
    {"min_i64", Atomic::minimum_signed},
    {"max_i64", Atomic::maximum_signed},
    {"min_u64", Atomic::minimum_unsigned},
    {"max_u64", Atomic::maximum_unsigned},
    {"and_b64", Atomic::conjunction},
    {"or_b64", Atomic::disjunction},
    {"xor_b64", Atomic::exclusive_or},
    {"add_f64", Atomic::add_float},
    {"min_f64", Atomic::minimum_float},
    {"max_f64", Atomic::maximum_float},
    {"wrxchg_b64", Atomic::exchange},
    {"cmpst_b64", Atomic::compare_exchange},
};

}  // namespace

void add_lds_opcodes(OpcodeTable& t, const Target& target) {
  constexpr InstructionClass kLoad = InstructionClass::lds_load,
                             kStore = InstructionClass::lds_store;
  for (const Width& width : lds_load_widths())
    t.add("ds_read_" + width.suffix, access(build_load, run_lds_load, kLoad, width));
  for (const Width& width : lds_store_widths())
    t.add("ds_write_" + width.suffix, access(build_store, run_lds_store, kStore, width));
  for (const char* bits : {"b32", "b64"}) {
    const Width width = {bits, bits[1] == '3' ? 4u : 8u, false, kWhole};
    for (const bool far : {false, true}) {
      Opcode load = access(build_load_pair, run_lds_load_pair, kLoad, width);
      Opcode store = access(build_store_pair, run_lds_store_pair, kStore, width);
      load.flag = store.flag = far;
      const std::string suffix = (far ? "2st64_" : "2_") + std::string(bits);
      t.add("ds_read" + suffix, load);
      t.add("ds_write" + suffix, store);
    }
  }
  for (const LdsAtomic& atomic : kLdsAtomics) {
    const std::string name = atomic.name;
    Opcode opcode;
    opcode.build = build_atomic;
    opcode.handler = run_lds_atomic;
    opcode.kind = InstructionClass::lds_atomic;
    opcode.parameter[0] = ends_with(name, "64") ? 8 : 4;
    opcode.parameter[1] = static_cast<u32>(atomic.operation);
    const bool exchange = atomic.operation == Atomic::exchange;
    if (!exchange) t.add("ds_" + name, opcode);
    opcode.flag = true;
    const std::size_t last = name.rfind('_');
    t.add("ds_" + name.substr(0, last) + "_rtn" + name.substr(last), opcode);
  }
  Opcode permute;
  permute.build = build_permute;
  permute.handler = run_backward_permute;
  permute.kind = InstructionClass::lds_permute;
  permute.parameter[0] = 2;
  t.add("ds_bpermute_b32", permute);
  permute.handler = run_forward_permute;
  t.add("ds_permute_b32", permute);
  permute.build = build_swizzle;
  permute.handler = run_swizzle;
  permute.parameter[0] = 1;
  t.add("ds_swizzle_b32", permute);
  if (target.architecture != Architecture::gfx950) return;
  const auto transposed = [&](const char* name, u32 bytes, u32 bits) {
    Opcode opcode = access(build_load, run_transposed_load, kLoad, {name, bytes, false, kWhole});
    opcode.parameter[2] = bits;
    t.add(name, opcode);
  };
  transposed("ds_read_b64_tr_b16", 8, 16);
  transposed("ds_read_b64_tr_b8", 8, 8);
  transposed("ds_read_b64_tr_b4", 8, 4);
  transposed("ds_read_b96_tr_b6", 12, 6);
}

}  // namespace lumc::emulator
