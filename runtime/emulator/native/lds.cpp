// LDS: the memory that the waves of a workgroup share.
#include "counters.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

// Operands: source[0] the address, source[1] and source[2] data.

void blame(Wave& w, const Instruction& i, u32 reg, u64 exec, u64 defined) {
  w.defined[reg] = (w.defined[reg] & ~exec) | (exec & defined);
  if (exec & ~defined) w.origin[reg] = i.index;
}

template <u32 Dwords>
void load_dwords(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 to) {
  const u8* lds = w.worker->lds.data();
  const u8* map = w.worker->lds_shadow.written_map();
  Row rows[Dwords];
  u8 known[Dwords][kLanes], whole = 15;
  u32 misaligned = 0;
  for (int l = 0; l < kLanes; ++l) {
    const u8* from = lds + at[l];
    misaligned |= at[l];
    for (u32 part = 0; part < Dwords; ++part) {
      rows[part].lanes[l] = read_as<u32>(from + 4 * part);
      known[part][l] = map[at[l] / 4 + part];
      whole &= known[part][l];
    }
  }
  for (u32 part = 0; part < Dwords; ++part) {
    merge_row(w, w.vector[to + part], rows[part].lanes, exec);
    u64 defined = kAllLanes;
    if (whole != 15 || (misaligned & 3)) {
      for (int l = 0; l < kLanes; ++l) {
        const u32 address = at[l] + 4 * part;
        const bool written = address & 3 ? w.worker->lds_shadow.is_written(address, 4) : known[part][l] == 15;
        if (!written) defined &= ~(u64{1} << l);
      }
    }
    blame(w, i, to + part, exec, defined);
  }
}

template <u32 Dwords>
void store_dwords(Wave& w, const u32* at, u64 exec, const Operand& data) {
  u8* lds = w.worker->lds.data();
  u8* map = w.worker->lds_shadow.written_map();
  u64 defined = kAllLanes;
  u32 misaligned = 0;
  for (u32 part = 0; part < Dwords; ++part) defined &= w.defined[data.index + part];
  for (int l = 0; l < kLanes; ++l) misaligned |= at[l];
  const u32(*rows)[kLanes] = &w.vector[data.index];
  const bool simple = !(exec & ~defined) && !(misaligned & 3);
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    for (u32 part = 0; part < Dwords; ++part) {
      std::memcpy(lds + at[l] + 4 * part, &rows[part][l], 4);
      if (simple) map[at[l] / 4 + part] = 15;
      else w.worker->lds_shadow.set_written(at[l] + 4 * part, 4, bit(w.defined[data.index + part], l));
    }
  }
}

void compute_addresses(Wave& w, const Instruction& i, u64 exec, u32 offset, u32* at) {
  require_addresses(w, i, i.source[0], 1, exec);
  Row scratch;
  const u32* lanes = row_of(w, i.source[0], 0, scratch);
  LUMC_FOR_LANES(l) at[l] = lanes[l] + offset;
}

// Bytes that an outstanding transfer of this wave will still write.
void check_transfers(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes) {
  const WaitQueue& queue = w.pending.vector_memory;
  for (int k = 0; k < queue.size(); ++k) {
    const Instruction& transfer = *queue[k].instruction;
    if (!transfer.to_lds) continue;
    const u32 begin = queue[k].lds_begin, end = begin + kLanes * lds_stride(transfer.bytes);
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      if (at[l] + bytes <= begin || at[l] >= end) continue;
      w.worker->report(w, i, kWait, l, &transfer,
                       "touches byte %u of LDS, where a transfer is under way: s_waitcnt is missing", at[l]);
      break;
    }
  }
}

u64 begin_access(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write) {
  note_skipped_barrier(w, i, exec);
  if (w.pending.transfers()) check_transfers(w, i, at, exec, bytes);
  count_lds(w, i, at, exec, bytes, write);
  const u64 inside = check_lds(w, i, at, exec, bytes, write);
  order_lds(w, i, at, inside, bytes, write, false);
  return inside;
}

void run_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  load_lds(w, i, at, begin_access(w, i, at, exec, i.bytes, false), i.bytes, i.destination.index);
  issue(w, i, exec, keep_lds_addresses(w, at));
}

void run_store(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  store_lds(w, i, at, begin_access(w, i, at, exec, i.bytes, true), i.bytes, i.source[1]);
  issue(w, i, exec, keep_lds_addresses(w, at));
}

// The two-address forms scale their offsets by the element, or by 64 elements.
u32 pair_offset(const Instruction& i, int which) {
  const u32 unit = i.bytes * (i.operation ? 64 : 1);
  return static_cast<u32>(which ? i.offset1 : i.offset) * unit;
}

void run_load_pair(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Row base;
  copy_row(base.lanes, w.vector[i.source[0].index]);
  require_addresses(w, i, i.source[0], 1, exec);
  for (int which = 0; which < 2; ++which) {
    u32 at[kLanes];
    const u32 offset = pair_offset(i, which);
    LUMC_FOR_LANES(l) at[l] = base.lanes[l] + offset;
    const u32 to = i.destination.index + static_cast<u32>(which) * i.bytes / 4;
    load_lds(w, i, at, begin_access(w, i, at, exec, i.bytes, false), i.bytes, to);
    if (which == 0) keep_lds_addresses(w, at);
    else issue(w, i, exec, keep_lds_addresses(w, at));
  }
}

void run_store_pair(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  require_addresses(w, i, i.source[0], 1, exec);
  for (int which = 0; which < 2; ++which) {
    u32 at[kLanes];
    const u32 offset = pair_offset(i, which);
    const u32* base = w.vector[i.source[0].index];
    LUMC_FOR_LANES(l) at[l] = base[l] + offset;
    store_lds(w, i, at, begin_access(w, i, at, exec, i.bytes, true), i.bytes, i.source[1 + which]);
    if (which == 0) keep_lds_addresses(w, at);
    else issue(w, i, exec, keep_lds_addresses(w, at));
  }
}

u64 wide_lane(const Wave& w, u32 reg, int l, bool wide) {
  return wide ? join(w.vector[reg][l], w.vector[reg + 1][l]) : w.vector[reg][l];
}

void run_atomic(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  note_skipped_barrier(w, i, exec);
  count_lds(w, i, at, exec, i.bytes, true);
  const u64 inside = check_lds(w, i, at, exec, i.bytes, true);
  order_lds(w, i, at, inside, i.bytes, true, false);
  const Atomic operation = static_cast<Atomic>(i.operation);
  const bool wide = i.bytes == 8, compares = operation == Atomic::compare_exchange;
  const int dwords = wide ? 2 : 1;
  require_defined(w, i, i.source[1], dwords, exec, "data of an atomic");
  if (compares) require_defined(w, i, i.source[2], dwords, exec, "data of an atomic");
  Row low, high;
  u64 defined = 0;
  for (u64 rest = inside; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    u8* place = &w.worker->lds[at[l]];
    u64 old = 0;
    std::memcpy(&old, place, i.bytes);
    const bool written = w.worker->lds_shadow.is_written(at[l], i.bytes);
    defined |= u64{written} << l;
    if (!written && operation != Atomic::exchange) {
      w.worker->report(w, i, kUninitialised, l, nullptr, "an atomic on byte %u of LDS, which nothing wrote", at[l]);
      w.worker->lds_shadow.set_written(at[l], i.bytes, true);
    }
    // ds_cmpst has the comparison first, the new value second.
    const u64 first = wide_lane(w, i.source[1].index, l, wide);
    const u64 second = compares ? wide_lane(w, i.source[2].index, l, wide) : 0;
    const u64 fresh = compares ? apply_atomic(operation, i.bytes, old, second, first)
                               : apply_atomic(operation, i.bytes, old, first, 0);
    std::memcpy(place, &fresh, i.bytes);
    if (operation == Atomic::exchange) w.worker->lds_shadow.set_written(at[l], i.bytes, true);
    low.lanes[l] = static_cast<u32>(old);
    high.lanes[l] = static_cast<u32>(old >> 32);
  }
  if (i.returns) {
    for (u32 part = 0; part < static_cast<u32>(dwords); ++part) {
      merge_row(w, w.vector[i.destination.index + part], (part ? high : low).lanes, inside);
      blame(w, i, i.destination.index + part, inside, defined);
    }
  }
  issue(w, i, exec, keep_lds_addresses(w, at));
}

// ---- moves between lanes that use the LDS crossbar, not its memory

void finish_move(Wave& w, const Instruction& i, const Row& result, u64 defined) {
  const u64 exec = w.exec();
  merge_row(w, w.vector[i.destination.index], result.lanes, exec);
  w.defined[i.destination.index] = (w.defined[i.destination.index] & ~exec) | (exec & defined);
  if (exec & ~defined) w.origin[i.destination.index] = origin_of_sources(w, i);
  w.worker->outcome.counts[i.index].lanes += static_cast<u64>(count_bits(exec));
  issue(w, i, exec);
}

// ds_bpermute: every lane reads the lane that its address names; inactive lanes give 0.
void run_backward_permute(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  require_addresses(w, i, i.source[0], 1, exec);
  const u32* address = w.vector[i.source[0].index];
  const u32* data = w.vector[i.source[1].index];
  const u64 data_defined = w.defined[i.source[1].index];
  Row result;
  if (exec == kAllLanes && data_defined == kAllLanes) {
    const u32 offset = static_cast<u32>(i.offset);
    for (int l = 0; l < kLanes; ++l) result.lanes[l] = data[(address[l] + offset) >> 2 & 63];
    return finish_move(w, i, result, kAllLanes);
  }
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int from = static_cast<int>((address[l] + static_cast<u32>(i.offset)) >> 2 & 63);
    const bool active = bit(exec, from);
    result.lanes[l] = active ? data[from] : 0;
    defined |= u64{!active || bit(data_defined, from)} << l;
  }
  finish_move(w, i, result, defined);
}

// ds_permute: every lane writes to the lane that its address names; the last one wins.
void run_forward_permute(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  require_addresses(w, i, i.source[0], 1, exec);
  const u64 data_defined = w.defined[i.source[1].index];
  Row result;
  broadcast(result.lanes, 0);
  u64 defined = kAllLanes;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const int to = static_cast<int>((w.vector[i.source[0].index][l] + static_cast<u32>(i.offset)) >> 2 & 63);
    result.lanes[to] = w.vector[i.source[1].index][l];
    defined = (defined & ~(u64{1} << to)) | u64{bit(data_defined, l)} << to;
  }
  finish_move(w, i, result, defined);
}

int swizzled_lane(u32 pattern, int l) {
  if (pattern & 0x8000) return (l & ~3) | static_cast<int>(pattern >> 2 * (l & 3) & 3);
  const int keep = pattern & 31, set = pattern >> 5 & 31, flip = pattern >> 10 & 31;
  return (l & 32) | (((l & keep) | set) ^ flip);
}

void run_swizzle(Wave& w, const Instruction& i) {
  const u64 exec = w.exec(), data_defined = w.defined[i.source[0].index];
  Row result;
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int from = swizzled_lane(static_cast<u32>(i.immediate), l);
    const bool active = bit(exec, from);
    result.lanes[l] = active ? w.vector[i.source[0].index][from] : 0;
    defined |= u64{!active || bit(data_defined, from)} << l;
  }
  finish_move(w, i, result, defined);
}

// ds_read_b64_tr_* (gfx950): sixteen lanes read a block of rows and get it transposed. Within a
// group of 16 lanes, the elements of all lanes form 16 * n elements in lane order; lane x gets
// those that are x, x + 16, x + 32, ... of them.
void run_transposed_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_addresses(w, i, exec, static_cast<u32>(i.offset), at);
  const u64 inside = begin_access(w, i, at, exec, i.bytes, false);
  if (exec != kAllLanes) w.worker->fail(w, i, "a transposed load with inactive lanes");
  const u32 bits = i.operation, elements = i.bytes * 8 / bits;
  const u32 dwords = i.bytes / 4;
  u8 data[kLanes][16];
  u64 written = 0;
  for (u64 rest = inside; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    std::memcpy(data[l], &w.worker->lds[at[l]], i.bytes);
    written |= u64{w.worker->lds_shadow.is_written(at[l], i.bytes)} << l;
  }
  const auto element = [&](int lane, u32 e) {
    u32 value = 0;
    for (u32 b = 0; b < bits; ++b) value |= u32{bit(data[lane][(e * bits + b) / 8], static_cast<int>((e * bits + b) % 8))} << b;
    return value;
  };
  Row rows[4];
  u64 defined = 0;
  for (int l = 0; l < kLanes; ++l) {
    const int group = l & ~15;
    u32 words[4] = {};
    bool known = true;
    for (u32 e = 0; e < elements; ++e) {
      const u32 flat = e * 16 + static_cast<u32>(l & 15);
      const int from = group + static_cast<int>(flat / elements);
      known &= bit(written, from);
      const u32 value = element(from, flat % elements), position = e * bits;
      words[position / 32] |= value << position % 32;
      if (position % 32 + bits > 32) words[position / 32 + 1] |= value >> (32 - position % 32);
    }
    for (u32 part = 0; part < dwords; ++part) rows[part].lanes[l] = words[part];
    defined |= u64{known} << l;
  }
  for (u32 part = 0; part < dwords; ++part) {
    merge_row(w, w.vector[i.destination.index + part], rows[part].lanes, exec);
    blame(w, i, i.destination.index + part, exec, defined);
  }
  issue(w, i, exec, keep_lds_addresses(w, at));
}

// ---- decoding

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
  require(line.operands.size() == 2u + (i.returns ? 1 : 0) + (compares ? 1 : 0), "wrong number of operands");
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
  if (parts[0] == "QUAD_PERM") return 0x8000 | number(1) | number(2) << 2 | number(3) << 4 | number(4) << 6;
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
    {"add_u32", Atomic::add}, {"sub_u32", Atomic::subtract}, {"rsub_u32", Atomic::reverse_subtract},
    {"inc_u32", Atomic::increment}, {"dec_u32", Atomic::decrement}, {"min_i32", Atomic::minimum_signed},
    {"max_i32", Atomic::maximum_signed}, {"min_u32", Atomic::minimum_unsigned},
    {"max_u32", Atomic::maximum_unsigned}, {"and_b32", Atomic::conjunction}, {"or_b32", Atomic::disjunction},
    {"xor_b32", Atomic::exclusive_or}, {"add_f32", Atomic::add_float}, {"min_f32", Atomic::minimum_float},
    {"max_f32", Atomic::maximum_float}, {"pk_add_f16", Atomic::add_half2}, {"pk_add_bf16", Atomic::add_bfloat2},
    {"wrxchg_b32", Atomic::exchange}, {"cmpst_b32", Atomic::compare_exchange}, {"add_u64", Atomic::add},
    {"sub_u64", Atomic::subtract}, {"rsub_u64", Atomic::reverse_subtract}, {"inc_u64", Atomic::increment},
    {"dec_u64", Atomic::decrement}, {"min_i64", Atomic::minimum_signed}, {"max_i64", Atomic::maximum_signed},
    {"min_u64", Atomic::minimum_unsigned}, {"max_u64", Atomic::maximum_unsigned}, {"and_b64", Atomic::conjunction},
    {"or_b64", Atomic::disjunction}, {"xor_b64", Atomic::exclusive_or}, {"add_f64", Atomic::add_float},
    {"min_f64", Atomic::minimum_float}, {"max_f64", Atomic::maximum_float}, {"wrxchg_b64", Atomic::exchange},
    {"cmpst_b64", Atomic::compare_exchange},
};

}  // namespace

u64 check_lds(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write) {
  if (!exec) return 0;
  const u32 size = w.worker->launch->lds_bytes;
  if (exec != kAllLanes) {
    const u32 stand_in = at[first_bit(exec)];
    LUMC_FOR_LANES(l) at[l] = exec >> l & 1 ? at[l] : stand_in;
  }
  u32 largest = 0;
  for (int l = 0; l < kLanes; ++l) largest = at[l] > largest ? at[l] : largest;
  if (u64{largest} + bytes <= size) return exec;
  u64 valid = exec;
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    if (u64{at[l]} + bytes <= size) continue;
    valid &= ~(u64{1} << l);
    w.worker->report(w, i, kBounds, l, nullptr, "%s %u bytes at byte %u of LDS, of which the workgroup has %u",
                     write ? "writes" : "reads", bytes, at[l], size);
  }
  if (!valid) return 0;
  for (int l = 0; l < kLanes; ++l) {
    if (!bit(valid, l)) at[l] = at[first_bit(valid)];
  }
  return valid;
}

void load_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, u32 to) {
  if (!exec) return;
  const u8* lds = w.worker->lds.data();
  const LdsShadow& shadow = w.worker->lds_shadow;
  if (bytes < 4) {
    u32* row = w.vector[to];
    u64 defined = 0;
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      const u32 raw = bytes == 1 ? lds[at[l]] : read_as<u16>(lds + at[l]);
      row[l] = place_narrow(row[l], widen(raw, bytes, i.sign_extend), i.half_mode);
      defined |= u64{shadow.is_written(at[l], bytes)} << l;
    }
    blame(w, i, to, exec, defined);
    return;
  }
  switch (bytes / 4) {
    case 1: load_dwords<1>(w, i, at, exec, to); break;
    case 2: load_dwords<2>(w, i, at, exec, to); break;
    case 3: load_dwords<3>(w, i, at, exec, to); break;
    default: load_dwords<4>(w, i, at, exec, to); break;
  }
}

void store_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, const Operand& data) {
  switch (bytes) {
    case 4: return store_dwords<1>(w, at, exec, data);
    case 8: return store_dwords<2>(w, at, exec, data);
    case 12: return store_dwords<3>(w, at, exec, data);
    case 16: return store_dwords<4>(w, at, exec, data);
    default: break;
  }
  const u32 shift = i.half_mode == kHighHalf ? 16 : 0;
  const u32* row = w.vector[data.index];
  for (u64 rest = exec; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const u32 value = row[l] >> shift;
    std::memcpy(&w.worker->lds[at[l]], &value, bytes);
    w.worker->lds_shadow.set_written(at[l], bytes, bit(w.defined[data.index], l));
  }
}

void order_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, bool write, bool unwaited) {
  Worker& worker = *w.worker;
  if (!worker.checking(kRace) || !exec) return;
  const LdsAccess by = {w.id, i.index, unwaited, i.kind == InstructionClass::lds_atomic};
  LdsShadow& shadow = worker.lds_shadow;
  for (u64 rest = shadow.access_lanes(write, at, exec, bytes, by); rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    LdsConflict conflict;
    if (!shadow.access(write, at[l], bytes, by, conflict)) report_race(w, i, l, write, conflict);
  }
}

void report_race(Wave& w, const Instruction& i, int lane, bool write, const LdsConflict& conflict) {
  const Instruction& other = w.worker->program->instructions[conflict.other_instruction];
  char who[24];
  if (conflict.other_wave == kSeveralWaves) std::snprintf(who, sizeof(who), "several waves");
  else std::snprintf(who, sizeof(who), "wave %u", conflict.other_wave);
  const u32 check = conflict.other_unwaited ? kWait : kRace;
  w.worker->report(w, i, check, lane, &other, "%s byte %u of LDS, which %s %s %s", write ? "writes" : "reads",
                   conflict.address, who, conflict.other_writes ? "wrote" : "read",
                   conflict.other_unwaited ? "without waiting for it (s_waitcnt) before the barrier"
                                           : "with no barrier in between");
}

i32 keep_lds_addresses(Wave& w, const u32* at) {
  const u32 slot = w.next_lds_slot++ % WaitQueue::kCapacity;
  copy_row(w.lds_slots[slot], at);
  return static_cast<i32>(slot);
}

void carry_over_lds(Wave& w) {
  if (!w.worker->checking(kRace) || !w.worker->checking(kWait)) return;
  const WaitQueue* queues[] = {&w.pending.local, &w.pending.vector_memory};
  for (const WaitQueue* queue : queues) {
    for (int k = 0; k < queue->size(); ++k) {
      const Outstanding& entry = (*queue)[k];
      const Instruction& i = *entry.instruction;
      const bool write = i.kind == InstructionClass::lds_store || i.kind == InstructionClass::lds_atomic ||
                         i.kind == InstructionClass::global_store || i.to_lds;
      const u32 bytes = i.to_lds && i.bytes < 4 ? 4 : i.bytes;
      u32 at[kLanes];
      if (entry.lds_slot >= 0) {
        copy_row(at, w.lds_slots[entry.lds_slot]);
      } else if (i.to_lds) {
        for (int l = 0; l < kLanes; ++l) at[l] = entry.lds_begin + static_cast<u32>(l) * lds_stride(i.bytes);
      } else {
        continue;
      }
      order_lds(w, i, at, entry.exec, bytes, write, true);
      if (entry.lds_slot < 0 || !is_pair(i)) continue;
      copy_row(at, w.lds_slots[(entry.lds_slot + WaitQueue::kCapacity - 1) % WaitQueue::kCapacity]);
      order_lds(w, i, at, entry.exec, bytes, write, true);
    }
  }
}

bool is_pair(const Instruction& i) { return i.handler == run_load_pair || i.handler == run_store_pair; }

void add_lds_opcodes(OpcodeTable& t, const Target& target) {
  constexpr InstructionClass kLoad = InstructionClass::lds_load, kStore = InstructionClass::lds_store;
  for (const Width& width : lds_load_widths()) t.add("ds_read_" + width.suffix, access(build_load, run_load, kLoad, width));
  for (const Width& width : lds_store_widths()) t.add("ds_write_" + width.suffix, access(build_store, run_store, kStore, width));
  for (const char* bits : {"b32", "b64"}) {
    const Width width = {bits, bits[1] == '3' ? 4u : 8u, false, kWhole};
    for (const bool far : {false, true}) {
      Opcode load = access(build_load_pair, run_load_pair, kLoad, width);
      Opcode store = access(build_store_pair, run_store_pair, kStore, width);
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
    opcode.handler = run_atomic;
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
