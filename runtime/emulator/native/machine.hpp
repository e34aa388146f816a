// The state that instructions work on: waves, their workgroup, the memory they reach, and the
// launch they belong to.
#pragma once

#include <atomic>
#include <cstdarg>
#include <cstdio>
#include <memory>
#include <mutex>
#include <string>
#include <vector>

#include "global_order.hpp"
#include "lds_shadow.hpp"
#include "pending.hpp"
#include "program.hpp"

namespace lumc::emulator {

// Places in the scalar register file.
constexpr u16 kFlatScratch = 102, kVcc = 106, kM0 = 124, kNull = 125, kExec = 126;
constexpr int kScalarRegisters = 128;
constexpr int kVectorRegisters = 512;
constexpr u16 kAccumulation = 256;  // where accumulation registers begin
constexpr u16 kAlwaysDefined = 512;

// Upper halves of the addresses through which flat accesses reach LDS and scratch.
constexpr u32 kSharedAperture = 0x00010000u;
constexpr u32 kPrivateAperture = 0x00020000u;
// Base address in the scratch buffer descriptors of targets without flat scratch; 48 bits.
constexpr u64 kScratchBase = u64{0x3000} << 32;

enum Check : u32 {
  kBounds = 1,
  kUninitialised = 2,
  kRace = 4,
  kWait = 8,
  kBarrier = 16,
  kLimit = 32,
  kProgram = 64,
};

struct Report {
  u32 check;
  u32 instruction;
  u32 workgroup[3];
  u32 wave;
  i32 lane;               // -1: the wave as a whole
  i32 other_instruction;  // -1: none
  u32 count;
  char text[240];
};

struct Allocation {
  u64 begin, end;
  u64 origin;   // the address that `written` begins at
  u8* written;  // four bits per dword, or null where everything counts as written
  u32 writable;
  u32 id;
};

struct InstructionCounts {
  u64 executions;
  u64 lanes;  // active lanes of memory accesses
  u64 lines;  // cache lines touched, or bytes in bounds for buffers
  u64 lds_cycles, lds_ideal_cycles;
};

struct TraceEvent {
  u32 instruction;
  u32 wave;
  u64 exec;
  u64 addresses;  // index of the first lane's address in the address list, or ~0
  u64 cost;       // LDS cycles, or cache lines touched
};

struct Trace {
  std::vector<TraceEvent> events;
  std::vector<u64> addresses;
};

struct Launch {
  const Program* program;
  const Instruction* entry;
  u32 grid[3], block[3];
  const u32* workgroups;  // triples, or null for the whole grid
  u64 workgroup_count;
  const u32* user_scalars;
  u32 user_scalar_count;
  u32 workgroup_id_mask;  // which of x, y, z follow the user scalars
  u32 workgroup_info;     // whether the scratch wave offset follows
  u32 vector_registers, accumulation_registers;
  u32 lds_bytes, scratch_bytes;  // scratch per lane
  u32 mode;
  u32 checks;
  u32 stop_on_first, threads;
  u64 instruction_limit;
  const Allocation* allocations;  // sorted by address
  u64 allocation_count;
  const u32* traced;  // triples of workgroups to trace
  u32 traced_count;
};

// The place in the grid of the k-th workgroup that a launch runs.
inline void workgroup_at(const Launch& launch, u64 k, u32* place) {
  for (u64 axis = 0, rest = k; axis < 3; ++axis) {
    place[axis] = launch.workgroups ? launch.workgroups[3 * k + axis]
                                    : static_cast<u32>(axis < 2 ? rest % launch.grid[axis] : rest);
    rest /= launch.grid[axis];
  }
}

// What one launch leaves behind.
struct Outcome {
  std::vector<Report> reports;
  std::vector<InstructionCounts> counts;
  std::vector<Trace> traces;
  u64 workgroups = 0, barriers = 0, instructions = 0;
};

// Thrown to end a launch: either a fault that cannot be run over, or the first report.
struct Stop {};

struct AccessPattern;  // see counters.hpp

struct Worker;

enum class WaveState : u8 { running, at_barrier, yielded, ended };

struct alignas(64) Wave {
  u32 vector[kVectorRegisters][kLanes];
  u32 exec_lanes[kLanes];              // EXEC as a mask per lane, valid for exec_of_lanes
  u64 defined[kVectorRegisters + 64];  // lanes that hold a value; the rest is always defined
  u32 origin[kVectorRegisters];        // the instruction that left lanes undefined
  u32 scalar[kScalarRegisters];
  u32 scalar_undefined[kScalarRegisters];  // bits that hold no value
  u32 scalar_origin[kScalarRegisters];
  u64 exec_of_lanes;
  const Instruction* next;
  Worker* worker;
  Pending pending;
  u64 remaining;  // instructions until the limit
  u64 executed;
  u32 mode;
  u32 id;
  u32 barriers;
  u64 barrier_lanes;  // lanes that took part in every barrier so far
  const Instruction* partial_barrier;
  WaveState state;
  bool narrow;  // 32 lanes: the upper half of every mask and row is not there
  bool scc, scc_undefined;
  bool unsettled;     // it has written what may not be where other units see it
  bool releasing;     // its caches are being written back, with what was written before
  u32 release_epoch;  // this epoch of its workgroup
  u8* scratch;
  u64* scratch_defined;
  // Addresses of outstanding LDS accesses, one row per slot of a ring.
  u32 lds_slots[WaitQueue::kCapacity][kLanes];
  u32 next_lds_slot;

  u64 exec() const { return read_as<u64>(&scalar[kExec]); }
  void set_exec(u64 mask) { std::memcpy(&scalar[kExec], &mask, 8); }
  u64 pair(u32 index) const { return read_as<u64>(&scalar[index]); }
  void set_pair(u32 index, u64 value) { std::memcpy(&scalar[index], &value, 8); }
  u64 undefined_pair(u32 index) const { return read_as<u64>(&scalar_undefined[index]); }
  void set_undefined_pair(u32 index, u64 bits) { std::memcpy(&scalar_undefined[index], &bits, 8); }
  // Lane masks fill a pair of scalar registers, or one where waves have 32 lanes.
  u64 mask(u32 index) const { return narrow ? scalar[index] : pair(index); }
  u64 undefined_mask(u32 index) const {
    return narrow ? scalar_undefined[index] : undefined_pair(index);
  }
  void set_mask(u32 index, u64 value) {
    if (narrow)
      scalar[index] = static_cast<u32>(value);
    else
      set_pair(index, value);
  }
  void set_undefined_mask(u32 index, u64 bits) {
    if (narrow)
      scalar_undefined[index] = static_cast<u32>(bits);
    else
      set_undefined_pair(index, bits);
  }
  const u32* lane_mask() {
    if (exec_of_lanes != exec()) expand_exec();
    return exec_lanes;
  }
  void expand_exec();
  // Changes MODE, and with it how the host rounds.
  void set_mode(u32 value);
};

// MODE bits [3:0] round (single, then double and half); [7:4] keep subnormals.
constexpr u32 kIeeeMode = 1u << 9;
constexpr u32 kFloatModeMask = 0xff, kDefaultFloatMode = 0xf0;

// One thread of the emulator: it runs workgroups one after another.
struct Worker {
  const Launch* launch;
  const Program* program;
  Outcome outcome;
  Wave* waves;
  u32 wave_count;
  u32 workgroup[3];
  u64 workgroup_index;
  std::vector<u8> lds;
  LdsShadow lds_shadow;
  GlobalOrder* order = nullptr;  // null where races are not watched
  WorkgroupOrder own_order;
  std::vector<const Allocation*> last_allocation;        // per instruction
  std::vector<std::unique_ptr<AccessPattern>> patterns;  // per instruction
  Trace* trace = nullptr;
  bool stop_on_first;
  // A value that nothing wrote was used. That may be half of a race, whose other half comes when
  // the next wave runs, so the workgroup goes on to its end.
  bool stop_after_workgroup = false;
  u32 checks;

  bool checking(u32 check) const { return (checks & check) != 0; }

  // Adds a report, or raises Stop where the first one ends the launch.
  __attribute__((format(printf, 7, 8))) void report(const Wave& w, const Instruction& i, u32 check,
                                                    int lane, const Instruction* other,
                                                    const char* format, ...);
  // A fault after which the wave cannot go on.
  [[noreturn]] __attribute__((format(printf, 4, 5))) void fail(const Wave& w, const Instruction& i,
                                                               const char* format, ...);

  const Allocation* find_allocation(u64 address, u64 bytes) const;

 private:
  void add_report(const Wave& w, const Instruction& i, u32 check, int lane,
                  const Instruction* other, const char* format, std::va_list arguments);
};

}  // namespace lumc::emulator
