// The wait counters: which results a wave has asked for and may not use yet.
//
// vmcnt counts vector memory, whose results come back in order; lgkmcnt counts LDS (in order) and
// scalar memory (in any order). Flat accesses count in both and come back in any order. After
// `s_waitcnt x(n)` only what must have arrived under these rules counts as arrived.
#pragma once

#include "instruction.hpp"

namespace lumc::emulator {

struct Outstanding {
  const Instruction* instruction;
  u64 exec;
  bool ordered;
  // What it does to LDS: addresses of single accesses (slot) or the start of a transfer to LDS.
  i32 lds_slot;
  u32 lds_begin;
};

class WaitQueue {
 public:
  static constexpr int kCapacity = 64;

  int size() const { return size_; }
  // The i-th oldest.
  const Outstanding& operator[](int i) const { return entries_[(first_ + i) % kCapacity]; }

  void clear() { size_ = unordered_ = 0; }

  void push(const Outstanding& entry) {
    if (size_ == kCapacity) drop_oldest();  // the hardware would have stalled until it was done
    entries_[(first_ + size_++) % kCapacity] = entry;
    unordered_ += !entry.ordered;
  }

  // `s_waitcnt` to at most `remaining`: forgets what has certainly arrived. True if any has.
  bool wait(int remaining) {
    if (size_ <= remaining) return false;
    if (remaining == 0) {
      clear();
      return true;
    }
    const int certain = size_ - remaining - unordered_;
    if (certain <= 0) return false;
    remove_ordered(certain);
    return true;
  }

 private:
  void drop_oldest() {
    unordered_ -= !entries_[first_].ordered;
    first_ = (first_ + 1) % kCapacity;
    --size_;
  }

  void remove_ordered(int count) {
    int kept = 0;
    for (int i = 0; i < size_; ++i) {
      const Outstanding& entry = (*this)[i];
      const bool gone = count > 0 && entry.ordered;
      count -= gone;
      if (!gone) entries_[(first_ + kept++) % kCapacity] = entry;
    }
    size_ = kept;
  }

  Outstanding entries_[kCapacity];
  int first_ = 0, size_ = 0, unordered_ = 0;
};

// The registers that outstanding accesses will still write.
class Pending {
 public:
  WaitQueue vector_memory, local;  // vmcnt and lgkmcnt

  bool any() const { return any_; }
  // Whether transfers to LDS are under way.
  bool transfers() const { return transfers_; }

  void clear() {
    vector_memory.clear();
    local.clear();
    clear_bits();
  }

  void issue(const Outstanding& entry);
  void wait_vector_memory(int remaining) {
    if (vector_memory.wait(remaining)) rebuild();
  }
  void wait_local(int remaining) {
    if (local.wait(remaining)) rebuild();
  }

  bool touches(const Instruction& i) const {
    for (int k = 0; k < i.range_count; ++k) {
      const RegisterRange& range = i.ranges[k];
      if (overlaps(range.vector ? vector_bits_ : scalar_bits_, range.first, range.count))
        return true;
    }
    return false;
  }

  // The outstanding access that will still write a register of `range`, or null.
  const Outstanding* writer_of(const RegisterRange& range) const;

 private:
  static bool overlaps(const u64* bits, u32 first, u32 count) {
    const u32 word = first >> 6, shift = first & 63;
    u64 window = bits[word] >> shift;
    if (shift) window |= bits[word + 1] << (64 - shift);
    return (window & (kAllLanes >> (64 - count))) != 0;
  }
  static void mark(u64* bits, u32 first, u32 count);
  void clear_bits();
  void add_bits(const Outstanding& entry);
  void rebuild();

  u64 vector_bits_[9] = {};
  u64 scalar_bits_[3] = {};
  bool any_ = false, transfers_ = false;
};

}  // namespace lumc::emulator
