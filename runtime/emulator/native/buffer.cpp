// Buffer accesses: through a descriptor in four scalar registers, whose size the hardware checks.
// Reads past it give 0 and writes past it are dropped; what lies within it must lie in memory
// that the kernel was given.
#include "counters.hpp"
#include "memory.hpp"

namespace lumc::emulator {

namespace {

// Operands: source[0] the vector offset or index (or both), source[1] the descriptor, source[2]
// data, source[3] the scalar offset.
struct Buffer {
  u64 base, records;
  u32 stride;
  bool swizzled;
  bool scratch;  // the private segment of targets without flat scratch
};

Buffer read_descriptor(const Wave& w, const Instruction& i) {
  const u32* words = &w.scalar[i.source[1].index];
  Buffer buffer;
  buffer.base = join(words[0], words[1] & 0xffff);
  buffer.stride = words[1] >> 16 & 0x3fff;
  buffer.swizzled = words[1] >> 31;
  buffer.records = words[2];
  buffer.scratch = (buffer.base >> 32) == (kScratchBase >> 32);
  return buffer;
}

struct Offsets {
  u64 linear[kLanes];  // without base and scalar offset
  u32 index[kLanes];
};

void compute_offsets(Wave& w, const Instruction& i, const Buffer& buffer, u64 exec, Offsets& o) {
  require_addresses(w, i, i.source[1], 4, 1);
  require_addresses(w, i, i.source[3], 1, 1);
  require_addresses(w, i, i.source[0], i.offset_enabled && i.index_enabled ? 2 : 1, exec);
  const u32* first = i.source[0].present() ? w.vector[i.source[0].index] : nullptr;
  const u32* index = i.index_enabled ? first : nullptr;
  const u32* offset = i.offset_enabled ? (i.index_enabled ? first + kLanes : first) : nullptr;
  for (int l = 0; l < kLanes; ++l) {
    o.index[l] = index ? index[l] : 0;
    o.linear[l] =
        u64{buffer.stride} * o.index[l] + (offset ? offset[l] : 0) + static_cast<u32>(i.offset);
  }
}

// Lanes whose `bytes` at `skip` behind their offset the descriptor allows.
u64 in_range(const Instruction& i, const Buffer& buffer, const Offsets& o, u32 scalar_offset,
             u64 exec, u32 skip, u32 bytes) {
  u64 allowed = 0;
  for (int l = 0; l < kLanes; ++l) {
    const bool structured = buffer.stride && i.index_enabled;
    const u64 end = o.linear[l] + skip + bytes + (buffer.stride ? 0 : scalar_offset);
    const bool inside = structured ? o.index[l] < buffer.records : end <= buffer.records;
    allowed |= u64{inside} << l;
  }
  return allowed & exec;
}

void address(const Buffer& buffer, const Offsets& o, u32 scalar_offset, u32 skip, Addresses& a) {
  LUMC_FOR_LANES(l) a.at[l] = buffer.base + scalar_offset + o.linear[l] + skip;
}

// Scratch through a swizzled descriptor: the scalar offset counts bytes of the whole wave.
void scratch_addresses(const Offsets& o, u32 scalar_offset, u32* at) {
  LUMC_FOR_LANES(l) at[l] = static_cast<u32>(o.linear[l]) + scalar_offset / kLanes;
}

bool begin_access(Wave& w, const Instruction& i, u64 exec, Buffer& buffer, Offsets& o,
                  u32& scalar_offset) {
  buffer = read_descriptor(w, i);
  compute_offsets(w, i, buffer, exec, o);
  scalar_offset = scalar_value(w, i.source[3]);
  if (buffer.swizzled && !buffer.scratch) w.worker->fail(w, i, "swizzled buffers are not emulated");
  return buffer.scratch;
}

void run_load(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Buffer buffer;
  Offsets o;
  u32 scalar_offset;
  if (begin_access(w, i, exec, buffer, o, scalar_offset)) {
    u32 at[kLanes];
    scratch_addresses(o, scalar_offset, at);
    load_scratch(w, i, at, check_scratch(w, i, at, exec, i.bytes, false), i.destination.index);
    issue(w, i, exec);
    return;
  }
  note_skipped_barrier(w, i, exec);
  const u64 whole = in_range(i, buffer, o, scalar_offset, exec, 0, i.bytes);
  Addresses a;
  address(buffer, o, scalar_offset, 0, a);
  count_global(w, i, a.at, whole, i.bytes);
  if (i.to_lds) {
    // What lies past the end arrives as zero.
    const u64 valid = check_global(w, i, a, whole, i.bytes, false);
    transfer_to_lds(w, i, a, valid);
    zero_lds(w, i, exec & ~whole);
    return;
  }
  const u32 to = i.destination.index;
  Row zero;
  if (exec & ~whole) broadcast(zero.lanes, 0);
  load_global(w, i, a, check_global(w, i, a, whole, i.bytes, false), to);
  if (const u64 rest = exec & ~whole) {
    // Dword by dword, as the range check does.
    const u32 step = i.bytes < 4 ? i.bytes : 4;
    Instruction part = i;
    part.bytes = step;
    for (u32 skip = 0; skip < i.bytes; skip += step) {
      const u64 some = in_range(i, buffer, o, scalar_offset, rest, skip, step);
      if (i.half_mode == kWhole) {
        merge_row(w, w.vector[to + skip / 4], zero.lanes, rest);
      } else {
        u32* row = w.vector[to];
        for (u64 left = rest; left; left &= left - 1) {
          row[first_bit(left)] = place_narrow(row[first_bit(left)], 0, i.half_mode);
        }
      }
      w.defined[to + skip / 4] |= rest;
      if (!some) continue;
      address(buffer, o, scalar_offset, skip, a);
      w.worker->last_allocation[i.index] = nullptr;
      load_global(w, part, a, check_global(w, part, a, some, step, false), to + skip / 4);
    }
  }
  issue(w, i, exec);
}

void run_store(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Buffer buffer;
  Offsets o;
  u32 scalar_offset;
  if (begin_access(w, i, exec, buffer, o, scalar_offset)) {
    u32 at[kLanes];
    scratch_addresses(o, scalar_offset, at);
    store_scratch(w, i, at, check_scratch(w, i, at, exec, i.bytes, true), i.source[2]);
    issue(w, i, exec);
    return;
  }
  note_skipped_barrier(w, i, exec);
  const u64 whole = in_range(i, buffer, o, scalar_offset, exec, 0, i.bytes);
  Addresses a;
  address(buffer, o, scalar_offset, 0, a);
  count_global(w, i, a.at, whole, i.bytes);
  store_global(w, i, a, check_global(w, i, a, whole, i.bytes, true), i.source[2]);
  if (const u64 rest = exec & ~whole; rest && i.bytes > 4) {
    Instruction part = i;
    part.bytes = 4;
    Operand data = i.source[2];
    data.dwords = 1;
    for (u32 skip = 0; skip < i.bytes; skip += 4) {
      const u64 some = in_range(i, buffer, o, scalar_offset, rest, skip, 4);
      data.index = static_cast<u16>(i.source[2].index + skip / 4);
      if (!some) continue;
      address(buffer, o, scalar_offset, skip, a);
      store_global(w, part, a, check_global(w, part, a, some, 4, true), data);
    }
  }
  issue(w, i, exec);
}

void run_atomic(Wave& w, const Instruction& i) {
  const u64 exec = w.exec();
  Buffer buffer;
  Offsets o;
  u32 scalar_offset;
  if (begin_access(w, i, exec, buffer, o, scalar_offset))
    w.worker->fail(w, i, "atomics on scratch are not emulated");
  note_skipped_barrier(w, i, exec);
  const u64 inside = in_range(i, buffer, o, scalar_offset, exec, 0, i.bytes);
  Addresses a;
  address(buffer, o, scalar_offset, 0, a);
  count_global(w, i, a.at, inside, i.bytes);
  global_atomic(w, i, a, inside, exec);
  issue(w, i, exec);
}

// ---- decoding

void build_buffer(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  set_memory(i, opcode);
  i.traffic = Traffic::vector_memory;
  i.offset_enabled = line.flag("offen");
  i.index_enabled = line.flag("idxen");
  i.to_lds = line.flag("lds");
  const bool atomic = opcode.kind == InstructionClass::global_atomic;
  const bool store = opcode.kind == InstructionClass::global_store;
  int dwords = i.bytes > 4 ? static_cast<int>(i.bytes / 4) : 1;
  if (atomic) {
    i.operation = static_cast<u8>(opcode.parameter[2]);
    i.returns = line.flag("sc0") || line.flag("glc");
    if (static_cast<Atomic>(i.operation) == Atomic::compare_exchange) dwords *= 2;
  }
  std::size_t k = 0;
  const bool has_data = !i.to_lds || line.operands.size() == 4;
  require(line.operands.size() == (has_data ? 4u : 3u), "wrong number of operands");
  Operand data;
  if (has_data) data = d.vector(line.operands[k++], dwords);
  const int address_dwords = i.offset_enabled && i.index_enabled ? 2 : 1;
  i.source[0] = d.optional(line.operands[k++], Type::b32,
                           i.offset_enabled || i.index_enabled ? address_dwords : 0);
  i.source[1] = d.scalar(line.operands[k++], 4);
  i.source[3] = d.operand(line.operands[k++], Type::b32);
  if (!i.offset_enabled && !i.index_enabled) i.source[0] = Operand{};
  add_read(i, i.source[0], address_dwords);
  add_read(i, i.source[1], 4);
  add_read(i, i.source[3], 1);
  if (i.to_lds) {
    i.source[kLdsBase] = d.scalar("m0", 1);
    add_read(i, i.source[kLdsBase], 1);
  } else if (store || atomic) {
    i.source[2] = data;
    add_read(i, data, dwords);
  }
  if (!store && !i.to_lds && (!atomic || i.returns)) {
    i.destination = data;
    add_write(i, data, atomic ? static_cast<int>(i.bytes / 4) : dwords);
  }
  d.read_offsets(line, i);
}

Opcode access(Handler handler, InstructionClass kind, const Width& width) {
  Opcode opcode;
  opcode.build = build_buffer;
  opcode.handler = handler;
  opcode.kind = kind;
  opcode.parameter[0] = width.bytes;
  opcode.parameter[1] = (width.sign_extend ? 1u : 0u) | static_cast<u32>(width.half) << 1;
  return opcode;
}

}  // namespace

void add_buffer_opcodes(OpcodeTable& t) {
  for (const Width& width : load_widths()) {
    t.add("buffer_load_" + width.suffix, access(run_load, InstructionClass::global_load, width));
  }
  for (const Width& width : store_widths()) {
    t.add("buffer_store_" + width.suffix, access(run_store, InstructionClass::global_store, width));
  }
  for (const AtomicName& atomic : global_atomics()) {
    Opcode opcode;
    opcode.build = build_buffer;
    opcode.handler = run_atomic;
    opcode.kind = InstructionClass::global_atomic;
    opcode.parameter[0] = atomic.bytes;
    opcode.parameter[2] = static_cast<u32>(atomic.operation);
    t.add(std::string("buffer_atomic_") + atomic.name, opcode);
  }
}

}  // namespace lumc::emulator
