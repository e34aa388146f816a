// What accesses cost: cache lines that a wave's lanes touch, and LDS bank conflicts. Both depend
// on the pattern of addresses alone, which repeats from one execution of an instruction to the
// next, so the last pattern of every instruction and what it cost is kept.
#pragma once

#include "machine.hpp"

namespace lumc::emulator {

struct alignas(64) AccessPattern {
  u32 relative[kLanes];
  u64 exec = 0;
  u32 phase = ~0u;
  u32 cost = 0, ideal = 0;
};

void count_global(Wave& w, const Instruction& i, const u64* addresses, u64 exec, u32 bytes);
void count_lds(Wave& w, const Instruction& i, const u32* addresses, u64 exec, u32 bytes, bool write);
void trace_addresses(Wave& w, const u64* addresses);

}  // namespace lumc::emulator
