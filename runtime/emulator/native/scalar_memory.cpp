// Scalar loads: from a 64-bit address, or through a buffer descriptor.
#include "memory.hpp"

namespace lumc::emulator {

namespace {

void load_scalars(Wave& w, const Instruction& i, u64 address, u32 dwords, u32 to) {
  const u32 bytes = 4 * dwords;
  const Allocation*& hint = w.worker->last_allocation[i.index];
  if (!hint || address < hint->begin || address + bytes > hint->end)
    hint = w.worker->find_allocation(address, bytes);
  if (!hint) {
    w.worker->report(w, i, kBounds, -1, nullptr,
                     "reads %u bytes at address 0x%llx, which lie in no buffer", bytes,
                     static_cast<unsigned long long>(address));
    for (u32 k = 0; k < dwords; ++k) write_scalar(w, to + k, 0, 0);
    return;
  }
  for (u32 k = 0; k < dwords; ++k) {
    w.scalar[to + k] = read_as<u32>(reinterpret_cast<const u8*>(address) + 4 * k);
    const bool written = !hint->written || global_written(*hint, address + 4 * k, 4);
    w.scalar_undefined[to + k] = written ? 0 : ~0u;
    if (!written) w.scalar_origin[to + k] = i.index;
  }
}

void run_load(Wave& w, const Instruction& i) {
  require_addresses(w, i, i.source[0], 2, 1);
  require_addresses(w, i, i.source[1], 1, 1);
  const Operand& offset = i.source[1];
  const u64 moved = offset.kind == OperandKind::scalar
                        ? u64{w.scalar[offset.index]}
                        : static_cast<u64>(i64{static_cast<i32>(offset.value)});
  const u64 address = w.pair(i.source[0].index) + moved + static_cast<u64>(i64{i.offset});
  w.worker->outcome.counts[i.index].lanes += 1;
  load_scalars(w, i, address & ~u64{3}, i.bytes / 4, i.destination.index);
  issue(w, i, 1);
}

// Dwords past the end of the buffer are 0.
void run_buffer_load(Wave& w, const Instruction& i) {
  require_addresses(w, i, i.source[0], 4, 1);
  require_addresses(w, i, i.source[1], 1, 1);
  const u32* words = &w.scalar[i.source[0].index];
  const u64 base = join(words[0], words[1] & 0xffff), stride = words[1] >> 16 & 0x3fff;
  const u64 size = stride ? stride * words[2] : words[2];
  const u64 offset = u64{(scalar_value(w, i.source[1]) + static_cast<u32>(i.offset)) & ~3u};
  w.worker->outcome.counts[i.index].lanes += 1;
  u32 inside = 0;
  while (inside < i.bytes / 4 && offset + 4 * inside + 4 <= size) ++inside;
  if (inside) load_scalars(w, i, base + offset, inside, i.destination.index);
  for (u32 k = inside; k < i.bytes / 4; ++k) write_scalar(w, i.destination.index + k, 0, 0);
  issue(w, i, 1);
}

void build_load(Decoder& d, const Line& line, const Opcode& opcode, Instruction& i) {
  i.bytes = opcode.parameter[0];
  i.traffic = Traffic::scalar_memory;
  const int dwords = static_cast<int>(i.bytes / 4);
  require(line.operands.size() == 3, "wrong number of operands");
  i.destination = d.scalar(line.operands[0], dwords);
  i.source[0] = d.scalar(line.operands[1], opcode.flag ? 4 : 2);
  i.source[1] = d.operand(line.operands[2], Type::b32);
  add_read(i, i.source[0], opcode.flag ? 4 : 2);
  add_read(i, i.source[1], 1);
  add_write(i, i.destination, dwords);
  d.read_offsets(line, i);
}

}  // namespace

void add_scalar_memory_opcodes(OpcodeTable& t) {
  for (const u32 dwords : {1u, 2u, 4u, 8u, 16u}) {
    const std::string suffix = dwords == 1 ? "dword" : "dwordx" + std::to_string(dwords);
    Opcode opcode;
    opcode.build = build_load;
    opcode.handler = run_load;
    opcode.kind = InstructionClass::scalar_memory;
    opcode.parameter[0] = 4 * dwords;
    t.add("s_load_" + suffix, opcode);
    opcode.handler = run_buffer_load;
    opcode.flag = true;
    t.add("s_buffer_load_" + suffix, opcode);
  }
}

}  // namespace lumc::emulator
