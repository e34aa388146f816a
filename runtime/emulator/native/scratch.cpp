// Private memory: one address space per lane, kept interleaved as the hardware does, a row of
// lanes for every dword, so that spills and fills move whole rows.
#include "counters.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

u8* byte_at(Wave& w, u32 address, int lane) {
  return w.scratch +
         (static_cast<std::size_t>(address / 4) * kLanes + static_cast<std::size_t>(lane)) * 4 +
         address % 4;
}

u32 read_bytes(Wave& w, u32 address, int lane, u32 bytes) {
  u32 value = 0;
  for (u32 b = 0; b < bytes; ++b) value |= u32{*byte_at(w, address + b, lane)} << 8 * b;
  return value;
}

void write_bytes(Wave& w, u32 address, int lane, u32 bytes, u32 value) {
  for (u32 b = 0; b < bytes; ++b) *byte_at(w, address + b, lane) = static_cast<u8>(value >> 8 * b);
}

bool lane_defined(const Wave& w, u32 address, int lane, u32 bytes) {
  bool defined = true;
  for (u32 d = address / 4; d <= (address + bytes - 1) / 4; ++d)
    defined &= bit(w.scratch_defined[d], lane);
  return defined;
}

void set_lane_defined(Wave& w, u32 address, int lane, u32 bytes, bool defined) {
  for (u32 d = address / 4; d <= (address + bytes - 1) / 4; ++d) {
    w.scratch_defined[d] = (w.scratch_defined[d] & ~(u64{1} << lane)) | u64{defined} << lane;
  }
}

bool uniform(const u32* at, u64 exec) {
  const u32 first = at[first_bit(exec)];
  if (first % 4) return false;
  for (int l = 0; l < kLanes; ++l) {
    if (bit(exec, l) && at[l] != first) return false;
  }
  return true;
}

void blame(Wave& w, const Instruction& i, u32 reg, u64 exec, u64 defined) {
  w.defined[reg] = (w.defined[reg] & ~exec) | (exec & defined);
  if (exec & ~defined) w.origin[reg] = i.index;
}

// Operands: source[0] the vector address, source[1] the scalar one, source[2] data.
void compute_addresses(Wave& w, const Instruction& i, u64 exec, u32* at) {
  require_addresses(w, i, i.source[0], 1, exec);
  require_addresses(w, i, i.source[1], 1, 1);
  const u32 base =
      (i.source[1].present() ? scalar_value(w, i.source[1]) : 0) + static_cast<u32>(i.offset);
  const u32* lanes = i.source[0].present() ? w.vector[i.source[0].index] : nullptr;
  LUMC_FOR_LANES(l) at[l] = base + (lanes ? lanes[l] : 0);
}

void run_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_addresses(w, i, exec, at);
  load_scratch(w, i, at, check_scratch(w, i, at, exec, i.bytes, false), i.destination.index);
  issue(w, i, exec);
}

void run_store(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  u32 at[kLanes];
  compute_addresses(w, i, exec, at);
  store_scratch(w, i, at, check_scratch(w, i, at, exec, i.bytes, true), i.source[2]);
  issue(w, i, exec);
}

void build_scratch(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_memory(i, opcode);
  i.traffic = Traffic::vector_memory;
  const bool store = opcode.kind == InstructionClass::scratch_store;
  const int dwords = i.bytes > 4 ? static_cast<int>(i.bytes / 4) : 1;
  require(line.operands.size() == 3, "wrong number of operands");
  const std::size_t address = store ? 0 : 1;
  i.source[0] = d.optional(line.operands[address], Type::b32, 1);
  i.source[1] = d.optional(line.operands[store ? 2 : 2], Type::b32, 0);
  const Operand data = d.vector(line.operands[store ? 1 : 0], dwords);
  add_read(i, i.source[0], 1);
  add_read(i, i.source[1], 1);
  if (store) {
    i.source[2] = data;
    add_read(i, data, dwords);
  } else {
    i.destination = data;
    add_write(i, data, dwords);
  }
  d.read_offsets(line, i);
}

}  // namespace

u64 check_scratch(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write) {
  const u32 size = w.worker->launch->scratch_bytes;
  u64 valid = 0;
  for (int l = 0; l < kLanes; ++l) valid |= u64{u64{at[l]} + bytes <= size} << l;
  const u64 outside = exec & ~valid;
  for (u64 rest = outside; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    w.worker->report(w, i, kBounds, l, nullptr,
                     "%s %u bytes at byte %u of scratch, which has %u a lane",
                     write ? "writes" : "reads", bytes, at[l], size);
  }
  InstructionCounts& counts = w.worker->outcome.counts[i.index];
  counts.lanes += static_cast<u64>(count_bits(exec));
  return exec & valid;
}

void load_scratch(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 to) {
  if (!exec) return;
  if (i.bytes >= 4 && uniform(at, exec)) {
    const u32 first = at[first_bit(exec)] / 4;
    for (u32 part = 0; part < i.bytes / 4; ++part) {
      const u8* row = w.scratch + static_cast<std::size_t>(first + part) * sizeof(Row);
      merge_row(w, w.vector[to + part], reinterpret_cast<const u32*>(row), exec);
      blame(w, i, to + part, exec, w.scratch_defined[first + part]);
    }
    return;
  }
  const u32 step = i.bytes < 4 ? i.bytes : 4;
  for (u32 skip = 0; skip < i.bytes; skip += step) {
    u32* row = w.vector[to + skip / 4];
    u64 defined = 0;
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      const u32 raw = read_bytes(w, at[l] + skip, l, step);
      row[l] = step == 4 ? raw : place_narrow(row[l], widen(raw, step, i.sign_extend), i.half_mode);
      defined |= u64{lane_defined(w, at[l] + skip, l, step)} << l;
    }
    blame(w, i, to + skip / 4, exec, defined);
  }
}

// What holds no value may be stored here: registers are saved without regard to what is in them.
void store_scratch(Wave& w, const Instruction& i, const u32* at, u64 exec, const Operand& data) {
  if (!exec) return;
  if (i.bytes >= 4 && uniform(at, exec)) {
    const u32 first = at[first_bit(exec)] / 4;
    for (u32 part = 0; part < i.bytes / 4; ++part) {
      u8* row = w.scratch + static_cast<std::size_t>(first + part) * sizeof(Row);
      merge_row(w, reinterpret_cast<u32*>(row), w.vector[data.index + part], exec);
      u64& defined = w.scratch_defined[first + part];
      defined = (defined & ~exec) | (exec & w.defined[data.index + part]);
    }
    return;
  }
  const u32 step = i.bytes < 4 ? i.bytes : 4, shift = i.half_mode == kHighHalf ? 16 : 0;
  for (u32 skip = 0; skip < i.bytes; skip += step) {
    const u32 reg = data.index + skip / 4;
    for (u64 rest = exec; rest; rest &= rest - 1) {
      const int l = first_bit(rest);
      write_bytes(w, at[l] + skip, l, step, w.vector[reg][l] >> shift);
      set_lane_defined(w, at[l] + skip, l, step, bit(w.defined[reg], l));
    }
  }
}

void add_scratch_opcodes(OpcodeTable& t) {
  const auto add = [&](const std::string& name, Handler handler, InstructionClass kind,
                       const Width& width) {
    Opcode opcode;
    opcode.build = build_scratch;
    opcode.handler = handler;
    opcode.kind = kind;
    opcode.parameter[0] = width.bytes;
    opcode.parameter[1] = (width.sign_extend ? 1u : 0u) | static_cast<u32>(width.half) << 1;
    t.add(name, opcode);
  };
  for (const Width& width : load_widths()) {
    add("scratch_load_" + width.suffix, run_load, InstructionClass::scratch_load, width);
  }
  for (const Width& width : store_widths()) {
    add("scratch_store_" + width.suffix, run_store, InstructionClass::scratch_store, width);
  }
}

}  // namespace lumc::emulator
