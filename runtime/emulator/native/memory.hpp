// Memory accesses: what global, buffer, scratch and LDS instructions share.
#pragma once

#include "decoder.hpp"
#include "registers.hpp"

namespace lumc::emulator {

struct alignas(64) Addresses {
  u64 at[kLanes];
};

// The width and treatment of narrow data that a suffix such as `dwordx4` or `ubyte_d16_hi` names.
struct Width {
  std::string suffix;
  u32 bytes;
  bool sign_extend;
  u8 half;  // Narrow
};
const std::vector<Width>& load_widths();  // dword names
const std::vector<Width>& store_widths();
const std::vector<Width>& lds_load_widths();  // b32 names
const std::vector<Width>& lds_store_widths();

// ---- global memory

// Lanes of `exec` whose `bytes` at `at` lie in one allocation each and may be accessed; the others
// are reported. Addresses of inactive and refused lanes are replaced by one that may be read.
u64 check_global(Wave& w, const Instruction& i, Addresses& a, u64 exec, u32 bytes, bool write);

// Loads `dwords` registers (or a narrow value) for the lanes of `exec`, all in bounds.
void load_global(Wave& w, const Instruction& i, const Addresses& a, u64 exec, u32 to);
void store_global(Wave& w, const Instruction& i, const Addresses& a, u64 exec, const Operand& data);

// Whether lanes access neighbouring pieces, in their order.
bool contiguous(const Addresses& a, u32 bytes);
// Lanes whose bytes at `address` were written.
bool global_written(const Allocation& allocation, u64 address, u32 bytes);
void mark_global(const Allocation& allocation, u64 address, u32 bytes);
const Allocation* allocation_of(Wave& w, const Instruction& i, u64 address, u32 bytes);

// ---- narrow values

inline u32 widen(u32 raw, u32 bytes, bool sign_extend) {
  if (bytes == 1)
    return sign_extend ? static_cast<u32>(static_cast<i32>(static_cast<i8>(raw))) : raw & 0xff;
  return sign_extend ? static_cast<u32>(static_cast<i32>(static_cast<i16>(raw))) : raw & 0xffff;
}
inline u32 place_narrow(u32 old, u32 value, u8 half) {
  if (half == kHighHalf) return (old & 0xffff) | value << 16;
  return half == kLowHalf ? (old & 0xffff0000u) | (value & 0xffff) : value;
}

// ---- checks at an access

void require_addresses(Wave& w, const Instruction& i, const Operand& o, int dwords, u64 exec);
void note_skipped_barrier(Wave& w, const Instruction& i, u64 exec);
void issue(Wave& w, const Instruction& i, u64 exec, i32 lds_slot = -1, u32 lds_begin = 0);

// ---- atomics

enum class Atomic : u8 {
  add,
  subtract,
  minimum_signed,
  minimum_unsigned,
  maximum_signed,
  maximum_unsigned,
  conjunction,
  disjunction,
  exclusive_or,
  exchange,
  compare_exchange,
  add_float,
  minimum_float,
  maximum_float,
  add_half2,
  add_bfloat2,
  increment,
  decrement,
  reverse_subtract,
};
// One lane of one register, or of two.
inline u64 wide_lane(const Wave& w, u32 reg, int lane, bool wide) {
  return wide ? join(w.vector[reg][lane], w.vector[reg + 1][lane]) : w.vector[reg][lane];
}
u64 apply_atomic(Atomic operation, u32 bytes, u64 old, u64 data, u64 compare);
// The same on memory that other threads may touch. Returns what was there.
u64 apply_atomic_at(u8* at, Atomic operation, u32 bytes, u64 data, u64 compare);

struct AtomicName {
  const char* name;
  Atomic operation;
  u32 bytes;
};
const std::vector<AtomicName>& global_atomics();

// Applies an atomic in the lanes of `inside`; those of `exec` beyond them get 0 back.
void global_atomic(Wave& w, const Instruction& i, Addresses& a, u64 inside, u64 exec);

// ---- order between workgroups (global_order.hpp)

// Reports what is read, or overwritten by another value of `stored`, that another workgroup wrote
// and nothing orders before.
void order_global(Wave& w, const Instruction& i, const Addresses& a, u64 exec,
                  const Operand* stored);
// Caches are written back, for the whole chip to see; until `settle`.
void begin_release(Wave& w);
// What the wave has written is where others see it.
void settle(Wave& w);
// Before and behind an atomic at an address.
void order_atomic(Wave& w, u64 address);
void see_atomic(Wave& w, u64 address);
// What those that were seen have released may be read.
void acquire(Wave& w);
// The same in two steps, where there are two caches between a unit and what all share.
void acquire_outer(Wave& w);
void acquire_inner(Wave& w);

// ---- LDS and scratch, as flat accesses reach them too

// Lanes of `exec` whose bytes lie inside the workgroup's LDS; the others are reported.
u64 check_lds(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write);
void load_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, u32 to);
void store_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes,
               const Operand& data);
// Records an access for the race check; `slot` keeps its addresses until it is waited for.
void order_lds(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 bytes, bool write,
               bool unwaited);
void report_race(Wave& w, const Instruction& i, int lane, bool write, const LdsConflict& conflict);
bool is_pair(const Instruction& i);
i32 keep_lds_addresses(Wave& w, const u32* at);
// Repeats outstanding LDS accesses in the interval that begins now: they may still be under way.
void carry_over_lds(Wave& w);

// Where transfers to LDS keep their M0 operand among the sources.
constexpr int kLdsBase = 4;
// Bytes between the lanes of such a transfer ("CDNA4 Instruction Set Architecture", 9.1.9).
inline u32 lds_stride(u32 bytes) { return bytes <= 4 ? 4 : 16; }
// Copies from global memory to LDS at M0 + offset + lane * stride.
void transfer_to_lds(Wave& w, const Instruction& i, const Addresses& a, u64 exec);

// Zeros for lanes of such a transfer that lie past the end of their buffer.
void zero_lds(Wave& w, const Instruction& i, u64 exec);

u64 check_scratch(Wave& w, const Instruction& i, u32* at, u64 exec, u32 bytes, bool write);
void load_scratch(Wave& w, const Instruction& i, const u32* at, u64 exec, u32 to);
void store_scratch(Wave& w, const Instruction& i, const u32* at, u64 exec, const Operand& data);

// ---- lists used when decoding

void set_memory(Instruction& i, const Opcode& opcode);

}  // namespace lumc::emulator
