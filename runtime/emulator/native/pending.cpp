#include "pending.hpp"

namespace lumc::emulator {

void Pending::issue(const Outstanding& entry) {
  const Traffic traffic = entry.instruction->traffic;
  if (traffic == Traffic::vector_memory || traffic == Traffic::flat) vector_memory.push(entry);
  if (traffic != Traffic::vector_memory) local.push(entry);
  add_bits(entry);
}

const Outstanding* Pending::writer_of(const RegisterRange& range) const {
  const WaitQueue* queues[] = {&vector_memory, &local};
  for (const WaitQueue* queue : queues) {
    for (int k = 0; k < queue->size(); ++k) {
      const Instruction& i = *(*queue)[k].instruction;
      for (int r = i.read_count; r < i.range_count; ++r) {
        const RegisterRange& written = i.ranges[r];
        if (!(written.halves & range.halves)) continue;
        if (written.vector == range.vector && written.first < range.first + range.count &&
            range.first < written.first + written.count) {
          return &(*queue)[k];
        }
      }
    }
  }
  return nullptr;
}

void Pending::mark(u64* bits, u32 first, u32 count) {
  for (u32 r = first; r < first + count; ++r) bits[r >> 6] |= u64{1} << (r & 63);
}

void Pending::clear_bits() {
  for (u64& word : vector_bits_) word = 0;
  for (u64& word : scalar_bits_) word = 0;
  any_ = transfers_ = false;
}

void Pending::add_bits(const Outstanding& entry) {
  const Instruction& i = *entry.instruction;
  transfers_ |= i.to_lds;
  for (int r = i.read_count; r < i.range_count; ++r) {
    mark(i.ranges[r].vector ? vector_bits_ : scalar_bits_, i.ranges[r].first, i.ranges[r].count);
    any_ = true;
  }
}

void Pending::rebuild() {
  clear_bits();
  for (int k = 0; k < vector_memory.size(); ++k) add_bits(vector_memory[k]);
  for (int k = 0; k < local.size(); ++k) add_bits(local[k]);
}

}  // namespace lumc::emulator
