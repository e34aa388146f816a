// Global and flat accesses: a 64-bit address per lane, or a scalar base and a 32-bit offset.
#include <algorithm>

#include "counters.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

// Operands: source[0] the vector address, source[1] the scalar base (or absent), source[2] data.
void compute_addresses(Wave& w, const Instruction& i, u64 exec, Addresses& a) {
  const u64 offset = static_cast<u64>(static_cast<i64>(i.offset));
  if (i.source[1].present()) {
    const u64 base = scalar_value64(w, i.source[1]) + offset;
    require_addresses(w, i, i.source[1], 2, 1);
    if (!i.source[0].present()) {
      LUMC_FOR_LANES(l) a.at[l] = base;
      return;
    }
    require_addresses(w, i, i.source[0], 1, exec);
    const u32* lanes = w.vector[i.source[0].index];
    LUMC_FOR_LANES(l) a.at[l] = base + lanes[l];
    return;
  }
  require_addresses(w, i, i.source[0], 2, exec);
  const u32* low = w.vector[i.source[0].index];
  const u32* high = w.vector[i.source[0].index + 1];
  LUMC_FOR_LANES(l) a.at[l] = join(low[l], high[l]) + offset;
}

struct Apertures {
  u64 lds = 0, scratch = 0, global = 0;
  u32 in_lds[kLanes], in_scratch[kLanes];  // two copies: checks move the lanes that are not theirs
};

Apertures split(const Addresses& a, u64 exec) {
  Apertures parts;
  for (int l = 0; l < kLanes; ++l) {
    const u32 high = static_cast<u32>(a.at[l] >> 32);
    parts.in_lds[l] = parts.in_scratch[l] = static_cast<u32>(a.at[l]);
    if (!bit(exec, l)) continue;
    if (high == kSharedAperture)
      parts.lds |= u64{1} << l;
    else if (high == kPrivateAperture)
      parts.scratch |= u64{1} << l;
    else
      parts.global |= u64{1} << l;
  }
  return parts;
}

void run_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Addresses a;
  compute_addresses(w, i, exec, a);
  note_skipped_barrier(w, i, exec);
  count_global(w, i, a.at, exec, i.bytes);
  const u64 valid = check_global(w, i, a, exec, i.bytes, false);
  load_global(w, i, a, valid, i.destination.index);
  issue(w, i, exec);
}

void run_store(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Addresses a;
  compute_addresses(w, i, exec, a);
  note_skipped_barrier(w, i, exec);
  count_global(w, i, a.at, exec, i.bytes);
  const u64 valid = check_global(w, i, a, exec, i.bytes, true);
  store_global(w, i, a, valid, i.source[2]);
  issue(w, i, exec);
}

void run_flat_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Addresses a;
  compute_addresses(w, i, exec, a);
  note_skipped_barrier(w, i, exec);
  Apertures parts = split(a, exec);
  count_global(w, i, a.at, parts.global, i.bytes);
  const u64 valid = check_global(w, i, a, parts.global, i.bytes, false);
  load_global(w, i, a, valid, i.destination.index);
  i32 slot = -1;
  if (parts.lds) {
    const u64 inside = check_lds(w, i, parts.in_lds, parts.lds, i.bytes, false);
    order_lds(w, i, parts.in_lds, inside, i.bytes, false, false);
    slot = keep_lds_addresses(w, parts.in_lds);
    load_lds(w, i, parts.in_lds, inside, i.bytes, i.destination.index);
  }
  if (parts.scratch) {
    const u64 inside = check_scratch(w, i, parts.in_scratch, parts.scratch, i.bytes, false);
    load_scratch(w, i, parts.in_scratch, inside, i.destination.index);
  }
  issue(w, i, parts.lds ? parts.lds : exec, slot);
}

void run_flat_store(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Addresses a;
  compute_addresses(w, i, exec, a);
  note_skipped_barrier(w, i, exec);
  Apertures parts = split(a, exec);
  count_global(w, i, a.at, parts.global, i.bytes);
  const u64 valid = check_global(w, i, a, parts.global, i.bytes, true);
  store_global(w, i, a, valid, i.source[2]);
  i32 slot = -1;
  if (parts.lds) {
    const u64 inside = check_lds(w, i, parts.in_lds, parts.lds, i.bytes, true);
    order_lds(w, i, parts.in_lds, inside, i.bytes, true, false);
    slot = keep_lds_addresses(w, parts.in_lds);
    store_lds(w, i, parts.in_lds, inside, i.bytes, i.source[2]);
  }
  if (parts.scratch) {
    const u64 inside = check_scratch(w, i, parts.in_scratch, parts.scratch, i.bytes, true);
    store_scratch(w, i, parts.in_scratch, inside, i.source[2]);
  }
  issue(w, i, parts.lds ? parts.lds : exec, slot);
}

// Flat atomics reach global memory only: clang uses ds instructions where it knows the aperture,
// and checks the aperture itself where it does not.
void run_atomic(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Addresses a;
  compute_addresses(w, i, exec, a);
  note_skipped_barrier(w, i, exec);
  count_global(w, i, a.at, exec, i.bytes);
  global_atomic(w, i, a, exec, exec);
  issue(w, i, exec);
}

// global_load_lds: lane l's data goes to LDS at M0 + offset + l * bytes.
void run_load_to_lds(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Addresses a;
  compute_addresses(w, i, exec, a);
  note_skipped_barrier(w, i, exec);
  count_global(w, i, a.at, exec, i.bytes);
  const u64 valid = check_global(w, i, a, exec, i.bytes, false);
  transfer_to_lds(w, i, a, valid);
}

// ---- decoding

enum Space : u32 { kGlobal, kFlat };

void build_load_to_lds(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_memory(i, opcode);
  i.traffic = Traffic::vector_memory;
  i.to_lds = true;
  require(!line.operands.empty(), "wrong number of operands");
  const bool has_base = line.operands.size() > 1 && line.operands[1] != "off";
  i.source[0] = d.vector(line.operands[0], has_base ? 1 : 2);
  if (has_base) i.source[1] = d.scalar(line.operands[1], 2);
  i.source[kLdsBase] = d.scalar("m0", 1);
  add_read(i, i.source[0], has_base ? 1 : 2);
  add_read(i, i.source[1], 2);
  add_read(i, i.source[kLdsBase], 1);
  d.read_offsets(line, i);
}

void build_access(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  if (line.flag("lds")) {  // how gfx90a writes global_load_lds
    i.handler = run_load_to_lds;
    return build_load_to_lds(d, line, opcode, i);
  }
  const bool flat = opcode.parameter[2] == kFlat;
  const bool store = opcode.kind == InstructionClass::global_store;
  set_memory(i, opcode);
  i.traffic = flat ? Traffic::flat : Traffic::vector_memory;
  const int data_dwords = i.bytes > 4 ? static_cast<int>(i.bytes / 4) : 1;
  std::vector<std::string_view> operands = line.operands;
  require(operands.size() >= 2, "wrong number of operands");
  const std::string_view data = store ? operands[1] : operands[0];
  operands.erase(operands.begin() + (store ? 1 : 0));
  const bool has_base = operands.size() > 1 && operands[1] != "off";
  if (operands[0] != "off") i.source[0] = d.vector(operands[0], has_base ? 1 : 2);
  if (has_base) i.source[1] = d.scalar(operands[1], 2);
  add_read(i, i.source[0], has_base ? 1 : 2);
  add_read(i, i.source[1], 2);
  if (store) {
    i.source[2] = d.vector(data, data_dwords);
    add_read(i, i.source[2], data_dwords);
  } else {
    i.destination = d.vector(data, data_dwords);
    // A narrow load keeps the other half: it reads its destination, but loads return in order.
    add_write(i, i.destination, data_dwords);
  }
  d.read_offsets(line, i);
}

void build_atomic(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  i.bytes = opcode.parameter[0];
  i.operation = static_cast<u8>(opcode.parameter[1]);
  i.traffic = opcode.parameter[2] == kFlat ? Traffic::flat : Traffic::vector_memory;
  i.returns = line.flag("sc0") || line.flag("glc");
  const int dwords = static_cast<int>(i.bytes / 4);
  const bool compares = static_cast<Atomic>(i.operation) == Atomic::compare_exchange;
  std::size_t k = 0;
  require(line.operands.size() >= (i.returns ? 3u : 2u), "wrong number of operands");
  if (i.returns) i.destination = d.vector(line.operands[k++], dwords);
  const std::string_view address = line.operands[k], data = line.operands[k + 1];
  const bool has_base = line.operands.size() > k + 2 && line.operands[k + 2] != "off";
  i.source[0] = d.vector(address, has_base ? 1 : 2);
  if (has_base) i.source[1] = d.scalar(line.operands[k + 2], 2);
  i.source[2] = d.vector(data, compares ? 2 * dwords : dwords);
  add_read(i, i.source[0], has_base ? 1 : 2);
  add_read(i, i.source[1], 2);
  add_read(i, i.source[2], i.source[2].dwords);
  if (i.returns) add_write(i, i.destination, dwords);
  d.read_offsets(line, i);
}

// What is written back, or dropped, of caches that other units do not see: all that the chip has
// between a unit and what they share, or less.
constexpr u8 kWholeChip = 1, kWorkgroup = 0;

// The scope stands where other instructions have operands.
bool is_for_the_chip(const Line& line) {
  return line.flag("sc1") || std::find(line.operands.begin(), line.operands.end(), "sc1") !=
                                 line.operands.end();
}

void build_write_back(Decoder&, const Line& line, const Opcode&, Instruction& i) {
  i.traffic = Traffic::vector_memory;
  i.operation = is_for_the_chip(line) ? kWholeChip : kWorkgroup;
}
void run_write_back(Wave& w, const Instruction& i) {
  if (i.operation == kWholeChip) begin_release(w);
  issue(w, i, w.exec());
}

void build_invalidate(Decoder& d, const Line& line, const Opcode&, Instruction& i) {
  const bool scoped = d.target().architecture != Architecture::gfx90a;
  i.operation = !scoped || is_for_the_chip(line) ? kWholeChip : kWorkgroup;
}
void run_invalidate(Wave& w, const Instruction& i) {
  if (i.operation == kWholeChip) acquire(w);
}

Opcode access(Handler handler, InstructionClass kind, const Width& width, u32 space,
              Builder build = build_access) {
  Opcode opcode;
  opcode.build = build;
  opcode.handler = handler;
  opcode.kind = kind;
  opcode.parameter[0] = width.bytes;
  opcode.parameter[1] = (width.sign_extend ? 1u : 0u) | static_cast<u32>(width.half) << 1;
  opcode.parameter[2] = space;
  return opcode;
}

}  // namespace

void transfer_to_lds(Wave& w, const Instruction& i, const Addresses& a, u64 exec) {
  require_defined(w, i, i.source[kLdsBase], 1, 1, "an address");
  const u32 begin = w.scalar[kM0] + static_cast<u32>(i.offset);
  const u32 stride = lds_stride(i.bytes),
            size = i.bytes < 4 ? 4 : i.bytes;  // narrow data is widened
  u32 at[kLanes];
  for (int l = 0; l < kLanes; ++l) at[l] = begin + static_cast<u32>(l) * stride;
  const u64 inside = check_lds(w, i, at, exec, size, true);
  order_lds(w, i, at, inside, size, true, false);
  for (u64 rest = inside; rest; rest &= rest - 1) {
    const int l = first_bit(rest);
    const u8* from = reinterpret_cast<const u8*>(a.at[l]);
    if (i.bytes < 4) {
      const u32 raw = i.bytes == 1 ? *from : read_as<u16>(from);
      const u32 value = widen(raw, i.bytes, i.sign_extend);
      std::memcpy(&w.worker->lds[at[l]], &value, 4);
    } else {
      std::memcpy(&w.worker->lds[at[l]], from, i.bytes);
    }
    const Allocation* allocation = allocation_of(w, i, a.at[l], i.bytes);
    const bool written = !allocation->written || global_written(*allocation, a.at[l], i.bytes);
    w.worker->lds_shadow.set_written(at[l], size, written);
  }
  issue(w, i, inside, -1, begin);
}

void zero_lds(Wave& w, const Instruction& i, u64 exec) {
  if (!exec) return;
  const u32 begin = w.scalar[kM0] + static_cast<u32>(i.offset);
  const u32 stride = lds_stride(i.bytes), size = i.bytes < 4 ? 4 : i.bytes;
  u32 at[kLanes];
  for (int l = 0; l < kLanes; ++l) at[l] = begin + static_cast<u32>(l) * stride;
  const u64 inside = check_lds(w, i, at, exec, size, true);
  order_lds(w, i, at, inside, size, true, false);
  for (u64 rest = inside; rest; rest &= rest - 1) {
    const u32 to = at[first_bit(rest)];
    std::memset(&w.worker->lds[to], 0, size);
    w.worker->lds_shadow.set_written(to, size, true);
  }
}

void add_global_opcodes(OpcodeTable& t) {
  constexpr InstructionClass kLoad = InstructionClass::global_load,
                             kStore = InstructionClass::global_store;
  for (const Width& width : load_widths()) {
    t.add("global_load_" + width.suffix, access(run_load, kLoad, width, kGlobal));
    t.add("flat_load_" + width.suffix, access(run_flat_load, kLoad, width, kFlat));
    if (width.half == kWhole) {
      t.add("global_load_lds_" + width.suffix,
            access(run_load_to_lds, kLoad, width, kGlobal, build_load_to_lds));
    }
  }
  for (const Width& width : store_widths()) {
    t.add("global_store_" + width.suffix, access(run_store, kStore, width, kGlobal));
    t.add("flat_store_" + width.suffix, access(run_flat_store, kStore, width, kFlat));
  }
  for (const AtomicName& atomic : global_atomics()) {
    for (const u32 space : {kGlobal, kFlat}) {
      Opcode opcode;
      opcode.build = build_atomic;
      opcode.handler = run_atomic;
      opcode.kind = InstructionClass::global_atomic;
      opcode.parameter[0] = atomic.bytes;
      opcode.parameter[1] = static_cast<u32>(atomic.operation);
      opcode.parameter[2] = space;
      t.add((space == kFlat ? "flat_atomic_" : "global_atomic_") + std::string(atomic.name),
            opcode);
    }
  }
  Opcode write_back;
  write_back.build = build_write_back;
  write_back.handler = run_write_back;
  write_back.kind = InstructionClass::other;
  t.add("buffer_wbl2", write_back);
  Opcode invalidate;
  invalidate.build = build_invalidate;
  invalidate.handler = run_invalidate;
  invalidate.kind = InstructionClass::other;
  for (const char* name : {"buffer_inv", "buffer_wbinvl1", "buffer_wbinvl1_vol"})
    t.add(name, invalidate);
}

}  // namespace lumc::emulator
