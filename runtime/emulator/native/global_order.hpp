// Order between workgroups: what one of them wrote, another may read, or write again, only behind a
// release of the first, atomics of both on one address, and an acquire of the second.
//
// Followed for whole dwords of memory that the kernel may write, store by store. Stores of less
// than a dword and what atomics write are not followed. Waves of a workgroup count as one here.
#pragma once

#include <atomic>
#include <mutex>
#include <unordered_map>
#include <vector>

#include "instruction.hpp"

namespace lumc::emulator {

struct Allocation;
struct Launch;

// An atomic that a workgroup did: when it saw what earlier ones had left at the address.
struct SeenAtomic {
  u64 address, moment;
};

// What a workgroup has released and acquired so far.
struct WorkgroupOrder {
  u32 epoch = 0;     // that it writes in; a release begins the next one
  u32 released = 0;  // what it wrote in epochs before this one is where the whole chip sees it
  std::vector<SeenAtomic> seen, outer, acquired;
  u32 last_ordered = 0;  // a cell that is known to come before what is read from now on

  void begin() {
    epoch = released = last_ordered = 0;
    seen.clear();
    outer.clear();
    acquired.clear();
  }
};

// Of one launch, shared by all threads that run it.
class GlobalOrder {
 public:
  // Whether workgroups may meet, or there is so little memory that to follow it costs nothing: code
  // that does little else than write takes two to three times as long.
  static bool is_worth_following(const Launch& launch);

  explicit GlobalOrder(const Launch& launch);
  ~GlobalOrder();
  GlobalOrder(const GlobalOrder&) = delete;
  GlobalOrder& operator=(const GlobalOrder&) = delete;

  // The cell of the dword at `address`: who wrote it last. Those of the next dwords follow.
  u32* cell(const Allocation& allocation, u64 address) const;
  static u32 cell_of(u64 workgroup, u32 epoch) {
    return static_cast<u32>(workgroup + 1) | (epoch < kLastEpoch ? epoch : kLastEpoch) << kEpochBit;
  }
  static bool same_workgroup(u32 a, u32 b) { return ((a ^ b) & kWorkgroupBits) == 0; }
  // Whether no other workgroup than that of `own` wrote any of `count` dwords.
  static bool all_own(const u32* cells, u32 own, u32 count) {
    u32 others = 0;
    for (u32 k = 0; k < count; ++k)
      others |= cells[k] ? (cells[k] ^ own) & kWorkgroupBits : 0;
    return others == 0;
  }
  static u64 workgroup_of(u32 cell) { return (cell & kWorkgroupBits) - 1; }

  // A workgroup is about to do an atomic: who sees it knows what was released before.
  void publish(u64 workgroup, u64 address, u32 released);
  u64 moment() { return next_.fetch_add(1) + 1; }
  // Whether what `cell` says was written comes before what a workgroup does now.
  bool ordered(u32 cell, const WorkgroupOrder& own);

 private:
  // Workgroups that a cell can tell apart, and bytes that are always followed.
  static constexpr u64 kMostWorkgroups = (u64{1} << 26) - 2, kLittle = u64{16} << 20;
  static constexpr u32 kEpochBit = 26, kLastEpoch = 63, kWorkgroupBits = (1u << kEpochBit) - 1;

  struct Publication {
    u64 address, moment;
    u32 released;
  };
  struct Shadow {
    u64 begin = 0, bytes = 0;
    u32* cells = nullptr;
  };

  const Launch& launch_;
  std::vector<Shadow> shadows_;  // by allocation
  std::atomic<u64> next_{0};
  std::mutex mutex_;
  std::unordered_map<u64, std::vector<Publication>> published_;  // by workgroup
};

}  // namespace lumc::emulator
