// What accesses cost: cache lines that a wave's lanes touch, and LDS bank conflicts. Both depend
// on the pattern of addresses alone, which repeats from one execution of an instruction to the
// next, so the last pattern of every instruction and what it cost is kept, for each position within
// a line.
#pragma once

#include "machine.hpp"

namespace lumc::emulator {

struct alignas(64) AccessPattern {
  static constexpr u32 kPhases = 128;  // no cache line is longer
  struct Cost {
    u16 cost = 0, ideal = 0;  // 0: not known yet
  };
  u32 relative[kLanes];  // addresses against that of the first active lane
  u64 exec = 0;
  u32 bytes = 0;
  Cost costs[kPhases];  // by where in a line the first address lies
};

void count_global(Wave& w, const Instruction& i, const u64* addresses, u64 exec, u32 bytes);
void count_lds(Wave& w, const Instruction& i, const u32* addresses, u64 exec, u32 bytes,
               bool write);
void trace_addresses(Wave& w, const u64* addresses);

}  // namespace lumc::emulator
